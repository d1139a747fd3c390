"""Games between two players in one process, without USI between them: one game, or many at a time."""
import re
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from multiprocessing import get_context
from typing import Literal

from engine import BLACK, WHITE, Position
from eval.loading import tables_named
from search import Limits, Searcher, Settings
from search.params import DEFAULTS

# "length": a draw at the last ply allowed. "score": a win that both players' scores had agreed on for a while.
End = Literal["mate", "resignation", "declaration", "repetition", "perpetual check", "length", "score"]

AGREED_PLIES = 8    # so many scores in a row, half of them by either player, must agree on who wins

load_once = cache(tables_named)     # games come by the thousand


@dataclass(frozen=True)
class Player:
    """What plays: margins that differ from the defaults, what each move may cost, and the machine it gets."""

    params: dict[str, int] = field(default_factory=dict)
    nodes: int | None = None        # for each move; exactly one of these three is given
    movetime: int | None = None     # milliseconds
    byoyomi: int | None = None      # milliseconds
    threads: int = 1
    hash_mb: int = 16
    eval_file: str | None = None    # weights, or "material" for material alone; None: the packaged ones

    def __post_init__(self) -> None:
        limits = [limit for limit in (self.nodes, self.movetime, self.byoyomi) if limit is not None]
        if len(limits) != 1 or limits[0] < 1:
            raise ValueError(f"{self}: give one of nodes, movetime and byoyomi, 1 or more")

    def varied(self, text: str) -> "Player":
        """This player with the changes listed as `name=value,…`, whose names are margins of search/params.pyx or
        nodes, movetime, byoyomi, threads, hash and eval (a weights file, or `material`). Raises ValueError, quoting the
        item that is wrong."""
        player = self
        for item in filter(None, text.split(",")):
            name, _, digits = item.partition("=")
            if name == "eval" and digits:
                player = replace(player, eval_file=digits)
                continue
            if not re.fullmatch(r"-?\d+", digits):
                raise ValueError(f"{item!r} does not read name=integer or eval=FILE")
            value = int(digits)
            if name in DEFAULTS:
                player = replace(player, params={**player.params, name: value})
            elif name == "nodes":
                player = replace(player, nodes=value, movetime=None, byoyomi=None)
            elif name == "movetime":
                player = replace(player, nodes=None, movetime=value, byoyomi=None)
            elif name == "byoyomi":
                player = replace(player, nodes=None, movetime=None, byoyomi=value)
            elif name == "threads":
                player = replace(player, threads=value)
            elif name == "hash":
                player = replace(player, hash_mb=value)
            else:
                raise ValueError(f"{item!r}: no margin of search/params.pyx is called {name!r}, and it is none of "
                                 "nodes, movetime, byoyomi, threads, hash and eval")
        return player

    @property
    def limits(self) -> Limits:
        return Limits(nodes=self.nodes, movetime=self.movetime, byoyomi=self.byoyomi or 0)

    def searcher(self) -> Searcher:
        """OSError or ValueError if its tables cannot be loaded (see eval.loading)."""
        return Searcher(self.hash_mb, self.threads, self.params, tables=load_once(self.eval_file))


@dataclass(frozen=True)
class Rules:
    """When a game ends that goes on by itself."""

    max_plies: int = 256        # the opening's included; then it is a draw
    decisive_score: int = 3000  # centipawns: a game is won when both players' scores agree on that; 0: play it out

    @property
    def settings(self) -> Settings:
        # No network, and a clock that counts milliseconds.
        return Settings(max_moves=self.max_plies, network_delay=0, network_delay2=0, minimum_thinking_time=0,
                        round_up_to_full_second=False)


@dataclass(frozen=True)
class Pairing:
    """A game to be played."""

    opening: str                    # for Position.from_usi
    players: tuple[Player, Player]  # Black, White
    rules: Rules = Rules()


@dataclass(frozen=True)
class Game:
    """A game played. Pairs are Black's and White's."""

    winner: int | None              # BLACK, WHITE, or None for a draw
    end: End
    record: str                     # for Position.from_usi, opening and moves
    plies: int                      # without the opening's
    nodes: tuple[int, int]
    time_ms: tuple[int, int]
    slowest_ms: tuple[int, int]     # longest time for one move


def ending(position: Position, rules: Rules) -> tuple[int | None, End] | None:
    """Winner and reason if the game is over by the rules, before the side to move has done anything."""
    match position.repetition():
        case "draw":
            return None, "repetition"
        case "win":
            return position.turn, "perpetual check"
        case "loss":
            return position.turn ^ 1, "perpetual check"
    if position.is_mate():
        return position.turn ^ 1, "mate"
    if position.ply > rules.max_plies:
        return None, "length"
    return None


def agreed_winner(scores: list[int], decisive: int) -> int | None:
    """The side that the last scores, from Black's side, all see winning."""
    last = scores[-AGREED_PLIES:]
    if not decisive or len(last) < AGREED_PLIES:
        return None
    return BLACK if min(last) >= decisive else WHITE if max(last) <= -decisive else None


def play(pairing: Pairing) -> Game:
    """Play one game. Both players begin it knowing nothing, so with fixed nodes and one thread it is always the same.

    Raises ValueError for an opening that cannot be read, and RuntimeError when a player declares a win it has not got.
    """
    position = Position.from_usi(pairing.opening)
    opening_plies = len(position.moves)
    searchers = [player.searcher() for player in pairing.players]
    settings = pairing.rules.settings
    scores: list[int] = []
    nodes, time_ms, slowest_ms = [0, 0], [0, 0], [0, 0]

    def think() -> tuple[int | None, End] | None:
        """Let the side to move move; winner and reason if that ends the game."""
        side = position.turn
        result = searchers[side].search(position, pairing.players[side].limits, settings)
        nodes[side] += result.nodes
        time_ms[side] += result.time_ms
        slowest_ms[side] = max(slowest_ms[side], result.time_ms)
        if result.bestmove == "resign":
            return side ^ 1, "resignation"
        if result.bestmove == "win":
            if not position.can_declare(settings.entering_king_rule):
                raise RuntimeError(f"a win was declared without being one: {position.sfen}")
            return side, "declaration"
        position.push(result.bestmove)
        scores.append(result.score if side == BLACK else -result.score)
        winner = agreed_winner(scores, pairing.rules.decisive_score)
        return None if winner is None else (winner, "score")

    while True:
        if end := ending(position, pairing.rules) or think():
            winner, reason = end
            break
    start = "startpos" if pairing.opening.startswith("startpos") else f"sfen {position.initial_sfen}"
    record = " ".join([start, "moves", *position.moves])
    return Game(winner, reason, record, len(position.moves) - opening_plies,
                (nodes[BLACK], nodes[WHITE]), (time_ms[BLACK], time_ms[WHITE]), (slowest_ms[BLACK], slowest_ms[WHITE]))


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def workers(jobs: int) -> Iterator[Callable[[Iterable[Pairing]], Iterator[Game]]]:
    """A function that plays pairings and yields the games in their order, `jobs` of them at a time; what has not been
    finished at the end of the block is given up."""
    if jobs < 1:
        raise ValueError(f"{jobs} jobs cannot play; give 1 or more")
    if jobs == 1:
        yield lambda pairings: map(play, pairings)
    else:
        # Not forked: a child would inherit locks that the parent's search threads hold.
        with get_context("spawn").Pool(jobs, _leave_interrupts_to_the_parent) as pool:
            yield lambda pairings: pool.imap(play, pairings)
