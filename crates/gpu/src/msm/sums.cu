// Sums of points by bucket, and weighted sums of the buckets. Before this text stand the additions of points, THREADS (of a
// block), LEVELS (log2 of these) and RESIDENT (blocks of `sum_entries` on a multiprocessor, at least).

#define NO_BUCKET 0xffffffffu

// Where a bucket begins in the list after `halvings` halvings.
__device__ __forceinline__ uint32_t pw_begin(const PW_GLOBAL uint32_t *begins, uint32_t key, uint32_t halvings) {
    return begins[key] >> halvings;
}

// The first key from `from` on whose bucket ends behind place `at` of the list: bucket `key` ends where the next one begins.
__device__ __forceinline__ uint32_t pw_key(
    const PW_GLOBAL uint32_t *begins, uint32_t halvings, uint32_t from, uint32_t keys, uint32_t at) {
    uint32_t to = keys;
    while (from < to) {
        const uint32_t middle = from + (to - from) / 2;
        if (pw_begin(begins, middle + 1, halvings) > at) to = middle;
        else from = middle + 1;
    }
    return from;
}

// The first key behind `key` whose bucket ends behind place `at`. It is near where few buckets are empty, so that near ones
// are looked at first.
__device__ __forceinline__ uint32_t pw_next_key(
    const PW_GLOBAL uint32_t *begins, uint32_t halvings, uint32_t key, uint32_t keys, uint32_t at) {
    uint32_t from = key + 1, step = 1;
    while (from + step < keys && pw_begin(begins, from + step, halvings) <= at) {
        from += step;
        step *= 2;
    }
    return pw_key(begins, halvings, from, from + step < keys ? from + step - 1 : keys - 1, at);
}

// Every thread sums `length` entries of the list; after halvings these are the sums at the places of `points`. The sum of a bucket that begins among them goes to the bucket; that of
// one that began before goes to `pieces`, and `owners` says which bucket it was.
PW_KERNEL_OF(THREADS, RESIDENT) sum_entries(
    uint32_t segments, uint32_t length, uint32_t keys, uint32_t halvings, uint32_t first,
    const PW_GLOBAL uint32_t *__restrict__ begins, const PW_GLOBAL uint32_t *__restrict__ list,
    const PW_GLOBAL word *__restrict__ points, PW_GLOBAL word *__restrict__ buckets, PW_GLOBAL word *__restrict__ pieces,
    PW_GLOBAL uint32_t *__restrict__ owners, const __grid_constant__ pw_constants constants,
    const __grid_constant__ pw_element one) {
    const uint32_t t = blockIdx.x * THREADS + threadIdx.x, total = pw_begin(begins, keys, halvings);
    uint32_t at = t * length;
    if (t >= segments || at >= total) return;
    const uint32_t last = total - at < length ? total : at + length;
    uint32_t key = pw_key(begins, halvings, 0, keys, at), end = pw_begin(begins, key + 1, halvings);
    uint32_t is_new = at == pw_begin(begins, key, halvings);
    owners[t] = is_new ? NO_BUCKET : key;
    word acc[POINT];
    pw_set_infinity(acc);
    #pragma unroll 1
    for (; at < last; at++) {
        if (at == end) {
            pw_store_point(is_new ? buckets + (uint64_t)key * POINT : pieces + (uint64_t)t * POINT, acc);
            pw_set_infinity(acc);
            is_new = true;
            key = pw_next_key(begins, halvings, key, keys, at);
            end = pw_begin(begins, key + 1, halvings);
        }
        word q[AFFINE];
        pw_load_entry(q, halvings == 0, list, points, first, at, constants.w);
        pw_add_mixed(acc, q, constants.w, one.w);
    }
    pw_store_point(is_new ? buckets + (uint64_t)key * POINT : pieces + (uint64_t)t * POINT, acc);
}

