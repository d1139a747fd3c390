"""The Python class of positions. Its moves are written in USI notation."""
from libc.string cimport memcmp

from engine cimport perft as counting
from engine.fastsfen cimport require_no_check, set_sfen, sfen_of
from engine.movegen cimport has_legal, is_legal, legal
from engine.movetext cimport move_of, square_names, square_of, usi_of
from engine.position cimport (State, attackers_to, blockers, copy, do_move, do_null, gives_check, in_check, init, key,
                              occupied, release, reserve, undo_move, undo_null)
from engine.rules cimport (NO_ENTERING_KING, TRY_RULE, EnteringKingRule, can_declare, declaration_points, has_entered,
                           points_needed, repetition, repetition_in_search, try_move)
from engine.types cimport (BLACK, KING, MATE, MATE_IN_MAX_PLY, MAX_MOVES, MAX_PLY, MOVE_NONE, MOVE_NULL, NO_SQUARE,
                           PAWN, SQUARES, SUPERIOR, WHITE, Hand, hand_count, hand_has, is_drop, move_from, move_to,
                           u128, u64)

import warnings

from engine.declaration import Declaration
from engine.errors import (
    Listed, OutOfMemory, UserError, require_side, require_square, require_texts, text as require_text, whole,
)
from engine.pieces import HAND_ORDER, LETTERS, square_name
from engine.rules import RULES, VERDICTS
from engine.sfen import NULL_MOVE, STARTPOS_SFEN, Placement, mirror_move, mirror_sfen, parse_position, syntax_faults

# A function that loads the module for drawing positions and for moves in notation; set by the package `engine`. That
# module is pure Python, and nothing compiled imports it.
for_people = None

# The constants of types.pxd for scores and depth, under Python names. `globals()` is used because a plain assignment
# would assign to the C names.
globals().update(MATE=MATE, MATE_IN_MAX_PLY=MATE_IN_MAX_PLY, MAX_PLY=MAX_PLY, SUPERIOR=SUPERIOR)


