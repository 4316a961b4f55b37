//! Comparison of printed kernels with the interpreter: moduli and operands with edge cases, and a loop that calls a
//! function on many operands.

use num_bigint::BigUint;
use num_traits::One;
use pairwright_moma::catalogue::{FieldSpec, Function};
use pairwright_moma::interp;
use pairwright_moma::ir::{Kernel, Param, Range, Reduction};
use pairwright_moma::lower::{Options, lower};
use pairwright_moma::machine::Machine;
use pairwright_moma::print::{digits, value};
use pairwright_testkit::jit::{Length, Library};

/// A field function with its lowered kernel, which has a unique name.
pub(crate) struct Case {
    pub(crate) spec: FieldSpec,
    pub(crate) function: Function,
    pub(crate) lowered: Kernel,
}

impl Case {
    pub(crate) fn new(spec: FieldSpec, function: Function, machine: &Machine, karatsuba: u32) -> Case {
        let mut kernel = spec.kernel(function, machine).unwrap();
        let reduction = if spec.reduction == Reduction::Barrett { "b" } else { "m" };
        let range = if spec.range == Range::Twice { "2" } else { "" };
        kernel.name = format!("{}_{reduction}{range}_{}_{karatsuba}", function.name(), spec.bits);
        let lowered = lower(&kernel, machine, Options { karatsuba, optimise: true }).unwrap();
        Case { spec, function, lowered }
    }

    pub(crate) fn all(
        machine: &Machine,
        widths: &[u32],
        functions: &[Function],
        karatsuba: impl Fn(u32) -> Vec<u32>,
    ) -> Vec<Case> {
        let mut all = Vec::new();
        for &bits in widths {
            let twice = FieldSpec { bits, reduction: Reduction::Montgomery, range: Range::Twice };
            for spec in
                [FieldSpec::new(bits, Reduction::Barrett), FieldSpec::new(bits, Reduction::Montgomery), twice]
            {
                for &f in functions {
                    // Plain products and single reductions do not depend on the reduction of products.
                    let plain = matches!(f, Function::Mul | Function::Sqr | Function::Reduce);
                    if plain && spec != FieldSpec::new(bits, Reduction::Montgomery) {
                        continue;
                    }
                    let product = !matches!(f, Function::AddMod | Function::SubMod | Function::Reduce);
                    let levels = if product { karatsuba(bits) } else { vec![0] };
                    all.extend(levels.into_iter().map(|k| Case::new(spec, f, machine, k)));
                }
            }
        }
        all
    }

    /// The inputs of the kernel for operands and a modulus.
    pub(crate) fn inputs(&self, machine: &Machine, q: &BigUint, a: &BigUint, b: &BigUint) -> Vec<BigUint> {
        let value = |p: &Param| match p.name.as_str() {
            "a" => a.clone(),
            "b" => b.clone(),
            "q2" => q * 2u32,
            "q" => q.clone(),
            _ => self.spec.constant(q, machine).unwrap(),
        };
        self.lowered.inputs.iter().map(value).collect()
    }

    /// Operands below the limit of the function: pairs of edge cases, then random ones.
    pub(crate) fn operands(
        &self,
        machine: &Machine,
        q: &BigUint,
        numbers: &mut Numbers,
    ) -> Vec<(BigUint, BigUint)> {
        let twice = self.spec.range == Range::Twice || self.function == Function::Reduce;
        let limit = if twice { q * 2u32 } else { q.clone() };
        let one = BigUint::one();
        let mut edges = vec![BigUint::default(), one.clone(), &limit - 1u32, &limit >> 1u32];
        for at in [1, self.spec.words(machine) / 2, self.spec.words(machine) - 1] {
            let power = &one << (at * machine.word);
            edges.extend([&power - 1u32, power.clone(), &limit - (&power % &limit)]);
        }
        edges.retain(|e| e < &limit);
        edges.sort();
        edges.dedup();
        let mut all: Vec<_> =
            edges.iter().flat_map(|a| edges.iter().map(|b| (a.clone(), b.clone()))).collect();
        all.extend((0..20).map(|_| (numbers.below(&limit), numbers.below(&limit))));
        all
    }

    /// The C function that calls the printed one on many operands, with a word of 64 bits for each word of the machine.
    pub(crate) fn array_function(&self) -> String {
        let k = &self.lowered;
        let name = &k.name;
        let out = k.outputs[0].parts.len();
        let (mut arrays, mut loads, mut at) = (String::new(), String::new(), 0);
        for p in &k.inputs {
            let (p, n) = (&p.name, p.parts.len());
            arrays += &format!(", {p}[{n}]");
            loads += &format!("for (int w = 0; w < {n}; w++) {p}[w] = (word)in[{at} + w];\n        ");
            at += n;
        }
        let names: Vec<&str> = k.inputs.iter().map(|p| p.name.as_str()).collect();
        format!(
            "void array_{name}(size_t n, uint64_t *out, const uint64_t *in) {{
    for (size_t i = 0; i < n; i++, in += {at}, out += {out}) {{
        word c[{out}]{arrays};
        {loads}{name}(c, {});
        for (int w = 0; w < {out}; w++) out[w] = c[w];
    }}
}}
",
            names.join(", ")
        )
    }

    /// Runs the function of a compiled file on edge cases and random operands of several moduli, and compares with the
    /// interpreter.
    pub(crate) fn check(&self, machine: &Machine, library: &Library) {
        let k = &self.lowered;
        let (ins, out) = (k.inputs.iter().map(|p| p.parts.len()).sum(), k.outputs[0].parts.len());
        let run = library
            .kernel(&format!("array_{}", k.name), Length::PerItem(out), &[Length::PerItem(ins)])
            .unwrap();
        let definition = self.spec.kernel(self.function, machine).unwrap();
        let mut numbers = Numbers::new(u64::from(self.spec.bits));
        for q in moduli(self.spec.bits, &mut numbers) {
            let operands = self.operands(machine, &q, &mut numbers);
            let inputs: Vec<Vec<BigUint>> =
                operands.iter().map(|(a, b)| self.inputs(machine, &q, a, b)).collect();
            let mut words = Vec::new();
            for values in &inputs {
                for (p, value) in k.inputs.iter().zip(values) {
                    words.extend(digits(value, machine.word, p.parts.len()));
                }
            }
            let mut got = vec![0; out * inputs.len()];
            run.call(inputs.len(), &mut got, &[&words]);
            for (values, got) in inputs.iter().zip(got.chunks(out)) {
                let want = interp::run(&definition, values).unwrap();
                assert!(got.iter().all(|&w| w <= u64::MAX >> (64 - machine.word)), "a word is too wide");
                assert_eq!(
                    value(got, machine.word),
                    want[0],
                    "{} on {}: inputs {values:x?}",
                    k.name,
                    machine.name
                );
            }
        }
    }
}

/// Odd moduli of exactly this width: the smallest, the largest, random ones.
pub(crate) fn moduli(bits: u32, numbers: &mut Numbers) -> Vec<BigUint> {
    let top = BigUint::one() << (bits - 1);
    let random = &top + numbers.below(&top);
    vec![&top + 1u32, (&top << 1u32) - 1u32, random | BigUint::one()]
}

/// A generator of reproducible numbers.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, limit: &BigUint) -> BigUint {
        let words = limit.bits() as usize / 64 + 2;
        (0..words).fold(BigUint::default(), |value, _| (value << 64u32) + self.word()) % limit
    }
}
