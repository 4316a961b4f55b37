//! Modules that are not calculators, damaged modules and hostile ones: each gives an error, the same one on every engine, and
//! never a panic or a hang.

use crate::support::{bytes, wtns};
use pairwright_curve::bn254::Fr;
use pairwright_field::{Field, PrimeField};
use pairwright_witness::{Calculator, Engine, Exception, Inputs, Limits, WitnessError};
use std::cell::RefCell;
use std::rc::Rc;

/// The exports of a calculator for one wire and one input `x`, as WebAssembly text: pairs of name and definition.
///
/// Its only wire has the value that was set last. Tests replace single definitions.
fn parts() -> Vec<(&'static str, String)> {
    let prime: String =
        Fr::MODULUS.as_ref().iter().flat_map(|l| l.to_le_bytes()).map(|b| format!("\\{b:02x}")).collect();
    let by_export = [
        ("getVersion", "(result i32) i32.const 2"),
        ("getMinorVersion", "(result i32) i32.const 2"),
        ("getPatchVersion", "(result i32) i32.const 0"),
        ("getSharedRWMemoryStart", "(result i32) i32.const 64"),
        (
            "readSharedRWMemory",
            "(param i32) (result i32) (i32.load offset=64 (i32.shl (local.get 0) (i32.const 2)))",
        ),
        (
            "writeSharedRWMemory",
            "(param i32 i32) (i32.store offset=64 (i32.shl (local.get 0) (i32.const 2)) (local.get 1))",
        ),
        ("init", "(param i32)"),
        ("setInputSignal", "(param i32 i32 i32) (memory.copy (i32.const 128) (i32.const 64) (i32.const 32))"),
        ("getInputSignalSize", "(param i32 i32) (result i32) i32.const 1"),
        ("getRawPrime", "(memory.copy (i32.const 64) (i32.const 0) (i32.const 32))"),
        ("getFieldNumLen32", "(result i32) i32.const 8"),
        ("getInputSize", "(result i32) i32.const 1"),
        ("getWitnessSize", "(result i32) i32.const 1"),
        ("getWitness", "(param i32) (memory.copy (i32.const 64) (i32.const 128) (i32.const 32))"),
        ("getMessageChar", "(result i32) i32.const 0"),
    ];
    let head = [
        (
            "import",
            r#"(import "runtime" "exceptionHandler" (func $exception (param i32)))
           (import "runtime" "printErrorMessage" (func $error))
           (import "runtime" "writeBufferMessage" (func $log))
           (import "runtime" "showSharedRWMemory" (func $show))"#
                .to_owned(),
        ),
        ("memory", r#"(memory (export "memory") 1)"#.to_owned()),
        ("globals", "(global $n (mut i32) (i32.const 0))".to_owned()),
        (
            "data",
            format!(
                r#"(data (i32.const 0) "{prime}") (data (i32.const 512) "Error in template T_0 line: 3")"#
            ),
        ),
    ];
    let functions =
        by_export.map(|(name, body)| (name, format!(r#"(func ${name} (export "{name}") {body})"#)));
    head.into_iter().chain(functions).collect()
}

/// A calculator with some parts replaced: functions by signature and body, other parts by their whole definition.
fn module(changes: &[(&str, &str)]) -> Vec<u8> {
    let mut parts = parts();
    for (name, new) in changes {
        let part = parts.iter_mut().find(|(n, _)| n == name).unwrap();
        part.1 = match *name {
            "import" | "memory" | "globals" | "data" => (*new).to_owned(),
            _ if new.is_empty() => String::new(),
            _ => format!(r#"(func ${name} (export "{name}") {new})"#),
        };
    }
    let text: String = parts.into_iter().map(|(_, part)| part + "\n").collect();
    wat::parse_str(format!("(module {text})")).unwrap_or_else(|e| panic!("{e}"))
}

const SMALL: Limits = Limits { memory_bytes: 1 << 24, fuel: Some(10_000_000) };

fn run_on(engine: Engine, wasm: &[u8], limits: Limits, inputs: &Inputs) -> Result<Vec<Fr>, WitnessError> {
    let calculator = Calculator::from_bytes_with(wasm, engine, limits)?;
    assert_eq!(calculator.engine(), engine);
    calculator.witness(inputs)
}

/// Runs a module on all engines, which have to give the same result.
fn run_with(wasm: &[u8], limits: Limits, inputs: &Inputs) -> Result<Vec<Fr>, WitnessError> {
    let interpreted = run_on(Engine::Interpreted, wasm, limits, inputs);
    for engine in [Engine::Compiled, Engine::Baseline].into_iter().filter(|engine| engine.is_here()) {
        let compiled = run_on(engine, wasm, limits, inputs);
        same(engine, &compiled, &interpreted);
    }
    interpreted
}

fn same(
    engine: Engine,
    compiled: &Result<Vec<Fr>, WitnessError>,
    interpreted: &Result<Vec<Fr>, WitnessError>,
) {
    match (compiled, interpreted) {
        (Ok(c), Ok(i)) => assert_eq!(c, i),
        // Each engine has its own message for invalid modules and for crashes.
        (Err(WitnessError::InvalidWasm(_)), Err(WitnessError::InvalidWasm(_))) => {}
        (Err(WitnessError::Trap { trace: c, .. }), Err(WitnessError::Trap { trace: i, .. })) => {
            assert_eq!(c, i);
        }
        (Err(c), Err(i)) => assert_eq!(c.to_string(), i.to_string()),
        _ => panic!("{engine} {compiled:?}, interpreted {interpreted:?}"),
    }
}

fn run(wasm: &[u8]) -> Result<Vec<Fr>, WitnessError> {
    run_with(wasm, SMALL, &Inputs::from_json(r#"{"x": "-1"}"#)?)
}

/// Loads a module on all engines, which have to refuse it alike.
fn load_error(wasm: &[u8]) -> WitnessError {
    run_with(wasm, Limits::default(), &Inputs::new()).unwrap_err()
}

fn refused(changes: &[(&str, &str)]) -> WitnessError {
    run(&module(changes)).unwrap_err()
}

#[test]
fn the_plain_module_is_a_calculator() {
    assert_eq!(run(&module(&[])).unwrap(), [-Fr::ONE]);
}

#[test]
fn shared_memory_is_read_through_calls_where_it_cannot_be_reached() {
    // No exported memory; no address; an address that does not hold the prime; an address outside.
    for change in [
        ("memory", "(memory 1)"),
        ("getSharedRWMemoryStart", ""),
        ("getSharedRWMemoryStart", "(result i32) i32.const 60"),
        ("getSharedRWMemoryStart", "(result i32) i32.const 65520"),
        ("getSharedRWMemoryStart", "(result i32) i32.const -1"),
    ] {
        assert_eq!(run(&module(&[change])).unwrap(), [-Fr::ONE], "{change:?}");
    }
    // A real calculator with a wrong address.
    let name = b"getSharedRWMemoryStart";
    let mut wasm = bytes("circuits/merkle/bn128/merkle20.wasm");
    let at = wasm.windows(name.len()).position(|w| w == name).unwrap();
    wasm[at] = b'G';
    let inputs = Inputs::open(crate::support::path("circuits/merkle/bn128/input.json")).unwrap();
    let witness = run_with(&wasm, Limits::default(), &inputs).unwrap();
    assert!(wtns(&witness) == bytes("vectors/witness/merkle20.bn128.wtns"));
}

#[test]
fn files_of_another_kind() {
    for (bytes, what) in [
        (b"".to_vec(), "empty"),
        (b"\0asm".to_vec(), "four bytes"),
        (b"(module)".to_vec(), "text"),
        (b"\0asm\x02\0\0\0".to_vec(), "version 2"),
        (bytes("circuits/cube/bn128/cube.r1cs"), "r1cs"),
    ] {
        assert!(matches!(load_error(&bytes), WitnessError::NotWasm), "{what}");
    }
    let empty = wat::parse_str("(module)").unwrap();
    assert!(matches!(load_error(&empty), WitnessError::Export("getVersion")));
}

#[test]
fn truncated_anywhere() {
    let whole = bytes("circuits/cube/bn128/cube.wasm");
    let mut cuts: Vec<usize> = (8..whole.len()).step_by(97).collect();
    cuts.push(whole.len() - 1);
    for cut in cuts {
        let e = load_error(&whole[..cut]);
        // If the cut is between two sections, the rest is a module without exports.
        assert!(matches!(e, WitnessError::InvalidWasm(_) | WitnessError::Export(_)), "{cut}: {e}");
    }
}

/// Modules with one flipped bit each, from a fixed walk over bytes and bits: each is refused, or ends with an error or a
/// witness. One of `together` modules is run on all engines, which have to agree; compilation takes longer than the runs.
fn damaged(together: usize) {
    let whole = bytes("circuits/cube/bn128/cube.wasm");
    let inputs = Inputs::from_json(r#"{"x": 3}"#).unwrap();
    let mut survivors = 0;
    for i in 0..600usize {
        let mut wasm = whole.clone();
        let at = 8 + i * 7919 % (wasm.len() - 8);
        wasm[at] ^= 1 << (i % 8);
        let limits = Limits { memory_bytes: 1 << 24, fuel: Some(2_000_000) };
        let result = match i % together {
            0 => run_with(&wasm, limits, &inputs),
            _ => run_on(Engine::Interpreted, &wasm, limits, &inputs),
        };
        survivors += usize::from(result.is_ok());
    }
    // Flips in names, unused functions and the like have no effect; flips in code do.
    assert!((1..600).contains(&survivors), "{survivors}");
}

#[test]
fn damaged_anywhere() {
    // An odd number, so that all engines meet flips of every bit position.
    damaged(59);
}

#[test]
#[ignore = "full: a minute; sixty modules instead of eleven are compiled, by two compilers without optimisation"]
fn damaged_anywhere_and_compiled_often() {
    damaged(10);
}

#[test]
fn circom_1_and_other_versions() {
    let one = wat::parse_str(
        r#"(module (import "env" "memory" (memory 1)) (func (export "getFrLen") (result i32) i32.const 40)
           (func (export "getNVars") (result i32) i32.const 1))"#,
    )
    .unwrap();
    let e = load_error(&one);
    assert!(matches!(e, WitnessError::Circom1), "{e}");
    assert!(matches!(refused(&[("getVersion", "(result i32) i32.const 1")]), WitnessError::Circom1));
    assert!(matches!(refused(&[("getVersion", "(result i32) i32.const 3")]), WitnessError::Version(3)));
}

#[test]
fn foreign_imports_are_named() {
    for import in [
        r#"(import "wasi_snapshot_preview1" "fd_write" (func (param i32 i32 i32 i32) (result i32)))"#,
        r#"(import "runtime" "readFile" (func))"#,
        r#"(import "runtime" "exceptionHandler" (memory 1))"#,
    ] {
        let wasm = wat::parse_str(format!(
            r#"(module {import} (func (export "getVersion") (result i32) i32.const 2))"#
        ));
        let WitnessError::Imports(names) = load_error(&wasm.unwrap()) else { panic!("{import}") };
        let words: Vec<&str> = import.split('"').collect();
        assert_eq!(names, [format!("{}.{}", words[1], words[3])]);
    }
    let e = refused(&[(
        "import",
        r#"(import "runtime" "exceptionHandler" (func $exception (param i64)))
           (import "runtime" "printErrorMessage" (func $error))"#,
    )]);
    assert!(matches!(e, WitnessError::Trap { .. }), "{e}");
}

#[test]
fn missing_and_mistyped_exports_are_named() {
    for name in [
        "readSharedRWMemory",
        "writeSharedRWMemory",
        "init",
        "setInputSignal",
        "getInputSignalSize",
        "getRawPrime",
        "getFieldNumLen32",
        "getInputSize",
        "getWitnessSize",
        "getWitness",
    ] {
        for new in ["", "(param f64)"] {
            let e = refused(&[(name, new)]);
            assert!(matches!(e, WitnessError::Export(n) if n == name), "{name}: {e}");
        }
    }
}

#[test]
fn impossible_numbers() {
    for words in ["0", "65", "-1"] {
        let e = refused(&[("getFieldNumLen32", &format!("(result i32) i32.const {words}"))]);
        assert!(matches!(e, WitnessError::Impossible { .. }), "{words}: {e}");
    }
    for wires in ["2049", "-1"] {
        let e = refused(&[("getWitnessSize", &format!("(result i32) i32.const {wires}"))]);
        assert!(matches!(e, WitnessError::Impossible { .. }), "{wires}: {e}");
    }
    // A value that is the prime itself.
    let e =
        refused(&[("getWitness", "(param i32) (memory.copy (i32.const 64) (i32.const 0) (i32.const 32))")]);
    assert!(matches!(e, WitnessError::Wire(0)), "{e}");
    // A wider element with a non-zero limb above the prime's limbs: the prime is the same, but the value is not below it.
    let e = refused(&[
        ("getFieldNumLen32", "(result i32) i32.const 10"),
        ("getRawPrime", "(memory.copy (i32.const 64) (i32.const 0) (i32.const 40))"),
        ("getWitness", "(param i32) (i32.store (i32.const 96) (i32.const 1))"),
    ]);
    assert!(matches!(e, WitnessError::Wire(0)), "{e}");
    // Negative and huge numbers of inputs.
    let e = refused(&[("getInputSignalSize", "(param i32 i32) (result i32) i32.const -1")]);
    assert!(matches!(e, WitnessError::UnknownSignal { .. }), "{e}");
    let e = refused(&[("getInputSize", "(result i32) i32.const -1")]);
    assert!(matches!(e, WitnessError::Missing { expected: u32::MAX, found: 1, .. }), "{e}");
}

#[test]
fn memory_is_bounded() {
    // Too much memory at the start, while running, and in an endless loop.
    let e = refused(&[("memory", r#"(memory (export "memory") 65536)"#)]);
    assert!(matches!(e, WitnessError::Memory { wanted: 0x1_0000_0000, limit: 0x100_0000 }), "{e}");
    let e = refused(&[("init", "(param i32) (drop (memory.grow (i32.const 256)))")]);
    assert!(matches!(e, WitnessError::Memory { wanted: 0x101_0000, limit: 0x100_0000 }), "{e}");
    let e = refused(&[("init", "(param i32) (loop $l (drop (memory.grow (i32.const 1))) (br $l))")]);
    assert!(matches!(e, WitnessError::Memory { wanted: 0x101_0000, limit: 0x100_0000 }), "{e}");
    // Growth within the bound is allowed; beyond the module's own maximum `memory.grow` returns -1.
    assert!(run(&module(&[("init", "(param i32) (drop (memory.grow (i32.const 255)))")])).is_ok());
    let own = [
        ("memory", r#"(memory (export "memory") 1 2)"#),
        ("init", "(param i32) (if (i32.ne (memory.grow (i32.const 9)) (i32.const -1)) (then unreachable))"),
    ];
    assert!(run(&module(&own)).is_ok());
    // Tables and second memories.
    let e = refused(&[("globals", "(table 100000000 funcref)")]);
    assert!(matches!(e, WitnessError::Trap { .. }), "{e}");
    let two = wat::parse_str("(module (memory 1) (memory 1))").unwrap();
    assert!(matches!(load_error(&two), WitnessError::InvalidWasm(_)));
}

#[test]
fn steps_and_stack_are_bounded() {
    let e = refused(&[("init", "(param i32) (loop $l (br $l))")]);
    assert!(matches!(e, WitnessError::Fuel(10_000_000)), "{e}");
    let e =
        refused(&[("globals", "(global $n (mut i32) (i32.const 0)) (func $s (loop $l (br $l))) (start $s)")]);
    assert!(matches!(e, WitnessError::Fuel(_)), "{e}");
    // An instruction that fills 64 KiB costs more than one that adds.
    let fill = "(param i32) (loop $l (memory.fill (i32.const 0) (i32.const 0) (i32.const 65536)) (br $l))";
    let e = refused(&[("init", fill)]);
    assert!(matches!(e, WitnessError::Fuel(10_000_000)), "{e}");
    let e = refused(&[("init", "(param i32) (call $init (i32.const 0))")]);
    assert!(matches!(e, WitnessError::Trap { .. }), "{e}");
    // Ten thousand nested calls, which other runtimes allow.
    let deep =
        "(param i32) (if (local.get 0) (then (call $getWitness (i32.sub (local.get 0) (i32.const 1)))))";
    let init = "(param i32) (call $getWitness (i32.const 10000))";
    assert!(run(&module(&[("getWitness", deep), ("init", init)])).is_ok());
}

#[test]
fn what_is_too_large_to_compile_is_interpreted() {
    let init = format!("(param i32) {}", "(drop (i32.const 1)) ".repeat(1 << 19));
    let wasm = module(&[("init", &init)]);
    let e = Calculator::from_bytes_with(&wasm, Engine::Compiled, SMALL).unwrap_err();
    assert!(matches!(e, WitnessError::LargeFunction { bytes: 0x10_0000.., most: 0x10_0000 }), "{e}");
    let calculator = Calculator::from_bytes(&wasm).unwrap();
    assert_eq!(calculator.engine(), Engine::Interpreted);
    assert!(matches!(calculator.fallback(), Some(WitnessError::LargeFunction { .. })));
    let inputs = Inputs::from_json(r#"{"x": "-1"}"#).unwrap();
    assert_eq!(calculator.witness::<Fr>(&inputs).unwrap(), [-Fr::ONE]);
    // Damaged modules get the interpreter's verdict.
    assert!(matches!(Calculator::from_bytes(b"\0asm\x01\0\0\0\x01"), Err(WitnessError::InvalidWasm(_))));
}

#[test]
fn traps_are_errors() {
    for body in [
        "(param i32) unreachable",
        "(param i32) (drop (i32.load (i32.const 100000)))",
        "(param i32) (drop (i32.div_u (i32.const 1) (i32.const 0)))",
    ] {
        let e = refused(&[("init", body)]);
        assert!(matches!(e, WitnessError::Trap { .. }), "{body}: {e}");
        assert!(e.to_string().starts_with("the calculator crashed: "), "{e}");
    }
    for name in ["getVersion", "getInputSize", "getFieldNumLen32"] {
        let e = refused(&[(name, "(result i32) unreachable")]);
        assert!(matches!(e, WitnessError::Trap { .. }), "{name}: {e}");
    }
}

/// `getMessageChar`: returns the characters from address 512 on cyclically, with a zero at the end of each cycle.
const MESSAGE: &str =
    "(result i32) (global.set $n (i32.rem_u (i32.add (global.get $n) (i32.const 1)) (i32.const 30)))
    (i32.load8_u offset=511 (select (global.get $n) (i32.const 400) (global.get $n)))";

#[test]
fn exceptions_carry_their_trace() {
    let init = |code: i32| format!("(param i32) (call $error) (call $exception (i32.const {code}))");
    for (code, what) in [
        (1, Exception::SignalNotFound),
        (2, Exception::TooManySignals),
        (3, Exception::SignalAlreadySet),
        (5, Exception::NotEnoughMemory),
        (6, Exception::InputIndex),
        (7, Exception::ArrayIndex),
        (-9, Exception::Unknown(-9)),
    ] {
        let e = refused(&[("init", &init(code)), ("getMessageChar", MESSAGE)]);
        let WitnessError::Exception { what: found, ref trace } = e else { panic!("{e}") };
        assert_eq!(found, what);
        assert_eq!(trace.lines(), ["Error in template T_0 line: 3"]);
        assert!(e.to_string().ends_with(": template T_0 line 3"), "{e}");
    }
    let e = refused(&[("init", &init(4)), ("getMessageChar", MESSAGE)]);
    assert_eq!(e.to_string(), "assert failed: template T_0 line 3");
}

#[test]
fn messages_are_bounded_and_clean() {
    // A very long message, repeated many times: the trace keeps 256 lines of 4096 characters.
    let init = "(param i32) (local i32) (loop $l (call $error) (br_if $l (i32.lt_u (local.tee 1 (i32.add (local.get 1) (i32.const 1))) (i32.const 300))))
        (call $exception (i32.const 4))";
    let wasm = module(&[("init", init), ("getMessageChar", "(result i32) i32.const 27")]);
    let limits = Limits { fuel: Some(1 << 40), ..SMALL };
    let e = run_with(&wasm, limits, &Inputs::new()).unwrap_err();
    let WitnessError::Assert(trace) = e else { panic!("{e}") };
    assert_eq!(trace.lines().len(), 256);
    assert!(trace.lines().iter().all(|line| line.chars().count() == 4096 && !line.contains('\u{1b}')));
    // Invalid characters.
    let e = refused(&[
        ("init", "(param i32) (call $error) (call $exception (i32.const 4))"),
        (
            "getMessageChar",
            "(result i32) (global.set $n (i32.sub (global.get $n) (i32.const 1)))
            (select (i32.const 0) (global.get $n) (i32.lt_s (global.get $n) (i32.const -2)))",
        ),
    ]);
    assert_eq!(e.to_string(), "assert failed: \u{fffd}\u{fffd}");
}

#[test]
fn callbacks_do_not_nest() {
    // Otherwise a module could grow the host's stack until the process dies.
    for (export, import, signature) in [
        ("getMessageChar", "$error", "(result i32)"),
        ("getMessageChar", "$log", "(result i32)"),
        ("readSharedRWMemory", "$show", "(param i32) (result i32)"),
    ] {
        let body = match export {
            "getMessageChar" => format!("{signature} (call {import}) i32.const 1"),
            _ => format!(
                "{signature} (if (global.get $n) (then (call {import})))
                 (i32.load offset=64 (i32.shl (local.get 0) (i32.const 2)))"
            ),
        };
        let init = format!("(param i32) (global.set $n (i32.const 1)) (call {import})");
        for engine in Engine::ALL.into_iter().filter(|engine| engine.is_here()) {
            let wasm = module(&[(export, &body), ("init", &init)]);
            let e = run_on(engine, &wasm, SMALL, &Inputs::new()).unwrap_err();
            let expected = "the calculator crashed: a callback within a callback";
            assert_eq!(e.to_string(), expected, "{export}, {engine}");
        }
    }
    let e = refused(&[("getMessageChar", ""), ("init", "(param i32) (call $error)")]);
    assert!(e.to_string().ends_with("a callback without the function it needs"), "{e}");
}

#[test]
fn logs_of_old_and_new_calculators() {
    let run_on = |engine, changes: &[(&str, &str)]| {
        let lines = Rc::new(RefCell::new(Vec::<String>::new()));
        let into = Rc::clone(&lines);
        let calculator = Calculator::from_bytes_with(&module(changes), engine, SMALL).unwrap();
        let inputs = Inputs::from_json(r#"{"x": 123456789012345678901234567890}"#).unwrap();
        calculator
            .witness_with_log::<Fr>(&inputs, move |line| into.borrow_mut().push(line.to_owned()))
            .unwrap();
        lines.take()
    };
    let run = |changes: &[(&str, &str)]| {
        let lines = run_on(Engine::Interpreted, changes);
        for engine in [Engine::Compiled, Engine::Baseline].into_iter().filter(|engine| engine.is_here()) {
            assert_eq!(lines, run_on(engine, changes), "{engine}");
        }
        lines
    };
    let set = "(param i32 i32 i32) (call $show) (call $show)
        (memory.copy (i32.const 128) (i32.const 64) (i32.const 32))";
    let number = "123456789012345678901234567890";
    // Since 2.0.7 a message ends the line; here the run ends before that message.
    assert_eq!(run(&[("setInputSignal", set)]), [format!("{number} {number}")]);
    // Before 2.0.7 each number is a line, and there are no functions for minor and patch version.
    let old = [("setInputSignal", set), ("getMinorVersion", ""), ("getPatchVersion", "")];
    assert_eq!(run(&old), [number, number]);
}
