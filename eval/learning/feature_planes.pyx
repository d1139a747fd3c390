"""Positions as feature planes of the board, and moves as labels on such planes, for users' own networks."""
import numpy as np

from engine.board cimport Position
from engine.movegen cimport is_legal
from engine.packed cimport APERY, PACKED_BYTES, YANEURAOU, Placed, move_of_apery, set_up, unpack
from engine.position cimport Pos, in_check, init, release
from engine.types cimport (DRAGON, GOLD, PAWN, SQUARES, WHITE, Move, color_of, dropped_kind, file_of, hand_count, i64,
                           is_drop, is_promotion, kind_of, move_from, move_to, rank_of, u16, u8)

from engine.errors import OutOfMemory, UserError
from engine.pieces import NAMES
from eval.learning.records import HCPE, PSV, require_records

ctypedef fused Cell:        # of planes as they are filled; all other dtypes are made from the first
    u8
    float

cdef enum:
    KNIGHTS_STEPS = 8       # directions: the queen's steps, two of a knight, the same of moves that promote
    DIRECTIONS = 10
    DROPS = 2 * DIRECTIONS  # then the kinds that may be dropped
    IN_HANDS = 2 * DRAGON   # planes: those of the pieces on the board come before
    IN_CHECK = IN_HANDS + 2 * GOLD
    PLANE_COUNT = IN_CHECK + 1
    NO_MOVE = -1

# What each plane shows. "own" is the side to move.
PLANES = (*(f"{owner} {name}" for owner in ("own", "other") for name in NAMES[PAWN:]),
          *(f"{owner} {name}s in hand" for owner in ("own", "other") for name in NAMES[PAWN:GOLD + 1]),
          "in check")
_STEPS = ("up", "up left", "up right", "left", "right", "down", "down left", "down right", "knight's left",
          "knight's right")
# The meaning of each plane of labels: how a piece gets to a square, as the side to move sees it.
LABELS = (*_STEPS, *(f"{step}, promoting" for step in _STEPS), *(f"{name} dropped" for name in NAMES[PAWN:GOLD + 1]))
assert len(PLANES) == PLANE_COUNT

# The direction, by the ranks that the piece goes down and the files that it goes left, each plus 1.
cdef int[3][3] step_of = [[2, 0, 1], [4, NO_MOVE, 3], [7, 5, 6]]


cdef inline int cell(int square, int turn) noexcept nogil:
    """The index of a square in a plane: by rows from the farthest rank, each from left to right."""
    cdef int seen = 9 * rank_of(square) + 8 - file_of(square)
    return SQUARES - 1 - seen if turn == WHITE else seen


cdef inline int sign(int number) noexcept nogil:
    return (number > 0) - (number < 0)


cdef void fill(Cell* planes, const Pos* pos) noexcept nogil:
    """`planes` holds zeros."""
    cdef int square, piece, side, kind
    for square in range(SQUARES):
        piece = pos.board[square]
        if piece:
            kind = kind_of(piece) - PAWN + (0 if color_of(piece) == pos.turn else DRAGON)
            planes[kind * SQUARES + cell(square, pos.turn)] = 1
    for side in range(2):
        for kind in range(PAWN, GOLD + 1):
            fill_plane(planes, IN_HANDS + GOLD * side + kind - PAWN, hand_count(pos.hand[pos.turn ^ side], kind))
    fill_plane(planes, IN_CHECK, in_check(pos))


cdef inline void fill_plane(Cell* planes, int plane, int number) noexcept nogil:
    cdef int i
    if number:
        for i in range(SQUARES):
            planes[plane * SQUARES + i] = <Cell>number


cdef int label_of(Move move, int turn) noexcept nogil:
    """Of a legal move."""
    cdef int target = cell(move_to(move), turn)
    cdef int origin, down, left, plane
    if is_drop(move):
        return (DROPS + dropped_kind(move) - PAWN) * SQUARES + target
    origin = cell(move_from(move), turn)
    down, left = target // 9 - origin // 9, origin % 9 - target % 9
    if down == -2 and abs(left) == 1:
        plane = KNIGHTS_STEPS + (left < 0)
    else:
        plane = step_of[sign(down) + 1][sign(left) + 1]
    return (plane + (DIRECTIONS if is_promotion(move) else 0)) * SQUARES + target


