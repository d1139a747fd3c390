"""How a book is to be made: what `engine book think` and the script for many machines have in common."""
from collections.abc import Callable
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import click

from usi.book.db import write_book
from usi.commands.book.think.analyst import Thinking
from usi.commands.book.think.journal import Journal
from usi.commands.book.think.run import RunTasks, think
from usi.commands.book.think.tree import Tree
from usi.commands.terminal import evaluation_option, progress

COUNT = click.IntRange(1)


@dataclass(frozen=True)
class Recipe:
    """What the options say."""

    out: Path
    positions: int
    margin: int
    ply_cost: int
    thinking: Thinking

    @property
    def journal(self) -> Path:
        return self.out.with_name(f"{self.out.name}.jsonl")

    @property
    def note(self) -> str:
        how = " ".join(f"{name} {value}" for name, value in self.thinking.conditions().items())
        return f"made by engine book think: {how}, ply cost {self.ply_cost}, margin {self.margin}"

    def make(self, workers: AbstractContextManager[RunTasks]) -> str:
        """Make the book, or go on with it, and say in a line what it is; what there is is written, whatever ends this.
        OSError and ValueError for files that cannot be read, written, or continued."""
        tree = Tree(self.ply_cost)
        with closing(Journal(self.journal, self.thinking.conditions())) as journal, workers as run:
            try:
                for searched in think(tree, journal, self.thinking, self.positions, run):
                    if searched:
                        progress(f"{len(tree)} of {self.positions} positions")
            finally:
                write_book(self.out, tree.entries(self.margin), self.note)
        return f"{self.out}: {len(tree)} positions"


def recipe_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options of a command that makes a book; it is given the `recipe`. OSError as Thinking.by has it."""
    @wraps(function)
    def with_recipe(out: Path, positions: int, margin: int, ply_cost: int, nodes: int, lines: int, hash_mb: int,
                    evaluation: str | None, **others: Any) -> Any:
        thinking = Thinking.by(evaluation, nodes, lines, hash_mb)
        return function(recipe=Recipe(out, positions, margin, ply_cost, thinking), **others)

    options = [
        click.option("--out", required=True, metavar="FILE", type=click.Path(dir_okay=False, path_type=Path),
                     help="The book to write; what it is made from and continued from is FILE.jsonl."),
        click.option("--positions", type=COUNT, default=10_000, show_default=True, help="How many."),
        click.option("--nodes", type=COUNT, default=1_000_000, show_default=True, help="Of the search of each."),
        click.option("--multipv", "lines", type=COUNT, default=5, show_default=True, help="Moves that it tells apart."),
        click.option("--margin", type=click.IntRange(0), default=20, show_default=True, metavar="CENTIPAWNS",
                     help="How much worse than the best of its position a move of the book may be."),
        click.option("--ply-cost", type=COUNT, default=2, show_default=True, metavar="CENTIPAWNS",
                     help="How much less plausible a line counts with every ply."),
        click.option("--hash", "hash_mb", type=click.IntRange(1, 2**20), default=32, show_default=True, metavar="MB",
                     help="Memory of each search's transposition table."),
        evaluation_option,
    ]
    decorated: Callable[..., Any] = with_recipe
    for option in reversed(options):
        decorated = option(decorated)
    return decorated
