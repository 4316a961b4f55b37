//! Runs `pairwright gpu predict`, and predicts the times of a report.

use crate::args::{Cli, GpuPredict};
use crate::failure::Failure;
use crate::output;
use pairwright::curve::bls12_381::Bls12_381;
use pairwright::curve::bn254::Bn254;
use pairwright::curve::{Curve, Pairing};
use pairwright::field::{Extension, PrimeField};
use pairwright::gpu::Facts;
use pairwright::gpu::ahead::{poseidon_rounds, zerocheck_terms};
use pairwright::gpu::model::{KnownDevice, KnownRates, PredictedCall, Prediction};
use pairwright::gpu::report::Line as Measured;
use pairwright::moma::program::Element;
use pairwright::moma::program::blas::BlasOp;
use serde::Serialize;
use serde_json::Value;

/// log2 of the sizes whose times are predicted.
const SIZES: [u32; 6] = [12, 16, 18, 20, 22, 24];

/// The predicted times of calls on a device.
#[derive(Serialize)]
struct OnDevice {
    device: String,
    facts_origin: String,
    rates_origin: String,
    calls: Vec<Line>,
}

/// The predicted time of a call.
#[derive(Serialize)]
struct Line {
    what: String,
    log_size: u32,
    #[serde(flatten)]
    time: Prediction,
}

/// The known device of this name, or all of them.
pub(super) fn known(name: Option<&str>) -> Result<Vec<KnownDevice>, Failure> {
    let Some(name) = name else { return Ok(KnownDevice::known()) };
    let names = || KnownDevice::known().into_iter().map(|m| m.facts.name).collect::<Vec<_>>().join(", ");
    let found = KnownDevice::named(name)
        .ok_or_else(|| Failure::bad(format!("no device named {name} is known; these are: {}", names())))?;
    Ok(vec![found])
}

/// The layout of a field element in kernels with words of 32 bits.
fn element<F: PrimeField>() -> Element {
    Element { word_bits: 32, words: F::BYTES / 4 }
}

/// The predicted time of the operator in a line of a report; `None` for lines that the model does not know.
pub(super) fn of_line<E: Pairing>(on: &KnownDevice, what: &str, log_n: u32) -> Option<Prediction> {
    let call = call::<E>(on, what.strip_prefix(E::NAME)?.trim_start(), log_n);
    call.map(|call| on.predict(&call))
}

fn call<E: Pairing>(on: &KnownDevice, what: &str, log_n: u32) -> Option<PredictedCall> {
    let element = element::<E::Fr>();
    match what {
        "ntt" => on.transform(element, log_n, None).ok(),
        "sumcheck, e (a b - c)" => on.sumcheck(element, 4, &zerocheck_terms(), log_n),
        "product tree" => Some(on.product_tree(element, log_n)),
        "Poseidon tree" => Some(on.poseidon_tree(element, &poseidon_rounds::<E::Fr>()?, log_n)),
        "vector product" => Some(on.vector(BlasOp::Vmul, element, 1 << log_n.min(31))),
        _ => None,
    }
}

/// The predicted time of a multi-scalar multiplication of 2^`log_n` points in a group, with a number of halvings or the one that the
/// device would choose.
fn of_msm<C: Curve>(on: &KnownDevice, log_n: u32, halvings: Option<u32>) -> Option<Prediction> {
    let bytes = <<C::Base as Extension>::Prime as PrimeField>::BYTES;
    let bits = <C::Scalar as PrimeField>::BITS;
    on.msm(bytes, C::Base::DEGREE > 1, bits, 1 << log_n, halvings).map(|call| on.predict(&call))
}

/// The end of the names of sums without halvings in reports.
pub(super) const NO_HALVINGS: &str = ", no halvings";

/// Enters the predicted times into the lines of a report, with the rates that were measured on the device if the report has them.
pub(super) fn fill(lines: &mut [Measured], facts: &Facts, rates: Option<&Value>) {
    let Some(mut on) = KnownDevice::of(facts) else { return };
    if let Some(rates) = rates {
        on.rates = measured(on.rates, rates);
    }
    for line in lines {
        let Some(log_n) = line.log_size else { continue };
        let what = line.what.as_str();
        let found = of_line::<Bn254>(&on, what, log_n).or_else(|| of_line::<Bls12_381>(&on, what, log_n));
        let found = found.or_else(|| {
            let what = what.strip_prefix("msm in ")?;
            let (what, halvings) =
                what.strip_suffix(NO_HALVINGS).map_or((what, None), |what| (what, Some(0)));
            msm(&on, what.strip_suffix(", uniform scalars")?, log_n, halvings)
        });
        // The model predicts 0 for calls that run on the host, such as small sumchecks; they have no prediction.
        line.predicted = found.map(|found| found.milliseconds).filter(|time| *time > 0.0);
    }
}

fn msm(on: &KnownDevice, group: &str, log_n: u32, halvings: Option<u32>) -> Option<Prediction> {
    let of = [
        (<Bn254 as Pairing>::G1::NAME, of_msm::<<Bn254 as Pairing>::G1> as fn(&_, _, _) -> _),
        (<Bn254 as Pairing>::G2::NAME, of_msm::<<Bn254 as Pairing>::G2>),
        (<Bls12_381 as Pairing>::G1::NAME, of_msm::<<Bls12_381 as Pairing>::G1>),
        (<Bls12_381 as Pairing>::G2::NAME, of_msm::<<Bls12_381 as Pairing>::G2>),
    ];
    of.iter().find(|(name, _)| *name == group).and_then(|(_, of)| of(on, log_n, halvings))
}

