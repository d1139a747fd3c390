"""What a position is worth: the interface of every kind of evaluation, which is all that the search knows of any.

`Eval` says of which kind an evaluator is and leads to what it reads. A thread keeps an `AccumulatorStack`, with an
`Accumulator` for each ply: `refresh` works out the root's from the whole position, `update` follows a move or a null
move, and going back needs nothing. `update` only does the material; what else a kind sums is brought up to date when
`evaluate` asks, ply by ply from the nearest ancestor that has it. So a ply that is never asked costs nothing, and what
is found out on the way serves the siblings.

A kind is a name here, a branch in each of `sum_up`, `evaluate` and `catch_up`, and what these call in a module of its
own (tables/kpp.pxd, network/inference.pxd). Branches, not pointers to functions: a branch that always goes the same way
costs nothing.
"""
from engine.position cimport DirtyPieces, Pos
from engine.types cimport BLACK, DEBUG, MAX_EVAL, MAX_PLY, NO_SQUARE, WHITE, i32
from eval.tables.kpp cimport KppSums, RefreshCache, centipawns, refresh_sums
from eval.material cimport balance_of, values
from eval.network.inference cimport Network, Views, network_value, refresh_views
from eval.tables.layout cimport KppTables

cdef enum Kind:
    BY_MATERIAL = 0
    # Both with the material, which stands alone where a king is missing.
    BY_TABLES = 1               # KK, KKP, KPP and tempo
    BY_NETWORK = 2

cdef struct Eval:
    Kind kind
    const KppTables* tables     # by tables
    Network network             # by a network

cdef struct Accumulator:
    i32 material                # Black's over White's, in centipawns
    bint known                  # whether the sums are those of this ply
    KppSums sums                # by tables
    Views views                 # by a network

cdef struct AccumulatorStack:   # what a thread keeps of the evaluation
    const Eval* evaluator
    RefreshCache cache
    Accumulator plies[MAX_PLY + 2]

cdef void set_evaluator(AccumulatorStack* stack, const Eval* evaluator) noexcept nogil
"""Begin with an evaluator: nothing that another has left counts."""
cdef void catch_up(AccumulatorStack* stack, int ply, const Pos* pos) noexcept nogil
cdef void check_sums(const Eval* evaluator, const Accumulator* sum, const Pos* pos) noexcept nogil
"""An AssertionError if the accumulator is not what `refresh` makes of the position."""

cdef inline Kind kind_for(const Eval* evaluator, const Pos* pos) noexcept nogil:
    """How this position is evaluated."""
    return evaluator.kind if pos.king[BLACK] != NO_SQUARE and pos.king[WHITE] != NO_SQUARE else BY_MATERIAL

cdef inline void sum_up(const Eval* evaluator, Accumulator* sum, const Pos* pos) noexcept nogil:
    """A full refresh, from the whole position."""
    sum.material = balance_of(pos)
    sum.known = True
    cdef Kind kind = kind_for(evaluator, pos)
    if kind == BY_TABLES:
        refresh_sums(evaluator.tables, &sum.sums, pos)
    elif kind == BY_NETWORK:
        refresh_views(&evaluator.network, &sum.views, pos)

cdef inline void refresh(AccumulatorStack* stack, const Pos* pos) noexcept nogil:
    """Begin at a root."""
    sum_up(stack.evaluator, &stack.plies[0], pos)

cdef inline void update(AccumulatorStack* stack, int ply, const Pos* pos) noexcept nogil:
    """Follow a move, or a null move, that has led to this ply."""
    cdef const DirtyPieces* dirty = &pos.state.dirty
    cdef Accumulator* sum = &stack.plies[ply]
    cdef const Accumulator* parent = sum - 1
    cdef int i
    sum.material = parent.material
    for i in range(dirty.count):
        sum.material += values.place[dirty.after[i]] - values.place[dirty.before[i]]
    sum.known = False

cdef inline int value_of(const Eval* evaluator, const Accumulator* sum, const Pos* pos) noexcept nogil:
    """Centipawns for the side to move, by sums that are known."""
    cdef Kind kind = kind_for(evaluator, pos)
    cdef i32 score
    if kind == BY_TABLES:
        score = centipawns(evaluator.tables, &sum.sums, sum.material, pos.turn)
    else:
        score = -sum.material if pos.turn else sum.material
        if kind == BY_NETWORK:
            score += network_value(&evaluator.network, &sum.views, pos.turn)
    if DEBUG:
        check_sums(evaluator, sum, pos)
    return max(-MAX_EVAL, min(score, MAX_EVAL))

cdef inline int evaluate(AccumulatorStack* stack, int ply, const Pos* pos) noexcept nogil:
    """Centipawns for the side to move."""
    if not stack.plies[ply].known and kind_for(stack.evaluator, pos) != BY_MATERIAL:
        catch_up(stack, ply, pos)
    return value_of(stack.evaluator, &stack.plies[ply], pos)

cdef inline int exchange_value(int piece) noexcept nogil:
    """What taking a piece swings the balance by, in centipawns; 0 for no piece."""
    return values.exchange[piece]

cdef inline int promotion_value(int piece) noexcept nogil:
    """What promoting a piece adds."""
    return values.promotion[piece]

cdef class Evaluator:
    cdef Eval eval
    cdef readonly object source             # what `eval` points into; None for material
