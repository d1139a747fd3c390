"""The network that plays: sums against NumPy, updates against full sums, kernels against plain loops."""
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine import WHITE, Position
from engine.notation.sfen import Placement, format_sfen
from eval.evaluator import Evaluator, Walk
from eval.features import INVERSE, features_of, pieces_of
from eval.material import balance
from eval.network import SHAPES, EvalNetwork, usable_kernels, value_of

Arrays = dict[str, NDArray[Any]]

LIMITS = {"first": 300, "first_bias": 700, "second": 60, "second_bias": 9000, "third": 1000, "third_bias": 500_000,
          "output": 1000, "output_bias": 300_000}
HANDICAP = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"


def random_arrays(seed: int, limits: dict[str, int] = LIMITS) -> Arrays:
    rng = np.random.default_rng(seed)
    arrays = {name: rng.integers(-limits[name], limits[name] + 1, shape).astype(dtype)
              for name, (dtype, shape) in SHAPES.items()}
    arrays["first"][0] = 0
    return arrays


@pytest.fixture(scope="module")
def arrays() -> Arrays:
    return random_arrays(1)


def inputs(position: Position, color: int) -> NDArray[np.int64]:
    black, white, features = features_of(position)
    seen = np.array([feature for feature in features if feature])
    own, other = (white, black) if color == WHITE else (black, white)
    if color == WHITE:
        seen, own, other = np.take(INVERSE, seen), 80 - own, 80 - other
    return np.array([*seen, 1548 + own, 1629 + other])


def views(arrays: Arrays, position: Position) -> NDArray[np.int64]:
    """The first layer's sums as Black and as White sees them."""
    return np.array([arrays["first"][inputs(position, color)].astype(int).sum(0) + arrays["first_bias"]
                     for color in range(2)])


def score(arrays: Arrays, position: Position) -> int:
    """For the side to move, in whole numbers all the way."""
    seen = views(arrays, position)
    first = np.clip(np.concatenate([seen[position.turn], seen[position.turn ^ 1]]) >> 2, 0, 127)
    second = np.clip((first @ arrays["second"].astype(int) + arrays["second_bias"]) >> 4, 0, 2032)
    third = np.clip((second @ arrays["third"].astype(int) + arrays["third_bias"]) >> 10, 0, 2032)
    output = int(third @ arrays["output"].astype(int) + arrays["output_bias"][0])
    return int(output * 600 / 2080768) + (-balance(position) if position.turn else balance(position))


def game(seed: int, plies: int) -> list[str]:
    """Random moves, captures and kings' moves often."""
    rng = Random(seed)
    position = Position()
    moves: list[str] = []
    while len(moves) < plies and (legal := position.legal_moves()):
        lively = [move for move in legal if "*" not in move
                  and (position.piece_at(move[2:4]) or position.piece_at(move[:2]) & 15 == 8)]
        moves.append(rng.choice(lively if lively and rng.random() < 0.3 else legal))
        position.push(moves[-1])
    return moves


def positions(seeds: range, plies: int = 150) -> list[Position]:
    found = [Position(HANDICAP)]
    for seed in seeds:
        position = Position()
        for move in game(seed, plies):
            position.push(move)
            found.append(position.copy())
    return found


def test_values_are_those_of_the_layers(arrays: Arrays) -> None:
    evaluator = Evaluator(EvalNetwork.from_arrays(arrays))
    for position in positions(range(3)):
        assert evaluator.evaluate(position) == score(arrays, position)
        assert (np.asarray(Walk(evaluator, position).views()) == views(arrays, position)).all()


@pytest.mark.parametrize("kernel", usable_kernels())
@pytest.mark.parametrize("seed", range(6))
def test_asked_now_and_then_and_going_back(arrays: Arrays, kernel: str, seed: int) -> None:
    """Moves, passes and undos in any order, the sums asked after some of them only."""
    rng = Random(seed)
    line = Walk(Evaluator(EvalNetwork.from_arrays(arrays, kernel)), Position())
    position = Position()
    known = []
    for move in game(seed, 150):
        known.append((views(arrays, position), score(arrays, position)))
        if rng.random() < 0.4:
            assert (np.asarray(line.views()) == known[-1][0]).all()
            assert line.evaluate() == known[-1][1]
        if rng.random() < 0.2 and not position.in_check:
            line.pass_turn()
            if rng.random() < 0.5:
                assert (np.asarray(line.views()) == known[-1][0]).all()
            line.pop()
        line.push(move)
        position.push(move)
    while len(known) > 1:
        line.pop()
        seen, value = known.pop()
        if rng.random() < 0.4:
            assert (np.asarray(line.views()) == seen).all()
            assert line.evaluate() == value


def compare_updates(moves: int, seed: int) -> None:
    """Sums kept up to date against full ones, after so many moves of random games."""
    evaluator = Evaluator(EvalNetwork.from_arrays(random_arrays(seed)))
    done = 0
    while done < moves:
        seed += 1
        position, line = Position(), Walk(evaluator, Position())
        for move in game(seed, 200):
            position.push(move)
            line.push(move)
            assert line.evaluate() == evaluator.evaluate(position)
            done += 1


def compare_kernels(count: int, seed: int, limits: dict[str, int]) -> None:
    arrays = random_arrays(seed, limits)
    evaluators = [Evaluator(EvalNetwork.from_arrays(arrays, kernel)) for kernel in usable_kernels()]
    done = 0
    while done < count:
        seed += 1
        for position in positions(range(seed, seed + 1), 200):
            first, *others = (evaluator.evaluate(position) for evaluator in evaluators)
            assert all(other == first for other in others)
            done += 1


