// A level of a Merkle tree: out[i] = SHA3-256 of the 64 bytes of in[2i] and in[2i + 1] (FIPS 202). Digests are four 64-bit
// words, the lowest byte first. 64 bytes are less than the rate of 136, so that one permutation does. Before this text
// stands THREADS (of a block).

enum { LANES = 25 };

__device__ __forceinline__ uint64_t pw_rotate(uint64_t x, int by) { return by ? x << by | x >> (64 - by) : x; }

// Keccak-f[1600]; lane (x, y) is a[x + 5y].
__device__ __forceinline__ void pw_keccak(uint64_t *a) {
    const uint64_t constants[24] = {
        0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b,
        0x0000000080000001, 0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088,
        0x0000000080008009, 0x000000008000000a, 0x000000008000808b, 0x800000000000008b, 0x8000000000008089,
        0x8000000000008003, 0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
        0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008};
    const int offsets[LANES] = {0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14};
    #pragma unroll
    for (int round = 0; round < 24; round++) {
        uint64_t c[5], b[LANES];
        #pragma unroll
        for (int x = 0; x < 5; x++) c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
        #pragma unroll
        for (int x = 0; x < 5; x++) {
            const uint64_t d = c[(x + 4) % 5] ^ pw_rotate(c[(x + 1) % 5], 1);
            #pragma unroll
            for (int y = 0; y < 5; y++)
                b[y + 5 * ((2 * x + 3 * y) % 5)] = pw_rotate(a[x + 5 * y] ^ d, offsets[x + 5 * y]);
        }
        #pragma unroll
        for (int i = 0; i < LANES; i++) a[i] = b[i] ^ (~b[(i + 1) % 5 + i / 5 * 5] & b[(i + 2) % 5 + i / 5 * 5]);
        a[0] ^= constants[round];
    }
}

PW_KERNEL(THREADS) sha3_pairs(
    uint32_t n, PW_GLOBAL uint64_t *__restrict__ out, const PW_GLOBAL uint64_t *__restrict__ in) {
    const uint32_t i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= n) return;
    const PW_GLOBAL uint64_t *from = in + (uint64_t)i * 8;
    PW_GLOBAL uint64_t *to = out + (uint64_t)i * 4;
    uint64_t a[LANES] = {};
    #pragma unroll
    for (int w = 0; w < 8; w++) a[w] = from[w];
    a[8] = 0x06;
    a[16] = 0x8000000000000000;
    pw_keccak(a);
    #pragma unroll
    for (int w = 0; w < 4; w++) to[w] = a[w];
}
