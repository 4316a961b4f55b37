//! The plan of an MSM on the device: windows and the sets of buckets that they share, halvings and segments of the sorted
//! digits, steps of the weighted sums, and the memory that all of it takes.

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

/// Greatest number of halvings that is chosen by the count of work.
const MOST_HALVINGS: u32 = 4;

/// Greatest number of halvings that can be asked for: buckets end at multiples of a power of two.
pub(super) const MOST_FORCED_HALVINGS: u32 = 8;

/// The work of a pair's sum in a halving, in products: five and a squaring, and the memory traffic of those that a mixed
/// addition does not read, about one more by the rates of an H200.
const PRODUCTS_OF_PAIR: u64 = 7;

/// The time of the inversion of a halving, in products of a chain that few threads compute: some 90 for the chain of division
/// steps, and the rest for the launches of its three kernels.
const PRODUCTS_OF_INVERSION: u64 = 150;

/// A chain of products in few threads takes 1/`CHAIN_SPEED` of the time of as many products in all threads: an estimate from the
/// latency of a product.
const CHAIN_SPEED: u64 = 4;

/// Halvings are chosen if they save at least 1/`LEAST_GAIN` of the work, since their times have not been measured.
const LEAST_GAIN: u64 = 8;

/// Greatest number of pairs whose denominators are inverted together, for enough memory.
pub(super) const MOST_PAIRS: u32 = 1 << 26;

/// What the choice of a plan depends on besides the operands.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlanContext {
    /// The number of threads of the device that is assumed for the choice of windows and halvings.
    pub(super) common: u32,
    /// The number of threads that sum entries in the group.
    pub(super) own: u32,
    /// The number of halvings, if it is not chosen by the count of work.
    pub(super) halvings: Option<u32>,
    /// The least number of scalars for which halvings are chosen by the count of work.
    pub(super) halved_from: usize,
    /// Greatest number of pairs of the first halving whose denominators are inverted together, which bounds its memory.
    pub(super) pairs: u32,
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
    pub(super) fn choose(n: usize, bits: u32, on: PlanContext, most: u32) -> Option<Self> {
        let layouts = (2..=WIDEST).flat_map(|width| {
            let windows = windows(bits, width);
            // Several numbers of multiples may give the same number of sets: the least of them is taken.
            let of = move |copies| Layout::new(bits, width, windows.div_ceil(copies));
            (2..=most.min(windows)).map(of)
        });
        let best = Layout::best(n, on, layouts);
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
    /// log2 of the number of entries whose multiples are the lengths of buckets in the list: zeros fill them up, so that the list
    /// can be halved as often.
    pub(super) halvings: u32,
}

impl Layout {
    fn new(bits: u32, width: u32, sets: u32) -> Self {
        let windows = windows(bits, width);
        Self { width, windows, sets, copies: windows.div_ceil(sets.max(1)), halvings: 0 }
    }

    /// The layout with the least work for `n` scalars, with as many halvings as were asked for, or as pay.
    fn best(n: usize, on: PlanContext, layouts: impl Iterator<Item = Self>) -> Option<Self> {
        let most = on.halvings.unwrap_or(if n < on.halved_from { 0 } else { MOST_HALVINGS });
        let least = on.halvings.unwrap_or(0);
        let padded =
            layouts.flat_map(|layout| (least..=most).map(move |halvings| Self { halvings, ..layout }));
        // Halvings that save little count as no gain.
        let work = |layout: &Self| {
            let work = layout.work(n, on.common);
            if layout.halvings > least { work.saturating_add(work / LEAST_GAIN) } else { work }
        };
        padded.filter(|layout| layout.holds(n)).min_by_key(work)
    }

    /// Number of buckets of all sets.
    fn keys(&self) -> u64 {
        u64::from(self.sets) << (self.width - 1)
    }

    /// Number of digits of `n` scalars.
    fn digits(&self, n: usize) -> u64 {
        (n as u64).saturating_mul(u64::from(self.windows))
    }

    /// Greatest number of entries of the list: digits, and zeros that fill up the buckets that have any.
    fn entries(&self, n: usize) -> u64 {
        let digits = self.digits(n);
        digits.saturating_add(digits.min(self.keys()) * ((1 << self.halvings) - 1))
    }

    /// Whether the numbers of buckets and entries for `n` scalars are within the limits.
    fn holds(&self, n: usize) -> bool {
        self.keys() <= MOST_KEYS && self.entries(n) < MOST_ENTRIES
    }

