"""Selectors, one a file: `Options` (checked parameters) and `select(pool, options)`.

`select` returns one `tasks.select.pool.Choice` for every problem of the pool, by task_id.
"""
