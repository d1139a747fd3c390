#!/usr/bin/env python3
"""Play a match between USI engines, or between versions of our search in one process, and say what it proves.

    python scripts/match.py "byoyomi=1000 option.USI_Hash=64 engine" /usr/games/gpsusi --byoyomi 500 --games 100
    python scripts/match.py ENGINE ENGINE ENGINE --gauntlet --time 60000 --inc 1000 --games 50 --jobs 2 \\
        --out runs/gauntlet.jsonl --report runs/gauntlet
    python scripts/match.py --b history_bonus=32 --nodes 3000 --games 400
    python scripts/match.py --a eval=new.weights --b eval=material --nodes 3000 --games 200
    python scripts/match.py --b aspiration_window=25 --nodes 3000 --games 2000 --sprt 0 5 --out runs/window.jsonl

An ENGINE is a command, with settings of its own before it if it needs any: docs/MATCHES.md has them. Without an ENGINE
our own search plays, --a against --b, without USI between.

Each opening is played twice, with colours swapped. Games end by the rules (mate, declaration by 27 points, fourfold
repetition and perpetual check), as a draw after --max-plies, and by what an engine did wrong; without USI also as soon
as both players' scores have agreed for some moves that one of them is winning (--decisive 0: never). With --out every
game is kept as it ends, and the same command run again plays only those missing.

At fixed nodes with one thread the same seed gives the same games, however many jobs there are. The games of two equal
players are then equal too, and every pair ends 1-1.

Exit status 1: the match could not be played; 3: it was, but a player misbehaved.
"""
import re
import sys
from types import SimpleNamespace
from typing import Any

import click

from engine import RULES
from scripts.arena.follow import follow
from scripts.arena.game import Player
from scripts.arena.html_report import write_report
from scripts.arena.match import Match, run
from scripts.arena.search_player import SearchPlayer
from scripts.arena.stats.elo import Sprt
from scripts.arena.timecontrol import TimeControl
from scripts.arena.usi_player import UsiPlayer, with_own_names
from scripts.cli.command import command
from scripts.cli.options import (
    COUNT,
    FOLDER,
    hash_option,
    nodes_option,
    openings_option,
    out_option,
    seed_option,
    workers_options,
)
from scripts.games.openings import load
from scripts.games.rules import Rules

MISBEHAVED = 3      # exit status


def match_of(given: SimpleNamespace) -> Match:
    """ValueError, OSError for what cannot be played."""
    decisive = given.decisive
    if given.engines:
        if len(given.engines) < 2 or given.a or given.b:
            raise ValueError("give two engines or more, and then neither --a nor --b")
        limits = {"time": given.time, "byoyomi": given.byoyomi or 0, "increment": given.inc,
                  "movetime": given.movetime, "nodes": given.nodes, "depth": given.depth}
        default = TimeControl(**limits) if any(limits.values()) else None
        players: tuple[Player, ...] = with_own_names(
            [UsiPlayer.parse(text, default, given.ponder) for text in given.engines])
        decisive = decisive or 0
    else:
        if given.time or given.inc or given.depth or given.ponder:
            raise ValueError("--time, --inc, --depth and --ponder are for engines; --a and --b have nodes, movetime or "
                             "byoyomi")
        player = SearchPlayer(nodes=given.nodes, movetime=given.movetime, byoyomi=given.byoyomi, threads=given.threads,
                        hash_mb=given.hash_mb)
        players = player.varied(given.a), player.varied(given.b)
        decisive = Rules.decisive_score if decisive is None else decisive
    rules = Rules(given.max_plies, decisive, given.entering_king, *given.drawish)
    return Match(players, load(given.openings, given.opening_plies), rules, given.seed, given.gauntlet)


def anchored(text: str | None, names: list[str]) -> tuple[int | None, float]:
    """The player and its rating, from `NAME` or `NAME=ELO`; ValueError if nobody has that name."""
    if text is None:
        return None, 0
    name, equals, elo = text.rpartition("=")
    if not equals:
        name, elo = text, "0"
    if name not in names or not re.fullmatch(r"-?\d+(\.\d+)?", elo):
        raise ValueError(f"the anchor {text!r} does not read NAME or NAME=ELO with one of {', '.join(names)}")
    return names.index(name), float(elo)


@command(__doc__, resumes="out")
@click.argument("engines", nargs=-1, metavar="[ENGINE]...")
@click.option("--a", default="", metavar="NAME=VALUE,…", help="How the first player differs from the default: "
              "margins of search/parameters.py, nodes, movetime, byoyomi, threads, hash, eval.")
@click.option("--b", default="", metavar="NAME=VALUE,…", help="Likewise the second.")
@click.option("--time", type=click.IntRange(0), default=0,
              help="ms for the game, of players without limits of their own.")
@click.option("--byoyomi", type=COUNT, help="ms for each move, likewise.")
@click.option("--inc", type=click.IntRange(0), default=0, help="ms more with each move, likewise.")
@click.option("--movetime", type=COUNT, help="ms for each move, likewise.")
@nodes_option(text="For each move, likewise.")
@click.option("--depth", type=COUNT, help="For each move, likewise.")
@click.option("--games", type=int, required=True, help="An even number, of each two players that meet.")
@click.option("--gauntlet", is_flag=True, help="Only the first engine meets the others.")
@click.option("--ponder", is_flag=True, help="Let engines think in the opponent's time.")
@openings_option
@click.option("--opening-plies", type=click.IntRange(0), metavar="N", help="Use no more of each opening than that.")
@click.option("--threads", type=COUNT, default=1, show_default=True, help="Of each player without USI.")
@hash_option()
@workers_options()
@click.option("--sprt", type=float, nargs=2, metavar="ELO0 ELO1", help="Stop when one is accepted.")
@click.option("--alpha", type=float, default=Sprt.alpha, show_default=True, help="Error of accepting ELO1.")
@click.option("--beta", type=float, default=Sprt.beta, show_default=True, help="Error of accepting ELO0.")
@click.option("--anchor", metavar="NAME[=ELO]", help="Engine whose rating is given (0).")
@seed_option
@click.option("--max-plies", type=COUNT, default=Rules.max_plies, show_default=True, help="Then a draw.")
@click.option("--entering-king", type=click.Choice(RULES), default=Rules.entering_king_rule, show_default=True)
@click.option("--decisive", type=click.IntRange(0), metavar="SCORE", help="Centipawns that decide a game when both "
              f"agree (0: play on, which is meant for engines; else {Rules.decisive_score}).")
@click.option("--drawish", type=int, nargs=2, metavar="SCORE PLY", default=(0, 0),
              help="Draw a game from PLY on when both agree on no more than SCORE.")
@out_option("File to keep the games in, and to continue from.")
@click.option("--report", type=FOLDER, help="Write a page and the games in CSA and KIF there.")
def main(**options: Any) -> None:
    given = SimpleNamespace(**options)
    match = match_of(given)
    anchor, elo = anchored(given.anchor, match.names)
    sprt = Sprt(given.sprt[0], given.sprt[1], given.alpha, given.beta) if given.sprt else None
    games = given.games * len(match.encounters)
    course = run(match, given.games, given.jobs, sprt, given.out, given.scheduler)
    standings = follow(course, games, sprt=sprt, lines=True)
    summary = standings.summary(sprt, anchor, elo)
    print(summary)
    if given.report:
        write_report(given.report, standings, summary)
    if standings.offences:
        sys.exit(MISBEHAVED)


if __name__ == "__main__":
    main()
