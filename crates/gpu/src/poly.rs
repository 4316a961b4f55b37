//! Polynomials and vectors on the device. Results that depend on all elements before or after one are computed by
//! pieces of eight elements, level by level up and down again.
//!
//! Operands that an earlier call has not left on the device are copied there, and the result stays until the host asks
//! for it. Copies are accounted separately ([`pairwright_device::Cost::transfer`]) and take much longer than the
//! arithmetic.

use crate::elements::{pack, words_of};
use crate::error::GpuError;
use crate::family::modulus_of;
use crate::launch::Arg;
use crate::memory::{Need, Words};
use crate::programs::Programs;
use crate::vec::mul_sub;
use crate::workshop::{Call, Loaded, Workshop};
use crate::{check_count, saturating_u32};
use pairwright_device::{Cost, DeviceError, Done, OpCount, PolyOp, Traffic, VecOp, same_length};
use pairwright_field::PrimeField;
use pairwright_moma::program::blas::{self, BlasOp, BlasTuning};
use pairwright_moma::program::inverse::{self, Power, inverting_exponent};
use pairwright_moma::program::scans::{self, PIECE};
use pairwright_moma::program::{ArrayKernel, Element};
use pairwright_poly::{Buf, View};
use std::sync::Arc;

/// Threads per block of the inversion kernel, and elements that a thread inverts together.
const INVERSION_SHAPE: (u32, u32) = (128, 16);

/// The polynomials and vectors of a device; kernels are compiled at their first use.
pub struct Polynomials<F: PrimeField> {
    workshop: Arc<Workshop<F>>,
    programs: Programs,
}

/// The array programs of polynomials and vectors over a field of `bits` bits.
pub(crate) fn programs(element: Element, bits: u32, tuning: BlasTuning) -> Vec<ArrayKernel> {
    let made = [
        scans::scale,
        scans::products_up,
        scans::products_down,
        scans::more_powers,
        scans::horner_up,
        scans::horner_down,
    ];
    let (threads, per_thread) = INVERSION_SHAPE;
    let mut programs: Vec<ArrayKernel> = made.iter().map(|make| make(element)).collect();
    programs.push(blas::device(BlasOp::Axpy, element, tuning));
    programs.push(inverse::batch_device(element, Power::device(bits), threads, per_thread));
    programs
}

/// A vector on the device, with its number of elements.
#[derive(Clone)]
struct Vector {
    words: Arc<Words>,
    len: usize,
}

impl<F: PrimeField> Polynomials<F> {
    /// The operators on the device of a workshop.
    pub fn new(workshop: Arc<Workshop<F>>) -> Self {
        Self { workshop, programs: Programs::default() }
    }

    fn program(
        &self,
        name: &str,
        make: impl FnOnce(Element, BlasTuning) -> ArrayKernel,
    ) -> Result<Arc<Loaded>, GpuError> {
        let program = || make(self.workshop.element(), self.workshop.vec_tuning());
        self.programs.get(&self.workshop, name, program)
    }

    /// The kernel of a scan.
    fn scan(&self, name: &str, make: fn(Element) -> ArrayKernel) -> Result<Arc<Loaded>, GpuError> {
        self.program(name, |element, _| make(element))
    }

    /// Checks the memory for the operands and for `n` results of their length, under this name, before anything runs.
    fn make_room(&self, operands: &[View<'_, F>], (name, n): (&'static str, u64)) -> Result<(), DeviceError> {
        let come = operands.iter().map(|operand| self.workshop.bytes_to_come(operand)).sum();
        let bytes = operands.iter().map(|operand| operand.len() * F::BYTES).max().unwrap_or(0) as u64;
        Ok(self
            .workshop
            .make_room(&Need::new().with_part("operands", come).with_part(name, n * bytes), &[])?)
    }

    fn operand(&self, operand: &View<'_, F>, call: &mut Call) -> Result<Vector, DeviceError> {
        Ok(Vector { words: self.workshop.resident(operand, &mut call.copies)?, len: operand.len() })
    }

    fn upload(&self, elements: &[F], call: &mut Call) -> Result<Vector, GpuError> {
        let words = Words::from_host(self.workshop.gpu(), &pack(elements), &mut call.copies)?;
        Ok(Vector { words: Arc::new(words), len: elements.len() })
    }

