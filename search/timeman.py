"""When a search has to end. It is told what time it is, in nanoseconds on any clock, and never looks itself."""
from __future__ import annotations

from engine import MATE
from search.clock import Budget, Instability, budget
from search.limits import Settings, TimeLimit

MILLISECOND = 1_000_000     # in nanoseconds
LONGEST_MS = 1_000_000_000  # 11 days, far from what overflows in nanoseconds
SETTLED_DEPTH = 8           # deep enough for a forced move: what comes behind it only serves the ponder move


class TimeManager:
    """The budget of one search, on the time that it was given last; at first it has none, and goes on for ever."""

    def __init__(self, settings: Settings, turn: int, ply: int) -> None:
        self._settings = settings
        self._turn = turn
        self._ply = ply
        self._instability = Instability()
        self._given: TimeLimit | None = None
        self._from = 0                      # when it began to run
        self.budget: Budget | None = None   # None: time does not limit the search (yet)
        self.deadline = 0                   # when to break off; 0: never

    def give(self, time: TimeLimit, at: int) -> None:
        """The search has this time from then on."""
        self._given = time
        self._from = at
        self.budget = budget(time, self._settings, self._turn, self._ply)
        self.deadline = at + min(self.budget.maximum, LONGEST_MS) * MILLISECOND

    def is_enough(self, depth: int, best: str, score: int, root_moves: int, now: int) -> bool:
        """Whether to end after an iteration that ended so, of `root_moves` moves. If it is to end soon, the deadline is
        set for that."""
        factor = self._instability.after(best, score)
        settings = self._settings
        if self.budget is None:
            return False
        # A mate within the depth searched is the shortest there is.
        if abs(score) >= MATE - depth and settings.multi_pv == 1:
            return True
        if isinstance(self._given, int):
            return False
        if root_moves == 1 and depth >= SETTLED_DEPTH:
            return True
        elapsed = (now - self._from) // MILLISECOND
        if elapsed < max(factor * self.budget.optimum, self.budget.least):
            return False
        ending = self.budget.stretched(elapsed, settings)
        self.deadline = self._from + ending * MILLISECOND
        return ending <= elapsed
