//! Compares every rule with the interpreter: on all operands at small word sizes, on edge cases and random operands at
//! real sizes.

use std::collections::BTreeSet;

use num_bigint::BigUint;
use num_traits::{One, Zero};
use pairwright_moma::catalogue::{FieldSpec, Function};
use pairwright_moma::interp;
use pairwright_moma::ir::{Kernel, Op, Range, Reduction};
use pairwright_moma::lower::{Options, explain, lower};
use pairwright_moma::machine::{Compare, Machine};
use pairwright_moma::{passes, rules, text};

/// A machine of a small word size in the style of a real one.
fn toy(name: &str, word: u32) -> Machine {
    let mut m = Machine::named(name).unwrap();
    m.word = word;
    m.container = m.product.container(word).map_or(word, |least| least.max(word + 8));
    m
}

fn lower_checked(kernel: &Kernel, machine: &Machine, options: Options) -> Kernel {
    let lowered = lower(kernel, machine, options).unwrap_or_else(|e| panic!("{}: {e}", machine.name));
    // The text form is lossless.
    assert_eq!(text::parse(&text::print(&lowered)).map(|k| text::print(&k)), Ok(text::print(&lowered)));
    lowered
}

fn inputs(f: Function, spec: FieldSpec, m: &Machine, q: &BigUint, a: u64, b: u64) -> Vec<BigUint> {
    let (a, b) = (BigUint::from(a), BigUint::from(b));
    let limit = if spec.range == Range::Twice { q * 2u32 } else { q.clone() };
    match f {
        Function::AddMod | Function::SubMod => vec![a, b, limit],
        Function::MulMod => vec![a, b, q.clone(), spec.constant(q, m).unwrap()],
        Function::SqrMod => vec![a, q.clone(), spec.constant(q, m).unwrap()],
        Function::Mul => vec![a, b],
        Function::Sqr => vec![a],
        Function::Reduce => vec![a, q.clone()],
    }
}

/// The expected result of a function, by its definition.
fn expected(f: Function, spec: FieldSpec, m: &Machine, q: &BigUint, i: &[BigUint]) -> BigUint {
    let limit = if spec.range == Range::Twice { q * 2u32 } else { q.clone() };
    let product = |a: &BigUint, b: &BigUint| match spec.reduction {
        Reduction::Barrett => a * b % q,
        Reduction::Montgomery => {
            let r = BigUint::one() << spec.radix_bits(m);
            a * b * r.modinv(q).unwrap() % q
        }
    };
    match f {
        Function::AddMod => (&i[0] + &i[1]) % &limit,
        Function::SubMod => (&i[0] + &limit - &i[1]) % &limit,
        Function::MulMod => product(&i[0], &i[1]),
        Function::SqrMod => product(&i[0], &i[0]),
        Function::Mul => &i[0] * &i[1],
        Function::Sqr => &i[0] * &i[0],
        Function::Reduce => &i[0] % q,
    }
}

fn agree(f: Function, spec: FieldSpec, m: &Machine, q: &BigUint, i: &[BigUint], kernel: &Kernel) {
    let want = expected(f, spec, m, q, i);
    let got = interp::run(kernel, i).unwrap_or_else(|e| {
        panic!(
            "{} {} {} bits: q = {q:#x}, inputs {i:x?}: {e}\n{}",
            m.name,
            f.name(),
            spec.bits,
            text::print(kernel)
        )
    });
    let same = match (spec.range, f) {
        (Range::Twice, Function::MulMod | Function::SqrMod) => got[0] < q * 2u32 && &got[0] % q == want % q,
        _ => got[0] == want,
    };
    assert!(
        same,
        "{} {} q = {q:#x} inputs {i:x?}: got {:#x}\n{}",
        m.name,
        f.name(),
        got[0],
        text::print(kernel)
    );
}

const STYLES: [&str; 7] = ["c", "x86-64", "avx512", "cuda32", "cuda64", "cudaf64", "avx2"];

fn all_options() -> Vec<Options> {
    [(0, true), (0, false), (1, false), (2, true)]
        .into_iter()
        .map(|(karatsuba, optimise)| Options { karatsuba, optimise })
        .collect()
}

fn specs(bits: u32) -> Vec<FieldSpec> {
    vec![
        FieldSpec::new(bits, Reduction::Barrett),
        FieldSpec::new(bits, Reduction::Montgomery),
        FieldSpec { bits, reduction: Reduction::Montgomery, range: Range::Twice },
    ]
}

