"""Isolation backends, one a file: `open_backend() -> Sandbox`, refusing what is not there."""
