"""A run of the network's learner: epoch after epoch, with a checkpoint after each to continue from, and its result."""
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from eval.files import NETWORK, read_weights, write_weights
from eval.network import EvalNetwork
from eval.network_learner import NetworkLearner, floats_of, largest_sum, network_values, quantise
from eval.samples import loss
from scripts.training.dataset import Data, Samples, load
from scripts.training.recipe import NetworkRecipe

BLENDS = {"score": 1.0, "both": 0.6, "result": 0.0}     # losses are told against these shares of the search's value
JUDGED = 1                  # of them, the one by which an epoch is better than another
WRAPS = 1 << 15             # sums of the first layer have to stay below
BOUND = 250                 # centipawns that quantisation may change a value by; of the packaged network, 105 at most
MEAN_BOUND = 15             # … on the average
REPORT = 500_000            # positions between two lines of progress


@dataclass
class Epoch:
    """What an epoch came to: its training loss, against the run's own target, and the validation losses of BLENDS."""

    training: float
    validation: list[float]


@dataclass
class NetworkState:
    """Where a run stands, its parameters apart."""

    recipe: NetworkRecipe
    material: list[float] = field(default_factory=list)     # the validation losses of material alone
    curve: list[Epoch] = field(default_factory=list)

    @property
    def best(self) -> int:
        """The epoch, from 0, with the least validation loss."""
        return min(range(len(self.curve)), key=lambda epoch: self.curve[epoch].validation[JUDGED])

    @property
    def ended(self) -> bool:
        epochs = len(self.curve)
        return epochs >= self.recipe.epochs or (epochs > 0 and epochs - 1 - self.best >= self.recipe.patience)

    def save(self, path: Path, learner: NetworkLearner, kept: Any) -> None:
        """`kept` are the parameters of the best epoch."""
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(path.name + ".new")
        with fresh.open("wb") as file:
            np.savez(file, state=np.array(json.dumps(asdict(self))), parameters=learner.parameters, kept=kept,
                     means=learner.means, squares=learner.squares, steps=learner.steps)
        fresh.replace(path)     # at no moment is there half a file

    @classmethod
    def load(cls, path: Path, learner: NetworkLearner) -> tuple["NetworkState", Any]:
        """The state, and the best epoch's parameters. ValueError if the file is no checkpoint."""
        try:
            with np.load(path) as stored:
                state = json.loads(str(stored["state"]))
                learner.begin(stored["parameters"])
                learner.means[:] = stored["means"]
                learner.squares[:] = stored["squares"]
                learner.steps = int(stored["steps"])
                kept = stored["kept"][()]
            return cls(NetworkRecipe(**state["recipe"]), state["material"],
                       [Epoch(**epoch) for epoch in state["curve"]]), kept
        except (KeyError, IndexError, TypeError, ValueError, EOFError) as error:
            raise ValueError(f"{path} is no checkpoint of this learner ({error}); name another, or delete it") from None


def start(recipe: NetworkRecipe, checkpoint: Path, init: Path | None,
          learner: NetworkLearner) -> tuple[NetworkState, Any]:
    """From the checkpoint, if there is one, with the best epoch's parameters; else from `init` or nothing. ValueError
    if it is of another run, or `init` is not what the recipe says."""
    if not checkpoint.exists():
        if init:
            weights = read_weights(init)
            if weights.features != NETWORK or weights.checksum != recipe.init:
                raise ValueError(f"{init} is no network, or has changed; name one that this learner has written")
            learner.begin(floats_of(weights.arrays))
        return NetworkState(recipe), None
    state, kept = NetworkState.load(checkpoint, learner)
    differing = [name for name, value in asdict(recipe).items() if asdict(state.recipe)[name] != value]
    if differing:
        raise ValueError(f"{checkpoint} is of a run that differs in {', '.join(differing)}; name another file, "
                         "or delete it")
    return state, kept


def learn(recipe: NetworkRecipe, files: Sequence[Path], books: Sequence[Path], checkpoint: Path,
          init: Path | None = None, out: Path | None = None, report: int = REPORT) -> None:
    """A run of the recipe from its checkpoint, `init` or nothing to its end, with `out` written. Prints how it goes.
    ValueError as `start`, `load` and `export` have it."""
    learner = NetworkLearner(recipe.seed)
    state, kept = start(recipe, checkpoint, init, learner)
    data = load(files, books, recipe)
    kept = run(state, learner, kept, data.training, data.held, report, checkpoint)
    print(*curve_lines(state), *file_lines(kept, data, recipe.threads), sep="\n")
    if out:
        print(export(kept, data.held, out, describe(state, len(data.training))))


def losses(values: Any, samples: Samples) -> list[float]:
    return [loss(values, samples, blend) for blend in BLENDS.values()]


def told(values: list[float]) -> str:
    return ", ".join(f"{name} {value:.5f}" for name, value in zip(BLENDS, values, strict=True))


