//! The chip's engines as a device: transforms, vector operations and MSMs in the slots of a board.
//!
//! The other slots keep the host's operators, and so do multiples of one base. A pairing runs as a program; the crate of
//! programs fills its slot. The cost of an operator is the cycles of its program: the host writes operands into DRAM and
//! reads sums back, which takes no cycles of the chip. The bytes so moved are the operator's transfer. A key, a witness or a
//! result that an earlier operator has left in DRAM is not written again, and a vector is copied back only when the host
//! asks for it.

use crate::MachineSpec;
use crate::isa::{Group, VectorOp};
use crate::machine::top::Account;
use crate::operator::{self, OperatorError, OperatorOptions};
use crate::power;
use crate::task::ntt::Shape;
use pairwright_curve::{Affine, Curve, Jacobian, Pairing};
use pairwright_device::{
    Cost, Device, DeviceError, Direction, Done, Dram, Fidelity, Link, Modelled, MsmOp, NttOp, Occupancy,
    OpCount, Picojoules, Time, Traffic, Transfer, VecOp,
};
use pairwright_field::PrimeField;
use pairwright_poly::{Buf, Domain, SourceError, View};
use std::sync::Arc;

/// The name of the machine in costs and errors.
pub const NAME: &str = "chip";

/// The host's board with a chip of this design in the slots for transforms, vectors and both MSMs. Prefer
/// [`OnChip::on_board`](crate::OnChip::on_board), which is compiled once for each curve.
pub fn board<E: Pairing>(spec: &MachineSpec, host: Device<E>) -> Device<E> {
    let options = OperatorOptions::default();
    let link = Link::new(NAME);
    let log = link.log().clone();
    let vectors = Arc::new(Vectors { spec: spec.clone(), options, link: link.clone() });
    let g1 =
        Points { spec: spec.clone(), options, group: Group::G1, link: link.clone(), host: host.g1.clone() };
    let g2 = Points { spec: spec.clone(), options, group: Group::G2, link, host: host.g2.clone() };
    let machine = host.named(NAME).with_log(log).with_ntt(vectors.clone()).with_vec(vectors);
    machine.with_g1(Arc::new(g1)).with_g2(Arc::new(g2))
}

/// The chip as the operator of the transform and vector slots.
struct Vectors {
    spec: MachineSpec,
    options: OperatorOptions,
    link: Link,
}

/// The chip as the operator of an MSM slot.
struct Points<C: Curve> {
    spec: MachineSpec,
    options: OperatorOptions,
    group: Group,
    link: Link,
    host: Arc<dyn MsmOp<C>>,
}

/// Marks operands that lie in the chip's DRAM as points of a group.
struct InDram;
/// Marks operands that lie in the chip's DRAM as integers, the form of scalars that MSMs take.
struct Integers;
/// Marks operands that lie in the chip's DRAM in Montgomery form, which transforms and vector operations take.
struct Residues;

/// Converts the failure of an operator to a device's error; unequal lengths become [`DeviceError::LengthMismatch`] of `op`.
fn failed(op: &'static str) -> impl Fn(OperatorError) -> DeviceError {
    move |why| match why {
        OperatorError::Lengths { left, right } => DeviceError::LengthMismatch { op, left, right },
        why => failure(why),
    }
}

/// Wraps any failure of the chip as a device's error.
pub fn failure(why: impl core::error::Error + Send + Sync + 'static) -> DeviceError {
    DeviceError::Machine { machine: NAME, cause: Box::new(why) }
}

/// The cost of a run: cycles, DRAM traffic, operation counts and energy.
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
    let useful = Traffic { read: account.dram.read_bytes, written: account.dram.write_bytes };
    let [read, written] = account.dram.moved();
    Modelled {
        dram: Dram { useful, moved: Traffic { read, written } },
        elements: Occupancy { busy, of: elements * account.cycles },
        memory: Occupancy { busy: account.busy.dma, of: account.cycles },
        bound: account.bound(),
    }
}

