#!/usr/bin/env python3
"""Learn the weights of the evaluation from positions that a search and a game have judged.

    python scripts/learn.py ~/data/first.psv --checkpoint runs/first.npz --out runs/first.weights --epochs 6
    python scripts/learn.py ~/data/*.psv --checkpoint runs/next.npz --out runs/next.weights --init runs/first.weights

Files are those of generate.py: NAME.psv holds PackedSfenValue records, NAME.hcpe hcpe. The model, and what the options
mean, is in docs/LEARNING.md. Some of the games are kept apart; after each epoch the loss on their positions is printed,
beside that of material alone. Then the weights are quantised, checked against the unrounded ones on those positions,
and written as a weights file that the engine plays with.

The checkpoint is written after each epoch; the same command run again continues from it, also to more epochs.
"""
import argparse
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from engine.packed import HCPE, converted
from eval.factors import SHAPES, SPARSE, dense, expand, quantise
from eval.files import read_weights, write_weights
from eval.learner import FLAGS, UNKNOWN_RESULT, Learner, loss, open_records, table_values
from eval.tables import SCALE
from scripts.samples import DTYPES, Records, read
from usi.commands.figure import new_figure

Samples = NDArray[Any]  # of eval.learner.SAMPLE

CHUNK = 1 << 18         # records that are opened at a time
BLOCK_GAME = 200        # records taken as one game where the file does not say when a game begins
CHECKED = 20_000        # validation positions that the quantised weights are checked on
KPP_SHARE = 1 / 6       # of the other sets' rate: few positions have a KPP weight, and it learns results by heart
BAR = 50                # characters of the longest bar in the loss curve


@dataclass(frozen=True)
class Recipe:
    """What a run depends on, beside the number of epochs."""

    files: dict[str, int]       # records of each, by name
    books: dict[str, int]       # likewise, of positions that no game has judged
    init: str                   # checksum of the weights that it starts from, or ""
    blend: float                # share of the search's value in the target
    rates: dict[str, float]     # in centipawns, by set of weights
    prior: float
    decay: float                # of the rates, by epoch
    validation: float           # share of the games
    max_value: int              # centipawns; positions beyond are left out
    checks: bool                # whether positions in check are kept
    captures: bool              # … whose best move captures
    threads: int
    seed: int


@dataclass
class State:
    """Where a run stands, its weights apart."""

    recipe: Recipe
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
        """ValueError if the file is no checkpoint."""
        try:
            with np.load(path) as stored:
                state = json.loads(str(stored["state"]))
                numbers = stored["numbers"]
                learner.weights[numbers] = stored["weights"]
                learner.squares[numbers] = stored["squares"]
            return cls(Recipe(**state["recipe"]), state["material"], [(a, b) for a, b in state["curve"]])
        except (KeyError, IndexError, TypeError, ValueError, EOFError) as error:
            raise ValueError(f"{path} is no checkpoint of this learner ({error}); name another, or delete it") from None


def game_numbers(plies: NDArray[Any]) -> NDArray[np.int64]:
    """The game, from 0, of each record: a new one begins where the ply does not rise. Where all plies are 0, as hcpe
    has them, BLOCK_GAME records in a row are taken as one."""
    if not plies.any():
        return np.arange(len(plies)) // BLOCK_GAME
    return np.concatenate([[0], np.cumsum(plies[1:] <= plies[:-1])])


def load(paths: list[Path], books: list[Path], recipe: Recipe) -> tuple[Samples, Samples]:
    """Samples for training and for validation, from different games; books are for training alone. ValueError for a
    file with a fault."""
    rng = np.random.default_rng(recipe.seed)
    training, validation = [], []
    total = sum(recipe.files.values()) + sum(recipe.books.values())
    with click.progressbar(length=total, label="reading", file=sys.stderr,
                           hidden=not sys.stderr.isatty()) as bar:
        for path in paths:
            records = read(path)
            games = game_numbers(records["gamePly"] if records.dtype != HCPE else np.zeros(len(records)))
            held = rng.random(games[-1] + 1 if len(games) else 0) < recipe.validation
            for start in range(0, len(records), CHUNK):
                samples = opened(path, start, records[start : start + CHUNK])
                kept = wanted(samples, recipe)
                apart = held[games[start : start + CHUNK]]
                training.append(samples[kept & ~apart])
                validation.append(samples[kept & apart])
                bar.update(len(samples))
        for path in books:
            records = read(path)
            for start in range(0, len(records), CHUNK):
                samples = opened(path, start, records[start : start + CHUNK])
                samples["result"] = UNKNOWN_RESULT
                training.append(samples[wanted(samples, recipe)])
                bar.update(len(samples))
    both = np.concatenate(training), np.concatenate(validation)
    if not all(map(len, both)):
        raise ValueError(f"{len(both[0])} positions are left for training and {len(both[1])} for validation: too few")
    return both


def wanted(samples: Samples, recipe: Recipe) -> NDArray[np.bool_]:
    unwanted = (0 if recipe.checks else FLAGS["in_check"]) | (0 if recipe.captures else FLAGS["captures"])
    quiet: NDArray[np.bool_] = (samples["flags"] & unwanted == 0) & (np.abs(samples["value"]) <= recipe.max_value)
    return quiet


def opened(path: Path, start: int, records: Records) -> Samples:
    try:
        return open_records(converted(records) if records.dtype == HCPE else np.asarray(records))
    except ValueError as error:
        raise ValueError(f"{path}, counted from record {start}: {error}") from None


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


