"""Fast replay of the lines of CSA and KIF records: plain moves, their times and comments. `engine/records/csa.py` and
`engine/records/kif.py` read everything else and explain errors."""
from cpython.list cimport PyList_Append
from cpython.unicode cimport PyUnicode_AsUTF8AndSize

from engine.board cimport Position
from engine.movegen cimport is_legal
from engine.movetext cimport usi_of
from engine.position cimport do_move, reserve
from engine.types cimport (BISHOP, DRAGON, GOLD, HORSE, KING, KNIGHT, LANCE, NO_PIECE, NO_SQUARE, PAWN, PROMOTED,
                           PRO_KNIGHT, PRO_LANCE, PRO_PAWN, PRO_SILVER, ROOK, SILVER, Move, kind_of, make_drop,
                           make_move, make_promotion, move_to, u8)

from engine.errors import OutOfMemory

KIND_NAMES = ". FU KY KE GI KA HI KI OU TO NY NK NG UM RY".split()      # by kind, in CSA

cdef enum:
    MOST_DIGITS = 6             # of a number of a move or of a time; longer ones are left to csa.py and kif.py

cdef u8[26][26] kind_of_name    # by two letters; 0: none


cdef void fill_names():
    for kind, name in enumerate(KIND_NAMES):
        if kind:
            kind_of_name[ord(name[0]) - ord("A")][ord(name[1]) - ord("A")] = kind

fill_names()


def has_controls(str text not None):
    """Whether a text has control characters other than tabs and line ends, or halves of letters."""
    cdef Py_UCS4 letter
    for letter in text:
        if letter < 0x20:
            if letter != c'\n' and letter != c'\r' and letter != c'\t':
                return True
        elif 0x7F <= letter < 0xA0 or 0xD800 <= letter < 0xE000:
            return True
    return False


cdef int play(Position position, Move move, list moves) except -1:
    """Make a legal move, and append it in USI."""
    if reserve(&position.pos, 1) < 0:
        raise OutOfMemory("no memory for ply {ply}", ply=position.pos.ply)
    PyList_Append(moves, usi_of(move))
    do_move(&position.pos, move)
    return 0


cpdef void add_comment(dict comments, dict longer, Py_ssize_t ply, str line) except *:
    """Add a line of comment on a ply: the first to `comments`, all to `longer` if there are more."""
    if ply not in comments:
        comments[ply] = line
    elif ply not in longer:
        longer[ply] = [comments[ply], line]
    else:
        PyList_Append(<list?>longer[ply], line)


# -- CSA ---------------------------------------------------------------------------------------------------------------

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
    if not 2 <= length <= MOST_DIGITS + 1 or text[0] != c'T':
        return -1
    for i in range(1, length):
        if not c'0' <= text[i] <= c'9':
            return -1
        seconds = 10 * seconds + text[i] - c'0'
    return seconds


def play_csa(Position position not None, list lines not None, Py_ssize_t first, list moves not None,
             dict times not None, dict comments not None, dict longer not None):
    """Play the moves of `lines` from index `first` on, up to the first line that is neither a move, a time nor a
    comment on a move. Returns the number of lines read.

    A line holds one move, with its time (`+7776FU,T12`) or without; the time may follow on the next line (`T12`).
    Appends each move to `moves` in USI, sets its seconds in `times`, and adds each line of a comment (`'*…`) to
    `comments` and `longer` (see `add_comment`), all by the number of moves so far."""
    cdef Py_ssize_t number = first
    cdef Py_ssize_t before = len(moves)
    cdef Py_ssize_t length
    cdef const char* text
    cdef Move move
    cdef int seconds
    cdef str line
    while number < len(lines):
        line = <str?>lines[number]
        if len(line) > 1 and line[0] == c"'":
            if line[1] == c'C':                 # an encoding, perhaps
                break
            add_comment(comments, longer, len(moves), line[2:] if line[1] == c'*' else line[1:])
            number += 1
            continue
        if not line.isascii():
            break
        text = PyUnicode_AsUTF8AndSize(line, &length)
        if length >= 7 and (length == 7 or text[7] == c','):
            seconds = seconds_at(text + 8, length - 8) if length > 7 else 0
            move = move_at(position, text) if seconds >= 0 else 0
            if not move:
                break
            play(position, move, moves)
            if length > 7:
                times[len(moves)] = float(seconds)
        else:
            seconds = seconds_at(text, length)
            if seconds < 0 or len(moves) == before:     # not a time, or the time of a move before `first`
                break
            times[len(moves)] = float(seconds)
        number += 1
    return number - first


# -- KIF ---------------------------------------------------------------------------------------------------------------

cdef struct Line:
    # A numbered line of a KIF record.
    int number
    Move move
    int seconds         # -1: it does not say


cdef int digit_of(Py_UCS4 letter) noexcept nogil:
    """1 to 9 for an ASCII or a wide digit, 0 for anything else."""
    if c'1' <= letter <= c'9':
        return <int>letter - c'0'
    return <int>letter - 0xFF10 if 0xFF11 <= letter <= 0xFF19 else 0


cdef int rank_of(Py_UCS4 letter) noexcept nogil:
    """1 to 9 for a Japanese or another digit, 0 for anything else."""
    if letter == u'一':
        return 1
    if letter == u'二':
        return 2
    if letter == u'三':
        return 3
    if letter == u'四':
        return 4
    if letter == u'五':
        return 5
    if letter == u'六':
        return 6
    if letter == u'七':
        return 7
    if letter == u'八':
        return 8
    if letter == u'九':
        return 9
    return digit_of(letter)


