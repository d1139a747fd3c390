"""The static evaluation of a node, and its correction by the correction history."""
from engine.position cimport Pos, captured_piece
from engine.types cimport Move, i16, is_promotion, move_from
from eval.evaluator cimport evaluate, exchange_value, promotion_value
from search.parameters cimport Params
from search.tree.correction cimport ENTRIES, MINORS, PAWNS, PIECES, Correction, entry_of, pair_of
from search.tree.worker cimport Node, Worker, node_at

cdef struct CorrectionEntries:  # the entries of a node's keys
    i16* pawns
    i16* minors
    i16* pieces[2]
    i16* hands
    i16* moves[2]               # by the last move and the one, or three, plies before it

cdef inline CorrectionEntries correction_entries(Worker* worker, int ply) noexcept nogil:
    cdef Correction* correction = &worker.correction
    cdef const Node* node = node_at(worker, ply)
    cdef int turn = worker.pos.turn
    cdef CorrectionEntries entries
    entries.pawns = &correction.pawns[turn][entry_of(node.keys, PAWNS)]
    entries.minors = &correction.minors[turn][entry_of(node.keys, MINORS)]
    entries.pieces[0] = &correction.pieces[0][turn][entry_of(node.keys, PIECES)]
    entries.pieces[1] = &correction.pieces[1][turn][entry_of(node.keys, PIECES + 1)]
    entries.hands = &correction.hands[turn][worker.pos.state.hand_key & (ENTRIES - 1)]
    entries.moves[0] = &correction.moves[pair_of((node - 2).played.piece_to, (node - 1).played.piece_to)]
    entries.moves[1] = &correction.moves[pair_of((node - 4).played.piece_to, (node - 1).played.piece_to)]
    return entries

cdef inline int correction_at(Worker* worker, int ply) noexcept nogil:
    """The correction of the position's evaluation, in centipawns."""
    cdef const Params* params = &worker.params
    cdef CorrectionEntries entries
    if not params.use_correction:
        return 0
    entries = correction_entries(worker, ply)
    return (params.correction_pawns * entries.pawns[0] + params.correction_minors * entries.minors[0]
            + params.correction_pieces * (entries.pieces[0][0] + entries.pieces[1][0])
            + params.correction_hands * entries.hands[0]
            + params.correction_moves * (entries.moves[0][0] + entries.moves[1][0])) // 65536

cdef inline int evaluation_at(Worker* worker, int ply) noexcept nogil:
    return evaluate(&worker.accumulators, ply, &worker.pos)

cdef inline int futility_gain(const Params* params, const Pos* pos, Move move) noexcept nogil:
    """How much a move's capture and promotion may raise the evaluation, in centipawns."""
    cdef int gain = params.futility_piece * exchange_value(captured_piece(pos, move)) // 1024
    return gain + promotion_value(pos.board[move_from(move)]) if is_promotion(move) else gain
