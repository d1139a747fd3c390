"""Run commands of `engine` in this process, with their output captured or on a terminal."""
import io
from collections.abc import Mapping

import pytest
from click.testing import CliRunner, Result

from usi.cli import main


def invoke(*arguments: object, status: int = 0, given: str = "") -> Result:
    """Run a command that must end with this exit status; `output` has both streams."""
    done = CliRunner().invoke(main, list(map(str, arguments)), given.encode(), prog_name="engine")
    assert done.exit_code == status, (done.output, done.exception)
    assert "Traceback" not in done.output
    return done


class Screen(io.TextIOWrapper):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def on_a_terminal(*arguments: str, given: str = "", columns: int = 60, stdout: bool = True,
                  variables: Mapping[str, str] | None = None) -> tuple[str, str]:
    """The output of a successful command on both streams, on a dumb terminal of `columns` columns, or on the terminal
    that the variables describe. Standard output may be no terminal."""
    kinds = {"stdout": Screen if stdout else io.TextIOWrapper, "stderr": Screen}
    screens = {name: kind(io.BytesIO(), encoding="utf-8", write_through=True) for name, kind in kinds.items()}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"TERM": "dumb", "COLUMNS": str(columns), "LINES": "24", "NO_COLOR": "",
                            **(variables or {})}.items():
            patch.setenv(name, value)
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given.encode()), encoding="utf-8"))
        for name, screen in screens.items():
            patch.setattr(f"sys.{name}", screen)
        with pytest.raises(SystemExit) as ended:
            main(list(arguments), prog_name="engine")
    out, err = (screen.buffer.getvalue().decode() for screen in screens.values())     # type: ignore[attr-defined]
    assert ended.value.code == 0, err
    return out, err
