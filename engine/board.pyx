"""The Python face of the core: a position to play on, with moves in USI notation."""
from engine cimport perft as counting
from engine.movegen cimport has_legal, is_legal, legal
from engine.position cimport (State, attacked, clear, copy, do_move, give, gives_check, in_check, init, key, occupied,
                              put, release, reserve, settle, undo_move)
from engine.rules cimport (BETTER, CSA_24, CSA_24_H, CSA_27, CSA_27_H, LOST_BY_CHECKS, NO_ENTERING_KING, NO_REPETITION,
                           REPEATED, TRY_RULE, WON_BY_CHECKS, WORSE, EnteringKingRule, can_declare, repetition,
                           try_move)
from engine.types cimport SUPERIOR

from engine.text import pieces
from engine.text.picture import draw
from engine.text.sfen import STARTPOS_SFEN, Placement, format_sfen, parse_position, parse_sfen

cdef str HAND_LETTERS = pieces.LETTERS[:KING]       # by kind
cdef str FILES = pieces.FILES
cdef str RANKS = pieces.RANKS

# For Python, what types.pxd says of scores and of how deep a search may go: an assignment would mean the C names.
globals().update(MATE=MATE, MATE_IN_MAX_PLY=MATE_IN_MAX_PLY, MAX_PLY=MAX_PLY, SUPERIOR=SUPERIOR)

RULES = {
    "NoEnteringKing": NO_ENTERING_KING,
    "CSARule24": CSA_24,
    "CSARule24H": CSA_24_H,
    "CSARule27": CSA_27,
    "CSARule27H": CSA_27_H,
    "TryRule": TRY_RULE,
}

VERDICTS = {
    NO_REPETITION: "none",
    REPEATED: "draw",
    WON_BY_CHECKS: "win",
    LOST_BY_CHECKS: "loss",
    BETTER: "superior",
    WORSE: "inferior",
}


# -- Text of moves -----------------------------------------------------------------------------------------------------

cdef inline str square_name(int square):
    return FILES[file_of(square)] + RANKS[rank_of(square)]


cdef int square_of(str text, int start) except -1:
    """The square named by two characters of `text`, or a ValueError."""
    cdef int file = FILES.find(text[start])
    cdef int rank = RANKS.find(text[start + 1])
    if file < 0 or rank < 0:
        raise ValueError(f"{text!r} names no square at {text[start:start + 2]!r}; squares run from 1a to 9i")
    return file * 9 + rank


cdef str usi_of(Move move):
    cdef str target = square_name(move_to(move))
    if is_drop(move):
        return HAND_LETTERS[dropped_kind(move)] + "*" + target
    return square_name(move_from(move)) + target + ("+" if is_promotion(move) else "")


cdef Move move_of(str usi) except? 0:
    cdef int kind
    if len(usi) == 4 and usi[1] == "*":
        kind = HAND_LETTERS.find(usi[0])
        if kind < PAWN:
            raise ValueError(f"{usi!r} drops no piece; a drop is written as in P*5e, with one of PLNSGBR")
        return make_drop(kind, square_of(usi, 2))
    if len(usi) == 4:
        return make_move(square_of(usi, 0), square_of(usi, 2))
    if len(usi) == 5 and usi[4] == "+":
        return make_promotion(square_of(usi, 0), square_of(usi, 2))
    raise ValueError(f"{usi!r} is not a move; write it as 7g7f, 2b3c+ or P*5e")


# -- The position ------------------------------------------------------------------------------------------------------

