//! Multi-scalar multiplications on the device (bucket method, in three steps):
//!
//! 1. The signed digits of all windows are sorted by bucket. Long lists are halved a few times: neighbours are replaced
//!    by their affine sums, with one inversion for all slopes.
//! 2. The points of the buckets are summed in registers, by segments of the sorted digits and not by bucket, so that
//!    one bucket with most of the points takes no longer than many with few.
//! 3. Weighted sums of a few buckets each are formed, and these sums are added up by the bits of their numbers. A point
//!    for each bit and set of buckets is copied to the host, which doubles and adds.
//!
//! Every window has its own set of buckets, or shares a set with others if there are precomputed multiples of the
//! bases.
//!
//! Zero digits are not sorted: a witness of zeros and ones costs a fraction of an addition per scalar. Bases and
//! scalars stay on the device with their buffers, as the operands of other operators do.

mod halving;
mod kernels;
mod multiples;
mod plan;
mod precomputed;
mod route;
mod texts;

use crate::device::Gpu;
use crate::driver::SideWork;
use crate::elements::{unpack_points, words_in, words_in_points, words_of, words_of_coordinate};
use crate::error::GpuError;
use crate::family::FieldTuning;
use crate::launch::Arg;
use crate::memory::Words;
use crate::workshop::{Loaded, Workshop};
use core::ops::Range;
use halving::Halving;
use kernels::{MultiplesKernel, Parts, Points, Precompute, Sort, Sorted, untimed};
use pairwright_curve::{Affine, Curve, Jacobian};
use pairwright_device::{Deferred, DeviceError, Done, MsmOp, OpCount, Traffic, Transfer, once, same_length};
use pairwright_field::PrimeField;
use pairwright_moma::program::lang::Body;
use pairwright_moma::program::{
    Access, ArrayKernel, Buffer, BufferKind, Element, ElementPlace, Ix, Launch, Reg, Role,
};
use pairwright_poly::{Buf, View};
pub(crate) use plan::SumCounts;
use plan::{COMMON_THREADS, Layout, MOST_PAIRS, PlanContext, SumPlan};
pub use precomputed::Precomputation;
use precomputed::{PrecomputeCost, Precomputed};
use route::{KEPT_FREE, Route};
use std::sync::{Arc, OnceLock};
use std::time::Instant;
use texts::PointsText;

/// Threads per block of the kernel that converts scalars to integers.
const THREADS: u32 = 128;

/// The multi-scalar multiplications and the multiples of one base in one group on a device; kernels are compiled at
/// their first use. Operands that do not fit on the device are copied there in ranges. The host computes in groups
/// whose coordinate field the kernels do not support.
pub struct Msm<C: Curve> {
    workshop: Arc<Workshop<C::Scalar>>,
    host: Arc<dyn MsmOp<C>>,
    kernels: OnceLock<Option<MsmKernels>>,
    halving: OnceLock<Option<Arc<Halving>>>,
    of_one_base: OnceLock<Option<MultiplesKernel>>,
    precompute: OnceLock<Option<Precompute>>,
}

/// Counts for a sum of `n` scalars of `bits` bits without zero digits and without precomputed multiples, on a device
/// that sums with `own` threads and has memory for halvings; their number is given, or chosen by the count of work. `None`
/// for more digits than a list can have.
pub(crate) fn counts(
    n: usize,
    bits: u32,
    multiprocessors: u32,
    own: u32,
    halvings: Option<u32>,
) -> Option<SumCounts> {
    let common = multiprocessors * COMMON_THREADS;
    let on = PlanContext { common, own, halvings, halved_from: None, pairs: MOST_PAIRS };
    Some(SumPlan::new(n, bits, on)?.counts())
}

/// The texts of the kernels that work on a group needs besides those of its scalar field, by name: the sort of digits
/// and, if the kernels support the group's coordinate field, the sums of points, halvings, the multiples of one base and the
/// precomputed multiples.
///
/// # Errors
/// [`GpuError::Kernel`] where there are no kernels for the field.
pub fn msm_texts<C: Curve>(tuning: FieldTuning) -> Result<Vec<(&'static str, String)>, GpuError> {
    let points = PointsText::of::<C>(tuning)?;
    let points = points.map(|text| {
        [
            ("msm_sums", text.sums),
            ("msm_halving", text.halving),
            ("msm_multiples", text.multiples),
            ("msm_precompute", text.precompute),
        ]
    });
    Ok([("msm_sort", kernels::sort_text(tuning.target.dialect()))]
        .into_iter()
        .chain(points.into_iter().flatten())
        .collect())
}

