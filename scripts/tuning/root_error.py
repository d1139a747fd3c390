"""The root error: how far short searches are from deep values; and how two of them compare."""
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, sqrt
from statistics import fmean, variance

from eval.material import SLOPE
from scripts.arena.stats.elo import NORMAL_95
from scripts.tuning.deep_values import DeepValue
from scripts.tuning.root_search import RootValue

MOVE_WEIGHT = 0.1       # of the share of equal moves, against the error, in one figure for both


def winning_rate(value: int) -> float:
    return 1 / (1 + exp(-value / SLOPE))


def error(found: RootValue, deep: DeepValue) -> float:
    """Between the two values, in winning rate."""
    return abs(winning_rate(found.value) - winning_rate(deep.value))


def same_move(found: RootValue, deep: DeepValue) -> float:
    return float(found.move == deep.move)


def loss(found: Sequence[RootValue], deep: Sequence[DeepValue]) -> float:
    """Error and moves missed in one figure, the smaller the better: its mean over the positions."""
    return fmean(error(*pair) - MOVE_WEIGHT * same_move(*pair) for pair in zip(found, deep, strict=True))


@dataclass(frozen=True)
class Mean:
    """A mean over positions, with half of its 95 % interval."""

    mean: float
    half_width: float
    z: float        # the mean by its own standard deviation

    @classmethod
    def of(cls, values: Sequence[float]) -> "Mean":
        """ValueError for fewer than two."""
        if len(values) < 2:
            raise ValueError(f"{len(values)} positions say nothing; give 2 or more")
        mean, deviation = fmean(values), sqrt(variance(values) / len(values))
        return cls(mean, NORMAL_95 * deviation, mean / deviation if deviation else 0.0)


@dataclass(frozen=True)
class RootErrors:
    """What one player's searches come to, position by position."""

    errors: list[float]
    same_moves: list[float]
    depth: float        # mean

    @classmethod
    def of(cls, found: Sequence[RootValue], deep: Sequence[DeepValue]) -> "RootErrors":
        pairs = list(zip(found, deep, strict=True))
        return cls([error(*pair) for pair in pairs], [same_move(*pair) for pair in pairs],
                   fmean(each.depth for each in found))

    def against(self, other: "RootErrors") -> tuple[Mean, Mean]:
        """By how much the error and the share of equal moves are larger than the other's, in percent."""
        def less(mine: list[float], theirs: list[float]) -> Mean:
            return Mean.of([100 * (a - b) for a, b in zip(mine, theirs, strict=True)])
        return less(self.errors, other.errors), less(self.same_moves, other.same_moves)
