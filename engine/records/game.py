"""A game with its variations: a tree of nodes, and a cursor that walks over them."""
from collections.abc import Iterator
from operator import index
from os import PathLike
from pathlib import Path

from engine.board import Position
from engine.errors import Listed, UserError, of_type
from engine.records.files import read_record
from engine.records.formats import WRITTEN, Part
from engine.records.node import GameNode, all_nodes
from engine.records.record import GameRecord
from engine.records.writing import formatted, written
from engine.system.parts import replacing


class Game:
    """A game, and a cursor in it, which stands behind a move, or at the start. `record` holds the game.

    `root` is its start as a node, `node` the cursor. Iteration goes over the nodes of the game's own line, `nodes` over
    all of them, and `len` counts the moves of that line. Two games are equal if they have the same start, moves,
    variations, comments, NAGs and ends; the names, headers and times in `record` may differ.

    >>> game = Game()
    >>> for move in ("▲７六歩", "△３四歩", "▲２二角成"):
    ...     game.play(move)
    >>> game.back(), game.play("2g2f"), game.moves
    ('8h2b+', None, ['7g7f', '3c3d', '2g2f'])
    >>> game
    <Game, 3 moves, 1 variation, at ply 3 2g2f>
    >>> game.node.promote()
    >>> [node.move for node in game], [node.ply for node in game.nodes()]
    (['7g7f', '3c3d', '2g2f'], [0, 1, 2, 3, 3])
    """

    def __init__(self, record: GameRecord | None = None) -> None:
        """A game with its cursor at the start. Raises UserError if a move of the game is not legal."""
        self._record = GameRecord() if record is None else of_type("record", record, GameRecord)
        self._record.position()
        self._node = self.root
        self._position = self._node.position

    @classmethod
    def read(cls, source: str | bytes | PathLike[str], strict: bool = True) -> "Game":
        """The one game of a file in any format. `source` is a path (a `Path`, not a str), the bytes
        of a file, or its text; `strict` and the errors are those of `engine.records.files.find_records`."""
        return cls(read_record(source, strict))

    def text(self, notation: str, strict: bool = True) -> str:
        """The game in a format of engine.records.formats, by its name in small letters, as "kif" or "csa". Raises
        UserError if that has no place for all parts of the game; unless `strict`, they are left out.

        >>> Game.read("▲７六歩 △３四歩").text("usi")
        'position startpos moves 7g7f 3c3d\\n'
        """
        forms = {form.name.lower(): form for form in WRITTEN}
        if notation not in forms:
            raise UserError("{notation!r} is no notation of games; choose from {names}", notation=notation,
                            names=Listed(forms))
        return formatted(forms[notation], [self.record], strict)[0]

    def write(self, path: str | PathLike[str], strict: bool = True) -> list[Part]:
        """Write a file, in the format and the encoding that its name ends in (see engine.records.formats), as .kif or
        .csa. A file of that name is replaced once all is written.

        Raises UserError if no format has that ending, or the encoding lacks a letter; if `strict`, also if the format
        has no place for a part of the game. Otherwise such parts are left out and their names returned, such as
        "variations" or "times". Raises OSError if the file cannot be written.
        """
        target = Path(path)
        data, lost = written(target, [self.record], strict)
        with replacing(target) as file:
            file.write(data)
        return lost

    # The tree.

    @property
    def record(self) -> GameRecord:
        """The game's record; changes to it change the game."""
        return self._record

    @property
    def root(self) -> GameNode:
        """The start of the game."""
        return GameNode(self.record)

    def nodes(self) -> Iterator[GameNode]:
        """Every node, from the start: each line to its end, then the variations from it, beginning with the one that
        leaves it last."""
        return all_nodes(self.root)

    def __iter__(self) -> Iterator[GameNode]:
        """The nodes after the moves of the game's own line."""
        return iter(self.root)

    def __len__(self) -> int:
        return len(self.record.moves)

    def __bool__(self) -> bool:
        """True: a game without moves is a game, too."""
        return True

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self.root.position == other.root.position and self._contents() == other._contents()

    def __copy__(self) -> "Game":
        """A second cursor on the same record."""
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__, _position=self._position.copy())
        return twin

    def _contents(self) -> list[tuple[int, str | None, str, tuple[int, ...], str | None]]:
        return [(node.ply, node.move, node.comment, node.nags, node.terminal) for node in self.nodes()]

    def __repr__(self) -> str:
        names = " - ".join(name or "?" for name in self.record.names) if any(self.record.names) else ""
        variations = sum(node.parent is not None and node != node.parent.children[0] for node in self.nodes())
        counted = f"{len(self)} move{'s' * (len(self) != 1)}, {variations} variation{'s' * (variations != 1)}"
        parts = [counted, self.record.terminal, f"at ply {self.node.ply} {self.node.move or ''}".rstrip()]
        return f"<Game {names}, {', '.join(filter(None, parts))}>".replace(" ,", ",")

    def _repr_svg_(self) -> str:
        return self.position.svg()

    # Where the cursor is.

    @property
    def node(self) -> GameNode:
        """The cursor as a node; can be set. If its move was deleted, the cursor is at the last move before it that is
        left. Raises UserError for a node that is not in this game."""
        self._at_cursor()
        return self._node

    @node.setter
    def node(self, node: GameNode) -> None:
        if of_type("node", node, GameNode).root != self.root or not node.is_in_game:
            raise UserError("{node} is no place of this game", node=repr(node))
        self._position = node.position
        self._node = node

    @property
    def position(self) -> Position:
        """The position at the cursor, with the moves that led there: a copy."""
        return self._at_cursor().copy()

    @property
    def moves(self) -> list[str]:
        """The moves from the start to the cursor, in USI."""
        return self.node.moves

    @property
    def choices(self) -> list[str]:
        """The moves that go on from the cursor, in USI: first the line's own move, then the first moves of its
        variations."""
        return [child.moves[-1] for child in self.node.children]

    @property
    def comment(self) -> str:
        """The comment on the move before the cursor, or on the start; "" if there is none. Can be set."""
        return self.node.comment

    @comment.setter
    def comment(self, text: str) -> None:
        self.node.comment = text

    @property
    def is_variation(self) -> bool:
        """Whether the cursor has left the game itself."""
        return self.node.is_variation

    # Where it goes.

    def forward(self, choice: int = 0) -> str:
        """Play the next move, or enter a variation by its place among `choices`. Returns the move. Raises IndexError if
        there is none."""
        children = self.node.children
        if not 0 <= choice < len(children):
            raise IndexError(f"choice {choice} of {len(children)} moves that go on from here")
        return self._step(children[choice])

    def back(self) -> str:
        """Go back one move, and return it. At the first move of a variation this leaves the variation. Raises
        IndexError at the start."""
        parent = self.node.parent
        if not parent:
            raise IndexError("this is the start of the game")
        self._node = parent
        return self._position.pop()

    def to_start(self) -> None:
        """Go to the start of the game."""
        self.node = self.root

    def to_end(self) -> None:
        """Go to the end of the line that the cursor is in."""
        for node in self.node:
            self._step(node)

    def go_to(self, ply: int) -> None:
        """Go to the position after `ply` moves of the line that the cursor is in. Raises IndexError, and leaves the
        cursor where it was, if the line is shorter."""
        ply = index(ply)        # NumPy's unsigned numbers would wrap below
        now, ahead = self.node.ply, list(self.node)
        if not 0 <= ply <= now + len(ahead):
            raise IndexError(f"ply {ply} is not between 0 and {now + len(ahead)}")
        for node in ahead[:max(ply - now, 0)]:
            self._step(node)
        for _ in range(now - ply):
            self.back()

    def play(self, move: str) -> None:
        """Play a move, written in any notation (see Position.parse_move). A move that the game does not have yet
        extends the line, or begins a variation if the line goes on differently or has ended. Raises UserError if it is
        not legal."""
        position = self._at_cursor()
        self._step(self._node.add_legal(position.parse_move(move), position))

    def _at_cursor(self) -> Position:
        while not self._node.is_in_game:
            self._node = self._node.parent or self.root
            self._position.pop()
        return self._position

    def _step(self, node: GameNode) -> str:
        """Go to a child of the cursor; returns its move."""
        move = node.moves[-1]
        self._position.push(move)
        self._node = node
        return move
