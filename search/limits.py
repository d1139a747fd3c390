"""The limits, settings, reports and results of searches."""
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from engine import MATE, MATE_IN_MAX_PLY, SUPERIOR
from engine.errors import INT_MAX, LONG_MAX, UserError, quoted, require_texts, text, whole

UNBOUNDED = 10**12      # milliseconds or nodes: as good as no limit

Bound = Literal["exact", "lower", "upper"]

# In turn: play a move; nothing to play, because the side to move is mated; declare a win by the entering-king rule.
Outcome = Literal["move", "mated", "declaration"]


def _require(least: int, most: int, names: Iterable[str], limits: object) -> None:
    """Check that these fields of `limits` are integers in this range, or None where that is their default. TypeError
    and UserError name the field."""
    for name in names:
        value = getattr(limits, name)
        if value is not None or getattr(type(limits), name) is not None:
            object.__setattr__(limits, name, whole(name, value, least, most))


def _require_pairs(least: int, most: int, names: Iterable[str], limits: object) -> None:
    """Check likewise that these fields are pairs of integers."""
    for name in names:
        value = getattr(limits, name)
        if not isinstance(value, tuple | list) or len(value) != 2:
            raise UserError("{name}={value!r}: give two numbers, for Black and for White", name=name, value=value)
        try:
            checked = tuple(whole(name, number, least, most) for number in value)
        except (TypeError, UserError) as fault:
            raise type(fault)(f"{name}={quoted(value)}: {str(fault).partition(': ')[2]}") from None
        object.__setattr__(limits, name, checked)


def mate_plies(score: int) -> int | None:
    """The plies to mate of a mate score, negative if the side to move is mated; None for other scores."""
    if abs(score) < MATE_IN_MAX_PLY:
        return None
    return MATE - score if score > 0 else -(MATE + score)


@dataclass(frozen=True)
class Clock:
    """The clock of a game, in ms. Pairs are for Black and White."""

    left: tuple[int, int] = (0, 0)
    increment: tuple[int, int] = (0, 0)
    byoyomi: int = 0

    def __post_init__(self) -> None:
        _require_pairs(0, LONG_MAX, ("left", "increment"), self)
        _require(0, LONG_MAX, ("byoyomi",), self)


TimeLimit: TypeAlias = int | Clock              # milliseconds for one move, or a share of a clock


@dataclass(frozen=True)
class Limits:
    """The limits of one search. All given limits apply; None is no limit. Without any, a search runs until it is
    stopped. Raises UserError for both `movetime` and `clock`, for negative times, and for a depth or nodes below 1;
    TypeError for other types than integers."""

    depth: int | None = None
    nodes: int | None = None
    movetime: int | None = None                 # milliseconds for this move
    clock: Clock | None = None
    searchmoves: tuple[str, ...] = ()           # the only moves to consider

    def __post_init__(self) -> None:
        _require(1, LONG_MAX, ("depth", "nodes"), self)
        _require(0, LONG_MAX, ("movetime",), self)
        object.__setattr__(self, "searchmoves", tuple(require_texts("searchmoves", self.searchmoves)))
        if self.clock is not None and not isinstance(self.clock, Clock):
            raise TypeError(f"clock={quoted(self.clock)}: give a Clock, not {type(self.clock).__name__}")
        if self.movetime is not None and self.clock is not None:
            raise UserError("movetime={movetime} and clock={clock}: a search has a time for its move or a share of a "
                            "clock; leave one out", movetime=self.movetime, clock=self.clock)

    @property
    def time(self) -> TimeLimit | None:
        return self.clock if self.movetime is None else self.movetime

    def with_time(self, time: TimeLimit | None) -> "Limits":
        """The same limits with this time in place of any time limit."""
        return replace(self, movetime=None if isinstance(time, Clock) else time,
                       clock=time if isinstance(time, Clock) else None)


