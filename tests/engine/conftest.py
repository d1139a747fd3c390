"""For the tests of the core: tables of cases, start positions, and random play with many captures and checks."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from engine import Position

DATA = Path(__file__).parent / "data"

Choose = Callable[[Position, list[str], Random], str]


def table(name: str) -> tuple[tuple[str, ...], list[list[str]]]:
    """The rows of a file in data/, for `each`. Their cells are the arguments named in its header line. Lines that start
    with `#` are comments."""
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    header, *rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return tuple(header), rows


@pytest.fixture(scope="session")
def start_sfens() -> list[str]:
    """The SFENs from which random walks begin: the start position, handicaps and the others of perft.tsv."""
    header, rows = table("perft.tsv")
    return [row[header.index("sfen")] for row in rows]


@pytest.fixture(scope="session")
def choose() -> Choose:
    """A random move, with drops and checks more often than by chance."""

    def choose(position: Position, moves: list[str], rng: Random) -> str:
        taste = rng.random()
        if taste < 0.1:
            rare = [move for move in moves if "*" in move]
        elif taste < 0.2:
            rare = [move for move in moves if position.gives_check(move)]
        else:
            rare = []
        return rng.choice(rare or moves)

    return choose


@pytest.fixture(scope="session")
def varied_sfens(start_sfens: list[str], choose: Choose) -> list[str]:
    """A thousand positions, or a few more, along random walks from every start."""
    rng = Random(2)
    sfens = []
    for start in start_sfens:
        position = Position(start)
        for ply in range(44):
            moves = position.legal_moves()
            if not moves:
                break
            if ply % 4 == 0:
                sfens.append(position.sfen)
            position.push(choose(position, moves, rng))
    return sfens
