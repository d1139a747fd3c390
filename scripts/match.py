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
from scripts.cli.options import (
    ANY_PATH,
    COUNT,
    FILE,
    hash_option,
    openings_option,
    out_option,
    seed_option,
    workers_options,
)
from scripts.games.follow import follow
from scripts.games.game import Player
from scripts.games.matches import Match, run
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
from usi.console.ranges import AMOUNT, CENTIPAWNS, DEPTH, ELO, PART, THREADS
from usi.files.writing import require_folder, require_writable

MISBEHAVED = 3      # exit status


@dataclass(frozen=True)
class MoveLimits:
    """What each move may cost, of players without limits of their own. Times are milliseconds."""

    time: int = 0
    byoyomi: int | None = None
    increment: int = 0
    movetime: int | None = None
    nodes: int | None = None
    depth: int | None = None

    @property
    def control(self) -> TimeControl | None:
        """For engines; None if nothing is limited."""
        return TimeControl(self.time, self.byoyomi or 0, self.increment, self.movetime, self.nodes,
                           self.depth) if any(vars(self).values()) else None


@dataclass(frozen=True)
class Sides:
    """Who plays, as it is written: engines, or two versions of our search."""

    engines: tuple[str, ...]
    a: str
    b: str
    ponder: bool
    threads: int        # of our search
    hash_mb: int

    def players(self, limits: MoveLimits) -> tuple[Player, ...]:
        """UserError for what cannot be played."""
        if self.engines:
            if len(self.engines) < 2 or self.a or self.b:
                raise UserError("give two engines or more, and then neither --a nor --b")
            return with_own_names([UsiPlayer.parse(text, limits.control, self.ponder) for text in self.engines])
        if limits.time or limits.increment or limits.depth or self.ponder:
            raise UserError("--time, --inc, --depth and --ponder are for engines; --a and --b have nodes, movetime or "
                             "byoyomi")
        player = SearchPlayer(nodes=limits.nodes, movetime=limits.movetime, byoyomi=limits.byoyomi,
                              threads=self.threads, hash_mb=self.hash_mb)
        return player.varied(self.a), player.varied(self.b)


@dataclass(frozen=True)
class Plan:
    """How many games, who plays them, and where they are kept."""

    games: int          # of each two players that meet
    jobs: int
    scheduler: str | None
    out: Path | None


def play_once(match: Match, plan: Plan, sprt: Sprt | None) -> int:
    """Play the match to its end and print its standings; the number of offences."""
    course = run(match, plan.games, plan.jobs, sprt, plan.out, plan.scheduler)
    standings = follow(course, plan.games * len(match.encounters), sprt=sprt, lines=True)
    print(standings.summary(sprt))
    return standings.offences


def play_each(matches: list[tuple[Limit, Match]], plan: Plan, picture: Path | None) -> int:
    """Play a match at each limit and print their table; the number of offences."""
    if picture:
        require_picture(picture)        # complains before hours of games, not after them
        require_writable(picture)
    if plan.out:
        require_folder(plan.out)
    for limit, match in matches:
        limit.require_alone(match)
    rows: list[Row] = []
    for row in measured(matches, plan.games, plan.jobs, plan.out, plan.scheduler):
        rows.append(row)
        print(*text_table([HEADING, *(each.cells() for each in rows)]), sep="\n", flush=True)
        if picture:
            draw(rows, matches[0][1].names, picture)
    return sum(row.offences for row in rows)


@command(__doc__, resumes="out")
@click.argument("engines", nargs=-1, metavar="[ENGINE]...")
@click.option("--a", default="", metavar="NAME=VALUE,…", help="Settings of the first player that differ from the "
              "default: margins of search/parameters.py, nodes, movetime, byoyomi, threads, hash, level, eval.")
@click.option("--b", default="", metavar="NAME=VALUE,…", help="The same for the second player.")
@click.option("--time", type=click.IntRange(0, UNBOUNDED), default=0,
              help="Main time in ms. This and the next limits hold for players without limits of their own.")
