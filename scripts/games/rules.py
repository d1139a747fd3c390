"""The referee's rules: when a game is over, and when an answer ends it. The referee believes no player."""
from dataclasses import dataclass
from typing import Literal, NamedTuple

from engine import BLACK, STARTPOS_SFEN, WHITE, Position
from engine.errors import UserError
from engine.records.gameover import game_over
from search import Settings

# "length": a draw at the last ply allowed. "score", "drawish": adjudicated, because both players' scores agreed for
# some plies. "time-out": the answer came too late; "silence": no answer came.
End = Literal["mate", "resignation", "declaration", "try", "repetition", "perpetual check", "length",
              "score", "drawish", "time-out", "silence", "crash", "illegal move", "false declaration"]
OFFENCES: frozenset[End] = frozenset({"time-out", "silence", "crash", "illegal move", "false declaration"})

AGREED_PLIES = 8    # scores in a row, half of them from each player, that must agree on the winner, or on a draw


@dataclass(frozen=True)
class Rules:
    """The conditions on which the referee ends a game, and the entering-king rule."""

    max_plies: int = 256        # then the game is a draw; the opening counts
    decisive_score: int = 3000  # centipawns on which both players' scores must agree to end the game; 0: play it out
    entering_king_rule: str = "CSARule27"
    drawish_score: int = 0      # centipawns; a game is drawn if both players' scores stay within this
    drawish_ply: int = 0        # from this ply on; 0: play it out

    @property
    def settings(self) -> Settings:
        # No network, and a clock that counts milliseconds.
        return Settings(max_moves=self.max_plies, network_delay=0, network_delay2=0, minimum_thinking_time=0,
                        round_up_to_full_second=False, entering_king_rule=self.entering_king_rule)


class GameResult(NamedTuple):
    """The end of a game. `winner` is BLACK, WHITE, or None for a draw."""

    winner: int | None
    end: End
    detail: str = ""


def ending(position: Position, rules: Rules) -> GameResult | None:
    """The result if the game is over by the rules before the side to move answers."""
    over = game_over(position, rules.entering_king_rule, rules.max_plies)
    return GameResult(*over) if over else None


def result_of_answer(position: Position, answer: str, rules: Rules) -> GameResult | None:
    """The result if this answer ends the game; None for a legal move, which the caller then has to play."""
    side = position.turn
    if answer == "resign":
        return GameResult(side ^ 1, "resignation")
    if answer == "win":
        if position.can_declare(rules.entering_king_rule):
            return GameResult(side, "declaration")
        return GameResult(side ^ 1, "false declaration", f"{position.sfen} by {rules.entering_king_rule}")
    try:
        legal = position.is_legal(answer)
    except UserError:
        legal = False
    if not legal:
        return GameResult(side ^ 1, "illegal move", f"{answer!r} in {position.sfen}")
    return None


def agreed_winner(scores: list[int], decisive: int) -> int | None:
    """The side that the last scores, from Black's side, all see winning."""
    last = scores[-AGREED_PLIES:]
    if not decisive or len(last) < AGREED_PLIES:
        return None
    return BLACK if min(last) >= decisive else WHITE if max(last) <= -decisive else None


def adjudicated(scores: list[int], ply: int, rules: Rules) -> GameResult | None:
    """The result of a game whose players agree, by their scores from Black's side up to this ply."""
    winner = agreed_winner(scores, rules.decisive_score)
    if winner is not None:
        return GameResult(winner, "score")
    last = scores[-AGREED_PLIES:]
    if (rules.drawish_ply and ply >= rules.drawish_ply and len(last) == AGREED_PLIES
            and max(map(abs, last)) <= rules.drawish_score):
        return GameResult(None, "drawish")
    return None


def usi_text(position: Position) -> str:
    """The arguments of USI's `position`, which Position.from_usi reads."""
    start = "startpos" if position.initial_sfen == STARTPOS_SFEN else f"sfen {position.initial_sfen}"
    return " ".join([start, "moves", *position.moves]) if position.moves else start
