"""Training samples (see samples.pxd)."""
import numpy as np

from engine.packed cimport YANEURAOU, Placed, set_up, unpack
from engine.position cimport Pos, in_check, init, release
from engine.types cimport BLACK, NO_PIECE, SQUARES, WHITE, Move, move_to
from eval.features cimport FEATURES, NO_FEATURE, index
from eval.material cimport balance_of

from engine.errors import OutOfMemory, UserError
from eval.learning.records import PSV, require_records, require_results

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
    score = max(score, -0x7FFF)         # so that its negation fits
    sample.value = <i16>(-score if placed.turn == WHITE else score)
    sample.material = <i16>balance_of(pos)
    sample.result = 1 + (-result if placed.turn == WHITE else result)
    sample.spare = 0
    return True


def open_records(records):
    """Convert an array of PSV to an array of SAMPLE. Raises TypeError for anything but a one-dimensional array of PSV,
    UserError with its index for a record without a valid position or result."""
    require_records(records, PSV)
    require_results(records["game_result"], -1)
    samples = np.empty(len(records), SAMPLE)
    cdef const u8[:, ::1] bits = np.ascontiguousarray(records["sfen"])
    cdef const i16[::1] scores = np.ascontiguousarray(records["score"])
    cdef const u16[::1] moves = np.ascontiguousarray(records["move"])
    cdef const signed char[::1] results = np.ascontiguousarray(records["game_result"])
    cdef Sample[::1] opened = samples
    cdef Py_ssize_t i, count = len(records), wrong = -1
    cdef Pos pos
    if init(&pos, 1):
        raise OutOfMemory("no room for a position")
    with nogil:
        for i in range(count):
            if not open_record(&opened[i], &pos, &bits[i, 0], scores[i], moves[i], results[i]):
                wrong = i
                break
    release(&pos)
    if wrong >= 0:
        raise UserError("record {number} holds {hex}, which is no packed position", number=wrong,
                        hex=records["sfen"][wrong].tobytes().hex())
    return samples


def require_samples(const Sample[::1] samples not None):
    """Raise UserError, with its index, for a sample that holds no position: by its numbers the learners would read and
    write outside their weights."""
    cdef const Sample* sample
    cdef Py_ssize_t i
    cdef u16 largest
    cdef int k
    for i in range(samples.shape[0]):
        sample = &samples[i]
        largest = 0
        for k in range(LISTED):
            largest = max(largest, sample.features[k])
        if (largest >= FEATURES or sample.king[BLACK] >= SQUARES or sample.king[WHITE] >= SQUARES
                or sample.turn > WHITE):
            raise UserError("sample {number} holds kings on {black} and {white}, the turn {turn} and features up to "
                            "{largest}, which is no position; make samples by open_records", number=i,
                            black=sample.king[BLACK], white=sample.king[WHITE], turn=sample.turn, largest=largest)


def checked_order(order, Py_ssize_t count):
    """The order in which `count` samples are learned from: uint32[n]. Raises TypeError unless it is a one-dimensional
    array of integers, IndexError if one is not below `count`."""
    numbers = np.asarray(order)
    if numbers.ndim != 1 or (len(numbers) and numbers.dtype.kind not in "iu"):
        raise TypeError(f"order has the dtype {numbers.dtype} and the shape {numbers.shape}: give a one-dimensional "
                        "array of integers, the samples' numbers")
    for number in (numbers.min(), numbers.max()) if len(numbers) else ():
        if not 0 <= number < count:
            raise IndexError(f"sample {number} of {count}: order has numbers from 0 to {count - 1}")
    return np.ascontiguousarray(numbers, np.uint32)


def targets(const Sample[::1] samples, double blend):
    """The target winning rate of each sample, for Black: float64[n]."""
    return np.array([target_of(&samples[i], blend) for i in range(samples.shape[0])])


def loss(const double[::1] values, const Sample[::1] samples, double blend):
    """The mean loss in nats of `values` (centipawns for Black) against the samples' targets."""
    cdef double total = 0
    cdef Py_ssize_t i
    if values.shape[0] != samples.shape[0]:
        raise UserError("{count} values for {samples} samples", count=values.shape[0], samples=samples.shape[0])
    for i in range(values.shape[0]):
        total += loss_of(values[i], target_of(&samples[i], blend))
    return total / max(values.shape[0], 1)
