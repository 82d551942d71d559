/* The kernels of counting.h for one set of instructions; counting_sets.h defines the macros and includes this file.
 *
 * With GCC and Clang, WORD_VECTOR and DOUBLE_VECTOR are vectors of LANES numbers, on which the operators of C work lane by lane.
 */

#if PADDING % LANES || COMPARED_UP_TO > MOST_COMPARED || AHEAD_UP_TO > MOST_SUMMED
#error "the kernels cannot take rankings of so many items"
#endif

#if LANES > 1
typedef uint64_t IN_SET(words) __attribute__((vector_size(8 * LANES)));
typedef double IN_SET(doubles) __attribute__((vector_size(8 * LANES)));
/* The same in memory, at any address of a number. */
typedef uint64_t IN_SET(words_at) __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
typedef double IN_SET(doubles_at) __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
#else
typedef uint64_t IN_SET(words), IN_SET(words_at);
typedef double IN_SET(doubles), IN_SET(doubles_at);
#endif

#define WORD_VECTOR IN_SET(words)
#define DOUBLE_VECTOR IN_SET(doubles)
/* The same number in all lanes: a number less 0 is the number, which compilers know, and may be -0. */
#define ALL(value) ((value) - (DOUBLE_VECTOR){0})

#ifndef MASK
/* A comparison sets all bits of the lanes in which it holds, so to subtract it is to count. */
#define MASK WORD_VECTOR
#if LANES > 1
#define LESS(a, b) ((WORD_VECTOR) ((a) < (b)))
#define EQUAL(a, b) ((WORD_VECTOR) ((a) == (b)))
#else
#define LESS(a, b) ((WORD_VECTOR) 0 - ((a) < (b)))
#define EQUAL(a, b) ((WORD_VECTOR) 0 - ((a) == (b)))
#endif
#define COUNT_WHERE(count, mask) ((count) - (mask))
#endif
#define WORDS(p) (*(const IN_SET(words_at)*) (p))
#define DOUBLES(p) (*(const IN_SET(doubles_at)*) (p))

INLINE int64_t IN_SET(sum_of_words)(WORD_VECTOR v) {
    uint64_t lane[LANES], sum = 0;
    memcpy(lane, &v, sizeof(v));
    for (int k = 0; k < LANES; k++) sum += lane[k];
    return (int64_t) sum;
}

INLINE double IN_SET(sum_of_doubles)(DOUBLE_VECTOR v) {
    double lane[LANES], sum = 0;
    memcpy(lane, &v, sizeof(v));
    for (int k = 0; k < LANES; k++) sum += lane[k];
    return sum;
}

/* Whole numbers below 2^52 as doubles: they are the last bits of 2^52 plus the number. */
INLINE DOUBLE_VECTOR IN_SET(as_doubles)(WORD_VECTOR v) {
#if LANES > 1
    const WORD_VECTOR exponent = (WORD_VECTOR){0} + 0x4330000000000000u;
    return (DOUBLE_VECTOR) (v | exponent) - 4503599627370496.0;
#else
    return (double) v;
#endif
}

/* The number of bits that differ. */
static int64_t IN_SET(differing)(const uint64_t* a, const uint64_t* b, size_t count) {
    WORD_VECTOR found = {0};
    for (size_t k = 0; k < count; k += LANES) found += POPCOUNT(WORDS(a + k) ^ WORDS(b + k));
    return IN_SET(sum_of_words)(found);
}

/* The number of bits that differ, of those that are not set in `tied`. */
static int64_t IN_SET(differing_untied)(const uint64_t* a, const uint64_t* b, const uint64_t* tied, size_t count) {
    WORD_VECTOR found = {0};
    for (size_t k = 0; k < count; k += LANES) found += POPCOUNT((WORDS(a + k) ^ WORDS(b + k)) & ~WORDS(tied + k));
    return IN_SET(sum_of_words)(found);
}

/* The same with ties in either; `tied` becomes the number of bits that are set in one or both. */
static int64_t IN_SET(differing_both)(
    const uint64_t* a, const uint64_t* b, const uint64_t* tied_a, const uint64_t* tied_b, size_t count, int64_t* tied) {
    WORD_VECTOR found = {0}, either = {0};
    for (size_t k = 0; k < count; k += LANES) {
        WORD_VECTOR ties = WORDS(tied_a + k) | WORDS(tied_b + k);
        found += POPCOUNT((WORDS(a + k) ^ WORDS(b + k)) & ~ties);
        either += POPCOUNT(ties);
    }
    *tied = IN_SET(sum_of_words)(either);
    return IN_SET(sum_of_words)(found);
}

