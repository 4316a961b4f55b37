//! Every parameter of a design has an effect: on cycles, area, energy, the clock, or whether a program can run. And a
//! larger amount of a resource never makes a machine slower.

use pairwright_chip::compiler::{Options as Effort, Scheduler};
use pairwright_chip::isa::{Group, VectorOp};
use pairwright_chip::machine::Run;
use pairwright_chip::machine::top::Account;
use pairwright_chip::operator::OperatorOptions;
use pairwright_chip::power::{Activity, ChipArea, ChipShape, PairingCost, clock_hz, price};
use pairwright_chip::task::Schedule;
use pairwright_chip::task::ntt::{Method, Shape};
use pairwright_chip::{MachineSpec, OnChip};
use pairwright_chip_programs::Chain;
use pairwright_chip_programs::{Program, pairing};
use pairwright_curve::Curve;
use pairwright_curve::bls12_381::{Bls12_381, Fq, Fq2, Fr, G1, G2};
use pairwright_field::{Field, PrimeField};
use pairwright_poly::Domain;
use pairwright_sim::settings::{Parameter, parameters};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

type Change = (&'static str, &'static str);

/// Sections that the pairing processor reads; the others belong to the other engines.
const PAIRING: [&str; 9] =
    ["issue", "mm", "arith", "inversion", "forwarding", "banks", "switcher", "control", "clock"];

const DDR: Change = ("dram.preset", "ddr5_4800");
const MIXED: &[Change] = &[("msm.formula", "mixed"), ("msm.elements", "11")];
const RANKS: &[Change] = &[DDR, ("dram.ranks", "2"), ("dram.hash", "row-column")];

/// Parameters without effect in the published design: the design in which each acts, and the reason.
const WHERE: &[(&str, &str, &[Change], &str)] = &[
    ("inversion.window", "paper", &[("inversion.chain", "window")], "other chains have no windows"),
    ("control.repeat", "best", &[], "only our division repeats routines"),
    ("msm.conflict", "paper", MIXED, "projective points do not wait for a bucket"),
    ("dma.line_words", "paper", &[DDR, ("dma.tile_words", "6144")], "there is no tile buffer"),
    ("msm.windows_per_fetch", "paper", &[("msm.bucket_words", "4096")], "two windows do not fit the buckets"),
    ("dram.ranks", "paper", &[DDR], "ranks have refreshes and standby power of their own"),
    ("dram.rank_gap_ck", "paper", RANKS, "there is one rank"),
    (
        "dram.turn_ck",
        "paper",
        &[DDR, ("dma.outstanding", "2")],
        "a transfer begins when the last one is done",
    ),
];

/// Parameters that affect only transforms of 2^19 points and more.
const LARGE: &[&str] = &["dma.line_words"];

/// A pairing in the paper's division on one issue slot, and in ours on two.
fn pairing_of(spec: &MachineSpec) -> Result<Run, String> {
    let effort = Effort { scheduler: Scheduler::Critical, seeds: 1, seed: 1 };
    let divide = if spec.name == "best" { pairing::resident } else { pairing::published };
    let program: Program<Fq> = divide(spec, &effort).map_err(|why| why.to_string())?;
    let (p, q) = (G1::GENERATOR, G2::GENERATOR);
    let row = |x: Fq| Fq2::new(x, Fq::ZERO);
    let inputs = vec![("p", vec![row(p.x), row(p.y)]), ("q", vec![q.x, q.y])];
    let (_, mut runs) = Chain::from(program).run(&inputs, 10_000_000).map_err(|why| why.to_string())?;
    runs.pop().ok_or_else(|| "no run".to_owned())
}

type Ran = Result<Account, String>;

/// Products and differences of vectors.
fn vector(spec: &MachineSpec) -> Ran {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let [mut a, b] = [(); 2].map(|()| (0..3000).map(|_| Fr::random(&mut rng)).collect::<Vec<_>>());
    let steps: [(VectorOp, &[Fr]); 2] = [(VectorOp::Mul, &b), (VectorOp::Sub, &b)];
    Bls12_381::vector(spec, OperatorOptions::default(), &mut a, &steps).map_err(|why| why.to_string())
}

fn transform(spec: &MachineSpec, log_n: u32, schedule: Schedule) -> Ran {
    let domain = Domain::<Fr>::new(log_n).map_err(|why| why.to_string())?;
    // An inverse transform, because halving is part of it alone.
    let shape = Shape { domain, inverse: true, shift: Fr::NON_RESIDUE };
    let options = OperatorOptions { schedule, method: Method::Merged };
    Bls12_381::ntt_watched(spec, &shape, options, &mut |_, _| {}).map_err(|why| why.to_string())
}

