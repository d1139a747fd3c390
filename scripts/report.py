"""Print the results of a match, and make a page of its games.

    python -m scripts.report runs/gauntlet.jsonl --out runs/gauntlet

FILE is the file of `python -m scripts.match --out FILE`; the match may still be going on. --out FOLDER writes
report.html (tables, Elo over the games, every game on a board with both sides' evaluations), games.csa and
kif/NUMBER.kifu.
"""
import json
import re
from pathlib import Path

import click

from engine.errors import Listed, UserError
from scripts.cli.command import command
from scripts.games.html_report import require_report, write_report
from scripts.games.played import GAMES
from scripts.games.standings import Standings
from usi.console.options import click_type
from usi.console.settings import FILE, FOLDER
from usi.files.journal import read_journal


def anchored(text: str | None, names: list[str]) -> tuple[int | None, float]:
    """The player and its rating, from `NAME` or `NAME=ELO`. Raises UserError if there is no such player."""
    if text is None:
        return None, 0
    name, equals, elo = text.rpartition("=")
    if not equals:
        name, elo = text, "0"
    if name not in names or not re.fullmatch(r"-?\d+(\.\d+)?", elo):
        raise UserError("the anchor {text!r} does not read NAME or NAME=ELO with one of {names}", text=text,
                        names=Listed(names))
    return names.index(name), float(elo)


@command(__doc__)
@click.argument("path", type=click_type(FILE), metavar="FILE")
@click.option("--anchor", metavar="NAME[=ELO]", help="Engine whose rating is fixed, at 0 or at ELO.")
@click.option("--json", "to_json", is_flag=True, help="Print the results as JSON in place of the tables.")
@click.option("--out", type=click_type(FOLDER), help="Folder for the page, and for the games in CSA and KIF.")
def main(path: Path, anchor: str | None, to_json: bool, out: Path | None) -> None:
    conditions, found = read_journal(path, GAMES)
    if not conditions.keys() >= {"names", "encounters"}:
        raise UserError("{path} does not say who played, as the games of a match do; name another file", path=path)
    if out:
        require_report(out)
    standings = Standings(conditions["names"], conditions["encounters"], found)
    summary = standings.summary(None, *anchored(anchor, conditions["names"]))
    print(json.dumps(standings.as_json(), indent=1) if to_json else summary)
    if out:
        write_report(out, standings, summary)


if __name__ == "__main__":
    main()
