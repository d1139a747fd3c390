"""Functions of engine, tt and eval that tests call and Python otherwise does not see.

Compiled with every build but a wheel's (setup.py).
"""
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from engine cimport attacks, movegen, position as core, rules
from engine.bitboard cimport high_word, low_word, wide
from engine.board cimport Position
from engine.movetext cimport move_of, usi_of
from engine.position cimport CheckInfo, Pos, State, do_move, do_null, find_check_info, undo_move, undo_null
from engine.types cimport (BISHOP, BLACK, DRAGON, HORSE, INFINITE, MAX_MOVES, MAX_PLY, MOVE_NULL, ROOK, WHITE, Move,
                           i16, u16, u64, u128)
from engine.validate cimport find_fault
from eval.evaluator cimport Accumulator, AccumulatorStack, Evaluator, evaluate, refresh, set_evaluator, update
from eval.network.inference cimport L1
from search.tree.bounds cimport bounds_cutoff as cutoff_of
from tt cimport table as transpositions
from tt.table cimport Entry, Traffic, TranspositionTable

from engine.rules import VERDICTS


# -- engine ------------------------------------------------------------------------------------------------------------

def sliding_attacks(int color, int kind, int square, occupancy):
    """The squares that a bishop, horse, rook or dragon attacks: by this build's lookup, by subtraction, by PEXT."""
    cdef u128 occupied = wide(<u64>(occupancy >> 64), <u64>(occupancy & 0xffffffffffffffff))
    cdef u128 steps = attacks.tables.step[color][kind][square]
    cdef u128[3] found
    if kind not in (BISHOP, HORSE, ROOK, DRAGON):
        raise ValueError(f"kind {kind} is not found in several ways; ask for BISHOP, ROOK, HORSE or DRAGON")
    found[0] = attacks.attacks_of(color, kind, square, occupied)
    if kind in (BISHOP, HORSE):
        found[1] = steps | attacks.bishop_by_subtraction(square, occupied)
        found[2] = steps | attacks.bishop_by_pext(square, occupied)
    else:
        found[1] = steps | attacks.file_attacks(square, occupied) | attacks.rank_by_subtraction(square, occupied)
        found[2] = steps | attacks.file_attacks(square, occupied) | attacks.rank_by_pext(square, occupied)
    return [(<object>high_word(found[i]) << 64) | low_word(found[i]) for i in range(3)]


def generate(Position position, str name):
    """The moves of one generator, in USI. `evasions` and the others exclude each other (see `movegen`)."""
    cdef const Pos* pos = &position.pos
    cdef Move[MAX_MOVES] moves
    cdef CheckInfo check_info
    cdef int count
    find_check_info(pos, &check_info)
    if name == "legal":
        count = movegen.legal(pos, moves)
    elif name == "captures":
        count = movegen.captures(pos, moves)
    elif name == "quiets":
        count = movegen.quiets(pos, moves)
    elif name == "evasions":
        count = movegen.evasions(pos, moves)
    elif name == "checks":
        count = movegen.checks(pos, &check_info, moves)
    else:
        raise ValueError(f"{name!r} is no generator")
    return [usi_of(moves[i]) for i in range(count)]


def count_legal(Position position):
    return movegen.count_legal(&position.pos)


def is_legal16(Position position, u16 move):
    return movegen.is_legal(&position.pos, move)


def move16(str text):
    """A move as the core has it."""
    return move_of(text)


def usi(u16 move):
    return usi_of(move)


def repetition_in_search(Position position, int ply, bint whole_game=True):
    """The verdict on a node `ply` plies below the root, and the plies back to the position that it repeats (0: none).
    Repetitions of positions before the root count only with `whole_game`."""
    cdef int distance = 0
    cdef rules.Repetition verdict = rules.repetition_in_search(&position.pos, ply, whole_game, &distance)
    return VERDICTS[verdict], distance


def occurred_thrice(Position position):
    return rules.occurred_thrice(&position.pos)


def key_after(Position position, str move):
    return core.key_after(&position.pos, position.legal_move(move))


def validate(Position position):
    """AssertionError naming the field, if one differs from its recomputation."""
    cdef const char* fault = find_fault(&position.pos)
    if fault != NULL:
        raise AssertionError(f"{fault.decode()} differs from its recomputation in {position.sfen!r}")


