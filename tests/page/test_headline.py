from tasks.page.headline import headline


def details(intervals, rates=None, none=0.5):
    rates = rates or dict.fromkeys(intervals, 0.5)
    return {
        "solvers": ["none", *intervals],
        "problems": 10,
        "pass@1": {"none": none, **rates},
        "vs_none": {name: {"interval": list(bounds)} for name, bounds in intervals.items()},
    }


def test_all_hurt():
    found = headline(details({"a": (-0.3, -0.1), "b": (-0.2, -0.1)}, {"a": 0.3, "b": 0.4}))
    assert found == (
        "Retrieval hurts: all 2 conditions solve fewer problems than no retrieval does. Without "
        "retrieval 50.0% of 10 problems are solved; the best condition, b, reaches 40.0% "
        "(\u221210.0 points)."
    )


def test_one_condition_helps():
    found = headline(details({"a": (0.1, 0.3)}, {"a": 0.7}))
    assert found.startswith("Retrieval helps: the one condition solves more problems than no")
    assert found.endswith("50.0% of 10 problems are solved; a reaches 70.0% (+20.0 points).")


def test_some_help():
    found = headline(details({"a": (0.1, 0.3), "b": (-0.1, 0.1), "c": (0.1, 0.2)}))
    assert found.startswith(
        "Retrieval helps under a and c: more problems are solved than without; the others cannot"
    )


def test_it_depends():
    found = headline(details({"a": (0.1, 0.3), "b": (-0.3, -0.1)}))
    assert "a solves more problems than no retrieval, b fewer." in found


def test_chance():
    found = headline(details({"a": (0.0, 0.3), "b": (-0.1, 0.0)}))
    assert found.startswith("Retrieval makes no difference that could be told from chance.")


def test_nothing_to_compare():
    alone = {"solvers": ["a", "b"], "problems": 10, "pass@1": {"a": 0.1, "b": 0.2}, "vs_none": {}}
    assert headline(alone).startswith("10.0% to 20.0% of 10 problems are solved. There is nothing")
    assert headline({**details({}), "vs_none": {}}).startswith("50.0% of 10 problems are solved.")
