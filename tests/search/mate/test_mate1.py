"""Mate in one against playing every move: none missed, none invented."""
from random import Random

import pytest

from engine import STARTPOS_SFEN, Position
from search.mate import mate_in_1
from tests.engine.conftest import table
from tests.references import mates

LENGTH_OF_WALK = 60


def mates_by_playing(position: Position) -> set[str]:
    mates = set()
    for move in position.legal_moves():
        if position.gives_check(move):
            position.push(move)
            if position.is_mate():
                mates.add(move)
            position.pop()
    return mates


def check_walk(start: str, rng: Random) -> int:
    """Compare on every position along a random game with many checks and drops; how many were mates."""
    position = Position(start)
    found = 0
    for _ in range(LENGTH_OF_WALK):
        moves = position.legal_moves()
        if not moves:
            break
        checks = [move for move in moves if position.gives_check(move)]
        mates, answer = mates_by_playing(position), mate_in_1(position)
        assert answer in mates if mates else answer is None, position.sfen
        found += bool(mates)
        drops = [move for move in moves if "*" in move]
        position.push(rng.choice(rng.choice([moves, moves, checks or moves, drops or moves])))
    return found


def test_on_random_games_from_every_kind_of_start() -> None:
    header, rows = table("perft.tsv")
    starts = [row[header.index("sfen")] for row in rows]
    rng = Random(1)
    assert sum(check_walk(start, rng) for start in 2 * [*starts, STARTPOS_SFEN]) > 50


def test_on_mates_of_known_length_and_games_from_them() -> None:
    for plies, sfens in mates().items():
        for sfen in sfens:
            assert (mate_in_1(Position(sfen)) is not None) == (plies == 1), sfen
    rng = Random(2)
    assert sum(check_walk(sfen, rng) for sfens in mates().values() for sfen in sfens) > 100


@pytest.mark.parametrize(("sfen", "expected"), [
    pytest.param("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b", id="gold on the head"),
    pytest.param("4k4/9/4p4/9/9/9/9/9/4K4 b G 1", "", id="unguarded, the king takes it"),
    pytest.param("3gk4/9/4P4/9/9/9/9/9/4K4 b G 1", "", id="a gold takes it"),
    pytest.param("R2gk4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b", id="not if pinned"),
    pytest.param("7lk/7p1/9/7N1/9/9/9/9/4K4 b P 1", "", id="no mate by a dropped pawn"),
    pytest.param("7lk/7p1/9/7N1/9/9/9/9/4K4 b Lp 1", "L*1b", id="by a dropped lance"),
    pytest.param("7lk/7p1/8P/7N1/9/9/9/9/4K4 b - 1", "1c1b 1c1b+ 2d1b+", id="by a pawn that moves"),
    pytest.param("8k/5pppl/9/9/9/9/9/9/4K4 b Rp 1", "R*3a R*4a R*5a", id="pawns on every file shut a pawn out"),
    pytest.param("8k/5p1pl/6p2/9/9/9/9/9/4K4 b Rps 1", "", id="a silver comes between"),
    pytest.param("3lkl3/3p1p3/9/9/4K4/9/9/9/4R4 b - 1", "5e4d 5e4e 5e4f 5e6d 5e6e 5e6f", id="discovered by the king"),
    pytest.param("4k4/4r4/3G1G3/9/9/9/9/9/4K4 b - 1", "4c5b 6c5b", id="in check, by taking the piece that gives it"),
    pytest.param("3lkl3/3p1p3/9/3s5/4K4/9/9/9/4R4 b - 1", "5e6d", id="in check, by the king that takes it"),
    pytest.param("4k4/9/4P4/4r4/9/9/9/9/4K4 b G 1", "", id="in check, where a mate would not end it"),
    pytest.param("3lkl3/3p1p3/9/9/4K4/9/9/9/4R4 b p 1", "", id="… of no use if anything can come between"),
])
def test_known(sfen: str, expected: str) -> None:
    position = Position(sfen)
    assert mates_by_playing(position) == set(expected.split())
    answer = mate_in_1(position)
    assert answer in expected.split() if expected else answer is None
