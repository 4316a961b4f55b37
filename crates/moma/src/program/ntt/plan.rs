//! Plans: how a transform is divided into passes over device memory.
//!
//! A pass takes `R = 2^log_radix` elements at stride `n / R`, computes the levels `P .. P R` of the transform on them in
//! shared memory, and writes them so that after the last pass all are in natural order. With `p + P q` the column,
//! element `r` is read from `p + P q + (n/R) r`, and value `k` is written to `p + P k + P R q`. Both are runs of
//! neighbouring elements if a block takes neighbouring columns. So each pass reads and writes every element once, and
//! no separate permutation is needed.

use serde::{Deserialize, Serialize};

use super::super::lang::Element;
use crate::MomaError;

/// The steps of a pass that are straight-line text; the others share the text of a loop. Straight-line text saves
/// accesses to shared memory and products by one, but it has to fit in the instruction cache: at 256 bits a product, a
/// sum and a difference are about 5 KB of machine code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unrolling {
    /// Every step is straight-line text.
    Unrolled,
    /// The first step, which reads device memory, and the last, which writes it; those between are a loop.
    Peeled,
    /// No step: elements are copied to shared memory first, and back at the end.
    Looped,
}

impl Unrolling {
    /// All choices, the longest text first.
    pub const ALL: [Self; 3] = [Self::Unrolled, Self::Peeled, Self::Looped];
}

/// The parameters of a plan; they do not change the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Tuning {
    /// log2 of the greatest number of elements of a column, if there are several passes.
    #[serde(rename = "radix")]
    pub log_radix: u32,
    /// log2 of the number of columns of a block, if there are several passes.
    #[serde(rename = "columns")]
    pub log_columns: u32,
    /// log2 of the number of elements that a thread holds in registers.
    #[serde(rename = "held")]
    pub log_held: u32,
    /// log2 of the greatest number of threads per block; a thread does a greater share in several turns.
    #[serde(rename = "threads")]
    pub log_threads: u32,
    /// log2 of the greatest number of elements of a transform that is one pass.
    #[serde(rename = "whole")]
    pub log_one_pass: u32,
    /// log2 of the greatest number of blocks of a cluster, for transforms in one pass that do not fit in the memory of
    /// one block. The hardware guarantees clusters of 8 blocks.
    #[serde(rename = "cluster")]
    pub log_cluster: u32,
    /// log2 of the number of blocks over which a transform in one pass is spread even if it fits in fewer.
    #[serde(rename = "spread")]
    pub log_spread: u32,
    /// The steps of a pass that are straight-line text.
    #[serde(rename = "levels")]
    pub unrolling: Unrolling,
    /// Number of blocks that a multiprocessor should hold; fewer if registers and shared memory do not allow as many.
    pub resident: u32,
    /// Greatest shared memory of a block in bytes.
    pub shared_bytes: u64,
}

impl Tuning {
    /// Shared memory of a block on sm_90, in bytes.
    pub const SM90_SHARED: u64 = 227 * 1024;

    /// Greatest machine code of a kernel in bytes: the first-level instruction cache of sm_90.
    pub const SM90_CODE: u64 = 128 * 1024;

    /// The default for a width: registers for the elements and a product, runs of at least 64 bytes in device memory,
    /// and as much straight-line text as the instruction cache holds.
    pub fn for_element(element: Element) -> Self {
        let bytes = element.bytes() as u64;
        let (log_columns, log_held, log_threads) = match bytes {
            0..=8 => (3, 4, 8),
            9..=16 => (2, 3, 8),
            17..=32 => (1, 2, 8),
            33..=48 => (1, 2, 8),
            _ => (0, 1, 8),
        };
        let log_radix = 10;
        // Bytes of machine code of a product with a sum and a difference, as compiled for sm_90 on words of 32 bits.
        let words = bytes / 4;
        let butterfly = 16 * (4 * words * words + 8 * words);
        let step = u64::from(log_held) << (log_held - 1);
        let unrolling = if butterfly * step * u64::from(u32::div_ceil(log_radix, log_held)) <= Self::SM90_CODE
        {
            Unrolling::Unrolled
        } else if butterfly * step * 3 <= Self::SM90_CODE {
            Unrolling::Peeled
        } else {
            Unrolling::Looped
        };
        Self {
            log_radix,
            log_columns,
            log_held,
            log_threads,
            log_one_pass: 14,
            log_cluster: 2,
            log_spread: 0,
            unrolling,
            resident: 4,
            shared_bytes: Self::SM90_SHARED,
        }
    }

    /// The default for one transform that has the device to itself: one pass of up to 2^12 elements over eight
    /// multiprocessors, beyond that short passes over all of them.
    pub fn for_latency(element: Element, log_n: u32) -> Self {
        let base = Self::for_element(element);
        let passes = if log_n <= 18 { 2 } else { log_n.div_ceil(base.log_radix) };
        let (log_radix, log_held) = (log_n.div_ceil(passes).max(1), base.log_held.min(2));
        Self { log_one_pass: 12, log_cluster: 3, log_spread: 3, log_radix, log_held, resident: 1, ..base }
    }
}

