import subprocess
import sys

import pytest

from tasks.bench import noop
from tasks.core.errors import CodeGraftError

PIPELINE = """
stages:
  copy:
    cmd: cp source target
    deps: [source]
    outs: [target]
"""


def test_only_a_pipeline_without_work_is_timed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DVC_NO_ANALYTICS", "1")
    monkeypatch.setattr(noop, "REPEATS", 1)
    (tmp_path / "source").write_text("x")
    (tmp_path / "dvc.yaml").write_text(PIPELINE)
    subprocess.run([sys.executable, "-m", "dvc", "init", "--no-scm", "-q"], check=True)
    with pytest.raises(CodeGraftError, match="has work to do"):
        noop.run()
    assert not (tmp_path / "target").exists()
    subprocess.run([sys.executable, "-m", "dvc", "repro", "-q"], check=True)
    figures = noop.run()
    assert set(figures) == {"noop_dvc_repro_s", "reference_import_dvc_api_s"}
    assert all(0 < seconds < 60 for seconds in figures.values())
