"""Time controls, clocks, and the words of USI's `go` for them. All times are milliseconds."""
from dataclasses import dataclass

from engine.errors import Phrase, UserError


@dataclass(frozen=True)
class PlayerLimits:
    """A player's limits; all given limits hold together.

    An increment is granted when a move begins, but the clock that the engine sees does not include it: engines read
    `btime` differently, and none should think it has more than it has.
    """

    time: int = 0                   # for the whole game
    byoyomi: int = 0                # for each move, once the main time is gone
    increment: int = 0              # for each move, kept if not used
    movetime: int | None = None     # for each move
    nodes: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        given = [self.time, self.byoyomi, self.increment, self.movetime, self.nodes, self.depth]
        if any(limit is not None and limit < 0 for limit in given) or not any(given) or 0 in given[3:]:
            changed = (f"{name}={value}" for name, value in vars(self).items() if value != getattr(PlayerLimits, name))
            raise UserError("{limits} limits nothing; give time, byoyomi, increment, movetime, nodes or depth, above 0",
                            limits=", ".join(changed) or Phrase("this"))
        if self.byoyomi and self.increment:
            raise UserError("{limits}: USI has byoyomi or an increment, not both", limits=str(self))
        if self.on_the_clock and self.movetime:
            raise UserError("{limits}: a clock and a fixed time for each move exclude each other", limits=str(self))

    @property
    def on_the_clock(self) -> bool:
        return bool(self.time or self.byoyomi or self.increment)

    def __str__(self) -> str:
        clock = f"{self.time / 1000:g} s" * bool(self.time)
        parts = [clock, self.byoyomi and f"{self.byoyomi / 1000:g} s byoyomi",
                 self.increment and f"{self.increment / 1000:g} s increment",
                 self.movetime and f"{self.movetime / 1000:g} s a move", self.nodes and f"{self.nodes} nodes",
                 self.depth and f"depth {self.depth}"]
        return " + ".join(part for part in parts if part)


class PlayerClock:
    """A player's clock in one game. The clock counts fractions of a millisecond, which add up over a game."""

    def __init__(self, control: PlayerLimits) -> None:
        self.control = control
        self.left: float = control.time

    @property
    def allowed(self) -> float | None:
        """The time for the next move; None if there is no limit."""
        if self.control.on_the_clock:
            return self.left + self.control.byoyomi + self.control.increment
        return self.control.movetime

    def charge(self, spent: float) -> None:
        """Take the time of a move from the clock. A late move that was forgiven leaves a negative time, except with
        byoyomi."""
        if self.control.on_the_clock:
            left = self.left + self.control.increment - spent
            self.left = max(0, left) if self.control.byoyomi else left


def go(clocks: tuple[PlayerClock | None, PlayerClock | None], turn: int) -> str:
    """The arguments of `go` for the side `turn`, which must have a clock. An opponent without one is shown with 0."""
    own = clocks[turn]
    assert own
    control = own.control
    words = []
    if control.on_the_clock:
        black, white = (max(0, int(clock.left)) if clock else 0 for clock in clocks)
        words.append(f"btime {black} wtime {white}")
        if control.increment:
            black, white = (clock.control.increment if clock else 0 for clock in clocks)
            words.append(f"binc {black} winc {white}")
        else:
            words.append(f"byoyomi {control.byoyomi}")
    words += [f"{name} {limit}" for name, limit in
              (("movetime", control.movetime), ("nodes", control.nodes), ("depth", control.depth)) if limit]
    return " ".join(words)
