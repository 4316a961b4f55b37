//! Products on both pipes at a time: in one kernel, some blocks multiply in 32-bit words on the integer multiplier and
//! the others in 52-bit digits on the FP64 pipe, so that a multiprocessor with blocks of both kinds uses both pipes. By
//! the instructions that it can issue, this could be up to 1.95 times as fast at 256 bits as the integer pipe alone.
//!
//! Measurements on an H200 (`bench/results/2026-11-26-gpu-h200.md`) with half of the blocks on each pipe do not confirm
//! this. At 255 bits it takes 7 % less time than with all blocks on the integer pipe, but 2 % more than the plain
//! kernel of products. At 381 bits it takes 12 % more time than with all blocks on the integer pipe. The cause has not
//! been investigated.

use crate::bench::{Measured, REPEAT, Subject, TRIAL_ROUNDS, products};
use crate::error::GpuError;
use crate::family::{Family, FieldTuning, KernelTarget};
use crate::launch::{Arg, Kernel, Shape};
use crate::memory::Need;
use crate::workshop::Setup;
use num_bigint::BigUint;
use pairwright_moma::ir::Reduction;
use pairwright_moma::program::{ArrayKernel, Role};

/// The kernel's name.
pub const NAME: &str = "mixed";

/// Number of consecutive blocks of which `share` run on the FP64 pipe.
pub const BLOCKS_OF: u32 = 8;

/// The loops of [`products`] with one chain, under different names: on words and on digits.
fn programs(words: &Family, digits: &Family) -> [ArrayKernel; 2] {
    let named =
        |family: &Family, name: &str| ArrayKernel { name: name.to_owned(), ..products(family.element(), 1) };
    [named(words, "products_words"), named(digits, "products_digits")]
}

/// The text of the kernel `mixed(blocks, rounds, share, out_w, a_w, out_d, a_d, constants_w, constants_d)`: block `b`
/// runs on the FP64 pipe if `b mod 8 < share`. Every thread works on its own element of the operands for its block's
/// pipe.
pub fn text(words: &Family, digits: &Family) -> String {
    let [on_words, on_digits] = programs(words, digits);
    let body = |family: &Family, program| family.text(program);
    // The two kernels become functions of a third one: macros remove the keywords that would make them kernels.
    format!(
        "#define __global__ __device__ __forceinline__\n\
         #define __launch_bounds__(...)\n\
         #define __grid_constant__\n\
         namespace words {{\n{}}}\n\
         namespace digits {{\n{}}}\n\
         #undef __global__\n\
         #undef __launch_bounds__\n\
         #undef __grid_constant__\n\
         extern \"C\" __attribute__((global)) void {NAME}(unsigned int blocks, unsigned int rounds, \
         unsigned int share,\n    words::word *out_w, const words::word *a_w, digits::word *out_d, \
         const digits::word *a_d,\n    const words::pw_constants constants_w, \
         const digits::pw_constants constants_d) {{\n    \
         if (blockIdx.x % {BLOCKS_OF} < share) digits::products_digits(blocks, rounds, out_d, a_d, constants_d);\n    \
         else words::products_words(blocks, rounds, out_w, a_w, constants_w);\n}}\n",
        body(words, &on_words),
        body(digits, &on_digits)
    )
}

/// Measures products modulo `modulus` for every share from none to all blocks.
///
/// # Errors
/// Those of the compiler and the driver; [`GpuError::Wrong`] if a sampled product is another number.
pub fn measure(setup: &Setup, modulus: &BigUint, rounds: u32) -> Result<Vec<Measured>, GpuError> {
    let subject = |target| {
        let tuning = FieldTuning { target, karatsuba: 0 };
        Subject::new(setup.clone(), modulus, Reduction::Montgomery, tuning)
    };
    let (words, digits) = (subject(KernelTarget::Cuda32)?, subject(KernelTarget::CudaF64)?);
    let kernel = setup.kernel(NAME, &text(words.family(), digits.family()))?;
    (0..=BLOCKS_OF).map(|share| one(setup, &kernel, &words, &digits, share, rounds)).collect()
}

fn one(
    setup: &Setup,
    kernel: &Kernel,
    words: &Subject,
    digits: &Subject,
    share: u32,
    rounds: u32,
) -> Result<Measured, GpuError> {
    const THREADS: u32 = 128;
    let resident = kernel.blocks_per_multiprocessor(&Shape::flat(1, THREADS))?.max(1);
    // Several waves of blocks, and whole groups of [`BLOCKS_OF`].
    let all = setup.gpu.facts().multiprocessors * resident;
    let blocks = if rounds < TRIAL_ROUNDS { 1 } else { all } * BLOCKS_OF;
    let n = u64::from(blocks) * u64::from(THREADS);
    let bytes = |subject: &Subject| 2 * n * subject.element().bytes() as u64;
    setup
        .gpu
        .check_memory(&Need::new().with_part("words", bytes(words)).with_part("digits", bytes(digits)))?;
    let values = [words, digits].map(|subject| subject.random(n, 1));
    let (a_w, a_d) = (words.upload(&values[0])?, digits.upload(&values[1])?);
    // Each block writes to one of the two outputs.
    let (mut out_w, mut out_d) = (words.zeros(n)?, digits.zeros(n)?);
    let time = words.median(|| {
        let arguments = &mut [
            Arg::U32(blocks),
            Arg::U32(rounds),
            Arg::U32(share),
            Arg::Write(&mut out_w),
            Arg::Read(&a_w),
            Arg::Write(&mut out_d),
            Arg::Read(&a_d),
            Arg::Bytes(words.constants()),
            Arg::Bytes(digits.constants()),
        ];
        // SAFETY: both programs read and write one element a thread, and all buffers hold as many.
        unsafe { kernel.launch(&Shape::flat(blocks, THREADS), arguments) }
    })?;
    for (subject, values, out, on_digits) in
        [(words, &values[0], &out_w, false), (digits, &values[1], &out_d, true)]
    {
        let found = subject.download(out)?;
        let factor = subject.number(values, 0);
        for index in crate::bench::sample(n, 48) {
            let block = (index / u64::from(THREADS)) as u32;
            if (block % BLOCKS_OF < share) != on_digits {
                continue;
            }
            let turns = 0..u64::from(rounds) * REPEAT;
            let expected =
                turns.fold(subject.number(values, index), |x, _| subject.rule().call(Role::Mul, &x, &factor));
            if subject.number(&found, index) != expected {
                return Err(GpuError::Wrong { what: NAME, index });
            }
        }
    }
    let units = n * u64::from(rounds) * REPEAT;
    Ok(Measured {
        kernel: format!("products, {share} of {BLOCKS_OF} blocks on the FP64 pipe"),
        bits: words.bits(),
        units,
        nanoseconds: time.as_secs_f64() * 1e9 / units as f64,
        gigabytes_per_second: 0.0,
        registers: kernel.resources().map(|resources| resources.registers),
    })
}
