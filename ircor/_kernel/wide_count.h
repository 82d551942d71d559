/* The count C_i of `Dominance`, with a bit set and wide counters, and the places of tied items.
 *
 * `count_ahead_with`, `count_below_with` and `count_shuffled_with` become functions of counting_kernels.h, one for each set
 * of instructions, in which `popcount` says whether there is an instruction that counts bits.
 *
 * There is a bit for each place.  The number of set bits before a place is the number of those in its word of 64 bits
 * plus a counter of the words before it.  So that few counters change with a bit, they have levels: a counter of a word
 * has the words before it in a node of 32 words, one of a node has the nodes before it among 32, and so on.  A query
 * reads one counter of each level.  Setting a bit adds 1 to the counters after its own in a node of each level, with
 * vector instructions: compilers make them from a loop of constant length.
 *
 * Up to 2,048 places are one node, up to 65,536 two levels.  There the counters have 16 bits, which is enough: the last
 * of 32 nodes of 32 words has 31 * 32 * 64 = 63,488 places before it. */

#ifndef IRCOR_WIDE_COUNT_H
#define IRCOR_WIDE_COUNT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__GNUC__)
#define IRCOR_INLINE static inline __attribute__((always_inline))
#define IRCOR_RESTRICT __restrict__
#elif defined(_MSC_VER)
#define IRCOR_INLINE static __forceinline
#define IRCOR_RESTRICT __restrict
#else
#define IRCOR_INLINE static inline
#define IRCOR_RESTRICT
#endif

/* Words under a node, and nodes under a node of the next level. */
#define WIDE 32
/* With fewer places, one node is enough. */
#define ONE_NODE 2048

#define EIGHT(value) value, value, value, value, value, value, value, value
#define THIRTY_TWO(value) EIGHT(value), EIGHT(value), EIGHT(value), EIGHT(value)

/* From element WIDE - 1 - j on, these are masks of the counters after counter j. */
static const uint16_t after_16[2 * WIDE] = {THIRTY_TWO(0), THIRTY_TWO(0xFFFF)};
static const int32_t after_32[2 * WIDE] = {THIRTY_TWO(0), THIRTY_TWO(-1)};

typedef struct {
    uint64_t* bits;
    /* The counters of each word, and those of each node of 2^11, 2^16, 2^21 and 2^26 places. */
    uint16_t* of_word;
    uint16_t* of_11;
    int32_t* of_16;
    int32_t* of_21;
    int32_t* of_26;
} wide_counters;

/* Counters in whole nodes for n places, with 2^shift places to a counter. */
static inline size_t counters_of(size_t n, int shift) { return (n / ((size_t) WIDE << shift) + 1) * WIDE; }

/* Bytes of memory that `count_ahead` needs for n items or fewer, besides that of its own for one node. */
static inline size_t wide_count_bytes(size_t n) {
    if (n < ONE_NODE) return 0;
    return counters_of(n, 6) * (sizeof(uint64_t) + sizeof(uint16_t)) + counters_of(n, 11) * sizeof(uint16_t)
        + (counters_of(n, 16) + counters_of(n, 21) + counters_of(n, 26)) * sizeof(int32_t) + 63;
}

/* Divide the memory, from a multiple of 64 on, and set it to 0. */
static inline wide_counters counters_in(void* memory, size_t n) {
    wide_counters c;
    char* start = (char*) (((uintptr_t) memory + 63) & ~(uintptr_t) 63);
    memset(start, 0, wide_count_bytes(n) - 63);
    c.bits = (uint64_t*) start;
    c.of_word = (uint16_t*) (c.bits + counters_of(n, 6));
    c.of_11 = c.of_word + counters_of(n, 6);
    c.of_16 = (int32_t*) (c.of_11 + counters_of(n, 11));
    c.of_21 = c.of_16 + counters_of(n, 16);
    c.of_26 = c.of_21 + counters_of(n, 21);
    return c;
}

/* The counters of n < ONE_NODE places, in memory for one node. */
IRCOR_INLINE wide_counters one_node(uint64_t* bits, uint16_t* of_word, size_t n) {
    wide_counters c = {bits, of_word, NULL, NULL, NULL, NULL};
    memset(bits, 0, (n / 64 + 1) * sizeof(uint64_t));
    memset(of_word, 0, WIDE * sizeof(uint16_t));
    return c;
}

