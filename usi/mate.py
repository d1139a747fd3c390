"""`go mate`, answered by the ordinary search, and believed only where every defence has been tried."""
import time
from collections.abc import Callable
from dataclasses import replace

from engine import Position
from search import Limits, Searcher, Settings
from usi.protocol import is_mate


class _Unproven(Exception):
    """The time is over, or the search found no mate where there has to be one."""


def solve(
    searcher: Searcher, position: Position, limits: Limits, settings: Settings, stopped: Callable[[], bool]
) -> str:
    """What stands behind `checkmate`: the moves to the mate, `nomate` or `timeout`.

    `nomate` is said only where there is no check to give. `limits.mate` is the time in ms, 0 for as long as
    `stopped()` is false.
    """
    # Neither a declaration nor the limit of a game has a place in a problem, and the defence does not resign; a move
    # without a promotion may be the one that a dropped pawn must not mate.
    settings = replace(settings, entering_king_rule="NoEnteringKing", max_moves=0, multi_pv=1, resign_value=99999,
                       generate_all_legal_moves=True)
    if not _checks(position):
        return "nomate"
    try:
        return " ".join(_Proof(searcher, limits, settings, stopped).line(position.copy()))
    except _Unproven:
        return "timeout"


def _checks(position: Position) -> tuple[str, ...]:
    return tuple(move for move in position.legal_moves() if position.gives_check(move))


class _Proof:
    """The attack is chosen by the search, in whose tree it may make quiet moves, and must give a check in fact; each
    defence to it is tried."""

    def __init__(self, searcher: Searcher, limits: Limits, settings: Settings, stopped: Callable[[], bool]) -> None:
        self._searcher = searcher
        self._limits = limits
        self._settings = settings
        self._stopped = stopped
        self._deadline = time.monotonic() + limits.mate / 1000 if limits.mate else None
        self._path: set[str] = set()
        self._lines: dict[str, list[str]] = {}      # proven, by the position without its ply

    def line(self, node: Position) -> list[str]:
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
            line = [defence, *self.line(node)]
            node.pop()
            longest = max(longest, line, key=len)
        node.pop()
        self._path.remove(here)
        self._lines[here] = [attack, *longest]
        return self._lines[here]

    def _attack(self, node: Position) -> str:
        """A check that the search takes for the best, and for the begin of a mate."""
        checks = _checks(node)
        left_ms = max(int((self._deadline - time.monotonic()) * 1000), 0) if self._deadline else None
        self._searcher.arm()        # before the question, so that a stop is seen either here or by the search
        if self._stopped() or left_ms == 0 or not checks:
            raise _Unproven
        limits = replace(self._limits, mate=left_ms or 0, searchmoves=checks)
        result = self._searcher.search(node, limits, self._settings)
        if not is_mate(result.score) or result.score < 0:
            raise _Unproven
        return result.bestmove
