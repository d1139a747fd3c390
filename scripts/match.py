"""Play a match between USI engines, or between versions of our search in one process, and compute its statistics.

    python -m scripts.match "byoyomi=1000 option.USI_Hash=64 engine" /usr/games/gpsusi --byoyomi 500 --games 100
    python -m scripts.match ENGINE ENGINE ENGINE --gauntlet --time 60000 --inc 1000 --games 50 --jobs 2 \\
        --out runs/gauntlet.jsonl
    python -m scripts.match --b history_bonus=32 --nodes 3000 --games 400
    python -m scripts.match --a eval=new.weights --b eval=material --nodes 3000 --games 200
    python -m scripts.match --b aspiration_window=25 --nodes 3000 --games 2000 --sprt 0 5 --out runs/window.jsonl

An ENGINE is a command, with settings before it (docs/MATCHES.md). Without an ENGINE two versions of our search play in
one process, --a against --b.

Each opening is played twice, with colours swapped. A game ends by the rules (mate, declaration by 27 points, fourfold
repetition, perpetual check), as a draw after --max-plies, or by an engine's offence. Without engines it also ends when
both players' scores agree for eight plies on the winner (--decisive 0: never). --out keeps every game; the same command
run again plays only the missing ones.

With limits in time, use an idle machine and no more --jobs than cores.

`python -m scripts.report` makes a page and records of the games that --out keeps.

At fixed nodes with one thread, the same seed gives the same games with any number of jobs. Equal players then play
equal games, so every pair ends 1-1.

Exit status 1: the match could not be played; 3: it was, but a player misbehaved.
"""
import json
import sys
from dataclasses import dataclass
from pathlib import Path

import click

from engine import RULES
from engine.errors import UserError
from scripts.cli.command import command
from scripts.games.game import Player
from scripts.games.matches import Match, follow, run
from scripts.games.openings import load
from scripts.games.rules import Rules
from scripts.games.search_player import CHANGES, SearchPlayer
from scripts.games.settings import hash_setting, openings_setting, seed_setting
from scripts.games.timecontrol import PlayerLimits
from scripts.games.usi_player import UsiPlayer, with_own_names
from scripts.stats.elo import Sprt
from search.limits import UNBOUNDED
from usi.console.options import options_of, workers_options
from usi.console.settings import (
    CENTIPAWNS,
    DEPTH,
    ELO,
    FILE,
    MS,
    NODES,
    PART,
    PLIES,
    THREADS,
    OneOf,
    WholeRange,
    setting,
)
from usi.words.language import _

MISBEHAVED = 3      # exit status


@dataclass(frozen=True)
class MoveLimits:
    """Limits of a move for players without limits of their own. Times are milliseconds."""

    time: int = setting("Main time in ms. This and the next limits hold for players without limits of their own.",
                        WholeRange(0, UNBOUNDED, "MS"), 0, show_default=False)
    byoyomi: int | None = setting("ms for each move after the main time.", MS, None)
    increment: int = setting("Fischer increment in ms.", WholeRange(0, UNBOUNDED, "MS"), 0, "--inc", show_default=False)
    depth: int | None = setting("Depth of each move.", DEPTH, None)
    movetime: int | None = setting("Fixed ms for each move.", MS, None)
    nodes: int | None = setting("Nodes for each move.", NODES, None)

    @property
    def control(self) -> PlayerLimits | None:
        """The time control for engines; None if nothing is limited."""
        return PlayerLimits(self.time, self.byoyomi or 0, self.increment, self.movetime, self.nodes,
                            self.depth) if any(vars(self).values()) else None


