"""Runs untrusted programs and says what became of them.

`run_jobs` runs programs in parallel, `run_cached` also remembers the outcomes, `open_sandbox`
refuses where the machine lacks what the backend needs. Nothing else in the project runs a
candidate.
"""

from tasks.sandbox.cached import run_cached
from tasks.sandbox.pool import open_sandbox, run_jobs
from tasks.sandbox.types import Job, Limits, Outcome, Status

__all__ = ["Job", "Limits", "Outcome", "Status", "open_sandbox", "run_cached", "run_jobs"]
