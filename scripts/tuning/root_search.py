"""Searches of single positions, each from an empty table, as workers do them."""
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine import Position
from scripts.arena.search_player import SearchPlayer
from scripts.workers.evaluators import own_files
from scripts.workers.interface import RunTasks
from search import Settings

CHUNK = 8       # positions that are one task


class RootValue(NamedTuple):
    """What a search says of its root."""

    move: str | None    # None: it is mated, or declares a win
    value: int          # centipawns, for the side to move
    depth: int


@dataclass(frozen=True)
class RootSearches:
    """Positions to search, and how."""

    player: SearchPlayer
    sfens: list[str]


RunSearches = RunTasks[RootSearches, list[RootValue]]


def require_fixed(player: SearchPlayer) -> None:
    """ValueError if its searches may come out otherwise a second time."""
    if player.nodes is None or player.threads != 1:
        raise ValueError(f"{player} does not search the same twice; leave it at nodes and 1 thread")


def search_roots(task: RootSearches) -> list[RootValue]:
    """OSError or ValueError as SearchPlayer.searcher has it."""
    searcher, limits, settings = task.player.searcher(), task.player.limits, Settings()
    found = []
    for sfen in task.sfens:
        searcher.clear()
        result = searcher.search(Position(sfen), limits, settings)
        found.append(RootValue(result.bestmove, result.score, result.depth))
    return found


def files_of(players: Iterable[SearchPlayer]) -> list[str]:
    """Those of the user's that workers need."""
    return own_files(player.eval_file for player in players)


def searched(players: Sequence[SearchPlayer], sfens: Sequence[str], run_all: RunSearches,
             on_done: Callable[[int], None] = lambda _: None) -> list[list[RootValue]]:
    """What each player says of each position; `on_done` hears how many more are done."""
    starts = range(0, len(sfens), CHUNK)
    tasks = [RootSearches(player, list(sfens[start:start + CHUNK])) for player in players for start in starts]
    done = {}
    for number, values in run_all(enumerate(tasks)):
        done[number] = values
        on_done(len(values))
    found = iter([value for number in range(len(tasks)) for value in done[number]])
    return [[next(found) for _ in sfens] for _ in players]
