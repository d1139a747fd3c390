/* The network's sums: plain loops, AVX2, AVX-512 with VNNI, NEON with and without dot products. All give the same
 * numbers to the bit (inference.pxd explains why). They are compiled whatever -march says; call one only if its `usable`
 * returns true. The table at the end lists those of this build, the slowest first.
 *
 * The first layer's sums use the same code in all kernels, which the compiler vectorises for each processor level. In the
 * second layer the weights of four neighbouring inputs lie together, for each output in turn, because byte dot products
 * take four at a time. In the third layer two lie together, for multiplications of 16-bit pairs.
 */
#ifndef GAKUSHI_KERNELS_H
#define GAKUSHI_KERNELS_H

#include <stdint.h>
#include <string.h>

#define NETWORK_L1 256
#define NETWORK_L2 32
#define NETWORK_L3 32
#define NETWORK_FIRST_TOP 127

typedef int16_t NetworkRow[NETWORK_L1];     /* the first layer's weights of an input; aligned to 64 bytes */

/* Everything but the rows. */
typedef struct {
    _Alignas(64) int16_t first_bias[NETWORK_L1];
    _Alignas(64) int8_t second[2 * NETWORK_L1 / 4][NETWORK_L2][4];
    _Alignas(64) int16_t third[NETWORK_L2 / 2][NETWORK_L3][2];
    _Alignas(64) int32_t second_bias[NETWORK_L2];
    _Alignas(64) int32_t third_bias[NETWORK_L3];
    _Alignas(64) int16_t output[NETWORK_L3];
    int32_t output_bias;
    /* The rounding: shifts from each layer's sums to activations, and the largest activation of the last two. That of
     * the first is NETWORK_FIRST_TOP in every network. */
    int32_t first_shift, second_shift, third_shift, top;
} NetworkLayers;

typedef struct {
    const char *name;
    int (*usable)(void);        /* on this processor */
    /* A side's sums over `count` inputs. */
    void (*refresh)(const int16_t *bias, const NetworkRow *rows, int16_t *sums, const uint16_t *inputs, int count);
    /* Replace any number of inputs in a side's sums. */
    void (*exchange)(const NetworkRow *rows, int16_t *sums, const uint16_t *added, const uint16_t *removed, int count);
    /* A side's sums after one or two inputs were replaced. */
    void (*update)(const NetworkRow *rows, int16_t *sums, const int16_t *before, const uint16_t *added,
                   const uint16_t *removed, int count);
    /* The output for the mover, from the mover's sums and the other's. */
    int32_t (*output)(const NetworkLayers *net, const int16_t *ours, const int16_t *theirs);
} NetworkKernel;

#if defined(__GNUC__)
#define NETWORK_PART __attribute__((always_inline)) static inline
#else
#define NETWORK_PART static inline
#endif

/* -- Plain loops --------------------------------------------------------------------------------------------------- */

static inline int always(void) { return 1; }

/* Unsigned, because the sums may wrap. */
NETWORK_PART void plain_refresh(const int16_t *bias, const NetworkRow *rows, int16_t *sums, const uint16_t *inputs,
                                int count)
{
    memcpy(sums, bias, sizeof(NetworkRow));
    for (int i = 0; i < count; i++) {
        const int16_t *row = rows[inputs[i]];
        for (int j = 0; j < NETWORK_L1; j++)
            sums[j] = (int16_t)((uint16_t)sums[j] + (uint16_t)row[j]);
    }
}

NETWORK_PART void plain_exchange(const NetworkRow *rows, int16_t *sums, const uint16_t *added,
                                 const uint16_t *removed, int count)
{
    for (int i = 0; i < count; i++) {
        const int16_t *in = rows[added[i]], *out = rows[removed[i]];
        for (int j = 0; j < NETWORK_L1; j++)
            sums[j] = (int16_t)((uint16_t)sums[j] + (uint16_t)in[j] - (uint16_t)out[j]);
    }
}

