//! Measured instruction rates of the device at hand, and its copy bandwidth: the basis of the arithmetic lower bounds.
//!
//! The kernels are hand-written ([`SOURCE`]); [`RATES`] lists the instructions of each loop, which a test compares with
//! the machine code. Rates are relative to the multiprocessor's own clock, read in the kernel, so they do not depend on
//! the frequency that the device chose; that frequency is reported with them.

use crate::device::Gpu;
use crate::error::GpuError;
use crate::facts::Facts;
use crate::launch::{Arg, Kernel, Module, Shape};
use crate::memory::{Need, Words};
use crate::nvrtc::Options;
use crate::workshop::Setup;
use pairwright_device::Transfer;
use serde::Serialize;
use std::time::Duration;

/// The source text of the kernels.
pub const SOURCE: &str = include_str!("rates.cu");

/// Number of warp schedulers of a multiprocessor.
const SCHEDULERS: u32 = 4;
/// Number of threads per warp.
const WARP: u32 = 32;
/// Number of rounds of the loop in a measured run.
pub const ROUNDS: u32 = 400;
/// Number of runs, of which the median is taken.
const RUNS: usize = 5;
/// The compute capability from which on tensor cores support the products of `rates.cu`.
const TENSOR_CORES: u32 = 80;
/// Lengths of the measured copies in bytes: within the second-level cache, and beyond it.
const COPIES: [u64; 4] = [16 << 20, 256 << 20, 1 << 30, 4 << 30];
/// Number of words that a warp records: clock and time at its start, and the same at its end.
const STAMPS: usize = 4;

/// A kernel and the instructions of one round of its loop.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Description of what is measured.
    pub what: &'static str,
    /// The instructions of a round: the beginning of the mnemonic, and their number.
    pub round: &'static [(&'static str, u32)],
    /// Number of operations of one instruction of a warp: 32, one per thread, except on tensor cores, where it is the
    /// number of multiply-adds.
    pub operations: u32,
    /// The compute capability from which on the instruction exists; the text has no kernel for older devices.
    pub capability: u32,
}

const fn plain(kernel: &'static str, what: &'static str, round: &'static [(&'static str, u32)]) -> Rate {
    Rate { kernel, what, round, operations: WARP, capability: 0 }
}

/// Kernels that are run with 1 to 8 warps per scheduler.
pub const RATES: &[Rate] = &[
    plain("rate_imad", "32-bit product, low half, plus 32 bits", &[("IMAD", 128)]),
    plain("rate_imad_wide", "32x32-bit product plus 64 bits", &[("IMAD.WIDE", 256)]),
    plain("rate_imad_wide_x", "the same in chains with carry, even and odd columns", &[("IMAD.WIDE", 128)]),
    plain("rate_imad_hi", "32-bit product, high half, plus 32 bits", &[("IMAD.HI", 128)]),
    plain("rate_iadd3", "sum of three 32-bit numbers", &[("IADD3", 128)]),
    plain("rate_iadd3_x", "sums with carry in and out", &[("IADD3", 112), ("IMAD.X", 16)]),
    plain("rate_lop3", "logic of three 32-bit numbers", &[("LOP3", 128)]),
    plain("rate_shf", "funnel shift", &[("SHF", 128)]),
    plain("rate_dfma", "double-precision multiply-add", &[("DFMA", 128)]),
    plain("rate_dadd", "double-precision sum", &[("DADD", 128)]),
    plain("rate_dmul", "double-precision product", &[("DMUL", 128)]),
    plain(
        "rate_wide_and_dfma",
        "wide and double-precision products, 1:1",
        &[("IMAD.WIDE", 64), ("DFMA", 64)],
    ),
    plain(
        "rate_wide_and_two_dfma",
        "wide and double-precision products, 1:2",
        &[("IMAD.WIDE", 64), ("DFMA", 128)],
    ),
    plain("rate_wide_and_iadd3", "wide products and sums, 1:1", &[("IMAD.WIDE", 64), ("IADD3", 64)]),
    Rate {
        kernel: "rate_dmma",
        what: "8x8x4 product of double precision on tensor cores",
        round: &[("DMMA", 128)],
        operations: 8 * 8 * 4,
        capability: TENSOR_CORES,
    },
    Rate {
        kernel: "rate_imma",
        what: "16x8x32 product of bytes on tensor cores",
        round: &[("IMMA", 64)],
        operations: 16 * 8 * 32,
        capability: TENSOR_CORES,
    },
];

/// Kernels with a single dependency chain, run with one warp: they measure the cycles from an instruction to the next
/// one that needs its result.
pub const LATENCIES: &[Rate] = &[
    plain("latency_imad", "32-bit product, through a factor", &[("IMAD", 64)]),
    plain("latency_imad_wide_factor", "wide product, through a factor", &[("IMAD.WIDE", 64)]),
    plain("latency_imad_wide_addend", "wide product, through the addend", &[("IMAD.WIDE", 64)]),
    plain("latency_iadd3", "sum of three", &[("IADD3", 64)]),
    plain("latency_dfma", "double-precision multiply-add", &[("DFMA", 64)]),
];

