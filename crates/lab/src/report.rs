//! Runs an experiment, joins its findings with the published numbers, and writes the result files.

use crate::LabError;
use crate::experiment::{Answer, Context, Experiment, Outcome};
use crate::moma;
use crate::provenance::Provenance;
use crate::published::{self, Published};
use crate::row::{Kind, Row};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// An experiment's rows, with their provenance.
#[derive(Clone, Debug, Serialize)]
pub struct ResultTable {
    /// The experiment's id.
    pub id: String,
    /// Machine, commit, seed, date.
    pub provenance: Provenance,
    /// The rows: first those of the paper's claims, then those of the figure.
    pub rows: Vec<Row>,
}

/// Runs an experiment and joins its findings with the published numbers.
///
/// # Errors
/// Any error of the experiment, in particular a wrong result; and an answer to a number that was not published.
pub fn run(experiment: &Experiment, context: &Context<'_>) -> Result<ResultTable, LabError> {
    let table = published::read(experiment.published)
        .map_err(|source| LabError::Table { path: experiment.id.into(), source })?;
    context.took_kept_rows();
    let outcome = (experiment.run)(context)?;
    context.end();
    let kept = context.took_kept_rows();
    unanswered(experiment.id, &table, &outcome.answers)?;
    let mut rows: Vec<Row> = table.iter().flat_map(|row| answered(row, experiment.kind, &outcome)).collect();
    if experiment.needs == moma::GPU {
        unmeasured(&mut rows);
    }
    rows.extend(outcome.rows);
    let measured = rows.iter().any(|row| row.kind == Kind::Measured);
    if measured && !kept && context.kept().is_some() {
        return Err(LabError::MeasuresAnew(experiment.id));
    }
    Ok(ResultTable {
        id: experiment.id.to_owned(),
        provenance: Provenance::of(experiment, context, measured)?,
        rows,
    })
}

/// Refuses an answer that matches no published row, since the paper's claim would appear unanswered.
fn unanswered(id: &'static str, table: &[Published], answers: &[Answer]) -> Result<(), LabError> {
    match answers.iter().find(|answer| !table.iter().any(|row| fits(answer, row))) {
        None => Ok(()),
        Some(Answer { key, operation, bits, log2_n, .. }) => {
            let width = bits.map(|bits| format!(" at {bits} bits"));
            let size = log2_n.map(|log2_n| format!(" of size 2^{log2_n}"));
            let operation = operation.clone().into_iter().chain(width).chain(size).collect();
            Err(LabError::Unanswered { id, key, operation })
        }
    }
}

/// Adds a note to every published number of a GPU for which we have no measurement on a GPU.
fn unmeasured(rows: &mut [Row]) {
    let key = |row: &Row| {
        let place = (row.bits, row.log2_n, row.published.map(f64::to_bits));
        (row.what.clone(), row.operation.clone(), row.published_device.clone(), place)
    };
    let on_a_device = |row: &Row| row.ours.is_some() && row.device != moma::HOST;
    let measured: Vec<_> = rows.iter().filter(|row| on_a_device(row)).map(key).collect();
    for row in rows.iter_mut().filter(|row| row.published.is_some()) {
        if !measured.contains(&key(row)) {
            row.note = joined(&row.note, "on a GPU: not measured");
        }
    }
}

/// The device of a series of ours: that of the figure's rows of the same series, or of one of which it is a part or a
/// variant.
fn device(series: &str, kind: Kind, rows: &[Row]) -> String {
    let begins = |long: &str, short: &str| {
        long.strip_prefix(short).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ',']))
    };
    let known = rows.iter().find(|row| begins(series, &row.series) || begins(&row.series, series));
    match (kind, known) {
        (Kind::Modelled | Kind::Calibrated, _) => "model".to_owned(),
        (_, Some(row)) => row.device.clone(),
        (Kind::Measured, None) => "host".to_owned(),
        _ => "arithmetic".to_owned(),
    }
}

