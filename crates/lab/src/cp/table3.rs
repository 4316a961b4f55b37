//! Table III: accelerators of proofs by area and energy efficiency. The experiment checks the consistency of its
//! printed numbers: which efficiencies follow from the latencies, areas and powers beside them, and how many cycles of
//! the processor the factors of the text imply. It then adds the results of the modelled processor.

use super::chip;
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::published::{self, Published};
use crate::row::Labels;
use crate::row::{Kind, Row};
use pairwright_chip::MachineSpec;
use pairwright_chip::isa::Group;
use pairwright_chip::machine::top::Account;
use pairwright_chip::power::{CORE_MM2, OPERATING_POINTS, OPERATORS, price};
use pairwright_chip::task::Schedule::{self, Hidden, Unhidden};
use pairwright_chip::task::ntt::Method;

/// The table's unit; with 10^9 bits most of its efficiencies do not follow from their latencies.
const GIGABIT: f64 = (1u64 << 30) as f64;
/// Bandwidth in GB/s of HPCA'25, from the table's note 4, and of the processor, from note 9.
const HBM2E: f64 = 460.0;
const DDR: f64 = 38.4;
const TABLE: &str = include_str!("../../published/cp/table3.csv");
pub(super) const NTT: &str = "coset NTT";
pub(super) const G1: &str = "G1 MSM";
pub(super) const G2: &str = "G2 MSM";
const PIPEZK: &str = "ISCA'21";

/// Bits per point that an operator is assumed to process, by the table's note 11: an element of 256 bits, or a scalar
/// of 256 bits with an affine point of two coordinates of 384 bits.
pub(super) fn bits(operation: &str) -> f64 {
    match operation {
        G1 => 256.0 + 2.0 * 384.0,
        G2 => 256.0 + 4.0 * 384.0,
        _ => 256.0,
    }
}

/// Throughput in Gb/s of an operator on 2^`log2_n` points, by the table's note 11.
pub(super) fn throughput(operation: &str, log2_n: u32, seconds: f64) -> f64 {
    f64::from(log2_n).exp2() * bits(operation) / GIGABIT / seconds
}

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let printed = published::read(TABLE)
        .map_err(|source| LabError::Table { path: "published/cp/table3.csv".into(), source })?;
    let printed = Printed(&printed);
    let mut outcome = Outcome::default();
    context.begin("cp/table3", 2 + RUNS.len());
    for operation in [NTT, G1] {
        context.step(operation);
        outcome.rows.extend(efficiencies(&printed, operation));
        outcome.rows.extend(implied(&printed, operation));
    }
    let area = |series| printed.value("core area", "all", series);
    let over = "over HPCA'25";
    let mut say = |key, value, note| {
        outcome.answer(key, over, "recomputed", value, note);
    };
    if let (Some(theirs), Some(ours)) = (area("HPCA'25"), area("This Work")) {
        say("gain in area", theirs / ours, "the two core areas; the text cuts a digit off");
    }
    say("gain in memory bandwidth", HBM2E / DDR, "460 over 38.4 GB/s; the text rounds down");
    // Tests of the lab only check the printed numbers.
    for run in RUNS.iter().filter(|_| !context.quick) {
        context.step(&format!("{}, {}", run.operation, chip::name(run.schedule)));
        run.rows(&printed, context.seed, &mut outcome)?;
    }
    Ok(outcome)
}

/// An operator on the modelled processor.
struct Run {
    operation: &'static str,
    /// The operation of the published gains, if there are any.
    over: Option<&'static str>,
    group: Option<Group>,
    schedule: Schedule,
    note: &'static str,
}

