//! The kernels of an MSM: the sort of its digits, which knows no field, and the sums of the points of a group.

use crate::device::Gpu;
use crate::elements::words_of_coordinate;
use crate::error::GpuError;
use crate::family::{Family, FieldTuning, modulus_of};
use crate::formulas::{self, CoordinateField};
use crate::launch::{Arg, Kernel, Shape};
use crate::memory::Words;
use crate::workshop::Setup;
use pairwright_curve::Curve;
use pairwright_field::{Extension, Field, PrimeField};
use pairwright_moma::program::print::{Dialect, device_formula, head};
use std::fmt::Write as _;

use super::plan::{Plan, Step};

/// Threads of a block of the sort.
const SORT_THREADS: u32 = 256;
/// Numbers of a thread of the scan.
const ITEMS: u32 = 8;
/// Threads of a block of the sums of points.
const POINT_THREADS: u32 = 128;
/// Pieces of a bucket that are joined in a step.
const FAN: u32 = 8;

/// Words of 64 bits in which so many numbers of 32 bits lie.
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

/// Digits in the order of their buckets.
#[derive(Debug)]
pub(super) struct Sorted {
    /// Where the buckets end in the list, a number of 32 bits a key.
    ends: Words,
    /// The entries: an index below 2^31, and in the highest bit whether the digit is negative.
    list: Words,
}

/// The text of the sort.
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
        plan: &Plan,
        integers: &Words,
        words: u32,
    ) -> Result<Sorted, GpuError> {
        let Plan { n, width, windows, .. } = *plan;
        let keys = plan.keys();
        let mut ends = Words::zeros(gpu, words_of_numbers(keys.into()))?;
        let mut list = Words::unset(gpu, words_of_numbers(plan.entries()))?;
        let shape = Shape::flat(n.div_ceil(SORT_THREADS), SORT_THREADS);
        let sizes = || [n, words, width, windows].map(Arg::U32);
        let [a, b, c, d] = sizes();
        // SAFETY: there are `n` integers of `words` words, and a count for every key of these windows.
        unsafe {
            let mut arguments = [a, b, c, d, Arg::Read(integers), Arg::Write(&mut ends)];
            self.count_digits.launch(&shape, &mut arguments)?;
        }
        self.sums_before(gpu, keys, &mut ends)?;
        let [a, b, c, d] = sizes();
        // SAFETY: as above; the list has a place for every digit.
        unsafe {
            let mut arguments =
                [a, b, c, d, Arg::Read(integers), Arg::Write(&mut ends), Arg::Write(&mut list)];
            self.place_digits.launch(&shape, &mut arguments)?;
        }
        Ok(Sorted { ends, list })
    }

    /// Replaces each of `n` numbers by the sum of those before it.
    fn sums_before(&self, gpu: &Gpu, n: u32, data: &mut Words) -> Result<(), GpuError> {
        let pieces = n.div_ceil(SORT_THREADS * ITEMS);
        let mut sums = Words::unset(gpu, words_of_numbers(pieces.into()))?;
        // SAFETY: there are `n` numbers, and a sum for each piece of them.
        unsafe {
            let mut arguments = [Arg::U32(n), Arg::Write(data), Arg::Write(&mut sums)];
            let shape = Shape { shared: 8 * SORT_THREADS, ..Shape::flat(pieces, SORT_THREADS) };
            self.scan.launch(&shape, &mut arguments)?;
        }
        if pieces == 1 {
            return Ok(());
        }
        self.sums_before(gpu, pieces, &mut sums)?;
        // SAFETY: as above.
        unsafe {
            let mut arguments = [Arg::U32(n), Arg::Write(data), Arg::Read(&sums)];
            self.add_before.launch(&Shape::flat(n.div_ceil(SORT_THREADS), SORT_THREADS), &mut arguments)
        }
    }
}

/// The prime field of a group's coordinates.
type Prime<C> = <<C as Curve>::Base as Extension>::Prime;

/// The element one as the kernels have it.
fn one<C: Curve>() -> Vec<u8> {
    let one = Prime::<C>::ONE.to_montgomery();
    one.as_ref().iter().flat_map(|limb| limb.to_le_bytes()).collect()
}

