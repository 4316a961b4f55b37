//! The kernels of an MSM: the sort of its digits, which is the same for all fields, and the sums of a group's points.

use super::plan::{Layout, Multiples, Step, SumPlan};
use super::texts::{POINT_THREADS, PointsText, Prime, inverting, one};
use crate::device::Gpu;
use crate::elements::words_of_coordinate;
use crate::error::GpuError;
use crate::launch::{Arg, Kernel, Shape};
use crate::memory::Words;
use crate::workshop::Setup;
use pairwright_curve::Curve;
use pairwright_field::PrimeField;
use pairwright_moma::program::print::Dialect;

/// Threads per block of the sort.
const SORT_THREADS: u32 = 256;
/// Numbers per thread of the scan.
const ITEMS: u32 = 8;

/// The number of 64-bit words that hold this many numbers of 32 bits.
fn words_of_numbers(numbers: u64) -> usize {
    usize::try_from(numbers.div_ceil(2)).unwrap_or(usize::MAX)
}

/// The kernels that sort digits by bucket.
#[derive(Debug)]
pub(super) struct Sort {
    count_digits: Kernel,
    place_digits: Kernel,
    scan: Kernel,
    add_before: Kernel,
}

/// The digits in the order of their buckets.
#[derive(Debug)]
pub(super) struct Sorted {
    /// The start of each bucket in the list, a number of 32 bits per key, and the end of the last one.
    pub(super) begins: Words,
    /// The entries: the index of a base or multiple plus one, below 2^31, and in the highest bit the sign of the digit; 0
    /// for an entry that only fills up its bucket.
    pub(super) list: Words,
}

/// The text of the kernels of the sort.
pub(super) fn sort_text(dialect: Dialect) -> String {
    let constants = format!("enum {{ THREADS = {SORT_THREADS}, ITEMS = {ITEMS} }};\n");
    [&dialect.words(), include_str!("digits.cu"), &constants, include_str!("sort.cu")].concat()
}

impl Sort {
    pub(super) fn new(setup: &Setup) -> Result<Self, GpuError> {
        let module = setup.module("msm_sort", &sort_text(setup.dialect()))?;
        Ok(Self {
            count_digits: module.kernel("count_digits")?,
            place_digits: module.kernel("place_digits")?,
            scan: module.kernel("scan")?,
            add_before: module.kernel("add_before")?,
        })
    }

    /// Sorts the digits of `plan.n` integers of `words` 32-bit words.
    pub(super) fn run(
        &self,
        gpu: &Gpu,
        plan: &SumPlan,
        integers: &Words,
        words: u32,
    ) -> Result<Sorted, GpuError> {
        let SumPlan { n, layout: Layout { width, windows, sets, copies, halvings }, .. } = *plan;
        let keys = plan.keys();
        let mut begins = Words::zeros(gpu, words_of_numbers(u64::from(keys) + 1))?;
        let list = words_of_numbers(plan.entries());
        let mut list = if halvings > 0 { Words::zeros(gpu, list)? } else { Words::uninitialised(gpu, list)? };
        let mut ranks = Words::uninitialised(gpu, words_of_numbers(plan.digits()))?;
        let shape = Shape::flat(n.div_ceil(SORT_THREADS), SORT_THREADS);
        let sizes = [n, words, width, windows, sets];
        let mut arguments: Vec<Arg<'_>> = sizes.map(Arg::U32).into();
        arguments.extend([Arg::Read(integers), Arg::Write(&mut begins), Arg::Write(&mut ranks)]);
        // SAFETY: there are `n` integers of `words` words, a count for every key of these sets, and a rank for every digit.
        unsafe { self.count_digits.launch(&shape, &mut arguments)? };
        self.sums_before(gpu, keys + 1, 1 << halvings, &mut begins)?;
        let mut arguments: Vec<Arg<'_>> = sizes.into_iter().chain([copies]).map(Arg::U32).collect();
        arguments.extend([Arg::Read(integers), Arg::Read(&begins), Arg::Read(&ranks), Arg::Write(&mut list)]);
        // SAFETY: as above; the list has a place for every digit.
        unsafe { self.place_digits.launch(&shape, &mut arguments)? };
        Ok(Sorted { begins, list })
    }