/// The kernels of a group on the device.
struct MsmKernels {
    /// The kernel that converts scalars from Montgomery form to integers.
    integers: Loaded,
    /// The integer one, by which scalars are multiplied for that.
    one: Words,
    sort: Sort,
    points: Points,
}

impl MsmKernels {
    /// The operations of one sum.
    fn ops(&self, plan: &SumPlan) -> OpCount {
        let mut ops = self.integers.ops(&[plan.n, 0]);
        ops.point_add += plan.additions();
        ops
    }
}

/// The kernel `integers(n, first, out, a, one, constants)`: `out[i] = a[first + i] one`. The Montgomery product with
/// the integer one converts an element to its integer.
fn integers(element: Element) -> ArrayKernel {
    let mut body = Body::default();
    let i = body.let_(Ix::Block * u64::from(THREADS) + Ix::Thread);
    body.when(i.clone(), Ix::Scalar(0), |body| {
        body.load(Reg(0), ElementPlace::global(1, i.clone() + Ix::Scalar(1)));
        body.load(Reg(1), ElementPlace::global(2, 0));
        body.call(Role::Mul, Reg(0), Reg(0), Reg(1));
        body.store(ElementPlace::global(0, i), Reg(0));
    });
    let buffer = |name, access, kind| Buffer { name, access, kind };
    let blocks = (Ix::Scalar(0) + (u64::from(THREADS) - 1)) >> u64::from(THREADS.ilog2());
    ArrayKernel {
        name: "integers".to_owned(),
        about: "out[i] = the integer that a[first + i] stands for".to_owned(),
        element,
        scalars: vec!["n", "first"],
        buffers: vec![
            buffer("out", Access::Write, BufferKind::Elements),
            buffer("a", Access::Read, BufferKind::Elements),
            buffer("one", Access::Read, BufferKind::Uniform),
        ],
        registers: 2,
        launch: Some(Launch { threads: THREADS, resident: 1, cluster: 1, shared: 0, blocks }),
        body: vec![body.phase()],
    }
}

/// The sorted digits of some scalars of a buffer, which are kept with the buffer since a witness is used in several
/// MSMs.
struct Digits {
    /// The windows and sets of buckets of the digits.
    layout: Layout,
    /// The range of the scalars in the buffer.
    places: Range<usize>,
    sorted: Sorted,
}

/// An operand on the device, with the index of its first element.
struct Operand {
    words: Arc<Words>,
    first: usize,
}

impl Operand {
    fn at(&self, index: usize) -> Result<u32, DeviceError> {
        let (len, max) = (self.first + index, u32::MAX as usize);
        u32::try_from(len).map_err(|_| DeviceError::TooLarge { op: "msm", len, max })
    }
}

impl<C: Curve> Msm<C> {
    /// The operator on the device of a workshop; `host` computes what the device does not support.
    pub fn new(workshop: Arc<Workshop<C::Scalar>>, host: Arc<dyn MsmOp<C>>) -> Self {
        let (kernels, halving) = (OnceLock::new(), OnceLock::new());
        let (of_one_base, precompute) = (OnceLock::new(), OnceLock::new());
        Self { workshop, host, kernels, halving, of_one_base, precompute }
    }

    /// The kernels; `None` if they do not support the coordinate field.
    fn kernels(&self, copies: &mut Transfer) -> Result<Option<&MsmKernels>, GpuError> {
        let make = || -> Result<_, GpuError> {
            let setup = self.workshop.setup();
            let Some(points) = Points::new::<C>(setup)? else { return Ok(None) };
            let mut one = vec![0; words_of::<C::Scalar>()];
            one[0] = 1;
            Ok(Some(MsmKernels {
                integers: self.workshop.load(integers(self.workshop.element()))?,
                one: Words::from_host(self.workshop.gpu(), &one, copies)?,
                sort: Sort::new(setup)?,
                points,
            }))
        };
        Ok(once(&self.kernels, make)?.as_ref())
    }

