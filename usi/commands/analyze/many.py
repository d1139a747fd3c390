"""Several games: how they are found, the names of their output files, statistics of players, the index page.
The loop over the games is in `command`."""
import os
import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

from engine import BLACK, WHITE
from engine.errors import UserError
from engine.records.handicaps import names_of_sides
from engine.records.record import GameRecord
from usi.commands.analyze.analysis import Analysis, SideSummary
from usi.commands.analyze.report import handicap_names
from usi.commands.records import files_of, find_games, game_of
from usi.files.reading import STDIN, read_text_file
from usi.files.writing import Output
from usi.pages.pages import fill_page, how_it_ended, opening_names, packaged
from usi.words.language import _, language, side_name, translate
from usi.words.wording import MARKS, columns_of, cut, pad, pad_left

NAME_COLUMNS = 16       # with the figures 80 columns; longer names are cut
LEAST_COLUMNS = 4       # of a figure
PAGE = ".html"
INDEX = f"index{PAGE}"
JOURNAL = ".jsonl"
LONGEST_NAME = 200      # bytes: most file systems allow 255, with the ending


@dataclass(frozen=True)
class Source:
    """A game, with its file."""

    number: int                 # of all games, from 1
    name: str                   # its file, with the number of the game if it has several
    record: GameRecord
    form: str                   # in which it is written, for people
    file: str                   # the name of its output files without the ending; see `Names`

    @property
    def page(self) -> str:
        return f"{self.file}{PAGE}"


