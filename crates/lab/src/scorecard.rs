//! The scorecard: the basis of each answer to a published number, and how many of the independent answers agree.
//!
//! `published/basis.csv` classifies the rows of the results; the first pattern that matches a row decides. An answer
//! without a matching pattern is an error, so that every new figure must state its basis.

use crate::device_report::same_model;
use crate::moma;
use crate::report;
use crate::row::{Kind, Row};
use crate::targets::{Recipe, series};
use crate::{Experiment, LabError};
use pairwright_gpu::family::KernelTarget;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The basis of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// No number behind the answer was chosen with the published one in view, so agreement confirms the model.
    Independent,
    /// The answer depends on parameters that the paper does not print, within plausible ranges; agreement shows that
    /// they fit.
    Inferred,
    /// A constant was fitted to the published number, or to one that consists mostly of it.
    Calibrated,
    /// The answer was taken from the paper, or is arithmetic on printed numbers.
    Input,
    /// The two numbers are of different designs, systems or machines. Their ratio is a gain and tests nothing.
    Comparison,
}

impl Basis {
    /// All bases, in the order of the summary.
    pub const ALL: [Self; 5] =
        [Self::Independent, Self::Inferred, Self::Calibrated, Self::Input, Self::Comparison];

    /// Returns the word that tables show.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Independent => "independent",
            Self::Inferred => "inferred",
            Self::Calibrated => "calibrated",
            Self::Input => "input",
            Self::Comparison => "comparison",
        }
    }
}

/// A line of `published/basis.csv`. A text matches a pattern that equals it, where `*` stands for any substring; an
/// empty pattern matches every text.
#[derive(Clone, Debug, Deserialize)]
struct Rule {
    experiment: String,
    what: String,
    operation: String,
    series: String,
    beside: String,
    basis: Basis,
    /// The headline, in the paper's `sensitivity` or the experiment itself, on which the answer depends; with the
    /// prefix `1/`, the answer is inversely proportional to it.
    headline: String,
    why: String,
}

impl Rule {
    fn fits(&self, id: &str, row: &Row) -> bool {
        let fields = [
            (&self.what, &row.what),
            (&self.operation, &row.operation),
            (&self.series, &row.series),
            (&self.beside, &row.beside),
        ];
        self.experiment == id
            && fields.iter().all(|(pattern, text)| pattern.is_empty() || matches(pattern, text))
    }
}

/// Whether a text matches a pattern, in which `*` stands for any substring.
fn matches(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut left) = text.strip_prefix(first) else { return false };
    let mut parts = rest.split('*').peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return left.ends_with(part);
        }
        let Some((_, after)) = left.split_once(part) else { return false };
        left = after;
    }
    true
}

/// A published number with our answer and its basis.
#[derive(Clone, Debug, Serialize)]
pub struct Score {
    /// The experiment's id.
    pub experiment: &'static str,
    /// The quantity, as named in the result.
    pub what: String,
    /// The operation, design or track.
    pub operation: String,
    /// The series of our numbers.
    pub series: String,
    /// The published system.
    pub beside: String,
    /// The paper's number.
    pub published: f64,
    /// Our number, in the same unit.
    pub ours: f64,
    /// `ours` over `published`, also where agreement confirms nothing.
    pub ratio: f64,
    /// The smallest and largest ratio when each inferred parameter is varied by itself over its plausible values;
    /// `None` if this was not computed.
    pub interval: Option<[f64; 2]>,
    /// The unit of both numbers.
    pub unit: String,
    /// The source of ours.
    pub kind: Kind,
    /// The basis of our number.
    pub basis: Basis,
    /// The parameters, constants or inputs concerned.
    pub why: String,
}

/// The counts for one paper.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The paper's name in the ids of its experiments.
    pub paper: &'static str,
    /// Numbers of answered rows, in the order of [`Basis::ALL`].
    pub rows: [usize; 5],
    /// Published numbers without an answer.
    pub unanswered: usize,
    /// Independent rows within a tenth of the published number.
    pub within_a_tenth: usize,
    /// Independent rows within a factor of two of it.
    pub within_two: usize,
}

/// All answered rows, and the counts by paper.
#[derive(Clone, Debug, Serialize)]
pub struct Scorecard {
    /// The answers, in the order of the papers.
    pub rows: Vec<Score>,
    /// One summary per paper.
    pub papers: Vec<Summary>,
    /// Experiments without a result.
    pub not_run: Vec<&'static str>,
}

const RULES: &str = include_str!("../published/basis.csv");

