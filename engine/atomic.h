/* Words that threads share without locks.
 *
 * All accesses are relaxed: each word is independent, and none of them publishes other memory. Up to eight bytes they
 * compile to plain moves. To C they are atomic, so there is no data race, which would be undefined behaviour. */
#ifndef GAKUSHI_ATOMIC_H
#define GAKUSHI_ATOMIC_H

#include <stdint.h>

static inline int64_t relaxed_load(const int64_t *word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }
static inline void relaxed_store(int64_t *word, int64_t value) { __atomic_store_n(word, value, __ATOMIC_RELAXED); }

static inline uint64_t relaxed_bits(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }
static inline void relaxed_set_bits(uint64_t *word, uint64_t bits) { __atomic_store_n(word, bits, __ATOMIC_RELAXED); }

/* Add 1 to a word that only this thread writes; others may read it. */
static inline void relaxed_increment(uint64_t *word)
{
    __atomic_store_n(word, __atomic_load_n(word, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
}

#endif
