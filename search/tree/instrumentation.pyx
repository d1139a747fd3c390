"""Fingerprints and broken keys (see instrumentation.pxd)."""
from libc.string cimport memcpy

from engine.types cimport PAWN, SQUARES, hand_count, hand_place
from engine.zobrist cimport keys, splitmix


cdef u64 fingerprint(const Pos* pos) noexcept nogil:
    cdef u64 digest = 0x9e3779b97f4a7c15ULL
    cdef u64 word
    cdef int square
    for square in range(0, SQUARES - 1, 8):
        memcpy(&word, &pos.board[square], sizeof(word))
        digest = splitmix(digest ^ word) + 0x9e3779b97f4a7c15ULL
    digest = splitmix(digest ^ (<u64>pos.board[SQUARES - 1] << 1 | pos.turn)) + 0x9e3779b97f4a7c15ULL
    return splitmix(digest ^ (<u64>pos.hand[0] << 32 | pos.hand[1]))


cdef u64 faulty_key(const Pos* pos, Fault injected_fault) noexcept nogil:
    cdef u64 faulty = key(pos)
    cdef int color, n
    if injected_fault == HAND_LEFT_OUT:
        for color in range(2):
            for n in range(1, hand_count(pos.hand[color], PAWN) + 1):
                faulty ^= keys.place[hand_place(color, PAWN, n)]
    if injected_fault == LOW_BITS_CORRELATED:
        faulty = faulty & ~<u64>0xffff | faulty >> 48
    return faulty