/// Blocks of the sums of entries that a multiprocessor runs at one time, at least: as many as leave registers for a point and
/// the intermediate values of an addition, with few spills.
fn resident<C: Curve>() -> u32 {
    match words_of_coordinate::<C>() {
        0..=4 => 4,
        5..=6 => 3,
        _ => 2,
    }
}

/// Threads of a multiprocessor that sum entries at one time.
pub(super) fn threads<C: Curve>() -> u32 {
    resident::<C>() * POINT_THREADS
}

/// The kernels that add points of a group.
#[derive(Debug)]
pub(super) struct Points {
    sum_entries: Kernel,
    sum_pieces: Kernel,
    weigh: Kernel,
    sum_lists: Kernel,
    /// The constants of the coordinates' field.
    constants: Vec<u8>,
    /// The element one as the kernels have it.
    one: Vec<u8>,
    /// 64-bit words of an XYZZ point.
    point: usize,
}

/// The texts of a group's kernels, and the constants of the field of its coordinates.
#[derive(Debug)]
pub(super) struct PointsText {
    /// The kernels of MSMs.
    pub(super) sums: String,
    /// The kernel of multiples of one base.
    pub(super) multiples: String,
    constants: Vec<u8>,
}

impl PointsText {
    /// `None` where the group's coordinates have no formulas here.
    ///
    /// # Errors
    /// [`GpuError::Kernel`] where there are no kernels for the field.
    pub(super) fn of<C: Curve>(tuning: FieldTuning) -> Result<Option<Self>, GpuError> {
        let Some(field) = formulas::field_of::<C>() else { return Ok(None) };
        let family = Family::of::<Prime<C>>(tuning)?;
        let mut additions = head(family.element(), family.code(), family.dialect());
        // Writing to a string does not fail.
        let _ = writeln!(
            additions,
            "\nenum {{ DEGREE = {}, COORDINATE = DEGREE * WORDS, THREADS = {POINT_THREADS}, RESIDENT = {}, FAN = {FAN} }};",
            C::Base::DEGREE,
            resident::<C>()
        );
        let prefix = match field {
            CoordinateField::Prime => "pw",
            CoordinateField::Quadratic(non_residue) => {
                let _ = writeln!(additions, "enum {{ NON_RESIDUE = {non_residue} }};\n");
                additions += include_str!("quadratic.cu");
                "pw2"
            }
        };
        additions.extend(formulas::all().iter().map(|formula| device_formula(formula, prefix, "COORDINATE")));
        additions = additions + "\n" + include_str!("points.cu");
        let multiples =
            [additions.as_str(), include_str!("digits.cu"), include_str!("multiples.cu")].concat();
        let sums = additions + include_str!("sums.cu");
        Ok(Some(Self { sums, multiples, constants: family.constants(&modulus_of::<Prime<C>>())? }))
    }
}

impl Points {
    /// The kernels of a group; `None` where its coordinates have no formulas here.
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

    /// The sums of a window's lists from sorted digits of bases, of which the first is `bases[first]`, window after window:
    /// for each bit of the numbers of nodes the sum of the nodes that have it, then the weighted sums of both halves; of a
    /// window with one node its weighted sum alone.
    pub(super) fn run(
        &self,
        gpu: &Gpu,
        plan: &Plan,
        digits: &Sorted,
        bases: &Words,
        first: u32,
    ) -> Result<Words, GpuError> {
        let keys = plan.keys();
        // Zeros are infinity.
        let mut buckets = Words::zeros(gpu, keys as usize * self.point)?;
        self.fill(gpu, plan, digits, bases, first, &mut buckets)?;
        let nodes = plan.nodes();
        let mut sums = Words::unset(gpu, nodes as usize * 2 * self.point)?;
        let mut arguments = vec![Arg::U32(nodes), Arg::U32(plan.fan), Arg::Read(&buckets)];
        arguments.extend([Arg::Write(&mut sums), Arg::Bytes(&self.constants)]);
        // SAFETY: there are `nodes << fan` buckets, and room for two sums a node.
        unsafe { self.weigh.launch(&Self::shape(nodes), &mut arguments)? };
        drop(buckets);
        let lists = plan.windows * plan.lists();
        let mut bits = plan.bits();
        for Step { rest, fan } in plan.steps() {
            let left = lists << rest;
            let mut next = Words::unset(gpu, left as usize * self.point)?;
            let mut arguments: Vec<Arg<'_>> = [left, rest, fan, bits, nodes].map(Arg::U32).into();
            arguments.extend([Arg::Read(&sums), Arg::Write(&mut next), Arg::Bytes(&self.constants)]);
            // SAFETY: the first step reads the two sums of each node, and every later one `left << fan` sums of the step before
            // it; there is room for `left`.
            unsafe { self.sum_lists.launch(&Self::shape(left), &mut arguments)? };
            (sums, bits) = (next, 0);
        }
        Ok(sums)
    }