@dataclass(frozen=True)
class Sides:
    """The options of the players. Engines are arguments; `a` and `b` describe two versions of our search."""

    a: str = setting("Settings of the first player that differ from the default: margins of search/parameters.py, "
                     "nodes, movetime, byoyomi, threads, hash, level, eval.", CHANGES, "", metavar="NAME=VALUE,…")
    b: str = setting("Settings of the second player, likewise.", CHANGES, "", metavar="NAME=VALUE,…")
    ponder: bool = setting("Let engines think in the opponent's time.", None, False)
    threads: int = setting("Search threads of --a and --b.", THREADS, 1)
    hash_mb: int = hash_setting()

    def players(self, engines: tuple[str, ...], limits: MoveLimits) -> tuple[Player, ...]:
        """The players of the match. Raises UserError for a match that cannot be played."""
        if engines:
            if len(engines) < 2 or self.a or self.b:
                raise UserError("give two engines or more, and then neither --a nor --b")
            return with_own_names([UsiPlayer.parse(text, limits.control, self.ponder) for text in engines])
        if limits.time or limits.increment or limits.depth or self.ponder:
            raise UserError("--time, --inc, --depth and --ponder are for engines; --a and --b have nodes, movetime or "
                            "byoyomi")
        player = SearchPlayer(nodes=limits.nodes, movetime=limits.movetime, byoyomi=limits.byoyomi,
                              threads=self.threads, hash_mb=self.hash_mb)
        return player.varied(self.a), player.varied(self.b)


@dataclass(frozen=True)
class MatchOptions:
    """Number of games, openings, rules, and the file for the games."""

    games: int = setting("Games of each two players that meet, an even number; with --out, the number in the end.",
                         WholeRange(2, 10**9, "GAMES"))
    gauntlet: bool = setting("Only the first engine meets the others.", None, False)
    opening_plies: int | None = setting("Maximum plies of each opening.", WholeRange(0, 10**6, "PLIES"), None)
    sprt: tuple[float, float] | None = setting("Hypotheses of a sequential test, which ends the match by accepting "
                                               "one.", ELO, None, nargs=2, metavar="ELO0 ELO1")
    alpha: float = setting("Probability of accepting ELO1 although ELO0 is true.", PART, Sprt.alpha)
    beta: float = setting("Probability of accepting ELO0 although ELO1 is true.", PART, Sprt.beta)
    max_plies: int = setting("Plies after which a game is drawn.", PLIES, Rules.max_plies)
    entering_king: str = setting("Rule by which a king that has entered wins.", OneOf(RULES),
                                 Rules.entering_king_rule)
    decisive: int | None = setting("Score on which both players must agree to end a game; 0: no such end "
                                   f"[default: 0 for engines, else {Rules.decisive_score}].", CENTIPAWNS, None,
                                   metavar="SCORE")
    drawish: tuple[int, int] = setting("From PLY on, draw a game when both players' scores stay within SCORE.",
                                       (CENTIPAWNS, WholeRange(0, 10**6)), (0, 0), metavar="SCORE PLY",
                                       show_default=False)
    out: Path | None = setting("File to keep the games in, and to continue from.", FILE, None)
    to_json: bool = setting("Print the results as JSON in place of the tables.", None, False, "--json")
    openings: Path = openings_setting()
    seed: int = seed_setting()

    @property
    def test(self) -> Sprt | None:
        return Sprt(*self.sprt, self.alpha, self.beta) if self.sprt else None

    def rules(self, decisive: int) -> Rules:
        """`decisive` is the default."""
        return Rules(self.max_plies, decisive if self.decisive is None else self.decisive, self.entering_king,
                     *self.drawish)


@command(__doc__, resumes="out")
@click.argument("engines", nargs=-1, metavar="[ENGINE]...")
@options_of(Sides, "sides")
@options_of(MoveLimits, "common")
@options_of(MatchOptions, "plan")
@workers_options()
def main(engines: tuple[str, ...], sides: Sides, common: MoveLimits, plan: MatchOptions, jobs: int,
         scheduler: str | None) -> None:
    if plan.alpha + plan.beta >= 1:
        raise click.UsageError(_("--alpha {alpha:g} and --beta {beta:g} together are not below 1, so that any games "
                                 "would decide; give smaller ones", alpha=plan.alpha, beta=plan.beta))
    rules = plan.rules(0 if engines else Rules.decisive_score)
    lines = load(plan.openings, plan.opening_plies)
    match = Match(sides.players(engines, common), lines, rules, plan.seed, plan.gauntlet)
    course = run(match, plan.games, jobs, plan.test, plan.out, scheduler)
    standings = follow(course, plan.games * len(match.encounters), sprt=plan.test, lines=True)
    print(json.dumps(standings.as_json(plan.test), indent=1) if plan.to_json else standings.summary(plan.test))
    if standings.offences:
        sys.exit(MISBEHAVED)


if __name__ == "__main__":
    main()
