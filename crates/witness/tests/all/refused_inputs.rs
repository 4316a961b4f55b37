//! Inputs that do not match the circuit: each gives an error that names signal and position.

use crate::support::{asserts, calculator, error, path};
use pairwright_curve::{bls12_381, bn254::Fr};
use pairwright_witness::{Calculator, Inputs, ValueError, WitnessError};

/// The message, without the calculator's path.
fn message(json: &str) -> String {
    error::<Fr>(&asserts(), json).cause().to_string()
}

const P: &str = r#""p": [12, 0, 9, 15]"#;
const TABLE: &str = r#""table": [[1, 2, 3], [-4, 1, 9]]"#;

#[test]
fn signals_and_counts() {
    for (json, expected) in [
        (
            format!(r#"{{"in": 7, "tabel": [1, 2, 3, 4, 5, 6], {P}}}"#),
            "the circuit has no input signal `tabel`; its inputs are 11 values in all",
        ),
        (
            format!(r#"{{"in": 7, {TABLE}, {P}, "extra": 0}}"#),
            "the circuit has no input signal `extra`; its inputs are 11 values in all",
        ),
        (
            format!(r#"{{"in": 7, {TABLE}, {P}, "none": 0}}"#),
            "the circuit has no input signal `none`; its inputs are 11 values in all",
        ),
        (format!(r#"{{"in": [7, 7], {TABLE}, {P}}}"#), "input signal `in`: 1 values are needed, 2 are given"),
        (
            format!(r#"{{"in": 7, "table": [[1, 2, 3], [4, 5]], {P}}}"#),
            "input signal `table`: 6 values are needed, 5 are given",
        ),
        (format!(r#"{{"in": [], {TABLE}, {P}}}"#), "input signal `in`: 1 values are needed, 0 are given"),
        (
            format!(r#"{{{TABLE}, {P}}}"#),
            "inputs are missing: the circuit wants 11 values, 10 are given (in `p`, `table`)",
        ),
        ("{}".to_owned(), "inputs are missing: the circuit wants 11 values, 0 are given (in no signal)"),
        (
            format!(r#"{{"in": 7, {TABLE}, "p": [{{"x": 1}}, {{"x": 2, "y": 3}}]}}"#),
            "inputs are missing: the circuit wants 11 values, 10 are given (in `in`, `p[0].x`, `p[1].x`, `p[1].y`, `table`)",
        ),
        (
            format!(r#"{{"in": 7, {TABLE}, "p": [{{"x": 1, "z": 1}}, {{"x": 2, "y": 3}}]}}"#),
            "the circuit has no input signal `p[0].z`; its inputs are 11 values in all",
        ),
    ] {
        assert_eq!(message(&json), expected, "{json}");
    }
}

#[test]
fn values_that_are_no_integers() {
    for (value, expected) in [
        ("1.5", "value 4 (`table[1][1]`): a number with a fraction or an exponent is not an integer"),
        ("1e3", "value 4 (`table[1][1]`): a number with a fraction or an exponent is not an integer"),
        ("null", "value 4 (`table[1][1]`): null is not a number"),
        (r#""""#, "value 4 (`table[1][1]`): no digits"),
        (r#""12x4""#, "value 4 (`table[1][1]`): `x` at position 2 is not a decimal digit"),
        (r#""0xfg""#, "value 4 (`table[1][1]`): `g` at position 3 is not a hexadecimal digit"),
        (r#""1\u001b""#, "value 4 (`table[1][1]`): `\\u{1b}` at position 1 is not a decimal digit"),
    ] {
        let json = format!(r#"{{"in": 7, "table": [[1, 2, 3], [-4, {value}, 9]], {P}}}"#);
        assert_eq!(message(&json), format!("input signal `table`, {expected}"), "{json}");
    }
    let e = Inputs::from_json(r#"{"secret": "deadbeef"}"#).unwrap_err();
    assert!(matches!(
        &e,
        WitnessError::Value { signal, index: 0, place, why: ValueError::Digit { at: 0, found: 'd', .. } }
            if signal == "secret" && place == "secret"
    ));
    assert!(!e.to_string().contains("deadbeef"), "a value is not shown");
    let inputs = Inputs::from_json(r#"{"secret": "123456"}"#).unwrap();
    assert!(!format!("{inputs:?}").contains("123456"), "nor in Debug");
}

#[test]
fn documents_that_are_no_inputs() {
    for json in ["", "[1, 2]", "7", "null", r#"{"in": }"#, r#"{"in": 7"#, r#"{"in": 7} x"#, r#"{"in": 01}"#] {
        let e = Inputs::from_json(json).unwrap_err();
        assert!(matches!(e, WitnessError::Json(_)), "{json}: {e}");
    }
    assert!(
        Inputs::from_json("[1]").unwrap_err().to_string().contains("expected an object of input signals")
    );
    for (json, name) in [
        (r#"{"in": 7, "in": 8}"#, "in"),
        (r#"{"p": {"x": 1, "x": 2}}"#, "p.x"),
        (r#"{"p.x": 1, "p": {"x": 2}}"#, "p.x"),
        (r#"{"in": 7, "\u0069n": 8}"#, "in"),
    ] {
        let e = Inputs::from_json(json).unwrap_err();
        assert!(matches!(&e, WitnessError::Duplicate(n) if n == name), "{json}: {e}");
    }
    for json in [r#"{"p": [1, {"x": 1}]}"#, r#"{"p": [{"x": 1}, 1]}"#, r#"{"p": [[{"x": 1}], ["1"]]}"#] {
        let e = Inputs::from_json(json).unwrap_err();
        assert!(matches!(&e, WitnessError::Mixed(n) if n == "p"), "{json}: {e}");
    }
}

#[test]
fn nesting_is_bounded() {
    let nested = |depth: usize| format!(r#"{{"in": {}7{}}}"#, "[".repeat(depth), "]".repeat(depth));
    assert!(Inputs::from_json(&nested(64)).is_ok());
    for depth in [65, 1000, 100_000] {
        let e = Inputs::from_json(&nested(depth)).unwrap_err();
        assert!(matches!(e, WitnessError::Nesting(_) | WitnessError::Json(_)), "{depth}: {e}");
    }
    let objects = format!("{}7{}", r#"{"a": "#.repeat(1000), "}".repeat(1000));
    assert!(matches!(Inputs::from_json(&objects), Err(WitnessError::Nesting(_) | WitnessError::Json(_))));
}

#[test]
fn a_failing_assert_names_template_and_line() {
    let json = format!(r#"{{"in": 10, {TABLE}, {P}}}"#);
    assert_eq!(
        message(&json),
        "assert failed: template Below_0 line 15, called from template Asserts_1 line 27"
    );
    let e = error::<Fr>(&asserts(), &json);
    let WitnessError::Assert(trace) = e.cause() else { panic!("{e}") };
    assert_eq!(trace.lines(), ["Error in template Below_0 line: 15", "Error in template Asserts_1 line: 27"]);
    // A constraint that does not hold: 2 · 13 against 9 + 15.
    let json = format!(r#"{{"in": 7, {TABLE}, "p": [13, 0, 9, 15]}}"#);
    assert_eq!(message(&json), "assert failed: template Asserts_1 line 28");
    // -1 is p - 1, yet circom compares residues as signed: this holds.
    let inputs = Inputs::from_json(&format!(r#"{{"in": -1, {TABLE}, {P}}}"#)).unwrap();
    assert_eq!(asserts().witness::<Fr>(&inputs).unwrap()[1], Fr::from(1) - Fr::from(4));
}

#[test]
fn a_bus_given_twice() {
    // Here the total number of values would be right although `in` is missing, and circom would compute with in = 0.
    for json in
        [format!(r#"{{"in": 7, {TABLE}, {P}, "p[0].x": 12}}"#), format!(r#"{{{TABLE}, {P}, "p[0].x": 12}}"#)]
    {
        let expected = "input signal `p` is given as a whole and once more in part, as `p[0].x`";
        assert_eq!(message(&json), expected);
    }
    // A signal whose name merely begins with another name is not a part of it.
    let json = format!(r#"{{"in": 7, {TABLE}, {P}, "p0": 1, "i": 1}}"#);
    assert!(message(&json).contains("no input signal `i`"));
}

#[test]
fn another_field_is_refused() {
    let json = r#"{"x": 3}"#;
    let e = error::<bls12_381::Fr>(&calculator("cube", "bn128", "cube"), json);
    assert!(matches!(e.cause(), WitnessError::Prime { field: "BLS12-381 Fr" }), "{e}");
    let e = error::<Fr>(&calculator("cube", "bls12381", "cube"), json);
    assert!(matches!(e.cause(), WitnessError::Prime { .. }), "{e}");
}

#[test]
fn errors_name_the_file_that_is_to_blame() {
    let missing = path("circuits/nothing.wasm");
    let e = Calculator::open(&missing).unwrap_err();
    assert!(matches!(&e, WitnessError::File { path, .. } if *path == missing), "{e}");
    let e = Inputs::open(path("circuits/nothing.json")).unwrap_err();
    assert!(matches!(e, WitnessError::File { .. }), "{e}");
    let source = path("circuits/asserts/asserts.circom");
    let e = Calculator::open(&source).unwrap_err();
    assert!(matches!(&e, WitnessError::In { path, .. } if *path == source), "{e}");
    assert!(matches!(e.cause(), WitnessError::NotWasm), "{e}");
    let e = Inputs::open(&source).unwrap_err();
    assert!(matches!(e.cause(), WitnessError::Json(_)) && e.to_string().contains("asserts.circom: "), "{e}");
    let cube = path("circuits/cube/bn128/input.json");
    let e = asserts().witness::<Fr>(&Inputs::open(&cube).unwrap()).unwrap_err();
    assert!(matches!(&e, WitnessError::In { path, .. } if *path == cube), "{e}");
    let e = error::<Fr>(&asserts(), &format!(r#"{{"in": 10, {TABLE}, {P}}}"#));
    assert!(e.to_string().contains("asserts.wasm: assert failed: template"), "{e}");
}
