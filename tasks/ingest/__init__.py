"""Corpora: every source's documents, decoded, licensed, without exact duplicates, in one table."""
