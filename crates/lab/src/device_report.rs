//! Reads a report that `pairwright gpu report` wrote. Its section `figures` has the points of [MoMA]'s figures,
//! measured on a GPU that may be in another machine, at an earlier date.

use crate::LabError;
use crate::row::{Kind, Labels, Row};
use crate::targets::{Recipe, series};
use pairwright_gpu::bench::RUNS;
use pairwright_gpu::family::KernelTarget;
use pairwright_gpu::report::{FIGURES, Line, Measurements, Point};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Word sizes of the series of a figure, in its order.
const TARGETS: [KernelTarget; 2] = [KernelTarget::Cuda32, KernelTarget::Cuda64];

/// Part of the device name of the PTX interpreter, whose clock is invented, so that its times are not valid.
const INTERPRETED: &str = "interpreted";

/// A report on a device, with points of figures.
#[derive(Clone, Debug)]
pub struct DeviceReport {
    path: PathBuf,
    report: Measurements,
}

/// The provenance of a device's rows that come from a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reported {
    /// Name of the file.
    pub file: String,
    /// The device, as its driver names it.
    pub device: String,
    /// Compute capability: ten times the major version plus the minor.
    pub capability: u32,
    /// The driver's version: 1000 times the major version plus 10 times the minor.
    pub driver: u32,
    /// The compiler's version.
    pub compiler: String,
    /// Day on which the figures were measured, UTC.
    pub date: String,
    /// Commit of the measuring program; "unknown" if its build did not record it.
    pub commit: String,
    /// Whether all points of the figures were measured.
    pub complete: bool,
}

impl DeviceReport {
    /// Reads a report with points of figures.
    ///
    /// # Errors
    /// The file cannot be read; it is not a report of the current form (files without `days` are older and have no
    /// figures); it has no point of a figure, or a point with an invalid time; or the interpreter made it instead of a
    /// device.
    pub fn read(path: &Path) -> Result<Self, LabError> {
        let text = std::fs::read_to_string(path).map_err(LabError::io(path))?;
        let report = serde_json::from_str(&text).map_err(|source| LabError::Report {
            path: path.to_owned(),
            field: field_before(&text, source.line(), source.column()),
            source,
        })?;
        let read = Self { path: path.to_owned(), report };
        let wrong = |field: String, why| LabError::ReportField { path: path.to_owned(), field, why };
        if read.report.device.name.contains(INTERPRETED) {
            return Err(wrong("device.name".to_owned(), "an interpreter, whose times are made up"));
        }
        if !read.report.days.contains_key(FIGURES) {
            return Err(wrong(format!("days.{FIGURES}"), "missing: the figures were not measured"));
        }
        for (at, line) in read.report.lines.iter().enumerate() {
            if line.section != FIGURES {
                continue;
            }
            if line.point.is_none() {
                return Err(wrong(format!("lines[{at}].point"), "missing"));
            }
            if line.log_size.is_none() {
                return Err(wrong(format!("lines[{at}].log_size"), "missing"));
            }
            if !(line.nanoseconds.is_finite() && line.nanoseconds > 0.0) {
                return Err(wrong(format!("lines[{at}].nanoseconds"), "not a time"));
            }
        }
        if read.points().next().is_none() {
            return Err(wrong("lines".to_owned(), "no point of a figure"));
        }
        Ok(read)
    }

    /// The name of the device.
    pub(crate) fn name(&self) -> &str {
        &self.report.device.name
    }

    /// The device's number of multiprocessors, highest clock in MHz and memory in bytes, as reported by its driver.
    pub(crate) fn facts(&self) -> [f64; 3] {
        let facts = &self.report.device;
        [f64::from(facts.multiprocessors), f64::from(facts.clock_khz) / 1e3, facts.memory as f64]
    }

    /// The device, day and commit of its rows.
    pub(crate) fn provenance(&self) -> Reported {
        let Measurements { device, compiler: (major, minor), .. } = &self.report;
        let name = self.path.file_name().unwrap_or(self.path.as_os_str());
        Reported {
            file: name.to_string_lossy().into_owned(),
            device: device.name.clone(),
            capability: device.capability,
            driver: device.driver,
            compiler: format!("NVRTC {major}.{minor}"),
            date: self.report.days.get(FIGURES).cloned().unwrap_or_default(),
            commit: self.report.commit().unwrap_or("unknown").to_owned(),
            complete: self.report.done.iter().any(|section| section == FIGURES),
        }
    }

    fn points(&self) -> impl Iterator<Item = (&Line, &Point, u32)> {
        let figures = self.report.lines.iter().filter(|line| line.section == FIGURES);
        figures.filter_map(|line| Some((line, line.point.as_ref()?, line.log_size?)))
    }

