"""Training records of single positions, with the search's value and the game's result."""
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine import WHITE, Position
from engine.packed import move16, packed
from eval.learning.records import HCPE, PSV
from eval.material import SLOPE

Records = NDArray[Any]      # of eval.learning.records.PSV or HCPE
Samples = NDArray[Any]      # of eval.learning.samples.SAMPLE

LIMIT = 6000                # centipawns: a value beyond is as good as won
BLOCK_GAME = 200            # records taken as one game where the file does not say when a game begins
MAX_SCORE = 27000           # centipawns; larger ones are proven mates, or as good as that


Values = NDArray[np.float64]


def winning_rates(values: NDArray[Any]) -> Values:
    """The winning rates of values in centipawns, which are cut to LIMIT."""
    rates: Values = 1 / (1 + np.exp(-np.clip(values, -LIMIT, LIMIT) / SLOPE))
    return rates


def values_of(rates: Values) -> Values:
    """The values of winning rates, in whole centipawns within LIMIT."""
    values: Values = np.rint(np.clip(SLOPE * np.log(rates / (1 - rates)), -LIMIT, LIMIT))
    return values


class Sample(NamedTuple):
    """A position of a game whose result is not known yet."""

    bits: bytes         # packed as psfen
    turn: int
    score: int          # centipawns, from the side to move
    move: int           # 16 bits; 0: not known
    ply: int


def sample(position: Position, score: int, bestmove: str | None) -> Sample:
    """The sample of a position; mate scores are cut to MAX_SCORE. Raises UserError if a king is missing."""
    return Sample(packed(position), position.turn, max(-MAX_SCORE, min(MAX_SCORE, score)),
                  move16(bestmove) if bestmove else 0, position.move_number)


def records(samples: Iterable[Sample], winner: int | None) -> Records:
    """Samples of one game as an array of PSV; `winner` is BLACK, WHITE, or None for a draw or if it is not known."""
    return np.array([(np.frombuffer(one.bits, np.uint8), one.score, one.move, min(one.ply, 0xFFFF),
                      0 if winner is None else 1 if winner == one.turn else -1, 0) for one in samples], PSV)


def black_results(found: Records) -> NDArray[np.int64]:
    """The game's result for Black of each record (PSV): 1, 0 or -1."""
    results: NDArray[np.int64] = found["game_result"] * np.where(found["sfen"][:, 0] & 1 == WHITE, -1, 1)
    return results              # the first bit of a position is its turn (engine/packed.pxd)


def game_numbers(found: Records) -> NDArray[np.int64]:
    """The game, from 0, of each record: a new one begins where the ply does not rise, or another side wins. Where all
    plies are 0, as hcpe has them, BLOCK_GAME records in a row are taken as one."""
    if found.dtype == HCPE or not found["gamePly"].any():
        return np.arange(len(found)) // BLOCK_GAME
    plies, results = found["gamePly"], black_results(found)
    return np.concatenate([[0], np.cumsum((plies[1:] <= plies[:-1]) | (results[1:] != results[:-1]))])
