"""The knowledge base: shared contents, the deny-list, texts, and opening only what is used."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.core.errors import CodeGraftError
from tasks.core.ids import digest
from tasks.retrieval import retrieve
from tasks.retrieval.contents import allowed_contents
from tasks.retrieval.knowledge import Kind, KnowledgeBase, Tables
from tests.retrieval.conftest import FILES, Opener
from tests.retrieval.corpus import BagOfWords, build, count_words, doc_id, problem

OCCURRENCES = st.lists(
    st.tuples(st.sampled_from("abcde"), st.sampled_from("1234")), min_size=1, max_size=20
)


@given(OCCURRENCES, st.sets(st.sampled_from("1234")))
def test_a_content_is_allowed_iff_an_allowed_document_has_it(
    pairs: list[tuple[str, str]], denied: set[str]
) -> None:
    frame = pl.DataFrame(
        [(c, f"node{i}", d, i, i + 1) for i, (c, d) in enumerate(pairs)],
        schema=["content_id", "node_id", "doc_id", "start_byte", "end_byte"],
        orient="row",
    )
    contents = allowed_contents(frame, denied)
    assert contents.ids == sorted({c for c, d in pairs if d not in denied})
    for content_id in contents.ids:
        first = next(i for i, (c, d) in enumerate(pairs) if c == content_id and d not in denied)
        place = contents.of(content_id)
        assert (place.node_id, place.doc_id, place.start) == (
            f"node{first}",
            pairs[first][1],
            first,
        )


def test_a_copy_stands_in_for_a_denied_document(open_kb: Opener) -> None:
    def home(kb: KnowledgeBase, name: str) -> set[str]:
        contents = kb.contents("Impl")
        places = [contents.at(i) for i in range(len(contents))]
        texts = kb.texts(places, "Impl")
        return {
            p.doc_id for p, t in zip(places, texts, strict=True) if t.startswith(f"def {name}(")
        }

    assert home(open_kb(), "gcd") == {doc_id("a_copy.py")}
    assert home(open_kb("a_copy.py"), "gcd") == {doc_id("maths.py")}
    assert home(open_kb("a_copy.py", "maths.py"), "gcd") == set()
    assert home(open_kb("maths.py"), "only_here") == set()


@pytest.mark.parametrize("kind", ["Impl", "Block", "Row"])
def test_texts_are_those_that_content_ids_are_made_of(open_kb: Opener, kind: Kind) -> None:
    kb = open_kb()
    contents = kb.contents(kind)
    places = [contents.at(i) for i in range(len(contents))]
    assert [digest(text) for text in kb.texts(places, kind)] == contents.ids
    assert [digest(text) for text in kb.texts(places[::-1], kind)] == contents.ids[::-1]


def test_nothing_left_to_retrieve_is_an_error(open_kb: Opener) -> None:
    with pytest.raises(CodeGraftError, match="no Row that may be retrieved"):
        open_kb(*FILES).contents("Row")


def test_a_corpus_without_blocks_is_an_error_of_block_search_only(tmp_path: Path) -> None:
    tables = build(tmp_path, {"m.py": "def f(x):\n    return x\n"})
    kb = KnowledgeBase(
        tables=tables, denied=frozenset(), embedder=_no_embedder, count_tokens=count_words
    )
    assert len(kb.contents("Impl")) == 1
    with pytest.raises(CodeGraftError, match="no Block that may be retrieved"):
        kb.contents("Block")


def _no_embedder() -> BagOfWords:
    raise AssertionError("the embedder was opened")


def test_vectors_of_another_embedder_are_refused(open_kb: Opener) -> None:
    class Other(BagOfWords):
        id = "other"

    with pytest.raises(CodeGraftError, match="those of bag-of-words, the queries' are other"):
        retrieve(open_kb(embedder=Other), "dense", [problem("x")], {})


def test_nothing_is_opened_before_it_is_needed(tables: Tables, tmp_path: Path) -> None:
    nowhere = Tables.below(tmp_path / "absent")
    kb = KnowledgeBase(
        tables=nowhere, denied=frozenset(), embedder=_no_embedder, count_tokens=count_words
    )
    assert retrieve(kb, "none", [problem("x")], {}) == {"T/0": []}
    with pytest.raises(CodeGraftError, match="input table is missing"):
        retrieve(kb, "bm25", [problem("x")], {})
    lexical = Tables(tables.documents, tables.nodes, nowhere.edges, tables.rows, nowhere.vectors)
    kb = KnowledgeBase(
        tables=lexical, denied=frozenset(), embedder=_no_embedder, count_tokens=count_words
    )
    for condition in ("bm25", "func-bm25"):
        assert retrieve(kb, condition, [problem("gcd")], {})["T/0"]
