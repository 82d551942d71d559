/* Counting with bits, with counters and with comparisons of many values at once, for each set of vector instructions.
 *
 * Wheels must run on every processor, so the module that includes this file is compiled for the oldest.  The kernels are
 * compiled once more for AVX2 and for AVX-512, and `usable_kernels` lists what the processor has when the module is
 * imported.  NEON is part of every 64-bit ARM.  Other processors and compilers get plain C, one word at a time.
 *
 * counting_kernels.h has the kernels, written once.  What differs is defined here before each inclusion: the number of
 * 64-bit LANES of a vector, the number of bits set in each lane, quotients, comparisons if they give no vectors, and whether an
 * instruction counts the bits of a word.
 */
#ifndef IRCOR_COUNTING_SETS_H
#define IRCOR_COUNTING_SETS_H

#include "counting.h"
#include "wide_count.h"

#define JOIN_(name, set) name##_##set
#define JOIN(name, set) JOIN_(name, set)
#define IN_SET(name) JOIN(name, SET)
#define TEXT(set) #set
#define NAME_OF(set) TEXT(set)

#if defined(__GNUC__) && (defined(__x86_64__) || defined(__aarch64__))
#define INLINE static inline __attribute__((always_inline))
#define VECTORS
#else
#define INLINE static inline
#endif

/* ---- the baseline of the processor: SSE2, NEON or plain C ---- */

#define SET baseline
/* Rounded once by definition. */
#define QUOTIENT(c, divisor, inverse) ((void) (inverse), (c) / (divisor))
#define PAIRS_UP_TO 500
#define AHEAD_UP_TO 400

#if defined(VECTORS) && defined(__x86_64__)
#include <immintrin.h>
#define LANES 2
#define COMPARED_UP_TO 56

static inline __m128i popcount_of_128(__m128i v) {
    const __m128i pairs = _mm_set1_epi8(0x55), fours = _mm_set1_epi8(0x33), bytes = _mm_set1_epi8(0x0F);
    v = _mm_sub_epi8(v, _mm_and_si128(_mm_srli_epi64(v, 1), pairs));
    v = _mm_add_epi8(_mm_and_si128(v, fours), _mm_and_si128(_mm_srli_epi64(v, 2), fours));
    v = _mm_and_si128(_mm_add_epi8(v, _mm_srli_epi64(v, 4)), bytes);
    return _mm_sad_epu8(v, _mm_setzero_si128());
}

#define POPCOUNT(v) ((words_baseline) popcount_of_128((__m128i) (v)))
#define COUNTS_BITS 0

#elif defined(VECTORS)
#include <arm_neon.h>
#define LANES 2
#define COMPARED_UP_TO 56
#define POPCOUNT(v) ((words_baseline) vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(vcntq_u8((uint8x16_t) (v))))))
#define COUNTS_BITS 1

#else
#define LANES 1
#define COMPARED_UP_TO 24
#define POPCOUNT(v) ((uint64_t) bits_in(v))
#define COUNTS_BITS 0
#endif

#include "counting_kernels.h"

#if defined(VECTORS) && defined(__x86_64__)

/* ---- AVX2 ---- */

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma,popcnt")
#endif

#define SET avx2
#define QUOTIENT(c, divisor, inverse) ((doubles_avx2) quotient_256((__m256d) (c), (__m256d) (divisor), (__m256d) (inverse)))
#define PAIRS_UP_TO 1200
#define AHEAD_UP_TO 800
#define COMPARED_UP_TO 144
#define LANES 4

/* c / divisor, rounded once: the remainder of a first approximation is exact, and corrects it (Markstein, 1990). */
INLINE __m256d quotient_256(__m256d c, __m256d divisor, __m256d inverse) {
    __m256d first = _mm256_mul_pd(c, inverse);
    return _mm256_fmadd_pd(_mm256_fnmadd_pd(first, divisor, c), inverse, first);
}

INLINE __m256i popcount_of_256(__m256i v) {
    const __m256i table = _mm256_setr_epi8(
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i low = _mm256_set1_epi8(0x0F);
    __m256i some = _mm256_shuffle_epi8(table, _mm256_and_si256(v, low));
    __m256i others = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(v, 4), low));
    return _mm256_sad_epu8(_mm256_add_epi8(some, others), _mm256_setzero_si256());
}

#define POPCOUNT(v) ((words_avx2) popcount_of_256((__m256i) (v)))
#define COUNTS_BITS 1

#include "counting_kernels.h"

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

/* ---- AVX-512 with the instruction that counts bits ---- */

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512vpopcntdq,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512vpopcntdq,popcnt")
#endif

#define SET avx512
#define QUOTIENT(c, divisor, inverse) ((doubles_avx512) quotient_512((__m512d) (c), (__m512d) (divisor), (__m512d) (inverse)))
#define PAIRS_UP_TO 1500
#define AHEAD_UP_TO 1000
#define COMPARED_UP_TO 224
#define LANES 8

INLINE __m512d quotient_512(__m512d c, __m512d divisor, __m512d inverse) {
    __m512d first = _mm512_mul_pd(c, inverse);
    return _mm512_fmadd_pd(_mm512_fnmadd_pd(first, divisor, c), inverse, first);
}

#define POPCOUNT(v) ((words_avx512) _mm512_popcnt_epi64((__m512i) (v)))
/* A comparison has one bit for each lane. */
#define MASK __mmask8
#define LESS(a, b) _mm512_cmp_pd_mask((__m512d) (a), (__m512d) (b), _CMP_LT_OQ)
#define EQUAL(a, b) _mm512_cmp_pd_mask((__m512d) (a), (__m512d) (b), _CMP_EQ_OQ)
#define COUNT_WHERE(count, mask) \
    ((words_avx512) _mm512_mask_add_epi64((__m512i) (count), mask, (__m512i) (count), _mm512_set1_epi64(1)))
#define COUNTS_BITS 1

#include "counting_kernels.h"

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif

/* The kernels that this processor can run, the fastest first; NULL ends the list. */
static const counting_kernels** usable_kernels(void) {
    static const counting_kernels* found[4];
    int count = 0;
#if defined(VECTORS) && defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("popcnt"))
        found[count++] = &kernels_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("popcnt")) found[count++] = &kernels_avx2;
#endif
    found[count++] = &kernels_baseline;
    found[count] = NULL;
    return found;
}

#endif
