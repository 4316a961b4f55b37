//! Tests of fields as libraries. The generated self-tests, whose expected values were computed on big integers, are
//! compiled and run: C as C11 and as C++17 without a warning, Rust with its tests. Other tests include two headers in
//! one file, and check jumps and addresses with valgrind.

use num_bigint::BigUint;
use num_traits::One;
use pairwright_moma::MomaError;
use pairwright_moma::catalogue::FieldSpec;
use pairwright_moma::generate::{Operation, Request};
use pairwright_moma::interp;
use pairwright_moma::ir::Reduction;
use pairwright_moma::library::kernels::{Form, Kernels, digit_count};
use pairwright_moma::library::{File, Library, LibraryOptions};
use pairwright_moma::lower::{Options, lower};
use pairwright_moma::machine::Machine;
use std::path::Path;
use std::process::{Command, Output};

fn hex(digits: &str) -> BigUint {
    BigUint::parse_bytes(digits.as_bytes(), 16).unwrap()
}

/// Moduli by name: special primes, primes of curves, the smallest ones, composites.
fn moduli() -> Vec<(&'static str, BigUint)> {
    let two = |m: u32| BigUint::one() << m;
    vec![
        ("fe25519", two(255) - 19u32),
        ("secp256k1", two(256) - two(32) - 977u32),
        ("goldilocks", two(64) - two(32) + 1u32),
        ("babybear", hex("78000001")),
        ("m31", two(31) - 1u32),
        (
            "bls12_381_p",
            hex(
                "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab",
            ),
        ),
        ("bls12_381_r", hex("73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001")),
        ("p256", hex("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff")),
        ("p521", two(521) - 1u32),
        ("p448", two(448) - two(224) - 1u32),
        ("poly1305", two(130) - 5u32),
        ("three", 3u32.into()),
        ("five", 5u32.into()),
        ("composite", 0x8001u32.into()),
        ("full", two(128) - 1u32),
    ]
}

fn modulus(name: &str) -> BigUint {
    moduli().into_iter().find(|(n, _)| *n == name).unwrap().1
}

fn files(name: &str, q: &BigUint, target: &str, form: Option<Form>) -> Vec<File> {
    let choices = LibraryOptions { prefix: Some(name.to_owned()), form, log_size: None };
    Library::new(q, Machine::named(target).unwrap(), choices).unwrap().files("a test").unwrap()
}

fn write(folder: &Path, files: &[File]) {
    for file in files {
        std::fs::write(folder.join(&file.name), &file.text).unwrap();
    }
}

fn said(out: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr))
}

fn run(folder: &Path, program: &str, arguments: &[&str]) -> String {
    let out = Command::new(program).args(arguments).current_dir(folder).output().unwrap();
    assert!(out.status.success(), "{program} {arguments:?}: {}", said(&out));
    said(&out)
}

const STRICT: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];
const C: [&str; 2] = ["-std=c11", "-O1"];
const CPP: [&str; 4] = ["-x", "c++", "-std=c++17", "-O0"];

/// Compiles a library's self-test in C with these flags and runs it.
fn self_test(name: &str, q: &BigUint, target: &str, form: Option<Form>, flags: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &files(name, q, target, form));
    let compiler = if flags.contains(&"c++") { "c++" } else { "cc" };
    run(folder.path(), compiler, &[flags, &STRICT, &[&format!("{name}_test.c"), "-o", "test"]].concat());
    let report = run(folder.path(), "./test", &[]);
    assert!(report.contains("vectors, 0 wrong"), "{report}");
}

