"""Functions of search that tests call and Python otherwise does not see, and two reference searches.

Compiled with every build but a wheel's (setup.py).
"""
from libc.string cimport memset

from engine cimport movegen, position as core, rules
from engine.board cimport Position
from engine.movetext cimport move_of, usi_of
from engine.position cimport CheckInfo, Pos, do_move, find_check_info, gives_check, undo_move
from engine.types cimport INFINITE, MAX_MOVES, Move, i64, mated_in, u32, u64
from eval.evaluator cimport Evaluator
from search.deepening cimport Deepening
from search.mate.table cimport Known, MateTable, allocate, free_table, look_up, make_room, store_numbers
from search.tree.alphabeta cimport alpha_beta
from search.tree.correction cimport CorrectionKeys, count_keys, updated_keys
from search.tree.evaluation cimport evaluation_at
from search.tree.history cimport piece_to_of
from search.tree.loops cimport head_bit, heads_above
from search.tree.picker cimport Picker, next_move, start_picker, start_qsearch_picker
from search.tree.pv cimport fill_line
from search.tree.qsearch cimport qsearch
from search.tree.see cimport see_reaches
from search.tree.worker cimport Rules, Signals, Worker, is_terminal, node_at, play, play_null
from tt.table cimport TranspositionTable

from engine.rules import RULES


def sees(Position position, str move, int threshold):
    """Whether the exchange that a move begins brings at least `threshold`."""
    return see_reaches(&position.pos, position.legal_move(move), threshold)


def order(Position position, table_move=0, quiescence=False):
    """All that a picker gives, in USI and in its order."""
    cdef Picker picker
    cdef CheckInfo check_info
    cdef Move first = table_move if movegen.is_legal(&position.pos, table_move) else 0
    cdef Move move
    cdef Signals signals
    cdef Rules game
    cdef TranspositionTable table = TranspositionTable(1)
    cdef Deepening deepening = Deepening()
    deepening.set_evaluator(Evaluator())
    deepening.join(0, &table.table, &signals, &game)
    deepening.set_root(position, ())
    find_check_info(&position.pos, &check_info)
    if quiescence:
        start_qsearch_picker(&picker, deepening.worker, 0, first)
    else:
        start_picker(&picker, deepening.worker, 0, first, &check_info)
    given = []
    while True:
        move = next_move(&picker)
        if not move:
            return given
        given.append(usi_of(move))


def correction_keys(Position position not None, moves):
    """The keys after `moves` from a position, stepped on move by move: of pawns, minors, Black's and White's pieces."""
    cdef Position walked = position.copy()
    cdef CorrectionKeys sums = count_keys(&walked.pos)
    for move in moves:
        walked.push(move)
        sums = updated_keys(sums, &walked.pos.state.dirty)
    return [sums >> 16 * key & 0xFFFF for key in range(4)]


def heads_left(heads, int ply):
    """Of loop heads at some plies those that stand when the node at `ply` is left; 63 stands for all from there on."""
    cdef u64 left = heads_above(sum({head_bit(head) for head in heads}), ply)
    return [head for head in range(64) if left >> head & 1]


cdef class MateEntries:
    """A mate solver's table by itself, of undecided entries."""
    cdef MateTable table

    def __cinit__(self, u64 size):
        if allocate(&self.table, size) < 0:
            raise MemoryError(f"no memory for a mate table of {size} bytes")

    def __dealloc__(self):
        free_table(&self.table)

    def store(self, u64 key, u32 pn):
        store_numbers(&self.table, key, 0, 1, pn, 1, 0, 0, False)

    def proof_number(self, u64 key):
        """None if the key has no entry."""
        cdef Known known
        look_up(&self.table, key, 0, 1, &known)
        return known.pn if known.exact else None

    def make_room(self):
        cdef i64 stop = 0
        return make_room(&self.table, &stop)

    @property
    def slots(self):
        return self.table.slots

    @property
    def used(self):
        return self.table.used


def filled_line(Position position, tuple pv, tuple known, int plies, TranspositionTable table, rule="CSARule27",
                int max_moves=0):
    """As search/tree/pv.pxd has it."""
    cdef Rules game
    game.entering_king = RULES[rule]
    game.max_moves = max_moves
    return fill_line(position, pv, known, plies, &table.table, &game)