/// The rates of a known device, replaced where the report's section of rates has measured them: wide products in chains, and the
/// bandwidth of a copy of one GiB.
fn measured(mut rates: KnownRates, report: &Value) -> KnownRates {
    let rows = |name: &str| report[name].as_array().into_iter().flatten();
    for row in rows("rates").filter(|row| row["kernel"] == "rate_imad_wide_x") {
        let (warps, found) = (row["warps_per_scheduler"].as_u64(), row["operations_per_clock"].as_f64());
        let place = warps.and_then(|warps| rates.wide.get_mut((warps as usize).checked_sub(1)?));
        if let (Some(place), Some(found)) = (place, found) {
            *place = found;
        }
    }
    let copy = rows("copies").find(|row| row["bytes"] == 1u64 << 30);
    KnownRates {
        copy: copy.and_then(|row| row["gigabytes_per_second"].as_f64()).unwrap_or(rates.copy),
        ..rates
    }
}

/// The operators of a report that the model knows, on a curve.
const OPERATORS: [&str; 5] =
    ["ntt", "vector product", "sumcheck, e (a b - c)", "product tree", "Poseidon tree"];

fn lines<E: Pairing>(on: &KnownDevice) -> Vec<Line> {
    let mut lines = Vec::new();
    for operator in OPERATORS {
        let what = format!("{} {operator}", E::NAME);
        lines.extend(SIZES.into_iter().filter_map(|log_size| {
            Some(Line { time: of_line::<E>(on, &what, log_size)?, what: what.clone(), log_size })
        }));
    }
    lines.extend(SIZES.into_iter().filter_map(|log_size| sums::<E::G1>(on, log_size)));
    lines.extend(SIZES.into_iter().filter_map(|log_size| sums::<E::G2>(on, log_size)));
    lines
}

fn sums<C: Curve>(on: &KnownDevice, log_size: u32) -> Option<Line> {
    Some(Line { what: format!("msm in {}", C::NAME), log_size, time: of_msm::<C>(on, log_size, None)? })
}

pub(super) fn run(cli: &Cli, a: &GpuPredict) -> Result<(), Failure> {
    let machines = known(a.on.as_deref())?;
    let devices: Vec<OnDevice> = machines
        .into_iter()
        .map(|machine| OnDevice {
            calls: [lines::<Bn254>(&machine), lines::<Bls12_381>(&machine)].into_iter().flatten().collect(),
            device: machine.facts.name,
            facts_origin: machine.facts_origin,
            rates_origin: machine.rates_origin,
        })
        .collect();
    let said = serde_json::json!({ "devices": devices });
    output::print(cli, &said, |_| devices.iter().map(text).collect::<Vec<_>>().join("\n\n"))
}

fn text(device: &OnDevice) -> String {
    let head = ["what", "log2 n", "ms", "multiplier", "memory", "host"];
    let rows = device.calls.iter().map(|line| {
        let Prediction { milliseconds, multiplier, memory, host } = line.time;
        let mut row = vec![line.what.clone(), line.log_size.to_string()];
        row.extend([milliseconds, multiplier, memory, host].map(|ms| format!("{ms:.3}")));
        row
    });
    let OnDevice { device: name, facts_origin, rates_origin, .. } = device;
    format!("{name}\nfacts: {facts_origin}\nrates: {rates_origin}\n{}", output::table(1, &head, rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of results on an H200 that the model knows: the measured times, and those predicted with the rates of the file
    /// of known devices.
    fn measured() -> Vec<(String, u32, f64, f64)> {
        let on = KnownDevice::named("H200").unwrap();
        let read = |name: &str| -> Value {
            let path =
                std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/results").join(name);
            serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
        };
        let first = read("2026-11-26-gpu-h200.json");
        let later = read("2026-11-26-gpu-h200-peers.json");
        let section = |report: &Value, name: &str| -> Vec<Measured> {
            let lines: Vec<Measured> = serde_json::from_value(report["lines"].clone()).unwrap();
            lines.into_iter().filter(|line| line.section == name).collect()
        };
        let mut lines = section(&first, "msm");
        lines.extend(section(&later["of_36b2883a"]["operators"], "operators"));
        // No sum had halvings when these files were measured.
        for line in lines.iter_mut().filter(|line| line.what.ends_with(", uniform scalars")) {
            line.what += NO_HALVINGS;
        }
        fill(&mut lines, &on.facts, None);
        let known = |line: Measured| Some((line.what, line.log_size?, line.milliseconds?, line.predicted?));
        // Sumchecks were implemented differently when this file was measured.
        lines.into_iter().filter_map(known).filter(|(what, ..)| !what.contains("sumcheck")).collect()
    }

    #[test]
    fn large_calls_on_an_h200_take_about_what_is_predicted() {
        let all = measured();
        for (what, log_n, found, predicted) in &all {
            println!("{what} 2^{log_n}: {found:.3} ms, predicted {predicted:.3}, {:.2}", found / predicted);
        }
        let large: Vec<_> = all.iter().filter(|(_, log_n, ..)| *log_n >= 20).collect();
        assert!(large.len() >= 12, "{large:?}");
        for (what, log_n, found, predicted) in large {
            let ratio = found / predicted;
            assert!((0.7..2.2).contains(&ratio), "{what} of 2^{log_n}: {found} ms, predicted {predicted}");
        }
    }

    #[test]
    fn a_name_that_is_not_known_is_an_error_with_those_that_are() {
        assert!(known(Some("TPU")).unwrap_err().to_string().contains("NVIDIA H200"));
        assert_eq!(known(None).unwrap().len(), KnownDevice::known().len());
    }
}
