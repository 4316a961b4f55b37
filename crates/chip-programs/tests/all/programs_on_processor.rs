//! Every program of the catalogue, on both designs: the processor and the interpreter leave the same bank, which
//! contains the host's results. The compiler's output for each program is kept as a line in `goldens/`, with a
//! fingerprint of the words; `BLESS=1 cargo test` writes the files.

use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::Options;
use pairwright_chip::machine::{Datapath, Run};
use pairwright_chip_programs::points::Group;
use pairwright_chip_programs::{ProgramEntry, all, all_over_fr, ibe};
use pairwright_curve::bls12_381::{Fr, G1, G2};
use pairwright_curve::encoding::ZcashCompressed;
use pairwright_curve::{Curve, PointEncoding, Projective};
use std::path::PathBuf;

const LIMIT: u64 = 2_000_000;

/// FNV-1a over the bytes of the instruction words, which distinguishes programs of the same length.
fn fingerprint<'a>(words: impl Iterator<Item = &'a u32>) -> u64 {
    let bytes = words.flat_map(|word| word.to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn golden(name: &str, text: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("goldens").join(format!("{name}.txt"));
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
    }
    let held = std::fs::read_to_string(&path).unwrap_or_default();
    let changed: Vec<&str> = text.lines().filter(|line| !held.lines().any(|old| old == *line)).collect();
    assert!(
        held == text,
        "{name}: programs have changed; with BLESS=1 the golden is written anew. New lines:\n{}",
        changed.join("\n")
    );
}

/// Runs the programs and returns a line for each.
fn runs<F: Datapath>(specs: &[MachineSpec], entries: &[ProgramEntry<F>]) -> String {
    let mut lines = String::new();
    let options = Options { seeds: 4, ..Options::default() };
    for spec in specs {
        for entry in entries {
            let name = entry.name;
            let chain = (entry.build)(spec, &options).unwrap_or_else(|why| panic!("{name}: {why}"));
            let example = entry.example(71);
            let read = chain.interpret(&example.inputs, LIMIT).unwrap();
            assert_eq!(example.differs(&read).unwrap(), None, "{name} interpreted, {}", spec.name);
            let (bank, runs) = chain
                .run(&example.inputs, LIMIT)
                .unwrap_or_else(|why| panic!("{name}, {}: {why}", spec.name));
            assert_eq!(example.differs(&bank).unwrap(), None, "{name} on the processor, {}", spec.name);
            for (region, place) in chain.regions() {
                let rows = usize::from(place.rows);
                assert_eq!(
                    bank.rows(&region, rows).unwrap(),
                    read.rows(&region, rows).unwrap(),
                    "{name}: {region}"
                );
            }
            // Other inputs must take the same time if the program promises constant time.
            let other = chain.run(&entry.example(72).inputs, LIMIT).unwrap().1;
            if entry.constant_time {
                let cycles = |runs: &[Run]| runs.iter().map(|r| r.cycles).collect::<Vec<_>>();
                assert_eq!(cycles(&runs), cycles(&other), "{name} takes constant time");
            }
            let words = |which: fn(&pairwright_chip::isa::Image) -> usize| {
                chain.phases.iter().map(|p| which(&p.image)).collect::<Vec<_>>()
            };
            let cycles: u64 = runs.iter().map(|r| r.cycles).sum();
            let (l1, l2) = (words(|i| i.l1.len()), words(|i| i.l2.len()));
            let rows = chain.global_rows();
            let print = fingerprint(chain.phases.iter().flat_map(|p| p.image.l1.iter().chain(&p.image.l2)));
            lines += &format!(
                "{:6} {name:18} {cycles:7} cycles, {rows} rows, L1 {l1:?}, L2 {l2:?}, {print:016x}\n",
                spec.name
            );
        }
    }
    lines
}

#[test]
fn programs_over_the_base_field() {
    golden("base_field", &runs(&[MachineSpec::paper(), MachineSpec::best()], &all()));
}

/// Routines that are repeated without draining are compiled differently.
#[test]
fn pairings_on_a_front_end_that_repeats() {
    let mut spec = MachineSpec::best().with("control.repeat", "true").unwrap();
    spec.name = "repeat".to_owned();
    let some = ["pairing", "product-2"];
    let entries: Vec<_> = all().into_iter().filter(|e| some.contains(&e.name)).collect();
    golden("repeat", &runs(&[spec], &entries));
}

/// The time of a decryption depends only on the ciphertext.
#[test]
fn decryption_keys_do_not_show_in_time() {
    let options = Options { seeds: 4, ..Options::default() };
    let chain = ibe::decryption(Group::G2, &MachineSpec::paper(), &options).unwrap();
    let u = ZcashCompressed::to_vec(&G2::GENERATOR);
    let cycles = |k: u64| -> Vec<u64> {
        let key = Projective::<G1>::generator().mul(&Fr::from(k)).to_affine();
        let inputs = ibe::decryption_inputs::<G2, G1>(&u, &key).unwrap();
        chain.run(&inputs, LIMIT).unwrap().1.iter().map(|r| r.cycles).collect()
    };
    assert_eq!(cycles(1), cycles(0xdead_beef));
}

#[test]
fn programs_over_the_scalar_field() {
    golden("scalar_field", &runs(&[MachineSpec::paper(), MachineSpec::best()], &all_over_fr()));
}
