// Digits sorted by bucket: the bucket of digits +-d in window w has the key w 2^(width-1) + d - 1; zeros have no bucket.
// Before this text stand the digits, THREADS (of a block) and ITEMS (numbers of a thread of `scan`).

// How many digits each bucket has: counts[key] += 1 for every digit that is not zero.
PW_KERNEL(THREADS) count_digits(
    uint32_t n, uint32_t words, uint32_t width, uint32_t windows, const PW_GLOBAL uint32_t *__restrict__ scalars,
    PW_GLOBAL uint32_t *__restrict__ counts) {
    const uint32_t i = blockIdx.x * THREADS + threadIdx.x, half = 1u << (width - 1);
    if (i >= n) return;
    uint32_t carry = 0;
    for (uint32_t w = 0; w < windows; w++) {
        const uint32_t magnitude = pw_digit(scalars + (uint64_t)i * words, words, width, w, &carry);
        if (magnitude) atomicAdd(counts + w * half + magnitude - 1, 1u);
    }
}

// Puts every digit into its bucket's part of the list: the scalar's index, and in the highest bit whether the digit is
// negative. `ends` has the bucket's beginning at first and its end at last.
PW_KERNEL(THREADS) place_digits(
    uint32_t n, uint32_t words, uint32_t width, uint32_t windows, const PW_GLOBAL uint32_t *__restrict__ scalars,
    PW_GLOBAL uint32_t *__restrict__ ends, PW_GLOBAL uint32_t *__restrict__ list) {
    const uint32_t i = blockIdx.x * THREADS + threadIdx.x, half = 1u << (width - 1);
    if (i >= n) return;
    uint32_t carry = 0;
    for (uint32_t w = 0; w < windows; w++) {
        const uint32_t magnitude = pw_digit(scalars + (uint64_t)i * words, words, width, w, &carry);
        if (magnitude) list[atomicAdd(ends + w * half + magnitude - 1, 1u)] = i | carry << 31;
    }
}

// Sums of all that stands before, within pieces of THREADS * ITEMS; a piece's own sum goes to `sums`.
// Takes shared memory of 2 THREADS numbers.
PW_KERNEL(THREADS) scan(
    uint32_t n, PW_GLOBAL uint32_t *__restrict__ data, PW_GLOBAL uint32_t *__restrict__ sums) {
    PW_SHARED(uint32_t, 2 * THREADS);
    const uint32_t first = (blockIdx.x * THREADS + threadIdx.x) * ITEMS;
    uint32_t own[ITEMS], sum = 0;
    #pragma unroll
    for (uint32_t j = 0; j < ITEMS; j++) {
        own[j] = sum;
        sum += first + j < n ? data[first + j] : 0;
    }
    uint32_t from = 0;
    shared[threadIdx.x] = sum;
    __syncthreads();
    for (uint32_t step = 1; step < THREADS; step *= 2, from ^= THREADS) {
        const uint32_t before = threadIdx.x < step ? 0 : shared[from + threadIdx.x - step];
        shared[(from ^ THREADS) + threadIdx.x] = shared[from + threadIdx.x] + before;
        __syncthreads();
    }
    const uint32_t before = shared[from + threadIdx.x] - sum;
    #pragma unroll
    for (uint32_t j = 0; j < ITEMS; j++)
        if (first + j < n) data[first + j] = before + own[j];
    if (threadIdx.x == THREADS - 1) sums[blockIdx.x] = before + sum;
}

// Adds to every piece what stands before it.
PW_KERNEL(THREADS) add_before(
    uint32_t n, PW_GLOBAL uint32_t *__restrict__ data, const PW_GLOBAL uint32_t *__restrict__ sums) {
    const uint32_t i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n) data[i] += sums[i / (THREADS * ITEMS)];
}
