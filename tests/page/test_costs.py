from tasks.page.costs import build, read_side

DETAILS = {"replayed": 0, "candidates": 4, "nodes": 9000}
PAPER = {"minutes": {"overall": 301}, "megabytes": 12530, "seconds_per_query": 3, "source": "PKG"}
COSTS = {
    "paper": PAPER,
    "build": {"minutes": 2.04, "megabytes": 100.4},
    "bytes": {"embed": 1_500_000, "none": 0, "store": 2_000_000_000, "grade": 512},
    "stages": {
        "embed": {"items": 50, "seconds": 60.0, "per_item_s": 1.2},
        "extract": {"items": 9000, "seconds": 2.0, "per_item_s": 0.0002},
        "generate none": {"items": 4, "seconds": 1.0, "per_item_s": 0.25},
        "generate dense": {"items": 4, "seconds": 2.0, "per_item_s": 0.5},
        "weights fake": {"items": 123456, "seconds": 0.1, "per_item_s": 0.0},
    },
}
BENCH = {
    "benchmarks": {
        "extract": {"figures": {"nodes_per_s": 100}},
        "embed": {"figures": {"texts_per_s": 1}},
        "search": {"figures": {"seconds": 0.5, "queries": 100, "vectors": 1000}},
    }
}


def test_a_fresh_run_beside_the_paper():
    costs = build(COSTS, {}, DETAILS, 50)
    assert costs.paper == [
        ("building graph and index", "301 min", "2.0 min"),
        ("storage of graph and index", "12.5 GB", "100 MB"),
        ("time a query", "3 s", "0.500 to 0.500 s (retrieval and generation)"),
    ]
    assert costs.storage == [("embed", "1.5 MB"), ("store", "2.0 GB"), ("grade", "512 bytes")]
    assert ("embed", "50", "60.0", "1,200.00") in costs.stages
    assert ("weights fake", "", "0.1", "") in costs.stages
    assert len(costs.notes) == 1 and "9,000 nodes here" in costs.notes[0]


def test_a_cached_run_says_so():
    costs = build(COSTS, BENCH, {**DETAILS, "replayed": 4}, 60)
    assert costs.paper[0] == ("building graph and index", "301 min", "2.0 min (from the store)")
    assert costs.paper[1][2] == "about 2 min"  # 9000/100 + 60/1 seconds
    assert costs.paper[3][2].endswith("(retrieval and replay)")
    assert costs.paper[4] == ("search among 1,000 vectors, by make bench", "", "5.0 ms a query")
    assert "embedded 50 of 60 texts" in costs.notes[0]
    assert costs.notes[1].startswith("4 of 4 generations were replayed")


def test_missing_figures_are_named(tmp_path):
    assert "costs.json" in build({}, {}, DETAILS, 50).notes[0]
    partial = {**COSTS, "stages": {}}
    costs = build(partial, {}, DETAILS, 50)
    assert costs.notes[0].startswith("Build time is incomplete")
    assert costs.paper[2] == ("time a query", "3 s", "not measured")
    assert read_side(tmp_path / "none.json") == {}
    (tmp_path / "list.json").write_text("[]")
    assert read_side(tmp_path / "list.json") == {}
