//! The resource that limits a run, compared with the saving of a faster memory.

use pairwright_chip::isa::Group;
use pairwright_chip::machine::top::Account;
use pairwright_chip::operator::OperatorOptions;
use pairwright_chip::task::Schedule;
use pairwright_chip::task::ntt::{Method, Shape};
use pairwright_chip::{MachineSpec, OnChip};
use pairwright_curve::bls12_381::{Bls12_381, Fr};
use pairwright_device::Bound;
use pairwright_field::{Field, PrimeField};
use pairwright_poly::Domain;
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};

const SCHEDULES: [Schedule; 2] = [Schedule::Hidden, Schedule::Unhidden];

fn with(changes: &[(&str, &str)]) -> MachineSpec {
    changes.iter().fold(MachineSpec::paper(), |spec, (path, value)| spec.with(path, value).unwrap())
}

fn transform(spec: &MachineSpec, log_n: u32, schedule: Schedule) -> Account {
    let domain = Domain::<Fr>::new(log_n).unwrap();
    let shape = Shape { domain, inverse: false, shift: Fr::NON_RESIDUE };
    let options = OperatorOptions { schedule, method: Method::Merged };
    Bls12_381::ntt_watched(spec, &shape, options, &mut |_, _| {}).unwrap()
}

fn msm(spec: &MachineSpec, group: Group, log_n: u32, schedule: Schedule) -> Account {
    let mut rng = ChaCha20Rng::seed_from_u64(3);
    let scalars: Vec<Fr> = (0..1u32 << log_n).map(|_| Fr::random(&mut rng)).collect();
    let options = OperatorOptions { schedule, ..OperatorOptions::default() };
    Bls12_381::msm_timing(spec, group, options, &scalars).unwrap()
}

/// Work and waits of the elements make up all cycles, and the label agrees with a run that has twice the bandwidth.
fn judge(what: &str, now: &Account, faster: &Account) {
    for part in &now.elements {
        assert_eq!(part.work + part.waits.sum(), now.cycles, "{what}");
    }
    let saved = 1.0 - faster.cycles as f64 / now.cycles as f64;
    let share = now.memory_share();
    match now.bound() {
        Bound::Memory => {
            assert!(saved > 0.05, "{what}: bound by memory, and twice of it saves {saved}: {share}")
        }
        Bound::Compute => {
            assert!(saved < 0.1, "{what}: bound by compute, twice the memory saves {saved}: {share}")
        }
        Bound::Both => assert!((0.02..0.25).contains(&saved), "{what}: bound by both saves {saved}: {share}"),
    }
}

#[test]
fn the_label_says_what_twice_the_bandwidth_saves() {
    let bandwidth = |spec: &MachineSpec, bytes: u32| {
        let mut spec = spec.clone();
        spec.dram.bytes_per_cycle = bytes;
        spec
    };
    let designs: &[&[(&str, &str)]] = &[
        &[],
        &[("poly.groups", "1")],
        &[("poly.groups", "1"), ("poly.batch", "true")],
        &[("poly.row_tables", "load")],
        &[("dma.setup", "200"), ("dram.latency", "200")],
        &[("dma.words_per_cycle", "1")],
        &[("dma.outstanding", "2"), ("dram.latency", "80")],
        &[("sender.entries", "1")],
        &[("sender.window", "1")],
        &[("msm.elements", "4"), ("poly.mm", "40")],
    ];
    let mut seen = Vec::new();
    for changes in designs {
        let spec = with(changes);
        for bytes in [4, 16, 48, 128, 1024] {
            let (now, faster) = (bandwidth(&spec, bytes), bandwidth(&spec, 2 * bytes));
            for schedule in SCHEDULES {
                let what = |of: &str| format!("{of} {changes:?} {bytes} {schedule:?}");
                let run = |spec: &MachineSpec| transform(spec, 12, schedule);
                let account = run(&now);
                seen.push(account.bound());
                judge(&what("NTT"), &account, &run(&faster));
                let run = |spec: &MachineSpec| msm(spec, Group::G1, 11, schedule);
                judge(&what("MSM"), &run(&now), &run(&faster));
            }
        }
    }
    for bound in [Bound::Compute, Bound::Both, Bound::Memory] {
        assert!(seen.contains(&bound), "{bound:?}");
    }
}

#[test]
fn one_group_of_butterflies_is_the_limit_of_a_transform() {
    let hidden = |changes: &[(&str, &str)]| transform(&with(changes), 14, Schedule::Hidden);
    let (one, both) = (hidden(&[("poly.groups", "1")]), hidden(&[]));
    assert_eq!((one.bound(), both.bound()), (Bound::Compute, Bound::Memory));
    assert!(one.busiest().work > 2 * both.busiest().work - 100);
}