    fn first(&self, of: &Vector, call: &mut Call) -> Result<F, GpuError> {
        Ok(of.words.fetch(&mut call.copies)?[0])
    }

    /// Computes a vector of `len` elements from others by a kernel.
    fn compute(
        &self,
        kernel: &Loaded,
        scalars: &[u32],
        len: usize,
        operands: &[&Vector],
        call: &mut Call,
    ) -> Result<Vector, GpuError> {
        Ok(Vector { words: Arc::new(self.words(kernel, scalars, len, operands, call)?), len })
    }

    /// The words of such a vector, which are not shared yet.
    fn words(
        &self,
        kernel: &Loaded,
        scalars: &[u32],
        len: usize,
        operands: &[&Vector],
        call: &mut Call,
    ) -> Result<Words, GpuError> {
        let mut out = Words::uninitialised(self.workshop.gpu(), len * words_of::<F>())?;
        let mut arguments = vec![Arg::Write(&mut out)];
        arguments.extend(operands.iter().map(|operand| Arg::Read(&operand.words)));
        // SAFETY: every caller gives the number of threads for which the program reads and writes within operands and result.
        unsafe { kernel.launch(scalars, arguments, self.workshop.constants())? };
        call.ops += kernel.ops(scalars);
        Ok(out)
    }

    /// The levels of a scan on the way up: from the vector itself to one element.
    fn up(
        &self,
        a: Vector,
        kernel: &Loaded,
        coordinates: Option<&Vector>,
        call: &mut Call,
    ) -> Result<Vec<Vector>, GpuError> {
        let mut levels = vec![a];
        while let Some(level) = levels.last().filter(|level| level.len > 1).cloned() {
            let n = level.len.div_ceil(PIECE as usize);
            let mut scalars = vec![saturating_u32(n), saturating_u32(level.len)];
            let mut operands = vec![&level];
            if let Some(coordinates) = coordinates {
                scalars.push(saturating_u32(levels.len() - 1));
                operands.push(coordinates);
            }
            let next = self.compute(kernel, &scalars, n, &operands, call)?;
            levels.push(next);
        }
        Ok(levels)
    }

    /// `x`, its eighth power, the eighth power of that, and so on, one for each level of a vector of `len` elements.
    fn eighth_powers(&self, x: &F, len: usize, call: &mut Call) -> Result<Vector, GpuError> {
        let mut levels = 1;
        let mut left = len;
        while left > 1 {
            left = left.div_ceil(PIECE as usize);
            levels += 1;
        }
        let powers = core::iter::successors(Some(*x), |x| Some(x.square().square().square()));
        self.upload(&powers.take(levels).collect::<Vec<_>>(), call)
    }

    /// Replaces `a` by the result of a kernel on `a`, on other vectors of its length, and on the operands that `with`
    /// adds.
    fn in_place(
        &self,
        op: &'static str,
        a: &mut Buf<F>,
        others: &[View<'_, F>],
        kernel: impl FnOnce() -> Result<Arc<Loaded>, GpuError>,
        with: impl FnOnce(&mut Vec<Vector>, &mut Call) -> Result<(), GpuError>,
    ) -> Result<Call, DeviceError> {
        for other in others {
            same_length(op, a.len(), other.len())?;
        }
        check_count(op, a.len())?;
        let mut call = self.workshop.call();
        if a.is_empty() {
            return Ok(call);
        }
        let views: Vec<View<'_, F>> = core::iter::once(a.view()).chain(others.iter().copied()).collect();
        self.make_room(&views, ("result", 1))?;
        let kernel = kernel()?;
        let mut operands = Vec::new();
        for view in &views {
            operands.push(self.operand(view, &mut call)?);
        }
        with(&mut operands, &mut call)?;
        let operands: Vec<&Vector> = operands.iter().collect();
        let out = self.compute(&kernel, &[saturating_u32(a.len())], a.len(), &operands, &mut call)?;
        *a = self.workshop.result(out.words, out.len)?;
        Ok(call)
    }

    /// The cost of an in-place operator that reads this number of vectors of the length of its result.
    fn cost(call: Call, reads: u64, len: usize) -> Cost {
        let bytes = (len * F::BYTES) as u64;
        call.cost(Traffic { read: reads * bytes, written: bytes })
    }

    /// The result of a call on an empty vector, with its cost.
    fn of_empty<T>(&self, value: T) -> Done<T> {
        Ok((value, self.workshop.call().cost(Traffic::default())))
    }
}

impl<F: PrimeField> VecOp<F> for Polynomials<F> {
    fn mul(&self, a: &mut Buf<F>, b: View<'_, F>) -> Done<()> {
        let kernel = || self.program("vmul", |element, tuning| blas::device(BlasOp::Vmul, element, tuning));
        let mut call = self.in_place("mul", a, &[b], kernel, |_, _| Ok(()))?;
        call.ops = OpCount { field_mul: a.len() as u64, ..OpCount::default() };
        Ok(((), Self::cost(call, 2, a.len())))
    }

