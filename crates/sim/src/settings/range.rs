//! Ranges of parameters as tables of rows, which can be checked and printed.

use core::fmt;
use serde::Serialize;
use thiserror::Error;
use toml::Value;

/// The allowed values of one parameter of a design, and its unit.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// The dotted path of the parameter within its section.
    pub path: &'static str,
    /// The unit of the value; empty for plain numbers.
    pub unit: &'static str,
    /// The source of the published design's value, where it is known.
    pub origin: Option<Origin>,
    values: Values,
}

/// The source of a published design's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// The paper prints it.
    Printed,
    /// The paper does not print it; it is inferred from what the paper prints, or assumed.
    Inferred,
    /// The paper's machine does not have this parameter: it is an addition of this project.
    Added,
}

impl Origin {
    /// The origin as a lower-case word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Printed => "printed",
            Self::Inferred => "inferred",
            Self::Added => "not in the paper",
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Values {
    Between(f64, f64),
    PowerOfTwo(u64, u64),
    OneOf(&'static [u64]),
    Named(&'static [&'static str]),
    Flag,
}

/// The range rows of a design by section. A section is a dotted path; the empty one is the top level of the design.
pub type Sections = &'static [(&'static str, &'static [Range])];

/// A parameter that is a number between two others, both included.
pub const fn between(path: &'static str, least: f64, most: f64, unit: &'static str) -> Range {
    Range { path, unit, origin: None, values: Values::Between(least, most) }
}

/// A parameter that is a power of two between two others, both included.
pub const fn power_of_two(path: &'static str, least: u64, most: u64, unit: &'static str) -> Range {
    Range { path, unit, origin: None, values: Values::PowerOfTwo(least, most) }
}

/// A parameter that is one of a few numbers.
pub const fn one_of(path: &'static str, values: &'static [u64], unit: &'static str) -> Range {
    Range { path, unit, origin: None, values: Values::OneOf(values) }
}

/// A parameter that is one of a few names, which its type checks.
pub const fn named(path: &'static str, names: &'static [&'static str]) -> Range {
    Range { path, unit: "", origin: None, values: Values::Named(names) }
}

/// A parameter that is true or false.
pub const fn flag(path: &'static str) -> Range {
    Range { path, unit: "", origin: None, values: Values::Flag }
}

impl Range {
    /// The same row, marked as printed in the paper.
    #[must_use]
    pub const fn printed(self) -> Self {
        Self { origin: Some(Origin::Printed), ..self }
    }

    /// The same row, marked as inferred.
    #[must_use]
    pub const fn inferred(self) -> Self {
        Self { origin: Some(Origin::Inferred), ..self }
    }

    /// The same row, marked as an addition to the paper's machine.
    #[must_use]
    pub const fn added(self) -> Self {
        Self { origin: Some(Origin::Added), ..self }
    }

    /// Whether its values are numbers, so that they have a range to be checked.
    const fn is_number(&self) -> bool {
        !matches!(self.values, Values::Named(_) | Values::Flag)
    }

    fn holds(&self, value: f64) -> bool {
        match self.values {
            Values::Between(least, most) => (least..=most).contains(&value),
            Values::PowerOfTwo(least, most) => {
                let whole = value as u64;
                whole as f64 == value && whole.is_power_of_two() && (least..=most).contains(&whole)
            }
            Values::OneOf(values) => values.iter().any(|&v| v as f64 == value),
            Values::Named(_) | Values::Flag => false,
        }
    }
}

/// The range in words, such as "2 to 64 cycles".
impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.values {
            Values::Between(least, most) => write!(f, "{} to {}", short(least), short(most))?,
            Values::PowerOfTwo(least, most) => write!(f, "a power of two, {least} to {most}")?,
            Values::OneOf([rest @ .., last]) if !rest.is_empty() => {
                let rest: Vec<String> = rest.iter().map(u64::to_string).collect();
                write!(f, "{} or {last}", rest.join(", "))?;
            }
            Values::OneOf(values) => values.iter().try_for_each(|v| v.fmt(f))?,
            Values::Named(names) => names.join(", ").fmt(f)?,
            Values::Flag => "true or false".fmt(f)?,
        }
        if self.unit.is_empty() { Ok(()) } else { write!(f, " {}", self.unit) }
    }
}

/// A number as text; round numbers with many digits are written with an exponent.
fn short(number: f64) -> String {
    let (plain, exponent) = (number.to_string(), format!("{number:e}"));
    if plain.len() > 6 && exponent.len() < plain.len() { exponent } else { plain }
}