cdef Py_ssize_t open_all(Cell* planes, i64* labels, const u8* packed, const u16* moves, Py_ssize_t count, int coding,
                         Pos* pos) noexcept nogil:
    """The index of the first record that is wrong; -1 if none is."""
    cdef Placed placed
    cdef Py_ssize_t i
    cdef Move move
    for i in range(count):
        if not unpack(&placed, &packed[i * PACKED_BYTES], coding):
            return i
        set_up(pos, &placed)
        fill(&planes[i * PLANE_COUNT * SQUARES], pos)
        if moves[i]:
            move = move_of_apery(moves[i]) if coding == APERY else moves[i]
            if not is_legal(pos, move):
                return i
            labels[i] = label_of(move, pos.turn)
    return -1


cdef zero_planes(Py_ssize_t count, dtype):
    return np.zeros((count, PLANE_COUNT, 9, 9), np.float32 if np.dtype(dtype) == np.float32 else np.uint8)


cdef inline void* address(array):
    return <void*><size_t>array.ctypes.data


def feature_planes(positions, dtype=np.float32):
    """The planes named by PLANES, as an array of shape [positions, planes, 9, 9].

    The board is seen by the side to move: row 0 is the farthest rank; column 0 is file 9 for Black, file 1 for White. A
    piece's plane has 1 on its squares. A hand's plane has the number of pieces everywhere. The last plane is 1
    everywhere if the side to move is in check.

    >>> planes = feature_planes([Position()])
    >>> planes.shape, planes[0, PLANES.index("own rook")].nonzero()
    ((1, 43, 9, 9), (array([7]), array([7])))
    """
    cdef Py_ssize_t i, count = len(positions)
    planes = zero_planes(count, dtype)
    cdef bint is_float = planes.dtype == np.float32
    cdef void* start = address(planes)
    for i, position in zip(range(count), positions):        # however many more it yields
        if is_float:
            fill(&(<float*>start)[i * PLANE_COUNT * SQUARES], &(<Position?>position).pos)
        else:
            fill(&(<u8*>start)[i * PLANE_COUNT * SQUARES], &(<Position?>position).pos)
    return planes.astype(dtype, copy=False)


def policy_label(Position position not None, usi):
    """The label of a legal move: 81 times the number of its plane, one of LABELS, plus the square it goes to, row by
    row as in `feature_planes`. Raises UserError if it is not legal.

    >>> divmod(policy_label(Position(), "7g7f"), 81)    # up, to row 5, column 2
    (0, 47)
    """
    return label_of(position.legal_move(usi), position.pos.turn)


def planes_and_labels(records, dtype=np.float32):
    """The `feature_planes` of a one-dimensional array of HCPE or PSV, and the `policy_label` of each move: int64, -1
    for no move.

    Raises TypeError for anything else. Raises UserError, with its index, for a record that holds no position or a move
    that is not legal there.
    """
    require_records(records, HCPE, PSV)
    packed, move, coding = ("hcp", "bestMove16", APERY) if records.dtype == HCPE else ("sfen", "move", YANEURAOU)
    bits, moves = np.ascontiguousarray(records[packed]), np.ascontiguousarray(records[move])
    planes, labels = zero_planes(len(records), dtype), np.full(len(records), NO_MOVE, np.int64)
    cdef bint is_float = planes.dtype == np.float32
    cdef void* start = address(planes)
    cdef i64* labelled = <i64*>address(labels)
    cdef const u8* packed_bits = <const u8*>address(bits)
    cdef const u16* packed_moves = <const u16*>address(moves)
    cdef Py_ssize_t wrong, count = len(records)
    cdef int code = coding
    cdef Placed placed
    cdef Pos pos
    if init(&pos, 1):
        raise OutOfMemory("no room for a position")
    with nogil:
        if is_float:
            wrong = open_all(<float*>start, labelled, packed_bits, packed_moves, count, code, &pos)
        else:
            wrong = open_all(<u8*>start, labelled, packed_bits, packed_moves, count, code, &pos)
    release(&pos)
    if wrong >= 0 and unpack(&placed, &packed_bits[wrong * PACKED_BYTES], code):
        raise UserError("record {number} holds the move {move:#06x}, which is not legal in its position",
                        number=wrong, move=moves[wrong])
    if wrong >= 0:
        raise UserError("record {number} holds {hex}, which is no packed position", number=wrong,
                        hex=bits[wrong].tobytes().hex())
    return planes.astype(dtype, copy=False), labels
