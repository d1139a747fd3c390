"""The library as programs, IDEs and type checkers see it: one name, types, and the docstrings of compiled modules."""
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.stubs import documented, module_of, stubs
from tests.processes import ROOT, SECONDS

PROGRAM = '''\
import numpy
from numpy.typing import NDArray
from eval.learning.feature_planes import planes_and_labels
from eval.learning.records import PSV
from gakushi import BISHOP, Game, GameNode, Limits, Position, Result, Searcher

searcher = Searcher(hash_mb=1)
result: Result = searcher.search(Position(), Limits(depth=1))
reveal_type(result.bestmove)
searcher.search("startpos", Limits(depth=1))


class Noted(Position):
    note = ""


reveal_type(Noted().copy().mirrored().note)
is_bishop: bool = Noted.from_usi("startpos").piece_at("8h") == BISHOP
picture: str = Position().svg(size=200, last_move="7g7f")
moves: list[str] = Position().legal_moves(from_square="7g")
nodes: list[GameNode] = [*Game(), *Game().nodes(), *Game().root.children]
reveal_type(Game().node.parent)
labels: NDArray[numpy.int64] = planes_and_labels(numpy.zeros(1, PSV))[1]
'''


@pytest.mark.parametrize("stub", stubs(), ids=lambda stub: str(stub.relative_to(ROOT)))
def test_a_stub_has_the_docstrings_of_its_module(stub: Path) -> None:
    """`make stubs` copies them there."""
    text = stub.read_text(encoding="utf-8")
    assert documented(text, module_of(stub)) == text
    assert "classmethod(" not in text       # Python's own words on what a class method is


def test_help_shows_them() -> None:
    from search import Searcher

    assert "one search at a time" in (inspect.getdoc(Searcher) or "")
    assert "Ctrl-C" in (inspect.getdoc(Searcher.search) or "")


def test_a_stub_gets_and_loses_docstrings() -> None:
    import search.parameters as module

    text = "def with_changes(changes: dict[str, int]) -> dict[str, int]: ...\n"
    new = documented(text, module)
    assert new.startswith(text.replace(" ...\n", '\n    """The defaults with `changes`'))
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
    assert said[0].endswith('program.py:9: note: Revealed type is "str | None"')
    assert 'Argument 1 to "search" of "Searcher" has incompatible type "str"; expected "Position"' in said[1]
    assert [line.partition("Revealed type is ")[2] for line in said[2:-1]] == [
        '"str"', '"engine.records.node.GameNode | None"']