NETWORK_PART void plain_update(const NetworkRow *rows, int16_t *restrict sums, const int16_t *restrict before,
                               const uint16_t *added, const uint16_t *removed, int count)
{
    const int16_t *in = rows[added[0]], *out = rows[removed[0]];
    if (count == 1) {
        for (int j = 0; j < NETWORK_L1; j++)
            sums[j] = (int16_t)((uint16_t)before[j] + (uint16_t)in[j] - (uint16_t)out[j]);
    } else {
        const int16_t *in_too = rows[added[1]], *out_too = rows[removed[1]];
        for (int j = 0; j < NETWORK_L1; j++)
            sums[j] = (int16_t)((uint16_t)before[j] + (uint16_t)in[j] - (uint16_t)out[j] + (uint16_t)in_too[j]
                                - (uint16_t)out_too[j]);
    }
}

NETWORK_PART int32_t clipped(int32_t sum, int shift, int32_t top)
{
    sum >>= shift;
    return sum < 0 ? 0 : sum > top ? top : sum;
}

static inline int32_t plain_output(const NetworkLayers *net, const int16_t *ours, const int16_t *theirs)
{
    uint8_t first[2 * NETWORK_L1];
    int32_t second[NETWORK_L2], third[NETWORK_L3], sum = net->output_bias;
    for (int i = 0; i < NETWORK_L1; i++) {
        first[i] = (uint8_t)clipped(ours[i], net->first_shift, NETWORK_FIRST_TOP);
        first[NETWORK_L1 + i] = (uint8_t)clipped(theirs[i], net->first_shift, NETWORK_FIRST_TOP);
    }
    memcpy(second, net->second_bias, sizeof second);
    for (int i = 0; i < 2 * NETWORK_L1; i++)
        for (int j = 0; j < NETWORK_L2; j++)
            second[j] += first[i] * net->second[i / 4][j][i % 4];
    memcpy(third, net->third_bias, sizeof third);
    for (int i = 0; i < NETWORK_L2; i++)
        for (int j = 0; j < NETWORK_L3; j++)
            third[j] += clipped(second[i], net->second_shift, net->top) * net->third[i / 2][j][i % 2];
    for (int i = 0; i < NETWORK_L3; i++)
        sum += clipped(third[i], net->third_shift, net->top) * net->output[i];
    return sum;
}

/* -- x86-64 -------------------------------------------------------------------------------------------------------- */

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

#define NETWORK_FOR_AVX2 __attribute__((target("avx2")))
#define NETWORK_FOR_AVX512 __attribute__((target("avx2,avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")))

static inline int has_avx2(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") != 0;
}

/* The same loops, compiled for that level. */
NETWORK_FOR_AVX2 static void avx2_refresh(const int16_t *bias, const NetworkRow *rows, int16_t *sums,
                                          const uint16_t *inputs, int count)
{
    plain_refresh(bias, rows, sums, inputs, count);
}

NETWORK_FOR_AVX2 static void avx2_exchange(const NetworkRow *rows, int16_t *sums, const uint16_t *added,
                                           const uint16_t *removed, int count)
{
    plain_exchange(rows, sums, added, removed, count);
}

NETWORK_FOR_AVX2 static void avx2_update(const NetworkRow *rows, int16_t *sums, const int16_t *before,
                                         const uint16_t *added, const uint16_t *removed, int count)
{
    plain_update(rows, sums, before, added, removed, count);
}

NETWORK_FOR_AVX2 NETWORK_PART void avx2_activate(const NetworkLayers *net, uint8_t *out, const int16_t *sums)
{
    const __m128i shift = _mm_cvtsi32_si128(net->first_shift);
    for (int i = 0; i < NETWORK_L1; i += 32) {
        __m256i low = _mm256_sra_epi16(_mm256_loadu_si256((const __m256i *)(sums + i)), shift);
        __m256i high = _mm256_sra_epi16(_mm256_loadu_si256((const __m256i *)(sums + i + 16)), shift);
        __m256i bytes = _mm256_max_epi8(_mm256_packs_epi16(low, high), _mm256_setzero_si256());
        _mm256_store_si256((__m256i *)(out + i), _mm256_permute4x64_epi64(bytes, 0xd8));
    }
}

