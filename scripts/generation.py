"""Make one generation of the network: games by the packaged weights, a network learned from them, and a match.

    python -m scripts.generation 1 --positions 5000000 --jobs 2
    python -m scripts.generation 2 --positions 5000000 --data ~/data/older.psv --folder ~/generations
    python -m scripts.generation 2 --positions 5000000 --data ~/data/older.psv --scheduler tcp://10.0.0.1:8786

Generation N lies in FOLDER/N: before.weights, what it began with and plays by; N.psv, its positions (generate.py);
run.npz and after.weights, learned from the positions of all generations up to N and of --data, with before.weights as
the teacher (learn.py); and gate/, the games of the new weights against the old (gate.py). If these pass both tests, the
new weights take the place of the packaged ones. Exit status 0: they did; 1: they were not good enough.

The same command run again goes on from there, at whatever step it was interrupted or killed, and does nothing twice.
The commands of the single steps have more options.
"""
import sys
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click

from eval.files import read_weights
from eval.loading import PACKAGED
from scripts.arena.gating import Gate, accepts, install
from scripts.arena.stats.elo import Sprt
from scripts.cli.command import command
from scripts.cli.options import (
    COUNT,
    FILE,
    FOLDER,
    hash_option,
    nodes_option,
    openings_option,
    seed_option,
    workers_options,
)
from scripts.games.openings import load
from scripts.training.generator import generate
from scripts.training.network import NetworkModel
from scripts.training.recipe import NetworkRecipe
from scripts.training.run import learn
from scripts.training.selfplay import GenerationRecipe
from scripts.training.stream import counts, open_sources
from scripts.training.teachers import Teachers
from usi.locking import alone
from usi.writing import write_file


def begun(folder: Path) -> Path:
    """The weights that the generation began with: a copy of the packaged ones, made once."""
    before = folder / "before.weights"
    if not before.exists():
        write_file(before, PACKAGED.read_bytes())
    return before


def play(number: int, folder: Path, before: Path, given: SimpleNamespace) -> Path:
    positions, openings = folder / f"{number}.psv", load(given.openings)
    recipe = GenerationRecipe(None, given.nodes, hash_mb=given.hash_mb,
                              openings=sha256("\n".join(openings).encode()).hexdigest(),
                              weights=sha256(before.read_bytes()).hexdigest())
    print(generate(positions, recipe, openings, given.positions, given.jobs, given.seed, str(before), given.scheduler),
          flush=True)
    return positions


def learnt(number: int, folder: Path, before: Path, given: SimpleNamespace) -> Path:
    after = folder / "after.weights"
    own = [folder.parent / str(each) / f"{each}.psv" for each in range(number + 1)]
    sources = open_sources([*given.data, *filter(Path.exists, own)])
    weights = read_weights(before)
    recipe = NetworkRecipe(files=counts(sources.files), blend=given.blend, validation=given.validation,
                           epochs=given.epochs, threads=given.threads, seed=given.seed,
                           teachers={weights.checksum: given.teacher_share})
    learn(recipe, sources, NetworkModel(recipe), folder / "run.npz", out=after,
          teachers=Teachers({before: given.teacher_share}))
    return after


@command(__doc__, resumes=True)
@click.argument("number", type=click.IntRange(0), metavar="N")
@click.option("--folder", type=FOLDER, default=Path("generations"), show_default=True, help="Of all generations.")
@click.option("--positions", type=COUNT, required=True, help="Number of new positions.")
@click.option("--data", type=FILE, multiple=True, help="More positions to learn from; several files may be given.")
@nodes_option(300, "Nodes of each search that judges a position.")
@openings_option
@workers_options()
@click.option("--blend", type=float, default=NetworkRecipe.blend, show_default=True, help="Share of the search's value "
              "in the target.")
@click.option("--teacher-share", type=float, default=0.5, show_default=True,
              help="Share of the old network in that value, beside the search.")
@click.option("--validation", type=float, default=NetworkRecipe.validation, show_default=True,
              help="Share of the games that is held out.")
@click.option("--epochs", type=COUNT, default=NetworkRecipe.epochs, show_default=True)
@click.option("--threads", type=COUNT, default=NetworkRecipe.threads, show_default=True, help="Of the learner.")
@click.option("--sprt", type=float, nargs=2, default=(0, 15), show_default=True, metavar="ELO0 ELO1",
              help="Hypotheses of the sequential tests.")
@click.option("--match-nodes", type=COUNT, default=20_000, show_default=True, help="Of a move in the first test.")
@click.option("--movetime", type=COUNT, default=100, show_default=True, help="ms of a move in the second.")
@click.option("--games", type=COUNT, default=2000, show_default=True, help="Maximum games in either test.")
@hash_option(GenerationRecipe.hash_mb)
@seed_option
def main(number: int, **options: Any) -> None:
    given = SimpleNamespace(**options)
    folder = given.folder / str(number)
    with alone(folder / "generation"):
        make(number, folder, given)


def make(number: int, folder: Path, given: SimpleNamespace) -> None:
    before = begun(folder)
    play(number, folder, before, given)
    after = learnt(number, folder, before, given)
    played, beaten = read_weights(after).checksum, read_weights(before).checksum
    gate = Gate(Sprt(*given.sprt), given.match_nodes, given.movetime, given.games, load(given.openings))
    if not accepts(gate, after, str(before), given.jobs, given.scheduler, folder / "gate"):
        print(f"{after} is not accepted")
        sys.exit(1)
    install(after, played, PACKAGED, beaten)
    print(f"{after} is accepted and packaged; `make signature` writes down the bench that it has")


if __name__ == "__main__":
    main()
