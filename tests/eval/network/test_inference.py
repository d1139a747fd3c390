"""The network that plays: values against NumPy, kernels against plain loops."""
import math
from typing import Any

import numpy as np
import pytest

from engine import Position
from engine.sfen import Placement, flip_sfen, format_sfen
from eval.evaluator import Evaluator
from eval.features import pieces_of
from eval.material import balance
from eval.network import COMMON, OURS, SHAPES, EvalNetwork, Form, usable_kernels, value_of
from tests.faults import refused
from tests.networks import LIMITS, Arrays, positions, random_arrays, score


@pytest.fixture(scope="module")
def arrays() -> Arrays:
    return random_arrays(1)


def test_values_are_those_of_the_layers(arrays: Arrays) -> None:
    evaluator = Evaluator(EvalNetwork.from_arrays(arrays))
    for position in positions(range(3)):
        assert evaluator.evaluate(position) == score(arrays, position)


# Weights as large as they may be: sums wrap, and everything is clipped.
LARGEST = {"first": 32767, "first_bias": 32767, "second": 127, "second_bias": 1 << 24, "third": 1 << 14,
           "third_bias": 1 << 24, "output": 1 << 14, "output_bias": 1 << 24}


@pytest.mark.parametrize(("count", "seed"), [(600, 100), pytest.param(100_000, 10_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("limits", [LIMITS, LARGEST], ids=["usual", "largest"])
def test_kernels_agree(count: int, seed: int, limits: dict[str, int]) -> None:
    arrays = random_arrays(seed, limits)
    evaluators = [Evaluator(EvalNetwork.from_arrays(arrays, kernel)) for kernel in usable_kernels()]
    done = 0
    while done < count:
        seed += 1
        for position in positions(range(seed, seed + 1), 200):
            first, *others = (evaluator.evaluate(position) for evaluator in evaluators)
            assert all(other == first for other in others)
            done += 1


@pytest.mark.parametrize("form", [OURS, COMMON, COMMON.with_unit(3), COMMON.with_unit(128)])
def test_quotients_are_exact_where_they_are_whole(form: Form) -> None:
    """Networks that give one output everywhere."""
    arrays = {name: np.zeros(shape, dtype) for name, (dtype, shape) in SHAPES.items()}
    step = form.unit // math.gcd(form.slope, form.unit)
    for times in (1, 2, 3, 7, 41, 63, form.largest["output_bias"] // step - 1):
        for output in range(times * step - 1, times * step + 2):
            for sign in (1, -1):
                arrays["output_bias"][0] = sign * output
                value = sign * (output * form.slope // form.unit)
                evaluator = Evaluator(EvalNetwork.from_arrays(arrays, form=form))
                assert evaluator.evaluate(Position()) == max(-27000, min(value, 27000))


def test_sides_are_seen_alike(arrays: Arrays) -> None:
    evaluator = Evaluator(EvalNetwork.from_arrays(arrays))
    for position in positions(range(10, 12)):
        assert evaluator.evaluate(Position(flip_sfen(position.sfen))) == evaluator.evaluate(position)


def test_what_each_piece_adds(arrays: Arrays) -> None:
    """Compared with the position without the piece, where that is possible."""
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


@pytest.mark.parametrize(("name", "change", "fault"), [
    ("second", lambda array: array.astype(np.int16),
     refused(name="second", found="int16", shape=(512, 32), dtype="int8", wanted=(512, 32))),
    ("third", lambda array: array[:31],
     refused(name="third", found="int16", shape=(31, 32), dtype="int16", wanted=(32, 32))),
    ("output", lambda array: array + 20_000, refused(name="output", largest=..., most=16384)),
    ("output_bias", lambda array: array + (1 << 25), refused(name="output_bias", largest=..., most=16777216)),
    ("first", lambda array: array + 1, refused(about="first")),
])
def test_arrays_that_make_no_network(arrays: Arrays, name: str, change: Any, fault: refused) -> None:
    with fault:
        EvalNetwork.from_arrays(arrays | {name: change(arrays[name])})


def test_other_misuse(arrays: Arrays) -> None:
    with refused(shapes=..., arrays=...):
        EvalNetwork.from_arrays({"kk": np.zeros(3, np.int16)})
    with refused(name="abacus", usable=...):
        EvalNetwork.from_arrays(arrays, "abacus")
    with pytest.raises(TypeError, match=r"EvalNetwork\.from_arrays"):
        EvalNetwork()
    with pytest.raises(TypeError, match="nothing is evaluated by 'tables'"):
        Evaluator("tables")     # type: ignore[arg-type]
