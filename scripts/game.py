"""One game between two players, from its opening to the referee's verdict."""
from dataclasses import dataclass, field
from datetime import datetime, timezone
from functools import cached_property

from engine import BLACK, WHITE, Position
from engine.notation.sfen import parse_position, parse_sfen
from scripts.player import Clocks, Player, Seat
from scripts.referee import OFFENCES, End, Offence, Rules, Verdict, adjudicated, ending, judge, usi_text
from scripts.usi_player import UsiPlayer

AnyPlayer = Player | UsiPlayer


@dataclass(frozen=True)
class Pairing:
    """A game to be played."""

    opening: str                            # for Position.from_usi
    players: tuple[AnyPlayer, AnyPlayer]    # Black, White
    rules: Rules = field(default_factory=Rules)


@dataclass(frozen=True)
class Game:
    """A game played. Pairs are Black's and White's."""

    winner: int | None              # BLACK, WHITE, or None for a draw
    end: End
    record: str                     # for Position.from_usi, opening and moves
    opening_plies: int              # how many of the moves are the opening's
    # Of each answer after the opening, the last one too if it was no move: milliseconds, then score in centipawns for
    # the player, depth and nodes as it said, or None.
    thoughts: list[tuple[int, int | None, int | None, int | None]] = field(default_factory=list)
    detail: str = ""                # of an offence
    began: str = ""                 # ISO 8601

    @cached_property
    def moves(self) -> list[str]:
        return parse_position(self.record)[1]

    @cached_property
    def first(self) -> int:
        """The side that moved first after the opening."""
        return (parse_sfen(parse_position(self.record)[0]).turn + self.opening_plies) % 2

    @property
    def plies(self) -> int:
        """Without the opening's."""
        return len(self.moves) - self.opening_plies

    @property
    def offender(self) -> int | None:
        """The side that did not play as it must."""
        return None if self.winner is None or self.end not in OFFENCES else self.winner ^ 1

    def of(self, side: int) -> list[tuple[int, int | None, int | None, int | None]]:
        """The thoughts of one side."""
        return self.thoughts[side ^ self.first::2]

    @property
    def nodes(self) -> tuple[int, int]:
        black, white = (sum(nodes or 0 for *_, nodes in self.of(side)) for side in (BLACK, WHITE))
        return black, white

    @property
    def time_ms(self) -> tuple[int, int]:
        black, white = (sum(thought[0] for thought in self.of(side)) for side in (BLACK, WHITE))
        return black, white

    @property
    def slowest_ms(self) -> tuple[int, int]:
        """The longest time for one move."""
        black, white = (max((thought[0] for thought in self.of(side)), default=0) for side in (BLACK, WHITE))
        return black, white


def needs_workers(pairing: Pairing) -> bool:
    """Whether it starts processes, which must not be left behind."""
    return any(isinstance(player, UsiPlayer) for player in pairing.players)


def play(pairing: Pairing) -> Game:
    """Play one game. ValueError for an opening that cannot be read, and for weights that cannot be loaded."""
    began = datetime.now(timezone.utc).isoformat(timespec="seconds")
    position = Position.from_usi(pairing.opening)
    table = Table(position, pairing)
    verdict = table.play()
    return Game(verdict.winner, verdict.end, usi_text(position), table.opening_plies, table.thoughts, verdict.detail,
                began)


class Table:
    """Where a game is played: the board, two seats and two clocks."""

    def __init__(self, position: Position, pairing: Pairing) -> None:
        self.position = position
        self.opening_plies = len(position.moves)
        self.rules = pairing.rules
        self.seats: list[Seat] = [player.seat(pairing.rules) for player in pairing.players]
        black, white = pairing.players
        self.clocks: Clocks = black.clock, white.clock
        self.scores: list[int] = []         # from Black's side, as far back as no answer lacked one
        self.thoughts: list[tuple[int, int | None, int | None, int | None]] = []

    def play(self) -> Verdict:
        verdict = None
        try:
            verdict = self._begin() or self._ending()
            while not verdict:
                mover = self.seats[self.position.turn]
                verdict = self._turn() or self._ending() or self._adjudication() or self._wait(mover)
        finally:
            self._end(verdict)
        return verdict

    def _begin(self) -> Verdict | None:
        for side, seat in enumerate(self.seats):
            try:
                seat.begin()
            except Offence as offence:
                return Verdict(side ^ 1, offence.end, offence.detail)
        return None

    def _turn(self) -> Verdict | None:
        """Let the side to move move; the verdict if its answer ends the game."""
        position, side = self.position, self.position.turn
        try:
            answer = self.seats[side].answer(position, self.clocks)
        except Offence as offence:
            self.thoughts.append((offence.time_ms, None, None, None))
            return Verdict(side ^ 1, offence.end, offence.detail)
        self.thoughts.append(answer[1:])
        if clock := self.clocks[side]:
            clock.charge(answer.time_ms)
        if verdict := judge(position, answer.move, self.rules):
            return verdict
        position.push(answer.move)
        if answer.score is None:
            self.scores.clear()
        else:
            self.scores.append(answer.score if side == BLACK else -answer.score)
        return None

    def _ending(self) -> Verdict | None:
        over = ending(self.position, self.rules)
        return Verdict(*over) if over else None

    def _adjudication(self) -> Verdict | None:
        return adjudicated(self.scores, self.position.ply - 1, self.rules)

    def _wait(self, mover: Seat) -> Verdict | None:
        try:
            mover.wait(self.position, self.clocks)
        except Offence as offence:
            return Verdict(self.position.turn, offence.end, offence.detail)
        return None

    def _end(self, verdict: Verdict | None) -> None:
        """Tell the players; without a verdict the game was broken off."""
        for side, seat in enumerate(self.seats):
            offended = verdict is None or (verdict.end in OFFENCES and verdict.winner != side)
            outcome = "draw" if verdict is None or verdict.winner is None else (
                "win" if verdict.winner == side else "lose")
            seat.end(outcome, orderly=not offended)
