"""Learn the weights of the evaluation from positions that a search and a game have judged.

    python -m scripts.learn network ~/data/self/*.psv.xz --checkpoint runs/net.npz --out runs/net.weights
    python -m scripts.learn tables ~/data/self/*.psv.xz --checkpoint runs/tables.npz --out runs/tables.weights

`network` learns the network and `tables` the tables; docs/LEARNING.md explains both and their options. `judge`
compares evaluations with the values of deep searches.
"""
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click

from engine.errors import Listed, UserError
from eval.files import NETWORK, read_weights
from eval.network.nnbin import FORMS
from eval.tables import SCALE
from eval.tables.factors import SHAPES
from scripts.cli.command import command, group
from scripts.games.settings import assigned, require_within
from scripts.training.judging import RULER
from scripts.training.judging import tables as judgement
from scripts.training.network import NetworkModel
from scripts.training.recipe import NetworkRecipe, Recipe, TablesRecipe, rates_of
from scripts.training.run import CURVE, Model, curve_table, draw_curve, learn
from scripts.training.stream import Sources, Stream, counts, open_sources
from scripts.training.tables import TablesModel
from scripts.training.teachers import Teachers
from scripts.training.valuers import ValuingOptions
from usi.console.figure import require_picture
from usi.console.options import click_type, jobs_option, options_of
from usi.console.settings import FILE, SHARE, Parsed, RealRange, WholeRange, setting
from usi.files.locking import alone
from usi.files.reading import require_different
from usi.files.writing import require_new, require_replaceable, require_writable, write_file
from usi.words.language import _

R = TypeVar("R", bound=Recipe)

samples_argument = click.argument("samples", type=click_type(FILE), nargs=-1, required=True, metavar="FILES...")
RATE = RealRange(0, 10_000, unit="RATE")      # of the tables' learner, in centipawns

COMMON = """

FILES are those of generate.py: NAME.psv holds PackedSfenValue records, NAME.hcpe hcpe, and either may be compressed
(.xz). They are read block by block, so memory does not depend on how many there are. Some of the games are kept apart;
after each epoch the losses on their positions are printed, against the search's value, against the game's result and
against both, with those of material alone, and at the end those of each file. The weights are quantised, checked
against the floats on the positions kept apart, and written as a weights file that the engine plays with.

The checkpoint is written every few minutes and after each epoch; the same command run again continues from it, also
in the middle of an epoch."""


def parse_rates(text: str) -> dict[str, float]:
    """The rates of `name=rate,…` for sets of weights. Raises UserError, quoting the item, if it is not that."""
    rates = {}
    for item, name, rate in assigned(text):
        try:
            if name not in SHAPES:
                raise ValueError
            rates[name] = float(rate)
        except ValueError:
            raise UserError("{text!r} does not read name=rate with one of {names}", text=item,
                            names=Listed(SHAPES)) from None
        require_within(RATE, rates[name], item)
    return rates


@dataclass(frozen=True)
class RunFiles:
    """The files of a learner's run, except the samples."""

    checkpoint: Path = setting("Checkpoint of the run, to resume from.", FILE)
    book: tuple[Path, ...] = setting("Positions whose results are not known, as label.py makes them of a book; several "
                                     "files may be given.", FILE, (), multiple=True)
    out: Path | None = setting("Weights file to write at the end; of a network, NAME.bin for an nn.bin, which other "
                               "engines read.", FILE, None)
    force: bool = setting("Let --out replace a file that another run has written.", None, False)
    init: Path | None = setting("Weights file to start from.", FILE, None)
    teacher: tuple[tuple[Path, float], ...] = setting(
        "Weights file, and its share in what a position is worth; the rest is the search's. Several may be given.",
        (FILE, SHARE), (), multiple=True, metavar="FILE SHARE")
    picture: Path | None = setting("File for the loss curve, .png or .svg; needs matplotlib.", FILE, None)
    curve: Path | None = setting("File for the loss curve as a table, TSV.", FILE, None)

    def recipe_of(self, make: Callable[..., R], sources: Sources, **fields: Any) -> R:
        """The recipe for these files. Raises OSError and UserError for --init, as eval.files does."""
        return make(files=counts(sources.files), books=counts(sources.books), **fields,
                    init=read_weights(self.init).checksum if self.init else "",
                    teachers={read_weights(path).checksum: share for path, share in self.shares.items()})

    @property
    def shares(self) -> dict[Path, float]:
        shares = dict(self.teacher)
        if len({path.resolve() for path in shares}) < len(self.teacher):
            raise click.UsageError(_("--teacher names a file twice; give it once, with the sum of its shares"))
        return shares

    @property
    def writes_nnbin(self) -> bool:
        """Whether the output is an nn.bin. Raises OSError and UserError for --init, as eval.files does."""
        if self.out:
            return self.out.suffix == ".bin"
        return bool(self.init and read_weights(self.init).features in FORMS)

    def run(self, recipe: Recipe, sources: Sources, model: Model) -> None:
        written = [file for file in (self.out, self.picture, self.curve, self.checkpoint) if file]
        require_different([*written, *(source.path for source in (*sources.files.values(), *sources.books.values()))])
        # Report files that cannot be written before hours of learning, not after them.
        if self.picture:
            require_picture(self.picture)
        if self.curve:
            require_replaceable(self.curve, CURVE)
        require_writable(self.checkpoint)
        teachers = Teachers(self.shares) if self.shares else None
        with alone(self.checkpoint):
            state = learn(recipe, sources, model, self.checkpoint, self.init, self.out, teachers, self.force)
        if self.curve:
            write_file(self.curve, curve_table(state).encode())
        if self.picture:
            draw_curve(state, self.picture)


