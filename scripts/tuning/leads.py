"""Who leads: what an iteration of SPSA learns of two opposite sets of margins."""
from collections.abc import Callable, Sequence
from random import Random

from scripts.arena.game import Pairing, pairings
from scripts.arena.search_player import SearchPlayer
from scripts.arena.stats.tally import points
from scripts.games.played import PlayedGame
from scripts.games.schedule import TWO_PLAYERS
from scripts.tuning.deep_values import DeepValue
from scripts.tuning.root_error import loss
from scripts.tuning.root_search import RunSearches, searched
from scripts.workers.interface import RunTasks

Margins = dict[str, int]
Lead = Callable[[Margins, Margins, Random], float]      # of the first over the second; positive: the first is better


def lead_in_games(openings: Sequence[str], pairs: int, nodes: int, play_all: RunTasks[Pairing, PlayedGame]) -> Lead:
    """Wins less losses, in pairs of games from openings that are drawn."""
    def lead(up: Margins, down: Margins, rng: Random) -> float:
        players = SearchPlayer(up, nodes), SearchPlayer(down, nodes)
        todo = pairings(TWO_PLAYERS, rng.sample(openings, pairs), players)
        return sum(2 * points(number, game) - 1 for number, game in play_all(enumerate(todo)))
    return lead


def lead_in_loss(deep: Sequence[DeepValue], batch: int, nodes: int, search_all: RunSearches) -> Lead:
    """By how much the loss against deep values is smaller (see root_error), in a batch of them that is drawn.
    ValueError if there are not so many."""
    if batch > len(deep):
        raise ValueError(f"a batch of {batch} cannot be drawn from {len(deep)} deep values")

    def lead(up: Margins, down: Margins, rng: Random) -> float:
        drawn = rng.sample(deep, batch)
        players = SearchPlayer(up, nodes), SearchPlayer(down, nodes)
        first, second = (loss(found, drawn) for found in searched(players, [each.sfen for each in drawn], search_all))
        return second - first
    return lead