cdef int kind_of_letter(Py_UCS4 letter) noexcept nogil:
    """The kind that one letter names, 0 if it names none."""
    if letter == u'歩':
        return PAWN
    if letter == u'香':
        return LANCE
    if letter == u'桂':
        return KNIGHT
    if letter == u'銀':
        return SILVER
    if letter == u'角':
        return BISHOP
    if letter == u'飛':
        return ROOK
    if letter == u'金':
        return GOLD
    if letter == u'玉' or letter == u'王':
        return KING
    if letter == u'と':
        return PRO_PAWN
    if letter == u'杏':
        return PRO_LANCE
    if letter == u'圭':
        return PRO_KNIGHT
    if letter == u'全':
        return PRO_SILVER
    if letter == u'馬':
        return HORSE
    if letter == u'龍' or letter == u'竜':
        return DRAGON
    return 0


cdef Py_ssize_t behind_blanks(str line, Py_ssize_t i) noexcept:
    while i < len(line) and line[i] in (u' ', u'\t', u'\u3000'):
        i += 1
    return i


cdef int take_number(str line, Py_ssize_t* place) noexcept:
    """The number in ASCII digits at a place; -1 if there is none, or one with too many digits. The place moves behind
    the number."""
    cdef Py_ssize_t start = place[0]
    cdef int number = 0
    while place[0] < len(line) and c'0' <= line[place[0]] <= c'9' and place[0] - start <= MOST_DIGITS:
        number = 10 * number + <int>line[place[0]] - c'0'
        place[0] += 1
    return number if 0 < place[0] - start <= MOST_DIGITS else -1


cdef int take_seconds(str line, Py_ssize_t* place) noexcept:
    """The seconds of a time such as ( 0:12/00:00:12) at a place; -1 if it is written in another way. The place moves
    behind the time."""
    cdef Py_ssize_t i = behind_blanks(line, place[0] + 1)
    cdef int seconds = take_number(line, &i)
    cdef int parts = 1, part
    if seconds < 0:
        return -1
    while parts < 3 and i < len(line) and line[i] == c':':
        i += 1
        part = take_number(line, &i)
        if part < 0 or seconds > 100_000:
            return -1
        seconds = 60 * seconds + part
        parts += 1
    i = behind_blanks(line, i)
    if i < len(line) and line[i] == c'/':
        while i < len(line) and line[i] != c')':
            if line[i] == c'(':
                return -1
            i += 1
    if parts == 1 or i >= len(line) or line[i] != c')':
        return -1
    place[0] = i + 1
    return seconds


cdef bint take_line(Position position, str line, int previous, Line* found) noexcept:
    """Whether a line is one plain and legal move; sets `found` to it. `previous` is the target of the move before, for
    同; NO_SQUARE if there was none."""
    cdef Py_ssize_t i = behind_blanks(line, 0)
    cdef Py_ssize_t start
    cdef Py_ssize_t length = len(line)
    cdef int target, kind, origin
    cdef bint promotes = False
    found.number = take_number(line, &i)
    start = i
    i = behind_blanks(line, i)
    if found.number < 0 or i == start or i + 3 >= length:
        return False
    if line[i] == u'同':
        target = previous
        i = behind_blanks(line, i + 1)
    else:
        if not digit_of(line[i]) or not rank_of(line[i + 1]):
            return False
        target = 9 * (digit_of(line[i]) - 1) + rank_of(line[i + 1]) - 1
        i += 2
    if target == NO_SQUARE or i + 1 >= length:
        return False
    if line[i] == u'成':
        kind = kind_of_letter(line[i + 1])
        if not LANCE <= kind <= SILVER or i + 2 >= length:
            return False
        kind += PROMOTED
        i += 1
    else:
        kind = kind_of_letter(line[i])
    i += 1
    if i < length and line[i] == u'成':
        promotes = True
        i += 1
    if not kind or i >= length:
        return False
    if line[i] == u'打' and not promotes and kind <= GOLD:
        found.move = make_drop(kind, target)
        i += 1
    elif (i + 3 < length and line[i] == c'(' and line[i + 3] == c')' and c'1' <= line[i + 1] <= c'9'
            and c'1' <= line[i + 2] <= c'9'):
        origin = 9 * (<int>line[i + 1] - c'1') + <int>line[i + 2] - c'1'
        if kind_of(position.pos.board[origin]) != kind:
            return False
        found.move = make_promotion(origin, target) if promotes else make_move(origin, target)
        i += 4
    else:
        return False
    i = behind_blanks(line, i)
    found.seconds = -1
    if i < length and line[i] == c'(':
        found.seconds = take_seconds(line, &i)
        if found.seconds < 0:
            return False
        i = behind_blanks(line, i)
    if i < length and line[i] == c'+':      # a variation replaces the move
        i = behind_blanks(line, i + 1)
    return i == length and is_legal(&position.pos, found.move)


def play_kif(Position position not None, list lines not None, Py_ssize_t first, int number, int previous,
             list moves not None, dict times not None, dict comments not None, dict longer not None):
    """Play the moves of KIF lines, like the function above for CSA. The moves are numbered, the next one `number`;
    `previous` is the target of the move before, -1 if there was none. Empty lines are skipped."""
    cdef Py_ssize_t at = first
    cdef Line found
    cdef str line
    if previous < 0:
        previous = NO_SQUARE
    while at < len(lines):
        line = <str?>lines[at]
        if not line:
            at += 1
            continue
        if line[0] == c'*':
            add_comment(comments, longer, len(moves), line[1:])
        elif take_line(position, line, previous, &found) and found.number == number:
            previous = move_to(found.move)
            play(position, found.move, moves)
            number += 1
            if found.seconds >= 0:
                times[len(moves)] = float(found.seconds)
        else:
            break
        at += 1
    return at - first
