"""Play a match between USI engines, or between versions of our search in one process, and compute its statistics.

    python -m scripts.match "byoyomi=1000 option.USI_Hash=64 engine" /usr/games/gpsusi --byoyomi 500 --games 100
    python -m scripts.match ENGINE ENGINE ENGINE --gauntlet --time 60000 --inc 1000 --games 50 --jobs 2 \\
        --out runs/gauntlet.jsonl
    python -m scripts.match --b history_bonus=32 --nodes 3000 --games 400
    python -m scripts.match --a eval=new.weights --b eval=material --nodes 3000 --games 200
    python -m scripts.match --b aspiration_window=25 --nodes 3000 --games 2000 --sprt 0 5 --out runs/window.jsonl

    python -m scripts.match --b use_probcut=0 --nodes 5000 --nodes 80000 --games 400 --out runs/probcut \\
        --picture runs/probcut.svg

An ENGINE is a command, with settings before it (docs/MATCHES.md). Without an ENGINE two versions of our search play in
one process, --a against --b.

Each opening is played twice, with colours swapped. A game ends by the rules (mate, declaration by 27 points, fourfold
repetition, perpetual check), as a draw after --max-plies, or by an engine's offence. Without engines it also ends when
both players' scores agree for eight plies on the winner (--decisive 0: never). --out keeps every game; the same command
run again plays only the missing ones.

Give --nodes or --movetime several times, and a match is played at each limit, from the same openings in the same order.
Each row of the table has the Elo of the first player, and both players' mean depth and nodes a second. --out is then a
folder with a file for each limit. Limits in time need an idle machine, and no more --jobs than cores.

`python -m scripts.report` makes a page and records of the games that --out keeps.

At fixed nodes with one thread, the same seed gives the same games with any number of jobs. Equal players then play
equal games, so every pair ends 1-1.

Exit status 1: the match could not be played; 3: it was, but a player misbehaved.
"""
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import click

from engine import RULES
from engine.errors import UserError
from scripts.cli.command import command
from scripts.cli.options import hash_setting, openings_option, seed_option, workers_options
from scripts.games.game import Player
from scripts.games.matches import Match, follow, run
from scripts.games.openings import load
from scripts.games.rules import Rules
from scripts.games.scaling import HEADING, Limit, Row, draw, measured
from scripts.games.search_player import SearchPlayer
from scripts.games.tally import text_table
from scripts.games.timecontrol import TimeControl
from scripts.games.usi_player import UsiPlayer, with_own_names
from scripts.stats.elo import Sprt
from search.limits import UNBOUNDED
from usi.console.figure import require_picture
from usi.console.options import (
    AMOUNT,
    ANY_PATH,
    CENTIPAWNS,
    COUNT,
    DEPTH,
    ELO,
    FILE,
    PART,
    THREADS,
    options_of,
    setting,
)
from usi.files.writing import require_folder, require_writable

MISBEHAVED = 3      # exit status


@dataclass(frozen=True)
class MoveLimits:
    """What each move may cost, of players without limits of their own. Times are milliseconds."""

    time: int = setting("Main time in ms. This and the next limits hold for players without limits of their own.",
                        click.IntRange(0, UNBOUNDED), 0, show_default=False)
    byoyomi: int | None = setting("ms for each move after the main time.", AMOUNT, None)
    increment: int = setting("Fischer increment in ms.", click.IntRange(0, UNBOUNDED), 0, "--inc", show_default=False)
    depth: int | None = setting("Depth of each move.", DEPTH, None)
    movetime: int | None = None
    nodes: int | None = None

    @property
    def control(self) -> TimeControl | None:
        """For engines; None if nothing is limited."""
        return TimeControl(self.time, self.byoyomi or 0, self.increment, self.movetime, self.nodes,
                           self.depth) if any(vars(self).values()) else None


