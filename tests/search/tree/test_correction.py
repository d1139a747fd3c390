"""Correction keys: what positions have in common, whatever way led to them."""
from random import Random

from engine import Position
from tests.probes import correction_keys

PAWNS, MINORS, BLACK_PIECES, WHITE_PIECES = range(4)


def test_keys_follow_the_moves() -> None:
    rng = Random(1)
    for _ in range(20):
        position = Position()
        moves: list[str] = []
        while len(moves) < 120 and position.legal_moves():
            moves.append(rng.choice(position.legal_moves()))
            position.push(moves[-1])
        assert correction_keys(Position(), moves) == correction_keys(position, [])


def test_each_key_is_of_its_pieces_alone() -> None:
    start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
    before = correction_keys(Position(start), [])
    for move, changed in (("7g7f", {PAWNS}), ("7i7h", {MINORS, BLACK_PIECES}), ("2h3h", {BLACK_PIECES}),
                          ("5i5h", {BLACK_PIECES})):
        after = correction_keys(Position(start), [move])
        assert {key for key in range(4) if before[key] != after[key]} == changed, move
    in_hand = correction_keys(Position(start.replace(" - ", " 2P ").replace("PPPPPPPPP", "PPPPPPP2")), [])
    assert in_hand[MINORS:] == before[MINORS:]
