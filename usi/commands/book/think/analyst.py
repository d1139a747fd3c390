"""Searches for `engine book think`: of single positions, as workers do them, and of the batches that a book grows
by."""
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from engine import Position
from engine.errors import Phrase
from eval.loading import weights_checksum
from search import Info, Limits, Searcher, Settings
from usi.book.db import BookMove
from usi.commands.book.think.tree import Tree
from usi.console.settings import MEGABYTES, NODES, WholeRange, evaluation_setting, setting
from usi.files.journal import Journal, Kind
from usi.workers.tasks import RunTasks, load_once

WIDE_PLIES = 4      # earlier plies are searched more widely, because opponents play many moves there


@dataclass(frozen=True)
class SearchConditions:
    """The settings of the searches: everything that the result depends on."""

    nodes: int = setting("Nodes of each search.", NODES, 1_000_000)
    lines: int = setting("Moves searched in each position.", WholeRange(1, 593), 5, "--multipv")
    hash_mb: int = setting("Memory of each search's transposition table.", MEGABYTES, 32, "--hash")
    evaluation: str | None = evaluation_setting()
    checksum: str = ""          # of the evaluation

    def __post_init__(self) -> None:
        """Raise OSError if the evaluation's file cannot be read."""
        object.__setattr__(self, "checksum", self.checksum or weights_checksum(self.evaluation))

    def conditions(self) -> dict[str, int | str]:
        """The settings that a resumed run must share, for the journal. The evaluation is identified by content, not by
        name."""
        return {"nodes": self.nodes, "multipv": self.lines, "hash": self.hash_mb, "evaluation": self.checksum}


def _read(row: Any) -> tuple[str, list[BookMove]]:
    placement, rows = row
    position = Position(f"{placement} 1")
    moves = [BookMove(*move) for move in rows]
    for move in moves:
        after = position.copy()
        for played in filter(None, move[:2]):
            after.push(played)
        if any(type(number) is not int for number in move[2:]):
            raise TypeError("score, depth and games are whole numbers")
    return placement, moves


FOUND: Kind[str, list[BookMove]] = Kind(
    Phrase("positions thought about, for a book"), Phrase("position with its moves"), _read,
    lambda placement, moves: [placement, moves])
BookJournal = Journal[str, list[BookMove]]        # the moves that were found in each position


@dataclass(frozen=True)
class ThinkingTask:
    """A position to think about, as it travels to a worker."""

    placement: str
    ply: int
    thinking: SearchConditions


@lru_cache(maxsize=1)
def _searcher(thinking: SearchConditions) -> Searcher:
    """The searcher that a process keeps from task to task."""
    return Searcher(hash_mb=thinking.hash_mb, evaluator=load_once(thinking.evaluation))


def think_about(task: ThinkingTask) -> list[BookMove]:
    """The best moves at ply p, best first; [] if the game is over. Searches max(lines, lines * WIDE_PLIES // p) moves,
    with nodes in proportion. If no iteration finishes, the nodes are doubled until one does."""
    thinking, position = task.thinking, Position(f"{task.placement} 1")
    lines = max(thinking.lines, thinking.lines * WIDE_PLIES // task.ply)
    nodes = thinking.nodes * lines // thinking.lines
    while (found := _search(_searcher(thinking), position, lines, nodes)) == []:
        nodes *= 2
    return [BookMove(info.pv[0], info.pv[1] if len(info.pv) > 1 else None, info.score, info.depth)
            for info in found or ()]


def _search(searcher: Searcher, position: Position, lines: int, nodes: int) -> list[Info] | None:
    """The lines of the last iteration that finished for all moves, [] if none did; None if the game is over. The search
    starts with an empty table, so the order of the tasks and their processes do not matter."""
    lines = min(lines, len(position.legal_moves()))
    found: dict[int, dict[int, Info]] = {}

    def hear(info: Info) -> None:
        if info.bound == "exact" and info.nodes < nodes:
            found.setdefault(info.depth, {})[info.multipv] = info

    searcher.clear()
    result = searcher.search(position, Limits(nodes=nodes), Settings(multi_pv=max(lines, 1)), hear)
    if result.outcome != "move":
        return None
    depth = max((depth for depth, infos in found.items() if len(infos) == lines), default=0)
    return [info for _, info in sorted(found.get(depth, {}).items())]


BATCH_SHARE = 16        # a batch is planned for every sixteenth that the book has grown

RunThinking = RunTasks[ThinkingTask, list[BookMove]]


def grow(tree: Tree, journal: BookJournal, thinking: SearchConditions, positions: int,
         run: RunThinking) -> None:
    """Grow an empty tree to a number of positions, or to as many as there are.

    A whole batch is planned at once, from the results of earlier batches. So the book depends only on the searches, not
    on the number of workers or on interruptions. Positions in the journal are not searched again.
    """
    while len(tree) < positions:
        wanted = min(positions - len(tree), max(1, len(tree) // BATCH_SHARE))
        if not (batch := tree.plan(wanted)):
            return
        missing = [ThinkingTask(placement, ply, thinking) for placement, ply in batch.items()
                   if placement not in journal.found]
        for number, moves in run(enumerate(missing)):
            journal.add(missing[number].placement, moves)
        for placement in batch:
            tree.add(placement, journal.found[placement])
