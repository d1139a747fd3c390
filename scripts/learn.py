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
from dataclasses import asdict
from types import SimpleNamespace
from typing import Any

import click

from eval.factors import SHAPES, dense
from eval.files import read_weights
from eval.learner import Learner
from eval.tables import SCALE
from scripts.cli.command import command
from scripts.cli.options import COUNT, FILE, out_option, seed_option
from scripts.training.curve import curve_lines, draw_curve
from scripts.training.dataset import load
from scripts.training.learning import State, run
from scripts.training.model import describe, export
from scripts.training.recipe import LearningRecipe, rates_of
from scripts.training.samples import DTYPES, read


def recipe_of(given: SimpleNamespace) -> LearningRecipe:
    unknown = [path for path in [*given.files, *given.book] if path.suffix not in DTYPES]
    if unknown:
        raise ValueError(f"{unknown[0]}: training files are named {' or '.join('*' + suffix for suffix in DTYPES)}")
    files = {path.name: len(read(path)) for path in given.files}
    rates = rates_of(given.rate, given.rates)
    if sum(files.values()) < given.residual_from:
        rates["kpp"] = 0.0
    books = {path.name: len(read(path)) for path in given.book}
    begun = read_weights(given.init).checksum if given.init else ""
    return LearningRecipe(files, books, begun, given.blend, rates, given.prior, given.decay, given.validation,
                          given.max_value, given.checks, given.captures, given.threads, given.seed)


def start(given: SimpleNamespace, learner: Learner) -> State:
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


@command(__doc__, resumes=True)
@click.argument("files", type=FILE, nargs=-1, required=True)
@click.option("--book", type=FILE, multiple=True, help="Positions whose results are not known, as label.py makes "
              "them of a book; several files may be given.")
@click.option("--checkpoint", type=FILE, required=True, help="File to keep the run in, and to continue from.")
@out_option("Weights file to write at the end.")
@click.option("--init", type=FILE, help="Weights file to start from.")
@click.option("--epochs", type=COUNT, default=4, show_default=True, help="How many are to be done in the end.")
@click.option("--blend", type=float, default=0.6, show_default=True, help="Share of the search's value in the target.")
@click.option("--rate", type=float, default=0.3, show_default=True, help="Learning rate in centipawns.")
@click.option("--rates", default="", metavar="NAME=RATE,…", help="Of single sets of weights, 0 leaves one out: "
              f"{', '.join(SHAPES)} (kpp: a sixth of --rate).")
@click.option("--decay", type=float, default=0.7, show_default=True, help="Of the rates, from epoch to epoch.")
@click.option("--prior", type=float, default=30.0, show_default=True,
              help="Squared gradients that a weight begins with.")
@click.option("--residual-from", type=int, default=300_000, show_default=True, metavar="RECORDS",
              help="With fewer, KPP is left to its factors.")
@click.option("--validation", type=float, default=0.05, show_default=True,
              help="Share of the games that is kept apart.")
@click.option("--max-value", type=int, default=3000, show_default=True, metavar="CENTIPAWNS",
              help="Leave out positions that the search judged beyond.")
@click.option("--checks", is_flag=True, help="Keep positions in check.")
@click.option("--captures", is_flag=True, help="Keep positions whose best move captures.")
@click.option("--threshold", type=float, default=1, show_default=True, metavar="UNITS",
              help=f"Of KKP and KPP write what is so large at least, in 1/{SCALE} centipawn.")
@click.option("--threads", type=COUNT, default=2, show_default=True)
@click.option("--report", type=COUNT, default=200_000, show_default=True, metavar="POSITIONS", help="Between reports.")
@click.option("--picture", type=FILE, help="File for the loss curve, .png or .svg; needs matplotlib.")
@seed_option
def main(**options: Any) -> None:
    given = SimpleNamespace(**options)
    learner = Learner()
    state = start(given, learner)
    samples, held = load(given.files, given.book, state.recipe)
    run(state, learner, samples, held, given.epochs, given.report, given.checkpoint)
    print(*curve_lines(state), sep="\n")
    if given.picture:
        draw_curve(state, given.picture)
    if given.out:
        print(export(learner, held, given.out, given.threshold, describe(state, len(samples)), state))


if __name__ == "__main__":
    main()