/* C_i for some items, as doubles: the bits that their rows in a and b have in common.
 *
 * Items come in blocks of PADDING, and the words of a block lie side by side: first the first word of each row, and so on.
 */
static void IN_SET(common)(const uint64_t* a, const uint64_t* b, size_t items, size_t width, double* c) {
    for (size_t i = 0; i < items; i += LANES) {
        size_t first = i / PADDING * PADDING * width + i % PADDING;
        WORD_VECTOR found = {0};
        for (size_t w = first; w < first + width * PADDING; w += PADDING) found += POPCOUNT(WORDS(a + w) & WORDS(b + w));
        DOUBLE_VECTOR counts = IN_SET(as_doubles)(found);
        memcpy(c + i, &counts, sizeof(counts));
    }
}

/* Sums of terms for up to MOST_SUMMED items, exact until sums[0] + sums[1] is rounded.
 *
 * Each term is a share of items: 0, or at least 2^-11 (1 - 2^-53) and so a multiple of 2^-64, and at most 1.  It is split in
 * two by adding and subtracting 1.5 * 2^20, whose last bit is worth 2^-32.  The upper parts are multiples of 2^-32 with a sum
 * of at most 2^11, the lower parts are at most 2^-33: both sums have fewer than 53 bits, so they are exact in any order.
 * The module must be compiled with -ffp-contract=off: a product that is not rounded before it is split would be another
 * number.
 */
#define ADD_TERMS(term)                                           \
    const DOUBLE_VECTOR split = (DOUBLE_VECTOR){0} + 1572864.0;   \
    DOUBLE_VECTOR upper = {0}, lower = {0};                       \
    for (size_t i = 0; i < items; i += LANES) {                   \
        DOUBLE_VECTOR one = (term), rounded = (one + split) - split; \
        upper += rounded;                                         \
        lower += one - rounded;                                   \
    }                                                             \
    sums[0] += IN_SET(sum_of_doubles)(upper);                     \
    sums[1] += IN_SET(sum_of_doubles)(lower)

static void IN_SET(add_quotients)(const double* c, const double* divisors, size_t items, double* sums) {
    ADD_TERMS(DOUBLES(c + i) / DOUBLES(divisors + i));
}

/* The same quotients, faster if there is a fused multiplication and addition; inverses[i] is 1 / divisors[i], rounded. */
static void IN_SET(add_shares)(
    const double* c, const double* divisors, const double* inverses, size_t items, double* sums) {
    ADD_TERMS(QUOTIENT(DOUBLES(c + i), DOUBLES(divisors + i), DOUBLES(inverses + i)));
}

static void IN_SET(add_products)(const double* c, const double* factors, size_t items, double* sums) {
    ADD_TERMS(DOUBLES(c + i) * DOUBLES(factors + i));
}

#undef ADD_TERMS

/* Set the places and the divisors of LANES items from item j on, and count their untied pairs and those at the top. */
INLINE void IN_SET(set_places)(
    const short_ranking* ranking, size_t j, WORD_VECTOR places, WORD_VECTOR* untied_pairs, WORD_VECTOR* top) {
    MASK at_top = EQUAL(IN_SET(as_doubles)(places), (DOUBLE_VECTOR){0});
    DOUBLE_VECTOR divisors = IN_SET(as_doubles)(COUNT_WHERE(places, at_top));
    memcpy(ranking->places + j, &places, sizeof(places));
    memcpy(ranking->divisors + j, &divisors, sizeof(divisors));
    *untied_pairs += places;
    *top = COUNT_WHERE(*top, at_top);
}

/* The number of pairs of items that are tied in both rankings. */
static int64_t IN_SET(count_ties)(const double* x, const double* y, size_t n) {
    WORD_VECTOR before = {0}, among = {0};
    for (size_t j = 0; j < n; j += LANES) {
        const DOUBLE_VECTOR x_j = DOUBLES(x + j), y_j = DOUBLES(y + j);
        for (size_t i = 0; i < j; i++) before = COUNT_WHERE(before, EQUAL(ALL(x[i]), x_j) & EQUAL(ALL(y[i]), y_j));
        for (size_t i = j; i < j + LANES; i++) among = COUNT_WHERE(among, EQUAL(ALL(x[i]), x_j) & EQUAL(ALL(y[i]), y_j));
    }
    /* Among the items of a vector each pair is counted twice, and each item once with itself. */
    return IN_SET(sum_of_words)(before) + (IN_SET(sum_of_words)(among) - (int64_t) n) / 2;
}