impl Rate {
    fn instructions(&self) -> u32 {
        self.round.iter().map(|(_, n)| n).sum()
    }
}

/// A measured rate.
#[derive(Clone, Debug, Serialize)]
pub struct RateRow {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Description of what is measured.
    pub what: &'static str,
    /// Number of warps per scheduler.
    pub warps_per_scheduler: u32,
    /// Operations per clock of a multiprocessor: threads, or multiply-adds on tensor cores.
    pub operations_per_clock: f64,
    /// Clocks between two instructions of the loop on a scheduler.
    pub clocks_per_instruction: f64,
    /// The clock of the multiprocessors during the run in MHz.
    pub clock_mhz: f64,
}

/// A measured latency.
#[derive(Clone, Debug, Serialize)]
pub struct LatencyRow {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Description of what is measured.
    pub what: &'static str,
    /// Clocks from an instruction to the next one that needs its result.
    pub clocks: f64,
}

/// The measured bandwidth of a copy within device memory.
#[derive(Clone, Debug, Serialize)]
pub struct CopyRow {
    /// Length of the source in bytes.
    pub bytes: u64,
    /// Bytes read and written, in units of 10^9 per second.
    pub gigabytes_per_second: f64,
}

/// All measurements of a device.
#[derive(Clone, Debug, Serialize)]
pub struct Rates {
    /// The facts about the device.
    pub device: Facts,
    /// Version of the compiler, major and minor.
    pub compiler: (u32, u32),
    /// Rates, by kernel and number of warps.
    pub rates: Vec<RateRow>,
    /// Latency of each instruction that was measured.
    pub latencies: Vec<LatencyRow>,
    /// Copy bandwidth at several sizes: within the second-level cache, and beyond.
    pub copies: Vec<CopyRow>,
}

/// Measures all instructions that the device has, which takes a few seconds. Copies that do not fit in its memory are
/// left out.
///
/// # Errors
/// Those of the compiler and the driver.
pub fn measure(setup: &Setup) -> Result<Rates, GpuError> {
    measure_rounds(setup, ROUNDS)
}

/// The same with loops of another length; with few rounds it is short, and start-up distorts the rates.
///
/// # Errors
/// As [`measure`].
pub fn measure_rounds(setup: &Setup, rounds: u32) -> Result<Rates, GpuError> {
    let (gpu, (nvrtc, cache)) = (&setup.gpu, setup.nvrtc()?);
    let options = Options::new(nvrtc.target_for(gpu.facts().arch())?);
    let (compiled, _) = cache.get(nvrtc, "rates.cu", SOURCE, &options)?;
    let module = Module::load(gpu, &compiled.image)?;
    let bench = Bench::new(gpu, rounds);
    let mut rates = Vec::new();
    for rate in RATES.iter().filter(|rate| gpu.facts().capability >= rate.capability) {
        let kernel = module.kernel(rate.kernel)?;
        for warps in 1..=8 {
            rates.push(bench.rate(rate, &kernel, warps)?);
        }
    }
    let mut latencies = Vec::new();
    for rate in LATENCIES {
        latencies.push(bench.latency(rate, &module.kernel(rate.kernel)?)?);
    }
    let copy = module.kernel("copy")?;
    let mut copies = Vec::new();
    for bytes in COPIES {
        match copy_rate(setup, &copy, bytes) {
            Ok(row) => copies.push(row),
            Err(GpuError::TooLittleMemory { .. }) => {}
            Err(other) => return Err(other),
        }
    }
    Ok(Rates { device: gpu.facts().clone(), compiler: nvrtc.version()?, rates, latencies, copies })
}

/// The result of one run: clocks of a multiprocessor, and its frequency.
struct Span {
    clocks: f64,
    clock_mhz: f64,
}

struct Bench<'a> {
    gpu: &'a Gpu,
    rounds: u32,
    blocks: u32,
    /// More than half of a multiprocessor's shared memory, so that it runs one block at a time.
    shared: u32,
}

impl<'a> Bench<'a> {
    fn new(gpu: &'a Gpu, rounds: u32) -> Self {
        let facts = gpu.facts();
        let shared = (facts.shared_per_multiprocessor / 2 + 1024).min(facts.shared_per_block);
        Self { gpu, rounds, blocks: facts.multiprocessors, shared }
    }

    fn rate(&self, rate: &Rate, kernel: &Kernel, warps_per_scheduler: u32) -> Result<RateRow, GpuError> {
        let warps = SCHEDULERS * warps_per_scheduler;
        let span = self.run(kernel, warps)?;
        let instructions = f64::from(self.rounds) * f64::from(rate.instructions());
        Ok(RateRow {
            kernel: rate.kernel,
            what: rate.what,
            warps_per_scheduler,
            operations_per_clock: instructions * f64::from(warps * rate.operations) / span.clocks,
            clocks_per_instruction: span.clocks / (instructions * f64::from(warps_per_scheduler)),
            clock_mhz: span.clock_mhz,
        })
    }

