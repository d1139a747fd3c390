#!/usr/bin/env python3
"""Play a match between USI engines, or between versions of our search in one process, and compute its statistics.

    python scripts/match.py "byoyomi=1000 option.USI_Hash=64 engine" /usr/games/gpsusi --byoyomi 500 --games 100
    python scripts/match.py ENGINE ENGINE ENGINE --gauntlet --time 60000 --inc 1000 --games 50 --jobs 2 \\
        --out runs/gauntlet.jsonl --report runs/gauntlet
    python scripts/match.py --b history_bonus=32 --nodes 3000 --games 400
    python scripts/match.py --a eval=new.weights --b eval=material --nodes 3000 --games 200
    python scripts/match.py --b aspiration_window=25 --nodes 3000 --games 2000 --sprt 0 5 --out runs/window.jsonl

    python scripts/match.py --b use_probcut=0 --nodes 5000 --nodes 80000 --games 400 --out runs/probcut \\
        --picture runs/probcut.svg
    python scripts/match.py --finished runs/gauntlet.jsonl --report runs/gauntlet

An ENGINE is a command, after settings of its own if it needs any (docs/MATCHES.md). Without an ENGINE our own search
plays, --a against --b, without USI in between.

Each opening is played twice, with colours swapped. Games end by the rules (mate, declaration by 27 points, fourfold
repetition, perpetual check), as a draw after --max-plies, or by an engine's offence; without USI also as soon as both
players' scores have agreed for some moves that one of them is winning (--decisive 0: never). With --out every game is
kept as it ends, and the same command run again plays only the missing ones.

Several --nodes and --movetime make a match of each limit, from the same openings in the same order: a row of the table
gives Elo of the first player, and each player's mean depth and nodes a second. --out is then a folder with a file for
each limit. Limits in time need a machine with nothing else to do and no more --jobs than cores.

--report FOLDER writes report.html (tables, Elo over the games, every game on a board with both sides' evaluations),
games.csa and kif/NUMBER.kifu. With --finished nothing is played: the games are those of a file that --out has written.

At fixed nodes with one thread the same seed gives the same games, whatever the number of jobs. Two equal players then
play equal games, and every pair ends 1-1.

Exit status 1: the match could not be played; 3: it was, but a player misbehaved.
"""
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click

from engine import RULES
from scripts.arena.follow import follow
from scripts.arena.game import Player
from scripts.arena.html_report import write_report
from scripts.arena.match import Match, run
from scripts.arena.scaling import HEADING, Limit, Row, draw, measured
from scripts.arena.search_player import SearchPlayer
from scripts.arena.stats.elo import Sprt
from scripts.arena.stats.standings import Standings
from scripts.arena.stats.tally import text_table
from scripts.arena.timecontrol import TimeControl
from scripts.arena.usi_player import UsiPlayer, with_own_names
from scripts.cli.command import command
from scripts.cli.options import (
    ANY_PATH,
    COUNT,
    FILE,
    FOLDER,
    hash_option,
    openings_option,
    out_option,
    seed_option,
    workers_options,
)
from scripts.games.openings import load
from scripts.games.played import GAMES
from scripts.games.rules import Rules
from usi.commands.figure import require_picture
from usi.journal import read_journal

MISBEHAVED = 3      # exit status


def match_of(given: SimpleNamespace) -> Match:
    """The match at one limit, or at several that all hold. ValueError, OSError for what cannot be played."""
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


def play(given: SimpleNamespace) -> tuple[Standings, str]:
    """Play one match to its end; its standings, and what it proved."""
    match = match_of(given)
    anchor, elo = anchored(given.anchor, match.names)
    sprt = Sprt(given.sprt[0], given.sprt[1], given.alpha, given.beta) if given.sprt else None
    games = given.games * len(match.encounters)
    course = run(match, given.games, given.jobs, sprt, given.out, given.scheduler)
    standings = follow(course, games, sprt=sprt, lines=True)
    return standings, standings.summary(sprt, anchor, elo)


def play_each(given: SimpleNamespace, limits: list[Limit]) -> int:
    """Play a match at each limit and print their table; the number of offences."""
    if given.sprt or given.anchor or given.report or given.ponder:
        raise ValueError("--sprt, --anchor, --report and --ponder are for a match with one limit")
    if given.picture:
        require_picture(given.picture)      # complains before hours of games, not after them
    matches = [(limit, match_of(SimpleNamespace(**vars(given) | limit.options))) for limit in limits]
    for limit, match in matches:
        limit.require_alone(match)
    rows: list[Row] = []
    for row in measured(matches, given.games, given.jobs, given.out, given.scheduler):
        rows.append(row)
        print(*text_table([HEADING, *(each.cells() for each in rows)]), sep="\n", flush=True)
        if given.picture:
            draw(rows, matches[0][1].names, given.picture)
    return sum(row.offences for row in rows)


