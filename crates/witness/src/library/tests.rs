//! Compares every replaced function with circom's own, which the interpreter runs, on edge cases and on random values.

use super::{KNOWN, LibraryFunction, Module, copies, instruction, optimised, recognised};
use crate::bytes::Bytes;
use crate::bytes::section::EXPORTS;
use crate::compiled::{self, Compiler};
use crate::glance::ModuleSizes;
use crate::machine::Machine;
use crate::{Limits, interpreted};
use std::collections::BTreeSet;

/// Distance in bytes between the operands in memory.
const STEP: usize = 128;

fn calculator(curve: &str) -> Vec<u8> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../circuits");
    std::fs::read(format!("{root}/asserts/{curve}/asserts.wasm")).unwrap()
}

/// Makes a module that exports each of these functions under its index.
fn exporting(wasm: &[u8], functions: impl Iterator<Item = usize> + Clone) -> Vec<u8> {
    let mut module = wasm[..8].to_vec();
    for (id, section) in super::module::sections(wasm).unwrap() {
        let mut section = section;
        let mut changed = Vec::new();
        if id == EXPORTS {
            super::module::number(&mut changed, section.number().unwrap() + functions.clone().count());
            changed.extend_from_slice(section.0);
            for function in functions.clone() {
                let name = function.to_string();
                super::module::number(&mut changed, name.len());
                changed.extend(name.bytes());
                changed.push(0);
                super::module::number(&mut changed, function);
            }
        } else {
            changed.extend_from_slice(section.0);
        }
        module.push(id);
        super::module::number(&mut module, changed.len());
        module.extend(changed);
    }
    module
}

/// Calls a function on an instance; returns its result and the contents of memory afterwards.
trait Try {
    fn memory_bytes(&mut self) -> &mut [u8];
    fn try_it(&mut self, function: usize, kind: LibraryFunction, at: [usize; 3]) -> Option<i32>;
}

impl<M: Machine> Try for M {
    fn memory_bytes(&mut self) -> &mut [u8] {
        let memory = self.memory("memory").unwrap();
        self.bytes_mut(memory)
    }

    fn try_it(&mut self, function: usize, kind: LibraryFunction, at: [usize; 3]) -> Option<i32> {
        let [x, y, r] = at.map(|at| i32::try_from(at).unwrap());
        let name = function.to_string();
        match kind {
            LibraryFunction::IntegerSum | LibraryFunction::IntegerDifference => {
                let function = self.function::<(i32, i32, i32), i32>(&name).unwrap();
                Some(self.call(&function, (x, y, r)).unwrap_or_else(|_| panic!("{kind:?}")))
            }
            LibraryFunction::Square | LibraryFunction::ToMontgomery | LibraryFunction::FromMontgomery => {
                let function = self.function::<(i32, i32), ()>(&name).unwrap();
                let () = self.call(&function, (x, r)).unwrap_or_else(|_| panic!("{kind:?}"));
                None
            }
            LibraryFunction::LowBits => {
                let function = self.function::<i32, i32>(&name).unwrap();
                Some(self.call(&function, x).unwrap_or_else(|_| panic!("{kind:?}")))
            }
            LibraryFunction::Comparison(_) => {
                let function = self.function::<(i32, i32, i32), ()>(&name).unwrap();
                let () = self.call(&function, (r, x, y)).unwrap_or_else(|_| panic!("{kind:?}"));
                None
            }
            _ => {
                let function = self.function::<(i32, i32, i32), ()>(&name).unwrap();
                let () = self.call(&function, (x, y, r)).unwrap_or_else(|_| panic!("{kind:?}"));
                None
            }
        }
    }
}

/// A xorshift generator, which is good enough to spread values.
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn element(&mut self) -> [u64; 4] {
        [(); 4].map(|()| self.word())
    }
}

