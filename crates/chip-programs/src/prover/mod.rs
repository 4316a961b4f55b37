//! Whole Groth16 proofs on the chip, in one program each.

mod error;
mod task;

pub use error::ProofError;
pub use task::{DramRegions, task};

use pairwright_chip::MachineSpec;
use pairwright_chip::isa::Group;
use pairwright_chip::isa::rows::{Executor, L1Row};
use pairwright_chip::machine::top::{
    Account, Chip, Draw, ElementTime, Executed, RegionContents, Task, Watch, Word, bases, memory_share,
    result, word,
};
use pairwright_chip::operator::{OperatorError, OperatorOptions, Outcome, scalar_word};
use pairwright_curve::{Affine, Pairing, Projective};
use pairwright_device::{Bound, PlannedCall};
use pairwright_field::PrimeField;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::Serialize;
use task::Shape;

/// The inputs of the prover, given by the host: products of the constraint matrices with the witness, the witness, and
/// the key's points.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a, E: Pairing> {
    /// The calls that the protocol requires, with their sizes.
    pub plan: &'a [PlannedCall],
    /// `A·w`, one value per constraint row.
    pub a: &'a [E::Fr],
    /// `B·w`, one value per constraint row.
    pub b: &'a [E::Fr],
    /// The witness; its first entry is the constant one.
    pub witness: &'a [E::Fr],
    /// Points of A, of B, of C and of H in G1.
    pub g1: [&'a [Affine<E::G1>]; 4],
    /// Points of B in G2.
    pub b_g2: &'a [Affine<E::G2>],
}

/// The sums of a proof before blinding.
#[derive(Clone, Copy, Debug)]
pub struct Sums<E: Pairing> {
    /// The sums A, B, C and H in G1.
    pub g1: [Projective<E::G1>; 4],
    /// The sum B in G2.
    pub b_g2: Projective<E::G2>,
}

/// A section of a program that belongs to one operator of the proof.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Section {
    /// Name of the operator, such as `MSM A`.
    pub name: String,
    /// The cycle in which its first instruction was dispatched.
    pub start: u64,
    /// The cycle in which its last instruction was done.
    pub end: u64,
    /// Cycles of its transfers.
    pub dma: u64,
    /// Cycles of its engine, more precisely of the group of processing elements that worked longest.
    pub engine: u64,
    /// Cycles in which these elements waited for memory bandwidth.
    pub waits: u64,
    /// The share of its cycles that waits for memory, 0 to 1, defined as for a whole run.
    pub memory_share: f64,
}

impl Section {
    /// The resource that limits it.
    pub fn bound(&self) -> Bound {
        Bound::of_memory_share(self.memory_share)
    }
}

/// The sections of a running program, in program order. Consecutive sections overlap, since the sender runs ahead.
struct Sections {
    /// Open sections: address of the first instruction, the section, the times of its groups of processing elements,
    /// and the cycles of its bytes.
    open: Vec<(u16, Section, [ElementTime; 3], u64)>,
}

impl Sections {
    fn of<F>(task: &Task<F>) -> Self {
        let open = task.sections.iter().map(|(first, name)| {
            let name = name.clone();
            let section =
                Section { name, start: u64::MAX, end: 0, dma: 0, engine: 0, waits: 0, memory_share: 0.0 };
            (*first, section, Default::default(), 0)
        });
        Self { open: open.collect() }
    }

    fn note(&mut self, e: &Executed) {
        let found = self.open.iter_mut().rev().find(|(first, ..)| *first <= e.pc);
        let Some((_, section, parts, wire)) = found else { return };
        section.start = section.start.min(e.start);
        section.end = section.end.max(e.end);
        let cycles = e.free - e.start;
        if L1Row::of(&e.instruction).unit == Executor::Dma {
            section.dma += cycles;
        }
        *wire += e.wire;
        for (part, waits) in parts.iter_mut().zip(e.waited) {
            *part += waits.map_or_else(ElementTime::default, |waits| ElementTime { work: cycles, waits });
        }
    }

    fn close(self) -> Vec<Section> {
        let close = |(_, mut section, parts, wire): (u16, Section, [ElementTime; 3], u64)| {
            let busiest = parts.into_iter().max_by_key(|part| part.work).unwrap_or_default();
            (section.engine, section.waits) = (busiest.work, busiest.waits.memory);
            section.start = section.start.min(section.end);
            section.memory_share = memory_share(section.end - section.start, &busiest.waits, wire);
            section
        };
        self.open.into_iter().map(close).collect()
    }
}

