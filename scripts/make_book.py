#!/usr/bin/env python3
"""Make an opening book by our own search: expand from the start, the most plausible positions first.

The book written is also what an interrupted run continues from: positions that it holds are not searched again.
"""
import heapq
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import click

from engine import STARTPOS_SFEN, Position
from eval.loading import load_evaluator
from scripts.cli.command import command
from scripts.cli.options import COUNT, FILE, hash_option, nodes_option
from search import Info, Limits, Searcher, Settings
from usi.book.db import BookMove, Entry, blocks, open_book, write_book

DEFAULT_BOOK = Path(str(files("usi") / "data" / "default.book.db"))
SAVE_EVERY = 50         # positions
PLY_COST = 4            # centipawns: how much less plausible a line counts with every ply


class Analyst:
    """Finds the best moves of a position, each position from an empty table, so that the order does not matter."""

    def __init__(self, nodes: int, depth: int, lines: int, hash_mb: int) -> None:
        self.nodes = nodes
        self.depth = depth
        self.settings = Settings(multi_pv=lines)
        self.searcher = Searcher(hash_mb=hash_mb, evaluator=load_evaluator())

    def entry(self, sfen: str) -> Entry:
        """The position with its best moves, searched with so many nodes, or twice, four times … as many if it takes
        that to get deep enough."""
        position = Position(sfen)
        nodes = self.nodes
        while not (lines := self._search(position, nodes)) or lines[0].depth < self.depth:
            nodes *= 2
        moves = [BookMove(line.pv[0], line.pv[1] if len(line.pv) > 1 else None, line.score, line.depth)
                 for line in lines]
        placement, _, ply = sfen.rpartition(" ")
        return Entry(placement, int(ply), tuple(moves))

    def _search(self, position: Position, nodes: int) -> list[Info]:
        """The lines, best first, of the last iteration that was finished for all of them; [] if none was."""
        wanted = min(self.settings.multi_pv, len(position.legal_moves()))
        found: dict[int, dict[int, Info]] = {}

        def hear(info: Info) -> None:
            if info.bound == "exact" and info.nodes < nodes:
                found.setdefault(info.depth, {})[info.multipv] = info

        self.searcher.clear()
        self.searcher.search(position, Limits(nodes=nodes), self.settings, hear)
        depth = max((depth for depth, lines in found.items() if len(lines) == wanted), default=0)
        return [info for _, info in sorted(found.get(depth, {}).items())]


def expand(known: dict[str, Entry], analyst: Analyst, positions: int, plies: int, window: int) -> Iterator[Entry]:
    """So many positions of the first `plies` plies, each once, those first to which the least bad play leads.

    A line's cost is what its moves give away, each against the best of its position, and PLY_COST for every ply; moves
    that give away more than `window` centipawns are not followed.
    """
    ahead = [(0, STARTPOS_SFEN)]
    seen = {STARTPOS_SFEN}
    for _ in range(positions):
        if not ahead:
            return
        cost, sfen = heapq.heappop(ahead)
        entry = known.get(sfen) or analyst.entry(sfen)
        yield entry
        best = max(move.score for move in entry.moves)
        for move in entry.moves:
            position = Position(sfen)
            position.push(move.move)
            if best - move.score > window or position.ply > plies or position.sfen in seen or position.is_mate():
                continue
            seen.add(position.sfen)
            heapq.heappush(ahead, (cost + best - move.score + PLY_COST, position.sfen))


def save(path: Path, entries: dict[str, Entry], note: str) -> None:
    write_book(path, (entry for _, entry in sorted(entries.items())), note)


@command(__doc__, resumes=True)
@click.option("--positions", type=COUNT, default=1000, show_default=True, help="How many.")
@click.option("--plies", type=COUNT, default=16, show_default=True, help="The last ply with moves of its own.")
@nodes_option(1_000_000, "Nodes for each position.")
@click.option("--depth", type=COUNT, default=16, show_default=True, help="Depth to reach, with more nodes if need be.")
@click.option("--lines", type=COUNT, default=4, show_default=True, help="Moves for each position.")
@click.option("--window", type=int, default=40, show_default=True,
              help="Centipawns a move may give away to be followed.")
@hash_option(64)
@click.option("--out", type=FILE, default=DEFAULT_BOOK, help="[default: the packaged book]")
def main(positions: int, plies: int, nodes: int, depth: int, lines: int, window: int, hash_mb: int, out: Path) -> None:
    note = f"made by scripts/make_book.py --nodes {nodes} --depth {depth} --lines {lines}"
    known: dict[str, Entry] = {}
    if out.exists():
        if f"# {note}\n" not in out.read_text(encoding="ascii"):
            raise ValueError(f"{out} was made otherwise than with {note!r}; remove it, or name another file in --out")
        with open_book(out) as file:
            known = {entry.sfen: entry for entry in (block.entry() for block in blocks(file, out))}
    analyst = Analyst(nodes, depth, lines, hash_mb)
    made: dict[str, Entry] = {}
    with click.progressbar(length=positions, label="positions", show_pos=True, file=sys.stderr) as bar:
        for entry in expand(known, analyst, positions, plies, window):
            made[entry.sfen] = entry
            bar.update(1)
            if len(made) % SAVE_EVERY == 0:
                save(out, known | made, note)
    save(out, made, note)


if __name__ == "__main__":
    main()
