//! How a transform is cut into passes over device memory.
//!
//! A pass takes `R = 2^radix` elements at stride `n / R`, does the levels `P .. P R` of the transform on them in
//! shared memory, and writes them so that after the last pass all are in natural order: with `p + P q` the column,
//! element `r` is read from `p + P q + (n/R) r`, and value `k` is written to `p + P k + P R q`. Both are runs of
//! neighbouring elements if a block takes neighbouring columns. So each pass reads and writes every element once, and
//! nothing is permuted apart.

use serde::{Deserialize, Serialize};

use super::super::lang::Element;
use crate::MomaError;

/// The steps of a pass that have text of their own. Straight-line text can do without trips through shared memory and
/// without products by one, but it has to fit in the instruction cache: at 256 bits a product, a sum and a difference
/// are about 5 KB of machine code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Levels {
    /// Every step has a text of its own.
    Unrolled,
    /// The first, which reads device memory, and the last, which writes it; those between are a loop.
    Peeled,
    /// None: elements are brought to shared memory first, and back at the end.
    Looped,
}

impl Levels {
    /// All of them, the longest text first.
    pub const ALL: [Self; 3] = [Self::Unrolled, Self::Peeled, Self::Looped];
}

/// What may be chosen without changing the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Tuning {
    /// log2 of the most elements of a column, where there are several passes.
    pub radix: u32,
    /// log2 of the columns that a block takes, where there are several passes.
    pub columns: u32,
    /// log2 of the elements that a thread holds in registers.
    pub held: u32,
    /// log2 of the most threads of a block; a thread does what is left in turns.
    pub threads: u32,
    /// log2 of the most elements of a transform that is one pass.
    pub whole: u32,
    /// log2 of the most blocks of a cluster, for transforms in one pass that do not fit in one block's memory. The
    /// hardware promises 8 blocks.
    pub cluster: u32,
    /// log2 of the blocks over which a transform in one pass is spread even if it fits in fewer.
    pub spread: u32,
    /// How much of a pass is a loop.
    pub levels: Levels,
    /// Blocks that a multiprocessor should hold; fewer where registers and shared memory allow no more.
    pub resident: u32,
    /// Most bytes of shared memory of a block.
    pub shared_bytes: u64,
}

impl Tuning {
    /// Shared memory of a block on sm_90.
    pub const SM90_SHARED: u64 = 227 * 1024;

    /// Bytes of machine code that a kernel may have: the first-level instruction cache of sm_90.
    pub const SM90_CODE: u64 = 128 * 1024;

    /// A choice by width alone: registers for elements and a product, runs of at least 64 bytes in device memory, and
    /// as much straight-line text as the instruction cache holds.
    pub fn for_element(element: Element) -> Self {
        let bytes = element.bytes() as u64;
        let (columns, held, threads) = match bytes {
            0..=8 => (3, 4, 8),
            9..=16 => (2, 3, 8),
            17..=32 => (1, 2, 8),
            33..=48 => (1, 2, 8),
            _ => (0, 1, 8),
        };
        let radix = 10;
        // Instructions of a product with a sum and a difference, as compiled for sm_90, on words of 32 bits.
        let words = bytes / 4;
        let butterfly = 16 * (4 * words * words + 8 * words);
        let step = u64::from(held) << (held - 1);
        let levels = if butterfly * step * u64::from(u32::div_ceil(radix, held)) <= Self::SM90_CODE {
            Levels::Unrolled
        } else if butterfly * step * 3 <= Self::SM90_CODE {
            Levels::Peeled
        } else {
            Levels::Looped
        };
        Self {
            radix,
            columns,
            held,
            threads,
            whole: 14,
            cluster: 2,
            spread: 0,
            levels,
            resident: 4,
            shared_bytes: Self::SM90_SHARED,
        }
    }

    /// The choice for one transform that has the device to itself: one pass of up to 2^12 elements over eight
    /// multiprocessors, beyond that short passes over all of them.
    pub fn for_latency(element: Element, log_n: u32) -> Self {
        let base = Self::for_element(element);
        let passes = if log_n <= 18 { 2 } else { log_n.div_ceil(base.radix) };
        let (radix, held) = (log_n.div_ceil(passes).max(1), base.held.min(2));
        Self { whole: 12, cluster: 3, spread: 3, radix, held, resident: 1, ..base }
    }
}

/// One pass; all sizes as log2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NttPass {
    /// Levels before it, log2 of `P`.
    pub before: u32,
    /// Its levels, log2 of `R`.
    pub radix: u32,
    /// Columns of a block; whole transforms, where there is one pass.
    pub columns: u32,
    /// Elements of a thread in registers.
    pub held: u32,
    /// Threads of a block, those of all blocks of a cluster counted.
    pub threads: u32,
    /// Blocks of a cluster.
    pub cluster: u32,
}

