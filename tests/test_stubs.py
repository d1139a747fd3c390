"""What programs, IDEs and type checkers see of the library: one name, types, and the docstrings of compiled modules."""
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.stubs import documented, module_of, stubs
from tests.processes import ROOT, SECONDS

PROGRAM = '''\
from gakushi import Limits, Position, Result, Searcher

searcher = Searcher(hash_mb=1)
result: Result = searcher.search(Position(), Limits(depth=1))
reveal_type(result.bestmove)
searcher.search("startpos", Limits(depth=1))
'''


@pytest.mark.parametrize("stub", stubs(), ids=lambda stub: str(stub.relative_to(ROOT)))
def test_a_stub_has_the_docstrings_of_its_module(stub: Path) -> None:
    """`make stubs` copies them there."""
    text = stub.read_text(encoding="utf-8")
    assert documented(text, module_of(stub)) == text


def test_help_shows_them() -> None:
    from search import Searcher

    assert "One search at a time" in (inspect.getdoc(Searcher) or "")
    assert "Ctrl-C" in (inspect.getdoc(Searcher.search) or "")


def test_a_file_that_hides_a_package_is_named(tmp_path: Path) -> None:
    for name in ("engine", "tt", "eval", "search", "usi"):
        hiding = tmp_path / name / f"{name}.py"
        hiding.parent.mkdir()
        hiding.write_text("", encoding="utf-8")
        program = hiding.with_name("program.py")
        program.write_text("import gakushi", encoding="utf-8")
        done = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=SECONDS)
        assert done.stderr.splitlines()[-1] == (f"ImportError: {hiding} hides Gakushi's package '{name}'; rename that "
                                                "file, or keep its folder off sys.path")


def test_a_stub_gets_and_loses_docstrings() -> None:
    import search.parameters as module

    text = "def with_changes(changes: dict[str, int]) -> dict[str, int]: ...\n"
    new = documented(text, module)
    assert new.startswith('def with_changes(changes: dict[str, int]) -> dict[str, int]:\n    """The defaults with some')
    assert documented(new.replace("The defaults", "Nothing"), module) == documented(new, module) == new


@pytest.mark.slow
def test_a_type_checker_finds_the_types_from_outside(tmp_path: Path) -> None:
    """After `make build`, in a program that does not lie in the checkout."""
    if not (ROOT / ".venv/installed").exists():
        pytest.skip("needs what `make build` installs")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    done = subprocess.run([sys.executable, "-P", "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"),
                           program.name], cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS)
    said = done.stdout.splitlines()
    assert said[0].endswith('program.py:5: note: Revealed type is "str | None"')
    assert 'Argument 1 to "search" of "Searcher" has incompatible type "str"; expected "Position"' in said[1]
    assert len(said) == 3, done.stdout + done.stderr
