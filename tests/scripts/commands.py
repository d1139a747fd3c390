"""Commands of scripts/, run in this process or in one of their own."""
import sys
from types import ModuleType

from click.testing import CliRunner, Result

from tests.processes import finished


def invoke(command: ModuleType, *arguments: object, status: int = 0) -> Result:
    """Run a command in this process; `output` has both streams."""
    result = CliRunner().invoke(command.main, list(map(str, arguments)))
    assert result.exit_code == status, (result.output, result.exception)
    return result


def line(command: ModuleType, *arguments: object) -> list[str]:
    """The command line by which a user runs it."""
    return [sys.executable, "-m", command.__name__, *map(str, arguments)]


def spawn(command: ModuleType, *arguments: object, status: int = 0) -> tuple[str, str]:
    """The stdout and stderr of a command in a process of its own."""
    done = finished(line(command, *arguments), status)
    return done.stdout, done.stderr
