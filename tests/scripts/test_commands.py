"""Every command runs as a module, says what it is for, and calls the same thing by the same name as the others."""
import importlib
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from scripts import match
from tests.scripts.commands import spawn

FOLDER = Path(match.__file__).parent
NAMES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__")
FORMER = {"--processes", "--eval", "--steps", "--hash-mb", "--evaluation"}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_help(name: str) -> None:
    printed, complaints = spawn(importlib.import_module(f"scripts.{name}"), "--help")
    assert printed.startswith(f"Usage: python -m scripts.{name} ")
    assert complaints == ""


@pytest.mark.parametrize("name", NAMES)
def test_flags_have_one_name(name: str) -> None:
    main = importlib.import_module(f"scripts.{name}").main
    commands = main.commands.values() if isinstance(main, click.Group) else [main]
    flags = {flag for command in commands for parameter in command.params for flag in parameter.opts
             if flag.startswith("--")}
    assert not flags & FORMER
    assert "--scheduler" not in flags or "--jobs" in flags


def test_what_is_kept_is_told_when_a_command_is_interrupted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt
    monkeypatch.setattr(match, "load", interrupt)
    for arguments, prospect in (((), "without --out nothing is kept"),
                                (("--out", str(tmp_path / "games")), "the same command continues")):
        result = CliRunner().invoke(match.main, ["--games", "2", *arguments])
        assert (result.exit_code, result.output.strip()) == (1, f"interrupted; {prospect}")


def test_a_file_that_is_not_there_is_named_in_words(tmp_path: Path) -> None:
    missing = tmp_path / "none.weights"
    result = CliRunner().invoke(match.main, ["--games", "2", "--nodes", "9", "--a", f"eval={missing}"])
    assert (result.exit_code, "Errno" in result.output) == (1, False)
    assert f"'{missing}': there is no such file or folder" in result.output
