"""Benchmarks, one a file: `Options` (parameters) and `read(options) -> list[Item]`."""
