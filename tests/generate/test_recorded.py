"""Keys, records and the store of generations."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tasks.generate.backend import Completion, Decoding, Request
from tasks.generate.recorded import (
    GenerationStore,
    Keys,
    keys_of,
    read_record,
    record_path,
    write_record,
)
from tests.generate.fakes import FakeGenerator, completion

REQUEST = Request("key", (("system", "s"), ("user", "u")), "```", ("```",))
GREEDY = Decoding(max_new_tokens=512, temperature=0.0, top_p=1.0, seed=0)
SAMPLED = replace(GREEDY, temperature=0.8)


def keys(request=REQUEST, *, sample=0, weights="w", decoding=SAMPLED, identity=None) -> Keys:
    generator = FakeGenerator(identity=identity or {"device": "cpu"})
    return keys_of(request, sample=sample, weights=weights, decoding=decoding, generator=generator)


@pytest.mark.parametrize(
    "changed",
    [
        {"request": replace(REQUEST, messages=(("system", "s"), ("user", "v")))},
        {"request": replace(REQUEST, messages=(("user", "s"), ("user", "u")))},
        {"request": replace(REQUEST, messages=(("system", "su"), ("user", "")))},
        {"request": replace(REQUEST, prefill="")},
        {"request": replace(REQUEST, stop=())},
        {"sample": 1},
        {"weights": "x"},
        {"decoding": replace(SAMPLED, seed=1)},
        {"decoding": replace(SAMPLED, temperature=0.7)},
        {"decoding": replace(SAMPLED, top_p=0.9)},
        {"decoding": replace(SAMPLED, max_new_tokens=511)},
    ],
)
def test_whatever_is_asked_changes_both_keys(changed):
    assert keys(**changed).replay != keys().replay
    assert keys(**changed).store != keys().store


def test_what_answers_changes_the_store_key_only():
    other = keys(identity={"device": "cuda"})
    assert other.replay == keys().replay
    assert other.store != keys().store


def test_the_requests_own_key_is_no_part_of_what_is_asked():
    assert keys(replace(REQUEST, key="other")) == keys()


def test_greedy_rows_depend_neither_on_seed_nor_on_nucleus():
    first = keys(decoding=GREEDY)
    assert keys(decoding=replace(GREEDY, seed=7, top_p=0.5)) == first
    assert keys(decoding=SAMPLED).replay != first.replay


def test_a_record_reads_back_as_written(tmp_path):
    path = tmp_path / "record.parquet"
    entries = {
        "b": ("Fake/1", completion("def add(): é\n")),
        "a": ("Fake/0", Completion("", "length", None, None, 1, 2)),
    }
    write_record(path, entries, made_by="{}")
    assert read_record(path) == {key: answer for key, (_, answer) in entries.items()}


def test_a_record_without_any_logprobs_reads_back(tmp_path):
    path = tmp_path / "record.parquet"
    silent = Completion("x", "stop", None, None, 1, 2)
    write_record(path, {"a": ("Fake/0", silent)}, made_by="{}")
    assert read_record(path) == {"a": silent}


def test_equal_records_are_equal_bytes_whatever_their_order(tmp_path):
    entries = {f"k{n}": (f"Fake/{n}", completion(f"text {n}")) for n in range(50)}
    write_record(tmp_path / "one", entries, made_by="{}")
    write_record(tmp_path / "two", dict(reversed(entries.items())), made_by="{}")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_an_empty_or_absent_record_replays_nothing(tmp_path):
    assert read_record(tmp_path / "absent.parquet") == {}
    write_record(tmp_path / "empty.parquet", {}, made_by="{}")
    assert read_record(tmp_path / "empty.parquet") == {}


def test_record_path_names_benchmark_and_model():
    assert record_path("humaneval", "qwen").as_posix() == "data/recorded/humaneval/qwen.parquet"


def test_the_store_keeps_completions_across_openings():
    GenerationStore().put("k", completion("kept é"))
    assert GenerationStore().get(["k", "absent"]) == {"k": completion("kept é")}
