//! What is asked for: an MSM's size and how the machine goes about it.

use serde::{Deserialize, Serialize};

/// How additions into buckets are spread over the units.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Spread {
    /// Any unit takes any addition: points are spread, windows and buckets are shared. A unit takes an addition in some
    /// 36 cycles of the programmable logic, so that one bucket memory and one scheduler, an addition a cycle, serve
    /// them all, and no copies of buckets have to be merged.
    Points,
    /// Each unit has windows of its own, every so manieth of a pass: a unit's buckets are beside it, and a point goes to
    /// all units.
    Windows,
}

/// What the first point of a bucket costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FirstPoint {
    /// An addition to the neutral element. Points come as `(X, Y, U)`, buckets are `(X, Y, T, Z)`, and `T = U/k` is a
    /// product that the programmable logic has no multiplier for.
    Add,
    /// A copy: points come with `T` as well, a fourth coordinate to read.
    Copy,
}

/// How a run with data adds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Arithmetic {
    /// By the programs of the tiles, bit by bit.
    Kernels,
    /// By the host's formulas, which give the same coordinates sooner: for boards of whole proofs.
    Formulas,
}

/// An MSM over BLS12-377's G1, \[AIE\] II.C. What the paper does not print is inferred; every field can be set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Job {
    /// Points.
    pub points: u64,
    /// Bits of a window, 2 to 24; `None` is [`best_window`](super::best_window)'s.
    pub window_bits: Option<u32>,
    /// Digits in `-2^(w-1) ..= 2^(w-1)`, half the buckets: negatives cost the programmable logic nothing.
    pub signed: bool,
    /// Windows that every point read from DRAM is added into; `None` is as many as the bucket memory holds.
    pub windows_per_pass: Option<u32>,
    /// How additions are spread over the units.
    pub spread: Spread,
    /// What the first point of a bucket costs.
    pub first: FirstPoint,
    /// Additions that can wait for a bucket whose addition is under way.
    pub queue: u32,
    /// Additions of bucket aggregation that may be under way at once: 1 as in the paper, where each waits for the one
    /// before. With more, windows take turns in the unit, which is a pipeline, and of one window the running sum and
    /// the sum of running sums go on side by side.
    pub interleave: u32,
    /// Points that the programmable logic has room for between DRAM and the units, fetched by quarters of it.
    pub buffer_points: u32,
    /// How a run with data adds; time does not depend on it.
    pub arithmetic: Arithmetic,
    /// Where random scalars start, in a run without data.
    pub seed: u64,
}

impl Default for Job {
    /// 2^18 points, everything else as this machine does best.
    fn default() -> Self {
        Self {
            points: 1 << 18,
            window_bits: None,
            signed: true,
            windows_per_pass: None,
            spread: Spread::Points,
            first: FirstPoint::Add,
            queue: 32,
            interleave: 64,
            buffer_points: 256,
            arithmetic: Arithmetic::Kernels,
            seed: 1,
        }
    }
}

impl Job {
    /// So many points.
    pub fn new(points: u64) -> Self {
        Self { points, ..Self::default() }
    }

    /// Windows of so many bits.
    #[must_use]
    pub fn with_window(self, bits: u32) -> Self {
        Self { window_bits: Some(bits), ..self }
    }

    /// Bucket aggregation one addition after the other, as the paper has it.
    #[must_use]
    pub fn serial(self) -> Self {
        Self { interleave: 1, ..self }
    }
}
