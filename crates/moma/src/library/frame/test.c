// Compares every function with integers that were computed when this text was generated. Exits with 0 if all agree.
#include <stdio.h>
#include <stdlib.h>

#include "@file@"

enum { A, B, SUM, DIFFERENCE, NEGATIVE, PRODUCT, SQUARE, INVERSE, POWER, RESULTS };

// For operands a and b: a, b, a + b, a - b, -a, a b, a a, 1 / a (0 for 0), a^b.
static const word vectors[][RESULTS][INTEGER_WORDS] = {
@vectors@};

static int wrong = 0;

static void check(const char *what, size_t at, const word *got, const word *want) {
    word plain[INTEGER_WORDS];
    pw_from_montgomery(plain, got);
    for (size_t w = 0; w < INTEGER_WORDS; w++) {
        if (plain[w] == want[w]) continue;
        printf("vector %zu: %s is wrong\n", at, what);
        wrong++;
        return;
    }
}

static void require(const char *what, size_t at, int holds) {
    if (!holds) {
        printf("vector %zu: %s is wrong\n", at, what);
        wrong++;
    }
}

static int integer_less(const word *a, const word *b) {
    for (size_t w = INTEGER_WORDS; w-- > 0;)
        if (a[w] != b[w]) return a[w] < b[w];
    return 0;
}

#if PW_NTT_LOG_SIZE
// The transform against the sum that defines it, at a few points, and the inverse against what went in.
static void check_ntt(void) {
    const size_t n = (size_t)1 << PW_NTT_LOG_SIZE;
    word *data = (word *)malloc(n * sizeof(word) * WORDS), *table = (word *)malloc(n * sizeof(word) * WORDS);
    word x[WORDS], sum[WORDS], counter[WORDS];
    if (!data || !table) {
        printf("no memory\n");
        wrong++;
    } else {
        pw_set_zero(counter);
        for (size_t i = 0; i < n; i++) {
            pw_add(counter, counter, pw_one);
            pw_sqr(data + i * WORDS, counter);
        }
        pw_ntt_table(table);
        pw_ntt(1, data, table);
        pw_set_one(x);
        for (size_t k = 0; k < n && k < 5; k++) {
            pw_set_zero(sum);
            word c[WORDS], term[WORDS];
            pw_copy_words(c, counter);
            for (size_t i = n; i-- > 0;) {
                pw_mul(sum, sum, x);
                pw_sqr(term, c);
                pw_add(sum, sum, term);
                pw_sub(c, c, pw_one);
            }
            require("ntt", k, (int)pw_equal(sum, data + k * WORDS));
            pw_mul(x, x, pw_ntt_seeds);
        }
        pw_intt_table(table);
        pw_intt(1, data, table);
        pw_set_zero(counter);
        for (size_t i = 0; i < n; i++) {
            pw_add(counter, counter, pw_one);
            pw_sqr(x, counter);
            require("intt", i, (int)pw_equal(x, data + i * WORDS));
        }
    }
    free(data);
    free(table);
}
#endif

int main(void) {
    const size_t count = sizeof vectors / sizeof vectors[0];
    for (size_t i = 0; i < count; i++) {
        const word(*v)[INTEGER_WORDS] = vectors[i];
        word a[WORDS], b[WORDS], r[WORDS];
        unsigned char bytes[BYTES];
        pw_to_montgomery(a, v[A]);
        pw_to_montgomery(b, v[B]);
        check("conversion", i, a, v[A]);
        pw_add(r, a, b), check("add", i, r, v[SUM]);
        pw_sub(r, a, b), check("sub", i, r, v[DIFFERENCE]);
        pw_neg(r, a), check("neg", i, r, v[NEGATIVE]);
        pw_mul(r, a, b), check("mul", i, r, v[PRODUCT]);
        pw_sqr(r, a), check("sqr", i, r, v[SQUARE]);
        pw_pow(r, a, v[B], INTEGER_WORDS), check("pow", i, r, v[POWER]);
#if PW_HAS_INVERSE
        pw_inv(r, a), check("inv", i, r, v[INVERSE]);
#endif
        // Results may lie where operands lie.
        pw_copy_words(r, a), pw_mul(r, r, b), check("mul in place", i, r, v[PRODUCT]);
        pw_copy_words(r, b), pw_sub(r, a, r), check("sub in place", i, r, v[DIFFERENCE]);
        pw_to_bytes(bytes, a);
        require("from_bytes", i, (int)pw_from_bytes(r, bytes));
        check("bytes", i, r, v[A]);
        require("less", i, (int)pw_less(a, b) == integer_less(v[A], v[B]));
        require("equal", i, (int)pw_equal(a, b) == (!integer_less(v[A], v[B]) && !integer_less(v[B], v[A])));
        // However an element is held, it is equal to itself.
        pw_sub(r, a, a), require("zero", i, (int)pw_is_zero(r));
        pw_sub(r, a, b), pw_add(r, r, b), require("equal", i, (int)pw_equal(r, a));
        pw_pick(r, 1, a, b), check("pick", i, r, v[A]);
        pw_pick(r, 0, a, b), check("pick", i, r, v[B]);
    }
    // The modulus itself is no element.
    unsigned char bytes[BYTES];
    word r[WORDS];
    for (size_t i = 0; i < BYTES; i++)
        bytes[i] = (unsigned char)(pw_modulus[i / sizeof(word)] >> (8 * (i % sizeof(word))));
    require("from_bytes of the modulus", 0, pw_from_bytes(r, bytes) == 0 && pw_is_zero(r) == 1);
#if PW_NTT_LOG_SIZE
    check_ntt();
#endif
    printf("%s: %zu vectors, %d wrong\n", "@file@", count, wrong);
    return wrong != 0;
}
