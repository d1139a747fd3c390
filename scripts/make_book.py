#!/usr/bin/env python3
"""Make an opening book by our own search: expand from the start, the most plausible positions first.

The book written is also what an interrupted run continues from: positions that it holds are not searched again.
"""
import argparse
import heapq
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import click

from engine import STARTPOS_SFEN, Position
from eval.loading import load_tables
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
        self.settings = Settings(multi_pv=lines, pv_interval=0)
        self.searcher = Searcher(hash_mb=hash_mb, tables=load_tables())

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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=1000, help="positions (1000)")
    parser.add_argument("--plies", type=int, default=16, help="the last ply with moves of its own (16)")
    parser.add_argument("--nodes", type=int, default=1_000_000, help="nodes for each position (1000000)")
    parser.add_argument("--depth", type=int, default=16, help="depth to reach, with more nodes if need be (16)")
    parser.add_argument("--lines", type=int, default=4, help="moves for each position (4)")
    parser.add_argument("--window", type=int, default=40, help="centipawns a move may give away to be followed (40)")
    parser.add_argument("--hash", type=int, default=64, help="MB of the table (64)")
    parser.add_argument("--out", type=Path, default=DEFAULT_BOOK)
    given = parser.parse_args()
    note = f"made by scripts/make_book.py --nodes {given.nodes} --depth {given.depth} --lines {given.lines}"
    known: dict[str, Entry] = {}
    if given.out.exists():
        if f"# {note}\n" not in given.out.read_text(encoding="ascii"):
            parser.error(f"{given.out} was made otherwise than with {note!r}; remove it, or name another file in --out")
        with open_book(given.out) as file:
            known = {entry.sfen: entry for entry in (block.entry() for block in blocks(file, given.out))}
    analyst = Analyst(given.nodes, given.depth, given.lines, given.hash)
    made: dict[str, Entry] = {}
    with click.progressbar(length=given.positions, label="positions", show_pos=True, file=sys.stderr) as bar:
        for entry in expand(known, analyst, given.positions, given.plies, given.window):
            made[entry.sfen] = entry
            bar.update(1)
            if len(made) % SAVE_EVERY == 0:
                save(given.out, known | made, note)
    save(given.out, made, note)


def save(path: Path, entries: dict[str, Entry], note: str) -> None:
    write_book(path, (entry for _, entry in sorted(entries.items())), note)


if __name__ == "__main__":
    main()