/// Compares the kernels of every form, word and modulus with big integers, both at full width and lowered.
#[test]
fn kernels_are_right_on_edges() {
    for (name, q) in moduli() {
        for target in ["c", "c32", "rust"] {
            let machine = Machine::named(target).unwrap();
            for form in [Form::Montgomery, Form::Plain] {
                let choices = LibraryOptions { form: Some(form), ..LibraryOptions::default() };
                if Library::new(&q, machine.clone(), choices).is_err() {
                    continue;
                }
                let kernels = Kernels { modulus: &q, machine: &machine, form };
                let all = kernels.all().unwrap();
                let unit = kernels.unit();
                let back = unit.modinv(&q).unwrap();
                let edges = [0u32.into(), BigUint::one(), &q - 1u32, &q >> 1u32, &q - &(&q >> 3u32) - 1u32];
                for kernel in &all {
                    let lowered = lower(kernel, &machine, Options::default()).unwrap();
                    for a in &edges {
                        for b in &edges {
                            let flag = BigUint::from(u32::from(a < b));
                            let (inputs, want) = match kernel.name.as_str() {
                                "pw_add" => (vec![a, b], (a + b) % &q),
                                "pw_sub" => (vec![a, b], (a + &q - b) % &q),
                                "pw_neg" => (vec![a], (&q - a) % &q),
                                "pw_mul" => (vec![a, b], a * b * &back % &q),
                                "pw_sqr" => (vec![a], a * a * &back % &q),
                                "pw_to_montgomery" => (vec![a], a * &unit % &q),
                                "pw_from_montgomery" => (vec![a], a * &back % &q),
                                "pw_pick_words" => (vec![&flag, a, b], a.min(b).clone()),
                                "pw_same_words" => (vec![a, b], u32::from(a == b).into()),
                                "pw_less_words" => (vec![a, b], flag.clone()),
                                "pw_below_words" => (vec![a], BigUint::one()),
                                other => panic!("no judge for {other}"),
                            };
                            let inputs: Vec<BigUint> = inputs.into_iter().cloned().collect();
                            for k in [kernel, &lowered] {
                                let got = interp::run(k, &inputs).unwrap();
                                assert_eq!(
                                    got,
                                    std::slice::from_ref(&want),
                                    "{} of {name} on {target}",
                                    k.name
                                );
                            }
                        }
                    }
                }
                let below = all.iter().find(|k| k.name == "pw_below_words").unwrap();
                assert_eq!(interp::run(below, std::slice::from_ref(&q)).unwrap(), [0u32.into()]);
            }
        }
    }
}

/// The bit position at which digit i of n begins.
fn place(q: &BigUint, i: usize, n: usize) -> usize {
    (i * q.bits() as usize).div_ceil(n)
}

/// The integer that an element in n digits, one per word, represents.
fn integer(q: &BigUint, element: &BigUint, n: usize, word: u32) -> BigUint {
    let digit = |i: usize| (element >> (i * word as usize)) & ((BigUint::one() << word) - 1u32);
    (0..n).map(|i| digit(i) << place(q, i, n)).sum::<BigUint>()
}