/* Convert 32 sums to activations. */
NETWORK_FOR_AVX2 NETWORK_PART void avx2_clip(const NetworkLayers *net, int16_t *out, __m256i *sums, int shift)
{
    const __m128i by = _mm_cvtsi32_si128(shift);
    const __m256i zero = _mm256_setzero_si256(), top = _mm256_set1_epi16((int16_t)net->top);
    for (int j = 0; j < 4; j += 2) {
        __m256i both = _mm256_packs_epi32(_mm256_sra_epi32(sums[j], by), _mm256_sra_epi32(sums[j + 1], by));
        both = _mm256_min_epi16(_mm256_max_epi16(_mm256_permute4x64_epi64(both, 0xd8), zero), top);
        _mm256_store_si256((__m256i *)(out + 8 * j), both);
    }
}

/* Which of 64 groups of four inputs are not all 0: a bit for each. */
NETWORK_FOR_AVX2 NETWORK_PART uint64_t avx2_active(const uint8_t *in)
{
    uint64_t active = 0;
    for (int i = 0; i < 8; i++) {
        __m256i positive = _mm256_cmpgt_epi32(_mm256_load_si256((const __m256i *)(in + 32 * i)), _mm256_setzero_si256());
        active |= (uint64_t)(uint8_t)_mm256_movemask_ps(_mm256_castsi256_ps(positive)) << 8 * i;
    }
    return active;
}

/* More than half of the groups are 0, and are passed over. */
NETWORK_FOR_AVX2 NETWORK_PART void avx2_second(const NetworkLayers *net, const uint8_t *in, int16_t *out)
{
    const __m256i ones = _mm256_set1_epi16(1);
    __m256i sums[4];
    for (int j = 0; j < 4; j++)
        sums[j] = _mm256_load_si256((const __m256i *)(net->second_bias + 8 * j));
    for (int start = 0; start < 2 * NETWORK_L1 / 4; start += 64)
        for (uint64_t active = avx2_active(in + 4 * start); active; active &= active - 1) {
            int i = start + __builtin_ctzll(active);
            int32_t four;
            memcpy(&four, in + 4 * i, sizeof four);
            for (int j = 0; j < 4; j++) {
                __m256i row = _mm256_load_si256((const __m256i *)net->second[i][8 * j]);
                __m256i pairs = _mm256_maddubs_epi16(_mm256_set1_epi32(four), row);
                sums[j] = _mm256_add_epi32(sums[j], _mm256_madd_epi16(pairs, ones));
            }
        }
    avx2_clip(net, out, sums, net->second_shift);
}

NETWORK_FOR_AVX2 NETWORK_PART void avx2_third(const NetworkLayers *net, const int16_t *in, int16_t *out)
{
    __m256i sums[4];
    for (int j = 0; j < 4; j++)
        sums[j] = _mm256_load_si256((const __m256i *)(net->third_bias + 8 * j));
    for (int i = 0; i < NETWORK_L2 / 2; i++) {
        int32_t two;
        memcpy(&two, in + 2 * i, sizeof two);
        for (int j = 0; j < 4; j++) {
            __m256i row = _mm256_load_si256((const __m256i *)net->third[i][8 * j]);
            sums[j] = _mm256_add_epi32(sums[j], _mm256_madd_epi16(_mm256_set1_epi32(two), row));
        }
    }
    avx2_clip(net, out, sums, net->third_shift);
}

NETWORK_FOR_AVX2 NETWORK_PART int32_t avx2_last(const NetworkLayers *net, const int16_t *in)
{
    __m256i sums = _mm256_setzero_si256();
    for (int i = 0; i < NETWORK_L3; i += 16)
        sums = _mm256_add_epi32(sums, _mm256_madd_epi16(_mm256_load_si256((const __m256i *)(in + i)),
                                                        _mm256_load_si256((const __m256i *)(net->output + i))));
    __m128i four = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    __m128i two = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4e));
    return net->output_bias + _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 0xb1)));
}

NETWORK_FOR_AVX2 static int32_t avx2_output(const NetworkLayers *net, const int16_t *ours, const int16_t *theirs)
{
    _Alignas(64) uint8_t first[2 * NETWORK_L1];
    _Alignas(64) int16_t second[NETWORK_L2], third[NETWORK_L3];
    avx2_activate(net, first, ours);
    avx2_activate(net, first + NETWORK_L1, theirs);
    avx2_second(net, first, second);
    avx2_third(net, second, third);
    return avx2_last(net, third);
}