    /// Replaces each of `n` numbers by the sum of those before it (exclusive prefix sum), each rounded up to a multiple of
    /// `unit`.
    fn sums_before(&self, gpu: &Gpu, n: u32, unit: u32, data: &mut Words) -> Result<(), GpuError> {
        let pieces = n.div_ceil(SORT_THREADS * ITEMS);
        let mut sums = Words::uninitialised(gpu, words_of_numbers(pieces.into()))?;
        // SAFETY: there are `n` numbers, and a sum for each piece of them.
        unsafe {
            let mut arguments = [Arg::U32(n), Arg::U32(unit), Arg::Write(data), Arg::Write(&mut sums)];
            let shape = Shape { shared: 8 * SORT_THREADS, ..Shape::flat(pieces, SORT_THREADS) };
            self.scan.launch(&shape, &mut arguments)?;
        }
        if pieces == 1 {
            return Ok(());
        }
        self.sums_before(gpu, pieces, 1, &mut sums)?;
        // SAFETY: as above.
        unsafe {
            let mut arguments = [Arg::U32(n), Arg::Write(data), Arg::Read(&sums)];
            self.add_before.launch(&Shape::flat(n.div_ceil(SORT_THREADS), SORT_THREADS), &mut arguments)
        }
    }
}

/// The kernels that add points of a group.
#[derive(Debug)]
pub(super) struct Points {
    sum_entries: Kernel,
    sum_pieces: Kernel,
    weigh: Kernel,
    sum_lists: Kernel,
    /// The constants of the coordinate field.
    constants: Vec<u8>,
    /// The element one in Montgomery form, as bytes.
    one: Vec<u8>,
    /// Number of 64-bit words of an XYZZ point.
    point: usize,
}

impl Points {
    /// The kernels of a group; `None` if they do not support its coordinate field.
    pub(super) fn new<C: Curve>(setup: &Setup) -> Result<Option<Self>, GpuError> {
        let tuning = setup.field_tuning(Prime::<C>::BITS);
        let Some(text) = PointsText::of::<C>(tuning)? else { return Ok(None) };
        let module = setup.module("msm_sums", &text.sums)?;
        Ok(Some(Self {
            sum_entries: module.kernel("sum_entries")?,
            sum_pieces: module.kernel("sum_pieces")?,
            weigh: module.kernel("weigh")?,
            sum_lists: module.kernel("sum_lists")?,
            constants: text.constants,
            one: one::<C>(),
            point: 4 * words_of_coordinate::<C>(),
        }))
    }

    fn shape(threads: u32) -> Shape {
        Shape::flat(threads.div_ceil(POINT_THREADS), POINT_THREADS)
    }

    /// Computes the sums of all lists of all sets, set after set, from sorted digits; `points[first]` is the first base, or
    /// the points are the list after the plan's halvings.
    /// For each bit of a node's number the lists give the sum of the nodes that have the bit set, and then the weighted
    /// sums of both halves; a set of one node has only a weighted sum. Each part of the work is run by `part`, with its
    /// name, one after the other.
    pub(super) fn run(
        &self,
        gpu: &Gpu,
        plan: &SumPlan,
        digits: &Sorted,
        points: &Words,
        first: u32,
        part: &mut Parts<'_>,
    ) -> Result<Words, GpuError> {
        // All coordinates zero is the point at infinity.
        let mut buckets = Words::zeros(gpu, plan.keys() as usize * self.point)?;
        let mut pieces = Words::uninitialised(gpu, plan.segments as usize * self.point)?;
        let mut owners = Words::uninitialised(gpu, words_of_numbers(plan.segments.into()))?;
        part("entries", &mut || {
            let sums = [&mut buckets, &mut pieces, &mut owners];
            self.sum_entries(plan, digits, (points, first), sums)
        })?;
        part("pieces", &mut || self.join_pieces(plan, digits, &owners, [&mut buckets, &mut pieces]))?;
        drop(pieces);
        let mut sums = Words::uninitialised(gpu, plan.nodes() as usize * 2 * self.point)?;
        part("buckets", &mut || {
            let mut arguments = vec![Arg::U32(plan.nodes()), Arg::U32(plan.fan), Arg::Read(&buckets)];
            arguments.extend([Arg::Write(&mut sums), Arg::Bytes(&self.constants)]);
            // SAFETY: there are `nodes << fan` buckets, and room for two sums a node.
            unsafe { self.weigh.launch(&Self::shape(plan.nodes()), &mut arguments) }
        })?;
        drop(buckets);
        part("lists", &mut || self.sum_lists(gpu, plan, &mut sums))?;
        Ok(sums)
    }