    /// The work of the sums of all entries, in products: of halvings, with half of the zeros that there are at most, and of
    /// mixed additions.
    fn work_of_entries(&self, n: usize, threads: u64) -> u64 {
        let digits = self.digits(n);
        let mut points = digits / 2 + self.entries(n) / 2;
        let mut work = 0;
        let turns = (points / 2).div_ceil(MOST_PAIRS.into());
        for _ in 0..self.halvings {
            points /= 2;
            work += PRODUCTS_OF_PAIR * points + turns * PRODUCTS_OF_INVERSION * threads / CHAIN_SPEED;
        }
        work + PRODUCTS[1] * points.max(threads / 2)
    }

    /// The work for `n` scalars, in products of the coordinate field.
    fn work(&self, n: usize, threads: u32) -> u64 {
        let (entries, threads) = (self.entries(n) >> self.halvings, u64::from(threads));
        // Pieces of a bucket are joined pairwise.
        let pieces = entries / (self.keys() * SHORTEST.max(entries / threads.max(1)));
        let joins = u64::from((2 * pieces + 1).ilog2()) * threads / 2;
        let fans = (0..=MOST_FAN.min(self.width - 1)).map(|fan| Weights { layout: *self, fan });
        let weights = fans.min_by_key(|weights| weights.work(threads));
        let (sums, lists) = weights.map_or((0, 0), |weights| (weights.work(threads), weights.lists()));
        let on_host = u64::from(self.sets * (self.width + lists)) * threads / 2 / HOST_SPEED;
        self.work_of_entries(n, threads) + PRODUCTS[0] * (joins + sums + on_host)
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

/// What a sum computes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SumCounts {
    /// Number of pairs of each halving.
    pub(crate) pairs: Vec<u64>,
    /// Number of times that the denominators of each halving are inverted.
    pub(crate) batches: u32,
    /// Number of entries that are summed by bucket after that.
    pub(crate) entries: u64,
    /// Number of mixed additions that take as many products as these sums and those of the buckets.
    pub(crate) additions: u64,
}

/// The plan for a number of scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SumPlan {
    /// Number of scalars.
    pub(super) n: u32,
    /// The windows and sets of buckets.
    pub(super) layout: Layout,
    /// Number of times that the list is halved: that of the layout, or none if there is too little memory.
    pub(super) halvings: u32,
    /// Greatest number of points after all halvings that are computed at a time.
    pub(super) together: u32,
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
    pub(super) fn new(n: usize, bits: u32, on: PlanContext) -> Option<Self> {
        let layout = |width| Layout::new(bits, width, windows(bits, width));
        Self::best(n, on, (2..=WIDEST).map(layout))
    }

    /// The plan over precomputed multiples; `None` in the same case.
    pub(super) fn over(n: usize, bits: u32, on: PlanContext, multiples: Multiples) -> Option<Self> {
        let shift = multiples.shift;
        let sets = (1..=shift / 2).filter(|sets| shift.is_multiple_of(*sets) && shift / sets <= WIDEST);
        Self::best(n, on, sets.map(|sets| Layout::new(bits, shift / sets, sets)))
    }

    fn best(n: usize, on: PlanContext, layouts: impl Iterator<Item = Layout>) -> Option<Self> {
        let layout = Layout::best(n, on, layouts)?;
        Self::of(n, on, layout, layout.halvings)
    }

    /// The plan for a layout with a number of halvings.
    fn of(n: usize, on: PlanContext, layout: Layout, halvings: u32) -> Option<Self> {
        let (entries, threads) = (layout.entries(n) >> halvings, u64::from(on.own.max(1)));
        // Every thread gets the same number of segments: one more for a few threads would take as long as one more for
        // all.
        let threads_in_turns = threads * entries.div_ceil(threads * LONGEST);
        let length = entries.div_ceil(threads_in_turns.max(1)).clamp(SHORTEST, LONGEST);
        let fans = (0..=MOST_FAN.min(layout.width - 1)).map(|fan| Weights { layout, fan });
        let weights = fans.min_by_key(|weights| weights.work(threads))?;
        Some(Self {
            n: u32::try_from(n).ok()?,
            layout,
            halvings,
            together: (on.pairs >> halvings.saturating_sub(1)).max(1),
            length: u32::try_from(length).ok()?,
            segments: u32::try_from(entries.div_ceil(length)).ok()?,
            fan: weights.fan,
            list_fan: (weights.listed() / threads).max(2).ilog2(),
        })
    }

