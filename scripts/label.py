"""Make training positions from books and game records.

    python -m scripts.label --out ~/data/book.psv --depth 2 book.db.xz
    python -m scripts.label --out ~/data/games.hcpe --depth 8 --jobs 2 games/*.csa games/*.kif

FILES are books (*.db, *.db.xz) and records (all others). Of a book in YANEURAOU-DB2016 form every scored move gives
the position after it with the negated score. The search only names the best move there, from which a learner tells
whether the position is quiet; the result of the game is not known and is written as a draw, so learn from the score
alone. Of a CSA or KIF record every position is given the score that the search finds, and the result of the game; a
game without a winner is a draw.

Positions that the file already holds are left out, so it can be extended, and an interrupted run repeated. So
are positions in which the rules end the game.
"""
from pathlib import Path

import click

from scripts.cli.command import command
from scripts.cli.options import COUNT, FILE, evaluation_option, jobs_option, out_option
from scripts.training.labelling import label


@command(__doc__, resumes=True)
@click.argument("files", type=FILE, nargs=-1, required=True)
@out_option("NAME.psv or NAME.hcpe.", required=True)
@click.option("--depth", type=COUNT, required=True, help="Of each search.")
@evaluation_option
@jobs_option()
def main(files: tuple[Path, ...], out: Path, depth: int, evaluation: str | None, jobs: int) -> None:
    met, new = label(list(files), out, depth, jobs, evaluation or "")
    print(f"{met} positions, {new} of them new")


if __name__ == "__main__":
    main()
