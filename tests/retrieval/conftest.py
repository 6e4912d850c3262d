"""The knowledge base that the conditions' tests share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tasks.retrieval.knowledge import KnowledgeBase, Tables
from tests.retrieval.corpus import BagOfWords, build, count_words, doc_id

MATHS = '''\
"""Small number theory."""


def gcd(a, b):
    """Greatest common divisor of two integers."""
    while b:
        a, b = b, a % b
    return a


def lcm(a, b):
    """Least common multiple of two integers."""
    if not a or not b:
        return 0
    for check in (a, b):
        if check < 0:
            raise ValueError("negative")
    return a * b // gcd(a, b)
'''
WORDS = '''\
class Text:
    def count_vowels(self, text):
        """Count the vowels of a text."""
        total = 0
        for letter in text:
            if letter in "aeiou":
                total += 1
            elif letter == "y":
                total += self.weigh(letter)
        return total

    def weigh(self, letter):
        """Weigh a doubtful letter."""
        return 0.5
'''
HELP = '''\
from maths import only_here


def twice(x):
    """Apply the helper twice."""
    return only_here(only_here(x))
'''
FILES = {
    "a_copy.py": MATHS,
    "help.py": HELP,
    "maths.py": MATHS + "\n\ndef only_here(x):\n    return x\n",
    "words.py": WORDS,
}

Opener = Callable[..., KnowledgeBase]


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    return build(tmp_path_factory.mktemp("knowledge"), FILES)


@pytest.fixture
def open_kb(tables: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Opener:
    """Open the knowledge base, without the documents of these paths."""
    monkeypatch.setenv("CODEGRAFT_STORE", str(tmp_path))

    def opened(*denied: str, embedder: Callable[[], BagOfWords] = BagOfWords) -> KnowledgeBase:
        return KnowledgeBase(
            tables=tables,
            denied=frozenset(doc_id(path) for path in denied),
            embedder=embedder,
            count_tokens=count_words,
        )

    return opened