/* Compare each item with all others.  Each lane counts for one item, and AT_ONCE vectors share what is loaded. */
static void IN_SET(compare_short)(short_pair* pair, size_t n) {
    enum { AT_ONCE = LANES < PADDING ? 2 : 1 };
    const double *x = pair->x.values, *y = pair->y.values;
    const size_t padded = (n + PADDING - 1) / PADDING * PADDING;
    const int64_t pairs = (int64_t) (n * (n - 1) / 2), after = (int64_t) (padded - n);
    WORD_VECTOR x_untied = {0}, y_untied = {0}, concordant = {0}, x_top = {0}, y_top = {0};
    for (size_t j = 0; j < padded; j += AT_ONCE * LANES) {
        WORD_VECTOR x_ahead[AT_ONCE], y_ahead[AT_ONCE], both[AT_ONCE];
        for (int k = 0; k < AT_ONCE; k++) x_ahead[k] = y_ahead[k] = both[k] = (WORD_VECTOR){0};
        for (size_t i = 0; i < n; i++) {
            for (int k = 0; k < AT_ONCE; k++) {
                MASK in_x = LESS(ALL(x[i]), DOUBLES(x + j + k * LANES));
                MASK in_y = LESS(ALL(y[i]), DOUBLES(y + j + k * LANES));
                x_ahead[k] = COUNT_WHERE(x_ahead[k], in_x);
                y_ahead[k] = COUNT_WHERE(y_ahead[k], in_y);
                both[k] = COUNT_WHERE(both[k], in_x & in_y);
            }
        }
        for (int k = 0; k < AT_ONCE; k++) {
            DOUBLE_VECTOR counts = IN_SET(as_doubles)(both[k]);
            memcpy(pair->c + j + k * LANES, &counts, sizeof(counts));
            concordant += both[k];
            IN_SET(set_places)(&pair->x, j + k * LANES, x_ahead[k], &x_untied, &x_top);
            IN_SET(set_places)(&pair->y, j + k * LANES, y_ahead[k], &y_untied, &y_top);
        }
    }
    pair->concordant = IN_SET(sum_of_words)(concordant);
    pair->x.untied_pairs = IN_SET(sum_of_words)(x_untied);
    pair->y.untied_pairs = IN_SET(sum_of_words)(y_untied);
    /* The items after the last one have nothing ahead of them. */
    pair->x.top = IN_SET(sum_of_words)(x_top) - after;
    pair->y.top = IN_SET(sum_of_words)(y_top) - after;
    pair->tied_pairs = pair->x.untied_pairs < pairs && pair->y.untied_pairs < pairs ? IN_SET(count_ties)(x, y, n) : 0;
}

static void IN_SET(count_ahead)(
    const int32_t* x_place, const uint8_t* y_opens, size_t n, void* memory, int32_t* filled, int32_t* ahead
) {
    count_ahead_with(x_place, y_opens, n, memory, filled, ahead, COUNTS_BITS);
}

static void IN_SET(count_ahead_from_below)(
    const int32_t* seat, const int32_t* x_place, const uint8_t* y_opens, size_t n, void* memory, int32_t* ahead
) {
    count_below_with(seat, x_place, y_opens, n, memory, ahead, COUNTS_BITS);
}

static void IN_SET(count_shuffled)(
    const int32_t* items, const int32_t* places, const uint8_t* y_opens, size_t n, int32_t* x_place, int32_t* ahead
) {
    count_shuffled_with(items, places, y_opens, n, x_place, ahead, COUNTS_BITS);
}

static const counting_kernels IN_SET(kernels) = {
    .name = NAME_OF(SET),
    .pairs_up_to = PAIRS_UP_TO,
    .ahead_up_to = AHEAD_UP_TO,
    .compared_up_to = COMPARED_UP_TO,
    .differing = IN_SET(differing),
    .differing_untied = IN_SET(differing_untied),
    .differing_both = IN_SET(differing_both),
    .common = IN_SET(common),
    .add_quotients = IN_SET(add_quotients),
    .add_shares = IN_SET(add_shares),
    .add_products = IN_SET(add_products),
    .compare_short = IN_SET(compare_short),
    .count_ahead = IN_SET(count_ahead),
    .count_ahead_from_below = IN_SET(count_ahead_from_below),
    .count_shuffled = IN_SET(count_shuffled),
};

#undef WORD_VECTOR
#undef DOUBLE_VECTOR
#undef WORDS
#undef DOUBLES
#undef SET
#undef PAIRS_UP_TO
#undef AHEAD_UP_TO
#undef COMPARED_UP_TO
#undef LANES
#undef POPCOUNT
#undef QUOTIENT
#undef ALL
#undef MASK
#undef LESS
#undef EQUAL
#undef COUNT_WHERE
#undef COUNTS_BITS
