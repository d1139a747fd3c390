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
import argparse
import re
import sys
from pathlib import Path

from engine import RULES
from scripts.arena.follow import follow
from scripts.arena.game import Player
from scripts.arena.html_report import write_report
from scripts.arena.match import Match, run
from scripts.arena.search_player import SearchPlayer
from scripts.arena.stats.elo import Sprt
from scripts.arena.timecontrol import TimeControl
from scripts.arena.usi_player import UsiPlayer, with_own_names
from scripts.games.openings import OPENINGS, load
from scripts.games.rules import Rules
from scripts.workers.options import add_options

MISBEHAVED = 3      # exit status


def parse_arguments() -> argparse.Namespace:
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engines", nargs="*", metavar="ENGINE", help="a USI engine: [SETTING=VALUE …] COMMAND")
    for side in "ab":
        parser.add_argument(f"--{side}", default="", metavar="NAME=VALUE,…", help="how this player differs from the "
                            "default: margins of search/parameters.py, nodes, movetime, byoyomi, threads, hash, eval")
    limits = parser.add_argument_group("limits, of players that have none of their own")
    limits.add_argument("--time", type=int, default=0, help="ms for the game")
    limits.add_argument("--byoyomi", type=int, help="ms for each move")
    limits.add_argument("--inc", type=int, default=0, help="ms more with each move")
    limits.add_argument("--movetime", type=int, help="ms for each move")
    limits.add_argument("--nodes", type=int, help="for each move")
    limits.add_argument("--depth", type=int, help="for each move")
    parser.add_argument("--games", type=int, required=True, help="an even number, of each two players that meet")
    parser.add_argument("--gauntlet", action="store_true", help="only the first engine meets the others")
    parser.add_argument("--ponder", action="store_true", help="let engines think in the opponent's time")
    parser.add_argument("--openings", type=Path, default=OPENINGS, help="file of `startpos moves …` or SFEN lines, or "
                        f"of games in CSA or KIF (default: {OPENINGS.name})")
    parser.add_argument("--opening-plies", type=int, metavar="N", help="use no more of each opening than that")
    parser.add_argument("--threads", type=int, default=1, help="of each player without USI (1)")
    parser.add_argument("--hash", type=int, default=16, help="MB of the table of each player without USI (16)")
    add_options(parser)
    parser.add_argument("--sprt", type=float, nargs=2, metavar=("ELO0", "ELO1"), help="stop when one is accepted")
    parser.add_argument("--alpha", type=float, default=Sprt.alpha, help=f"error of accepting ELO1 ({Sprt.alpha:g})")
    parser.add_argument("--beta", type=float, default=Sprt.beta, help=f"error of accepting ELO0 ({Sprt.beta:g})")
    parser.add_argument("--anchor", metavar="NAME[=ELO]", help="engine whose rating is given (0)")
    parser.add_argument("--seed", type=int, default=1, help="of the order of openings (1)")
    parser.add_argument("--max-plies", type=int, default=Rules.max_plies, help=f"then a draw ({Rules.max_plies})")
    parser.add_argument("--entering-king", choices=RULES, default=Rules.entering_king_rule, metavar="RULE",
                        help=f"{', '.join(RULES)} ({Rules.entering_king_rule})")
    parser.add_argument("--decisive", type=int, metavar="SCORE", help="centipawns that decide a game when both agree "
                        f"(0: play on, which is meant for engines; else {Rules.decisive_score})")
    parser.add_argument("--drawish", type=int, nargs=2, metavar=("SCORE", "PLY"), default=(0, 0),
                        help="draw a game from PLY on when both agree on no more than SCORE")
    parser.add_argument("--out", type=Path, help="file to keep the games in, and to continue from")
    parser.add_argument("--report", type=Path, metavar="FOLDER", help="write a page and the games in CSA and KIF there")
    return parser.parse_args()


def match_of(given: argparse.Namespace) -> Match:
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
                        hash_mb=given.hash)
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


def main() -> None:
    given = parse_arguments()
    try:
        match = match_of(given)
        anchor, elo = anchored(given.anchor, match.names)
        sprt = Sprt(given.sprt[0], given.sprt[1], given.alpha, given.beta) if given.sprt else None
        games = given.games * len(match.encounters)
        course = run(match, given.games, given.jobs, sprt, given.out, given.scheduler)
        standings = follow(course, games, sprt=sprt, lines=True)
    except (ValueError, OSError, RuntimeError) as error:
        sys.exit(f"match: {error}")
    except KeyboardInterrupt:
        sys.exit(f"\ninterrupted; {'the same command continues' if given.out else 'without --out nothing is kept'}")
    summary = standings.summary(sprt, anchor, elo)
    print(summary)
    if given.report:
        write_report(given.report, standings, summary)
    if standings.offences:
        sys.exit(MISBEHAVED)


if __name__ == "__main__":
    main()
