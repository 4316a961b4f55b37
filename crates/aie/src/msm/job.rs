//! The parameters of an MSM: its size, and how the machine computes it.

use serde::{Deserialize, Serialize};

/// How additions into buckets are spread over the units.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Spread {
    /// Any unit takes any addition: points are spread, windows and buckets are shared. A unit takes an addition in some
    /// 36 cycles of the programmable logic, so that one bucket memory and one scheduler, an addition a cycle, serve
    /// them all, and no copies of buckets have to be merged.
    Points,
    /// With `n` units, unit `u` takes windows `u`, `u + n`, `u + 2n`, … of a pass: a unit's buckets are beside it, and a
    /// point goes to all units.
    Windows,
}

/// How the first point comes into a bucket.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FirstPoint {
    /// An addition to the neutral element. Points come as `(X, Y, U)`, buckets are `(X, Y, T, Z)`, and `T = U/k` is a
    /// product that the programmable logic has no multiplier for.
    Add,
    /// A copy: points come with `T` as well, a fourth coordinate to read.
    Copy,
}

/// The arithmetic of a run with data.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Arithmetic {
    /// Additions by the programs of the tiles, bit by bit.
    Kernels,
    /// Additions by the host's formulas, which give the same points sooner.
    Formulas,
}

/// An MSM over BLS12-377's G1, \[AIE\] II.C. What the paper does not print is inferred; every field can be set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Job {
    /// The number of points.
    pub points: u64,
    /// Bits of a window, 2 to 24; `None` is [`Machine::best_window`](super::Machine::best_window)'s.
    pub window_bits: Option<u32>,
    /// Digits in `-2^(w-1) ..= 2^(w-1)`, half the buckets: negatives cost the programmable logic nothing.
    pub signed: bool,
    /// Windows that every point read from DRAM is added into; `None` is as many as the bucket memory holds.
    pub windows_per_pass: Option<u32>,
    /// How additions are spread over the units.
    pub spread: Spread,
    /// How the first point comes into a bucket.
    pub first: FirstPoint,
    /// Additions that can wait for a bucket whose addition is under way.
    pub queue: u32,
    /// Additions of bucket aggregation that may be under way at once: 1 as in the paper, where each waits for the one
    /// before. With more, windows take turns in the unit, which is a pipeline, and of one window the running sum and
    /// the sum of running sums go on side by side.
    pub interleave: u32,
    /// Points that the programmable logic has room for between DRAM and the units, fetched by quarters of it.
    pub buffer_points: u32,
    /// The arithmetic of a run with data; time does not depend on it.
    pub arithmetic: Arithmetic,
    /// The seed of random scalars, in a run without data.
    pub seed: u64,
}

impl Default for Job {
    /// 2^18 points, and for everything else what is fastest on the paper's board.
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
    /// A job of so many points.
    pub fn new(points: u64) -> Self {
        Self { points, ..Self::default() }
    }

    /// The job with windows of so many bits.
    #[must_use]
    pub fn with_window(self, bits: u32) -> Self {
        Self { window_bits: Some(bits), ..self }
    }

    /// The job with one addition of bucket aggregation after the other, as in the paper.
    #[must_use]
    pub fn serial(self) -> Self {
        Self { interleave: 1, ..self }
    }
}
