//! Tests, without a GPU, of the CUDA printer's additions to C: carry chains are run line by line with a flag, and
//! products on the FP64 pipe run as the same text on the host.

use std::collections::BTreeMap;

use crate::print_common::{Case, Numbers, moduli};
use num_bigint::BigUint;
use num_traits::{One, Zero};
use pairwright_moma::catalogue::{FieldSpec, Function};
use pairwright_moma::interp;
use pairwright_moma::ir::{Arg, Inst, Kernel, Op, Reduction, Var};
use pairwright_moma::lower::Options;
use pairwright_moma::machine::Machine;
use pairwright_moma::print::chain::{Block, Line, LineOp, join_products, lift_carries, schedule};
use pairwright_moma::print::{cuda, field_code, file};
use pairwright_testkit::jit::Library;

/// A machine with one carry flag, which is kept from line to line only within a block.
struct Flagged<'a> {
    kernel: &'a Kernel,
    word: u32,
    values: BTreeMap<Var, BigUint>,
}

impl Flagged<'_> {
    fn read(&self, arg: &Arg) -> BigUint {
        match arg {
            Arg::Const(c) => c.clone(),
            Arg::Var(v) => {
                self.values.get(v).unwrap_or_else(|| panic!("%{} is read before it is written", v.0)).clone()
            }
        }
    }

    /// Runs a single instruction by the interpreter.
    fn one(&mut self, inst: &Inst) {
        let mut alone = Kernel::new("one");
        let (mut inputs, mut args) = (Vec::new(), Vec::new());
        for arg in &inst.args {
            inputs.push(self.read(arg));
            args.push(alone.input("x", self.kernel.width_of(arg).max(1)));
        }
        let bits: Vec<u32> = inst.outs.iter().map(|v| self.kernel.bits[v.0 as usize]).collect();
        let outs = alone.push(inst.op, inst.width, args, &bits);
        for (out, bits) in outs.iter().zip(&bits) {
            alone.output("y", *bits, (*out).into());
        }
        let results = interp::run(&alone, &inputs).unwrap();
        self.values.extend(inst.outs.iter().copied().zip(results));
    }

    fn chain(&mut self, lines: &[Line]) {
        let mut flag: Option<bool> = None;
        let one = BigUint::one() << self.word;
        for line in lines {
            let a: Vec<BigUint> = line.args.iter().map(|a| self.read(a)).collect();
            assert!(a.iter().all(|x| x < &one));
            let carry = if line.carry_in {
                BigUint::from(u8::from(flag.expect("a chain begins without a flag")))
            } else {
                BigUint::zero()
            };
            let (result, out) = match line.op {
                LineOp::Add => {
                    let s = &a[0] + &a[1] + carry;
                    (&s % &one, s >= one)
                }
                LineOp::Sub => {
                    let take = &a[1] + carry;
                    ((&one + &a[0] - &take) % &one, a[0] < take)
                }
                LineOp::MadLo | LineOp::MadHi => {
                    let product = &a[0] * &a[1];
                    let half = if line.op == LineOp::MadLo { product % &one } else { product >> self.word };
                    let s = half + &a[2] + carry;
                    (&s % &one, s >= one)
                }
            };
            if line.carry_out {
                flag = Some(out);
            }
            if let Some(v) = line.out {
                self.values.insert(v, result);
            }
        }
    }
}

/// Runs a schedule in its order.
fn run_blocks(kernel: &Kernel, word: u32, blocks: &[Block], inputs: &[BigUint]) -> Vec<BigUint> {
    let mut machine = Flagged { kernel, word, values: BTreeMap::new() };
    for (p, value) in kernel.inputs.iter().zip(inputs) {
        for (i, part) in p.parts.iter().enumerate() {
            if let Arg::Var(v) = part {
                let digit = (value >> (i as u32 * p.stride)) % (BigUint::one() << p.stride);
                machine.values.insert(*v, digit);
            }
        }
    }
    for block in blocks {
        match block {
            Block::One(at) => machine.one(&kernel.body[*at]),
            Block::Chain(lines) => machine.chain(lines),
        }
    }
    let output = |p: &pairwright_moma::ir::Param| {
        let parts = p.parts.iter().enumerate();
        parts.map(|(i, part)| machine.read(part) << (i as u32 * p.stride)).sum()
    };
    kernel.outputs.iter().map(output).collect()
}

fn check(machine: &Machine, widths: &[u32], most: usize) {
    let cases =
        Case::all(machine, widths, &Function::ALL, |bits| if bits > 100 { vec![0, 1] } else { vec![0] });
    for case in cases {
        let kernel = lift_carries(&join_products(&case.lowered));
        let blocks = schedule(&kernel);
        let mut numbers = Numbers::new(7);
        for q in moduli(case.spec.bits, &mut numbers) {
            let mut operands = case.operands(machine, &q, &mut numbers);
            // Edge cases come first, random ones last: take some of each.
            operands.rotate_right(most / 2);
            for (a, b) in operands.iter().take(most) {
                let inputs = case.inputs(machine, &q, a, b);
                let got = run_blocks(&kernel, machine.word, &blocks, &inputs);
                assert_eq!(got, interp::run(&case.lowered, &inputs).unwrap(), "{}", case.lowered.name);
            }
        }
    }
}

#[test]
fn chains_run_as_the_interpreter_does() {
    let machine = Machine::named("cuda32").unwrap();
    check(&machine, &[2, 33, 64, 255, 381], 8);
    let small = machine.with_word(4).unwrap();
    check(&small, &[5, 9, 13, 16, 23], 60);
}

