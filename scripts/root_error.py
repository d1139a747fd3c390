#!/usr/bin/env python3
"""Say how near to deep values a short search comes, and whether one set of margins comes nearer than another.

    python scripts/root_error.py runs/deep.jsonl --b nodes=40000
    python scripts/root_error.py runs/deep.jsonl --skip 5000 --b rfp_margin=90 --b rfp_margin=90,lmr_base=60 --jobs 2

FILE is one that scripts/deep_values.py has made. Every candidate, A and each --b, searches the same positions; a row of
the table says how far its values are from the deep ones in the mean, in percent of winning rate, how often its move is
the same, and its mean depth. For each B follow the differences from A, position by position, with the half of their
95 % interval and z, the difference by its standard deviation: margins are better with less error and more equal moves.

Some thousand positions tell in a minute what takes thousands of games. But they tell of fixed nodes, and only of how a
search agrees with a deeper one: play a match before you believe it, and look at the nodes a second.
"""
import sys
from pathlib import Path

import click

from scripts.arena.search_player import SearchPlayer
from scripts.arena.stats.tally import decimal, text_table
from scripts.cli.command import command
from scripts.cli.options import COUNT, FILE, hash_option, nodes_option, workers_options
from scripts.tuning.deep_values import read
from scripts.tuning.root_error import Mean, RootErrors
from scripts.tuning.root_search import files_of, require_fixed, search_roots, searched
from scripts.workers.pool import worker_pool

HEADING = ["", "error %", "same move %", "depth", "error - A", "z", "same move - A", "z"]


def cells(name: str, found: RootErrors, differences: tuple[Mean, ...]) -> list[str]:
    return [name, decimal(Mean.of(found.errors).mean * 100, 3), decimal(Mean.of(found.same_moves).mean * 100, 2),
            decimal(found.depth, 2),
            *(cell for each in differences
              for cell in (f"{each.mean:+.3f} ± {each.half_width:.3f}", f"{each.z:+.1f}"))]


def table(found: list[RootErrors], texts: list[str]) -> list[str]:
    """Lines: the first candidate, and the others with what they differ from it."""
    first, *others = found
    rows = [[*cells(f"A  {texts[0]}", first, ()), "", "", "", ""]]
    rows += [cells(f"B  {text}", each, each.against(first)) for each, text in zip(others, texts[1:], strict=True)]
    return text_table([HEADING, *rows])


@command(__doc__)
@click.argument("file", type=FILE)
@click.option("--a", default="", metavar="NAME=VALUE,…", help="How the first candidate differs from the default: "
              "margins of search/parameters.py, nodes, hash, eval.")
@click.option("--b", "others", multiple=True, metavar="NAME=VALUE,…", help="Likewise another; several may be given.")
@nodes_option(20_000, "Of each search.")
@click.option("--count", type=COUNT, help="How many positions of the file [default: all].")
@click.option("--skip", type=click.IntRange(0), default=0, show_default=True, help="So many positions of the file "
              "before.")
@hash_option()
@workers_options()
def main(file: Path, a: str, others: tuple[str, ...], nodes: int, count: int | None, skip: int, hash_mb: int, jobs: int,
         scheduler: str | None) -> None:
    players = [SearchPlayer(nodes=nodes, hash_mb=hash_mb).varied(text) for text in (a, *others)]
    for player in players:
        require_fixed(player)
    deep = read(file)[skip:][:count]
    sfens = [each.sfen for each in deep]
    with worker_pool(search_roots, jobs, scheduler=scheduler, files=files_of(players)) as run_all, \
            click.progressbar(length=len(players) * len(sfens), label="searching", file=sys.stderr, show_pos=True,
                              hidden=not sys.stderr.isatty()) as bar:
        found = searched(players, sfens, run_all, bar.update)
    print(f"{len(deep)} positions at {nodes} nodes")
    print(*table([RootErrors.of(each, deep) for each in found], [a, *others]), sep="\n")


if __name__ == "__main__":
    main()
