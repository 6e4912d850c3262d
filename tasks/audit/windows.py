"""An inverted index over the benchmark's token windows."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]


@dataclass(frozen=True)
class WindowIndex:
    """Which texts hold which window of `n` tokens.

    `known` are the texts' distinct windows as sorted 64-bit hashes; hashes stand for windows (for
    a million windows against ten thousand a false meeting has a chance of 1e-9). `holders[i]` are
    the texts that hold known[i], `sizes[t]` is the number of distinct windows of text t: 0 for a
    text of fewer than n tokens, which therefore never matches.
    """

    n: int
    vocabulary: dict[bytes, int]
    known: Hashes
    holders: list[list[int]]
    sizes: list[int]

    @classmethod
    def of(cls, texts: Sequence[list[bytes]], *, n: int) -> WindowIndex:
        """Index texts given as lists of tokens."""
        vocabulary: dict[bytes, int] = {}
        for words in texts:
            for word in words:
                vocabulary.setdefault(word, len(vocabulary))
        postings: dict[int, list[int]] = defaultdict(list)
        sizes = []
        for number, words in enumerate(texts):
            distinct = np.unique(_hashes(words, vocabulary, n)).tolist()
            sizes.append(len(distinct))
            for value in distinct:
                postings[value].append(number)
        known = sorted(postings)
        return cls(
            n,
            vocabulary,
            np.array(known, np.uint64),
            [postings[value] for value in known],
            sizes,
        )

    def hashes(self, words: list[bytes]) -> Hashes:
        """The hash of the window at each position of a document: len(words) - n + 1 of them."""
        return _hashes(words, self.vocabulary, self.n)

    def overlaps(
        self, hashes: Hashes, parts: Sequence[tuple[int, int]], *, least: float
    ) -> dict[int, float]:
        """Best overlap of each text with a document or any of its parts, ranges [i, j) of tokens.

        The overlap is the number of distinct windows in common over that of the shorter side. A
        part with fewer windows than the share `least` of the text's is a fragment of it (say, the
        constructor of its node class), no copy, and does not count. Texts without a common window
        are absent.
        """
        if not len(hashes) or not len(self.known):
            return {}
        places = np.minimum(np.searchsorted(self.known, hashes), len(self.known) - 1)
        positions = np.flatnonzero(self.known[places] == hashes)
        whole = (0, len(hashes) + self.n - 1)
        best: dict[int, float] = {}
        for start, end in (whole, *parts) if len(positions) else ():
            first, last = np.searchsorted(positions, (start, end - self.n + 1))
            if first >= last:
                continue
            common: Counter[int] = Counter()
            for place in np.unique(places[positions[first:last]]).tolist():
                common.update(self.holders[place])
            size = len(np.unique(hashes[start : end - self.n + 1]))
            for text, count in common.items():
                if (start, end) != whole and size < least * self.sizes[text]:
                    continue
                score = count / min(size, self.sizes[text])
                best[text] = max(score, best.get(text, 0.0))
        return best


def _hashes(words: list[bytes], vocabulary: dict[bytes, int], n: int) -> Hashes:
    """Hash of each window of n words. Words outside the vocabulary get numbers of their own."""
    count = len(words) - n + 1
    if count < 1:
        return np.empty(0, np.uint64)
    strange: dict[bytes, int] = {}
    base = len(vocabulary)
    numbers = np.fromiter(
        (
            found
            if (found := vocabulary.get(word)) is not None
            else base + strange.setdefault(word, len(strange))
            for word in words
        ),
        np.uint64,
        len(words),
    )
    mixed = _mix(numbers)
    rolled = np.zeros(count, np.uint64)
    for offset in range(n):
        rolled *= np.uint64(0x9E3779B97F4A7C15)
        rolled += mixed[offset : offset + count]
    return _mix(rolled)


def _mix(values: Hashes) -> Hashes:
    """The finaliser of splitmix64 (Steele, Lea and Flood 2014): spreads small numbers."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))
