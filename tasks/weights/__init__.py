"""Stage `weights`: a model's release file, verified, as a folder that the libraries load."""

from tasks.weights.prepare import Prepared, prepare

__all__ = ["Prepared", "prepare"]
