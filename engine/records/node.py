"""Nodes: the places in a game and its variations."""
from collections.abc import Iterable, Iterator
from itertools import pairwise

from engine.board import Position
from engine.errors import UserError, whole
from engine.errors import text as require_text
from engine.records.record import GameRecord

# The game and each variation on the way to the place. With each comes the number of its moves that are played: up to
# the place, or up to the next variation, which replaces the move after them.
Path = tuple[tuple[GameRecord, int], ...]


MOST_NAG = 255          # in PGN


class GameNode:
    """A place in a game: the start, or behind a move. The next places are its `children`: first that of the line's own
    move, then those of the variations. Iteration goes on along the line.

    A node is a view of the game's `GameRecord`. A node stays valid while the game changes, until its move is deleted.

    >>> root = GameNode(GameRecord(moves=["7g7f", "3c3d", "2g2f"]))
    >>> varied = root.children[0].add("△８四歩")
    >>> varied, varied.parent.children, varied.is_variation
    (<GameNode 2 8c8d>, [<GameNode 2 3c3d>, <GameNode 2 8c8d>], True)
    >>> varied.promote()
    >>> [node.move for node in root]
    ['7g7f', '8c8d']
    """

    __slots__ = ("_moves", "_path", "_root")

    def __init__(self, record: GameRecord, moves: Iterable[str] = (), path: Path | None = None) -> None:
        """The start of a game, or the place behind these moves, in USI."""
        self._root = record
        self._moves = tuple(moves)
        self._path: Path = path or ((record, 0),)

    # Where it is.

    @property
    def move(self) -> str | None:
        """The move that leads to the node, in USI; None at the start."""
        return self._moves[-1] if self._moves else None

    @property
    def moves(self) -> list[str]:
        """The moves from the start, in USI."""
        return list(self._moves)

    @property
    def ply(self) -> int:
        """The number of moves from the start."""
        return len(self._moves)

    @property
    def position(self) -> Position:
        """The position at the node, with the moves that led to it."""
        position = Position(self._root.initial_sfen)
        for move in self._moves:
            position.push(move)
        return position

    @property
    def root(self) -> "GameNode":
        """The node of the game's start."""
        return GameNode(self._root)

    @property
    def parent(self) -> "GameNode | None":
        """The node before its move; None at the start."""
        if not self._moves:
            return None
        *before, (line, done) = self._path
        path = (*before, (line, done - 1)) if done > 1 or not before else tuple(before)
        return GameNode(self._root, self._moves[:-1], path)

    @property
    def children(self) -> list["GameNode"]:
        """The nodes after the next moves: first the line's own, then those of its variations."""
        return [GameNode(self._root, (*self._moves, move), path) for move, path in _continuations(self._place())]

    def __iter__(self) -> Iterator["GameNode"]:
        """The nodes that follow on the same line."""
        place = self._place()
        line, done = place[-1]
        ahead = line.moves[done:]
        for number in range(1, len(ahead) + 1):
            yield GameNode(self._root, (*self._moves, *ahead[:number]), (*place[:-1], (line, done + number)))

    @property
    def is_variation(self) -> bool:
        """Whether the node is off the game's own line."""
        return len(self._place()) > 1

    @property
    def is_in_game(self) -> bool:
        """Whether the node is still in its game: False once its move was deleted. After that only its moves and its
        position can be asked for; everything else raises UserError."""
        return self._found() is not None

    # What is said there.

    @property
    def comment(self) -> str:
        """The comment on the node's move, or on the start; "" if there is none. Can be set."""
        line, done = self._place()[-1]
        return line.comments.get(done, "")

    @comment.setter
    def comment(self, text: str) -> None:
        line, done = self._place()[-1]
        if require_text("comment", text):
            line.comments[done] = text
        else:
            line.comments.pop(done, None)

    @property
    def nags(self) -> tuple[int, ...]:
        """PGN's numeric annotations (NAGs) of its move: 1 is !, 2 ?, 3 !!, 4 ??, 5 !?, 6 ?!. Can be set. Raises
        UserError for any at the start, which has no move."""
        line, done = self._place()[-1]
        return tuple(line.nags.get(done, ()))

    @nags.setter
    def nags(self, nags: Iterable[int]) -> None:
        line, done = self._place()[-1]
        numbers = [whole("nag", nag, 1, MOST_NAG) for nag in nags]
        if numbers and not done:
            raise UserError("the start of a game has no move to annotate")
        if numbers:
            line.nags[done] = numbers
        else:
            line.nags.pop(done, None)

    @property
    def time(self) -> float | None:
        """The seconds spent on the node's move; None if the record does not say."""
        line, done = self._place()[-1]
        return line.times.get(done)

    @property
    def terminal(self) -> str | None:
        """How its line ended here, as in `GameRecord.terminal`; None if the line goes on or does not say."""
        line, done = self._place()[-1]
        return line.terminal if done == len(line.moves) else None

    def __repr__(self) -> str:
        comment = self.comment if self.is_in_game else "deleted"
        return f"<GameNode {self.ply} {self.move or 'start'}{f' {comment!r}' if comment else ''}>"

    def _repr_svg_(self) -> str:
        return self.position.svg()

    def __eq__(self, other: object) -> bool:
        """Whether both are the same place of the same game."""
        if not isinstance(other, GameNode):
            return NotImplemented
        if self._root is not other._root or self._moves != other._moves:
            return False
        # Two variations may begin alike.
        return [id(line) for line, _ in self._found() or ()] == [id(line) for line, _ in other._found() or ()]

    def __hash__(self) -> int:
        return hash((id(self._root), self._moves))

    # How the game changes.

    def add(self, move: str) -> "GameNode":
        """The node behind a move, in any notation of moves (see Position.parse_move). A new move makes the line longer,
        or begins a variation if the line goes on differently or has ended. Raises UserError if it is not legal."""
        position = self.position
        return self.add_legal(position.parse_move(move), position)

    def add_legal(self, usi: str, position: Position) -> "GameNode":
        """The node behind a legal move in USI; see `add`."""
        place = self._place()
        line, done = place[-1]
        if usi not in (choices := [move for move, _ in _continuations(place)]):
            if done == len(line.moves) and not line.terminal and not choices:
                line.moves.append(usi)
            else:
                line.variations.setdefault(done + 1, []).append(GameRecord(position.sfen, [usi]))
            choices.append(usi)
        return self.children[choices.index(usi)]

    def delete(self) -> None:
        """Delete the move and what follows it. If variations replace it, the first of them becomes the line. Raises
        UserError at the start."""
        *before, (line, done) = self._place()
        if not done:
            raise UserError("the start of a game cannot be deleted; make a new Game")
        if done == 1 and before:
            _take_out(line, before[-1])
            return
        _cut(line, done)
        for variation, _ in _branches(line, done):
            _take_out(variation, (line, done - 1))
            _append(line, done, variation)
            break

    def promote(self) -> None:
        """Exchange the node's variation and the line that it leaves: the variation becomes the line, and the rest of
        the line its first variation. Does nothing on the game's own line."""
        place = self._place()
        if len(place) == 1:
            return
        (line, done), (variation, _) = place[-2:]
        _take_out(variation, (line, done))
        rest = _cut(line, done + 1)
        rest.initial_sfen = variation.initial_sfen
        _append(line, done + 1, variation)
        if rest != GameRecord(rest.initial_sfen):
            line.variations.setdefault(done + 1, []).insert(0, rest)

    # Where it is in the record.

    def _place(self) -> Path:
        place = self._found()
        if place is None:
            raise UserError("{move!r} at ply {ply} was deleted, and is no longer in the game", move=self.move,
                            ply=self.ply)
        return place

    def _found(self) -> Path | None:
        """The node's path, which changes of the game may have moved; None if it was deleted."""
        if not _leads_along(self._path, self._moves):
            path: Path = ((self._root, 0),)
            for move in self._moves:
                path = next((after for usi, after in _continuations(path) if usi == move), ())
                if not path:
                    return None
            self._path = path
        return self._path


