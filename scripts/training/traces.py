"""TD(λ): values blended with later values of the game.

A search of few nodes mostly repeats the evaluation's own opinion. So a position's value is blended with the next
position's, that one with the value after it, and so on up to the result.
"""
import numpy as np

from engine import WHITE
from scripts.training.samples import Records, Values, black_results, game_numbers, values_of, winning_rates


def trace(records: Records, decay: float, whole: bool) -> Values:
    """The blended values of PSV records, which lie in the order of play: centipawns for the side to move.

    In winning rates, a position's value is `1 - decay` of its own score and `decay` of the next position's value; the
    game's result follows the last position. Positions that the file has left out count with the score of the one before
    them. Unless `whole`, the last game may go on elsewhere: its last position keeps its score.
    """
    sign = np.where(records["sfen"][:, 0] & 1 == WHITE, -1, 1)
    results = ((1 + black_results(records)) / 2).tolist()       # for Black, as all values below
    rates = winning_rates(sign * records["score"].astype(int)).tolist()
    plies = records["gamePly"].tolist()
    games = game_numbers(records).tolist()
    after = results[-1] if whole else rates[-1]
    gap = 1
    for i in range(len(rates) - 1, -1, -1):
        if i + 1 < len(rates):
            if games[i] == games[i + 1]:
                gap = plies[i + 1] - plies[i]
            else:
                gap, after = 1, results[i]
        kept = decay ** gap
        after = rates[i] = (1 - kept) * rates[i] + kept * after
    return sign * values_of(np.array(rates))
