"""The embed stage: rows, then the vector of every distinct text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import batched
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa

from tasks.core.errors import CodeGraftError
from tasks.core.params import Embed
from tasks.core.progress import Progress
from tasks.core.tables import write_table
from tasks.embed.cached import CachedEmbedder
from tasks.embed.rows import write_rows
from tasks.embed.schema import vectors_schema
from tasks.embed.texts import occurrences, read_texts

# Texts in memory at once.
WINDOW = 16384
WRITE = 8192
