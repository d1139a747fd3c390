"""The way from one position to a book of thousands: batches planned, thought about by workers, and kept."""
from collections.abc import Iterator

from usi.book.db import BookMove
from usi.commands.book.think.analyst import Found, SearchConditions, Task
from usi.commands.book.think.tree import Tree
from usi.workers.pool import RunTasks

BATCH_SHARE = 16        # a batch is planned for every sixteenth that the book has grown

RunThinking = RunTasks[Task, list[BookMove]]


def think(tree: Tree, journal: Found, thinking: SearchConditions, positions: int, run: RunThinking) -> Iterator[int]:
    """Grow an empty tree to a number of positions, or to as many as there are; yields after each batch how many of it
    were searched.

    What to think about is decided for a whole batch, by what is known when it begins: so the book depends on nothing
    but the positions' searches, however many workers there are and however often they are interrupted. What the
    journal knows is not searched again.
    """
    while len(tree) < positions:
        wanted = min(positions - len(tree), max(1, len(tree) // BATCH_SHARE))
        if not (batch := tree.plan(wanted)):
            return
        missing = [Task(placement, ply, thinking) for placement, ply in batch.items() if placement not in journal.found]
        for number, moves in run(enumerate(missing)):
            journal.add(missing[number].placement, moves)
        for placement in batch:
            tree.add(placement, journal.found[placement])
        yield len(missing)
