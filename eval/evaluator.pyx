"""The Python class of evaluators (see evaluator.pxd)."""
from libc.string cimport memcmp, memset

from engine.board cimport Position
from engine.position cimport BLACK_KING
from eval.tables.kpp cimport update_sums
from eval.network.inference cimport EvalNetwork, clear_cache, refresh_view, update_view, update_views
from eval.tables.layout cimport EvalTables


cdef void set_evaluator(AccumulatorStack* stack, const Eval* evaluator) noexcept nogil:
    stack.evaluator = evaluator
    memset(&stack.cache, 0, sizeof(RefreshCache))
    if evaluator.kind == BY_NETWORK and evaluator.network.king_rows:
        clear_cache(&evaluator.network, &stack.views)


cdef void catch_up(AccumulatorStack* stack, int ply, const Pos* pos) noexcept nogil:
    cdef const Eval* evaluator = stack.evaluator
    cdef Accumulator* sum = &stack.plies[ply]
    cdef int back = 0
    if evaluator.kind == BY_NETWORK and evaluator.network.king_rows:
        catch_up_view(stack, ply, BLACK, pos)
        catch_up_view(stack, ply, WHITE, pos)
        return
    while not sum[-back].known:
        back += 1
    while back:
        back -= 1
        if evaluator.kind == BY_TABLES:
            update_sums(evaluator.tables, &stack.cache, &sum[-back].sums, &sum[-back - 1].sums, &pos.state[-back].dirty)
        else:
            update_views(&evaluator.network, &sum[-back].views, &sum[-back - 1].views, &pos.state[-back].dirty)
        sum[-back].known = BOTH


cdef void catch_up_view(AccumulatorStack* stack, int ply, int color, const Pos* pos) noexcept nogil:
    """Bring one side's HalfKP view up to date: from the nearest ply at which the view is up to date, or, if that side's
    king has moved since then, at this ply alone."""
    cdef const Network* network = &stack.evaluator.network
    cdef Accumulator* sum = &stack.plies[ply]
    cdef int side = 1 << color
    cdef int back = 0
    while not sum[-back].known & side:
        if pos.state[-back].dirty.count and pos.state[-back].dirty.number[0] == BLACK_KING + color:
            refresh_view(network, &stack.views, sum.views.side[color], color, pos)
            sum.known |= side
            return
        back += 1
    while back:
        back -= 1
        update_view(network, sum[-back].views.side[color], sum[-back - 1].views.side[color], color, pos.king[color],
                    &pos.state[-back].dirty)
        sum[-back].known |= side


cdef void check_sums(const Eval* evaluator, const Accumulator* sum, const Pos* pos) noexcept nogil:
    cdef Accumulator full
    cdef int color
    cdef bint wrong
    sum_up(evaluator, &full, pos)
    wrong = full.material != sum.material
    cdef Kind kind = kind_for(evaluator, pos)
    if kind == BY_TABLES:
        wrong |= full.sums.kings != sum.sums.kings or full.sums.turn != sum.sums.turn
        for color in range(2):
            wrong |= full.sums.half[color] != sum.sums.half[color]
    elif kind == BY_NETWORK:
        wrong |= memcmp(&full.views, &sum.views, sizeof(Views)) != 0
    if wrong:
        with gil:
            raise AssertionError(f"the running sums are {sum[0]}, the full ones {full}")


cdef class Evaluator:
    """An evaluation: material alone, or material and `source`, an EvalTables or an EvalNetwork. Immutable.

    >>> from engine import Position
    >>> Evaluator().evaluate(Position("4k4/9/9/9/9/9/9/9/4K4 b P 1"))
    100
    """

    def __init__(self, source=None):
        if isinstance(source, EvalTables):
            self.eval.kind = BY_TABLES
            self.eval.tables = &(<EvalTables>source).tables
        elif isinstance(source, EvalNetwork):
            self.eval.kind = BY_NETWORK
            self.eval.network = (<EvalNetwork>source).network
        elif source is not None:
            raise TypeError(f"nothing is evaluated by {source!r}; give EvalTables or an EvalNetwork, or None for "
                            "material alone")
        self.source = source

    @property
    def megabytes(self):
        """The memory of its source, in MB; 0 for material."""
        return 0 if self.source is None else self.source.megabytes

    def evaluate(self, Position position not None):
        """The static evaluation in centipawns for the side to move, a function of the position alone."""
        cdef Accumulator sum
        sum_up(&self.eval, &sum, &position.pos)
        return value_of(&self.eval, &sum, &position.pos)
