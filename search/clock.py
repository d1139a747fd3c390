"""How long to think: milliseconds out of clocks, byoyomi and increments."""
from __future__ import annotations

from dataclasses import dataclass

from search.limits import Settings, TimeLimit

GAME_PLIES = 140                # about how long games are
FEWEST_MOVES_LEFT = 25          # so many own moves the clock must always be good for
MAXIMUM_SHARE = 0.3             # of the clock, for one move
MINIMUM_OVER_SHARE = 1.5        # so much of its share of the clock a move may get for the minimum thinking time
MOVE_COST = 6                   # ms that a move takes at least, however short its search …
COSTS_KEPT = 100                # … kept for so many moves to come: games may be much longer than they are on average
CUSHION = 150                   # ms kept for when the machine does something else for a moment
MAXIMUM_OVER_OPTIMUM = 5
WHEN_NEW = 1.4                  # the optimum times this for a move that has just come up, so that the average is 1 …
CALMING = 0.15                  # … less so large a part of it for each iteration that has confirmed it …
CALMEST = 0.2                   # … down to this part
FULL_SECOND = 1000
SLACK = 3                       # ms that a move takes beyond its search: half a millisecond, 2 to 5 on a busy machine …
SLACK_SHARE = 50                # … and where being late loses, so large a part of the clock besides …
LARGEST_SLACK = 50              # … but no more than this in all, unless the machine has been later
LATENESS_KEPT = 0.99            # of the worst lateness, with each move that was not so late
LATENESS_MARGIN = 2             # times that is kept, for the next may be worse
LATEST = 200                    # ms that count at most: a machine that slept says nothing of the next move


@dataclass(frozen=True)
class Budget:
    """Milliseconds for one move. `optimum` is aimed at on the average: after a part or a multiple of it, by how settled
    the search is, but not before `least`, no new iteration is begun. At `maximum` the search is broken off."""

    optimum: int
    maximum: int
    least: int = 0
    in_seconds: bool = True     # there is enough for all moves to take full seconds

    def stretched(self, elapsed: int, settings: Settings) -> int:
        """When to end a search that may end after `elapsed`: a clock that counts full seconds makes a gift of the rest
        of the last one."""
        if not (settings.round_up_to_full_second and self.in_seconds):
            return min(elapsed, self.maximum)
        seconds = -(-(elapsed + settings.network_delay) // 1000)
        return min(seconds * 1000 - settings.network_delay, self.maximum)


class Instability:
    """How unsettled a search is, as a factor for its optimum: less for each iteration that found the same best move,
    more for changes of it and for a falling score; about 1 on the average, at the end of a search."""

    def __init__(self) -> None:
        self.best: str | None = None
        self.score = 0
        self.changes = 0.0
        self.unchanged = 0      # iterations on end

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
    """How late searches end on this machine, which does other things as well, in ms: the worst that was seen, forgotten
    by and by."""

    def __init__(self) -> None:
        self._worst = 0.0

    def note(self, late: float) -> None:
        """A search has ended so much behind its deadline, or a thread that could run had to wait so long."""
        self._worst = max(min(late, LATEST), self._worst * LATENESS_KEPT)

    @property
    def margin(self) -> int:
        """What to keep in hand for the next."""
        return round(self._worst * LATENESS_MARGIN)


def spare(left: int, settings: Settings) -> int:
    """What to keep of a clock that will have run out in `left`: the delay set up or, where the clock is shorter than
    two of them, a part that falls with its square; and as much as this machine has been late."""
    delay = settings.network_delay2
    kept = delay if left >= 2 * delay else left * left // (4 * delay)
    slack = max(min(SLACK + left // SLACK_SHARE, LARGEST_SLACK), settings.lateness)
    return max(kept, min(left // 2, slack))


def longest(clock: int, byoyomi: int, settings: Settings) -> int:
    """The most to think with so much on the clock and byoyomi behind it.

    Where both together are soon gone, the whole delay is kept in hand, so long as that leaves no less than byoyomi
    alone would: then the main time makes up for the delay.
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
    # Some clients add the increment before the move, others after it; a clock that holds less can only be the former.
    ceiling = longest(max(clock, increment), byoyomi, settings)
    if clock < 1.2 * byoyomi:
        return Budget(ceiling, ceiling, ceiling)     # what is left of a byoyomi is lost

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
    """All of a time given for one move, less what it takes to say so."""
    ending = max(1, milliseconds - min(SLACK, milliseconds // 10))
    return Budget(ending, ending, ending)