def as_limits(limits: object) -> Limits:
    """The limits; a Clock alone becomes Limits with it. TypeError for anything else.

    >>> as_limits(Clock(byoyomi=1000)).time
    Clock(left=(0, 0), increment=(0, 0), byoyomi=1000)
    """
    if isinstance(limits, Limits):
        return limits
    if isinstance(limits, Clock):
        return Limits(clock=limits)
    raise TypeError(f"limits={quoted(limits)}: give Limits or a Clock, not {type(limits).__name__}")


@dataclass(frozen=True)
class Settings:
    """The engine's settings. Times are in ms, values in centipawns."""

    multi_pv: int = 1
    draw_value: tuple[int, int] = (-2, -2)      # of a draw for the side the engine plays, as Black and as White
    entering_king_rule: str = "CSARule27"
    max_moves: int = 0                          # plies after which the game is drawn; 0: never
    network_delay: int = 120                    # mean delay of an answer: taken off a full second
    network_delay2: int = 1120                  # worst delay: kept in reserve when the clock runs out
    lateness: int = 0                           # reserve for delays measured on this machine; a Searcher raises it
    minimum_thinking_time: int = 2000
    slow_mover: int = 100                       # percent of the usual share of the clock
    round_up_to_full_second: bool = True        # use up a begun second: the clock counts full seconds
    generate_all_legal_moves: bool = False      # also consider dominated non-promotions
    nodes_limit: int = 0
    depth_limit: int = 0

    def __post_init__(self) -> None:
        _require(1, INT_MAX, ("multi_pv",), self)
        _require_pairs(-MATE, MATE, ("draw_value",), self)
        _require(0, INT_MAX, ("max_moves",), self)
        _require(0, LONG_MAX, ("network_delay", "network_delay2", "minimum_thinking_time", "slow_mover"), self)
        _require(0, LONG_MAX, ("nodes_limit", "depth_limit", "lateness"), self)
        object.__setattr__(self, "entering_king_rule", text("entering_king_rule", self.entering_king_rule))


def nodes_per_second(nodes: int, time_ms: int) -> int:
    return nodes * 1000 // max(time_ms, 1)


@dataclass(frozen=True)
class Info:
    """A report of one line. `score` is for the side to move, in centipawns; a mate if |score| >= MATE_IN_MAX_PLY."""

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
        """The plies to mate, negative if the side to move is mated; None if the score is no mate."""
        return mate_plies(self.score)


class LastLines:
    """Collects the reports of a search and keeps the last of each line."""

    def __init__(self) -> None:
        self._lines: dict[int, Info] = {}

    def hear(self, info: Info) -> None:
        if info.multipv == 1:       # a report begins with line 1
            self._lines.clear()
        self._lines[info.multipv] = info

    @property
    def lines(self) -> list[Info]:
        """The last lines, the best first."""
        return [line for _number, line in sorted(self._lines.items())]


@dataclass(frozen=True)
class Result:
    """The outcome of a search."""

    bestmove: str | None                        # None unless the outcome is a move
    ponder: str | None                          # the expected answer
    score: int
    depth: int
    nodes: int
    time_ms: int                                # since the search was asked for
    outcome: Outcome = "move"
    bound: Bound = "exact"                      # of the score: "lower" if a stop came before a wider window
                                                # was searched; never "upper"

    @property
    def mate(self) -> int | None:
        """The plies to a mate, as in `Info.mate`."""
        return mate_plies(self.score)

    def answer(self, resign_value: int | None = None) -> str:
        """The move found, or USI's word in place of a move: `win`, or `resign`, which also stands for a score of
        -`resign_value` and below."""
        if self.outcome == "declaration":
            return "win"
        if self.bestmove is None or (resign_value is not None and self.score <= -resign_value):
            return "resign"
        return self.bestmove


def is_mate(score: int) -> bool:
    """Whether a score means that the side to move mates or is mated."""
    return abs(score) >= MATE_IN_MAX_PLY


def is_superior(score: int) -> bool:
    """Whether a score means that the board is repeated with a dominating or dominated hand."""
    return abs(score) == SUPERIOR
