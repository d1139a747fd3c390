#!/usr/bin/env python3
"""Play one version against another at several limits, and say whether it gains or loses with more nodes and more time.

    python scripts/scaling.py "option.USI_OwnBook=false new/.venv/bin/engine" "option.USI_OwnBook=false engine" \\
        --games 400 --out runs/scaling --picture runs/scaling.svg
    python scripts/scaling.py --a use_probcut=0 --nodes 5000 --nodes 20000 --games 1000 --jobs 2 --out runs/probcut

Two ENGINEs, or without them our own search, --a against --b, as scripts/match.py has them. Each limit is a match of its
own, from the same openings in the same order; a row of the table says what came of it: Elo of the first player with
the half of its 95 % interval, and each player's mean depth and nodes a second.

Games are kept in the folder --out, a file for each limit, as they end; the same command run again plays only those
missing, and --games may be raised. The limits in time want a machine with nothing else to do and no more --jobs than it
has cores; of those in nodes only the nodes a second depend on that.

Exit status 1: it could not be played; 3: it was, but a player misbehaved.
"""
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

import click

from scripts.arena.follow import follow
from scripts.arena.game import Player
from scripts.arena.match import Match, run
from scripts.arena.search_player import SearchPlayer
from scripts.arena.stats.elo import Estimate, estimate
from scripts.arena.stats.tally import Figures, Tally, decimal, text_table
from scripts.arena.timecontrol import TimeControl
from scripts.arena.usi_player import UsiPlayer, with_own_names
from scripts.cli.command import command
from scripts.cli.options import COUNT, FILE, FOLDER, hash_option, openings_option, seed_option, workers_options
from scripts.games.openings import load
from scripts.games.rules import Rules
from usi.commands.figure import new_figure, require_picture

NODES = (5_000, 20_000, 80_000)
MOVETIMES = (100, 1_000)        # milliseconds
HEADING = ["limit", "games", "Elo", "depth A", "depth B", "nodes/s A", "nodes/s B"]
MISBEHAVED = 3                  # exit status


@dataclass(frozen=True)
class Limit:
    """What each move may cost: nodes, or milliseconds."""

    unit: str       # "nodes" or "ms"
    amount: int

    def __str__(self) -> str:
        return f"{self.amount} {self.unit}"

    @property
    def file_name(self) -> str:
        return f"{self.amount}-{self.unit}.jsonl"

    def players(self, engines: Sequence[str], a: str, b: str, hash_mb: int) -> tuple[Player, ...]:
        """The two players with this limit. ValueError for what cannot be, a limit of a player's own included."""
        nodes, movetime = (self.amount, None) if self.unit == "nodes" else (None, self.amount)
        if not engines:
            player = SearchPlayer(nodes=nodes, movetime=movetime, hash_mb=hash_mb)
            searches = player.varied(a), player.varied(b)
            self.require_no_other(all(each.limits == player.limits for each in searches))
            return searches
        if len(engines) != 2 or a or b:
            raise ValueError("give two engines and then neither --a nor --b, or no engine")
        control = TimeControl(nodes=nodes, movetime=movetime)
        processes = [UsiPlayer.parse(text, control) for text in engines]
        self.require_no_other(all(each.control == control for each in processes))
        return with_own_names(processes)

    def require_no_other(self, kept: bool) -> None:
        if not kept:
            raise ValueError("a player has a limit of its own; give all of them as --nodes and --movetime")


@dataclass(frozen=True)
class Row:
    """What came of one limit: of the players A and B."""

    limit: Limit
    games: int
    elo: Estimate
    figures: tuple[Figures, Figures]

    @classmethod
    def of(cls, limit: Limit, tally: Tally) -> "Row":
        return cls(limit, len(tally.games), estimate(tally.pairs), tally.figures())

    def cells(self) -> list[str]:
        depths = [decimal(each.mean_depth, 1) for each in self.figures]
        rates = [decimal(each.nodes_per_second) for each in self.figures]
        return [str(self.limit), str(self.games), str(self.elo), *depths, *rates]


def draw(rows: Sequence[Row], names: Sequence[str], path: Path) -> None:
    """Elo of the first of two names over the limits, with its errors: those in nodes and those in time side by side.
    ValueError if matplotlib is not there."""
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


def measured(matches: Sequence[tuple[Limit, Match]], games: int, jobs: int, out: Path,
             scheduler: str | None) -> Iterator[tuple[Limit, Tally]]:
    """Play what is missing of each match, one after the other."""
    for limit, match in matches:
        course = run(match, games, jobs, out=out / limit.file_name, scheduler=scheduler)
        tally, = follow(course, games, label=str(limit)).tallies
        yield limit, tally


@command(__doc__, resumes=True)
@click.argument("engines", nargs=-1, metavar="[ENGINE ENGINE]")
@click.option("--a", default="", metavar="NAME=VALUE,…", help="How the first player differs from the default: "
              "margins of search/parameters.py, threads, hash, eval.")
@click.option("--b", default="", metavar="NAME=VALUE,…", help="Likewise the second.")
@click.option("--nodes", type=COUNT, multiple=True, help="A limit: nodes of each move; several may be given.")
@click.option("--movetime", type=COUNT, multiple=True, help="Likewise: milliseconds of each move. Without any limit: "
              f"{', '.join(map(str, NODES))} nodes and {', '.join(map(str, MOVETIMES))} ms.")
@click.option("--games", type=COUNT, default=400, show_default=True, help="At each limit, an even number.")
@hash_option()
@openings_option
@workers_options()
@seed_option
@click.option("--out", type=FOLDER, required=True, help="Folder to keep the games in, and to continue from.")
@click.option("--picture", type=FILE, help="Also draw Elo over the limits: .png or .svg; needs matplotlib.")
def main(engines: tuple[str, ...], a: str, b: str, nodes: tuple[int, ...], movetime: tuple[int, ...], games: int,
         hash_mb: int, openings: Path, jobs: int, scheduler: str | None, seed: int, out: Path,
         picture: Path | None) -> None:
    if picture:
        require_picture(picture)    # complains before hours of games, not after them
    if not nodes and not movetime:
        nodes, movetime = NODES, MOVETIMES
    limits = [*(Limit("nodes", amount) for amount in nodes), *(Limit("ms", amount) for amount in movetime)]
    start = load(openings)
    matches = [(limit, Match(limit.players(engines, a, b, hash_mb), start, Rules(), seed)) for limit in limits]
    rows: list[Row] = []
    offences = 0
    for limit, tally in measured(matches, games, jobs, out, scheduler):
        rows.append(Row.of(limit, tally))
        offences += sum(game.offender is not None for game in tally.games.values())
        print(*text_table([HEADING, *(row.cells() for row in rows)]), sep="\n", flush=True)
        if picture:
            draw(rows, matches[0][1].names, picture)
    if offences:
        sys.exit(MISBEHAVED)


if __name__ == "__main__":
    main()