/// The rows of a published number: one for each of our answers, or one without an answer.
fn answered(published: &Published, kind: Kind, outcome: &Outcome) -> Vec<Row> {
    let base = Row {
        what: published.key.clone(),
        operation: published.operation.clone(),
        series: published.series.clone(),
        bits: published.bits,
        log2_n: published.log2_n,
        x: published.x,
        x_name: published.x_name.clone(),
        published_device: published.device.clone(),
        published: published.value,
        unit: published.unit.clone(),
        kind: Kind::Published,
        note: format!("{}: {}; {}", published.source, published.relation, published.statement)
            .trim_end_matches("; ")
            .to_owned(),
        ..Row::default()
    };
    let ours: Vec<Row> = outcome
        .answers
        .iter()
        .filter(|answer| fits(answer, published))
        .map(|answer| {
            let kind = answer.kind.unwrap_or(kind);
            Row {
                series: answer.series.clone(),
                beside: published.series.clone(),
                device: device(&answer.series, kind, &outcome.rows),
                ours: Some(answer.value),
                ratio: published.value.filter(|_| kind != Kind::Calibrated).map(|value| answer.value / value),
                kind,
                note: joined(&base.note, &answer.note),
                ..base.clone()
            }
        })
        .collect();
    if ours.is_empty() { vec![base] } else { ours }
}

/// Whether an answer matches a published row: it has the same key, and the operation, the width and the size that the
/// answer names.
fn fits(answer: &Answer, published: &Published) -> bool {
    answer.key == published.key
        && answer.operation.as_ref().is_none_or(|operation| *operation == published.operation)
        && (answer.bits.is_none() || answer.bits == published.bits)
        && (answer.log2_n.is_none() || answer.log2_n == published.log2_n)
}

fn joined(statement: &str, why: &str) -> String {
    if why.is_empty() { statement.to_owned() } else { format!("{statement}; ours: {why}") }
}

impl ResultTable {
    /// Writes `<folder>/<id>.csv` and `<folder>/<id>.meta.toml`, and returns the two paths.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<[PathBuf; 2], LabError> {
        let table = folder.join(&self.id).with_extension("csv");
        let meta = folder.join(&self.id).with_extension("meta.toml");
        if let Some(parent) = table.parent() {
            std::fs::create_dir_all(parent).map_err(LabError::io(parent))?;
        }
        std::fs::write(&table, self.csv()?).map_err(LabError::io(&table))?;
        std::fs::write(&meta, self.provenance.toml()).map_err(LabError::io(&meta))?;
        Ok([table, meta])
    }

    /// The rows as CSV, with a header line.
    ///
    /// # Errors
    /// Never fails in practice, since it writes to memory.
    pub fn csv(&self) -> Result<Vec<u8>, LabError> {
        let wrong = |source| LabError::Table { path: self.id.clone().into(), source };
        let mut writer = csv::Writer::from_writer(Vec::new());
        for row in &self.rows {
            let mut row = row.clone();
            let digits = if matches!(row.kind, Kind::Modelled | Kind::Calibrated) { 7 } else { 4 };
            for number in [&mut row.ours, &mut row.median].into_iter().flatten() {
                *number = rounded(*number, digits);
            }
            row.ratio = row.ratio.map(|ratio| rounded(ratio, 4));
            writer.serialize(row).map_err(wrong)?;
        }
        writer.into_inner().map_err(|error| wrong(error.into_error().into()))
    }
}

/// A number rounded to `digits` significant digits: in a measurement, more than four are noise; modelled numbers keep
/// more.
fn rounded(value: f64, digits: usize) -> f64 {
    format!("{value:.*e}", digits - 1).parse().unwrap_or(value)
}

