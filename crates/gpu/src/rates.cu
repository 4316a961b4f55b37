// Instruction rates of a CUDA device. Every kernel repeats one kind of instruction in a loop, on chains that depend on
// themselves and not on each other, and stamps each warp with the multiprocessor's clock and the time in nanoseconds
// before and after. The host launches one block a multiprocessor, with 1 to 8 warps a scheduler, and divides.
//
// What a text says and what the compiler makes of it are two things: `rates.rs` lists how many instructions of which
// kind each loop has, and a test counts them in the machine code.
//
// Arguments of every kernel but the copy: stamps, four words a warp (clock and time at the start, clock and time at
// the end); sink, a word a thread, which keeps the work from being dropped; a seed; the number of rounds.

// Chains are declared alike for all kernels; not every kernel uses every constant.
#pragma nv_diag_suppress 177, 550

typedef unsigned int u32;
typedef unsigned long long u64;

__device__ __forceinline__ u64 cycles() { u64 x; asm volatile("mov.u64 %0, %%clock64;" : "=l"(x)); return x; }
__device__ __forceinline__ u64 nanoseconds() { u64 x; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(x)); return x; }

// SETUP declares the chains, BODY is one turn over all of them, repeated TURNS times a round, SINK a word of them all.
#define RATE(NAME, TURNS, SETUP, BODY, SINK)                                                              \
    extern "C" __global__ void __launch_bounds__(1024, 1)                                                 \
    NAME(u64 *stamps, u32 *sink, u32 seed, u32 rounds) {                                                  \
        u32 thread = blockIdx.x * blockDim.x + threadIdx.x;                                               \
        u32 a = seed * 2 + 1 + threadIdx.x, b = seed ^ 0x9e3779b9u;                                       \
        SETUP                                                                                             \
        __syncthreads();                                                                                  \
        u64 time_0 = nanoseconds(), clock_0 = cycles();                                                   \
        _Pragma("unroll 1") for (u32 round = 0; round < rounds; round++) {                                \
            _Pragma("unroll") for (int turn = 0; turn < TURNS; turn++) { BODY }                           \
        }                                                                                                 \
        u64 clock_1 = cycles(), time_1 = nanoseconds();                                                   \
        if ((threadIdx.x & 31) == 0) {                                                                    \
            u64 *mine = stamps + 4 * (u64)(thread >> 5);                                                  \
            mine[0] = clock_0; mine[1] = time_0; mine[2] = clock_1; mine[3] = time_1;                     \
        }                                                                                                 \
        sink[thread] = SINK;                                                                              \
    }

#define EACH _Pragma("unroll") for (int i = 0; i < 8; i++)
#define CHAINS_32 u32 x[8]; EACH x[i] = a * (i + 3) + b;
#define CHAINS_64 u64 x[8]; EACH x[i] = ((u64)a << 32 | b) + i;
#define CHAINS_F64 double x[8], c = 1.0 + 1e-9 * a, d = 1e-9 * b; EACH x[i] = 1.0 + 1e-3 * (a + i);
#define SUM_32 x[0] ^ x[1] ^ x[2] ^ x[3] ^ x[4] ^ x[5] ^ x[6] ^ x[7]
#define SUM_64 (u32)(SUM_32) ^ (u32)((SUM_32) >> 32)
#define SUM_F64 (u32)(x[0] + x[1] + x[2] + x[3] + x[4] + x[5] + x[6] + x[7])

#define IMAD(x) asm volatile("mad.lo.u32 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b));
// A wide product added to 64 bits. Written as `mad.wide.u32`, ptxas 13.0 makes a product and two additions of it; of
// the pair of halves with a carry between them it makes the one instruction that is meant.
#define WIDE(x, f)                                                                                        \
    asm volatile("{ .reg .u32 low, high; mov.b64 {low, high}, %0; mad.lo.cc.u32 low, %1, %2, low;"         \
                 " madc.hi.u32 high, %1, %2, high; mov.b64 %0, {low, high}; }" : "+l"(x) : "r"(a), "r"(f));
