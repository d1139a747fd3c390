"""The command `engine book think`: its options, and how it makes the book or goes on with one."""
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import click

from engine.errors import UserError
from usi.book.choice import BookSettings, why_unplayed
from usi.book.db import LONGEST_LINE, BookEntry, BookMove, positions_in, write_book
from usi.commands.book.think.analyst import FOUND, RunThinking, SearchConditions, ThinkingTask, grow, think_about
from usi.commands.book.think.tree import Tree
from usi.console.options import options_of, workers_options
from usi.console.progress import Progress, progress
from usi.console.settings import CENTIPAWNS, FILE, POSITIONS, WholeRange, setting
from usi.files.journal import Journal
from usi.files.writing import require_writable
from usi.words.language import _
from usi.workers.pool import worker_pool
from usi.workers.tasks import TasksLost, own_files

MADE_BY = "made by engine book think"


@dataclass(frozen=True)
class BookRecipe:
    """The book to make."""

    out: Path = setting("The book to write; FILE.jsonl holds the searches to resume from.", FILE, metavar="FILE")
    positions: int = setting("Size of the book; an existing book keeps at least its size.", POSITIONS, 10_000)
    limit: int | None = setting("Maximum size, even if the existing book is larger; that one is kept as FILE.bak.",
                                POSITIONS, None)
    margin: int = setting("Centipawns that a book move may be worse than the best move.", CENTIPAWNS, 20)
    ply_cost: int = setting("Centipawns added to the cost of a line for each ply.",
                            WholeRange(1, 10**6, "CENTIPAWNS"), 2)

    @property
    def journal(self) -> Path:
        return self.out.with_name(f"{self.out.name}.jsonl")

    def note(self, thinking: SearchConditions) -> str:
        how = " ".join(f"{name} {value}" for name, value in thinking.conditions().items())
        return f"{MADE_BY}: {how}, ply cost {self.ply_cost}, margin {self.margin}"

    def make(self, thinking: SearchConditions, workers: AbstractContextManager[RunThinking]) -> str:
        """Make the book, or continue it, and return a summary line. The book is written however this ends. Raises
        OSError and UserError for files that cannot be read, written, or continued."""
        tree = Tree(self.ply_cost)
        had = positions_in(self.out)
        wanted = self.limit or max(self.positions, had)
        self._require_own()
        require_writable(self.out)
        with closing(Journal(self.journal, FOUND, thinking.conditions())) as journal, workers as run:
            try:
                grow(tree, journal, thinking, wanted, _shown(run, len(journal.found), wanted))
            finally:
                progress("")
                outcome = self._write(tree, had, thinking)
        return outcome

    def _require_own(self) -> None:
        """Raise UserError if the file exists and was not made by this command."""
        if self.out.is_file() and not self.journal.exists():
            with self.out.open("rb") as file:
                lines = [file.readline(LONGEST_LINE) for _number in range(2)]
            if not lines[1].startswith(f"# {MADE_BY}".encode()):
                raise UserError("{file} exists and was made by something else; name another file", file=self.out)

    def _write(self, tree: Tree, had: int, thinking: SearchConditions) -> str:
        """Write the book, unless a larger one exists that the user has not asked to make smaller."""
        if not self.limit and len(tree) < had:
            return _("{file}: kept with its {had} positions, for this came to {count}; --limit {count} makes it "
                     "smaller", file=self.out, had=had, count=len(tree))
        entries = tree.entries(self.margin)
        written = write_book(self.out, entries, self.note(thinking))
        kept = _("; the larger one is kept as {file}", file=written.kept) if written.kept else ""
        return (_("{file}: {positions} positions", file=self.out, positions=len(tree)) + kept
                + _unplayed(entries))


def _shown(run: RunThinking, known: int, wanted: int) -> RunThinking:
    """The results of the work, with progress shown."""
    course = Progress(wanted, _("positions"), known)
    done = count(known + 1)

    def run_and_show(tasks: Iterable[tuple[int, ThinkingTask]]) -> Iterator[tuple[int, list[BookMove]]]:
        for result in run(tasks):
            yield result
            course.tell(next(done))

    return run_and_show


def _unplayed(entries: Sequence[BookEntry]) -> str:
    """The message about positions where the default options play nothing."""
    plies = BookSettings().plies
    asked = [entry for entry in entries if entry.moves and (entry.move_number or 1) <= plies]
    reasons = [why for entry in asked if (why := why_unplayed(entry.moves, BookSettings(), entry.move_number or 1))]
    return "\n" + _("in {count} of {all} positions nothing is played: there {why}", count=len(reasons), all=len(asked),
                    why=reasons[0]) if reasons else ""


@click.command()
@options_of(BookRecipe, "recipe")
@options_of(SearchConditions, "thinking")
@workers_options()
def think(recipe: BookRecipe, thinking: SearchConditions, jobs: int, scheduler: str | None) -> None:
    """Make a book by the engine's own search.

    It grows from the start of the game: each position is searched for its best moves, and the most plausible lines, by
    minimax over all that is known, are extended first. The same command resumes an interrupted run; with more
    --positions it extends a complete book.
    """
    files = own_files([thinking.evaluation])
    try:
        click.echo(recipe.make(thinking, worker_pool(think_about, jobs, scheduler=scheduler, files=files)))
    except TasksLost as error:
        raise TasksLost("{fault}; the same command continues", fault=error) from None
