"""Training samples: positions with the results of a search and of their game, and the loss of a value.

A learner's target is a winning rate: 1 / (1 + exp(-value / 600)) of the search's value, blended with the game's result.
The loss is the cross-entropy against it, in nats.
"""
from libc.math cimport exp, log1p

from eval.features cimport LISTED
from eval.material cimport SLOPE
from engine.types cimport i16, u8, u16

cdef enum:                      # Sample.flags
    IN_CHECK = 1
    CAPTURES = 2                # the best move is a capture

cdef enum:
    NO_RESULT = 3               # the target is the search's value alone

cdef packed struct Sample:      # a position, in Black's view
    u16[LISTED] features        # ascending; NO_FEATURE for pieces not in play
    u8[2] king
    u8 turn
    u8 flags
    i16 value                   # the search's, in centipawns
    i16 material
    u8 result                   # 0, 1, 2: White won, draw, Black won; or NO_RESULT
    u8 spare

cdef inline double winning_rate(double value) noexcept nogil:
    return 1 / (1 + exp(-value / <double>SLOPE))

cdef inline double target_of(const Sample* sample, double blend) noexcept nogil:
    if sample.result == NO_RESULT:
        return winning_rate(sample.value)
    return blend * winning_rate(sample.value) + (1 - blend) * 0.5 * sample.result

cdef inline double loss_of(double value, double target) noexcept nogil:
    """The cross-entropy in nats, computed without log(0)."""
    cdef double odds = value / <double>SLOPE
    return log1p(exp(-abs(odds))) + max(odds, 0.0) - target * odds
