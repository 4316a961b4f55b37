//! The hybrid application of section II.B: one payment whose validity is proved and whose payer is encrypted to a
//! regulator, in programs of the chip. The paper describes the use but measures none; the notes quote its proofs of
//! 2^16 gates, its verifications and its pairing.

use super::chip;
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::Labels;
use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::{CompileError, Options as Effort, Scheduler};
use pairwright_chip::operator::OperatorOptions;
use pairwright_chip::power::{Activity, PairingCost, price};
use pairwright_chip::task::Schedule::Hidden;
use pairwright_chip::task::ntt::Method;
use pairwright_chip_programs::prover::Quotient;
use pairwright_chip_programs::{Chain, Example, OnChipPrograms, all, groth16};
use pairwright_curve::bls12_381::{Bls12_381, Fq, Fq2, Fr, G1, G2};
use pairwright_curve::encoding::ZcashCompressed;
use pairwright_curve::{Affine, Curve, PointEncoding, Projective};
use pairwright_field::Field;
use pairwright_protocols::groth16::ProofSizes;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;

/// The circuit of `circuits/payment`, whose README states these numbers: constraints, wires, public values and log2 of
/// the domain.
const CONSTRAINTS: usize = 8080;
const WIRES: usize = 8110;
const PUBLIC: usize = 9;
const LOG2_N: u32 = 13;

/// The largest number of cycles of a program.
const LIMIT: u64 = 10_000_000;

/// Schedules tried for each routine; few, since the last percent of a pairing is not the subject here.
const SEEDS: u32 = 50;

/// The cost of a step: cycles, seconds at 1.1 V and 800 MHz, joules at 0.7 V and 300 MHz.
#[derive(Clone, Copy, Default)]
struct StepCost {
    cycles: u64,
    seconds: f64,
    joules: f64,
}

impl StepCost {
    fn then(self, next: Self) -> Self {
        Self {
            cycles: self.cycles + next.cycles,
            seconds: self.seconds + next.seconds,
            joules: self.joules + next.joules,
        }
    }
}

const PROOF: &str = "proof of the payment";
const VERIFICATION: &str = "verification of the proof";
const ENCRYPTION: &str = "encryption to the regulator";
const DECRYPTION: &str = "decryption by the regulator";

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    context.begin("cp/hybrid", 4);
    let spec = MachineSpec::paper();
    let mut keep = |operation: &str, cost: StepCost, note: &str| {
        for (quantity, unit, value, at) in [
            ("cycles", "cycles", cost.cycles as f64, ""),
            ("latency", "us", 1e6 * cost.seconds, "; 1.1 V, 800 MHz"),
            ("energy", "uJ", 1e6 * cost.joules, "; 0.7 V, 300 MHz, memory not counted"),
        ] {
            let place = Labels { quantity, operation, unit };
            outcome.model(&place, "published design", value, &format!("{note}{at}"));
        }
    };

    context.step(PROOF);
    let proof = proof(&spec, context.seed)?;
    let shape = format!(
        "{CONSTRAINTS} constraints, {WIRES} wires, domain of 2^{LOG2_N}; the paper's proof of 2^16 gates takes 0.15 J, at \
         eight times the domain"
    );
    keep(PROOF, proof, &shape);

    context.step(VERIFICATION);
    let effort = Effort { scheduler: Scheduler::Critical, seeds: SEEDS, seed: context.seed };
    let verification = on_chip(
        context,
        &spec,
        |spec, effort| groth16::verification_vartime(PUBLIC, groth16::Division::Shared, spec, effort),
        &effort,
        &verified(context.seed)?,
    )?;
    let note = "192 bytes and nine public values in, a verdict out; three Miller loops, one final exponentiation; the paper's \
                verification takes 110 uJ";
    keep(VERIFICATION, verification, note);

    context.step(ENCRYPTION);
    let of = |name: &str| -> Result<StepCost, LabError> {
        let wrong = || LabError::Wrong { series: "programs".to_owned(), what: name.to_owned(), at: 0 };
        let entry = all().into_iter().find(|entry| entry.name == name).ok_or_else(wrong)?;
        on_chip(context, &spec, entry.build, &effort, &entry.example(context.seed))
    };
    let encryption = of("ibe-encrypt")?;
    keep(
        ENCRYPTION,
        encryption,
        "hash of the identity to G1, a multiple in G2, a multiple in G1, a pairing, which takes 76.9 uJ in the paper at 1.1 V",
    );
    context.step(DECRYPTION);
    let decryption = of("ibe-decrypt")?.then(of("ibe-confirm")?);
    keep(
        DECRYPTION,
        decryption,
        "a point of G2 decompressed and checked, a pairing, a multiple in G2 to compare with",
    );

    keep("payer: encryption and proof", encryption.then(proof), "all that one payment asks of its payer");
    keep("verifier: verification", verification, "all that one payment asks of its verifier");
    keep(
        "regulator: verification and decryption",
        verification.then(decryption),
        "whoever is named has paid: the proof comes first",
    );
    Ok(outcome)
}

