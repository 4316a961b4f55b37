// Halvings of a list of points: each pair of neighbours is replaced by its sum. Sums are affine, and their slopes' denominators
// are inverted together, in three kernels. Before this text stand the additions of points, inverses, the formulas of a halving,
// THREADS (of a block), PAIRS_RESIDENT (blocks of `halve` on a multiprocessor, at least) and INVERTERS (threads of a block of `invert`).
// The list of level l has begins[keys] / 2^l points: level 0 is the list of digits, and buckets end at multiples of 2^l.

// The number of pairs from pair `start` on of the list of a level: at most `most`.
__device__ __forceinline__ uint32_t pw_pairs(uint32_t entries, uint32_t level, uint32_t start, uint32_t most) {
    const uint32_t pairs = entries >> (level + 1), rest = pairs > start ? pairs - start : 0;
    return rest < most ? rest : most;
}

// The denominator of the slope of p + q: the result is 1 for a chord, 2 for a tangent, and 0 if there is no slope, because
// one of the points or their sum is infinity.
__device__ __forceinline__ uint32_t pw_denominator(word *run, const word *p, const word *q, const word *k) {
    if (pw_all_zero(p, AFFINE) || pw_all_zero(q, AFFINE)) return 0;
    #pragma unroll
    for (int piece = 0; piece < DEGREE; piece++) pw_sub(run + piece * WORDS, q + piece * WORDS, p + piece * WORDS, k);
    if (!pw_all_zero(run, COORDINATE)) return 1;
    // The same x: 2 y for equal points, zero for opposite ones.
    #pragma unroll
    for (int piece = DEGREE; piece < 2 * DEGREE; piece++)
        pw_add(run + (piece - DEGREE) * WORDS, p + piece * WORDS, q + piece * WORDS, k);
    return pw_all_zero(run, COORDINATE) ? 0 : 2;
}

// Every `threads`-th pair belongs to a thread: before[i] = the product of the denominators of the thread's pairs before pair i,
// products[t] = the product of all of them. Points come from place `from` on.
PW_KERNEL(THREADS) denominators(
    uint32_t threads, uint32_t start, uint32_t most, uint32_t level, uint32_t keys, uint32_t from, uint32_t first,
    const PW_GLOBAL uint32_t *__restrict__ begins, const PW_GLOBAL uint32_t *__restrict__ list,
    const PW_GLOBAL word *__restrict__ points, PW_GLOBAL word *__restrict__ before, PW_GLOBAL word *__restrict__ products,
    const __grid_constant__ pw_constants constants, const __grid_constant__ pw_element one) {
    const uint32_t t = blockIdx.x * THREADS + threadIdx.x, pairs = pw_pairs(begins[keys], level, start, most);
    if (t >= threads) return;
    word product[2 * COORDINATE] = {};
    pw_copy(product, one.w);
    #pragma unroll 1
    for (uint32_t i = t; i < pairs; i += threads) {
        pw_store_coordinates(before + (uint64_t)i * COORDINATE, product, 1);
        word x[2 * COORDINATE], *run = product + COORDINATE;
        pw_load_x(x, level == 0, list, points, first, from + 2 * i);
        pw_load_x(x + COORDINATE, level == 0, list, points, first, from + 2 * i + 1);
        #pragma unroll
        for (int piece = 0; piece < DEGREE; piece++)
            pw_sub(run + piece * WORDS, x + COORDINATE + piece * WORDS, x + piece * WORDS, constants.w);
        uint32_t adds = 1;
        if (pw_all_zero(x, COORDINATE) || pw_all_zero(x + COORDINATE, COORDINATE) || pw_all_zero(run, COORDINATE)) {
            // Infinity may be among the points, or they are equal or opposite.
            word p[AFFINE], q[AFFINE];
            pw_load_entry(p, level == 0, list, points, first, from + 2 * i, constants.w);
            pw_load_entry(q, level == 0, list, points, first, from + 2 * i + 1, constants.w);
            adds = pw_denominator(run, p, q, constants.w);
        }
        if (adds) pw_product_text(product, product, constants.w);
    }
    pw_store_coordinates(products + (uint64_t)t * COORDINATE, product, 1);
}

