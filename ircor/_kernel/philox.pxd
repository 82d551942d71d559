# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Random numbers that depend on a key and a counter alone: Philox4x64-10 of Salmon et al. (2011), as in NumPy.

Stream k of a key has the words that numpy.random.Philox(key=key, counter=[0, k, 0, 0]) returns.  Every stream can be
started at once, so permutation k is the same whatever was drawn before it, and by whom.

This is inlined where it is used and runs without the GIL.
"""

from libc.stdint cimport int32_t, uint64_t

cdef extern from *:
    """
    #include <stdint.h>
    #if defined(_MSC_VER)
    #include <intrin.h>
    #endif

    /* The high word of the product of two words; the low word is a * b. */
    static inline uint64_t ircor_high_word(uint64_t a, uint64_t b)
    {
    #if defined(__SIZEOF_INT128__)
        return (uint64_t) (((unsigned __int128) a * b) >> 64);
    #elif defined(_MSC_VER) && (defined(_M_X64) || defined(_M_ARM64))
        return __umulh(a, b);
    #else
        uint64_t a_low = (uint32_t) a, a_high = a >> 32, b_low = (uint32_t) b, b_high = b >> 32;
        uint64_t middle = a_high * b_low + ((a_low * b_low) >> 32);
        return a_high * b_high + (middle >> 32) + ((a_low * b_high + (uint32_t) middle) >> 32);
    #endif
    }
    """
    uint64_t high_word "ircor_high_word" (uint64_t a, uint64_t b) noexcept nogil


cdef enum:
    # Draws from one word, at most: in `draws_of_word` the product of bounds from 16 down is below 2**56 for 14 of them.
    MOST_DRAWS = 16


cdef struct Stream:
    uint64_t[2] key
    # The number of the stream, of its last block of four words, and how many of these have been used.
    uint64_t number
    uint64_t block
    uint64_t[4] words
    int used


cdef inline void start(Stream* stream, uint64_t number) noexcept nogil:
    """Go to the begin of another stream of the same key."""
    stream.number = number
    stream.block = 0
    stream.used = 4


cdef inline void fill(Stream* stream) noexcept nogil:
    """Compute the next block of four words: ten rounds, with the constants of the authors."""
    cdef uint64_t a, b, c, d, high, other, first = stream.key[0], second = stream.key[1]
    stream.block += 1
    a, b, c, d = stream.block, stream.number, 0, 0
    for _ in range(10):
        high, other = high_word(a, 0xD2E7470EE14C6C93u), high_word(c, 0xCA5A826395121157u)
        b, d = other ^ b ^ first, high ^ d ^ second
        a, c = c * 0xCA5A826395121157u, a * 0xD2E7470EE14C6C93u
        # The words change places: the products' low words come second and fourth.
        a, b, c, d = b, a, d, c
        first += 0x9E3779B97F4A7C15u
        second += 0xBB67AE8584CAA73Bu
    stream.words[0], stream.words[1], stream.words[2], stream.words[3] = a, b, c, d
    stream.used = 0


cdef inline uint64_t next_word(Stream* stream) noexcept nogil:
    """Return the next 64 random bits."""
    if stream.used == 4:
        fill(stream)
    stream.used += 1
    return stream.words[stream.used - 1]


cdef inline int draws_of_word(Py_ssize_t n) noexcept nogil:
    """Return how many numbers below n one word is for: as many as have at most 2**56 outcomes together."""
    cdef int count = 1
    cdef uint64_t outcomes = n
    while n > 1 and count < MOST_DRAWS and outcomes <= (<uint64_t> 1 << 56) / <uint64_t> n:
        outcomes *= n
        count += 1
    return count


cdef inline void shuffle(Stream* stream, int32_t* items, Py_ssize_t n, int together) noexcept nogil:
    """Bring the items into a random order: the shuffle of Fisher and Yates.

    From the last item to the second, item i changes places with one of the first i + 1.  All orders have the same
    chance, because the draws are without bias: a word is drawn again if the low word of its product with the number of
    outcomes is too small (Lemire 2019).  One word serves `together` draws, each of which takes the high word of the
    product of what the last one left with its own bound (Brackett-Rozinsky and Lemire 2024).
    """
    cdef Py_ssize_t i = n
    cdef uint64_t word, outcomes
    cdef int32_t[MOST_DRAWS] drawn
    cdef int32_t item
    cdef int count, k
    while i > 1:
        count = together if together < i - 1 else <int> (i - 1)
        while True:
            word, outcomes = next_word(stream), 1
            for k in range(count):
                drawn[k] = <int32_t> high_word(word, i - k)
                word *= i - k
                outcomes *= i - k
            # The second comparison decides; the first saves its division nearly always.
            if word >= outcomes or word >= (0 - outcomes) % outcomes:
                break
        for k in range(count):
            i -= 1
            item = items[i]
            items[i] = items[drawn[k]]
            items[drawn[k]] = item
