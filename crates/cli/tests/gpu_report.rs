//! `pairwright gpu report` with all sections and the smallest sizes, on the replacement of CUDA's driver that `cargo x ptx`
//! installs. Without it, the test reports that it was skipped.

mod common;

use common::Bench;
use pairwright::gpu::rates::{LATENCIES, RATES};
use serde_json::Value;
use std::collections::BTreeSet;

/// The number of the replacement's device of compute capability 9.0 with 64 MB.
const DEVICE: &str = "10";

const SECTIONS: [&str; 8] =
    ["conformance", "rates", "products", "operators", "msm", "proofs", "tuning", "figures"];

/// The texts of a field of a section's lines.
fn texts<'a>(report: &'a Value, section: &str, field: &str) -> Vec<&'a str> {
    let lines = report["lines"].as_array().unwrap().iter();
    lines.filter(|line| line["section"] == section).map(|line| line[field].as_str().unwrap()).collect()
}

/// Checks that every number of the measurements is finite and positive, except times of copies, which may be 0, and parameters of
/// shapes, which may be 0 too.
fn is_sensible(value: &Value, name: &str, at: &str) {
    match value {
        Value::Number(number) => {
            let number = number.as_f64().unwrap();
            let least = if name == "copies" { 0.0 } else { f64::MIN_POSITIVE };
            assert!(number.is_finite() && number >= least, "{at}: {number}");
        }
        Value::Array(all) => {
            all.iter().enumerate().for_each(|(i, one)| is_sensible(one, name, &format!("{at}[{i}]")))
        }
        Value::Object(all) => {
            all.iter().filter(|(name, _)| *name != "tuning").for_each(|(name, one)| {
                is_sensible(one, name, &format!("{at}.{name}"));
            });
        }
        _ => {}
    }
}

/// The lines of products and figures at 128 bits.
fn of_128_bits() -> [BTreeSet<String>; 2] {
    let machines = ["cuda32", "cuda64"];
    let products = ["cuda32", "cuda64", "cudaf64"]
        .into_iter()
        .flat_map(|machine| (0..=2).map(move |levels| format!("128 bits, {machine}, Karatsuba {levels}")));
    let series = |kind: &'static str| machines.map(|machine| format!("{machine} {kind}"));
    let mut figures = BTreeSet::new();
    for operation in ["vadd", "vsub", "vmul", "axpy", "ntt"] {
        let kinds: &[&str] = match operation {
            "vadd" | "vsub" => &["barrett"],
            "ntt" => &["barrett", "montgomery", "barrett karatsuba:1"],
            _ => &["barrett", "montgomery"],
        };
        let all = kinds.iter().flat_map(|kind| series(kind));
        figures.extend(all.map(|series| format!("{operation}, 128 bits, {series}")));
    }
    [products.collect(), figures]
}

#[test]
fn a_report_that_was_cut_goes_on_and_is_whole() {
    if std::env::var("PAIRWRIGHT_CUDA_FORM").as_deref() != Ok("ptx") {
        println!("skipped: no stand-in for the driver (cargo x ptx has one)");
        return;
    }
    let b = Bench { dir: tempfile::tempdir().unwrap() };
    let line = |seconds: u32, more: &str| {
        format!("gpu --gpu {DEVICE} report -o report.json --most 3 --bits 128 --seconds {seconds} {more}")
    };
    // With no time, no measurement begins, except the rates, which are always measured.
    b.ok(&line(0, "--only rates,products"));
    let cut = b.json("report.json");
    assert_eq!(cut["done"], serde_json::json!(["rates"]));
    assert!(texts(&cut, "products", "what").is_empty());
    let whole = b.ok(&line(600, "--markdown report.md --tuning shapes.toml"));
    let report = b.json("report.json");
    let done: BTreeSet<&str> =
        report["done"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    assert_eq!(done, SECTIONS.into(), "{whole}");
    assert_eq!(report["faults"], serde_json::json!([]));
    // A complete section is not measured again.
    assert_eq!(report["rates"], cut["rates"]);
    assert_eq!(report["days"].as_object().unwrap().len(), SECTIONS.len());

    let rates = &report["rates"];
    assert_eq!(rates["rates"].as_array().unwrap().len(), 8 * RATES.len());
    assert_eq!(rates["latencies"].as_array().unwrap().len(), LATENCIES.len());
    is_sensible(&rates["rates"], "rates", "rates.rates");
    is_sensible(&rates["latencies"], "latencies", "rates.latencies");
    is_sensible(&report["lines"], "lines", "lines");

    let [products, figures] = of_128_bits();
    for (section, wanted) in [("products", products), ("figures", figures)] {
        let found = texts(&report, section, "what");
        assert_eq!(found.len(), wanted.len(), "{section}: {found:?}");
        assert_eq!(found.into_iter().map(str::to_owned).collect::<BTreeSet<_>>(), wanted, "{section}");
    }
    // The point of a figure agrees with the text of its line.
    for line in report["lines"].as_array().unwrap().iter().filter(|line| line["section"] == "figures") {
        let point = &line["point"];
        let [operation, series] = ["operation", "series"].map(|field| point[field].as_str().unwrap());
        let what = format!("{operation}, {} bits, {series}", point["bits"]);
        assert_eq!(line["what"].as_str(), Some(&*what));
        assert!(line["log_size"].is_u64(), "{line}");
    }
    for curve in ["BN254", "BLS12-381"] {
        let has = |section: &str, what: &str| {
            let wanted = what.replace("CURVE", curve);
            assert!(texts(&report, section, "what").contains(&&*wanted), "{section}: {wanted}");
        };
        ["CURVE ntt", "CURVE sumcheck, e (a b - c)", "CURVE vector product", "CURVE product tree"]
            .iter()
            .chain(&["CURVE evaluation", "CURVE Poseidon tree", "SHA3-256 tree"])
            .for_each(|what| has("operators", what));
        ["msm in CURVE G1, uniform scalars", "msm in CURVE G2, uniform scalars"]
            .iter()
            .for_each(|what| has("msm", what));
        ["CURVE Groth16 setup", "CURVE Groth16 proof", "CURVE Groth16 proof, multiples"]
            .iter()
            .for_each(|what| has("proofs", what));
        let operators = texts(&report, "conformance", "what");
        assert!(operators.iter().filter(|what| what.starts_with(curve)).count() >= 25, "{operators:?}");
    }
    let page = String::from_utf8(b.read("report.md")).unwrap();
    for section in SECTIONS {
        assert!(page.contains(&format!("\n## {section}\n")), "{section}");
    }
    assert!(!b.read("shapes.toml").is_empty());
}
