from tasks.core.files import write_json
from tasks.report.costs import PAPER, build_costs


def test_costs_gather_this_benchmark_and_model_only(tmp_path):
    data, models, store = tmp_path / "data", tmp_path / "models", tmp_path / "data" / "store"
    for path, seconds in [
        ("ingest/timing.json", 60),
        ("extract/timing.json", 120),
        ("embed/timing.json", 420),
        ("audit/tiny/timing.json", 1),
        ("audit/other/timing.json", 99),
        ("grade/tiny/fake/timing.json", 2),
        ("grade/tiny/large/timing.json", 99),
        ("timing/generate/tiny-fake-block-pkg.json", 8),
        ("timing/generate/tiny-large-block-pkg.json", 99),
        ("timing/execute/tiny-fake.json", 4),
    ]:
        write_json(data / path, {"seconds": seconds, "items": 4})
    write_json(models / "fake" / "timing.json", {"seconds": 5, "items": 0})
    (data / "extract" / "nodes.arrow").write_bytes(b"x" * 3_000_000)
    (store / "lance").mkdir(parents=True)
    (store / "lance" / "index").write_bytes(b"x" * 1_000_000)
    (store / "embeddings.sqlite").write_bytes(b"x" * 500)
    costs = build_costs("tiny", "fake", data=data, models=models, store=store)
    assert {name: entry["seconds"] for name, entry in costs["stages"].items()} == {
        "audit": 1,
        "embed": 420,
        "execute": 4,
        "extract": 120,
        "generate block-pkg": 8,
        "grade": 2,
        "ingest": 60,
        "weights fake": 5,
    }
    assert costs["stages"]["generate block-pkg"]["per_item_s"] == 2.0
    assert "per_item_s" not in costs["stages"]["weights fake"]
    assert costs["build"]["minutes"] == 10.0
    assert 4.0 <= costs["build"]["megabytes"] < 4.001
    assert costs["bytes"]["search index"] == 1_000_000
    assert costs["bytes"]["store"] == 500
    assert costs["paper"] == PAPER


def test_costs_of_nothing(tmp_path):
    (tmp_path / "data").mkdir()
    costs = build_costs(
        "b", "m", data=tmp_path / "data", models=tmp_path / "models", store=tmp_path / "none"
    )
    assert costs["stages"] == {} and costs["build"] == {"minutes": 0.0, "megabytes": 0.0}
