"""Every command takes a position in the same form, in quotes or not."""
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine import STARTPOS_SFEN, Position
from tests.each import each
from usi.book.db import BookEntry, BookMove, write_book
from usi.cli import main
from usi.words.typed import sources

AFTER = Position.from_usi("startpos moves 7g7f").sfen
COMMANDS: dict[str, Callable[[list[str], Path], list[str]]] = {
    "eval": lambda words, book: ["eval", "--eval-file", "material", "--json", *words],
    "perft": lambda words, book: ["perft", "1", "--sfen", " ".join(words)],
    "play": lambda words, book: ["play", "--eval-file", "material", "--hash", "1", "--nodes", "1", "--color",
                                 "white" if " w " in " ".join(words) or "7g7f" in words[-1] else "black",
                                 "--sfen", " ".join(words)],
    "book show": lambda words, book: ["book", "show", str(book), *words],
    "book tree": lambda words, book: ["book", "tree", str(book), *words],
    "mate": lambda words, book: ["mate", "--hash", "1", "--nodes", "1000", "--json", *words],
}


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("book") / "small.db"
    placements = [sfen.rpartition(" ") for sfen in (STARTPOS_SFEN, AFTER)]
    write_book(path, [BookEntry(placement, int(ply), (BookMove(move),)) for (placement, _, ply), move in
                      zip(placements, ("2g2f", "3c3d"), strict=True)], "for a test")
    return path


def run(command: str, words: list[str], book: Path) -> Result:
    return CliRunner().invoke(main, COMMANDS[command](words, book), input="sfen\nquit\n")


@each("command", COMMANDS)
@each("words", [
    "startpos moves 7g7f", "position startpos moves 7g7f", f"sfen {AFTER}", AFTER, f"position sfen {AFTER}",
    f"sfen {STARTPOS_SFEN} moves 7g7f", f"{STARTPOS_SFEN} moves 7g7f",
])
@each("quoted", [True, False])
def test_every_command_reads_it(command: str, words: str, quoted: bool, book: Path) -> None:
    done = run(command, [words] if quoted else words.split(), book)
    assert done.exit_code in ((0, 3, 4) if command == "mate" else (0,)), done.output
    if command == "play":
        assert AFTER in done.output
    if command == "mate":       # a line of moves is a problem as it begins
        assert (STARTPOS_SFEN if "moves" in words else AFTER) in done.output
    if command.startswith("book"):
        assert "3c3d" in done.output or "３四歩" in done.output
        assert "2g2f" not in done.output


@each("command", COMMANDS)
@each(("words", "said"), [
    ("4k4/9 b - 1", "2 rows"), ("sfen 4k4/9 b - 1", "2 rows"), ("startpos moves 7g7e", "7g7e"),
    ("sfen", "no position"), ("4k4/9/9/9/9/9/9/9/4K4 x - 1", "x"),
])
def test_every_command_quotes_what_is_wrong(command: str, words: str, said: str, book: Path) -> None:
    done = run(command, [words], book)
    assert done.exit_code == 1, done.output
    assert said in done.output
    assert "folder" not in done.output


def test_positions_and_files_in_any_mixture() -> None:
    words = f"one.kif {AFTER} startpos moves 7g7f 3c3d - startpos position sfen {AFTER} two.kif".split()
    assert list(sources(words)) == ["one.kif", AFTER, "startpos moves 7g7f 3c3d", "-", "startpos",
                                    f"position sfen {AFTER}", "two.kif"]
