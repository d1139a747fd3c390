"""Settings of the learners. The defaults are for learning from nothing (docs/LEARNING.md)."""
from dataclasses import dataclass, field
from typing import ClassVar

from eval.tables.factors import SHAPES
from usi.console.settings import COUNT, HELD_OUT, POSITIONS, SEED, SHARE, THREADS, RealRange, WholeRange, setting

KPP_SHARE = 1 / 6       # of the other sets' rate: a KPP weight occurs in few positions and would memorise their results


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """The settings that both learners share."""

    # What may differ when a run is continued.
    free: ClassVar[tuple[str, ...]] = ()
    # Whether the rate falls to 0 at the end, so that the last epoch is kept; otherwise the best one is.
    anneals: ClassVar[bool] = False

    files: dict[str, int]                                   # records of each, by name
    books: dict[str, int] = field(default_factory=dict)     # likewise, for positions without a game's result
    epochs: int = setting("Most epochs to learn.", COUNT, 4)
    blend: float = setting("Share of the search's value in the target.", SHARE, 0.93)
    trace: float = setting("Share of the next position's value in a position's, and of the game's result in the last "
                           "one's: TD(λ). Then --blend 1 adds no more of the result.", HELD_OUT, 0.0, "--td",
                           metavar="LAMBDA", show_default=True)
    validation: float = setting("Share of the games to hold out, at most a million positions.", HELD_OUT, 0.01)
    max_value: int = setting("Skip positions whose search value exceeds this and also differs from the material value "
                             "by more than this.", WholeRange(1, 10**6, "CENTIPAWNS"), 3000)
    checks: bool = setting("Keep positions in check.", None, False)
    captures: bool = setting("Keep positions whose best move captures.", None, False)
    pool: int = setting("Positions to hold in memory at a time, and to shuffle together.", POSITIONS, 1 << 21)
    threads: int = setting("Threads of the learner.", THREADS, 2)
    seed: int = setting("Random seed.", SEED, 1)
    patience: int | None = None
    init: str = ""              # checksum of the weights that it starts from
    teachers: dict[str, float] = field(default_factory=dict)    # share of each in a position's value, by its checksum


@dataclass(frozen=True, kw_only=True)
class NetworkRecipe(Recipe):
    """The settings of the network's learner."""

    anneals = True

    rate: float = setting("Adam's learning rate at first; it falls to 0 over --epochs.",
                          RealRange(0, 10, unit="RATE"), 0.0015)
    batch: int = setting("Positions of a step.", WholeRange(1, 2**24, "POSITIONS"), 512)


@dataclass(frozen=True, kw_only=True)
class TablesRecipe(Recipe):
    """The settings of the tables' learner."""

    free = ("epochs",)          # the rates do not depend on how many are to come

    rates: dict[str, float]     # in centipawns, by set of weights
    blend: float = 0.8
    epochs: int = 2
    decay: float = setting("Factor of the learning rates from epoch to epoch.", SHARE, 0.7)
    prior: float = setting("Squared gradients that a weight begins with.", RealRange(0, 10**9, min_open=True), 30.0)
    patience: int | None = setting("End after this many epochs without a better loss.", COUNT, 2)


def rates_of(rate: float) -> dict[str, float]:
    """The learning rate of every set of weights; KPP's is a share of `rate`."""
    return dict.fromkeys(SHAPES, rate) | {"kpp": rate * KPP_SHARE}
