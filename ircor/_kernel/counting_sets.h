/* Counting with bits and with comparisons of many values at once, for each set of vector instructions.
 *
 * Wheels must run on every processor, so the module that includes this file is compiled for the oldest.  The kernels are
 * compiled once more for AVX2 and for AVX-512, and `usable_kernels` lists what the processor has when the module is
 * imported.  NEON is part of every 64-bit ARM.  Other processors and compilers get plain C, one word at a time.
 *
 * counting_kernels.h has the kernels, written once.  What differs is defined here before each inclusion: the number of
 * 64-bit LANES of a vector, the bits set in each lane, and comparisons that give one bit for each value.
 */
#ifndef IRCOR_COUNTING_SETS_H
#define IRCOR_COUNTING_SETS_H

#include "counting.h"

#define JOIN_(name, set) name##_##set
#define JOIN(name, set) JOIN_(name, set)
#define IN_SET(name) JOIN(name, SET)
#define TEXT(set) #set
#define NAME_OF(set) TEXT(set)

/* ---- one word at a time ---- */

static inline int64_t bits_in(uint64_t word) {
    word -= (word >> 1) & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + ((word >> 2) & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
    return (int64_t) ((word * 0x0101010101010101u) >> 56);
}

/* 64 flags, each 0 or 1, as bits, the first as the lowest. */
static inline uint64_t joined(const uint8_t* flags) {
    uint64_t bits = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t eight;
    for (int k = 0; k < 8; k++) {
        memcpy(&eight, flags + 8 * k, 8);
        /* The multiplication moves the flag of byte j to bit 56 + j. */
        bits |= ((eight * 0x0102040810204080u) >> 56) << (8 * k);
    }
#else
    for (int k = 0; k < 64; k++) bits |= (uint64_t) flags[k] << k;
#endif
    return bits;
}

/* Eight bytes, the lowest bits first: compilers make it one store where that is the order of the processor. */
static inline void store_bits(uint8_t* to, uint64_t bits) {
    for (int k = 0; k < 8; k++) to[k] = (uint8_t) (bits >> (8 * k));
}

static inline uint64_t plain_less_16(const int16_t* a, const int16_t* b) {
    uint8_t flags[64];
    for (int k = 0; k < 64; k++) flags[k] = a[k] < b[k];
    return joined(flags);
}

static inline uint64_t plain_equal_16(const int16_t* a, const int16_t* b) {
    uint8_t flags[64];
    for (int k = 0; k < 64; k++) flags[k] = a[k] == b[k];
    return joined(flags);
}

#if defined(__GNUC__) && (defined(__x86_64__) || defined(__aarch64__))
#define INLINE static inline __attribute__((always_inline))
#define VECTORS
#else
#define INLINE static inline
#endif

/* ---- the baseline of the processor: SSE2, NEON or plain C ---- */

#define SET baseline
#define BITS_UP_TO 1024
#define COMPARED_UP_TO 24

#if defined(VECTORS) && defined(__x86_64__)
#include <immintrin.h>
#define LANES 2

static inline __m128i popcount_of_128(__m128i v) {
    const __m128i pairs = _mm_set1_epi8(0x55), fours = _mm_set1_epi8(0x33), bytes = _mm_set1_epi8(0x0F);
    v = _mm_sub_epi8(v, _mm_and_si128(_mm_srli_epi64(v, 1), pairs));
    v = _mm_add_epi8(_mm_and_si128(v, fours), _mm_and_si128(_mm_srli_epi64(v, 2), fours));
    v = _mm_and_si128(_mm_add_epi8(v, _mm_srli_epi64(v, 4)), bytes);
    return _mm_sad_epu8(v, _mm_setzero_si128());
}

static inline uint64_t mask_of_16(__m128i low, __m128i high) {
    return (uint64_t) (unsigned) _mm_movemask_epi8(_mm_packs_epi16(low, high));
}

#define AT(p) _mm_loadu_si128((const __m128i*) (p))
static inline uint64_t less_16_baseline(const int16_t* a, const int16_t* b) {
    uint64_t bits = 0;
    for (int k = 0; k < 64; k += 16)
        bits |= mask_of_16(_mm_cmplt_epi16(AT(a + k), AT(b + k)), _mm_cmplt_epi16(AT(a + k + 8), AT(b + k + 8))) << k;
    return bits;
}

static inline uint64_t equal_16_baseline(const int16_t* a, const int16_t* b) {
    uint64_t bits = 0;
    for (int k = 0; k < 64; k += 16)
        bits |= mask_of_16(_mm_cmpeq_epi16(AT(a + k), AT(b + k)), _mm_cmpeq_epi16(AT(a + k + 8), AT(b + k + 8))) << k;
    return bits;
}
#undef AT

#define POPCOUNT(v) ((words_baseline) popcount_of_128((__m128i) (v)))
#define BELOW(p, value) ((uint64_t) _mm_movemask_pd(_mm_cmplt_pd(_mm_loadu_pd(p), _mm_set1_pd(value))))
#define BITS_IN(word) bits_in(word)
#define LESS_16 less_16_baseline
#define EQUAL_16 equal_16_baseline

#elif defined(VECTORS)
#include <arm_neon.h>
#define LANES 2
#define POPCOUNT(v) ((words_baseline) vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(vcntq_u8((uint8x16_t) (v))))))
#define BELOW(p, value) ((uint64_t) ((p)[0] < (value)) | (uint64_t) ((p)[1] < (value)) << 1)
#define BITS_IN(word) ((int64_t) vaddv_u8(vcnt_u8(vcreate_u8(word))))
#define LESS_16 plain_less_16
#define EQUAL_16 plain_equal_16

#else
#define LANES 1
#define POPCOUNT(v) ((uint64_t) bits_in(v))
#define BELOW(p, value) ((uint64_t) ((p)[0] < (value)))
#define BITS_IN(word) bits_in(word)
#define LESS_16 plain_less_16
#define EQUAL_16 plain_equal_16
#endif

#include "counting_kernels.h"

#if defined(VECTORS) && defined(__x86_64__)

/* ---- AVX2 ---- */

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,popcnt")
#endif

#define SET avx2
#define BITS_UP_TO 1024
#define COMPARED_UP_TO 48
#define LANES 4

INLINE __m256i popcount_of_256(__m256i v) {
    const __m256i table = _mm256_setr_epi8(
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i low = _mm256_set1_epi8(0x0F);
    __m256i some = _mm256_shuffle_epi8(table, _mm256_and_si256(v, low));
    __m256i others = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(v, 4), low));
    return _mm256_sad_epu8(_mm256_add_epi8(some, others), _mm256_setzero_si256());
}

