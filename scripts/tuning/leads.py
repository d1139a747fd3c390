"""The measurement of an SPSA iteration: which of two opposite sets of margins leads, and by how much."""
from collections.abc import Callable, Sequence
from random import Random

from scripts.games.game import Pairing, pairings
from scripts.games.played import PlayedGame
from scripts.games.schedule import TWO_PLAYERS
from scripts.games.search_player import SearchPlayer
from scripts.games.tally import points
from usi.workers.pool import RunTasks

Margins = dict[str, int]
Lead = Callable[[Margins, Margins, Random], float]      # of the first over the second; positive: the first is better


def lead_in_games(openings: Sequence[str], pairs: int, nodes: int, play_all: RunTasks[Pairing, PlayedGame]) -> Lead:
    """Wins minus losses, in pairs of games from random openings."""
    def lead(up: Margins, down: Margins, rng: Random) -> float:
        players = SearchPlayer(up, nodes), SearchPlayer(down, nodes)
        todo = pairings(TWO_PLAYERS, rng.sample(openings, pairs), players)
        return sum(2 * points(number, game) - 1 for number, game in play_all(enumerate(todo)))
    return lead