@dataclass(frozen=True)
class TableRates:
    """Learning rates of the tables, and the limits that leave weights out."""

    rate: float = setting("Learning rate in centipawns.", RATE, 0.3)
    rates: dict[str, float] = setting("Rates of single sets of weights; 0 leaves a set out: "
                                      f"{', '.join(SHAPES)} (kpp: a sixth of --rate).",
                                      Parsed("name=rate,…", parse_rates), dict,
                                      metavar="NAME=RATE,…", shown="")
    residual_from: int = setting("Fewest records with which KPP is learned beyond its factors.",
                                 WholeRange(0, 10**12, "RECORDS"), 300_000)
    threshold: float = setting(f"Leave out smaller weights of the sparse sets, in 1/{SCALE} centipawn.",
                               RealRange(0, 10**9, unit="UNITS"), 1)

    def of(self, records: int) -> dict[str, float]:
        """The rate of each set, learned from this number of records."""
        residual = {} if records >= self.residual_from else {"kpp": 0.0}
        return rates_of(self.rate) | self.rates | residual


@group(__doc__)
def main() -> None:
    pass


@command("Learn the network." + COMMON + """

The weights of the last epoch are written, because the rate has fallen to 0 by then. In the form of nn.bin no material
is added to the output, so units of the network represent the material; and the network learns with rounded weights
(docs/LEARNING.md).""", resumes=True)
@samples_argument
@options_of(RunFiles, "files")
@options_of(NetworkRecipe, "make", partial(partial, NetworkRecipe))
def network(samples: tuple[Path, ...], files: RunFiles, make: Callable[..., NetworkRecipe]) -> None:
    sources = open_sources(samples, files.book)
    recipe = files.recipe_of(make, sources)
    files.run(recipe, sources, NetworkModel(recipe, files.writes_nnbin))


@command("Learn the tables." + COMMON + """

The best epoch's weights are written. The run ends early after --patience epochs in a row without a better one.""",
         resumes=True)
@samples_argument
@options_of(RunFiles, "files")
@options_of(TablesRecipe, "make", partial(partial, TablesRecipe))
@options_of(TableRates, "rates")
def tables(samples: tuple[Path, ...], files: RunFiles, make: Callable[..., TablesRecipe], rates: TableRates) -> None:
    sources = open_sources(samples, files.book)
    recipe = files.recipe_of(make, sources, rates=rates.of(sum(map(len, sources.files.values()))))
    files.run(recipe, sources, TablesModel(recipe, rates.threshold))


@command("""Average the weights of networks that were learned on from the same one.

    python -m scripts.learn mean data/*.psv.xz --of runs/values.weights --of runs/results.weights --out runs/m.weights

The mean may play better than each of them, if they learned different things. FILES only measure it, on positions that
are drawn as `network` draws those that it holds out.""")
@samples_argument
@click.option("--of", "several", multiple=True, type=click_type(FILE), required=True, help="Network; give several.")
@click.option("--out", type=click_type(FILE), required=True, help="Weights file to write.")
@click.option("--validation", type=click_type(SHARE), default=0.01, show_default=True,
              help="Share of the games to measure on.")
@click.option("--force", is_flag=True, help="Let --out replace a file.")
def mean(samples: tuple[Path, ...], several: tuple[Path, ...], out: Path, validation: float, force: bool) -> None:
    require_different([out, *samples, *several])
    require_new(out, force)
    networks = [read_weights(path) for path in several]
    for path, weights in zip(several, networks, strict=True):
        if weights.features != NETWORK:
            raise UserError("{path} holds no network of this engine's kind; give a file of learn network", path=path)
    sources = open_sources(samples)
    recipe = NetworkRecipe(files=counts(sources.files), validation=validation)
    model = NetworkModel(recipe)
    model.begin_with_mean(networks)
    note = f"mean of {', '.join(each.checksum[:16] for each in networks)}"
    print(model.export(Stream(sources, recipe).held, out, note))


@command("""Judge evaluations, and searches with them, on positions that deep searches have valued.

    python -m scripts.learn judge --eval-file runs/net.weights --eval-file tables
    python -m scripts.learn judge --nodes 300 --params short

Prints, for each kind of position, the excess cross-entropy of the winning rate over that of the deep values, smaller is
better; the correlation with the deep values; and how well a fit to the results of the games foretells them. FILES are
training files, one for each kind; the default is the project's ruler. Positions in check, with a best move that
captures or judged beyond 1,500 centipawns do not count. With --nodes or --depth, searches are judged, too: by their
last value, and by the mean of their last two iterations.

The project's ruler is made of our own deep values, which have the same blind spots as our evaluation. `label --engine`
makes rulers of another engine's values.""")
@click.argument("files", type=click_type(FILE), nargs=-1)
@click.option("--eval-file", "evaluations", multiple=True, default=["material", ""], metavar="FILE",
              help="Weights, or material, or tables; several may be given [default: material and the packaged network]")
@options_of(ValuingOptions, "search")
@jobs_option()
def judge(files: tuple[Path, ...], evaluations: tuple[str, ...], search: ValuingOptions, jobs: int) -> None:
    for line in judgement(list(files) or RULER, list(evaluations), search.labels(), jobs):
        print(line, flush=True)


for each in (network, tables, mean, judge):
    main.add_command(each)


if __name__ == "__main__":
    main()
