/* The functions of counting_kernels.h, one structure for each set of instructions, and what they are called with. */
#ifndef IRCOR_COUNTING_H
#define IRCOR_COUNTING_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Arrays of words and of doubles are padded to a multiple of this, the number of lanes of the widest vector. */
#define PADDING 8

/* The sums of quotients are exact for rankings of so many items. */
#define MOST_SUMMED 2048

/* The most items that `compare_short` takes. */
#define MOST_COMPARED 256

/* One of two short rankings.  The caller sets the pointers, and `values` to the values, the least at the top, and NaN after the
 * last one up to a multiple of PADDING.  All arrays have room for so many items.  `compare_short` fills in the rest; the
 * divisors after the last item become 1.
 */
typedef struct {
    const double* values;
    uint64_t* places;  /* the number of items ahead of item i */
    double* divisors;  /* the same, or 1 if there are none */
    int64_t untied_pairs, top;
} short_ranking;

/* Two short rankings, and what `compare_short` finds for both; the entries of `c` after the last item become 0. */
typedef struct {
    short_ranking x, y;
    double* c; /* C_i: the number of items ahead of item i in both rankings */
    int64_t concordant, tied_pairs;
} short_pair;

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
    void (*compare_short)(short_pair* pair, size_t n);
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
