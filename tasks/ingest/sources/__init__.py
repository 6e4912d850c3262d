"""Source plugins: a file `<kind>.py` exposes `Options` and `connect(options) -> Source`."""
