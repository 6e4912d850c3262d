"""Prefect flows over the DVC graph (`dvc repro` needs none of them)."""