def all_nodes(root: GameNode) -> Iterator[GameNode]:
    """The node and all that follow: each line to its end, then the variations from it, beginning with the one that
    leaves it last."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.is_in_game:         # the caller may delete nodes meanwhile
            yield node
        if node.is_in_game:
            waiting += reversed(node.children)


def _leads_along(path: Path, moves: tuple[str, ...]) -> bool:
    for (line, done), (variation, _) in pairwise(path):
        if not any(each is variation for each, _ in _branches(line, done + 1)):
            return False
    played: list[str] = []
    for line, done in path:
        played += line.moves[:done]
    return tuple(played) == moves


def _branches(line: GameRecord, ply: int) -> Iterator[tuple[GameRecord, dict[int, list[GameRecord]]]]:
    """The variations that replace a ply, each with the dict that holds it; also variations that replace another
    variation's first move. A variation without moves is an end of the game, such as resignation."""
    for variation in line.variations.get(ply, []):
        yield variation, line.variations
        yield from _branches(variation, 1)


def _continuations(path: Path) -> Iterator[tuple[str, Path]]:
    """The moves that go on from a place, and the places behind them."""
    line, done = path[-1]
    if done < len(line.moves):
        yield line.moves[done], (*path[:-1], (line, done + 1))
    for variation, _ in _branches(line, done + 1):
        if variation.moves:
            yield variation.moves[0], (*path, (variation, 1))


def _take_out(variation: GameRecord, place: tuple[GameRecord, int]) -> None:
    """Remove the variation that begins at a place. Variations that replace its first move stay."""
    line, done = place
    variations = next(variations for each, variations in _branches(line, done + 1) if each is variation)
    ply = done + 1 if variations is line.variations else 1
    index = next(index for index, each in enumerate(variations[ply]) if each is variation)
    variations[ply][index:index + 1] = variation.variations.pop(1, [])
    if not variations[ply]:
        del variations[ply]


def _cut(line: GameRecord, ply: int) -> GameRecord:
    """Remove and return the rest of a line from a ply on. Variations that replace that ply stay."""
    rest = GameRecord(moves=line.moves[ply - 1:], terminal=line.terminal)
    del line.moves[ply - 1:]
    line.terminal = None
    for kept, taken, first in ((line.comments, rest.comments, ply), (line.times, rest.times, ply),
                               (line.remarks, rest.remarks, ply), (line.nags, rest.nags, ply),
                               (line.variations, rest.variations, ply + 1)):
        for key in [key for key in kept if key >= first]:
            taken[key - ply + 1] = kept.pop(key)        # type: ignore[assignment]
    return rest


def _append(line: GameRecord, ply: int, variation: GameRecord) -> None:
    """Append what `_cut` returned to a line that ends before that ply. A comment before a variation's first move
    becomes that move's."""
    line.moves += variation.moves
    line.terminal = variation.terminal
    for key, text in sorted(variation.comments.items()):
        line.add_comment(max(key, 1) + ply - 1, text)
    for key, lines in sorted(variation.remarks.items()):
        for each in lines:
            line.add_remark(max(key, 1) + ply - 1, each)
    line.nags |= {key + ply - 1: nags for key, nags in variation.nags.items()}
    line.times |= {key + ply - 1: time for key, time in variation.times.items()}
    line.variations |= {key + ply - 1: held for key, held in variation.variations.items()}
