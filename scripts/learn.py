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
import sys
from dataclasses import asdict
from pathlib import Path

from eval.factors import SHAPES, dense
from eval.files import read_weights
from eval.learner import Learner
from eval.tables import SCALE
from scripts.training.curve import curve_lines, draw_curve
from scripts.training.dataset import load
from scripts.training.learning import State, run
from scripts.training.model import describe, export
from scripts.training.recipe import LearningRecipe, rates_of
from scripts.training.samples import DTYPES, read


def recipe_of(given: argparse.Namespace) -> LearningRecipe:
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