    /// The rows of an operation at a width with the given recipes, in nanoseconds per unit. The sizes are those given,
    /// in that order, or all sizes of the report if none are given; for each size, rows are ordered by word size, then
    /// recipe.
    pub(crate) fn rows(
        &self,
        operation: &str,
        bits: u32,
        sizes: Option<&[u32]>,
        recipes: &[Recipe],
    ) -> Vec<Row> {
        let fits = |point: &Point| point.operation == operation && point.bits == bits;
        let mut here: Vec<u32> =
            self.points().filter(|(_, point, _)| fits(point)).map(|(.., log2_n)| log2_n).collect();
        here.sort_unstable();
        here.dedup();
        let names =
            TARGETS.iter().flat_map(|target| recipes.iter().map(|recipe| series(target.machine(), *recipe)));
        let names: Vec<String> = names.collect();
        let mut rows = Vec::new();
        for log2_n in sizes.unwrap_or(&here) {
            for name in &names {
                let found = self
                    .points()
                    .find(|(_, point, size)| fits(point) && point.series == *name && size == log2_n);
                rows.extend(found.map(|(line, point, _)| self.row(line, point, *log2_n)));
            }
        }
        rows
    }

    fn row(&self, line: &Line, point: &Point, log2_n: u32) -> Row {
        let from = self.provenance();
        let (quantity, ns) = (format!("time per {}", line.unit), format!("ns per {}", line.unit));
        let labels = Labels { quantity: &quantity, operation: &point.operation, unit: &ns };
        let note = format!(
            "median of {RUNS} launches; samples of the results checked; reported {}, commit {}",
            from.date, from.commit
        );
        Row {
            bits: Some(point.bits),
            log2_n: Some(log2_n),
            median: Some(line.nanoseconds),
            ..labels.row(Kind::Measured, self.name(), &point.series, line.nanoseconds, &note)
        }
    }
}

/// The name of the last field before a position of a JSON text, given by line and column; empty if there is none.
fn field_before(text: &str, line: usize, column: usize) -> String {
    let before: String = text
        .lines()
        .take(line)
        .enumerate()
        .map(
            |(at, whole)| {
                if at + 1 == line { whole.chars().take(column).collect() } else { whole.to_owned() }
            },
        )
        .collect();
    let Some((names, _)) = before.rsplit_once("\":") else { return String::new() };
    names.rsplit_once('"').map_or(names, |(_, name)| name).to_owned()
}

