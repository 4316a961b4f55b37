//! The report on the cost of every operator of a session: the JSON object that `--report` writes, and its tables.

use crate::args::{Cli, OnMachines};
use crate::failure::Failure;
use crate::files;
use crate::output;
use pairwright::device::{Bound, Cost, Fidelity, ModelTotals, Record, Report, Time, Totals};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// The report of a session as the JSON value that `--report` writes.
///
/// # Errors
/// When it cannot be serialised, which is an internal error.
pub fn account(report: &Report) -> Result<serde_json::Value, Failure> {
    serde_json::to_value(OperatorReport::new(report)).map_err(|why| Failure::Internal(why.into()))
}

/// The file that `--report` names, with the session's report that is written to it; `None` without `--report`.
pub(crate) type RequestedReport<'a> = Option<(&'a Path, &'a Report)>;

impl OnMachines {
    /// Pairs a session's report with the file that `--report` names, if there is one.
    pub(crate) fn requested_report<'a>(&'a self, account: &'a Report) -> RequestedReport<'a> {
        self.report.as_deref().map(|file| (file, account))
    }
}

/// A command's result, with the report on its operators if `--report` asks for one.
#[derive(Serialize)]
struct WithReport<'a, T> {
    #[serde(flatten)]
    done: &'a T,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<OperatorReport<'a>>,
}

impl<'a, T> WithReport<'a, T> {
    /// Adds the report to a result, and writes it to its file.
    fn new(done: &'a T, requested: RequestedReport<'a>) -> Result<Self, Failure> {
        Ok(Self { done, report: OperatorReport::of_request(requested)? })
    }

    /// The text that `of` makes of the result, followed by the report's table and summary.
    fn text(&self, of: impl FnOnce(&T) -> String) -> String {
        OperatorReport::under(of(self.done), self.report.as_ref())
    }
}

/// Prints a result as [`output::print_done`] does, together with the report that `--report` asks for, which is also written to its
/// file.
///
/// # Errors
/// When the file or standard output cannot be written.
pub(crate) fn print_done_with_report<T: Serialize>(
    cli: &Cli,
    done: &T,
    requested: RequestedReport<'_>,
    text: impl FnOnce(&T) -> String,
) -> Result<(), Failure> {
    output::print_done(cli, &WithReport::new(done, requested)?, |all| all.text(text))
}

/// As [`print_done_with_report`], but prints the result as [`output::print`] does, with `--quiet` too.
///
/// # Errors
/// As [`print_done_with_report`].
pub(crate) fn print_with_report<T: Serialize>(
    cli: &Cli,
    found: &T,
    requested: RequestedReport<'_>,
    text: impl FnOnce(&T) -> String,
) -> Result<(), Failure> {
    output::print(cli, &WithReport::new(found, requested)?, |all| all.text(text))
}

/// The most operator calls that [`OperatorReport::short_table`] lists one by one.
const MOST_LISTED: usize = 24;

/// A session's report: every operator call with its share of the time, and sums by machine and by operator.
#[derive(Serialize)]
pub(crate) struct OperatorReport<'a> {
    pub device: &'static str,
    pub curve: &'static str,
    /// The sum of the measured times, in seconds.
    pub measured_seconds: f64,
    /// The sum over all operators; modelled times are summed separately for each model.
    pub totals: Sum,
    /// The sums for each machine.
    pub by_machine: Vec<Sum>,
    /// The sums for each operator.
    pub by_operator: Vec<Sum>,
    /// The operator calls in the order in which they ran.
    pub operators: Vec<Row<'a>>,
}

/// The figures that only a modelled machine reports, for one clock.
#[derive(Serialize)]
pub(crate) struct Model {
    /// Name of the machine, as in its costs.
    model: &'static str,
    /// Kind of the model: `cycle-accurate` or `rate-model`.
    fidelity: Fidelity,
    /// Clock frequency in hertz.
    clock_hz: u64,
    /// Modelled cycles of that clock.
    cycles: u64,
    /// The cycles as seconds at that clock.
    cycles_seconds: f64,
    /// Energy in joules, if the machine models it.
    energy_j: Option<f64>,
    #[serde(flatten)]
    memory: Option<Memory>,
}

