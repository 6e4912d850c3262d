"""Tree-sitter's Python grammar, and the one query that finds all that the graph is made of."""

from __future__ import annotations

import sys
from importlib.metadata import version

import tree_sitter_python
from tree_sitter import Language, Query

# Statement kinds as small numbers; 0 to 3 are not statements of the block tree by themselves.
CALL, IMPORT, DECORATED, FUNCTION, CLASS = range(5)
BLOCK_KINDS = (
    "if", "elif", "else", "for", "while", "with", "try", "except", "finally", "match", "case",
)  # fmt: skip
FIRST_BLOCK = 5
# The name of a Block by its kind number.
KIND_NAMES = ("", "", "", "def", "class", *BLOCK_KINDS)

_GRAMMAR_NAMES = {
    "call": CALL,
    "import_statement": IMPORT,
    "import_from_statement": IMPORT,
    "decorated_definition": DECORATED,
    "function_definition": FUNCTION,
    "class_definition": CLASS,
    "elif_clause": FIRST_BLOCK + 1,
    "else_clause": FIRST_BLOCK + 2,
    "except_clause": FIRST_BLOCK + 7,
    "finally_clause": FIRST_BLOCK + 8,
    "case_clause": FIRST_BLOCK + 10,
} | {
    f"{kind}_statement": FIRST_BLOCK + BLOCK_KINDS.index(kind)
    for kind in ("if", "for", "while", "with", "try", "match")
}

LANGUAGE = Language(tree_sitter_python.language())
STRUCTURE = Query(LANGUAGE, "[" + " ".join(f"({name})" for name in _GRAMMAR_NAMES) + "] @n")
ERRORS = Query(LANGUAGE, "[(ERROR) (MISSING)] @e")
NAME_FIELD = LANGUAGE.field_id_for_name("name") or 0
FUNCTION_FIELD = LANGUAGE.field_id_for_name("function") or 0
OBJECT_FIELD = LANGUAGE.field_id_for_name("object") or 0
ATTRIBUTE_FIELD = LANGUAGE.field_id_for_name("attribute") or 0

# kind_of[kind_id] for every symbol of the grammar; -1 where the query never looks
KIND_OF = [
    _GRAMMAR_NAMES.get(LANGUAGE.node_kind_for_id(number) or "", -1)
    if LANGUAGE.node_kind_is_named(number)
    else -1
    for number in range(LANGUAGE.node_kind_count)
]

# Part of every cache key: what another grammar, another Python (its builtins matter to calls) or
# another version of this package extracted is not reused. Raise the number when the output of
# this package changes.
EXTRACTOR = " ".join(
    (
        "2",
        version("tree-sitter"),
        version("tree-sitter-python"),
        "{}.{}".format(*sys.version_info[:2]),
    )
)
