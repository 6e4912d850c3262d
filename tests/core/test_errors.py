"""What a user sees when a stage cannot go on."""

from __future__ import annotations

import errno

import pytest

from tasks.core.errors import CodeGraftError, run_stage


def test_the_message_has_cause_place_and_remedy():
    error = CodeGraftError("it is broken", where="there", remedy="mend it")
    assert str(error) == "it is broken\n  where: there\n  remedy: mend it"
    assert str(CodeGraftError("it is broken")) == "it is broken"


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (CodeGraftError("bad", remedy="do"), 2, "error: bad\n  remedy: do\n"),
        (OSError(errno.ENOSPC, "no space left", "out"), 2, "error: the disk is full\n  where: out"),
        (KeyboardInterrupt(), 130, "stopped; run the same command again to continue\n"),
    ],
)
def test_a_stage_ends_with_a_message_and_a_code(capsys, error, code, message):
    def main() -> None:
        raise error

    with pytest.raises(SystemExit) as caught:
        run_stage(main)
    assert caught.value.code == code
    assert capsys.readouterr().err.startswith(message)


def test_a_defect_keeps_its_traceback():
    def main() -> None:
        raise PermissionError(errno.EACCES, "no access", "out")

    with pytest.raises(PermissionError):
        run_stage(main)
