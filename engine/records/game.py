"""A game with its variations, and a cursor that walks over them."""
import os
from collections.abc import Callable
from os import PathLike
from pathlib import Path

from engine.board import Position
from engine.errors import UserError
from engine.errors import text as require_text
from engine.records.csa import format_csa
from engine.records.files import read_record
from engine.records.jkf import format_jkf
from engine.records.ki2 import format_ki2
from engine.records.kif import format_kif
from engine.records.pgn import format_pgn
from engine.records.record import Record
from engine.records.usi import format_usi
from engine.records.writing import ALL_FORMATS, encoded

_WRITERS: dict[str, Callable[[Record], str]] = {
    "kif": format_kif, "ki2": format_ki2, "csa": format_csa, "jkf": format_jkf, "pgn": format_pgn, "usi": format_usi}


class Game:
    """A game and a cursor in it, which stands behind a move, or at the start. `record` holds the game.

    >>> game = Game()
    >>> for move in ("▲７六歩", "△３四歩", "▲２二角成"):
    ...     game.play(move)
    >>> game.back(), game.play("2g2f"), game.moves
    ('8h2b+', None, ['7g7f', '3c3d', '2g2f'])
    >>> game.back(), game.choices
    ('2g2f', ['8h2b+', '2g2f'])
    """

    def __init__(self, record: Record | None = None) -> None:
        """The cursor is at the start. UserError if a move of the game is not legal."""
        self.record = record or Record()
        self.record.position()
        # The game and the variations that led to the cursor, each with how many of its moves lie before the cursor, or
        # before the variation that leaves it.
        self._path = [(self.record, 0)]
        self._position = Position(self.record.initial_sfen)

    @classmethod
    def read(cls, source: str | bytes | PathLike[str], strict: bool = True) -> "Game":
        """The one game of a file in KIF, KI2, CSA, JKF, PGN or USI. `source` is a path (a `Path`, not a str), the bytes
        of a file, or its text; `strict`, and what raises, as for `engine.records.files.find_records`."""
        return cls(read_record(source, strict))

    def text(self, notation: str) -> str:
        """The game as "kif", "ki2", "csa", "jkf", "pgn" or "usi". CSA raises UserError for variations, for which it
        has no place; USI holds moves alone.

        >>> Game.read("▲７六歩 △３四歩").text("usi")
        'position startpos moves 7g7f 3c3d\\n'
        """
        if notation not in _WRITERS:
            raise UserError(f"{notation!r} is no notation of games; choose from {', '.join(_WRITERS)}")
        return _WRITERS[notation](self.record)

    def write(self, path: str | PathLike[str]) -> None:
        """Write a file, in the format and the encoding that its name ends in: .kif and .ki2 (Shift_JIS), .kifu, .ki2u,
        .csa, .jkf, .pgn, .usi and .sfen (UTF-8). A file of that name is replaced once all is written. UserError for
        another ending and what the format cannot hold; OSError."""
        target = Path(path)
        data = encoded(target, self.record, formats=ALL_FORMATS)
        part = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            part.write_bytes(data)
            os.replace(part, target)
        finally:
            part.unlink(missing_ok=True)

    # Where the cursor is.

    @property
    def position(self) -> Position:
        """The position at the cursor, with the moves that led there: a copy."""
        return self._position.copy()

    @property
    def moves(self) -> list[str]:
        """The moves from the start to the cursor, in USI."""
        return self._position.moves

    @property
    def choices(self) -> list[str]:
        """The moves that go on from the cursor, in USI: that of the line first, then those of its variations."""
        line, done = self._path[-1]
        return [*line.moves[done:done + 1], *(variation.moves[0] for variation in self._variations())]

    @property
    def comment(self) -> str:
        """What is said of the move before the cursor, or of the start; "" for nothing. Can be set."""
        line, done = self._path[-1]
        return line.comments.get(done, "")

    @comment.setter
    def comment(self, text: str) -> None:
        line, done = self._path[-1]
        if require_text("comment", text):
            line.comments[done] = text
        else:
            line.comments.pop(done, None)

    @property
    def is_variation(self) -> bool:
        """Whether the cursor has left the game itself."""
        return len(self._path) > 1

    # Where it goes.

    def forward(self, choice: int = 0) -> str:
        """Go over the next move, or into a variation by its place among `choices`; returns the move. IndexError if
        there is none."""
        choices = self.choices
        if not 0 <= choice < len(choices):
            raise IndexError(f"choice {choice} of {len(choices)} moves that go on from here")
        line, done = self._path[-1]
        goes_on = done < len(line.moves)
        self._position.push(choices[choice])
        if goes_on and choice == 0:
            self._path[-1] = (line, done + 1)
        else:
            self._path.append((self._variations()[choice - goes_on], 1))
        return choices[choice]

    def back(self) -> str:
        """Go back over a move, out of a variation if it was its first; returns the move. IndexError at the start."""
        line, done = self._path[-1]
        if not done:
            raise IndexError("this is the start of the game")
        if done == 1 and self.is_variation:
            self._path.pop()
        else:
            self._path[-1] = (line, done - 1)
        return self._position.pop()

    def to_start(self) -> None:
        """Go to the start of the game."""
        while self._position.moves:
            self.back()

    def to_end(self) -> None:
        """Go to the end of the line that the cursor is in."""
        line, done = self._path[-1]
        for _ in line.moves[done:]:
            self.forward()

    def go_to(self, ply: int) -> None:
        """Go to where so many moves have been played, on the line that the cursor is in. IndexError, with the cursor
        where it was, if that is shorter."""
        line, done = self._path[-1]
        now = len(self._position.moves)
        if not 0 <= ply <= now + len(line.moves) - done:
            raise IndexError(f"ply {ply} is not between 0 and {now + len(line.moves) - done}")
        for _ in range(ply - now):
            self.forward()
        for _ in range(now - ply):
            self.back()

    def play(self, move: str) -> None:
        """Go over this move, in any notation of moves (see Position.parse_move). What nobody has played here yet makes
        the line longer, or where that goes on otherwise, or has ended, begins a variation. UserError if it is not
        legal."""
        usi = self._position.parse_move(move)
        choices = self.choices
        line, done = self._path[-1]
        if usi not in choices:
            if done == len(line.moves) and not line.terminal and not choices:
                line.moves.append(usi)
            else:
                variation = Record(self._position.sfen, [usi])
                line.variations.setdefault(done + 1, []).append(variation)
            choices = self.choices
        self.forward(choices.index(usi))

    def _variations(self) -> list[Record]:
        line, done = self._path[-1]
        return line.variations.get(done + 1, [])