/* The number of set bits. */
static inline int64_t bits_in(uint64_t word) {
    /* First in pairs, then in groups of four, then in bytes; the multiplication adds the bytes. */
    word -= (word >> 1) & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + ((word >> 2) & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
    return (int64_t) ((word * 0x0101010101010101u) >> 56);
}

IRCOR_INLINE int32_t bits_set(uint64_t word, int popcount) {
#if defined(__GNUC__)
    if (popcount) return __builtin_popcountll(word);
#endif
    return (int32_t) bits_in(word);
}

IRCOR_INLINE void add_after_16(uint16_t* IRCOR_RESTRICT node, uint32_t j, uint16_t size) {
    const uint16_t* after = after_16 + (WIDE - 1 - j);
    for (int i = 0; i < WIDE; i++) node[i] = (uint16_t) (node[i] + (after[i] & size));
}

IRCOR_INLINE void add_after_32(int32_t* IRCOR_RESTRICT node, uint32_t j, int32_t size) {
    const int32_t* after = after_32 + (WIDE - 1 - j);
    for (int i = 0; i < WIDE; i++) node[i] += after[i] & size;
}

/* The number of set bits before the place. */
IRCOR_INLINE int32_t bits_before(const wide_counters* c, uint32_t place, int levels, int popcount) {
    uint64_t before = c->bits[place >> 6] & (((uint64_t) 1 << (place & 63)) - 1);
    int32_t count = bits_set(before, popcount) + c->of_word[place >> 6];
    if (levels > 1) count += c->of_11[place >> 11];
    if (levels > 2) count += c->of_16[place >> 16];
    if (levels > 3) count += c->of_21[place >> 21] + c->of_26[place >> 26];
    return count;
}

/* Set `size` bits from the place on; they must be in one word. */
IRCOR_INLINE void set_bits(const wide_counters* c, uint32_t place, uint32_t size, int levels) {
    c->bits[place >> 6] |= (~(uint64_t) 0 >> (64 - size)) << (place & 63);
    add_after_16(c->of_word + (size_t) (place >> 11) * WIDE, place >> 6 & 31, (uint16_t) size);
    if (levels > 1) add_after_16(c->of_11 + (size_t) (place >> 16) * WIDE, place >> 11 & 31, (uint16_t) size);
    if (levels > 2) add_after_32(c->of_16 + (size_t) (place >> 21) * WIDE, place >> 16 & 31, (int32_t) size);
    if (levels > 3) {
        add_after_32(c->of_21 + (size_t) (place >> 26) * WIDE, place >> 21 & 31, (int32_t) size);
        add_after_32(c->of_26, place >> 26, (int32_t) size);
    }
}

IRCOR_INLINE void count_untied(
    const int32_t* IRCOR_RESTRICT x_place, size_t n, const wide_counters* c, int32_t* IRCOR_RESTRICT ahead, int levels,
    int popcount
) {
    for (size_t k = 0; k < n; k++) {
        uint32_t place = (uint32_t) x_place[k];
        ahead[k] = bits_before(c, place, levels, popcount);
        set_bits(c, place, 1, levels);
    }
}

/* Items tied in x have the same place.  They set the bit of that place and the bits that follow, one each; `filled`, all 0
 * at first, or NULL if x has no ties, counts how many of them are set. */
IRCOR_INLINE void count_tied(
    const int32_t* IRCOR_RESTRICT x_place, const uint8_t* IRCOR_RESTRICT y_opens, size_t n, const wide_counters* c,
    int32_t* IRCOR_RESTRICT filled, int32_t* IRCOR_RESTRICT ahead, int levels, int popcount
) {
    size_t start = 0, end, k;
    while (start < n) {
        int32_t count = 0;
        for (end = start + 1; end < n && !y_opens[end];) end++;
        for (k = start; k < end; k++) {
            if (k == start || x_place[k] != x_place[k - 1])
                count = bits_before(c, (uint32_t) x_place[k], levels, popcount);
            ahead[k] = count;
        }
        for (k = start; k < end;) {
            int32_t first = x_place[k];
            uint32_t place = (uint32_t) first, size = 1;
            if (filled) place += (uint32_t) filled[first];
            /* Items tied in both rankings set their bits together, as many as fit into the word. */
            while (k + size < end && (place & 63) + size < 64 && x_place[k + size] == first) size++;
            if (filled) filled[first] += (int32_t) size;
            set_bits(c, place, size, levels);
            k += size;
        }
        start = end;
    }
}

/* Find the number C_i of items ahead of each item in both rankings: the loops above, for one level, for two, and for more.
 *
 * The items come in y's order and, within y's tie groups, in x's.  y_opens[k] is 0 if the k-th item is tied with the one
 * before.  `filled` has n zeros, or is NULL if x has no ties; both are NULL if neither ranking has ties.  After each tie
 * group of y the bits of its items are set, so C_i is the number of bits before the place of item i in x when its group is
 * reached.  `memory` has wide_count_bytes(n) bytes. */
IRCOR_INLINE void count_ahead_with(
    const int32_t* x_place, const uint8_t* y_opens, size_t n, void* memory, int32_t* filled, int32_t* ahead, int popcount
) {
    uint64_t bits[WIDE];
    uint16_t of_word[WIDE];
    wide_counters c;
    if (n < ONE_NODE) {
        c = one_node(bits, of_word, n);
        if (filled || y_opens) count_tied(x_place, y_opens, n, &c, filled, ahead, 1, popcount);
        else count_untied(x_place, n, &c, ahead, 1, popcount);
        return;
    }
    c = counters_in(memory, n);
    if (filled || y_opens) {
        if (n < 65536) count_tied(x_place, y_opens, n, &c, filled, ahead, 2, popcount);
        else count_tied(x_place, y_opens, n, &c, filled, ahead, n < 1 << 21 ? 3 : 4, popcount);
    }
    else if (n < 65536) count_untied(x_place, n, &c, ahead, 2, popcount);
    else count_untied(x_place, n, &c, ahead, n < 1 << 21 ? 3 : 4, popcount);
}

IRCOR_INLINE void count_below(
    const int32_t* IRCOR_RESTRICT seat, const int32_t* IRCOR_RESTRICT x_place, size_t n, const wide_counters* c,
    int32_t* IRCOR_RESTRICT ahead, int levels, int popcount
) {
    for (size_t k = n; k-- > 0;) {
        ahead[k] -= bits_before(c, (uint32_t) x_place[k], levels, popcount);
        set_bits(c, (uint32_t) seat[k], 1, levels);
    }
}

/* The same count if the items' positions in x are known: `seat`, where items tied in x have different numbers, in the order
 * of their places.  There are no branches to predict wrongly, so ties cost little.
 *
 * The items are taken from the bottom of y.  Of the items ahead of i in x, those not ahead in y are those whose bits are
 * set, which are below i's group in y, and those of i's group.  Items of one group come in x's order, so these are the
 * items from the start of the group to the first that is tied with i in both. */
IRCOR_INLINE void count_below_with(
    const int32_t* seat, const int32_t* x_place, const uint8_t* y_opens, size_t n, void* memory, int32_t* ahead,
    int popcount
) {
    uint64_t bits[WIDE];
    uint16_t of_word[WIDE];
    wide_counters c;
    size_t start = 0, first = 0;
    for (size_t k = 0; k < n; k++) {
        start = y_opens[k] ? k : start;
        first = y_opens[k] | (k > 0 && x_place[k] != x_place[k - 1]) ? k : first;
        ahead[k] = x_place[k] - (int32_t) (first - start);
    }
    if (n < ONE_NODE) {
        c = one_node(bits, of_word, n);
        count_below(seat, x_place, n, &c, ahead, 1, popcount);
        return;
    }
    c = counters_in(memory, n);
    if (n < 65536) count_below(seat, x_place, n, &c, ahead, 2, popcount);
    else count_below(seat, x_place, n, &c, ahead, n < 1 << 21 ? 3 : 4, popcount);
}

/* The same count for fewer than ONE_NODE shuffled items, of which y's tie groups have theirs in any order.
 *
 * An item is its position in x's order, and places[i] is the number of items ahead of item i in x; x_place becomes that of
 * each item.  Each item has a bit at its position, so nothing but y's tie groups decides where the loops branch. */
IRCOR_INLINE void count_shuffled_with(
    const int32_t* IRCOR_RESTRICT items, const int32_t* IRCOR_RESTRICT places, const uint8_t* IRCOR_RESTRICT y_opens,
    size_t n, int32_t* IRCOR_RESTRICT x_place, int32_t* IRCOR_RESTRICT ahead, int popcount
) {
    uint64_t bits[WIDE];
    uint16_t of_word[WIDE];
    wide_counters c = one_node(bits, of_word, n);
    size_t next = 0;
    for (size_t k = 0; k < n; k++) {
        x_place[k] = places[items[k]];
        ahead[k] = bits_before(&c, (uint32_t) x_place[k], 1, popcount);
        if (k + 1 < n && !y_opens[k + 1]) continue;
        for (; next <= k; next++) set_bits(&c, (uint32_t) items[next], 1, 1);
    }
}

IRCOR_INLINE int highest_bit(uint64_t word) {
#if defined(__GNUC__)
    return 63 - __builtin_clzll(word);
#else
    int bit = 0;
    while (word >>= 1) bit++;
    return bit;
#endif
}

/* Bytes of memory that `find_places` needs. */
static inline size_t places_bytes(size_t n) { return (n / 64 + 1) * (sizeof(uint64_t) + sizeof(int32_t)); }

/* For each position find the place: where the tie group of this position starts.  opens[k] is 1 where one does, else 0.
 * Bits and one number for each 64 of them, which nearer memory has room for, take the place of all places in order. */
static inline void find_places(const uint8_t* opens, size_t n, const int32_t* position, void* memory, int32_t* place) {
    uint64_t* bits = (uint64_t*) memory;
    int32_t* last = (int32_t*) (bits + n / 64 + 1);
    for (size_t word = 0; word <= n / 64; word++) {
        uint64_t found = 0;
        for (size_t k = 64 * word; k < n && k < 64 * word + 64; k++) found |= (uint64_t) opens[k] << (k & 63);
        bits[word] = found;
        last[word] = found ? (int32_t) (64 * word) + highest_bit(found) : word ? last[word - 1] : 0;
    }
    for (size_t k = 0; k < n; k++) {
        uint32_t p = (uint32_t) position[k];
        uint64_t found = bits[p >> 6] & (~(uint64_t) 0 >> (63 - (p & 63)));
        place[k] = found ? (int32_t) (p & ~63u) + highest_bit(found) : last[(p >> 6) - 1];
    }
}

#endif