/// Reads the rows of a result back.
pub(crate) fn read(path: &Path) -> Result<Vec<Row>, LabError> {
    let wrong = |source| LabError::Table { path: path.to_owned(), source };
    csv::Reader::from_path(path).map_err(wrong)?.deserialize().collect::<Result<_, _>>().map_err(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_published_number_stands_alone_or_with_each_answer() {
        let text = "key,operation,bits,log2_n,series,device,value,relation,unit,source,statement\n\
                    slowdown,ntt,128,12,MoMA,H100,2,about,x,section 1,from here to there\n";
        let row = &published::read(text).unwrap()[0];
        let answer = |key, bits, value| Answer { bits, ..Answer::new(key, "c barrett", value) };
        let found = |answers| Outcome { answers, rows: Vec::new() };
        let others = found(vec![answer("other", None, 1.0), answer("slowdown", Some(256), 1.0)]);
        let alone = answered(row, Kind::Measured, &others);
        assert_eq!((alone.len(), alone[0].kind, alone[0].ours), (1, Kind::Published, None));
        assert_eq!((alone[0].device.as_str(), alone[0].published_device.as_str()), ("", "H100"));
        let fitting = found(vec![answer("slowdown", Some(128), 3.0), answer("slowdown", None, 1.0)]);
        let both = answered(row, Kind::Measured, &fitting);
        assert_eq!(both.iter().map(|row| row.ratio.unwrap()).collect::<Vec<_>>(), [1.5, 0.5]);
        assert!(both.iter().all(|row| row.kind == Kind::Measured && row.published == Some(2.0)));
        assert!(both.iter().all(|row| (row.series.as_str(), row.beside.as_str()) == ("c barrett", "MoMA")));
        assert!(both.iter().all(|row| (&*row.device, &*row.published_device) == ("host", "H100")));
        let fitted = Answer { kind: Some(Kind::Calibrated), ..Answer::new("slowdown", "c barrett", 2.0) };
        let fitted = answered(row, Kind::Measured, &found(vec![fitted]));
        assert_eq!((fitted[0].kind, fitted[0].ours, fitted[0].ratio), (Kind::Calibrated, Some(2.0), None));
    }

    #[test]
    fn an_answer_is_of_the_machine_that_ran() {
        let labels = crate::row::Labels { quantity: "time", operation: "ntt", unit: "ns" };
        let row = |machine, series| labels.row(Kind::Measured, machine, series, 1.0, "");
        let rows = [row("host", "c barrett"), row("NVIDIA H200", "kernel barrett"), row("model", "c")];
        let of = |series, kind| device(series, kind, &rows);
        assert_eq!(of("kernel barrett over gmp mpz", Kind::Measured), "NVIDIA H200");
        assert_eq!(of("kernel", Kind::Measured), "NVIDIA H200");
        assert_eq!(of("c barrett, 2 threads", Kind::Estimated), "host");
        assert_eq!((of("d", Kind::Measured), of("d", Kind::Estimated)), ("host".into(), "arithmetic".into()));
        assert_eq!(of("c barrett", Kind::Modelled), "model");
    }

    #[test]
    fn an_answer_to_nothing_is_named() {
        let answers = |key, operation: &str| {
            let mut outcome = crate::experiment::Outcome::default();
            outcome.answer(key, operation, "chip", 1.0, "");
            outcome.answers
        };
        let published = "key,operation,bits,log2_n,series,device,value,relation,unit,source,statement\n\
                         power,NTT,,,CP,28 nm,0.45,exactly,W,section V,\n";
        let table = published::read(published).unwrap();
        let wrong = |key, operation| unanswered("cp/fig22", &table, &answers(key, operation));
        assert!(wrong("power", "NTT").is_ok());
        for (key, operation) in [("powr", "NTT"), ("power", "MSM")] {
            let said = wrong(key, operation).unwrap_err().to_string();
            assert!(said.contains("cp/fig22") && said.contains(key) && said.contains(operation), "{said}");
        }
        // A width or a size that the published table does not have.
        let table = published::read(&published.replace("NTT,,", "NTT,256,12")).unwrap();
        for (bits, log2_n, asked) in [(256, 12, true), (256, 13, false), (255, 12, false)] {
            let mut one = answers("power", "NTT");
            (one[0].bits, one[0].log2_n) = (Some(bits), Some(log2_n));
            let said = unanswered("cp/fig22", &table, &one).map_err(|why| why.to_string());
            assert_eq!(said.is_ok(), asked, "{said:?}");
            let names = format!("of `NTT at {bits} bits of size 2^{log2_n}`");
            assert!(said.err().is_none_or(|said| said.contains(&names)));
        }
    }

    #[test]
    fn measurements_keep_four_digits() {
        assert_eq!([0.123456, 98765.4, 2.0].map(|value| rounded(value, 4)), [0.1235, 98770.0, 2.0]);
    }
}
