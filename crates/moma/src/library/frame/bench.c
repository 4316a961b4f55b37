// Times of the functions, each on the result of the one before, in nanoseconds of processor time.
#include <stdio.h>
#include <time.h>

#include "@file@"

// The least of nine runs; the compiler cannot know what is in `x`.
#define TIME(name, count, call)                                                          \
    do {                                                                                 \
        double least = 1e30;                                                             \
        for (int run = 0; run < 9; run++) {                                              \
            const clock_t start = clock();                                               \
            for (long i = 0; i < (count); i++) call;                                     \
            const double took = (double)(clock() - start) / CLOCKS_PER_SEC * 1e9;        \
            if (took < least) least = took;                                              \
        }                                                                                \
        printf("%-8s %10.2f ns\n", name, least / (double)(count));                       \
    } while (0)

int main(int argc, char **argv) {
    word x[WORDS], y[WORDS];
    (void)argv;
    pw_set_one(x);
    for (int i = 0; i < 1000 + argc; i++) pw_add(x, x, pw_one);
    pw_sqr(y, x);
    TIME("add", 10000000, pw_add(x, x, y));
    TIME("sub", 10000000, pw_sub(x, x, y));
    TIME("mul", 3000000, pw_mul(x, x, y));
    TIME("sqr", 3000000, pw_sqr(x, x));
#if PW_HAS_INVERSE
    TIME("inv", 3000, pw_inv(x, x));
#endif
    TIME("pow", 3000, pw_pow(x, x, y, INTEGER_WORDS));
    return (int)(x[0] & 1) & (argc > 100);
}
