// Runs every function on operands that valgrind takes for unknown, and so reports each jump and each address that
// depends on one:
//
//     cc -O3 @name@_ct.c -o @name@_ct && valgrind -q --error-exitcode=1 ./@name@_ct
//
// With an argument it also jumps on an operand, which must be reported: `./@name@_ct jump` shows that the check works.
#include <stdio.h>
#include <valgrind/memcheck.h>

#include "@file@"

int main(int argc, char **argv) {
    word a[WORDS], b[WORDS], r[WORDS], exponent[WORDS];
    unsigned char bytes[BYTES];
    (void)argv;
    if (!RUNNING_ON_VALGRIND) {
        printf("run this under valgrind\n");
        return 2;
    }
    pw_set_one(a);
    pw_add(b, a, a);
    pw_copy_words(exponent, b);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(a, sizeof a);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(b, sizeof b);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(exponent, sizeof exponent);
    if (argc > 1 && (a[0] & 1)) printf("odd\n");
    pw_add(r, a, b);
    pw_sub(a, r, b);
    pw_neg(r, a);
    pw_mul(b, r, a);
    pw_sqr(a, b);
    pw_pow(r, a, exponent, WORDS);
#if PW_HAS_INVERSE
    pw_inv(a, r);
#endif
    pw_pick(b, pw_equal(a, r) & pw_is_zero(b) & pw_less(a, b), a, r);
    pw_to_bytes(bytes, b);
    pw_pick(a, pw_from_bytes(r, bytes), r, a);
    pw_to_bytes(bytes, a);
    // What comes out is published.
    (void)VALGRIND_MAKE_MEM_DEFINED(bytes, sizeof bytes);
    unsigned sum = 0;
    for (size_t i = 0; i < BYTES; i++) sum += bytes[i];
    printf("%u\n", sum);
    return 0;
}
