"""Where the code of Q&A answers is found."""

from __future__ import annotations

import pytest

from tasks.extract.regions import code_regions


def found(answer: str) -> list[str]:
    content = f"def f(): a question\n\n{answer}".encode()
    spans = code_regions("qa", content, answer.encode())
    return [content[start:end].decode() for start, end in spans]


@pytest.mark.parametrize(
    ("answer", "regions"),
    [
        ("So:\n```python\na\n```\nand\n```\nb\n```\n", ["a\n", "b\n"]),
        ("~~~py\na\n~~~", ["a\n"]),
        ("````\n```\na\n```\n````\n", ["```\na\n```\n"]),
        ("```bash\nls\n```\n```Python title=x\na\n```", ["a\n"]),
        ("```{.python}\na\n```", ["a\n"]),
        ("1. first\n   ```python\n   a\n   ```\n", ["   a\n"]),
        ("cut off:\n```python\na\nb", ["a\nb"]),
        ("```python\r\na\r\n```\r\n", ["a\r\n"]),
        ("```json\n{}\n```", []),
        ("x = 1\ndef f(): pass", ["x = 1\ndef f(): pass"]),
        ("This does not parse, does it?", []),
        ("", []),
    ],
)
def test_all_fenced_blocks_else_the_answer_if_it_parses(answer, regions):
    assert found(answer) == regions


def test_code_is_code_as_a_whole_and_text_is_none():
    assert code_regions("code", b"```\na\n```", None) == [(0, 9)]
    assert code_regions("text", b"```\na\n```", None) == []