def summed_up(path: Path, given: SimpleNamespace) -> tuple[Standings, str]:
    """Likewise of a match that was played before."""
    conditions, found = read_journal(path, GAMES)
    if not conditions.keys() >= {"names", "encounters"}:
        raise ValueError(f"{path} does not say who played, as the games of a match do; name another file")
    standings = Standings(conditions["names"], conditions["encounters"], found)
    return standings, standings.summary(None, *anchored(given.anchor, conditions["names"]))


@command(__doc__, resumes="out")
@click.argument("engines", nargs=-1, metavar="[ENGINE]...")
@click.option("--a", default="", metavar="NAME=VALUE,…", help="How the first player differs from the default: "
              "margins of search/parameters.py, nodes, movetime, byoyomi, threads, hash, level, eval.")
@click.option("--b", default="", metavar="NAME=VALUE,…", help="The same for the second player.")
@click.option("--time", type=click.IntRange(0), default=0,
              help="ms for the game, of players without limits of their own.")
@click.option("--byoyomi", type=COUNT, help="ms for each move, likewise.")
@click.option("--inc", type=click.IntRange(0), default=0, help="ms more with each move, likewise.")
@click.option("--movetime", type=COUNT, multiple=True, help="ms for each move, likewise; several may be given.")
@click.option("--nodes", type=COUNT, multiple=True, help="For each move, likewise; several may be given.")
@click.option("--depth", type=COUNT, help="For each move, likewise.")
@click.option("--games", type=int, help="An even number, of each two players that meet.")
@click.option("--finished", type=FILE, help="Play nothing: report the games in this file.")
@click.option("--gauntlet", is_flag=True, help="Only the first engine meets the others.")
@click.option("--ponder", is_flag=True, help="Let engines think in the opponent's time.")
@openings_option
@click.option("--opening-plies", type=click.IntRange(0), metavar="N", help="Maximum plies of each opening.")
@click.option("--threads", type=COUNT, default=1, show_default=True, help="Of each player without USI.")
@hash_option()
@workers_options()
@click.option("--sprt", type=float, nargs=2, metavar="ELO0 ELO1", help="Stop when one is accepted.")
@click.option("--alpha", type=float, default=Sprt.alpha, show_default=True, help="Error of accepting ELO1.")
@click.option("--beta", type=float, default=Sprt.beta, show_default=True, help="Error of accepting ELO0.")
@click.option("--anchor", metavar="NAME[=ELO]", help="Engine whose rating is given (0).")
@seed_option
@click.option("--max-plies", type=COUNT, default=Rules.max_plies, show_default=True,
              help="The game is drawn after this many plies.")
@click.option("--entering-king", type=click.Choice(RULES), default=Rules.entering_king_rule, show_default=True)
@click.option("--decisive", type=click.IntRange(0), metavar="SCORE", help="Centipawns that decide a game when both "
              f"agree (0: play on, which is meant for engines; else {Rules.decisive_score}).")
@click.option("--drawish", type=int, nargs=2, metavar="SCORE PLY", default=(0, 0),
              help="Draw a game from PLY on when both agree on no more than SCORE.")
@out_option("File to keep the games in, and to continue from; with several limits a folder.", kind=ANY_PATH)
@click.option("--report", type=FOLDER, help="Write a page and the games in CSA and KIF there.")
@click.option("--picture", type=FILE, help="With several limits: draw Elo over them (.png, .svg); needs matplotlib.")
def main(**options: Any) -> None:
    given = SimpleNamespace(**options)
    limits = [*(Limit("nodes", each) for each in given.nodes), *(Limit("ms", each) for each in given.movetime)]
    if given.finished and given.games:
        raise click.UsageError("--finished plays nothing: leave out --games")
    if not given.finished and given.games is None:
        raise click.UsageError("give --games, how many there are to be in the end; or --finished FILE")
    if len(limits) > 1:
        offences = play_each(given, limits)
    elif given.picture:
        raise click.UsageError("--picture draws Elo over several limits: give more than one --nodes or --movetime")
    else:
        given.nodes, given.movetime = (each[0] if each else None for each in (given.nodes, given.movetime))
        standings, summary = summed_up(given.finished, given) if given.finished else play(given)
        print(summary)
        if given.report:
            write_report(given.report, standings, summary)
        offences = standings.offences
    if offences:
        sys.exit(MISBEHAVED)


if __name__ == "__main__":
    main()
