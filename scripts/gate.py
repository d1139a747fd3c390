#!/usr/bin/env python3
"""Decide by games whether new tables replace the old ones.

    python scripts/gate.py runs/gen2.weights --jobs 2 --out runs/gate
    python scripts/gate.py runs/gen2.weights --jobs 2 --out runs/gate --install

The new tables have to pass two sequential tests, each with the probability of error that SPRT is known for: first at a
fixed number of nodes a move, then at a fixed time, where what they cost counts too. A test that has no verdict after
--games is not passed. Exit status 0: both were passed; 1: not; with --install the new file is then the packaged one.

--out FOLDER keeps every game, and the same command run again goes on from there.
"""
import argparse
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from eval.files import read_weights
from eval.loading import PACKAGED
from scripts.arena.follow import follow
from scripts.arena.match import Match, run
from scripts.arena.search_player import SearchPlayer
from scripts.arena.stats.elo import Sprt
from scripts.games.openings import OPENINGS, load
from scripts.workers.options import add_options


@dataclass(frozen=True)
class Trial:
    """One of the matches that have to be won."""

    name: str
    new: SearchPlayer
    old: SearchPlayer


def trials(new: Path, old: str | None, nodes: int, movetime: int) -> Iterator[Trial]:
    for name, player in (("nodes", SearchPlayer(nodes=nodes)), ("time", SearchPlayer(movetime=movetime))):
        yield Trial(name, replace(player, eval_file=str(new)), replace(player, eval_file=old))


def passes(trial: Trial, openings: list[str], sprt: Sprt, given: argparse.Namespace) -> bool:
    """Play one trial to its verdict, and print what it proved."""
    match = Match((trial.new, trial.old), openings)
    record = given.out / f"{trial.name}.jsonl" if given.out else None
    course = run(match, given.games, given.jobs, sprt, record, given.scheduler)
    tally, = follow(course, given.games, trial.name, sprt).tallies
    print(f"{trial.name}: {tally.summary(sprt)}\n", flush=True)
    return sprt.verdict(tally.pairs) == "elo1"


def parse_arguments() -> argparse.Namespace:
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("new", type=Path, help="weights file")
    parser.add_argument("--old", metavar="FILE", help="weights to beat, or `material` (the packaged ones)")
    parser.add_argument("--sprt", type=float, nargs=2, default=(0, 15), metavar=("ELO0", "ELO1"),
                        help="accept when ELO1 is likelier than ELO0 by far (0 15)")
    parser.add_argument("--nodes", type=int, default=6000, help="a move, of the first test (6000)")
    parser.add_argument("--movetime", type=int, default=50, help="ms a move, of the second (50)")
    parser.add_argument("--games", type=int, default=2000, help="at most, in either test (2000)")
    parser.add_argument("--openings", type=Path, default=OPENINGS, help=f"file of openings ({OPENINGS.name})")
    add_options(parser)
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="to keep the games in, and to continue from")
    parser.add_argument("--install", action="store_true", help=f"if accepted, put the file at {PACKAGED}")
    return parser.parse_args()


def main() -> None:
    given = parse_arguments()
    try:
        read_weights(given.new)     # a broken file is told before games are played
        sprt = Sprt(*given.sprt)
        openings = load(given.openings)
        accepted = all(passes(trial, openings, sprt, given)
                       for trial in trials(given.new, given.old, given.nodes, given.movetime))
        if accepted and given.install:
            shutil.copyfile(given.new, PACKAGED)
    except (ValueError, OSError, RuntimeError) as error:
        sys.exit(f"gate: {error}")
    except KeyboardInterrupt:
        sys.exit(f"\ninterrupted; {'the same command continues' if given.out else 'without --out nothing is kept'}")
    print(f"{given.new} is {'accepted' if accepted else 'not accepted'}")
    sys.exit(not accepted)


if __name__ == "__main__":
    main()
