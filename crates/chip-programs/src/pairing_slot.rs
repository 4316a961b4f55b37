//! The pairing slot of a board: products of pairings on the pairing processor.
//!
//! The host leaves out pairs with a point at infinity. The time for the remaining pairs depends only on their number,
//! so it does not reveal the points of a decryption key.

use crate::{Chain, product};
use pairwright_chip::board::{self, NAME, failure};
use pairwright_chip::machine::top::Account;
use pairwright_chip::power::{self, Activity};
use pairwright_chip::{MachineSpec, compiler};
use pairwright_curve::bls12_381::{Bls12_381, Fq, Fq2, Fq12};
use pairwright_curve::{G1Affine, G2Affine};
use pairwright_device::{
    Cost, DeviceError, Done, Fidelity, OpCount, PairingOp, Picojoules, Time, Traffic, Transfer,
};
use pairwright_field::Field;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The pairing slot over BLS12-381, with a cache of compiled programs by number of pairs.
pub(crate) struct Pairings {
    spec: MachineSpec,
    programs: Mutex<BTreeMap<usize, Arc<Chain<Fq>>>>,
}

/// The number of schedules that the compiler tries for a pairing's routines: enough to be close to the best of a
/// thousand.
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
        let program = Arc::new(product::finite_product(pairs, &self.spec, &options).map_err(failure)?);
        programs.insert(pairs, program.clone());
        Ok(program)
    }
}

impl PairingOp<Bls12_381> for Pairings {
    fn multi_pairing(&self, pairs: &[(G1Affine<Bls12_381>, G2Affine<Bls12_381>)]) -> Done<Fq12> {
        let (mut value, mut joules, mut products) = (Fq12::ONE, 0.0, 0);
        let mut transfer = Transfer::default();
        let mut whole: Option<Account> = None;
        let bytes = Traffic { read: size_of_val(pairs) as u64, written: size_of::<Fq12>() as u64 };
        let finite = pairs.iter().filter(|(p, q)| !p.is_infinity() && !q.is_infinity()).copied();
        let pairs: Vec<_> = finite.collect();
        // A program takes a limited number of pairs; more pairs are processed in several runs, whose results the host
        // multiplies.
        for pairs in pairs.chunks(product::MOST) {
            let program = self.program(pairs.len())?;
            let (outcome, runs) =
                program.run_on_chip(&self.spec, &product::inputs(pairs)).map_err(failure)?;
            value *= product::value(&outcome.value).map_err(failure)?;
            transfer.to_machine += (pairs.len() * size_of::<([Fq; 2], [Fq2; 2])>()) as u64;
            transfer.to_host += size_of::<Fq12>() as u64;
            let energy = |run| power::PairingCost::of(&self.spec, &Activity::from(run)).energy_j;
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
        let hz = power::clock_hz(&self.spec).round() as u64;
        // For no pairs there is nothing to run.
        let cycles = whole.as_ref().map_or(0, |account| account.cycles);
        let model = whole.map(|account| {
            let elements = u64::from(power::ChipShape::of(&self.spec).elements);
            // The multiplier's four elements compute each product together.
            board::modelled(&account, u64::from(power::PAIRING_PES) * products, elements)
        });
        let time = Time::Cycles { n: cycles, hz, fidelity: Fidelity::CycleAccurate };
        let energy = Some(Picojoules::from_joules(joules));
        Ok((
            value,
            Cost {
                machine: NAME,
                time,
                bytes,
                transfer: Some(transfer),
                ops: OpCount::default(),
                energy,
                model,
            },
        ))
    }
}
