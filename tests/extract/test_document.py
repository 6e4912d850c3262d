"""Which functions and blocks a file has, and how they are named and identified."""

from __future__ import annotations

import pytest

from tasks.core.ids import digest
from tests.extract.corpus import SOURCE, piece_of, qualnames, rows_of

FORMS = """
def plain(): pass
async def waiting():
    async with a as b:
        async for c in b:
            await c
@decorated(1)
@twice
def marked():
    def inner():
        if x: return 1
    return inner
class Outer(Base):
    if True:
        def conditional(self): return 1
    class Nested:
        @property
        def value(self): return 2
try:
    def tried(): return 1
except ImportError:
    def tried(): return 2
if x:
    def chosen(): return 1
else:
    class Other:
        async def method(self): return 3
"""


def test_every_form_of_def_is_a_function_with_its_qualified_name():
    assert qualnames(FORMS, "Impl") == [
        "m.plain",
        "m.waiting",
        "m.marked",
        "m.marked.inner",
        "m.Outer.conditional",
        "m.Outer.Nested.value",
        "m.tried",
        "m.tried",
        "m.chosen",
        "m.Other.method",
    ]
    assert qualnames(FORMS, "Name") == qualnames(FORMS, "Impl")


BLOCKS = """
def f(x):
    if x:
        pass
    elif y:
        while z: pass
    else:
        for i in x:
            pass
        else:
            pass
    try:
        with a: pass
    except E:
        pass
    except:
        pass
    else:
        pass
    finally:
        pass
    match x:
        case 1:
            pass
        case _ if x:
            if y: pass
    class C:
        def m(self): pass
    def g(): pass
if x:
    for i in x: pass
"""


def test_blocks_are_the_compound_statements_of_functions_and_nothing_else():
    assert qualnames(BLOCKS, "Block") == [
        "m.f.if",
        "m.f.if.elif",
        "m.f.if.elif.while",
        "m.f.if.else",
        "m.f.if.else.for",
        "m.f.if.else.for.else",
        "m.f.try",
        "m.f.try.with",
        "m.f.try.except",
        "m.f.try.except[1]",
        "m.f.try.else",
        "m.f.try.finally",
        "m.f.match",
        "m.f.match.case",
        "m.f.match.case[1]",
        "m.f.match.case[1].if",
        "m.f.C",
        "m.f.C.m",
        "m.f.g",
    ]


def test_depth_and_order_count_below_and_beside():
    rows = rows_of(piece_of(BLOCKS), "Block")
    found = {row["qualname"]: (row["depth"], row["order"]) for row in rows}
    assert found["m.f.if"] == (1, 0)
    assert found["m.f.if.elif.while"] == (3, 0)
    assert found["m.f.if.else"] == (2, 1)
    assert found["m.f.try.except[1]"] == (2, 2)
    assert found["m.f.g"] == (1, 4)


def test_a_nested_def_is_a_block_of_its_parent_and_a_function_with_one_content():
    text = "def f():\n    @d\n    def g(a):\n        return a\n    return g\n"
    block, impl = (row for row in rows_of(piece_of(text), "Block", "Impl") if row["start"])
    assert (block["type"], impl["type"]) == ("Block", "Impl")
    assert block["content_id"] == impl["content_id"]
    assert text.encode()[block["start"] : block["end"]] == b"@d\n    def g(a):\n        return a"
    assert block["content_id"].hex() == digest("@d\ndef g(a):\n    return a")
    assert block["node_id"] != impl["node_id"]


def test_node_ids_are_digests_of_document_type_and_name_with_ordinals():
    first, second = rows_of(piece_of("def f(): 1\ndef f(): 2\n"), "Impl")
    document = digest(SOURCE, "m.py")
    assert first["node_id"].hex() == digest(document, "Impl", "f")
    assert second["node_id"].hex() == digest(document, "Impl", "f[1]")
    assert first["qualname"] == second["qualname"] == "m.f"


def test_node_ids_survive_an_edit_of_the_body_and_contents_do_not():
    before = rows_of(piece_of("def f(a):\n    if a:\n        return 1\n"), "Impl", "Block")
    after = rows_of(piece_of("x = 1\ndef f(a):\n    if a:\n        return 2\n"), "Impl", "Block")
    assert [row["node_id"] for row in before] == [row["node_id"] for row in after]
    assert not {row["content_id"] for row in before} & {row["content_id"] for row in after}


@pytest.mark.parametrize(
    ("text", "functions"),
    [
        ("def f(a, (b, c)):\n    print 'x' % a\n    raise E, 'm'\n", ["m.f"]),
        ("\tdef f():\n\t\tif x:\n\t\t\tpass\n", ["m.f"]),
        ("def f():\r\n    if x:\r\n        return 1\r\n\r\ndef g(): pass\r\n", ["m.f", "m.g"]),
        ("\ufeffdef f(): pass\n", ["m.f"]),
        ("def größe(): pass\ndef f(): pass\n", ["m.größe", "m.f"]),
        ("def \\\n  f(): pass\n", ["m.f"]),
        ("def f[T](x: T) -> T: return x\n", ["m.f"]),
        ("@decorated\n", []),
        ("", []),
    ],
)
def test_old_odd_and_empty_source(text, functions):
    assert qualnames(text, "Impl") == functions
    for row in rows_of(piece_of(text), "Name"):
        name = text.encode()[row["start"] : row["end"]].decode()
        assert name == row["name"] == row["qualname"].rsplit(".", 1)[1]


def test_what_parses_around_an_error_is_kept_and_the_error_counted():
    text = "def a():\n    if x: return 1\n\n)))( garbage ][\n\ndef b():\n    for i in x: pass\n"
    piece = piece_of(text)
    assert [row["qualname"] for row in rows_of(piece, "Impl", "Block")] == [
        "m.a",
        "m.a.if",
        "m.b",
        "m.b.for",
    ]
    assert piece.notes.error_regions == 1
    assert piece.notes.error_bytes == len(")))( garbage ][")
    assert piece_of("def a(): pass\n").notes.error_regions == 0


def test_nesting_of_any_depth_neither_stops_nor_recurses():
    deep = "".join(" " * level + "if x:\n" for level in range(1000)) + " " * 1000 + "pass\n"
    assert qualnames(f"def a(): pass\n\n{deep}\ndef b(): pass\n", "Impl") == ["m.a", "m.b"]
    brackets = "(" * 20_000 + ")" * 20_000
    assert qualnames(f"def a(): return {brackets}\ndef b(): pass\n", "Impl") == ["m.a", "m.b"]
    functions = "".join(" " * level + f"def f{level}():\n" for level in range(200))
    rows = rows_of(piece_of(functions + " " * 200 + "pass\n"), "Impl")
    assert len(rows) == 200
    assert rows[-1]["qualname"] == "m." + ".".join(f"f{level}" for level in range(200))


def test_a_file_of_ten_megabytes():
    line = f"    '{'text ' * 40}',\n"
    text = "data = [\n" + line * (10_000_000 // len(line) + 1) + "]\n\ndef f(): pass\n"
    assert len(text) > 10_000_000
    assert qualnames(text, "Impl") == ["m.f"]


def test_a_document_in_another_language_has_no_code():
    from tasks.extract.document import Document, extract_document

    for kind, lang in (("code", "javascript"), ("text", "markdown")):
        piece = extract_document(Document("d", kind, lang, "a", b"def f(): pass\n", None))
        assert (piece.nodes.num_rows, piece.notes.regions) == (0, 0)