    /// The kernels of halvings; `None` if they do not support the coordinate field.
    fn halving(&self) -> Result<Option<&Arc<Halving>>, GpuError> {
        let make = || Ok::<_, GpuError>(Halving::new::<C>(self.workshop.setup())?.map(Arc::new));
        Ok(once(&self.halving, make)?.as_ref())
    }

    /// The bytes of the operands of a sum of `n` terms and of its result.
    fn traffic(&self, n: usize) -> Traffic {
        let read = (n * (16 * words_of_coordinate::<C>() + C::Scalar::BYTES)) as u64;
        Traffic { read, written: 24 * words_of_coordinate::<C>() as u64 }
    }

    /// The bases on the device, copied there if necessary and kept with their buffer.
    fn resident(&self, bases: &View<'_, Affine<C>>, copies: &mut Transfer) -> Result<Operand, DeviceError> {
        let upload = |points: &[Affine<C>]| Ok::<_, DeviceError>(self.upload(points, copies)?);
        let words = bases.buf().copy_or(self.workshop.memory(), upload)?;
        Ok(Operand { words, first: bases.range().start })
    }

    fn upload(&self, points: &[Affine<C>], copies: &mut Transfer) -> Result<Words, GpuError> {
        let len = points.len() * 2 * words_of_coordinate::<C>();
        Words::filled(self.workshop.gpu(), len, &words_in_points(points), copies)
    }

    /// Computes the sum on the device.
    fn on_device(
        &self,
        kernels: &MsmKernels,
        bases: &View<'_, Affine<C>>,
        scalars: &View<'_, C::Scalar>,
        made: &mut PrecomputeCost,
        copies: &mut Transfer,
    ) -> Result<(Jacobian<C>, OpCount), DeviceError> {
        let n = bases.len();
        let (gpu, precomputed) = (self.workshop.gpu(), self.precomputed(bases, false, made, copies)?);
        let (step, (points, integers)) = match self.route(bases, scalars, precomputed)? {
            Route::Whole(plan, precomputed) => {
                let whole = self.prepare(kernels, plan, bases, scalars, precomputed, copies)?;
                let sums = whole.sum(kernels, gpu, &mut untimed)?;
                return Ok((sum_of(&plan, &sums, copies)?, kernels.ops(&plan)));
            }
            Route::Resident(range) => {
                let points = self.resident(bases, copies)?;
                (range, (points, self.scalars(scalars, copies)?))
            }
            Route::Ranges(range) => return self.ranges(kernels, bases, scalars, range, copies),
        };
        let mut sum = Jacobian::INFINITY;
        let mut ops = OpCount::default();
        for start in (0..n).step_by(step) {
            let range = start..n.min(start + step);
            let plan = self.plan(range.len())?;
            let first = points.at(range.start)?;
            // Digits of a part of the scalars are not kept: the next part needs others.
            let digits = self.digits(kernels, &plan, &integers, range, None)?;
            let sums = kernels.points.run(gpu, &plan, &digits.sorted, &points.words, first, &mut untimed)?;
            sum += sum_of(&plan, &sums, copies)?;
            ops += kernels.ops(&plan);
        }
        Ok((sum, ops))
    }

    /// The plan of a sum of `n` terms of a range, without halvings.
    fn plan(&self, n: usize) -> Result<SumPlan, DeviceError> {
        let too_large = DeviceError::TooLarge { op: "msm", len: n, max: u32::MAX as usize };
        let on = self.plan_context();
        SumPlan::new(n, C::Scalar::BITS, on).and_then(|plan| plan.without_halvings(on)).ok_or(too_large)
    }

