//! Figure 25: whole proofs of three applications, each as one program of the chip.

use super::chip::{self, cpu};
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::{Kind, Labels};
use pairwright_chip::MachineSpec;
use pairwright_chip::operator::OperatorOptions;
use pairwright_chip::power::{Activity, PairingCost, price};
use pairwright_chip::task::Schedule::{self, Hidden, Unhidden};
use pairwright_chip::task::ntt::Method;
use pairwright_chip_programs::OnChipPrograms;
use pairwright_chip_programs::prover::Quotient;
use pairwright_curve::bls12_381::Bls12_381;
use pairwright_protocols::groth16::ProofSizes;

const MERKLE: &str = "Merkle tree";

/// A circuit of `circuits/apps`, whose README states these numbers.
struct Application {
    /// Its name in the figure; `None` for circuits that only tests run.
    published: Option<&'static str>,
    name: &'static str,
    constraints: u32,
    wires: u32,
    public: u32,
    log2_n: u32,
}

const APPLICATIONS: [Application; 6] = [
    Application { published: None, name: "tree8", constraints: 1680, wires: 1689, public: 1, log2_n: 11 },
    Application { published: None, name: "sudoku1", constraints: 1395, wires: 1288, public: 1, log2_n: 11 },
    Application {
        published: Some(MERKLE),
        name: "tree256",
        constraints: 61_200,
        wires: 61_457,
        public: 1,
        log2_n: 16,
    },
    Application {
        published: Some(MERKLE),
        name: "sha4",
        constraints: 53_042,
        wires: 52_675,
        public: 2,
        log2_n: 16,
    },
    Application {
        published: Some("Sudoku"),
        name: "sudoku90",
        constraints: 125_817,
        wires: 116_098,
        public: 1,
        log2_n: 17,
    },
    Application {
        published: Some("zkRollup"),
        name: "rollup36",
        constraints: 1_023_477,
        wires: 1_015_667,
        public: 3,
        log2_n: 20,
    },
];

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    context.begin("cp/fig25", 2 * APPLICATIONS.len());
    let chosen = APPLICATIONS.iter().filter(|a| !context.quick || a.published.is_none());
    for application in chosen {
        for schedule in [Unhidden, Hidden] {
            context.step(&format!("{}, {}", application.name, chip::name(schedule)));
            application.prove(schedule, context.seed, &mut outcome)?;
        }
    }
    // Three complete pairings, which correspond to the printed 0.11 mJ.
    let spec = chip::at_volts(&MachineSpec::paper(), 0.7);
    let pairing = PairingCost::of(&spec, &Activity::PUBLISHED);
    let note = "three whole pairings of the published number of cycles; cp/table2 has our own";
    let joules = 3.0 * pairing.energy_j;
    let energy = outcome.answer("energy", "Merkle tree: verification", "three pairings", joules, note);
    // The power of a pairing with this number of cycles at 0.7 V was fitted to the printed one.
    energy.kind = Some(Kind::Calibrated);
    Ok(outcome)
}

impl Application {
    fn prove(&self, schedule: Schedule, seed: u64, outcome: &mut Outcome) -> Result<(), LabError> {
        let spec = MachineSpec::paper();
        let [wires, public] = [self.wires, self.public].map(|size| size as usize);
        let plan = ProofSizes { wires, public, domain: 1 << self.log2_n, entries: 0 }.plan();
        let options = OperatorOptions { schedule, method: Method::Merged };
        let random = (Quotient::Carried, seed);
        let (account, sections) = Bls12_381::proof_watched(&spec, options, &plan, random, &mut |_, _| {})?;
        let [slow, fast] = [0.7, 1.1].map(|volts| price(&account, &chip::at_volts(&spec, volts)));
        let series = chip::name(schedule);
        let shape = format!(
            "{}: {} constraints, {} wires, domain of 2^{}; random witness, whose digits cost a cycle each whatever they are",
            self.name, self.constraints, self.wires, self.log2_n
        );
        let mut say = |what, operation, unit, value, note: &str| {
            let place = Labels { quantity: what, operation, unit };
            outcome.model(&place, series, value, note).log2_n = Some(self.log2_n);
        };
        say("cycles of a proof", self.name, "cycles", account.cycles as f64, &shape);
        say("latency of a proof, modelled", self.name, "s", fast.latency_s, "1.1 V, 800 MHz");
        let note = format!("0.7 V, 300 MHz, {:.3} W on average, memory not counted", slow.power_w);
        say("energy of a proof, modelled", self.name, "J", slow.energy_j, &note);
        say("bytes to and from memory", self.name, "bytes", account.dram_bytes() as f64, "a proof");
        let what = format!("cycles by operator, {}", self.name);
        for section in &sections {
            let note = format!(
                "{}: transfers {}, engine {}, which waits {} for memory",
                chip::bound_by(section.bound()),
                section.dma,
                section.engine,
                section.waits
            );
            say(&what, &section.name, "cycles", (section.end - section.start) as f64, &note);
        }
        let Some(published) = self.published else { return Ok(()) };
        let series = format!("{}, {series}", self.name);
        let mut say = |key, operation, value, note: &str| {
            outcome.answer(key, operation, &series, value, note);
        };
        if schedule == Hidden {
            say("gates", published, f64::from(self.constraints), "constraints of our circuit");
        }
        say("latency of a proof", published, fast.latency_s, "1.1 V, 800 MHz");
        let cpu = |what: &str| {
            let operator = format!("BLS12-381 {}, groth16 {what}", self.name);
            cpu::seconds(&operator, &self.constraints.to_string())
        };
        let beside = |seconds: f64, file: &str| {
            format!(
                "over arkworks on two cores with the same circuit, {seconds:.4} s: bench/results/{file}.json; the paper's \
                 CPU has 14"
            )
        };
        if let Some((cpu, file)) = cpu("prove") {
            let (ratio, note) = (cpu.peer_min / fast.latency_s, beside(cpu.peer_min, file));
            say("speed-up of a proof over a CPU", published, ratio, &note);
            if published == MERKLE {
                say("speed-up over a CPU", "Merkle tree: proof", ratio, &note);
            }
        }
        if published != MERKLE {
            return Ok(());
        }
        let why = "a domain of 2^16; one of 2^17 takes twice that, and 0.15 J are between what both schedules take then";
        say("energy", "Merkle tree: proof", slow.energy_j, why);
        if let Some((cpu, file)) = cpu("verify, prepared key, points checked") {
            let spec = chip::at_volts(&MachineSpec::paper(), 1.1);
            let pairings = 3.0 * PairingCost::of(&spec, &Activity::PUBLISHED).latency_s;
            let note = beside(cpu.peer_min, file);
            if schedule == Hidden {
                say("speed-up over a CPU", "Merkle tree: verification", cpu.peer_min / pairings, &note);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tests of the circuits compare the compiled circuits with the table of `circuits/README.md`.
    #[test]
    fn sizes_are_those_of_the_circuits() {
        let readme = include_str!("../../../../circuits/README.md").replace(',', "");
        for a in &APPLICATIONS {
            let sizes = format!("| {} | {} | {} | 2^{} |", a.constraints, a.wires, a.public, a.log2_n);
            let name = format!("| `{}` |", a.name);
            let line = readme.lines().find(|line| line.starts_with(&name)).expect("a row of the table");
            assert!(line.ends_with(&sizes), "{line} has not {sizes}");
        }
    }
}
