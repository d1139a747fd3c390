"""Books that tests write."""
from pathlib import Path

from engine import Position
from usi.book.db import BookEntry, blocks, open_book

START = Position().sfen
START_PLACEMENT = START.rpartition(" ")[0]


def after(*moves: str) -> str:
    """The SFEN after these moves from the start."""
    position = Position()
    for move in moves:
        position.push(move)
    return position.sfen


def write(path: Path, *entries: tuple[str, list[str]], head: str = "#YANEURAOU-DB2016 1.00\n") -> Path:
    """A book of positions and the lines of their moves, in the order given."""
    text = head + "".join(f"sfen {sfen}\n" + "".join(f"{line}\n" for line in lines) for sfen, lines in entries)
    path.write_bytes(text.encode())
    return path


def entries_of(path: Path) -> list[BookEntry]:
    with open_book(path) as file:
        return [block.entry() for block in blocks(file, path)]
