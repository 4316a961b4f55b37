//! Device kernels in CUDA C and in OpenCL C: phases joined by barriers, elements in registers, accesses of 16 bytes.
//!
//! A kernel is printed once, with CUDA's names. In OpenCL C, macros define these names before it, and pointers have
//! address spaces. The CUDA text includes no header, so that NVRTC can compile it alone; nvcc accepts it as well.

use super::super::formula::{Formula, Value};
use super::super::lang::{ArrayKernel, BufferKind, Element, Node, Role};
use super::c::{Style, heading, nodes, pointers_and_values};
use super::{FieldCode, Text, phases, registers};

/// The language of a device kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// CUDA C, for NVRTC or nvcc.
    Cuda,
    /// OpenCL C 1.2.
    OpenCl,
}

impl Dialect {
    /// The beginning of every text: the types, and in OpenCL C the macros for CUDA's names.
    fn types(self) -> &'static str {
        match self {
            Self::Cuda => CUDA_TYPES,
            Self::OpenCl => OPENCL_WORDS,
        }
    }

    /// The beginning of a text with kernels that are written by hand: the types, and macros for declarations that
    /// differ between the two languages. `PW_GLOBAL` is the address space of device memory, `PW_KERNEL(threads)` begins
    /// a kernel of one-dimensional blocks, and `PW_SHARED(type, length)` declares the array `shared` of a block.
    pub fn words(self) -> String {
        match self {
            Self::Cuda => [CUDA_TYPES, CUDA_DECLARATIONS].concat(),
            Self::OpenCl => OPENCL_WORDS.to_owned(),
        }
    }

    /// The text with the marks `@` and `%` replaced by the address spaces of device memory and of a block's shared
    /// memory.
    fn placed(self, text: &str) -> String {
        let (global, local) = match self {
            Self::Cuda => ("", ""),
            Self::OpenCl => ("__global ", "__local "),
        };
        text.replace('@', global).replace('%', local)
    }
}

/// A kernel in CUDA C: `extern "C" __global__ void NAME(uint32_t scalars..., word *out, const word *inputs...,
/// pw_constants constants)` with dynamic shared memory of [`ArrayKernel::shared_bytes`]. Buffers begin at multiples of
/// 16 bytes.
pub fn cuda(kernel: &ArrayKernel, code: &FieldCode) -> String {
    device(kernel, code, Dialect::Cuda)
}

/// A kernel in OpenCL C, with the parameters of [`cuda`] and the shared memory as an array of its own. Empty for a
/// kernel with clusters of blocks, which OpenCL does not have.
pub fn opencl(kernel: &ArrayKernel, code: &FieldCode) -> String {
    device(kernel, code, Dialect::OpenCl)
}

