"""Runs each benchmark's own tests: with the audit the only reader of the answers."""
