"""The report of a match: a page, and its games as records."""
import html
from collections.abc import Sequence
from math import isfinite
from pathlib import Path

from engine import MATE, MATE_IN_MAX_PLY, SUPERIOR
from engine.errors import UserError
from eval.material import SLOPE
from scripts.games.export import GAMES, KIF, record_of, write_records
from scripts.games.rules import End
from scripts.games.standings import Standings
from scripts.games.tally import figure_rows
from scripts.stats.elo import estimate
from usi.files.writing import WEB_PAGE, require_folder, require_replaceable, write_file
from usi.pages.pages import fill_page, game_data
from usi.words.wording import DECIDED, MARKS

DATA = Path(__file__).parents[1] / "data"
PAGE = "report.html"
POINTS = 120        # of a curve, at most
NOT_IN_RECORDS: frozenset[End] = frozenset({"score", "drawish", "silence", "crash"})    # ends without a word there


def curves(standings: Standings) -> list[dict[str, object]]:
    """The curves of Elo over the games: for two players the difference with its error, for more their ratings."""
    numbers = sorted(standings.games)
    names = standings.names
    drawn = names[:1] if len(names) == 2 else names
    found: list[dict[str, object]] = [{"name": name, "points": []} for name in drawn]
    part = Standings(names, standings.encounters)
    step = max(1, len(numbers) // POINTS)
    for count, number in enumerate(numbers, 1):
        part.add(number, standings.games[number])
        if count % step and count != len(numbers):
            continue
        if len(names) == 2:
            pairs = part.tallies[0].pairs
            values = [(estimate(pairs).elo, estimate(pairs).error)] if any(pairs) else []
        else:
            values = [(rating.elo, rating.error) for rating in part.ratings()]
        for curve, (elo, error) in zip(found, values, strict=False):
            if isfinite(elo) and isfinite(error):
                points = curve["points"]
                assert isinstance(points, list)
                points.append([count, round(elo, 1), round(error, 1)])
    return found


def games(standings: Standings) -> list[dict[str, object]]:
    """The data of each game for the page."""
    found: list[dict[str, object]] = []
    for number, game in sorted(standings.games.items()):
        black, white = (standings.names[player] for player in standings.players_of(number))
        record = record_of(game, (black, white), "", csa=False)
        if game.end in NOT_IN_RECORDS:
            record.terminal = game.end
        end = {"terminal": record.terminal, "winner": game.winner, "plies": len(game.moves)}
        found.append({"line": f"{number + 1}: {standings.line(number)}", **game_data(record), "end": end,
                      "book": game.opening_plies, "first": game.first, "thoughts": game.thoughts})
    return found


def html_table(rows: Sequence[Sequence[str]]) -> str:
    def line(row: Sequence[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in row) + "</tr>"
    return "<table>" + line(rows[0], "th") + "".join(line(row, "td") for row in rows[1:]) + "</table>"


def page(standings: Standings, title: str, summary: str) -> str:
    """The page as text; it needs no other file."""
    tables = [html_table(figure_rows(standings.names, standings.figures()))]
    if standings.games:
        tables = [html_table(standings.rating_rows(None, 0)), html_table(standings.cross_rows()), *tables]
    return fill_page((DATA / "report.html").read_text(encoding="utf-8"), title,
                     {"curves": curves(standings), "games": games(standings), "slope": SLOPE,
                      "scores": {"mate": MATE, "mateInMaxPly": MATE_IN_MAX_PLY, "superior": SUPERIOR,
                                 "decided": DECIDED},
                      "marks": [(mark.symbol, mark.expected) for mark in MARKS]},
                     {"TABLES": "\n".join(tables), "SUMMARY": html.escape(summary),
                      "PROGRAM": (DATA / "report.js").read_text(encoding="utf-8").rstrip()})


def require_report(folder: Path) -> None:
    """Raise UserError if the folder has a page or games that are not of an earlier report. Raises OSError if it cannot
    be written in."""
    require_folder(folder)
    require_replaceable(folder / PAGE, WEB_PAGE)
    if not (folder / PAGE).exists():
        for name in (GAMES, KIF):
            if (folder / name).exists():
                raise UserError("{path} is there, and is of no report; name another folder, or move it away",
                                path=folder / name)


def write_report(folder: Path, standings: Standings, summary: str) -> None:
    """Write report.html, games.csa and kif/."""
    folder.mkdir(parents=True, exist_ok=True)
    write_file(folder / PAGE, page(standings, " – ".join(standings.names), summary).encode())
    write_records(folder, standings)