impl Vectors {
    /// Runs an operator on `a` in place. Operands that are not in the chip's DRAM yet are sent there, and the result stays
    /// there until the host asks for it.
    fn in_place<F: PrimeField>(
        &self,
        op: &'static str,
        a: &mut Buf<F>,
        others: &[View<'_, F>],
        run: impl FnOnce(&mut [F]) -> Result<Account, OperatorError>,
    ) -> Done<()> {
        let mut elements = self.link.elements::<F, Residues>(&a.view())?.into_owned();
        let account = run(&mut elements).map_err(failed(op))?;
        let sent = |operand| self.link.send(operand, Residues, F::BYTES);
        let to_machine = sent(&a.view()) + others.iter().map(sent).sum::<u64>();
        *a = self.link.leave(elements, Residues, F::BYTES);
        let transfer = Some(Transfer::untimed(to_machine, 0));
        Ok(((), Cost { transfer, ..cost(&self.spec, &account) }))
    }

    fn vector<F: PrimeField>(&self, a: &mut Buf<F>, operands: &[(VectorOp, View<'_, F>)]) -> Done<()> {
        let others: Vec<_> = operands.iter().map(|(_, other)| *other).collect();
        let elements = |other| self.link.elements::<F, Residues>(other);
        let elements = others.iter().map(elements).collect::<Result<Vec<_>, SourceError>>()?;
        let operands: Vec<_> = operands.iter().zip(&elements).map(|((op, _), b)| (*op, &**b)).collect();
        self.in_place("vector operation", a, &others, |a| {
            operator::vector(&self.spec, self.options, a, &operands)
        })
    }
}

impl<F: PrimeField> NttOp<F> for Vectors {
    fn ntt(&self, domain: &Domain<F>, dir: Direction, shift: Option<&F>, data: &mut Buf<F>) -> Done<()> {
        let shift = shift.copied().unwrap_or(F::ONE);
        if shift.is_zero() {
            return Err(DeviceError::ZeroShift);
        }
        let shape = Shape { domain: *domain, inverse: dir == Direction::Inverse, shift };
        self.in_place("ntt", data, &[], |data| operator::ntt(&self.spec, &shape, self.options, data))
    }

    fn extend(&self, domain: &Domain<F>, data: &mut Buf<F>) -> Done<()> {
        let shift = domain.odd_shift()?;
        self.in_place("extend", data, &[], |data| {
            operator::extend(&self.spec, domain, shift, self.options, data)
        })
    }
}

impl<F: PrimeField> VecOp<F> for Vectors {
    fn mul(&self, a: &mut Buf<F>, b: View<'_, F>) -> Done<()> {
        self.vector(a, &[(VectorOp::Mul, b)])
    }
    fn mul_sub(&self, a: &mut Buf<F>, b: View<'_, F>, c: View<'_, F>) -> Done<()> {
        self.vector(a, &[(VectorOp::Mul, b), (VectorOp::Sub, c)])
    }
}

impl<C: Curve> MsmOp<C> for Points<C> {
    fn msm(&self, bases: View<'_, Affine<C>>, scalars: View<'_, C::Scalar>) -> Done<Jacobian<C>> {
        let outcome = operator::msm(&self.spec, self.group, self.options, bases.host()?, scalars.host()?)
            .map_err(failed("msm"))?;
        let to_machine = self.link.send(&bases, InDram, size_of::<[C::Base; 2]>())
            + self.link.send(&scalars, Integers, C::Scalar::BYTES);
        let transfer = Some(Transfer::untimed(to_machine, size_of::<[C::Base; 3]>() as u64));
        let cost = Cost { transfer, ..cost(&self.spec, &outcome.account) };
        Ok((outcome.value.to_affine().to_jacobian(), cost))
    }

    fn multiples(&self, base: &Affine<C>, scalars: View<'_, C::Scalar>) -> Done<Buf<Affine<C>>> {
        self.host.multiples(base, scalars)
    }
}
