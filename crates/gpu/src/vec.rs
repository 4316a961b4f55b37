//! Vector arithmetic on the device.
//!
//! Operands that the device does not have from a call before are copied there, and the result stays until the host asks for
//! it; copies are counted apart ([`pairwright_device::Cost::transfer`]) and take much longer than the arithmetic.

use crate::error::GpuError;
use crate::launch::Arg;
use crate::memory::{Copies, Need, Words};
use crate::workshop::{Loaded, Workshop};
use crate::{NAME, same_length};
use pairwright_device::{DeviceError, Done, OpCount, Traffic, VecOp};
use pairwright_field::PrimeField;
use pairwright_moma::program::blas::{self, BlasOp, BlasTuning};
use pairwright_moma::program::lang::Body;
use pairwright_moma::program::{
    Access, ArrayKernel, Buffer, BufferKind, Element, ElementPlace, Ix, Launch, Reg, Role,
};
use pairwright_poly::{Buf, View};
use std::sync::{Arc, OnceLock};

/// Most elements of one launch: indices have 32 bits.
const MOST: usize = 1 << 31;

/// The vector arithmetic of a device; kernels are compiled at their first use.
pub struct Vectors<F: PrimeField> {
    workshop: Arc<Workshop<F>>,
    kernels: [OnceLock<Loaded>; 2],
}

/// The operations that run on the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum VecKernel {
    Mul,
    MulSub,
}

impl VecKernel {
    const ALL: [Self; 2] = [Self::Mul, Self::MulSub];

    fn name(self) -> &'static str {
        match self {
            Self::Mul => "mul",
            Self::MulSub => "mul_sub",
        }
    }

    /// The program, with the buffers `out, a, b` and for the last one `c`.
    fn program(self, element: Element, tuning: BlasTuning) -> ArrayKernel {
        match self {
            Self::Mul => blas::device(BlasOp::Vmul, element, tuning),
            Self::MulSub => mul_sub(element, tuning),
        }
    }

    fn ops(self, n: usize) -> OpCount {
        let n = n as u64;
        let (mul, add) = match self {
            Self::Mul => (n, 0),
            Self::MulSub => (n, n),
        };
        OpCount { field_mul: mul, field_add: add, point_add: 0 }
    }
}

/// The programs that [`Vectors`] runs, for elements of a width: product, sum, difference, and `a b - c`.
pub fn vector_programs(element: Element, tuning: BlasTuning) -> Vec<ArrayKernel> {
    VecKernel::ALL.iter().map(|kernel| kernel.program(element, tuning)).collect()
}

/// `vmulsub(n, out, a, b, c, constants)`: `out[i] = a[i] b[i] - c[i]`, as the programs of [`blas`] otherwise.
fn mul_sub(element: Element, tuning: BlasTuning) -> ArrayKernel {
    let threads = tuning.threads.max(1).next_power_of_two();
    let per_thread = tuning.per_thread.max(1).next_power_of_two();
    let per_block = u64::from(threads) * u64::from(per_thread);
    let mut body = Body::default();
    let first = body.let_(Ix::Block * per_block + Ix::Thread);
    let mut places = Vec::new();
    for e in 0..per_thread {
        let at = body.let_(first.clone() + u64::from(e) * u64::from(threads));
        let inside = body.let_(at.clone().min(Ix::Scalar(0) - 1));
        let [a, b, c] = [0, 1, 2].map(|operand| Reg(3 * e as usize + operand));
        for (operand, reg) in [(1, a), (2, b), (3, c)] {
            body.load(reg, ElementPlace::global(operand, inside.clone()));
        }
        places.push((at, [a, b, c]));
    }
    for (at, [a, b, c]) in places {
        body.call(Role::Mul, a, a, b);
        body.call(Role::Sub, a, a, c);
        body.when(at.clone(), Ix::Scalar(0), |body| body.store(ElementPlace::global(0, at), a));
    }
    let buffer = |name, access| Buffer { name, access, kind: BufferKind::Elements };
    ArrayKernel {
        name: "vmulsub".to_owned(),
        about: "out[i] = a[i] b[i] - c[i] mod q".to_owned(),
        element,
        scalars: vec!["n"],
        buffers: vec![
            buffer("out", Access::Write),
            buffer("a", Access::Read),
            buffer("b", Access::Read),
            buffer("c", Access::Read),
        ],
        registers: 3 * per_thread as usize,
        launch: Some(Launch {
            threads,
            resident: 1,
            cluster: 1,
            shared: 0,
            blocks: (Ix::Scalar(0) + (per_block - 1)) >> u64::from(per_block.ilog2()),
        }),
        body: vec![body.phase()],
    }
}

