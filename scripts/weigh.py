"""Say what the games of many screenings and matches together promise of each change of the search.

    python -m scripts.weigh runs/margins.jsonl runs/more_margins.jsonl runs/match.jsonl

FILE is what `scripts.screen --out` or, between two versions of our search, `scripts.match --out` keeps; either may
still be going on. Shown are the games in which only one side had the change, and the Elo to be expected of it with half
of its 95 % interval: less than was found, since the luckiest of many changes look the best. What several screenings
favour a little may be worth a match together. Values are assumed to add up, whatever else a search has or lacks.
"""
from pathlib import Path

import click

from scripts.cli.command import command
from scripts.cli.options import FILE
from scripts.games.played import GAMES
from scripts.games.tally import text_table
from scripts.stats.elo import NORMAL_95
from scripts.tuning.weighing import weigh_files
from usi.files.journal import read_journal


@command(__doc__)
@click.argument("paths", type=FILE, metavar="FILE…", nargs=-1, required=True)
def main(paths: tuple[Path, ...]) -> None:
    changes, games, weighed = weigh_files({str(path): read_journal(path, GAMES) for path in paths})
    rows = sorted(zip(changes, games, weighed.values, weighed.deviations, strict=True), key=lambda row: -row[2])
    print(*text_table([["change", "games", "expected"],
                       *([change, str(count), f"{value:+.1f} ± {NORMAL_95 * deviation:.1f}"]
                         for change, count, value, deviation in rows)]), sep="\n")
    print(f"prior: ± {NORMAL_95 * weighed.prior:.1f}")


if __name__ == "__main__":
    main()
