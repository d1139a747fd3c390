"""Thinking time for a move, in ms, from clock, byoyomi and increment."""
from __future__ import annotations

from dataclasses import dataclass

from search.limits import Settings, TimeLimit

GAME_PLIES = 140                # typical length of a game
FEWEST_MOVES_LEFT = 25          # number of own moves that the clock must always last for
MAXIMUM_SHARE = 0.3             # of the clock, for one move
MINIMUM_OVER_SHARE = 1.5        # the minimum thinking time may take this many times a move's share of the clock
MOVE_COST = 6                   # ms that any move takes, however short its search
COSTS_KEPT = 100                # moves for which MOVE_COST is reserved, because some games are long
CUSHION = 150                   # ms reserved for moments when the machine is busy
MAXIMUM_OVER_OPTIMUM = 5
WHEN_NEW = 1.4                  # factor of the optimum while the best move is new; the average factor is 1
CALMING = 0.15                  # share of WHEN_NEW taken off for each iteration that confirms the move
CALMEST = 0.2                   # least share of WHEN_NEW that remains
FULL_SECOND = 1000
SLACK = 3                       # ms that a move takes besides its search: 0.5, on a busy machine 2 to 5
SLACK_SHARE = 50                # the clock divided by this is added to SLACK, because being late loses
LARGEST_SLACK = 50              # most slack in ms, unless the machine was later before
LATENESS_KEPT = 0.99            # the worst delay decays by this factor a move
LATENESS_MARGIN = 2             # this many times the worst delay is reserved, because the next may be worse
LATEST = 200                    # ms; longer delays count as this, because the machine may have been asleep


@dataclass(frozen=True)
class Budget:
    """Milliseconds for one move. No new iteration begins after `optimum` times a factor for how unsettled the search
    is, or after `least` if that is later. At `maximum` the search is stopped."""

    optimum: int
    maximum: int
    least: int = 0
    in_seconds: bool = True     # the clock suffices for full seconds on every move

    def stretched(self, elapsed: int, settings: Settings) -> int:
        """When to end a search that may end after `elapsed`. With a clock that counts full seconds, the rest of a
        second that has begun costs nothing."""
        if not (settings.round_up_to_full_second and self.in_seconds):
            return min(elapsed, self.maximum)
        seconds = -(-(elapsed + settings.network_delay) // 1000)
        return min(seconds * 1000 - settings.network_delay, self.maximum)


class Instability:
    """How unsettled a search is, as a factor for its optimum. The factor falls with each iteration that confirms the
    best move, and rises when the best move changes or the score falls. At the end of a search it is about 1 on
    average."""

    def __init__(self) -> None:
        self.best: str | None = None
        self.score = 0
        self.changes = 0.0
        self.unchanged = 0      # consecutive iterations

    def after(self, best: str, score: int) -> float:
        """The factor after an iteration that ended with this best move and score in centipawns."""
        fallen = 0
        self.changes /= 2
        if self.best is not None:
            self.changes += best != self.best
            self.unchanged = self.unchanged + 1 if best == self.best else 0
            fallen = self.score - score
        self.best, self.score = best, score
        calm = max(1 - CALMING * self.unchanged, CALMEST)
        return WHEN_NEW * (calm + 0.5 * self.changes + min(max(fallen, 0), 200) / 400)


class Lateness:
    """How late searches end on this machine, in ms: the worst delay seen, decaying by 1 % a move."""

    def __init__(self) -> None:
        self._worst = 0.0

    def note(self, late: float) -> None:
        """Record that a search ended this long after its deadline, or that a runnable thread waited this long."""
        self._worst = max(min(late, LATEST), self._worst * LATENESS_KEPT)

    @property
    def margin(self) -> int:
        """ms to reserve for the next move."""
        return round(self._worst * LATENESS_MARGIN)


def spare(left: int, settings: Settings) -> int:
    """ms to reserve when the clock runs out in `left` ms: the configured delay; less if `left` is below twice the
    delay, in proportion to the square of `left`; but at least a fiftieth of `left`, SLACK more and LARGEST_SLACK at
    most, or the delay measured on this machine if it is larger, and of these at most half of `left`."""
    delay = settings.network_delay2
    kept = delay if left >= 2 * delay else left * left // (4 * delay)
    slack = max(min(SLACK + left // SLACK_SHARE, LARGEST_SLACK), settings.lateness)
    return max(kept, min(left // 2, slack))


def longest(clock: int, byoyomi: int, settings: Settings) -> int:
    """The longest thinking time for this clock and byoyomi.

    If clock and byoyomi together are short, the whole delay is still reserved, as long as the rest is no less than with
    byoyomi alone: the main time then pays for the delay.
    """
    left = clock + byoyomi
    with_spare = left - spare(left, settings)
    if clock and byoyomi:
        with_spare = min(with_spare, max(left - settings.network_delay2, byoyomi - spare(byoyomi, settings)))
    return max(1, with_spare)


def budget(time: TimeLimit, settings: Settings, turn: int, ply: int) -> Budget:
    """The budget of the side `turn` (0 Black, 1 White) at game ply `ply`."""
    if isinstance(time, int):
        return fixed(time)
    clock, increment, byoyomi = time.left[turn], time.increment[turn], time.byoyomi
    # Some clients add this move's increment to the clock that they report, others do not. A clock below the increment
    # does not contain it.
    ceiling = longest(max(clock, increment), byoyomi, settings)
    if clock < 1.2 * byoyomi:
        return Budget(ceiling, ceiling, ceiling)     # unused byoyomi is lost

    plies_left = max(GAME_PLIES - ply, 0)
    if settings.max_moves:
        plies_left = min(plies_left, max(settings.max_moves - ply, 0))
    moves_left = max(plies_left // 2, FEWEST_MOVES_LEFT)
    kept = 0 if byoyomi else CUSHION + COSTS_KEPT * max(MOVE_COST - increment, 0)
    free = max(clock - kept, 0)
    share = free / moves_left + max(increment - MOVE_COST, 0) * 0.8 + byoyomi
    minimum = min(settings.minimum_thinking_time - settings.network_delay, share * MINIMUM_OVER_SHARE)
    optimum = int(max(share * settings.slow_mover / 100, minimum))
    maximum = int(max(min(free * MAXIMUM_SHARE, optimum * MAXIMUM_OVER_OPTIMUM) + byoyomi, optimum))
    return Budget(max(1, min(optimum, ceiling)), max(1, min(maximum, ceiling)), int(min(minimum, ceiling)),
                  share >= FULL_SECOND)


def fixed(milliseconds: int) -> Budget:
    """A budget that uses all of the time given for one move, less the time that answering takes."""
    ending = max(1, milliseconds - min(SLACK, milliseconds // 10))
    return Budget(ending, ending, ending)
