#!/usr/bin/env python3
"""Write what a match came to: a page to look at, and the games as records.

    python scripts/report.py runs/gauntlet.jsonl runs/gauntlet

FOLDER gets report.html, which needs nothing beside it (tables, Elo over the games, every game on a board with both
sides' evaluations), games.csa, and kif/NUMBER.kifu. `match.py --report FOLDER` does the same at the end of a match.
"""
import argparse
import sys
from pathlib import Path

from scripts.arena.game_log import read
from scripts.arena.html_report import write_report
from scripts.arena.stats.standings import Standings


def main() -> None:
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("match", type=Path, help="file that match.py --out has written")
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    try:
        conditions, found = read(given.match)
        standings = Standings(conditions["names"], conditions["encounters"], found)
        write_report(given.folder, standings, standings.summary())
    except (ValueError, OSError, KeyError) as error:
        sys.exit(f"report: {error}")


if __name__ == "__main__":
    main()
