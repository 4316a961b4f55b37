//! Every function of the catalogue, printed in C for every machine, compiled and run: the interpreter judges.

mod print_common;

use num_bigint::BigUint;
use pairwright_moma::MomaError;
use pairwright_moma::catalogue::{FieldSpec, Function};
use pairwright_moma::interp;
use pairwright_moma::ir::{Arg, Kernel, Op, Range, Reduction};
use pairwright_moma::lower::Options;
use pairwright_moma::machine::Machine;
use pairwright_moma::print::{c, constants, digits, value};
use pairwright_testkit::jit::{Length, Library};
use print_common::{Case, Numbers, moduli};

/// Compiles and checks every case on a machine. Wide kernels are many statements, so the optimiser is kept short.
fn check(name: &str, widths: &[u32], karatsuba: fn(u32) -> Vec<u32>) {
    let machine = Machine::named(name).unwrap();
    let cases = Case::all(&machine, widths, &Function::ALL, karatsuba);
    let kernels: Vec<Kernel> = cases.iter().map(|c| c.lowered.clone()).collect();
    let mut text = c::file(&kernels, &machine, &["A test.".to_owned()]).unwrap();
    text += "#include <stddef.h>\n";
    text.extend(cases.iter().map(Case::array_function));
    let library = Library::from_c(&format!("print_c_{name}"), &text, &["-O1"]).unwrap();
    for case in &cases {
        case.check(&machine, &library);
    }
}

const WIDTHS: [u32; 8] = [2, 33, 64, 128, 255, 256, 381, 384];

fn both(bits: u32) -> Vec<u32> {
    if bits > 64 { vec![0, 1] } else { vec![0] }
}

#[test]
fn words_of_64_bits() {
    check("c", &WIDTHS, both);
    check("c", &[753, 1024], |_| vec![0, 2]);
}

#[test]
fn words_of_32_bits() {
    check("cuda32", &WIDTHS, both);
    check("cuda32", &[753], |_| vec![0]);
}

#[test]
fn words_of_64_bits_by_halves() {
    check("cuda64", &WIDTHS, both);
    check("cuda64", &[753], |_| vec![1]);
}

#[test]
fn digits_in_containers() {
    check("avx512", &WIDTHS, both);
    check("avx512", &[753, 1024], |_| vec![0]);
}
