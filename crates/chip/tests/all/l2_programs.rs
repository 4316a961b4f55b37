//! Random routines, legal and illegal, on eight designs: the clocked processor compared with the interpreter.

#[path = "../../../../fuzz/properties/l2.rs"]
mod l2;

use l2::Outcome;
use pairwright_chip::MachineSpec;
use pairwright_chip::isa::{L2, Loc, assemble};
use pairwright_chip::machine::interpret::Why;
use proptest::prelude::*;
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};
use std::collections::BTreeSet;
use std::path::Path;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_bytes(data in prop::collection::vec(any::<u8>(), 0..600)) {
        l2::l2_programs(&data);
    }
}

/// The seeds of the fuzz target, whole and truncated.
#[test]
fn seeds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/l2_programs");
    let paths: BTreeSet<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(paths.len() >= 8);
    for path in paths {
        let data = std::fs::read(path).unwrap();
        for length in (0..data.len()).step_by(20).chain([data.len()]) {
            l2::l2_programs(&data[..length]);
        }
    }
}

/// Two results for one row in one cycle, which random routines contain too seldom.
#[test]
fn collisions() {
    let image = assemble(".l2\nmm b0.5, b0.0, b1.0\nadd b0.5, b0.0, b1.0 last\n").unwrap();
    let words: Vec<L2> = image.l2.iter().map(|word| L2::decode(*word).unwrap()).collect();
    let spec = MachineSpec::paper().with("banks.writes", "2").unwrap().with("mm.latency", "2").unwrap();
    let at = Loc { bank: 0, row: 5 };
    assert!(matches!(l2::agree(&spec, &words, 1), Outcome::Refused(r) if r.why == Why::Collision(at)));
    let later = spec.with("mm.latency", "3").unwrap();
    assert!(matches!(l2::agree(&later, &words, 1), Outcome::Ran(_)));
}

/// Enough of the drawn routines run and use every operation; enough are refused, for nearly every reason that words can
/// give.
#[test]
fn what_is_drawn_is_worth_drawing() {
    let mut rng = ChaCha20Rng::seed_from_u64(4);
    let (mut ran, mut slots, mut bundles, mut inversions) = (0, 0, 0, 0);
    let mut forwards = [[0; 3]; 2];
    let mut reasons = BTreeSet::new();
    for case in 0..1200_u32 {
        let mut data = vec![0; 40 + (case as usize % 8) * 60];
        rng.fill_bytes(&mut data);
        match l2::l2_programs(&data) {
            Outcome::Ran(run) => {
                ran += 1;
                slots += run.slots;
                bundles += run.bundles;
                inversions += run.inversions;
                for (sum, path) in forwards.iter_mut().zip([run.forwards.path1, run.forwards.path2]) {
                    for (sum, count) in sum.iter_mut().zip([path.mm, path.arith, path.inv]) {
                        *sum += count;
                    }
                }
            }
            Outcome::Refused(refusal) => {
                reasons.insert(match refusal.why {
                    Why::Runaway => "runaway",
                    Why::SingleIssue => "single issue",
                    Why::PairEnd => "pair end",
                    Why::Pair => "pair",
                    Why::NoSuchPath(_) => "no such path",
                    Why::Nothing(..) => "nothing",
                    Why::Address(_) => "address",
                    Why::Unwritten(_) => "unwritten",
                    Why::ReadPorts(_) => "read ports",
                    Why::WritePorts(_) => "write ports",
                    Why::Collision(_) => "collision",
                    Why::Busy => "busy",
                    Why::InFlight => "in flight",
                    _ => "a fault of the instruction",
                });
            }
        }
    }
    println!("{ran} ran, {slots} slots, {bundles} pairs, {inversions} inversions, {forwards:?}, {reasons:?}");
    assert!(ran > 300 && slots > 20_000 && bundles > 500 && inversions > 200);
    assert!(forwards.iter().flatten().all(|count| *count > 50), "{forwards:?}");
    assert!(reasons.len() >= 12 && !reasons.contains("a fault of the instruction"), "{reasons:?}");
}