def train(state: NetworkState, learner: NetworkLearner, samples: Samples, report: int) -> float:
    """One epoch; the mean training loss. Prints it on the way, after every `report` positions or so."""
    recipe, epoch = state.recipe, len(state.curve)
    rng = np.random.default_rng([recipe.seed, epoch])
    order = rng.permutation(len(samples)).astype(np.uint32)
    mirrored = rng.integers(0, 2, len(samples), np.uint8)
    batches = -(-len(order) // recipe.batch)
    rates = recipe.rate * (1 - (epoch + np.arange(batches) / batches) / recipe.epochs)
    report = -(-report // recipe.batch)
    began, total = time.monotonic(), 0.0
    for first in range(0, batches, report):
        start, end = first * recipe.batch, min((first + report) * recipe.batch, len(order))
        mean = learner.train(samples, order[start:end], mirrored[start:end], rates[first : first + report],
                             recipe.blend, recipe.batch, recipe.threads)
        total += mean * (end - start)
        print(f"epoch {epoch + 1}: {end} of {len(order)} positions, training loss {mean:.5f}, "
              f"{1e6 * (time.monotonic() - began) / end:.1f} µs a position", flush=True)
    return total / len(order)


def run(state: NetworkState, learner: NetworkLearner, kept: Any, samples: Samples, held: Samples, report: int,
        checkpoint: Path) -> Any:
    """Train to the end of the run, saving after each epoch; the best epoch's parameters, of which `kept` are those of
    the epochs before."""
    state.material = losses(held["material"].astype(float), held)
    print(f"{len(samples)} positions for training, {len(held)} for validation; losses of material alone: "
          f"{told(state.material)}", flush=True)
    while not state.ended:
        training = train(state, learner, samples, report)
        state.curve.append(Epoch(training, losses(learner.values(held, state.recipe.threads), held)))
        if state.best == len(state.curve) - 1:
            kept = learner.parameters.copy()
        state.save(checkpoint, learner, kept)
        print(f"epoch {len(state.curve)}: training loss {training:.5f}, validation: "
              f"{told(state.curve[-1].validation)}", flush=True)
    return kept


def curve_lines(state: NetworkState) -> Iterator[str]:
    """The validation losses, epoch by epoch; the best is marked."""
    yield f"epoch  training  {'  '.join(f'{name:7}' for name in BLENDS)}"
    yield f"material         {'  '.join(f'{value:.5f}' for value in state.material)}"
    for number, epoch in enumerate(state.curve):
        yield (f"{number + 1:5}   {epoch.training:.5f}  {'  '.join(f'{value:.5f}' for value in epoch.validation)}"
               f"{' *' if number == state.best else ''}")


def file_lines(parameters: Any, data: Data, threads: int) -> Iterator[str]:
    """The validation losses, file by file, beside those of material alone."""
    learner = NetworkLearner()
    learner.begin(parameters)
    values = learner.values(data.held, threads)
    start = 0
    for name, count in data.held_of.items():
        part = slice(start, start + count)
        start += count
        if count:
            own = losses(values[part], data.held[part])
            material = losses(data.held[part]["material"].astype(float), data.held[part])
            yield f"{name}, {count} positions: {told(own)}; material alone: {told(material)}"


def describe(state: NetworkState, samples: int) -> str:
    """How the network was trained, for the weights file."""
    recipe, best = state.recipe, state.curve[state.best]
    return (f"{samples} positions of {', '.join([*recipe.files, *recipe.books])}; epoch {state.best + 1} of "
            f"{recipe.epochs}, blend {recipe.blend}; validation: {told(best.validation)}; material alone: "
            f"{told(state.material)}" + (f"; from {recipe.init[:16]}" if recipe.init else ""))


def export(parameters: Any, held: Samples, out: Path, note: str) -> str:
    """Write the quantised network; what was found when it was checked on positions kept apart, as text. ValueError if
    it says something else than the floats do, or its sums may wrap."""
    floats = NetworkLearner()
    floats.begin(parameters)
    arrays = quantise(parameters)
    largest = largest_sum(arrays)
    if largest >= WRAPS:
        raise ValueError(f"the first layer's sums can come to {largest}, and 16 bits hold {WRAPS - 1}")
    values = floats.values(held)
    rounded = network_values(held, EvalNetwork.from_arrays(arrays)).astype(float)
    difference = np.abs(rounded - values)
    if difference.max() > BOUND or difference.mean() > MEAN_BOUND:
        raise ValueError(f"the quantised network is off by {difference.max():.0f} centipawns at most and by "
                         f"{difference.mean():.1f} on the average, beyond {BOUND} and {MEAN_BOUND}")
    write_weights(out, arrays, 0, note, NETWORK)
    return (f"{out}: {out.stat().st_size / 1e6:.2f} MB\nquantised against floats on {len(held)} positions: at most "
            f"{difference.max():.1f} centipawns off, mean {difference.mean():.2f}\nfirst layer's sums: {largest} at "
            f"most\nfloats: {told(losses(values, held))}\nquantised: {told(losses(rounded, held))}")
