"""When a search has to end. It is told what time it is, in nanoseconds on any clock, and never looks itself."""
from __future__ import annotations

from engine import MATE
from search.clock import Budget, Instability, budget
from search.limits import Limits, Settings

MILLISECOND = 1_000_000     # in nanoseconds
LONGEST_MS = 1_000_000_000  # 11 days, far from what overflows in nanoseconds
SETTLED_DEPTH = 8           # deep enough for a forced move: what comes behind it only serves the ponder move


class TimeManager:
    """The budget of one search. It begins to run when the search is asked for, or else with the ponderhit."""

    def __init__(self, limits: Limits, settings: Settings, turn: int, ply: int, asked_at: int) -> None:
        self._limits = limits
        self._settings = settings
        self._turn = turn
        self._ply = ply
        self._instability = Instability()
        self._pondering = limits.ponder
        self.budget: Budget | None = None   # None: time does not limit the search (yet)
        self.deadline = 0                   # when to break off; 0: never
        self._begin(asked_at)

    def ponderhit(self, limits: Limits | None, at: int) -> None:
        """The move pondered on was played: the budget begins to run, on new clocks if they are given. Nothing happens
        if this is no ponder search (any more)."""
        if not self._pondering:
            return
        self._pondering = False
        if limits is not None:
            self._limits = self._limits.with_times_of(limits)
        self._begin(at)

    def is_enough(self, depth: int, best: str, score: int, root_moves: int, now: int) -> bool:
        """Whether to end after an iteration that ended so, of `root_moves` moves. If it is to end soon, the deadline is
        set for that."""
        factor = self._instability.after(best, score)
        limits, settings = self._limits, self._settings
        if self.budget is None:
            return False
        # A mate within the depth searched is the shortest there is.
        if abs(score) >= MATE - depth and settings.multi_pv == 1:
            return True
        if limits.movetime is not None:
            return False
        if root_moves == 1 and depth >= SETTLED_DEPTH:
            return True
        elapsed = (now - self._from) // MILLISECOND
        if elapsed < max(factor * self.budget.optimum, self.budget.least):
            return False
        ending = self.budget.stretched(elapsed, settings)
        self.deadline = self._from + ending * MILLISECOND
        return ending <= elapsed

    def _begin(self, at: int) -> None:
        self._from = at
        if self._limits.infinite or self._pondering:
            return
        self.budget = budget(self._limits, self._settings, self._turn, self._ply)
        if self.budget is not None:
            self.deadline = at + min(self.budget.maximum, LONGEST_MS) * MILLISECOND
