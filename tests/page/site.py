"""A tiny report (that of tests/report) with the texts and origins that a page needs."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import polars as pl

from tasks.audit.schema import MATCHES
from tasks.core.files import write_json
from tasks.core.params import Report
from tasks.core.tables import write_table
from tasks.extract.schema import NODES
from tasks.generate.schema import CANDIDATES
from tasks.ingest.schema import DOCUMENTS
from tasks.page.load import Tables, load_tables
from tasks.problems.schema import PROBLEMS
from tasks.report.write import write_report
from tasks.retrieval.schema import CONTEXTS
from tests.report.results import SOLVERS, tables, tiny_inputs, write_stages

EVIL = "</script><img src=x onerror=alert(1)><!-- <script> ]]> \u2028 &lt; '\""
FULL = "def f():\n    if a:\n        one()\n    two()\n    return 1"
PRUNED = (8, 32)  # the `if` and its body
SHOWN = "def f():\n    two()"  # and the last line cut by the budget
VOID = {"meta", "link", "br", "img", "input", "hr"}


class FakeParams:
    """As much of Params as reading the tables needs."""

    solvers = list(SOLVERS)


def document(doc_id: str, path: str) -> dict[str, Any]:
    return {"doc_id": doc_id, "source": "pypi:tiny==1", "kind": "code", "lang": "python",
            "path": path, "licence": "MIT", "content": "", "answer": None}  # fmt: skip


def node() -> dict[str, Any]:
    blank = {field.name: "" for field in NODES if field.name not in ("node_id", "qualname")}
    numbers = dict.fromkeys(("start_byte", "end_byte", "depth", "order"), 0)
    return {**blank, **numbers, "node_id": "n", "qualname": "tiny.f"}


def write_site(root: Path, codes: dict[tuple[str, str], str] | None = None) -> None:
    """Write data/ and reports/ below `root`; `codes` are candidates by problem and condition."""
    data, cell = root / "data", "tiny/fake"
    write_stages(data)
    made = tables()
    code = dict(codes or {})
    rows = [
        {**row, "code": code.get((row["task_id"], row["condition"]), row["code"])}
        for row in made["candidates"].to_dicts()
    ]
    context = {"full": FULL, "text": SHOWN, "pruned": f"[[{PRUNED[0]},{PRUNED[1]}]]"}
    for solver in SOLVERS:
        folder = data / "generate" / cell / solver
        mine = [row for row in rows if row["condition"] == solver]
        write_table(folder / "candidates.arrow", CANDIDATES, mine)
        shown = made["contexts"].filter(pl.col("condition") == solver).to_dicts()
        write_table(folder / "contexts.arrow", CONTEXTS, [{**row, **context} for row in shown])
    problems = made["problems"].with_columns(lang=pl.lit("python"), entry_point=pl.lit("f"))
    write_table(data / "problems/tiny/problems.arrow", PROBLEMS, problems)
    write_table(
        data / "ingest/documents.arrow", DOCUMENTS, [document("d", "a.py"), document("e", "b.py")]
    )
    write_json(data / "ingest/summary.json", {"sources": {}})
    write_json(data / "embed/summary.json", {"vectors": 50, "embedder": '{"dtype": "float32"}'})
    write_table(data / "extract/nodes.arrow", NODES, [node()])
    match = {"doc_id": "e", "path": "b.py", "task_id": "T/2", "what": "prompt", "how": "ngram",
             "score": 0.75}  # fmt: skip
    write_table(data / "audit/tiny/matches.arrow", MATCHES, [match])
    write_report(tiny_inputs(), Report(bootstrap=100), root / "reports" / cell)


def tiny_tables(root: Path, codes: dict[tuple[str, str], str] | None = None) -> Tables:
    write_site(root, codes)
    params: Any = FakeParams()
    return load_tables(params, "tiny", "fake", data=root / "data", reports=root / "reports")


class Parsed(HTMLParser):
    """A parsed page: fails on unbalanced tags; keeps attributes and the text of scripts."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.by_id: dict[str, str] = {}
        self.scripts: list[str] = []
        self.text: list[str] = []
        self.policy = ""
        self._id = ""
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.attributes += [(tag, name, value) for name, value in found.items()]
        if found.get("http-equiv") == "Content-Security-Policy":
            self.policy = found["content"]
        if tag not in VOID:
            self.open.append(tag)
            self._id = found.get("id", "") if tag == "script" else ""

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, (tag, self.open)
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open[-1:] == ["script"]:
            if self._id:
                self.by_id[self._id] = self.by_id.get(self._id, "") + data
            else:
                self.scripts.append(data)
        else:
            self.text.append(data)