    /// Replaces the sums of nodes by the sums of lists.
    fn sum_lists(&self, gpu: &Gpu, plan: &SumPlan, sums: &mut Words) -> Result<(), GpuError> {
        let (lists, nodes) = (plan.layout.sets * plan.lists(), plan.nodes());
        let mut bits = plan.bits();
        for Step { rest, fan, levels } in plan.steps() {
            let left = lists << rest;
            let threads = left << levels;
            let mut work = Words::uninitialised(gpu, threads as usize * self.point)?;
            let mut next = Words::uninitialised(gpu, left as usize * self.point)?;
            let mut arguments: Vec<Arg<'_>> = [left, rest, fan, levels, bits, nodes].map(Arg::U32).into();
            arguments.extend([Arg::Read(&*sums), Arg::Write(&mut work), Arg::Write(&mut next)]);
            arguments.push(Arg::Bytes(&self.constants));
            // SAFETY: the first step reads the two sums of each node, and every later one `threads << fan` sums of the step
            // before it; there is room for `left`, and in `work` for one a thread.
            unsafe { self.sum_lists.launch(&Self::shape(threads), &mut arguments)? };
            (*sums, bits) = (next, 0);
        }
        Ok(())
    }

    /// Sums entries by segments: into buckets, and into pieces of buckets with the owner of each piece.
    fn sum_entries(
        &self,
        plan: &SumPlan,
        digits: &Sorted,
        (points, first): (&Words, u32),
        [buckets, pieces, owners]: [&mut Words; 3],
    ) -> Result<(), GpuError> {
        let mut arguments: Vec<Arg<'_>> =
            [plan.segments, plan.length, plan.keys(), plan.halvings, first].map(Arg::U32).into();
        arguments.extend([Arg::Read(&digits.begins), Arg::Read(&digits.list), Arg::Read(points)]);
        arguments.extend([Arg::Write(buckets), Arg::Write(pieces), Arg::Write(owners)]);
        arguments.extend([Arg::Bytes(&self.constants), Arg::Bytes(&self.one)]);
        // SAFETY: begins and list belong to these keys, entries name multiples of bases behind the first one that the caller
        // has, or there is a point for each 2^`halvings` of them, and there is a bucket a key, a piece and an owner a segment.
        unsafe { self.sum_entries.launch(&Self::shape(plan.segments), &mut arguments) }
    }

    /// Adds the pieces of buckets to their buckets.
    fn join_pieces(
        &self,
        plan: &SumPlan,
        digits: &Sorted,
        owners: &Words,
        [buckets, pieces]: [&mut Words; 2],
    ) -> Result<(), GpuError> {
        for stride in plan.strides() {
            let mut arguments: Vec<Arg<'_>> =
                [plan.segments, plan.length, plan.keys(), plan.halvings, stride].map(Arg::U32).into();
            arguments.extend([Arg::Read(&digits.begins), Arg::Read(owners)]);
            arguments.extend([Arg::Write(buckets), Arg::Write(pieces), Arg::Bytes(&self.constants)]);
            let shape = Self::shape(plan.segments.div_ceil(stride));
            // SAFETY: as above; pieces are those of the step before.
            unsafe { self.sum_pieces.launch(&shape, &mut arguments)? };
        }
        Ok(())
    }
}

