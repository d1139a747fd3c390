#!/usr/bin/env python3
"""Learn the network of the evaluation from positions that a search and a game have judged.

    python scripts/learn_network.py ~/data/*.psv --checkpoint runs/network.npz --out runs/network.weights

Files are those of generate.py: NAME.psv holds PackedSfenValue records, NAME.hcpe hcpe. What the network is made of, and
what the options mean, is in docs/LEARNING.md. Some of the games are kept apart; after each epoch the losses on their
positions are printed, against the search's value, against the game's result and against both, beside those of material
alone, and at the end those of each file. The run ends after --epochs, or earlier when --patience of them in a row were
no better than one before. The best epoch's network is quantised, checked against the floats on the positions kept
apart, and written as a weights file that the engine plays with.

The checkpoint is written after each epoch; the same command run again continues from it.
"""
from types import SimpleNamespace
from typing import Any

import click

from eval.files import read_weights
from scripts.cli.command import command
from scripts.cli.options import COUNT, FILE, data_options, out_option
from scripts.training.dataset import data_of
from scripts.training.network import REPORT, learn
from scripts.training.recipe import NetworkRecipe


@command(__doc__, resumes=True)
@data_options(blend=0.93)
@click.option("--checkpoint", type=FILE, required=True, help="File to keep the run in, and to continue from.")
@out_option("Weights file to write at the end.")
@click.option("--init", type=FILE, help="Weights file of a network to go on from.")
@click.option("--epochs", type=COUNT, default=6, show_default=True, help="At most; the rate falls to 0 over them.")
@click.option("--rate", type=float, default=0.001, show_default=True, help="Adam's learning rate at first.")
@click.option("--batch", type=COUNT, default=512, show_default=True, help="Positions to a step.")
@click.option("--patience", type=COUNT, default=2, show_default=True,
              help="Epochs without a better loss that end a run.")
@click.option("--report", type=COUNT, default=REPORT, show_default=True, metavar="POSITIONS", help="Between reports.")
def main(**options: Any) -> None:
    given = SimpleNamespace(**options)
    recipe = NetworkRecipe(**data_of(given), epochs=given.epochs, rate=given.rate, batch=given.batch,
                           patience=given.patience, init=read_weights(given.init).checksum if given.init else "")
    learn(recipe, given.files, given.book, given.checkpoint, given.init, given.out, given.report)


if __name__ == "__main__":
    main()
