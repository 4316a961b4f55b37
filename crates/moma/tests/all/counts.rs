//! Compares operation counts per width, function, reduction and target with a golden file. `BLESS=1 cargo test` writes
//! it.

use std::fmt::Write as _;
use std::path::Path;

use pairwright_moma::catalogue::{FieldSpec, Function};
use pairwright_moma::ir::{Range, Reduction};
use pairwright_moma::lower::{Options, lower};
use pairwright_moma::machine::Machine;

fn ledger() -> String {
    let mut out = String::from("# target  width  reduction  function  karatsuba: operations\n");
    for machine in Machine::all().unwrap() {
        for bits in [64, 128, 254, 255, 256, 377, 381, 384, 512, 753, 768, 1024] {
            for (name, reduction, range) in [
                ("barrett", Reduction::Barrett, Range::Canonical),
                ("montgomery", Reduction::Montgomery, Range::Canonical),
                ("montgomery-2q", Reduction::Montgomery, Range::Twice),
            ] {
                let spec = FieldSpec { bits, reduction, range };
                for f in [Function::AddMod, Function::SubMod, Function::MulMod, Function::SqrMod] {
                    for karatsuba in [0, 1, 2] {
                        if karatsuba > 0 && f != Function::MulMod {
                            continue;
                        }
                        let kernel = spec.kernel(f, &machine).unwrap();
                        let lowered =
                            lower(&kernel, &machine, Options { karatsuba, optimise: true }).unwrap();
                        let counts: Vec<String> =
                            lowered.counts().iter().map(|(op, n)| format!("{op} {n}")).collect();
                        let _ = writeln!(
                            out,
                            "{} {bits} {name} {} {karatsuba}: {}",
                            machine.name,
                            f.name(),
                            counts.join(", ")
                        );
                    }
                }
            }
        }
    }
    out
}

#[test]
fn operation_counts_are_the_golden_ones() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("goldens/counts.txt");
    let now = ledger();
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &now).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap();
    for (line, (g, n)) in golden.lines().zip(now.lines()).enumerate() {
        assert_eq!(g, n, "goldens/counts.txt, line {}", line + 1);
    }
    assert_eq!(golden.lines().count(), now.lines().count());
}

/// Checks the counts that the speed goals are based on: a Montgomery multiplication of N words takes N(2N + 1)
/// products, and a square saves N(N - 1)/2 of them.
#[test]
fn montgomery_products_take_as_many_word_products_as_they_must() {
    let count = |target: &str, bits, range, f, ops: &[&str]| {
        let machine = Machine::named(target).unwrap();
        let spec = FieldSpec { bits, reduction: Reduction::Montgomery, range };
        let counts =
            lower(&spec.kernel(f, &machine).unwrap(), &machine, Options::default()).unwrap().counts();
        ops.iter().map(|op| counts.get(op).copied().unwrap_or(0)).sum::<usize>()
    };
    let scalar = ["mac", "mul", "mullo"];
    assert_eq!(count("x86-64", 255, Range::Canonical, Function::MulMod, &scalar), 4 * 9);
    assert_eq!(count("x86-64", 381, Range::Canonical, Function::MulMod, &scalar), 6 * 13);
    assert_eq!(count("x86-64", 381, Range::Canonical, Function::SqrMod, &scalar), 6 * 13 - 15);
    // n digits of 52 bits: 2 n^2 fused multiply-adds for the product. The reduction of a digit takes as many as a row
    // of the product: one for the factor, and the half that clears the digit is omitted. 100 for 255 bits; 256 for 381,
    // less one that is known to be zero.
    let dots = ["dotlo", "dothi"];
    assert_eq!(count("avx512", 255, Range::Twice, Function::MulMod, &dots), 100);
    assert_eq!(count("avx512", 381, Range::Twice, Function::MulMod, &dots), 255);
    // 32-bit words: a low and a high half form one wide multiply-add, 2 n^2 in all, with n low products.
    assert_eq!(count("cuda32", 255, Range::Canonical, Function::MulMod, &["madlo"]), 2 * 64);
    assert_eq!(count("cuda32", 255, Range::Canonical, Function::MulMod, &["madhi"]), 2 * 64);
    assert_eq!(count("cuda32", 255, Range::Canonical, Function::MulMod, &["mullo"]), 8);
}