fn device(kernel: &ArrayKernel, code: &FieldCode, dialect: Dialect) -> String {
    let Some(launch) = &kernel.launch else { return String::new() };
    let clustered = launch.cluster > 1;
    if clustered && dialect == Dialect::OpenCl {
        return String::new();
    }
    let element = kernel.element;
    let mut text = Text::new();
    text.text.push_str(dialect.types());
    let sizes = format!(
        "THREADS = {}, CLUSTER = {}, SLOTS = {}, ",
        launch.threads,
        launch.cluster,
        launch.shared / u64::from(launch.cluster.max(1)),
    );
    let by_value = kernel.buffers.iter().any(|buffer| buffer.kind == BufferKind::Value);
    prelude(&mut text, element, code, dialect, &sizes, by_value);
    if launch.shared > 0 {
        // The text for clusters contains no marks.
        let block = dialect.placed(BLOCK_SHARED);
        text.text.push_str(if clustered { CLUSTER_SHARED } else { &block });
    }

    let mut style = Style::new(
        "uint32_t",
        if clustered { "(pw_rank() * THREADS + threadIdx.x)" } else { "threadIdx.x" },
        if clustered { "(blockIdx.x / CLUSTER)" } else { "blockIdx.x" },
    );
    style.constants = "constants.w";
    (style.read_only, style.rolled, style.by_value) = (true, true, true);
    let mut parameters: Vec<String> = kernel.scalars.iter().map(|s| format!("const uint32_t {s}")).collect();
    parameters.extend(pointers_and_values(kernel, &dialect.placed("@word"), "__restrict__ "));
    parameters.push("const __grid_constant__ pw_constants constants".to_owned());
    let dims = if clustered { "__cluster_dims__(CLUSTER, 1, 1) " } else { "" };
    text.line("");
    text.line(heading(kernel));
    text.line(match dialect {
        Dialect::Cuda => {
            let resident = launch.resident.max(1);
            format!("extern \"C\" __global__ void {dims}__launch_bounds__(THREADS, {resident})")
        }
        Dialect::OpenCl => "PW_KERNEL(THREADS)".to_owned(),
    });
    text.open(format!("{}({}) {{", kernel.name, parameters.join(", ")));
    if launch.shared > 0 {
        text.line(match dialect {
            Dialect::Cuda => "extern __shared__ pw_slice shared[];",
            Dialect::OpenCl => "PW_SHARED(pw_slice, SLOTS * WORDS / SLICE);",
        });
    }
    style.registers(&mut text, &registers(kernel));
    if clustered {
        // Other blocks may access a block's shared memory only once the block runs.
        text.line("pw_cluster_barrier();");
    }
    let barrier = if clustered { "pw_cluster_barrier();" } else { "__syncthreads();" };
    // Every phase ends in a barrier except the very last one; with clusters that one does too, since the shared memory
    // of a block is gone when the block has ended.
    let mut left = 0;
    phases(&kernel.body, &mut |_| left += 1);
    let looped = matches!(kernel.body.last(), Some(Node::Repeat { .. }));
    nodes(&mut text, &style, &kernel.body, &mut |text, body| {
        left -= 1;
        text.open("{");
        style.stmts(text, kernel, body);
        text.close();
        if left > 0 || looped || clustered {
            text.line(barrier);
        }
    });
    text.close();
    text.text
}

/// Prints the types of words, constants and elements passed by value, the sizes, the field functions and the helpers.
fn prelude(
    text: &mut Text,
    element: Element,
    code: &FieldCode,
    dialect: Dialect,
    sizes: &str,
    by_value: bool,
) {
    let Element { word_bits, words } = element;
    let slice = element.slice_words();
    text.line(format!("typedef uint{word_bits}_t word;"));
    text.line(format!("enum {{ WORD_BITS = {word_bits}, WORDS = {words}, {sizes}SLICE = {slice} }};"));
    text.line(format!("typedef struct {{ word w[{}]; }} pw_constants;", code.constants.max(1)));
    if by_value {
        text.line("typedef struct { word w[WORDS]; } pw_value;");
    }
    text.line("");
    text.text.push_str(code.text.trim_end());
    text.line("");
    text.line("");
    helpers(text, word_bits, slice, dialect);
}

/// The text before kernels that are written by hand: the macros of the language, the sizes of an element and of a
/// slice, the structure `pw_constants`, the field functions, and the functions that move elements.
pub fn head(element: Element, code: &FieldCode, dialect: Dialect) -> String {
    let mut text = Text::new();
    text.text.push_str(&dialect.words());
    prelude(&mut text, element, code, dialect, "", false);
    text.text
}

/// A formula as a function `NAME(word *r, const word *a, const word *k)` from its operands, one after the other in `a`,
/// to its results in `r`. Values have `words` words each, and the functions on them have the prefix `prefix` instead of
/// `pw`: a formula over an extension calls the functions of the extension. `r` must not overlap `a`.
pub fn device_formula(formula: &Formula, prefix: &str, words: &str) -> String {
    let mut text = Text::new();
    // A result is written to `r` by the step that computes it.
    let place = |value: Value| match value {
        Value::Zero => "zero".to_owned(),
        Value::Input(at) => format!("a + {at} * {words}"),
        Value::Step(at) => match formula.outputs.iter().position(|output| *output == value) {
            Some(output) => format!("r + {output} * {words}"),
            None => format!("v{at}"),
        },
    };
    text.line("");
    text.open(format!(
        "static __device__ __forceinline__ void {}(word *r, const word *a, const word *k) {{",
        formula.name
    ));
    let read = formula.steps.iter().flat_map(|step| [step.a, step.b]);
    if read.chain(formula.outputs.iter().copied()).any(|value| value == Value::Zero) {
        text.line(format!("const word zero[{words}] = {{}};"));
    }
    for (at, step) in formula.steps.iter().enumerate() {
        let (to, a, b) = (place(Value::Step(at)), place(step.a), place(step.b));
        if to.starts_with('v') {
            text.line(format!("word {to}[{words}];"));
        }
        let second = if step.role == Role::Sqr { String::new() } else { format!("{b}, ") };
        let function = step.role.function().trim_start_matches("pw");
        text.line(format!("{prefix}{function}({to}, {a}, {second}k);"));
    }
    for (at, output) in formula.outputs.iter().enumerate() {
        let (to, from) = (format!("r + {at} * {words}"), place(*output));
        if from != to {
            text.line("#pragma unroll");
            text.line(format!("for (int w = 0; w < {words}; w++) ({to})[w] = ({from})[w];"));
        }
    }
    text.close();
    text.text
}

