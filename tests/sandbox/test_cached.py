import pytest

from tasks.sandbox import Job, Limits, Outcome, cached, run_cached

LIMITS = Limits(wall_s=1.5)


@pytest.fixture(autouse=True)
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("CODEGRAFT_STORE", str(tmp_path))


def _outcome(status, suspect=False):
    return Outcome(status, "", "", "out", "err", "fake", 0.1, suspect)


class Runs:
    """Stands in for run_jobs; `script` gives each source's outcomes, one a run."""

    def __init__(self, script):
        self.script = {source: list(outcomes) for source, outcomes in script.items()}
        self.ran: list[tuple[str, int]] = []

    def __call__(self, jobs, *, limits, backend, workers):
        for job in jobs:
            self.ran.append((job.source, workers))
            outcome = self.script[job.source].pop(0)
            if isinstance(outcome, BaseException):
                raise outcome
            yield job.key, outcome


def _cached(jobs, limits=LIMITS):
    return run_cached(jobs, limits=limits, backend="bubblewrap", workers=2, stage="test")


def test_equal_programs_run_once_and_once_for_all(monkeypatch):
    runs = Runs({"a": [_outcome("pass")], "b": [_outcome("fail")]})
    monkeypatch.setattr(cached, "run_jobs", runs)
    jobs = [Job("1", "a"), Job("2", "b"), Job("3", "a")]
    for _ in range(2):
        found = _cached(jobs)
        assert [found[key].status for key in "123"] == ["pass", "fail", "pass"]
    assert runs.ran == [("a", 2), ("b", 2)]
    assert found["1"].stdout == ""


def test_other_limits_and_other_checks_are_other_work(monkeypatch):
    runs = Runs({"a": [_outcome("pass")] * 3})
    monkeypatch.setattr(cached, "run_jobs", runs)
    _cached([Job("1", "a")])
    _cached([Job("1", "a")], limits=Limits(wall_s=4.0))
    _cached([Job("1", "a", "check")])
    assert len(runs.ran) == 3


def test_what_load_may_have_decided_is_run_again_alone(monkeypatch):
    slow, dead = _outcome("timeout", suspect=True), _outcome("crash", suspect=True)
    runs = Runs({"a": [slow, _outcome("pass")], "b": [_outcome("fail")], "c": [dead, dead]})
    monkeypatch.setattr(cached, "run_jobs", runs)
    jobs = [Job("1", "a"), Job("2", "b"), Job("3", "c")]
    expected = {"1": "pass", "2": "fail", "3": "crash"}
    for _ in range(2):
        assert {key: o.status for key, o in _cached(jobs).items()} == expected
    assert runs.ran == [("a", 2), ("b", 2), ("c", 2), ("a", 1), ("c", 1)]


def test_a_stopped_run_goes_on_where_it_was(monkeypatch):
    runs = Runs(
        {
            "a": [_outcome("pass")],
            "b": [_outcome("timeout", suspect=True), _outcome("timeout", suspect=True)] * 2,
            "c": [KeyboardInterrupt(), _outcome("fail")],
        }
    )
    monkeypatch.setattr(cached, "run_jobs", runs)
    jobs = [Job("1", "a"), Job("2", "b"), Job("3", "c")]
    with pytest.raises(KeyboardInterrupt):
        _cached(jobs)
    assert {k: o.status for k, o in _cached(jobs).items()} == {
        "1": "pass",
        "2": "timeout",
        "3": "fail",
    }
    assert [source for source, _ in runs.ran] == ["a", "b", "c", "b", "c", "b"]


def test_with_the_real_sandbox():
    found = _cached([Job("1", "x = 1"), Job("2", "import time; time.sleep(9)"), Job("3", "x = 1")])
    again = _cached([Job("2", "import time; time.sleep(9)"), Job("1", "x = 1")])
    assert {key: o.status for key, o in found.items()} == {"1": "pass", "2": "timeout", "3": "pass"}
    assert again == {key: found[key] for key in ("1", "2")}
    assert not found["2"].suspect


def test_without_work_no_sandbox_is_opened():
    assert run_cached([], limits=LIMITS, backend="absent", workers=1, stage="test") == {}