/// Computes `a + b` modulo 2^256 for a signed `b`.
fn shifted(a: [u64; 4], b: i64) -> [u64; 4] {
    let mut carry = i128::from(b);
    a.map(|word| {
        carry += i128::from(word);
        let low = carry as u64;
        carry >>= 64;
        low
    })
}

/// Edge cases of a field, including values beyond the modulus.
fn edges(modulus: &super::bodies::Modulus) -> Vec<[u64; 4]> {
    let mut edges = Vec::new();
    for base in
        [[0; 4], modulus.q, modulus.one, modulus.half(), modulus.square, [0, 1, 0, 0], [0, 0, 0, 1 << 63]]
    {
        edges.extend([-2, -1, 0, 1, 2].map(|distance| shifted(base, distance)));
    }
    let twice = modulus.q.iter().scan(0, |carry, &word| {
        let double = word << 1 | *carry;
        *carry = word >> 63;
        Some(double)
    });
    edges.push(twice.collect::<Vec<_>>().try_into().unwrap());
    edges
}

/// circom's numbers in all four forms.
fn numbers(modulus: &super::bodies::Modulus, random: &mut Random) -> Vec<[u64; 5]> {
    let mut numbers = Vec::new();
    for short in [0, 1, -1, 5, i32::MAX, i32::MIN, i32::MIN + 1] {
        for flags in [0u64, 1 << 62] {
            let [a, b, c, d] = random.element();
            numbers.push([u64::from(short.cast_unsigned()) | flags, a, b, c, d]);
        }
    }
    for [a, b, c, d] in edges(modulus).into_iter().chain([(); 6].map(|()| random.element())) {
        for flags in [1u64 << 63, 3 << 62] {
            numbers.push([random.word() >> 32 | flags, a, b, c, d]);
        }
    }
    numbers
}

fn write(memory: &mut [u8], at: usize, words: &[u64]) {
    for (bytes, word) in memory[at..].chunks_mut(8).zip(words) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
}

/// Runs every known function on all engines and compares them.
fn compare(wasm: &[u8]) {
    let module = Module::read(wasm).unwrap();
    let (known, copy) = recognised(&module);
    assert!(copy.is_some());
    let kinds: BTreeSet<LibraryFunction> = known.values().map(|(kind, _)| *kind).collect();
    assert_eq!(kinds, KNOWN.iter().map(|(_, kind, _)| *kind).collect(), "all of the library is known");
    let modulus = super::bodies::Modulus::new(module.constant(608).unwrap()).unwrap();

    let circom = exporting(wasm, known.keys().copied());
    let ours = optimised(&circom).unwrap();
    let limits = Limits::default();
    let log = || Box::new(|_: &str| {});
    let judge = interpreted::Program::new(&circom, &limits).unwrap();
    let mut judge = judge.start(&limits, log()).unwrap_or_else(|e| panic!("{e}"));
    let mut compiled: Vec<_> = [Compiler::Cranelift, Compiler::Winch]
        .into_iter()
        .filter(|&compiler| compiler == Compiler::Cranelift || cfg!(target_arch = "x86_64"))
        .map(|compiler| {
            let glance = ModuleSizes::of(&ours);
            let program = compiled::Program::new(&ours, true, &glance, compiler, &limits).unwrap();
            program.start(&limits, log()).unwrap_or_else(|e| panic!("{e}"))
        })
        .collect();

    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let base = judge.memory_bytes().len() - 8 * STEP;
    let mut cases = 0;
    for (&function, &(kind, _)) in &known {
        let is_number = matches!(kind, LibraryFunction::LowBits | LibraryFunction::Comparison(_));
        let mut operands: Vec<Vec<u64>> = if is_number {
            numbers(&modulus, &mut random).iter().map(|number| number.to_vec()).collect()
        } else {
            edges(&modulus).iter().map(|element| element.to_vec()).collect()
        };
        operands.extend((0..4).map(|_| random.element().to_vec()));
        let places: &[[usize; 3]] = match kind {
            // The result is longer than an operand, and circom never lets it overlap one.
            LibraryFunction::IntegerProduct => &[[0, 1, 2], [0, 0, 2]],
            _ => &[[0, 1, 2], [0, 1, 0], [0, 1, 1], [0, 0, 0], [0, 0, 2]],
        };
        let single = matches!(
            kind,
            LibraryFunction::Square
                | LibraryFunction::ToMontgomery
                | LibraryFunction::FromMontgomery
                | LibraryFunction::LowBits
        );
        for x in &operands {
            for y in if single { &operands[..1] } else { &operands[..] } {
                // All operand layouts in turn; the first one for all operands.
                for places in [places[0], places[cases % places.len()]] {
                    cases += 1;
                    let at = places.map(|place| base + place * STEP);
                    let run = |machine: &mut dyn Try| {
                        let memory = machine.memory_bytes();
                        memory[base..].fill(0xa5);
                        write(memory, at[1], y);
                        write(memory, at[0], x);
                        let result = machine.try_it(function, kind, at);
                        (result, machine.memory_bytes()[base..].to_vec())
                    };
                    let expected = run(&mut judge);
                    for machine in &mut compiled {
                        assert!(run(machine) == expected, "{kind:?} of {x:x?} and {y:x?} at {places:?}");
                    }
                }
            }
        }
    }
    // In the rest of memory only the scratch memory of the reductions differs.
    for machine in &mut compiled {
        let scratch = [992..1024, 1504..1568];
        let (theirs, ours) = (judge.memory_bytes(), machine.memory_bytes());
        let differ = (0..base).filter(|&at| theirs[at] != ours[at]);
        let differ: Vec<usize> =
            differ.filter(|at| !scratch.iter().any(|range| range.contains(at))).collect();
        assert!(differ.is_empty(), "{differ:?}");
    }
}

