// Multiples of one base from a table of its multiples: table[w 2^(width-1) + d - 1] = d 2^(w width) base. Before this text
// stand the digits, the additions of points and THREADS (of a block).

PW_KERNEL(THREADS) multiples(
    uint32_t n, uint32_t words, uint32_t width, uint32_t windows, const PW_GLOBAL uint32_t *__restrict__ scalars,
    const PW_GLOBAL word *__restrict__ table, PW_GLOBAL word *__restrict__ out,
    const __grid_constant__ pw_constants constants,
    const __grid_constant__ pw_element one) {
    const uint32_t i = blockIdx.x * THREADS + threadIdx.x, half = 1u << (width - 1);
    if (i >= n) return;
    uint32_t carry = 0;
    word acc[POINT];
    pw_set_infinity(acc);
    #pragma unroll 1
    for (uint32_t w = 0; w < windows; w++) {
        const uint32_t magnitude = pw_digit(scalars + (uint64_t)i * words, words, width, w, &carry);
        if (magnitude) {
            word q[AFFINE];
            pw_load_base(q, table, (uint64_t)w * half + magnitude - 1, carry, constants.w);
            pw_add_mixed(acc, q, constants.w, one.w);
        }
    }
    pw_store_point(out + (uint64_t)i * POINT, acc);
}
