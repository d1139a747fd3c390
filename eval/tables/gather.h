/* Sums over rows of a triangular KPP table by AVX-512 gather. Compiled whatever -march says; call only if `can_gather`.
 *
 * A list holds the row numbers of a side's pieces, 38 used of 40; bit n of `alive` is set if piece n counts. `kpp` is one
 * king's part of the table. Each load takes 32 bits, with the 16-bit entry in the upper half, so 2 bytes before the table
 * must be readable. Diagonal entries are 0.
 */
#ifndef GAKUSHI_GATHER_H
#define GAKUSHI_GATHER_H

#include <stdint.h>

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

#define GATHERING __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq")))
#define GATHERING_PART GATHERING __attribute__((always_inline)) static inline

static inline int can_gather(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
        && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
}

/* The start of a row; rows end at the diagonal. */
static inline int32_t row_start(int32_t row) { return row * (row + 1) / 2; }

/* Pieces 0..15, 16..31 and 32..39 of a list, and the starts of their rows. */
typedef struct { __m512i columns[2], starts[2]; __m256i last_columns, last_starts; } Columns;

GATHERING_PART Columns load_columns(const uint16_t *list)
{
    Columns c;
    for (int i = 0; i < 2; i++)
        c.columns[i] = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(list + 16 * i)));
    c.last_columns = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(list + 32)));
    /* n and n + 1 have 16 bits, so one multiply-add of 16-bit halves is their product. */
    for (int i = 0; i < 2; i++)
        c.starts[i] = _mm512_srli_epi32(
            _mm512_madd_epi16(c.columns[i], _mm512_add_epi32(c.columns[i], _mm512_set1_epi32(1))), 1);
    c.last_starts = _mm256_srli_epi32(
        _mm256_madd_epi16(c.last_columns, _mm256_add_epi32(c.last_columns, _mm256_set1_epi32(1))), 1);
    return c;
}

/* The entries of a row at 16 and at 8 columns. A pair's entry is at row i, column j or the reverse; the
 * higher address is the one inside. */
GATHERING_PART __m512i entries16(const int16_t *kpp, const Columns *c, int part, int32_t row, uint64_t alive)
{
    __m512i offsets = _mm512_max_epi32(_mm512_add_epi32(c->columns[part], _mm512_set1_epi32(row_start(row))),
                                       _mm512_add_epi32(c->starts[part], _mm512_set1_epi32(row)));
    return _mm512_srai_epi32(_mm512_mask_i32gather_epi32(_mm512_setzero_si512(), (__mmask16)(alive >> 16 * part),
                                                         offsets, kpp - 1, 2), 16);
}

GATHERING_PART __m256i entries8(const int16_t *kpp, const Columns *c, int32_t row, uint64_t alive)
{
    __m256i offsets = _mm256_max_epi32(_mm256_add_epi32(c->last_columns, _mm256_set1_epi32(row_start(row))),
                                       _mm256_add_epi32(c->last_starts, _mm256_set1_epi32(row)));
    return _mm256_srai_epi32(_mm256_mmask_i32gather_epi32(_mm256_setzero_si256(), (__mmask8)(alive >> 32), offsets,
                                                          (const int *)(kpp - 1), 2), 16);
}

GATHERING_PART int32_t sum_change(const int16_t *kpp, const uint16_t *list, uint64_t alive, const int32_t *added,
                                  const int32_t *removed, int count)
{
    Columns c = load_columns(list);
    __m512i sum = _mm512_setzero_si512();
    __m256i last = _mm256_setzero_si256();
    for (int i = 0; i < count; i++) {
        for (int part = 0; part < 2; part++) {
            sum = _mm512_add_epi32(sum, entries16(kpp, &c, part, added[i], alive));
            sum = _mm512_sub_epi32(sum, entries16(kpp, &c, part, removed[i], alive));
        }
        last = _mm256_add_epi32(last, entries8(kpp, &c, added[i], alive));
        last = _mm256_sub_epi32(last, entries8(kpp, &c, removed[i], alive));
    }
    return _mm512_reduce_add_epi32(_mm512_add_epi32(sum, _mm512_zextsi256_si512(last)));
}

/* The sum of the rows `added` over the pieces alive, minus that of the rows `removed`; one or two of each. */
GATHERING static inline int32_t gather_change(const int16_t *kpp, const uint16_t *list, uint64_t alive,
                                              const int32_t *added, const int32_t *removed, int count)
{
    return count == 1 ? sum_change(kpp, list, alive, added, removed, 1)
                      : sum_change(kpp, list, alive, added, removed, 2);
}

/* The sum over all pairs of a list. */
GATHERING static inline int32_t gather_pairs(const int16_t *kpp, const uint16_t *list)
{
    Columns c = load_columns(list);
    __m512i sum = _mm512_setzero_si512();
    __m256i last = _mm256_setzero_si256();
    for (int i = 1; i < 38; i++) {
        uint64_t before = ((uint64_t)1 << i) - 1;
        sum = _mm512_add_epi32(sum, entries16(kpp, &c, 0, list[i], before));
        if (i > 16)
            sum = _mm512_add_epi32(sum, entries16(kpp, &c, 1, list[i], before));
        if (i > 32)
            last = _mm256_add_epi32(last, entries8(kpp, &c, list[i], before));
    }
    return _mm512_reduce_add_epi32(_mm512_add_epi32(sum, _mm512_zextsi256_si512(last)));
}

#else

/* Other processors have no such gather, so `can_gather` is false and nothing below it is called. */
static inline int can_gather(void) { return 0; }
#define gather_change(...) (__builtin_trap(), 0)
#define gather_pairs(...) (__builtin_trap(), 0)

#endif
#endif
