"""What a run of a learner depends on. The defaults are those for learning from nothing (docs/LEARNING.md)."""
from dataclasses import dataclass, field
from typing import ClassVar

from eval.tables.factors import SHAPES

KPP_SHARE = 1 / 6       # of the other sets' rate: few positions have a KPP weight, and it learns results by heart


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """What either learner's run depends on."""

    # What may differ when a run is continued.
    free: ClassVar[tuple[str, ...]] = ()
    # Whether the rate falls to 0 at the end, so that the last epoch is the one to keep; otherwise the best one is.
    anneals: ClassVar[bool] = False

    files: dict[str, int]                                   # records of each, by name
    books: dict[str, int] = field(default_factory=dict)     # likewise, of positions that no game has judged
    blend: float = 0.93         # share of the search's value in the target
    trace: float = 0.0          # share of the next position's value in a position's, of the file's games: TD(λ)
    validation: float = 0.01    # share of the games
    max_value: int = 3000       # centipawns; positions beyond, also of their material, are left out
    checks: bool = False        # whether positions in check are kept
    captures: bool = False      # … whose best move captures
    pool: int = 1 << 21         # records that are in memory at a time, and shuffled together
    epochs: int = 4
    patience: int | None = None     # epochs without a better validation loss after which a run ends
    threads: int = 2
    seed: int = 1
    init: str = ""              # checksum of the weights that it starts from
    teachers: dict[str, float] = field(default_factory=dict)    # share of each in a position's value, by its checksum


@dataclass(frozen=True, kw_only=True)
class NetworkRecipe(Recipe):
    """… of the network's learner."""

    anneals = True

    rate: float = 0.0015        # Adam's, at first; it falls to 0 over all epochs
    batch: int = 512            # positions to a step


@dataclass(frozen=True, kw_only=True)
class TablesRecipe(Recipe):
    """… of the tables' learner."""

    free = ("epochs",)          # the rates do not depend on how many are to come

    rates: dict[str, float]     # in centipawns, by set of weights
    blend: float = 0.8
    epochs: int = 2
    prior: float = 30.0         # squared gradients that a weight begins with
    decay: float = 0.7          # of the rates, by epoch
    patience: int | None = 2


def rates_of(rate: float) -> dict[str, float]:
    """The rate of every set, of KPP a share of `rate`."""
    return dict.fromkeys(SHAPES, rate) | {"kpp": rate * KPP_SHARE}