    fn mul_sub(&self, a: &mut Buf<F>, b: View<'_, F>, c: View<'_, F>) -> Done<()> {
        let kernel = || self.program("vmulsub", mul_sub);
        let mut call = self.in_place("mul_sub", a, &[b, c], kernel, |_, _| Ok(()))?;
        let n = a.len() as u64;
        call.ops = OpCount { field_mul: n, field_add: n, point_add: 0 };
        Ok(((), Self::cost(call, 3, a.len())))
    }
}

impl<F: PrimeField> PolyOp<F> for Polynomials<F> {
    fn scale(&self, a: &mut Buf<F>, k: &F) -> Done<()> {
        let with = |operands: &mut Vec<Vector>, call: &mut Call| {
            operands.push(self.upload(&[*k], call)?);
            Ok(())
        };
        let kernel = || self.scan("scale", scans::scale);
        let call = self.in_place("scale", a, &[], kernel, with)?;
        Ok(((), Self::cost(call, 1, a.len())))
    }

    fn axpy(&self, a: &mut Buf<F>, k: &F, b: View<'_, F>) -> Done<()> {
        let with = |operands: &mut Vec<Vector>, call: &mut Call| {
            // The kernel takes the vector that is multiplied before the one that is added.
            operands.swap(0, 1);
            operands.push(self.upload(&[*k], call)?);
            Ok(())
        };
        let kernel = || self.program("axpy", |element, tuning| blas::device(BlasOp::Axpy, element, tuning));
        let call = self.in_place("axpy", a, &[b], kernel, with)?;
        Ok(((), Self::cost(call, 2, a.len())))
    }

    fn invert(&self, a: &mut Buf<F>) -> Done<()> {
        let with = |operands: &mut Vec<Vector>, call: &mut Call| {
            let mut exponent = inverting_exponent(&modulus_of::<F>()).to_u64_digits();
            exponent.resize(words_of::<F>(), 0);
            let exponent = Words::from_host(self.workshop.gpu(), &exponent, &mut call.copies)?;
            operands.push(Vector { words: Arc::new(exponent), len: 1 });
            operands.push(self.upload(&[F::ONE], call)?);
            Ok(())
        };
        let kernel = || {
            let (threads, per_thread) = INVERSION_SHAPE;
            let make =
                |element, _| inverse::batch_device(element, Power::device(F::BITS), threads, per_thread);
            self.program("batch_inverse", make)
        };
        let call = self.in_place("invert", a, &[], kernel, with)?;
        Ok(((), Self::cost(call, 1, a.len())))
    }

    fn prefix_products(&self, a: &mut Buf<F>) -> Done<F> {
        check_count("prefix_products", a.len())?;
        if a.is_empty() {
            return self.of_empty(F::ONE);
        }
        let mut call = self.workshop.call();
        // The result, and the levels of the scan, each an eighth of the one before.
        self.make_room(&[a.view()], ("results", 2))?;
        let (up, down) = (
            self.scan("products_up", scans::products_up)?,
            self.scan("products_down", scans::products_down)?,
        );
        let operand = self.operand(&a.view(), &mut call)?;
        let mut levels = self.up(operand, &up, None, &mut call)?;
        let mut before = self.upload(&[F::ONE], &mut call)?;
        let product = match levels.pop() {
            Some(root) => self.first(&root, &mut call)?,
            None => F::ONE,
        };
        while let Some(level) = levels.pop() {
            let scalars = [saturating_u32(before.len), saturating_u32(level.len)];
            before = self.compute(&down, &scalars, level.len, &[&level, &before], &mut call)?;
        }
        *a = self.workshop.result(before.words, before.len)?;
        Ok((product, Self::cost(call, 1, a.len())))
    }

