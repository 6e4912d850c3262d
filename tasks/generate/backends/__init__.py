"""Generator backends: one per file, each with `make(folder, spec, batch_size)`."""
