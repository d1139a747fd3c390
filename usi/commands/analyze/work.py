"""The analysis of one game by a searcher and a mate solver: a brief look at each position, then deeper ones where
moves are in doubt; its journal, and its progress on the terminal."""
from collections.abc import Container, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

from engine.errors import UserError
from engine.records.record import GameRecord
from engine.system.cpu import VERSION
from eval.loading import weights_checksum
from search import Info, Limits, Searcher, Settings
from search.limits import UNBOUNDED
from search.mate import MateSolver
from usi.commands.analyze.analysis import Analysis, Assessment, analyse, kept, searched
from usi.commands.analyze.report import as_json
from usi.commands.analyze.verdicts import Effort, SearchPosition, look_again
from usi.console.progress import Progress, duration, progress
from usi.console.settings import COUNT, RealRange, WholeRange, setting
from usi.console.terminal import SearchOptions, shown_style
from usi.files.journal import Journal
from usi.words.language import _
from usi.words.wording import Style, format_line, show_score

FIRST_MS = 250      # of the first look at a position, when nothing limits it
MATE_HASH_MB = 64

GameJournal = Journal[tuple[int, int], Assessment]      # by ply and look


@dataclass(frozen=True)
class Judging:
    """Which moves of a game are judged, and by how much."""

    first: int = setting("The first move to judge.", COUNT, 1, "--from", metavar="PLY")
    last: int | None = setting("The last move to judge [default: the last].", COUNT, None, "--to", metavar="PLY")
    lines: int = setting("Lines to show for each position.", WholeRange(1, 593), 1, "--multipv")
    mate_nodes: int = setting("Maximum moves of the mate solver on each position; 0: no mate solver.",
                              WholeRange(0, UNBOUNDED), 200_000)
    minutes: float | None = setting("Minutes for the whole game, spent where they may change a mark [default: until "
                                    "the marks stand].", RealRange(0, 10**6, min_open=True, unit="MINUTES"), None)

    def plies(self, moves: int) -> range:
        """The plies of the positions to search in a game of `moves` moves. Raises UserError if it has no such move."""
        last = min(self.last or moves, moves)
        if self.first > max(last, 1):
            raise UserError("--from {first} is beyond move {last}, the last one to judge", first=self.first, last=last)
        return range(self.first - 1, last + 1)


@dataclass(frozen=True)
class GameWork:
    """The searcher, solver and options that analyse a game."""

    searcher: Searcher
    solver: MateSolver
    judging: Judging
    options: SearchOptions

    @classmethod
    def of(cls, judging: Judging, options: SearchOptions) -> "GameWork":
        """With a searcher and a solver of its own. Raises OSError and UserError as SearchOptions.searcher does."""
        return cls(options.searcher(), MateSolver(MATE_HASH_MB), judging, options)

    @property
    def limits(self) -> Limits:
        """The limits of the first look at a position."""
        return self.options.limits(FIRST_MS)

    @property
    def style(self) -> Style:
        return shown_style(self.options.style)

    def journal(self, game: GameRecord, path: Path | None) -> GameJournal:
        """The journal from which the analysis of a game resumes. Raises OSError and UserError as Journal."""
        return Journal(path, kept(game), self._conditions(game))

    def analysis(self, game: GameRecord, plies: Sequence[int], known: GameJournal, interrupted: Event) -> Analysis:
        """The analysis of the positions at these plies. It is incomplete if `interrupted` is set before the end."""
        analysis = Analysis(game)
        effort = Effort.of_game(self.limits, len(plies), self.judging.minutes)
        course = _Course(game, plies, known.found, self.style, effort)
        with closing(known):
            for found in self._first_looks(game, plies, known, effort, course):
                if interrupted.is_set():        # that search was cut short
                    break
                _keep(known, found)
                analysis = analysis.plus(found)
            else:
                for found in look_again(analysis, self._search(game, course), effort, known.found):
                    if interrupted.is_set():
                        break
                    _keep(known, found)
                    analysis = analysis.plus(found)
        progress("")
        return analysis

    def _first_looks(self, game: GameRecord, plies: Sequence[int], known: GameJournal, effort: Effort,
                     course: "_Course") -> Iterator[Assessment]:
        missing = [ply for ply in plies if (ply, 0) not in known.found]
        settings = Settings(multi_pv=self.judging.lines)
        for ply in plies:
            limits = effort.first_look(max(sum(each >= ply for each in missing), 1))
            yield from analyse(game, [ply], self.searcher, limits, settings, course, self.solver,
                               self.judging.mate_nodes, known.found)

    def _search(self, game: GameRecord, course: "_Course") -> SearchPosition:
        def search(ply: int, limits: Limits) -> Assessment:
            course.looks_again = True
            lines = 1 if limits.searchmoves else self.judging.lines
            return searched(game.position(ply), ply, self.searcher, limits, Settings(multi_pv=lines), course)

        return search

    def as_json(self, analysis: Analysis) -> dict[str, Any]:
        """The analysis as `--json` prints it."""
        return as_json(analysis, self.limits, self.options.threads, self.searcher.table.megabytes)

    def _conditions(self, game: GameRecord) -> dict[str, int | str | None]:
        """Everything that the outcome depends on, for the journal. Raises OSError if the evaluation's file cannot be
        read."""
        limits, options = self.limits, self.options
        return {"version": VERSION, "evaluation": weights_checksum(options.evaluation), "depth": limits.depth,
                "nodes": limits.nodes, "movetime": limits.movetime, "multipv": self.judging.lines,
                "mate_nodes": self.judging.mate_nodes, "threads": options.threads, "hash": options.hash_mb,
                "game": " ".join(["sfen", game.initial_sfen, "moves", *game.moves])}


def _keep(known: GameJournal, found: Assessment) -> None:
    if known.found.get((found.ply, found.look)) != found:
        known.add((found.ply, found.look), found)


class _Course:
    """The progress of the analysis on stderr, if that is a terminal."""

    def __init__(self, game: GameRecord, plies: Sequence[int], known: Container[tuple[int, int]], style: Style,
                 effort: Effort) -> None:
        self._game = game
        self._style = style
        self._effort = effort
        self._last = plies[-1]
        missing = [ply for ply in plies if (ply, 0) not in known]
        self._done = {ply: number for number, ply in enumerate(missing)}    # when each is begun
        self._progress = Progress(len(missing), _("positions"))
        self.looks_again = False        # first looks are over

    def __call__(self, ply: int, info: Info) -> None:
        found = {"depth": info.depth, "nodes": info.nodes, "ms": info.time_ms, "score": show_score(info.score),
                 "move": format_line(self._game.position(ply), info.pv[:1], self._style)}
        if self.looks_again:
            progress(_("a deeper look at position {ply}{left}: depth {depth}, {nodes} nodes, {ms} ms, {score} {move}",
                       ply=ply, left=self._left(), **found))
        else:
            progress(_("position {ply} of {last}{left}: depth {depth}, {nodes} nodes, {ms} ms, {score} {move}",
                       ply=ply, last=self._last, left=self._left() or self._progress.left(self._done[ply]), **found))

    def _left(self) -> str:
        """A comma and the time that is left for the game; nothing if nobody knows."""
        left = self._effort.left
        return "" if left is None else _(", at most {time} left", time=duration(left))
