// Inverses of coordinates, and coordinates in memory. Before this text stand the additions of points, and QUADRATIC if
// coordinates are in the quadratic extension.
//
// The inverse is that of Bernstein and Yang (2019), by division steps. A step takes a triple (2 delta, f, g) with odd f to
// (2 - 2 delta, g, (g - f) / 2) if g is odd and delta is positive, and else to (2 + 2 delta, f, (g + (g mod 2) f) / 2); delta is
// 1/2 at first (Wuille 2021). From f = q and any g the steps lead to g = 0 and f = 1 or -1. STEPS steps depend on the lowest
// bits of f and g alone, and are a 2x2 matrix on (f, g), which is divided by 2^STEPS. Modulo q the same matrices take (0, c) to
// (d, 0) with d = c f / g.

#ifdef __OPENCL_VERSION__
typedef long pw_long;
#else
typedef long long pw_long;
#endif
typedef int pw_int;

// Numbers have LIMBS limbs of STEPS bits, of which the highest has the sign: all bits of an element, a sign, and a bit for sums.
enum { STEPS = 30, LIMBS = (WORDS * WORD_BITS + 2 + STEPS - 1) / STEPS, LIMB_MASK = (1 << STEPS) - 1 };

// Greatest number of matrices: 590 steps for 256 bits, and in proportion for others (Wuille's bound has the factor 2.3035).
enum { MOST_MATRICES = (WORDS * WORD_BITS * 231 / 100 + 2 * STEPS) / STEPS };

// 32 bits of an element from a multiple of 32 on.
__device__ __forceinline__ uint32_t pw_half_of(const word *a, int at) {
    return at >= WORDS * WORD_BITS ? 0 : (uint32_t)(a[at / WORD_BITS] >> (at % WORD_BITS));
}
__device__ __forceinline__ void pw_to_limbs(pw_int *limbs, const word *a) {
    #pragma unroll
    for (int i = 0; i < LIMBS; i++) {
        const int at = i * STEPS;
        limbs[i] = __funnelshift_r(pw_half_of(a, at / 32 * 32), pw_half_of(a, at / 32 * 32 + 32), at % 32) & LIMB_MASK;
    }
}
// An element from a number that is not negative and has no more bits.
__device__ __forceinline__ void pw_from_limbs(word *r, const pw_int *limbs) {
    #pragma unroll
    for (int w = 0; w < WORDS; w++) {
        r[w] = 0;
        #pragma unroll
        for (int i = 0; i < LIMBS; i++) {
            const int by = i * STEPS - w * WORD_BITS;
            if (by > -STEPS && by < 0) r[w] |= (word)(uint32_t)limbs[i] >> -by;
            if (by >= 0 && by < WORD_BITS) r[w] |= (word)(uint32_t)limbs[i] << by;
        }
    }
}

// The matrix of STEPS steps from the lowest limbs of f and g: (f, g) times 2^STEPS becomes (m0 f + m1 g, m2 f + m3 g).
__device__ __forceinline__ void pw_steps(pw_int *m, pw_int *twice_delta, pw_int f, pw_int g) {
    pw_int u = 1, v = 0, q = 0, r = 1, delta = *twice_delta;
    #pragma unroll 5
    for (int step = 0; step < STEPS; step++) {
        const pw_int odd = g & 1;
        if (odd && delta > 0) {
            const pw_int before_f = f, before_u = u, before_v = v;
            f = g, u = q, v = r;
            g = -before_f, q = -before_u, r = -before_v;
            delta = -delta;
        }
        g += odd * f, q += odd * u, r += odd * v;
        g >>= 1, u *= 2, v *= 2;
        delta += 2;
    }
    m[0] = u, m[1] = v, m[2] = q, m[3] = r;
    *twice_delta = delta;
}
// f, g = (m f, m g) / 2^STEPS
__device__ __forceinline__ void pw_apply(pw_int *f, pw_int *g, const pw_int *m) {
    pw_long a = 0, b = 0;
    #pragma unroll
    for (int i = 0; i < LIMBS; i++) {
        a += (pw_long)m[0] * f[i] + (pw_long)m[1] * g[i];
        b += (pw_long)m[2] * f[i] + (pw_long)m[3] * g[i];
        if (i > 0) {
            f[i - 1] = (pw_int)a & LIMB_MASK;
            g[i - 1] = (pw_int)b & LIMB_MASK;
        }
        a >>= STEPS, b >>= STEPS;
    }
    f[LIMBS - 1] = (pw_int)a;
    g[LIMBS - 1] = (pw_int)b;
}
// d, e = (m d, m e) / 2^STEPS modulo q, between -2 q and q as before; `inverse` is that of q modulo 2^STEPS.
__device__ __forceinline__ void pw_apply_modulo(pw_int *d, pw_int *e, const pw_int *m, const pw_int *q, uint32_t inverse) {
    const pw_int d_sign = d[LIMBS - 1] >> 31, e_sign = e[LIMBS - 1] >> 31;
    // Multiples of q that are added: those that make negative numbers positive, less those that make the lowest limb zero.
    pw_int x = (m[0] & d_sign) + (m[1] & e_sign), y = (m[2] & d_sign) + (m[3] & e_sign);
    const uint32_t a_low = (uint32_t)m[0] * (uint32_t)d[0] + (uint32_t)m[1] * (uint32_t)e[0];
    const uint32_t b_low = (uint32_t)m[2] * (uint32_t)d[0] + (uint32_t)m[3] * (uint32_t)e[0];
    x -= (pw_int)((inverse * a_low + (uint32_t)x) & LIMB_MASK);
    y -= (pw_int)((inverse * b_low + (uint32_t)y) & LIMB_MASK);
    pw_long a = 0, b = 0;
    #pragma unroll
    for (int i = 0; i < LIMBS; i++) {
        a += (pw_long)m[0] * d[i] + (pw_long)m[1] * e[i] + (pw_long)q[i] * x;
        b += (pw_long)m[2] * d[i] + (pw_long)m[3] * e[i] + (pw_long)q[i] * y;
        if (i > 0) {
            d[i - 1] = (pw_int)a & LIMB_MASK;
            e[i - 1] = (pw_int)b & LIMB_MASK;
        }
        a >>= STEPS, b >>= STEPS;
    }
    d[LIMBS - 1] = (pw_int)a;
    e[LIMBS - 1] = (pw_int)b;
}
// d = d + (q & mask), or -d + (q & mask) if `negate` is -1 and not 0.
__device__ __forceinline__ void pw_add_masked(pw_int *d, const pw_int *q, pw_int mask, pw_int negate) {
    pw_int carry = 0;
    #pragma unroll
    for (int i = 0; i < LIMBS; i++) {
        carry += (d[i] ^ negate) - negate + (q[i] & mask);
        d[i] = i < LIMBS - 1 ? carry & LIMB_MASK : carry;
        carry >>= STEPS;
    }
}

