/* Plain kernels for the tests of the lab: L limbs, Montgomery form with R = 2^(64 L); constants are q and -1/q. */
#include <stddef.h>
#include <stdint.h>
typedef uint64_t u64;
typedef unsigned __int128 u128;

static u64 add_limbs(u64 *out, const u64 *a, const u64 *b) {
    u128 sum = 0;
    for (int i = 0; i < L; i++) { sum += (u128)a[i] + b[i]; out[i] = (u64)sum; sum >>= 64; }
    return (u64)sum;
}

static u64 sub_limbs(u64 *out, const u64 *a, const u64 *b) {
    u64 borrow = 0;
    for (int i = 0; i < L; i++) {
        u128 difference = (u128)a[i] - b[i] - borrow;
        out[i] = (u64)difference;
        borrow = (u64)(difference >> 64) & 1;
    }
    return borrow;
}

static void once(u64 *x, const u64 *q) {
    u64 less[L];
    if (!sub_limbs(less, x, q)) for (int i = 0; i < L; i++) x[i] = less[i];
}

static void add(u64 *out, const u64 *a, const u64 *b, const u64 *q) { add_limbs(out, a, b); once(out, q); }

static void sub(u64 *out, const u64 *a, const u64 *b, const u64 *q) {
    if (sub_limbs(out, a, b)) add_limbs(out, out, q);
}

static void mul(u64 *out, const u64 *a, const u64 *b, const u64 *q) {
    u64 t[L + 2] = {0};
    for (int i = 0; i < L; i++) {
        u128 c = 0;
        for (int j = 0; j < L; j++) { c += (u128)a[j] * b[i] + t[j]; t[j] = (u64)c; c >>= 64; }
        c += t[L]; t[L] = (u64)c; t[L + 1] = (u64)(c >> 64);
        u64 m = t[0] * q[L];
        c = ((u128)m * q[0] + t[0]) >> 64;
        for (int j = 1; j < L; j++) { c += (u128)m * q[j] + t[j]; t[j - 1] = (u64)c; c >>= 64; }
        c += t[L]; t[L - 1] = (u64)c; t[L] = t[L + 1] + (u64)(c >> 64);
    }
    for (int i = 0; i < L; i++) out[i] = t[i];
    once(out, q);
}

#define EACH(name, how) \
    void name(size_t n, u64 *out, const u64 *a, const u64 *b, const u64 *q) { \
        for (size_t i = 0; i < n; i++, out += L, a += L, b += L) how(out, a, b, q); \
    }
EACH(vadd, add)
EACH(vsub, sub)
EACH(vmul, mul)

void axpy(size_t n, u64 *out, const u64 *a, const u64 *b, const u64 *scalar, const u64 *q) {
    for (size_t i = 0; i < n; i++, out += L, a += L, b += L) { mul(out, scalar, a, q); add(out, out, b, q); }
}

#ifdef LOG2_N
void ntt(size_t batch, u64 *data, const u64 *twiddles, const u64 *q) {
    const size_t n = (size_t)1 << LOG2_N;
    for (; batch--; data += n * L) {
        for (size_t i = 0; i < n; i++) {
            size_t j = 0;
            for (int bit = 0; bit < LOG2_N; bit++) j |= (i >> bit & 1) << (LOG2_N - 1 - bit);
            for (int k = 0; i < j && k < L; k++) {
                u64 kept = data[i * L + k]; data[i * L + k] = data[j * L + k]; data[j * L + k] = kept;
            }
        }
        for (size_t half = 1; half < n; half *= 2)
            for (size_t block = 0; block < n; block += 2 * half)
                for (size_t i = 0; i < half; i++) {
                    u64 *a = data + (block + i) * L, *b = a + half * L, t[L];
                    mul(t, b, twiddles + i * (n / 2 / half) * L, q);
                    sub(b, a, t, q);
                    add(a, a, t, q);
                }
    }
}
#endif
