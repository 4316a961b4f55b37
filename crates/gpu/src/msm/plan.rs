//! The plan of an MSM on the device: windows and the sets of buckets that they share, segments of the sorted digits,
//! steps of the weighted sums, and the memory that all of it takes.

use crate::memory::Need;

/// Greatest width of a window in bits.
const WIDEST: u32 = 24;

/// Greatest number of buckets: they take memory, and more of them save few additions.
const MOST_KEYS: u64 = 1 << 23;

/// Least number of entries per segment: the first and the last bucket of a thread cost a store each.
const SHORTEST: u64 = 4;

/// Greatest number of entries per segment.
const LONGEST: u64 = 64;

/// log2 of the greatest number of buckets per node of the weighted sums: one thread sums a node.
const MOST_FAN: u32 = 6;

/// log2 of the threads per block, which add up sums of lists together.
pub(super) const LEVELS: u32 = 7;

/// Greatest number of entries of a list: indices have 32 bits, and the end of a list is computed in them.
const MOST_ENTRIES: u64 = 1 << 31;

/// Threads per multiprocessor that are assumed for the choice of windows: the same in every group, so that groups share
/// digits.
pub(super) const COMMON_THREADS: u32 = 512;

/// Ratio of the host's speed to that of a single thread of the device in additions of points: an estimate.
const HOST_SPEED: u64 = 25;

/// Number of products of an addition of two XYZZ points, and of a mixed addition of an affine point to an XYZZ point.
const PRODUCTS: [u64; 2] = [14, 10];

/// Numbers of threads that a device runs at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Threads {
    /// The number that is assumed for the choice of windows.
    pub(super) common: u32,
    /// The number of threads that sum entries in the group.
    pub(super) own: u32,
}

/// Precomputed multiples: `copies` of each base, by the powers of 2^`shift`, including the base itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Multiples {
    pub(super) copies: u32,
    pub(super) shift: u32,
}

impl Multiples {
    /// The multiples with which `n` scalars of `bits` bits take the least work: at least two and at most `most` per
    /// base.
    pub(super) fn choose(n: usize, bits: u32, threads: Threads, most: u32) -> Option<Self> {
        let layouts = (2..=WIDEST).flat_map(|width| {
            let windows = windows(bits, width);
            // Several numbers of multiples may give the same number of sets: the least of them is taken.
            let of = move |copies| Layout::new(bits, width, windows.div_ceil(copies));
            (2..=most.min(windows)).map(of)
        });
        let best =
            layouts.filter(|layout| layout.holds(n)).min_by_key(|layout| layout.work(n, threads.common));
        best.map(|Layout { width, sets, copies, .. }| Self { copies, shift: width * sets })
    }
}

/// The windows of the digits and their sets of buckets. Window `w` uses set `w % sets`, and its digits count multiple
/// `w / sets` of the bases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// Width of a window in bits, at least two.
    pub(super) width: u32,
    /// Number of windows.
    pub(super) windows: u32,
    /// Number of sets of buckets: the number of windows without precomputed multiples.
    pub(super) sets: u32,
    /// Number of multiples per base: 1 without precomputed multiples.
    pub(super) copies: u32,
}

impl Layout {
    fn new(bits: u32, width: u32, sets: u32) -> Self {
        let windows = windows(bits, width);
        Self { width, windows, sets, copies: windows.div_ceil(sets.max(1)) }
    }

    /// Number of buckets of all sets.
    fn keys(&self) -> u64 {
        u64::from(self.sets) << (self.width - 1)
    }

    fn entries(&self, n: usize) -> u64 {
        (n as u64).saturating_mul(u64::from(self.windows))
    }

    /// Whether the numbers of buckets and entries for `n` scalars are within the limits.
    fn holds(&self, n: usize) -> bool {
        self.keys() <= MOST_KEYS && self.entries(n) < MOST_ENTRIES
    }

    /// The work for `n` scalars, in products of the coordinate field.
    fn work(&self, n: usize, threads: u32) -> u64 {
        let (entries, threads) = (self.entries(n), u64::from(threads));
        // Pieces of a bucket are joined pairwise.
        let pieces = entries / (self.keys() * SHORTEST.max(entries / threads.max(1)));
        let joins = u64::from((2 * pieces + 1).ilog2()) * threads / 2;
        let fans = (0..=MOST_FAN.min(self.width - 1)).map(|fan| Weights { layout: *self, fan });
        let weights = fans.min_by_key(|weights| weights.work(threads));
        let (sums, lists) = weights.map_or((0, 0), |weights| (weights.work(threads), weights.lists()));
        let on_host = u64::from(self.sets * (self.width + lists)) * threads / 2 / HOST_SPEED;
        PRODUCTS[1] * entries.max(threads / 2) + PRODUCTS[0] * (joins + sums + on_host)
    }
}

