//! Compiles printed C with NEON intrinsics for AArch64 and runs it, under an emulator on another machine: every
//! function of the catalogue is compared with the interpreter.

use core::fmt::Write;

use crate::print_common::{Case, Numbers, moduli};
use num_bigint::BigUint;
use pairwright_moma::catalogue::{FieldSpec, Function};
use pairwright_moma::generate::{Operation, Request};
use pairwright_moma::interp;
use pairwright_moma::ir::Reduction;
use pairwright_moma::machine::Machine;
use pairwright_moma::print::{digits, file};
use pairwright_testkit::jit::{JitError, run_aarch64};

/// Elements of two values, digit by digit, as C numbers.
fn lanes(pair: &[BigUint], word: u32, count: usize) -> String {
    let [x, y] = [0, 1].map(|lane| digits(&pair[lane], word, count));
    x.iter().zip(&y).map(|(x, y)| format!("{x}ull,{y}ull,")).collect()
}

/// C text with operands, expected results, and a function that counts the wrong words.
fn check(case: &Case, machine: &Machine) -> String {
    let k = &case.lowered;
    let (name, out, word) = (&k.name, k.outputs[0].parts.len(), machine.word);
    let definition = case.spec.kernel(case.function, machine).unwrap();
    let mut numbers = Numbers::new(u64::from(case.spec.bits));
    let (mut ins, mut wants, mut blocks) = (String::new(), String::new(), 0);
    for q in moduli(case.spec.bits, &mut numbers) {
        let operands = case.operands(machine, &q, &mut numbers);
        for pair in operands.chunks_exact(2) {
            let inputs: Vec<Vec<BigUint>> =
                pair.iter().map(|(a, b)| case.inputs(machine, &q, a, b)).collect();
            for (at, p) in k.inputs.iter().enumerate() {
                ins += &lanes(&[inputs[0][at].clone(), inputs[1][at].clone()], word, p.parts.len());
            }
            let want: Vec<BigUint> =
                inputs.iter().map(|i| interp::run(&definition, i).unwrap().swap_remove(0)).collect();
            wants += &lanes(&want, word, out);
            blocks += 1;
        }
    }
    assert!(blocks > 0);
    let (mut arrays, mut loads, mut names, mut at) = (String::new(), String::new(), String::new(), 0);
    for p in &k.inputs {
        let (p, n) = (&p.name, p.parts.len());
        write!(arrays, ", {p}[{n}]").unwrap();
        write!(loads, "for (int w = 0; w < {n}; w++) {p}[w] = vld1q_u64(in + 2 * ({at} + w));\n        ")
            .unwrap();
        write!(names, ", {p}").unwrap();
        at += n;
    }
    format!(
        "static const uint64_t in_{name}[] = {{{ins}}}, want_{name}[] = {{{wants}}};
static long check_{name}(void) {{
    const uint64_t *in = in_{name}, *want = want_{name};
    long wrong = 0;
    for (int i = 0; i < {blocks}; i++, in += 2 * {at}, want += 2 * {out}) {{
        word c[{out}]{arrays};
        {loads}{name}(c{names});
        for (int w = 0; w < {out}; w++) {{
            wrong += vgetq_lane_u64(c[w], 0) != want[2 * w];
            wrong += vgetq_lane_u64(c[w], 1) != want[2 * w + 1];
        }}
    }}
    return wrong;
}}
"
    )
}

/// Runs a program, or prints which tool is missing.
fn run(name: &str, text: &str) -> Option<String> {
    match run_aarch64(name, text) {
        Ok(said) => Some(said),
        Err(e @ JitError::NoCompiler { .. }) => {
            println!("SKIPPED: {e}; Debian has gcc-aarch64-linux-gnu and qemu-user");
            None
        }
        Err(e) => panic!("{e}"),
    }
}

#[test]
fn printed_functions_agree_with_the_interpreter() {
    let machine = Machine::named("neon").unwrap();
    let cases = Case::all(&machine, &[64, 255, 381, 753], &Function::ALL, |_| vec![0]);
    let kernels: Vec<_> = cases.iter().map(|c| c.lowered.clone()).collect();
    let mut text = file(&*machine.printer, &kernels, &machine, &[]).unwrap();
    text += "#include <stdio.h>\n";
    let mut calls = String::new();
    for case in &cases {
        text += &check(case, &machine);
        let name = &case.lowered.name;
        writeln!(calls, "    if (check_{name}()) puts(\"{name}\");").unwrap();
    }
    text += &format!("int main(void) {{\n{calls}    puts(\"checked {}\");\n    return 0;\n}}\n", cases.len());
    if let Some(said) = run("print_neon", &text) {
        // The output would begin with the names of functions with wrong results.
        assert_eq!(said, format!("checked {}\n", cases.len()));
    }
}

/// A vector addition computes, and transforms and inversions compile.
#[test]
fn array_kernels_run() {
    let machine = Machine::named("neon").unwrap();
    let field = FieldSpec::new(255, Reduction::Montgomery);
    let request = Request::new(field, machine);
    for name in ["ntt", "batchinv"] {
        let text = request.file(Operation::named(name, 6).unwrap(), None, "a test").unwrap();
        run(name, &(text + "int main(void) { return 0; }\n"));
    }
    let text = request.file(Operation::named("vadd", 0).unwrap(), None, "a test").unwrap();
    // With q = 2^254 + 1: 5 + 6 is 11, and 2^254 + 1 is zero.
    let main = "#include <stdio.h>
int main(void) {
    static const uint64_t constants[10] = {1, 0, 0, 0, 0, 0, 0, 0, 1 << 22, 1};
    word a[18], b[18], c[18];
    for (int i = 0; i < 18; i++) a[i] = b[i] = vdupq_n_u64(0);
    a[0] = vdupq_n_u64(5), b[0] = vdupq_n_u64(6);
    a[17] = vdupq_n_u64(1 << 22), b[9] = vdupq_n_u64(1);
    vadd(2, c, a, b, constants);
    for (int i = 0; i < 18; i++) printf(\"%d \", (int)vgetq_lane_u64(c[i], 1));
    return 0;
}
";
    if let Some(said) = run("vadd", &(text + main)) {
        assert_eq!(said, "11 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 ");
    }
}
