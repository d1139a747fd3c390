"""Learn the weights of the evaluation from positions that a search and a game have judged.

    python -m scripts.learn network ~/data/self/*.psv.xz --checkpoint runs/net.npz --out runs/net.weights
    python -m scripts.learn tables ~/data/self/*.psv.xz --checkpoint runs/tables.npz --out runs/tables.weights

`network` learns the network and `tables` the tables; docs/LEARNING.md explains both and their options. `judge`
compares evaluations with the values of deep searches.
"""
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click

from engine.errors import UserError
from eval.files import read_weights
from eval.tables import SCALE
from eval.tables.factors import SHAPES
from scripts.cli.command import command, group
from scripts.cli.options import (
    COUNT,
    FILE,
    Decorator,
    hash_option,
    jobs_option,
    nodes_option,
    out_option,
    params_option,
    seed_option,
)
from scripts.training.curve import draw_curve
from scripts.training.judging import RULER
from scripts.training.judging import tables as judgement
from scripts.training.network import NetworkModel
from scripts.training.recipe import NetworkRecipe, Recipe, TablesRecipe, rates_of
from scripts.training.run import Model, learn
from scripts.training.stream import Sources, counts, open_sources
from scripts.training.tables import TablesModel
from scripts.training.teachers import Teachers
from scripts.training.valuers import Labels
from search import Limits
from usi.console.figure import require_picture
from usi.console.ranges import DEPTH, HELD_OUT, SHARE, THREADS, Real
from usi.files.locking import alone
from usi.files.writing import require_writable

RATE = Real(0, 10_000)      # of the tables' learner, in centipawns

COMMON = """

FILES are those of generate.py: NAME.psv holds PackedSfenValue records, NAME.hcpe hcpe, and either may be compressed
(.xz). They are read block by block, so memory does not depend on how many there are. Some of the games are kept apart;
after each epoch the losses on their positions are printed, against the search's value, against the game's result and
against both, with those of material alone, and at the end those of each file. The weights are quantised, checked
against the floats on the positions kept apart, and written as a weights file that the engine plays with.

The checkpoint is written every few minutes and after each epoch; the same command run again continues from it, also
in the middle of an epoch."""


class Rates(click.ParamType):  # type: ignore[type-arg]  # older clicks have none
    """`name=rate,…` for sets of weights."""

    name = "name=rate,…"

    def convert(self, value: Any, param: click.Parameter | None, context: click.Context | None) -> dict[str, float]:
        rates = {}
        for item in filter(None, value.split(",")):
            name, _, rate = item.partition("=")
            try:
                if name not in SHAPES:
                    raise UserError
                rates[name] = float(rate)
            except ValueError:
                self.fail(f"{item!r} does not read name=rate with one of {', '.join(SHAPES)}", param, context)
            RATE.convert(rate, param, context)
        return rates


def learning_options(recipe: type[Recipe]) -> Decorator:
    """What every learner's run is given; the defaults are the recipe's. `recipe_fields` makes a recipe of them."""
    options: list[Decorator] = [
        click.argument("files", type=FILE, nargs=-1, required=True),
        click.option("--book", type=FILE, multiple=True, help="Positions whose results are not known, as label.py "
                     "makes them of a book; several files may be given."),
        click.option("--checkpoint", type=FILE, required=True, help="Checkpoint of the run, to resume from."),
        out_option("Weights file to write at the end."),
        click.option("--init", type=FILE, help="Weights file to start from."),
        click.option("--teacher", type=(FILE, SHARE), multiple=True, metavar="FILE SHARE", help="Weights file, "
                     "and its share in what a position is worth; the rest is the search's. Several may be given."),
        click.option("--epochs", type=COUNT, default=recipe.epochs, show_default=True, help="At most."),
        click.option("--blend", type=SHARE, default=recipe.blend, show_default=True,
                     help="Share of the search's value in the target."),
        click.option("--td", "trace", type=HELD_OUT, default=recipe.trace,
                     show_default=True, metavar="LAMBDA", help="Share of the next position's value in a position's, "
                     "and of the game's result in the last one's: TD(λ). Then --blend 1 adds no more of the result."),
        click.option("--validation", type=HELD_OUT, default=recipe.validation, show_default=True,
                     help="Share of the games that is held out, at most a million positions."),
        click.option("--max-value", type=click.IntRange(1, 10**6), default=recipe.max_value, show_default=True,
                     metavar="CENTIPAWNS",
                     help="Leave out positions that the search judged beyond, and so far from the material, too."),
        click.option("--checks", is_flag=True, help="Keep positions in check."),
        click.option("--captures", is_flag=True, help="Keep positions whose best move captures."),
        click.option("--pool", type=COUNT, default=recipe.pool, show_default=True, metavar="POSITIONS",
                     help="In memory at a time, and shuffled together."),
        click.option("--threads", type=THREADS, default=recipe.threads, show_default=True),
        seed_option,
        click.option("--picture", type=FILE, help="File for the loss curve, .png or .svg; needs matplotlib."),
    ]

    def decorate(function: Any) -> Any:
        for option in reversed(options):
            function = option(function)
        return function
    return decorate


def recipe_fields(given: SimpleNamespace, sources: Sources) -> dict[str, Any]:
    """A Recipe's fields, of what learning_options has. OSError and UserError as eval.files has them for --init."""
    names = ("blend", "trace", "validation", "max_value", "checks", "captures", "pool", "epochs", "threads", "seed")
    return {"files": counts(sources.files), "books": counts(sources.books),
            **{name: getattr(given, name) for name in names},
            "init": read_weights(given.init).checksum if given.init else "",
            "teachers": {read_weights(path).checksum: share for path, share in shares_of(given).items()}}


