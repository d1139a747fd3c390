"""How a book is to be made: the options of `engine book think`."""
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from functools import wraps
from itertools import count
from pathlib import Path
from typing import Any

import click

from engine.errors import UserError
from usi.book.choice import BookSettings, why_unplayed
from usi.book.db import LONGEST_LINE, BookEntry, BookMove, positions_in, write_book
from usi.commands.book.think.analyst import FOUND, SearchConditions, Task
from usi.commands.book.think.batches import RunThinking, think
from usi.commands.book.think.tree import Tree
from usi.console.ranges import AMOUNT, CENTIPAWNS, COUNT, MEGABYTES
from usi.console.terminal import TimeLeft, evaluation_option, progress
from usi.files.journal import Journal
from usi.files.writing import require_writable
from usi.words.language import _, translated

MADE_BY = "made by engine book think"


@dataclass(frozen=True)
class Recipe:
    """What the options say."""

    out: Path
    positions: int
    limit: int | None
    margin: int
    ply_cost: int
    thinking: SearchConditions

    @property
    def journal(self) -> Path:
        return self.out.with_name(f"{self.out.name}.jsonl")

    @property
    def note(self) -> str:
        how = " ".join(f"{name} {value}" for name, value in self.thinking.conditions().items())
        return f"{MADE_BY}: {how}, ply cost {self.ply_cost}, margin {self.margin}"

    def make(self, workers: AbstractContextManager[RunThinking]) -> str:
        """Make the book, or go on with it, and say in a line what it is; what there is is written, whatever ends this.
        OSError and UserError for files that cannot be read, written, or continued."""
        tree = Tree(self.ply_cost)
        had = positions_in(self.out)
        wanted = self.limit or max(self.positions, had)
        self._require_own()
        require_writable(self.out)
        with closing(Journal(self.journal, FOUND, self.thinking.conditions())) as journal, workers as run:
            try:
                for _searched in think(tree, journal, self.thinking, wanted, _shown(run, len(journal.found), wanted)):
                    pass
            finally:
                progress("")
                outcome = self._write(tree, had)
        return outcome

    def _require_own(self) -> None:
        """UserError if there is a file that no such command has made."""
        if self.out.is_file() and not self.journal.exists():
            with self.out.open("rb") as file:
                lines = [file.readline(LONGEST_LINE) for _number in range(2)]
            if not lines[1].startswith(f"# {MADE_BY}".encode()):
                raise UserError(_("{file} exists and was made by something else; name another file", file=self.out))

    def _write(self, tree: Tree, had: int) -> str:
        """Write the book, unless there is one with more positions that nobody has asked to be made smaller."""
        if not self.limit and len(tree) < had:
            return _("{file}: kept with its {had} positions, for this came to {count}; --limit {count} makes it "
                     "smaller", file=self.out, had=had, count=len(tree))
        entries = tree.entries(self.margin)
        written = write_book(self.out, entries, self.note)
        kept = _("; the larger one is kept as {file}", file=written.kept) if written.kept else ""
        return (_("{file}: {positions} positions", file=self.out, positions=len(tree)) + kept
                + _unplayed(entries))


def _shown(run: RunThinking, known: int, wanted: int) -> RunThinking:
    """The same work, that says on a terminal how far it is."""
    done = count()
    left = TimeLeft(wanted - known)

    def run_and_show(tasks: Iterable[tuple[int, Task]]) -> Iterator[tuple[int, list[BookMove]]]:
        for result in run(tasks):
            yield result
            number = next(done) + 1
            progress(_("{done} of {count} positions{left}", done=known + number, count=wanted,
                       left=left.after(number)))

    return run_and_show


def _unplayed(entries: Sequence[BookEntry]) -> str:
    """What to say of positions in which the options, as they are at first, have nothing played."""
    plies = BookSettings().plies
    asked = [entry for entry in entries if entry.moves and (entry.ply or 1) <= plies]
    reasons = [why for entry in asked if (why := why_unplayed(entry.moves, BookSettings(), entry.ply or 1))]
    return "\n" + _("in {count} of {all} positions nothing is played: there {why}", count=len(reasons), all=len(asked),
                    why=translated(reasons[0])) if reasons else ""


def recipe_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options of a command that makes a book; it is given the `recipe`. OSError as SearchConditions.by has it."""
    @wraps(function)
    def with_recipe(out: Path, positions: int, limit: int | None, margin: int, ply_cost: int, nodes: int, lines: int,
                    hash_mb: int, evaluation: str | None, **others: Any) -> Any:
        thinking = SearchConditions.by(evaluation, nodes, lines, hash_mb)
        return function(recipe=Recipe(out, positions, limit, margin, ply_cost, thinking), **others)

    options = [
        click.option("--out", required=True, metavar="FILE", type=click.Path(dir_okay=False, path_type=Path),
                     help="The book to write; FILE.jsonl holds the searches to resume from."),
        click.option("--positions", type=COUNT, default=10_000, show_default=True,
                     help="Size of the book; an existing book keeps at least its size."),
        click.option("--limit", type=COUNT, help="Maximum size, even if the existing book is larger; that "
                     "one is kept as FILE.bak."),
        click.option("--nodes", type=AMOUNT, default=1_000_000, show_default=True, help="Nodes of each search."),
        click.option("--multipv", "lines", type=click.IntRange(1, 593), default=5, show_default=True,
                     help="Moves searched in each position."),
        click.option("--margin", type=CENTIPAWNS, default=20, show_default=True, metavar="CENTIPAWNS",
                     help="How much worse than the best move a book move may be."),
        click.option("--ply-cost", type=click.IntRange(1, 10**6), default=2, show_default=True, metavar="CENTIPAWNS",
                     help="Added to the cost of a line with every ply."),
        click.option("--hash", "hash_mb", type=MEGABYTES, default=32, show_default=True, metavar="MB",
                     help="Memory of each search's transposition table."),
        evaluation_option,
    ]
    decorated: Callable[..., Any] = with_recipe
    for option in reversed(options):
        decorated = option(decorated)
    return decorated
