"""From a problem to a request and from a reply to a program."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tasks.core.errors import CodeGraftError
from tasks.generate import prompt
from tasks.generate.backend import Request
from tasks.generate.prompt import assemble, fenced_blocks, load_template
from tests.generate.fakes import TEMPLATE, context, problem

ADD = problem(1)
WHOLE = "def add(a, b):\n    return a + b\n"


SHIPPED = [load_template(path.stem) for path in sorted(prompt.FOLDER.glob("*.yaml"))]


def shipped(test):
    return pytest.mark.parametrize("template", SHIPPED, ids=lambda template: template.name)(test)


def test_a_request_is_the_rendered_template():
    found = [context(ADD, text="one"), context(ADD, text="two")]
    assert TEMPLATE.request("key", ADD, found, prefills=True) == Request(
        key="key",
        messages=(("system", "be brief"), ("user", f"one\ntwo\n{ADD.prompt.strip()}")),
        prefill=f"```python\n{ADD.prompt.strip()}",
        stop=("```",),
    )


def test_a_backend_that_cannot_open_the_reply_is_not_stopped_by_its_fence():
    request = TEMPLATE.request("key", ADD, [], prefills=False)
    assert (request.prefill, request.stop) == ("", ())


def test_an_empty_system_text_makes_no_turn():
    request = replace(TEMPLATE, system="").request("key", ADD, [], prefills=True)
    assert [role for role, _ in request.messages] == ["user"]


@shipped
def test_shipped_templates_show_stub_and_contexts_and_say_that_these_may_be_ignored(template):
    found = [context(ADD, text="def one(): pass\n"), context(ADD, text="def two(): pass")]
    request = template.request("key", ADD, found, prefills=True)
    shown = "".join(text for _, text in request.messages) + request.prefill
    assert shown.index("def one") < shown.index("def two") < shown.index(ADD.prompt.strip())
    assert "ignore" in shown.split("def one")[0]
    bare = template.request("key", ADD, [], prefills=True)
    without = "".join(text for _, text in bare.messages) + bare.prefill
    assert "ignore" not in without
    assert "eference" not in without


@shipped
def test_a_reply_to_a_shipped_template_becomes_the_program(template):
    opened = template.request("key", ADD, [], prefills=True).prefill
    body = "\n    return a + b\n```\n" if "def add" in opened else f"{WHOLE}```\n"
    namespace: dict[str, Any] = {}
    exec(assemble(opened, body, ADD), namespace)
    assert namespace["add"](1, 2) == 3


@shipped
def test_text_of_problems_and_contexts_is_data_not_template(template):
    odd = context(ADD, text="{{ problem.entry_point }} {% raw %}")
    request = template.request("key", ADD, [odd], prefills=True)
    assert "{{ problem.entry_point }} {% raw %}" in request.messages[-1][1]


def test_an_unknown_template_is_refused_with_those_that_exist():
    with pytest.raises(CodeGraftError, match="unknown prompt template 'nope'") as caught:
        load_template("nope")
    assert "qwen-chat" in caught.value.remedy


def test_a_malformed_template_names_its_key(tmp_path, monkeypatch):
    (tmp_path / "bad.yaml").write_text("user: hello\nstops: []\n")
    monkeypatch.setattr(prompt, "FOLDER", tmp_path)
    with pytest.raises(CodeGraftError, match="stops"):
        load_template("bad")


@pytest.mark.parametrize(
    ("completion", "program"),
    [
        ("\n    return a + b\n", WHOLE),
        ("\n    return a + b\n```\nThis adds.", WHOLE),
        ("\n    return a + b\n```\n```python\nadd(1, 2)\n```", WHOLE),
        ("", "def add(a, b):"),
    ],
)
def test_after_an_opened_block_the_program_is_what_stood_in_it(completion, program):
    assert assemble("Sure.\n```python\ndef add(a, b):", completion, ADD) == program


@pytest.mark.parametrize(
    "reply",
    [
        f"```python\n{WHOLE}```",
        f"Here you are:\n```python\n{WHOLE}```\nIt adds.",
        f"```\n{WHOLE}```",
        f"```python\n{WHOLE}",  # cut by the token limit
        f"First:\n```\npip install it, whatever else may be long\n```\nthen\n```python\n{WHOLE}```",
        f"```python\n{WHOLE}```\nUse:\n```python\nprint(add(1, 2), 'and more')\n```",
    ],
)
def test_the_block_that_defines_the_entry_point_is_the_program(reply):
    assert assemble("", reply, ADD) == WHOLE


def test_without_a_block_the_reply_is_the_program():
    assert assemble("", WHOLE, ADD) == WHOLE


def test_without_the_entry_point_the_longest_block_is_the_program():
    assert assemble("", "```\nx = 1\n```\n```\nx = 1\ny = 2\n```", ADD) == "x = 1\ny = 2\n"


@pytest.mark.parametrize("reply", ["    return a + b\n", "```python\n    return a + b\n```"])
def test_a_reply_that_goes_on_from_the_stub_gets_it_back(reply):
    program = assemble("", reply, ADD)
    assert program == ADD.prompt + "    return a + b\n"
    namespace: dict[str, Any] = {}
    exec(program, namespace)
    assert namespace["add"](1, 2) == 3


def test_a_reply_that_repeats_the_stub_gets_what_stands_before_it():
    given = "from typing import List\n\ndef helper(): ...\n\n\n"
    asked = replace(ADD, prompt=given + ADD.prompt)
    expected = f"{given.strip()}\n\n{WHOLE}"
    assert assemble("", f"```python\n{WHOLE}```", asked) == expected
    assert assemble("```python\n", f"{WHOLE}```", asked) == expected
    # One that has it already does not get it twice.
    assert assemble("", f"```python\n{given}{WHOLE}```", asked) == given + WHOLE


def test_fenced_blocks():
    assert fenced_blocks("a ```py\none\n``` b ```\ntwo\n```") == ["one\n", "two\n"]
    assert fenced_blocks("none") == []


def test_a_block_in_a_list_loses_the_indentation_of_its_fence():
    reply = "1. So:\n   ```python\n   def f():\n       return 1\n   ```\n"
    assert fenced_blocks(reply) == ["def f():\n    return 1\n"]
