"""Decide by games whether new weights, of a network or of tables, replace the packaged ones.

    python -m scripts.gate runs/gen2.weights --jobs 2 --out runs/gate
    python -m scripts.gate runs/gen2.weights --jobs 2 --out runs/gate --install
    python -m scripts.gate runs/gen3.weights --jobs 2 --out runs/gate3 --old tables --install
    python -m scripts.gate runs/gen4.weights --jobs 2 --out runs/gate4 --games 200 --install \\
        --against 20000 "option.USI_Hash=64 path/to/engine" --against 20000 eval=runs/older.weights

The new weights have to pass two sequential tests: first at a fixed number of nodes a move, then at a fixed time, where
speed counts too. A test without a verdict after --games counts as failed. Exit status 0: both tests were passed; 1:
not. With --install the new file then replaces the packaged one that it beat: the network, or with --old tables the
tables.

With --against a pool of opponents decides instead. New and old weights play each of them from the same openings,
--games each. The new ones have to score more over all opponents, with a confidence of 95 %, and against none
significantly less. Weights that learned from each other's values share what they do not see; other engines show it.

--out FOLDER keeps every game, and the same command run again resumes from there.
"""
import sys
from pathlib import Path

import click

from engine.errors import UserError
from eval.files import read_weights
from eval.loading import PACKAGED, PACKAGED_TABLES, TABLES
from scripts.cli.command import command
from scripts.cli.options import COUNT, FILE, FOLDER, nodes_option, openings_option, out_option, workers_options
from scripts.games.gating import Gate, accepts, install
from scripts.games.openings import load
from scripts.games.pool import Opponent, Pool, gains
from scripts.stats.elo import Sprt
from usi.console.options import AMOUNT, ELO
from usi.files.writing import require_folder, require_writable


def pool_accepts(pool: Pool, new: Path, old: str | None, jobs: int, scheduler: str | None, out: Path | None) -> bool:
    """Whether the weights in `new` gain against the pool; prints each comparison."""
    found = []
    for comparison in pool.compare(str(new), old, jobs, scheduler, out):
        print(comparison, flush=True)
        found.append(comparison)
    return gains(found)


@command(__doc__, resumes="out")
@click.argument("new", type=FILE)
@click.option("--old", metavar="FILE|tables|material",
              help="Weights to beat, the packaged tables, or material alone [default: the packaged ones].")
@click.option("--sprt", type=ELO, nargs=2, default=(0, 15), show_default=True, metavar="ELO0 ELO1",
              help="Hypotheses of the sequential tests.")
@nodes_option(6000, "Nodes of a move in the first test.")
@click.option("--movetime", type=AMOUNT, default=50, show_default=True, help="ms of a move in the second.")
@click.option("--games", type=COUNT, default=2000, show_default=True, help="Maximum games in either test, or with "
              "each opponent.")
@click.option("--against", type=(AMOUNT, str), multiple=True, metavar="NODES PLAYER", help="An opponent, and the nodes "
              "that our search has for a move against it: a USI engine with settings before its command, or eval=FILE "
              "for our search with other weights.")
@openings_option
@workers_options()
@out_option("Folder for the games, and to resume from.", kind=FOLDER)
@click.option("--install", "installs", is_flag=True, help="If accepted, put the file in the place of the packaged one.")
def main(new: Path, old: str | None, sprt: tuple[float, float], nodes: int, movetime: int, games: int,
         against: tuple[tuple[int, str], ...], openings: Path, jobs: int, scheduler: str | None,
         out: Path | None, installs: bool) -> None:
    played = read_weights(new).checksum     # reports a broken file before games are played, too
    packaged = PACKAGED if old is None else PACKAGED_TABLES if old == TABLES else None
    beaten = read_weights(packaged).checksum if packaged else ""
    if installs and not packaged:
        raise UserError(f"--install has nothing to replace: {old!r} is not packaged")
    if installs and packaged:
        require_writable(packaged)
    if out:
        require_folder(out)
    if against:
        pool = Pool([Opponent.parse(*each) for each in against], games, load(openings))
        accepted = pool_accepts(pool, new, old, jobs, scheduler, out)
    else:
        gate = Gate(Sprt(*sprt), nodes, movetime, games, load(openings))
        accepted = accepts(gate, new, old, jobs, scheduler, out)
    if accepted and installs and packaged:
        install(new, played, packaged, beaten)
    print(f"{new} is {'accepted' if accepted else 'not accepted'}")
    sys.exit(not accepted)


if __name__ == "__main__":
    main()