// A step of the sums of each bucket's pieces, which belong to consecutive threads of `sum_entries`: a thread a piece, of every
// `stride`-th one. Those of a block add theirs up two and two, so that the first of each bucket has all of them. It adds them to
// the bucket, but for the first piece of a block, with which the next step goes on; the first segment of all is no piece.
PW_KERNEL(THREADS) sum_pieces(
    uint32_t segments, uint32_t length, uint32_t keys, uint32_t halvings, uint32_t stride,
    const PW_GLOBAL uint32_t *__restrict__ begins, const PW_GLOBAL uint32_t *__restrict__ owners,
    PW_GLOBAL word *buckets, PW_GLOBAL word *pieces,
    const __grid_constant__ pw_constants constants) {
    const uint32_t block = blockIdx.x * THREADS, i = block + threadIdx.x, t = i * stride;
    uint32_t key = NO_BUCKET, first = 0, count = 0;
    if (i <= (segments - 1) / stride && t * length < pw_begin(begins, keys, halvings)) key = owners[t];
    if (key != NO_BUCKET) {
        // The bucket begins in a segment of which it is no piece.
        const uint32_t last = (pw_begin(begins, key + 1, halvings) - 1) / length / stride;
        first = pw_begin(begins, key, halvings) / length / stride + 1;
        if (first < block) first = block;
        count = (last < block + THREADS ? last + 1 : block + THREADS) - first;
    }
    const uint32_t place = i - first;
    PW_GLOBAL word *piece = pieces + (uint64_t)t * POINT;
    #pragma unroll 1
    for (uint32_t step = 0; step <= LEVELS; step++) {
        const uint32_t distance = 1u << step, to_bucket = step == LEVELS;
        const uint32_t adds = to_bucket ? place == 0 && threadIdx.x
                                        : place % (2 * distance) == 0 && place + distance < count;
        __syncthreads();
        if (key == NO_BUCKET || !adds) continue;
        const PW_GLOBAL word *other = to_bucket ? piece : piece + (uint64_t)distance * stride * POINT;
        pw_add_at(to_bucket ? buckets + (uint64_t)key * POINT : piece, other, constants.w);
    }
}

// Node i of the weighted sums has 2^`fan` buckets: their sum R, and the sum A of their multiples by 1, 2, 3, ... in order.
// to[i] = R, to[nodes + i] = A.
PW_KERNEL(THREADS) weigh(
    uint32_t nodes, uint32_t fan, const PW_GLOBAL word *from, PW_GLOBAL word *to,
    const __grid_constant__ pw_constants constants) {
    const uint32_t i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= nodes) return;
    const uint32_t children = 1u << fan;
    const PW_GLOBAL word *child = from + ((uint64_t)i << fan) * POINT;
    PW_GLOBAL word *r = to + (uint64_t)i * POINT, *a = to + ((uint64_t)nodes + i) * POINT;
    word infinity[POINT];
    pw_set_infinity(infinity);
    pw_store_point(r, infinity);
    pw_store_point(a, infinity);
    #pragma unroll 1
    for (uint32_t step = 0; step < 2 * children; step++) {
        // R takes a bucket, from the last on, and A takes R.
        const uint32_t j = children - 1 - step / 2;
        pw_add_at(step % 2 ? a : r, step % 2 ? r : child + (uint64_t)j * POINT, constants.w);
    }
}

// A step of the sums of lists: 2^`rest` sums remain of each. A thread adds up 2^`fan` neighbours, then 2^`levels` threads of a
// block add up theirs, two and two. `work` has a place for every thread. In the first step, which knows `bits`, the nodes of a
// set, 2^`bits` of them, make bits + 2 lists: for each bit the Rs of the nodes whose number has it, and the As of the lower and
// of the upper half. Later on `bits` is 0, and lists lie one after the other.
PW_KERNEL(THREADS) sum_lists(
    uint32_t sums, uint32_t rest, uint32_t fan, uint32_t levels, uint32_t bits, uint32_t nodes,
    const PW_GLOBAL word *from, PW_GLOBAL word *work, PW_GLOBAL word *to,
    const __grid_constant__ pw_constants constants) {
    const uint32_t i = blockIdx.x * THREADS + threadIdx.x, inside = i >> levels < sums, alone = 1u << fan;
    const uint32_t list = i >> (rest + levels), set = bits ? list / (bits + 2) : 0, bit = bits ? list % (bits + 2) : 0;
    PW_GLOBAL word *sum = work + (uint64_t)i * POINT;
    word point[POINT];
    pw_set_infinity(point);
    if (inside) pw_store_point(sum, point);
    #pragma unroll 1
    for (uint32_t step = 0; step < alone + levels; step++) {
        const PW_GLOBAL word *other = sum;
        uint32_t adds = inside;
        if (step < alone) {
            uint32_t at = (i << fan) + step;
            if (bits) {
                const uint32_t place = at & ((1u << (bits - 1)) - 1);
                const uint32_t half = (bit - bits) << (bits - 1), low = place & ((1u << bit) - 1);
                at = (set << bits) + (bit < bits ? (place - low) << 1 | 1u << bit | low : nodes + half + place);
            }
            other = from + (uint64_t)at * POINT;
        } else {
            const uint32_t distance = 1u << (step - alone);
            __syncthreads();
            if (i & (2 * distance - 1)) adds = false;
            other = sum + distance * POINT;
        }
        if (adds) pw_add_at(sum, other, constants.w);
    }
    if (inside && !(i & ((1u << levels) - 1))) {
        pw_load_point(point, sum);
        pw_store_point(to + (uint64_t)(i >> levels) * POINT, point);
    }
}
