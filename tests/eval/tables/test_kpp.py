"""The incremental sums against sums that NumPy computes anew from the same tables."""
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from engine import Position
from engine.sfen import Placement, flip_sfen, mirror_sfen
from eval.evaluator import Evaluator
from eval.tables import EvalTables, usable_kernels
from tests.networks import asked_now_and_then
from tests.networks import game as random_moves
from tests.probes import Walk

Arrays = dict[str, NDArray[np.int16]]
Terms = tuple[int, int, int, int, int]

TEMPO = 37
KING, WHITE_KING = 8, 24
WORTH = (0, 100, 350, 430, 540, 900, 1050, 600, 0, 600, 600, 600, 600, 1120, 1400)
BOARD_BLOCKS = {1: 0, 2: 1, 3: 2, 4: 3, 7: 4, 9: 4, 10: 4, 11: 4, 12: 4, 5: 5, 13: 6, 6: 7, 14: 8}
HANDS = {1: (0, 19), 2: (38, 43), 3: (48, 53), 4: (58, 63), 7: (68, 73), 5: (78, 81), 6: (84, 87)}


def evaluator_of(arrays: Arrays, tempo: int = 0, kernel: str | None = None) -> Evaluator:
    return Evaluator(EvalTables.from_arrays(arrays["kk"], arrays["kkp"], arrays["kpp"], tempo, kernel))


@pytest.fixture(scope="module", params=usable_kernels())
def evaluator(request: pytest.FixtureRequest, arrays: Arrays) -> Evaluator:
    return evaluator_of(arrays, tempo=TEMPO, kernel=request.param)


def mirror(square: int) -> int:
    return square + 72 - square // 9 * 18


def listing(placement: Placement, turned: bool, mirrored: bool) -> NDArray[np.int64]:
    """The features as one side sees them, in any order."""
    features = []
    for square, piece in enumerate(placement.board):
        if piece & 15 not in (0, KING):
            seen = 80 - square if turned else square
            block = 2 * BOARD_BLOCKS[piece & 15] + (piece >> 4 ^ turned)
            features.append(90 + 81 * block + (mirror(seen) if mirrored else seen))
    for color, hand in enumerate(placement.hands):
        for kind, count in enumerate(hand[1:], 1):
            features += [HANDS[kind][color ^ turned] + n for n in range(1, count + 1)]
    return np.array(features, int)


