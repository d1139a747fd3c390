"""A match at several limits, which shows whether a version gains or loses with more nodes or more time."""
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from engine.errors import UserError
from scripts.games.matches import Match, follow, run
from scripts.games.search_player import SearchPlayer
from scripts.games.tally import Figures, Tally, decimal
from scripts.stats.elo import Estimate, estimate
from usi.console.figure import new_figure

HEADING = ["limit", "games", "Elo", "depth A", "depth B", "nodes/s A", "nodes/s B"]


@dataclass(frozen=True)
class Limit:
    """A limit for each move: nodes, or milliseconds."""

    unit: str       # "nodes" or "ms"
    amount: int

    def __str__(self) -> str:
        return f"{self.amount} {self.unit}"

    @property
    def file_name(self) -> str:
        return f"{self.amount}-{self.unit}.jsonl"

    @property
    def nodes(self) -> int | None:
        return self.amount if self.unit == "nodes" else None

    @property
    def movetime(self) -> int | None:
        return self.amount if self.unit == "ms" else None

    def require_alone(self, match: Match) -> None:
        """UserError unless the match is of two players with this limit and no other."""
        if len(match.players) != 2:
            raise UserError(f"several limits are for a match of two players, not {len(match.players)}")
        for player in match.players:
            control = player if isinstance(player, SearchPlayer) else player.control
            if (control.nodes, control.movetime) != (self.nodes, self.movetime):
                raise UserError("a player has a limit of its own; give all of them as --nodes and --movetime")


@dataclass(frozen=True)
class Row:
    """The results of the players A and B at one limit."""

    limit: Limit
    games: int
    elo: Estimate
    figures: tuple[Figures, Figures]

    @classmethod
    def of(cls, limit: Limit, tally: Tally) -> "Row":
        return cls(limit, len(tally.games), estimate(tally.pairs), tally.figures())

    @property
    def offences(self) -> int:
        return sum(each.offences.total() for each in self.figures)

    def cells(self) -> list[str]:
        depths = [decimal(each.mean_depth, 1) for each in self.figures]
        rates = [decimal(each.nodes_per_second) for each in self.figures]
        return [str(self.limit), str(self.games), str(self.elo), *depths, *rates]


def draw(rows: Sequence[Row], names: Sequence[str], path: Path) -> None:
    """Draw Elo of the first player over the limits, with errors. Limits in nodes and in time stand side by side.
    UserError if matplotlib is missing."""
    figure = new_figure(8, 4)
    first, second = names
    kinds = [(unit, [row for row in rows if row.limit.unit == unit and isfinite(row.elo.elo + row.elo.error)])
             for unit in ("nodes", "ms")]
    shown = [(unit, found) for unit, found in kinds if found]
    axes = None
    for place, (unit, found) in enumerate(shown, 1):
        amounts = [row.limit.amount for row in found]
        axes = figure.add_subplot(1, len(shown), place, xlabel=f"{unit} a move", ylabel=f"Elo of {first} over {second}",
                                  xscale="log", sharey=axes)
        axes.errorbar(amounts, [row.elo.elo for row in found], yerr=[row.elo.error for row in found], marker="o",
                      capsize=4)
        axes.axhline(0, color="grey", linestyle="--")
        axes.set_xticks(amounts, labels=[f"{amount:,}" for amount in amounts])
        axes.minorticks_off()
        axes.set_xlim(min(amounts) / 1.5, max(amounts) * 1.5)   # a single limit has no width of its own
    figure.savefig(path)


def measured(matches: Sequence[tuple[Limit, Match]], games: int, jobs: int, out: Path | None,
             scheduler: str | None) -> Iterator[Row]:
    """Play the missing games of each match, one match after the other, and yield its row. The folder `out` keeps the
    games, a file for each limit."""
    for limit, match in matches:
        course = run(match, games, jobs, out=out / limit.file_name if out else None, scheduler=scheduler)
        tally, = follow(course, games, label=str(limit)).tallies
        yield Row.of(limit, tally)
