"""Training samples: positions that a search and a game have judged, and how far a value is from what they said.

A learner's target is a winning rate: the search's, 1 / (1 + exp(-value / 600)), blended with the game's result. Losses
are cross-entropies against it, in nats.
"""
from libc.math cimport exp, log1p

from eval.features cimport LISTED
from eval.material cimport SLOPE
from engine.types cimport i16, u8, u16

cdef enum:                      # Sample.flags
    IN_CHECK = 1
    CAPTURES = 2                # the best move takes a piece

cdef enum:
    NO_RESULT = 3               # the target is the search's value alone

cdef packed struct Sample:      # a position as the learner keeps it; Black's view throughout
    u16[LISTED] features        # ascending, NO_FEATURE for pieces that are not in play
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
    """Cross-entropy in nats, without ever taking the logarithm of nothing."""
    cdef double odds = value / <double>SLOPE
    return log1p(exp(-abs(odds))) + max(odds, 0.0) - target * odds
