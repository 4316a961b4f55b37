//! The errors of changing a design.

use super::OutOfRange;
use core::error::Error as StdError;
use thiserror::Error;

/// Why a design cannot be changed as requested. Every message is one line that begins with the source of the change: an
/// option such as `--set`, or a file and its line.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SettingError {
    /// A file that is not TOML.
    #[error("{place}: {}", one_line(why))]
    Syntax {
        /// The file and its line.
        place: String,
        /// The first syntax error in the text.
        why: Box<toml::de::Error>,
    },
    /// A setting without an equals sign.
    #[error("{option}: `{text}` is not FIELD=VALUE")]
    NoValue {
        /// The option that it was given to.
        option: &'static str,
        /// The text that was given.
        text: String,
    },
    /// A list has no element of this name.
    #[error("{place}: {path}: there is no {name:?}; there are: {}", known.join(", "))]
    NoElement {
        /// The file and line, or the option, that asked for the change.
        place: String,
        /// The path of the parameter.
        path: String,
        /// The part of the path that names the element.
        name: String,
        /// The names of the elements that the list has.
        known: Vec<String>,
    },
    /// A path that continues past a plain value, or through a list whose elements have no names.
    #[error("{place}: {path}: nothing there has a field {name:?}")]
    NoFields {
        /// The file and line, or the option, that asked for the change.
        place: String,
        /// The path of the parameter.
        path: String,
        /// The part of the path that does not exist.
        name: String,
    },
    /// A parameter that the design does not have, or a value that is not one of its allowed names.
    #[error("{place}: {path}: {}{}", one_line(why), meant(nearest.as_deref()))]
    Value {
        /// The file and line, or the option, that asked for the change.
        place: String,
        /// The path of the parameter.
        path: String,
        /// The error of the design's type.
        why: Box<toml::de::Error>,
        /// The parameter that was probably meant.
        nearest: Option<String>,
    },
    /// A value of another type than the parameter's.
    #[error("{place}: {path}: wrong type: {value} is {is}, it must be {must}")]
    WrongType {
        /// The file and line, or the option, that asked for the change.
        place: String,
        /// The path of the parameter.
        path: String,
        /// The value that was given, as TOML.
        value: String,
        /// The type of the value that was given, in words.
        is: &'static str,
        /// The type of the parameter, in words.
        must: &'static str,
    },
    /// An unknown preset name of a memory.
    #[error("{place}: {why}")]
    Preset {
        /// The file and line, or the option, that asked for the change.
        place: String,
        /// The error that lists the known names.
        why: OutOfRange,
    },
    /// A design that was read but cannot be built.
    #[error("{}{why}", before(place.as_deref()))]
    Refused {
        /// The source of the value of the parameter at fault, if a change set it.
        place: Option<String>,
        /// The error of the machine's model.
        why: Box<dyn StdError + Send + Sync>,
    },
    /// A number that TOML cannot hold.
    #[error(transparent)]
    Written(#[from] toml::ser::Error),
}

/// The message without the excerpt of the source text.
fn one_line(why: &toml::de::Error) -> String {
    why.message().trim().replace('\n', " ")
}

fn before(place: Option<&str>) -> String {
    place.map_or_else(String::new, |place| format!("{place}: "))
}

fn meant(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |path| format!("; did you mean {path}?"))
}
