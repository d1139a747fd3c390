"""Say what the games of many screenings and matches together promise of each change of the search.

    python -m scripts.weigh runs/margins.jsonl runs/more_margins.jsonl runs/match.jsonl

FILE is what `scripts.screen --out` or, between two versions of our search, `scripts.match --out` keeps; either may
still be going on. Shown are the games in which only one side had the change, and the Elo to be expected of it with half
of its 95 % interval: less than was found, since the luckiest of many changes look the best. What several screenings
favour a little may be worth a match together. Values are assumed to add up, whatever else a search has or lacks.
"""
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np

from engine.errors import UserError
from scripts.cli.command import command
from scripts.cli.options import FILE
from scripts.games.played import GAMES
from scripts.games.tally import text_table
from scripts.stats.elo import NORMAL_95
from scripts.tuning.screening import Games, drawn, pair_scores
from scripts.tuning.weighing import Weighed, weigh
from usi.files.journal import read_journal

Change = frozenset[tuple[str, int]]     # margins that change together, with their values


def settings_of(text: str) -> Change:
    """A change as a screening names it, `name=integer,…`."""
    items = (item.partition("=") for item in text.split(","))
    return frozenset((name, int(value)) for name, _, value in items)


def text_of(change: Change) -> str:
    return ",".join(f"{name}={value}" for name, value in sorted(change))


def weigh_files(files: Mapping[str, tuple[Mapping[str, Any], Games]]) -> tuple[list[str], list[int], Weighed]:
    """The changes, the games in which only one side had each, and what is expected of them. `files`: by their names,
    conditions and games of screenings, and of matches between two versions of our search. A match counts for the
    changes of the screenings that its players differ in, and for the rest of their differences as one change more.
    UserError if a file is of other games, or none has a pair that is complete."""
    screened = {file: [settings_of(text) for text in conditions.get("changes", ())]
                for file, (conditions, _) in files.items()}
    known = sorted({change for changes in screened.values() for change in changes}, key=len, reverse=True)
    rows: list[Mapping[Change, int]] = []
    scores: list[float] = []
    for file, (conditions, games) in files.items():
        changes = screened[file]
        in_match = {} if changes else _differences(file, conditions, known)
        for pair, score in pair_scores(games).items():
            rows.append(in_match or dict(zip(changes, drawn(conditions["seed"], pair, len(changes)).tolist(),
                                             strict=True)))
            scores.append(score)
    if not rows:
        raise UserError("there is no complete pair of games in these files; play more")
    found = list(dict.fromkeys(change for row in rows for change in row))
    design = np.array([[row.get(change, 0) for change in found] for row in rows], float)
    counts = 2 * np.count_nonzero(design, 0)
    return [text_of(change) for change in found], counts.tolist(), weigh(design, np.array(scores))


def _differences(file: str, conditions: Mapping[str, Any], known: Sequence[Change]) -> dict[Change, int]:
    """The changes between the players of a match: +1 for those of the first, -1 for those of the second. Where both set
    a margin, the second's value is taken to be what the first changed."""
    players = conditions.get("players", ())
    if len(players) != 2 or not all("params" in player for player in players):
        raise UserError(f"{file} is neither a screening nor a match between two versions of our search; leave it out")
    first, second = (player["params"] for player in players)
    found = {}
    for sign, own, other in ((1, first, second), (-1, second, first)):
        left = {(name, value) for name, value in own.items()
                if name not in other or (sign == 1 and other[name] != value)}
        for change in known:
            if change <= left:
                found[change] = sign
                left -= change
        if left:
            found[frozenset(left)] = sign
    if not found:
        raise UserError(f"the players of {file} have the same margins, so it tells nothing of changes; leave it out")
    return found


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
