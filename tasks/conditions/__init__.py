"""Retrieval conditions, one a file: `Options` and `retrieve(kb, problems, options)`."""
