"""Which book move is played: every setting can change the answer, and chance keeps to the weights."""
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine import Position
from tests.each import each
from tests.usi.book.books import START, START_PLACEMENT, after, write
from tests.usi.conftest import options
from usi.book.choice import BookSettings, choose
from usi.book.lookup import Book, InMemory, OnTheFly
from usi.book.own import NO_BOOK, BookSource, OwnBook

DEFAULTS = BookSettings()


# Best first: 2g2f, 7g7f, 6i7h; one of them from a shallow search, and one illegal.
USUAL = ["7g7f 3c3d 30 18 10", "2g2f 8c8d 50 17 30", "6i7h none 10 20 60", "9g9f none 45 8 5", "2b3c none 99 20 9"]
SHALLOW = ["2g2f none 50 15 0", "7g7f none 20 16 0", "9g9f none 19 30 0"]
GAMES = ["7g7f 3c3d 0 0 32", "2g2f none 0 0 9", "5g5f none 0 0 1"]
WIDE = replace(DEFAULTS, eval_diff=40)
BY_GAMES = replace(DEFAULTS, by_games=True)


@pytest.fixture
def book(tmp_path: Path) -> Book:
    return InMemory(write(tmp_path / "own.db", (START, USUAL)))


def answers(book: Book, settings: BookSettings, position: Position | None = None,
            searchmoves: Sequence[str] = ()) -> dict[str, float]:
    """The moves that may be played, with their chances; the one drawn is one of them."""
    choice = choose(book, position or Position(), settings, Random(1), searchmoves)
    if choice is None:
        return {}
    found = {candidate.move.move: candidate.share for candidate in choice.candidates}
    assert choice.bestmove in found
    assert sum(found.values()) == pytest.approx(1)
    return found


@each(("lines", "settings", "searchmoves", "expected"), [
    # Near the best, deep and legal; without games a weight is halved with every sixth of the limit.
    (USUAL, DEFAULTS, (), {"2g2f": 16 / 17, "7g7f": 1 / 17}),
    (USUAL, WIDE, (), {"2g2f": 64 / 73, "7g7f": 8 / 73, "6i7h": 1 / 73}),
    (USUAL, replace(DEFAULTS, eval_diff=120), (), {"2g2f": 4 / 7, "7g7f": 2 / 7, "6i7h": 1 / 7}),
    (USUAL, DEFAULTS, ("6i7h", "1g1f"), {"6i7h": 1}),
    (USUAL, DEFAULTS, ("1g1f",), {}),
    (["2g2f", "7g7f"], DEFAULTS, (), {"2g2f": 1 / 2, "7g7f": 1 / 2}),
    (["2g2f none 0 0 3", "7g7f none 0 15 3"], DEFAULTS, (), {"2g2f": 1}),       # a depth that is not known passes
    # Moves are compared with the best of all, however shallow its search. Else a poor move would be played because
    # the moves above it are not searched deeply enough.
    (SHALLOW, DEFAULTS, (), {"7g7f": 1}),
    (SHALLOW, replace(DEFAULTS, eval_diff=29), (), {}),
    (SHALLOW, DEFAULTS, ("9g9f",), {"9g9f": 1}),
    # Books made of games play moves by the number of games. With results as scores, both count. If one move was
    # searched, the scores count.
    (GAMES, DEFAULTS, (), {"7g7f": 32 / 42, "2g2f": 9 / 42, "5g5f": 1 / 42}),
    (GAMES, DEFAULTS, ("2g2f", "5g5f"), {"2g2f": 0.9, "5g5f": 0.1}),
    (["7g7f none 0 0 32", "2g2f none 5 0 9"], DEFAULTS, (), {"2g2f": 9 / 25, "7g7f": 16 / 25}),
    (["7g7f none 0 0 32", "2g2f none 0 20 9"], DEFAULTS, (), {"7g7f": 1 / 2, "2g2f": 1 / 2}),
    # With `by_games`, the weights are the numbers of games; a move without games is not played if another has some.
    (USUAL, replace(WIDE, by_games=True), (), {"2g2f": 0.3, "7g7f": 0.1, "6i7h": 0.6}),
    (USUAL, BY_GAMES, (), {"2g2f": 0.75, "7g7f": 0.25}),
    (["2g2f none 0 0 3", "7g7f none 0 0 0"], BY_GAMES, (), {"2g2f": 1, "7g7f": 0}),
    (["2g2f none 0 0 0", "7g7f none 0 0 0"], BY_GAMES, (), {"2g2f": 1 / 2, "7g7f": 1 / 2}),
])
def test_scores_depths_and_games_make_the_chances(tmp_path: Path, lines: list[str], settings: BookSettings,
                                                  searchmoves: tuple[str, ...], expected: dict[str, float]) -> None:
    book = InMemory(write(tmp_path / "some.db", (START, lines)))
    assert answers(book, settings, searchmoves=searchmoves) == pytest.approx(expected)


