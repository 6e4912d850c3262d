"""Speed benchmarks, one a file: `run()` measures and returns figures with their reference.

A figure and what it is compared with are taken in the same run, on the same machine. Values are
numbers or short texts by name, nested at most once, the unit at the end of the name: `nodes_per_s`.
"""