#[test]
fn functions_of_bn254() {
    compare(&calculator("bn128"));
}

#[test]
fn functions_of_bls12_381() {
    compare(&calculator("bls12381"));
}

/// Runs of copies with various steps between sources, interrupted runs, and targets that overlap their sources.
#[test]
fn copies_in_runs() {
    let copy = |to: i32, from: i32| {
        format!("i32.const {to} i32.const 40 i32.mul local.get 0 i32.add i32.const {from} call $copy\n")
    };
    let steps = |from: i32, step: i32, count: i32| -> String {
        (0..count).map(|index| copy(index, from + step * index)).collect()
    };
    let module = |text: &str| {
        let words: String = (0..5)
            .map(|i| {
                format!("local.get 0 local.get 1 i64.load offset={} i64.store offset={}\n", 8 * i, 8 * i)
            })
            .collect();
        wat::parse_str(format!(
            r#"(module (type $four (func (param i32 i32 i32 i32))) (memory (export "memory") 1)
            (func (export "getVersion") (result i32) i32.const 2)
            (func $copy (param i32 i32) {words})
            (func (export "go") (param i32) {text}))"#
        ))
        .unwrap()
    };
    let run = |wasm: &[u8]| {
        let limits = Limits::default();
        let program = interpreted::Program::new(wasm, &limits).unwrap();
        let mut machine = program.start(&limits, Box::new(|_| {})).unwrap_or_else(|e| panic!("{e}"));
        for (index, byte) in machine.memory_bytes().iter_mut().enumerate() {
            *byte = ((index * 167) >> 3) as u8;
        }
        let go = crate::machine::Callable::function::<i32, ()>(&mut machine, "go").unwrap();
        crate::machine::Callable::call(&mut machine, &go, 4096).unwrap();
        machine.memory_bytes().to_vec()
    };
    let zigzag: String =
        [(0, 800), (1, 840), (2, 880), (3, 920), (4, 800), (5, 800), (6, 800), (7, 800), (9, 800)]
            .map(|(to, from)| copy(to, from))
            .concat();
    for (text, gathered) in [
        (steps(800, 40, 100), 1),
        (steps(800, 0, 65), 1),
        (steps(40_000, -40, 30), 1),
        (steps(800, 8, 4), 1),
        (steps(800, 40, 3), 0),
        // The sources are targets of earlier or later copies.
        (steps(4096 - 40, 40, 20), 1),
        (steps(4096 + 40, 40, 20), 1),
        (steps(4096 + 8, 40, 20), 1),
        (steps(800, 40, 9) + &steps(2000, 40, 9), 2),
        (zigzag, 2),
        (format!("local.get 0 i32.const 0 i32.store {} nop", steps(800, 40, 50)), 1),
    ] {
        let wasm = module(&text);
        let module = Module::read(&wasm).unwrap();
        let (copy, go, next) = (1, 2, module.next().unwrap());
        let body = copies::gathered(module.body(go).unwrap(), copy, next);
        assert_eq!(body.is_some(), gathered > 0, "{text}");
        let Some(body) = body else { continue };
        let mut code = Bytes(&body);
        instruction::locals(&mut code, |_, _| {}).unwrap();
        let mut calls = 0;
        while !code.0.is_empty() {
            let next_one = instruction::Instruction::read(&mut code).unwrap();
            calls += usize::from(next_one == instruction::Instruction::Call(next));
        }
        assert_eq!(calls, gathered, "{text}");
        let added = copies::run();
        let ours = module
            .with_bodies(|function| match function {
                2 => &body,
                3 => &added,
                other => module.body(other).unwrap().0,
            })
            .unwrap();
        assert!(run(&ours) == run(&wasm), "{text}");
    }
}

