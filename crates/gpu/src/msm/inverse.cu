// Inverses of coordinates, and coordinates in memory. Before this text stand the additions of points, and QUADRATIC if
// coordinates are in the quadratic extension.

// r = 1 / a in the prime field, by the exponent p - 2
__device__ __forceinline__ void pw_inverse(
    word *r, const word *a, const word *exponent, const word *k, const word *one) {
    word bits[WORDS];
    pw_copy(bits, exponent);
    pw_copy(r, one);
    #pragma unroll 1
    for (uint32_t turn = 0; turn < WORDS * WORD_BITS; turn++) {
        pw_sqr(r, r, k);
        if (bits[WORDS - 1] >> (WORD_BITS - 1)) pw_mul(r, r, a, k);
        #pragma unroll
        for (int w = WORDS - 1; w >= 0; w--) bits[w] = bits[w] << 1 | (w ? bits[w - 1] >> (WORD_BITS - 1) : 0);
    }
}

// r = 1 / a in the coordinates' field
__device__ __forceinline__ void pw_coordinate_inverse(
    word *r, const word *a, const word *exponent, const word *k, const word *one) {
#ifdef QUADRATIC
    // (a0 - a1 u) / (a0^2 + NON_RESIDUE a1^2)
    word norm[WORDS], square[WORDS];
    const word zero[WORDS] = {};
    pw_sqr(square, a + WORDS, k);
    pw_times_non_residue(square, square, k);
    pw_sqr(norm, a, k);
    pw_add(norm, norm, square, k);
    pw_inverse(square, norm, exponent, k, one);
    pw_mul(r, a, square, k);
    pw_mul(r + WORDS, a + WORDS, square, k);
    pw_sub(r + WORDS, zero, r + WORDS, k);
#else
    pw_inverse(r, a, exponent, k, one);
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
