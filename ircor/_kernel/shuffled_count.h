/* The count C_i of `Dominance` for shuffled items, of which y's tie groups have theirs in any order. */

#ifndef IRCOR_SHUFFLED_COUNT_H
#define IRCOR_SHUFFLED_COUNT_H

#include "wide_count.h"

/* Each item has a bit, at its position in x's order, so nothing but y's tie groups decides where the loops branch. */
IRCOR_INLINE void count_shuffled_with(
    const int32_t* IRCOR_RESTRICT items, const int32_t* IRCOR_RESTRICT places, const uint8_t* IRCOR_RESTRICT y_opens,
    size_t n, int32_t* IRCOR_RESTRICT x_place, int32_t* IRCOR_RESTRICT ahead, int popcount
) {
    uint64_t bits[WIDE] = {0};
    uint16_t of_word[WIDE] = {0};
    wide_counters c;
    size_t next = 0;
    c.bits = bits;
    c.of_word = of_word;
    for (size_t k = 0; k < n; k++) {
        x_place[k] = places[items[k]];
        ahead[k] = bits_before(&c, (uint32_t) x_place[k], 1, popcount);
        if (k + 1 < n && !y_opens[k + 1]) continue;
        for (; next <= k; next++) set_bits(&c, (uint32_t) items[next], 1, 1);
    }
}

#ifdef IRCOR_HAS_AVX2
__attribute__((target("avx2,popcnt"))) static void count_shuffled_with_avx2(
    const int32_t* items, const int32_t* places, const uint8_t* y_opens, size_t n, int32_t* x_place, int32_t* ahead
) {
    count_shuffled_with(items, places, y_opens, n, x_place, ahead, 1);
}
#endif

/* Find the place in x of each item, and the number of items ahead of it in both rankings.
 *
 * There are fewer than ONE_NODE items, in y's order; an item is its position in x's order.  places[i] is the number of items
 * ahead of item i in x.  y_opens[k] is 0 if the k-th item is tied in y with the one before. */
static void count_shuffled(
    const int32_t* items, const int32_t* places, const uint8_t* y_opens, size_t n, int32_t* x_place, int32_t* ahead
) {
#ifdef IRCOR_HAS_AVX2
    if (IRCOR_HAS_AVX2) {
        count_shuffled_with_avx2(items, places, y_opens, n, x_place, ahead);
        return;
    }
#endif
    count_shuffled_with(items, places, y_opens, n, x_place, ahead, 0);
}

#endif