def raw(Position position):
    """All of the position and its present state as bytes, the addresses left out."""
    core.pinned(&position.pos)      # found when first asked for: two equal positions must not differ by that
    cdef Pos flat = position.pos
    flat.state = flat.states = NULL
    flat.capacity = 0
    return (PyBytes_FromStringAndSize(<char*>&flat, sizeof(Pos))
            + PyBytes_FromStringAndSize(<char*>position.pos.state, sizeof(State)))


# -- tt ----------------------------------------------------------------------------------------------------------------

def store(TranspositionTable table, u64 key, *, int move=0, int evaluation=0, int lower=-INFINITE, int upper=INFINITE,
          int depth, bint on_pv=False, bint on_path=False):
    """Store and return the number of contradictions that came of it."""
    cdef Traffic traffic
    memset(&traffic, 0, sizeof(Traffic))
    cdef transpositions.Finding finding = transpositions.Finding(
        move=move, evaluation=evaluation, lower=lower, upper=upper, depth=depth, on_pv=on_pv, on_path=on_path)
    transpositions.store(&table.table, &traffic, key, &finding)
    return traffic.contradictions


def probe(TranspositionTable table, u64 key):
    """The entry of a key as a dict, or None."""
    cdef Entry entry
    return entry if transpositions.probe(&table.table, key, &entry) else None


def bounds(TranspositionTable table, u64 key, int depth):
    """The lower and the upper bound that serve a search of this depth."""
    cdef Entry entry
    if not transpositions.probe(&table.table, key, &entry):
        raise KeyError(key)
    return transpositions.lower_bound(&entry, depth), transpositions.upper_bound(&entry, depth)


def bounds_cutoff(int lower, int upper, int alpha, int beta):
    return cutoff_of(lower, upper, alpha, beta)


def tear(TranspositionTable table, u64 key, u64 other):
    """Leave in the entry of `key` the second half of the entry of `other`, as a thread that was overtaken by another
    would. Each has to be the first of its bucket."""
    cdef u64* words = <u64*>transpositions.bucket_of(&table.table, key)
    words[1] = (<u64*>transpositions.bucket_of(&table.table, other))[1]


# -- eval --------------------------------------------------------------------------------------------------------------

cdef class Walk:
    """A line of moves with its accumulators, as a worker of the search has it."""
    cdef Evaluator evaluator
    cdef Position position
    cdef AccumulatorStack* stack
    cdef int ply

    def __cinit__(self, Evaluator evaluator not None, Position position not None):
        self.evaluator = evaluator
        self.position = position.copy()
        self.stack = <AccumulatorStack*>calloc(1, sizeof(AccumulatorStack))
        if self.stack == NULL or core.reserve(&self.position.pos, MAX_PLY + 2) < 0:
            raise MemoryError("no memory for a walk")
        set_evaluator(self.stack, &evaluator.eval)
        refresh(self.stack, &self.position.pos)

    def __dealloc__(self):
        free(self.stack)

    cdef step_on(self):
        self.ply += 1
        update(self.stack, self.ply, &self.position.pos)

    def push(self, str move):
        """Play a move, asking nothing."""
        do_move(&self.position.pos, self.position.legal_move(move))
        self.step_on()

    def pass_turn(self):
        do_null(&self.position.pos)
        self.step_on()

    def pop(self):
        """Take back a move, or a pass."""
        if self.position.pos.state.move == MOVE_NULL:
            undo_null(&self.position.pos)
        else:
            undo_move(&self.position.pos)
        self.ply -= 1

    def evaluate(self):
        return evaluate(self.stack, self.ply, &self.position.pos)

    def views(self):
        """Evaluates, and returns a network's first-layer sums as Black and as White sees them, int16[2, 256]."""
        self.evaluate()
        return (<i16[:2, :L1]>&self.stack.plies[self.ply].views.side[0][0]).copy()

    def terms(self):
        """Evaluates by tables, and returns material, KK + KKP, the KPP sums of Black's and White's half, and KK + KKP
        for the side to move."""
        cdef const Accumulator* sum = &self.stack.plies[self.ply]
        self.evaluate()
        return sum.material, sum.sums.kings, sum.sums.half[BLACK], sum.sums.half[WHITE], sum.sums.turn
