"""The weights that a run has learnt: quantised, checked against the unrounded ones, and written."""
from pathlib import Path

import numpy as np

from eval.expansion import expand
from eval.factors import SPARSE
from eval.files import write_weights
from eval.learner import Learner, table_values
from eval.quantised import quantise
from eval.samples import loss
from eval.tables import SCALE
from scripts.training.dataset import Samples
from scripts.training.learning import State

CHECKED = 20_000        # validation positions that the quantised weights are checked on


def rounding_bound(threshold: float) -> float:
    """Centipawns by which rounding can change a value at most: half a unit for each of its terms, and for those of the
    sparse sets, which are left out below the threshold, as much as that leaves out."""
    kings = {"kk": 1, "p": 38, "kp": 76, "kp_vector": 76, "kkp": 38}
    terms = {"tempo": 1, **kings, **{f"{name}_turn": count for name, count in kings.items()},
             "pp": 1406, "pp_vector": 1406, "pp_rank": 1406, "kpp": 1406}
    return sum(count * max(0.5, threshold - 0.5 if name in SPARSE else 0) for name, count in terms.items()) / SCALE


def export(learner: Learner, held: Samples, out: Path, threshold: float, note: str, state: State) -> str:
    """Write the quantised weights; what was found when they were checked, as text."""
    factors, tempo = quantise(learner.weights, threshold)
    checked = held[:CHECKED]
    values = learner.values(checked, state.recipe.threads)
    rounded = table_values(checked, *expand(factors), tempo)
    difference = np.abs(rounded - values)
    bound = rounding_bound(threshold)
    if difference.max() > bound:
        raise ValueError(f"the quantised weights are off by {difference.max():.2f} centipawns, and rounding can make "
                         f"{bound:.2f} only: a weight numbered wrongly?")
    write_weights(out, factors, tempo, note)
    losses = " -> ".join(f"{loss(each, checked, state.recipe.blend):.5f}" for each in (values, rounded))
    return (f"{out}: {out.stat().st_size / 1e6:.1f} MB, "
            + ", ".join(f"{len(factors[f'{name}_value'])} of {name}" for name in SPARSE)
            + f"\nquantised against unrounded on {len(checked)} positions: at most {difference.max():.2f} centipawns "
            f"off (bound {bound:.0f}), mean {difference.mean():.2f}; loss {losses}")


def describe(state: State, samples: int) -> str:
    """How the weights were trained, for the weights file."""
    recipe = state.recipe
    training, validation = state.curve[-1]
    names = ", ".join([*recipe.files, *recipe.books])
    return (f"{samples} positions of {names}; {len(state.curve)} epochs, blend {recipe.blend}; loss {training:.5f}, "
            f"validation {validation:.5f}, material {state.material:.5f}"
            + (f"; from {recipe.init[:16]}" if recipe.init else ""))
