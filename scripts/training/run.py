"""A learner's run: epochs, a checkpoint every few minutes, the weights at the end, and the learning curve."""
import json
import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from engine.errors import Listed, Phrase, UserError, telling
from engine.system.parts import naming
from eval.files import Weights, read_weights
from eval.learning.samples import loss
from scripts.training.recipe import Recipe
from scripts.training.samples import Samples, Values
from scripts.training.stream import LEFT_OUT, SamplePool, Sources, Stream
from scripts.training.teachers import Teachers
from usi.console.figure import draw_into, new_figure
from usi.console.progress import Progress
from usi.files.journal import OtherRun, require_same
from usi.files.writing import Output, replacing, require_new

BLENDS = {"score": 1.0, "both": 0.6, "result": 0.0}     # losses are computed against these shares of the search's value
JUDGED = 1                  # index of the loss by which epochs are compared
REPORT = 1 << 19            # positions between two lines of progress
SAVE_INTERVAL = 300         # seconds
NAMED = 8                   # files that a weights file's note names


class Model(Protocol):
    """The evaluation that a run trains: the network, or the tables."""

    begins_from: tuple[str, ...]    # features (eval.files) of the weights files that it can go on from
    batch: int              # positions to a step

    def begin(self, weights: Weights) -> None:
        """Begin with these weights."""

    def train(self, samples: Samples, order: NDArray[np.uint32], begin: float, end: float) -> float:
        """Learn samples[order], in this order. `begin` and `end` say how many epochs of the run are done before and
        after them. Returns the mean of the samples' losses, each before its step."""

    def values(self, samples: Samples) -> Values:
        """The value of each sample, in centipawns for Black."""

    def keep(self) -> None:
        """Remember the weights as the best so far."""

    def recall(self) -> None:
        """Restore the weights that `keep` remembered."""

    def arrays(self) -> dict[str, Any]:
        """The arrays that a checkpoint needs."""

    def restore(self, arrays: Mapping[str, Any]) -> None:
        """Restore the arrays of a checkpoint."""

    def export(self, held: Samples, out: Path, note: str) -> str:
        """Write a quantised weights file, checked on held-out samples. Returns the findings as text. Raises UserError
        if its values differ too much from the model's."""


@dataclass
class Epoch:
    """The result of an epoch."""

    training: float             # the loss, against the run's own target
    validation: list[float]     # the losses of BLENDS
    positions: int              # that it learned from
    left_out: list[int] = field(default_factory=list)   # numbers of records left out, by the reasons of LEFT_OUT


@dataclass
class RunState:
    """The state of a run, without the model."""

    recipe: Recipe
    material: list[float] = field(default_factory=list)     # the validation losses of material alone
    curve: list[Epoch] = field(default_factory=list)
    # Of the epoch that is under way: pools done, the positions learned in them, the sum of these positions' losses, and
    # the numbers of records left out, by the reasons of LEFT_OUT.
    pools: int = 0
    positions: int = 0
    loss: float = 0.0
    left_out: list[int] = field(default_factory=lambda: [0] * len(LEFT_OUT))

    @property
    def best(self) -> int:
        """The epoch, from 0, whose weights are kept."""
        if self.recipe.anneals:
            return len(self.curve) - 1
        return min(range(len(self.curve)), key=lambda epoch: self.curve[epoch].validation[JUDGED])

    @property
    def ended(self) -> bool:
        epochs, patience = len(self.curve), self.recipe.patience
        return epochs >= self.recipe.epochs or (
            patience is not None and epochs > 0 and epochs - 1 - self.best >= patience)

    def save(self, path: Path, model: Model) -> None:
        state = np.array(json.dumps(asdict(self)))
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            np.savez(file, state=state, **model.arrays())


def resumed(path: Path, recipe: Recipe, model: Model) -> RunState:
    """The state of a checkpoint, with the model restored. Raises UserError if it is of another run, or no
    checkpoint."""
    try:
        # A damaged file that np.load opens itself stays open.
        with naming(path), path.open("rb") as file, np.load(file) as stored:
            state = json.loads(str(stored["state"]))
            wanted = asdict(recipe)
            require_same(path, Phrase("a run"), {name: state["recipe"][name] for name in wanted}, wanted, recipe.free)
            model.restore(stored)
            found = RunState(**state | {"recipe": recipe, "curve": [Epoch(**epoch) for epoch in state["curve"]]})
            if numbers := [each for each in (found.pools, found.positions, *found.left_out)
                           if type(each) is not int or not 0 <= each < 1 << 63]:
                raise ValueError(f"{numbers[0]} stands for a number of pools or positions")
        return found
    except OtherRun:
        raise
    except (LookupError, TypeError, ValueError, ArithmeticError, RuntimeError, EOFError, BadZipFile,
            zlib.error) as error:
        raise UserError("{path} is no checkpoint of this learner, or damaged ({fault}); name another, or delete it",
                        path=path, fault=error) from None


