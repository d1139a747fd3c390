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

from eval.factors import SHAPES
from eval.files import read_weights
from eval.learner import Learner
from eval.quantised import dense
from eval.tables import SCALE
from scripts.cli.command import command
from scripts.cli.options import COUNT, FILE, data_options, out_option
from scripts.training.curve import curve_lines, draw_curve
from scripts.training.dataset import data_of, load
from scripts.training.learning import State, run
from scripts.training.model import describe, export
from scripts.training.recipe import LearningRecipe, rates_of


def recipe_of(given: SimpleNamespace) -> LearningRecipe:
    data = data_of(given)
    rates = rates_of(given.rate, given.rates)
    if sum(data["files"].values()) < given.residual_from:
        rates["kpp"] = 0.0
    begun = read_weights(given.init).checksum if given.init else ""
    return LearningRecipe(**data, init=begun, rates=rates, prior=given.prior, decay=given.decay)


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
@data_options(blend=0.6)
@click.option("--checkpoint", type=FILE, required=True, help="File to keep the run in, and to continue from.")
@out_option("Weights file to write at the end.")
@click.option("--init", type=FILE, help="Weights file to start from.")
@click.option("--epochs", type=COUNT, default=4, show_default=True, help="How many are to be done in the end.")
@click.option("--rate", type=float, default=0.3, show_default=True, help="Learning rate in centipawns.")
@click.option("--rates", default="", metavar="NAME=RATE,…", help="Of single sets of weights, 0 leaves one out: "
              f"{', '.join(SHAPES)} (kpp: a sixth of --rate).")
@click.option("--decay", type=float, default=0.7, show_default=True, help="Of the rates, from epoch to epoch.")
@click.option("--prior", type=float, default=30.0, show_default=True,
              help="Squared gradients that a weight begins with.")
@click.option("--residual-from", type=int, default=300_000, show_default=True, metavar="RECORDS",
              help="With fewer, KPP is left to its factors.")
@click.option("--threshold", type=float, default=1, show_default=True, metavar="UNITS",
              help=f"Of the sparse sets write what is so large at least, in 1/{SCALE} centipawn.")
@click.option("--report", type=COUNT, default=200_000, show_default=True, metavar="POSITIONS", help="Between reports.")
@click.option("--picture", type=FILE, help="File for the loss curve, .png or .svg; needs matplotlib.")
def main(**options: Any) -> None:
    given = SimpleNamespace(**options)
    learner = Learner()
    state = start(given, learner)
    samples, held, _ = load(given.files, given.book, state.recipe)
    run(state, learner, samples, held, given.epochs, given.report, given.checkpoint)
    print(*curve_lines(state), sep="\n")
    if given.picture:
        draw_curve(state, given.picture)
    if given.out:
        print(export(learner, held, given.out, given.threshold, describe(state, len(samples)), state))


if __name__ == "__main__":
    main()
