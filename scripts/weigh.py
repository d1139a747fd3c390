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
from scripts.cli.paths import require_different
from scripts.games.played import GAMES
from scripts.tuning.weighing import table, weigh_files
from usi.console.options import FILE
from usi.files.journal import read_journal


@command(__doc__)
@click.argument("paths", type=FILE, metavar="FILE…", nargs=-1, required=True)
def main(paths: tuple[Path, ...]) -> None:
    require_different(paths)
    print(*table(*weigh_files({str(path): read_journal(path, GAMES) for path in paths})), sep="\n")


if __name__ == "__main__":
    main()
