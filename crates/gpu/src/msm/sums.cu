// Sums of points by bucket, and weighted sums of the buckets. Before this text stand the additions of points, THREADS (of a
// block) and FAN (pieces that `sum_pieces` joins).

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

__device__ __forceinline__ uint32_t pw_begin(const PW_GLOBAL uint32_t *ends, uint32_t key) {
    return key ? ends[key - 1] : 0;
}

// Every thread sums `length` entries of the list. The sum of a bucket that begins among them goes to the bucket; that of
// one that began before goes to `pieces`, and `owners` says which bucket it was.
PW_KERNEL(THREADS) sum_entries(
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
            key = pw_key(ends, key + 1, keys, at);
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

// A level of the weighted sums. A node has the sum R of its buckets and the sum A of their multiples by 0, 1, 2, ... in
// order. From its 2^`fan` children, each of 2^`depth` buckets, it has R = sum R_j and
// A = sum A_j + 2^depth sum j R_j. Children are nodes, or buckets, which have no A.
PW_KERNEL(THREADS) weigh(
    uint32_t nodes, uint32_t fan, uint32_t depth, const PW_GLOBAL word *from, PW_GLOBAL word *to,
    const __grid_constant__ pw_constants constants) {
    const uint32_t i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= nodes) return;
    const uint32_t children = 1u << fan, points = depth ? 2 : 1;
    const uint32_t sums = 2 * children - 1, doublings = sums + depth, all = depth ? doublings + children : sums;
    const PW_GLOBAL word *child = from + ((uint64_t)i << fan) * points * POINT;
    PW_GLOBAL word *r = to + (uint64_t)i * 2 * POINT, *a = r + POINT;
    word infinity[POINT];
    pw_set_infinity(infinity);
    pw_store_point(r, infinity);
    pw_store_point(a, infinity);
    #pragma unroll 1
    for (uint32_t step = 0; step < all; step++) {
        PW_GLOBAL word *sum = a;
        const PW_GLOBAL word *term = a;
        if (step < sums) {
            // R takes a child, from the last on, and A takes R in between.
            const uint32_t j = children - 1 - step / 2;
            sum = step % 2 ? a : r;
            term = step % 2 ? r : child + (uint64_t)j * points * POINT;
        } else if (step >= doublings) {
            term = child + ((uint64_t)(step - doublings) * 2 + 1) * POINT;
        }
        pw_add_at(sum, term, constants.w);
    }
}
