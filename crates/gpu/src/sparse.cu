// Products of sparse matrices with a vector. Before this text stand the field functions and THREADS (of a block). `starts` divides
// a list into pieces: thread i sums the piece from starts[first + i] to starts[first + i + 1].

// out[i] = the sum over the piece's entries of values[entry] x[columns[entry]], with entry = order[at]
PW_KERNEL(THREADS) sparse_products(
    uint32_t n, uint32_t first, const PW_GLOBAL uint32_t *__restrict__ starts,
    const PW_GLOBAL uint32_t *__restrict__ order, const PW_GLOBAL uint32_t *__restrict__ columns,
    const PW_GLOBAL word *__restrict__ values, const PW_GLOBAL word *__restrict__ x, PW_GLOBAL word *__restrict__ out,
    const __grid_constant__ pw_constants constants) {
    const uint32_t i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= n) return;
    const uint32_t end = starts[first + i + 1];
    word sum[WORDS] = {};
    #pragma unroll 1
    for (uint32_t at = starts[first + i]; at < end; at++) {
        const uint32_t entry = order[at];
        word a[WORDS], b[WORDS];
        pw_load_constant(a, values + (uint64_t)entry * WORDS);
        pw_load_constant(b, x + (uint64_t)columns[entry] * WORDS);
        pw_mul(a, a, b, constants.w);
        pw_add(sum, sum, a, constants.w);
    }
    pw_store(out + (uint64_t)i * WORDS, sum);
}

// out[i] = the sum of the piece's elements of `from`
PW_KERNEL(THREADS) sparse_sums(
    uint32_t n, uint32_t first, const PW_GLOBAL uint32_t *__restrict__ starts, const PW_GLOBAL word *__restrict__ from,
    PW_GLOBAL word *__restrict__ out, const __grid_constant__ pw_constants constants) {
    const uint32_t i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= n) return;
    const uint32_t end = starts[first + i + 1];
    word sum[WORDS] = {};
    #pragma unroll 1
    for (uint32_t at = starts[first + i]; at < end; at++) {
        word a[WORDS];
        pw_load_constant(a, from + (uint64_t)at * WORDS);
        pw_add(sum, sum, a, constants.w);
    }
    pw_store(out + (uint64_t)i * WORDS, sum);
}