    /// Computes the sum over ranges of `step` terms whose operands are not kept on the device. A range is summed on a
    /// side stream, while the next one is copied on the device's own stream. The operands of a range live until the
    /// device's own stream has waited for its sum, as in [`MsmOp::start`]; only then are the digits of the next range
    /// sorted.
    fn ranges(
        &self,
        kernels: &MsmKernels,
        bases: &View<'_, Affine<C>>,
        scalars: &View<'_, C::Scalar>,
        step: usize,
        copies: &mut Transfer,
    ) -> Result<(Jacobian<C>, OpCount), DeviceError> {
        let (gpu, n) = (self.workshop.gpu(), bases.len());
        let (mut sum, mut ops) = (Jacobian::INFINITY, OpCount::default());
        let mut running: Option<Running> = None;
        for start in (0..n).step_by(step) {
            let range = start..n.min(start + step);
            let plan = self.plan(range.len())?;
            let points = Arc::new(self.upload(&bases.host()?[range.clone()], copies)?);
            let part = &scalars.host()?[range.clone()];
            let len = part.len() * words_of::<C::Scalar>();
            let integers = Words::filled(gpu, len, &words_in(part), copies)?;
            if let Some(before) = running.take() {
                sum += before.sum::<C>(copies)?;
            }
            let scalars = Operand { words: Arc::new(integers), first: 0 };
            let digits = self.digits(kernels, &plan, &scalars, 0..range.len(), None)?;
            ops += kernels.ops(&plan);
            let whole = ResidentSum { plan, halving: None, bases: points, first: 0, scalars, digits };
            running = Some(Running::start(kernels, gpu, whole)?);
        }
        if let Some(last) = running {
            sum += last.sum::<C>(copies)?;
        }
        Ok((sum, ops))
    }

    /// Prepares a sum whose operands are on the device as a whole and stay there; `None` if they do not fit.
    fn whole(
        &self,
        kernels: &MsmKernels,
        bases: &View<'_, Affine<C>>,
        scalars: &View<'_, C::Scalar>,
        made: &mut PrecomputeCost,
        copies: &mut Transfer,
    ) -> Result<Option<ResidentSum>, DeviceError> {
        let precomputed = self.precomputed(bases, false, made, copies)?;
        let Route::Whole(plan, precomputed) = self.route(bases, scalars, precomputed)? else {
            return Ok(None);
        };
        self.prepare(kernels, plan, bases, scalars, precomputed, copies).map(Some)
    }

    /// Brings the operands of a sum to the device and sorts its digits.
    fn prepare(
        &self,
        kernels: &MsmKernels,
        plan: SumPlan,
        bases: &View<'_, Affine<C>>,
        scalars: &View<'_, C::Scalar>,
        precomputed: Option<Precomputed>,
        copies: &mut Transfer,
    ) -> Result<ResidentSum, DeviceError> {
        let bases = match precomputed {
            None => self.resident(bases, copies)?,
            Some(Precomputed { words, .. }) => {
                Operand { words, first: bases.range().start * plan.layout.copies as usize }
            }
        };
        let (first, operand) = (bases.at(0)?, self.scalars(scalars, copies)?);
        let digits = self.digits(kernels, &plan, &operand, 0..scalars.len(), Some(scalars))?;
        let halving = if plan.halvings > 0 { self.halving()?.cloned() } else { None };
        Ok(ResidentSum { plan, halving, bases: bases.words, first, scalars: operand, digits })
    }

    /// The scalars on the device: the result of an earlier operator, or a copy that stays with the buffer.
    fn scalars(&self, scalars: &View<'_, C::Scalar>, copies: &mut Transfer) -> Result<Operand, DeviceError> {
        let (words, first) = self.workshop.resident_part(scalars, copies)?;
        Ok(Operand { words, first })
    }

    /// Converts a range of scalars to integers; returns them and their number.
    fn integers(
        &self,
        kernels: &MsmKernels,
        scalars: &Operand,
        range: Range<usize>,
    ) -> Result<(Words, u32), DeviceError> {
        let mut integers = Words::uninitialised(self.workshop.gpu(), range.len() * words_of::<C::Scalar>())?;
        let first = scalars.at(range.start)?;
        let n = scalars.at(range.end)? - first;
        let buffers = vec![Arg::Write(&mut integers), Arg::Read(&scalars.words), Arg::Read(&kernels.one)];
        // SAFETY: the operand has the scalars of the range, and there is room for as many integers.
        unsafe { kernels.integers.launch(&[n, first], buffers, self.workshop.constants())? };
        Ok((integers, n))
    }

