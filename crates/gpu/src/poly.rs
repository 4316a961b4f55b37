//! Polynomials and vectors on the device: what depends on all elements before or behind is computed by pieces of eight, level
//! by level up and down again.

use crate::elements::{pack, unpack, words_of};
use crate::error::GpuError;
use crate::family::modulus_of;
use crate::launch::Arg;
use crate::memory::{Need, Words};
use crate::programs::Programs;
use crate::workshop::{Call, Loaded, Workshop};
use crate::{NAME, same_length};
use pairwright_device::{DeviceError, Done, PolyOp, Traffic};
use pairwright_field::PrimeField;
use pairwright_moma::program::blas::{self, BlasOp, BlasTuning};
use pairwright_moma::program::inverse::{self, Power, inverting_exponent};
use pairwright_moma::program::scans::{self, PIECE};
use pairwright_moma::program::{ArrayKernel, Element};
use pairwright_poly::{Buf, View};
use std::sync::Arc;

/// Most elements of one launch: indices have 32 bits.
const MOST: usize = 1 << 31;

/// Threads of a block that inverts, and elements that a thread inverts together.
const INVERTING: (u32, u32) = (128, 16);

/// The polynomials and vectors of a device; kernels are compiled at their first use.
pub struct Polynomials<F: PrimeField> {
    workshop: Arc<Workshop<F>>,
    programs: Programs,
}

/// The programs of polynomials and vectors over a field of so many bits.
pub(crate) fn programs(element: Element, bits: u32, tuning: BlasTuning) -> Vec<ArrayKernel> {
    let made = [
        scans::scale,
        scans::products_up,
        scans::products_down,
        scans::more_powers,
        scans::horner_up,
        scans::horner_down,
    ];
    let (threads, per_thread) = INVERTING;
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

/// A length as an argument of a kernel.
fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

impl<F: PrimeField> Polynomials<F> {
    /// The operators on the device of a workshop.
    pub fn new(workshop: Arc<Workshop<F>>) -> Self {
        Self { workshop, programs: Programs::default() }
    }

    fn few(op: &'static str, len: usize) -> Result<(), DeviceError> {
        if len <= MOST { Ok(()) } else { Err(DeviceError::TooLarge { op, len, max: MOST }) }
    }

    fn program(&self, name: &str, make: fn(Element) -> ArrayKernel) -> Result<Arc<Loaded>, GpuError> {
        self.programs.get(&self.workshop, name, || make(self.workshop.element()))
    }

    /// Room for operands and for so many results of their length, stated before anything runs.
    fn room(&self, operands: &[View<'_, F>], results: u64) -> Result<(), DeviceError> {
        let come = operands.iter().map(|operand| self.workshop.bytes_to_come(operand)).sum();
        let bytes = operands.iter().map(|operand| operand.len() * F::BYTES).max().unwrap_or(0) as u64;
        Ok(self.workshop.room(&Need::new().and("operands", come).and("results", results * bytes), &[])?)
    }

    fn operand(&self, operand: &View<'_, F>, call: &mut Call) -> Result<Vector, DeviceError> {
        Ok(Vector { words: self.workshop.resident(operand, &mut call.copies)?, len: operand.len() })
    }

    fn upload(&self, elements: &[F], call: &mut Call) -> Result<Vector, GpuError> {
        let words = Words::from_host(self.workshop.gpu(), &pack(elements), &mut call.copies)?;
        Ok(Vector { words: Arc::new(words), len: elements.len() })
    }

    fn first(&self, of: &Vector, call: &mut Call) -> Result<F, GpuError> {
        let mut words = vec![0; of.words.len()];
        of.words.read(&mut words, &mut call.copies)?;
        let mut first = [F::ZERO];
        unpack(&words[..words_of::<F>()], &mut first)?;
        Ok(first[0])
    }

    /// A vector of `len` elements that a kernel computes from others.
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

    /// The words of such a vector, which nobody shares yet.
    fn words(
        &self,
        kernel: &Loaded,
        scalars: &[u32],
        len: usize,
        operands: &[&Vector],
        call: &mut Call,
    ) -> Result<Words, GpuError> {
        let mut out = Words::unset(self.workshop.gpu(), len * words_of::<F>())?;
        let mut arguments = vec![Arg::Write(&mut out)];
        arguments.extend(operands.iter().map(|operand| Arg::Read(&operand.words)));
        // SAFETY: every caller gives the number of threads for which the program reads and writes within operands and result.
        unsafe { kernel.launch(scalars, arguments, self.workshop.constants())? };
        call.ops += kernel.ops(scalars);
        Ok(out)
    }

    /// The levels of a vector's pieces, from itself to one element.
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
            let mut scalars = vec![number(n), number(level.len)];
            let mut operands = vec![&level];
            if let Some(coordinates) = coordinates {
                scalars.push(number(levels.len() - 1));
                operands.push(coordinates);
            }
            let next = self.compute(kernel, &scalars, n, &operands, call)?;
            levels.push(next);
        }
        Ok(levels)
    }

    /// `x`, its eighth power, that one's eighth power, and so on, as many as a vector of `len` elements has levels.
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

    /// The end of an operator in place.
    fn put<T>(&self, result: Vector, to: &mut Buf<F>, reads: u64, value: T, call: Call) -> Done<T> {
        let bytes = (result.len * F::BYTES) as u64;
        *to = self.workshop.left(result.words, result.len)?;
        let traffic = Traffic { read: reads * bytes, written: bytes };
        Ok((value, call.cost(traffic)))
    }

    /// The account of a call on nothing.
    fn nothing<T>(&self, value: T) -> Done<T> {
        Ok((value, self.workshop.call().cost(Traffic::default())))
    }
}