const CUDA_TYPES: &str = "\
#ifdef __CUDACC_RTC__
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef unsigned long size_t;
#else
#include <stddef.h>
#include <stdint.h>
#endif
";

const CUDA_DECLARATIONS: &str = "\
#define PW_GLOBAL
#define PW_KERNEL(threads) extern \"C\" __global__ void __launch_bounds__(threads)
#define PW_KERNEL_OF(threads, resident) extern \"C\" __global__ void __launch_bounds__(threads, resident)
#define PW_SHARED(type, length) extern __shared__ type shared[]
";

/// A macro that the compiler's options define already is not redefined.
const OPENCL_WORDS: &str = "\
typedef uint uint32_t;
typedef ulong uint64_t;
#define half pw_half  // a type of OpenCL, a name in our texts
#define PW_GLOBAL __global
#define PW_KERNEL(threads) __kernel __attribute__((reqd_work_group_size(threads, 1, 1))) void
#define PW_KERNEL_OF(threads, resident) PW_KERNEL(threads)
#define PW_SHARED(type, length) __local type shared[length]
#define __device__
#ifndef __forceinline__
#define __forceinline__ inline __attribute__((always_inline))
#endif
#define __restrict__ restrict
#define __grid_constant__
#define threadIdx ((uint2)((uint)get_local_id(0), 0))
#define blockIdx ((uint2)((uint)get_group_id(0), 0))
#define __ldg(place) (*(place))
#ifndef __syncthreads
#define __syncthreads() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif
#ifndef atomicAdd
#define atomicAdd(place, value) atomic_add(place, value)
#endif
#ifndef __funnelshift_r
#define __funnelshift_r(low, high, by) ((uint)(upsample(high, low) >> ((by) & 31)))
#endif
#ifndef __brev
#define __brev(x) pw_reversed(x)
#endif
inline __attribute__((always_inline)) uint pw_reversed(uint x) {
    x = x >> 16 | x << 16;
    x = (x & 0xff00ff00u) >> 8 | (x & 0x00ff00ffu) << 8;
    x = (x & 0xf0f0f0f0u) >> 4 | (x & 0x0f0f0f0fu) << 4;
    x = (x & 0xccccccccu) >> 2 | (x & 0x33333333u) << 2;
    return (x & 0xaaaaaaaau) >> 1 | (x & 0x55555555u) << 1;
}
";

/// Functions that move elements by slices, the widest accesses that divide an element.
fn helpers(text: &mut Text, word_bits: u32, slice: usize, dialect: Dialect) {
    let vector = match (word_bits, slice) {
        (32, 4) => "uint4",
        (32, 2) => "uint2",
        (32, _) => "unsigned int",
        (_, 2) => "ulonglong2",
        _ => "unsigned long long",
    };
    let fields: &[&str] = &["x", "y", "z", "w"];
    let (mut unpack, mut pack) = (String::from("r[SLICE * s] = v;"), String::from("v = a[SLICE * s];"));
    if slice > 1 {
        unpack = fields[..slice]
            .iter()
            .enumerate()
            .map(|(w, f)| format!("r[SLICE * s + {w}] = v.{f}; "))
            .collect();
        pack = fields[..slice]
            .iter()
            .enumerate()
            .map(|(w, f)| format!("v.{f} = a[SLICE * s + {w}]; "))
            .collect();
    }
    text.line(format!("typedef {vector} pw_slice;"));
    text.open("__device__ __forceinline__ void pw_unpack(word *r, int s, pw_slice v) {");
    text.line(unpack.trim_end());
    text.close();
    text.open("__device__ __forceinline__ pw_slice pw_pack(const word *a, int s) {");
    text.line(format!("pw_slice v; {} return v;", pack.trim_end()));
    text.close();
    text.text.push_str(&dialect.placed(HELPERS));
}