/// One pass; fields that begin with `log_` are base-2 logarithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NttPass {
    /// log2 of `P`: the number of levels before this pass.
    pub levels_before: u32,
    /// log2 of `R`: the number of levels of this pass.
    pub log_radix: u32,
    /// log2 of the columns of a block; of the transforms of a block, if there is one pass.
    pub log_columns: u32,
    /// log2 of the elements that a thread holds in registers.
    pub log_held: u32,
    /// log2 of the threads of a block, those of all blocks of a cluster together.
    pub log_threads: u32,
    /// log2 of the blocks of a cluster.
    pub log_cluster: u32,
}

impl NttPass {
    /// log2 of the number of elements of a block.
    pub fn log_block(&self) -> u32 {
        self.log_radix + self.log_columns
    }
    /// log2 of the number of turns in which a thread does its share of a phase.
    pub fn log_turns(&self) -> u32 {
        self.log_block() - self.log_held - self.log_threads
    }
    /// Whether the pass keeps its elements in shared memory; a pass of one step does not.
    pub fn shares(&self, unrolling: Unrolling) -> bool {
        unrolling == Unrolling::Looped || self.log_radix > self.log_held
    }
}

/// The buffer that a pass reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassBuffer {
    /// The input of the transform, which is never written.
    Input,
    /// A buffer of the same size, needed by plans of several passes.
    Scratch,
    /// The output of the transform.
    Output,
}

/// The passes of a transform of `2^log_n` elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NttPlan {
    /// log2 of the number of elements.
    pub log_n: u32,
    /// The layout of an element.
    pub element: Element,
    /// The passes, first to last.
    pub passes: Vec<NttPass>,
    /// The steps of a pass that are straight-line text ([`Tuning::unrolling`]).
    pub unrolling: Unrolling,
    /// Blocks that a multiprocessor should hold ([`Tuning::resident`]).
    pub resident: u32,
}

impl NttPlan {
    /// Divides a transform into as few passes as the tuning allows, of equal sizes as far as possible.
    ///
    /// # Errors
    /// [`MomaError::NoPlan`] for fewer than 2 or more than 2^28 elements, or if shared memory cannot hold two elements.
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
        let plan = |passes| {
            Ok(Self { log_n, element, passes, unrolling: tuning.unrolling, resident: tuning.resident })
        };
        let pass = |levels_before: u32, log_radix: u32, log_columns: u32, log_cluster: u32| {
            let log_held = tuning.log_held.clamp(1, log_radix);
            let log_threads = (log_radix + log_columns - log_held).min(tuning.log_threads + log_cluster);
            NttPass { levels_before, log_radix, log_columns, log_held, log_threads, log_cluster }
        };

        // One launch: whole transforms in a block, or in a cluster.
        let needed = log_n.saturating_sub(fits);
        let most = tuning.log_cluster.min(log_n.saturating_sub(tuning.log_held));
        if log_n <= tuning.log_one_pass && needed <= most {
            let log_cluster = needed.max(tuning.log_spread.min(most));
            let wanted = (tuning.log_threads + tuning.log_held).min(fits);
            let log_rows = if log_cluster == 0 { wanted.saturating_sub(log_n) } else { 0 };
            return plan(vec![pass(0, log_n, log_rows, log_cluster)]);
        }
        let log_columns = tuning.log_columns.min(fits - 1);
        let most = tuning.log_radix.clamp(1, fits - log_columns);
        let count = log_n.div_ceil(most);
        let mut passes = Vec::new();
        let mut levels_before = 0;
        for i in 0..count {
            // The longer passes come first, so that the later ones write runs of at least `2^log_columns` neighbours.
            let log_radix = log_n / count + u32::from(i < log_n % count);
            passes.push(pass(levels_before, log_radix, log_columns.min(log_n - log_radix), 0));
            levels_before += log_radix;
        }
        plan(passes)
    }

    /// The buffers that a pass reads and writes; intermediate results alternate between scratch buffer and output.
    pub fn route(&self, pass: usize) -> (PassBuffer, PassBuffer) {
        let after = |passes_left: usize| {
            if passes_left.is_multiple_of(2) { PassBuffer::Output } else { PassBuffer::Scratch }
        };
        let left = self.passes.len() - pass;
        (if pass == 0 { PassBuffer::Input } else { after(left) }, after(left - 1))
    }

    /// The bytes of device memory that one transform moves: every pass reads and writes each element once, and the
    /// twiddles are read once (by the first transform of a batch; later ones find them in the cache if it is large
    /// enough).
    pub fn bytes_moved(&self) -> TransformBytes {
        let n = (self.element.bytes() as u64) << self.log_n;
        TransformBytes { data: 2 * n * self.passes.len() as u64, twiddles: n }
    }

    /// The number of products of one transform: half a product per element and level; the factor `1/n` of an inverse,
    /// half a product per element, is not counted.
    pub fn products(&self) -> u64 {
        u64::from(self.log_n) << (self.log_n - 1)
    }
}

/// The bytes that a transform moves through device memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransformBytes {
    /// Bytes of elements that are read and written.
    pub data: u64,
    /// Bytes of twiddles that are read.
    pub twiddles: u64,
}