// The factor is the low half of the neighbour, so that no product is known before the loop.
#define NEXT(n) (u32)x[(i + 1) & (n - 1)]
#define HI(x) asm volatile("mad.hi.u32 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b));
#define ADD3(x, y) asm volatile("{ .reg .u32 t; add.u32 t, %0, %1; add.u32 %0, t, %2; }" : "+r"(x) : "r"(y), "r"(b));
#define XOR3(x, y) asm volatile("lop3.b32 %0, %0, %1, %2, 0x96;" : "+r"(x) : "r"(y), "r"(b));
#define SHIFT(x, y) asm volatile("shf.l.wrap.b32 %0, %0, %1, 7;" : "+r"(x) : "r"(y));
#define DFMA(x) asm volatile("fma.rn.f64 %0, %0, %1, %2;" : "+d"(x) : "d"(c), "d"(d));
#define DADD(x) asm volatile("add.rn.f64 %0, %0, %1;" : "+d"(x) : "d"(d));
#define DMUL(x) asm volatile("mul.rn.f64 %0, %0, %1;" : "+d"(x) : "d"(c));

RATE(rate_imad, 16, CHAINS_32, EACH { IMAD(x[i]) }, SUM_32)
RATE(rate_imad_wide, 32, CHAINS_64, EACH { WIDE(x[i], NEXT(8)) }, SUM_64)
RATE(rate_imad_hi, 16, CHAINS_32, EACH { HI(x[i]) }, SUM_32)
RATE(rate_iadd3, 16, CHAINS_32, EACH { ADD3(x[i], x[(i + 1) & 7]) }, SUM_32)
RATE(rate_lop3, 16, CHAINS_32, EACH { XOR3(x[i], x[(i + 1) & 7]) }, SUM_32)
RATE(rate_shf, 16, CHAINS_32, EACH { SHIFT(x[i], x[(i + 1) & 7]) }, SUM_32)
RATE(rate_dfma, 16, CHAINS_F64, EACH { DFMA(x[i]) }, SUM_F64)
RATE(rate_dadd, 16, CHAINS_F64, EACH { DADD(x[i]) }, SUM_F64)
RATE(rate_dmul, 16, CHAINS_F64, EACH { DMUL(x[i]) }, SUM_F64)

// A row of a long product: eight words of a number times one word, added to nine words, as two chains of wide
// multiply-adds with carry, even and odd columns. This is what a Montgomery multiplication consists of.
struct Row { u32 even[8], odd[8]; };
__device__ __forceinline__ void wide_chain(u32 *r, const u32 *n, u32 f) {
    asm volatile(
        "mad.lo.cc.u32 %0, %8, %12, %0; madc.hi.cc.u32 %1, %8, %12, %1;"
        "madc.lo.cc.u32 %2, %9, %12, %2; madc.hi.cc.u32 %3, %9, %12, %3;"
        "madc.lo.cc.u32 %4, %10, %12, %4; madc.hi.cc.u32 %5, %10, %12, %5;"
        "madc.lo.cc.u32 %6, %11, %12, %6; madc.hi.u32 %7, %11, %12, %7;"
        : "+r"(r[0]), "+r"(r[1]), "+r"(r[2]), "+r"(r[3]), "+r"(r[4]), "+r"(r[5]), "+r"(r[6]), "+r"(r[7])
        : "r"(n[0]), "r"(n[2]), "r"(n[4]), "r"(n[6]), "r"(f));
}
#define ROWS                                                                                              \
    Row r; u32 n[8];                                                                                      \
    EACH { n[i] = a * (2 * i + 3) + b; r.even[i] = b + i; r.odd[i] = a + i; }
#define SUM_ROWS r.even[0] ^ r.even[3] ^ r.even[7] ^ r.odd[0] ^ r.odd[3] ^ r.odd[7]
RATE(rate_imad_wide_x, 16, ROWS, 
     { wide_chain(r.even, n, n[turn & 7]); wide_chain(r.odd, n + 1, n[(turn + 3) & 7]); }, SUM_ROWS)

// Additions with carry, eight words a chain. The last word gives no carry and is moved to the multiplier's pipe.
__device__ __forceinline__ void add_chain(u32 *x, const u32 *y) {
    asm volatile("add.cc.u32 %0, %0, %8; addc.cc.u32 %1, %1, %9; addc.cc.u32 %2, %2, %10; addc.cc.u32 %3, %3, %11;"
                 "addc.cc.u32 %4, %4, %12; addc.cc.u32 %5, %5, %13; addc.cc.u32 %6, %6, %14; addc.u32 %7, %7, %15;"
                 : "+r"(x[0]), "+r"(x[1]), "+r"(x[2]), "+r"(x[3]), "+r"(x[4]), "+r"(x[5]), "+r"(x[6]), "+r"(x[7])
                 : "r"(y[0]), "r"(y[1]), "r"(y[2]), "r"(y[3]), "r"(y[4]), "r"(y[5]), "r"(y[6]), "r"(y[7]));
}
#define TWO_CHAINS u32 x[8], y[8]; EACH { x[i] = a * (i + 3) + b; y[i] = b * (i + 5) + a; }
RATE(rate_iadd3_x, 8, TWO_CHAINS, { add_chain(x, y); add_chain(y, x); }, (SUM_32) ^ y[0] ^ y[3] ^ y[7])