const OVER_NTT: Option<&str> = Some("coset NTT over ISCA'21");
const RUNS: [Run; 4] = [
    Run { operation: NTT, over: OVER_NTT, group: None, schedule: Unhidden, note: AS_PUBLISHED },
    Run { operation: NTT, over: OVER_NTT, group: None, schedule: Hidden, note: HIDES },
    Run {
        operation: G1,
        over: Some("G1 MSM over ISCA'21"),
        group: Some(Group::G1),
        schedule: Hidden,
        note: WINDOWS,
    },
    Run {
        operation: G2,
        over: None,
        group: Some(Group::G2),
        schedule: Hidden,
        note: "windows of 9 bits; 224 bytes a point",
    },
];
const AS_PUBLISHED: &str = "the unhidden schedule, whose cycles are those that the printed gains imply";
const HIDES: &str = "transfers hidden as in figure 15: what the same chip can do at 38.4 GB/s";
const WINDOWS: &str =
    "windows of 10 bits, points and scalars read again for each: inferred, as the paper prints neither";

impl Run {
    fn account(&self, spec: &MachineSpec, seed: u64) -> Result<Account, LabError> {
        match self.group {
            None => chip::coset_ntt(spec, chip::LARGEST, self.schedule, Method::Merged),
            Some(group) => chip::msm(spec, group, chip::LARGEST, self.schedule, seed),
        }
    }

    /// Adds the rows of one run, since with the flat memory the cycles are the same at any clock: latency and area
    /// efficiency at 1.1 V, and energy efficiency at 0.7 V.
    fn rows(&self, printed: &Printed<'_>, seed: u64, outcome: &mut Outcome) -> Result<(), LabError> {
        let log2_n = chip::LARGEST;
        let spec = MachineSpec::paper();
        let account = self.account(&spec, seed)?;
        let [slow, fast] = [0.7, 1.1].map(|volts| price(&account, &chip::at_volts(&spec, volts)));
        let series = chip::name(self.schedule);
        let rate = throughput(self.operation, log2_n, fast.latency_s);
        let area = rate / fast.core_mm2;
        let bits = throughput(self.operation, log2_n, 1.0);
        let (energy, gated) = (bits / slow.energy_j, bits / slow.energy_gated_j);
        let mut say = |what, unit, value, note: &str| {
            let place = Labels { quantity: what, operation: self.operation, unit };
            outcome.model(&place, series, value, note).log2_n = Some(log2_n);
        };
        say("cycles, modelled", "cycles", account.cycles as f64, &chip::bound(&account));
        say("latency, modelled", "ms", 1e3 * fast.latency_s, "1.1 V, 800 MHz");
        say(
            "area efficiency, modelled",
            "Gb/s/mm2",
            area,
            &format!("1.1 V, 800 MHz, {:.2} mm2", fast.core_mm2),
        );
        let note = format!("0.7 V, 300 MHz, {:.3} W on average, memory not counted", slow.power_w);
        say("energy efficiency, modelled", "Gb/J", energy, &note);
        let gating = "0.7 V, 300 MHz, if idle cycles of the elements cost nothing but leakage";
        say("energy efficiency with clocks gated", "Gb/J", gated, gating);
        let with_memory = bits / (slow.energy_j + slow.dram_j);
        say(
            "energy efficiency with memory",
            "Gb/J",
            with_memory,
            "0.7 V, 300 MHz; 20 pJ a bit of DRAM, estimated",
        );
        let Some(over) = self.over else { return Ok(()) };
        if let Some(theirs) = area_efficiency_of_pipezk(self.operation) {
            outcome.answer("gain in area efficiency", over, series, area / theirs, self.note);
        }
        if let Some(theirs) = printed.value("energy efficiency", self.operation, PIPEZK) {
            outcome.answer("gain in energy efficiency", over, series, energy / theirs, self.note);
        }
        Ok(())
    }
}

/// Area efficiency of PipeZK in Gb/s/mm² at 2^20 points, from its printed latency and area; `None` for operations that
/// it lacks.
pub(super) fn area_efficiency_of_pipezk(operation: &str) -> Option<f64> {
    let table = published::read(TABLE).ok()?;
    let printed = Printed(&table);
    let latency = printed.value("latency", operation, PIPEZK)?;
    Some(throughput(operation, 20, 1e-3 * latency) / printed.value("core area", "all", PIPEZK)?)
}