/// A parameter outside its range, or in conflict with another one.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{parameter} is {value}, it must be {must}")]
pub struct OutOfRange {
    /// The dotted path of the parameter.
    pub parameter: String,
    /// The value that it has.
    pub value: String,
    /// The allowed values, with the unit.
    pub must: String,
}

impl OutOfRange {
    /// An error with these fields unless `holds`, for a condition between parameters.
    ///
    /// # Errors
    /// The condition does not hold.
    pub fn unless(holds: bool, parameter: &str, value: impl fmt::Display, must: &str) -> Result<(), Self> {
        if holds {
            return Ok(());
        }
        Err(Self { parameter: parameter.to_owned(), value: value.to_string(), must: must.to_owned() })
    }
}

/// Checks every parameter of a design that has a row against its range.
///
/// # Errors
/// The first parameter that is out of range, or that the design does not have.
pub fn in_range<T: Serialize>(design: &T, sections: Sections) -> Result<(), OutOfRange> {
    let root = written(design)?;
    sections.iter().try_for_each(|(section, ranges)| {
        let mut path = section.split('.').filter(|name| !name.is_empty());
        let found = path.try_fold(&root, |at, name| at.get(name));
        compare(section, found, ranges)
    })
}

/// Checks the parameters of one section by itself. Errors name its parameters as those of the whole design.
///
/// # Errors
/// The same errors as [`in_range`].
pub fn section_in_range<T: Serialize>(name: &str, section: &T, ranges: &[Range]) -> Result<(), OutOfRange> {
    compare(name, Some(&written(section)?), ranges)
}

/// The design as TOML; fails only for integers of 2^63 and more.
fn written<T: Serialize>(design: &T) -> Result<Value, OutOfRange> {
    Value::try_from(design).map_err(|why| OutOfRange {
        parameter: "a number".to_owned(),
        value: why.to_string(),
        must: "less than 2^63".to_owned(),
    })
}

fn compare(name: &str, section: Option<&Value>, ranges: &[Range]) -> Result<(), OutOfRange> {
    let number = |value: &Value| match *value {
        Value::Integer(n) => Some(n as f64),
        Value::Float(x) => Some(x),
        _ => None,
    };
    for range in ranges.iter().filter(|range| range.is_number()) {
        let found = section.and_then(|at| range.path.split('.').try_fold(at, |at, name| at.get(name)));
        if !found.and_then(number).is_some_and(|value| range.holds(value)) {
            let value = found.map_or_else(|| "missing".to_owned(), Value::to_string);
            return Err(OutOfRange {
                parameter: full_path(name, range.path),
                value,
                must: range.to_string(),
            });
        }
    }
    Ok(())
}

pub(super) fn full_path(section: &str, path: &str) -> String {
    if section.is_empty() { path.to_owned() } else { format!("{section}.{path}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_words_with_units() {
        assert_eq!(between("latency", 2.0, 64.0, "cycles").to_string(), "2 to 64 cycles");
        assert_eq!(between("hz", 1e6, 1e11, "Hz").to_string(), "1e6 to 1e11 Hz");
        assert_eq!(between("bytes", 0.0, 16_777_216.0, "bytes").to_string(), "0 to 16777216 bytes");
        assert_eq!(power_of_two("pes", 2, 1024, "").to_string(), "a power of two, 2 to 1024");
        assert_eq!(one_of("bits", &[32, 64, 128], "bits").to_string(), "32, 64 or 128 bits");
        assert_eq!(one_of("bits", &[32], "").to_string(), "32");
        assert_eq!(named("style", &["pipelined", "iterative"]).to_string(), "pipelined, iterative");
        assert_eq!(flag("glv").to_string(), "true or false");
    }

    #[test]
    fn values_are_compared_exactly() {
        let pes = power_of_two("pes", 2, 1024, "");
        assert!([2.0, 512.0, 1024.0].into_iter().all(|v| pes.holds(v)));
        assert!(
            [-2.0, 0.0, 1.0, 3.0, 2.5, 2048.0, f64::NAN, f64::INFINITY].into_iter().all(|v| !pes.holds(v))
        );
        let volts = between("volts", 0.7, 1.1, "V");
        assert!(volts.holds(0.7) && volts.holds(1.1) && !volts.holds(1.2) && !volts.holds(f64::NAN));
    }
}
