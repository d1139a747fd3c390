"""How games end: by every rule, by answers, and by agreement."""
import pytest

from engine import BLACK, WHITE, Position
from scripts.games.rules import (
    AGREED_PLIES,
    GameResult,
    Rules,
    adjudicated,
    agreed_winner,
    ending,
    result_of_answer,
    usi_text,
)
from tests.each import each

DRAW = "startpos moves" + 3 * " 2h3h 8b7b 3h2h 7b8b"
# Black's rook checks along the second rank, the king steps to and fro.
CHECKED = "sfen 8k/R8/9/9/9/9/9/9/K8 b - 1 moves" + 3 * " 9b9a 1a1b 9a9b 1b1a"
# White's king and ten pieces in the camp, worth 28 points; White needs 27.
ENTERED = "4K4/9/9/9/9/9/+p+p+pgsg+p+p+p/7k1/8+b w RB2G3S4N4L3Pr9p 1"


@each(("text", "rule", "expected"), [
    ("startpos", "CSARule27", None),
    (DRAW, "CSARule27", (None, "repetition")),
    (CHECKED, "CSARule27", (WHITE, "perpetual check")),
    ("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 257", "CSARule27", (BLACK, "mate")),
    ("4k4/9/9/9/9/9/9/9/4K4 b - 257", "CSARule27", (None, "length")),
    ("4k4/9/9/9/9/9/9/9/4K4 b - 256", "CSARule27", None),
    ("9/4K4/9/9/9/9/9/9/k8 b - 1 moves 5b5a", "TryRule", (BLACK, "try")),
])
def test_ends_by_the_rules(text: str, rule: str, expected: tuple[int | None, str] | None) -> None:
    """More of them in tests/engine/records/test_gameover.py."""
    result = ending(Position.from_usi(text), Rules(entering_king_rule=rule))
    assert (result and result[:2]) == expected


@each(("text", "answer", "expected"), [
    ("startpos moves 7g7f", "3c3d", None),
    ("startpos", "resign", (WHITE, "resignation")),
    ("startpos moves 7g7f", "resign", (BLACK, "resignation")),
    (ENTERED, "win", (WHITE, "declaration")),
    ("startpos", "win", (WHITE, "false declaration")),
    ("startpos moves 7g7f", "7g7f", (BLACK, "illegal move")),
    *(("startpos", answer, (WHITE, "illegal move")) for answer in ("7g7e", "3c3d", "8h2b+", "", "0000", "(none)")),
    ("7nk/9/7GG/9/9/9/9/9/4K4 b P 1", "P*1b", (WHITE, "illegal move")),     # mate by a dropped pawn
    ("7nk/9/7GG/9/9/9/9/9/4K4 b L 1", "L*1b", None),
])
def test_answers(text: str, answer: str, expected: tuple[int, str] | None) -> None:
    result = result_of_answer(Position.from_usi(text), answer, Rules())
    assert (result and result[:2]) == expected
    if result and result.end in ("illegal move", "false declaration"):
        assert (repr(answer) if answer != "win" else "CSARule27") in result.detail


def test_a_declaration_is_judged_by_the_rule_of_the_match() -> None:
    result = result_of_answer(Position.from_usi(ENTERED), "win", Rules(entering_king_rule="CSARule24"))
    assert result
    assert (result[:2], "CSARule24" in result.detail) == ((BLACK, "false declaration"), True)


@each(("scores", "decisive", "winner"), [
    ([5000] * AGREED_PLIES, 3000, BLACK), ([-5000] * AGREED_PLIES, 3000, WHITE),
    ([5000] * (AGREED_PLIES - 1), 3000, None), ([5000, 2999] * AGREED_PLIES, 3000, None),
    ([5000, -5000] * AGREED_PLIES, 3000, None), ([5000] * AGREED_PLIES, 0, None),
])
def test_agreement_takes_both_players_and_enough_plies(scores: list[int], decisive: int, winner: int | None) -> None:
    assert agreed_winner(scores, decisive) == winner


def test_a_draw_by_agreement_is_off_unless_asked() -> None:
    dull = [3, -3] * AGREED_PLIES
    assert adjudicated(dull, 200, Rules(decisive_score=0)) is None
    asked = Rules(drawish_score=5, drawish_ply=100)
    assert adjudicated(dull, 100, asked) == GameResult(None, "drawish")
    assert adjudicated(dull, 99, asked) is None
    assert adjudicated([*dull, 6], 100, asked) is None
    assert adjudicated(dull[:AGREED_PLIES - 1], 100, asked) is None
    assert adjudicated([4000] * AGREED_PLIES, 100, asked) == GameResult(BLACK, "score")


@pytest.mark.parametrize("text", ["startpos", "startpos moves 7g7f 3c3d", CHECKED])
def test_a_position_as_usi_has_it(text: str) -> None:
    assert usi_text(Position.from_usi(text)) == text