/// The name of a paper's experiment whose rows state the changes of headlines. The quantity of such a row is "change of
/// the", the changing value, a comma and the headline.
const SENSITIVITY: &str = "sensitivity";
pub(crate) const CHANGE: &str = "change of the ";

/// The headline of a row of such an experiment.
fn headline(row: &Row) -> Option<&str> {
    row.what.strip_prefix(CHANGE)?.split_once(", ").map(|(_, headline)| headline)
}

fn rules() -> Result<Vec<Rule>, LabError> {
    let wrong = |source| LabError::Table { path: "published/basis.csv".into(), source };
    csv::Reader::from_reader(RULES.as_bytes()).deserialize().collect::<Result<_, _>>().map_err(wrong)
}

/// The smallest and largest change of a headline in per cent, including the 0 of the unchanged design.
fn span(sensitivity: &[Row], headline: &str) -> Option<[f64; 2]> {
    let changes = sensitivity.iter().filter(|row| self::headline(row) == Some(headline));
    let mut changes = changes.filter_map(|row| row.ours).peekable();
    changes.peek()?;
    Some(changes.fold([0.0; 2], |[least, most], change| [change.min(least), change.max(most)]))
}

/// The ratio at both ends of its headline's range.
fn interval(ratio: f64, headline: &str, sensitivity: &[Row]) -> Option<[f64; 2]> {
    let factor = |change: f64| 1.0 + change / 100.0;
    match headline.strip_prefix("1/") {
        Some(headline) => {
            span(sensitivity, headline).map(|[least, most]| [ratio / factor(most), ratio / factor(least)])
        }
        None => span(sensitivity, headline).map(|ends| ends.map(|change| ratio * factor(change))),
    }
}

/// The reason why such an answer is a test of the published number.
const REPRODUCED: &str =
    "the paper's words and reduction, measured on a GPU of the model that the paper names";

/// Whether an answer is the paper's kernel (64-bit words, Barrett's reduction) on a GPU of the published model, so that
/// both numbers are of the same system. On another model, or on a processor, they are not.
fn reproduces(experiment: &Experiment, row: &Row) -> bool {
    let target = KernelTarget::Cuda64.machine();
    let kernel = row.series == target || row.series == series(target, Recipe::BARRETT);
    experiment.needs == moma::GPU
        && row.kind == Kind::Measured
        && kernel
        && same_model(&row.device, &row.published_device)
}

/// Reads the results in `folder` and determines the basis of each answer.
///
/// # Errors
/// A result cannot be read, or an answer matches no pattern of `published/basis.csv`.
pub fn scorecard(
    folder: &Path,
    experiments: impl IntoIterator<Item = &'static Experiment>,
) -> Result<Scorecard, LabError> {
    let rules = rules()?;
    let path = |id: &str| folder.join(id).with_extension("csv");
    let mut sensitivity = Vec::new();
    let mut card = Scorecard { rows: Vec::new(), papers: Vec::new(), not_run: Vec::new() };
    for experiment in experiments {
        let id = experiment.id;
        let paper = id.split('/').next().unwrap_or(id);
        if card.papers.last().is_none_or(|summary| summary.paper != paper) {
            let none = Summary { paper, rows: [0; 5], unanswered: 0, within_a_tenth: 0, within_two: 0 };
            card.papers.push(none);
            sensitivity = match path(&format!("{paper}/{SENSITIVITY}")) {
                path if path.is_file() => report::read(&path)?,
                _ => Vec::new(),
            };
        }
        let Some(summary) = card.papers.last_mut() else { continue };
        if !path(id).is_file() {
            card.not_run.push(id);
            continue;
        }
        let rows = report::read(&path(id))?;
        // An experiment may contain the changes of its own headlines.
        let own = rows.iter().filter(|row| headline(row).is_some() && !id.ends_with(SENSITIVITY)).cloned();
        let changes: Vec<Row> = sensitivity.iter().cloned().chain(own).collect();
        for row in rows {
            let Some(published) = row.published else { continue };
            let Some(ours) = row.ours.filter(|_| !row.beside.is_empty()) else {
                summary.unanswered += usize::from(row.kind == Kind::Published);
                continue;
            };
            let rule = rules.iter().find(|rule| rule.fits(id, &row)).ok_or_else(|| LabError::NoBasis {
                id,
                what: row.what.clone(),
                operation: row.operation.clone(),
                series: row.series.clone(),
            })?;
            let ratio = ours / published;
            let (basis, why) = match reproduces(experiment, &row) {
                true => (Basis::Independent, REPRODUCED.to_owned()),
                false => (rule.basis, rule.why.clone()),
            };
            let score = Score {
                experiment: id,
                interval: interval(ratio, &rule.headline, &changes),
                basis,
                why,
                what: row.what,
                operation: row.operation,
                series: row.series,
                beside: row.beside,
                unit: row.unit,
                kind: row.kind,
                published,
                ours,
                ratio,
            };
            summary.count(&score);
            card.rows.push(score);
        }
    }
    Ok(card)
}