impl<F: PrimeField> Vectors<F> {
    /// The arithmetic on the device of a workshop.
    pub fn new(workshop: Arc<Workshop<F>>) -> Self {
        Self { workshop, kernels: Default::default() }
    }

    fn kernel(&self, op: VecKernel) -> Result<&Loaded, GpuError> {
        let place = &self.kernels[op as usize];
        if let Some(kernel) = place.get() {
            return Ok(kernel);
        }
        let program = op.program(self.workshop.element(), self.workshop.vec_tuning());
        let kernel = self.workshop.load(program)?;
        Ok(place.get_or_init(|| kernel))
    }

    /// `a ← op(a, others...)`.
    fn run(&self, op: VecKernel, a: &mut Buf<F>, others: &[&View<'_, F>]) -> Done<()> {
        for other in others {
            same_length(op.name(), a.len(), other.len())?;
        }
        let n = u32::try_from(a.len()).ok().filter(|n| *n as usize <= MOST);
        let n = n.ok_or(DeviceError::TooLarge { op: op.name(), len: a.len(), max: MOST })?;
        let mut call = self.workshop.call();
        if n > 0 {
            self.on_device(op, n, a, others, &mut call.copies)?;
        }
        call.ops = op.ops(a.len());
        let bytes = (a.len() * F::BYTES) as u64;
        let traffic = Traffic { read: (1 + others.len() as u64) * bytes, written: bytes };
        Ok(((), call.cost(traffic)))
    }

    fn on_device(
        &self,
        op: VecKernel,
        n: u32,
        a: &mut Buf<F>,
        others: &[&View<'_, F>],
        copies: &mut Copies,
    ) -> Result<(), DeviceError> {
        let gpu = self.workshop.gpu();
        let bytes = (a.len() * F::BYTES) as u64;
        let first = self.workshop.bytes_to_come(&a.view());
        let operands = others.iter().fold(first, |sum, other| sum + self.workshop.bytes_to_come(other));
        self.workshop.room(&Need::new().and("operands", operands).and("result", bytes), &[])?;
        let kernel = self.kernel(op)?;
        let mut out = Words::unset(gpu, a.len() * crate::elements::words_of::<F>())?;
        let mut operands = vec![self.workshop.resident(&a.view(), copies)?];
        for other in others {
            operands.push(self.workshop.resident(other, copies)?);
        }
        let mut arguments = vec![Arg::Write(&mut out)];
        arguments.extend(operands.iter().map(|words| Arg::Read(words)));
        // SAFETY: the programs of vector arithmetic read and write elements below `n`, all buffers hold `n`, and the
        // result overlaps no operand.
        unsafe { kernel.launch(&[n], arguments, self.workshop.constants())? };
        *a = self.workshop.left(Arc::new(out), a.len())?;
        Ok(())
    }
}

impl<F: PrimeField> core::fmt::Debug for Vectors<F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Vectors on {NAME}")
    }
}

impl<F: PrimeField> VecOp<F> for Vectors<F> {
    fn mul(&self, a: &mut Buf<F>, b: View<'_, F>) -> Done<()> {
        self.run(VecKernel::Mul, a, &[&b])
    }
    fn mul_sub(&self, a: &mut Buf<F>, b: View<'_, F>, c: View<'_, F>) -> Done<()> {
        self.run(VecKernel::MulSub, a, &[&b, &c])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;
    use pairwright_moma::program::interp::{Data, FieldRule, run};

    #[test]
    fn programs_compute_what_the_operators_are() {
        let q = BigUint::from(1_000_003u32);
        let rule = FieldRule::plain(&q);
        let (n, element) = (37u64, Element { word_bits: 32, words: 1 });
        let column = |seed: u64| -> Vec<BigUint> {
            (0..n).map(|i| BigUint::from((i + 1) * (i + seed) * 7919 % 1_000_003)).collect()
        };
        let [a, b, c] = [column(1), column(20), column(300)];
        for (op, kernel) in
            VecKernel::ALL.into_iter().zip(vector_programs(element, BlasTuning { threads: 4, per_thread: 2 }))
        {
            let operands = [&a, &b, &c].into_iter().take(kernel.buffers.len() - 1);
            let mut data: Vec<Data> =
                core::iter::once(Data::unset(n as usize)).chain(operands.map(|all| Data::of(all))).collect();
            run(&kernel, &rule, &[n], &mut data).unwrap();
            let found = data[0].elements().unwrap();
            for i in 0..n as usize {
                let expected = match op {
                    VecKernel::Mul => &a[i] * &b[i],
                    VecKernel::MulSub => &a[i] * &b[i] + &q - &c[i],
                };
                assert_eq!(found[i], expected % &q, "{}: {i}", op.name());
            }
        }
    }
}