@click.option("--byoyomi", type=AMOUNT, help="ms for each move after the main time.")
@click.option("--inc", type=click.IntRange(0, UNBOUNDED), default=0, help="Fischer increment in ms.")
@click.option("--movetime", type=AMOUNT, multiple=True, help="Fixed ms for each move; several may be given.")
@click.option("--nodes", type=AMOUNT, multiple=True, help="Nodes for each move; several may be given.")
@click.option("--depth", type=DEPTH, help="Depth of each move.")
@click.option("--games", type=click.IntRange(2, 10**9), required=True,
              help="An even number, of each two players that meet; with --out, how "
              "many there are to be in the end.")
@click.option("--gauntlet", is_flag=True, help="Only the first engine meets the others.")
@click.option("--ponder", is_flag=True, help="Let engines think in the opponent's time.")
@openings_option
@click.option("--opening-plies", type=click.IntRange(0, 10**6), metavar="N", help="Maximum plies of each opening.")
@click.option("--threads", type=THREADS, default=1, show_default=True, help="Search threads of --a and --b.")
@hash_option()
@workers_options()
@click.option("--sprt", type=ELO, nargs=2, metavar="ELO0 ELO1", help="Stop when one is accepted.")
@click.option("--alpha", type=PART, default=Sprt.alpha, show_default=True, help="Error of accepting ELO1.")
@click.option("--beta", type=PART, default=Sprt.beta, show_default=True, help="Error of accepting ELO0.")
@seed_option
@click.option("--max-plies", type=COUNT, default=Rules.max_plies, show_default=True,
              help="The game is drawn after this many plies.")
@click.option("--entering-king", type=click.Choice(RULES), default=Rules.entering_king_rule, show_default=True)
@click.option("--decisive", type=CENTIPAWNS, metavar="SCORE", help="End a game when both players' scores agree "
              f"on so many centipawns; 0: never [default: 0 for engines, else {Rules.decisive_score}].")
@click.option("--drawish", type=(CENTIPAWNS, click.IntRange(0, 10**6)), metavar="SCORE PLY", default=(0, 0),
              help="From PLY on, draw a game when both players' scores stay within SCORE.")
@out_option("File to keep the games in, and to continue from; with several limits a folder.", kind=ANY_PATH)
@click.option("--picture", type=FILE, help="With several limits: draw Elo over them (.png, .svg); needs matplotlib.")
def main(engines: tuple[str, ...], a: str, b: str, time: int, byoyomi: int | None, inc: int, movetime: tuple[int, ...],
         nodes: tuple[int, ...], depth: int | None, games: int, gauntlet: bool, ponder: bool, openings: Path,
         opening_plies: int | None, threads: int, hash_mb: int, jobs: int, scheduler: str | None,
         sprt: tuple[float, float] | None, alpha: float, beta: float, seed: int, max_plies: int, entering_king: str,
         decisive: int | None, drawish: tuple[int, int], out: Path | None, picture: Path | None) -> None:
    if alpha + beta >= 1:
        raise click.UsageError(f"--alpha {alpha:g} and --beta {beta:g} together are not below 1, so that any games "
                               "would decide; give smaller ones")
    limits = [*(Limit("nodes", each) for each in nodes), *(Limit("ms", each) for each in movetime)]
    if picture and len(limits) < 2:
        raise click.UsageError("--picture draws Elo over several limits: give more than one --nodes or --movetime")
    if len(limits) > 1 and (sprt or ponder):
        raise UserError("--sprt and --ponder are for a match with one limit")
    sides = Sides(engines, a, b, ponder, threads, hash_mb)
    if decisive is None:
        decisive = 0 if engines else Rules.decisive_score
    rules = Rules(max_plies, decisive, entering_king, *drawish)
    lines = load(openings, opening_plies)
    common = MoveLimits(time, byoyomi, inc, depth=depth)
    matches = [(limit, Match(sides.players(replace(common, nodes=limit.nodes, movetime=limit.movetime)), lines, rules,
                             seed, gauntlet)) for limit in limits]
    plan = Plan(games, jobs, scheduler, out)
    if len(limits) > 1:
        offences = play_each(matches, plan, picture)
    else:
        match = matches[0][1] if matches else Match(sides.players(common), lines, rules, seed, gauntlet)
        offences = play_once(match, plan, Sprt(*sprt, alpha, beta) if sprt else None)
    if offences:
        sys.exit(MISBEHAVED)


if __name__ == "__main__":
    main()