    fn latency(&self, rate: &Rate, kernel: &Kernel) -> Result<LatencyRow, GpuError> {
        let span = self.run(kernel, 1)?;
        let clocks = span.clocks / (f64::from(self.rounds) * f64::from(rate.instructions()));
        Ok(LatencyRow { kernel: rate.kernel, what: rate.what, clocks })
    }

    /// The median of some runs, after a warm-up run.
    fn run(&self, kernel: &Kernel, warps: u32) -> Result<Span, GpuError> {
        let all_warps = (self.blocks * warps) as usize;
        let mut stamps = Words::uninitialised(self.gpu, STAMPS * all_warps)?;
        // Half a word per thread.
        let mut sink = Words::uninitialised(self.gpu, all_warps * WARP as usize / 2)?;
        let shape = Shape { shared: self.shared, ..Shape::flat(self.blocks, WARP * warps) };
        let mut spans = Vec::new();
        for run in 0..=RUNS {
            let arguments =
                &mut [Arg::Write(&mut stamps), Arg::Write(&mut sink), Arg::U32(7), Arg::U32(self.rounds)];
            // SAFETY: the kernels of rates.cu write four words of `stamps` a warp and half a word of `sink` a thread,
            // and there are as many.
            unsafe { kernel.launch(&shape, arguments)? };
            let mut read = vec![0; stamps.len()];
            stamps.read(&mut read, &mut Transfer::default())?;
            if run > 0 {
                spans.push(span(&read, warps as usize));
            }
        }
        spans.sort_by(|a, b| a.clocks.total_cmp(&b.clocks));
        Ok(spans.swap_remove(RUNS / 2))
    }
}

/// The time from the first start to the last end of a block's warps: the median of all blocks.
fn span(stamps: &[u64], warps: usize) -> Span {
    let mut blocks: Vec<Span> = stamps
        .chunks_exact(STAMPS * warps)
        .map(|block| {
            let column = |at: usize| block.iter().skip(at).step_by(STAMPS).copied();
            let length = |start: usize| {
                let first = column(start).min().unwrap_or(0);
                column(start + 2).max().unwrap_or(0).saturating_sub(first)
            };
            let (clocks, nanoseconds) = (length(0) as f64, length(1) as f64);
            Span { clocks, clock_mhz: 1e3 * clocks / nanoseconds.max(1.0) }
        })
        .collect();
    blocks.sort_by(|a, b| a.clocks.total_cmp(&b.clocks));
    let middle = blocks.len() / 2;
    if blocks.is_empty() { Span { clocks: 0.0, clock_mhz: 0.0 } } else { blocks.swap_remove(middle) }
}

fn copy_rate(setup: &Setup, kernel: &Kernel, bytes: u64) -> Result<CopyRow, GpuError> {
    let gpu = &setup.gpu;
    gpu.check_memory(&Need::new().with_part("source", bytes).with_part("target", bytes))?;
    let words = usize::try_from(bytes / 8).unwrap_or(usize::MAX);
    let (from, mut to) = (Words::zeros(gpu, words)?, Words::uninitialised(gpu, words)?);
    let shape = Shape::flat(gpu.facts().multiprocessors * 2, 1024);
    let mut times = Vec::new();
    for run in 0..=2 * RUNS {
        let arguments = &mut [Arg::Write(&mut to), Arg::Read(&from), Arg::U64(bytes / 16)];
        // SAFETY: the kernel reads and writes as many pieces of 16 bytes as both buffers have.
        let ((), time) = setup.timed(|| unsafe { kernel.launch(&shape, arguments) })?;
        if run > 0 {
            times.push(time);
        }
    }
    times.sort();
    let seconds = times.get(RUNS).copied().unwrap_or(Duration::ZERO).as_secs_f64();
    Ok(CopyRow { bytes, gigabytes_per_second: 2.0 * bytes as f64 / seconds / 1e9 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_kernel_is_in_the_text_and_no_other() {
        let listed: Vec<&str> = RATES.iter().chain(LATENCIES).map(|rate| rate.kernel).collect();
        for kernel in &listed {
            assert!(SOURCE.contains(&format!("RATE({kernel},")), "{kernel}");
        }
        assert_eq!(SOURCE.matches("\nRATE(").count(), listed.len());
    }

    #[test]
    fn a_span_is_from_the_first_start_to_the_last_end() {
        // Two blocks of two warps: clock, time, clock, time.
        let stamps = [100, 1000, 1100, 1500, 90, 990, 1000, 1490, 5, 7, 505, 257, 15, 17, 400, 200];
        let found = span(&stamps, 2);
        // The blocks take 1010 and 500 clocks; of two, the longer is the median.
        assert_eq!(found.clocks, 1010.0);
        assert!((found.clock_mhz - 1010.0 / 510.0 * 1e3).abs() < 1e-6);
        assert_eq!(span(&[], 4).clocks, 0.0);
    }
}