    /// The same with the same digits and without halvings, which take memory.
    pub(super) fn without_halvings(self, on: PlanContext) -> Option<Self> {
        Self::of(self.n as usize, on, self.layout, 0)
    }

    fn weights(&self) -> Weights {
        Weights { layout: self.layout, fan: self.fan }
    }

    /// The work in products of the coordinate field, by which plans are compared.
    pub(super) fn work(&self, on: PlanContext) -> u64 {
        self.layout.work(self.n as usize, on.common)
    }

    /// What the plan computes if no digit is zero and buckets end in the middle of what fills them up.
    pub(super) fn counts(&self) -> SumCounts {
        let list = if self.halvings == 0 { self.digits() } else { self.digits() / 2 + self.entries() / 2 };
        let entries = list >> self.halvings;
        let others = PRODUCTS[0] * (u64::from(self.segments) + self.weights().additions()) / PRODUCTS[1];
        let (points, together) = self.halved();
        SumCounts {
            pairs: (1..=self.halvings).map(|level| list >> level).collect(),
            batches: points.div_ceil(together.max(1)),
            entries,
            additions: entries + others,
        }
    }

    /// The number of mixed additions that take as many products as all additions of the plan, if no digit is zero. The sum of a
    /// pair in a halving takes six products.
    pub(super) fn additions(&self) -> u64 {
        let digits = self.layout.digits(self.n as usize);
        let rest = digits >> self.halvings;
        let others =
            PRODUCTS[0] * (u64::from(self.segments) + self.weights().additions()) + 6 * (digits - rest);
        rest + others / PRODUCTS[1]
    }

    /// Number of buckets of all sets.
    pub(super) fn keys(&self) -> u32 {
        self.layout.sets << (self.layout.width - 1)
    }

    /// Greatest number of digits that are not zero.
    pub(super) fn digits(&self) -> u64 {
        self.layout.digits(self.n as usize)
    }

    /// Greatest number of entries of the list.
    pub(super) fn entries(&self) -> u64 {
        self.layout.entries(self.n as usize)
    }

    /// Greatest number of points after all halvings, and how many of them are computed at a time, in equal parts.
    pub(super) fn halved(&self) -> (u32, u32) {
        // There are fewer entries than 2^31.
        let points = (self.entries() >> self.halvings) as u32;
        (points, points.div_ceil(points.div_ceil(self.together).max(1)))
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
        // The points after all halvings; those after each halving before, and a denominator for each pair.
        let halvings = match self.halvings {
            0 => 0,
            more => {
                let (points, together) = self.halved();
                let (points, together) = (u64::from(points), u64::from(together));
                let base = point / 2;
                (points + together * ((1 << more) - 2)) * base + (together << (more - 1)) * base / 2
            }
        };
        Need::new()
            .with_part("digits", u64::from(self.n) * scalar + 4 * (self.digits() + self.entries()))
            .with_part("halvings", halvings)
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

    /// An H200 in G1 of BN254 and in G1 of BLS12-381.
    const H200: [PlanContext; 2] = [
        PlanContext { common: 132 * 512, own: 132 * 512, halvings: None, halved_from: 0, pairs: MOST_PAIRS },
        PlanContext { common: 132 * 512, own: 132 * 384, halvings: None, halved_from: 0, pairs: MOST_PAIRS },
    ];

    /// Checks the invariants of every plan.
    fn is_whole(plan: &SumPlan, bits: u32) {
        let Layout { width, windows, sets, copies, .. } = plan.layout;
        assert!(windows * width > bits && (windows - 1) * width <= bits);
        // Every window has a set and a multiple, and every multiple has a window.
        assert!(sets * copies >= windows && sets * (copies - 1) < windows, "{plan:?}");
        assert!(u64::from(plan.segments) * u64::from(plan.length) >= plan.entries() >> plan.halvings);
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
        let plain = PlanContext { halvings: Some(0), ..H200[1] };
        let plan = SumPlan::new(1 << 18, 255, plain).unwrap();
        let turns = plan.segments.div_ceil(plain.own);
        assert_eq!((plan.layout.width, plan.length, turns), (13, 52, 2));
        assert!(SumPlan::new(1 << 24, 255, H200[1]).unwrap().layout.width > 16);
        assert_eq!(SumPlan::new(1 << 28, 255, H200[1]), None);
        assert_eq!(Multiples::choose(1 << 28, 255, H200[1], 64), None);
        assert_eq!(Multiples::choose(1 << 10, 255, H200[1], 1), None);
    }

    #[test]
    fn pieces_are_joined_in_as_many_steps_as_they_need() {
        let layout = Layout { width: 2, windows: 3, sets: 3, copies: 1, halvings: 0 };
        let one =
            SumPlan { n: 1, layout, halvings: 0, together: 1, length: 4, segments: 1, fan: 1, list_fan: 1 };
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
            let on = PlanContext { halvings: Some(0), ..H200[0] };
            let without = SumPlan::new(n, 254, on).unwrap();
            let mut before = without;
            for most in [2, 4, 64] {
                let multiples = Multiples::choose(n, 254, on, most).unwrap();
                let plan = SumPlan::over(n, 254, on, multiples).unwrap();
                assert!(plan.work(on) <= before.work(on), "2^{log_n}, {most}");
                before = plan;
                let second = PlanContext { own: 132 * 256, ..on };
                assert_eq!(SumPlan::over(n, 254, second, multiples).unwrap().layout, plan.layout);
                assert_eq!(Multiples::choose(n, 254, second, most), Some(multiples));
            }
            assert!(before.layout.sets <= 2 && (log_n < 14 || before.layout.sets == 1), "2^{log_n}");
            assert!(before.additions() < without.additions(), "2^{log_n}");
        }
    }

