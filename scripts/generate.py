#!/usr/bin/env python3
"""Generate training positions by self-play.

    python scripts/generate.py --out ~/data/first.psv --positions 5000000 --processes 2
    python scripts/generate.py --out ~/data/deep.hcpe --positions 1000000 --nodes 5000 --openings mine.sfen

Every position of a game is searched and written down with the score, the best move and the game's result; NAME.psv
holds PackedSfenValue records, NAME.hcpe hcpe (see samples.py). NAME.json keeps the recipe. The same command run again
goes on until the file holds so many positions; it may be interrupted, or killed, at any time. An undisturbed run with
the same seed makes the same file, whoever plays the games (--processes, --scheduler).

Games start from openings cut at random, from random moves, handicaps, kings put into the enemy's camp, and late
positions of earlier games (--mix says how often each), and a few random moves more. Early in a game a move that is
nearly as good as the best is now and then played instead of it; what is written down is always the best. A game ends by
the rules (mate, declaration by 27 points, repetition), as a draw after --max-plies, and as soon as the scores have
agreed for some plies on who wins; --play-out percent of the games go on to their real end.
"""
import argparse
import json
import signal
import sys
import time
from collections import Counter
from dataclasses import asdict
from hashlib import sha256
from itertools import chain
from pathlib import Path

from eval.loading import MATERIAL, tables_named, weights_file
from scripts.games.openings import OPENINGS, load
from scripts.samples import SampleFile
from scripts.selfplay import MIX, Game, Recipe, play_session, sessions
from scripts.workers.interface import in_order
from scripts.workers.options import add_options
from scripts.workers.pool import worker_pool
from scripts.workers.tables import own_files
from search.params import DEFAULTS

REPORT_INTERVAL = (1, 60)   # seconds between two lines of progress on a terminal, and elsewhere


class Progress:
    """Lines on stderr that say how far a run is."""

    def __init__(self, wanted: int, have: int) -> None:
        self.wanted = wanted
        self.began_with = have
        self.began = self.reported = time.monotonic()
        self.starts: Counter[str] = Counter()
        self.ends: Counter[str] = Counter()
        self.searched = 0

    def note(self, game: Game, have: int) -> None:
        self.starts[game.start] += 1
        self.ends[game.end] += 1
        self.searched += len(game.records)
        terminal = sys.stderr.isatty()
        if time.monotonic() - self.reported >= REPORT_INTERVAL[not terminal]:
            self.reported = time.monotonic()
            print(self.line(have), end="\r" if terminal else "\n", file=sys.stderr, flush=True)

    def line(self, have: int) -> str:
        elapsed = time.monotonic() - self.began
        rate = (have - self.began_with) / elapsed if elapsed > 0 else 0
        left = (self.wanted - have) / rate if rate else 0
        again = 100 * (1 - (have - self.began_with) / self.searched) if self.searched else 0
        return (f"{have} of {self.wanted} positions, {self.ends.total()} games, {rate:.0f}/s, "
                f"{again:.1f} % seen before, {max(0, left) / 3600:.1f} h left")

    def summary(self, have: int) -> str:
        def listed(counts: Counter[str]) -> str:
            return ", ".join(f"{name} {count}" for name, count in counts.most_common())
        return f"{self.line(have)}\nstarts: {listed(self.starts)}\nends: {listed(self.ends)}"


def keep_recipe(path: Path, recipe: Recipe) -> None:
    """Write the recipe down beside the positions. ValueError if those that are there were made by another."""
    wanted = asdict(recipe)
    if path.exists():
        found = asdict(Recipe(**json.loads(path.read_text(encoding="utf-8"))))
        differing = [name for name in wanted if found[name] != wanted[name]]
        if differing:
            raise ValueError(f"{path} says that these positions differ in {', '.join(differing)}; name another file")
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(wanted, indent=1) + "\n", encoding="utf-8")


