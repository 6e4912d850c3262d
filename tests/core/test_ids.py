"""Hashes that tell apart what differs and nothing else."""

from __future__ import annotations

import hashlib
from pathlib import Path

from hypothesis import assume, given
from hypothesis import strategies as st

from tasks.core.ids import digest, digest_json, sha256_file

PARTS: st.SearchStrategy[list[str | bytes]] = st.lists(st.text() | st.binary(), max_size=4)


@given(PARTS, PARTS)
def test_different_parts_have_different_digests(one: list[str | bytes], two: list[str | bytes]):
    assume(as_bytes(one) != as_bytes(two))
    assert digest(*one) != digest(*two)


def as_bytes(parts: list[str | bytes]) -> list[bytes]:
    return [p if isinstance(p, bytes) else p.encode("utf-8", "surrogatepass") for p in parts]


def test_parts_are_framed():
    assert digest("ab", "c") != digest("a", "bc")
    assert digest("ab") != digest("ab", "")


def test_the_digest_is_blake2b_128_of_framed_parts():
    state = hashlib.blake2b((2).to_bytes(8, "little") + b"ab", digest_size=16)
    assert digest("ab") == state.hexdigest()
    assert digest(12) == digest("12")


def test_a_lone_surrogate_has_a_digest():
    assert len(digest("\udc80")) == 32


def test_json_digests_ignore_the_order_of_keys_only():
    assert digest_json({"a": 1, "b": [1, 2]}) == digest_json({"b": [1, 2], "a": 1})
    assert digest_json([1, 2]) != digest_json([2, 1])


def test_a_file_is_hashed_whole(tmp_path: Path):
    content = bytes(range(256)) * 5000
    (tmp_path / "f").write_bytes(content)
    assert sha256_file(tmp_path / "f") == hashlib.sha256(content).hexdigest()
