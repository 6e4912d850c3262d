import ast
import gzip
import json
from pathlib import Path

import pytest

from tasks.core.errors import CodeGraftError
from tasks.core.params import Benchmarks, load_params
from tasks.core.tables import read_frame
from tasks.problems.run import read_items, write_items
from tasks.problems.schema import ANSWERS, PROBLEMS

SHARED = Path("../shared/data")

PAIR = {
    "task_id": 601,
    "text": "Find the longest chain.",
    "code": "import sys\r\nclass Pair(object): \r\n\tdef __init__(self, a):\r\n\t\tself.a = a\r\n"
    "def helper(x):\r\n\treturn x\r\ndef chain(arr, n = 2): \r\n\treturn helper(n)\r\n",
    "test_setup_code": "p = Pair(1) \r\nq = Pair(2)",
    "test_list": ["assert chain([p, q], 2) == 2", "assert sys.maxsize > chain([p])"],
    "challenge_test_list": ["assert chain([], 9) == 9"],
}


def _row(number, **changes):
    row = {
        "task_id": number,
        "text": 'Say \\n or """x""".',
        "code": f"def f{number}(x):\n    return x\n",
        "test_setup_code": "",
        "test_list": [f"assert f{number}(1) == 1"],
        "challenge_test_list": [],
    }
    return {**row, **changes}


def _jsonl(path, rows):
    text = "".join(json.dumps(row) + "\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return str(path)


def _mbpp(tmp_path, rows, slug="mbpp-dev", plus=(), limit=None):
    options = {"path": _jsonl(tmp_path / "mbpp.jsonl", rows), "hub": None}
    if slug == "mbpp-dev":
        options["exclude"] = _jsonl(tmp_path / "plus.jsonl.gz", plus)
    raw = {"run": [slug], "limit": limit, slug: options}
    return read_items(slug, Benchmarks.model_validate(raw))


def test_humaneval_is_whole_and_shows_no_test():
    items = read_items("humaneval", load_params().benchmark)
    assert [item.task_id for item in items] == [f"HumanEval/{n}" for n in range(164)]
    first = items[0]
    assert first.signature == (
        "def has_close_elements(numbers: List[float], threshold: float) -> bool:"
    )
    assert first.examples.startswith(
        ">>> has_close_elements([1.0, 2.0, 3.0], 0.5)\nFalse\n>>> has_close"
    )
    for item in items:
        assert item.style == "check" and "def check(candidate)" in item.test
        assert item.reference.startswith(item.prompt)
        assert "def check(" not in item.prompt and "assert " not in item.examples


def test_mbpp_is_put_into_stub_form(tmp_path):
    (item,) = _mbpp(tmp_path, [PAIR])
    assert item.task_id == "Mbpp/601"
    assert item.entry_point == "chain"
    assert item.signature == "def chain(arr, n=2):"
    assert item.prompt == (
        "class Pair(object):\n\n    def __init__(self, a):\n        self.a = a\n\n\n"
        'def chain(arr, n=2):\n    """Find the longest chain.\n    """\n'
    )
    assert item.examples == ""
    assert item.test == (
        "import sys\np = Pair(1)\nq = Pair(2)\n\nassert chain([p, q], 2) == 2\n\n"
        "assert sys.maxsize > chain([p])\n"
    )
    assert "\r" not in item.reference and "\t" not in item.reference
    namespace: dict[str, object] = {}
    exec(item.reference + item.test, namespace)


def test_the_text_of_a_problem_survives_as_a_docstring(tmp_path):
    (item,) = _mbpp(tmp_path, [_row(700)])
    (function,) = ast.parse(item.prompt).body
    assert isinstance(function, ast.FunctionDef)
    assert (ast.get_docstring(function) or "").strip() == "Say \\n or '''x'''."


def test_splits(tmp_path):
    rows = [_row(number) for number in (974, 10, 11, 510, 511, 600, 601, 602)]
    plus = [{"task_id": "Mbpp/602"}]
    dev = _mbpp(tmp_path, rows, plus=plus)
    assert [item.task_id for item in dev] == ["Mbpp/601", "Mbpp/974"]
    test = _mbpp(tmp_path, rows, slug="mbpp")
    assert [item.task_id for item in test] == ["Mbpp/11", "Mbpp/510"]


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the data beside the project")
def test_sizes_of_the_real_splits():
    benchmark = load_params().benchmark
    assert len(read_items("mbpp", benchmark)) == 500
    dev = read_items("mbpp-dev", benchmark)
    assert len(dev) == 266
    for item in dev:
        assert not any(line and line in item.prompt for line in item.test.splitlines())


def test_limit_keeps_the_first_of_both_tables(tmp_path):
    items = _mbpp(tmp_path, [_row(number) for number in (603, 601, 602)], limit=2)
    write_items(items, tmp_path)
    for name, schema in (("problems", PROBLEMS), ("answers", ANSWERS)):
        table = read_frame(tmp_path / f"{name}.arrow", schema)
        assert list(table["task_id"]) == ["Mbpp/601", "Mbpp/602"]
    assert not {"test", "reference"} & set(PROBLEMS.names)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([_row(601), _row(601)], "occur more than once, e.g. Mbpp/601"),
        ([_row(1)], "no problems"),
        ([_row(601, test_list=["assert g(1)"])], "Mbpp/601: no function of the reference"),
        ([_row(601, code="def f601(:")], "Mbpp/601: no function of the reference"),
    ],
)
def test_bad_rows_are_refused(tmp_path, rows, message):
    with pytest.raises(CodeGraftError, match=message):
        _mbpp(tmp_path, rows)


def test_bad_sources_are_refused(tmp_path):
    def read(options):
        read_items("mbpp", Benchmarks.model_validate({"run": ["mbpp"], "mbpp": options}))

    with pytest.raises(CodeGraftError, match=r"benchmark\.mbpp\.path: nowhere\.jsonl") as missing:
        read({"path": "nowhere.jsonl", "hub": None})
    assert "INDEX.md" in missing.value.remedy
    (tmp_path / "x.jsonl").write_text("{broken")
    with pytest.raises(CodeGraftError, match="not a readable JSONL file"):
        read({"path": str(tmp_path / "x.jsonl")})
    with pytest.raises(CodeGraftError, match="pathh: Extra inputs"):
        read({"pathh": "x"})
    with pytest.raises(CodeGraftError, match="unknown benchmark: 'nope'"):
        read_items("nope", load_params().benchmark)
