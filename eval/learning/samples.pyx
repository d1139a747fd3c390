"""Training samples (see samples.pxd)."""
import numpy as np

from engine.packed cimport YANEURAOU, Placed, set_up, unpack
from engine.position cimport Pos, in_check, init, release
from engine.types cimport BLACK, NO_PIECE, SQUARES, WHITE, Move, move_to
from eval.features cimport NO_FEATURE, index
from eval.material cimport balance_of

from engine.errors import UserError
from eval.learning.records import PSV

SAMPLE = np.dtype([("features", np.uint16, LISTED), ("king", np.uint8, 2), ("turn", np.uint8), ("flags", np.uint8),
                   ("value", np.int16), ("material", np.int16), ("result", np.uint8), ("spare", np.uint8)])
FLAGS = {"in_check": IN_CHECK, "captures": CAPTURES}
UNKNOWN_RESULT = NO_RESULT
assert SAMPLE.itemsize == sizeof(Sample)


cdef bint open_record(Sample* sample, Pos* pos, const u8* packed, int score, Move move, int result) noexcept nogil:
    """Make a sample of a packed record. `result` is -1, 0 or 1 for the side to move. False if the bits hold no
    position."""
    cdef Placed placed
    cdef int i, j
    cdef u16 feature
    if not unpack(&placed, packed, YANEURAOU):
        return False
    set_up(pos, &placed)
    for i in range(LISTED):
        sample.features[i] = index[placed.place[i]] if i < placed.count else NO_FEATURE
    for i in range(1, LISTED):
        feature = sample.features[i]
        j = i
        while j and sample.features[j - 1] > feature:
            sample.features[j] = sample.features[j - 1]
            j -= 1
        sample.features[j] = feature
    sample.king[BLACK] = placed.king[BLACK]
    sample.king[WHITE] = placed.king[WHITE]
    sample.turn = placed.turn
    sample.flags = 0
    if in_check(pos):
        sample.flags |= IN_CHECK
    if move and move_to(move) < SQUARES and pos.board[move_to(move)] != NO_PIECE:
        sample.flags |= CAPTURES
    sample.value = <i16>(-score if placed.turn == WHITE else score)
    sample.material = <i16>balance_of(pos)
    sample.result = 1 + (-result if placed.turn == WHITE else result)
    sample.spare = 0
    return True


def open_records(records):
    """Convert an array of PSV to an array of SAMPLE. Raises UserError with its index for a record without a valid
    position or result."""
    if records.dtype != PSV:
        raise TypeError(f"records are of dtype PSV, not {records.dtype}")
    samples = np.empty(len(records), SAMPLE)
    cdef const u8[:, ::1] bits = np.ascontiguousarray(records["sfen"])
    cdef const i16[::1] scores = np.ascontiguousarray(records["score"])
    cdef const u16[::1] moves = np.ascontiguousarray(records["move"])
    cdef const signed char[::1] results = np.ascontiguousarray(records["game_result"])
    cdef Sample[::1] opened = samples
    cdef Py_ssize_t i, count = len(records), wrong = -1
    cdef Pos pos
    if init(&pos, 1):
        raise MemoryError("no room for a position")
    with nogil:
        for i in range(count):
            if (not -1 <= results[i] <= 1
                    or not open_record(&opened[i], &pos, &bits[i, 0], scores[i], moves[i], results[i])):
                wrong = i
                break
    release(&pos)
    if wrong >= 0 and not -1 <= results[wrong] <= 1:
        raise UserError(f"record {wrong} holds the game result {results[wrong]}; it has to be -1, 0 or 1")
    if wrong >= 0:
        raise UserError(f"record {wrong} holds {records['sfen'][wrong].tobytes().hex()}, which is no packed position")
    return samples


def targets(const Sample[::1] samples, double blend):
    """The target winning rate of each sample, for Black: float64[n]."""
    return np.array([target_of(&samples[i], blend) for i in range(samples.shape[0])])


def loss(const double[::1] values, const Sample[::1] samples, double blend):
    """The mean loss in nats of `values` (centipawns for Black) against the samples' targets."""
    cdef double total = 0
    cdef Py_ssize_t i
    if values.shape[0] != samples.shape[0]:
        raise UserError(f"{values.shape[0]} values for {samples.shape[0]} samples")
    for i in range(values.shape[0]):
        total += loss_of(values[i], target_of(&samples[i], blend))
    return total / max(values.shape[0], 1)