/// The weighted sums of buckets: nodes of 2^`fan` buckets, and lists of nodes.
#[derive(Clone, Copy, Debug)]
struct Weights {
    layout: Layout,
    fan: u32,
}

impl Weights {
    /// log2 of the number of nodes per set.
    fn bits(&self) -> u32 {
        self.layout.width - 1 - self.fan
    }

    fn nodes(&self) -> u64 {
        u64::from(self.layout.sets) << self.bits()
    }

    /// Number of lists per set: for each bit of a node's number the list of the nodes that have it, and two halves of
    /// the weighted sums. A set of one node has no lists.
    fn lists(&self) -> u32 {
        if self.bits() == 0 { 0 } else { self.bits() + 2 }
    }

    /// Number of sums in all lists.
    fn listed(&self) -> u64 {
        u64::from(self.layout.sets * self.lists()) << self.bits().saturating_sub(1)
    }

    /// Number of additions of buckets and of the sums in lists.
    fn additions(&self) -> u64 {
        2 * self.nodes() * ((1 << self.fan) - 1) + self.listed()
    }

    /// The additions weighted by the time that they take: a step in which only a few threads have an addition counts as
    /// half of one in which all have one.
    fn work(&self, threads: u64) -> u64 {
        let least = threads / 2;
        let steps = u64::from(self.bits().saturating_sub(1));
        2 * ((1 << self.fan) - 1) * self.nodes().max(least) + self.listed() + steps * least
    }
}

/// The plan for a number of scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SumPlan {
    /// Number of scalars.
    pub(super) n: u32,
    /// The windows and sets of buckets.
    pub(super) layout: Layout,
    /// Number of entries per segment.
    pub(super) length: u32,
    /// Number of segments, enough if no digit is zero.
    pub(super) segments: u32,
    /// log2 of the number of buckets per node of the weighted sums.
    pub(super) fan: u32,
    /// log2 of the number of neighbours in a list that a thread adds up in the first step.
    pub(super) list_fan: u32,
}

/// One step of the summation of lists of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// log2 of the number of sums of a list that remain.
    pub(super) rest: u32,
    /// log2 of the number of neighbours that a thread adds up.
    pub(super) fan: u32,
    /// log2 of the number of threads whose sums are then added up.
    pub(super) levels: u32,
}

impl SumPlan {
    /// The plan for scalars of this many bits without precomputed multiples; `None` if there are more digits than a
    /// list can have.
    pub(super) fn new(n: usize, bits: u32, threads: Threads) -> Option<Self> {
        let layout = |width| Layout::new(bits, width, windows(bits, width));
        Self::best(n, threads, (2..=WIDEST).map(layout))
    }

    /// The plan over precomputed multiples; `None` in the same case.
    pub(super) fn over(n: usize, bits: u32, threads: Threads, multiples: Multiples) -> Option<Self> {
        let shift = multiples.shift;
        let sets = (1..=shift / 2).filter(|sets| shift.is_multiple_of(*sets) && shift / sets <= WIDEST);
        Self::best(n, threads, sets.map(|sets| Layout::new(bits, shift / sets, sets)))
    }

    fn best(n: usize, threads: Threads, layouts: impl Iterator<Item = Layout>) -> Option<Self> {
        let holding = layouts.filter(|layout| layout.holds(n));
        let layout = holding.min_by_key(|layout| layout.work(n, threads.common))?;
        let (entries, threads) = (layout.entries(n), u64::from(threads.own.max(1)));
        // Every thread gets the same number of segments: one more for a few threads would take as long as one more for
        // all.
        let threads_in_turns = threads * entries.div_ceil(threads * LONGEST);
        let length = entries.div_ceil(threads_in_turns.max(1)).clamp(SHORTEST, LONGEST);
        let fans = (0..=MOST_FAN.min(layout.width - 1)).map(|fan| Weights { layout, fan });
        let weights = fans.min_by_key(|weights| weights.work(threads))?;
        Some(Self {
            n: u32::try_from(n).ok()?,
            layout,
            length: u32::try_from(length).ok()?,
            segments: u32::try_from(entries.div_ceil(length)).ok()?,
            fan: weights.fan,
            list_fan: (weights.listed() / threads).max(2).ilog2(),
        })
    }

