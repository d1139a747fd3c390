"""The ways in which a command ends early: Ctrl-C, a user's error, or a bug."""
from collections.abc import Callable
from pathlib import Path

import numpy
import pytest
from click.testing import CliRunner

from engine import Position
from engine.errors import UserError
from engine.records.usi import parse_usi_game
from scripts import match
from tests.each import each
from usi.workers.pool import worker_pool


def test_an_interrupted_command_says_what_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt
    monkeypatch.setattr(match, "load", interrupt)
    for arguments, prospect in (((), "without --out nothing is kept"),
                                (("--out", str(tmp_path / "games")), "the same command continues")):
        result = CliRunner().invoke(match.main, ["--games", "2", *arguments])
        assert (result.exit_code, result.output.strip()) == (130, f"interrupted; {prospect}")


def misshapen(*_: object) -> None:
    numpy.zeros(3) + numpy.zeros(4)


def endless(*arguments: object) -> None:
    endless(*arguments)


def empty(*_: object) -> None:
    int("")


@pytest.mark.parametrize(("work", "error"), [(misshapen, ValueError), (endless, RecursionError), (empty, ValueError)])
def test_a_fault_of_ours_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch, work: Callable[..., None],
                                             error: type[Exception]) -> None:
    monkeypatch.setattr(match, "run", work)
    result = CliRunner().invoke(match.main, ["--games", "2", "--nodes", "9"])
    assert isinstance(result.exception, error)
    assert "Error:" not in result.output


def test_an_error_of_the_users_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of a compiled module, of a module in Python, and of the system."""
    for work, words in ((lambda *_: Position("8/8"), "8/8"), (lambda *_: parse_usi_game("7g7e"), "7g7e"),
                        (lambda *_: Path("/none/such").read_bytes(), "/none/such")):
        monkeypatch.setattr(match, "run", work)
        result = CliRunner().invoke(match.main, ["--games", "2", "--nodes", "9"])
        assert result.exit_code == 1
        (line,) = result.output.splitlines()
        assert line.startswith("Error: ")
        assert words in line


@pytest.mark.slow
@each(("work", "by_user"), [(misshapen, False), (Position, True)])
def test_an_error_from_another_process_is_the_users_or_ours(work: Callable[[str], object], by_user: bool) -> None:
    """A bug's traceback from there is shown as well."""
    with worker_pool(work, 2) as run, pytest.raises(ValueError) as caught:      # noqa: PT011  the text is compared below
        list(run([(0, "8/8")]))
    assert isinstance(caught.value, UserError) == by_user
    assert ("in misshapen" in str(caught.value.__cause__)) != by_user