// Two pipes at once: four chains of each kind, one after the other.
#define CHAINS_MIXED CHAINS_64 double y[4], c = 1.0 + 1e-9 * a, d = 1e-9 * b;                             \
    _Pragma("unroll") for (int i = 0; i < 4; i++) y[i] = 1.0 + 1e-3 * (a + i);
#define SUM_MIXED (SUM_64) ^ (u32)(y[0] + y[1] + y[2] + y[3])
RATE(rate_wide_and_dfma, 16, CHAINS_MIXED,
     { _Pragma("unroll") for (int i = 0; i < 4; i++) { WIDE(x[i], NEXT(4)) DFMA(y[i]) } }, SUM_MIXED)
// Twice as many double-precision products as wide ones, their ratio if wide ones run at half rate.
RATE(rate_wide_and_two_dfma, 16, CHAINS_MIXED,
     { _Pragma("unroll") for (int i = 0; i < 4; i++) { WIDE(x[i], NEXT(4)) DFMA(y[i]) DFMA(y[(i + 2) & 3]) } }, SUM_MIXED)
#define CHAINS_ADD CHAINS_64 u32 y[4];                                                                    \
    _Pragma("unroll") for (int i = 0; i < 4; i++) y[i] = a + i;
RATE(rate_wide_and_iadd3, 16, CHAINS_ADD,
     { _Pragma("unroll") for (int i = 0; i < 4; i++) { WIDE(x[i], NEXT(4)) ADD3(y[i], y[(i + 1) & 3]) } },
     (SUM_64) ^ y[0] ^ y[1] ^ y[2] ^ y[3])

#if __CUDA_ARCH__ >= 800
// Tensor cores: an 8x8x4 product in double precision, a 16x8x32 product of bytes.
#define TILES_F64 CHAINS_F64 double z[8]; EACH z[i] = c + i;
#define DMMA(x, y)                                                                                        \
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"         \
                 : "+d"(x), "+d"(y) : "d"(c), "d"(d));
RATE(rate_dmma, 16, TILES_F64, EACH { DMMA(x[i], z[i]) }, SUM_F64 ^ (u32)(z[0] + z[3] + z[5] + z[7]))

#define TILES_U8 u32 t[4][4]; _Pragma("unroll") for (int i = 0; i < 16; i++) t[i >> 2][i & 3] = a + i;
#define IMMA(t)                                                                                           \
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %4, %5}, {%4, %5}, "  \
                 "{%0, %1, %2, %3};" : "+r"((t)[0]), "+r"((t)[1]), "+r"((t)[2]), "+r"((t)[3]) : "r"(a), "r"(b));
RATE(rate_imma, 16, TILES_U8, { _Pragma("unroll") for (int i = 0; i < 4; i++) { IMMA(t[i]) } },
     t[0][0] ^ t[1][1] ^ t[2][2] ^ t[3][3])
#endif

// Latencies: one chain. Of a wide product through its factor and through its addend alone; of the others.
#define ONE(x) _Pragma("unroll") for (int i = 0; i < 4; i++) { x }
RATE(latency_imad, 16, u32 x = a;, ONE(IMAD(x)), x)
RATE(latency_imad_wide_factor, 16, u64 x = (u64)a << 32 | b;, ONE(WIDE(x, (u32)x)), (u32)x ^ (u32)(x >> 32))
RATE(latency_imad_wide_addend, 16, u64 x = (u64)a << 32 | b;, ONE(WIDE(x, b + i)), (u32)x ^ (u32)(x >> 32))
RATE(latency_iadd3, 16, u32 x = a;, ONE(ADD3(x, a)), x)
RATE(latency_dfma, 16, double x = a; double c = 1.0 + 1e-9 * a; double d = 1e-9 * b;, ONE(DFMA(x)), (u32)x)

// Device memory to device memory, sixteen bytes a thread at a time, `count` of them.
extern "C" __global__ void __launch_bounds__(1024) copy(uint4 *to, const uint4 *from, u64 count) {
    u64 step = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) to[i] = from[i];
}
