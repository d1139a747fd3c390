"""The work of an analysis: a searcher and a mate solver look at a game, first briefly, then where it is in doubt."""
import time
from collections.abc import Container, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

from engine.records.record import GameRecord
from engine.system.cpu import VERSION
from eval.loading import weights_checksum
from search import Info, Limits, Searcher, Settings
from search.mate import MateSolver
from usi.commands.analyze.analysis import Analysis, Assessment, analyse, kept, searched
from usi.commands.analyze.report import as_json
from usi.commands.analyze.verdicts import Effort, SearchPosition, look_again
from usi.console.progress import Progress, progress
from usi.files.journal import Journal
from usi.words.language import _
from usi.words.wording import Style, format_line, show_score

WHOLE = 4           # first looks whose time deeper looks may fill up, when only time limits both

GameJournal = Journal[tuple[int, int], Assessment]      # by ply and look


@dataclass(frozen=True)
class GameWork:
    """The searcher, solver and settings that analyse a game."""

    searcher: Searcher
    solver: MateSolver
    limits: Limits              # of the first look at a position
    minutes: float | None       # for a game
    lines: int
    mate_nodes: int
    threads: int
    hash_mb: int
    evaluation: str | None
    style: Style

    def journal(self, game: GameRecord, path: Path | None) -> GameJournal:
        """The journal from which the analysis of a game resumes. Raises OSError and UserError as Journal."""
        return Journal(path, kept(game), self._conditions(game))

    def analysis(self, game: GameRecord, plies: Sequence[int], known: GameJournal, interrupted: Event) -> Analysis:
        """The analysis of the positions at these plies; an incomplete one if `interrupted` is set meanwhile."""
        analysis = Analysis(game)
        course = _Course(game, plies, known.found, self.style)
        begun = time.monotonic()
        with closing(known):
            for found in self._first_looks(game, plies, known, course):
                if interrupted.is_set():        # that search was cut short
                    break
                _keep(known, found)
                analysis = analysis.plus(found)
            else:
                for found in look_again(analysis, self._search(game, course), self._effort(plies, begun), known.found):
                    if interrupted.is_set():
                        break
                    _keep(known, found)
                    analysis = analysis.plus(found)
        progress("")
        return analysis

    def _first_looks(self, game: GameRecord, plies: Sequence[int], known: GameJournal,
                     course: "_Course") -> Iterator[Assessment]:
        return analyse(game, plies, self.searcher, self.limits, Settings(multi_pv=self.lines), course, self.solver,
                       self.mate_nodes, known.found)

    def _search(self, game: GameRecord, course: "_Course") -> SearchPosition:
        def search(ply: int, limits: Limits) -> Assessment:
            course.looks_again = True
            lines = 1 if limits.searchmoves else self.lines
            return searched(game.position(ply), ply, self.searcher, limits, Settings(multi_pv=lines), course)

        return search

    def _effort(self, plies: Sequence[int], begun: float) -> Effort:
        """The effort for deeper looks: the time that the user gave, or a multiple of the time of the first looks."""
        if self.minutes is not None:
            return Effort(self.limits, begun + 60 * self.minutes, is_given=True)
        if self.limits.movetime is None:
            return Effort(self.limits)
        return Effort(self.limits, begun + WHOLE * len(plies) * self.limits.movetime / 1000)

    def as_json(self, analysis: Analysis) -> dict[str, Any]:
        """The analysis as `--json` prints it."""
        return as_json(analysis, self.limits, self.threads, self.searcher.table.megabytes)

    def _conditions(self, game: GameRecord) -> dict[str, int | str | None]:
        """Everything that the outcome depends on, for the journal. Raises OSError if the evaluation's file cannot be
        read."""
        limits = self.limits
        return {"version": VERSION, "evaluation": weights_checksum(self.evaluation), "depth": limits.depth,
                "nodes": limits.nodes, "movetime": limits.movetime, "multipv": self.lines,
                "mate_nodes": self.mate_nodes, "threads": self.threads, "hash": self.hash_mb,
                "game": " ".join(["sfen", game.initial_sfen, "moves", *game.moves])}


def _keep(known: GameJournal, found: Assessment) -> None:
    if known.found.get((found.ply, found.look)) != found:
        known.add((found.ply, found.look), found)


class _Course:
    """The progress of the analysis on stderr, if that is a terminal."""

    def __init__(self, game: GameRecord, plies: Sequence[int], known: Container[tuple[int, int]], style: Style) -> None:
        self._game = game
        self._style = style
        self._last = plies[-1]
        missing = [ply for ply in plies if (ply, 0) not in known]
        self._done = {ply: number for number, ply in enumerate(missing)}    # when each is begun
        self._progress = Progress(len(missing), _("positions"))
        self.looks_again = False        # first looks are over

    def __call__(self, ply: int, info: Info) -> None:
        found = {"depth": info.depth, "nodes": info.nodes, "ms": info.time_ms, "score": show_score(info.score),
                 "move": format_line(self._game.position(ply), info.pv[:1], self._style)}
        if self.looks_again:
            progress(_("a deeper look at position {ply}: depth {depth}, {nodes} nodes, {ms} ms, {score} {move}",
                       ply=ply, **found))
        else:
            progress(_("position {ply} of {last}{left}: depth {depth}, {nodes} nodes, {ms} ms, {score} {move}",
                       ply=ply, last=self._last, left=self._progress.left(self._done[ply]), **found))
