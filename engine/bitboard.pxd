"""Bitboards: sets of squares as 128-bit integers, one bit per square.

A shift by 1 is a step along the file, left towards Black's side, right towards White's; a shift by 9 is a step to the
neighbouring file. `all_squares` clears the bits from 81 on.
"""
from engine.types cimport lsb, popcount, single_bit, u128, u64

cdef inline u128 bit(int square) noexcept nogil:
    return single_bit(square)

cdef inline u128 wide(u64 high, u64 low) noexcept nogil:
    return (<u128>high << 64) | low

cdef inline u64 low_word(u128 board) noexcept nogil:
    return <u64>board

cdef inline u64 high_word(u128 board) noexcept nogil:
    return <u64>(board >> 64)

cdef inline bint some(u128 board) noexcept nogil:
    return (low_word(board) | high_word(board)) != 0

cdef inline bint more_than_one(u128 board) noexcept nogil:
    return some(board & (board - 1))

cdef inline int count(u128 board) noexcept nogil:
    return popcount(low_word(board)) + popcount(high_word(board))

cdef inline int first(u128 board) noexcept nogil:
    """The lowest square of a non-empty set."""
    cdef u64 low = low_word(board)
    return lsb(low) if low else 64 + lsb(high_word(board))

cdef inline int pop_first(u128* board) noexcept nogil:
    """Remove and return the lowest square of a non-empty set."""
    cdef int square = first(board[0])
    board[0] &= board[0] - 1
    return square

cdef inline u128 file_set(int file) noexcept nogil:
    return <u128>0x1ff << (9 * file)

cdef inline u128 rank_set(int rank) noexcept nogil:
    return wide(0x100ULL, 0x8040201008040201ULL) << rank

cdef inline u128 all_squares() noexcept nogil:
    return wide(0x1ffffULL, 0xffffffffffffffffULL)