/// With a modulus other than the one that the code was made for, the functions are left as they are, except those whose only
/// constant is the modulus in memory.
#[test]
fn another_modulus_is_not_taken() {
    let wasm = calculator("bn128");
    let modulus = Module::read(&wasm).unwrap().constant(608).unwrap();
    let bytes = modulus.map(u64::to_le_bytes).concat();
    let at = wasm.windows(32).position(|window| window == bytes).unwrap();
    for (byte, bit) in [(0, 0), (0, 1), (3, 7)] {
        let mut changed = wasm.clone();
        changed[at + byte] ^= 1 << bit;
        let module = Module::read(&changed).unwrap();
        let kinds: Vec<_> = recognised(&module).0.into_values().map(|(kind, _)| kind).collect();
        let expected: &[LibraryFunction] = match bit {
            // The modulus has to be odd.
            0 => &[
                LibraryFunction::IntegerSum,
                LibraryFunction::IntegerDifference,
                LibraryFunction::IntegerProduct,
            ],
            _ => &[
                LibraryFunction::IntegerSum,
                LibraryFunction::IntegerDifference,
                LibraryFunction::IntegerProduct,
                LibraryFunction::Sum,
                LibraryFunction::Difference,
            ],
        };
        assert_eq!(kinds, expected);
    }
    // A changed bit that does not affect the 32-bit inverse, but R² and the half.
    let mut changed = wasm.clone();
    changed[at + 20] ^= 1;
    let module = Module::read(&changed).unwrap();
    let kinds: BTreeSet<_> = recognised(&module).0.into_values().map(|(kind, _)| kind).collect();
    assert!(!kinds.contains(&LibraryFunction::ToMontgomery) && !kinds.contains(&LibraryFunction::LowBits));
}

/// A damaged module is left as it is, or becomes one that validation judges; nothing panics.
#[test]
fn damaged_modules() {
    let wasm = calculator("bn128");
    for end in (0..wasm.len()).step_by(397) {
        let _ = optimised(&wasm[..end]);
    }
    let mut random = Random(7);
    for _ in 0..200 {
        let mut changed = wasm.clone();
        for _ in 0..3 {
            let at = random.word() as usize % changed.len();
            changed[at] = random.word() as u8;
        }
        let _ = optimised(&changed);
    }
    assert_eq!(optimised(b""), None);
    assert_eq!(optimised(b"\0asm\x01\0\0\0"), None);
}
