"""The tables as the model of a run (scripts/training/run.py)."""
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import UserError
from eval.files import TABLES, Weights, write_weights
from eval.learning.learner import Learner, table_values
from eval.learning.quantised import Floats, dense, quantise_tables
from eval.tables import SCALE
from eval.tables.expansion import expand
from eval.tables.factors import SPARSE
from scripts.training.recipe import TablesRecipe
from scripts.training.run import losses, told
from scripts.training.samples import Samples, Values

CHECKED = 20_000        # positions kept apart that the quantised weights are checked on


class TablesModel:
    begins_from: tuple[str, ...] = (TABLES,)
    batch = 1

    def __init__(self, recipe: TablesRecipe, threshold: float = 1) -> None:
        """`export` writes only weights of at least `threshold` (in 1 / SCALE centipawn) in the sparse sets."""
        self.recipe = recipe
        self.threshold = threshold
        self.learner = Learner()
        self.kept: Floats | None = None         # takes no memory until `keep` is called

    def begin(self, weights: Weights) -> None:
        self.learner.weights[:] = dense(weights.arrays, weights.tempo)

    def train(self, samples: Samples, order: NDArray[np.uint32], begin: float, end: float) -> float:
        recipe = self.recipe
        rates = {name: rate * recipe.decay ** int(begin) for name, rate in recipe.rates.items()}
        return self.learner.train(samples, order, rates, recipe.blend, recipe.prior, recipe.threads)

    def values(self, samples: Samples) -> Values:
        return self.learner.values(samples, self.recipe.threads)

    def keep(self) -> None:
        self.kept = self.learner.weights.copy()

    def recall(self) -> None:
        if self.kept is not None:
            self.learner.weights[:] = self.kept

    def arrays(self) -> dict[str, Any]:
        weights, squares = self.learner.weights, self.learner.squares
        # These numbers cover the kept weights, too: a weight that has ever changed has squares.
        numbers = np.flatnonzero((squares != 0) | (weights != 0)).astype(np.uint32)
        kept = {} if self.kept is None else {"kept": self.kept[numbers]}
        return {"numbers": numbers, "weights": weights[numbers], "squares": squares[numbers], **kept}

    def restore(self, arrays: Mapping[str, Any]) -> None:
        numbers = arrays["numbers"]
        if any(arrays[name].shape != numbers.shape for name in ("weights", "squares", "kept") if name in arrays):
            raise ValueError("arrays of different shapes")
        self.learner.weights[numbers] = arrays["weights"]
        self.learner.squares[numbers] = arrays["squares"]
        if "kept" in arrays:
            self.kept = np.zeros_like(self.learner.weights)
            self.kept[numbers] = arrays["kept"]

    def export(self, held: Samples, out: Path, note: str) -> str:
        factors, tempo = quantise_tables(self.learner.weights, self.threshold)
        checked = held[:CHECKED]
        values = self.values(checked)
        rounded = table_values(checked, *expand(factors), tempo)
        difference = np.abs(rounded - values)
        bound = rounding_bound(self.threshold)
        if difference.max() > bound:
            raise UserError("the quantised weights are off by {most:.2f} centipawns, and rounding can make "
                            "{bound:.2f} only: a weight numbered wrongly?", most=difference.max(), bound=bound)
        write_weights(out, factors, tempo, note)
        return (f"{out}: {out.stat().st_size / 1e6:.1f} MB, "
                + ", ".join(f"{len(factors[f'{name}_value'])} of {name}" for name in SPARSE)
                + f"\nquantised against unrounded on {len(checked)} positions: at most {difference.max():.2f} "
                f"centipawns off (bound {bound:.0f}), mean {difference.mean():.2f}\nunrounded: "
                f"{told(losses(values, checked))}\nquantised: {told(losses(rounded, checked))}")


def rounding_bound(threshold: float) -> float:
    """The most centipawns by which rounding can change a value: half a unit for each term; in a sparse set, whose
    weights below the threshold are dropped, up to the threshold less half a unit."""
    kings = {"kk": 1, "p": 38, "kp": 76, "kp_vector": 76, "kkp": 38}
    terms = {"tempo": 1, **kings, **{f"{name}_turn": count for name, count in kings.items()},
             "pp": 1406, "pp_vector": 1406, "pp_rank": 1406, "kpp": 1406}
    return sum(count * max(0.5, threshold - 0.5 if name in SPARSE else 0) for name, count in terms.items()) / SCALE
