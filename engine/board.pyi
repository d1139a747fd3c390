from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Self

from engine.declaration import Declaration
from engine.sfen import Placement

MATE: int               # mated now is -MATE; a mate in n plies is MATE - n
MATE_IN_MAX_PLY: int    # from here up, and down from its negative, a score counts the plies to a mate
MAX_PLY: int            # how deep a search may go
SUPERIOR: int           # the score of a board that comes again with more in hand; beyond all evaluations, but no mate
for_people: Callable[[], ModuleType]        # what draws, and writes and reads moves as people do

def sfen_faults(sfen: str) -> list[str]:
    """The faults of an SFEN, a text for each; none if `Position` accepts it.

    >>> sfen_faults("4k4/9/9/9/9/9/9/9/PP2P4 x -")
    ["the side to move is b or w, not 'x'", "'P' on rank i could never move"]
    """

class Position:
    """A shogi position with the moves that led to it.

    >>> position = Position()
    >>> position.push("7g7f")
    >>> position.sfen
    'lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2'
    >>> len(position.legal_moves())
    30
    >>> position.pop()
    '7g7f'
    """
    def __init__(self, sfen: str | None = None) -> None:
        """The position of an SFEN, or the start position.

        Raises UserError, quoting the text, if it is malformed or cannot occur: two kings of a side, more pieces than
        a set has, two pawns of a side on a file, a piece that could never move, or the side not to move in check. A
        king may be missing, as in mate problems.

        >>> Position("4k4/9/9/9/9/9/9/9/9 b P 1").turn
        0
        >>> Position("4k4/4R4/9/9/9/9/9/9/4K4 b - 1")
        Traceback (most recent call last):
        ...
        engine.UserError: '4k4/4R4/9/9/9/9/9/9/4K4 b - 1': White is in check, but it is Black's turn
        """
    @classmethod
    def from_usi(cls, text: str) -> Self:
        """The position of the arguments of USI's `position`: "startpos", "sfen …" or a bare SFEN, then "moves …".

        Raises UserError as the constructor and `push` do.

        >>> Position.from_usi("startpos moves 7g7f 3c3d").move_number
        3
        """
    def copy(self) -> Self:
        """An equal position with the same history, independent of this one. A copy of a subclass's object is of that
        subclass, with the same attributes (not copies of them)."""
    def mirrored(self) -> Self:
        """The left-right image, with the moves that led to it: file 1 becomes file 9, the sides stay. The rules do not
        distinguish left and right, so both positions are equivalent, and the moves of one are the images of the
        other's. An object of a subclass gives one of that subclass, as with `copy`.

        >>> Position("4k4/9/9/9/9/9/9/7R1/4K4 b P 1").mirrored().sfen
        '4k4/9/9/9/9/9/9/1R7/4K4 b P 1'
        """
    @property
    def initial_sfen(self) -> str: ...
    @property
    def placement(self) -> Placement:
        """The board, hands, side to move and move number: a `Placement`."""
    @property
    def sfen(self) -> str:
        """The position as a canonical SFEN with its move number."""
    @property
    def turn(self) -> int:
        """The side to move: 0 Black (sente), 1 White (gote)."""
    @property
    def move_number(self) -> int:
        """The number of the next move, as an SFEN counts: 1 at the start of a game."""
    @property
    def ply(self) -> int:
        """The old name of `move_number`. A ply is a move played: GameNode.ply and GameRecord count them, from 0."""
    @property
    def in_check(self) -> bool:
        """Whether the king of the side to move is attacked."""
    @property
    def key(self) -> int:
        """A 64-bit key of board, hands and side to move: equal for equal positions, in every run."""
    @property
    def moves(self) -> list[str]:
        """The moves played since the set-up, in USI; a turn that was passed is "null"."""
    def piece_at(self, square: str) -> int:
        """The code of the piece on a square, 0 if there is none: kind 1..14, plus 16 if it is White's.

        >>> Position().piece_at("8h"), Position().piece_at("5e")
        (5, 0)"""
    def piece_map(self) -> dict[str, int]:
        """The codes of all pieces on the board, as of `piece_at`, by their squares.

        >>> Position("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").piece_map()
        {'5a': 24, '5c': 1, '5i': 8}
        """
    def king_square(self, color: int) -> str | None:
        """The square of a side's king (0, 1); None if it has none.

        >>> Position().king_square(0), Position("4k4/9/9/9/9/9/9/9/9 b P 1").king_square(0)
        ('5i', None)"""
    @property
    def captured_piece(self) -> int:
        """The code of the piece that the last move took, as it stood on the board; 0 if it took none.

        >>> Position.from_usi("startpos moves 7g7f 3c3d 8h2b+").captured_piece == 5 + 16
        True
        """
    def hand(self, color: int) -> dict[str, int]:
        """The pieces in a side's (0, 1) hand, as counts by letter; kinds that it lacks are left out.

        >>> Position("4k4/9/9/9/9/9/9/9/4K4 b R2P 1").hand(0)
        {'R': 1, 'P': 2}
        """
    def attackers(self, square: str, color: int | None = None) -> list[str]:
        """The squares of the pieces that attack a square, of one side (0, 1) or of both; pins do not matter.

        >>> Position().attackers("5c"), Position().attackers("2c", 1)
        ([], ['2b'])"""
    def checkers(self) -> list[str]:
        """The squares of the pieces that give check to the side to move.

        >>> Position("4k4/9/9/9/4r4/9/9/9/4K4 b - 1").checkers()
        ['5e']
        """
    def pinned(self, color: int | None = None) -> list[str]:
        """The squares of the pieces of a side (0, 1; without it, the side to move) that alone shield their own king
        from a rook, a bishop or a lance.

        >>> Position("4k4/9/9/9/4r4/9/9/4G4/4K4 b - 1").pinned()
        ['5h']
        """
    def svg(self, arrows: Iterable[str] = (), flipped: bool = False, size: int | None = None,
            last_move: str | None = None, ranks: str = "western") -> str:
        """The board as a picture in SVG, `size` pixels wide (390 without it). The target of the last move, or of
        `last_move`, is marked. `arrows` show moves, the first with a strong arrow. All these moves are in USI and need
        not be legal. Seen by Black, or by White if `flipped`. Ranks are letters, or if "japanese" 一 to 九. Notebooks
        show positions like this."""
    def _repr_svg_(self) -> str: ...
    def format_move(self, usi: str, notation: str = "japanese") -> str:
        """A legal move as people write it: "japanese", "kif", "csa" or "western". Raises UserError if it is not legal.

        >>> [Position().format_move("7g7f", notation) for notation in ("japanese", "kif", "csa", "western")]
        ['▲７六歩', '７六歩(77)', '+7776FU', 'P-7f']
        """
    def format_moves(self, moves: Iterable[str], notation: str = "japanese") -> list[str]:
        """The texts of a line of moves, played one after another from here; see `format_move`.

        >>> Position().format_moves(["7g7f", "3c3d", "8h2b+", "3a2b"])
        ['▲７六歩', '△３四歩', '▲２二角成', '△同　銀']
        """
    def parse_move(self, text: str) -> str:
        """The move, in USI, that a text means. The text is in USI, in a notation of `format_move`, or as XBoard writes
        moves. Raises UserError if it is no move, not legal, or could be several.

        >>> [Position().parse_move(text) for text in ("▲７六歩", "76歩(77)", "+7776FU", "P-7f", "7g7f")]
        ['7g7f', '7g7f', '7g7f', '7g7f', '7g7f']
        """
    def legal_moves(self, from_square: str | None = None) -> list[str]:
        """Every legal move, in USI, in no particular order; with `from_square`, only the moves of the piece there.

        >>> position = Position("4k4/9/4P4/9/9/9/9/9/4K4 b - 1")
        >>> len(position.legal_moves()), sorted(position.legal_moves(from_square="5c"))
        (7, ['5c5b', '5c5b+'])"""
    def is_legal(self, usi: str) -> bool:
        """Whether a move may be played; a text that is no move raises UserError."""
    def gives_check(self, usi: str) -> bool:
        """Whether a legal move gives check. Raises UserError if it is not legal."""
    def push(self, usi: str) -> None:
        """Play a move. Raises UserError, with nothing changed, if it is not legal.

        >>> Position().push("5a5b")
        Traceback (most recent call last):
        ...
        engine.UserError: '5a5b' is not legal in 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1'
        """
    def push_null(self) -> None:
        """Pass the turn, which no rule of shogi allows, to see what the other side threatens. Raises UserError in
        check.

        >>> position = Position()
        >>> position.push_null()
        >>> position.turn, position.moves, position.pop()
        (1, ['null'], 'null')"""
    def pop(self) -> str:
        """Take the last move, or null move, back and return it. Raises IndexError at the set-up."""
    def peek(self) -> str:
        """The last move, or null move, which `pop` would take back. Raises IndexError at the set-up.

        >>> Position.from_usi("startpos moves 7g7f").peek()
        '7g7f'
        """
    def is_mate(self) -> bool:
        """Whether the side to move has no legal move (in shogi that loses, in check or not)."""
    def repetition(self) -> str:
        """The verdict on a fourth occurrence of this position, for the side to move: "draw", or "win" or "loss" if one
        side has given perpetual check; "none" as long as it has not occurred four times.

        >>> position = Position()
        >>> for move in 3 * ["2h3h", "8b7b", "3h2h", "7b8b"]:
        ...     position.push(move)
        >>> position.repetition()
        'draw'
        """
    def repetition_in_search(self) -> str:
        """The verdict of a search: at the second occurrence; and "superior" or "inferior" where the board has come
        again with more, or less, in the hand of the side to move.

        >>> position = Position.from_usi("startpos moves 2h3h 8b7b 3h2h 7b8b")
        >>> position.repetition(), position.repetition_in_search()
        ('none', 'draw')
        >>> board = "sfen 4k4/9/9/9/9/9/9/5R3/4K4 w p 1"
        >>> Position.from_usi(f"{board} moves P*4g 4h4g 5a5b 4g4i 5b5a 4i4h").repetition_in_search()
        'inferior'
        """
    def can_declare(self, rule: str = "CSARule27") -> bool:
        """Whether the side to move wins by the entering-king rule named: CSARule24, CSARule24H, CSARule27, CSARule27H
        (by announcing it), TryRule (by a king's move to 5a or 5i) or NoEnteringKing (never).

        >>> Position().can_declare("CSARule27")
        False
        """
    def declaration(self, rule: str = "CSARule27", color: int | None = None) -> Declaration:
        """The progress of a side (0, 1; without it, the side to move) towards declaring a win: a `Declaration`. Raises
        UserError for TryRule and NoEnteringKing, by which no points count.

        >>> Position().declaration()
        Declaration(points=0, needed=28, pieces=0, has_entered=False)"""
    def perft(self, depth: int, bulk: bool = True) -> int:
        """The number of leaves of the tree of legal moves. With `bulk` the last ply is counted without being played.

        >>> Position().perft(3)
        25470
        """
    def divide(self, depth: int) -> dict[str, int]:
        """The leaves under each legal move, `depth` counted from here (1 gives 1 for each)."""
