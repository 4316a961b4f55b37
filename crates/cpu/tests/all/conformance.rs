//! The conformance suite of the host device, compared with the reference board.

use pairwright_cpu::Isa;
use pairwright_curve::Pairing;
use pairwright_curve::bls12_377::Bls12_377;
use pairwright_curve::bls12_381::Bls12_381;
use pairwright_curve::bn254::Bn254;
use pairwright_curve::tiny_bls12::TinyBls12;
use pairwright_testkit::conformance;

fn on<E: Pairing>(threads: usize) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| conformance::device::<E>(&pairwright_cpu::board()));
}

macro_rules! per_curve {
    ($($name:ident: $curve:ident, three_threads { $(#[$three:meta])? }, many_threads { $(#[$many:meta])? };)+) => {$(
        mod $name {
            use super::*;
            #[test]
            fn one_thread() { on::<$curve>(1); }
            #[test]
            $(#[$three])?
            fn three_threads() { on::<$curve>(3); }
            #[test]
            $(#[$many])?
            fn many_threads() { on::<$curve>(64); }
        }
    )+};
}
per_curve! {
    bls12_381: Bls12_381, three_threads {}, many_threads { #[ignore = "full: the tiny curve divides work as often, 17 s"] };
    bn254: Bn254, three_threads { #[ignore = "full: work is divided as on BLS12-381, 10 s"] },
        many_threads { #[ignore = "full: work is divided as on BLS12-381, 10 s"] };
    bls12_377: Bls12_377, three_threads { #[ignore = "full: work is divided as on BLS12-381, 6 s"] },
        many_threads { #[ignore = "full: work is divided as on BLS12-381, 6 s"] };
    tiny_bls12: TinyBls12, three_threads {}, many_threads {};
}

/// Runs the tests above and those of MSMs again, in a process whose environment asks for scalar code. On a processor without
/// AVX-512 IFMA, the tests have run that code already.
#[test]
fn scalar_code() {
    if pairwright_cpu::isa() == Ok(Isa::Scalar) {
        return println!("SKIPPED: this process uses no vectors");
    }
    in_a_process_with("scalar", &[]);
}

/// Runs the tests again without the products in assembly. Only the field products differ, so the largest sums, and a curve with as
/// many limbs as another, are left out.
#[test]
fn portable_code() {
    let others = ["equals_the_sum_of_logarithms", "large_without", "conformance::bls12_377"];
    in_a_process_with("portable", &others.map(|name| ["--skip", name]).concat());
}

fn in_a_process_with(isa: &str, also_skipped: &[&str]) {
    let tests = ["conformance::", "hash_to_curve::", "msm_vs_arkworks::", "pairings::"];
    let skipped = ["--skip", "_code", "--skip", "many_threads", "--skip", "three_threads"];
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(tests)
        .args(skipped)
        .args(also_skipped)
        .env("PAIRWRIGHT_ISA", isa)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("conformance::bn254::one_thread ... ok"), "{said}");
}