/// Whether a device, as its driver names it, is the model that a paper names: "NVIDIA H100 80GB HBM3" is an H100, and
/// an H200 is not. The paper's H100 has 132 multiprocessors, so cards with fewer do not match, and neither do variants
/// with a name of their own.
pub(crate) fn same_model(device: &str, published: &str) -> bool {
    const VARIANTS: [&str; 8] = ["PCIe", "NVL", "Laptop", "D", "Ti", "SUPER", "Super", "MIG"];
    let words = |name: &str| -> Vec<String> {
        name.split([' ', '-', '_']).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let (device, published) = (words(device), words(published));
    !published.is_empty()
        && device.windows(published.len()).any(|part| part == published)
        && !device.iter().any(|word| VARIANTS.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repository;
    use pairwright_gpu::Facts;

    /// The series name of 64-bit words with a recipe.
    fn wide(recipe: Recipe) -> String {
        series(KernelTarget::Cuda64.machine(), recipe)
    }

    /// A report with one size of a transform and one vector operation, built from the types that the command writes.
    fn example() -> Measurements {
        let line = |operation: &str, bits, series: &str, log_n, unit: &str, nanoseconds| {
            let point = Point { operation: operation.to_owned(), bits, series: series.to_owned() };
            Line {
                section: FIGURES.to_owned(),
                log_size: Some(log_n),
                point: Some(point),
                ..Line::by_unit(format!("{operation}, {bits} bits, {series}"), unit, nanoseconds)
            }
        };
        let product =
            Line { section: "products".to_owned(), ..Line::by_unit("a".to_owned(), "product", 1.0) };
        Measurements {
            version: "0.1.0 (commit 4b1bc7d32282)".to_owned(),
            device: Facts {
                name: "NVIDIA H100 80GB HBM3".to_owned(),
                capability: 90,
                driver: 13_000,
                multiprocessors: 132,
                clock_khz: 1_980_000,
                ..Facts::default()
            },
            compiler: (13, 0),
            most: 24,
            done: vec![FIGURES.to_owned()],
            days: [(FIGURES.to_owned(), "2026-01-31".to_owned())].into(),
            lines: vec![
                product,
                line("ntt", 128, &wide(Recipe::MONTGOMERY), 16, "butterfly", 0.75),
                line("ntt", 128, &wide(Recipe::BARRETT), 16, "butterfly", 0.5),
                line("ntt", 128, &wide(Recipe::BARRETT), 12, "butterfly", 0.25),
                line(
                    "vadd",
                    256,
                    &series(KernelTarget::Cuda32.machine(), Recipe::BARRETT),
                    22,
                    "element",
                    2.0,
                ),
            ],
            ..Measurements::default()
        }
    }

    fn read(text: &str) -> Result<DeviceReport, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("h100.json");
        std::fs::write(&path, text).unwrap();
        DeviceReport::read(&path).map_err(|error| error.to_string())
    }

    fn of(report: &Measurements) -> Result<DeviceReport, String> {
        read(&serde_json::to_string_pretty(report).unwrap())
    }

    #[test]
    fn points_are_rows_with_device_day_and_commit() {
        let report = of(&example()).unwrap();
        let rows = report.rows("ntt", 128, Some(&[12, 14, 16]), &[Recipe::BARRETT, Recipe::MONTGOMERY]);
        let found: Vec<_> =
            rows.iter().map(|row| (row.series.as_str(), row.log2_n.unwrap(), row.ours.unwrap())).collect();
        let [barrett, montgomery] = [Recipe::BARRETT, Recipe::MONTGOMERY].map(wide);
        let wanted = [(&*barrett, 12, 0.25), (&*barrett, 16, 0.5), (&*montgomery, 16, 0.75)];
        assert_eq!(found, wanted);
        let row = &rows[0];
        assert_eq!((row.device.as_str(), row.kind), ("NVIDIA H100 80GB HBM3", Kind::Measured));
        assert_eq!((row.what.as_str(), row.unit.as_str()), ("time per butterfly", "ns per butterfly"));
        assert!(row.note.contains("2026-01-31") && row.note.contains("4b1bc7d32282"), "{}", row.note);
        // Without given sizes, all sizes of the report are used.
        let sums = report.rows("vadd", 256, None, &[Recipe::BARRETT]);
        assert_eq!((sums.len(), sums[0].log2_n, sums[0].ours), (1, Some(22), Some(2.0)));
        assert!(report.rows("vadd", 128, None, &[Recipe::BARRETT]).is_empty());
        let from = report.provenance();
        assert_eq!((from.file.as_str(), from.date.as_str()), ("h100.json", "2026-01-31"));
        assert_eq!((from.compiler.as_str(), from.complete), ("NVRTC 13.0", true));
        let text = toml::to_string(&from).unwrap();
        assert_eq!(toml::from_str::<Reported>(&text).unwrap(), from);
    }

    #[test]
    fn a_report_that_was_cut_says_so() {
        let mut cut = example();
        cut.done.clear();
        cut.version = "0.1.0 (development build)".to_owned();
        let from = of(&cut).unwrap().provenance();
        assert_eq!((from.complete, from.commit.as_str()), (false, "unknown"));
    }

    #[test]
    fn what_is_wrong_names_file_and_field() {
        let text = serde_json::to_string_pretty(&example()).unwrap();
        let refused = |said: Result<DeviceReport, String>, field: &str| {
            let said = said.unwrap_err();
            assert!(said.contains("h100.json") && said.contains(&format!("`{field}`")), "{field}: {said}");
        };
        for (right, wrong, field) in [
            ("\"nanoseconds\": 0.75", "\"nanoseconds\": \"fast\"", "nanoseconds"),
            ("\"bits\": 128", "\"bits\": -1", "bits"),
            ("\"version\": ", "\"versions\": ", "version"),
            ("\"days\": ", "\"weeks\": ", "days"),
            ("\"capability\": 90,", "", "capability"),
            (&*format!("\"series\": \"{}\"", wide(Recipe::MONTGOMERY)), "\"series\": null", "series"),
        ] {
            assert!(text.contains(right), "{right}");
            refused(read(&text.replacen(right, wrong, 1)), field);
        }
        let changed = |change: fn(&mut Measurements)| {
            let mut report = example();
            change(&mut report);
            of(&report)
        };
        refused(changed(|report| report.lines[2].nanoseconds = 0.0), "lines[2].nanoseconds");
        refused(changed(|report| report.lines[3].point = None), "lines[3].point");
        refused(changed(|report| report.lines[4].log_size = None), "lines[4].log_size");
        refused(changed(|report| report.lines.truncate(1)), "lines");
        refused(changed(|report| report.days.clear()), "days.figures");
        refused(
            changed(|report| report.device.name = "capability 9.0, interpreted".to_owned()),
            "device.name",
        );
        let nothing = read("").unwrap_err();
        assert!(nothing.contains("h100.json"), "{nothing}");
        assert!(matches!(DeviceReport::read(Path::new("no-such-file")), Err(LabError::Io { .. })));
    }

    /// Reports made before figures were measured have another form.
    #[test]
    fn older_reports_are_refused() {
        let path = repository().join("bench/results/2026-11-27-gpu-h200.json");
        let said = DeviceReport::read(&path).unwrap_err().to_string();
        assert!(said.contains("2026-11-27-gpu-h200.json") && said.contains("missing field"), "{said}");
    }

    #[test]
    fn models_are_compared_by_their_words() {
        for (device, published, same) in [
            ("NVIDIA H100 80GB HBM3", "H100", true),
            ("NVIDIA H200", "H100", false),
            ("NVIDIA H100 PCIe", "H100", false),
            ("NVIDIA H100 NVL", "H100", false),
            ("NVIDIA GeForce RTX 4090", "RTX 4090", true),
            ("NVIDIA GeForce RTX 4090 D", "RTX 4090", false),
            ("NVIDIA GeForce RTX 4090 Laptop GPU", "RTX 4090", false),
            ("Tesla V100-SXM2-32GB", "V100", true),
            ("host", "", false),
        ] {
            assert_eq!(same_model(device, published), same, "{device} {published}");
        }
    }
}
