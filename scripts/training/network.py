"""The network as the model of a run (scripts/training/run.py)."""
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import UserError
from eval.files import NETWORK, Weights, write_weights
from eval.learning.folded_material import with_material
from eval.learning.network_learner import NetworkLearner, network_values
from eval.learning.quantised_network import floats_of, quantise_network
from eval.network import COMMON, OURS, EvalNetwork, largest_sum
from eval.network.nnbin import KP, write_nnbin
from scripts.training.recipe import NetworkRecipe
from scripts.training.run import losses, told
from scripts.training.samples import Samples, Values

NN_BIN = {"nn_bin": True}   # in a checkpoint of a network in the form of an nn.bin
WRAPS = 1 << 15             # the first layer's sums have to stay below this
MOST_STEPS = (1 << 31) - 1  # of the learner's counter
BOUND = 250                 # most centipawns by which quantisation may change a value; the packaged network: 75
MEAN_BOUND = 15             # most on average; twice that for an nn.bin, whose activations are coarser


class NetworkModel:
    """A network in our own form or, if `common`, in the form of other engines' nn.bin files."""

    def __init__(self, recipe: NetworkRecipe, common: bool = False) -> None:
        self.recipe = recipe
        self.batch = recipe.batch
        self.form = COMMON if common else OURS
        self.begins_from: tuple[str, ...] = (NETWORK, KP) if common else (NETWORK,)
        self.learner = NetworkLearner(recipe.seed, self.form)
        if common:
            self.learner.begin(with_material(self.learner.parameters))
        self.kept = self.learner.parameters.copy()

    def begin(self, weights: Weights) -> None:
        if weights.features == KP:
            self.learner.begin(floats_of(weights.arrays, COMMON))
        else:
            ours = floats_of(weights.arrays)
            self.learner.begin(ours if self.form is OURS else with_material(ours))

    def begin_with_mean(self, several: Sequence[Weights]) -> None:
        """Start from the mean of networks of this engine's kind. Raises UserError as NetworkLearner.begin does."""
        floats = [floats_of(weights.arrays) for weights in several]
        mean = floats[0].copy()
        for name in mean.dtype.names:
            mean[name] = np.mean([each[name] for each in floats], axis=0)
        self.learner.begin(mean)

    def train(self, samples: Samples, order: NDArray[np.uint32], begin: float, end: float) -> float:
        recipe = self.recipe
        batches = -(-len(order) // recipe.batch)
        epochs = begin + (end - begin) * np.arange(batches) / batches
        return self.learner.train(samples, order, recipe.rate * (1 - epochs / recipe.epochs), recipe.blend,
                                  recipe.batch, recipe.threads)

    def values(self, samples: Samples) -> Values:
        return self.learner.values(samples, self.recipe.threads)

    def keep(self) -> None:
        self.kept = self.learner.parameters.copy()

    def recall(self) -> None:
        self.learner.begin(self.kept)

    def arrays(self) -> dict[str, Any]:
        return {"parameters": self.learner.parameters, "kept": self.kept, "means": self.learner.means,
                "squares": self.learner.squares, "steps": self.learner.steps} | ({} if self.form is OURS else NN_BIN)

    def restore(self, arrays: Mapping[str, Any]) -> None:
        if ("nn_bin" in arrays) == (self.form is OURS):
            raise ValueError("its network is " + ("no nn.bin" if self.form is COMMON else "an nn.bin"))
        for name, own in (("means", self.learner.means), ("squares", self.learner.squares)):
            if arrays[name].shape != own.shape:
                raise ValueError(f"{name} of the shape {arrays[name].shape}")
        self.learner.begin(arrays["parameters"])
        self.learner.means[:] = arrays["means"]
        self.learner.squares[:] = arrays["squares"]
        steps = int(arrays["steps"])
        if not 0 <= steps <= MOST_STEPS:
            raise ValueError(f"{steps} steps")
        self.learner.steps = steps
        self.kept = arrays["kept"][()]

    def _rounded(self, arrays: Mapping[str, NDArray[Any]], held: Samples) -> Values:
        return network_values(held, EvalNetwork.from_arrays(arrays, form=self.form)).astype(float)

    def _center(self, arrays: dict[str, NDArray[Any]], held: Samples, values: Values) -> None:
        """Shift the output's bias so that the mover's values are right on average. Rounding alone has shifted them by
        up to 15 centipawns."""
        mover = np.where(held["turn"] == 0, 1, -1)
        shift = float(np.mean((self._rounded(arrays, held) - values) * mover)) if len(held) else 0.0
        arrays["output_bias"] -= round(shift * self.form.unit / self.form.slope)

    def export(self, held: Samples, out: Path, note: str) -> str:
        """Write the weights file. Also raises UserError if the sums of a layer may wrap."""
        arrays = quantise_network(self.learner.parameters, self.form)
        largest = largest_sum(arrays)
        if largest >= WRAPS:
            raise UserError("the first layer's sums can come to {largest}, and 16 bits hold {most}", largest=largest,
                            most=WRAPS - 1)
        values = self.values(held)
        self._center(arrays, held, values)
        rounded = self._rounded(arrays, held)
        difference = np.abs(rounded - values)
        mean_bound = MEAN_BOUND if self.form is OURS else 2 * MEAN_BOUND
        if difference.max() > BOUND or difference.mean() > mean_bound:
            raise UserError("the quantised network is off by {most:.0f} centipawns at most and by {mean:.1f} on the "
                            "average, beyond {bound} and {mean_bound}", most=difference.max(), mean=difference.mean(),
                            bound=BOUND, mean_bound=mean_bound)
        if self.form is OURS:
            write_weights(out, arrays, 0, note, NETWORK)
        else:
            write_nnbin(out, arrays)
        return (f"{out}: {out.stat().st_size / 1e6:.2f} MB\nquantised against floats on {len(held)} positions: at most "
                f"{difference.max():.1f} centipawns off, mean {difference.mean():.2f}\nfirst layer's sums: {largest} "
                f"at most\nfloats: {told(losses(values, held))}\nquantised: {told(losses(rounded, held))}")