@each(("changed", "expected"), [
    ({"eval_diff": 0}, {"2g2f"}), ({"eval_diff": 19}, {"2g2f"}), ({"eval_diff": 20}, {"2g2f", "7g7f"}),
    ({"eval_diff": 40}, {"2g2f", "7g7f", "6i7h"}), ({"depth_limit": 8}, {"2g2f", "9g9f", "7g7f"}),
    ({"depth_limit": 0}, {"2g2f", "9g9f", "7g7f"}), ({"depth_limit": 18}, {"7g7f"}), ({"depth_limit": 19}, set()),
    ({"depth_limit": 20, "eval_diff": 40}, {"6i7h"}), ({"depth_limit": 21, "eval_diff": 40}, set()),
    ({"plies": 1}, {"2g2f", "7g7f"}), ({"plies": 0}, set()),
])
def test_settings_change_the_answer(book: Book, changed: dict[str, Any], expected: set[str]) -> None:
    assert set(answers(book, replace(DEFAULTS, **changed))) == expected


def test_chance_keeps_to_the_weights(book: Book) -> None:
    """1000 draws with a fixed seed; 5 standard deviations of a count are at most 80."""
    random = Random(20)
    for settings, shares in [
        (WIDE, {"2g2f": 64 / 73, "7g7f": 8 / 73, "6i7h": 1 / 73}),
        (replace(WIDE, by_games=True), {"2g2f": 0.3, "7g7f": 0.1, "6i7h": 0.6}),
    ]:
        choices = (choose(book, Position(), settings, random) for _ in range(1000))
        drawn = Counter(choice.bestmove for choice in choices if choice)
        assert drawn.keys() == shares.keys()
        for move, share in shares.items():
            assert abs(drawn[move] - 1000 * share) < 80


def test_ply_counts_unless_it_is_ignored_or_not_given(tmp_path: Path) -> None:
    book = InMemory(write(tmp_path / "ply.db", (f"{START_PLACEMENT} 3", ["2g2f none 0 0 1"]),
                          (f"{START_PLACEMENT} 5", ["7g7f none 0 0 1", "2g2f none 0 0 1"])))
    there, here = Position(f"{START_PLACEMENT} 3"), Position()
    assert answers(book, DEFAULTS, there) == {"2g2f": 1}
    assert answers(book, DEFAULTS, here) == {}
    weighed = replace(DEFAULTS, ignore_ply=True, by_games=True)
    assert answers(book, weighed, here) == pytest.approx({"2g2f": 2 / 3, "7g7f": 1 / 3})
    for_any = InMemory(write(tmp_path / "any.db", (START_PLACEMENT, ["2g2f"])))
    assert answers(for_any, DEFAULTS, Position(f"{START_PLACEMENT} 9")) == {"2g2f": 1}


