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

/// Where their times have not been measured, halvings are chosen if they save at least 1/`LEAST_GAIN` of the work.
const LEAST_GAIN: u64 = 8;

/// Least number of pairs of a thread of a halving, whose product of denominators takes part in another inversion.
pub(super) const LEAST_PAIRS: u32 = 8;

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
    /// The least number of scalars for which sums with halvings are faster, if that was measured.
    pub(super) halved_from: Option<usize>,
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
        let (least, most) = match (on.halvings, on.halved_from) {
            (Some(halvings), _) => (halvings, halvings),
            (None, Some(from)) if n < from => (0, 0),
            (None, from) => (u32::from(from.is_some()), MOST_HALVINGS),
        };
        let padded =
            layouts.flat_map(|layout| (least..=most).map(move |halvings| Self { halvings, ..layout }));
        let work = |layout: &Self| {
            let work = layout.work(n, on.common);
            let may_gain = least == 0 && layout.halvings > 0;
            if may_gain { work.saturating_add(work / LEAST_GAIN) } else { work }
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
                // Threads have a product of all their denominators each, and a place for its inversion.
                let of_pair = base / 2 + base / u64::from(LEAST_PAIRS);
                (points + together * ((1 << more) - 2)) * base + (together << (more - 1)) * of_pair
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
mod tests;