impl NttPass {
    /// log2 of the elements of a block.
    pub fn block(&self) -> u32 {
        self.radix + self.columns
    }
    /// log2 of the turns in which a thread does its share of a phase.
    pub fn turns(&self) -> u32 {
        self.block() - self.held - self.threads
    }
    /// Whether it keeps its elements in shared memory; a pass of one step does not.
    pub fn shares(&self, levels: Levels) -> bool {
        levels == Levels::Looped || self.radix > self.held
    }
}

/// The place of the data of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Between {
    /// What the caller gave; never written.
    Input,
    /// A buffer of the same size, needed by plans of several passes.
    Scratch,
    /// The buffer of the result.
    Output,
}

/// The passes of a transform of `2^log_n` elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NttPlan {
    /// log2 of the size.
    pub log_n: u32,
    /// Width of the elements.
    pub element: Element,
    /// The passes, first to last.
    pub passes: Vec<NttPass>,
    /// How much of a pass is a loop ([`Tuning::levels`]).
    pub levels: Levels,
    /// Blocks that a multiprocessor should hold ([`Tuning::resident`]).
    pub resident: u32,
}

impl NttPlan {
    /// Cuts a transform into as few passes as the tuning's limits allow, of even sizes.
    ///
    /// # Errors
    /// [`MomaError::NoPlan`] for fewer than 2 or more than 2^28 elements, or if a column does not fit anywhere.
    pub fn choose(element: Element, log_n: u32, tuning: &Tuning) -> Result<Self, MomaError> {
        let fail = |why| MomaError::NoPlan { log_n, bytes: element.bytes(), why };
        if !(1..=28).contains(&log_n) {
            return Err(fail("sizes are 2^1 to 2^28"));
        }
        let slots = tuning.shared_bytes / element.bytes().max(1) as u64;
        if slots < 2 {
            return Err(fail("shared memory holds no two elements"));
        }
        let fits = slots.ilog2();
        let plan =
            |passes| Ok(Self { log_n, element, passes, levels: tuning.levels, resident: tuning.resident });
        let pass = |before: u32, radix: u32, columns: u32, cluster: u32| {
            let held = tuning.held.clamp(1, radix);
            let threads = (radix + columns - held).min(tuning.threads + cluster);
            NttPass { before, radix, columns, held, threads, cluster }
        };

        // One launch: whole transforms in a block, or in a cluster.
        let needed = log_n.saturating_sub(fits);
        let most = tuning.cluster.min(log_n.saturating_sub(tuning.held));
        if log_n <= tuning.whole && needed <= most {
            let cluster = needed.max(tuning.spread.min(most));
            let wanted = (tuning.threads + tuning.held).min(fits);
            let rows = if cluster == 0 { wanted.saturating_sub(log_n) } else { 0 };
            return plan(vec![pass(0, log_n, rows, cluster)]);
        }
        let columns = tuning.columns.min(fits - 1);
        let most = tuning.radix.clamp(1, fits - columns);
        let count = log_n.div_ceil(most);
        let mut passes = Vec::new();
        let mut before = 0;
        for i in 0..count {
            // The longer passes come first: what follows finds runs of at least `columns` neighbours to write.
            let radix = log_n / count + u32::from(i < log_n % count);
            passes.push(pass(before, radix, columns.min(log_n - radix), 0));
            before += radix;
        }
        plan(passes)
    }

    /// From where and to where a pass goes: input to output, by way of the scratch buffer.
    pub fn route(&self, pass: usize) -> (Between, Between) {
        let after = |passes_left: usize| {
            if passes_left.is_multiple_of(2) { Between::Output } else { Between::Scratch }
        };
        let left = self.passes.len() - pass;
        (if pass == 0 { Between::Input } else { after(left) }, after(left - 1))
    }

    /// Bytes of device memory that one transform moves: every pass reads and writes each element once, and the
    /// twiddles are read once (by the first transform of a batch; later ones find them in the cache if it is large
    /// enough).
    pub fn bytes_moved(&self) -> TransformBytes {
        let n = (self.element.bytes() as u64) << self.log_n;
        TransformBytes { data: 2 * n * self.passes.len() as u64, twiddles: n }
    }

    /// Products that one transform takes: half an element for each level, with `1/n` another half level.
    pub fn products(&self) -> u64 {
        u64::from(self.log_n) << (self.log_n - 1)
    }
}

/// Bytes that a transform moves through device memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransformBytes {
    /// Elements, read and written.
    pub data: u64,
    /// Number of twiddles that are read.
    pub twiddles: u64,
}