cdef class Tree:
    """One worker that searches single nodes, as the tree above would, and the table where it leaves what it has found.
    By material alone without an `evaluator`."""
    cdef Deepening deepening
    cdef readonly TranspositionTable table
    cdef Signals signals
    cdef Rules game
    cdef readonly int evaluation        # of the node last searched, corrected
    cdef readonly int correction        # the size of the correction in it
    cdef readonly bint on_path          # whether its value rests on a repetition of a position before it

    def __cinit__(self, dict params, Evaluator evaluator=None):
        self.deepening = Deepening(params)
        self.table = TranspositionTable(1)
        self.game.entering_king = rules.CSA_27
        self.deepening.set_evaluator(evaluator or Evaluator())
        self.deepening.join(0, &self.table.table, &self.signals, &self.game)

    def search(self, Position root, path, int alpha, int beta, int depth, *, bint cut_node=False, int lmr_before=0,
               continuations=None, bint quiescence=False):
        """The value of the node that `path`, one move or more, leads to from the root, and how many moves were played.
        One of them may be "pass".

        `lmr_before`: the plies by which the move to it was reduced. `continuations` gives quiet moves from it a history
        after the last move. With `quiescence` it is a node of qsearch, whatever the depth."""
        cdef Worker* worker = self.deepening.worker
        cdef const Pos* pos = &worker.pos
        cdef int ply = 0
        cdef int value
        cdef Move move
        self.deepening.set_root(root, ())
        worker.root_width = beta - alpha
        worker.root_depth = depth
        for usi in path:
            if not core.in_check(pos):
                node_at(worker, ply).evaluation = evaluation_at(worker, ply)
            if usi == "pass":
                play_null(worker, ply)
            else:
                play(worker, move_of(usi), ply)
            ply += 1
        node_at(worker, ply - 1).played.reduction = lmr_before
        for usi, history in (continuations or {}).items():
            move = move_of(usi)
            node_at(worker, ply - 1).played.continuation[piece_to_of(pos, move)] = history
        worker.nodes = worker.next_poll = 0
        with nogil:
            if quiescence:
                value = qsearch(worker, alpha, beta, ply)
            else:
                value = alpha_beta(worker, alpha, beta, depth, ply, cut_node)
        self.evaluation = node_at(worker, ply).evaluation
        self.correction = node_at(worker, ply).correction
        self.on_path = node_at(worker, ply).ghi_heads != 0
        return value, worker.nodes


# -- Reference searches ------------------------------------------------------------------------------------------------

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
    if core.in_check(pos):
        count = movegen.evasions(pos, moves)
    else:
        count = movegen.captures(pos, moves)
        count += movegen.quiets(pos, moves + count)
    for i in range(count):
        play(worker, moves[i], ply)
        best = max(best, -minimax(worker, depth - 1, ply + 1))
        undo_move(pos)
    return best


def minimax_value(Position position, int depth, dict params, int draw_value=0, rule="CSARule27", int max_moves=0,
                  Evaluator evaluator=None):
    """The value of a position by minimax over every move to `depth`, with the rules and leaves of the real search, from
    the side to move; without a transposition table, whatever `params` say, and by material alone without an
    `evaluator`."""
    cdef Deepening deepening = Deepening({**params, "table": 0})
    cdef TranspositionTable table = TranspositionTable(1)       # only prefetched from
    cdef Signals signals
    cdef Rules game
    cdef int value
    memset(&signals, 0, sizeof(Signals))
    game.entering_king = RULES[rule]
    game.max_moves = max_moves
    game.draw[position.turn] = draw_value
    game.draw[position.turn ^ 1] = -draw_value
    deepening.set_evaluator(evaluator or Evaluator())
    deepening.join(0, &table.table, &signals, &game)
    deepening.set_root(position, ())
    with nogil:
        value = minimax(deepening.worker, depth, 0)
    return value


cdef bint mates_within(Pos* pos, int plies) noexcept nogil:
    cdef Move[MAX_MOVES] moves
    cdef int count = movegen.legal(pos, moves)
    cdef bint mates
    cdef int i
    for i in range(count):
        if gives_check(pos, moves[i]):
            do_move(pos, moves[i])
            mates = mated_within(pos, plies - 1)
            undo_move(pos)
            if mates:
                return True
    return False


cdef bint mated_within(Pos* pos, int plies) noexcept nogil:
    cdef Move[MAX_MOVES] moves
    cdef bint mated = True
    cdef int count, i
    if plies == 0:
        return not movegen.has_legal(pos)
    count = movegen.legal(pos, moves)
    for i in range(count):
        do_move(pos, moves[i])
        mated = mates_within(pos, plies - 1)
        undo_move(pos)
        if not mated:
            break
    return mated


def shortest_mate(Position position not None, int plies):
    """The length of the shortest mate by checks within an odd number of plies, by trying every check and every answer;
    0 if there is none."""
    cdef int length
    if core.reserve(&position.pos, plies + 1) < 0:
        raise MemoryError("no memory for the plies of a mate")
    for length in range(1, plies + 1, 2):
        if mates_within(&position.pos, length):
            return length
    return 0