static inline int has_avx512_vnni(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")
        && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vnni");
}

NETWORK_FOR_AVX512 static void avx512_refresh(const int16_t *bias, const NetworkRow *rows, int16_t *sums,
                                              const uint16_t *inputs, int count)
{
    __m512i kept[NETWORK_L1 / 32];
    for (int j = 0; j < NETWORK_L1 / 32; j++)
        kept[j] = _mm512_load_si512(bias + 32 * j);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < NETWORK_L1 / 32; j++)
            kept[j] = _mm512_add_epi16(kept[j], _mm512_load_si512(rows[inputs[i]] + 32 * j));
    for (int j = 0; j < NETWORK_L1 / 32; j++)
        _mm512_storeu_si512(sums + 32 * j, kept[j]);
}

NETWORK_FOR_AVX512 static void avx512_exchange(const NetworkRow *rows, int16_t *sums, const uint16_t *added,
                                               const uint16_t *removed, int count)
{
    __m512i kept[NETWORK_L1 / 32];
    for (int j = 0; j < NETWORK_L1 / 32; j++)
        kept[j] = _mm512_loadu_si512(sums + 32 * j);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < NETWORK_L1 / 32; j++) {
            __m512i change = _mm512_sub_epi16(_mm512_load_si512(rows[added[i]] + 32 * j),
                                              _mm512_load_si512(rows[removed[i]] + 32 * j));
            kept[j] = _mm512_add_epi16(kept[j], change);
        }
    for (int j = 0; j < NETWORK_L1 / 32; j++)
        _mm512_storeu_si512(sums + 32 * j, kept[j]);
}

/* With intrinsics, because compilers prefer vectors of 256 bits. */
NETWORK_FOR_AVX512 static void avx512_update(const NetworkRow *rows, int16_t *sums, const int16_t *before,
                                             const uint16_t *added, const uint16_t *removed, int count)
{
    for (int j = 0; j < NETWORK_L1; j += 32) {
        __m512i sum = _mm512_loadu_si512(before + j);
        for (int i = 0; i < count; i++) {
            sum = _mm512_add_epi16(sum, _mm512_load_si512(rows[added[i]] + j));
            sum = _mm512_sub_epi16(sum, _mm512_load_si512(rows[removed[i]] + j));
        }
        _mm512_storeu_si512(sums + j, sum);
    }
}

NETWORK_FOR_AVX512 NETWORK_PART void avx512_activate(const NetworkLayers *net, uint8_t *out, const int16_t *sums)
{
    const __m128i shift = _mm_cvtsi32_si128(net->first_shift);
    const __m512i zero = _mm512_setzero_si512(), top = _mm512_set1_epi16(NETWORK_FIRST_TOP);
    for (int i = 0; i < NETWORK_L1; i += 32) {
        __m512i sum = _mm512_sra_epi16(_mm512_loadu_si512(sums + i), shift);
        _mm256_store_si256((__m256i *)(out + i),
                           _mm512_cvtepi16_epi8(_mm512_min_epi16(_mm512_max_epi16(sum, zero), top)));
    }
}

NETWORK_FOR_AVX512 NETWORK_PART void avx512_clip(const NetworkLayers *net, int16_t *out, __m512i sums, int shift)
{
    sums = _mm512_max_epi32(_mm512_sra_epi32(sums, _mm_cvtsi32_si128(shift)), _mm512_setzero_si512());
    _mm256_store_si256((__m256i *)out,
                       _mm512_cvtepi32_epi16(_mm512_min_epi32(sums, _mm512_set1_epi32(net->top))));
}