def test_flipped_positions_are_found_only_if_wanted(tmp_path: Path) -> None:
    position = Position("lnsgkgsnl/1r5b1/pp1pppppp/2p6/9/1P7/P1PPPPPPP/1B5R1/LNSGKGSNL w - 3")
    flipped = "lnsgkgsnl/1r5b1/ppppppp1p/7p1/9/6P2/PPPPPP1PP/1B5R1/LNSGKGSNL b - 3"
    book = InMemory(write(tmp_path / "flipped.db", (flipped, ["6i7h 4a3b 5 16 1"])))
    assert answers(book, replace(DEFAULTS, flipped=False), position) == {}
    choice = choose(book, position, DEFAULTS, Random(1))
    assert choice is not None
    assert (choice.bestmove, choice.ponder) == ("4a3b", "6i7h")
    direct = InMemory(write(tmp_path / "direct.db", (flipped, ["6i7h"]), (position.sfen, ["7a6b"])))
    assert answers(direct, DEFAULTS, position) == {"7a6b": 1}


def test_ponder_is_the_reply_in_the_book_if_legal_or_its_best_move_then(tmp_path: Path) -> None:
    book = InMemory(write(tmp_path / "ponder.db",
        (START, ["2g2f none 0 20 0"]), (after("2g2f"), ["3c3d none 0 20 0", "8c8d none 9 20 0"]),
        (after("2g2f", "8c8d"), ["2f2e 8d8e 0 20 0"]), (after("2g2f", "3c3d"), ["2f2e 5e5d 0 20 0"])))
    for moves, ponder in [((), "8c8d"), (("2g2f", "8c8d"), "8d8e"), (("2g2f", "3c3d"), None)]:
        choice = choose(book, Position(after(*moves)), DEFAULTS, Random(1))
        assert choice is not None
        assert choice.ponder == ponder


def test_options_become_settings() -> None:
    assert options().book_settings() == DEFAULTS
    assert options().book_source() == BookSource("", "book", False)
    changed = options(BookMoves=30, BookEvalDiff=1, BookDepthLimit=2, IgnoreBookPly=True, ConsiderBookMoveCount=True,
                      FlippedBook=False, BookFile="my book.db", BookDir="<empty>", BookOnTheFly=True)
    assert changed.book_settings() == BookSettings(30, 1, 2, ignore_ply=True, by_games=True, flipped=False)
    assert changed.book_source() == BookSource("my book.db", "", True)
    assert options(BookFile=NO_BOOK).book_source() is None
    assert options(BookFile="my book.db", USI_OwnBook=False).book_source() is None


