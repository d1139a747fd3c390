"""The evaluation of positions: one interface for all kinds of evaluation, and all that the search knows about them.

`Eval` holds the kind of an evaluator and its data. A thread keeps an `AccumulatorStack` with an `Accumulator` for each
ply. `refresh` computes the root's accumulator from the whole position, `update` makes the next one after a move or a
null move, and taking a move back needs no call. `update` itself only updates the material. The sums of tables and
networks are updated when `evaluate` needs them, ply by ply from the nearest ancestor whose sums are known. So plies
that are never evaluated cost nothing, and the sums computed for ancestors are reused by the other children.

To add a kind, name it here, add a branch to `sum_up`, `evaluate` and `catch_up`, and put the computation into a module
of its own (as tables/kpp.pxd, network/inference.pxd). Branches are used instead of function pointers because a branch
that always goes the same way costs nothing.
"""
from engine.position cimport DirtyPieces, Pos
from engine.types cimport BLACK, DEBUG, MAX_EVAL, MAX_PLY, NO_SQUARE, WHITE, i32
from eval.tables.kpp cimport KppSums, RefreshCache, centipawns, refresh_sums
from eval.material cimport balance_of, values
from eval.network.inference cimport Network, ViewCache, Views, network_value, refresh_views
from eval.tables.layout cimport KppTables

cdef enum Kind:
    BY_MATERIAL = 0
    # Positions without a king are evaluated by material alone.
    BY_TABLES = 1               # material, KK, KKP, KPP and tempo
    BY_NETWORK = 2              # with the material if the network says so

cdef enum:
    BOTH = 3                    # sides, as bits

cdef struct Eval:
    Kind kind
    const KppTables* tables     # by tables
    Network network             # by a network

cdef struct Accumulator:
    i32 material                # Black's minus White's, in centipawns
    int known                   # whose sums are up to date: bit 0 for Black's view, 1 for White's
    KppSums sums                # by tables
    Views views                 # by a network

cdef struct AccumulatorStack:   # a thread's evaluation data
    const Eval* evaluator
    RefreshCache cache          # by tables
    ViewCache views             # by a network of HalfKP
    Accumulator plies[MAX_PLY + 2]

cdef void set_evaluator(AccumulatorStack* stack, const Eval* evaluator) noexcept nogil
"""Use an evaluator from now on; discards the sums of an earlier one."""
cdef void catch_up(AccumulatorStack* stack, int ply, const Pos* pos) noexcept nogil
cdef void check_sums(const Eval* evaluator, const Accumulator* sum, const Pos* pos) noexcept nogil
"""Raise AssertionError unless the accumulator equals a full refresh."""

cdef inline Kind kind_for(const Eval* evaluator, const Pos* pos) noexcept nogil:
    """The kind of evaluation for this position: material alone if a king is missing."""
    return evaluator.kind if pos.king[BLACK] != NO_SQUARE and pos.king[WHITE] != NO_SQUARE else BY_MATERIAL

cdef inline void sum_up(const Eval* evaluator, Accumulator* sum, const Pos* pos) noexcept nogil:
    """Compute an accumulator from the whole position (full refresh)."""
    sum.material = balance_of(pos)
    sum.known = BOTH
    cdef Kind kind = kind_for(evaluator, pos)
    if kind == BY_TABLES:
        refresh_sums(evaluator.tables, &sum.sums, pos)
    elif kind == BY_NETWORK:
        refresh_views(&evaluator.network, &sum.views, pos)

cdef inline void refresh(AccumulatorStack* stack, const Pos* pos) noexcept nogil:
    """Compute the root's accumulator, at ply 0."""
    sum_up(stack.evaluator, &stack.plies[0], pos)

cdef inline void update(AccumulatorStack* stack, int ply, const Pos* pos) noexcept nogil:
    """Update for the move, or null move, that led to this ply."""
    cdef const DirtyPieces* dirty = &pos.state.dirty
    cdef Accumulator* sum = &stack.plies[ply]
    cdef const Accumulator* parent = sum - 1
    cdef int i
    sum.material = parent.material
    for i in range(dirty.count):
        sum.material += values.place[dirty.after[i]] - values.place[dirty.before[i]]
    sum.known = 0

cdef inline int value_of(const Eval* evaluator, const Accumulator* sum, const Pos* pos) noexcept nogil:
    """The evaluation in centipawns for the side to move, from sums that are up to date."""
    cdef Kind kind = kind_for(evaluator, pos)
    cdef i32 score
    if kind == BY_TABLES:
        score = centipawns(evaluator.tables, &sum.sums, sum.material, pos.turn)
    else:
        score = -sum.material if pos.turn else sum.material
        if kind == BY_NETWORK:
            score = score * evaluator.network.adds_material + network_value(&evaluator.network, &sum.views, pos.turn)
    if DEBUG:
        check_sums(evaluator, sum, pos)
    return max(-MAX_EVAL, min(score, MAX_EVAL))

cdef inline int evaluate(AccumulatorStack* stack, int ply, const Pos* pos) noexcept nogil:
    """The static evaluation in centipawns for the side to move. Brings the sums up to date first."""
    if stack.plies[ply].known != BOTH and kind_for(stack.evaluator, pos) != BY_MATERIAL:
        catch_up(stack, ply, pos)
    return value_of(stack.evaluator, &stack.plies[ply], pos)

cdef inline int exchange_value(int piece) noexcept nogil:
    """The material gained by capturing a piece: its loss to one side plus its gain in hand, in centipawns. 0 for no
    piece."""
    return values.exchange[piece]

cdef inline int promotion_value(int piece) noexcept nogil:
    """The material gained by promoting a piece, in centipawns."""
    return values.promotion[piece]

cdef class Evaluator:
    cdef Eval eval
    cdef readonly object source             # the owner of `eval`'s data; None for material
