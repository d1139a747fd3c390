"""Commands on a terminal: streams of this process that say they are one."""
import io
from collections.abc import Mapping

import pytest

from usi.cli import main


class Screen(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def on_a_terminal(*arguments: str, given: str = "", columns: int = 60, stdout: bool = True,
                  variables: Mapping[str, str] | None = None) -> tuple[str, str]:
    """What a command that succeeds prints to its two streams, on a dumb terminal of so many columns, or on another as
    the variables say. Standard output may be no terminal."""
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
