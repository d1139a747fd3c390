"""A slider's attacks, by each of the lookups that a build may choose (GAKUSHI_SLIDERS in setup.py)."""
from random import Random

import pytest

from tests.probes import sliding_attacks

BLACK, WHITE = 0, 1
BISHOP, ROOK, HORSE, DRAGON = 5, 6, 13, 14
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
SLIDES = {BISHOP: DIAGONAL, ROOK: STRAIGHT, HORSE: DIAGONAL, DRAGON: STRAIGHT}
STEPS = {BISHOP: [], ROOK: [], HORSE: STRAIGHT, DRAGON: DIAGONAL}


def walked(kind: int, square: int, occupied: int) -> int:
    attacked = 0
    for files, ranks, reach in [*((*way, 8) for way in SLIDES[kind]), *((*way, 1) for way in STEPS[kind])]:
        for distance in range(1, reach + 1):
            file, rank = square // 9 + files * distance, square % 9 + ranks * distance
            if not (0 <= file < 9 and 0 <= rank < 9):
                break
            attacked |= 1 << (9 * file + rank)
            if occupied >> (9 * file + rank) & 1:
                break
    return attacked


@pytest.mark.parametrize("kind", SLIDES)
def test_each_lookup_finds_what_a_walk_along_the_lines_finds(kind: int) -> None:
    rng = Random(kind)
    for square in range(81):
        for pieces in (0, 1 << square, (1 << 81) - 1, *(rng.getrandbits(81) & rng.getrandbits(81) for _ in range(20)),
                       *(rng.getrandbits(81) for _ in range(10))):
            for color in (BLACK, WHITE):
                assert sliding_attacks(color, kind, square, pieces) == [walked(kind, square, pieces)] * 3