const HELPERS: &str = "\
__device__ __forceinline__ void pw_copy(word *r, const word *a) {
    #pragma unroll
    for (int w = 0; w < WORDS; w++) r[w] = a[w];
}
__device__ __forceinline__ void pw_load(word *r, const @word *p) {
    #pragma unroll
    for (int s = 0; s < WORDS / SLICE; s++) pw_unpack(r, s, ((const @pw_slice *)p)[s]);
}
__device__ __forceinline__ void pw_load_constant(word *r, const @word *p) {
    #pragma unroll
    for (int s = 0; s < WORDS / SLICE; s++) pw_unpack(r, s, __ldg((const @pw_slice *)p + s));
}
__device__ __forceinline__ void pw_store(@word *p, const word *a) {
    #pragma unroll
    for (int s = 0; s < WORDS / SLICE; s++) ((@pw_slice *)p)[s] = pw_pack(a, s);
}
__device__ __forceinline__ void pw_choose(word *r, const word *test, const word *zero, const word *other) {
    word any = 0;
    #pragma unroll
    for (int w = 0; w < WORDS; w++) any |= test[w];
    #pragma unroll
    for (int w = 0; w < WORDS; w++) r[w] = any ? other[w] : zero[w];
}
__device__ __forceinline__ uint32_t pw_min(uint32_t a, uint32_t b) { return a < b ? a : b; }
__device__ __forceinline__ uint32_t pw_bitrev(uint32_t x, uint32_t bits) { return (__brev(x) >> 1) >> (31 - bits); }
";

const BLOCK_SHARED: &str = "\
__device__ __forceinline__ void pw_shared_load(word *r, const %pw_slice *shared, uint32_t slot) {
    #pragma unroll
    for (int s = 0; s < WORDS / SLICE; s++) pw_unpack(r, s, shared[s * SLOTS + slot]);
}
__device__ __forceinline__ void pw_shared_store(%pw_slice *shared, uint32_t slot, const word *a) {
    #pragma unroll
    for (int s = 0; s < WORDS / SLICE; s++) shared[s * SLOTS + slot] = pw_pack(a, s);
}
";

/// Slots are numbered over the shared memory of all blocks of a cluster.
const CLUSTER_SHARED: &str = "\
__device__ __forceinline__ uint32_t pw_rank() {
    uint32_t rank;
    asm(\"mov.u32 %0, %%cluster_ctarank;\" : \"=r\"(rank));
    return rank;
}
__device__ __forceinline__ pw_slice *pw_remote(pw_slice *shared, uint32_t rank) {
    unsigned long long address;
    asm(\"mapa.u64 %0, %1, %2;\" : \"=l\"(address) : \"l\"(shared), \"r\"(rank));
    return (pw_slice *)address;
}
__device__ __forceinline__ void pw_cluster_barrier() {
    asm volatile(\"barrier.cluster.arrive.release.aligned;\" ::: \"memory\");
    asm volatile(\"barrier.cluster.wait.acquire.aligned;\" ::: \"memory\");
}
__device__ __forceinline__ void pw_shared_load(word *r, pw_slice *shared, uint32_t slot) {
    const pw_slice *from = pw_remote(shared, slot / SLOTS) + slot % SLOTS;
    #pragma unroll
    for (int s = 0; s < WORDS / SLICE; s++) pw_unpack(r, s, from[s * SLOTS]);
}
__device__ __forceinline__ void pw_shared_store(pw_slice *shared, uint32_t slot, const word *a) {
    pw_slice *to = pw_remote(shared, slot / SLOTS) + slot % SLOTS;
    #pragma unroll
    for (int s = 0; s < WORDS / SLICE; s++) to[s * SLOTS] = pw_pack(a, s);
}
";
