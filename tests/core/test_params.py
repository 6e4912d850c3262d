"""params.yaml is checked before any work starts; a message names each bad key."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
import yaml

from tasks.core.errors import CodeGraftError
from tasks.core.params import load_params

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def committed() -> dict[str, Any]:
    return yaml.safe_load((REPOSITORY / "params.yaml").read_text(encoding="utf-8"))


@pytest.fixture
def check(committed, tmp_path: Path):
    """Load the committed parameters with one value replaced (or, with `...`, removed)."""

    def changed(dotted: str, value: Any):
        raw = copy.deepcopy(committed)
        *parents, last = dotted.split(".")
        place = raw
        for part in parents:
            place = place[part]
        if value is ...:
            del place[last]
        else:
            place[last] = value
        (tmp_path / "params.yaml").write_text(yaml.safe_dump(raw), encoding="utf-8")
        return load_params(tmp_path / "params.yaml")

    return changed


def test_the_committed_parameters_are_valid():
    params = load_params(REPOSITORY / "params.yaml")
    assert set(params.solvers) <= set(params.conditions)
    assert params.benchmark.options("humaneval") == {}
    assert params.benchmark.options("no-such-benchmark") == {}


@pytest.mark.parametrize(
    ("key", "value", "named"),
    [
        ("embed.batch", 3, "embed.batch: Extra inputs"),
        ("surprise", 1, "surprise: Extra inputs"),
        ("embed.batch_size", "64", "embed.batch_size: Input should be a valid integer"),
        ("embed.batch_size", 0, "embed.batch_size: Input should be greater than or equal to 1"),
        ("embed.batch_size", True, "embed.batch_size: Input should be a valid integer"),
        ("audit.overlap", 1.5, "audit.overlap: Input should be less than or equal to 1"),
        ("audit.drop", 1, "audit.drop: Input should be a valid boolean"),
        ("embed.search", "fuzzy", "embed.search: Input should be 'exact' or 'ann'"),
        ("embed.node_types", ["Impl", "Class"], "embed.node_types.1: Input should be"),
        ("generation.recorded", "maybe", "generation.recorded: Input should be"),
        ("benchmark.limit", 0, "benchmark.limit: Input should be greater"),
        ("benchmark.run", [], "benchmark.run: List should have at least 1 item"),
        ("grade", ..., "grade: Field required"),
        ("models", ["gpt-0"], "models: unknown ['gpt-0']; known are ['qwen-05b'"),
        ("solvers", ["none", "none"], "solvers: a name occurs twice in ['none', 'none']"),
        ("solvers", ["nothing"], "solvers: unknown ['nothing']"),
        ("embed.model", "bert", "embed.model: unknown ['bert']"),
        ("weights.embedders.minilm.sha256", "abc", "need file, bytes, sha256"),
        ("weights.generators.qwen-05b.sources", [], "need file, bytes, sha256"),
        ("weights.generators.qwen-05b.sources", [{"kind": "ftp"}], "qwen-05b.sources.0: "),
        ("weights.generators.qwen-05b.format", "remote", "format 'remote' needs url and name"),
    ],
)
def test_a_bad_value_is_named(check, key: str, value: Any, named: str):
    with pytest.raises(CodeGraftError) as caught:
        check(key, value)
    assert named in caught.value.what
    assert caught.value.where.endswith("params.yaml")
    assert caught.value.remedy


def test_every_bad_key_is_named_at_once(check):
    with pytest.raises(CodeGraftError) as caught:
        check("generation", {"top_p": 2.0, "sample": 1, "seed": "a"})
    for key in ("generation.top_p", "generation.sample", "generation.seed"):
        assert key in caught.value.what


def test_benchmarks_keep_their_own_options(check):
    params = check("benchmark.own", {"path": "x.jsonl"})
    assert params.benchmark.options("own") == {"path": "x.jsonl"}


def test_parameters_cannot_be_changed_afterwards():
    params = load_params(REPOSITORY / "params.yaml")
    with pytest.raises(ValueError, match="frozen"):
        setattr(params.audit, "ngram", 1)  # noqa: B010


@pytest.mark.parametrize(
    ("text", "message"),
    [("a: [", "not valid YAML"), ("", "Input should be a valid dictionary"), ("- a", "top level")],
)
def test_a_file_that_is_no_mapping_is_refused(tmp_path: Path, text: str, message: str):
    (tmp_path / "params.yaml").write_text(text)
    with pytest.raises(CodeGraftError, match=message):
        load_params(tmp_path / "params.yaml")


def test_a_missing_file_says_where_to_run(tmp_path: Path):
    with pytest.raises(CodeGraftError, match=r"params\.yaml is missing") as caught:
        load_params(tmp_path / "params.yaml")
    assert caught.value.remedy == "run from the project's root"
