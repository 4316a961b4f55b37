//! Prints every function of the catalogue in C for every machine, compiles and runs it, and compares with the
//! interpreter.

use crate::print_common::{Case, Numbers, moduli};
use num_bigint::BigUint;
use pairwright_moma::MomaError;
use pairwright_moma::catalogue::{FieldSpec, Function};
use pairwright_moma::interp;
use pairwright_moma::ir::{Kernel, Range, Reduction};
use pairwright_moma::lower::Options;
use pairwright_moma::machine::Machine;
use pairwright_moma::print::{c, constants, digits, field_code, file, value};
use pairwright_testkit::jit::{Length, Library};

/// Compiles and checks every case on a machine, some widths with a level of Karatsuba too.
fn check(name: &str, widths: &[u32]) {
    let machine = Machine::named(name).unwrap();
    let levels = |bits| if [128, 381].contains(&bits) { vec![0, 1] } else { vec![0] };
    let cases = Case::all(&machine, widths, &Function::ALL, levels);
    let kernels: Vec<Kernel> = cases.iter().map(|c| c.lowered.clone()).collect();
    let mut text = file(&c::C, &kernels, &machine, &["A test.".to_owned()]).unwrap();
    text += "#include <stddef.h>\n";
    text.extend(cases.iter().map(Case::array_function));
    let library = Library::from_c(&format!("print_c_{name}"), &text, &["-O0"]).unwrap();
    for case in &cases {
        case.check(&machine, &library);
    }
}

#[test]
fn words_of_64_bits() {
    check("c", &[2, 33, 64, 128, 255, 256, 381]);
    check("c", &[384, 753, 1024]);
}

#[test]
fn words_of_32_bits() {
    check("opencl32", &[2, 33, 64, 255, 381]);
    check("cuda32", &[2, 33, 64]);
    check("cuda32", &[128, 255, 256, 381, 753]);
}

#[test]
fn words_of_64_bits_by_halves() {
    check("cuda64", &[2, 33, 64, 128]);
    check("cuda64", &[255, 256, 381, 753]);
}

#[test]
fn digits_in_containers() {
    check("avx512", &[2, 33, 52, 64, 128, 256, 381]);
    check("avx512", &[753, 1024]);
}

/// Checks the field functions of array programs: elements of one length, one array of constants, results that overwrite
/// operands.
#[test]
fn packed_field_functions() {
    let specs = [
        FieldSpec::new(64, Reduction::Barrett),
        FieldSpec::new(255, Reduction::Barrett),
        FieldSpec::new(256, Reduction::Montgomery),
        FieldSpec { bits: 255, reduction: Reduction::Montgomery, range: Range::Twice },
    ];
    for name in ["c", "cuda32", "avx512"] {
        let machine = Machine::named(name).unwrap();
        for spec in specs {
            let code = field_code(&c::C, spec, &machine, Options::default()).unwrap();
            let (words, all) = (spec.words(&machine) as usize, code.constants);
            let bits = c::type_bits(&machine);
            let mut text = format!(
                "#include <stddef.h>\n#include <stdint.h>\ntypedef uint{bits}_t word;\n{}",
                code.text
            );
            let functions = [
                ("pw_add", Function::AddMod),
                ("pw_sub", Function::SubMod),
                ("pw_mul", Function::MulMod),
                ("pw_sqr", Function::SqrMod),
            ];
            for (f, function) in functions {
                let b = if function == Function::SqrMod { "" } else { "b, " };
                text += &format!(
                    "void array_{f}(size_t n, uint64_t *out, const uint64_t *x, const uint64_t *y, const uint64_t *z) {{
    word a[{words}], b[{words}], k[{all}];
    for (size_t w = 0; w < {all}; w++) k[w] = (word)z[w];
    for (size_t i = 0; i < n; i++) {{
        for (size_t w = 0; w < {words}; w++) a[w] = (word)x[i * {words} + w], b[w] = (word)y[i * {words} + w];
        {f}(a, a, {b}k);
        for (size_t w = 0; w < {words}; w++) out[i * {words} + w] = a[w];
    }}
}}
"
                );
            }
            let library = Library::from_c(&format!("packed_{name}"), &text, &["-O0"]).unwrap();
            let mut numbers = Numbers::new(3);
            for (f, function) in functions {
                let case = Case::new(spec, function, &machine, 0);
                let each = Length::PerItem(words);
                let run =
                    library.kernel(&format!("array_{f}"), each, &[each, each, Length::Total(all)]).unwrap();
                for q in moduli(spec.bits, &mut numbers) {
                    let operands: Vec<_> = case
                        .operands(&machine, &q, &mut numbers)
                        .into_iter()
                        .map(|(a, b)| if function == Function::SqrMod { (a.clone(), a) } else { (a, b) })
                        .collect();
                    let pack = |v: &dyn Fn(&(BigUint, BigUint)) -> BigUint| -> Vec<u64> {
                        operands.iter().flat_map(|o| digits(&v(o), machine.word, words)).collect()
                    };
                    let (a, b) = (pack(&|o| o.0.clone()), pack(&|o| o.1.clone()));
                    let mut got = vec![1; words * operands.len()];
                    run.call(operands.len(), &mut got, &[&a, &b, &constants(spec, &q, &machine).unwrap()]);
                    for ((a, b), got) in operands.iter().zip(got.chunks(words)) {
                        let want = interp::run(&case.lowered, &case.inputs(&machine, &q, a, b)).unwrap();
                        assert_eq!(value(got, machine.word), want[0], "{f} on {name}, {} bits", spec.bits);
                    }
                }
            }
        }
    }
}

#[test]
fn what_has_no_text_is_refused() {
    let machine = Machine::named("c").unwrap();
    let kernel = FieldSpec::new(255, Reduction::Montgomery).kernel(Function::AddMod, &machine).unwrap();
    let refused = file(&c::C, &[kernel], &machine, &[]);
    assert_eq!(refused, Err(MomaError::NotPrintable { op: "addmod", width: 256, printer: "c" }));
    // Words for which C has no type.
    let short = machine.with_word(24).unwrap();
    let case = Case::new(FieldSpec::new(60, Reduction::Montgomery), Function::AddMod, &short, 0);
    let refused = file(&c::C, &[case.lowered], &short, &[]);
    assert!(matches!(refused, Err(MomaError::NotPrintable { width: 24, printer: "c", .. })));
}

#[test]
fn a_header_stands_in_comments_and_helpers_only_where_they_are_called() {
    let machine = Machine::named("c").unwrap();
    let case = Case::new(FieldSpec::new(255, Reduction::Montgomery), Function::AddMod, &machine, 0);
    let text =
        file(&c::C, &[case.lowered], &machine, &["One line.".to_owned(), "Another.".to_owned()]).unwrap();
    assert!(text.starts_with("// One line.\n// Another.\n"));
    assert!(text.contains("void addmod_m_255_0(word *c, const word *a, const word *b, const word *q) {"));
    assert!(!text.contains("pw_mul_add"));
}
