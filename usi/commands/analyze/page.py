"""An analysis as a page to look at in a browser."""
from typing import Any

from engine import BLACK, WHITE
from engine.system.cpu import VERSION
from usi.commands.analyze.analysis import MARKS, Analysis, Assessment, missed_mate
from usi.commands.analyze.report import FACTS, own_comment, position_json
from usi.commands.wording import format_line, format_move, last_move
from usi.language import side_name
from usi.pages import fill_page, packaged

ENGLISH, JAPANESE = "en", "ja"


def page(analysis: Analysis) -> str:
    """The page as text, with all it shows inside."""
    names = [name or side_name(side) for side, name in enumerate(analysis.record.names)]
    return fill_page(packaged("analysis.html"), " – ".join(names), page_data(analysis))


def page_data(analysis: Analysis) -> dict[str, Any]:
    """What the program of the page reads: each position as `--json` has it, and its words in both languages."""
    record = analysis.record
    return {
        "engine": f"Gakushi {VERSION}",
        "names": list(record.names),
        "facts": {label: value for key, label in FACTS.items() if (value := record.headers.get(key))},
        "marks": [mark.symbol for mark in MARKS],
        "sides": [_side(analysis, side) for side in (BLACK, WHITE)],
        "positions": [_position(analysis, number) for number in range(len(analysis.assessments))],
    }


def _side(analysis: Analysis, side: int) -> dict[str, Any]:
    done = analysis.of_side(side)
    return {"moves": done.moves, "best": done.best, "lost": round(done.lost, 4),
            "marks": {mark.symbol: done.marks[mark.symbol] for mark in MARKS}}


def _position(analysis: Analysis, number: int) -> dict[str, Any]:
    found = analysis.assessments[number]
    position = position_json(analysis, found)
    for line in position["lines"]:
        line["ja"] = _japanese(analysis, found, line["pv"])
    position |= {"comment": own_comment(analysis.record, found.ply), "missed_mate": None}
    if not number:
        return {**position, "move": None}
    before, move = analysis.assessments[number - 1], analysis.record.moves[found.ply - 1]
    if missed_mate(before, move, found):
        position["missed_mate"] = {"pv": list(before.mate), "ja": _japanese(analysis, before, before.mate)}
    at_move = analysis.position(before)
    return {**position, "text": {ENGLISH: move, JAPANESE: format_move(at_move, move, "japanese", last_move(at_move))}}


def _japanese(analysis: Analysis, found: Assessment, moves: tuple[str, ...] | list[str]) -> list[str]:
    """The words for each move of a line. One of them may hold the wide blank of 同, but none an ordinary one."""
    return format_line(analysis.position(found), moves, "japanese").split(" ") if moves else []
