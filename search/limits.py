"""What a search is asked and what it answers."""
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from engine import MATE, MATE_IN_MAX_PLY, SUPERIOR
from engine.errors import INT_MAX, LONG_MAX, UserError, text, whole

UNBOUNDED = 10**12      # milliseconds or nodes: nobody waits for more

Bound = Literal["exact", "lower", "upper"]

# What there is to do: play a move, nothing (mated, or no legal move), or declare a win by the entering-king rule.
Outcome = Literal["move", "mated", "declaration"]


def _require(least: int, most: int, names: Iterable[str], limits: object) -> None:
    """These fields of `limits` as whole numbers, or pairs of them, in this range. TypeError and UserError name the
    field."""
    for name in names:
        value = getattr(limits, name)
        if isinstance(value, tuple | list):
            if len(value) != 2:
                raise UserError(f"{name}={value!r}: give two numbers, for Black and for White")
            checked: object = tuple(_whole(name, value, number, least, most) for number in value)
        else:
            checked = None if value is None else _whole(name, value, value, least, most)
        object.__setattr__(limits, name, checked)


def _whole(name: str, value: object, number: object, least: int, most: int) -> int:
    try:
        return whole(name, number, least, most)
    except (TypeError, UserError) as fault:
        if number is value:
            raise
        raise type(fault)(f"{name}={value!r}: {str(fault).partition(': ')[2]}") from None


def mate_plies(score: int) -> int | None:
    """Plies to the mate that a score stands for, negative when the side to move is mated; None if it is no mate."""
    if abs(score) < MATE_IN_MAX_PLY:
        return None
    return MATE - score if score > 0 else -(MATE + score)


@dataclass(frozen=True)
class Clock:
    """What the clock of a game shows, in milliseconds; pairs are of Black and White."""

    left: tuple[int, int] = (0, 0)
    increment: tuple[int, int] = (0, 0)
    byoyomi: int = 0

    def __post_init__(self) -> None:
        _require(0, LONG_MAX, ("left", "increment", "byoyomi"), self)


TimeLimit: TypeAlias = int | Clock              # milliseconds for one move, or a share of a clock


@dataclass(frozen=True)
class Limits:
    """How far one search may go. What is None does not limit it, and all that is given holds; without any limit a
    search goes on until it is stopped. UserError for a time for the move together with a clock, for a negative time,
    and for depths and nodes below 1; TypeError for what is no whole number."""

    depth: int | None = None
    nodes: int | None = None
    movetime: int | None = None                 # milliseconds for this move
    clock: Clock | None = None
    searchmoves: tuple[str, ...] = ()           # the only moves to consider

    def __post_init__(self) -> None:
        _require(1, LONG_MAX, ("depth", "nodes"), self)
        _require(0, LONG_MAX, ("movetime",), self)
        if isinstance(self.searchmoves, str):
            raise TypeError(f"searchmoves={self.searchmoves!r}: give a list of moves, not one text")
        for move in self.searchmoves:
            text("searchmoves", move)
        if self.clock is not None and not isinstance(self.clock, Clock):
            raise TypeError(f"clock={self.clock!r}: give a Clock, not {type(self.clock).__name__}")
        if self.movetime is not None and self.clock is not None:
            raise UserError(f"movetime={self.movetime} and clock={self.clock}: a search has a time for its move or a "
                             "share of a clock; leave one out")

    @property
    def time(self) -> TimeLimit | None:
        return self.clock if self.movetime is None else self.movetime

    def with_time(self, time: TimeLimit | None) -> "Limits":
        """The same in this time, and in no other."""
        return replace(self, movetime=time if isinstance(time, int) else None,
                       clock=time if isinstance(time, Clock) else None)


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

    def __post_init__(self) -> None:
        _require(1, INT_MAX, ("multi_pv",), self)
        _require(-MATE, MATE, ("draw_value",), self)
        _require(0, INT_MAX, ("max_moves",), self)
        _require(0, LONG_MAX, ("network_delay", "network_delay2", "minimum_thinking_time", "slow_mover"), self)
        _require(0, LONG_MAX, ("nodes_limit", "depth_limit"), self)
        if self.lateness < 0:
            raise UserError(f"lateness={self.lateness!r}: 0 is the least")
        text("entering_king_rule", self.entering_king_rule)


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

    @property
    def mate(self) -> int | None:
        """Plies to the mate, negative when the side to move is mated; None if the score is no mate."""
        return mate_plies(self.score)


class LastLines:
    """Hears a search, and keeps its last report."""

    def __init__(self) -> None:
        self._lines: dict[int, Info] = {}

    def hear(self, info: Info) -> None:
        if info.multipv == 1:       # the last report is of all lines
            self._lines.clear()
        self._lines[info.multipv] = info

    @property
    def lines(self) -> list[Info]:
        """From the best on."""
        return [line for _number, line in sorted(self._lines.items())]


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
    bound: Bound = "exact"                      # of the score: "lower" where a stop came before another window had said
                                                # what its move is worth; never "upper"

    @property
    def mate(self) -> int | None:
        """As of Info."""
        return mate_plies(self.score)


def is_mate(score: int) -> bool:
    """Whether an engine score says that the side to move mates, or is mated."""
    return abs(score) >= MATE_IN_MAX_PLY


def is_superior(score: int) -> bool:
    """Whether an engine score says that a board comes again with more, or less, in hand."""
    return abs(score) == SUPERIOR
