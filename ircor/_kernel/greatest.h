/* The greatest of the squared statistics of some pairs of systems, for each resample of the topics.
 *
 * It takes as many products as a matrix product, and no array of pairs by resamples.  The compiler makes one more copy for
 * each newer set of vector instructions, and the processor's own is taken when the module is loaded.
 */
#ifndef IRCOR_GREATEST_H
#define IRCOR_GREATEST_H

#include <stddef.h>
#include <stdint.h>

/* Resamples and pairs that are computed together: as many sums as there are registers. */
#define RESAMPLES 32
#define TOGETHER 4

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__gnu_linux__)
#define FOR_EACH_SET __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FOR_EACH_SET
#endif

/* For each row of `topics` numbers, its products with the weights: a row of `resamples` sums. */
FOR_EACH_SET
static void weighted_sums(
    const float* rows, const float* weights, size_t count, size_t topics, size_t resamples, float* out) {
    for (size_t r = 0; r < resamples; r += RESAMPLES) {
        for (size_t p = 0; p < count; p++) {
            float sums[RESAMPLES] = {0};
            for (size_t t = 0; t < topics; t++) {
                const float s = rows[p * topics + t], *w = weights + t * resamples + r;
                for (size_t j = 0; j < RESAMPLES; j++) sums[j] += s * w[j];
            }
            for (size_t j = 0; j < RESAMPLES; j++) out[p * resamples + r + j] = sums[j];
        }
    }
}

/* `squares` has a row of `topics` numbers for each pair; `weights` a row for each topic and `shifts` a row for each system, both
 * with `resamples` numbers, a multiple of RESAMPLES.  A pair has the squared difference of the shifts of its two systems, times
 * the square of its scale, over the sum of its squares times the weights.  `greatest` starts at 0.
 */
FOR_EACH_SET
static void greatest_squares(
    const float* squares, const float* weights, const float* shifts, const int32_t* first, const int32_t* second,
    const float* scale, size_t pairs, size_t topics, size_t resamples, float* greatest) {
    for (size_t r = 0; r < resamples; r += RESAMPLES) {
        for (size_t p = 0; p < pairs; p += TOGETHER) {
            float sums[TOGETHER][RESAMPLES] = {{0}};
            const float* rows[TOGETHER];
            /* The last pair again and again where there are fewer, which changes no maximum. */
            for (size_t k = 0; k < TOGETHER; k++) rows[k] = squares + (p + k < pairs ? p + k : pairs - 1) * topics;
            for (size_t t = 0; t < topics; t++) {
                const float* w = weights + t * resamples + r;
                for (size_t k = 0; k < TOGETHER; k++) {
                    const float s = rows[k][t];
                    for (size_t j = 0; j < RESAMPLES; j++) sums[k][j] += s * w[j];
                }
            }
            for (size_t k = 0; k < TOGETHER; k++) {
                const size_t q = p + k < pairs ? p + k : pairs - 1;
                const float *a = shifts + first[q] * resamples + r, *b = shifts + second[q] * resamples + r;
                for (size_t j = 0; j < RESAMPLES; j++) {
                    const float z = (a[j] - b[j]) * scale[q], ratio = z * z / sums[k][j];
                    greatest[r + j] = ratio > greatest[r + j] ? ratio : greatest[r + j];
                }
            }
        }
    }
}

#endif
