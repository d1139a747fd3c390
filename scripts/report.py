#!/usr/bin/env python3
"""Write what a match came to: a page to look at, and the games as records.

    python scripts/report.py runs/gauntlet.jsonl runs/gauntlet

MATCH is a file that `match.py --out` has written. FOLDER gets report.html, which needs nothing beside it (tables, Elo
over the games, every game on a board with both sides' evaluations), games.csa, and kif/NUMBER.kifu. `match.py --report
FOLDER` does the same at the end of a match.
"""
from pathlib import Path

import click

from scripts.arena.game_log import read
from scripts.arena.html_report import write_report
from scripts.arena.stats.standings import Standings
from scripts.cli.command import command
from scripts.cli.options import FILE, FOLDER


@command(__doc__)
@click.argument("match", type=FILE)
@click.argument("folder", type=FOLDER)
def main(match: Path, folder: Path) -> None:
    conditions, found = read(match)
    standings = Standings(conditions["names"], conditions["encounters"], found)
    write_report(folder, standings, standings.summary())


if __name__ == "__main__":
    main()