#[test]
fn every_rule_on_all_operands_at_toy_sizes() {
    let mut used = BTreeSet::new();
    for style in STYLES {
        for word in [2, 3, 4] {
            let m = toy(style, word);
            for bits in [3, 4, 6] {
                for spec in specs(bits) {
                    for f in Function::ALL {
                        let kernel = spec.kernel(f, &m).unwrap();
                        for options in all_options() {
                            let (lowered, steps) = explain(&kernel, &m, options).unwrap_or_else(|e| {
                                panic!("{style}/{word} {} {bits} {options:?}: {e}", f.name())
                            });
                            used.extend(steps.iter().map(|s| s.number));
                            for q in (1u64 << (bits - 1)..1 << bits).filter(|q| q % 2 == 1) {
                                let all = |n: u64| {
                                    if n > 16 { vec![0, 1, 2, n / 2, n - 2, n - 1] } else { (0..n).collect() }
                                };
                                let top = if spec.range == Range::Twice { 2 * q } else { q };
                                let tops = if f == Function::Reduce { 2 * q } else { top };
                                let q = BigUint::from(q);
                                for a in all(tops) {
                                    for b in all(top) {
                                        let i = inputs(f, spec, &m, &q, a, b);
                                        agree(f, spec, &m, &q, &i, &lowered);
                                        if matches!(f, Function::Sqr | Function::SqrMod | Function::Reduce) {
                                            break;
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
    used.extend(plain_operations());
    for rule in rules::all().unwrap() {
        assert!(used.contains(rule.number), "rule ({}) {} was never used", rule.number, rule.name);
    }
}

/// Checks every plain operation at two and four words of two bits, on all operands; returns the rules that were
/// applied.
fn plain_operations() -> BTreeSet<&'static str> {
    let mut used = BTreeSet::new();
    for style in STYLES {
        let m = toy(style, 2);
        for width in [2, 4, 8] {
            let ops = [
                (Op::Add, 2, 2),
                (Op::Add, 3, 2),
                (Op::Sub, 2, 2),
                (Op::Sub, 3, 2),
                (Op::Lt, 2, 1),
                (Op::Eq, 2, 1),
                (Op::Select, 3, 1),
                (Op::And, 2, 1),
                (Op::Or, 2, 1),
                (Op::Xor, 2, 1),
                (Op::MulLo, 2, 1),
                (Op::Mul, 2, 2),
                (Op::Sqr, 1, 2),
                (Op::Funnel { k: 1 }, 2, 1),
                (Op::Funnel { k: 3 }, 2, 1),
                (Op::Funnel { k: 4 }, 2, 1),
            ];
            for (op, operands, results) in ops {
                if matches!(op, Op::Funnel { k } if k > width) {
                    continue;
                }
                // A machine whose products are multiply-adds has no rule for a plain product of single words.
                let name = op.mnemonic();
                if width == 2 && !m.lazy() && op != Op::Sqr && !m.native.contains_key(name) {
                    continue;
                }
                let mut kernel = Kernel::new("plain");
                let narrow = |k: usize| matches!(op, Op::Select if k == 0) || k == 2 && op != Op::Select;
                let widths: Vec<u32> = (0..operands).map(|k| if narrow(k) { 1 } else { width }).collect();
                let args =
                    widths.iter().enumerate().map(|(k, &b)| kernel.input(&format!("x{k}"), b)).collect();
                let first = match op {
                    Op::Add | Op::Sub | Op::Lt | Op::Eq => 1,
                    _ => width,
                };
                let widths_out = if results == 2 { vec![first, width] } else { vec![first] };
                let outs = kernel.push(op, width, args, &widths_out);
                for (k, v) in outs.iter().enumerate() {
                    kernel.output(&format!("y{k}"), widths_out[k], (*v).into());
                }
                for optimise in [false, true] {
                    let options = Options { karatsuba: 0, optimise };
                    let (lowered, steps) = explain(&kernel, &m, options).unwrap();
                    used.extend(steps.iter().map(|s| s.number));
                    let mut operand = Stream(3);
                    let all = 1u64 << widths.iter().sum::<u32>();
                    for point in 0..all.min(1 << 10) {
                        let mut point = if all > 1 << 10 { operand.next() % all } else { point };
                        let inputs: Vec<BigUint> = widths
                            .iter()
                            .map(|b| {
                                let x = point & ((1 << b) - 1);
                                point >>= b;
                                x.into()
                            })
                            .collect();
                        let (want, got) = (interp::run(&kernel, &inputs), interp::run(&lowered, &inputs));
                        assert_eq!(got, want, "{style} {inputs:?}\n{}", text::print(&lowered));
                    }
                }
            }
        }
    }
    used
}

/// A deterministic stream of integers: the high halves of a linear congruential generator.
struct Stream(u64);

impl Stream {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 32
    }
    fn below(&mut self, limit: &BigUint) -> BigUint {
        let mut x = BigUint::zero();
        for _ in 0..limit.bits() / 32 + 2 {
            x = (x << 32) + self.next();
        }
        x % limit
    }
}

#[test]
fn real_widths_on_edges_and_random_operands() {
    on_edges_and_random_operands(&[33, 64, 124, 191, 253, 255, 256, 381]);
}

#[test]
#[ignore = "full: as many widths again, half of a minute"]
fn more_widths_on_edges_and_random_operands() {
    on_edges_and_random_operands(&[60, 128, 254, 320, 377, 384, 448]);
}

#[test]
#[ignore = "full: kernels of nine to sixteen words, most of a minute"]
fn wide_kernels_on_edges_and_random_operands() {
    on_edges_and_random_operands(&[576, 753, 1020, 1024]);
}

fn on_edges_and_random_operands(widths: &[u32]) {
    let mut rng = Stream(7);
    for name in STYLES {
        let m = Machine::named(name).unwrap();
        for &bits in widths {
            for spec in specs(bits) {
                // Odd moduli of exactly this width: the smallest, the greatest, random ones.
                let top = BigUint::one() << (bits - 1);
                let mut moduli = vec![&top + 1u32, (&top << 1) - 1u32];
                moduli.push((&top + rng.below(&top)) | BigUint::one());
                if spec.reduction == Reduction::Montgomery {
                    // Kernels of a width work for every narrower modulus.
                    moduli.push((&top >> 2u32) | BigUint::from(3u32));
                }
                for f in Function::ALL {
                    let kernel = spec.kernel(f, &m).unwrap();
                    for karatsuba in [0, 1] {
                        let options = Options { karatsuba, optimise: true };
                        let lowered = lower_checked(&kernel, &m, options);
                        for q in &moduli {
                            let limit = if spec.range == Range::Twice { q * 2u32 } else { q.clone() };
                            let mut values =
                                vec![BigUint::zero(), BigUint::one(), &limit - 1u32, q - 1u32, q >> 1];
                            values.push(rng.below(&limit));
                            values.push(rng.below(&limit));
                            for a in &values {
                                for b in [&values[0], &values[2], &values[5], a] {
                                    let mut i = inputs(f, spec, &m, q, 0, 0);
                                    i[0] = if f == Function::Reduce {
                                        a + b.clone().min(q - 1u32)
                                    } else {
                                        a.clone()
                                    };
                                    if f == Function::Reduce && i[0] >= q * 2u32 {
                                        i[0] = q.clone();
                                    }
                                    if matches!(
                                        f,
                                        Function::AddMod
                                            | Function::SubMod
                                            | Function::MulMod
                                            | Function::Mul
                                    ) {
                                        i[1] = b.clone();
                                    }
                                    agree(f, spec, &m, q, &i, &lowered);
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn every_pass_keeps_the_meaning() {
    let mut rng = Stream(11);
    for name in STYLES {
        let m = Machine::named(name).unwrap();
        for spec in specs(381) {
            for f in Function::ALL {
                let kernel = spec.kernel(f, &m).unwrap();
                let mut lowered = lower(&kernel, &m, Options { karatsuba: 1, optimise: false }).unwrap();
                let q = (BigUint::one() << 380u32) + 3u32;
                for _ in 0..2 {
                    for pass in passes::PASSES {
                        lowered = (pass.run)(lowered);
                        let mut i = inputs(f, spec, &m, &q, 0, 0);
                        i[0] = rng.below(&q);
                        if matches!(f, Function::AddMod | Function::SubMod | Function::MulMod | Function::Mul)
                        {
                            i[1] = rng.below(&q);
                        }
                        agree(f, spec, &m, &q, &i, &lowered);
                    }
                }
            }
        }
    }
}

#[test]
fn a_double_word_product_counts_as_the_paper_says() {
    let mut m = Machine::named("cuda64").unwrap();
    m.compare = Compare::Less;
    let spec = FieldSpec::new(128, Reduction::Montgomery);
    let kernel = spec.kernel(Function::Mul, &m).unwrap();
    let count = |karatsuba| lower(&kernel, &m, Options { karatsuba, optimise: false }).unwrap().counts();
    let schoolbook = count(0);
    assert_eq!((schoolbook["mul"], schoolbook["add"]), (4, 6));
    let karatsuba = count(1);
    // Besides carry propagation (the two sums of the bit above two words).
    assert_eq!((karatsuba["mul"], karatsuba["add"] + karatsuba["sub"] - 2), (3, 12));
}