/* Several sums in parallel, because each addition waits for the one before. */
NETWORK_FOR_AVX512 NETWORK_PART void avx512_second(const NetworkLayers *net, const uint8_t *in, int16_t *out)
{
    __m512i sums[4][2];
    for (int k = 0; k < 4; k++)
        for (int j = 0; j < 2; j++)
            sums[k][j] = k ? _mm512_setzero_si512() : _mm512_load_si512(net->second_bias + 16 * j);
    for (int i = 0; i < 2 * NETWORK_L1 / 4; i += 4)
        for (int k = 0; k < 4; k++) {
            int32_t four;
            memcpy(&four, in + 4 * (i + k), sizeof four);
            for (int j = 0; j < 2; j++)
                sums[k][j] = _mm512_dpbusd_epi32(sums[k][j], _mm512_set1_epi32(four),
                                                 _mm512_load_si512(net->second[i + k][16 * j]));
        }
    for (int j = 0; j < 2; j++)
        avx512_clip(net, out + 16 * j, _mm512_add_epi32(_mm512_add_epi32(sums[0][j], sums[1][j]),
                                                        _mm512_add_epi32(sums[2][j], sums[3][j])), net->second_shift);
}

NETWORK_FOR_AVX512 NETWORK_PART void avx512_third(const NetworkLayers *net, const int16_t *in, int16_t *out)
{
    __m512i sums[2][2];
    for (int k = 0; k < 2; k++)
        for (int j = 0; j < 2; j++)
            sums[k][j] = k ? _mm512_setzero_si512() : _mm512_load_si512(net->third_bias + 16 * j);
    for (int i = 0; i < NETWORK_L2 / 2; i += 2)
        for (int k = 0; k < 2; k++) {
            int32_t two;
            memcpy(&two, in + 2 * (i + k), sizeof two);
            for (int j = 0; j < 2; j++)
                sums[k][j] = _mm512_dpwssd_epi32(sums[k][j], _mm512_set1_epi32(two),
                                                 _mm512_load_si512(net->third[i + k][16 * j]));
        }
    for (int j = 0; j < 2; j++)
        avx512_clip(net, out + 16 * j, _mm512_add_epi32(sums[0][j], sums[1][j]), net->third_shift);
}

NETWORK_FOR_AVX512 static int32_t avx512_output(const NetworkLayers *net, const int16_t *ours, const int16_t *theirs)
{
    _Alignas(64) uint8_t first[2 * NETWORK_L1];
    _Alignas(64) int16_t second[NETWORK_L2], third[NETWORK_L3];
    avx512_activate(net, first, ours);
    avx512_activate(net, first + NETWORK_L1, theirs);
    avx512_second(net, first, second);
    avx512_third(net, second, third);
    return avx2_last(net, third);
}

/* -- ARM ----------------------------------------------------------------------------------------------------------- */

#elif defined(__aarch64__) && defined(__GNUC__)

#include <arm_neon.h>
#if defined(__linux__)
#include <sys/auxv.h>
#endif

NETWORK_PART void neon_activate(const NetworkLayers *net, int8_t *out, const int16_t *sums)
{
    const int16x8_t shift = vdupq_n_s16((int16_t)-net->first_shift);     /* to the right */
    for (int i = 0; i < NETWORK_L1; i += 8) {
        int8x8_t bytes = vqmovn_s16(vshlq_s16(vld1q_s16(sums + i), shift));
        vst1_s8(out + i, vmax_s8(bytes, vdup_n_s8(0)));
    }
}

NETWORK_PART void neon_clip(const NetworkLayers *net, int16_t *out, const int32x4_t *sums, int shift)
{
    const int16x4_t zero = vdup_n_s16(0), top = vdup_n_s16((int16_t)net->top);
    for (int j = 0; j < 8; j++)
        vst1_s16(out + 4 * j, vmin_s16(vmax_s16(vqmovn_s32(vshlq_s32(sums[j], vdupq_n_s32(-shift))), zero), top));
}

/* Activations are at most 127, so they may be read as signed bytes. Products of two bytes fit 16 bits; pairs are added
 * into 32 bits. */
NETWORK_PART void neon_second(const NetworkLayers *net, const int8_t *in, int16_t *out)
{
    int32x4_t pairs[16], sums[8];
    for (int j = 0; j < 16; j++)
        pairs[j] = vdupq_n_s32(0);
    for (int i = 0; i < 2 * NETWORK_L1 / 4; i++) {
        int32_t four;
        memcpy(&four, in + 4 * i, sizeof four);
        for (int j = 0; j < 16; j++)
            pairs[j] = vpadalq_s16(pairs[j], vmull_s8(vreinterpret_s8_s32(vdup_n_s32(four)),
                                                      vld1_s8(net->second[i][2 * j])));
    }
    for (int j = 0; j < 8; j++)
        sums[j] = vaddq_s32(vld1q_s32(net->second_bias + 4 * j), vpaddq_s32(pairs[2 * j], pairs[2 * j + 1]));
    neon_clip(net, out, sums, net->second_shift);
}

