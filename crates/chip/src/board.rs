//! The chip as a device: its operators in the slots of a board.
//!
//! What the chip has no operator for stays with the host it is built into: products of sparse matrices, multiples of
//! one base, and pairings over other curves than BLS12-381. An operator's cost has the cycles of its program; writing
//! operands into DRAM and reading results back is the host's and is not in them.

use crate::isa::{Group, VectorOp};
use crate::machine::top::Account;
use crate::operator::{self, OperatorError, Options};
use crate::power::{self, Activity};
use crate::program::{Chain, product};
use crate::task::ntt::Shape;
use crate::{MachineSpec, OnChip, compiler};
use pairwright_curve::bls12_381::{Bls12_381, Fq, Fq12};
use pairwright_curve::{Affine, Curve, G1Affine, G2Affine, Jacobian};
use pairwright_device::{
    Bound, Cost, Device, DeviceError, Direction, Done, Dram, EntrySource, Fidelity, Modelled, MsmOp, NttOp,
    Occupancy, OpCount, PairingOp, Picojoules, SparseShape, Time, Traffic, VecOp,
};
use pairwright_field::{Field, PrimeField};
use pairwright_poly::{Buf, Domain, View};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

const NAME: &str = "chip";

/// The board of a chip of this design in a host: the chip's transforms, vectors and MSMs, whose engines take any of the
/// curves of this project, and everything else the host's.
pub fn board<E: OnChip>(spec: &MachineSpec, host: Device<E>) -> Device<E> {
    E::on_board(spec, host)
}

/// [`board`], built for a pairing.
pub(crate) fn assemble<E: OnChip>(spec: &MachineSpec, host: Device<E>) -> Device<E> {
    let options = Options::default();
    let vectors = Arc::new(Vectors { spec: spec.clone(), options, host: host.vec.clone() });
    let g1 = Points { spec: spec.clone(), options, group: Group::G1, host: host.g1.clone() };
    let g2 = Points { spec: spec.clone(), options, group: Group::G2, host: host.g2.clone() };
    let pairing = E::pairing_slot(spec, &host);
    host.named(NAME)
        .with_ntt(vectors.clone())
        .with_vec(vectors)
        .with_g1(Arc::new(g1))
        .with_g2(Arc::new(g2))
        .with_pairing(pairing)
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
        why => machine(why),
    }
}

fn machine(why: impl core::error::Error + Send + Sync + 'static) -> DeviceError {
    DeviceError::Machine { machine: NAME, cause: Box::new(why) }
}

/// What an account says in the device's words.
pub fn cost(spec: &MachineSpec, account: &Account) -> Cost {
    let cost = account.cost(spec);
    let elements = u64::from(power::ChipShape::of(spec).elements);
    let model = modelled(account, account.element_cycles(), elements);
    Cost {
        machine: NAME,
        time: Time::Cycles {
            n: account.cycles,
            hz: cost.clock_hz.round() as u64,
            fidelity: Fidelity::CycleAccurate,
        },
        bytes: model.dram.useful,
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

/// Traffic and occupancy of a run in which elements were busy for so many cycles, of so many that there are.
fn modelled(account: &Account, busy: u64, elements: u64) -> Modelled {
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

/// The pairing slot over BLS12-381, with the programs compiled so far by number of pairs.
pub(crate) struct Pairings {
    spec: MachineSpec,
    programs: Mutex<BTreeMap<usize, Arc<Chain<Fq>>>>,
}

/// Schedules that the compiler tries for a pairing's routines: enough to be near the best of a thousand.
const SEEDS: u32 = 50;

impl Pairings {
    /// The slot of a chip of this design.
    pub(crate) fn slot(spec: &MachineSpec) -> Arc<dyn PairingOp<Bls12_381>> {
        Arc::new(Self { spec: spec.clone(), programs: Mutex::default() })
    }

    fn program(&self, pairs: usize) -> Result<Arc<Chain<Fq>>, DeviceError> {
        let mut programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(program) = programs.get(&pairs) {
            return Ok(program.clone());
        }
        let options = compiler::Options { seeds: SEEDS, ..Default::default() };
        let program = Arc::new(product::product_vartime(pairs, &self.spec, &options).map_err(machine)?);
        programs.insert(pairs, program.clone());
        Ok(program)
    }
}

impl PairingOp<Bls12_381> for Pairings {
    fn multi_pairing(&self, pairs: &[(G1Affine<Bls12_381>, G2Affine<Bls12_381>)]) -> Done<Fq12> {
        let (mut value, mut joules, mut products) = (Fq12::ONE, 0.0, 0);
        let mut whole: Option<Account> = None;
        // A program takes so many pairs; more go through it in turns, and the host multiplies.
        for pairs in pairs.chunks(product::MOST) {
            let program = self.program(pairs.len())?;
            let (outcome, runs) =
                operator::routines(&self.spec, &program, &product::inputs(pairs)).map_err(machine)?;
            value *= product::value(&outcome.value).map_err(machine)?;
            let energy = |run| power::Cost::of(&self.spec, &Activity::from(run)).energy_j;
            joules += runs.iter().map(energy).sum::<f64>();
            products += runs.iter().map(|run| run.issued.mm + run.inversion_products).sum::<u64>();
            whole = Some(match whole {
                Some(earlier) => earlier.then(&outcome.account),
                None => outcome.account,
            });
        }
        if value.is_zero() {
            return Err(DeviceError::ZeroMillerLoop);
        }
        let bytes = Traffic { read: size_of_val(pairs) as u64, written: size_of::<Fq12>() as u64 };
        let hz = power::clock_hz(&self.spec).round() as u64;
        // Of no pairs there is nothing to run.
        let cycles = whole.as_ref().map_or(0, |account| account.cycles);
        let model = whole.map(|account| {
            let elements = u64::from(power::ChipShape::of(&self.spec).elements);
            // The multiplier's four elements take a product together.
            modelled(&account, u64::from(power::PAIRING_PES) * products, elements)
        });
        let time = Time::Cycles { n: cycles, hz, fidelity: Fidelity::CycleAccurate };
        let energy = Some(Picojoules::from_joules(joules));
        Ok((
            value,
            Cost { machine: NAME, time, bytes, transfer: None, ops: OpCount::default(), energy, model },
        ))
    }
}