    /// Sums the entries of every bucket.
    fn fill(
        &self,
        gpu: &Gpu,
        plan: &Plan,
        digits: &Sorted,
        bases: &Words,
        first: u32,
        buckets: &mut Words,
    ) -> Result<(), GpuError> {
        let Plan { segments, length, .. } = *plan;
        let keys = plan.keys();
        let mut pieces = Words::unset(gpu, segments as usize * self.point)?;
        let mut owners = Words::unset(gpu, words_of_numbers(segments.into()))?;
        let shape = Self::shape(segments);
        let mut arguments = vec![Arg::U32(segments), Arg::U32(length), Arg::U32(keys), Arg::U32(first)];
        arguments.extend([Arg::Read(&digits.ends), Arg::Read(&digits.list), Arg::Read(bases)]);
        arguments.extend([Arg::Write(buckets), Arg::Write(&mut pieces), Arg::Write(&mut owners)]);
        arguments.extend([Arg::Bytes(&self.constants), Arg::Bytes(&self.one)]);
        // SAFETY: ends and list belong to these keys, entries name bases behind the first one that the caller has, and
        // there is a bucket a key, a piece and an owner a segment.
        unsafe { self.sum_entries.launch(&shape, &mut arguments)? };
        let strides = plan.strides(FAN);
        for (at, stride) in strides.iter().enumerate() {
            let last = u32::from(at + 1 == strides.len());
            let mut arguments: Vec<Arg<'_>> =
                [segments, length, keys, *stride, last].into_iter().map(Arg::U32).collect();
            arguments.extend([Arg::Read(&digits.ends), Arg::Read(&owners)]);
            arguments.extend([Arg::Write(buckets), Arg::Write(&mut pieces), Arg::Bytes(&self.constants)]);
            // SAFETY: as above; pieces are those of the step before.
            unsafe { self.sum_pieces.launch(&shape, &mut arguments)? };
        }
        Ok(())
    }
}

/// The kernel that multiplies one base by many integers.
#[derive(Debug)]
pub(super) struct Multiples {
    kernel: Kernel,
    constants: Vec<u8>,
    one: Vec<u8>,
    point: usize,
}

impl Multiples {
    /// The kernel of a group; `None` where its coordinates have no formulas here.
    pub(super) fn new<C: Curve>(setup: &Setup) -> Result<Option<Self>, GpuError> {
        let tuning = setup.field_tuning(Prime::<C>::BITS);
        let Some(text) = PointsText::of::<C>(tuning)? else { return Ok(None) };
        let kernel = setup.module("msm_multiples", &text.multiples)?.kernel("multiples")?;
        let point = 4 * words_of_coordinate::<C>();
        Ok(Some(Self { kernel, constants: text.constants, one: one::<C>(), point }))
    }

    /// The multiples by `n` integers of `words` 32-bit words, as XYZZ points. The table has
    /// `d 2^(w width) base` at `w 2^(width - 1) + d - 1`, for each of the windows.
    pub(super) fn run(
        &self,
        gpu: &Gpu,
        n: u32,
        integers: &Words,
        words: u32,
        (width, windows, table): (u32, u32, &Words),
    ) -> Result<Words, GpuError> {
        let mut out = Words::unset(gpu, n as usize * self.point)?;
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