// r = square / a in the prime field, where `square` is the square of Montgomery's radix: the inverse of an element in Montgomery
// form. The inverse of zero is zero.
__device__ __forceinline__ void pw_inverse(word *r, const word *a, const word *modulus, const word *square) {
    pw_int q[LIMBS], f[LIMBS], g[LIMBS], d[LIMBS] = {}, e[LIMBS], twice_delta = 1;
    pw_to_limbs(q, modulus);
    pw_to_limbs(f, modulus);
    pw_to_limbs(g, a);
    pw_to_limbs(e, square);
    // Newton's iteration doubles the number of right bits, of which there are three at first.
    uint32_t inverse = q[0];
    #pragma unroll
    for (int bits = 3; bits < STEPS; bits *= 2) inverse *= 2 - (uint32_t)q[0] * inverse;
    #pragma unroll 1
    for (int turn = 0; turn < MOST_MATRICES; turn++) {
        pw_int m[4], any = 0;
        #pragma unroll
        for (int i = 0; i < LIMBS; i++) any |= g[i];
        if (any == 0) break;
        // The steps read the lowest STEPS bits, and f and g are odd or even as their lowest limbs are.
        pw_steps(m, &twice_delta, f[0], g[0]);
        pw_apply(f, g, m);
        pw_apply_modulo(d, e, m, q, inverse);
    }
    // Between -2 q and q: first above -q, then with the sign of f, then above zero.
    pw_add_masked(d, q, d[LIMBS - 1] >> 31, 0);
    pw_add_masked(d, q, 0, f[LIMBS - 1] >> 31);
    pw_add_masked(d, q, d[LIMBS - 1] >> 31, 0);
    pw_from_limbs(r, d);
}

// r = 1 / a in the coordinates' field
__device__ __forceinline__ void pw_coordinate_inverse(
    word *r, const word *a, const word *modulus, const word *square, const word *k) {
#ifdef QUADRATIC
    // (a0 - a1 u) / (a0^2 + NON_RESIDUE a1^2)
    word norm[WORDS], other[WORDS];
    const word zero[WORDS] = {};
    pw_sqr(other, a + WORDS, k);
    pw_times_non_residue(other, other, k);
    pw_sqr(norm, a, k);
    pw_add(norm, norm, other, k);
    pw_inverse(other, norm, modulus, square);
    pw_mul(r, a, other, k);
    pw_mul(r + WORDS, a + WORDS, other, k);
    pw_sub(r + WORDS, zero, r + WORDS, k);
#else
    pw_inverse(r, a, modulus, square);
#endif
}

__device__ __forceinline__ void pw_load_coordinates(word *r, const PW_GLOBAL word *p, int count) {
    #pragma unroll
    for (int piece = 0; piece < count * DEGREE; piece++) pw_load(r + piece * WORDS, p + piece * WORDS);
}
__device__ __forceinline__ void pw_store_coordinates(PW_GLOBAL word *p, const word *a, int count) {
    #pragma unroll
    for (int piece = 0; piece < count * DEGREE; piece++) pw_store(p + piece * WORDS, a + piece * WORDS);
}