INLINE uint64_t mask_of_32(__m256i low, __m256i high) {
    __m256i bytes = _mm256_permute4x64_epi64(_mm256_packs_epi16(low, high), 0xD8);
    return (uint64_t) (unsigned) _mm256_movemask_epi8(bytes);
}

#define AT(p) _mm256_loadu_si256((const __m256i*) (p))
INLINE uint64_t less_16_avx2(const int16_t* a, const int16_t* b) {
    uint64_t bits = 0;
    for (int k = 0; k < 64; k += 32) {
        __m256i low = _mm256_cmpgt_epi16(AT(b + k), AT(a + k)), high = _mm256_cmpgt_epi16(AT(b + k + 16), AT(a + k + 16));
        bits |= mask_of_32(low, high) << k;
    }
    return bits;
}

INLINE uint64_t equal_16_avx2(const int16_t* a, const int16_t* b) {
    uint64_t bits = 0;
    for (int k = 0; k < 64; k += 32) {
        __m256i low = _mm256_cmpeq_epi16(AT(b + k), AT(a + k)), high = _mm256_cmpeq_epi16(AT(b + k + 16), AT(a + k + 16));
        bits |= mask_of_32(low, high) << k;
    }
    return bits;
}
#undef AT

#define POPCOUNT(v) ((words_avx2) popcount_of_256((__m256i) (v)))
#define BELOW(p, value) \
    ((uint64_t) _mm256_movemask_pd(_mm256_cmp_pd(_mm256_loadu_pd(p), _mm256_set1_pd(value), _CMP_LT_OQ)))
#define BITS_IN(word) ((int64_t) __builtin_popcountll(word))
#define LESS_16 less_16_avx2
#define EQUAL_16 equal_16_avx2

#include "counting_kernels.h"

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

/* ---- AVX-512 with the instruction that counts bits ---- */

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vpopcntdq,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vpopcntdq,popcnt")
#endif

#define SET avx512
#define BITS_UP_TO 2048
#define COMPARED_UP_TO 64
#define LANES 8

#define AT(p) _mm512_loadu_si512((const void*) (p))
INLINE uint64_t less_16_avx512(const int16_t* a, const int16_t* b) {
    return (uint64_t) _mm512_cmplt_epi16_mask(AT(a), AT(b)) | (uint64_t) _mm512_cmplt_epi16_mask(AT(a + 32), AT(b + 32)) << 32;
}

INLINE uint64_t equal_16_avx512(const int16_t* a, const int16_t* b) {
    return (uint64_t) _mm512_cmpeq_epi16_mask(AT(a), AT(b)) | (uint64_t) _mm512_cmpeq_epi16_mask(AT(a + 32), AT(b + 32)) << 32;
}
#undef AT

#define POPCOUNT(v) ((words_avx512) _mm512_popcnt_epi64((__m512i) (v)))
#define BELOW(p, value) ((uint64_t) _mm512_cmp_pd_mask(_mm512_loadu_pd(p), _mm512_set1_pd(value), _CMP_LT_OQ))
#define BITS_IN(word) ((int64_t) __builtin_popcountll(word))
#define LESS_16 less_16_avx512
#define EQUAL_16 equal_16_avx512

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
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("popcnt"))
        found[count++] = &kernels_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt")) found[count++] = &kernels_avx2;
#endif
    found[count++] = &kernels_baseline;
    found[count] = NULL;
    return found;
}

#endif
