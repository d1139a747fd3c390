"""Plain minimax over every move, with the rules and leaves of the real search: what its root values are proved by."""
from engine.board cimport Position
from engine.movegen cimport captures, evasions, quiets
from engine.position cimport Pos, in_check, undo_move
from engine.types cimport INFINITE, MAX_MOVES, Move, mated_in
from eval.evaluator cimport Evaluator
from search.deepening cimport Deepening
from search.qsearch cimport qsearch
from search.worker cimport Signals, Worker, is_terminal, play
from tt.table cimport TranspositionTable

from engine.board import RULES


cdef int minimax(Worker* worker, int depth, int ply) noexcept nogil:
    cdef Pos* pos = &worker.pos
    cdef Move[MAX_MOVES] moves
    cdef int count, i
    cdef int best = mated_in(ply)
    cdef int value
    if depth == 0:
        return qsearch(worker, -INFINITE, INFINITE, ply)
    if ply and is_terminal(worker, ply, &value):
        return value
    if in_check(pos):
        count = evasions(pos, moves)
    else:
        count = captures(pos, moves)
        count += quiets(pos, moves + count)
    for i in range(count):
        play(worker, moves[i], ply)
        best = max(best, -minimax(worker, depth - 1, ply + 1))
        undo_move(pos)
    return best


def minimax_value(Position position, int depth, dict params, int draw_value=0, rule="CSARule27", int max_moves=0,
                  Evaluator evaluator=None):
    """The value of a position by minimax to `depth`, from the side to move; without a transposition table, whatever
    `params` say, and by material alone without an `evaluator`."""
    cdef Deepening deepening = Deepening({**params, "table": 0})
    cdef Worker* worker = deepening.worker
    cdef TranspositionTable table = TranspositionTable(1)
    cdef Signals signals
    cdef int value
    signals.stop = signals.deadline = signals.node_limit = 0
    deepening.set_evaluator(evaluator or Evaluator())
    deepening.set_root(position, ())
    worker.signals = &signals
    worker.stop = &signals.stop
    worker.table = &table.table     # only prefetched from
    worker.pool = &worker
    worker.pool_size = 1
    worker.rules.entering_king = RULES[rule]
    worker.rules.max_moves = max_moves
    worker.rules.draw[position.turn] = draw_value
    worker.rules.draw[position.turn ^ 1] = -draw_value
    with nogil:
        value = minimax(worker, depth, 0)
    return value