/// Computes the sums of a proof with all data.
///
/// # Errors
/// Operands of other lengths than the plan's, a plan that the program does not support, or a program that stops.
pub fn sums<E: Pairing>(
    spec: &MachineSpec,
    options: OperatorOptions,
    inputs: &Inputs<'_, E>,
) -> Result<(Outcome<Sums<E>>, Vec<Section>), ProofError> {
    let Shape { domain, msms } = Shape::<E::Fr>::of(inputs.plan)?;
    let n = domain.size();
    let [wires, .., hidden, _] = msms.map(|(_, size)| size as usize);
    let [a, b, c, h] = inputs.g1.map(<[_]>::len);
    let expected = [(inputs.a.len(), n), (inputs.b.len(), n), (inputs.witness.len(), wires)];
    let points = [a, b, inputs.b_g2.len(), c, h].into_iter().zip(msms.map(|(_, size)| size as usize));
    for (left, right) in expected.into_iter().chain(points) {
        if left != right {
            return Err(OperatorError::Lengths { left, right }.into());
        }
    }
    let (task, regions) = task(spec, inputs.plan, options.schedule, options.method)?;
    let plan = |group| spec.msm.plan(group, E::Fr::BITS);
    let g1 = |points: &[Affine<E::G1>]| bases(points, Group::G1, &plan(Group::G1));
    let contents = |region: usize| -> Option<Vec<Word>> {
        let DramRegions { a, b, witness, private, points, .. } = regions;
        Some(match region {
            _ if region == a => inputs.a.iter().map(scalar_word).collect(),
            _ if region == b => inputs.b.iter().map(word).collect(),
            _ if region == witness => inputs.witness.iter().map(scalar_word).collect(),
            _ if region == private => inputs.witness[wires - hidden..].iter().map(scalar_word).collect(),
            _ if region == points[0] => g1(inputs.g1[0]),
            _ if region == points[1] => g1(inputs.g1[1]),
            _ if region == points[2] => bases(inputs.b_g2, Group::G2, &plan(Group::G2)),
            _ if region == points[3] => g1(inputs.g1[2]),
            _ if region == points[4] => g1(inputs.g1[3]),
            _ => Vec::new(),
        })
    };
    let mut chip = Chip::<E::Fr, Projective<E::G1>, Projective<E::G2>>::new(spec)?;
    chip.load(&task, contents)?;
    let mut sections = Sections::of(&task);
    let account = chip.run_watched(&task, &mut |executed, _| sections.note(executed))?;
    let sum = |k: usize| -> Result<Projective<E::G1>, ProofError> {
        result(&chip.read(&task, regions.sums[k])?).ok_or(OperatorError::Result { at: 0 }.into())
    };
    let c = if hidden == 0 { Projective::INFINITY } else { sum(3)? };
    let b_g2 = result(&chip.read(&task, regions.sums[2])?).ok_or(OperatorError::Result { at: 0 })?;
    let value = Sums { g1: [sum(0)?, sum(1)?, c, sum(4)?], b_g2 };
    Ok((Outcome { value, account }, sections.close()))
}

/// Whether a timing run computes the data of the transforms.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quotient {
    /// The data are computed: the scalars of the last MSM are the quotient's values of random constraint products.
    Carried,
    /// The data are not computed: the scalars of the last MSM are drawn like those of the witness, and the memory
    /// needed does not grow with the size.
    Drawn,
}

/// The account of a proof with random witness and constraint products, with or without the data of the transforms;
/// points are not computed. `watch` is called for every instruction.
///
/// # Errors
/// The errors of [`sums`].
pub fn watched<F: PrimeField>(
    spec: &MachineSpec,
    options: OperatorOptions,
    plan: &[PlannedCall],
    (quotient, seed): (Quotient, u64),
    watch: Watch<'_>,
) -> Result<(Account, Vec<Section>), ProofError> {
    let (task, regions) = task::<F>(spec, plan, options.schedule, options.method)?;
    let mut chip = Chip::<F, (), ()>::new(spec)?;
    if quotient == Quotient::Drawn {
        chip.without_data();
        chip.load_regions(&task, |region| {
            let scalars = [regions.witness, regions.private, regions.quotient].contains(&region);
            if scalars {
                RegionContents::Drawn(drawn::<F>(seed, region as u64))
            } else {
                RegionContents::Blank
            }
        })?;
    } else {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        chip.load(&task, |region| {
            let random = [regions.a, regions.b, regions.witness, regions.private].contains(&region);
            // Results of the program are kept, since the quotient's values are the scalars of the last MSM.
            let points = regions.points.contains(&region);
            match (random, points) {
                (true, _) => {
                    let words = task.regions[region].words;
                    Some((0..words).map(|_| scalar_word(&F::random(&mut rng))).collect())
                }
                (false, true) => None,
                (false, false) => Some(Vec::new()),
            }
        })?;
    }
    let mut sections = Sections::of(&task);
    let account = chip.run_watched(&task, &mut |executed, share| {
        sections.note(executed);
        watch(executed, share);
    })?;
    Ok((account, sections.close()))
}

/// Random scalars, with an independent stream for each region.
fn drawn<F: PrimeField>(seed: u64, region: u64) -> Draw {
    Box::new(move || {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        rng.set_stream(region);
        Box::new(core::iter::repeat_with(move || scalar_word(&F::random(&mut rng))))
    })
}
