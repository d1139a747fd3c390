"""Make training positions from books, game records and other training files.

    python -m scripts.label --out ~/data/book.psv --depth 2 book.db.xz
    python -m scripts.label --out ~/data/games.hcpe --depth 8 --jobs 2 games/*.csa games/*.kif
    python -m scripts.label --out ~/data/deep.psv --nodes 300000 --draw 1000 --jobs 2 ~/data/self.psv.xz
    python -m scripts.label --out ~/data/outside.psv --nodes 200000 --draw 1000 --per-game 8 --engine path/to/another \\
        runs/match.jsonl
    python -m scripts.label --out ~/data/matches.psv --played runs/*.jsonl

FILES are books (*.db, *.db.xz), training files (*.psv, *.hcpe, *.psv.xz, *.hcpe.xz), games that a match has kept
(*.jsonl) and records (all others).

In a book of YANEURAOU-DB2016 form, every scored move gives the position after it, with the negated score. For these
positions the search only adds the best move, by which learners decide whether a position is quiet. The game's result is
not known and is written as a draw, so learn from the score alone.

In a game record, every position gets the search's value and the game's result; a game without a winner counts as a
draw. The positions of a training file keep their results and get new values. With --draw, only that many quiet
positions of each training file, record or match are taken, at random and at most --per-game of each game.

With --engine, another USI engine values the positions. Use this for `learn judge`, where our own values would only
repeat the opinion of the network to be judged, and not for learning: what we ship learns from our own values.

With --played nothing is searched: the moves of matches are taken with the scores that the players gave them. So games
that compare two networks also teach the next one.

Positions that the output already holds are left out, so it can be extended, and an interrupted run repeated. Positions
in which the rules end the game are left out, too.
"""
from dataclasses import dataclass
from pathlib import Path

import click

from engine.errors import Listed
from scripts.cli.command import command
from scripts.games.settings import seed_setting
from scripts.training.valuers import Labels, ValuingOptions
from scripts.training.valuing import Drawing, label, take_played
from usi.console.options import click_type, jobs_option, options_of
from usi.console.settings import FILE, POSITIONS, RealRange, evaluation_setting, setting
from usi.files.writing import require_writable
from usi.words.language import _


@dataclass(frozen=True)
class Valuation(ValuingOptions):
    """Options of the searches that value positions."""

    engine: str = setting("A USI engine that values the positions, with settings before its command "
                          "(docs/MATCHES.md).", None, "")
    book_scale: float = setting("Factor for a book's scores, whose centipawns may differ from ours.",
                                RealRange(0, 1000, min_open=True, unit="FACTOR"), Labels.book_scale)
    evaluation: str | None = evaluation_setting()


@dataclass(frozen=True)
class LabelOptions:
    """Which positions of a file are taken."""

    draw: int | None = setting("Quiet positions to take of each training file, record or match, instead of all.",
                               POSITIONS, None)
    per_game: int = setting("Most positions that --draw takes of a game.", POSITIONS, Drawing.per_game)
    played: bool = setting("Take the moves of matches with their players' scores.", default=False)
    seed: int = seed_setting()

    @property
    def drawing(self) -> Drawing | None:
        return Drawing(self.draw, self.per_game, self.seed) if self.draw else None


@command(__doc__, resumes=True)
@click.argument("files", type=click_type(FILE), nargs=-1, required=True)
@click.option("--out", type=click_type(FILE), required=True, help="File to write or extend: NAME.psv or NAME.hcpe.")
@options_of(LabelOptions, "choice")
@options_of(Valuation, "valuation")
@jobs_option()
def main(files: tuple[Path, ...], out: Path, choice: LabelOptions, valuation: Valuation, jobs: int) -> None:
    if [valuation.depth is None, valuation.nodes is None, not choice.played].count(False) != 1:
        raise click.UsageError(_("give one of {options}", options=Listed(
            ("--depth", "--nodes", "--played"), " and ")))
    if choice.played and (choice.draw or valuation.engine):
        raise click.UsageError(_("--played values no positions: leave out --draw and --engine"))
    require_writable(out)
    if choice.played:
        met, new = take_played(list(files), out)
    else:
        labels = valuation.labels(valuation.evaluation or "", book_scale=valuation.book_scale, engine=valuation.engine)
        met, new = label(list(files), out, labels, jobs, choice.drawing)
    print(f"{met} positions, {new} of them new")


if __name__ == "__main__":
    main()