cdef list NAMES_OF_SQUARES = [square_name(square) for square in range(SQUARES)]


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
            raise OutOfMemory("no memory for a position")

    def __dealloc__(self):
        release(&self.pos)

    def __init__(self, sfen=None):
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
        text = STARTPOS_SFEN if sfen is None else require_text("sfen", sfen)
        set_sfen(&self.pos, text)
        require_no_check(&self.pos, text)
        self.initial_sfen = sfen_of(&self.pos)

    @classmethod
    def from_usi(cls, text):
        """The position of the arguments of USI's `position`: "startpos", "sfen …" or a bare SFEN, then "moves …".

        Raises UserError as the constructor and `push` do.

        >>> Position.from_usi("startpos moves 7g7f 3c3d").move_number
        3
        """
        sfen, moves = parse_position(require_text("text", text))
        position = cls(sfen)
        for move in moves:
            position.push(move)
        return position

    def copy(self):
        """An equal position with the same history, independent of this one. A copy of a subclass's object is of that
        subclass, with the same attributes (not copies of them)."""
        twin = copied(self, type(self))
        _take_attributes(twin, _attributes(self))
        return twin

    def __reduce__(self):
        return _replayed, (type(self), self.initial_sfen, self.moves), _attributes(self)

    def mirrored(self):
        """The left-right image, with the moves that led to it: file 1 becomes file 9, the sides stay. The rules do not
        distinguish left and right, so both positions are equivalent, and the moves of one are the images of the
        other's. An object of a subclass gives one of that subclass, as with `copy`.

        >>> Position("4k4/9/9/9/9/9/9/7R1/4K4 b P 1").mirrored().sfen
        '4k4/9/9/9/9/9/9/1R7/4K4 b P 1'
        """
        image = _replayed(type(self), mirror_sfen(self.initial_sfen), map(mirror_move, self.moves))
        _take_attributes(image, _attributes(self))
        return image

    def __eq__(self, other):
        """Whether board, hands and side to move are the same, as the rule of repetition compares them. The move number
        and the moves before do not count.

        >>> one, other = Position(), Position()
        >>> for move in ("2h3h", "8b7b", "3h2h", "7b8b"):
        ...     one.push(move)
        >>> one == other, hash(one) == hash(other)
        (True, True)
        """
        if not isinstance(other, Position):
            return NotImplemented
        cdef const Pos* theirs = &(<Position>other).pos
        return (self.pos.turn == theirs.turn and self.pos.hand[BLACK] == theirs.hand[BLACK]
                and self.pos.hand[WHITE] == theirs.hand[WHITE]
                and not memcmp(self.pos.board, theirs.board, sizeof(theirs.board)))

    def __hash__(self):
        """A hash, which changes with each move. So put a copy into a set or a dict, or play no moves on a position
        while a set or dict holds it."""
        return hash(self.key)

    # What it is.

    @property
    def placement(self):
        """The board, hands, side to move and move number: a `Placement`."""
        cdef int color, kind
        return Placement([self.pos.board[square] for square in range(SQUARES)],
                         tuple([0, *(hand_count(self.pos.hand[color], kind) for kind in range(PAWN, KING))]
                               for color in range(2)),
                         self.pos.turn, self.pos.ply)

    @property
    def sfen(self):
        """The position as a canonical SFEN with its move number."""
        return sfen_of(&self.pos)

    @property
    def turn(self):
        """The side to move: 0 Black (sente), 1 White (gote)."""
        return self.pos.turn

    @property
    def move_number(self):
        """The number of the next move, as an SFEN counts: 1 at the start of a game."""
        return self.pos.ply

    @property
    def ply(self):
        """The old name of `move_number`. A ply is a move played: GameNode.ply and GameRecord count them, from 0."""
        warnings.warn("Position.ply is now Position.move_number; it counts from 1, as an SFEN does, and GameNode.ply "
                      "from 0", DeprecationWarning)
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
        """The moves played since the set-up, in USI; a turn that was passed is "null"."""
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
        return self.pos.board[square_of(require_square(square), 0)]

    def piece_map(self):
        """The codes of all pieces on the board, as of `piece_at`, by their squares.

        >>> Position("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").piece_map()
        {'5a': 24, '5c': 1, '5i': 8}
        """
        cdef int square
        return {NAMES_OF_SQUARES[square]: self.pos.board[square] for square in range(SQUARES) if self.pos.board[square]}

    def king_square(self, color):
        """The square of a side's king (0, 1); None if it has none.

        >>> Position().king_square(0), Position("4k4/9/9/9/9/9/9/9/9 b P 1").king_square(0)
        ('5i', None)
        """
        cdef int square = self.pos.king[require_side(color)]
        return None if square == NO_SQUARE else NAMES_OF_SQUARES[square]

    @property
    def captured_piece(self):
        """The code of the piece that the last move took, as it stood on the board; 0 if it took none.

        >>> Position.from_usi("startpos moves 7g7f 3c3d 8h2b+").captured_piece == 5 + 16
        True
        """
        return self.pos.state.captured if self.pos.state > self.pos.states and self.pos.state.move != MOVE_NULL else 0

    def hand(self, color):
        """The pieces in a side's (0, 1) hand, as counts by letter; kinds that it lacks are left out.

        >>> Position("4k4/9/9/9/9/9/9/9/4K4 b R2P 1").hand(0)
        {'R': 1, 'P': 2}
        """
        cdef Hand held = self.pos.hand[require_side(color)]
        return {LETTERS[kind]: hand_count(held, kind)
                for kind in HAND_ORDER if hand_has(held, kind)}

    def attackers(self, square, color=None):
        """The squares of the pieces that attack a square, of one side (0, 1) or of both; pins do not matter.

        >>> Position().attackers("5c"), Position().attackers("2c", 1)
        ([], ['2b'])
        """
        cdef u128 found = attackers_to(&self.pos, square_of(require_square(square), 0), occupied(&self.pos))
        return square_names(found if color is None else found & self.pos.by_color[require_side(color)])

    def checkers(self):
        """The squares of the pieces that give check to the side to move.

        >>> Position("4k4/9/9/9/4r4/9/9/9/4K4 b - 1").checkers()
        ['5e']
        """
        return square_names(self.pos.state.checkers)

    def pinned(self, color=None):
        """The squares of the pieces of a side (0, 1; without it, the side to move) that alone shield their own king
        from a rook, a bishop or a lance.

        >>> Position("4k4/9/9/9/4r4/9/9/4G4/4K4 b - 1").pinned()
        ['5h']
        """
        cdef int side = self.pos.turn if color is None else require_side(color)
        return square_names(blockers(&self.pos, side, side))

    def __str__(self):
        return for_people().draw(self.placement, self._last_move())

    def __repr__(self):
        return f"Position({self.sfen!r})"

    def _repr_svg_(self):
        return self.svg()

    def svg(self, arrows=(), flipped=False, size=None, last_move=None, ranks="western"):
        """The board as a picture in SVG, `size` pixels wide (390 without it). The target of the last move, or of
        `last_move`, is marked. `arrows` show moves, the first with a strong arrow. All these moves are in USI and need
        not be legal. Seen by Black, or by White if `flipped`. Ranks are letters, or if "japanese" 一 to 九. Notebooks
        show positions like this."""
        arrows = [_require_arrow(arrow) for arrow in require_texts("arrows", arrows)]
        last = self._last_move() if last_move is None else usi_of(move_of(require_text("last_move", last_move)))
        width = None if size is None else whole("size", size, 1)
        return for_people().draw_svg(self.placement, last, arrows, bool(flipped), width, ranks)

    cdef _last_move(self):
        """The last move in USI; None if there is none or it was a null move."""
        cdef bint is_played = self.pos.state > self.pos.states and self.pos.state.move != MOVE_NULL
        return usi_of(self.pos.state.move) if is_played else None

    # Moves in other notations.

    def format_move(self, usi, notation="japanese"):
        """A legal move as people write it: "japanese", "kif", "csa" or "western". Raises UserError if it is not legal.

        >>> [Position().format_move("7g7f", notation) for notation in ("japanese", "kif", "csa", "western")]
        ['▲７六歩', '７六歩(77)', '+7776FU', 'P-7f']
        """
        return for_people().format_move(self, text_of("usi", usi), text_of("notation", notation))

    def format_moves(self, moves, notation="japanese"):
        """The texts of a line of moves, played one after another from here; see `format_move`.

        >>> Position().format_moves(["7g7f", "3c3d", "8h2b+", "3a2b"])
        ['▲７六歩', '△３四歩', '▲２二角成', '△同　銀']
        """
        node, texts = copied(self, Position), []
        for move in require_texts("moves", moves):
            texts.append(node.format_move(move, notation))
            node.push(move)
        return texts

    def parse_move(self, text):
        """The move, in USI, that a text means. The text is in USI, in a notation of `format_move`, or as XBoard writes
        moves. Raises UserError if it is no move, not legal, or could be several.

        >>> [Position().parse_move(text) for text in ("▲７六歩", "76歩(77)", "+7776FU", "P-7f", "7g7f")]
        ['7g7f', '7g7f', '7g7f', '7g7f', '7g7f']
        """
        return for_people().parse_move(self, text_of("text", text))

    # Moves.

    def legal_moves(self, from_square=None):
        """Every legal move, in USI, in no particular order; with `from_square`, only the moves of the piece there.

        >>> position = Position("4k4/9/4P4/9/9/9/9/9/4K4 b - 1")
        >>> len(position.legal_moves()), sorted(position.legal_moves(from_square="5c"))
        (7, ['5c5b', '5c5b+'])
        """
        cdef Move[MAX_MOVES] moves
        cdef int i, origin
        cdef int count = legal(&self.pos, moves)
        if from_square is None:
            return [usi_of(moves[i]) for i in range(count)]
        origin = square_of(require_square(from_square), 0)
        return [usi_of(moves[i]) for i in range(count) if not is_drop(moves[i]) and move_from(moves[i]) == origin]

    def is_legal(self, usi):
        """Whether a move may be played; a text that is no move raises UserError."""
        return is_legal(&self.pos, move_of(text_of("usi", usi)))

    def gives_check(self, usi):
        """Whether a legal move gives check. Raises UserError if it is not legal."""
        return gives_check(&self.pos, self.legal_move(usi))

    cdef Move legal_move(self, usi) except? 0:
        cdef Move move = move_of(text_of("usi", usi))
        if not is_legal(&self.pos, move):
            raise UserError("{text!r} is not legal in {sfen!r}", text=usi, sfen=self.sfen)
        return move

    def push(self, usi):
        """Play a move. Raises UserError, with nothing changed, if it is not legal.

        >>> Position().push("5a5b")
        Traceback (most recent call last):
        ...
        engine.UserError: '5a5b' is not legal in 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1'
        """
        cdef Move move = self.legal_move(usi)
        if reserve(&self.pos, 1) < 0:
            raise OutOfMemory("no memory for ply {ply}", ply=self.pos.ply)
        do_move(&self.pos, move)

    def push_null(self):
        """Pass the turn, which no rule of shogi allows, to see what the other side threatens. Raises UserError in
        check.

        >>> position = Position()
        >>> position.push_null()
        >>> position.turn, position.moves, position.pop()
        (1, ['null'], 'null')
        """
        if in_check(&self.pos):
            raise UserError("a side in check cannot pass its turn").at(repr(self.sfen))
        if reserve(&self.pos, 1) < 0:
            raise OutOfMemory("no memory for ply {ply}", ply=self.pos.ply)
        do_null(&self.pos)

    def pop(self):
        """Take the last move, or null move, back and return it. Raises IndexError at the set-up."""
        cdef Move move = self._require_played()
        if move == MOVE_NULL:
            undo_null(&self.pos)
        else:
            undo_move(&self.pos)
        return usi_of(move)

    def peek(self):
        """The last move, or null move, which `pop` would take back. Raises IndexError at the set-up.

        >>> Position.from_usi("startpos moves 7g7f").peek()
        '7g7f'
        """
        return usi_of(self._require_played())

    cdef Move _require_played(self) except? 0:
        if self.pos.state == self.pos.states:
            raise IndexError("no move to take back")
        return self.pos.state.move

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

    def repetition_in_search(self):
        """The verdict of a search: at the second occurrence; and "superior" or "inferior" where the board has come
        again with more, or less, in the hand of the side to move.

        >>> position = Position.from_usi("startpos moves 2h3h 8b7b 3h2h 7b8b")
        >>> position.repetition(), position.repetition_in_search()
        ('none', 'draw')
        >>> board = "sfen 4k4/9/9/9/9/9/9/5R3/4K4 w p 1"
        >>> Position.from_usi(f"{board} moves P*4g 4h4g 5a5b 4g4i 5b5a 4i4h").repetition_in_search()
        'inferior'
        """
        cdef int distance = 0
        return VERDICTS[repetition_in_search(&self.pos, self.pos.state.plies + 1, True, &distance)]

    def can_declare(self, rule="CSARule27"):
        """Whether the side to move wins by the entering-king rule named: CSARule24, CSARule24H, CSARule27, CSARule27H
        (by announcing it), TryRule (by a king's move to 5a or 5i) or NoEnteringKing (never).

        >>> Position().can_declare("CSARule27")
        False
        """
        cdef EnteringKingRule chosen = _require_rule(rule)
        if chosen == TRY_RULE:
            return try_move(&self.pos) != MOVE_NONE
        return can_declare(&self.pos, chosen)

    def declaration(self, rule="CSARule27", color=None):
        """The progress of a side (0, 1; without it, the side to move) towards declaring a win: a `Declaration`. Raises
        UserError for TryRule and NoEnteringKing, by which no points count.

        >>> Position().declaration()
        Declaration(points=0, needed=28, pieces=0, has_entered=False)
        """
        cdef EnteringKingRule chosen = _require_rule(rule)
        cdef int side = self.pos.turn if color is None else require_side(color)
        cdef int in_camp = 0
        cdef int points = declaration_points(&self.pos, side, &in_camp)
        if chosen == TRY_RULE or chosen == NO_ENTERING_KING:
            raise UserError("{rule!r} counts no points; choose one of the CSA rules", rule=rule)
        return Declaration(points, points_needed(&self.pos, side, chosen), in_camp, has_entered(&self.pos, side))

    # Perft.

    def perft(self, depth, bint bulk=True):
        """The number of leaves of the tree of legal moves. With `bulk` the last ply is counted without being played.

        >>> Position().perft(3)
        25470
        """
        cdef u64 nodes
        cdef int plies = whole("depth", depth, 0, MAX_PLY)
        # On a copy, because another thread may use this position while the GIL is released.
        cdef Position own = copied(self, Position)
        if reserve(&own.pos, plies) < 0:
            raise OutOfMemory("no memory for {count} plies", count=plies)
        with nogil:
            nodes = counting.perft(&own.pos, plies) if bulk else counting.perft_by_playing(&own.pos, plies)
        return nodes

    def divide(self, depth):
        """The leaves under each legal move, `depth` counted from here (1 gives 1 for each)."""
        cdef int plies = whole("depth", depth, 1, MAX_PLY)
        cdef Position own = copied(self, Position)
        leaves = {}
        for move in own.legal_moves():
            own.push(move)
            leaves[move] = own.perft(plies - 1)
            own.pop()
        return leaves


