//! Runs without data, in which equal operations are simulated once, compared with runs that carry every word.

use pairwright_chip::isa::Group;
use pairwright_chip::machine::top::{Chip, Share, Task};
use pairwright_chip::operator::{OperatorOptions, Scalars, scalar_word};
use pairwright_chip::task::ntt::{Method, Shape, append_passes};
use pairwright_chip::task::{Build, Schedule};
use pairwright_chip::{MachineSpec, OnChip};
use pairwright_curve::bls12_381::{Bls12_381, Fr};
use pairwright_field::Field;
use pairwright_poly::Domain;
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};

fn random(n: usize, seed: u64) -> Vec<Fr> {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    (0..n).map(|_| Fr::random(&mut rng)).collect()
}

fn designs() -> Vec<MachineSpec> {
    let paper = MachineSpec::paper();
    vec![
        paper.with("poly.batch", "true").unwrap().with("poly.groups", "1").unwrap(),
        paper.with("dram.preset", "ddr5_4800").unwrap().with("dma.tile_words", "4096").unwrap(),
        MachineSpec::paper_load(),
        MachineSpec::best(),
        paper,
    ]
}

fn every_option() -> impl Iterator<Item = OperatorOptions> {
    [Schedule::Hidden, Schedule::Unhidden].into_iter().flat_map(|schedule| {
        [Method::Merged, Method::Separate].map(|method| OperatorOptions { schedule, method })
    })
}

/// Cycles, bytes, activity, waits and everything else of an account are equal.
fn transform(spec: &MachineSpec, log_n: u32, options: OperatorOptions) {
    let domain = Domain::<Fr>::new(log_n).unwrap();
    for shift in [Fr::ONE, domain.odd_shift().unwrap()] {
        for inverse in [false, true] {
            let shape = Shape { domain, inverse, shift };
            let carried = Bls12_381::ntt(spec, &shape, options, &mut random(domain.size(), 1)).unwrap();
            let mut last = Share { done: 0, total: 1 };
            let mut instructions = 0;
            let timed = Bls12_381::ntt_watched(spec, &shape, options, &mut |_, share| {
                assert!(share.done > last.done && share.done <= share.total);
                (last, instructions) = (share, instructions + 1);
            });
            assert_eq!(timed.unwrap(), carried, "{} 2^{log_n} {inverse} {options:?}", spec.name);
            // The last instruction of the program is its end, which is not dispatched.
            assert!(instructions > 0 && last.done + 1 == last.total, "{last:?}");
        }
    }
}

#[test]
fn equal_sub_transforms_are_counted_as_if_each_were_simulated() {
    for spec in designs() {
        for log_n in [5, 6, 9, 11] {
            every_option().for_each(|options| transform(&spec, log_n, options));
        }
    }
}

#[test]
fn so_are_those_of_three_passes() {
    let domain = Domain::<Fr>::new(16).unwrap();
    for (spec, (stages, schedule)) in designs().iter().zip(
        [[6, 5, 5], [5, 5, 6], [5, 6, 5], [6, 5, 5], [5, 5, 6]]
            .into_iter()
            .zip([Schedule::Hidden, Schedule::Unhidden].into_iter().cycle()),
    ) {
        let shape = Shape { domain, inverse: stages[0] == 6, shift: domain.odd_shift().unwrap() };
        let mut build = Build::new("three passes");
        let regions = [build.region("input", 1 << 16), build.region("output", 1 << 16)];
        append_passes(&mut build, spec, &shape, schedule, &stages, regions).unwrap();
        let task: Task<Fr> = build.finish();
        let run = |data: bool| {
            let mut chip = Chip::<Fr, (), ()>::new(spec).unwrap();
            if !data {
                chip.without_data();
            }
            let values = random(1 << 16, 2);
            let words = || values.iter().map(scalar_word).collect();
            chip.load(&task, |region| (data && region == regions[0]).then(words)).unwrap();
            chip.run(&task).unwrap()
        };
        assert_eq!(run(false), run(true), "{} {stages:?}", spec.name);
    }
}

#[test]
#[ignore = "full: transforms of 2^16 and 2^20 points, every product of which is carried: a minute"]
fn so_are_those_of_large_transforms() {
    for spec in designs() {
        every_option().for_each(|options| transform(&spec, 16, options));
    }
    transform(&MachineSpec::paper(), 20, OperatorOptions::default());
}

#[test]
fn scalars_that_are_drawn_are_those_of_a_list() {
    for spec in designs() {
        for (group, entries) in [(Group::G1, 1), (Group::G1, 1500), (Group::G2, 700)] {
            for schedule in [Schedule::Hidden, Schedule::Unhidden] {
                let options = OperatorOptions { schedule, ..OperatorOptions::default() };
                let listed = Bls12_381::msm_timing(&spec, group, options, &random(entries, 3)).unwrap();
                let scalars: Scalars<Fr> = Box::new(|| {
                    let mut rng = ChaCha20Rng::seed_from_u64(3);
                    Box::new(core::iter::repeat_with(move || Fr::random(&mut rng)))
                });
                let mut last = None;
                let drawn = Bls12_381::msm_watched(
                    &spec,
                    group,
                    options,
                    entries as u64,
                    scalars,
                    &mut |_, share| last = Some(share),
                );
                assert_eq!(drawn.unwrap(), listed, "{} {group:?} {entries}", spec.name);
                assert!(last.is_some_and(|share| share.done + 1 == share.total), "{last:?}");
            }
        }
    }
}
