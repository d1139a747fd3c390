"""Networks of random weights of both forms, their values computed by NumPy, and random games."""
import struct
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine import WHITE, Position
from eval.features import INVERSE, features_of
from eval.material import balance
from eval.network import SHAPES

Arrays = dict[str, NDArray[Any]]

LIMITS = {"first": 300, "first_bias": 700, "second": 60, "second_bias": 9000, "third": 1000, "third_bias": 500_000,
          "output": 1000, "output_bias": 300_000}
HANDICAP = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"


def random_arrays(seed: int, limits: dict[str, int] = LIMITS, half: bool = False) -> Arrays:
    """Random arrays of a network of K-P, or of HalfKP."""
    rng = np.random.default_rng(seed)
    shapes = {**SHAPES, "first": ("int16", (HALF_KP_ROWS, 256))} if half else SHAPES
    arrays = {name: rng.integers(-limits[name], limits[name], shape, dtype, endpoint=True)
              for name, (dtype, shape) in shapes.items()}
    arrays["first"][::1548 if half else 1710] = 0
    return arrays


def is_half(arrays: Arrays) -> bool:
    return len(arrays["first"]) == HALF_KP_ROWS


# The common form, in the range of learned networks, and as large as no first-layer sum wraps.
COMMON_LIMITS = {"first": 60, "first_bias": 100, "second": 60, "second_bias": 15_000, "third": 60,
                 "third_bias": 9000, "output": 127, "output_bias": 9000}
LARGEST_COMMON = {"first": 750, "first_bias": 1200, "second": 127, "second_bias": 300_000, "third": 127,
                  "third_bias": 100_000, "output": 127, "output_bias": 100_000}
LAYERS = ("Network=AffineTransform[1<-32](ClippedReLU[32](AffineTransform[32<-32](ClippedReLU[32]("
          "AffineTransform[32<-512](InputSlice[512(0:512)])))))")
KP_NAME = f"Features=K+P[1710->256x2],{LAYERS}"
HALF_KP_NAME = f"Features=HalfKP(Friend)[125388->256x2],{LAYERS}"
HALF_KP_ROWS = 81 * 1548


def nnbin(arrays: Arrays, name: str | None = None) -> bytes:
    """An nn.bin of these arrays."""
    if name is None:
        name = HALF_KP_NAME if is_half(arrays) else KP_NAME
    hidden = [arrays["second_bias"].astype("<i4"), arrays["second"].T.astype("i1"),
              arrays["third_bias"].astype("<i4"), arrays["third"].T.astype("i1"),
              arrays["output_bias"].astype("<i4"), arrays["output"].astype("i1")]
    first = [arrays["first_bias"].astype("<i2"), arrays["first"].astype("<i2")]
    return b"".join([struct.pack("<III", 0x7AF32F16, 0x5C6464A9, len(name)), name.encode(),
                     struct.pack("<I", 0x3F5715FF), *(array.tobytes() for array in first),
                     struct.pack("<I", 0x63337156), *(array.tobytes() for array in hidden)])


def common_score(arrays: Arrays, position: Position, fv_scale: int = 16) -> int:
    """The score for the side to move by a network of the common form."""
    seen = views(arrays, position)
    first = np.clip(np.concatenate([seen[position.turn], seen[position.turn ^ 1]]), 0, 127)
    second = np.clip((first @ arrays["second"].astype(int) + arrays["second_bias"]) >> 6, 0, 127)
    third = np.clip((second @ arrays["third"].astype(int) + arrays["third_bias"]) >> 6, 0, 127)
    output = int(third @ arrays["output"].astype(int) + arrays["output_bias"][0])
    return output // fv_scale if output >= 0 else -(-output // fv_scale)


def inputs(position: Position, color: int, half: bool = False) -> NDArray[np.int64]:
    black, white, features = features_of(position)
    seen = np.array([feature for feature in features if feature])
    own, other = (white, black) if color == WHITE else (black, white)
    if color == WHITE:
        seen, own, other = np.take(INVERSE, seen), 80 - own, 80 - other
    return 1548 * own + seen if half else np.array([*seen, 1548 + own, 1629 + other])


def views(arrays: Arrays, position: Position) -> NDArray[np.int64]:
    """The first layer's sums as Black and as White sees them."""
    return np.array([arrays["first"][inputs(position, color, is_half(arrays))].astype(int).sum(0) + arrays["first_bias"]
                     for color in range(2)])


def score(arrays: Arrays, position: Position) -> int:
    """The score for the side to move, computed in integers throughout."""
    seen = views(arrays, position)
    first = np.clip(np.concatenate([seen[position.turn], seen[position.turn ^ 1]]) >> 2, 0, 127)
    second = np.clip((first @ arrays["second"].astype(int) + arrays["second_bias"]) >> 4, 0, 2032)
    third = np.clip((second @ arrays["third"].astype(int) + arrays["third_bias"]) >> 10, 0, 2032)
    output = int(third @ arrays["output"].astype(int) + arrays["output_bias"][0])
    return int(output * 600 / 2080768) + (-balance(position) if position.turn else balance(position))


def game(seed: int, plies: int) -> list[str]:
    """Random moves, in which captures and moves of kings are frequent."""
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


def asked_now_and_then(line: Any, seed: int, reference: Callable[[Position], object],
                       found: Callable[[], object]) -> None:
    """Make moves, passes and undos in random order on `line`, a `tests.probes.Walk`. After some of them compare what is
    found with what is expected of the position."""
    rng, position = Random(seed), Position()
    known = []
    for move in game(seed, 150):
        known.append(reference(position))
        if rng.random() < 0.4:
            assert found() == known[-1]
        if rng.random() < 0.2 and not position.in_check:
            line.pass_turn()
            if rng.random() < 0.5:
                passed = position.copy()
                passed.push_null()
                assert found() == reference(passed)
            line.pop()
        line.push(move)
        position.push(move)
    while known:
        line.pop()
        expected = known.pop()
        if rng.random() < 0.4:
            assert found() == expected