NETWORK_PART void neon_third(const NetworkLayers *net, const int16_t *in, int16_t *out)
{
    int32x4_t sums[8];
    for (int j = 0; j < 8; j++)
        sums[j] = vld1q_s32(net->third_bias + 4 * j);
    for (int i = 0; i < NETWORK_L2 / 2; i++)
        for (int j = 0; j < 8; j++) {
            int16x4x2_t rows = vld2_s16(net->third[i][4 * j]);
            sums[j] = vmlal_n_s16(vmlal_n_s16(sums[j], rows.val[0], in[2 * i]), rows.val[1], in[2 * i + 1]);
        }
    neon_clip(net, out, sums, net->third_shift);
}

NETWORK_PART int32_t neon_last(const NetworkLayers *net, const int16_t *in)
{
    int32x4_t sum = vdupq_n_s32(0);
    for (int i = 0; i < NETWORK_L3; i += 4)
        sum = vmlal_s16(sum, vld1_s16(in + i), vld1_s16(net->output + i));
    return net->output_bias + vaddvq_s32(sum);
}

static inline int32_t neon_output(const NetworkLayers *net, const int16_t *ours, const int16_t *theirs)
{
    int8_t first[2 * NETWORK_L1];
    int16_t second[NETWORK_L2], third[NETWORK_L3];
    neon_activate(net, first, ours);
    neon_activate(net, first + NETWORK_L1, theirs);
    neon_second(net, first, second);
    neon_third(net, second, third);
    return neon_last(net, third);
}

#define NETWORK_FOR_DOT __attribute__((target("arch=armv8.2-a+dotprod")))

NETWORK_FOR_DOT static int32_t neon_dot_output(const NetworkLayers *net, const int16_t *ours, const int16_t *theirs)
{
    int8_t first[2 * NETWORK_L1];
    int16_t second[NETWORK_L2], third[NETWORK_L3];
    int32x4_t sums[8];
    neon_activate(net, first, ours);
    neon_activate(net, first + NETWORK_L1, theirs);
    for (int j = 0; j < 8; j++)
        sums[j] = vld1q_s32(net->second_bias + 4 * j);
    for (int i = 0; i < 2 * NETWORK_L1 / 4; i++) {
        int32_t four;
        memcpy(&four, first + 4 * i, sizeof four);
        for (int j = 0; j < 8; j++)
            sums[j] = vdotq_s32(sums[j], vreinterpretq_s8_s32(vdupq_n_s32(four)), vld1q_s8(net->second[i][4 * j]));
    }
    neon_clip(net, second, sums, net->second_shift);
    neon_third(net, second, third);
    return neon_last(net, third);
}

static inline int has_dot_products(void)
{
#if defined(__APPLE__)
    return 1;                       /* every ARM Mac has them */
#elif defined(__linux__)
    return (getauxval(AT_HWCAP) >> 20 & 1) != 0;    /* HWCAP_ASIMDDP */
#else
    return 0;
#endif
}

#endif

/* -- The kernels of this build -------------------------------------------------------------------------------------- */

static const NetworkKernel network_kernels[] = {
    {"plain", always, plain_refresh, plain_exchange, plain_update, plain_output},
#if defined(__x86_64__) && defined(__GNUC__)
    {"avx2", has_avx2, avx2_refresh, avx2_exchange, avx2_update, avx2_output},
    {"avx512-vnni", has_avx512_vnni, avx512_refresh, avx512_exchange, avx512_update, avx512_output},
#elif defined(__aarch64__) && defined(__GNUC__)
    {"neon", always, plain_refresh, plain_exchange, plain_update, neon_output},
    {"neon-dot", has_dot_products, plain_refresh, plain_exchange, plain_update, neon_dot_output},
#endif
};

enum { NETWORK_KERNELS = sizeof network_kernels / sizeof network_kernels[0] };

#endif
