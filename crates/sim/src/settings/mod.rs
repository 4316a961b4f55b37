//! Designs of machines as data: every parameter has a dotted path, a range and a unit, and is changed by a file that
//! contains only the differences, or individually.
//!
//! A parameter is named by its path: `dram.latency`. An element of a list whose elements have names is selected by its
//! name: `machine.files.vector.size`. In every section `dram`, `preset` sets all parameters of a memory by name
//! ([`crate::dram::DramConfig::PRESETS`]); the other entries of the section change that memory.
//!
//! [`Changes`] collects the changes of files and options and applies them all before anything is checked, so two
//! changes that are valid only together may come in any order.
//!
//! ```
//! use pairwright_sim::settings::{Changes, Design, OutOfRange, Sections, between, in_range};
//!
//! #[derive(Clone, serde::Serialize, serde::Deserialize)]
//! #[serde(deny_unknown_fields)]
//! struct Adder { latency: u32, bits: u32 }
//!
//! impl Design for Adder {
//!     type Error = OutOfRange;
//!     const RANGES: Sections = &[("", &[between("latency", 1.0, 8.0, "cycles")])];
//!
//!     fn check(&self) -> Result<(), OutOfRange> {
//!         in_range(self, Self::RANGES)?;
//!         OutOfRange::unless(self.bits <= 64 * self.latency, "bits", self.bits, "at most 64 a cycle")
//!     }
//!
//!     fn out_of_range(why: &OutOfRange) -> Option<&OutOfRange> {
//!         Some(why)
//!     }
//! }
//!
//! let base = Adder { latency: 1, bits: 64 };
//! let mut changes = Changes::default();
//! changes.file("adder.toml", "bits = 256\n")?;
//! changes.set("--set", "latency=4")?;
//! assert_eq!(changes.build(&base)?.latency, 4);
//! changes.set("--set", "latency=9")?;
//! let said = changes.build(&base).err().map(|why| why.to_string());
//! assert_eq!(said.as_deref(), Some("--set: latency is 9, it must be 1 to 8 cycles"));
//! # Ok::<(), pairwright_sim::settings::SettingError>(())
//! ```

mod change;
mod error;
mod nearest;
mod range;

pub use change::Changes;
pub use error::SettingError;
pub use nearest::nearest;
pub use range::{
    Origin, OutOfRange, Range, Sections, between, flag, in_range, named, one_of, power_of_two,
    section_in_range,
};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The parameters of a machine.
pub trait Design: Clone + Serialize + DeserializeOwned {
    /// Why a machine with these parameters cannot be built.
    type Error: core::error::Error + Send + Sync + 'static;

    /// The ranges of its parameters. [`file()`] writes them beside the values.
    const RANGES: Sections;

    /// Whether the model can express the machine: ranges, and conditions between parameters.
    ///
    /// # Errors
    /// The first condition that does not hold.
    fn check(&self) -> Result<(), Self::Error>;

    /// The parameter that an error is about; `None` if it is not about a single one.
    fn out_of_range(why: &Self::Error) -> Option<&OutOfRange>;
}

/// The design with one parameter changed. Whether it can be built is not checked.
///
/// # Errors
/// No such parameter, or a value of another type.
pub fn with<T: Serialize + DeserializeOwned>(base: &T, path: &str, value: &str) -> Result<T, SettingError> {
    let mut changes = Changes::default();
    changes.value("a change", path, value);
    changes.apply(base)
}

/// The range rows of a design, each with its full path.
fn rows<D: Design>() -> Vec<(String, &'static Range)> {
    let rows = D::RANGES.iter().flat_map(|&(section, ranges)| ranges.iter().map(move |r| (section, r)));
    rows.map(|(s, range)| (range::full_path(s, range.path), range)).collect()
}

/// The design as a TOML file with all its parameters and their ranges in comments.
///
/// # Errors
/// [`SettingError::Written`]: a number above 2^63.
pub fn file<D: Design>(of: &D) -> Result<String, SettingError> {
    let text = toml::to_string(of)?;
    let rows = rows::<D>();
    let mut section = "";
    let mut out = String::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_matches(['[', ']']);
        }
        let key = line.split_once(" = ").map(|(key, _)| range::full_path(section, key));
        out += line;
        if let Some((_, range)) = rows.iter().find(|(path, _)| Some(path) == key.as_ref()) {
            out += &format!("  # {range}");
            if let Some(origin) = range.origin {
                out += &format!("; {}", origin.name());
            }
        }
        out += "\n";
    }
    Ok(out)
}

/// A parameter of a design with its value.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Parameter {
    /// The dotted path that files and options name it by.
    pub path: String,
    /// The value that the design has, as TOML.
    pub value: String,
    /// The allowed values with their unit; empty if the parameter has no range row.
    pub range: String,
    /// The source of the published design's value.
    pub origin: Option<Origin>,
}

/// Every parameter of a design in the order of its file, except those inside lists.
///
/// # Errors
/// [`SettingError::Written`]: a number above 2^63.
pub fn parameters<D: Design>(of: &D) -> Result<Vec<Parameter>, SettingError> {
    let (mut all, rows) = (Vec::new(), rows::<D>());
    nearest::leaves(&toml::Value::try_from(of)?, "", &mut |path, value| {
        let range = rows.iter().find(|(known, _)| known == path).map(|(_, range)| *range);
        all.push(Parameter {
            path: path.to_owned(),
            value: value.to_string(),
            range: range.map_or_else(String::new, Range::to_string),
            origin: range.and_then(|range| range.origin),
        });
    });
    Ok(all)
}

#[cfg(test)]
mod tests;