def require_own(out: Path, recipe: Recipe, force: bool) -> None:
    """Raise UserError if the file exists and no run of this recipe wrote it, unless `force`. Raises OSError if it
    cannot be written."""
    own = False
    with suppress(UserError, OSError):
        own = read_weights(out).note.endswith(mark_of(recipe))
    require_new(out, force or own)


def learn(recipe: Recipe, sources: Sources, model: Model, checkpoint: Path, init: Path | None = None,
          out: Path | None = None, teachers: Teachers | None = None, force: bool = False) -> RunState:
    """Run the recipe to its end, from its checkpoint, the weights file `init`, or nothing. The best epoch's weights
    stay in the model and are written to `out`. Prints the progress. Raises UserError if `init` holds other weights than
    the recipe names, or weights of another kind; also as `resumed`, `require_own`, Stream and the model do."""
    if checkpoint.exists():
        state = resumed(checkpoint, recipe, model)
    else:
        state = RunState(recipe)
        if init:
            weights = read_weights(init)
            if weights.features not in model.begins_from or weights.checksum != recipe.init:
                raise UserError("{path} holds {features} and not {wanted}, or has changed; name a file that this "
                                "learner has written", path=init, features=weights.features,
                                wanted=Listed(model.begins_from, " or "))
            with telling(init):
                model.begin(weights)
    if out:
        require_own(out, recipe, force)
    stream = Stream(sources, recipe, teachers)
    held = stream.held
    state.material = losses(held["material"].astype(float), held)
    print(f"{stream.records} records; {len(held)} positions kept apart, losses of material alone: "
          f"{told(state.material)}", flush=True)
    while not state.ended:
        train(state, model, stream, checkpoint)
        if not state.positions:
            raise UserError("no position is left to learn from: {counts}; give other files, or let --checks, "
                            "--captures or --max-value keep more", counts=excluded(state.left_out))
        state.curve.append(Epoch(state.loss / state.positions, losses(model.values(held), held), state.positions,
                                 state.left_out))
        state.pools, state.positions, state.loss, state.left_out = 0, 0, 0.0, [0] * len(LEFT_OUT)
        if state.best == len(state.curve) - 1:
            model.keep()
        state.save(checkpoint, model)
        print(f"epoch {len(state.curve)}: {state.curve[-1].positions} positions, training loss "
              f"{state.curve[-1].training:.5f}, validation: {told(state.curve[-1].validation)}; left out: "
              f"{excluded(state.curve[-1].left_out)}", flush=True)
    model.recall()
    print(*curve_lines(state), *file_lines(model.values(held), stream), sep="\n")
    if out:
        print(model.export(held, out, describe(state)))
    return state


def train(state: RunState, model: Model, stream: Stream, checkpoint: Path) -> None:
    """Train the rest of the epoch under way, saving every SAVE_INTERVAL."""
    saved = time.monotonic()
    epoch = len(state.curve)
    progress = None
    for pool in stream.pools(epoch, state.pools):
        progress = progress or Progress(state.recipe.epochs * stream.records, "records",
                                        round((epoch + pool.done) * stream.records))
        train_pool(pool, state, model, progress, stream.records)
        state.left_out = [sum(both) for both in zip(state.left_out, pool.counts[1:].tolist(), strict=True)]
        state.pools += 1
        if time.monotonic() - saved >= SAVE_INTERVAL:
            state.save(checkpoint, model)
            print(f"saved; validation: {told(losses(model.values(stream.held), stream.held))}", flush=True)
            saved = time.monotonic()


