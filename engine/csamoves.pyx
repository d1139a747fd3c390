"""Fast replay of the moves of CSA records. `engine/records/csa.py` reads everything else and explains errors."""
from cpython.unicode cimport PyUnicode_AsUTF8AndSize

from engine.board cimport Position
from engine.errors import OutOfMemory
from engine.movegen cimport is_legal
from engine.movetext cimport usi_of
from engine.position cimport do_move, reserve
from engine.types cimport (GOLD, NO_PIECE, PAWN, PROMOTED, Move, kind_of, make_drop, make_move, make_promotion, u8)

KIND_NAMES = ". FU KY KE GI KA HI KI OU TO NY NK NG UM RY".split()      # by kind

cdef enum:
    MOST_SECONDS = 6            # digits of a time; longer ones are left to csa.py

cdef u8[26][26] kind_of_name    # by two letters; 0: none


cdef void fill_names():
    for kind, name in enumerate(KIND_NAMES):
        if kind:
            kind_of_name[ord(name[0]) - ord("A")][ord(name[1]) - ord("A")] = kind

fill_names()


cdef int square_at(const char* digits) noexcept nogil:
    """The square named by two digits, -1 if they name none."""
    return 9 * (digits[0] - c'1') + digits[1] - c'1' if c'1' <= digits[0] <= c'9' and c'1' <= digits[1] <= c'9' else -1


cdef Move move_at(Position position, const char* text) noexcept:
    """The move written in seven characters, such as +7776FU; 0 if it is malformed or not legal."""
    cdef int origin = square_at(text + 1)
    cdef int target = square_at(text + 3)
    cdef int kind, moved
    cdef Move move
    if text[0] != (c'-' if position.pos.turn else c'+') or target < 0:
        return 0
    if not c'A' <= text[5] <= c'Z' or not c'A' <= text[6] <= c'Z':
        return 0
    kind = kind_of_name[text[5] - c'A'][text[6] - c'A']
    if text[1] == c'0' and text[2] == c'0' and PAWN <= kind <= GOLD:
        move = make_drop(kind, target)
    elif origin >= 0 and position.pos.board[origin] != NO_PIECE:
        moved = kind_of(position.pos.board[origin])
        if kind != moved and kind != moved + PROMOTED:
            return 0
        move = make_move(origin, target) if kind == moved else make_promotion(origin, target)
    else:
        return 0
    return move if is_legal(&position.pos, move) else 0


cdef int seconds_at(const char* text, Py_ssize_t length) noexcept nogil:
    """The number after a T, as in T12; -1 if the text is anything else."""
    cdef int seconds = 0
    cdef Py_ssize_t i
    if not 2 <= length <= MOST_SECONDS + 1 or text[0] != c'T':
        return -1
    for i in range(1, length):
        if not c'0' <= text[i] <= c'9':
            return -1
        seconds = 10 * seconds + text[i] - c'0'
    return seconds


def play_lines(Position position not None, list lines not None, Py_ssize_t first, list moves not None,
               dict times not None):
    """Play the moves of `lines` from index `first` on, up to the first line that is neither move nor time. Returns the
    number of lines read. A line holds one move, with its time (`+7776FU,T12`) or without; the time may follow on the
    next line (`T12`). Appends each move to `moves` in USI, and sets its seconds in `times`, by the number of moves so
    far."""
    cdef Py_ssize_t number = first
    cdef Py_ssize_t length
    cdef const char* text
    cdef Move move
    cdef int seconds
    while number < len(lines):
        line = lines[number]
        if not line.isascii():
            break
        text = PyUnicode_AsUTF8AndSize(line, &length)
        if length >= 7 and (length == 7 or text[7] == c','):
            seconds = seconds_at(text + 8, length - 8) if length > 7 else 0
            move = move_at(position, text) if seconds >= 0 else 0
            if not move:
                break
            if reserve(&position.pos, 1) < 0:
                raise OutOfMemory("no memory for ply {ply}", ply=position.pos.ply)
            moves.append(usi_of(move))
            do_move(&position.pos, move)
            if length > 7:
                times[len(moves)] = float(seconds)
        else:
            seconds = seconds_at(text, length)
            if seconds < 0 or number == first:      # not a time, or the time of a move before `first`
                break
            times[len(moves)] = float(seconds)
        number += 1
    return number - first
