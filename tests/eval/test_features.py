"""The feature index, against its description."""
import pytest

from engine import Position
from engine.sfen import flip_sfen, mirror_sfen
from eval.features import INVERSE, MIRROR, features_of
from tests.each import each

KINDS_ON_BOARD = ("P", "L", "N", "S", "G", "B", "+B", "R", "+R")
FIRST_IN_HAND = {"P": 1, "p": 20, "L": 39, "l": 44, "N": 49, "n": 54, "S": 59, "s": 64, "G": 69, "g": 74, "B": 79,
                 "b": 82, "R": 85, "r": 88}


def only_feature(sfen: str) -> int:
    """The only feature of a position with one piece."""
    (feature,) = filter(None, features_of(Position(sfen))[2])
    return feature


@each(("symbol", "block"), [
    *((kind, 2 * i) for i, kind in enumerate(KINDS_ON_BOARD)),
    *((kind.lower(), 2 * i + 1) for i, kind in enumerate(KINDS_ON_BOARD)),
    ("+P", 8), ("+L", 8), ("+N", 8), ("+S", 8), ("+p", 9), ("+l", 9), ("+n", 9), ("+s", 9),
])
@each(("rank", "file"), [(3, 1), (4, 7), (5, 9)])
def test_on_board(symbol: str, block: int, rank: int, file: int) -> None:
    left = str(9 - file) if file < 9 else ""
    right = str(file - 1) if file > 1 else ""
    board = ["9"] * 9
    board[rank - 1] = f"{left}{symbol}{right}"
    assert only_feature("/".join(board) + " b - 1") == 90 + 81 * block + (file - 1) * 9 + rank - 1


@each("letter", FIRST_IN_HAND)
def test_in_hand(letter: str) -> None:
    count = {"P": 18, "B": 2, "R": 2}.get(letter.upper(), 4)
    *_, features = features_of(Position(f"8k/9/9/9/9/9/9/9/K8 b {count}{letter} 1"))
    assert sorted(filter(None, features)) == [*range(FIRST_IN_HAND[letter], FIRST_IN_HAND[letter] + count)]


def test_kings_and_what_is_not_in_play() -> None:
    assert features_of(Position("8k/9/9/9/9/9/9/9/K8 b - 1"))[:2] == (80, 0)
    black, white, features = features_of(Position("9/9/9/9/9/9/9/9/K8 b - 1"))
    assert (black, white) == (80, 81)
    assert not any(features)


SFENS = ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
         "ln1gk2nl/1r4gs1/p1pppp1pp/1p4p2/9/2P4R1/PP1PPPP1P/2GS5/LN2KGSNL w BPbs 20")


@pytest.mark.parametrize("sfen", SFENS)
def test_inverse_and_mirror(sfen: str) -> None:
    black, white, features = features_of(Position(sfen))
    other_black, other_white, other = features_of(Position(flip_sfen(sfen)))
    assert sorted(other) == sorted(INVERSE[feature] for feature in features)
    assert (other_black, other_white) == (80 - white, 80 - black)
    *_, other = features_of(Position(mirror_sfen(sfen)))
    assert sorted(other) == sorted(MIRROR[feature] for feature in features)
    for image in (INVERSE, MIRROR):
        assert [image[each] for each in image] == list(range(1548)), "its own inverse"