def train_pool(pool: SamplePool, state: RunState, model: Model, progress: Progress, records: int) -> None:
    """Train on one pool. `records` counts those of all pools, for the progress."""
    epoch, count = len(state.curve), len(pool.samples)
    order = np.random.default_rng([state.recipe.seed, epoch, pool.number]).permutation(count).astype(np.uint32)
    report = -(-REPORT // model.batch) * model.batch
    for start in range(0, count, report):
        part = order[start : start + report]
        begin, end = (epoch + pool.done + pool.share * place / count for place in (start, start + len(part)))
        mean = model.train(pool.samples, part, begin, end)
        state.positions += len(part)
        state.loss += mean * len(part)
        print(progress.line(round(records * end), f"epoch {epoch + 1}",
                            f"training loss {mean:.5f}"), flush=True)


# -- What a run came to ------------------------------------------------------------------------------------------------

def losses(values: Values, samples: Samples) -> list[float]:
    return [loss(values, samples, blend) for blend in BLENDS.values()]


def told(values: list[float]) -> str:
    return ", ".join(f"{name} {value:.5f}" for name, value in zip(BLENDS, values, strict=True))


def excluded(counts: list[int]) -> str:
    """The numbers of records left out, by reason, as text."""
    return ", ".join(f"{count} {reason}" for reason, count in zip(LEFT_OUT, counts, strict=True))


HEADING = ["epoch", "training", *BLENDS, "positions", *LEFT_OUT]
CURVE = Output(Phrase("table"), ("\t".join(HEADING).encode(),))


def curve_table(state: RunState) -> str:
    """The learning curve as TSV: a row for material alone (epoch 0), then one for each epoch."""
    rows = [HEADING, ["0", "", *map(str, state.material)]]
    rows += [[str(number), *map(str, [epoch.training, *epoch.validation, epoch.positions, *epoch.left_out])]
             for number, epoch in enumerate(state.curve, 1)]
    return "".join("\t".join(row) + "\n" for row in rows)


def curve_lines(state: RunState) -> Iterator[str]:
    """The validation losses, epoch by epoch; the best is marked."""
    yield f"epoch  training  {'  '.join(f'{name:7}' for name in BLENDS)}"
    yield f"material         {'  '.join(f'{value:.5f}' for value in state.material)}"
    for number, epoch in enumerate(state.curve):
        yield (f"{number + 1:5}   {epoch.training:.5f}  {'  '.join(f'{value:.5f}' for value in epoch.validation)}"
               f"{' *' if number == state.best else ''}")


def file_lines(values: Values, stream: Stream) -> Iterator[str]:
    """The validation losses of each file, and of material alone."""
    start = 0
    for name, count in stream.held_of.items():
        part = slice(start, start + count)
        start += count
        if count:
            material = losses(stream.held[part]["material"].astype(float), stream.held[part])
            yield (f"{name}, {count} positions: {told(losses(values[part], stream.held[part]))}; material alone: "
                   f"{told(material)}")


def describe(state: RunState) -> str:
    """A note for the weights file that says how the weights were learned."""
    recipe, best = state.recipe, state.curve[state.best]
    names = [*recipe.files, *recipe.books]
    listed = ", ".join(names) if len(names) <= NAMED else f"{len(names)} files, {names[0]} to {names[-1]}"
    return (f"{best.positions} positions of {listed}; epoch {state.best + 1} of {recipe.epochs}, blend {recipe.blend}; "
            f"validation: {told(best.validation)}; material alone: {told(state.material)}"
            + (f"; from {recipe.init[:16]}" if recipe.init else "")
            + "".join(f"; {share} of the value by {checksum[:16]}" for checksum, share in recipe.teachers.items())
            + mark_of(recipe))


def mark_of(recipe: Recipe) -> str:
    """The end of the note, by which a resumed run recognises its own file."""
    same = {name: value for name, value in asdict(recipe).items() if name not in recipe.free}
    return f"; run {sha256(json.dumps(same, sort_keys=True).encode()).hexdigest()[:16]}"


def draw_curve(state: RunState, path: Path) -> None:
    """Draw the learning curve into a file. Raises UserError without matplotlib."""
    figure = new_figure(7, 4)
    axes = figure.add_subplot(xlabel="epoch", ylabel="cross-entropy (nats)")
    numbers = range(1, len(state.curve) + 1)
    axes.plot(numbers, [epoch.training for epoch in state.curve], marker="o", label="training")
    axes.plot(numbers, [epoch.validation[JUDGED] for epoch in state.curve], marker="o", label="validation")
    axes.axhline(state.material[JUDGED], color="grey", linestyle="--", label="material alone, validation")
    axes.legend()
    draw_into(path, figure)
