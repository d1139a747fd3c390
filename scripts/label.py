#!/usr/bin/env python3
"""Make training positions of what others have played or thought out.

    python scripts/label.py --out ~/data/book.psv --depth 2 book.db.xz
    python scripts/label.py --out ~/data/games.hcpe --depth 8 --processes 2 games/*.csa games/*.kif

Of an opening book in YANEURAOU-DB2016 form (plain, or with .xz behind its name) every scored move gives the position
after it with the negated score. The search only names the best move there, from which a learner tells whether the
position is quiet; the result of the game is not known and is written as a draw, so learn from the score alone. Of a CSA
or KIF record every position is given the score that the search finds, and the result of the game; a game without a
winner is a draw.

Positions that the file already holds are left out, so that it can be added to, and a run that broke off repeated. So
are positions in which the rules end the game.
"""
import argparse
import sys
from pathlib import Path

from scripts.training.labelling import label


def parse_arguments() -> argparse.Namespace:
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+", help="books (*.db, *.db.xz) and records (all others)")
    parser.add_argument("--out", type=Path, required=True, help="NAME.psv or NAME.hcpe")
    parser.add_argument("--depth", type=int, required=True, help="of each search")
    parser.add_argument("--eval", default="", metavar="FILE|material", help="weights to evaluate by, or material alone "
                        "(the packaged ones)")
    parser.add_argument("--processes", type=int, default=1, help="searching at the same time (1)")
    return parser.parse_args()


def main() -> None:
    given = parse_arguments()
    try:
        met, new = label(given.files, given.out, given.depth, given.processes, given.eval)
    except (ValueError, OSError) as error:
        sys.exit(f"label: {error}")
    except KeyboardInterrupt:
        sys.exit("\ninterrupted; the same command goes on with what is missing")
    print(f"{met} positions, {new} of them new")


if __name__ == "__main__":
    main()