    /// The sorted digits of a range of scalars. If `whole` is the view that they come from, the digits are kept with
    /// its buffer.
    fn digits(
        &self,
        kernels: &MsmKernels,
        plan: &SumPlan,
        scalars: &Operand,
        range: Range<usize>,
        whole: Option<&View<'_, C::Scalar>>,
    ) -> Result<Arc<Digits>, DeviceError> {
        let gpu = self.workshop.gpu();
        let kept = whole.and_then(|whole| whole.buf().copy::<Arc<Digits>>(self.workshop.memory()));
        let places = whole.map_or(0..0, View::range);
        if let Some(digits) = kept.filter(|digits| digits.layout == plan.layout && digits.places == places) {
            return Ok(Arc::clone(&digits));
        }
        let integers = self.integers(kernels, scalars, range)?.0;
        let sorted = kernels.sort.run(gpu, plan, &integers, words_of_integer::<C>())?;
        let digits = Arc::new(Digits { layout: plan.layout, places, sorted });
        let keep = 4 * plan.entries() <= gpu.facts().memory / KEPT_FREE;
        if let Some(whole) = whole.filter(|_| keep) {
            whole.buf().keep(self.workshop.memory(), Arc::clone(&digits));
        }
        Ok(digits)
    }

    /// Starts a sum on a side stream, over operands that stay on the device as a whole; `None` if they do not fit.
    fn start_aside(
        &self,
        kernels: &MsmKernels,
        bases: &View<'_, Affine<C>>,
        scalars: &View<'_, C::Scalar>,
        made: &mut PrecomputeCost,
        copies: &mut Transfer,
    ) -> Result<Option<(Running, OpCount)>, DeviceError> {
        let Some(whole) = self.whole(kernels, bases, scalars, made, copies)? else { return Ok(None) };
        let ops = kernels.ops(&whole.plan);
        Ok(Some((Running::start(kernels, self.workshop.gpu(), whole)?, ops)))
    }
}

/// A sum whose operands and digits are on the device.
struct ResidentSum {
    plan: SumPlan,
    /// The kernels of halvings, if the plan has some.
    halving: Option<Arc<Halving>>,
    /// The bases, or their precomputed multiples.
    bases: Arc<Words>,
    /// The index of the first of them.
    first: u32,
    scalars: Operand,
    digits: Arc<Digits>,
}

impl ResidentSum {
    fn sum(&self, kernels: &MsmKernels, gpu: &Gpu, part: &mut Parts<'_>) -> Result<Words, GpuError> {
        let Self { plan, halving, bases, first, digits, .. } = self;
        let mut halved = None;
        if let Some(halving) = halving {
            part("halvings", &mut || {
                halved = Some(halving.run(gpu, plan, &digits.sorted, bases, *first)?);
                Ok(())
            })?;
        }
        let (points, first) = halved.as_ref().map_or((&**bases, *first), |halved| (halved, 0));
        kernels.points.run(gpu, plan, &digits.sorted, points, first, part)
    }
}

/// Number of 32-bit words of a scalar: two for each word of the host.
const fn words_of_integer<C: Curve>() -> u32 {
    2 * words_of::<C::Scalar>() as u32
}

/// Combines the sums that the device has computed for the sets of buckets and their lists into the result.
fn sum_of<C: Curve>(plan: &SumPlan, sums: &Words, copies: &mut Transfer) -> Result<Jacobian<C>, DeviceError> {
    let mut words = vec![0; sums.len()];
    sums.read(&mut words, copies)?;
    let start = Instant::now();
    let points = unpack_points::<C>(&words)?;
    copies.time += start.elapsed();
    let lists = plan.lists() as usize;
    // For sets of one node the weighted sums come after the plain ones.
    let points = if lists == 0 { &points[plan.layout.sets as usize..] } else { &points };
    // Sets are processed from the highest one down, bits from the highest down.
    let sets = points.chunks_exact(lists.max(1)).rev();
    Ok(sets.fold(Jacobian::INFINITY, |sum, set| {
        // A set of one node has only a weighted sum.
        let (bits, weighted) = set.split_at(lists.saturating_sub(2));
        let raised = (0..plan.layout.width).rev().fold(sum, |sum, bit| {
            let doubled = sum.double();
            let of_bit = bit.checked_sub(plan.fan).and_then(|bit| bits.get(bit as usize));
            of_bit.map_or(doubled, |of_bit| doubled + of_bit.to_jacobian())
        });
        weighted.iter().fold(raised, |sum, part| sum + part.to_jacobian())
    }))
}