#[test]
fn a_product_is_few_chains_and_nothing_is_cut() {
    let machine = Machine::named("cuda32").unwrap();
    let case = Case::new(FieldSpec::new(256, Reduction::Montgomery), Function::MulMod, &machine, 0);
    let kernel = lift_carries(&join_products(&case.lowered));
    let blocks = schedule(&kernel);
    let chains: Vec<&Vec<Line>> = blocks
        .iter()
        .filter_map(|b| match b {
            Block::Chain(lines) => Some(lines),
            Block::One(_) => None,
        })
        .collect();
    // Two chains for each of the 15 rows after the first (whose products have no addend), the sum of even and odd
    // columns, and the subtraction of the modulus.
    assert_eq!(chains.len(), 32);
    // No carry is moved from a register to the flag.
    assert!(
        chains.iter().flat_map(|c| c.iter()).all(|l| l.op != LineOp::Add || !l.carry_out || l.out.is_some())
    );
    let halves = chains.iter().flat_map(|c| c.iter()).filter(|l| l.op == LineOp::MadLo).count();
    let wide =
        blocks.iter().filter(|b| matches!(b, Block::One(at) if kernel.body[*at].op == Op::Mul)).count();
    assert_eq!(halves + wide, 2 * 8 * 8);
}

/// A chain whose second half depends on another chain, which depends on its first half: neither can be one block.
#[test]
fn chains_that_need_each_other_are_cut() {
    let mut k = Kernel::new("knot");
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| k.input(name, 8));
    let one = k.push(Op::Add, 8, vec![a.clone(), b.clone()], &[1, 8]);
    let two = k.push(Op::Sub, 8, vec![one[1].into(), c.clone()], &[1, 8]);
    let three = k.push(Op::Add, 8, vec![two[1].into(), d.clone(), one[0].into()], &[1, 8]);
    let four = k.push(Op::Sub, 8, vec![three[1].into(), a.clone(), two[0].into()], &[1, 8]);
    // Two readers of one carry: the second gets it from a register.
    let five = k.push(Op::Add, 8, vec![b, c, three[0].into()], &[8]);
    let six = k.push(Op::Add, 8, vec![four[1].into(), d, three[0].into()], &[8]);
    let seven = k.push(Op::Select, 8, vec![four[0].into(), five[0].into(), six[0].into()], &[8]);
    k.output("y", 8, seven[0].into());
    k.output("z", 8, five[0].into());
    let blocks = schedule(&k);
    let lines = blocks.iter().flat_map(|b| if let Block::Chain(lines) = b { &lines[..] } else { &[] });
    // Both chains are cut, and each carry is restored by a line that only sets the flag.
    assert!(lines.filter(|l| l.out.is_none()).count() >= 2);
    let mut numbers = Numbers::new(1);
    for _ in 0..500 {
        let inputs: Vec<BigUint> = (0..4).map(|_| BigUint::from(numbers.word() & 0xff)).collect();
        assert_eq!(run_blocks(&k, 8, &blocks, &inputs), interp::run(&k, &inputs).unwrap());
    }
}

/// Runs the text of the FP64 kernels on the host, whose fused multiply-add uses the current rounding mode.
#[test]
fn products_on_the_fp64_pipe() {
    if !std::arch::is_x86_feature_detected!("fma") {
        eprintln!("skipped: this processor has no fused multiply-add");
        return;
    }
    let machine = Machine::named("cudaf64").unwrap();
    let cases = Case::all(&machine, &[2, 51, 52, 64, 255, 381], &Function::ALL, |bits| {
        if bits > 255 { vec![0, 1] } else { vec![0] }
    });
    let kernels: Vec<Kernel> = cases.iter().map(|c| c.lowered.clone()).collect();
    let mut text = file(&cuda::DOUBLES_ON_HOST, &kernels, &machine, &[]).unwrap();
    text += "#include <fenv.h>\n#include <stddef.h>\n";
    for case in &cases {
        let name = &case.lowered.name;
        // The surrounding function sets rounding towards zero while the kernel runs.
        text += &case.array_function().replace(&format!("array_{name}"), &format!("plain_{name}"));
        text += &format!(
            "void array_{name}(size_t n, uint64_t *out, const uint64_t *in) {{
    const int mode = fegetround();
    fesetround(FE_TOWARDZERO);
    plain_{name}(n, out, in);
    fesetround(mode);
}}
"
        );
    }
    let flags = ["-O0", "-frounding-math", "-ffp-contract=off"];
    let library = Library::from_c("print_cudaf64", &text, &flags).unwrap();
    for case in &cases {
        case.check(&machine, &library);
    }
}

/// The text of each machine defines the field functions that array programs call.
#[test]
fn field_functions_have_the_names_that_programs_call() {
    for name in ["cuda32", "cuda64", "cudaf64", "opencl32"] {
        let machine = Machine::named(name).unwrap();
        let field = FieldSpec::new(255, Reduction::Montgomery);
        let code = field_code(&*machine.printer, field, &machine, Options::default()).unwrap();
        assert_eq!(code.constants as u32, field.words(&machine) + 1);
        for f in ["pw_add", "pw_sub", "pw_mul"] {
            let head = format!("void {f}(word *r, const word *a, const word *b, const word *k) {{");
            assert!(code.text.contains(&head), "{head}");
        }
        assert!(code.text.contains("void pw_sqr(word *r, const word *a, const word *k) {"));
    }
}
