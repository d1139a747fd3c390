"""What a search is asked and what it answers."""
from dataclasses import dataclass, replace
from typing import Literal

Bound = Literal["exact", "lower", "upper"]

# What there is to do: play a move, nothing (mated, or no legal move), or declare a win by the entering-king rule.
Outcome = Literal["move", "mated", "declaration"]


@dataclass(frozen=True)
class Limits:
    """How far one search may go; what is None or 0 does not limit it. Times are in milliseconds."""

    depth: int | None = None
    nodes: int | None = None
    movetime: int | None = None
    infinite: bool = False                      # no time limits it
    ponder: bool = False                        # none does until `ponderhit` sets the clock going
    mate: int | None = None                     # for a MateSolver: a mate, in so long (0: as long as it takes)
    searchmoves: tuple[str, ...] = ()           # the only moves to consider
    time: tuple[int, int] | None = None         # left on the clocks of Black and White
    increment: tuple[int, int] = (0, 0)
    byoyomi: int = 0
    rtime: int = 0                              # think about so long, varied at random

    def with_times_of(self, other: "Limits") -> "Limits":
        """The same search on other clocks."""
        return replace(self, movetime=other.movetime, time=other.time, increment=other.increment,
                       byoyomi=other.byoyomi, rtime=other.rtime)


@dataclass
class Settings:
    """How the engine has been set up to play. Times are in milliseconds, values in centipawns."""

    multi_pv: int = 1
    draw_value: tuple[int, int] = (-2, -2)      # of a draw for the side the engine plays, as Black and as White
    entering_king_rule: str = "CSARule27"
    max_moves: int = 0                          # the game is drawn after so many plies; 0: never
    network_delay: int = 120                    # lost on the way on average: taken off a full second
    network_delay2: int = 1120                  # lost at worst: kept in hand when the clock runs out
    lateness: int = 0                           # kept in hand, for so late the machine has been; a Searcher adds to it
    minimum_thinking_time: int = 2000
    slow_mover: int = 100                       # percent of the usual share of the clock
    round_up_to_full_second: bool = True        # the clock counts only full seconds, so use them
    generate_all_legal_moves: bool = False      # consider also non-promotions that are never better
    nodes_limit: int = 0
    depth_limit: int = 0


@dataclass(frozen=True)
class Info:
    """One line of thinking, as it stands. `score` is from the side to move; from MATE_IN_MAX_PLY up it is a mate."""

    depth: int
    seldepth: int
    multipv: int
    score: int
    bound: Bound
    nodes: int
    time_ms: int                                # since the search was asked for
    hashfull: int                               # per mille
    pv: tuple[str, ...]


@dataclass(frozen=True)
class Result:
    """The outcome of a search."""

    bestmove: str | None                        # None if the outcome is no move
    ponder: str | None                          # the answer expected to it
    score: int
    depth: int
    nodes: int
    time_ms: int                                # since the search was asked for
    outcome: Outcome = "move"
