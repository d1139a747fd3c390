"""Evaluators (see evaluator.pxd)."""
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp

from engine.board cimport Position
from engine.position cimport do_move, do_null, reserve, undo_move, undo_null
from engine.types cimport MAX_PLY, MOVE_NULL, i16
from eval.kpp cimport update_sums
from eval.network cimport L1, EvalNetwork, update_views
from eval.tables cimport EvalTables


cdef void catch_up(const Eval* evaluator, RefreshCache* cache, Accumulator* sum, const Pos* pos) noexcept nogil:
    cdef int back = 0
    while not sum[-back].known:
        back += 1
    while back:
        back -= 1
        if evaluator.kind == BY_TABLES:
            update_sums(evaluator.tables, cache, &sum[-back].sums, &sum[-back - 1].sums, &pos.state[-back].dirty)
        else:
            update_views(&evaluator.network, &sum[-back].views, &sum[-back - 1].views, &pos.state[-back].dirty)
        sum[-back].known = True


cdef void check_sums(const Eval* evaluator, const Accumulator* sum, const Pos* pos) noexcept nogil:
    cdef Accumulator full
    cdef int color
    cdef bint wrong
    refresh(evaluator, &full, pos)
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
    """What positions are evaluated by: material alone, or also what `source` holds, an EvalTables or an EvalNetwork.
    Never changed after.

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
        """Memory that its source takes, in MB: 0 for material."""
        return 0 if self.source is None else self.source.megabytes

    def evaluate(self, Position position not None):
        """The static evaluation in centipawns for the side to move, a function of the position alone."""
        cdef Accumulator sum
        refresh(&self.eval, &sum, &position.pos)
        return evaluate(&self.eval, NULL, &sum, &position.pos)


cdef class Walk:
    """A line of moves with its accumulators, as a worker of the search has it: for tests."""
    cdef Evaluator evaluator
    cdef Position position
    cdef Accumulator* sums
    cdef RefreshCache cache
    cdef int ply

    def __cinit__(self, Evaluator evaluator not None, Position position not None):
        self.evaluator = evaluator
        self.position = position.copy()
        self.sums = <Accumulator*>calloc(MAX_PLY + 2, sizeof(Accumulator))
        if self.sums == NULL or reserve(&self.position.pos, MAX_PLY + 2) < 0:
            raise MemoryError("no memory for a walk")
        refresh(&evaluator.eval, self.sums, &self.position.pos)

    def __dealloc__(self):
        free(self.sums)

    cdef step_on(self):
        update(&self.sums[self.ply + 1], &self.sums[self.ply], &self.position.pos)
        self.ply += 1

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
        return evaluate(&self.evaluator.eval, &self.cache, &self.sums[self.ply], &self.position.pos)

    def views(self):
        """By a network: the first layer's sums as Black and as White sees them, int16[2, 256], after `evaluate`."""
        self.evaluate()
        return (<i16[:2, :L1]>&self.sums[self.ply].views.side[0][0]).copy()

    def terms(self):
        """By tables: material, KK + KKP, the KPP sums of Black's and White's half, and KK + KKP for the side to move,
        all after `evaluate`."""
        cdef const Accumulator* sum = &self.sums[self.ply]
        self.evaluate()
        return sum.material, sum.sums.kings, sum.sums.half[BLACK], sum.sums.half[WHITE], sum.sums.turn