/// Energy efficiency of PipeZK in Gb/J at 2^20 points, as printed; `None` for operations that it lacks.
pub(super) fn energy_efficiency_of_pipezk(operation: &str) -> Option<f64> {
    Printed(&published::read(TABLE).ok()?).value("energy efficiency", operation, PIPEZK)
}

/// The cycles that the printed gain in area efficiency implies.
pub(super) fn implied_cycles(operation: &str) -> Option<f64> {
    let table = published::read(TABLE).ok()?;
    let rows = implied(&Printed(&table), operation);
    rows.iter().find(|row| row.what == "cycles implied" && row.series == "by area efficiency")?.ours
}

/// The published rows of the table.
struct Printed<'a>(&'a [Published]);

impl<'a> Printed<'a> {
    fn find(&self, key: &str, operation: &str, series: &str) -> Option<&'a Published> {
        self.0.iter().find(|row| row.key == key && row.operation == operation && row.series == series)
    }

    fn value(&self, key: &str, operation: &str, series: &str) -> Option<f64> {
        self.find(key, operation, series)?.value
    }
}

/// Every printed efficiency, with the one that follows from the latency and the area or the power.
fn efficiencies(printed: &Printed<'_>, operation: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    for latency in printed.0.iter().filter(|row| row.key == "latency" && row.operation == operation) {
        let (Some(ms), Some(log2_n), series) = (latency.value, latency.log2_n, latency.series.as_str())
        else {
            continue;
        };
        let rate = throughput(operation, log2_n, 1e-3 * ms);
        // The tolerance that follows from the number of printed digits of the latency.
        let room = unit_of_last_digit(ms) / 2.0 / ms;
        for (key, divisor) in [("area efficiency", "core area"), ("energy efficiency", "power")] {
            let Some(cell) = printed.find(key, operation, series) else { continue };
            let (Some(divisor), Some(value)) = (printed.value(divisor, "all", series), cell.value) else {
                // PipeZK's power is not printed, but can be derived.
                if let Some(value) = cell.value {
                    let place = format!("{key}: {value} Gb/J at {rate:.4} Gb/s");
                    rows.push(Row {
                        unit: "W".to_owned(),
                        published: None,
                        ratio: None,
                        ..beside(cell, "power implied", series, rate / value, &place)
                    });
                }
                continue;
            };
            let ours = rate / divisor;
            let off = (ours - value).abs();
            let verdict = if off <= unit_of_last_digit(value) + room * ours {
                "follows from the latency"
            } else {
                "does not follow from the latency"
            };
            let decimal = ours * GIGABIT / 1e9;
            let note = format!("{verdict}; with gigabits of 10^9 it would be {decimal:.4}");
            rows.push(beside(cell, &format!("{key} recomputed"), series, ours, &note));
        }
    }
    rows
}

/// The cycles of the processor that follow from the factors over PipeZK, at either operating point.
fn implied(printed: &Printed<'_>, operation: &str) -> Vec<Row> {
    let over = format!("{operation} over {PIPEZK}");
    let (mhz_low, mhz_high) = (1e-6 * OPERATING_POINTS[0].1, 1e-6 * OPERATING_POINTS[2].1);
    let watts = OPERATORS[if operation == NTT { 1 } else { 2 }].watts;
    let mut rows = Vec::new();
    let mut say = |from: &Published, what: &str, series: &str, unit: &str, value: f64, note: &str| {
        rows.push(Row {
            operation: operation.to_owned(),
            unit: unit.to_owned(),
            published: None,
            ratio: None,
            ..beside(from, what, series, value, note)
        });
    };
    let area_gain = printed.find("gain in area efficiency", &over, "This Work");
    let area = printed.value("core area", "all", PIPEZK);
    let latency = printed.value("latency", operation, PIPEZK);
    if let (Some(gain), Some(area), Some(ms)) = (area_gain, area, latency)
        && let Some(factor) = gain.value
    {
        // The ratio of efficiencies is the ratio of the products of latency and area.
        let ours = ms * area / CORE_MM2 / factor;
        let series = "by area efficiency";
        let note = format!("{factor} times PipeZK's {ms} ms on {area} mm2");
        say(gain, "latency implied", series, "ms", ours, &note);
        let note = format!("at {mhz_high:.0} MHz");
        say(gain, "cycles implied", series, "cycles", 1e3 * mhz_high * ours, &note);
    }
    let energy_gain = printed.find("gain in energy efficiency", &over, "This Work");
    if let (Some(gain), Some(theirs)) = (energy_gain, printed.value("energy efficiency", operation, PIPEZK))
        && let (Some(factor), Some(log2_n)) = (gain.value, gain.log2_n)
    {
        let efficiency = factor * theirs;
        let joules = throughput(operation, log2_n, 1.0) / efficiency;
        let series = "by energy efficiency";
        let note = format!("{factor} times PipeZK's {theirs} Gb/J are {efficiency:.2}");
        say(gain, "energy implied", series, "mJ", 1e3 * joules, &note);
        let note = format!("at the printed {watts} W");
        say(gain, "latency implied at 0.7 V", series, "ms", 1e3 * joules / watts, &note);
        let note = format!("at the printed {watts} W and {mhz_low:.0} MHz");
        say(gain, "cycles implied", series, "cycles", 1e6 * mhz_low * joules / watts, &note);
    }
    rows
}

