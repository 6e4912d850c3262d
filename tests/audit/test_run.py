"""The stage: three tables in, a deny-list out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tasks.audit.run import audit
from tasks.audit.schema import DENY, MATCHES
from tasks.core.errors import CodeGraftError
from tasks.core.files import read_json
from tasks.core.params import Audit
from tasks.core.tables import read_frame, write_table
from tasks.ingest.pipeline import write_documents
from tasks.ingest.types import Document, Source
from tasks.problems.schema import ANSWERS, PROBLEMS

SOLUTION = "def twice(n):\n    return [n * 2 for _ in range(n) if n > 0 and n != 7]\n"
RENAMED = "def two(k):\n    return [k * 2 for i in range(k) if k > 0 and k != 7]\n"
PROBLEM = {
    "task_id": "T/1", "lang": "python", "prompt": "def twice(n):\n", "entry_point": "twice",
    "signature": "def twice(n):", "examples": "",
}  # fmt: skip
ANSWER = {"task_id": "T/1", "reference": SOLUTION, "test": "", "style": "check"}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    documents = [
        Document("a.py", "code", "python", "MIT", "x = 1\n"),
        Document("b.py", "code", "python", "MIT", "import os\n" + SOLUTION),
        Document("c.py", "code", "python", "MIT", RENAMED),
    ]
    write_documents([Source("s", lambda: iter(documents))], tmp_path / "documents.arrow")
    write_table(tmp_path / "problems.arrow", PROBLEMS, [PROBLEM])
    write_table(tmp_path / "answers.arrow", ANSWERS, [ANSWER])
    return tmp_path


def run(corpus: Path, **options: object) -> tuple[list[str], list[tuple[object, ...]]]:
    audit(
        documents=corpus / "documents.arrow",
        problems=corpus,
        out=corpus / "out",
        options=Audit.model_validate(options),
    )
    denied = read_frame(corpus / "out" / "deny.arrow", DENY)["doc_id"].to_list()
    return denied, read_frame(corpus / "out" / "matches.arrow", MATCHES).drop("doc_id").rows()


def test_near_copies_are_listed_counted_and_denied(corpus: Path):
    denied, found = run(corpus)
    assert found == [
        ("b.py", "T/1", "reference", "ast", 1.0),
        ("b.py", "T/1", "reference", "ngram", 1.0),
        ("c.py", "T/1", "reference", "ast", 1.0),
    ]
    listed = read_frame(corpus / "out" / "matches.arrow", MATCHES)["doc_id"].unique(
        maintain_order=True
    )
    assert denied == listed.to_list()
    assert read_json(corpus / "out" / "summary.json") == {
        "documents": 3,
        "documents_matched": 2,
        "documents_denied": 2,
        "problems_matched": 1,
        "matches": {"prompt_ngram": 0, "reference_ngram": 1, "reference_ast": 2},
        "short_prompts": ["T/1"],
        "short_references": [],
        "references_without_normal_form": [],
    }


def test_without_drop_nothing_is_denied_but_all_is_listed(corpus: Path):
    denied, found = run(corpus, drop=False)
    assert denied == []
    assert len(found) == 3
    assert read_json(corpus / "out" / "summary.json")["documents_denied"] == 0


def test_no_match_gives_empty_tables(corpus: Path):
    other = {**ANSWER, "reference": "def twice(n):\n    return n ** 99\n"}
    write_table(corpus / "answers.arrow", ANSWERS, [other])
    assert run(corpus) == ([], [])


def test_the_window_is_a_parameter(corpus: Path):
    _, found = run(corpus, ngram=60)
    assert [row[3] for row in found] == ["ast", "ast"]


def test_the_same_bytes_twice(corpus: Path):
    run(corpus)
    first = {path.name: path.read_bytes() for path in (corpus / "out").iterdir()}
    run(corpus)
    assert {path.name: path.read_bytes() for path in (corpus / "out").iterdir()} == first


@pytest.mark.parametrize(
    ("answers", "message"),
    [([], "find no partner"), ([ANSWER, ANSWER], "more than once")],
)
def test_tables_that_do_not_belong_together_are_refused(corpus: Path, answers, message):
    write_table(corpus / "answers.arrow", ANSWERS, answers)
    with pytest.raises(CodeGraftError, match=message):
        run(corpus)
    assert not (corpus / "out").exists()
