"""Contamination audit: which documents hold near-copies of a benchmark.

Nothing of the answers leaves this package but the ids of documents to withhold.
"""
