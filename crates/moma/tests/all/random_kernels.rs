//! Tests of random kernels: the lowered kernel computes the same as the original, on every machine, with and without
//! passes.

use num_bigint::BigUint;
use num_traits::{One, Zero};
use pairwright_moma::interp;
use pairwright_moma::ir::{Arg, Kernel, Op};
use pairwright_moma::lower::{Options, lower};
use pairwright_moma::machine::Machine;
use pairwright_moma::text;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

/// The choice of one instruction: operation, width and operands, as numbers that are taken modulo the number of
/// possibilities.
type Choice = (u8, u8, [u16; 3], u16);

/// A kernel with two inputs of some width and the chosen instructions; every value is an output, so that no code is
/// dead.
fn kernel(machine: &Machine, input_words: u32, choices: &[Choice]) -> Kernel {
    let mut k = Kernel::new("random");
    let widths: Vec<u32> = (0..3).map(|e| machine.word << e).collect();
    let mut values: Vec<Arg> = vec![
        k.input("a", machine.word * input_words - 3),
        k.input("b", machine.word * input_words),
        Arg::Const(BigUint::from(5u32)),
        Arg::zero(),
    ];
    let mut flags: Vec<Arg> = vec![Arg::zero(), Arg::small(1)];
    let mut outputs = 0;
    for &(op, width, picks, shift) in choices {
        let w = widths[usize::from(width) % widths.len()];
        let fitting: Vec<Arg> = values.iter().filter(|a| k.width_of(a) <= w).cloned().collect();
        let pick = |list: &[Arg], n: u16| list[usize::from(n) % list.len()].clone();
        let (a, b) = (pick(&fitting, picks[0]), pick(&fitting, picks[1]));
        let flag = pick(&flags, picks[2]);
        let (op, args, bits): (Op, Vec<Arg>, Vec<u32>) = match op % 11 {
            0 => (Op::Add, vec![a, b, flag], vec![1, w]),
            1 => (Op::Sub, vec![a, b, flag], vec![1, w]),
            2 => (Op::Mul, vec![a, b], vec![w, w]),
            3 => (Op::Sqr, vec![a], vec![w, w]),
            4 => (Op::MulLo, vec![a, b], vec![w]),
            5 => (Op::Lt, vec![a, b], vec![1]),
            6 => (Op::Eq, vec![a, b], vec![1]),
            7 => (Op::Select, vec![flag, a, b], vec![w]),
            8 => (Op::Funnel { k: u32::from(shift) % (w + 1) }, vec![a, b], vec![w]),
            9 => (Op::And, vec![a, b], vec![w]),
            _ => (Op::Xor, vec![a, b], vec![w]),
        };
        for (v, bits) in k.push(op, w, args, &bits).into_iter().zip(bits) {
            k.output(&format!("y{outputs}"), bits, v.into());
            outputs += 1;
            if bits == 1 {
                flags.push(v.into());
            } else {
                values.push(v.into());
            }
        }
    }
    k
}

/// The machines whose native operations include the plain product of two words; the others support products only in the
/// forms that rules write.
fn machines() -> Vec<Machine> {
    Machine::all().unwrap().into_iter().filter(|m| m.lazy() || m.native.contains_key("mul")).collect()
}

proptest! {
    #![proptest_config(Config { cases: 1_000, rng_seed: RngSeed::Fixed(3), ..Config::default() })]

    #[test]
    fn lowering_keeps_the_meaning_of_random_kernels(
        choices in prop::collection::vec(any::<Choice>(), 1..12),
        input_words in 1u32..=4,
        seeds in prop::collection::vec(any::<[u64; 8]>(), 2),
        karatsuba in 0u32..=1,
    ) {
        for machine in machines() {
            let kernel = kernel(&machine, input_words, &choices);
            prop_assert_eq!(text::parse(&text::print(&kernel)), Ok(kernel.clone()));
            let plain = lower(&kernel, &machine, Options { karatsuba, optimise: false }).unwrap();
            let optimised = lower(&kernel, &machine, Options { karatsuba, optimise: true }).unwrap();
            for seed in &seeds {
                let mut inputs = Vec::new();
                for (p, part) in kernel.inputs.iter().zip(seed.chunks(4)) {
                    let value = part.iter().fold(BigUint::zero(), |acc, x| (acc << 64) + *x);
                    // A seed's low bits decide between random and extreme values.
                    let top = BigUint::one() << p.bits;
                    inputs.push(match part[0] % 5 { 0 => BigUint::zero(), 1 => &top - 1u32, _ => value % &top });
                }
                let want = interp::run(&kernel, &inputs);
                prop_assert!(want.is_ok(), "a wrong test: {:?}", want);
                for (name, lowered) in [("plain", &plain), ("optimised", &optimised)] {
                    let got = interp::run(lowered, &inputs);
                    prop_assert_eq!(&got, &want, "{} {} {:x?}\n{}\n{}", machine.name, name, inputs,
                        text::print(&kernel), text::print(lowered));
                }
            }
        }
    }
}