    /// Long lists are halved, short ones are not; halvings keep the digits of a plan without them.
    #[test]
    fn halvings_save_work_of_long_lists() {
        for (bits, on) in [(254, H200[0]), (255, H200[1])] {
            let plan = |log_n: u32, halvings| {
                SumPlan::new(1 << log_n, bits, PlanContext { halvings, ..on }).unwrap()
            };
            for log_n in [1, 10, 16, 18] {
                assert_eq!(plan(log_n, None).halvings, 0, "2^{log_n}");
            }
            for log_n in [20, 22, 24] {
                let (halved, plain) = (plan(log_n, None), plan(log_n, Some(0)));
                assert!(halved.halvings >= 2, "2^{log_n}");
                let (saved, gain) = (plain.work(on) - halved.work(on), plain.work(on) / LEAST_GAIN);
                assert!(saved > gain && halved.additions() < plain.additions(), "2^{log_n}");
            }
            let late = PlanContext { halved_from: (1 << 22) + 1, ..on };
            let halvings = |log_n: u32| SumPlan::new(1 << log_n, bits, late).unwrap().halvings;
            assert!(halvings(22) == 0 && halvings(23) > 0);
            // Both groups share digits, with multiples too.
            let second = PlanContext { own: 132 * 256, pairs: MOST_PAIRS / 2, ..on };
            for n in [1 << 19, 1 << 20, 1 << 22] {
                let of = |on| SumPlan::new(n, bits, on).unwrap().layout;
                assert_eq!(of(second), of(on));
                let multiples = Multiples::choose(n, bits, on, 64).unwrap();
                assert_eq!(Multiples::choose(n, bits, second, 64), Some(multiples));
                let over = |on| SumPlan::over(n, bits, on, multiples).unwrap().layout;
                assert_eq!(over(second), over(on));
            }
            for halvings in [1, 3, MOST_FORCED_HALVINGS] {
                for n in [0, 1, 2, 9, 1 << 10, 1 << 24] {
                    let on = PlanContext { halvings: Some(halvings), ..on };
                    let plan = SumPlan::new(n, bits, on).unwrap();
                    assert_eq!((plan.halvings, plan.layout.halvings), (halvings, halvings));
                    // Places for digits and for what fills up buckets: a multiple in each.
                    let filled = plan.digits().min(u64::from(plan.keys())) << halvings;
                    assert!(plan.entries() >= filled && plan.entries() >= plan.digits());
                    // All points are computed, and no more than are inverted together.
                    let (points, together) = plan.halved();
                    assert_eq!(u64::from(points), plan.entries() >> halvings);
                    assert!(points == 0 || together > 0);
                    assert!(u64::from(together) << (halvings - 1) <= u64::from(MOST_PAIRS), "{n}");
                    assert!(u64::from(plan.segments) * u64::from(plan.length) >= u64::from(points));
                    let without = plan.without_halvings(on).unwrap();
                    assert_eq!((without.layout, without.halvings), (plan.layout, 0));
                    assert!(without.need(192, 32).bytes() <= plan.need(192, 32).bytes());
                    is_whole(&without, bits);
                }
            }
        }
    }
}
