"""Random nested functions for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

Lines = list[str]

SIMPLE = st.sampled_from(
    [
        ["x = 1"],
        ["return f(x)"],
        ["pass"],
        ['"""Text', "  with lines.", '"""'],
        ["y = [", "1,", "]  # comment"],
        ["# comment", "x += 1"],
        ["x = 1; y = 2"],
    ]
)


def _indented(lines: Lines) -> Lines:
    return [f"    {line}" for line in lines]


def _clause(head: str, body: st.SearchStrategy[Lines]) -> st.SearchStrategy[Lines]:
    return body.map(lambda lines: [head, *_indented(lines)])


def _joined(*parts: st.SearchStrategy[Lines]) -> st.SearchStrategy[Lines]:
    return st.tuples(*parts).map(lambda found: [line for lines in found for line in lines])


def _maybe(part: st.SearchStrategy[Lines]) -> st.SearchStrategy[Lines]:
    return st.one_of(st.just([]), part)


def _several(part: st.SearchStrategy[Lines]) -> st.SearchStrategy[Lines]:
    return st.lists(part, min_size=1, max_size=3).map(
        lambda found: [line for lines in found for line in lines]
    )


def _compound(statement: st.SearchStrategy[Lines]) -> st.SearchStrategy[Lines]:
    body = _several(statement)
    otherwise = _maybe(_clause("else:", body))
    handlers = _several(_clause("except (KeyError, ValueError) as e:", body))
    return st.one_of(
        st.just(["if x: pass"]),
        st.just(["if x: pass", "else: y = 1"]),
        _joined(_clause("if x:", body), _maybe(_several(_clause("elif y:", body))), otherwise),
        _joined(_clause("for i in x:", body), otherwise),
        _joined(_clause("while x:  # loop", body), otherwise),
        _clause("with open(x) as f, g:", body),
        _joined(_clause("try:", body), handlers, otherwise, _maybe(_clause("finally:", body))),
        _joined(_clause("try:", body), _clause("finally:", body)),
        _joined(
            st.just(["match x:"]),
            _several(_clause("case [1, *_]:", body)).map(_indented),
        ),
        _clause("def inner(a, b=1):", body),
        _joined(st.just(["@cache", "@wraps(", "f)"]), _clause("async def inner():", body)),
        _clause("class Inner:", body),
    )


STATEMENT = st.recursive(SIMPLE, _compound, max_leaves=8)
FUNCTION = st.one_of(
    _clause("def outer(x):", _several(STATEMENT)),
    _joined(st.just(["@cached"]), _clause("async def outer(x):", _several(STATEMENT))),
).map(lambda lines: "\n".join(lines) + "\n")
