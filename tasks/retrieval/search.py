"""The two ways to search one kind of content with the problems' prompts."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.retrieval.bm25 import LexicalIndex
from tasks.retrieval.contents import Occurrence
from tasks.retrieval.knowledge import Kind, KnowledgeBase
from tasks.retrieval.tokens import tokenize
from tasks.retrieval.types import Hit, Problem

Found = dict[str, list[Hit]]


def lexical(kb: KnowledgeBase, kind: Kind, problems: Sequence[Problem], *, k: int) -> Found:
    """Hits by task, best BM25 first, ties by content id; none where no token is shared."""
    contents = kb.contents(kind)
    texts = kb.texts([contents.at(i) for i in range(len(contents))], kind)
    index = LexicalIndex([tokenize(text) for text in texts])
    return {
        problem.task_id: [
            _hit(contents.at(position), score, texts[position])
            for position, score in index.search(tokenize(problem.prompt), k=k)
        ]
        for problem in problems
    }


def nearest(
    kb: KnowledgeBase, kind: Kind, problems: Sequence[Problem], *, k: int, min_similarity: float
) -> Found:
    """Hits by task, highest cosine first; those below `min_similarity` are no hits."""
    contents = kb.contents(kind)
    ranked = kb.index.search(kb.query_vectors(problems), allowed=contents.ids, k=k)
    kept = [[(c, s) for c, s in pairs if s >= min_similarity] for pairs in ranked]
    return {
        problem.task_id: [
            _hit(occurrence, score, text)
            for (_, score), occurrence, text in zip(
                pairs, occurrences, kb.texts(occurrences, kind), strict=True
            )
        ]
        for problem, pairs in zip(problems, kept, strict=True)
        for occurrences in [[contents.of(content_id) for content_id, _ in pairs]]
    }


def _hit(occurrence: Occurrence, score: float, text: str) -> Hit:
    return Hit(occurrence.node_id, occurrence.doc_id, float(score), text=text, full=text)