/// The proof as one program of the chip, with transfers hidden.
fn proof(spec: &MachineSpec, seed: u64) -> Result<StepCost, LabError> {
    let plan = ProofSizes { wires: WIRES, public: PUBLIC, domain: 1 << LOG2_N, entries: 0 }.plan();
    let options = OperatorOptions { schedule: Hidden, method: Method::Merged };
    let random = (Quotient::Carried, seed);
    let (account, _) = Bls12_381::proof_watched(spec, options, &plan, random, &mut |_, _| {})?;
    let [slow, fast] = [0.7, 1.1].map(|volts| price(&account, &chip::at_volts(spec, volts)));
    Ok(StepCost { cycles: account.cycles, seconds: fast.latency_s, joules: slow.energy_j })
}

/// Runs programs of the pairing processor one after the other and compares their results with the expected ones.
fn on_chip(
    context: &Context<'_>,
    spec: &MachineSpec,
    build: impl FnOnce(&MachineSpec, &Effort) -> Result<Chain<Fq>, CompileError> + Send,
    effort: &Effort,
    example: &Example<Fq>,
) -> Result<StepCost, LabError> {
    let chain = context.pool().install(|| build(spec, effort))?;
    let (bank, runs) = chain.run(&example.inputs, LIMIT)?;
    if let Some(what) = example.differs(&bank)? {
        return Err(LabError::Wrong {
            series: "the modelled processor".to_owned(),
            what: what.to_owned(),
            at: 0,
        });
    }
    let [slow, fast] = [0.7, 1.1].map(|volts| chip::at_volts(spec, volts));
    Ok(runs.iter().fold(StepCost::default(), |sum, run| {
        let activity = Activity::from(run);
        sum.then(StepCost {
            cycles: run.cycles,
            seconds: PairingCost::of(&fast, &activity).latency_s,
            joules: PairingCost::of(&slow, &activity).energy_j,
        })
    }))
}

fn multiple<C: Curve<Scalar = Fr>>(k: &Fr) -> Affine<C> {
    Projective::from(C::GENERATOR).mul(k).to_affine()
}

/// A proof that satisfies its equation, with as many public values as a payment's, constructed from the logarithms of
/// all elements.
fn verified(seed: u64) -> Result<Example<Fq>, LabError> {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let mut draw = || Fr::random(&mut rng);
    let [alpha, beta, gamma, a, b] = [(); 5].map(|()| draw());
    let public = [(); PUBLIC].map(|()| draw());
    let ic = [(); PUBLIC + 1].map(|()| draw());
    let committed = public.iter().zip(&ic[1..]).fold(ic[0], |sum, (x, element)| sum + *x * *element);
    // With δ equal to 1.
    let c = a * b - alpha * beta - committed * gamma;
    let elements = ic.iter().map(multiple).collect();
    let key =
        groth16::Key::new(&multiple(&alpha), &multiple(&beta), multiple(&gamma), G2::GENERATOR, elements);
    let proof = [
        ZcashCompressed::to_vec(&multiple::<G1>(&a)),
        ZcashCompressed::to_vec(&multiple::<G2>(&b)),
        ZcashCompressed::to_vec(&multiple::<G1>(&c)),
    ];
    let wrong = |_| LabError::Wrong { series: "programs".to_owned(), what: "a proof".to_owned(), at: 0 };
    let inputs = groth16::inputs(&key, &public, &proof.concat()).map_err(wrong)?;
    let accepted = ("verdict", vec![Fq2::new(Fq::ONE, Fq::ZERO)]);
    Ok(Example { inputs, expected: vec![accepted] })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tests of the circuits compare the compiled circuits with the table of `circuits/README.md`.
    #[test]
    fn sizes_are_those_of_the_circuit() {
        let readme = include_str!("../../../../circuits/README.md").replace(',', "");
        let sizes = format!("| {CONSTRAINTS} | {WIRES} | {PUBLIC} | 2^{LOG2_N} |");
        let line =
            readme.lines().find(|line| line.starts_with("| `payment12` |")).expect("a row of the table");
        assert!(line.ends_with(&sizes), "{line} has not {sizes}");
    }
}
