// Multiples of bases by powers of 2^shift, made affine. Before this text stand the additions of points, inverses, the formulas of
// doublings and inversions, and THREADS (of a block).

// to[(first + i) copies + j] = 2^(j shift) bases[first + i] for j below `copies` and i below n. A thread doubles one base on and
// on, in Jacobian coordinates, and inverts all denominators at once: `work` has for each multiple but the first its
// denominator and the product of those before, two coordinates.
PW_KERNEL(THREADS) precompute(
    uint32_t n, uint32_t first, uint32_t copies, uint32_t shift, const PW_GLOBAL word *__restrict__ bases,
    PW_GLOBAL word *to, PW_GLOBAL word *work, const __grid_constant__ pw_constants constants,
    const __grid_constant__ pw_element one, const __grid_constant__ pw_element modulus,
    const __grid_constant__ pw_element square) {
    const uint32_t i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= n) return;
    PW_GLOBAL word *table = to + ((uint64_t)first + i) * copies * AFFINE;
    PW_GLOBAL word *mine = work + (uint64_t)i * (copies - 1) * 2 * COORDINATE;
    // A base in Jacobian coordinates. Infinity, (0, 0), has the denominator 0 when it has been doubled.
    word point[3 * COORDINATE], product[COORDINATE] = {};
    pw_load_coordinates(point, bases + ((uint64_t)first + i) * AFFINE, 2);
    pw_store_coordinates(table, point, 2);
    pw_copy(product, one.w);
    #pragma unroll
    for (int w = 0; w < COORDINATE; w++) point[2 * COORDINATE + w] = product[w];
    #pragma unroll 1
    for (uint32_t j = 1; j < copies; j++) {
        #pragma unroll 1
        for (uint32_t bit = 0; bit < shift; bit++) {
            word twice[3 * COORDINATE];
            pw_double_jacobian_text(twice, point, constants.w);
            #pragma unroll
            for (int w = 0; w < 3 * COORDINATE; w++) point[w] = twice[w];
        }
        pw_store_coordinates(table + j * AFFINE, point, 2);
        PW_GLOBAL word *denominator = mine + (j - 1) * 2 * COORDINATE;
        pw_store_coordinates(denominator, point + 2 * COORDINATE, 1);
        pw_store_coordinates(denominator + COORDINATE, product, 1);
        if (!pw_all_zero(point + 2 * COORDINATE, COORDINATE)) {
            word in[2 * COORDINATE];
            #pragma unroll
            for (int w = 0; w < COORDINATE; w++) {
                in[w] = product[w];
                in[COORDINATE + w] = point[2 * COORDINATE + w];
            }
            pw_product_text(product, in, constants.w);
        }
    }
    word inverse[COORDINATE];
    pw_coordinate_inverse(inverse, product, modulus.w, square.w, constants.w);
    #pragma unroll 1
    for (uint32_t j = copies - 1; j > 0; j--) {
        // x, y, z, the inverse of the product up to z, and the product before z.
        word in[5 * COORDINATE], out[3 * COORDINATE] = {};
        pw_load_coordinates(in, table + j * AFFINE, 2);
        pw_load_coordinates(in + 2 * COORDINATE, mine + (j - 1) * 2 * COORDINATE, 1);
        pw_load_coordinates(in + 4 * COORDINATE, mine + (j - 1) * 2 * COORDINATE + COORDINATE, 1);
        const uint32_t is_point = !pw_all_zero(in + 2 * COORDINATE, COORDINATE);
        #pragma unroll
        for (int w = 0; w < COORDINATE; w++) in[3 * COORDINATE + w] = inverse[w];
        if (is_point) {
            pw_affine_text(out, in, constants.w);
            #pragma unroll
            for (int w = 0; w < COORDINATE; w++) inverse[w] = out[2 * COORDINATE + w];
        }
        pw_store_coordinates(table + j * AFFINE, out, 2);
    }
}
