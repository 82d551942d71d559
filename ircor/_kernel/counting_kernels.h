/* The kernels of counting.h for one set of instructions; see there for the macros.
 *
 * With GCC and Clang, WORD_VECTOR and DOUBLE_VECTOR are vectors of LANES numbers, on which the operators of C work lane by lane.
 */

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

/* Sums of terms for up to 2,048 items, exact until sums[0] + sums[1] is rounded.
 *
 * Each term is 0 or at least 2^-11 (1 - 2^-53) and at most 2^11, so it is a multiple of 2^-64.  It is split in two by adding
 * and subtracting 1.5 * 2^20, whose last bit is worth 2^-32.  The upper parts are multiples of 2^-32 and the lower parts are
 * at most 2^-33, so that both sums are exact in any order.  The module must be compiled with -ffp-contract=off: a product
 * that is not rounded before it is split would be another number.
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

/* All pairs of items.  The least value is at the top; x and y are padded to a multiple of PADDING with NaN. */
static void IN_SET(compare_short)(const double* x, const double* y, size_t n, short_counts* found) {
    int64_t concordant = 0, x_untied = 0, y_untied = 0, x_top = 0, y_top = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t x_ahead = 0, y_ahead = 0;
        for (size_t j = 0; j < n; j += LANES) {
            x_ahead |= BELOW(x + j, x[i]) << j;
            y_ahead |= BELOW(y + j, y[i]) << j;
        }
        int64_t c = BITS_IN(x_ahead & y_ahead), x_place = BITS_IN(x_ahead), y_place = BITS_IN(y_ahead);
        found->c[i] = (double) c;
        found->x_places[i] = (uint8_t) x_place;
        found->y_places[i] = (uint8_t) y_place;
        found->x_divisors[i] = (double) (x_place + (x_place == 0));
        found->y_divisors[i] = (double) (y_place + (y_place == 0));
        concordant += c;
        x_untied += x_place;
        y_untied += y_place;
        x_top += x_place == 0;
        y_top += y_place == 0;
    }
    for (size_t i = n; i % PADDING != 0; i++) {
        found->c[i] = 0;
        found->x_divisors[i] = found->y_divisors[i] = 1;
    }
    found->tied_pairs = 0;
    if (2 * x_untied < (int64_t) (n * (n - 1)) && 2 * y_untied < (int64_t) (n * (n - 1))) {
        uint64_t x_group[MOST_COMPARED] = {0}, y_group[MOST_COMPARED] = {0};
        for (size_t i = 0; i < n; i++) {
            /* The items before i that are tied with it in x, and in y. */
            uint64_t* x_tied = x_group + found->x_places[i];
            uint64_t* y_tied = y_group + found->y_places[i];
            found->tied_pairs += BITS_IN(*x_tied & *y_tied);
            *x_tied |= (uint64_t) 1 << i;
            *y_tied |= (uint64_t) 1 << i;
        }
    }
    found->concordant = concordant;
    found->x_untied_pairs = x_untied;
    found->y_untied_pairs = y_untied;
    found->x_top = x_top;
    found->y_top = y_top;
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
#undef BELOW
#undef BITS_IN
#undef COUNTS_BITS