/// A sum that the device is computing. Fields are dropped in order: the operands only after the device's own stream
/// waits for the kernels that read them.
struct Running {
    side: Option<SideWork>,
    sums: Words,
    whole: ResidentSum,
}

impl Running {
    /// Starts the kernels of a sum on a side stream.
    fn start(kernels: &MsmKernels, gpu: &Gpu, whole: ResidentSum) -> Result<Self, GpuError> {
        let (sums, side) = gpu.on_side_stream(|| whole.sum(kernels, gpu, &mut untimed))?;
        Ok(Self { side, sums, whole })
    }

    /// Waits for the sum.
    fn sum<C: Curve>(mut self, copies: &mut Transfer) -> Result<Jacobian<C>, DeviceError> {
        drop(self.side.take());
        sum_of(&self.whole.plan, &self.sums, copies)
    }
}

impl<C: Curve> MsmOp<C> for Msm<C> {
    fn msm(&self, bases: View<'_, Affine<C>>, scalars: View<'_, C::Scalar>) -> Done<Jacobian<C>> {
        same_length("msm", bases.len(), scalars.len())?;
        let mut call = self.workshop.call();
        let traffic = self.traffic(bases.len());
        if bases.is_empty() {
            return Ok((Jacobian::INFINITY, call.cost(traffic)));
        }
        let Some(kernels) = self.kernels(&mut call.copies)? else { return self.host.msm(bases, scalars) };
        let mut made = PrecomputeCost::default();
        let (sum, ops) = self.on_device(kernels, &bases, &scalars, &mut made, &mut call.copies)?;
        let (traffic, ops) = made.added_to(traffic, ops);
        call.ops = ops;
        Ok((sum, call.cost(traffic)))
    }

    fn start(&self, bases: View<'_, Affine<C>>, scalars: View<'_, C::Scalar>) -> Done<Deferred<Jacobian<C>>> {
        same_length("msm", bases.len(), scalars.len())?;
        let mut call = self.workshop.call();
        let kernels = if bases.is_empty() { None } else { self.kernels(&mut call.copies)? };
        let Some(kernels) = kernels else { return Deferred::of(self.msm(bases, scalars)) };
        let mut made = PrecomputeCost::default();
        let (running, ops) = match self.start_aside(kernels, &bases, &scalars, &mut made, &mut call.copies) {
            Ok(Some(started)) => started,
            // In ranges, if there is memory for some.
            Ok(None) | Err(DeviceError::NoMemory { .. }) => return Deferred::of(self.msm(bases, scalars)),
            Err(error) => return Err(error),
        };
        let (traffic, ops) = made.added_to(self.traffic(bases.len()), ops);
        call.ops = ops;
        let cost = call.cost(traffic);
        let workshop = Arc::clone(&self.workshop);
        let wait = move || {
            let mut call = workshop.call();
            let sum = running.sum::<C>(&mut call.copies)?;
            Ok((sum, call.cost(Traffic::default())))
        };
        Ok((Deferred::pending(wait), cost))
    }

    fn multiples(&self, base: &Affine<C>, scalars: View<'_, C::Scalar>) -> Done<Buf<Affine<C>>> {
        let mut call = self.workshop.call();
        let n = scalars.len() as u64;
        let written = n * 16 * words_of_coordinate::<C>() as u64;
        let traffic = Traffic { read: n * C::Scalar::BYTES as u64, written };
        if n == 0 {
            return Ok((Buf::default(), call.cost(traffic)));
        }
        let Some(kernels) = self.kernels(&mut call.copies)? else {
            return self.host.multiples(base, scalars);
        };
        match self.multiples_on_device(kernels, base, &scalars, &mut call.copies)? {
            Some((points, ops)) => {
                call.ops = ops;
                Ok((points.into(), call.cost(traffic)))
            }
            None => self.host.multiples(base, scalars),
        }
    }
}
