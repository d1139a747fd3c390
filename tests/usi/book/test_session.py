"""The book as a GUI meets it: through the pipe."""
from pathlib import Path

import pytest

from tests.each import each
from tests.usi.book.books import START, after, write
from tests.usi.conftest import Client

CLOCK = "btime 60000 wtime 60000 byoyomi 1000"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A book of moves that no search would choose, so they can only come from the book."""
    return write(tmp_path / "own.db", (START, ["1g1f 9c9d 33 20 3", "9g9f 1c1d 20 20 1", "2h1h none -90 20 0"]),
                 (after("1g1f"), ["9c9d 9g9f -7 20 1"]))


@pytest.fixture
def engine(engine: Client, book: Path) -> Client:
    engine.set("USI_OwnBook true", f"BookFile {book}")
    return engine


def infos(lines: list[str]) -> list[str]:
    return [line for line in lines if line.startswith("info ") and not line.startswith("info string")]


def searched(lines: list[str]) -> bool:
    return not any(line.startswith("info string book: ") for line in lines)


def test_packaged_book_is_used_from_the_start_and_can_be_switched_off(client: Client) -> None:
    client.ready()
    client.send("position startpos", f"go {CLOCK}")
    assert not searched(client.expect("bestmove"))
    for name, value in [("USI_OwnBook", "false"), ("BookFile", "no_book")]:
        client.send(f"setoption name {name} value {value}", "go movetime 50")
        assert searched(client.expect("bestmove"))
        client.send("setoption name USI_OwnBook value true")
    client.send("setoption name BookFile value <empty>", f"go ponder {CLOCK}", "quit")
    assert client.wait() == 0, "pondering in the book ends with `quit`"


def test_no_book_is_a_name_without_a_complaint(engine: Client) -> None:
    """Also when other options are set, because GUIs send every option that has a value."""
    engine.set("BookFile no_book", "BookOnTheFly true")
    for name, folder in [("no_book", "book"), ("No_Book", "<empty>"), (" no_book ", "absent")]:
        engine.set(f"BookFile {name}", f"BookDir {folder}")
        engine.send("position startpos", "go movetime 10")
        assert not any(line.startswith("info string") for line in engine.expect("bestmove"))


def test_the_answer_shows_the_candidates(engine: Client) -> None:
    engine.send("position startpos", f"go {CLOCK} searchmoves 1g1f 2h1h")
    assert engine.expect("bestmove") == [
        "info string book: 1g1f 33 (100%)",
        "info depth 20 seldepth 20 multipv 1 score cp 33 nodes 0 nps 0 hashfull 0 time 0 pv 1g1f 9c9d",
        "bestmove 1g1f ponder 9c9d",
    ]
    engine.send("setoption name BookEvalDiff value 200", "setoption name ConsiderBookMoveCount value true",
                f"go {CLOCK}")
    assert engine.expect("bestmove")[0] == "info string book: 1g1f 33 (75%), 9g9f 20 (25%), 2h1h -90 (0%)"


@each(("go", "by_book"), [
    ("go movetime 50", True), ("go", True), (f"go {CLOCK}", True),
    ("go depth 3", False), ("go nodes 500", False), ("go depth 3 movetime 1000", False),    # a search is asked for
])
def test_the_book_answers_where_a_game_is_played(engine: Client, go: str, by_book: bool) -> None:
    engine.send("position startpos moves 1g1f", go)
    lines = engine.expect("bestmove")
    assert searched(lines) != by_book
    assert lines[-1].startswith("bestmove 9c9d ") or not by_book


def test_analysis_does_without_the_book(engine: Client) -> None:
    engine.send("position startpos moves 1g1f", "setoption name ConsiderationMode value true", "go movetime 50")
    assert searched(engine.expect("bestmove"))
    engine.send("setoption name ConsiderationMode value false", "go infinite")
    engine.unanswered()
    engine.send("stop")
    assert engine.expect("bestmove")[-1] != "bestmove 9c9d ponder 9g9f", "the book's answer"


@each(("stochastic", "release"), [
    ("false", "ponderhit"), ("false", f"ponderhit {CLOCK}"), ("false", "stop"), ("false", "gameover win"),
    ("true", "ponderhit"),
])
def test_pondering_in_book_waits(engine: Client, stochastic: str, release: str) -> None:
    engine.set(f"Stochastic_Ponder {stochastic}")
    engine.send("position startpos moves 1g1f", f"go ponder {CLOCK}")
    engine.unanswered()
    engine.send(release)
    assert engine.expect("bestmove")[-1] == "bestmove 9c9d ponder 9g9f"
    engine.send("stop", "ponderhit")
    assert engine.settle() == []
    assert engine.bestmove("position startpos moves 1g1f", f"go {CLOCK}") == "9c9d"


def test_options_take_effect_with_the_next_go(engine: Client, book: Path) -> None:
    def answered_by_book() -> bool:
        engine.send("position startpos moves 1g1f", "go movetime 50")
        return not searched(engine.expect("bestmove"))

    assert answered_by_book()
    for setting, value, default in [("BookMoves", 1, 16), ("BookDepthLimit", 21, 16), ("USI_OwnBook", "false", "true"),
                                    ("BookFile", "no_book", book), ("BookOnTheFly", "true", "false")]:
        engine.send(f"setoption name {setting} value {value}")
        # On the fly this book is found to be unsorted.
        assert not answered_by_book(), setting
        engine.send(f"setoption name {setting} value {default}")
        assert answered_by_book(), setting


def test_a_missing_and_a_broken_book_are_named_and_the_engine_plays(engine: Client, tmp_path: Path) -> None:
    broken = write(tmp_path / "壊.db", head=f"#YANEURAOU-DB2018 1.00\nsfen {START}\n1g1f\n")
    for path, complaint in [(tmp_path / "none.db", "there is no book"), (broken, "is a form that is not known")]:
        engine.send(f"setoption name BookFile value {path}")
        (remark,) = (line for line in engine.settle() if "book" in line)
        assert complaint in remark
        assert remark.endswith("playing without a book")
        engine.send("position startpos", "go movetime 50")
        assert searched(engine.expect("bestmove"))


@each("on_the_fly", ["false", "true"])
@each("below", ["", "\n", "\n\n", "# a remark\n", "# a remark", " \t\n// one\n", "\r\n"])
def test_blank_lines_and_comments_below_moves(engine: Client, tmp_path: Path, below: str, on_the_fly: str) -> None:
    path = tmp_path / "own.db"
    for body in (f"sfen {START}\n1g1f none 33 20 3\n{below}", f"sfen {START}\n{below}\n1g1f none 33 20 3\n{below}",
                 f"sfen {after('1g1f')}\n9c9d\n{below}\nsfen {START}\n1g1f none 33 20 3\n"):
        path.write_text(f"#YANEURAOU-DB2016 1.00\n{body}", newline="")
        engine.set("BookFile no_book", f"BookFile {path}", f"BookOnTheFly {on_the_fly}")
        assert engine.bestmove("position startpos", f"go {CLOCK}") == "1g1f", body


def test_a_book_written_anew_is_read_at_isready(engine: Client, book: Path) -> None:
    write(book, (START, ["9g9f"]), (after("1g1f"), []))
    engine.send("isready")
    engine.expect("readyok")
    assert engine.bestmove("position startpos", f"go {CLOCK}") == "9g9f"


def test_scores_of_any_size_are_sent_as_usi_has_them(engine: Client, tmp_path: Path) -> None:
    path = write(tmp_path / "mates.db", (START, ["1g1f none 99999 20 0"]), (after("1g1f"), ["9c9d none -31990 20 0"]))
    engine.set(f"BookFile {path}")
    engine.send("position startpos", f"go {CLOCK}")
    assert " score mate 1 " in infos(engine.expect("bestmove"))[0]
    engine.send("position startpos moves 1g1f", f"go {CLOCK}")
    assert " score mate -10 " in infos(engine.expect("bestmove"))[0]
