"""Material: the sum of a value for every place that a piece is in, kept up to date from the difference record alone.

This is the interface that every evaluation here has. An `Accumulator` is what one ply of the search keeps of it:
`refresh` sums it over the whole position, `update` takes the parent's and the last move's difference, going back needs
nothing, and `evaluate` turns it into centipawns from the side to move.
"""
from engine.position cimport DEBUG, PIECES, PLACES, Place, Pos, i16

cdef struct Accumulator:
    int balance                 # of Black's pieces over White's

cdef struct Values:
    i16 place[PLACES]           # a piece's worth where it is, for Black
    i16 exchange[PIECES]        # what taking a piece swings the balance by: one lost there, one gained in hand
    i16 promotion[PIECES]       # what promoting it adds

cdef Values values

cdef int balance_of(const Pos* pos) noexcept nogil                  # summed over the whole position
cdef void check(const Accumulator* sum, const Pos* pos) noexcept nogil  # an AssertionError if the sum is another

cdef inline void refresh(Accumulator* sum, const Pos* pos) noexcept nogil:
    sum.balance = balance_of(pos)

cdef inline void update(Accumulator* sum, const Accumulator* parent, const Pos* pos) noexcept nogil:
    """After a move, or a null move, on `pos`."""
    cdef int i
    sum.balance = parent.balance
    for i in range(pos.state.difference.count):
        sum.balance += values.place[pos.state.difference.after[i]] - values.place[pos.state.difference.before[i]]
    if DEBUG:
        check(sum, pos)

cdef inline int evaluate(const Accumulator* sum, const Pos* pos) noexcept nogil:
    return -sum.balance if pos.turn else sum.balance
