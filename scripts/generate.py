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
import signal
import sys
from hashlib import sha256
from pathlib import Path

from eval.loading import MATERIAL, weights_file
from scripts.games.openings import OPENINGS, load
from scripts.training.generation import generate
from scripts.training.selfplay import MIX, GenerationRecipe
from scripts.workers.options import add_options
from search.parameters import DEFAULTS


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
    parser.add_argument("--params", default="", metavar="NAME=VALUE,…",
                        help="margins of search/parameters.py that differ")
    parser.add_argument("--max-plies", type=int, default=GenerationRecipe.max_plies,
                        help=f"then a draw ({GenerationRecipe.max_plies})")
    parser.add_argument("--decisive", type=int, default=GenerationRecipe.decisive_score, metavar="SCORE",
                        help=f"centipawns that decide a game ({GenerationRecipe.decisive_score})")
    parser.add_argument("--play-out", type=int, default=GenerationRecipe.play_out, metavar="PERCENT",
                        help=f"of the games, however decided ({GenerationRecipe.play_out})")
    parser.add_argument("--hash", type=int, default=GenerationRecipe.hash_mb,
                        help=f"MB of each process ({GenerationRecipe.hash_mb})")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main() -> None:
    given = parse_arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("generate: terminated; the same command continues"))
    try:
        openings = [opening for path in given.openings for opening in load(path)]
        depth = given.depth if given.depth or given.nodes else 6
        recipe = GenerationRecipe(depth, given.nodes, given.max_plies, given.decisive, given.play_out,
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
