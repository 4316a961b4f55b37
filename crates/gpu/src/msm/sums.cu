// Sums of points by bucket, and weighted sums of the buckets. Before this text stand the additions of points, THREADS (of a
// block), RESIDENT (blocks of `sum_entries` on a multiprocessor, at least) and FAN (pieces that `sum_pieces` joins).

#define NO_BUCKET 0xffffffffu
#define NEGATIVE 0x80000000u

// The first key from `from` on whose bucket ends behind place `at` of the list.
__device__ __forceinline__ uint32_t pw_key(
    const PW_GLOBAL uint32_t *ends, uint32_t from, uint32_t keys, uint32_t at) {
    uint32_t to = keys;
    while (from < to) {
        const uint32_t middle = from + (to - from) / 2;
        if (ends[middle] > at) to = middle;
        else from = middle + 1;
    }
    return from;
}

// The first key behind `key` whose bucket ends behind place `at`. It is near where few buckets are empty, so that near ones
// are looked at first.
__device__ __forceinline__ uint32_t pw_next_key(
    const PW_GLOBAL uint32_t *ends, uint32_t key, uint32_t keys, uint32_t at) {
    uint32_t from = key + 1, step = 1;
    while (from + step < keys && ends[from + step - 1] <= at) {
        from += step;
        step *= 2;
    }
    return pw_key(ends, from, from + step < keys ? from + step - 1 : keys - 1, at);
}

__device__ __forceinline__ uint32_t pw_begin(const PW_GLOBAL uint32_t *ends, uint32_t key) {
    return key ? ends[key - 1] : 0;
}

// Every thread sums `length` entries of the list. The sum of a bucket that begins among them goes to the bucket; that of
// one that began before goes to `pieces`, and `owners` says which bucket it was.
PW_KERNEL_OF(THREADS, RESIDENT) sum_entries(
    uint32_t segments, uint32_t length, uint32_t keys, uint32_t first, const PW_GLOBAL uint32_t *__restrict__ ends,
    const PW_GLOBAL uint32_t *__restrict__ list, const PW_GLOBAL word *__restrict__ bases,
    PW_GLOBAL word *__restrict__ buckets, PW_GLOBAL word *__restrict__ pieces,
    PW_GLOBAL uint32_t *__restrict__ owners, const __grid_constant__ pw_constants constants,
    const __grid_constant__ pw_element one) {
    const uint32_t t = blockIdx.x * THREADS + threadIdx.x, total = ends[keys - 1];
    uint32_t at = t * length;
    if (t >= segments || at >= total) return;
    const uint32_t last = total - at < length ? total : at + length;
    uint32_t key = pw_key(ends, 0, keys, at), end = ends[key];
    uint32_t begins = at == pw_begin(ends, key);
    owners[t] = begins ? NO_BUCKET : key;
    word acc[POINT];
    pw_set_infinity(acc);
    #pragma unroll 1
    for (; at < last; at++) {
        if (at == end) {
            pw_store_point(begins ? buckets + (uint64_t)key * POINT : pieces + (uint64_t)t * POINT, acc);
            pw_set_infinity(acc);
            begins = true;
            key = pw_next_key(ends, key, keys, at);
            end = ends[key];
        }
        const uint32_t entry = list[at];
        word q[AFFINE];
        pw_load_base(q, bases, (uint64_t)first + (entry & ~NEGATIVE), entry & NEGATIVE, constants.w);
        pw_add_mixed(acc, q, constants.w, one.w);
    }
    pw_store_point(begins ? buckets + (uint64_t)key * POINT : pieces + (uint64_t)t * POINT, acc);
}

// A step of the sums of each bucket's pieces, which belong to consecutive threads of `sum_entries`: every `stride * FAN`-th
// piece of a bucket takes those at a distance of 1, 2, ... strides. The last step adds the first piece to the bucket.
PW_KERNEL(THREADS) sum_pieces(
    uint32_t segments, uint32_t length, uint32_t keys, uint32_t stride, uint32_t is_last,
    const PW_GLOBAL uint32_t *__restrict__ ends, const PW_GLOBAL uint32_t *__restrict__ owners,
    PW_GLOBAL word *buckets, PW_GLOBAL word *pieces,
    const __grid_constant__ pw_constants constants) {
    const uint32_t t = blockIdx.x * THREADS + threadIdx.x;
    if (t >= segments || t * length >= ends[keys - 1]) return;
    const uint32_t key = owners[t];
    if (key == NO_BUCKET) return;
    const uint32_t before = pw_begin(ends, key) / length, end = (ends[key] - 1) / length, place = t - before - 1;
    if (place % (stride * FAN)) return;
    const uint32_t to_bucket = is_last && place == 0;
    PW_GLOBAL word *piece = pieces + (uint64_t)t * POINT;
    #pragma unroll 1
    for (uint32_t j = 1; j < FAN + to_bucket; j++) {
        const bool last = j == FAN;
        if (!last && end - t < j * stride) continue;
        PW_GLOBAL word *sum = last ? buckets + (uint64_t)key * POINT : piece;
        pw_add_at(sum, last ? piece : piece + (uint64_t)j * stride * POINT, constants.w);
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

// A step of the sums of lists: 2^`rest` sums remain of each, and each takes 2^`fan` neighbours. In the first step, which
// knows `bits`, the nodes of a window, 2^`bits` of them, make bits + 2 lists: for each bit the Rs of the nodes whose number
// has it, and the As of the lower and of the upper half. Later on `bits` is 0, and lists lie one after the other.
PW_KERNEL(THREADS) sum_lists(
    uint32_t sums, uint32_t rest, uint32_t fan, uint32_t bits, uint32_t nodes, const PW_GLOBAL word *from,
    PW_GLOBAL word *to, const __grid_constant__ pw_constants constants) {
    const uint32_t i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= sums) return;
    const uint32_t list = i >> rest, window = bits ? list / (bits + 2) : 0, bit = bits ? list % (bits + 2) : 0;
    PW_GLOBAL word *sum = to + (uint64_t)i * POINT;
    word infinity[POINT];
    pw_set_infinity(infinity);
    pw_store_point(sum, infinity);
    #pragma unroll 1
    for (uint32_t j = 0; j < 1u << fan; j++) {
        uint32_t at = (i << fan) + j;
        if (bits) {
            const uint32_t place = at & ((1u << (bits - 1)) - 1);
            const uint32_t half = (bit - bits) << (bits - 1), low = place & ((1u << bit) - 1);
            at = (window << bits) + (bit < bits ? (place - low) << 1 | 1u << bit | low : nodes + half + place);
        }
        pw_add_at(sum, from + (uint64_t)at * POINT, constants.w);
    }
}
