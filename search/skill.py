"""Strength levels: how many nodes a weaker level searches, and how it chooses among the lines found."""
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from engine import MATE_IN_MAX_PLY
from engine.errors import UserError
from search.limits import Info, LastLines, Result, Settings

FULL_LEVEL = 20             # nothing is weakened
ELO_OF_LEVEL_0 = 500        # on our own scale, on which levels are ELO_PER_LEVEL apart
ELO_PER_LEVEL = 100
MIN_ELO, MAX_ELO = ELO_OF_LEVEL_0, ELO_OF_LEVEL_0 + ELO_PER_LEVEL * (FULL_LEVEL - 1)
CAREFULNESS = 3             # exponent: the higher it is, the more rarely a move loses nearly the margin

# Nodes, margin and lines of each level, chosen so that neighbours differ by about ELO_PER_LEVEL (docs/USI.md).
_LEVELS = (
    (150, 3000, 24), (230, 2370, 23), (340, 1880, 21), (490, 1490, 19), (670, 1210, 18),
    (870, 990, 17), (1090, 820, 16), (1340, 690, 15), (1630, 580, 14), (1970, 477, 13),
    (2360, 395, 13), (2800, 324, 12), (3310, 264, 11), (3930, 212, 10), (4620, 166, 10),
    (5430, 129, 9), (6320, 100, 8), (7330, 77, 8), (8420, 59, 8), (9510, 46, 7),
)


@dataclass(frozen=True)
class Skill:
    """The play of a level: it searches `lines` lines with `nodes` nodes in all, and plays moves up to `margin`
    centipawns below the best."""

    nodes: int
    margin: int
    lines: int

    @classmethod
    def of_level(cls, level: float) -> "Skill | None":
        """The skill of a level; those between two integers lie on the line through both. None, full strength, from
        FULL_LEVEL on. Raises UserError for a level below 0."""
        if not level >= 0:      # nor NaN
            raise UserError("level={level}: levels run from 0 to {most}", level=level, most=FULL_LEVEL)
        if level >= FULL_LEVEL:
            return None
        lower = min(max(int(level), 0), len(_LEVELS) - 2)
        share = level - lower
        return cls(*(round(low + share * (high - low))
                     for low, high in zip(_LEVELS[lower], _LEVELS[lower + 1], strict=True)))

    def settings(self, settings: Settings) -> Settings:
        """The settings for a search at this skill."""
        return replace(settings, nodes_limit=min(settings.nodes_limit or self.nodes, self.nodes),
                       multi_pv=max(settings.multi_pv, self.lines))


def level_of_elo(elo: int) -> float:
    """The level for a rating."""
    return (elo - ELO_OF_LEVEL_0) / ELO_PER_LEVEL


def draw(lines: Sequence[Info], margin: int, random: Random) -> Info:
    """Choose the line to play at random; `lines` are those that the search found, the best first.

    First draws how many centipawns the move may lose; values near `margin` are rare. Then draws one of the moves that
    lose no more, all equally likely. So an obvious move is rarely missed, however many bad moves there are. If the best
    line is a mate for either side, it is played. """
    best = lines[0]
    if abs(best.score) >= MATE_IN_MAX_PLY:
        return best
    tolerated = margin * random.random() ** CAREFULNESS
    return random.choice([line for line in lines if best.score - line.score <= tolerated])


class WeakSearch(LastLines):
    """Collects the reports of a search at a skill, and chooses the move to play."""

    def __init__(self, skill: Skill, random: Random) -> None:
        super().__init__()
        self.skill = skill
        self._random = random

    def played(self, result: Result) -> tuple[Result, Info | None]:
        """The result with the chosen move, and the line of that move, or None if it is the best one. The score stays
        that of the best move, because resigning depends on the position, not on the choice."""
        lines = [line for line in self.lines if line.bound != "upper"]
        if result.outcome != "move" or not lines or lines[0].pv[0] != result.bestmove:
            return result, None
        line = draw(lines, self.skill.margin, self._random)
        if line is lines[0]:
            return result, None
        ponder = line.pv[1] if len(line.pv) > 1 else None
        shown = replace(line, multipv=1, nodes=result.nodes, time_ms=result.time_ms)
        return replace(result, bestmove=line.pv[0], ponder=ponder), shown
