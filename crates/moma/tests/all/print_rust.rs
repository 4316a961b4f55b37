//! Printed Rust, compiled and run, against the interpreter: every function of the catalogue on 64-bit words, on AVX-512
//! IFMA digits and on AVX2 digits.

use core::fmt::Write;

use num_bigint::BigUint;
use num_traits::{One, Zero};
use pairwright_moma::catalogue::{FieldSpec, Function};
use pairwright_moma::interp;
use pairwright_moma::ir::{Kernel, Range, Reduction};
use pairwright_moma::lower::{Options, lower};
use pairwright_moma::machine::Machine;
use pairwright_moma::passes::interleave;
use pairwright_moma::print::{self, digits, value};
use pairwright_testkit::jit::{AlignedWords, Length, Library};

const WIDTHS: [u32; 7] = [64, 128, 191, 255, 256, 381, 384];
/// The widths with the longest texts.
const WIDE: [u32; 2] = [753, 1024];

/// The number of elements of one call of a function, and the Rust text of a call.
struct Form {
    machine: Machine,
    lanes: usize,
    /// The type of a word or vector, the attribute that enables it, a vector of zeros, a word in every lane, a load and
    /// a store.
    spelled: [&'static str; 6],
}

const WORDS: [&str; 6] = ["u64", "", "0", "{}", "*{}", ""];
const AVX512: [&str; 6] = [
    "__m512i",
    "#[target_feature(enable = \"avx512f,avx512ifma\")]",
    "_mm512_setzero_si512()",
    "_mm512_set1_epi64({} as i64)",
    "_mm512_loadu_si512({}.cast())",
    "_mm512_storeu_si512",
];
const AVX2: [&str; 6] = [
    "__m256i",
    "#[target_feature(enable = \"avx2\")]",
    "_mm256_setzero_si256()",
    "_mm256_set1_epi64x({} as i64)",
    "_mm256_loadu_si256({}.cast())",
    "_mm256_storeu_si256",
];

fn forms() -> Vec<Form> {
    let mut forms = Vec::new();
    if std::arch::is_x86_feature_detected!("adx") && std::arch::is_x86_feature_detected!("bmi2") {
        forms.push(Form { machine: Machine::named("x86-64").unwrap(), lanes: 1, spelled: WORDS });
    } else {
        println!("SKIPPED: this processor has no ADX, the kernels for x86-64 are not run");
    }
    if std::arch::is_x86_feature_detected!("avx512ifma") {
        forms.push(Form { machine: Machine::named("avx512").unwrap(), lanes: 8, spelled: AVX512 });
    } else {
        println!("SKIPPED: this processor has no AVX-512 IFMA, its kernels are not run");
    }
    if std::arch::is_x86_feature_detected!("avx2") {
        forms.push(Form { machine: Machine::named("avx2").unwrap(), lanes: 4, spelled: AVX2 });
    } else {
        println!("SKIPPED: this processor has no AVX2, its kernels are not run");
    }
    forms
}

fn specs(bits: u32) -> [FieldSpec; 3] {
    [
        FieldSpec::new(bits, Reduction::Barrett),
        FieldSpec::new(bits, Reduction::Montgomery),
        FieldSpec { bits, reduction: Reduction::Montgomery, range: Range::Twice },
    ]
}

/// One function with the data for calling it.
struct Case {
    name: String,
    function: Function,
    spec: FieldSpec,
    kernel: Kernel,
}

fn cases(machine: &Machine, widths: &[u32]) -> Vec<Case> {
    let mut cases = Vec::new();
    for &bits in widths {
        for spec in specs(bits) {
            for function in Function::ALL {
                let plain = matches!(function, Function::Mul | Function::Sqr | Function::Reduce);
                // These do not depend on the reduction.
                if plain && (spec.reduction == Reduction::Barrett || spec.range == Range::Canonical) {
                    continue;
                }
                let kernel = spec.kernel(function, machine).unwrap();
                let kernel = lower(&kernel, machine, Options::default()).unwrap();
                let kind = match (spec.reduction, spec.range) {
                    (Reduction::Barrett, _) => "barrett",
                    (_, Range::Canonical) => "montgomery",
                    (_, Range::Twice) => "twice",
                };
                let name = format!("{}_{kind}_{bits}", function.name());
                cases.push(Case { name, function, spec, kernel });
            }
        }
    }
    cases
}

/// Whether this input is one value for all items.
fn shared(name: &str) -> bool {
    matches!(name, "q" | "q2" | "qinv" | "mu")
}

/// The function with a loop over items that calls it. With lanes, the items of a vector are stored digit by digit.
fn text(kernel: &Kernel, name: &str, form: &Form) -> String {
    let mut text = print::function(kernel, &format!("{name}_one"), &form.machine).unwrap();
    let pointers =
        (0..kernel.inputs.len()).map(|i| format!("p{i}: *const u64")).collect::<Vec<_>>().join(", ");
    let [word, attribute, zero, all, load, store] = form.spelled;
    let mut body = String::new();
    for (i, p) in kernel.inputs.iter().enumerate() {
        let n = p.parts.len();
        let at = |j: &str| match (shared(&p.name), form.lanes) {
            (true, _) => all.replace("{}", &format!("*p{i}.add({j})")),
            (false, lanes) => load.replace("{}", &format!("p{i}.add((i * {n} + {j}) * {lanes})")),
        };
        if p.name == "qinv" {
            writeln!(body, "let x{i} = {};", at("0")).unwrap();
        } else {
            writeln!(body, "let x{i}: &[{word}; {n}] = &core::array::from_fn(|j| {});", at("j")).unwrap();
        }
    }
    let c = kernel.outputs[0].parts.len();
    let inputs = (0..kernel.inputs.len()).map(|i| format!("x{i}")).collect::<Vec<_>>().join(", ");
    writeln!(body, "let mut c = [{zero}; {c}];\n{name}_one(&mut c, {inputs});").unwrap();
    match form.lanes {
        1 => writeln!(body, "for j in 0..{c} {{ *out.add(i * {c} + j) = c[j]; }}"),
        lanes => {
            writeln!(body, "for j in 0..{c} {{ {store}(out.add((i * {c} + j) * {lanes}).cast(), c[j]); }}")
        }
    }
    .unwrap();
    write!(
        text,
        "#[unsafe(no_mangle)]\n{attribute}\npub unsafe extern \"C\" fn {name}(n: usize, out: *mut u64, {pointers}) {{\n\
         unsafe {{ for i in 0..n {{\n{body}}} }} }}\n"
    )
    .unwrap();
    text
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

/// Operands of all items: pairs of edge cases, then random ones; a multiple of eight items.
fn operands(case: &Case, q: &BigUint, rng: &mut Stream) -> Vec<[BigUint; 2]> {
    let twice = case.function == Function::Reduce || case.spec.range == Range::Twice;
    let limit = if twice { q * 2u32 } else { q.clone() };
    let edges = [BigUint::zero(), BigUint::one(), q - 1u32, &limit - 1u32];
    let mut all: Vec<_> = edges.iter().flat_map(|a| edges.iter().map(|b| [a.clone(), b.clone()])).collect();
    all.extend((0..8).map(|_| [rng.below(&limit), rng.below(&limit)]));
    all
}

/// Lays out the values of a parameter, item by item, as the function reads them.
fn lay(values: &[BigUint], words: usize, form: &Form) -> AlignedWords {
    let mut all = AlignedWords::new(values.len() * words, 0);
    for (i, x) in values.iter().enumerate() {
        let (block, lane) = (i / form.lanes, i % form.lanes);
        for (j, word) in digits(x, form.machine.word, words).into_iter().enumerate() {
            all[(block * words + j) * form.lanes + lane] = word;
        }
    }
    all
}

fn unlay(all: &[u64], words: usize, form: &Form) -> Vec<BigUint> {
    let items = all.len() / words;
    let item = |i: usize| {
        let word = |j: usize| all[(i / form.lanes * words + j) * form.lanes + i % form.lanes];
        value(&(0..words).map(word).collect::<Vec<_>>(), form.machine.word)
    };
    (0..items).map(item).collect()
}

#[test]
fn printed_functions_agree_with_the_interpreter() {
    agree_with_the_interpreter(&WIDTHS);
}

#[test]
#[ignore = "full: compiles functions of 753 and 1024 bits, most of a minute"]
fn printed_functions_of_many_words_agree_with_the_interpreter() {
    agree_with_the_interpreter(&WIDE);
}

fn agree_with_the_interpreter(widths: &[u32]) {
    let mut rng = Stream(5);
    for form in forms() {
        let cases = cases(&form.machine, widths);
        let head = if form.lanes == 1 { "" } else { "use core::arch::x86_64::*;\n" };
        let all: String = cases.iter().map(|c| text(&c.kernel, &c.name, &form)).collect();
        let name = format!("print_rust {} {}", form.machine.name, widths[0]);
        let library = Library::from_rust(&name, &format!("{head}{all}"), &["-Copt-level=0"]).unwrap();
        for case in &cases {
            let top = BigUint::one() << (case.spec.bits - 1);
            for q in [&top + 1u32, (&top << 1) - 1u32, (&top + rng.below(&top)) | BigUint::one()] {
                check(case, &q, &form, &library, &mut rng);
            }
        }
    }
}

fn check(case: &Case, q: &BigUint, form: &Form, library: &Library, rng: &mut Stream) {
    let items = operands(case, q, rng);
    let inputs = |item: &[BigUint; 2]| -> Vec<BigUint> {
        let value = |name: &str| match name {
            "a" => item[0].clone(),
            "b" => item[1].clone(),
            "q" => q.clone(),
            "q2" => q * 2u32,
            _ => case.spec.constant(q, &form.machine).unwrap(),
        };
        case.kernel.inputs.iter().map(|p| value(&p.name)).collect()
    };
    let want: Vec<BigUint> =
        items.iter().map(|i| interp::run(&case.kernel, &inputs(i)).unwrap().swap_remove(0)).collect();
    let mut arrays = Vec::new();
    let mut lengths = Vec::new();
    for (at, p) in case.kernel.inputs.iter().enumerate() {
        let words = p.parts.len();
        if shared(&p.name) {
            arrays.push(AlignedWords::copied(&digits(&inputs(&items[0])[at], form.machine.word, words)));
            lengths.push(Length::Total(words));
        } else {
            let values: Vec<BigUint> = items.iter().map(|i| inputs(i)[at].clone()).collect();
            arrays.push(lay(&values, words, form));
            lengths.push(Length::PerItem(words * form.lanes));
        }
    }
    let words = case.kernel.outputs[0].parts.len();
    let kernel = library.kernel(&case.name, Length::PerItem(words * form.lanes), &lengths).unwrap();
    let mut out = AlignedWords::new(items.len() * words, u64::MAX);
    let arrays: Vec<&[u64]> = arrays.iter().map(|a| &**a).collect();
    kernel.call(items.len() / form.lanes, &mut out, &arrays);
    for (i, (got, want)) in unlay(&out, words, form).iter().zip(&want).enumerate() {
        assert_eq!(got, want, "{} {}, q = {q:#x}, {:x?}", form.machine.name, case.name, items[i]);
    }
}

/// Assembly is printed for products of up to six words under a modulus with a spare bit, and for nothing that has
/// carries out of its rows.
#[test]
fn rows_that_fit_the_registers_are_assembly() {
    let machine = Machine::named("x86-64").unwrap();
    let is_assembly = |bits, function| {
        let spec = FieldSpec::new(bits, Reduction::Montgomery);
        let kernel = lower(&spec.kernel(function, &machine).unwrap(), &machine, Options::default()).unwrap();
        print::function(&kernel, "f", &machine).unwrap().contains("mulx")
    };
    for bits in [191, 254, 255, 319, 377, 381] {
        assert!(is_assembly(bits, Function::MulMod), "{bits}");
    }
    for bits in [256, 384, 447, 1024] {
        assert!(!is_assembly(bits, Function::MulMod), "{bits}");
    }
    assert!(!is_assembly(255, Function::AddMod));
}

/// An interleaved kernel of two products computes both.
#[test]
fn interleaved_kernels_compute_each_way() {
    let mut rng = Stream(9);
    for machine in Machine::all().unwrap() {
        let spec = FieldSpec { bits: 255, reduction: Reduction::Montgomery, range: Range::Twice };
        let one =
            lower(&spec.kernel(Function::MulMod, &machine).unwrap(), &machine, Options::default()).unwrap();
        let two = interleave(&one, 2, &["q", "qinv"]);
        assert_eq!(two.body.len(), 2 * one.body.len());
        let q = (BigUint::one() << 254u32) + 79u32;
        let k = spec.constant(&q, &machine).unwrap();
        let limit = &q * 2u32;
        let [a0, b0, a1, b1] = [(); 4].map(|()| rng.below(&limit));
        let single = |a: &BigUint, b: &BigUint| {
            interp::run(&one, &[a.clone(), b.clone(), q.clone(), k.clone()]).unwrap().swap_remove(0)
        };
        let names: Vec<&str> = two.inputs.iter().map(|p| p.name.as_str()).collect();
        assert_eq!(names, ["a0", "b0", "a1", "b1", "q", "qinv"]);
        let want = vec![single(&a0, &b0), single(&a1, &b1)];
        assert_eq!(interp::run(&two, &[a0, b0, a1, b1, q.clone(), k]).unwrap(), want);
    }
}