impl Summary {
    fn count(&mut self, score: &Score) {
        let counts = Basis::ALL.iter().zip(&mut self.rows);
        counts.filter(|(basis, _)| **basis == score.basis).for_each(|(_, count)| *count += 1);
        let within = |factor: f64| (1.0 / factor..=factor).contains(&score.ratio);
        if score.basis == Basis::Independent {
            self.within_a_tenth += usize::from(within(1.1));
            self.within_two += usize::from(within(2.0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::Labels;
    use crate::{all, find, repository};

    fn results() -> Scorecard {
        scorecard(&repository().join("results"), all()).unwrap()
    }

    #[test]
    fn a_star_stands_for_any_part() {
        for (pattern, text, fits) in [
            ("area", "area", true),
            ("area", "area of all", false),
            ("area*", "area of all", true),
            ("*all", "area of all", true),
            ("a*of*", "area of all", true),
            ("a*of*none", "area of all", false),
            ("*", "", true),
            ("ab*b", "ab", false),
        ] {
            assert_eq!(matches(pattern, text), fits, "{pattern} {text}");
        }
    }

    #[test]
    fn every_answer_has_a_basis_and_every_rule_an_answer() {
        let card = results();
        assert!(card.not_run.is_empty(), "{:?}", card.not_run);
        // Fitted answers are marked as such both in the result and in the patterns.
        for score in card.rows.iter().filter(|score| score.kind == Kind::Calibrated) {
            assert!(!matches!(score.basis, Basis::Independent | Basis::Inferred), "{score:?}");
        }
        let folder = repository().join("results");
        let rules = rules().unwrap();
        let mut used = vec![false; rules.len()];
        for experiment in all() {
            for row in report::read(&folder.join(experiment.id).with_extension("csv")).unwrap() {
                let answers = row.published.is_some() && row.ours.is_some() && !row.beside.is_empty();
                let found = rules.iter().position(|rule| answers && rule.fits(experiment.id, &row));
                found.into_iter().for_each(|rule| used[rule] = true);
            }
        }
        for (rule, used) in rules.iter().zip(used) {
            assert!(used, "no row fits {rule:?}");
            assert!(find(&rule.experiment).is_ok() && !rule.why.is_empty(), "{rule:?}");
        }
    }

    #[test]
    fn intervals_hold_the_ratio_and_follow_their_headline() {
        let row = |headline: &str, change| {
            let what = format!("{CHANGE}cycles, {headline}");
            Labels { quantity: &what, operation: "a = 1", unit: "%" }.modelled("model", change, "")
        };
        let rows = [row("pairing", 25.0), row("pairing", -20.0), row("coset NTT", 100.0)];
        assert_eq!(interval(1.0, "pairing", &rows), Some([0.8, 1.25]));
        assert_eq!(interval(1.0, "1/pairing", &rows), Some([0.8, 1.25]));
        assert_eq!(interval(2.0, "1/coset NTT", &rows), Some([1.0, 2.0]));
        assert_eq!(interval(2.0, "coset NTT", &rows), Some([2.0, 4.0]));
        assert_eq!((interval(2.0, "", &rows), interval(2.0, "1/G1 MSM", &rows)), (None, None));
        for score in results().rows {
            let Some([least, most]) = score.interval else { continue };
            assert!(least <= score.ratio && score.ratio <= most && least < most, "{score:?}");
        }
    }

    #[test]
    fn summaries_count_independent_rows_only() {
        let mut summary =
            Summary { paper: "cp", rows: [0; 5], unanswered: 0, within_a_tenth: 0, within_two: 0 };
        let score = results().rows.swap_remove(0);
        for (basis, ratio) in [
            (Basis::Independent, 1.05),
            (Basis::Independent, 0.6),
            (Basis::Independent, -1.0),
            (Basis::Calibrated, 1.0),
            (Basis::Comparison, 1.0),
        ] {
            summary.count(&Score { basis, ratio, ..score.clone() });
        }
        assert_eq!((summary.rows, summary.within_a_tenth, summary.within_two), ([3, 0, 1, 0, 1], 1, 2));
    }
}
