//! Sizes of an MSM on the device: windows, segments of the sorted digits, levels of the weighted sums, and the room that
//! all of it takes.

use crate::memory::Need;

/// Widest windows in bits: beyond it the buckets of a window take more room than they save additions.
const WIDEST: u32 = 20;

/// Entries of a segment, at least: a thread's first and last bucket cost a store each.
const SHORTEST: u64 = 4;

/// Entries of a segment, at most.
const LONGEST: u64 = 64;

/// log2 of the buckets of a node of the weighted sums, at least, where a window has so many.
const LEAST_FAN: u32 = 3;

/// The same, at most: one thread sums a node.
const MOST_FAN: u32 = 6;

/// log2 of the neighbours that a step of the sums of lists adds up.
const LIST_FAN: u32 = 2;

/// Most entries of a list: places have 32 bits, and a list's end is computed in them.
const MOST_ENTRIES: u64 = 1 << 31;

/// The sizes for a number of scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// Number of scalars.
    pub(super) n: u32,
    /// Bits of a window, at least two.
    pub(super) width: u32,
    /// Number of windows.
    pub(super) windows: u32,
    /// Entries of a segment.
    pub(super) length: u32,
    /// Number of segments, enough for digits of which none is zero.
    pub(super) segments: u32,
    /// log2 of the buckets of a node of the weighted sums.
    pub(super) fan: u32,
}

/// A step of the sums of lists of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// log2 of the sums of a list that remain.
    pub(super) rest: u32,
    /// log2 of the neighbours that are added up.
    pub(super) fan: u32,
}

impl Plan {
    /// The plan for scalars of this many bits on a device that runs so many threads at one time; `None` if the digits are
    /// more than a list can have.
    pub(super) fn new(n: usize, bits: u32, threads: u32) -> Option<Self> {
        let count = n as u64;
        // Additions of entries, and about three for a bucket.
        let additions = |width: &u32| u64::from(windows(bits, *width)) * (count + (3 << (width - 1)));
        let width = (2..=WIDEST).min_by_key(additions)?;
        let windows = windows(bits, width);
        let entries = count.checked_mul(u64::from(windows)).filter(|entries| *entries < MOST_ENTRIES)?;
        // The same number of segments for every thread: one more for a few would take as long as one more for all.
        let threads_in_turns =
            u64::from(threads.max(1)) * entries.div_ceil(u64::from(threads.max(1)) * LONGEST);
        let length = entries.div_ceil(threads_in_turns.max(1)).clamp(SHORTEST, LONGEST);
        // As many buckets as leave a node for every thread.
        let fan = ((windows << (width - 1)) / threads.max(1)).max(1).ilog2().clamp(LEAST_FAN, MOST_FAN);
        Some(Self {
            n: u32::try_from(n).ok()?,
            width,
            windows,
            length: u32::try_from(length).ok()?,
            segments: u32::try_from(entries.div_ceil(length)).ok()?,
            fan: fan.min(width - 1),
        })
    }

    /// Buckets of all windows.
    pub(super) fn keys(&self) -> u32 {
        self.windows << (self.width - 1)
    }

    /// Digits at most.
    pub(super) fn entries(&self) -> u64 {
        u64::from(self.n) * u64::from(self.windows)
    }

    /// Strides of the steps in which the pieces of a bucket are joined, `fan` at a time.
    pub(super) fn strides(&self, fan: u32) -> Vec<u32> {
        // A bucket has a piece in every segment but the one in which it begins.
        let pieces = self.segments.saturating_sub(1);
        let next = |stride: &u32| stride.checked_mul(fan).filter(|stride| *stride < pieces);
        core::iter::successors((pieces > 0).then_some(1), next).collect()
    }

    /// log2 of the nodes of a window.
    pub(super) fn bits(&self) -> u32 {
        self.width - 1 - self.fan
    }

    /// Nodes of all windows.
    pub(super) fn nodes(&self) -> u32 {
        self.windows << self.bits()
    }

    /// Lists of a window: for each bit of a node's number the sums of the nodes that have it, and two halves of the weighted
    /// sums. One node makes no lists.
    pub(super) fn lists(&self) -> u32 {
        if self.bits() == 0 { 0 } else { self.bits() + 2 }
    }

    /// The steps in which lists of half of the nodes are summed.
    pub(super) fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        if let Some(mut rest) = self.bits().checked_sub(1) {
            while rest > 0 || steps.is_empty() {
                let fan = LIST_FAN.min(rest);
                rest -= fan;
                steps.push(Step { rest, fan });
            }
        }
        steps
    }

    /// The room that a run takes besides bases and scalars, for points and scalars of these sizes in bytes.
    pub(super) fn need(&self, point: u64, scalar: u64) -> Need {
        let (keys, segments) = (u64::from(self.keys()), u64::from(self.segments));
        // Nodes have two sums each, and those of lists are there beside them or beside those of the step before.
        let rest = self.steps().first().map_or(0, |step| step.rest);
        let lists = u64::from(self.windows * self.lists()) << rest;
        Need::new()
            .and("digits", u64::from(self.n) * scalar + 4 * self.entries())
            .and("buckets", keys * (4 + point))
            .and("pieces", segments * (4 + point))
            .and("sums", (2 * u64::from(self.nodes()) + 2 * lists) * point)
    }
}

/// Windows of a width for scalars of so many bits: one bit more, so that the last digit leaves no carry.
pub(super) fn windows(bits: u32, width: u32) -> u32 {
    (bits + 1).div_ceil(width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_cover_scalars_and_levels_cover_buckets() {
        for n in [1, 2, 7, 100, 5000, 1 << 20, 1 << 24] {
            for bits in [253, 254, 255] {
                let plan = Plan::new(n, bits, 132 * 384).unwrap();
                assert!(plan.windows * plan.width > bits && (plan.windows - 1) * plan.width <= bits);
                assert!(u64::from(plan.segments) * u64::from(plan.length) >= plan.entries());
                assert_eq!(plan.nodes() << plan.fan, plan.keys());
                // Every list of half the nodes of a window ends as one sum.
                let steps = plan.steps();
                assert_eq!(steps.iter().map(|step| step.fan).sum::<u32>() + 1, plan.bits().max(1));
                assert!(steps.last().is_none_or(|step| step.rest == 0));
                // Every piece is joined: the last step reaches over all of them.
                let strides = plan.strides(8);
                assert!(strides.last().is_none_or(|stride| stride * 8 >= plan.segments - 1), "{strides:?}");
            }
        }
        // 2^18 scalars of 255 bits have 4,980,736 digits in windows of 14 bits: two turns of 50, not one of 64 and a rest.
        let plan = Plan::new(1 << 18, 255, 132 * 384).unwrap();
        assert_eq!((plan.width, plan.length, plan.segments.div_ceil(132 * 384)), (14, 50, 2));
        assert!(
            Plan::new(1, 255, 50_000).unwrap().width < 4
                && Plan::new(1 << 24, 255, 50_000).unwrap().width > 16
        );
        assert_eq!(Plan::new(1 << 28, 255, 50_000), None);
        let one = Plan { n: 1, width: 2, windows: 3, length: 4, segments: 1, fan: 1 };
        assert!(one.strides(8).is_empty());
        assert_eq!(Plan { segments: 2, ..one }.strides(8), [1]);
        assert_eq!(Plan { segments: 9, ..one }.strides(8), [1]);
        assert_eq!(Plan { segments: 10, ..one }.strides(8), [1, 8]);
    }
}