impl<F: PrimeField> core::fmt::Debug for Polynomials<F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Polynomials on {NAME}")
    }
}

impl<F: PrimeField> PolyOp<F> for Polynomials<F> {
    fn scale(&self, a: &mut Buf<F>, k: &F) -> Done<()> {
        Self::few("scale", a.len())?;
        if a.is_empty() {
            return self.nothing(());
        }
        let mut call = self.workshop.call();
        self.room(&[a.view()], 1)?;
        let kernel = self.program("scale", scans::scale)?;
        let (operand, k) = (self.operand(&a.view(), &mut call)?, self.upload(&[*k], &mut call)?);
        let out = self.compute(&kernel, &[number(a.len())], a.len(), &[&operand, &k], &mut call)?;
        self.put(out, a, 1, (), call)
    }

    fn axpy(&self, a: &mut Buf<F>, k: &F, b: View<'_, F>) -> Done<()> {
        same_length("axpy", a.len(), b.len())?;
        Self::few("axpy", a.len())?;
        if a.is_empty() {
            return self.nothing(());
        }
        let mut call = self.workshop.call();
        self.room(&[a.view(), b], 1)?;
        let tuning = self.workshop.vec_tuning();
        let program = || blas::device(BlasOp::Axpy, self.workshop.element(), tuning);
        let kernel = self.programs.get(&self.workshop, "axpy", program)?;
        let (sum, term) = (self.operand(&a.view(), &mut call)?, self.operand(&b, &mut call)?);
        let k = self.upload(&[*k], &mut call)?;
        let out = self.compute(&kernel, &[number(a.len())], a.len(), &[&term, &sum, &k], &mut call)?;
        self.put(out, a, 2, (), call)
    }

    fn invert(&self, a: &mut Buf<F>) -> Done<()> {
        Self::few("invert", a.len())?;
        if a.is_empty() {
            return self.nothing(());
        }
        let mut call = self.workshop.call();
        self.room(&[a.view()], 1)?;
        let (threads, per_thread) = INVERTING;
        let program =
            || inverse::batch_device(self.workshop.element(), Power::device(F::BITS), threads, per_thread);
        let kernel = self.programs.get(&self.workshop, "batch_inverse", program)?;
        let mut exponent = inverting_exponent(&modulus_of::<F>()).to_u64_digits();
        exponent.resize(words_of::<F>(), 0);
        let exponent = Words::from_host(self.workshop.gpu(), &exponent, &mut call.copies)?;
        let exponent = Vector { words: Arc::new(exponent), len: 1 };
        let (operand, one) = (self.operand(&a.view(), &mut call)?, self.upload(&[F::ONE], &mut call)?);
        let operands = [&operand, &exponent, &one];
        let out = self.compute(&kernel, &[number(a.len())], a.len(), &operands, &mut call)?;
        self.put(out, a, 1, (), call)
    }

