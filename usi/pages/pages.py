"""Pages for a browser, each one self-contained file. data/ has their look (page.css), positions and how
they are drawn (page.js), the rules and names of moves (moves.js), a board to move pieces on (board.js), what they say
(words.js), and a game to look through (game.html and game.js, with graph.js, own.js and exercise.js)."""
import html
import json
import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from engine import BLACK, WHITE
from engine.records.formations import Formation, castle, opening
from engine.records.gameover import ending_of
from engine.records.handicaps import names_of_sides
from engine.records.record import GameRecord


def packaged(name: str) -> str:
    """The text of a file in usi/pages/data."""
    return files("usi.pages").joinpath(f"data/{name}").read_text(encoding="utf-8")


def fill_page(template: str, title: str, data: object, parts: Mapping[str, str] | None = None) -> str:
    """Fill a page's template. It has placeholders %TITLE%, %DATA% (JSON), files of usi/pages/data (%page.js%), and the
    keys of `parts` (HTML)."""
    encoded = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    values = {"TITLE": html.escape(title),
              "DATA": encoded.replace("<", "\\u003c"),      # nothing in it can end the script
              **(parts or {})}
    return re.sub("%([A-Z]+|[a-z]+\\.[a-z]+)%",
                  lambda mark: values[mark[1]] if mark[1].isupper() else packaged(mark[1]).rstrip(), template)


def game_data(record: GameRecord, first: int = 0, last: int | None = None) -> dict[str, Any]:
    """The data of a game for the pages' program (game.js), or of its positions after `first` to `last` moves.

    `ply` moves lead to the position `sfen`, and `moves` go on from there, `times` being the seconds that they took, or
    None. `castles` has an entry for each change: how many of these moves were made, the side, and the castle's place in
    `formations`, or None. Raises UserError if a move is not legal.
    """
    last = len(record.moves) if last is None else last
    position = record.position(first)
    sfen = position.sfen
    named: dict[Formation, int] = {}
    latest: list[Formation | None] = [None, None]
    castles: list[tuple[int, int, int | None]] = []
    for ply in range(first, last + 1):
        if ply > first:
            position.push(record.moves[ply - 1])
        placement = position.placement
        for side in (BLACK, WHITE):
            if (name := castle(placement, side)) != latest[side]:
                castles.append((ply - first, side, name and named.setdefault(name, len(named))))
                latest[side] = name
    return {
        "sfen": sfen,
        "ply": first,
        "moves": record.moves[first:last],
        "names": list(record.names),
        "titles": list(names_of_sides(record.initial_sfen)),
        "end": how_it_ended(record),
        "times": [record.times.get(ply) for ply in range(first + 1, last + 1)],
        "opening": opening_names(record),
        "castles": castles,
        "formations": [_names(name) for name in named],
        "variations": [each for each in _variations(record) if first < each["ply"] <= last + 1],
    }


def how_it_ended(record: GameRecord) -> dict[str, Any] | None:
    """The end of the game, as keys of the pages' texts; None if neither the record nor the rules say."""
    ending = ending_of(record)
    return ending and {"terminal": ending[0], "winner": ending[1], "plies": len(record.moves)}


def opening_names(record: GameRecord) -> list[list[Any]]:
    """The opening's names in both languages, with the side that chose it, or None for both."""
    return [[side, _names(name)] for side, name in opening(record.initial_sfen, record.moves)]


def _names(formation: Formation) -> dict[str, str]:
    return {"ja": formation.japanese, "en": formation.english}


def _variations(record: GameRecord) -> list[dict[str, Any]]:
    """The variations, each with the ply of the game that it replaces and all its moves from there, even if it leaves
    another variation."""
    found = []
    for ply, variations in sorted(record.variations.items()):
        for variation in variations:
            found.append({"ply": ply, "pv": variation.moves,
                          "comments": {at: text for at, text in variation.comments.items() if at > 0}})
            for inner in _variations(variation):
                shared = inner["ply"] - 1
                found.append({"ply": ply, "pv": variation.moves[:shared] + inner["pv"],
                              "comments": {at + shared: text for at, text in inner["comments"].items()}})
    return found
