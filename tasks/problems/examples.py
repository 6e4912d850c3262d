"""Examples that a prompt shows, as doctest source.

HumanEval writes them in many ways: `>>> f(1)` with the value below, `f(1) == 2`, `f(1) => 2`,
`f(1) returns 2`, `f(1) should return 2.`; only those whose arguments and value are literals and
that fill the rest of the line are taken, so nothing is guessed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

_RELATION = re.compile(
    r"[ \t]*(?:#[ \t]*)?(?:==>|=>|->|➞|==|=|should return|returns)[ \t]*(?=\S)|[ \t]*\n[ \t]*"
)
_TRUTH = {"true": "True", "false": "False"}


def visible_examples(prompt: str, entry_point: str) -> str:
    """Doctest source (`>>> call` and its value, line by line) of the examples in `prompt`.

    Empty if none is recognised; doubled examples are given once, in the prompt's order.
    """
    pairs = dict.fromkeys(_pairs(prompt, entry_point))
    return "".join(f">>> {call}\n{value}\n" for call, value in pairs)


def _pairs(prompt: str, entry_point: str) -> Iterator[tuple[str, str]]:
    for match in re.finditer(rf"(?<![\w.]){re.escape(entry_point)}\(", prompt):
        call = _call(prompt, match.start(), match.end())
        if call is None:
            continue
        source, end = call
        relation = _RELATION.match(prompt, end)
        on_prompt = prompt[: match.start()].endswith(">>> ")
        if relation is None or ("\n" in relation.group() and not on_prompt):
            continue
        line = prompt[relation.end() :].split("\n", 1)[0]
        if (value := _value(line)) is not None:
            yield source, value


def _call(prompt: str, start: int, opened: int) -> tuple[str, int] | None:
    """The call at `start` on one line, and its end; None unless its arguments are literals."""
    for closed in re.finditer(r"\)", prompt[opened : opened + 2000]):
        end = opened + closed.end()
        try:
            node = ast.parse(prompt[start:end], mode="eval").body
        except (SyntaxError, ValueError):
            continue
        if not isinstance(node, ast.Call) or not all(_literal(part) for part in _arguments(node)):
            return None
        return ast.unparse(node), end
    return None


def _arguments(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def _literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError):
        return False
    return True


def _value(line: str) -> str | None:
    """The literal that fills `line` but for a full stop or a comment, as `repr` shows it."""
    text = line.split(" #", 1)[0].strip()
    for candidate in (text.removesuffix("."), text):
        try:
            return repr(ast.literal_eval(_TRUTH.get(candidate, candidate)))
        except (SyntaxError, ValueError, TypeError):
            continue
    return None