cdef Position copied(Position position, kind):
    """A copy as a `Position`, or an object of the subclass `kind`, none of whose code runs."""
    cdef Position twin = Position.__new__(kind)
    release(&twin.pos)
    if copy(&twin.pos, &position.pos, 64) < 0:
        raise OutOfMemory("no memory for a position")
    twin.initial_sfen = position.initial_sfen
    return twin


def _replayed(kind, sfen, moves):
    """The position with this set-up and these moves; pickles call it."""
    cdef Position position = Position.__new__(kind)
    Position.__init__(position, sfen)
    for move in moves:
        if move == NULL_MOVE:
            Position.push_null(position)
        else:
            Position.push(position, move)
    return position


cdef _attributes(position):
    """The attributes of an object of a subclass, as `object.__getstate__` returns them; None for a plain `Position`,
    which saves the 1.6 µs of that call."""
    return None if type(position) is Position else object.__getstate__(position)


cdef _take_attributes(position, state):
    """Give an object of a subclass the attributes that `_attributes` returned."""
    attributes, slots = state if isinstance(state, tuple) else (state, None)
    if attributes:
        position.__dict__.update(attributes)
    for name, value in (slots or {}).items():
        setattr(position, name, value)


cdef inline str text_of(str name, value):
    """The result of `require_text`; a plain str is returned without that call."""
    return <str>value if type(value) is str else require_text(name, value)


cdef EnteringKingRule _require_rule(rule) except *:
    if require_text("rule", rule) not in RULES:
        raise UserError("{rule!r} is not a rule; choose from {rules}", rule=rule, rules=Listed(RULES))
    return RULES[rule]


def _require_arrow(usi):
    cdef Move move = move_of(usi)
    if not is_drop(move) and move_from(move) == move_to(move):
        raise UserError("{usi!r} is no arrow: it ends where it begins", usi=usi)
    return usi_of(move)


def sfen_faults(sfen):
    """The faults of an SFEN, a text for each; none if `Position` accepts it.

    >>> sfen_faults("4k4/9/9/9/9/9/9/9/PP2P4 x -")
    ["the side to move is b or w, not 'x'", "'P' on rank i could never move"]
    """
    if faults := syntax_faults(require_text("sfen", sfen)):
        return faults
    try:
        Position(sfen)
    except UserError as fault:
        return [str(fault.fault)]
    return []
