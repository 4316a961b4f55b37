//! Parameters of the MSM engine.

use crate::isa::Group;
use pairwright_sim::settings::{OutOfRange, Range, between, flag, named, power_of_two, section_in_range};
use serde::{Deserialize, Serialize};

/// The addition formula that PADD is laid out for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Formula {
    /// Complete addition of two projective points, 12 products: valid for every pair of operands.
    Complete,
    /// Complete mixed addition, 11 products. One operand is affine, so a point whose bucket is in flight has to wait, and
    /// the additions of bucket reduction and group aggregation, which are not mixed, issue their 12 products in turns.
    Mixed,
}

/// The MSM engine's parameters; times in cycles.
///
/// Printed in \[CP\]: 12 processing elements, fully pipelined for G1 and iterative for G2; queues before PADD; a pseudo
/// dual-port bucket memory; two segments. The rest is inferred: see each field.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MsmSpec {
    /// Bits of a window in G1; inferred: 10, the largest that the bucket memory holds.
    pub window_g1: u32,
    /// Bits of a window in G2; inferred: 9, since a bucket takes two words.
    pub window_g2: u32,
    /// Digits in `-2^(w-1) ..= 2^(w-1)` instead of `0 .. 2^w`: half the buckets. Not in the paper.
    pub signed: bool,
    /// Windows that a fetched point serves, each with its own buckets. The point is presented once per window, in
    /// consecutive cycles. 1 in the paper.
    pub windows_per_fetch: u32,
    /// Words of the bucket memory, each of three 384-bit coordinates. Inferred: 1,024.
    pub bucket_words: u32,
    /// Banks of the bucket memory, a power of two, each with one read and one write port. 1 in the paper.
    pub bucket_banks: u32,
    /// Entries of the buffer in front of the bucket memory's write port. 0 in the paper; 4 keep PADD busy.
    pub write_behind: u32,
    /// The formula of PADD. Inferred: complete, for 12 processing elements.
    pub formula: Formula,
    /// Processing elements: pipelined Fp multipliers in G1, iterative Fp2 multipliers in G2. Printed: 12.
    pub elements: u32,
    /// Latency of a processing element as a pipelined multiplier: its stages, as in pairings and polynomials. Inferred.
    pub pipelined_latency: u32,
    /// Latency of a processing element as four iterative multipliers of an Fp2 product. Inferred: 8 to 10.
    pub iterative_latency: u32,
    /// Cycles between two Fp2 products of a processing element. Inferred: 4 ("roughly four times").
    pub iterative_interval: u32,
    /// Latency of a modular addition, at least the cycle that it takes. Inferred.
    pub adder_latency: u32,
    /// Registers at the input and the output of PADD together, at least one at each. Inferred.
    pub registers: u32,
    /// Operand pairs that the queue before PADD holds, at least 2. A point from memory leaves one entry free for a result,
    /// so that results can always return as operands. Inferred: 4.
    pub fifo: u32,
    /// Results that the buffer behind PADD holds. Inferred: 2, the least at which a registered handshake passes one result
    /// per cycle.
    pub results: u32,
    /// Capacity of the buffer of points whose bucket is in flight ([`Formula::Mixed`] only).
    pub conflict: u32,
    /// Segments of the bucket reduction, a power of two; see [`MsmSpec::segments`]. Printed: 2.
    pub segments: u32,
    /// Whether the engine uses the endomorphism (GLV): a fetched point `(x, y)` is also used as its image `(β·x, y)`, with a
    /// multiplier for `β·x` behind the point memory and one that splits scalars in two halves behind the scalar memory; this
    /// halves the number of windows. Not in the paper.
    pub glv: bool,
    /// Multiples of every point that DRAM holds, including the point itself. The host computes them once for a key; their
    /// digits share buckets. 1 in the paper.
    pub multiples: u32,
}

impl MsmSpec {
    /// The design of \[CP\].
    pub const fn paper() -> Self {
        Self {
            window_g1: 10,
            window_g2: 9,
            signed: false,
            windows_per_fetch: 1,
            bucket_words: 1024,
            bucket_banks: 1,
            write_behind: 0,
            formula: Formula::Complete,
            elements: 12,
            pipelined_latency: 16,
            iterative_latency: 10,
            iterative_interval: 4,
            adder_latency: 1,
            registers: 2,
            fifo: 4,
            results: 2,
            conflict: 8,
            segments: 2,
            glv: false,
            multiples: 1,
        }
    }

