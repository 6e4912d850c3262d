"""A generator with a queue of canned replies; a template, problems and contexts to feed it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from tasks.generate.backend import Completion, Decoding, Request
from tasks.generate.prompt import Template
from tasks.retrieval.types import Context, Problem

STUB = "{{ problem.prompt.strip() }}"
# A template of its own: the wording of the shipped ones is tuned and changes.
TEMPLATE = Template(
    name="fake",
    system="be brief",
    user="{% for context in contexts %}{{ context.text }}\n{% endfor %}" + STUB,
    prefill="```python\n" + STUB,
    stop=("```",),
)


@dataclass
class FakeGenerator:
    """Answers with the next reply of the queue, and remembers what it was asked.

    An exception in the queue is raised in its turn, which is how a crash in the middle is played.
    A request without reply left is an error of the test.
    """

    replies: list[str | Exception] = field(default_factory=list)
    prefills: bool = True
    identity: dict[str, str] = field(default_factory=lambda: {"backend": "fake", "device": "none"})
    asked: list[Request] = field(default_factory=list)
    decodings: list[Decoding] = field(default_factory=list)

    def count_tokens(self, text: str) -> int:
        """Words."""
        return len(text.split())

    def complete(
        self, requests: Sequence[Request], decoding: Decoding
    ) -> Iterator[tuple[str, Completion]]:
        """Yield the queued replies in the order of the requests."""
        for request in requests:
            assert self.replies, f"no reply left for {request}"
            reply = self.replies.pop(0)
            if isinstance(reply, Exception):
                raise reply
            self.asked.append(request)
            self.decodings.append(decoding)
            yield request.key, completion(reply)


def completion(text: str, *, finish_reason: str = "stop") -> Completion:
    """A completion with log-probability -1 a word."""
    words = len(text.split())
    return Completion(text, finish_reason, -1.0 if words else None, -float(words), 10, words)


def problem(number: int, *, name: str = "add") -> Problem:
    """A problem of one stub function; its task_id is Fake/<number>."""
    signature = f"def {name}(a, b):"
    prompt = f'{signature}\n    """Add, case {number}."""\n'
    return Problem(f"Fake/{number}", "python", prompt, name, signature, "")


def context(
    owner: Problem, *, text: str = "def helper(): pass", condition: str = "none"
) -> Context:
    """The best context of a problem, uncut and unpruned."""
    return Context(owner.task_id, condition, 0, "n" * 32, "d" * 32, 0.5, text, 3, "[]", text, 0)


def problems(numbers: Iterable[int]) -> list[Problem]:
    """Several problems."""
    return [problem(number) for number in numbers]