def generate(out: Path, recipe: Recipe, openings: list[str], positions: int, processes: int, seed: int,
             evaluation: str = MATERIAL, scheduler: str | None = None) -> str:
    """Play until the file holds so many positions; what happened, as text. The recipe holds digests of openings and
    weights. Who plays is as `worker_pool` has it: it changes nothing in the file. ValueError as `keep_recipe` has it,
    and as eval.loading has it for `evaluation`."""
    tables_named(evaluation)        # raises before anything is written
    file = SampleFile(out)
    keep_recipe(out.with_suffix(".json"), recipe)
    progress = Progress(positions, file.count)
    if file.count < positions:
        # The number of positions makes another seed of it when a run is continued.
        todo = enumerate(sessions(recipe, openings, evaluation, f"{seed}/{file.count}"))
        with worker_pool(play_session, processes, scheduler=scheduler, files=own_files([evaluation])) as run_all:
            for game in chain.from_iterable(in_order(run_all(todo))):
                file.add(game.records)
                progress.note(game, file.count)
                if file.count >= positions:
                    break
    return progress.summary(file.count)


def assignments(text: str, known: dict[str, int]) -> dict[str, int]:
    """What `name=integer,…` says; ValueError, quoting the item, for a name that is not known."""
    values = {}
    for item in filter(None, text.split(",")):
        name, _, value = item.partition("=")
        if name not in known or not value.lstrip("-").isdigit():
            raise ValueError(f"{item!r} does not read name=integer with one of {', '.join(known)}")
        values[name] = int(value)
    return values


def digest_of(weights: Path | None) -> str:
    return sha256(weights.read_bytes()).hexdigest() if weights else MATERIAL


def parse_arguments() -> argparse.Namespace:
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="NAME.psv or NAME.hcpe")
    parser.add_argument("--positions", type=int, required=True, help="how many the file is to hold in the end")
    effort = parser.add_mutually_exclusive_group()
    effort.add_argument("--depth", type=int, help="of each search (6)")
    effort.add_argument("--nodes", type=int, help="of each search, instead")
    add_options(parser, option="--processes")
    parser.add_argument("--openings", type=Path, nargs="+", default=[OPENINGS], help="files of `startpos moves …` or "
                        f"SFEN lines (default: {OPENINGS.name})")
    parser.add_argument("--mix", default="", metavar="KIND=SHARE,…", help="how often games start from each kind: "
                        + ", ".join(f"{kind} ({share})" for kind, share in MIX.items()))
    parser.add_argument("--eval", default="", metavar="FILE|material", help="weights to evaluate by, or material alone "
                        "(the packaged ones)")
    parser.add_argument("--params", default="", metavar="NAME=VALUE,…", help="margins of search/params.pyx that differ")
    parser.add_argument("--max-plies", type=int, default=Recipe.max_plies, help=f"then a draw ({Recipe.max_plies})")
    parser.add_argument("--decisive", type=int, default=Recipe.decisive_score, metavar="SCORE",
                        help=f"centipawns that decide a game ({Recipe.decisive_score})")
    parser.add_argument("--play-out", type=int, default=Recipe.play_out, metavar="PERCENT",
                        help=f"of the games, however decided ({Recipe.play_out})")
    parser.add_argument("--hash", type=int, default=Recipe.hash_mb, help=f"MB of each process ({Recipe.hash_mb})")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main() -> None:
    given = parse_arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("generate: terminated; the same command continues"))
    try:
        openings = [opening for path in given.openings for opening in load(path)]
        depth = given.depth if given.depth or given.nodes else 6
        recipe = Recipe(depth, given.nodes, given.max_plies, given.decisive, given.play_out,
                        MIX | assignments(given.mix, MIX), assignments(given.params, DEFAULTS), given.hash,
                        sha256("\n".join(openings).encode()).hexdigest(), digest_of(weights_file(given.eval)))
        print(generate(given.out, recipe, openings, given.positions, given.processes, given.seed, given.eval,
                       given.scheduler))
    except (ValueError, OSError, RuntimeError) as error:
        sys.exit(f"generate: {error}")
    except KeyboardInterrupt:
        sys.exit("\ninterrupted; the same command continues")


if __name__ == "__main__":
    main()
