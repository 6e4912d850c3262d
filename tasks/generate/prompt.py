"""From a problem and its contexts to a request; from a completion back to a program.

A template is a YAML file in templates/ with Jinja2 texts: `system`, `user`, `prefill` (the opening
of the reply) and `stop`. The prefill ends in code that is part of the program, after an opening
fence; what precedes the fence is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import jinja2
import yaml

from tasks.core.errors import CodeGraftError
from tasks.core.strict import Strict, validated
from tasks.generate.backend import Request
from tasks.retrieval.types import Context, Problem

FOLDER = Path(__file__).parent / "templates"
FENCE = "```"


class _File(Strict):
    system: str = ""
    user: str
    prefill: str = ""
    stop: list[str]


@dataclass(frozen=True)
class Template:
    """A model family's prompt form."""

    name: str
    system: str
    user: str
    prefill: str
    stop: tuple[str, ...]

    def request(
        self, key: str, problem: Problem, contexts: Sequence[Context], *, prefills: bool
    ) -> Request:
        """The request for one problem; without prefill support the reply starts empty."""
        values = {"problem": problem, "contexts": list(contexts)}
        messages = [("system", _render(self.system, values)), ("user", _render(self.user, values))]
        return Request(
            key=key,
            messages=tuple((role, text) for role, text in messages if text),
            prefill=_render(self.prefill, values) if prefills else "",
            # A model that opens its own block would be stopped by its opening fence.
            stop=self.stop if prefills else (),
        )


def load_template(name: str) -> Template:
    """Read templates/<name>.yaml.

    Raises CodeGraftError when it is absent or malformed.
    """
    path = FOLDER / f"{name}.yaml"
    if not path.is_file():
        known = ", ".join(sorted(item.stem for item in FOLDER.glob("*.yaml")))
        raise CodeGraftError(
            f"unknown prompt template {name!r}",
            where="params.yaml: weights.generators.*.template",
            remedy=f"use one of: {known}; or add tasks/generate/templates/{name}.yaml",
        )
    raw = yaml.safe_load(path.read_text(encoding="utf-8"))
    parsed = validated(_File, raw, where=f"tasks/generate/templates/{name}.yaml")
    return Template(name, parsed.system, parsed.user, parsed.prefill, tuple(parsed.stop))


def _render(text: str, values: dict[str, object]) -> str:
    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined, autoescape=False, keep_trailing_newline=True
    )
    return environment.from_string(text).render(values)


def assemble(prefill: str, completion: str, problem: Problem) -> str:
    """The program that a reply holds, as the model wrote it, after what the problem gave.

    With a prefill that opened a code block: what stood in the block, up to its closing fence.
    Otherwise the first fenced block that defines the entry point, else the longest block, else
    the whole reply. A reply that goes on from the stub instead of repeating it gets the stub back;
    one that repeats it gets the imports and helpers that stand before the stub, since the
    benchmark's tests may use them (HumanEval grades prompt and completion together).
    """
    if FENCE in prefill:
        opened = prefill.split(FENCE, 1)[1].partition("\n")[2]
        program = opened + completion.split(FENCE, 1)[0]
    else:
        blocks = fenced_blocks(completion)
        naming = [block for block in blocks if f"def {problem.entry_point}" in block]
        program = (naming or sorted(blocks, key=len, reverse=True) or [completion])[0]
    stub = f"def {problem.entry_point}"
    if stub not in program and program[:1] in (" ", "\t"):
        return f"{problem.prompt.rstrip()}\n{program}"
    given = problem.prompt.partition(stub)[0].strip()
    if not given or given in program or "from __future__" in program:
        return program
    return f"{given}\n\n{program}"


def fenced_blocks(text: str) -> list[str]:
    """Contents of the fenced code blocks of a reply, an unclosed last one included.

    A block whose fence is indented, as in a list, is given without that indentation.
    """
    parts = text.split(FENCE)
    return [
        _outdent(part.partition("\n")[2], before.rpartition("\n")[2])
        for before, part in zip(parts[0::2], parts[1::2], strict=False)
    ]


def _outdent(block: str, margin: str) -> str:
    """The block without `margin` at the start of its lines, if a margin is all that it is."""
    if not margin or margin.strip():
        return block
    return "\n".join(line.removeprefix(margin) for line in block.split("\n"))
