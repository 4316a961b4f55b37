// Additions of points, complete by branches. Before this text stand the field functions, the formulas, DEGREE (elements of
// a coordinate) and COORDINATE (its words). Points are affine, (0, 0) standing for infinity, or XYZZ, with ZZ = 0 for infinity.

enum { AFFINE = 2 * COORDINATE, POINT = 4 * COORDINATE };
typedef struct { word w[WORDS]; } pw_element;

__device__ __forceinline__ uint32_t pw_all_zero(const word *a, int words) {
    word any = 0;
    #pragma unroll
    for (int w = 0; w < words; w++) any |= a[w];
    return any == 0;
}
__device__ __forceinline__ void pw_load_point(word *r, const PW_GLOBAL word *p) {
    #pragma unroll
    for (int piece = 0; piece < 4 * DEGREE; piece++) pw_load(r + piece * WORDS, p + piece * WORDS);
}
__device__ __forceinline__ void pw_store_point(PW_GLOBAL word *p, const word *a) {
    #pragma unroll
    for (int piece = 0; piece < 4 * DEGREE; piece++) pw_store(p + piece * WORDS, a + piece * WORDS);
}
__device__ __forceinline__ void pw_set_infinity(word *r) {
    #pragma unroll
    for (int w = 0; w < POINT; w++) r[w] = 0;
}

// acc += q
__device__ __forceinline__ void pw_add_mixed(word *acc, const word *q, const word *k, const word *one) {
    if (pw_all_zero(q, AFFINE)) return;
    if (pw_all_zero(acc + 2 * COORDINATE, COORDINATE)) {
        pw_set_infinity(acc);
        #pragma unroll
        for (int w = 0; w < AFFINE; w++) acc[w] = q[w];
        pw_copy(acc + 2 * COORDINATE, one);
        pw_copy(acc + 3 * COORDINATE, one);
        return;
    }
    word in[POINT + AFFINE], out[POINT + 2 * COORDINATE];
    #pragma unroll
    for (int w = 0; w < POINT; w++) in[w] = acc[w];
    #pragma unroll
    for (int w = 0; w < AFFINE; w++) in[POINT + w] = q[w];
    pw_add_mixed_text(out, in, k);
    if (pw_all_zero(out + POINT, COORDINATE)) {
        // The same x: the same point, or the opposite one.
        if (pw_all_zero(out + POINT + COORDINATE, COORDINATE)) pw_double_affine_text(acc, q, k);
        else pw_set_infinity(acc);
        return;
    }
    #pragma unroll
    for (int w = 0; w < POINT; w++) acc[w] = out[w];
}

// *to += *from, points in memory; the same place twice is a doubling.
__device__ __forceinline__ void pw_add_at(PW_GLOBAL word *to, const PW_GLOBAL word *from, const word *k) {
    word in[2 * POINT], out[POINT + 2 * COORDINATE];
    pw_load_point(in + POINT, from);
    if (pw_all_zero(in + POINT + 2 * COORDINATE, COORDINATE)) return;
    uint32_t twice = to == from;
    if (!twice) {
        pw_load_point(in, to);
        if (pw_all_zero(in + 2 * COORDINATE, COORDINATE)) {
            pw_store_point(to, in + POINT);
            return;
        }
        pw_add_text(out, in, k);
        if (pw_all_zero(out + POINT, COORDINATE)) {
            twice = pw_all_zero(out + POINT + COORDINATE, COORDINATE);
            if (!twice) pw_set_infinity(out);
        }
    }
    if (twice) pw_double_text(out, in + POINT, k);
    pw_store_point(to, out);
}

// q = bases[at], with the other sign if `negative`
__device__ __forceinline__ void pw_load_base(
    word *q, const PW_GLOBAL word *bases, uint64_t at, uint32_t negative, const word *k) {
    const PW_GLOBAL word *base = bases + at * AFFINE;
    #pragma unroll
    for (int piece = 0; piece < 2 * DEGREE; piece++) pw_load_constant(q + piece * WORDS, base + piece * WORDS);
    if (negative) {
        const word zero[WORDS] = {};
        #pragma unroll
        for (int piece = DEGREE; piece < 2 * DEGREE; piece++) pw_sub(q + piece * WORDS, zero, q + piece * WORDS, k);
    }
}

#define NEGATIVE 0x80000000u

// The place of the point that entry `at` of a list stands for, plus one; 0 for infinity. An entry of a list of digits names a
// base, counted from `first` on; other lists consist of the points themselves. NEGATIVE is the other sign.
__device__ __forceinline__ uint64_t pw_place(
    uint32_t *negative, uint32_t of_digits, const PW_GLOBAL uint32_t *list, uint32_t first, uint32_t at) {
    const uint32_t entry = of_digits ? list[at] : at + 1;
    *negative = of_digits ? entry & NEGATIVE : 0;
    return entry ? (uint64_t)first + (of_digits ? entry & ~NEGATIVE : entry) : 0;
}
__device__ __forceinline__ void pw_load_entry(
    word *q, uint32_t of_digits, const PW_GLOBAL uint32_t *list, const PW_GLOBAL word *points, uint32_t first, uint32_t at,
    const word *k) {
    uint32_t negative;
    const uint64_t place = pw_place(&negative, of_digits, list, first, at);
    #pragma unroll
    for (int w = 0; w < AFFINE; w++) q[w] = 0;
    if (place) pw_load_base(q, points, place - 1, negative, k);
}
// The x coordinate alone.
__device__ __forceinline__ void pw_load_x(
    word *x, uint32_t of_digits, const PW_GLOBAL uint32_t *list, const PW_GLOBAL word *points, uint32_t first, uint32_t at) {
    uint32_t negative;
    const uint64_t place = pw_place(&negative, of_digits, list, first, at);
    #pragma unroll
    for (int w = 0; w < COORDINATE; w++) x[w] = 0;
    if (!place) return;
    #pragma unroll
    for (int piece = 0; piece < DEGREE; piece++)
        pw_load_constant(x + piece * WORDS, points + (place - 1) * AFFINE + piece * WORDS);
}
