// Digits sorted by bucket: the bucket of digits +-d in set s has the key s 2^(width-1) + d - 1; zeros have no bucket. Window w
// belongs to set w % sets, and its digits count multiple w / sets of the bases. Before this text stand the digits, THREADS (of
// a block) and ITEMS (numbers of a thread of `scan`).

// How many digits each bucket has: counts[key] += 1 for every digit that is not zero. `ranks` has for each of them how many were
// counted before it, window after window.
PW_KERNEL(THREADS) count_digits(
    uint32_t n, uint32_t words, uint32_t width, uint32_t windows, uint32_t sets,
    const PW_GLOBAL uint32_t *__restrict__ scalars, PW_GLOBAL uint32_t *__restrict__ counts,
    PW_GLOBAL uint32_t *__restrict__ ranks) {
    const uint32_t i = blockIdx.x * THREADS + threadIdx.x, half = 1u << (width - 1);
    if (i >= n) return;
    uint32_t carry = 0, set = 0;
    for (uint32_t w = 0; w < windows; w++) {
        const uint32_t magnitude = pw_digit(scalars + (uint64_t)i * words, words, width, w, &carry);
        if (magnitude) ranks[w * n + i] = atomicAdd(counts + set * half + magnitude - 1, 1u);
        if (++set == sets) set = 0;
    }
}

// Puts every digit into its bucket's part of the list, which begins at begins[key]: the place of the base's multiple, of which
// each base has `copies`, plus one, and in the highest bit whether the digit is negative. Zeros fill the parts.
PW_KERNEL(THREADS) place_digits(
    uint32_t n, uint32_t words, uint32_t width, uint32_t windows, uint32_t sets, uint32_t copies,
    const PW_GLOBAL uint32_t *__restrict__ scalars, const PW_GLOBAL uint32_t *__restrict__ begins,
    const PW_GLOBAL uint32_t *__restrict__ ranks, PW_GLOBAL uint32_t *__restrict__ list) {
    const uint32_t i = blockIdx.x * THREADS + threadIdx.x, half = 1u << (width - 1);
    if (i >= n) return;
    uint32_t carry = 0, set = 0, place = i * copies + 1;
    for (uint32_t w = 0; w < windows; w++) {
        const uint32_t magnitude = pw_digit(scalars + (uint64_t)i * words, words, width, w, &carry);
        if (magnitude) list[begins[set * half + magnitude - 1] + ranks[w * n + i]] = place | carry << 31;
        if (++set == sets) {
            set = 0;
            place++;
        }
    }
}

// Sums of all that stands before, within pieces of THREADS * ITEMS; a piece's own sum goes to `sums`. Every number is rounded
// up to a multiple of `unit`, a power of two. Takes shared memory of 2 THREADS numbers.
PW_KERNEL(THREADS) scan(
    uint32_t n, uint32_t unit, PW_GLOBAL uint32_t *__restrict__ data, PW_GLOBAL uint32_t *__restrict__ sums) {
    PW_SHARED(uint32_t, 2 * THREADS);
    const uint32_t first = (blockIdx.x * THREADS + threadIdx.x) * ITEMS;
    uint32_t own[ITEMS], sum = 0;
    #pragma unroll
    for (uint32_t j = 0; j < ITEMS; j++) {
        own[j] = sum;
        sum += first + j < n ? (data[first + j] + unit - 1) & ~(unit - 1) : 0;
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
