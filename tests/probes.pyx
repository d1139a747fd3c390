"""What the tests see of the compiled packages that their Python faces do not show, and two reference searches.

Compiled with every build but a wheel's (setup.py).
"""
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from engine cimport attacks, movegen, position as core, rules
from engine.bitboard cimport high_word, low_word, wide
from engine.board cimport Position, move_of, usi_of
from engine.position cimport CheckInfo, Pos, State, do_move, do_null, find_check_info, gives_check, undo_move, undo_null
from engine.types cimport (BISHOP, BLACK, DRAGON, HORSE, INFINITE, MAX_MOVES, MAX_PLY, MOVE_NONE, MOVE_NULL, NO_SCORE,
                           ROOK, WHITE, Move, i16, i64, mated_in, u16, u32, u64, u128)
from engine.validate cimport find_fault
from eval.evaluator cimport Accumulator, AccumulatorStack, Evaluator, evaluate, refresh, set_evaluator, update
from eval.network.inference cimport L1
from search.deepening cimport Deepening
from search.mate.mate1 cimport mate_in_one
from search.mate.table cimport Known, MateTable, allocate, free_table, look_up, make_room, store_numbers
from search.tree.alphabeta cimport alpha_beta
from search.tree.bounds cimport bounds_cutoff as cutoff_of, tt_cutoff, tt_probe, tt_store
from search.tree.correction cimport CorrectionKeys, count_keys, updated_keys
from search.tree.evaluation cimport evaluation_at
from search.tree.history cimport piece_to_of
from search.tree.loops cimport (SLOTS, Loop, Loops, clear_loops, head_bit, heads_above, reuse_bound, note_bound,
                                register_loop)
from search.tree.picker cimport Picker, next_move, start_picker, start_qsearch_picker
from search.tree.pv cimport extend_line
from search.tree.qsearch cimport qsearch
from search.tree.see cimport see_reaches
from search.tree.worker cimport Rules, Signals, Worker, is_terminal, node_at, play, play_null
from tt cimport table as transpositions
from tt.statistics.counts cimport CASES, HashStatistics, expect, leave, refer, sign
from tt.table cimport Entry, Traffic, TranspositionTable

from engine.board import RULES, VERDICTS


# -- engine ------------------------------------------------------------------------------------------------------------

def sliding_attacks(int color, int kind, int square, occupancy):
    """What a bishop, horse, rook or dragon attacks: by the lookup in force, by subtraction and by gathering."""
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
    """The verdict on a node so many plies below the root, and the plies back to what it repeats (0: nothing); before
    the root in the `whole_game` or not at all."""
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
    """Store and return the contradictions that came of it, by `Cause`."""
    cdef Traffic traffic
    memset(&traffic, 0, sizeof(Traffic))
    cdef transpositions.Finding finding = transpositions.Finding(
        move=move, evaluation=evaluation, lower=lower, upper=upper, depth=depth, on_pv=on_pv, on_path=on_path)
    transpositions.store(&table.table, &traffic, key, &finding)
    return list(traffic.contradictions)


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


def visit(HashStatistics statistics, u64 key, u64 position):
    """A node without children: refers to the table, is left and stored."""
    refer(&statistics.statistics, &statistics.table.table, key, position)
    leave(&statistics.statistics, &statistics.table.table, key, position)
    store(statistics.table, key, lower=0, depth=0)
    sign(&statistics.statistics, &statistics.table.table, key, position)


def expected_cases(list fill, int hash_bits, int check_bits):
    """The probability of each case for a new key (see `expect`)."""
    cdef u64[64] counts
    cdef double[CASES] p
    cdef int k
    for k in range(len(fill)):
        counts[k] = fill[k]
    expect(counts, len(fill) - 1, hash_bits, check_bits, p)
    return tuple(p)


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
        """By a network: the first layer's sums as Black and as White sees them, int16[2, 256], after `evaluate`."""
        self.evaluate()
        return (<i16[:2, :L1]>&self.stack.plies[self.ply].views.side[0][0]).copy()

    def terms(self):
        """By tables: material, KK + KKP, the KPP sums of Black's and White's half, and KK + KKP for the side to move,
        all after `evaluate`."""
        cdef const Accumulator* sum = &self.stack.plies[self.ply]
        self.evaluate()
        return sum.material, sum.sums.kings, sum.sums.half[BLACK], sum.sums.half[WHITE], sum.sums.turn


# -- search ------------------------------------------------------------------------------------------------------------

def sees(Position position, str move, int threshold):
    """Whether the exchange that a move begins brings at least `threshold`."""
    return see_reaches(&position.pos, position.legal_move(move), threshold)


def find_mate_in_one(Position position):
    cdef Move move = mate_in_one(&position.pos)
    return usi_of(move) if move else None


def order(Position position, table_move=0, quiescence=False):
    """All that a picker gives, in USI and in its order."""
    cdef Picker picker
    cdef CheckInfo check_info
    cdef Move first = table_move if movegen.is_legal(&position.pos, table_move) else 0
    cdef Move move
    cdef Signals signals
    cdef Rules game
    cdef Worker* workers[1]
    cdef TranspositionTable table = TranspositionTable(1)
    cdef Deepening deepening = Deepening()
    workers[0] = deepening.worker
    deepening.set_evaluator(Evaluator())
    deepening.join(workers, 1, &table.table, &signals, &game)
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
    return extend_line(position, pv, known, plies, &table.table, &game)


