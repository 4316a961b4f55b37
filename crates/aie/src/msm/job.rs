//! The parameters of an MSM: its size, and the way in which the machine computes it.

use serde::{Deserialize, Serialize};

/// The distribution of additions into buckets among the units.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Spread {
    /// Any unit takes any addition: points are distributed, windows and buckets are shared. A unit takes an addition in
    /// about 36 cycles of the programmable logic, so that one bucket memory and one scheduler, with one addition per
    /// cycle, serve all units, and no copies of buckets have to be merged.
    Points,
    /// With `n` units, unit `u` takes windows `u`, `u + n`, `u + 2n`, … of a pass: the buckets of a unit are local to it,
    /// and every point goes to all units.
    Windows,
}

/// How the first point is put into a bucket.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FirstPoint {
    /// By an addition to the neutral element. Points are given as `(X, Y, U)`, buckets as `(X, Y, T, Z)`, and `T = U/k`
    /// is a product for which the programmable logic has no multiplier.
    Add,
    /// By a copy. Points are given with `T` as well, a fourth coordinate to read.
    Copy,
}

/// The arithmetic of a run with points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Arithmetic {
    /// Additions by the programs of the tiles, bit by bit.
    Kernels,
    /// Additions by the host's formulas, which give the same points faster.
    Formulas,
}

/// An MSM over BLS12-377's G1, \[AIE\] II.C. Parameters that the paper does not print are inferred; all of them can be
/// set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Job {
    /// The number of points.
    pub points: u64,
    /// Width of a window in bits, 2 to 24; `None` selects [`Machine::best_window`](super::Machine::best_window).
    pub window_bits: Option<u32>,
    /// Whether digits are signed, in `-2^(w-1) ..= 2^(w-1)`, which halves the number of buckets: negating a point costs
    /// the programmable logic nothing.
    pub signed: bool,
    /// The number of windows into which each point read from DRAM is added; `None` is as many as the bucket memory holds.
    pub windows_per_pass: Option<u32>,
    /// The distribution of additions among the units.
    pub spread: Spread,
    /// How the first point is put into a bucket.
    pub first: FirstPoint,
    /// The greatest number of additions that wait for a busy bucket.
    pub queue: u32,
    /// The greatest number of additions of bucket aggregation in progress: 1 as in the paper, where each waits for the
    /// previous one. With more, windows take turns in the unit, which is a pipeline, and the running sum and the sum of
    /// running sums of one window are computed concurrently.
    pub interleave: u32,
    /// The number of points in the buffer between DRAM and the units, which is fetched by quarters.
    pub buffer_points: u32,
    /// The arithmetic of a run with points; time does not depend on it.
    pub arithmetic: Arithmetic,
    /// The seed of the pseudo-random scalars in a run without points.
    pub seed: u64,
}

impl Default for Job {
    /// 2^18 points, with the values of the other parameters that are fastest on the paper's board.
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
    /// A job of this many points.
    pub fn new(points: u64) -> Self {
        Self { points, ..Self::default() }
    }

    /// The job with windows of this width in bits.
    #[must_use]
    pub fn with_window(self, bits: u32) -> Self {
        Self { window_bits: Some(bits), ..self }
    }

    /// The job with bucket aggregation one addition at a time, as in the paper.
    #[must_use]
    pub fn serial(self) -> Self {
        Self { interleave: 1, ..self }
    }
}