    fn weights(&self) -> Weights {
        Weights { layout: self.layout, fan: self.fan }
    }

    /// The work in products of the coordinate field, by which plans are compared.
    pub(super) fn work(&self, threads: Threads) -> u64 {
        self.layout.work(self.n as usize, threads.common)
    }

    /// The number of mixed additions that take as many products as all additions of the plan, if no digit is zero.
    pub(super) fn additions(&self) -> u64 {
        self.entries() + (u64::from(self.segments) + self.weights().additions()) * PRODUCTS[0] / PRODUCTS[1]
    }

    /// Number of buckets of all sets.
    pub(super) fn keys(&self) -> u32 {
        self.layout.sets << (self.layout.width - 1)
    }

    /// Greatest number of digits that are not zero.
    pub(super) fn entries(&self) -> u64 {
        self.layout.entries(self.n as usize)
    }

    /// The strides of the steps in which the pieces of a bucket are joined, a block of pieces at a time. The last step
    /// has one block.
    pub(super) fn strides(&self) -> Vec<u32> {
        // The first segment does not begin within a bucket.
        let first = (self.segments > 1).then_some(1u32);
        let next = |stride: &u32| (self.segments.div_ceil(*stride) > 1 << LEVELS).then_some(stride << LEVELS);
        core::iter::successors(first, next).collect()
    }

    /// log2 of the number of nodes per set.
    pub(super) fn bits(&self) -> u32 {
        self.weights().bits()
    }

    /// Number of nodes of all sets.
    pub(super) fn nodes(&self) -> u32 {
        self.layout.sets << self.bits()
    }

    /// Number of lists per set; 0 if a set has one node.
    pub(super) fn lists(&self) -> u32 {
        self.weights().lists()
    }

    /// The steps of the summation of the lists, each of which has half of the nodes of a set.
    pub(super) fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        let Some(mut rest) = self.bits().checked_sub(1) else { return steps };
        let mut fan = self.list_fan;
        while rest > 0 || steps.is_empty() {
            fan = fan.min(rest);
            let levels = LEVELS.min(rest - fan);
            rest -= fan + levels;
            steps.push(Step { rest, fan, levels });
            fan = 1;
        }
        steps
    }

    /// The device memory that a sum takes besides bases and scalars, for points and scalars of these sizes in bytes.
    pub(super) fn need(&self, point: u64, scalar: u64) -> Need {
        let (keys, segments) = (u64::from(self.keys()), u64::from(self.segments));
        // Nodes have two sums each; the sums of lists exist together with them or with those of the step before.
        let first = self.steps().first().map_or((0, 0), |step| (step.rest, step.levels));
        let lists = u64::from(self.layout.sets * self.lists()) << first.0;
        Need::new()
            .with_part("digits", u64::from(self.n) * scalar + 8 * self.entries())
            .with_part("buckets", keys * (4 + point))
            .with_part("pieces", segments * (4 + point))
            .with_part("sums", (2 * u64::from(self.nodes()) + (lists << first.1) + 2 * lists) * point)
    }
}