cdef class Registry:
    """A registry of loops by itself. Positions stand for search paths that begin where they were set up."""
    cdef Loops* loops

    def __cinit__(self):
        self.loops = <Loops*>calloc(1, sizeof(Loops))
        if self.loops == NULL:
            raise MemoryError("no memory for a registry of loops")

    def __dealloc__(self):
        free(self.loops)

    def clear(self):
        clear_loops(self.loops)

    def register(self, Position position):
        """Register the loop that the path has just closed; ValueError if it has closed none."""
        cdef int distance = 0
        cdef rules.Repetition kind = rules.repetition_in_search(&position.pos, len(position.moves), True, &distance)
        if not kind:
            raise ValueError(f"no repetition after {position.moves}")
        register_loop(self.loops, &position.pos, distance, kind)

    def note(self, Position position, heads, int side, int value, int depth):
        """Note a bound that rests on these plies."""
        note_bound(self.loops, &position.pos, len(position.moves), sum(head_bit(ply) for ply in heads), side, value,
                   depth)

    def reuse(self, Position position, int side, int value, int depth):
        """The plies of the heads if the bound may be reused, else an empty list."""
        cdef u64 heads = reuse_bound(self.loops, &position.pos, len(position.moves), side, value, depth)
        return [ply for ply in range(64) if heads >> ply & 1]

    @property
    def laps(self):
        """Each loop as the key of its head, its moves and its kind."""
        cdef Loop loop
        found = []
        for i in range(self.loops.loop_count):
            loop = self.loops.loops[i]
            found.append((loop.head, [usi_of(loop.moves[j]) for j in range(loop.length)], VERDICTS[loop.kind]))
        return found

    def memberships(self, u64 position):
        """Each loop that a position lies on, by its index among `laps`, with the offset there."""
        cdef int slot, member
        places = []
        for slot in range(SLOTS):
            if self.loops.slots[slot].first and self.loops.slots[slot].key == position:
                member = self.loops.slots[slot].first
                while member:
                    places.append((self.loops.members[member].loop, self.loops.members[member].offset))
                    member = self.loops.members[member].next
        return places

    @property
    def counts(self):
        return {"found": self.loops.found, "spliced": self.loops.spliced, "dropped": self.loops.dropped,
                "noted": self.loops.noted, "granted": self.loops.granted, "refused": self.loops.refused}


cdef class Tree:
    """One worker that searches single nodes, as the tree above would, and the table where it leaves what it has found.
    By material alone without an `evaluator`."""
    cdef Deepening deepening
    cdef readonly TranspositionTable table
    cdef Signals signals
    cdef Rules game
    cdef readonly int evaluation        # of the node last searched, corrected …
    cdef readonly int correction        # … by this, up or down
    cdef readonly bint on_path          # whether its value rests on a repetition of a position before it

    def __cinit__(self, dict params, Evaluator evaluator=None):
        self.deepening = Deepening(params)
        self.table = TranspositionTable(1)
        self.game.entering_king = rules.CSA_27
        self.deepening.set_evaluator(evaluator or Evaluator())
        self.deepening.join(&self.deepening.worker, 1, &self.table.table, &self.signals, &self.game)

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
        node_at(worker, ply - 1).reduction = lmr_before
        for usi, history in (continuations or {}).items():
            move = move_of(usi)
            node_at(worker, ply - 1).continuation[piece_to_of(pos, move)] = history
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


cdef class Threads:
    """Two threads of a search, which share a table, at nodes below one root."""
    cdef list deepenings
    cdef Worker* workers[2]
    cdef TranspositionTable table
    cdef Signals signals
    cdef Rules game

    def __cinit__(self, Position root not None):
        cdef Deepening deepening
        self.deepenings = [Deepening({"use_ghi_guard": 1, "use_ghi_reuse": 1}) for _ in range(2)]
        self.table = TranspositionTable(1)
        for i, deepening in enumerate(self.deepenings):
            self.workers[<int>i] = deepening.worker
        for deepening in self.deepenings:
            deepening.set_evaluator(Evaluator())
            deepening.join(self.workers, 2, &self.table.table, &self.signals, &self.game)
            deepening.set_root(root, ())

    cdef int go_to(self, Worker* worker, moves):
        cdef int ply = 0
        for usi in moves.split():
            play(worker, move_of(usi), ply)
            ply += 1
        return ply

    cdef go_back(self, Worker* worker, int plies):
        for _ in range(plies):
            undo_move(&worker.pos)

    def end(self, int thread, str moves):
        """Whether the rules end the line there; if by a repetition, the thread takes note of the loop."""
        cdef Worker* worker = self.workers[thread]
        cdef int value
        cdef int ply = self.go_to(worker, moves)
        cdef bint ended = is_terminal(worker, ply, &value)
        self.go_back(worker, ply)
        return ended

    def store(self, int thread, str moves, heads, int value, int depth):
        """Store a lower bound that rests on these plies."""
        cdef Worker* worker = self.workers[thread]
        cdef int ply = self.go_to(worker, moves)
        node_at(worker, ply).ghi_heads = sum(head_bit(head) for head in heads)
        tt_store(worker, MOVE_NONE, NO_SCORE, value, value - 1, value, depth, False, ply)
        self.go_back(worker, ply)

    def reused(self, int thread, str moves, int value, int depth):
        """The plies that such a bound rests on if it cuts off there, else an empty list."""
        cdef Worker* worker = self.workers[thread]
        cdef Entry entry
        cdef int ply = self.go_to(worker, moves)
        node_at(worker, ply).ghi_heads = 0
        if not tt_probe(worker, &entry):
            raise ValueError(f"nothing was stored after {moves}")
        cdef bint cut = tt_cutoff(worker, &entry, depth, value - 1, value, ply).answer != 0
        cdef u64 heads = node_at(worker, ply).ghi_heads
        self.go_back(worker, ply)
        return [head for head in range(64) if cut and heads >> head & 1]


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
    deepening.join(&deepening.worker, 1, &table.table, &signals, &game)
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