def curve_lines(state: State) -> Iterator[str]:
    """The loss curve as text: a bar's length is how far the validation loss is below that of material alone."""
    gains = [state.material - validation for _, validation in state.curve]
    best = max([*gains, 1e-9])
    yield f"epoch  training  validation   (material alone {state.material:.5f})"
    for number, ((training, validation), gain) in enumerate(zip(state.curve, gains, strict=True), 1):
        yield f"{number:5}   {training:.5f}     {validation:.5f}   {'#' * round(BAR * max(gain, 0) / best)}"


def draw_curve(state: State, path: Path) -> None:
    """The loss curve as a picture. ValueError if matplotlib is not there."""
    figure = new_figure(7, 4)
    axes = figure.add_subplot(xlabel="epoch", ylabel="cross-entropy (nats)")
    numbers = range(1, len(state.curve) + 1)
    for label, losses in zip(("training", "validation"), zip(*state.curve, strict=True), strict=True):
        axes.plot(numbers, losses, marker="o", label=label)
    axes.axhline(state.material, color="grey", linestyle="--", label="material alone, validation")
    axes.legend()
    figure.savefig(path)


def rounding_bound(threshold: float) -> float:
    """Centipawns by which rounding can change a value at most: half a unit for each of its terms, and for those of the
    sparse sets, which are left out below the threshold, as much as that leaves out."""
    terms = {"tempo": 1, "kk": 1, "p": 38, "kp": 76, "kp_vector": 76, "kkp": 38, "pp": 1406, "pp_vector": 1406,
             "pp_rank": 1406, "kpp": 1406}
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


def recipe_of(given: argparse.Namespace) -> Recipe:
    unknown = [path for path in [*given.files, *given.book] if path.suffix not in DTYPES]
    if unknown:
        raise ValueError(f"{unknown[0]}: training files are named {' or '.join('*' + suffix for suffix in DTYPES)}")
    files = {path.name: len(read(path)) for path in given.files}
    rates = rates_of(given.rate, given.rates)
    if sum(files.values()) < given.residual_from:
        rates["kpp"] = 0.0
    books = {path.name: len(read(path)) for path in given.book}
    begun = read_weights(given.init).checksum if given.init else ""
    return Recipe(files, books, begun, given.blend, rates, given.prior, given.decay, given.validation, given.max_value,
                  given.checks, given.captures, given.threads, given.seed)


def start(given: argparse.Namespace, learner: Learner) -> State:
    """From the checkpoint, if there is one, else from --init or nothing. ValueError if it is of another run."""
    recipe = recipe_of(given)
    if given.checkpoint.exists():
        state = State.load(given.checkpoint, learner)
        differing = [name for name, value in asdict(recipe).items() if asdict(state.recipe)[name] != value]
        if differing:
            raise ValueError(f"{given.checkpoint} is of a run that differs in {', '.join(differing)}; name another "
                             "file, or delete it")
        return state
    if given.init:
        weights = read_weights(given.init)
        learner.weights[:] = dense(weights.arrays, weights.tempo)
    return State(recipe)


def parse_arguments() -> argparse.Namespace:
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+", help="NAME.psv or NAME.hcpe")
    parser.add_argument("--book", type=Path, action="append", default=[],
                        help="file of positions whose results are not known, as label.py makes it of a book")
    parser.add_argument("--checkpoint", type=Path, required=True, help="file to keep the run in, and to continue from")
    parser.add_argument("--out", type=Path, help="weights file to write at the end")
    parser.add_argument("--init", type=Path, help="weights file to start from")
    parser.add_argument("--epochs", type=int, default=4, help="how many are to be done in the end (4)")
    parser.add_argument("--blend", type=float, default=0.6, help="share of the search's value in the target (0.6)")
    parser.add_argument("--rate", type=float, default=0.3, help="learning rate in centipawns (0.3)")
    parser.add_argument("--rates", default="", metavar="NAME=RATE,…", help="of single sets of weights, 0 leaves one "
                        f"out: {', '.join(SHAPES)} (kpp: a sixth of --rate)")
    parser.add_argument("--decay", type=float, default=0.7, help="of the rates, from epoch to epoch (0.7)")
    parser.add_argument("--prior", type=float, default=30.0, help="squared gradients that a weight begins with (30)")
    parser.add_argument("--residual-from", type=int, default=300_000, metavar="RECORDS",
                        help="with fewer, KPP is left to its factors (300000)")
    parser.add_argument("--validation", type=float, default=0.05, help="share of the games that is kept apart (0.05)")
    parser.add_argument("--max-value", type=int, default=3000, metavar="CENTIPAWNS",
                        help="leave out positions that the search judged beyond (3000)")
    parser.add_argument("--checks", action="store_true", help="keep positions in check")
    parser.add_argument("--captures", action="store_true", help="keep positions whose best move captures")
    parser.add_argument("--threshold", type=float, default=1, metavar="UNITS",
                        help=f"of KKP and KPP write what is so large at least, in 1/{SCALE} centipawn (1)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--report", type=int, default=200_000, metavar="POSITIONS", help="between reports (200000)")
    parser.add_argument("--picture", type=Path, help="file for the loss curve, .png or .svg; needs matplotlib")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main() -> None:
    given = parse_arguments()
    try:
        learner = Learner()
        state = start(given, learner)
        samples, held = load(given.files, given.book, state.recipe)
        run(state, learner, samples, held, given.epochs, given.report, given.checkpoint)
        print(*curve_lines(state), sep="\n")
        if given.picture:
            draw_curve(state, given.picture)
        if given.out:
            print(export(learner, held, given.out, given.threshold, describe(state, len(samples)), state))
    except (ValueError, OSError) as error:
        sys.exit(f"learn: {error}")
    except KeyboardInterrupt:
        sys.exit(f"\ninterrupted; the same command continues from {given.checkpoint}")


if __name__ == "__main__":
    main()
