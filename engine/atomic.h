/* Memory that threads share without locks.
 *
 * All accesses are relaxed: each word stands for itself, and none of them publishes other memory. Up to eight bytes they
 * compile to plain moves, but to C they are no data races, whose effect would be undefined. */
#ifndef GAKUSHI_ATOMIC_H
#define GAKUSHI_ATOMIC_H

#include <stdint.h>

static inline int64_t relaxed_load(const int64_t *word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }
static inline void relaxed_store(int64_t *word, int64_t value) { __atomic_store_n(word, value, __ATOMIC_RELAXED); }

/* Takes `wanted` from the word, and returns what it held before. */
static inline int64_t relaxed_take(int64_t *word, int64_t wanted)
{
    return __atomic_fetch_sub(word, wanted, __ATOMIC_RELAXED);
}

static inline uint64_t relaxed_bits(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }
static inline void relaxed_set_bits(uint64_t *word, uint64_t bits) { __atomic_store_n(word, bits, __ATOMIC_RELAXED); }

/* Of a word that only this thread writes and others may read. */
static inline void relaxed_increment(uint64_t *word)
{
    __atomic_store_n(word, __atomic_load_n(word, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
}

#endif
