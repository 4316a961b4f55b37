// The quadratic extension by a root of -NON_RESIDUE, on elements of two halves. Before this text stand the field functions
// and NON_RESIDUE. The products of a product are turns of a loop: a kernel for the extension is little longer than one for
// the field, and compiles in little more time.

// r = NON_RESIDUE a
__device__ __forceinline__ void pw_times_non_residue(word *r, const word *a, const word *k) {
    word sum[WORDS];
    pw_copy(sum, a);
    #pragma unroll
    for (int n = 1; n < NON_RESIDUE; n++) pw_add(sum, sum, a, k);
    pw_copy(r, sum);
}
__device__ __forceinline__ void pw2_add(word *r, const word *a, const word *b, const word *k) {
    pw_add(r, a, b, k);
    pw_add(r + WORDS, a + WORDS, b + WORDS, k);
}
__device__ __forceinline__ void pw2_sub(word *r, const word *a, const word *b, const word *k) {
    pw_sub(r, a, b, k);
    pw_sub(r + WORDS, a + WORDS, b + WORDS, k);
}
__device__ __forceinline__ void pw2_select(word *r, uint32_t which, const word *zero, const word *other) {
    #pragma unroll
    for (int w = 0; w < WORDS; w++) r[w] = which ? other[w] : zero[w];
}

// a0 b0 - NON_RESIDUE a1 b1, (a0 + a1)(b0 + b1) - a0 b0 - a1 b1
__device__ __forceinline__ void pw2_mul(word *r, const word *a, const word *b, const word *k) {
    word a_sum[WORDS], b_sum[WORDS], low[WORDS] = {}, high[WORDS] = {}, cross[WORDS] = {};
    pw_add(a_sum, a, a + WORDS, k);
    pw_add(b_sum, b, b + WORDS, k);
    #pragma unroll 1
    for (uint32_t turn = 0; turn < 3; turn++) {
        word x[WORDS], y[WORDS];
        pw2_select(x, turn, a, a + WORDS);
        pw2_select(y, turn, b, b + WORDS);
        pw2_select(x, turn == 2, x, a_sum);
        pw2_select(y, turn == 2, y, b_sum);
        pw_copy(low, high);
        pw_copy(high, cross);
        pw_mul(cross, x, y, k);
    }
    pw_sub(cross, cross, low, k);
    pw_sub(r + WORDS, cross, high, k);
    pw_times_non_residue(high, high, k);
    pw_sub(r, low, high, k);
}

// (a0 + a1)(a0 - NON_RESIDUE a1) + (NON_RESIDUE - 1) a0 a1, 2 a0 a1
__device__ __forceinline__ void pw2_sqr(word *r, const word *a, const word *k) {
    word sum[WORDS], difference[WORDS], first[WORDS] = {}, second[WORDS] = {};
    pw_add(sum, a, a + WORDS, k);
    pw_times_non_residue(difference, a + WORDS, k);
    pw_sub(difference, a, difference, k);
    #pragma unroll 1
    for (uint32_t turn = 0; turn < 2; turn++) {
        word x[WORDS], y[WORDS];
        pw2_select(x, turn, sum, a);
        pw2_select(y, turn, difference, a + WORDS);
        pw_copy(first, second);
        pw_mul(second, x, y, k);
    }
    if (NON_RESIDUE > 1) {
        word more[WORDS];
        pw_times_non_residue(more, second, k);
        pw_sub(more, more, second, k);
        pw_add(first, first, more, k);
    }
    pw_copy(r, first);
    pw_add(r + WORDS, second, second, k);
}
