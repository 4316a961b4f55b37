//! The chip's engines as a device: transforms, vector operations and MSMs in the slots of a board.
//!
//! The other slots keep the host's operators, and so do products of sparse matrices and multiples of one base. A
//! pairing runs as a program; the crate of programs fills its slot. An operator's cost has the cycles of its program;
//! the host writes operands into DRAM and reads results back, which takes no cycles of the chip.

use crate::MachineSpec;
use crate::isa::{Group, VectorOp};
use crate::machine::top::Account;
use crate::operator::{self, OperatorError, Options};
use crate::power;
use crate::task::ntt::Shape;
use pairwright_curve::{Affine, Curve, Jacobian, Pairing};
use pairwright_device::{
    Bound, Cost, Device, DeviceError, Direction, Done, Dram, EntrySource, Fidelity, Modelled, MsmOp, NttOp,
    Occupancy, OpCount, Picojoules, SparseShape, Time, Traffic, VecOp,
};
use pairwright_field::PrimeField;
use pairwright_poly::{Buf, Domain, View};
use std::sync::Arc;

/// The machine's name in costs and errors.
pub const NAME: &str = "chip";

/// The board of a chip of this design in a host. Prefer [`OnChip::on_board`](crate::OnChip::on_board), which is compiled once
/// for each curve.
pub fn board<E: Pairing>(spec: &MachineSpec, host: Device<E>) -> Device<E> {
    let options = Options::default();
    let vectors = Arc::new(Vectors { spec: spec.clone(), options, host: host.vec.clone() });
    let g1 = Points { spec: spec.clone(), options, group: Group::G1, host: host.g1.clone() };
    let g2 = Points { spec: spec.clone(), options, group: Group::G2, host: host.g2.clone() };
    host.named(NAME).with_ntt(vectors.clone()).with_vec(vectors).with_g1(Arc::new(g1)).with_g2(Arc::new(g2))
}

/// The transform and vector slots.
struct Vectors<F: PrimeField> {
    spec: MachineSpec,
    options: Options,
    host: Arc<dyn VecOp<F>>,
}

/// An MSM slot.
struct Points<C: Curve> {
    spec: MachineSpec,
    options: Options,
    group: Group,
    host: Arc<dyn MsmOp<C>>,
}

/// An operator's failure in the device's words.
fn failed(op: &'static str) -> impl Fn(OperatorError) -> DeviceError {
    move |why| match why {
        OperatorError::Lengths { left, right } => DeviceError::LengthMismatch { op, left, right },
        why => failure(why),
    }
}

/// A failure of the chip as a device's error.
pub fn failure(why: impl core::error::Error + Send + Sync + 'static) -> DeviceError {
    DeviceError::Machine { machine: NAME, cause: Box::new(why) }
}

/// The cost of a run in the device's terms.
pub fn cost(spec: &MachineSpec, account: &Account) -> Cost {
    let price = power::price(account, spec);
    let elements = u64::from(power::ChipShape::of(spec).elements);
    let model = modelled(account, account.element_cycles(), elements);
    Cost {
        machine: NAME,
        time: Time::Cycles {
            n: account.cycles,
            hz: price.clock_hz.round() as u64,
            fidelity: Fidelity::CycleAccurate,
        },
        bytes: model.dram.useful,
        transfer: None,
        ops: OpCount {
            field_mul: account.poly.products,
            field_add: account.poly.additions,
            point_add: account.padds(),
        },
        energy: Some(Picojoules::from_joules(price.energy_j)),
        model: Some(model),
    }
}

/// Traffic and occupancy of a run. `busy` counts cycles in which processing elements worked, summed over the
/// `elements` that the chip has.
pub fn modelled(account: &Account, busy: u64, elements: u64) -> Modelled {
    let moved = account.dram;
    let useful = Traffic { read: moved.read_bytes, written: moved.write_bytes };
    // Bursts are counted together; their bytes go with what was asked for.
    let share = u128::from(moved.moved_bytes) * u128::from(useful.written);
    let written = share.checked_div(u128::from(useful.read + useful.written)).unwrap_or(0) as u64;
    Modelled {
        dram: Dram { useful, moved: Traffic { read: moved.moved_bytes - written, written } },
        elements: Occupancy { busy, of: elements * account.cycles },
        memory: Occupancy { busy: account.busy.dma, of: account.cycles },
        bound: if account.memory_bound() { Bound::Memory } else { Bound::Compute },
    }
}

impl<F: PrimeField> Vectors<F> {
    fn transform(
        &self,
        domain: &Domain<F>,
        inverse: bool,
        shift: F,
        data: &mut [F],
    ) -> Result<Account, DeviceError> {
        let shape = Shape { domain: *domain, inverse, shift };
        operator::ntt(&self.spec, &shape, self.options, data).map_err(failed("ntt"))
    }

    fn vector(&self, a: &mut Buf<F>, operands: &[(VectorOp, &[F])]) -> Result<((), Cost), DeviceError> {
        let account =
            operator::vector(&self.spec, self.options, a, operands).map_err(failed("vector operation"))?;
        Ok(((), cost(&self.spec, &account)))
    }
}

impl<F: PrimeField> NttOp<F> for Vectors<F> {
    fn ntt(&self, domain: &Domain<F>, dir: Direction, shift: Option<&F>, data: &mut Buf<F>) -> Done<()> {
        let shift = shift.copied().unwrap_or(F::ONE);
        if shift.is_zero() {
            return Err(DeviceError::ZeroShift);
        }
        let account = self.transform(domain, dir == Direction::Inverse, shift, data)?;
        Ok(((), cost(&self.spec, &account)))
    }

    fn extend(&self, domain: &Domain<F>, data: &mut Buf<F>) -> Done<()> {
        let shift = domain.odd_shift()?;
        let account =
            operator::extend(&self.spec, domain, shift, self.options, data).map_err(failed("extend"))?;
        Ok(((), cost(&self.spec, &account)))
    }
}

impl<F: PrimeField> VecOp<F> for Vectors<F> {
    fn mul(&self, a: &mut Buf<F>, b: View<'_, F>) -> Done<()> {
        self.vector(a, &[(VectorOp::Mul, &b)])
    }
    fn add(&self, a: &mut Buf<F>, b: View<'_, F>) -> Done<()> {
        self.vector(a, &[(VectorOp::Add, &b)])
    }
    fn sub(&self, a: &mut Buf<F>, b: View<'_, F>) -> Done<()> {
        self.vector(a, &[(VectorOp::Sub, &b)])
    }
    fn mul_sub(&self, a: &mut Buf<F>, b: View<'_, F>, c: View<'_, F>) -> Done<()> {
        self.vector(a, &[(VectorOp::Mul, &b), (VectorOp::Sub, &c)])
    }
    fn sparse_mul(
        &self,
        shape: SparseShape,
        entries: &dyn EntrySource<F>,
        x: View<'_, F>,
    ) -> Done<Vec<Buf<F>>> {
        self.host.sparse_mul(shape, entries, x)
    }
}

impl<C: Curve> MsmOp<C> for Points<C> {
    fn msm(&self, bases: View<'_, Affine<C>>, scalars: View<'_, C::Scalar>) -> Done<Jacobian<C>> {
        let outcome =
            operator::msm(&self.spec, self.group, self.options, &bases, &scalars).map_err(failed("msm"))?;
        Ok((outcome.value.to_affine().to_jacobian(), cost(&self.spec, &outcome.account)))
    }

    fn multiples(&self, base: &Affine<C>, scalars: View<'_, C::Scalar>) -> Done<Buf<Affine<C>>> {
        self.host.multiples(base, scalars)
    }
}