cdef class Position:
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

    def __cinit__(self, *args, **kwargs):
        if init(&self.pos, 64) < 0:
            raise MemoryError("no memory for a position")

    def __dealloc__(self):
        release(&self.pos)

    def __init__(self, sfen=None):
        """The position of an SFEN, or the start position.

        Raises ValueError, quoting the text, if it is malformed or cannot occur: two kings of a side, more pieces than
        a set has, two pawns of a side on a file, a piece that could never move, or the side not to move in check. A
        king may be missing, as in mate problems.

        >>> Position("4k4/9/9/9/9/9/9/9/9 b P 1").turn
        0
        >>> Position("4k4/4R4/9/9/9/9/9/9/4K4 b - 1")
        Traceback (most recent call last):
        ...
        ValueError: '4k4/4R4/9/9/9/9/9/9/4K4 b - 1': White is in check, but it is Black's turn
        """
        text = STARTPOS_SFEN if sfen is None else sfen
        if not isinstance(text, str):
            raise TypeError(f"an SFEN is a str, not {type(text).__name__}")
        self.set_up(parse_sfen(text), text)

    cdef set_up(self, placement, text):
        cdef Pos* pos = &self.pos
        cdef int square, piece, color, kind, waiting
        board, hands, turn, ply = placement
        clear(pos)
        for square in range(SQUARES):
            piece = board[square]
            if piece:
                put(pos, piece, square)
        for color in range(2):
            for kind in range(PAWN, KING):
                give(pos, color, kind, hands[color][kind])
        settle(pos, turn, ply)
        waiting = turn ^ 1
        if pos.king[waiting] != NO_SQUARE and attacked(pos, turn, pos.king[waiting], occupied(pos)):
            names = ("Black", "White")
            raise ValueError(f"{text!r}: {names[waiting]} is in check, but it is {names[turn]}'s turn")
        self.initial_sfen = format_sfen(placement)

    @classmethod
    def from_usi(cls, text):
        """The position of what follows USI's `position`: "startpos", "sfen …" or a bare SFEN, then "moves …".

        Raises ValueError as the constructor and `push` do.

        >>> Position.from_usi("startpos moves 7g7f 3c3d").ply
        3
        """
        sfen, moves = parse_position(text)
        position = cls(sfen)
        for move in moves:
            position.push(move)
        return position

    def copy(self):
        """An equal position with the same history, independent of this one."""
        cdef Position twin = Position.__new__(Position)
        release(&twin.pos)
        if copy(&twin.pos, &self.pos, 64) < 0:
            raise MemoryError("no memory for a position")
        twin.initial_sfen = self.initial_sfen
        return twin

    def __reduce__(self):
        return _replayed, (self.initial_sfen, self.moves)

    # What it is.

    @property
    def placement(self):
        """What stands where, whose turn it is, and the ply: a `Placement`."""
        cdef int color, kind
        return Placement([self.pos.board[square] for square in range(SQUARES)],
                         tuple([0, *(hand_count(self.pos.hand[color], kind) for kind in range(PAWN, KING))]
                               for color in range(2)),
                         self.pos.turn, self.pos.ply)

    @property
    def sfen(self):
        """The position as a canonical SFEN with its move number."""
        return format_sfen(self.placement)

    @property
    def turn(self):
        """The side to move: 0 Black (sente), 1 White (gote)."""
        return self.pos.turn

    @property
    def ply(self):
        """The number of the next move, as an SFEN counts: 1 at the start of a game."""
        return self.pos.ply

    @property
    def in_check(self):
        """Whether the king of the side to move is attacked."""
        return in_check(&self.pos)

    @property
    def key(self):
        """A 64-bit key of board, hands and side to move: equal for equal positions, in every run."""
        return key(&self.pos)

    @property
    def moves(self):
        """The moves played since the set-up, in USI."""
        cdef const State* state = self.pos.states + 1
        played = []
        while state <= self.pos.state:
            played.append(usi_of(state.move))
            state += 1
        return played

    def piece_at(self, square):
        """The code of the piece on a square, 0 if there is none: kind 1..14, plus 16 if it is White's.

        >>> Position().piece_at("8h"), Position().piece_at("5e")
        (5, 0)
        """
        if not isinstance(square, str) or len(square) != 2:
            raise ValueError(f"{square!r} is not a square; write it as 5e")
        return self.pos.board[square_of(square, 0)]

    def hand(self, int color):
        """What a side (0, 1) holds in hand, by letter; kinds that it lacks are left out.

        >>> Position("4k4/9/9/9/9/9/9/9/4K4 b R2P 1").hand(0)
        {'R': 1, 'P': 2}
        """
        if color not in (BLACK, WHITE):
            raise ValueError(f"{color} is not a side; 0 is Black, 1 is White")
        cdef Hand held = self.pos.hand[color]
        return {HAND_LETTERS[kind]: hand_count(held, kind)
                for kind in (ROOK, BISHOP, GOLD, SILVER, KNIGHT, LANCE, PAWN) if hand_has(held, kind)}

    def __str__(self):
        return draw(self.placement, usi_of(self.pos.state.move) if self.pos.state > self.pos.states else None)

    def __repr__(self):
        return f"Position({self.sfen!r})"

    # Moves.

    def legal_moves(self):
        """Every legal move, in USI, in no particular order.

        >>> sorted(Position("4k4/9/4P4/9/9/9/9/9/4K4 b - 1").legal_moves())[:3]
        ['5c5b', '5c5b+', '5i4h']
        """
        cdef Move[MAX_MOVES] moves
        cdef int i
        return [usi_of(moves[i]) for i in range(legal(&self.pos, moves))]

    def is_legal(self, str usi):
        """Whether a move may be played; a text that is no move raises ValueError."""
        return is_legal(&self.pos, move_of(usi))

    def gives_check(self, str usi):
        """Whether a legal move gives check; ValueError if it is not legal."""
        return gives_check(&self.pos, self.legal_move(usi))

    cdef Move legal_move(self, str usi) except? 0:
        cdef Move move = move_of(usi)
        if not is_legal(&self.pos, move):
            raise ValueError(f"{usi!r} is not legal in {self.sfen!r}")
        return move

    def push(self, str usi):
        """Play a move; ValueError, and nothing changed, if it is not legal.

        >>> Position().push("5a5b")
        Traceback (most recent call last):
        ...
        ValueError: '5a5b' is not legal in 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1'
        """
        cdef Move move = self.legal_move(usi)
        if reserve(&self.pos, 1) < 0:
            raise MemoryError(f"no memory for ply {self.pos.ply}")
        do_move(&self.pos, move)

    def pop(self):
        """Take the last move back and return it; IndexError at the set-up."""
        if self.pos.state == self.pos.states:
            raise IndexError("no move to take back")
        cdef Move move = self.pos.state.move
        undo_move(&self.pos)
        return usi_of(move)

    # Rules.

    def is_mate(self):
        """Whether the side to move has no legal move (in shogi that loses, in check or not)."""
        return not has_legal(&self.pos)

    def repetition(self):
        """The verdict on a fourth occurrence of this position, for the side to move: "draw", or "win" or "loss" if one
        side has given perpetual check; "none" as long as it has not occurred four times.

        >>> position = Position()
        >>> for move in 3 * ["2h3h", "8b7b", "3h2h", "7b8b"]:
        ...     position.push(move)
        >>> position.repetition()
        'draw'
        """
        return VERDICTS[repetition(&self.pos)]

    def can_declare(self, rule="CSARule27"):
        """Whether the side to move wins by the entering-king rule named: CSARule24, CSARule24H, CSARule27, CSARule27H
        (by announcing it), TryRule (by a king's move to 5a or 5i) or NoEnteringKing (never).

        >>> Position().can_declare("CSARule27")
        False
        """
        if rule not in RULES:
            raise ValueError(f"{rule!r} is not a rule; choose from {', '.join(RULES)}")
        cdef EnteringKingRule chosen = RULES[rule]
        if chosen == TRY_RULE:
            return try_move(&self.pos) != MOVE_NONE
        return can_declare(&self.pos, chosen)

    # Perft.

    def perft(self, int depth, bint bulk=True):
        """The number of leaves of the tree of legal moves. With `bulk` the last ply is counted without being played.

        >>> Position().perft(3)
        25470
        """
        cdef u64 nodes
        if not 0 <= depth <= MAX_PLY:
            raise ValueError(f"perft depth {depth} is not between 0 and {MAX_PLY}")
        # On a copy: another thread may use this position while the interpreter is not held.
        cdef Position own = self.copy()
        if reserve(&own.pos, depth) < 0:
            raise MemoryError(f"no memory for {depth} plies")
        with nogil:
            nodes = counting.perft(&own.pos, depth) if bulk else counting.perft_by_playing(&own.pos, depth)
        return nodes

    def divide(self, int depth):
        """The leaves under each legal move, `depth` counted from here (1 gives 1 for each)."""
        if depth < 1:
            raise ValueError(f"divide depth {depth} is not at least 1")
        leaves = {}
        for move in self.legal_moves():
            self.push(move)
            leaves[move] = self.perft(depth - 1)
            self.pop()
        return leaves


def _replayed(sfen, moves):
    """A position by its set-up and moves; what a pickle calls."""
    position = Position(sfen)
    for move in moves:
        position.push(move)
    return position
