//! Sizes of an MSM on the device: windows, segments of the sorted digits, levels of the weighted sums, and the room that
//! all of it takes.

use crate::memory::Need;

/// Widest windows in bits: beyond it the buckets of a window take more room than they save additions.
const WIDEST: u32 = 16;

/// Entries of a segment, at least: a thread's first and last bucket cost a store each.
const SHORTEST: u64 = 4;

/// Entries of a segment, at most.
const LONGEST: u64 = 64;

/// Threads of a multiprocessor that segments are made for.
const THREADS_PER_MULTIPROCESSOR: u64 = 1024;

/// log2 of the children of a node of the weighted sums.
const FAN: u32 = 3;

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
}

/// A level of the weighted sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Level {
    /// Nodes of all windows.
    pub(super) nodes: u32,
    /// log2 of a node's children.
    pub(super) fan: u32,
    /// log2 of a child's buckets.
    pub(super) depth: u32,
}

impl Plan {
    /// The plan for scalars of this many bits on a device; `None` if the digits are more than a list can have.
    pub(super) fn new(n: usize, bits: u32, multiprocessors: u32) -> Option<Self> {
        let count = n as u64;
        // Additions of entries, and about three for a bucket.
        let additions = |width: &u32| u64::from(windows(bits, *width)) * (count + (3 << (width - 1)));
        let width = (2..=WIDEST).min_by_key(additions)?;
        let windows = windows(bits, width);
        let entries = count.checked_mul(u64::from(windows)).filter(|entries| *entries < MOST_ENTRIES)?;
        let threads = u64::from(multiprocessors.max(1)) * THREADS_PER_MULTIPROCESSOR;
        let length = (entries / threads).clamp(SHORTEST, LONGEST);
        Some(Self {
            n: u32::try_from(n).ok()?,
            width,
            windows,
            length: u32::try_from(length).ok()?,
            segments: u32::try_from(entries.div_ceil(length)).ok()?,
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

    /// The levels of the weighted sums; the last one has a node a window.
    pub(super) fn levels(&self) -> Vec<Level> {
        let bits = self.width - 1;
        let mut levels = Vec::new();
        let mut depth = 0;
        while depth < bits {
            let fan = FAN.min(bits - depth);
            levels.push(Level { nodes: self.windows << (bits - depth - fan), fan, depth });
            depth += fan;
        }
        levels
    }

    /// The room that a run takes besides bases and scalars, for points and scalars of these sizes in bytes.
    pub(super) fn need(&self, point: u64, scalar: u64) -> Need {
        let (keys, segments) = (u64::from(self.keys()), u64::from(self.segments));
        // Nodes of a level are there while those of the next one are computed.
        let nodes: u64 = self.levels().iter().take(2).map(|level| u64::from(level.nodes)).sum();
        Need::new()
            .and("digits", u64::from(self.n) * scalar + 4 * self.entries())
            .and("buckets", keys * (4 + point))
            .and("pieces", segments * (4 + point))
            .and("sums", nodes * 2 * point)
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
                let plan = Plan::new(n, bits, 132).unwrap();
                assert!(plan.windows * plan.width > bits && (plan.windows - 1) * plan.width <= bits);
                assert!(u64::from(plan.segments) * u64::from(plan.length) >= plan.entries());
                let levels = plan.levels();
                assert_eq!(levels.iter().map(|level| level.fan).sum::<u32>(), plan.width - 1);
                assert_eq!(levels.last().unwrap().nodes, plan.windows);
                let mut children = plan.keys();
                for level in levels {
                    assert_eq!(level.nodes << level.fan, children);
                    children = level.nodes;
                }
                // Every piece is joined: the last step reaches over all of them.
                let strides = plan.strides(8);
                assert!(strides.last().is_none_or(|stride| stride * 8 >= plan.segments - 1), "{strides:?}");
            }
        }
        assert!(
            Plan::new(1, 255, 132).unwrap().width < 4 && Plan::new(1 << 24, 255, 132).unwrap().width == 16
        );
        assert_eq!(Plan::new(1 << 28, 255, 132), None);
        let one = Plan { n: 1, width: 2, windows: 3, length: 4, segments: 1 };
        assert!(one.strides(8).is_empty());
        assert_eq!(Plan { segments: 2, ..one }.strides(8), [1]);
        assert_eq!(Plan { segments: 9, ..one }.strides(8), [1]);
        assert_eq!(Plan { segments: 10, ..one }.strides(8), [1, 8]);
    }
}