// products[i] = 1 / products[i] for i below n, every `threads`-th one by a thread. `work` has a place for each.
PW_KERNEL(INVERTERS) invert(
    uint32_t n, uint32_t threads, PW_GLOBAL word *products, PW_GLOBAL word *work,
    const __grid_constant__ pw_constants constants, const __grid_constant__ pw_element one,
    const __grid_constant__ pw_element modulus, const __grid_constant__ pw_element square) {
    const uint32_t t = blockIdx.x * INVERTERS + threadIdx.x;
    if (t >= threads || t >= n) return;
    word in[2 * COORDINATE] = {}, inverse[COORDINATE];
    pw_copy(in, one.w);
    uint32_t i = t;
    #pragma unroll 1
    for (; i < n; i += threads) {
        pw_store_coordinates(work + (uint64_t)i * COORDINATE, in, 1);
        pw_load_coordinates(in + COORDINATE, products + (uint64_t)i * COORDINATE, 1);
        pw_product_text(in, in, constants.w);
    }
    pw_coordinate_inverse(inverse, in, modulus.w, square.w, constants.w);
    #pragma unroll 1
    while (i > t) {
        i -= threads;
        PW_GLOBAL word *product = products + (uint64_t)i * COORDINATE;
        word out[COORDINATE];
        #pragma unroll
        for (int w = 0; w < COORDINATE; w++) in[w] = inverse[w];
        pw_load_coordinates(in + COORDINATE, work + (uint64_t)i * COORDINATE, 1);
        pw_product_text(out, in, constants.w);
        pw_load_coordinates(in + COORDINATE, product, 1);
        pw_product_text(inverse, in, constants.w);
        pw_store_coordinates(product, out, 1);
    }
}

// The sums of the pairs, from place `to` on: a thread goes through its pairs backwards, with the inverse of the product of
// the denominators up to the pair.
PW_KERNEL_OF(THREADS, PAIRS_RESIDENT) halve(
    uint32_t threads, uint32_t start, uint32_t most, uint32_t level, uint32_t keys, uint32_t from, uint32_t to, uint32_t first,
    const PW_GLOBAL uint32_t *__restrict__ begins, const PW_GLOBAL uint32_t *__restrict__ list,
    const PW_GLOBAL word *__restrict__ points, const PW_GLOBAL word *__restrict__ before,
    const PW_GLOBAL word *__restrict__ inverses, PW_GLOBAL word *__restrict__ sums,
    const __grid_constant__ pw_constants constants) {
    const uint32_t t = blockIdx.x * THREADS + threadIdx.x, pairs = pw_pairs(begins[keys], level, start, most);
    if (t >= threads || t >= pairs) return;
    word inverse[COORDINATE];
    pw_load_coordinates(inverse, inverses + (uint64_t)t * COORDINATE, 1);
    #pragma unroll 1
    for (uint32_t turns = (pairs - t - 1) / threads + 1; turns; turns--) {
        const uint32_t i = t + (turns - 1) * threads;
        // x1, y1, x2, the slope's numerator and denominator, the inverse, the product before it.
        word in[7 * COORDINATE] = {}, q[AFFINE], out[3 * COORDINATE] = {};
        pw_load_entry(in, level == 0, list, points, first, from + 2 * i, constants.w);
        pw_load_entry(q, level == 0, list, points, first, from + 2 * i + 1, constants.w);
        const uint32_t kind = pw_denominator(in + 4 * COORDINATE, in, q, constants.w);
        if (kind) {
            #pragma unroll
            for (int piece = 0; piece < DEGREE; piece++)
                pw_sub(in + 3 * COORDINATE + piece * WORDS, q + COORDINATE + piece * WORDS, in + COORDINATE + piece * WORDS,
                       constants.w);
            if (kind == 2) pw_tangent_text(in + 3 * COORDINATE, in, constants.w);
            #pragma unroll
            for (int w = 0; w < COORDINATE; w++) {
                in[2 * COORDINATE + w] = q[w];
                in[5 * COORDINATE + w] = inverse[w];
            }
            pw_load_coordinates(in + 6 * COORDINATE, before + (uint64_t)i * COORDINATE, 1);
            pw_sum_of_pair_text(out, in, constants.w);
            #pragma unroll
            for (int w = 0; w < COORDINATE; w++) inverse[w] = out[2 * COORDINATE + w];
        } else {
            // The point that is not infinity, if there is one: opposite points have no sum but infinity.
            const uint32_t is_first = pw_all_zero(q, AFFINE), is_second = pw_all_zero(in, AFFINE);
            #pragma unroll
            for (int w = 0; w < AFFINE; w++) out[w] = is_first ? in[w] : is_second ? q[w] : 0;
        }
        pw_store_coordinates(sums + (uint64_t)(to + i) * AFFINE, out, 2);
    }
}
