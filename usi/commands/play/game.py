"""A game against a person: position, clocks, and how it may end."""
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, TypeVar

from engine import BLACK, WHITE, Position
from engine.errors import Listed, Phrase, UserError
from engine.pieces import SIDES
from engine.records.gameover import game_over
from engine.records.record import GameRecord
from engine.records.timecontrol import TimeControl, parse_time_control
from engine.system.cpu import VERSION
from search import Clock, Settings
from search.skill import FULL_LEVEL
from usi.words.language import _, side_name

PIECES_NEEDED = 10      # besides the king, in the far three ranks, for a declaration

T = TypeVar("T")


class Ending(NamedTuple):
    """The end of a game: CSA's word for it, and a sentence."""

    terminal: str
    text: str


@dataclass
class GameClock:
    """Times in milliseconds, pairs by side. With `main` and `byoyomi` 0 it only counts the time used.

    The remaining time counts down in whole seconds, as in records; the fraction of a second is carried to the side's
    next move. So the clock shown agrees with the record, and with a game resumed from it.
    """

    main: int = 0
    byoyomi: int = 0
    increment: int = 0

    def __post_init__(self) -> None:
        self.left = [self.main, self.main]
        self.used = [0, 0]

    @property
    def is_limited(self) -> bool:
        return bool(self.main or self.byoyomi or self.increment)

    @property
    def control(self) -> TimeControl | None:
        """The clock as records have it; None if it does not limit the time, or has fractions of a second."""
        times = self.main, self.byoyomi, self.increment
        return TimeControl(*(time // 1000 for time in times)) if any(times) and not any(
            time % 1000 for time in times) else None

    @classmethod
    def of(cls, record: GameRecord) -> "GameClock":
        """The clock of a saved game; if the record names none that we can read, one that only counts."""
        control = parse_time_control(record.headers.get("TIME_LIMIT", ""))
        return cls(*(1000 * seconds for seconds in control or ()))

    def allowed(self, side: int) -> int | None:
        """The time for the side's next move; None if there is no limit."""
        return self._exact(side) + self.byoyomi if self.is_limited else None

    def spend(self, side: int, milliseconds: int) -> bool:
        """Count the time of a move. Returns whether there was enough time."""
        allowed, before = self.allowed(side), self.used[side] // 1000
        self.used[side] += milliseconds
        seconds = self.used[side] // 1000 - before
        self.left[side] = max(self.left[side] - 1000 * seconds, 0) + self.increment
        return allowed is None or milliseconds <= allowed

    def shown(self) -> Clock:
        """The clock as the engine's search sees it."""
        return Clock((self._exact(BLACK), self._exact(WHITE)), (self.increment, self.increment), self.byoyomi)

    def _exact(self, side: int) -> int:
        return max(self.left[side] - self.used[side] % 1000, 0)

    def text(self, side: int) -> str:
        """A side's remaining time, or its used time if there is no limit.

        >>> GameClock(main=600_000, byoyomi=10_000).text(0)
        '10:00 + 10 s'
        """
        shown = self.left[side] if self.is_limited else self.used[side]
        clock = f"{shown // 60_000}:{shown // 1000 % 60:02}"
        return clock + (_(" + {seconds:g} s", seconds=self.byoyomi / 1000) if self.byoyomi else "")


def settings_of_play(rule: str) -> Settings:
    """The engine's settings in a game here: there is no network, and the clock counts milliseconds."""
    return Settings(network_delay=0, network_delay2=0, minimum_thinking_time=0, round_up_to_full_second=False,
                    entering_king_rule=rule)


def names_of_players(person: int, level: int, name: str = "") -> tuple[str, str]:
    """The names of Black and White for the record, by the person's side and name and the engine's level."""
    player, engine = name or _("Player"), f"Gakushi {VERSION}"
    if level < FULL_LEVEL:
        engine += f" {_('level {level}', level=level)}"
    return (player, engine) if person == BLACK else (engine, player)


class GameInPlay:
    """The moves so far with their times; taking back a move gives its time back."""

    def __init__(self, start: GameRecord, clock: GameClock, rule: str) -> None:
        """Begin with the moves of a record, whose times the clock counts; the end of that game is dropped."""
        self.position = Position(start.initial_sfen)
        self.clock = clock
        self.rule = rule                    # of entering kings
        self._start = start
        self._began = datetime.now()
        self._times: list[int] = []         # seconds of each move, and of an end without a move
        self._clocks: list[tuple[list[int], list[int]]] = []    # before each move
        for ply, move in enumerate(start.moves, 1):
            self._spend(round(1000 * start.times.get(ply, 0)))
            self.position.push(move)
        self.ending = self._ended()

    @property
    def turn(self) -> int:
        return self.position.turn

    @property
    def winner(self) -> int | None:
        return self.record(("", "")).winner

    def make_move(self, move: str, milliseconds: int) -> None:
        """Play a legal move that took this time; `ending` is set if that ends the game."""
        if not self._spend(milliseconds):
            return
        self.position.push(move)
        self.ending = self._ended()

    def run_out_of_time(self, milliseconds: int) -> None:
        """End the game because the side to move has run out of time."""
        self._spend(max(milliseconds, (self.clock.allowed(self.turn) or 0) + 1))

    def resign(self, milliseconds: int = 0) -> None:
        self._end(milliseconds, Ending("TORYO", _("{side} resigns", side=side_name(self.turn))))

    def declare(self, milliseconds: int = 0) -> None:
        """Win by declaration. Raises UserError with the missing conditions if the side to move cannot."""
        if not self.position.can_declare(self.rule):
            raise UserError.of(why_no_declaration(self.position, self.rule))
        self._end(milliseconds, Ending("KACHI", _("{side} declares a win: the king has entered",
                                                  side=side_name(self.turn))))

    def plies_back(self, person: int) -> int | None:
        """The number of moves to take back to the person's turn before this one, or to the turn that ended the game: 0
        if it ended without a move. None if the person has had no such turn."""
        if self.ending and self.turn == person and self.ending.terminal in ("TORYO", "TIME_UP", "KACHI"):
            return 0
        plies = 2 if self.turn == person else 1
        return plies if plies <= len(self.position.moves) else None

    def take_back(self, plies: int) -> None:
        """Undo a number of moves, and the end of the game."""
        del self._times[len(self.position.moves):]
        for _ply in range(plies):
            self.position.pop()
            self._times.pop()
        while len(self._clocks) > len(self._times):
            self.clock.left, self.clock.used = self._clocks.pop()
        self.ending = self._ended()

    def record(self, names: tuple[str, str]) -> GameRecord:
        """The record of the game so far. Of the record that it began with, comments, times, variations and remarks
        are kept as far as its moves are still there."""
        start, moves = self._start, self.position.moves
        kept = next((ply for ply, (old, new) in enumerate(zip(start.moves, moves, strict=False)) if old != new),
                    min(len(start.moves), len(moves)))
        headers = {"START_TIME": f"{self._began:%Y/%m/%d %H:%M:%S}"} | start.headers
        headers.pop("END_TIME", None)
        if control := self.clock.control:
            headers["TIME_LIMIT"] = control.csa()
        return GameRecord(start.initial_sfen, moves, names, headers,
                          comments=_up_to(kept, start.comments),
                          times=_up_to(kept, start.times) | {
                          ply: seconds for ply, seconds in enumerate(self._times, 1) if ply > kept},
                      terminal=self.ending and self.ending.terminal,
                      variations=_up_to(kept + 1, start.variations),
                      remarks=_up_to(kept, start.remarks))

    def _spend(self, milliseconds: int) -> bool:
        used = self.clock.used
        self._clocks.append((list(self.clock.left), list(used)))
        before = used[self.turn] // 1000
        in_time = self.clock.spend(self.turn, milliseconds)
        self._times.append(used[self.turn] // 1000 - before)
        if not in_time:
            self.ending = Ending("TIME_UP", _("{side} has run out of time", side=side_name(self.turn)))
        return in_time

    def _end(self, milliseconds: int, ending: Ending) -> None:
        if self._spend(milliseconds):
            self.ending = ending

    def _ended(self) -> Ending | None:
        """The ending by the rules in this position; None if the game goes on."""
        over = game_over(self.position, self.rule)
        if not over:
            return None
        loser = side_name(self.turn if over.winner is None else 1 - over.winner)
        texts = {
            "repetition": _("a draw: the position has come up for the fourth time"),
            "perpetual check": _("{side} loses: perpetual check to the fourth repetition", side=loser),
            "mate": (_("{side} is mated", side=loser) if self.position.in_check else
                     _("{side} has no legal move, and so loses", side=loser)),
            "try": _("{side} loses: the other king has arrived", side=loser),
        }
        return Ending(over.terminal, texts[over.reason])


def _up_to(last: int, by_ply: Mapping[int, T]) -> dict[int, T]:
    return {ply: value for ply, value in by_ply.items() if ply <= last}


def why_no_declaration(position: Position, rule: str) -> Phrase:
    """The conditions of CSARule27 or CSARule27H that the side to move does not fulfil."""
    there = position.declaration(rule)
    missing = []
    if not there.has_entered:
        missing.append(Phrase("the king is not in the far three ranks"))
    if position.in_check:
        missing.append(Phrase("the king is in check"))
    if there.pieces < PIECES_NEEDED:
        missing.append(Phrase("{there} of the {needed} other pieces needed are there", there=there.pieces,
                              needed=PIECES_NEEDED))
    if there.points < there.needed:
        missing.append(Phrase("they and the hand make {points} of the {needed} points needed", points=there.points,
                              needed=there.needed))
    return Phrase("{side} cannot declare a win: {reasons}", side=Phrase(SIDES[position.turn]), reasons=Listed(missing))
