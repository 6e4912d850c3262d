"""What every stage shares: parameters, tables, identities, the store, progress and errors."""

import os

# Idle OpenMP threads sleep instead of spinning. Beside any other busy process spinning costs most
# of the time: a decoding step of 16 rows took 203 ms with it and 94 without (measured beside one).
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
