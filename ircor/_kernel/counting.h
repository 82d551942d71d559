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
    /* Up to how many items the bits of pairs, the bits of items ahead, and the comparison of all pairs of items were
     * measured to be faster than to sort and count. */
    int pairs_up_to, ahead_up_to, compared_up_to;
    int64_t (*differing)(const uint64_t* a, const uint64_t* b, size_t words);
    int64_t (*differing_untied)(const uint64_t* a, const uint64_t* b, const uint64_t* tied, size_t words);
    int64_t (*differing_both)(
        const uint64_t* a, const uint64_t* b, const uint64_t* tied_a, const uint64_t* tied_b, size_t words,
        int64_t* tied);
    void (*common)(const uint64_t* a, const uint64_t* b, size_t items, size_t width, double* c);
    void (*add_quotients)(const double* c, const double* divisors, size_t items, double* sums);
    void (*add_shares)(
        const double* c, const double* divisors, const double* inverses, size_t items, double* sums);
    void (*add_products)(const double* c, const double* factors, size_t items, double* sums);
    void (*compare_short)(const double* x, const double* y, size_t n, short_counts* found);
    /* The counts of wide_count.h. */
    void (*count_ahead)(
        const int32_t* x_place, const uint8_t* y_opens, size_t n, void* memory, int32_t* filled, int32_t* ahead);
    void (*count_ahead_from_below)(
        const int32_t* seat, const int32_t* x_place, const uint8_t* y_opens, size_t n, void* memory, int32_t* ahead);
    void (*count_shuffled)(
        const int32_t* items, const int32_t* places, const uint8_t* y_opens, size_t n, int32_t* x_place,
        int32_t* ahead);
} counting_kernels;

#endif