/// The figures of a modelled machine with a DRAM.
#[derive(Serialize)]
pub(crate) struct Memory {
    /// Bytes that moved over the DRAM's pins.
    dram_bytes: u64,
    /// Bytes that the algorithms asked for.
    dram_bytes_useful: u64,
    /// Share of the processing elements' cycles in which they were busy, 0 to 1.
    utilisation: f64,
    /// Share of the cycles in which the DRAM's pins were busy, 0 to 1.
    memory_utilisation: f64,
}

/// The identity of a modelled machine in a report: its name, the kind of the model and the clock in hertz.
type Key = (&'static str, Fidelity, u64);

impl Model {
    fn key(&self) -> Key {
        (self.model, self.fidelity, self.clock_hz)
    }

    pub(crate) fn new(t: &ModelTotals) -> Self {
        let memory = (t.elements.of > 0).then(|| Memory {
            dram_bytes: t.dram.moved.total(),
            dram_bytes_useful: t.dram.useful.total(),
            utilisation: t.elements.share(),
            memory_utilisation: t.memory.share(),
        });
        Self {
            model: t.machine,
            fidelity: t.fidelity,
            clock_hz: t.hz,
            cycles: t.cycles,
            cycles_seconds: t.seconds(),
            energy_j: t.energy.map(|e| e.joules()),
            memory,
        }
    }
}

/// Sums over the operator calls of a machine, of one operator, or of all.
#[derive(Serialize)]
pub(crate) struct Sum {
    /// The name of the operator or machine, or `all`.
    name: &'static str,
    calls: usize,
    measured_seconds: f64,
    /// Share of the session's measured time, 0 to 1.
    measured_share: f64,
    /// Bytes copied from the host to machines that have memories of their own.
    to_machine_bytes: u64,
    /// Bytes copied back to the host.
    to_host_bytes: u64,
    /// The modelled machines, one entry for each clock and kind of model: their cycles and seconds are never added.
    models: Vec<Part>,
}

/// The figures of a modelled machine for some of the operator calls.
#[derive(Serialize)]
pub(crate) struct Part {
    #[serde(flatten)]
    model: Model,
    /// Share of the session's whole time on the same model, 0 to 1.
    share: f64,
}

impl Sum {
    fn new((name, part): (&'static str, Totals), whole: &Totals) -> Self {
        let measured = whole.measured_seconds;
        let model = |m: &ModelTotals| Part { model: Model::new(m), share: whole.share_of_model(m) };
        Self {
            name,
            calls: part.calls,
            measured_seconds: part.measured_seconds,
            measured_share: if measured > 0.0 { part.measured_seconds / measured } else { 0.0 },
            to_machine_bytes: part.transfer.to_machine,
            to_host_bytes: part.transfer.to_host,
            models: part.models.iter().map(model).collect(),
        }
    }
}

/// The cost of one operator call.
#[derive(Serialize)]
pub(crate) struct Row<'a> {
    /// Phase of the protocol.
    pub phase: &'static str,
    pub operator: &'static str,
    pub size: usize,
    /// The kind of number that the time is: `measured`, `cycle-accurate`, `rate-model` or `unknown`.
    pub kind: &'static str,
    /// Time in seconds, of that kind.
    pub seconds: f64,
    /// Share of the session's measured time, or of its time on the same model, 0 to 1.
    pub share: f64,
    /// Bytes of the operands that were read and of the results that were written.
    pub bytes: u64,
    /// The figures of the modelled machine, if the call ran on one.
    #[serde(flatten)]
    pub model: Option<Model>,
    /// The resource that limited a modelled operator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<Bound>,
    /// The whole cost, as the device returned it.
    pub cost: &'a Cost,
}

impl<'a> Row<'a> {
    fn new(whole: &Totals, r: &'a Record) -> Self {
        Self {
            phase: r.phase,
            operator: r.operator,
            size: r.size,
            kind: match r.cost.time {
                Time::Measured(_) => "measured",
                Time::Unknown => "unknown",
                Time::Cycles { fidelity: Fidelity::CycleAccurate, .. } => "cycle-accurate",
                Time::Cycles { fidelity: Fidelity::RateModel, .. } => "rate-model",
            },
            seconds: r.cost.time.seconds(),
            share: whole.share(r),
            bytes: r.cost.bytes.total(),
            model: Totals::of([r]).models.first().map(Model::new),
            bound: r.cost.model.map(|m| m.bound),
            cost: &r.cost,
        }
    }

    /// The model that the time comes from; `None` if the time was measured.
    fn key(&self) -> Option<Key> {
        self.model.as_ref().map(Model::key)
    }
}

impl<'a> OperatorReport<'a> {
    /// Computes the shares and sums of a session's report.
    pub(crate) fn new(report: &'a Report) -> Self {
        let whole = report.totals();
        let sums = |by: Vec<(&'static str, Totals)>| by.into_iter().map(|s| Sum::new(s, &whole)).collect();
        Self {
            device: report.device,
            curve: report.curve,
            measured_seconds: whole.measured_seconds,
            totals: Sum::new(("all", whole.clone()), &whole),
            by_machine: sums(report.totals_by(|r| r.cost.machine)),
            by_operator: sums(report.totals_by(|r| r.operator)),
            operators: report.records.iter().map(|r| Row::new(&whole, r)).collect(),
        }
    }

    /// The report that `--report FILE` asks for, after writing it to that file as JSON; `None` without `--report`.
    fn of_request(requested: RequestedReport<'a>) -> Result<Option<Self>, Failure> {
        let Some((path, report)) = requested else { return Ok(None) };
        let report = Self::new(report);
        let text = serde_json::to_vec_pretty(&report).map_err(|e| Failure::Internal(e.into()))?;
        files::write(path, |out| Ok(out.write_all(&text)?))?;
        Ok(Some(report))
    }

    /// A command's line of text, with the report's table and summary under it if there is one.
    fn under(line: String, report: Option<&Self>) -> String {
        match report {
            Some(r) => format!("{line}\n{}\n{}", r.table(), r.summary()),
            None => line,
        }
    }

    /// A table with a line for every operator call; if there are modelled machines on the board, it has columns for their figures too.
    pub(crate) fn table(&self) -> String {
        let modelled = !self.totals.models.is_empty();
        let head: &[&str] = if modelled {
            &[
                "  phase",
                "operator",
                "size",
                "machine",
                "measured",
                "share",
                "modelled",
                "share",
                "cycles",
                "energy",
                "DRAM",
                "PEs busy",
                "DRAM busy",
                "bound",
            ]
        } else {
            &["  phase", "operator", "size", "time", "bytes", "share"]
        };
        let row = |r: &Row<'_>| {
            let mut cells = vec![format!("  {}", r.phase), r.operator.to_owned(), r.size.to_string()];
            let time = [output::seconds(r.seconds), percent(r.share)];
            if !modelled {
                let [time, share] = time;
                cells.extend([time, output::bytes(r.bytes), share]);
                return cells;
            }
            cells.push(r.cost.machine.to_owned());
            let Some(m) = &r.model else {
                cells.extend(time);
                return cells;
            };
            cells.extend([String::new(), String::new()]);
            cells.extend(time);
            cells.extend([m.cycles.to_string(), m.energy_j.map_or_else(String::new, output::joules)]);
            if let Some(memory) = &m.memory {
                let bound = r.bound.map_or("", Bound::name);
                cells.extend([
                    output::bytes(memory.dram_bytes),
                    percent(memory.utilisation),
                    percent(memory.memory_utilisation),
                    bound.to_owned(),
                ]);
            }
            cells
        };
        output::table(2, head, self.operators.iter().map(row))
    }

    /// [`OperatorReport::table`] if it has at most [`MOST_LISTED`] lines; otherwise a table with a line for every phase and kind of
    /// time, which names the operator that took the largest part.
    pub(crate) fn short_table(&self) -> String {
        if self.operators.len() <= MOST_LISTED {
            return self.table();
        }
        let modelled = !self.totals.models.is_empty();
        let head: &[&str] = if modelled {
            &["  phase", "mostly", "calls", "machine", "measured", "share", "modelled", "share"]
        } else {
            &["  phase", "mostly", "calls", "time", "share"]
        };
        let mut lines = Vec::new();
        let mut groups: Vec<(&str, Option<Key>)> = Vec::new();
        for key in self.operators.iter().map(|r| (r.phase, r.key())) {
            if !groups.contains(&key) {
                groups.push(key);
            }
        }
        // The lines of a phase follow each other.
        let phases: Vec<&str> = groups.iter().map(|(phase, _)| *phase).collect();
        groups.sort_by_key(|(phase, _)| phases.iter().position(|one| one == phase));
        for group in groups {
            let rows: Vec<&Row<'_>> = self.operators.iter().filter(|r| (r.phase, r.key()) == group).collect();
            let mut operators: BTreeMap<&str, f64> = BTreeMap::new();
            for row in &rows {
                *operators.entry(row.operator).or_default() += row.seconds;
            }
            let mostly = operators.iter().max_by(|a, b| a.1.total_cmp(b.1)).map_or("", |(name, _)| name);
            let time =
                [output::seconds(operators.values().sum()), percent(rows.iter().map(|r| r.share).sum())];
            let mut line = vec![format!("  {}", group.0), mostly.to_owned(), rows.len().to_string()];
            if modelled {
                let mut machines: Vec<&str> = rows.iter().map(|r| r.cost.machine).collect();
                machines.sort_unstable();
                machines.dedup();
                line.push(machines.join(", "));
                if group.1.is_some() {
                    line.extend([String::new(), String::new()]);
                }
            }
            line.extend(time);
            lines.push(line);
        }
        output::table(2, head, lines)
    }

    /// A line for each kind of time: the operators' shares of it, and the speed-up that Amdahl's law gives without each of them.
    pub(crate) fn summary(&self) -> String {
        let mut lines = Vec::new();
        let t = &self.totals;
        for Part { model: m, .. } in &t.models {
            let mut line =
                format!("modelled, {}: {}, {} cycles", m.model, output::seconds(m.cycles_seconds), m.cycles);
            if let Some(joules) = m.energy_j {
                line += &format!(", {}", output::joules(joules));
            }
            if let Some(memory) = &m.memory {
                line += &format!(
                    "; DRAM {} for {} asked for; PEs {} busy, DRAM {}",
                    output::bytes(memory.dram_bytes),
                    output::bytes(memory.dram_bytes_useful),
                    percent(memory.utilisation),
                    percent(memory.memory_utilisation)
                );
            }
            lines.push(line);
            lines.push(amdahl("modelled", &self.by_operator, |s| {
                s.models.iter().filter(|part| part.model.key() == m.key()).map(|part| part.share).sum()
            }));
        }
        if t.to_machine_bytes + t.to_host_bytes > 0 {
            let [there, back] = [t.to_machine_bytes, t.to_host_bytes].map(output::bytes);
            lines.push(format!("transfers: {there} to machines, {back} back"));
        }
        if t.measured_seconds > 0.0 {
            lines.push(format!("measured: {}", output::seconds(t.measured_seconds)));
            lines.push(amdahl("measured", &self.by_operator, |s| s.measured_share));
        }
        lines.join("\n")
    }
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// The operators' shares of one kind of time, and for each of them how many times faster the session would be without it.
fn amdahl(kind: &str, operators: &[Sum], share: impl Fn(&Sum) -> f64) -> String {
    let mut parts: Vec<(&'static str, f64)> = operators.iter().map(|s| (s.name, share(s))).collect();
    parts.retain(|(_, share)| *share >= 0.005);
    parts.sort_by(|a, b| b.1.total_cmp(&a.1));
    let part = |(name, share): &(&str, f64)| {
        // If one operator takes the whole time, the ratio would be a division by zero.
        let rest = 1.0 - share;
        let without = if rest > 1e-9 { format!(" ({:.2}x without)", 1.0 / rest) } else { String::new() };
        format!("{name} {:.0} %{without}", 100.0 * share)
    };
    format!("  of the {kind} time: {}", parts.iter().map(part).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright::device::{Dram, Modelled, Occupancy, OpCount, Picojoules, Traffic};
    use std::time::Duration;

    fn record(operator: &'static str, time: Time) -> Record {
        let bytes = Traffic { read: 3 << 10, written: 1 << 10 };
        let model = Modelled {
            dram: Dram { useful: bytes, moved: Traffic { read: 4 << 10, written: 2 << 10 } },
            elements: Occupancy { busy: 1, of: 4 },
            memory: Occupancy { busy: 3, of: 4 },
            bound: Bound::Memory,
        };
        let modelled = matches!(time, Time::Cycles { .. });
        let (machine, model, energy) =
            if modelled { ("chip", Some(model), Some(Picojoules(5_000_000))) } else { ("cpu", None, None) };
        let cost = Cost { machine, time, bytes, transfer: None, ops: OpCount::default(), energy, model };
        Record { phase: "prove", operator, size: 8, cost }
    }

    #[test]
    fn modelled_and_measured_are_two_accounts() {
        let cycles = |n| Time::Cycles { n, hz: 1_000_000, fidelity: Fidelity::CycleAccurate };
        let host = Time::Measured(Duration::from_millis(2));
        let records = vec![record("msm_g1", cycles(750)), record("extend", cycles(250)), record("vec", host)];
        let report = Report { device: "mixed", curve: "c", records };
        let report = OperatorReport::new(&report);
        let json = serde_json::to_value(&report).unwrap();
        let models = json["totals"]["models"].as_array().unwrap();
        assert_eq!((&models[0]["cycles_seconds"], &json["measured_seconds"]), (&1e-3.into(), &2e-3.into()));
        assert_eq!(
            (&models[0]["share"], &json["by_operator"][1]["models"][0]["share"]),
            (&1.0.into(), &0.25.into())
        );
        assert_eq!((models.len(), &models[0]["model"]), (1, &"chip".into()));
        assert_eq!((&models[0]["cycles"], &models[0]["dram_bytes"]), (&1000.into(), &12288.into()));
        assert_eq!(
            (&json["operators"][0]["share"], &json["operators"][2]["share"]),
            (&0.75.into(), &1.0.into())
        );
        assert_eq!(
            (&json["operators"][0]["bound"], &json["operators"][0]["utilisation"]),
            (&"memory".into(), &0.25.into())
        );
        assert!(json["operators"][2].get("cycles").is_none() && json["operators"][2].get("bound").is_none());
        let summary = report.summary();
        assert!(
            summary.contains(
                "modelled, chip: 1.0 ms, 1000 cycles, 10.0 uJ; DRAM 12.0 KiB for 8.0 KiB asked for"
            ),
            "{summary}"
        );
        assert!(
            summary
                .contains("of the modelled time: msm_g1 75 % (4.00x without), extend 25 % (1.33x without)"),
            "{summary}"
        );
        assert!(summary.contains("measured: 2.0 ms\n  of the measured time: vec 100 %"), "{summary}");
        assert!(
            report.table().lines().nth(1).unwrap().ends_with("25 %       75 %  memory"),
            "{}",
            report.table()
        );
    }

    #[test]
    fn times_of_several_models_are_several_accounts() {
        let time = |n, fidelity| Time::Cycles { n, hz: 1_000_000, fidelity };
        let chip = |n| record("msm_g1", time(n, Fidelity::CycleAccurate));
        let mut aie = record("msm_g1", time(1_000_000, Fidelity::RateModel));
        aie.cost.machine = "aie";
        let host = || record("vec", Time::Measured(Duration::from_millis(1)));
        let ntt = || record("ntt", time(250, Fidelity::CycleAccurate));
        let mut records = vec![chip(750), ntt(), aie, host()];
        let report = |records| Report { device: "mixed", curve: "c", records };
        let few = report(records.clone());
        let summary = OperatorReport::new(&few).summary();
        let lines: Vec<&str> = summary.lines().collect();
        assert!(lines[0].starts_with("modelled, chip: 1.0 ms, 1000 cycles"), "{summary}");
        assert_eq!(lines[1], "  of the modelled time: msm_g1 75 % (4.00x without), ntt 25 % (1.33x without)");
        assert!(lines[2].starts_with("modelled, aie: 1.00 s, 1000000 cycles"), "{summary}");
        assert_eq!(lines[3], "  of the modelled time: msm_g1 100 %");
        // Too many calls for a line each: the phase gets one line for each kind of time.
        records.extend((0..MOST_LISTED).map(|_| host()));
        let many = report(records);
        let table = OperatorReport::new(&many).short_table();
        let cells: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(cells.len(), 4, "{table}");
        assert_eq!(cells[1], ["prove", "msm_g1", "2", "chip", "1.0", "ms", "100", "%"], "{table}");
        assert_eq!(cells[2], ["prove", "msm_g1", "1", "aie", "1.00", "s", "100", "%"], "{table}");
        assert_eq!(cells[3], ["prove", "vec", "25", "cpu", "25.0", "ms", "100", "%"], "{table}");
    }
}