# Weights as large as they may be: sums wrap, and everything is clipped.
LARGEST = {"first": 32767, "first_bias": 32767, "second": 127, "second_bias": 1 << 24, "third": 1 << 14,
           "third_bias": 1 << 24, "output": 1 << 14, "output_bias": 1 << 24}


@pytest.mark.parametrize("limits", [LIMITS, LARGEST], ids=["usual", "largest"])
def test_kernels_agree(limits: dict[str, int]) -> None:
    compare_kernels(600, 100, limits)


def test_updates_are_full_sums_after_many_moves() -> None:
    compare_updates(2000, 200)


@pytest.mark.slow
def test_updates_are_full_sums_after_a_million_moves() -> None:
    compare_updates(1_000_000, 300)


@pytest.mark.slow
@pytest.mark.parametrize("limits", [LIMITS, LARGEST], ids=["usual", "largest"])
def test_kernels_agree_on_many_positions(limits: dict[str, int]) -> None:
    compare_kernels(100_000, 10_000, limits)


def rotated(position: Position) -> Position:
    """The board turned round and the sides exchanged."""
    board, hands, turn, ply = position.placement
    return Position(format_sfen(Placement([piece and piece ^ 16 for piece in reversed(board)], (hands[1], hands[0]),
                                          turn ^ 1, ply)))


def test_sides_are_seen_alike(arrays: Arrays) -> None:
    evaluator = Evaluator(EvalNetwork.from_arrays(arrays))
    for position in positions(range(10, 12)):
        assert evaluator.evaluate(rotated(position)) == evaluator.evaluate(position)


def mirror_image(position: Position) -> Position:
    """File 1 for file 9 and so on."""
    board, hands, turn, ply = position.placement
    return Position(format_sfen(Placement([board[9 * (8 - square // 9) + square % 9] for square in range(81)], hands,
                                          turn, ply)))


@pytest.mark.parametrize("kernel", usable_kernels())
def test_a_mirrored_network_sees_the_mirror_image(arrays: Arrays, kernel: str) -> None:
    network = EvalNetwork.from_arrays(arrays, kernel)
    plain, mirrored = Evaluator(network), Evaluator(network.mirrored())
    differing = 0
    for position in positions(range(12, 14)):
        assert mirrored.evaluate(position) == plain.evaluate(mirror_image(position))
        differing += mirrored.evaluate(position) != plain.evaluate(position)
    assert differing > 100
    assert network.mirrored().kernel == kernel


def test_material_alone_where_a_king_is_missing(arrays: Arrays) -> None:
    evaluator = Evaluator(EvalNetwork.from_arrays(arrays))
    line = Walk(evaluator, Position("4k4/9/9/9/9/9/9/9/9 b P 1"))
    line.push("P*5e")
    assert line.evaluate() == -100


def test_what_each_piece_adds(arrays: Arrays) -> None:
    """Against the position without the piece, where that can be set up."""
    network = EvalNetwork.from_arrays(arrays)
    evaluator = Evaluator(network)
    tried = 0
    for position in positions(range(20, 22), 80)[::7]:
        value, without = value_of(network, position)
        pieces = pieces_of(position)
        assert len(without) == len(pieces)
        assert value + balance(position) == (-1 if position.turn else 1) * evaluator.evaluate(position)
        board, hands, turn, ply = position.placement
        for (_, piece, square, unit), other in zip(pieces, without, strict=True):
            left, held = list(board), (list(hands[0]), list(hands[1]))
            if unit:
                if unit != held[piece >> 4][piece & 15]:
                    continue        # the last unit is the one that goes
                held[piece >> 4][piece & 15] -= 1
            else:
                left[square] = 0
            try:
                fewer = Position(format_sfen(Placement(left, held, turn, ply)))
            except ValueError:      # the king would be taken
                continue
            assert other + balance(fewer) == (-1 if turn else 1) * evaluator.evaluate(fewer)
            tried += 1
    assert tried > 500


@pytest.mark.parametrize(("name", "change", "complaint"), [
    ("second", lambda array: array.astype(np.int16), r"second is int16 of shape \(512, 32\); it has to be int8"),
    ("third", lambda array: array[:31], r"third is int16 of shape \(31, 32\); it has to be int16 of shape \(32, 32\)"),
    ("output", lambda array: array + 20_000, r"output goes up to \d+, beyond 16384"),
    ("output_bias", lambda array: array + (1 << 25), r"output_bias goes up to \d+, beyond 16777216"),
    ("first", lambda array: array + 1, "row 0 of the first layer"),
])
def test_arrays_that_make_no_network(arrays: Arrays, name: str, change: Any, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        EvalNetwork.from_arrays(arrays | {name: change(arrays[name])})


def test_other_misuse(arrays: Arrays) -> None:
    with pytest.raises(ValueError, match="a network's arrays are first, first_bias"):
        EvalNetwork.from_arrays({"kk": np.zeros(3, np.int16)})
    with pytest.raises(ValueError, match=r"'abacus' is no kernel for this processor; it has .*plain"):
        EvalNetwork.from_arrays(arrays, "abacus")
    with pytest.raises(TypeError, match=r"EvalNetwork\.from_arrays"):
        EvalNetwork()
    with pytest.raises(TypeError, match="nothing is evaluated by 'tables'"):
        Evaluator("tables")     # type: ignore[arg-type]