class TestOwnBook:
    """The book of a session."""

    @pytest.fixture
    def said(self) -> list[str]:
        return []

    @pytest.fixture
    def own(self, said: list[str]) -> OwnBook:
        return OwnBook(said.append, Random(1))

    def move(self, own: OwnBook) -> str | None:
        choice = own.choose(Position(), DEFAULTS, ())
        return choice.bestmove if choice else None

    def test_packaged_book_is_not_read_as_an_engine_starts(self) -> None:
        with closing(BookSource("", "book", False).open()) as book:
            assert isinstance(book, OnTheFly)

    def test_a_file_in_its_folder(self, own: OwnBook, said: list[str], tmp_path: Path,
                                  monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "定跡").mkdir()
        path = write(tmp_path / "定跡" / "a b.db", (START, ["2g2f"]))
        for source in [BookSource("a b.db", "定跡", False), BookSource(str(path), "elsewhere", False),
                       BookSource("a b.db", str(path.parent), True)]:
            own.open(source)
            assert self.move(own) == "2g2f"
        own.open(None)
        assert said == []

    def test_a_missing_file_is_named_with_all_places(self, own: OwnBook, said: list[str], tmp_path: Path,
                                                     monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        own.open(BookSource("x.db", "book", False))
        (remark,) = said
        assert str(tmp_path / "book" / "x.db") in remark
        assert remark.count("x.db") == 2
        assert "playing without a book" in remark
        assert self.move(own) is None

    def test_a_file_that_changes_is_read_again_when_looked_at_again(self, own: OwnBook, said: list[str],
                                                                    tmp_path: Path) -> None:
        source = BookSource(str(tmp_path / "own.db"), "", False)
        own.open(source)
        assert len(said) == 1
        write(tmp_path / "own.db", (START, ["2g2f"]))
        own.open(source)
        assert self.move(own) is None
        own.open(source, look_again=True)
        assert self.move(own) == "2g2f"
        write(tmp_path / "own.db", (START, ["7g7f none"]))
        own.open(source)
        assert self.move(own) == "2g2f"
        own.open(source, look_again=True)
        assert self.move(own) == "7g7f"
        assert len(said) == 1

    @pytest.mark.parametrize("on_the_fly", [False, True])
    def test_a_bad_line_is_named_once_and_the_others_are_played(self, own: OwnBook, said: list[str], tmp_path: Path,
                                                                on_the_fly: bool) -> None:
        path = write(tmp_path / "broken.db", (START, ["2g2 oops 1 2 3", "7g7f"]), ("oops b - 1", ["2g2f"]))
        own.open(BookSource(str(path), "", on_the_fly))
        assert [self.move(own), self.move(own)] == ["7g7f", "7g7f"]
        place = f", byte {path.read_bytes().index(b'2g2 ')}" if on_the_fly else ":3"
        assert said[0].startswith(f"{path}{place}: '2g2 oops 1 2 3' is neither")
        assert said[0].endswith("; this line is left out")
        own.open(None)
        place = f", byte {path.read_bytes().index(b'sfen oops')}" if on_the_fly else ":5"
        assert [remark.partition(": ")[0] for remark in said[1:]] == [f"{path}{place}"]

    def test_of_many_bad_lines_the_first_are_named(self, own: OwnBook, said: list[str], tmp_path: Path) -> None:
        path = write(tmp_path / "broken.db", (START, [*(f"oops {number}" for number in range(50)), "7g7f"]))
        own.open(BookSource(str(path), "", False))
        assert [remark.split()[0] for remark in said[:3]] == [f"{path}:{number}:" for number in (3, 4, 5)]
        assert said[3:] == [f"{path}: 47 more lines left out"]
        assert self.move(own) == "7g7f"

    @pytest.mark.parametrize("on_the_fly", [False, True])
    def test_what_is_no_book_is_given_up_once(self, own: OwnBook, said: list[str], tmp_path: Path,
                                              on_the_fly: bool) -> None:
        (tmp_path / "letter.db").write_text("Dear reader,\n")
        own.open(BookSource(str(tmp_path / "letter.db"), "", on_the_fly))
        assert [self.move(own), self.move(own)] == [None, None]
        assert said[-1].endswith("letter.db holds no position; playing without a book")
        assert len(said) == (1 if on_the_fly else 2)

    def test_numbers_of_moves_that_never_match_are_named_once(self, own: OwnBook, said: list[str],
                                                              tmp_path: Path) -> None:
        path = write(tmp_path / "ones.db", (after("7g7f")[:-1] + "1", ["3c3d"]), (after("7g7f", "3c3d"), ["2g2f"]))
        own.open(BookSource(str(path), "", False))
        moved, again = Position.from_usi("startpos moves 7g7f"), Position.from_usi("startpos moves 7g7f 3c3d")
        for _ in range(2):
            assert own.choose(moved, DEFAULTS, ()) is None
        assert said == ["the book ones.db has this position, but not as ply 2, so it is not used: to ignore the "
                        "numbers of moves, setoption name IgnoreBookPly value true"]
        assert own.choose(moved, replace(DEFAULTS, ignore_ply=True), ())
        # One whose numbers match now and then is not complained about.
        own.open(None)
        said.clear()
        own.open(BookSource(str(path), "", False))
        assert own.choose(again, DEFAULTS, ())
        assert own.choose(moved, DEFAULTS, ()) is None
        assert own.choose(Position(), DEFAULTS, ()) is None
        assert said == []
