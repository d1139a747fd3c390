"""A game between two players, from its opening to its result."""
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine import BLACK, Position
from scripts.games.played import PlayedGame, Thought, now
from scripts.games.player import Clocks, Offence, Seat
from scripts.games.rules import OFFENCES, GameResult, Rules, adjudicated, ending, result_of_answer, usi_text
from scripts.games.schedule import Schedule
from scripts.games.search_player import SearchPlayer
from scripts.games.usi_player import UsiPlayer

Player = SearchPlayer | UsiPlayer


@dataclass(frozen=True)
class Pairing:
    """A game to be played."""

    opening: str                            # for Position.from_usi
    players: tuple[Player, Player]    # Black, White
    rules: Rules = field(default_factory=Rules)


def pairings(schedule: Schedule, openings: Sequence[str], players: Sequence[Player],
             rules: Rules | None = None) -> list[Pairing]:
    """The games of all rounds, one for each opening, in the order of the schedule."""
    found = []
    for number in range(schedule.games_in_a_round * len(openings)):
        slot = schedule.slot(number)
        found.append(Pairing(openings[slot.round], (players[slot.black], players[slot.white]), rules or Rules()))
    return found


def needs_workers(pairing: Pairing) -> bool:
    """Whether a player of the game is a process of its own, which must not outlive the match."""
    return any(isinstance(player, UsiPlayer) for player in pairing.players)


def play_game(pairing: Pairing) -> PlayedGame:
    """Play one game. Raises UserError for an opening that cannot be read, and for weights that cannot be loaded."""
    began = now()
    running = RunningGame(pairing)
    result = running.play()
    return PlayedGame(result.winner, result.end, usi_text(running.position), running.opening_plies, running.thoughts,
                      result.detail, began)


class RunningGame:
    """A game in progress: the board, two seats and two clocks."""

    def __init__(self, pairing: Pairing) -> None:
        self.position = Position.from_usi(pairing.opening)
        self.opening_plies = len(self.position.moves)
        self.rules = pairing.rules
        self.seats: list[Seat] = [player.seat(pairing.rules) for player in pairing.players]
        black, white = pairing.players
        self.clocks: Clocks = black.clock, white.clock
        self.scores: list[int] = []         # scores from Black's side, since the last answer without a score
        self.thoughts: list[Thought] = []

    def play(self) -> GameResult:
        result, position, rules = None, self.position, self.rules
        try:
            result = self._begin() or ending(position, rules)
            while not result:
                mover = self.seats[position.turn]
                result = (self._turn() or ending(position, rules)
                          or adjudicated(self.scores, position.move_number - 1, rules) or self._wait(mover))
        finally:
            self._end(result)
        return result

    def _begin(self) -> GameResult | None:
        for side, seat in enumerate(self.seats):
            try:
                seat.begin()
            except Offence as offence:
                return GameResult(side ^ 1, offence.end, str(offence))
        return None

    def _turn(self) -> GameResult | None:
        """Play one move; the result if the answer ends the game."""
        position, side = self.position, self.position.turn
        try:
            answer = self.seats[side].answer(position, self.clocks)
        except Offence as offence:
            self.thoughts.append((round(offence.time_ms), None, None, None))
            return GameResult(side ^ 1, offence.end, str(offence))
        self.thoughts.append((round(answer.time_ms), *answer[2:]))
        if clock := self.clocks[side]:
            clock.charge(answer.time_ms)
        if result := result_of_answer(position, answer.move, self.rules):
            return result
        position.push(answer.move)
        if answer.score is None:
            self.scores.clear()
        else:
            self.scores.append(answer.score if side == BLACK else -answer.score)
        return None

    def _wait(self, mover: Seat) -> GameResult | None:
        try:
            mover.wait(self.position, self.clocks)
        except Offence as offence:
            return GameResult(self.position.turn, offence.end, str(offence))
        return None

    def _end(self, result: GameResult | None) -> None:
        """Tell the players how the game ended; `result` is None if it was broken off."""
        for side, seat in enumerate(self.seats):
            offended = result is None or (result.end in OFFENCES and result.winner != side)
            outcome = "draw" if result is None or result.winner is None else (
                "win" if result.winner == side else "lose")
            seat.end(outcome, orderly=not offended)
