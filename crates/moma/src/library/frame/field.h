
static inline void pw_copy_words(word *r, const word *a) {
    for (size_t w = 0; w < WORDS; w++) r[w] = a[w];
}
static inline void pw_set_zero(word *r) {
    for (size_t w = 0; w < WORDS; w++) r[w] = 0;
}
static inline void pw_set_one(word *r) { pw_copy_words(r, pw_one); }

// 1 if a = b, else 0.
static inline word pw_equal(const word *a, const word *b) {
    word c[1];
    pw_same_words(c, a, b);
    return c[0];
}
// 1 if a = 0, else 0.
static inline word pw_is_zero(const word *a) {
    word zero[WORDS];
    pw_set_zero(zero);
    return pw_equal(a, zero);
}
// 1 if the integer of a is less than that of b, else 0.
static inline word pw_less(const word *a, const word *b) {
    word x[INTEGER_WORDS], y[INTEGER_WORDS], c[1];
    pw_from_montgomery(x, a);
    pw_from_montgomery(y, b);
    pw_less_words(c, x, y);
    return c[0];
}
// r = a where flag is 1, b where it is 0.
static inline void pw_pick(word *r, word flag, const word *a, const word *b) { pw_pick_words(r, &flag, a, b); }

// The integer of a, low byte first.
static inline void pw_to_bytes(unsigned char *bytes, const word *a) {
    word plain[INTEGER_WORDS];
    pw_from_montgomery(plain, a);
    for (size_t i = 0; i < BYTES; i++)
        bytes[i] = (unsigned char)(plain[i / sizeof(word)] >> (8 * (i % sizeof(word))));
}
// The element of an integer, low byte first: 1, or 0 if it is not below the modulus, and then r is zero.
static inline word pw_from_bytes(word *r, const unsigned char *bytes) {
    word plain[INTEGER_WORDS] = {0}, valid[1];
    for (size_t i = 0; i < BYTES; i++) plain[i / sizeof(word)] |= (word)bytes[i] << (8 * (i % sizeof(word)));
    pw_below_words(valid, plain);
    for (size_t w = 0; w < INTEGER_WORDS; w++) plain[w] &= (word)0 - valid[0];
    pw_to_montgomery(r, plain);
    return valid[0];
}

// r = a^exponent for an exponent of so many words, low word first. The time depends on their number alone.
static inline void pw_pow(word *r, const word *a, const word *exponent, size_t words) {
    word base[WORDS], power[WORDS], next[WORDS];
    pw_copy_words(base, a);
    pw_set_one(power);
    for (size_t i = words * WORD_BITS; i-- > 0;) {
        pw_sqr(power, power);
        pw_mul(next, power, base);
        pw_pick(power, (exponent[i / WORD_BITS] >> (i % WORD_BITS)) & 1, next, power);
    }
    pw_copy_words(r, power);
}