/// Compares the functions on digits, on double words and lowered to words, with big integers; the interpreter checks
/// that no value exceeds its variable. Digits are zero, canonical, or the greatest allowed, which a result never
/// exceeds.
#[test]
fn digits_are_right_up_to_their_bounds() {
    let mut forms = 0;
    for (name, q) in moduli() {
        for target in ["c", "c32", "rust"] {
            let machine = Machine::named(target).unwrap();
            let Some(n) = digit_count(&q, &machine) else { continue };
            forms += 1;
            let kernels = Kernels { modulus: &q, machine: &machine, form: Form::Digits };
            let word = machine.word;
            let bits = |i: usize| place(&q, i + 1, n) - place(&q, i, n);
            let greatest = |i: usize| (BigUint::one() << bits(i)) * 17u32 / 16u32;
            let most = (0..n).map(|i| greatest(i) << (i * word as usize)).sum::<BigUint>();
            let modulus: BigUint = (0..n)
                .map(|i| {
                    ((&q >> place(&q, i, n)) & ((BigUint::one() << bits(i)) - 1u32)) << (i * word as usize)
                })
                .sum();
            let lone = greatest(n - 1) << ((n - 1) * word as usize);
            let mut elements = vec![most, modulus, lone, greatest(0)];
            for x in [0u32.into(), BigUint::one(), &q - 1u32, &q >> 1u32] {
                elements.push(kernels.element(&x).unwrap());
            }
            let reduced = |a: &BigUint| integer(&q, a, n, word) % &q;
            for (kernel, printed) in kernels.all().unwrap().iter().zip(kernels.lowered().unwrap()) {
                let lowered = lower(kernel, &machine, Options::default()).unwrap();
                for k in [kernel, &printed, &lowered] {
                    for a in &elements {
                        for b in &elements {
                            let (x, y) = (reduced(a), reduced(b));
                            let flag = |holds: bool| BigUint::from(u32::from(holds));
                            let (inputs, want, in_digits) = match kernel.name.as_str() {
                                "pw_add" => (vec![a.clone(), b.clone()], (&x + &y) % &q, true),
                                "pw_sub" => (vec![a.clone(), b.clone()], (&x + &q - &y) % &q, true),
                                "pw_neg" => (vec![a.clone()], (&q - &x) % &q, true),
                                "pw_mul" => (vec![a.clone(), b.clone()], &x * &y % &q, true),
                                "pw_sqr" => (vec![a.clone()], &x * &x % &q, true),
                                "pw_to_montgomery" => (vec![x.clone()], x.clone(), true),
                                "pw_from_montgomery" => (vec![a.clone()], x.clone(), false),
                                "pw_pick_words" => {
                                    (vec![flag(x < y), a.clone(), b.clone()], x.clone().min(y), true)
                                }
                                "pw_same_words" => (vec![a.clone(), b.clone()], flag(x == y), false),
                                "pw_less_words" => (vec![x.clone(), y.clone()], flag(x < y), false),
                                "pw_below_words" => (vec![x.clone()], BigUint::one(), false),
                                other => panic!("no judge for {other}"),
                            };
                            let got = interp::run(k, &inputs).unwrap().swap_remove(0);
                            let about = format!("{} of {name} on {target}", k.name);
                            assert_eq!(if in_digits { reduced(&got) } else { got.clone() }, want, "{about}");
                            for i in (0..n).filter(|_| in_digits) {
                                let digit = (&got >> (i * word as usize)) & ((BigUint::one() << word) - 1u32);
                                assert!(digit <= greatest(i), "{about}, digit {i}");
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(forms >= 14, "{forms}");
}

/// Digits are the default for moduli of three words or more that have this form.
#[test]
fn forms_are_chosen_by_the_modulus() {
    let form = |name: &str, target: &str| {
        Library::new(&modulus(name), Machine::named(target).unwrap(), LibraryOptions::default())
            .unwrap()
            .form()
    };
    for (name, want) in [
        ("fe25519", Form::Digits),
        ("secp256k1", Form::Digits),
        ("p521", Form::Digits),
        ("p448", Form::Digits),
        ("poly1305", Form::Digits),
        ("goldilocks", Form::Plain),
        ("m31", Form::Plain),
        ("p256", Form::Montgomery),
        ("bls12_381_p", Form::Montgomery),
    ] {
        assert_eq!([form(name, "c"), form(name, "rust")], [want, want], "{name}");
    }
    assert_eq!(form("secp256k1", "c32"), Form::Digits);
}

#[test]
fn libraries_in_c_pass_their_self_tests() {
    self_test("fe25519", &modulus("fe25519"), "c", None, &C);
    self_test("bls12_381_r", &modulus("bls12_381_r"), "c", None, &CPP);
    self_test("goldilocks", &modulus("goldilocks"), "c", None, &C);
    self_test("babybear", &modulus("babybear"), "c32", None, &C);
    self_test("secp256k1", &modulus("secp256k1"), "c32", None, &CPP);
    self_test("fe25519", &modulus("fe25519"), "c", Some(Form::Plain), &CPP);
    self_test("p448", &modulus("p448"), "c32", None, &C);
    self_test("three", &modulus("three"), "c", None, &C);
    self_test("composite", &modulus("composite"), "c32", None, &C);
}

#[test]
fn libraries_in_rust_pass_their_self_tests() {
    rust_self_test("goldilocks", &modulus("goldilocks"), None);
    rust_self_test("fe25519", &modulus("fe25519"), None);
}

fn rust_self_test(name: &str, q: &BigUint, form: Option<Form>) {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &files(name, q, "rust", form));
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let text = format!("{name}.rs");
    let flags = ["--edition=2021", "--test", "-Copt-level=1", "-Dwarnings", "-otest"];
    run(folder.path(), &rustc, &[&flags[..], &[&text]].concat());
    assert!(run(folder.path(), "./test", &[]).contains("0 failed"));
}

#[test]
#[ignore = "full: self-tests of 15 moduli in all forms, in C, C++, C of 32-bit words and Rust, a few minutes"]
fn all_libraries_pass_their_self_tests() {
    for (name, q) in moduli() {
        for form in [Form::Montgomery, Form::Plain, Form::Digits] {
            let choices = LibraryOptions { form: Some(form), ..LibraryOptions::default() };
            if Library::new(&q, Machine::named("c").unwrap(), choices).is_err() {
                continue;
            }
            for target in ["c", "c32"] {
                if form == Form::Digits && digit_count(&q, &Machine::named(target).unwrap()).is_none() {
                    continue;
                }
                self_test(name, &q, target, Some(form), &C);
                self_test(name, &q, target, Some(form), &CPP);
                self_test(name, &q, target, Some(form), &["-std=c11", "-O3", "-march=native"]);
            }
            rust_self_test(name, &q, Some(form));
        }
    }
}

/// Includes headers of two fields, one of them twice with words of different widths, in one C or C++ file.
#[test]
fn headers_go_into_one_file() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &files("babybear", &modulus("babybear"), "c32", None));
    write(folder.path(), &files("fe25519", &modulus("fe25519"), "c", None));
    let text = "#include \"babybear.h\"\n#include \"fe25519.h\"\n#include \"babybear.h\"\nint main(void) { return 0; }\n";
    std::fs::write(folder.path().join("both.c"), text).unwrap();
    for flags in [&C[..], &CPP[..]] {
        let compiler = if flags.contains(&"c++") { "c++" } else { "cc" };
        run(folder.path(), compiler, &[flags, &STRICT, &["both.c", "-o", "both"]].concat());
    }
}

/// Includes headers of kernels of the same and of different widths, with words of 64 and of 32 bits, in one C or C++
/// file.
#[test]
fn kernel_headers_go_into_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = String::new();
    for target in ["c", "c32"] {
        for (reduction, bits) in
            [(Reduction::Montgomery, 255), (Reduction::Montgomery, 64), (Reduction::Barrett, 124)]
        {
            for name in ["addmod", "mulmod", "vadd", "axpy", "ntt", "intt", "power", "batchinv"] {
                let request = Request::new(FieldSpec::new(bits, reduction), Machine::named(target).unwrap());
                let operation = Operation::named(name, 4).unwrap();
                let header = request.header_file(operation, None, "a test").unwrap();
                let file = format!("{name}_{bits}_{target}.h");
                text += &format!("#include \"{file}\"\n");
                std::fs::write(folder.path().join(file), header).unwrap();
            }
        }
    }
    text = text.repeat(2) + "int main(void) { return 0; }\n";
    std::fs::write(folder.path().join("all.c"), text).unwrap();
    for flags in [&C[..], &CPP[..]] {
        let compiler = if flags.contains(&"c++") { "c++" } else { "cc" };
        run(folder.path(), compiler, &[flags, &STRICT, &["-O0", "all.c", "-o", "all"]].concat());
    }
}

/// Valgrind reports every jump and address that depends on a value that is marked as unknown.
#[test]
fn no_jump_and_no_address_depends_on_an_element() {
    if Command::new("valgrind").arg("--version").output().is_err() {
        eprintln!("skipped: there is no valgrind");
        return;
    }
    let plain = Some(Form::Plain);
    for (name, target, form) in [
        ("fe25519", "c", None),
        ("fe25519", "c", plain),
        ("p448", "c", None),
        ("secp256k1", "c32", None),
        ("bls12_381_r", "c", None),
        ("babybear", "c32", None),
    ] {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &files(name, &modulus(name), target, form));
        let source = format!("{name}_ct.c");
        let include =
            Command::new("cc").args(["-fsyntax-only", &source]).current_dir(folder.path()).output().unwrap();
        if !include.status.success() && said(&include).contains("valgrind/memcheck.h") {
            eprintln!("skipped: valgrind's headers are missing");
            return;
        }
        run(folder.path(), "cc", &["-O3", &source, "-o", "ct"]);
        let valgrind = ["-q", "--error-exitcode=1", "./ct"];
        run(folder.path(), "valgrind", &valgrind);
        // The check itself must be able to fail.
        let jumps = [&valgrind[..], &["jump"]].concat();
        let out = Command::new("valgrind").args(jumps).current_dir(folder.path()).output().unwrap();
        assert_eq!(out.status.code(), Some(1), "{}", said(&out));
        assert!(said(&out).contains("depends on uninitialised value"), "{}", said(&out));
    }
}

#[test]
fn what_is_no_library_is_refused() {
    let new = |q: &BigUint, target: &str, choices| {
        Library::new(q, Machine::named(target).unwrap(), choices).map(|_| ()).unwrap_err()
    };
    let q = modulus("bls12_381_r");
    let none = LibraryOptions::default;
    assert_eq!(new(&10u32.into(), "c", none()), MomaError::EvenModulus);
    assert_eq!(new(&1u32.into(), "c", none()), MomaError::Width { bits: 1, least: 2, most: 1024 });
    assert_eq!(new(&q, "avx512", none()), MomaError::LibraryTarget { machine: "avx512".to_owned() });
    for prefix in ["", "Fp", "1a", "a-b"] {
        let choices = LibraryOptions { prefix: Some(prefix.to_owned()), ..none() };
        assert_eq!(new(&q, "c", choices), MomaError::Prefix { prefix: prefix.to_owned() });
    }
    let plain = LibraryOptions { form: Some(Form::Plain), ..none() };
    assert_eq!(new(&q, "c", plain), MomaError::NotFolding);
    for name in ["bls12_381_r", "goldilocks", "babybear", "p256", "composite"] {
        let digits = LibraryOptions { form: Some(Form::Digits), ..none() };
        assert_eq!(new(&modulus(name), "c", digits), MomaError::NoDigits);
    }
    let sized = |k| LibraryOptions { log_size: Some(k), ..none() };
    assert_eq!(new(&q, "c", sized(33)), MomaError::LogSize { log_size: 33, most: 26 });
    assert_eq!(new(&modulus("composite"), "c", sized(2)), MomaError::NotPrime);
    let refused = MomaError::NotNttFriendly { two_adicity: 2, asked: 3 };
    assert_eq!(new(&modulus("fe25519"), "c", sized(3)), refused);
}
