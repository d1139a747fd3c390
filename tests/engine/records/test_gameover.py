"""When the rules end a game, who has won then, and what a record calls it."""
import pytest

from engine import BLACK, WHITE, Position
from engine.records.gameover import game_over
from engine.records.record import TERMINALS, GameRecord

LAP = "2h3h 8b7b 3h2h 7b8b"
CHASE = "sfen 5k3/9/9/9/9/9/9/4R4/K8 b - 1 moves"
CHECKS = "5h4h 4a5a 4h5h 5a4a"
ARRIVED = "sfen 9/4K4/9/9/9/9/9/9/k8 b - 1 moves 5b5a"


@pytest.mark.parametrize(("text", "options", "expected"), [
    ("startpos", {}, None),
    (f"startpos moves {LAP} {LAP}", {}, None),
    (f"startpos moves {LAP} {LAP} {LAP}", {}, (None, "repetition", "SENNICHITE")),
    (f"{CHASE} {CHECKS} {CHECKS} {CHECKS}", {}, (WHITE, "perpetual check", "+ILLEGAL_ACTION")),
    ("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves G*5b", {}, (BLACK, "mate", "TSUMI")),
    ("sfen 4k4/9/9/9/9/9/4p4/4g4/4K4 b - 1", {}, (WHITE, "mate", "TSUMI")),
    ("sfen k8/2S6/1G7/9/9/9/9/9/4K4 w - 1", {}, (BLACK, "mate", "TSUMI")),      # no check, but no move
    (ARRIVED, {"rule": "TryRule"}, (BLACK, "try", "TORYO")),
    (ARRIVED, {}, None),
    ("sfen 8K/r8/9/9/9/9/9/4k4/9 w - 1 moves 5h5i", {"rule": "TryRule"}, (WHITE, "try", "TORYO")),
    ("sfen 9/4K4/9/9/9/9/9/9/k8 b - 1 moves 5b4a", {"rule": "TryRule"}, None),
    ("sfen k8/4G4/9/9/9/9/9/9/4K4 b - 1 moves 5b5a", {"rule": "TryRule"}, None),
    ("sfen k8/9/9/9/9/9/9/4g4/8K w - 1 moves 5h5i", {"rule": "TryRule"}, None),
    ("startpos moves 7g7f 3c3d", {"max_plies": 3}, None),
    ("startpos moves 7g7f 3c3d", {"max_plies": 2}, (None, "length", "MAX_MOVES")),
    ("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves G*5b", {"max_plies": 1}, (BLACK, "mate", "TSUMI")),
])
def test_ends_by_the_rules(text: str, options: dict[str, object], expected: tuple[int | None, str, str] | None) -> None:
    position = Position.from_usi(text)
    over = game_over(position, **options)  # type: ignore[arg-type]
    assert (over and (*over, over.terminal)) == expected
    if over:
        assert over.terminal in TERMINALS
        assert GameRecord(position.initial_sfen, position.moves, terminal=over.terminal).winner == over.winner
