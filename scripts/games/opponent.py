"""Opponents that judge weights: the scores of new and of old weights against the same opponent.

Two networks with the same blind spots do not punish them in each other, so a win over the predecessor alone says
little. So both play against another opponent from the same openings, and the new network has to score more.
"""
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from statistics import mean, stdev

from engine.errors import UserError
from scripts.games.game import Player
from scripts.games.matches import Match, follow, run
from scripts.games.search_player import SearchPlayer
from scripts.games.standings import Standings
from scripts.games.tally import Tally, pair_points
from scripts.games.timecontrol import PlayerLimits
from scripts.games.usi_player import UsiPlayer
from scripts.stats.elo import NORMAL_95, estimate

ONE_SIDED_95 = 1.644854         # 95 % of a normal distribution lie below this many standard deviations


@dataclass(frozen=True)
class Opponent:
    """A player, and the nodes that our search has for a move against it."""

    name: str           # as it was given
    player: Player
    nodes: int

    @classmethod
    def parse(cls, nodes: int, text: str) -> "Opponent":
        """The opponent that a text describes: `eval=FILE,name=value,…` is our search with other weights and settings,
        anything else a USI engine with settings before its command. It has `nodes` for a move, unless its text limits
        it. Raises UserError as `SearchPlayer.varied` and `UsiPlayer.parse` do."""
        player: Player
        if text.startswith("eval="):
            player = SearchPlayer(nodes=nodes).varied(text)
        else:
            player = UsiPlayer.parse(text, PlayerLimits(nodes=nodes))
        return cls(text, player, nodes)

    @property
    def label(self) -> str:
        """A short name with the nodes: an engine's own name, or for our search its weights file and settings."""
        name = self.player.name if isinstance(self.player, UsiPlayer) else Path(self.name.removeprefix("eval=")).name
        return f"{name} at {self.nodes}"

    def play(self, evaluation: str | None, openings: list[str], games: int, jobs: int, scheduler: str | None,
             out: Path | None, label: str) -> Standings:
        """The games of an evaluation, a name for eval.loading, with this opponent; see `run` and `follow`."""
        player = SearchPlayer(nodes=self.nodes, eval_file=evaluation)
        course = run(Match((player, self.player), openings), games, jobs, None, out, scheduler)
        return follow(course, games, label)


@dataclass(frozen=True)
class Score:
    """The result of games with one opponent."""

    opponent: str           # its label
    wins: int
    draws: int
    losses: int
    elo: float
    error: float            # half of the 95 % interval
    offences: int           # of the opponent

    @classmethod
    def of(cls, opponent: Opponent, tally: Tally) -> "Score":
        """The score of some games. Raises UserError without a complete pair."""
        found = estimate(tally.pairs)
        return cls(opponent.label, *tally.wins_draws_losses, found.elo, found.error,
                   tally.figures()[1].offences.total())

    @property
    def cells(self) -> list[str]:
        """The games, Elo and its error."""
        return [f"+{self.wins} ={self.draws} -{self.losses}", f"{self.elo:.1f}", f"{self.error:.1f}"]


@dataclass(frozen=True)
class Comparison:
    """Scores of new and old weights against one opponent, by opening: points of two games, 0 to 2."""

    opponent: Opponent
    new: list[float]
    old: list[float]

    @property
    def difference(self) -> float:
        """The new weights' mean score minus the old weights', in points per game."""
        return mean(self.differences)

    @property
    def error(self) -> float:
        """The standard error of the difference."""
        return stdev(self.differences) / sqrt(len(self.differences))

    @property
    def differences(self) -> list[float]:
        return [(new - old) / 2 for new, old in zip(self.new, self.old, strict=True)]

    @property
    def gains(self) -> bool:
        """Whether the new weights score more, with a confidence of 95 %."""
        return self.difference > ONE_SIDED_95 * self.error

    def __str__(self) -> str:
        new, old = (f"{50 * mean(each):.1f} %" for each in (self.new, self.old))
        return (f"{self.opponent.nodes} nodes against {self.opponent.name}: new {new}, old {old} of "
                f"{2 * len(self.new)} games each, {100 * self.difference:+.1f} ± {100 * NORMAL_95 * self.error:.1f}")


def compare(opponent: Opponent, games: int, openings: list[str], new: str, old: str | None, jobs: int,
            scheduler: str | None = None, out: Path | None = None) -> Comparison:
    """The comparison of two evaluations, names for eval.loading, by their games with an opponent. The folder `out`
    keeps the games, in a file for each evaluation, so a later comparison reuses the games of the old evaluation. Raises
    UserError for fewer than four games, and as `run`."""
    if games < 4:
        raise UserError("{games} games show no difference; give 4 or more", games=games)
    scores = []
    for name, evaluation in (("new", new), ("old", old)):
        fingerprint = SearchPlayer(nodes=opponent.nodes, eval_file=evaluation).fingerprint
        kept = out / f"{fingerprint}.jsonl" if out else None
        found = opponent.play(evaluation, openings, games, jobs, scheduler, kept, f"{name}, {opponent.name}").games
        scores.append([score for pair, score in pair_points(found).items() if pair < games // 2])
    return Comparison(opponent, *scores)
