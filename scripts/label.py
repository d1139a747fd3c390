"""Make training positions from books, game records and other training files.

    python -m scripts.label --out ~/data/book.psv --depth 2 book.db.xz
    python -m scripts.label --out ~/data/games.hcpe --depth 8 --jobs 2 games/*.csa games/*.kif
    python -m scripts.label --out ~/data/deep.psv --nodes 300000 --draw 1000 --jobs 2 ~/data/self.psv.xz
    python -m scripts.label --out ~/data/outside.psv --nodes 200000 --draw 1000 --per-game 8 --engine path/to/another \
        runs/match.jsonl

FILES are books (*.db, *.db.xz), training files (*.psv, *.hcpe, *.psv.xz, *.hcpe.xz), games that a match has kept
(*.jsonl) and records (all others).

Of a book in YANEURAOU-DB2016 form every scored move gives the position after it, with the negated score. The search
only names the best move there; learners use it to decide whether the position is quiet. The game's result is not known
and is written as a draw, so learn from the score alone.

Of a game record every position gets the value that the search finds, and the game's result; a game without a winner is
a draw. The positions of a training file keep their results and get new values. With --draw, only so many quiet
positions of each training file, record or match are taken, at random and at most --per-game of each game.

With --engine, another USI engine values them, for `learn judge`: a network that is judged by our own values alone is
judged by its like. What we ship learns from our own values.

Positions that the output already holds are left out, so it can be extended, and an interrupted run repeated. Positions
in which the rules end the game are left out, too.
"""
from pathlib import Path

import click

from scripts.cli.command import command
from scripts.cli.options import (
    COUNT,
    FILE,
    evaluation_option,
    hash_option,
    jobs_option,
    nodes_option,
    out_option,
    params_option,
    seed_option,
)
from scripts.training.valuers import Labels
from scripts.training.valuing import Drawing, label
from search import Limits
from usi.console.options import DEPTH, Real
from usi.files.writing import require_writable


@command(__doc__, resumes=True)
@click.argument("files", type=FILE, nargs=-1, required=True)
@out_option("NAME.psv or NAME.hcpe.", required=True)
@click.option("--depth", type=DEPTH, help="Of each search.")
@nodes_option(text="Nodes of each search, instead.")
@click.option("--draw", type=COUNT, help="Take so many quiet positions of each training file, record or match, instead "
              "of all.")
@click.option("--per-game", type=COUNT, default=Drawing.per_game, show_default=True, help="With --draw: at most.")
@click.option("--engine", default="", help="A USI engine that values the positions, with settings before its command "
              "(docs/MATCHES.md).")
@click.option("--book-scale", type=Real(0, 1000, min_open=True), default=Labels.book_scale, show_default=True,
              help="Multiply a book's scores by this; its makers' centipawns may be others.")
@evaluation_option
@params_option
@hash_option
@jobs_option()
@seed_option
def main(files: tuple[Path, ...], out: Path, depth: int | None, nodes: int | None, draw: int | None, per_game: int,
         engine: str, book_scale: float, evaluation: str | None, params: dict[str, int], hash_mb: int, jobs: int,
         seed: int) -> None:
    if (depth is None) == (nodes is None):
        raise click.UsageError("give either --depth or --nodes")
    labels = Labels(Limits(depth=depth, nodes=nodes), evaluation or "", tuple(sorted(params.items())), hash_mb,
                    book_scale, engine)
    require_writable(out)
    met, new = label(list(files), out, labels, jobs, Drawing(draw, per_game, seed) if draw else None)
    print(f"{met} positions, {new} of them new")


if __name__ == "__main__":
    main()