@dataclass(frozen=True)
class Sides:
    """Who plays, as it is written: engines, or two versions of our search."""

    a: str = setting("Settings of the first player that differ from the default: margins of search/parameters.py, "
                     "nodes, movetime, byoyomi, threads, hash, level, eval.", None, "", metavar="NAME=VALUE,…")
    b: str = setting("The same for the second player.", None, "", metavar="NAME=VALUE,…")
    ponder: bool = setting("Let engines think in the opponent's time.", None, False)
    threads: int = setting("Search threads of --a and --b.", THREADS, 1)
    hash_mb: int = hash_setting()

    def players(self, engines: tuple[str, ...], limits: MoveLimits) -> tuple[Player, ...]:
        """UserError for what cannot be played."""
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
class Plan:
    """How many games, from where, until when, and where they are kept."""

    games: int = setting("An even number, of each two players that meet; with --out, how many there are to be in the "
                         "end.", click.IntRange(2, 10**9))
    nodes: tuple[int, ...] = setting("Nodes for each move; several may be given.", AMOUNT, (), multiple=True)
    movetime: tuple[int, ...] = setting("Fixed ms for each move; several may be given.", AMOUNT, (), multiple=True)
    gauntlet: bool = setting("Only the first engine meets the others.", None, False)
    opening_plies: int | None = setting("Maximum plies of each opening.", click.IntRange(0, 10**6), None, metavar="N")
    sprt: tuple[float, float] | None = setting("Stop when one is accepted.", ELO, None, nargs=2, metavar="ELO0 ELO1")
    alpha: float = setting("Error of accepting ELO1.", PART, Sprt.alpha)
    beta: float = setting("Error of accepting ELO0.", PART, Sprt.beta)
    max_plies: int = setting("The game is drawn after this many plies.", COUNT, Rules.max_plies)
    entering_king: str = setting("By which rule a king that has entered wins.", click.Choice(RULES),
                                 Rules.entering_king_rule)
    decisive: int | None = setting("End a game when both players' scores agree on so many centipawns; 0: never "
                                   f"[default: 0 for engines, else {Rules.decisive_score}].", CENTIPAWNS, None,
                                   metavar="SCORE")
    drawish: tuple[int, int] = setting("From PLY on, draw a game when both players' scores stay within SCORE.",
                                       (CENTIPAWNS, click.IntRange(0, 10**6)), (0, 0), metavar="SCORE PLY",
                                       show_default=False)
    out: Path | None = setting("File to keep the games in, and to continue from; with several limits a folder.",
                               ANY_PATH, None)
    picture: Path | None = setting("With several limits: draw Elo over them (.png, .svg); needs matplotlib.", FILE,
                                   None)

    @property
    def limits(self) -> list[Limit]:
        return [*(Limit("nodes", each) for each in self.nodes), *(Limit("ms", each) for each in self.movetime)]

    @property
    def test(self) -> Sprt | None:
        return Sprt(*self.sprt, self.alpha, self.beta) if self.sprt else None

    def rules(self, decisive: int) -> Rules:
        """`decisive` is the default."""
        return Rules(self.max_plies, decisive if self.decisive is None else self.decisive, self.entering_king,
                     *self.drawish)


def play_once(match: Match, plan: Plan, jobs: int, scheduler: str | None) -> int:
    """Play the match to its end and print its standings; the number of offences."""
    course = run(match, plan.games, jobs, plan.test, plan.out, scheduler)
    standings = follow(course, plan.games * len(match.encounters), sprt=plan.test, lines=True)
    print(standings.summary(plan.test))
    return standings.offences


def play_each(matches: list[tuple[Limit, Match]], plan: Plan, jobs: int, scheduler: str | None) -> int:
    """Play a match at each limit and print their table; the number of offences."""
    if plan.picture:
        require_picture(plan.picture)       # complains before hours of games, not after them
        require_writable(plan.picture)
    if plan.out:
        require_folder(plan.out)
    for limit, match in matches:
        limit.require_alone(match)
    rows: list[Row] = []
    for row in measured(matches, plan.games, jobs, plan.out, scheduler):
        rows.append(row)
        print(*text_table([HEADING, *(each.cells() for each in rows)]), sep="\n", flush=True)
        if plan.picture:
            draw(rows, matches[0][1].names, plan.picture)
    return sum(row.offences for row in rows)


@command(__doc__, resumes="out")
@click.argument("engines", nargs=-1, metavar="[ENGINE]...")
@options_of(Sides, "sides")
@options_of(MoveLimits, "common")
@options_of(Plan, "plan")
@openings_option
@workers_options()
@seed_option
def main(engines: tuple[str, ...], sides: Sides, common: MoveLimits, plan: Plan, openings: Path, jobs: int,
         scheduler: str | None, seed: int) -> None:
    if plan.alpha + plan.beta >= 1:
        raise click.UsageError(f"--alpha {plan.alpha:g} and --beta {plan.beta:g} together are not below 1, so that any "
                               "games would decide; give smaller ones")
    limits = plan.limits
    if plan.picture and len(limits) < 2:
        raise click.UsageError("--picture draws Elo over several limits: give more than one --nodes or --movetime")
    if len(limits) > 1 and (plan.sprt or sides.ponder):
        raise UserError("--sprt and --ponder are for a match with one limit")
    lines = load(openings, plan.opening_plies)
    rules = plan.rules(0 if engines else Rules.decisive_score)

    def match_at(at: MoveLimits) -> Match:
        return Match(sides.players(engines, at), lines, rules, seed, plan.gauntlet)

    matches = [(limit, match_at(replace(common, nodes=limit.nodes, movetime=limit.movetime))) for limit in limits]
    if len(limits) > 1:
        offences = play_each(matches, plan, jobs, scheduler)
    else:
        offences = play_once(matches[0][1] if matches else match_at(common), plan, jobs, scheduler)
    if offences:
        sys.exit(MISBEHAVED)


if __name__ == "__main__":
    main()