    fn prefix_products(&self, a: &mut Buf<F>) -> Done<F> {
        Self::few("prefix_products", a.len())?;
        if a.is_empty() {
            return self.nothing(F::ONE);
        }
        let mut call = self.workshop.call();
        // The result, and the levels of pieces, an eighth each of the one before.
        self.room(&[a.view()], 2)?;
        let (up, down) = (
            self.program("products_up", scans::products_up)?,
            self.program("products_down", scans::products_down)?,
        );
        let operand = self.operand(&a.view(), &mut call)?;
        let mut levels = self.up(operand, &up, None, &mut call)?;
        let mut before = self.upload(&[F::ONE], &mut call)?;
        let product = match levels.pop() {
            Some(root) => self.first(&root, &mut call)?,
            None => F::ONE,
        };
        while let Some(level) = levels.pop() {
            let scalars = [number(before.len), number(level.len)];
            before = self.compute(&down, &scalars, level.len, &[&level, &before], &mut call)?;
        }
        self.put(before, a, 1, product, call)
    }

    fn powers(&self, first: &F, base: &F, n: usize) -> Done<Buf<F>> {
        Self::few("powers", n)?;
        if n == 0 {
            return self.nothing(Buf::default());
        }
        let mut call = self.workshop.call();
        self.workshop.room(&Need::new().and("powers", (n * F::BYTES) as u64), &[])?;
        let kernel = self.program("more_powers", scans::more_powers)?;
        let squares = core::iter::successors(Some(*base), |x| Some(x.square()));
        let squares: Vec<F> = squares.take(n.ilog2() as usize + 1).collect();
        let squares = self.upload(&squares, &mut call)?;
        let (first, one) = (self.upload(&[*first], &mut call)?, self.upload(&[F::ONE], &mut call)?);
        let scale = self.program("scale", scans::scale)?;
        // The first of them, as a product with one.
        let mut out = self.words(&scale, &[1], n, &[&first, &one], &mut call)?;
        let (mut there, mut at) = (1, 0);
        while there < n {
            let scalars = [number(there.min(n - there)), number(there), at];
            let arguments = vec![Arg::Write(&mut out), Arg::Read(&squares.words)];
            // SAFETY: so many powers are there, and as many at most are written behind them, `n` in all.
            unsafe { kernel.launch(&scalars, arguments, self.workshop.constants())? };
            call.ops += kernel.ops(&scalars);
            (there, at) = (2 * there, at + 1);
        }
        let traffic = Traffic { read: 0, written: (n * F::BYTES) as u64 };
        let powers = self.workshop.left(Arc::new(out), n)?;
        Ok((powers, call.cost(traffic)))
    }

    fn evaluate(&self, p: View<'_, F>, x: &F) -> Done<F> {
        Self::few("evaluate", p.len())?;
        if p.is_empty() {
            return self.nothing(F::ZERO);
        }
        let mut call = self.workshop.call();
        self.room(core::slice::from_ref(&p), 1)?;
        let up = self.program("horner_up", scans::horner_up)?;
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
        Self::few("divide", p.len())?;
        if p.len() < 2 {
            return self.nothing((Buf::default(), p.host()?.first().copied().unwrap_or(F::ZERO)));
        }
        let mut call = self.workshop.call();
        self.room(core::slice::from_ref(&p), 2)?;
        let (up, down) =
            (self.program("horner_up", scans::horner_up)?, self.program("horner_down", scans::horner_down)?);
        let operand = self.operand(&p, &mut call)?;
        let powers = self.eighth_powers(z, p.len(), &mut call)?;
        let mut levels = self.up(operand, &up, Some(&powers), &mut call)?;
        let mut above = match levels.pop() {
            Some(root) => root,
            None => return self.nothing((Buf::default(), F::ZERO)),
        };
        let remainder = self.first(&above, &mut call)?;
        while let Some(level) = levels.pop() {
            // The last step leaves the remainder out.
            let skip = usize::from(levels.is_empty());
            let scalars = [number(above.len), number(level.len), number(levels.len()), number(skip)];
            let operands = [&level, &powers, &above];
            above = self.compute(&down, &scalars, level.len - skip, &operands, &mut call)?;
        }
        let bytes = (p.len() * F::BYTES) as u64;
        let quotient = self.workshop.left(above.words, above.len)?;
        let traffic = Traffic { read: bytes, written: bytes };
        let cost = call.cost(traffic);
        Ok(((quotient, remainder), cost))
    }
}
