"""Where weights come from: each plugin has `fetch(spec, source, *, folder) -> Path`.

`fetch` returns the release file (for safetensors with its configuration beside it). It may leave
work in `folder`, which outlives a stopped run, and raises CodeGraftError if it has nothing.
"""
