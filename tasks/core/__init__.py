"""What every stage shares: parameters, tables, identities, the store, progress and errors."""

import os

# Idle OpenMP threads sleep instead of spinning: beside any other busy process, spinning costs most
# of the time.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