def shares_of(given: SimpleNamespace) -> dict[Path, float]:
    shares = dict(given.teacher)
    if len(shares) < len(given.teacher):
        raise click.UsageError("--teacher names a file twice; give it once, with the sum of its shares")
    return shares


def run(given: SimpleNamespace, recipe: Recipe, sources: Sources, model: Model) -> None:
    if given.picture:
        require_picture(given.picture)
    for file in filter(None, (given.out, given.picture, given.checkpoint)):     # before the hours, not after them
        require_writable(file)
    teachers = Teachers(shares_of(given)) if given.teacher else None
    with alone(given.checkpoint):
        state = learn(recipe, sources, model, given.checkpoint, given.init, given.out, teachers)
    if given.picture:
        draw_curve(state, given.picture)


@group(__doc__)
def main() -> None:
    pass


@command("Learn the network." + COMMON + """

The last epoch's weights are written, since the rate has fallen to 0 there.""", resumes=True)
@learning_options(NetworkRecipe)
@click.option("--rate", type=Real(0, 10), default=NetworkRecipe.rate, show_default=True,
              help="Adam's learning rate at first; it falls to 0 over --epochs.")
@click.option("--batch", type=click.IntRange(1, 2**24), default=NetworkRecipe.batch, show_default=True,
              help="Positions of a step.")
def network(**options: Any) -> None:
    given = SimpleNamespace(**options)
    sources = open_sources(given.files, given.book)
    recipe = NetworkRecipe(**recipe_fields(given, sources), rate=given.rate, batch=given.batch)
    run(given, recipe, sources, NetworkModel(recipe))


@command("Learn the tables." + COMMON + """

The best epoch's weights are written. The run ends early when --patience epochs in a row were no better than one
before.""", resumes=True)
@learning_options(TablesRecipe)
@click.option("--patience", type=COUNT, default=TablesRecipe.patience, show_default=True,
              help="End after this many epochs without a better loss.")
@click.option("--rate", type=RATE, default=0.3, show_default=True, help="Learning rate in centipawns.")
@click.option("--rates", type=Rates(), default="", metavar="NAME=RATE,…",
              help="Of single sets of weights, 0 leaves one out: "
              f"{', '.join(SHAPES)} (kpp: a sixth of --rate).")
@click.option("--decay", type=SHARE, default=TablesRecipe.decay, show_default=True, help="Of the rates, from epoch to "
              "epoch.")
@click.option("--prior", type=Real(0, 10**9, min_open=True), default=TablesRecipe.prior, show_default=True,
              help="Squared gradients that a weight begins with.")
@click.option("--residual-from", type=click.IntRange(0, 10**12), default=300_000, show_default=True, metavar="RECORDS",
              help="With fewer records, KPP is learned from its factors alone.")
@click.option("--threshold", type=Real(0, 10**9), default=1, show_default=True, metavar="UNITS",
              help=f"Leave out smaller weights of the sparse sets, in 1/{SCALE} centipawn.")
def tables(**options: Any) -> None:
    given = SimpleNamespace(**options)
    sources = open_sources(given.files, given.book)
    rates = rates_of(given.rate) | given.rates
    if sum(map(len, sources.files.values())) < given.residual_from:
        rates["kpp"] = 0.0
    recipe = TablesRecipe(**recipe_fields(given, sources), rates=rates, prior=given.prior, decay=given.decay,
                          patience=given.patience)
    run(given, recipe, sources, TablesModel(recipe, given.threshold))


@command("""Judge evaluations, and searches with them, on positions that deep searches have valued.

    python -m scripts.learn judge --eval-file runs/net.weights --eval-file tables
    python -m scripts.learn judge --nodes 300 --params short

Prints, for each kind of position, the excess cross-entropy of the winning rate over that of the deep values, smaller is
better; the correlation with the deep values; and how well a fit to the results of the games foretells them. FILES are
training files, one for each kind; the default is the project's ruler. Positions in check, with a best move that
captures or judged beyond 1,500 centipawns do not count. With --nodes or --depth, searches are judged, too: by their
last value, and by the mean of their last two iterations.

That ruler is made of our own deep values, which share what our evaluation does not see. `label --engine` makes rulers
of another engine's values.""")
@click.argument("files", type=FILE, nargs=-1)
@click.option("--eval-file", "evaluations", multiple=True, default=["material", ""], metavar="FILE",
              help="Weights, or material, or tables; several may be given [default: material and the packaged network]")
@click.option("--depth", type=DEPTH, help="Of each search.")
@nodes_option(text="Nodes of each search.")
@params_option()
@hash_option(Labels.hash_mb)
@jobs_option()
def judge(files: tuple[Path, ...], evaluations: tuple[str, ...], depth: int | None, nodes: int | None,
          params: dict[str, int], hash_mb: int, jobs: int) -> None:
    labels = Labels(Limits(depth=depth, nodes=nodes), "", tuple(sorted(params.items())), hash_mb)
    for line in judgement(list(files) or RULER, list(evaluations), labels, jobs):
        print(line, flush=True)


for each in (network, tables, judge):
    main.add_command(each)


if __name__ == "__main__":
    main()
