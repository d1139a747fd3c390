"""Books as programs read them."""
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from engine import Position
from engine.sfen import flip_move, flip_sfen
from tests.faults import refused
from usi.book.reader import OpeningBook

SOME = """#YANEURAOU-DB2016 1.00
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2
3c3d 2g2f 5 10 3
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
7g7f 3c3d 10 12 30
2g2f 8c8d 12 12 10
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 5
9g9f none -400 12 60
5a5b none 900 12 1
"""


@pytest.fixture
def book(tmp_path: Path) -> OpeningBook:
    path = tmp_path / "some.db"
    path.write_text(SOME, encoding="ascii")
    return OpeningBook(path)


def test_the_moves_of_a_position_are_those_of_all_its_numbers(book: OpeningBook) -> None:
    """Best first, and only the legal ones."""
    assert [(move.move, move.score, move.games) for move in book.moves(Position())] == [
        ("2g2f", 12, 10), ("7g7f", 10, 30), ("9g9f", -400, 60)]
    assert book.moves(Position("4k4/9/9/9/9/9/9/9/4K4 b P 1")) == ()
    assert Position() in book
    assert "startpos" not in book


def test_a_position_is_found_from_the_other_side(book: OpeningBook) -> None:
    position = Position.from_usi("startpos moves 7g7f")
    turned = Position(flip_sfen(position.sfen))
    (move,), (image,) = book.moves(position), book.moves(turned)
    assert (image.move, image.ponder) == (flip_move(move.move), flip_move(str(move.ponder)))


def test_moves_are_drawn(book: OpeningBook) -> None:
    random = Random(1)
    drawn = Counter(str(move and move.move) for move in (book.choose(Position(), random=random) for _ in range(300)))
    assert set(drawn) == {"2g2f", "7g7f"}
    drawn = Counter(str(move and move.move) for move in (
        book.choose(Position(), by_games=True, random=random) for _ in range(300)))
    assert drawn["9g9f"] > drawn["7g7f"] > drawn["2g2f"] > 0
    assert book.choose(Position("4k4/9/9/9/9/9/9/9/4K4 b P 1")) is None


def test_all_positions_are_there(book: OpeningBook) -> None:
    assert [(entry.sfen.rpartition(" ")[2], len(entry.moves)) for entry in book] == [("2", 1), ("1", 2), ("5", 2)]
    with OpeningBook() as packaged:
        assert packaged.moves(Position())
        assert next(iter(packaged)).moves


def test_what_is_no_book_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.db"
    path.write_text(f"{SOME}oops\n", encoding="ascii")
    with refused(at="bad.db:10", line="'oops'"):
        OpeningBook(path)
    with pytest.raises(OSError, match="nowhere"):
        OpeningBook(tmp_path / "nowhere.db")
    with pytest.raises(TypeError, match="path=5: give a str or PathLike"):
        OpeningBook(5)      # type: ignore[arg-type]
