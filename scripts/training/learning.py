"""A run of the learner: epoch after epoch, with a checkpoint after each to continue from."""
import json
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from eval.factors import SHAPES
from eval.learner import Learner
from eval.samples import loss
from scripts.training.dataset import Samples
from scripts.training.recipe import LearningRecipe


@dataclass
class State:
    """Where a run stands, its weights apart."""

    recipe: LearningRecipe
    material: float = 0.0       # the validation loss of material alone
    curve: list[tuple[float, float]] = field(default_factory=list)      # losses by epoch: training, validation

    def save(self, path: Path, learner: Learner) -> None:
        numbers = np.flatnonzero((learner.squares != 0) | (learner.weights != 0)).astype(np.uint32)
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(path.name + ".new")
        with fresh.open("wb") as file:
            np.savez(file, state=np.array(json.dumps(asdict(self))), numbers=numbers, weights=learner.weights[numbers],
                     squares=learner.squares[numbers])
        fresh.replace(path)     # at no moment is there half a file

    @classmethod
    def load(cls, path: Path, learner: Learner) -> "State":
        """ValueError if the file is no checkpoint, or one of other sets of weights."""
        try:
            with np.load(path) as stored:
                state = json.loads(str(stored["state"]))
                differing = set(state["recipe"]["rates"]) ^ set(SHAPES)
                if differing:
                    raise ValueError(f"it has or lacks the sets {', '.join(sorted(differing))}")
                numbers = stored["numbers"]
                learner.weights[numbers] = stored["weights"]
                learner.squares[numbers] = stored["squares"]
            return cls(LearningRecipe(**state["recipe"]), state["material"], [(a, b) for a, b in state["curve"]])
        except (KeyError, IndexError, TypeError, ValueError, EOFError) as error:
            raise ValueError(f"{path} is no checkpoint of this learner ({error}); name another, or delete it") from None


def train(state: State, learner: Learner, samples: Samples, report: int) -> float:
    """One epoch; the mean training loss. Prints it on the way, after every `report` positions."""
    epoch = len(state.curve)
    recipe = state.recipe
    order = np.random.default_rng([recipe.seed, epoch]).permutation(len(samples)).astype(np.uint32)
    rates = {name: rate * recipe.decay**epoch for name, rate in recipe.rates.items()}
    began, total = time.monotonic(), 0.0
    for start in range(0, len(order), report):
        part = order[start : start + report]
        mean = learner.train(samples, part, rates, recipe.blend, recipe.prior, recipe.threads)
        total += mean * len(part)
        done = start + len(part)
        print(f"epoch {epoch + 1}: {done} of {len(order)} positions, training loss {mean:.5f}, "
              f"{1e6 * (time.monotonic() - began) / done:.1f} µs a position", flush=True)
    return total / len(order)


def run(state: State, learner: Learner, samples: Samples, held: Samples, epochs: int, report: int,
        checkpoint: Path) -> None:
    """Train until so many epochs are done, saving after each."""
    blend, threads = state.recipe.blend, state.recipe.threads
    state.material = loss(held["material"].astype(float), held, blend)
    print(f"{len(samples)} positions for training, {len(held)} for validation; loss of material alone "
          f"{state.material:.5f}", flush=True)
    while len(state.curve) < epochs:
        training = train(state, learner, samples, report)
        state.curve.append((training, loss(learner.values(held, threads), held, blend)))
        state.save(checkpoint, learner)
        print(f"epoch {len(state.curve)}: training loss {training:.5f}, validation loss {state.curve[-1][1]:.5f}",
              flush=True)
