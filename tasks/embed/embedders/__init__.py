"""Embedder backends, one file each: `make(folder, spec, *, batch_size) -> Embedder`."""