/// A function that runs the parts of a sum; it gets their names.
pub(super) type Parts<'a> =
    dyn FnMut(&'static str, &mut dyn FnMut() -> Result<(), GpuError>) -> Result<(), GpuError> + 'a;

/// Runs a part without measuring it.
pub(super) fn untimed(
    _: &'static str,
    part: &mut dyn FnMut() -> Result<(), GpuError>,
) -> Result<(), GpuError> {
    part()
}

/// The kernel of precomputed multiples of bases.
#[derive(Debug)]
pub(super) struct Precompute {
    kernel: Kernel,
    constants: Vec<u8>,
    one: Vec<u8>,
    /// What inversions take.
    inverting: [Vec<u8>; 2],
    coordinate: usize,
}

impl Precompute {
    /// The kernel for a group; `None` if it does not support the coordinate field.
    pub(super) fn new<C: Curve>(setup: &Setup) -> Result<Option<Self>, GpuError> {
        let tuning = setup.field_tuning(Prime::<C>::BITS);
        let Some(text) = PointsText::of::<C>(tuning)? else { return Ok(None) };
        let kernel = setup.module("msm_precompute", &text.precompute)?.kernel("precompute")?;
        let (inverting, coordinate) = (inverting::<C>(), words_of_coordinate::<C>());
        Ok(Some(Self { kernel, constants: text.constants, one: one::<C>(), inverting, coordinate }))
    }

    /// Computes the multiples of `n` bases by the powers of 2^`shift`, `copies` for each base, one base after the
    /// other, for `range` bases at a time.
    pub(super) fn run(
        &self,
        gpu: &Gpu,
        bases: &Words,
        n: u32,
        Multiples { copies, shift }: Multiples,
        range: u32,
    ) -> Result<Words, GpuError> {
        let each = 2 * self.coordinate;
        let mut table = Words::uninitialised(gpu, n as usize * copies as usize * each)?;
        let mut work = Words::uninitialised(gpu, range.min(n) as usize * (copies as usize - 1) * each)?;
        for first in (0..n).step_by(range as usize) {
            let count = range.min(n - first);
            let mut arguments: Vec<Arg<'_>> = [count, first, copies, shift].map(Arg::U32).into();
            arguments.extend([Arg::Read(bases), Arg::Write(&mut table), Arg::Write(&mut work)]);
            let [modulus, square] = &self.inverting;
            arguments.extend([&self.constants, &self.one, modulus, square].map(|bytes| Arg::Bytes(bytes)));
            // SAFETY: there are `n` bases and room for `copies` of each, and for two coordinates of each multiple of the range
            // but the first.
            unsafe { self.kernel.launch(&Points::shape(count), &mut arguments)? };
        }
        Ok(table)
    }
}

/// The kernel that multiplies one base by many integers.
#[derive(Debug)]
pub(super) struct MultiplesKernel {
    kernel: Kernel,
    constants: Vec<u8>,
    one: Vec<u8>,
    point: usize,
}

impl MultiplesKernel {
    /// The kernel for a group; `None` if it does not support the coordinate field.
    pub(super) fn new<C: Curve>(setup: &Setup) -> Result<Option<Self>, GpuError> {
        let tuning = setup.field_tuning(Prime::<C>::BITS);
        let Some(text) = PointsText::of::<C>(tuning)? else { return Ok(None) };
        let kernel = setup.module("msm_multiples", &text.multiples)?.kernel("multiples")?;
        let point = 4 * words_of_coordinate::<C>();
        Ok(Some(Self { kernel, constants: text.constants, one: one::<C>(), point }))
    }

    /// Computes the multiples of one base by `n` integers of `words` 32-bit words, as XYZZ points. The table has
    /// `d 2^(w width) base` at `w 2^(width - 1) + d - 1`, for each of the windows.
    pub(super) fn run(
        &self,
        gpu: &Gpu,
        n: u32,
        integers: &Words,
        words: u32,
        (width, windows, table): (u32, u32, &Words),
    ) -> Result<Words, GpuError> {
        let mut out = Words::uninitialised(gpu, n as usize * self.point)?;
        let sizes = [n, words, width, windows].map(Arg::U32);
        let buffers = [Arg::Read(integers), Arg::Read(table), Arg::Write(&mut out)];
        let values = [Arg::Bytes(&self.constants), Arg::Bytes(&self.one)];
        let mut arguments: Vec<Arg<'_>> = sizes.into_iter().chain(buffers).chain(values).collect();
        // SAFETY: there are `n` integers of `words` words and room for as many points, and the table has an entry for every
        // digit of every window.
        unsafe { self.kernel.launch(&Points::shape(n), &mut arguments)? };
        Ok(out)
    }
}
