"""An analysis as a page to look at in a browser."""
from collections.abc import Mapping
from typing import Any

from engine import BLACK, WHITE
from engine.records.handicaps import ENGLISH_NAMES, EVEN, HANDICAP_NAMES
from engine.records.record import Record
from engine.system.cpu import VERSION
from usi.commands.analyze.analysis import Analysis, missed_mate
from usi.commands.analyze.report import FACTS, own_comment, position_json
from usi.pages.pages import fill_page, game_data, packaged
from usi.words.language import side_name
from usi.words.marks import MARKS

PAGE_SIGN = b'"engine":"Gakushi '     # which every page has
# Of a position as `--json` has it: what the page has elsewhere, or can do without.
_NOT_SHOWN = {"ply", "sfen", "move", "depth", "nodes", "time_ms"}


def page(analysis: Analysis, links: Mapping[str, str | None] | None = None) -> str:
    """The page as text, with all it shows inside. `links` leads to the `index`, and to the `previous` and the `next`
    page, if there are any."""
    names = [name or side_name(side) for side, name in enumerate(analysis.record.names)]
    return fill_page(packaged("analysis.html"), " – ".join(names), page_data(analysis, links))


def page_data(analysis: Analysis, links: Mapping[str, str | None] | None = None) -> dict[str, Any]:
    """What the program of the page reads. A node of the game has what `--json` says of a position."""
    record, assessments = analysis.record, analysis.assessments
    game = game_data(record, assessments[0].ply, assessments[-1].ply)
    nodes = [_node(analysis, number) for number in range(len(assessments))]
    return {
        "engine": f"Gakushi {VERSION}",
        "facts": {label: value for key, label in FACTS.items() if (value := record.headers.get(key))},
        "handicap": handicap_names(record),
        "marks": [mark.symbol for mark in MARKS],
        "links": links,
        "sides": [_side(analysis, side) for side in (BLACK, WHITE)],
        "game": game | {"nodes": nodes, "has_lines": True},
    }


def handicap_names(record: Record) -> dict[str, str] | None:
    """What the handicap of a game is called in both languages; None if it has none."""
    handicap = HANDICAP_NAMES.get(record.initial_sfen, EVEN)
    return {"ja": handicap, "en": ENGLISH_NAMES[handicap]} if handicap != EVEN else None


def _side(analysis: Analysis, side: int) -> dict[str, Any]:
    done = analysis.of_side(side)
    return {"moves": done.moves, "best": done.best, "lost": round(done.lost, 4),
            "marks": {mark.symbol: done.marks[mark.symbol] for mark in MARKS}}


def _node(analysis: Analysis, number: int) -> dict[str, Any]:
    found = analysis.assessments[number]
    shown = {name: value for name, value in position_json(analysis, found).items() if name not in _NOT_SHOWN}
    shown |= {"comment": own_comment(analysis.record, found.ply), "missed_mate": None}
    if number:
        before = analysis.assessments[number - 1]
        if missed_mate(before, analysis.record.moves[found.ply - 1], found):
            shown["missed_mate"] = list(before.mate)
    return shown
