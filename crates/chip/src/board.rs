//! The chip as a device: its operators in the slots of a board.
//!
//! What the chip has no operator for stays with the host it is built into: products of sparse matrices, multiples of
//! one base, and pairings over other curves than BLS12-381. An operator's cost has the cycles of its program; writing
//! operands into DRAM and reading results back is the host's and is not in them.

use crate::MachineSpec;
use crate::isa::{Group, VectorOp};
use crate::machine::top::Account;
use crate::operator::{self, OperatorError, Options};
use crate::program::{self, Inputs};
use crate::task::ntt::Shape;
use pairwright_curve::{Affine, Curve, G1Affine, G2Affine, Jacobian, Pairing};
use pairwright_device::{
    Bound, Cost, Device, DeviceError, Direction, Done, Dram, EntrySource, Fidelity, MsmOp, NttOp, Occupancy,
    OpCount, PairingOp, Picojoules, SparseShape, Time, Traffic, VecOp,
};
use pairwright_field::PrimeField;
use pairwright_poly::{Buf, Domain, View};
use std::sync::Arc;

const NAME: &str = "chip";

/// The board of a chip of this design in a host: the chip's transforms, vectors and MSMs, whose engines take any of the
/// curves of this project, and everything else the host's.
pub fn board<E: Pairing>(spec: &MachineSpec, host: Device<E>) -> Device<E> {
    let slot = Arc::new(Slots { spec: spec.clone(), options: Options::default(), host: host.clone() });
    host.named(NAME)
        .with_ntt(slot.clone())
        .with_vec(slot.clone())
        .with_g1(Arc::new(Points { group: Group::G1, slots: slot.clone() }))
        .with_g2(Arc::new(Points { group: Group::G2, slots: slot }))
}

/// The transform and vector slots.
struct Slots<E: Pairing> {
    spec: MachineSpec,
    options: Options,
    host: Device<E>,
}

/// An MSM slot.
struct Points<E: Pairing> {
    group: Group,
    slots: Arc<Slots<E>>,
}

fn failed(why: OperatorError) -> DeviceError {
    DeviceError::Machine { machine: NAME, cause: Box::new(why) }
}

/// What an account says in the device's words.
pub fn cost(spec: &MachineSpec, account: &Account) -> Cost {
    let cost = account.cost(spec);
    let elements = u64::from(crate::power::ChipShape::of(spec).elements);
    let moved = account.dram;
    let written = if moved.read_bytes + moved.write_bytes == 0 {
        0
    } else {
        // Bursts are counted together; their bytes go with what was asked for.
        (u128::from(moved.moved_bytes) * u128::from(moved.write_bytes)
            / u128::from(moved.read_bytes + moved.write_bytes)) as u64
    };
    let useful = Traffic { read: moved.read_bytes, written: moved.write_bytes };
    let model = pairwright_device::Modelled {
        dram: Dram { useful, moved: Traffic { read: moved.moved_bytes - written, written } },
        elements: Occupancy { busy: account.element_cycles(), of: elements * account.cycles },
        memory: Occupancy { busy: account.busy.dma, of: account.cycles },
        bound: if account.memory_bound() { Bound::Memory } else { Bound::Compute },
    };
    Cost {
        machine: NAME,
        time: Time::Cycles {
            n: account.cycles,
            hz: cost.clock_hz.round() as u64,
            fidelity: Fidelity::CycleAccurate,
        },
        bytes: useful,
        transfer: None,
        ops: OpCount {
            field_mul: account.poly.products,
            field_add: account.poly.additions,
            point_add: account.padds(),
        },
        energy: Some(Picojoules::from_joules(cost.energy_j)),
        model: Some(model),
    }
}

impl<E: Pairing> Slots<E> {
    fn transform(
        &self,
        domain: &Domain<E::Fr>,
        inverse: bool,
        shift: E::Fr,
        data: &mut [E::Fr],
    ) -> Result<Account, DeviceError> {
        let shape = Shape { domain: *domain, inverse, shift };
        operator::ntt(&self.spec, &shape, self.options, data).map_err(failed)
    }

    fn vector(
        &self,
        a: &mut Buf<E::Fr>,
        operands: &[(VectorOp, &[E::Fr])],
    ) -> Result<((), Cost), DeviceError> {
        let account = operator::vector(&self.spec, self.options, a, operands).map_err(failed)?;
        Ok(((), cost(&self.spec, &account)))
    }
}

impl<E: Pairing> NttOp<E::Fr> for Slots<E> {
    fn ntt(
        &self,
        domain: &Domain<E::Fr>,
        dir: Direction,
        shift: Option<&E::Fr>,
        data: &mut Buf<E::Fr>,
    ) -> Done<()> {
        let shift = shift.copied().unwrap_or(E::Fr::ONE);
        if shift.is_zero() {
            return Err(DeviceError::ZeroShift);
        }
        let account = self.transform(domain, dir == Direction::Inverse, shift, data)?;
        Ok(((), cost(&self.spec, &account)))
    }

    fn extend(&self, domain: &Domain<E::Fr>, data: &mut Buf<E::Fr>) -> Done<()> {
        let shift = domain.odd_shift()?;
        let account = operator::extend(&self.spec, domain, shift, self.options, data).map_err(failed)?;
        Ok(((), cost(&self.spec, &account)))
    }
}

impl<E: Pairing> VecOp<E::Fr> for Slots<E> {
    fn mul(&self, a: &mut Buf<E::Fr>, b: View<'_, E::Fr>) -> Done<()> {
        self.vector(a, &[(VectorOp::Mul, &b)])
    }
    fn add(&self, a: &mut Buf<E::Fr>, b: View<'_, E::Fr>) -> Done<()> {
        self.vector(a, &[(VectorOp::Add, &b)])
    }
    fn sub(&self, a: &mut Buf<E::Fr>, b: View<'_, E::Fr>) -> Done<()> {
        self.vector(a, &[(VectorOp::Sub, &b)])
    }
    fn mul_sub(&self, a: &mut Buf<E::Fr>, b: View<'_, E::Fr>, c: View<'_, E::Fr>) -> Done<()> {
        self.vector(a, &[(VectorOp::Mul, &b), (VectorOp::Sub, &c)])
    }
    fn sparse_mul(
        &self,
        shape: SparseShape,
        entries: &dyn EntrySource<E::Fr>,
        x: View<'_, E::Fr>,
    ) -> Done<Vec<Buf<E::Fr>>> {
        self.host.vec.sparse_mul(shape, entries, x)
    }
}

impl<E: Pairing, C: Curve<Scalar = E::Fr>> MsmOp<C> for Points<E>
where
    Device<E>: Multiples<C>,
{
    fn msm(&self, bases: View<'_, Affine<C>>, scalars: View<'_, C::Scalar>) -> Done<Jacobian<C>> {
        let Slots { spec, options, .. } = &*self.slots;
        let outcome = operator::msm(spec, self.group, *options, &bases, &scalars).map_err(failed)?;
        Ok((outcome.value.to_affine().to_jacobian(), cost(spec, &outcome.account)))
    }

    fn multiples(&self, base: &Affine<C>, scalars: View<'_, C::Scalar>) -> Done<Buf<Affine<C>>> {
        self.slots.host.multiples(base, scalars)
    }
}
