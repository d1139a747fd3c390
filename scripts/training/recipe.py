"""What a run of a learner depends on."""
from dataclasses import dataclass

from eval.factors import SHAPES

KPP_SHARE = 1 / 6       # of the other sets' rate: few positions have a KPP weight, and it learns results by heart


@dataclass(frozen=True)
class DataRecipe:
    """What positions a run learns from, and towards what."""

    files: dict[str, int]       # records of each, by name
    books: dict[str, int]       # likewise, of positions that no game has judged
    blend: float                # share of the search's value in the target
    validation: float           # share of the games
    max_value: int              # centipawns; positions beyond, also of their material, are left out
    checks: bool                # whether positions in check are kept
    captures: bool              # … whose best move captures
    threads: int
    seed: int


@dataclass(frozen=True)
class LearningRecipe(DataRecipe):
    """What a run of the tables' learner depends on, beside the number of epochs."""

    init: str                   # checksum of the weights that it starts from, or ""
    rates: dict[str, float]     # in centipawns, by set of weights
    prior: float
    decay: float                # of the rates, by epoch


@dataclass(frozen=True)
class NetworkRecipe(DataRecipe):
    """What a run of the network's learner depends on."""

    epochs: int                 # the rate falls over all of them
    rate: float                 # Adam's, at first; it falls to 0
    batch: int                  # positions to a step
    patience: int               # epochs without a better validation loss after which a run ends
    init: str = ""              # checksum of the weights that it starts from


def rates_of(rate: float, text: str) -> dict[str, float]:
    """The rate of every set: `rate`, of KPP a share of it, or what `name=rate,…` says. ValueError, quoting the item,
    for an unknown name."""
    rates = dict.fromkeys(SHAPES, rate) | {"kpp": rate * KPP_SHARE}
    for item in filter(None, text.split(",")):
        name, _, value = item.partition("=")
        try:
            if name not in rates:
                raise ValueError
            rates[name] = float(value)
        except ValueError:
            raise ValueError(f"{item!r} does not read name=rate with one of {', '.join(SHAPES)}") from None
    return rates
