"""When a search ends. Callers pass the present time, in nanoseconds of any clock."""
from __future__ import annotations

from engine import MATE
from search.clock import Budget, Instability, budget
from search.limits import Settings, TimeLimit

MILLISECOND = 1_000_000     # in nanoseconds
LONGEST_MS = 1_000_000_000  # 11 days; in nanoseconds it does not overflow
ONLY_MOVE_DEPTH = 8         # where the search of an only move ends; more improves the ponder move alone


class TimeManager:
    """The time budget of one search, from the time last given. Without any, the search has no time limit."""

    def __init__(self, settings: Settings, turn: int, ply: int) -> None:
        self._settings = settings
        self._turn = turn
        self._ply = ply
        self._instability = Instability()
        self._given: TimeLimit | None = None
        self._from = 0                      # start of that time
        self.budget: Budget | None = None   # None: time does not limit the search (yet)
        self.deadline = 0                   # when to stop; 0: never

    def give(self, time: TimeLimit, at: int) -> None:
        """Give the search this time, running from `at`."""
        self._given = time
        self._from = at
        self.budget = budget(time, self._settings, self._turn, self._ply)
        self.deadline = at + min(self.budget.maximum, LONGEST_MS) * MILLISECOND

    def note_iteration(self, depth: int, best: str, score: int, root_moves: int, now: int) -> bool:
        """Note an iteration with this depth, best move and score, of `root_moves` root moves. Returns whether to end
        the search now; sets the deadline if it is to end soon."""
        factor = self._instability.after(best, score)
        settings = self._settings
        if self.budget is None:
            return False
        # A mate that is no longer than the searched depth is the shortest one.
        if abs(score) >= MATE - depth and settings.multi_pv == 1:
            return True
        if isinstance(self._given, int):
            return False
        if root_moves == 1 and depth >= ONLY_MOVE_DEPTH:
            return True
        elapsed = (now - self._from) // MILLISECOND
        if elapsed < max(factor * self.budget.optimum, self.budget.least):
            return False
        ending = self.budget.stretched(elapsed, settings)
        self.deadline = self._from + ending * MILLISECOND
        return ending <= elapsed