fn msm(spec: &MachineSpec, group: Group) -> Ran {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let scalars: Vec<Fr> = (0..1100).map(|_| Fr::random(&mut rng)).collect();
    Bls12_381::msm_timing(spec, group, OperatorOptions::default(), &scalars).map_err(|why| why.to_string())
}

/// All results of the model for a design, as text: its costs, and the cycles of some workloads.
fn observed(spec: &MachineSpec, path: &str) -> Vec<String> {
    // Smaller transforms load columns of several words, for which no line is kept.
    if LARGE.contains(&path) {
        return vec![format!("{:?}", transform(spec, 19, Schedule::Unhidden).map(|account| account.cycles))];
    }
    let section = path.split_once('.').map_or(path, |(section, _)| section);
    // Enough points for columns that open the rows of a bank one after the other.
    let log_n = if section == "dram" { 14 } else { 11 };
    let area = ChipArea::of(spec, &ChipShape::of(spec));
    let mut seen = vec![format!("{} {} {}", clock_hz(spec), area.core_mm2(), area.ddr_mm2)];
    if PAIRING.contains(&section) {
        seen.push(match pairing_of(spec) {
            Ok(run) => {
                let cost = PairingCost::of(spec, &Activity::from(&run));
                format!("{} {} {}", run.cycles, cost.energy_j, cost.area_mm2)
            }
            Err(why) => why,
        });
    }
    if !PAIRING.contains(&section) || section == "mm" {
        let mut accounts =
            vec![transform(spec, log_n, Schedule::Hidden), transform(spec, log_n, Schedule::Unhidden)];
        if section != "dram" {
            accounts.extend([vector(spec), msm(spec, Group::G1), msm(spec, Group::G2)]);
        }
        seen.extend(accounts.into_iter().map(|account| match account {
            Ok(account) => {
                let cost = price(&account, spec);
                format!("{} {} {}", account.cycles, cost.energy_j, cost.dram_j)
            }
            Err(why) => why,
        }));
    }
    seen
}

/// Other values of a parameter: its neighbours, half and double, the other names.
fn others(parameter: &Parameter) -> Vec<String> {
    let value = parameter.value.as_str();
    if let Ok(whole) = value.parse::<u64>() {
        let near = [whole * 2, whole / 2, whole + 1, whole.saturating_sub(1), whole * 8 + 8, whole / 8];
        return near.iter().filter(|v| **v != whole).map(u64::to_string).collect();
    }
    if let Ok(number) = value.parse::<f64>() {
        return [2.0, 0.5, 20.0, 0.0, 0.9].iter().map(|times| format!("{:?}", number * times)).collect();
    }
    match value {
        "true" => vec!["false".to_owned()],
        "false" => vec!["true".to_owned()],
        _ => parameter.range.split(", ").filter(|name| !value.contains(name)).map(str::to_owned).collect(),
    }
}

fn changed(base: &str, changes: &[Change]) -> MachineSpec {
    let base = MachineSpec::named(base).unwrap();
    changes.iter().fold(base, |spec, (path, value)| spec.with(path, value).unwrap())
}

/// Whether some value of a parameter changes the results.
fn acts(spec: &MachineSpec, path: &str) -> bool {
    let parameter = parameters(spec).unwrap().into_iter().find(|p| p.path == path).unwrap();
    let before = observed(spec, path);
    let designs = others(&parameter).into_iter().filter_map(|value| spec.with(path, &value).ok());
    designs.into_iter().any(|design| observed(&design, path) != before)
}

#[test]
#[ignore = "full: a run of a machine for every parameter, half a minute"]
fn every_parameter_changes_something() {
    let all = parameters(&MachineSpec::paper()).unwrap();
    for path in WHERE.iter().map(|(path, ..)| path).chain(LARGE) {
        assert!(all.iter().any(|p| p.path == *path), "there is no {path}");
    }
    let paths = all.iter().map(|p| p.path.as_str()).filter(|path| !["name", "about"].contains(path));
    let acts = |path: &&str| {
        let (base, changes) = match WHERE.iter().find(|(at, ..)| at == path) {
            Some((_, base, changes, _)) => (*base, *changes),
            // A flat memory uses only bandwidth and latency.
            None if path.starts_with("dram.") => ("paper", &[DDR][..]),
            None => ("paper", &[][..]),
        };
        acts(&changed(base, changes), path)
    };
    let dead: Vec<&str> = paths.filter(|path| !acts(path)).collect();
    assert!(dead.is_empty(), "nothing that the model says depends on these: {dead:?}");
}