def reference(arrays: Arrays, position: Position) -> Terms:
    """Material, KK + KKP, the two halves of KPP, and KK + KKP for the side to move."""
    placement = position.placement
    kings = placement.board.index(KING), placement.board.index(WHITE_KING)
    material = sum((-1 if piece & 16 else 1) * WORTH[piece & 15] for piece in placement.board)
    material += sum((-1 if color else 1) * WORTH[kind] * count
                    for color, hand in enumerate(placement.hands) for kind, count in enumerate(hand))
    pairs = []
    for color, king in enumerate(kings):
        seen = 80 - king if color else king
        mirrored = seen > 44
        features = listing(placement, color == 1, mirrored)
        high, low = (choose.outer(features, features)[np.triu_indices(len(features), 1)]
                     for choose in (np.maximum, np.minimum))
        row = arrays["kpp"][mirror(seen) if mirrored else seen]
        pairs.append(int(row[high * (high + 1) // 2 + low].sum(dtype=np.int64)))
    kkp = arrays["kkp"][kings][listing(placement, False, False)]
    both, moving = (arrays["kk"][kings] + kkp.sum(axis=0, dtype=np.int64)).tolist()
    return material, both, pairs[0], pairs[1], moving


def score(terms: Terms, turn: int) -> int:
    material, kings, black, white, moving = terms
    return int(((-1 if turn else 1) * (32 * material + kings + black - white) + moving + TEMPO) / 32)


def game(seed: int, plies: int) -> Iterator[tuple[Position, str]]:
    """Yield each position of a random game with the move that is played next."""
    position = Position()
    for move in random_moves(seed, plies):
        yield position, move
        position.push(move)


@pytest.mark.parametrize("seed", range(10, 15))
def test_asked_now_and_then_and_going_back(arrays: Arrays, evaluator: Evaluator, seed: int) -> None:
    def expected(position: Position) -> tuple[Terms, int, int]:
        terms = reference(arrays, position)
        return terms, score(terms, position.turn), evaluator.evaluate(position)

    line = Walk(evaluator, Position())
    asked_now_and_then(line, seed, expected, lambda: (line.terms(), line.evaluate(), line.evaluate()))


@pytest.mark.parametrize("asked", [1, 3])
def test_kings_on_the_march(arrays: Arrays, evaluator: Evaluator, asked: int) -> None:
    """A king crosses the mirror's border and back and captures on the way; the sums are compared after every few
    moves."""
    rng = Random(asked)
    position = Position("9/2s1g1s2/9/4k4/1pG3gp1/9/4K4/2S1G1S2/9 b RB2N2L8Prb2n2l8p 1")
    line = Walk(evaluator, position)
    crossed = 0
    for ply in range(1, 200):
        moves = [move for move in position.legal_moves()
                 if "*" not in move and position.piece_at(move[:2]) & 15 == KING]
        move = rng.choice(moves or position.legal_moves())
        crossed += bool(moves) and (move[0] > "5") != (move[2] > "5")
        position.push(move)
        line.push(move)
        if ply % asked == 0:
            assert line.terms() == reference(arrays, position)
    assert crossed > 10


@pytest.mark.parametrize("seed", range(30, 32))
def test_mirror_and_exchange(evaluator: Evaluator, seed: int) -> None:
    """A mirror image has exactly the same value. With the sides exchanged, the value for the side to move is the
    same."""
    for position, _ in game(seed, 120):
        line, exchanged, image = (Walk(evaluator, Position(sfen))
                                  for sfen in (position.sfen, flip_sfen(position.sfen), mirror_sfen(position.sfen)))
        material, kings, black, white, moving = line.terms()
        assert image.terms() == (material, kings, black, white, moving)
        assert exchanged.terms() == (-material, -kings, white, black, moving)
        assert line.evaluate() == exchanged.evaluate() == image.evaluate()


@pytest.mark.parametrize("sfen", [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/9/LNSGKGSNL w - 1",
    "4k4/9/9/9/9/9/9/9/4K4 b P 1",
    "4k4/9/9/9/9/9/9/9/4K4 b - 1",
])
def test_pieces_not_in_play_count_nothing(arrays: Arrays, evaluator: Evaluator, sfen: str) -> None:
    position = Position(sfen)
    assert Walk(evaluator, position).terms() == reference(arrays, position)


def test_material_alone_without_a_king(evaluator: Evaluator) -> None:
    line = Walk(evaluator, Position("4k4/9/9/9/9/9/9/9/9 b P 1"))
    line.push("P*5e")
    assert line.evaluate() == -100


def test_the_largest_tables_overflow_nothing(arrays: Arrays) -> None:
    """Every entry at its limit: the score is the bound, and the sums are as large as they can be."""
    largest = {name: np.full_like(array, 32767) for name, array in arrays.items()}
    largest["kpp"][:36] = -32768    # the mover's king is on file 5, the other's is not
    made = evaluator_of(largest, tempo=32767)
    line = Walk(made, Position("lnsg1gsnl/1r1k3b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"))
    assert line.terms() == (0, 39 * 32767, 703 * 32767, 703 * -32768, 39 * 32767)
    assert line.evaluate() == 27000


def test_two_tables_side_by_side(arrays: Arrays, evaluator: Evaluator) -> None:
    other = evaluator_of(arrays | {"kk": np.zeros_like(arrays["kk"])}, tempo=0)
    position = Position("lnsg1gsnl/1r1k3b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1")
    for _ in range(2):
        assert Walk(evaluator, position).terms() == reference(arrays, position)
        assert Walk(other, position).terms() == reference(arrays | {"kk": np.zeros_like(arrays["kk"])}, position)