    fn powers(&self, first: &F, base: &F, n: usize) -> Done<Buf<F>> {
        check_count("powers", n)?;
        if n == 0 {
            return self.of_empty(Buf::default());
        }
        let mut call = self.workshop.call();
        self.workshop.make_room(&Need::new().with_part("powers", (n * F::BYTES) as u64), &[])?;
        let kernel = self.scan("more_powers", scans::more_powers)?;
        let squares = core::iter::successors(Some(*base), |x| Some(x.square()));
        let squares: Vec<F> = squares.take(n.ilog2() as usize + 1).collect();
        let squares = self.upload(&squares, &mut call)?;
        let (first, one) = (self.upload(&[*first], &mut call)?, self.upload(&[F::ONE], &mut call)?);
        let scale = self.scan("scale", scans::scale)?;
        // The first power, copied as a product with one.
        let mut out = self.words(&scale, &[1], n, &[&first, &one], &mut call)?;
        let (mut there, mut at) = (1, 0);
        while there < n {
            let scalars = [saturating_u32(there.min(n - there)), saturating_u32(there), at];
            let arguments = vec![Arg::Write(&mut out), Arg::Read(&squares.words)];
            // SAFETY: so many powers are there, and as many at most are written behind them, `n` in all.
            unsafe { kernel.launch(&scalars, arguments, self.workshop.constants())? };
            call.ops += kernel.ops(&scalars);
            (there, at) = (2 * there, at + 1);
        }
        let traffic = Traffic { read: 0, written: (n * F::BYTES) as u64 };
        let powers = self.workshop.result(Arc::new(out), n)?;
        Ok((powers, call.cost(traffic)))
    }

    fn evaluate(&self, p: View<'_, F>, x: &F) -> Done<F> {
        check_count("evaluate", p.len())?;
        if p.is_empty() {
            return self.of_empty(F::ZERO);
        }
        let mut call = self.workshop.call();
        self.make_room(core::slice::from_ref(&p), ("results", 1))?;
        let up = self.scan("horner_up", scans::horner_up)?;
        let operand = self.operand(&p, &mut call)?;
        let powers = self.eighth_powers(x, p.len(), &mut call)?;
        let levels = self.up(operand, &up, Some(&powers), &mut call)?;
        let value = match levels.last() {
            Some(root) => self.first(root, &mut call)?,
            None => F::ZERO,
        };
        let traffic = Traffic { read: (p.len() * F::BYTES) as u64, written: F::BYTES as u64 };
        Ok((value, call.cost(traffic)))
    }

    fn divide(&self, p: View<'_, F>, z: &F) -> Done<(Buf<F>, F)> {
        check_count("divide", p.len())?;
        if p.len() < 2 {
            return self.of_empty((Buf::default(), p.host()?.first().copied().unwrap_or(F::ZERO)));
        }
        let mut call = self.workshop.call();
        self.make_room(core::slice::from_ref(&p), ("results", 2))?;
        let (up, down) =
            (self.scan("horner_up", scans::horner_up)?, self.scan("horner_down", scans::horner_down)?);
        let operand = self.operand(&p, &mut call)?;
        let powers = self.eighth_powers(z, p.len(), &mut call)?;
        let mut levels = self.up(operand, &up, Some(&powers), &mut call)?;
        let mut above = match levels.pop() {
            Some(root) => root,
            None => return self.of_empty((Buf::default(), F::ZERO)),
        };
        let remainder = self.first(&above, &mut call)?;
        while let Some(level) = levels.pop() {
            // The last step leaves out the remainder.
            let skip = usize::from(levels.is_empty());
            let scalars = [
                saturating_u32(above.len),
                saturating_u32(level.len),
                saturating_u32(levels.len()),
                saturating_u32(skip),
            ];
            let operands = [&level, &powers, &above];
            above = self.compute(&down, &scalars, level.len - skip, &operands, &mut call)?;
        }
        let bytes = (p.len() * F::BYTES) as u64;
        let quotient = self.workshop.result(above.words, above.len)?;
        let traffic = Traffic { read: bytes, written: bytes };
        let cost = call.cost(traffic);
        Ok(((quotient, remainder), cost))
    }
}
