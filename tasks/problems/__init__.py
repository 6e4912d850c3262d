"""Benchmarks: what a solver may see (problems) apart from what only grading may see (answers)."""