class Names:
    """Names for the output files of games. Each is the name of the game's own file, with its folders below the one that
    was given, so it stays when other files come or go."""

    def __init__(self) -> None:
        self._known = {INDEX.removesuffix(PAGE)}

    def of(self, path: Path, below: Path | None, number: int) -> str:
        """The name for game `number` of a file. A second file of the same name gets a digest of its path; so does a
        name that is too long to take an ending."""
        name = path.relative_to(below).as_posix() if below else "stdin" if str(path) == STDIN else path.name
        digest = f"-{sha256(os.fsencode(path.absolute())).hexdigest()[:8]}"
        last = name.rpartition("/")[2]
        if len(os.fsencode(last)) > LONGEST_NAME:
            name = name.removesuffix(last) + last[:LONGEST_NAME // 4] + digest
        name += f"-{number}" * (number > 1)
        if name.casefold() in self._known:      # there may be no difference between small and capital letters
            name += digest
        self._known.add(name.casefold())
        return name

    def is_of_other(self, name: str) -> bool:
        """Whether an output file of this name (without its ending) belongs to none of the files named so far."""
        return not {name.casefold(), re.sub("-[0-9]+$", "", name.casefold())} & self._known


@dataclass
class Player:
    """One person's results over all games."""

    games: int = 0
    won: int = 0
    moves: int = 0              # that were judged
    best: int = 0               # of them the engine's first choice
    lost: float = 0.0           # expected score, in sum
    marks: Counter[str] = field(default_factory=Counter)

    def add(self, summary: SideSummary, won: bool) -> None:
        self.games += 1
        self.won += won
        self.moves += summary.moves
        self.best += summary.best
        self.lost += summary.lost * summary.moves
        self.marks += summary.marks

    @property
    def mean_loss(self) -> float:
        return self.lost / max(self.moves, 1)

    def as_json(self, name: str) -> dict[str, Any]:
        return {"name": name, "games": self.games, "won": self.won, "moves": self.moves, "best": self.best,
                "lost_expected": round(self.mean_loss, 4), "marks": {mark.symbol: self.marks[mark.symbol]
                                                                     for mark in MARKS}}


def games_of(records: Iterable[str], number: int | None, strict: bool,
             left_out: Callable[[str, Exception], None], names: Names) -> list[Source]:
    """The games of the files named, and of all records in the folders named; `number` chooses one of each file. What
    cannot be read is handed to `left_out`, with the name of its file. "-" is standard input."""
    found: list[Source] = []
    for path, below in _paths(records):
        called = names.of(path, below, 1)
        try:
            games = find_games(read_text_file(STDIN if str(path) == STDIN else path), strict)
            if number:
                game_of(games.records, number)
        except (OSError, UserError) as error:
            left_out(str(path), error)
            continue
        for count, record in enumerate(games.records, 1):
            file = called if count == 1 else names.of(path, below, count)
            if number in (None, count):
                name = f"{path} {count}" if len(games.records) > 1 else str(path)
                found.append(Source(len(found) + 1, name, record, games.form.told(translate), file))
    return found


def _paths(records: Iterable[str]) -> Iterator[tuple[Path, Path | None]]:
    """The files, each with the folder named in which it was found, if any."""
    for path in dict.fromkeys(map(Path, records)):
        if path.is_dir():
            yield from ((file, path) for file in files_of((path,)))
        else:
            yield path, None


def left_over(folder: Path, ending: str, kind: Output, names: Names) -> list[Path]:
    """Output files in the folder that belong to games of other files, or of files that are gone."""
    def name(path: Path) -> str:
        return path.relative_to(folder).as_posix().removesuffix(ending)

    return [path for path in sorted(folder.rglob(f"*{ending}"))
            if path.is_file() and names.is_of_other(name(path)) and path.stat().st_size and kind.is_own(path)]


def players_of(analyses: Iterable[Analysis]) -> dict[str, Player]:
    """The players by name, the smallest loss per move first. Sides without a name are skipped."""
    players: dict[str, Player] = {}
    for analysis in analyses:
        for side in (BLACK, WHITE):
            if name := " ".join(analysis.record.names[side].split()):
                players.setdefault(name, Player()).add(analysis.of_side(side), analysis.record.winner == side)
    return dict(sorted(players.items(), key=lambda each: (not each[1].moves, each[1].mean_loss, each[0])))


def _heads() -> list[str]:
    marks = [mark.japanese if language() == "ja" else mark.symbol for mark in MARKS]
    return [_("games"), _("won"), _("moves"), _("first choice"), _("mean loss"), *marks]


def _cells(player: Player) -> list[str]:
    share = f"{player.best / player.moves:.0%}" if player.moves else "-"
    loss = f"{player.mean_loss:.1%}" if player.moves else "-"
    return [str(player.games), str(player.won), str(player.moves), share, loss,
            *(str(player.marks[mark.symbol]) for mark in MARKS)]


def table(players: dict[str, Player]) -> Iterator[str]:
    """The players as lines of a table; none if no player is known."""
    if not players:
        return
    widths = [max(columns_of(head), LEAST_COLUMNS) for head in _heads()]
    for name, cells in ((_("player"), _heads()), *((name, _cells(player)) for name, player in players.items())):
        yield pad(cut(name, NAME_COLUMNS), NAME_COLUMNS) + "".join(f"  {pad_left(cell, width)}"
                                                for cell, width in zip(cells, widths, strict=True))


def links_of(source: Source, games: Sequence[Source]) -> dict[str, str | None]:
    """The links of the page of one of these games."""
    at = games.index(source)
    return {"index": _link(INDEX, source.page),
            "previous": _link(games[at - 1].page, source.page) if at else None,
            "next": _link(games[at + 1].page, source.page) if at + 1 < len(games) else None}


def _link(page: str, own: str = "") -> str:
    """The relative link from one page to another, which may lie in another folder."""
    return quote(os.fsencode(posixpath.relpath(page, posixpath.dirname(own) or ".")))


def index_page(title: str, games: Iterable[tuple[Source, Analysis]]) -> str:
    """A page of the games and the players, with links to the games' pages in the same folder."""
    games = list(games)
    players = players_of(analysis for _source, analysis in games)
    return fill_page(packaged("index.html"), title, {
        "sides": [side_name(BLACK), side_name(WHITE)], "marks": [mark.symbol for mark in MARKS],
        "players": [player.as_json(name) for name, player in players.items()],
        "games": [_game_data(source, analysis) for source, analysis in games]})


def _game_data(source: Source, analysis: Analysis) -> dict[str, Any]:
    """A game as a row of the index shows it."""
    record = source.record
    sides = [analysis.of_side(side) for side in (BLACK, WHITE)]
    return {
        "number": source.number, "page": _link(source.page), "file": source.name,
        "names": list(record.names), "titles": list(names_of_sides(record.initial_sfen)),
        "date": record.headers.get("START_TIME"), "title": record.headers.get("表題"),
        "event": record.headers.get("EVENT"), "handicap": handicap_names(record),
        "opening": opening_names(record), "plies": len(record.moves),
        "end": how_it_ended(record),
        "lost": [round(done.lost, 4) if done.moves else None for done in sides],
    }
