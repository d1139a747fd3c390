/* Bit scans, bit gathering and prefetch: machine instructions that C has no operator for.
 *
 * A bitboard is one unsigned 128-bit integer, so gcc or clang on a 64-bit machine is needed (MSVC has no such type;
 * build with clang-cl or MinGW there).  Everything below has a plain fall-back, so no processor extension is required.
 */
#ifndef GAKUSHI_BITS_H
#define GAKUSHI_BITS_H

#include <stdint.h>

#if !defined(__SIZEOF_INT128__)
#error "Gakushi needs a compiler with unsigned __int128: gcc or clang for a 64-bit machine"
#endif

typedef unsigned __int128 u128;

/* PEXT is fast on Intel since Haswell and on AMD since Zen 3; on Zen 1 and 2 it is microcode, a hundred times slower.
 * GAKUSHI_SLIDERS=subtraction (see setup.py) turns it off there. */
#if defined(__BMI2__) && !defined(GAKUSHI_NO_PEXT)
#include <immintrin.h>
#define GAKUSHI_HAS_PEXT 1
static inline uint64_t pext(uint64_t word, uint64_t mask) { return _pext_u64(word, mask); }
#else
#define GAKUSHI_HAS_PEXT 0
/* Only building the tables calls this one; the lookups take the subtraction path. */
static inline uint64_t pext(uint64_t word, uint64_t mask)
{
    uint64_t out = 0;
    for (uint64_t bit = 1; mask; bit <<= 1, mask &= mask - 1)
        if (word & mask & (0 - mask))
            out |= bit;
    return out;
}
#endif

/* The index of the lowest and of the highest set bit; undefined for 0, like the instructions. */
static inline int lsb(uint64_t word) { return __builtin_ctzll(word); }
static inline int msb(uint64_t word) { return 63 - __builtin_clzll(word); }
static inline int popcount(uint64_t word) { return __builtin_popcountll(word); }
static inline uint64_t bswap(uint64_t word) { return __builtin_bswap64(word); }

/* 1 << index, each half separately: faster than a 128-bit shift, which has to combine the halves. */
static inline u128 single_bit(int index)
{
    uint64_t low = (uint64_t)(index < 64) << (index & 63);
    uint64_t high = (uint64_t)(index >= 64) << (index & 63);
    return (u128)high << 64 | low;
}

static inline void prefetch(const void *address) { __builtin_prefetch(address); }

#endif
