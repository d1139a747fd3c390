"""How a game is analysed, position after position, and what the terminal says meanwhile."""
from collections.abc import Container, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

from engine.records.record import Record
from engine.system.cpu import VERSION
from eval.loading import weights_checksum
from search import Info, Limits, Searcher, Settings
from search.mate import MateSolver
from usi.commands.analyze.analysis import Analysis, Assessment, analyse, kept
from usi.commands.analyze.report import as_json
from usi.console.terminal import TimeLeft, progress
from usi.files.journal import Journal
from usi.words.language import _
from usi.words.wording import Style, format_line, show_score


@dataclass(frozen=True)
class Work:
    """What is done with each game, and by what."""

    searcher: Searcher
    solver: MateSolver
    limits: Limits
    lines: int
    mate_nodes: int
    threads: int
    hash_mb: int
    evaluation: str | None
    style: Style

    def journal(self, game: Record, path: Path | None) -> Journal[int, Assessment]:
        """The file that the analysis of a game is continued from. OSError and UserError as Journal."""
        return Journal(path, kept(game), self._conditions(game))

    def analyses(self, game: Record, plies: Sequence[int], known: Journal[int, Assessment],
                 interrupted: Event) -> Iterator[Analysis]:
        """The analysis as it grows by each position; it ends when it is `interrupted`."""
        analysis = Analysis(game)
        with closing(known):
            for found in analyse(game, plies, self.searcher, self.limits, Settings(multi_pv=self.lines),
                                 _Progress(game, plies, known.found, self.style), self.solver, self.mate_nodes,
                                 known.found):
                if interrupted.is_set():        # that search was cut short
                    break
                if found.ply not in known.found:
                    known.add(found.ply, found)
                analysis = analysis.plus(found)
                progress("")
                yield analysis
        progress("")

    def as_json(self, analysis: Analysis) -> dict[str, Any]:
        """The analysis as `--json` prints it."""
        return as_json(analysis, self.limits, self.threads, self.searcher.table.megabytes)

    def _conditions(self, game: Record) -> dict[str, int | str | None]:
        """All that the outcome depends on. OSError if the evaluation's file cannot be read."""
        limits = self.limits
        return {"version": VERSION, "evaluation": weights_checksum(self.evaluation), "depth": limits.depth,
                "nodes": limits.nodes, "movetime": limits.movetime, "multipv": self.lines,
                "mate_nodes": self.mate_nodes, "threads": self.threads, "hash": self.hash_mb,
                "game": " ".join(["sfen", game.initial_sfen, "moves", *game.moves])}


class _Progress:
    """Says on stderr, if that is a terminal, where the analysis is."""

    def __init__(self, game: Record, plies: Sequence[int], known: Container[int], style: Style) -> None:
        self._game = game
        self._style = style
        self._last = plies[-1]
        missing = [ply for ply in plies if ply not in known]
        self._done = {ply: number for number, ply in enumerate(missing)}    # when each is begun
        self._left = TimeLeft(len(missing))

    def __call__(self, ply: int, info: Info) -> None:
        progress(_("position {ply} of {last}{left}: depth {depth}, {nodes} nodes, {ms} ms, {score} {move}", ply=ply,
                   last=self._last, left=self._left.after(self._done[ply]), depth=info.depth, nodes=info.nodes,
                   ms=info.time_ms, score=show_score(info.score),
                   move=format_line(self._game.position(ply), info.pv[:1], self._style)))
