"""From a problem to a request and from a reply to a program."""

from __future__ import annotations

import pytest

from tasks.core.errors import CodeGraftError
from tasks.generate import prompt
from tasks.generate.prompt import assemble, fenced_blocks, load_template
from tests.generate.fakes import context, problem

ADD = problem(1)
WHOLE = "def add(a, b):\n    return a + b\n"


def test_the_request_holds_stub_contexts_and_opened_reply():
    template = load_template("qwen-chat")
    found = [context(ADD, text="def one(): pass\n"), context(ADD, text="def two(): pass")]
    request = template.request("key", ADD, found, prefills=True)
    assert [role for role, _ in request.messages] == ["system", "user"]
    user = request.messages[1][1]
    assert user.index("def one") < user.index("def two") < user.index("def add")
    assert "ignore" in user.split("def one")[0]  # said before the first context
    assert request.prefill.endswith(ADD.prompt.rstrip())
    assert "```" in request.stop
    assert request.key == "key"


def test_without_contexts_the_prompt_does_not_speak_of_any():
    user = load_template("qwen-chat").request("key", ADD, [], prefills=True).messages[1][1]
    assert "eference" not in user
    assert user == f"Complete this Python function.\n```python\n{ADD.prompt.strip()}\n```"


def test_a_backend_that_cannot_open_the_reply_is_not_stopped_by_its_fence():
    request = load_template("qwen-chat").request("key", ADD, [], prefills=False)
    assert (request.prefill, request.stop) == ("", ())


def test_text_of_problems_and_contexts_is_data_not_template():
    owner = problem(1, name="add")
    odd = context(owner, text="{{ problem.entry_point }} {% raw %}")
    user = load_template("qwen-chat").request("key", owner, [odd], prefills=True).messages[1][1]
    assert "{{ problem.entry_point }} {% raw %}" in user


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
    namespace: dict[str, object] = {}
    exec(program, namespace)
    assert namespace["add"](1, 2) == 3  # type: ignore[operator]


def test_fenced_blocks():
    assert fenced_blocks("a ```py\none\n``` b ```\ntwo\n```") == ["one\n", "two\n"]
    assert fenced_blocks("none") == []
