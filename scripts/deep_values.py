#!/usr/bin/env python3
"""Search varied positions deeply, and keep what they are worth: the reference of root_error.py and tune.py --deep.

    python scripts/deep_values.py --out runs/deep.jsonl --positions ~/data/own.psv --count 6500 --jobs 2 \\
        --params rfp_margin=110,history_bonus=20

Positions are drawn from lines of `startpos moves …` or SFEN, from games, or, one of about a game, from PSV records
(*.psv). Left out are those judged beyond --max-value, by the record's score or else by a short search, and those in
which the game is over or can be won by declaration.

Search with other margins than those that you mean to test (--params): a search agrees with its own longer self more
than it deserves, and so the margins that made the reference would always look good.

The first line of the file holds the recipe, a fingerprint of the search with it; every other a position, the best move,
its value in centipawns for the side to move, and the depth reached. The same command run again adds what is missing,
and --count may be raised; the file is the same as of an undisturbed run, whoever searches (--jobs, --scheduler).
"""
import signal
from pathlib import Path

import click

from scripts.arena.search_player import SearchPlayer
from scripts.cli.command import command
from scripts.cli.options import COUNT, FILE, hash_option, nodes_option, out_option, seed_option, workers_options
from scripts.tuning.deep_values import DeepRecipe, make


@command(__doc__, resumes=True)
@out_option("File to keep the values in, and to continue from.", required=True)
@click.option("--positions", type=FILE, required=True, help="*.psv; or as --openings of other scripts.")
@click.option("--count", type=COUNT, required=True, help="How many the file is to hold in the end.")
@nodes_option(250_000, "Of each search.")
@click.option("--params", default="", metavar="NAME=VALUE,…", help="How the search differs from the default: margins "
              "of search/parameters.py, eval.")
@click.option("--max-value", type=COUNT, default=700, show_default=True, metavar="CENTIPAWNS",
              help="Leave out positions judged beyond.")
@hash_option(64)
@workers_options()
@seed_option
def main(out: Path, positions: Path, count: int, nodes: int, params: str, max_value: int, hash_mb: int, jobs: int,
         scheduler: str | None, seed: int) -> None:
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    player = SearchPlayer(nodes=nodes, hash_mb=hash_mb).varied(params)
    print(make(out, DeepRecipe(player, positions, seed, max_value), count, jobs, scheduler))


if __name__ == "__main__":
    main()