/// The number of windows for scalars of `bits` bits: they cover one bit more, so that the last digit has no carry out.
pub(super) fn windows(bits: u32, width: u32) -> u32 {
    (bits + 1).div_ceil(width)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of an H200 in G1 of BN254 and in G1 of BLS12-381.
    const H200: [Threads; 2] =
        [Threads { common: 132 * 512, own: 132 * 512 }, Threads { common: 132 * 512, own: 132 * 384 }];

    /// Checks the invariants of every plan.
    fn is_whole(plan: &SumPlan, bits: u32) {
        let Layout { width, windows, sets, copies } = plan.layout;
        assert!(windows * width > bits && (windows - 1) * width <= bits);
        // Every window has a set and a multiple, and every multiple has a window.
        assert!(sets * copies >= windows && sets * (copies - 1) < windows, "{plan:?}");
        assert!(u64::from(plan.segments) * u64::from(plan.length) >= plan.entries());
        assert_eq!(plan.nodes() << plan.fan, plan.keys());
        // Every list of half the nodes of a set is reduced to one sum.
        let steps = plan.steps();
        let added = steps.iter().map(|step| step.fan + step.levels).sum::<u32>();
        assert_eq!(added + 1, plan.bits().max(1), "{plan:?}");
        assert!(steps.iter().all(|step| step.levels <= LEVELS));
        assert!(steps.last().is_none_or(|step| step.rest == 0));
        // All pieces are joined: the last step covers all of them.
        let strides = plan.strides();
        assert!(strides.last().is_none_or(|stride| plan.segments.div_ceil(*stride) <= 128), "{strides:?}");
    }

    #[test]
    fn windows_cover_scalars_and_steps_cover_buckets() {
        for n in [1, 2, 7, 100, 5000, 1 << 20, 1 << 24] {
            for (bits, threads) in [(253, H200[0]), (254, H200[0]), (255, H200[1])] {
                let plan = SumPlan::new(n, bits, threads).unwrap();
                assert_eq!((plan.layout.sets, plan.layout.copies), (plan.layout.windows, 1));
                is_whole(&plan, bits);
                for most in [2, 3, 5, 64] {
                    let multiples = Multiples::choose(n, bits, threads, most).unwrap();
                    assert!((2..=most).contains(&multiples.copies));
                    // For any part of the bases that is used.
                    for part in [1, n.div_ceil(100), n] {
                        let plan = SumPlan::over(part, bits, threads, multiples).unwrap();
                        is_whole(&plan, bits);
                        assert_eq!(plan.layout.copies, multiples.copies);
                        assert_eq!(plan.layout.width * plan.layout.sets, multiples.shift);
                    }
                }
            }
        }
        // 2^18 scalars of 255 bits have 5,242,880 digits in windows of 13 bits: two turns of 52 entries, not one of 64
        // and a shorter one.
        let plan = SumPlan::new(1 << 18, 255, H200[1]).unwrap();
        let turns = plan.segments.div_ceil(H200[1].own);
        assert_eq!((plan.layout.width, plan.length, turns), (13, 52, 2));
        assert!(SumPlan::new(1 << 24, 255, H200[1]).unwrap().layout.width > 16);
        assert_eq!(SumPlan::new(1 << 28, 255, H200[1]), None);
        assert_eq!(Multiples::choose(1 << 28, 255, H200[1], 64), None);
        assert_eq!(Multiples::choose(1 << 10, 255, H200[1], 1), None);
    }

    #[test]
    fn pieces_are_joined_in_as_many_steps_as_they_need() {
        let layout = Layout { width: 2, windows: 3, sets: 3, copies: 1 };
        let one = SumPlan { n: 1, layout, length: 4, segments: 1, fan: 1, list_fan: 1 };
        assert!(one.strides().is_empty());
        assert_eq!(SumPlan { segments: 2, ..one }.strides(), [1]);
        assert_eq!(SumPlan { segments: 128, ..one }.strides(), [1]);
        assert_eq!(SumPlan { segments: 129, ..one }.strides(), [1, 128]);
        assert_eq!(SumPlan { segments: 1 << 14, ..one }.strides(), [1, 128]);
        assert_eq!(SumPlan { segments: 1 << 29, ..one }.strides(), [1, 1 << 7, 1 << 14, 1 << 21, 1 << 28]);
    }

    /// One set of buckets where memory allows it, and digits that both groups share.
    #[test]
    fn multiples_save_work() {
        for log_n in [10, 12, 16, 18, 20, 22, 24] {
            let n = 1 << log_n;
            let threads = H200[0];
            let without = SumPlan::new(n, 254, threads).unwrap();
            let mut before = without;
            for most in [2, 4, 64] {
                let multiples = Multiples::choose(n, 254, threads, most).unwrap();
                let plan = SumPlan::over(n, 254, threads, multiples).unwrap();
                assert!(plan.work(threads) <= before.work(threads), "2^{log_n}, {most}");
                before = plan;
                let second = Threads { own: 132 * 256, ..threads };
                assert_eq!(SumPlan::over(n, 254, second, multiples).unwrap().layout, plan.layout);
                assert_eq!(Multiples::choose(n, 254, second, most), Some(multiples));
            }
            assert!(before.layout.sets <= 2 && (log_n < 14 || before.layout.sets == 1), "2^{log_n}");
            assert!(before.additions() < without.additions(), "2^{log_n}");
        }
    }
}