/// A parameter with values in an order in which the machine must not become slower, and the design in which it acts.
const MONOTONE: &[(&str, &[&str], &[Change])] = &[
    ("dram.bytes_per_cycle", &["8", "16", "32", "48", "64", "96", "256"], &[]),
    ("dram.bytes_per_cycle", &["8", "16", "32", "48", "64", "96", "256"], &[("poly.groups", "1")]),
    ("dram.latency", &["1000", "200", "80", "40", "10", "0"], &[]),
    ("dram.channels", &["1", "2", "4"], &[DDR]),
    ("dma.setup", &["100", "40", "16", "4", "0"], &[]),
    ("dma.outstanding", &["1", "2", "4"], &[("dram.latency", "80"), ("dma.setup", "16")]),
    ("dma.words_per_cycle", &["1", "2", "4", "8", "16"], &[]),
    ("sender.window", &["1", "2", "4", "8", "16"], &[]),
    ("sender.entries", &["1", "2", "4", "8", "16"], &[]),
    ("poly.groups", &["1", "2"], &[]),
    ("poly.batch", &["false", "true"], &[]),
    ("poly.mm", &["40", "24", "20", "16"], &[]),
    ("poly.read", &["4", "3", "2", "1"], &[]),
    ("poly.connector", &["4", "3", "2", "1"], &[]),
    ("poly.vector", &["1", "2", "4"], &[]),
    ("msm.elements", &["2", "3", "4", "6", "12"], &[]),
    ("msm.pipelined_latency", &["40", "24", "20", "16"], &[]),
    ("msm.iterative_interval", &["8", "6", "4"], &[("msm.iterative_latency", "14")]),
    ("msm.iterative_latency", &["16", "12", "10"], &[]),
    ("msm.adder_latency", &["4", "2", "1"], &[]),
    ("msm.registers", &["8", "4", "2"], &[]),
    ("msm.bucket_banks", &["1", "2", "4"], &[("dram.bytes_per_cycle", "256")]),
    ("msm.write_behind", &["0", "1", "2", "4"], &[("dram.bytes_per_cycle", "256")]),
    ("msm.segments", &["1", "2", "4"], &[]),
    ("mm.ii", &["4", "3", "2", "1"], &[]),
    ("mm.latency", &["24", "20", "18", "16", "12"], &[]),
    ("arith.latency", &["4", "2", "1"], &[]),
    ("issue.width", &["1", "2"], &[]),
    ("inversion.interval", &["40", "24", "20", "18"], &[]),
    ("forwarding.path1", &["false", "true"], &[]),
    ("forwarding.path2", &["false", "true"], &[]),
    ("banks.reads", &["1", "2", "4"], &[]),
    ("banks.writes", &["1", "2", "3"], &[]),
    ("switcher.rows_per_cycle", &["1", "2", "3"], &[]),
    ("control.dispatch", &["4", "2", "1", "0"], &[]),
    ("control.fill", &["4", "2", "1"], &[]),
    ("control.prefetch", &["false", "true"], &[]),
];

/// The tolerance, as a share of the cycles, for a heuristic (the sender's order or a list of operations) that does
/// worse on a better machine.
const LUCK: f64 = 0.01;

#[test]
fn more_of_anything_is_never_slower() {
    for (path, values, changes) in MONOTONE {
        let base = changed("paper", changes);
        let (section, _) = path.split_once('.').unwrap();
        let cycles = |value: &&str| -> Vec<u64> {
            let spec = base.with(path, value).unwrap_or_else(|why| panic!("{why}"));
            if PAIRING.contains(&section) {
                return vec![pairing_of(&spec).unwrap_or_else(|why| panic!("{path}={value}: {why}")).cycles];
            }
            let of = |account: Ran| account.unwrap().cycles;
            let transforms =
                [Schedule::Hidden, Schedule::Unhidden].map(|schedule| of(transform(&spec, 11, schedule)));
            let others = [vector(&spec), msm(&spec, Group::G1), msm(&spec, Group::G2)].map(of);
            transforms.into_iter().chain(others).collect()
        };
        let all: Vec<Vec<u64>> = values.iter().map(cycles).collect();
        for (k, pair) in all.windows(2).enumerate() {
            for (before, now) in pair[0].iter().zip(&pair[1]) {
                let most = *before as f64 * (1.0 + LUCK);
                assert!(*now as f64 <= most, "{path} from {} to {}: {all:?}", values[k], values[k + 1]);
            }
        }
    }
}
