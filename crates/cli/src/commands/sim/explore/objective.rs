//! The two results that designs are compared by, and the limits on others.

use super::super::quantity::{self, Sense};
use super::super::sweep::Costs;
use crate::args::{Limit, SearchOptions};
use crate::failure::ArgumentError;
use pairwright::sim::search::{Measured, Trend};

/// A column of the results.
#[derive(Clone, Copy)]
struct Column {
    at: usize,
    name: &'static str,
    sense: Sense,
}

/// The objectives and limits of a search.
pub(super) struct Goal {
    objectives: [Column; 2],
    /// The limits: a column, whether the number is its maximum (otherwise its minimum), and the number.
    limits: Vec<(Column, bool, f64)>,
}

/// Alternative names of columns.
const WORDS: &[(&str, &str)] = &[("seconds", "latency_us"), ("time", "latency_us")];

/// The column with this name, given with or without its unit.
fn column<C: Costs>(option: &'static str, name: &str) -> Result<Column, ArgumentError> {
    let wanted = name.replace('-', "_");
    let wanted = WORDS.iter().find(|(word, _)| *word == wanted).map_or(wanted.as_str(), |(_, column)| column);
    let columns = C::names();
    let exact = columns.iter().position(|column| *column == wanted);
    let found = exact.or_else(|| columns.iter().position(|column| quantity::without_unit(column) == wanted));
    let known = || columns.join(", ");
    let at =
        found.ok_or_else(|| ArgumentError::NoResult { option, name: name.to_owned(), known: known() })?;
    let name = columns[at];
    let sense = C::BETTER.iter().find(|(better, _)| *better == name).map_or(Sense::Less, |(_, sense)| *sense);
    Ok(Column { at, name, sense })
}

impl Goal {
    pub(super) fn new<C: Costs>(a: &SearchOptions) -> Result<Self, ArgumentError> {
        let names: Vec<&str> = match &a.minimise[..] {
            [] => C::BETTER.iter().take(2).map(|(name, _)| *name).collect(),
            given => given.iter().map(String::as_str).collect(),
        };
        let [one, other] = names[..] else {
            return Err(ArgumentError::TwoResults(names.len()));
        };
        let objectives = [column::<C>("--minimise", one)?, column::<C>("--minimise", other)?];
        let limit = |option, most: bool| {
            move |limit: &Limit| Ok((column::<C>(option, &limit.name)?, most, limit.value))
        };
        let limits = a.max.iter().map(limit("--max", true)).chain(a.min.iter().map(limit("--min", false)));
        Ok(Self { objectives, limits: limits.collect::<Result<_, ArgumentError>>()? })
    }

    /// The trends of both objectives along an axis, from those of their columns. A result that is maximised is negated, which reverses
    /// its trend.
    pub(super) fn trends(&self, of: impl Fn(&str) -> Trend) -> [Trend; 2] {
        self.objectives.map(|column| match (of(column.name), column.sense) {
            (Trend::Falls, Sense::More) => Trend::Rises,
            (Trend::Rises, Sense::More) => Trend::Falls,
            (trend, _) => trend,
        })
    }

    /// A goal of two results that are minimised.
    #[cfg(test)]
    pub(super) fn of_names(names: [&'static str; 2]) -> Self {
        Self { objectives: names.map(|name| Column { at: 0, name, sense: Sense::Less }), limits: Vec::new() }
    }

    /// The names of both results.
    pub(super) fn names(&self) -> [&'static str; 2] {
        self.objectives.map(|column| column.name)
    }

    /// Both results with their names.
    pub(super) fn named(&self, cells: &[String]) -> [String; 2] {
        self.objectives
            .map(|column| format!("{} {}", column.name, cells.get(column.at).map_or("", |cell| cell)))
    }

    /// A design's results as the search compares them. A design with a result that is not a number is refused.
    pub(super) fn measured(&self, cells: &[String]) -> Measured {
        let number = |column: &Column| cells.get(column.at).and_then(|cell| quantity::value(cell));
        let [Some(one), Some(other)] = [&self.objectives[0], &self.objectives[1]].map(|column| {
            number(column).map(|value| if column.sense == Sense::More { -value } else { value })
        }) else {
            return Measured::REFUSED;
        };
        let mut violation = 0.0;
        for (column, most, limit) in &self.limits {
            let Some(value) = number(column) else { return Measured::REFUSED };
            let over = if *most { value - limit } else { limit - value };
            violation += over.max(0.0) / limit.abs().max(f64::MIN_POSITIVE);
        }
        Measured { objectives: [one, other], violation: violation.min(f64::MAX) }
    }
}
