#!/usr/bin/env python3
"""Say which of many changes of margins bring a short search nearer to deep values, all of them at once.

    python scripts/screen.py runs/deep.jsonl --change rfp_margin=70 --change lmr_scale=600,lmr_base=100 \\
        --change use_singular=0 --nodes 150000 --pairs 3000 --jobs 2 --out runs/screen.jsonl
    python scripts/screen.py runs/deep.jsonl --all-steps --nodes 150000 --pairs 5000 --jobs 2 --out runs/steps.jsonl

FILE is one that scripts/deep_values.py has made. Each position is searched twice, either time with a random half of the
changes; a row of the table says what a change adds to the error of the value, in percent of winning rate, and to the
share of equal moves (see scripts/root_error.py), with the half of its 95 % interval and z. The first rows err least.

3000 pairs tell of forty changes nearly what they would of two. But of so many the best are so by chance, too: compare
the sums of the squares of z below the table with what chance makes of them, and measure what looks good by itself again
(scripts/root_error.py, on other positions), then in a match. Changes that undo or need one another are not seen: the
effects are taken to add up.

Pairs are kept in --out as they are searched, and the same command run again goes on; --pairs may be raised.
"""
import signal
import sys
from pathlib import Path

import click

from scripts.arena.search_player import SearchPlayer
from scripts.arena.stats.tally import text_table
from scripts.cli.command import command
from scripts.cli.options import COUNT, FILE, hash_option, nodes_option, out_option, seed_option, workers_options
from scripts.tuning.deep_values import read
from scripts.tuning.root_error import Mean
from scripts.tuning.root_search import files_of, search_roots
from scripts.tuning.screening import Change, Effect, Screening, chi_squared, effects, screen
from scripts.workers.pool import worker_pool
from search.parameters import DEFAULTS, SWITCH

HEADING = ["change", "error", "z", "same move", "z"]


def cells(mean: Mean) -> list[str]:
    return [f"{mean.mean:+.3f} ± {mean.half_width:.3f}", f"{mean.z:+.1f}"]


def report(found: list[Effect]) -> list[str]:
    """Lines: the changes, the most useful first, and what chance has to do with it."""
    rows = [[each.change.text, *cells(each.error), *cells(each.same_move)]
            for each in sorted(found, key=lambda each: each.error.z)]
    squares = [chi_squared(each.error for each in found), chi_squared(each.same_move for each in found)]
    return [*text_table([HEADING, *rows]),
            f"Sums of the squares of z: {squares[0]:.0f} of the errors, {squares[1]:.0f} of the equal moves; "
            f"{len(found)} if all of it is chance"]


@command(__doc__, resumes=True)
@click.argument("file", type=FILE)
@click.option("--change", "texts", multiple=True, metavar="NAME=VALUE,…",
              help="Margins of search/parameters.py that change together; to be given for each change.")
@click.option("--all-steps", "steps", is_flag=True, help="Also, each for itself, the steps of the search left out: "
              f"{SWITCH}…=0.")
@click.option("--base", default="", metavar="NAME=VALUE,…", help="How the search without any of them differs from the "
              "default: margins, eval.")
@click.option("--pairs", type=COUNT, required=True, help="Of searches; how many there are to be in the end.")
@nodes_option(20_000, "Of each search.")
@click.option("--count", type=COUNT, help="How many positions of the file [default: all].")
@hash_option()
@workers_options()
@seed_option
@out_option("File to keep the pairs in, and to continue from.", required=True)
def main(file: Path, texts: tuple[str, ...], steps: bool, base: str, pairs: int, nodes: int, count: int | None,
         hash_mb: int, jobs: int, scheduler: str | None, seed: int, out: Path) -> None:
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    player = SearchPlayer(nodes=nodes, hash_mb=hash_mb).varied(base)
    if steps:
        texts += tuple(f"{name}=0" for name, default in DEFAULTS.items()
                       if name.startswith(SWITCH) and player.params.get(name, default))
    if not texts:
        raise click.UsageError("there is nothing to screen: give --change, or --all-steps")
    screening = Screening(player, [Change.parse(text, player) for text in texts], read(file)[:count], seed)
    with worker_pool(search_roots, jobs, scheduler=scheduler, files=files_of([player])) as run_all, \
            click.progressbar(length=pairs, label="searching", file=sys.stderr, show_pos=True,
                              hidden=not sys.stderr.isatty()) as bar:
        found = screen(screening, out, pairs, run_all, bar.update)
    print(f"{len(found)} pairs at {player.nodes} nodes, {len(screening.deep)} positions")
    print(*report(effects(found, screening.changes)), sep="\n")


if __name__ == "__main__":
    main()
