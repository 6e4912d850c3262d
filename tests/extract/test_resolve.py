"""Names that occur in several documents."""

from __future__ import annotations

from tasks.extract.piece import Notes
from tasks.extract.resolve import MISSING, Corpus


def notes(module: str, aliases=None, stars=()) -> Notes:
    return Notes(module, aliases or {}, list(stars), [], [0] * 5, 1, 0, 0)


def test_one_qualified_name_in_two_documents_is_ambiguous():
    corpus = Corpus()
    corpus.add_names([1, 2, 3], [0, 1, 1], ["f", "f", "g"], ["m.f", "m.f", "m.g"], [1, 1, 1])
    assert corpus.find("m.f") == ("ambiguous", MISSING)
    assert corpus.find("f") == ("ambiguous", MISSING)
    assert corpus.find("m.g") == ("imported", 3)


def test_redefinition_in_one_document_keeps_the_last_and_stays_unique():
    corpus = Corpus()
    corpus.add_names([1, 2, 5], [0, 0, 0], ["f"] * 3, ["m.f"] * 3, [1, 1, 1])
    assert corpus.find("m.f") == ("imported", 5)
    assert corpus.find("f") == ("unique", 5)
    corpus.add_names([9], [0], ["f"], ["m.C.f"], [2])
    assert corpus.find("f") == ("unique", 5)
    assert corpus.find(".f") == ("unique", 9)
    corpus.add_names([11], [1], ["f"], ["n.f"], [1])
    assert corpus.find("f") == ("ambiguous", MISSING)


def test_nested_functions_are_found_only_by_their_qualified_name():
    corpus = Corpus()
    corpus.add_names([1], [0], ["g"], ["m.f.g"], [3])
    assert corpus.find("g") == ("unknown", MISSING)
    assert corpus.find("m.f.g") == ("imported", 1)


def test_alternatives_are_tried_in_order():
    corpus = Corpus()
    corpus.add_names([1, 2], [0, 1], ["f", "g"], ["m.f", "n.g"], [1, 1])
    assert corpus.find("absent.f|n.g|m.f") == ("imported", 2)
    assert corpus.find("absent.f|f") == ("unique", 1)
    assert corpus.find("absent.f") == ("unknown", MISSING)


def test_circular_imports_end():
    corpus = Corpus()
    corpus.add_module(notes("a", {"f": ["b.f"]}, ["b"]))
    corpus.add_module(notes("b", {"f": ["a.f"]}, ["a"]))
    assert corpus.find("a.f") == ("unknown", MISSING)
    corpus.add_names([7], [0], ["f"], ["c.f"], [1])
    corpus.add_module(notes("d", {"x": ["a"]}))
    assert corpus.find("d.x.f") == ("unknown", MISSING)
