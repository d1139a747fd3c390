"""Commands of scripts/, run in this process or in one of their own."""
import sys
from pathlib import Path
from types import ModuleType

from click.testing import CliRunner, Result

from tests.faults import refused
from tests.processes import finished
from usi.files.journal import OtherRun


def invoke(command: ModuleType, *arguments: object, status: int = 0) -> Result:
    """Run a command in this process; `output` has both streams."""
    result = CliRunner().invoke(command.main, list(map(str, arguments)))
    assert result.exit_code == status, (result.output, result.exception)
    return result


def other_run(path: Path, *names: str) -> refused:
    """The error of a run that finds another run's file at `path`, whose settings of these names are others."""
    return refused(OtherRun, path=path, what=..., names=list(names), remedy=..., values=...)


def line(command: ModuleType, *arguments: object) -> list[str]:
    """The command line by which a user runs it."""
    return [sys.executable, "-m", command.__name__, *map(str, arguments)]


def spawn(command: ModuleType, *arguments: object, status: int = 0) -> tuple[str, str]:
    """The stdout and stderr of a command in a process of its own."""
    done = finished(line(command, *arguments), status)
    return done.stdout, done.stderr