/// A number derived from printed ones, compared with the printed one.
fn beside(published: &Published, what: &str, series: &str, ours: f64, note: &str) -> Row {
    Row {
        what: what.to_owned(),
        operation: published.operation.clone(),
        series: series.to_owned(),
        bits: published.bits,
        log2_n: published.log2_n,
        device: "arithmetic".to_owned(),
        published_device: published.device.clone(),
        published: published.value,
        ours: Some(ours),
        ratio: published.value.map(|value| ours / value),
        unit: published.unit.clone(),
        kind: Kind::Estimated,
        note: format!("{}: {}; ours: {note}", published.source, published.relation),
        ..Row::default()
    }
}

/// The unit of the last printed digit of a number: 0.01 for 0.46.
fn unit_of_last_digit(value: f64) -> f64 {
    let text = format!("{value}");
    let digits = text.split_once('.').map_or(0, |(_, decimals)| decimals.len() as i32);
    10f64.powi(-digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<Row> {
        let printed = published::read(TABLE).unwrap();
        let printed = Printed(&printed);
        [NTT, G1]
            .into_iter()
            .flat_map(|op| [efficiencies(&printed, op), implied(&printed, op)].concat())
            .collect()
    }

    #[test]
    fn one_printed_efficiency_does_not_follow() {
        let rows = rows();
        let checked: Vec<_> = rows.iter().filter(|row| row.what.ends_with("recomputed")).collect();
        assert_eq!(checked.len(), 12);
        let wrong: Vec<_> = checked.iter().filter(|row| row.note.contains("does not follow")).collect();
        let [wrong] = wrong[..] else { panic!("{wrong:?}") };
        assert_eq!((wrong.series.as_str(), wrong.published), ("ASPLOS'23", Some(3.05)));
        assert!((wrong.ours.unwrap() - 0.7788).abs() < 1e-3);
    }

    #[test]
    fn both_factors_imply_the_same_cycles() {
        let rows = rows();
        let implied = |operation: &str| -> Vec<f64> {
            rows.iter()
                .filter(|row| row.what == "cycles implied" && row.operation == operation)
                .map(|row| row.ours.unwrap())
                .collect()
        };
        let close = |found: Vec<f64>, expected: [f64; 2]| {
            assert!(found.iter().zip(expected).all(|(f, e)| (f / e - 1.0).abs() < 0.01), "{found:?}");
            assert_eq!(found.len(), 2);
        };
        close(implied(NTT), [5.94e6, 5.87e6]);
        close(implied(G1), [71.7e6, 69.6e6]);
    }

    #[test]
    fn the_unit_of_the_last_digit() {
        assert_eq!([11.0, 0.5, 0.46].map(unit_of_last_digit), [1.0, 0.1, 0.01]);
    }
}
