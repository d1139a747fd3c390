"""`go mate`, answered by the ordinary search, and believed only where every defence has been tried."""
import threading
import time
from dataclasses import replace

from engine import Position
from search import Limits, Search, Searcher, Settings
from usi.protocol import is_mate


class _Unproven(Exception):
    """The time is over, or the search found no mate where there has to be one."""


class MateSolver:
    """One search for a mate, asked for at `asked_at` (time.monotonic_ns), for `limits.mate` ms or, if that is 0, until
    `stop`.

    The attack is chosen by the search, in whose tree it may make quiet moves, and must give a check in fact; each
    defence to it is tried.
    """

    def __init__(self, searcher: Searcher, limits: Limits, settings: Settings, asked_at: int) -> None:
        self._searcher = searcher
        self._limits = limits
        # Neither a declaration nor the limit of a game has a place in a problem; a move without a promotion may be the
        # one that a dropped pawn must not mate.
        self._settings = replace(settings, entering_king_rule="NoEnteringKing", max_moves=0, multi_pv=1,
                                 generate_all_legal_moves=True)
        self._deadline = asked_at + limits.mate * 1_000_000 if limits.mate else None
        self._stopped = threading.Event()
        self._search: Search | None = None
        self._path: set[str] = set()
        self._lines: dict[str, list[str]] = {}      # proven, by the position without its ply

    def solve(self, position: Position) -> str:
        """What stands behind `checkmate`: the moves to the mate, `nomate` (there is no check to give) or `timeout`."""
        if not _checks(position):
            return "nomate"
        try:
            return " ".join(self._line(position.copy()))
        except _Unproven:
            return "timeout"

    def stop(self) -> None:
        """End it at once, from any thread."""
        self._stopped.set()     # first: it is asked for once the next search can be stopped
        if self._search:
            self._search.stop()

    def _line(self, node: Position) -> list[str]:
        """The longest that the defence can make of it; raises _Unproven."""
        here = node.sfen.rsplit(maxsplit=1)[0]
        if here in self._lines:
            return self._lines[here]
        if here in self._path:
            raise _Unproven
        self._path.add(here)
        attack = self._attack(node)
        node.push(attack)
        longest: list[str] = []
        for defence in node.legal_moves():
            node.push(defence)
            line = [defence, *self._line(node)]
            node.pop()
            longest = max(longest, line, key=len)
        node.pop()
        self._path.remove(here)
        self._lines[here] = [attack, *longest]
        return self._lines[here]

    def _attack(self, node: Position) -> str:
        """A check that the search takes for the best, and for the begin of a mate."""
        checks = _checks(node)
        left_ms = max((self._deadline - time.monotonic_ns()) // 1_000_000, 0) if self._deadline else None
        if left_ms == 0 or not checks:
            raise _Unproven
        self._search = self._searcher.prepare(node, replace(self._limits, mate=left_ms or 0, searchmoves=checks),
                                              self._settings)
        if self._stopped.is_set():
            raise _Unproven
        result = self._search.run()
        if not is_mate(result.score) or result.score < 0:
            raise _Unproven
        assert result.bestmove
        return result.bestmove


def _checks(position: Position) -> tuple[str, ...]:
    return tuple(move for move in position.legal_moves() if position.gives_check(move))
