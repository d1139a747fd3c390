"""Repetition, perpetual check, declaration and the limit on moves in the search."""
import pytest

from engine import MATE, Position
from search import Limits, Searcher, Settings
from tests.each import each

EVEN = Settings(draw_value=(0, 0))


def played(sfen: str, loop: list[str], plies: int) -> Position:
    """The position after a number of plies of a loop of four."""
    moves = [loop[ply % 4] for ply in range(plies)]
    return Position.from_usi(f"sfen {sfen} moves {' '.join(moves)}")


def test_winning_side_keeps_out_of_the_fourth_occurrence(searcher: Searcher) -> None:
    position = played("9/4k4/9/9/9/9/9/4K4/9 w GSN 1", ["5b4b", "5h4h", "4b5b", "4h5h"], 11)
    repeating = searcher.search(position, Limits(depth=5, searchmoves=("4h5h",)), EVEN)
    free = searcher.search(position, Limits(depth=5), EVEN)
    assert repeating.score == 0
    assert free.score > 1000
    assert free.bestmove != "4h5h"


@pytest.mark.parametrize(("draw_value", "expected"), [((0, 0), 0), ((70, -90), -90)])
def test_losing_side_goes_for_the_fourth_occurrence(searcher: Searcher, draw_value: tuple[int, int],
                                                    expected: int) -> None:
    """The draw value is that of the side that searches."""
    position = played("9/4k4/9/9/9/9/9/4K4/9 b GSN 1", ["5h4h", "5b4b", "4h5h", "4b5b"], 11)
    result = searcher.search(position, Limits(depth=5), Settings(draw_value=draw_value))
    assert (result.bestmove, result.score) == ("4b5b", expected)


# Black's rook checks for ever; White's king has a way out each time.
CHASE = "8k/9/9/9/7R1/9/9/9/K8 b 2g2s 1"
CHECKS = ["2e1e", "1a2a", "1e2e", "2a1a"]


@each("depth", [4, 5, 6, 7])
def test_checking_side_gets_no_draw_from_perpetual_check(searcher: Searcher, depth: int) -> None:
    assert searcher.search(Position(CHASE), Limits(depth=depth), EVEN).score < -500


def test_side_in_perpetual_check_completes_it_and_wins(searcher: Searcher) -> None:
    result = searcher.search(played(CHASE, CHECKS, 11), Limits(depth=4), EVEN)
    assert (result.bestmove, result.score) == ("2a1a", MATE - 1)
    result = searcher.search(played(CHASE, CHECKS, 10), Limits(depth=4, searchmoves=("1e2e",)), EVEN)
    assert result.score == -MATE + 2, "the last check is lost"


ENTERED = "+P+P+P+PK+P+P+P+P/2R3R2/9/9/9/9/9/9/4k4 b 2B 1"
ONE_POINT_SHORT = "+P+P+P+PK+P+P+P+P/2R3R2/9/9/9/9/9/9/4k4 b B4P 1"
ENTERING = "+P+P+P+P1+P+P+P+P/2R3R2/9/4K4/9/9/9/9/4k4 b 2B 1"


@each(("sfen", "rule", "answer"), [
    (ENTERED, "CSARule27", "declaration"),
    (ONE_POINT_SHORT, "CSARule27", None),
    (ENTERED, "CSARule24", None),
    (ENTERED, "NoEnteringKing", None),
    (ENTERED, "TryRule", None),
    ("9/4K4/9/9/9/9/9/9/k8 b - 1", "TryRule", "5b5a"),
])
def test_declares_or_tries_by_right_alone(searcher: Searcher, sfen: str, rule: str, answer: str | None) -> None:
    position = Position(sfen)
    result = searcher.search(position, Limits(depth=1), Settings(entering_king_rule=rule))
    assert (result.outcome == "declaration") == (answer == "declaration")
    if answer != "declaration":
        assert position.is_legal(result.bestmove or "")
        assert answer in (None, result.bestmove)


def test_walks_in_to_declare(searcher: Searcher) -> None:
    position = Position(ENTERING)
    declaring = searcher.search(position, Limits(depth=3, searchmoves=("5d5c",)), Settings())
    assert declaring.score == MATE - 3
    searcher.clear()
    never = searcher.search(position, Limits(depth=3, searchmoves=("5d5c",)),
                            Settings(entering_king_rule="NoEnteringKing"))
    assert never.score < MATE - 246


def test_last_move_of_the_game_draws_unless_it_mates(searcher: Searcher) -> None:
    winning = "4k4/9/9/9/9/9/9/9/4K4 b 2R 10"
    assert searcher.search(Position(winning), Limits(depth=3), Settings(draw_value=(0, 0), max_moves=10)).score == 0
    searcher.clear()
    assert searcher.search(Position(winning), Limits(depth=3), Settings(draw_value=(0, 0), max_moves=13)).score > 0
    mating = "4k4/9/4P4/9/9/9/9/9/4K4 b G 10"
    assert searcher.search(Position(mating), Limits(depth=3), Settings(max_moves=10)).score == MATE - 1
