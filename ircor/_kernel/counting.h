/* What the kernels of counting_sets.h are called with; see there. */
#ifndef IRCOR_COUNTING_H
#define IRCOR_COUNTING_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Arrays of words and of doubles are padded to a multiple of this, the number of lanes of the widest vector. */
#define PADDING 8

/* Rankings of so many items have one bit of a word for each item. */
#define MOST_COMPARED 64

/* What `compare_short` finds for two rankings x and y.  The entries of `c` and of the divisors after the last item, up to a
 * multiple of PADDING, are such that their quotients are 0.
 */
typedef struct {
    double c[MOST_COMPARED]; /* C_i: the number of items ahead of item i in both rankings */
    double x_divisors[MOST_COMPARED], y_divisors[MOST_COMPARED]; /* the number of items ahead of item i, or 1 */
    uint8_t x_places[MOST_COMPARED], y_places[MOST_COMPARED]; /* the number of items ahead of item i */
    int64_t concordant, tied_pairs, x_untied_pairs, y_untied_pairs, x_top, y_top;
} short_counts;

typedef struct {
    const char* name;
    /* The greatest numbers of items for which bits, and comparisons of all pairs, are faster than to sort and count. */
    int most_in_bits, most_compared;
    void (*pair_bits)(const int16_t* places, size_t n, uint64_t* later_ahead, uint64_t* tied);
    int64_t (*differing)(const uint64_t* a, const uint64_t* b, size_t words);
    int64_t (*differing_untied)(const uint64_t* a, const uint64_t* b, const uint64_t* tied, size_t words);
    int64_t (*differing_both)(
        const uint64_t* a, const uint64_t* b, const uint64_t* tied_a, const uint64_t* tied_b, size_t words,
        int64_t* tied);
    void (*common)(const uint64_t* a, const uint64_t* b, size_t n, double* c);
    double (*sum_of_quotients)(const double* c, const double* divisors, size_t n);
    double (*sum_of_products)(const double* c, const double* factors, size_t n);
    void (*compare_short)(const double* x, const double* y, size_t n, short_counts* found);
} counting_kernels;

#endif