    /// Bits of a window in this group.
    pub const fn window(&self, group: Group) -> u32 {
        match group {
            Group::G1 => self.window_g1,
            Group::G2 => self.window_g2,
        }
    }

    /// Words of the bucket memory per bucket.
    pub const fn words_per_bucket(&self, group: Group) -> u32 {
        match group {
            Group::G1 => 1,
            Group::G2 => 2,
        }
    }

    /// Buckets of a window, with addresses `0 .. buckets`; bucket `i` holds the points of digit `±(i + 1)`.
    pub const fn buckets(&self, group: Group) -> u32 {
        1 << (self.window(group) - self.signed as u32)
    }

    /// Cycles between two products of the endomorphism's multiplier: a point and its image are each presented once per
    /// window that they serve. At most the iterative multiplier's interval, since a slower multiplier takes no less area.
    pub const fn image_interval(&self) -> u32 {
        let presented = 2 * self.windows_per_fetch;
        if presented < self.iterative_interval { presented } else { self.iterative_interval }
    }

    /// Cycles between two scalars of the scalar splitter, each of which serves all multiples of a point.
    pub const fn split_interval(&self) -> u32 {
        2 * self.windows_per_fetch * self.multiples
    }

    /// Checks that an engine for this group can be built.
    ///
    /// # Errors
    /// The first parameter out of range; some ranges depend on other parameters.
    pub fn check(&self, group: Group) -> Result<(), OutOfRange> {
        section_in_range("msm", self, RANGES)?;
        let pairs = group == Group::G1 || self.elements >= 2;
        OutOfRange::unless(pairs, "msm.elements", self.elements, "at least 2 in G2")?;
        let Self { iterative_latency: latency, iterative_interval: interval, .. } = *self;
        let must = "more than msm.iterative_interval";
        OutOfRange::unless(latency > interval, "msm.iterative_latency", latency, must)?;
        let buckets = u64::from(self.buckets(group) * self.windows_per_fetch);
        let words = buckets * u64::from(self.words_per_bucket(group));
        let must = format!("at least the {words} words of the buckets");
        let holds = words <= u64::from(self.bucket_words);
        OutOfRange::unless(holds, "msm.bucket_words", self.bucket_words, &must)?;
        let most = self.buckets(group);
        let must = format!("at most {most}, the buckets of a window");
        OutOfRange::unless(self.segments <= most, "msm.segments", self.segments, &must)
    }
}

/// The ranges of these parameters.
pub(super) const RANGES: &[Range] = &[
    between("window_g1", 2.0, 20.0, "bits").inferred(),
    between("window_g2", 2.0, 20.0, "bits").inferred(),
    between("windows_per_fetch", 1.0, 64.0, "windows").inferred(),
    between("bucket_words", 1.0, 16_777_216.0, "words").inferred(),
    power_of_two("bucket_banks", 1, 64, "").printed(),
    between("write_behind", 0.0, 64.0, "entries").added(),
    between("elements", 1.0, 48.0, "").printed(),
    between("pipelined_latency", 1.0, 200.0, "cycles").inferred(),
    between("iterative_interval", 1.0, 200.0, "cycles").inferred(),
    between("iterative_latency", 1.0, 200.0, "cycles").inferred(),
    between("adder_latency", 1.0, 16.0, "cycles").inferred(),
    between("registers", 2.0, 64.0, "cycles").inferred(),
    between("fifo", 2.0, 1024.0, "pairs").inferred(),
    between("results", 1.0, 1024.0, "results").inferred(),
    between("conflict", 1.0, 1024.0, "points").added(),
    power_of_two("segments", 1, 1 << 20, "").printed(),
    between("multiples", 1.0, 64.0, "").added(),
    flag("signed").added(),
    named("formula", &["complete", "mixed"]).inferred(),
    flag("glv").added(),
];

impl Default for MsmSpec {
    fn default() -> Self {
        Self::paper()
    }
}
