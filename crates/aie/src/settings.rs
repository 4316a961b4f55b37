//! Descriptions of engines, fabrics and boards, changed field by field or by a file that says only what differs.
//!
//! A field is named by its path: `fabric.core_ports`; an element of a list that has names is found by its name:
//! `tile.machine.files.vector.size`, `tile.machine.classes.mac.latency`.

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;
use toml::{Table, Value};

/// A description cannot be changed so.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum SettingError {
    /// A file that is not TOML.
    #[error("line {line}: {}", why.message())]
    Text {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        why: toml::de::Error,
    },
    /// A name that nothing in the list has.
    #[error("{field}: there is no {name:?}; there are: {}", known.join(", "))]
    Unknown {
        /// The path.
        field: String,
        /// The part of it that is not there.
        name: String,
        /// What is there.
        known: Vec<String>,
    },
    /// A path that goes on behind a value, or through a list without names.
    #[error("{field}: nothing there has a field {name:?}")]
    Leaf {
        /// The path.
        field: String,
        /// The part of it that leads nowhere.
        name: String,
    },
    /// A field that there is not, or a value that it cannot have.
    #[error("{field}: {}", one_line(why))]
    Value {
        /// The path, or `file`.
        field: String,
        /// What is wrong with it.
        why: toml::de::Error,
    },
    /// A number that a file cannot hold.
    #[error(transparent)]
    Written(#[from] toml::ser::Error),
}

/// Serde says in a second line in which table it was.
fn one_line(why: &toml::de::Error) -> String {
    why.to_string().trim().replace('\n', " ")
}

/// The description with one field changed.
///
/// ```
/// use pairwright_aie::{settings, tile::Tile};
/// let tile = Tile::first_generation();
/// let more = settings::with(&tile, "machine.files.vector.size", "16").unwrap();
/// assert_eq!(more.machine.files[0].size, 16);
/// assert!(settings::with(&tile, "machine.files.colour.size", "16").is_err());
/// ```
///
/// # Errors
/// [`SettingError`]: no such field, or no such value. Whether a description can be built is not checked.
pub fn with<T: Serialize + DeserializeOwned>(base: &T, field: &str, value: &str) -> Result<T, SettingError> {
    let mut root = Value::try_from(base)?;
    let mut at = &mut root;
    for name in field.split('.') {
        at = match at {
            // A field that is not there is refused by the type, which knows the others, or it is an optional one.
            Value::Table(table) => table.entry(name).or_insert_with(|| Value::Table(Table::new())),
            Value::Array(list) if list.iter().all(|element| name_of(element).is_some()) => {
                let known: Vec<String> = list.iter().filter_map(name_of).map(str::to_owned).collect();
                let found = list.iter_mut().find(|element| name_of(element) == Some(name));
                let unknown =
                    || SettingError::Unknown { field: field.to_owned(), name: name.to_owned(), known };
                found.ok_or_else(unknown)?
            }
            _ => return Err(SettingError::Leaf { field: field.to_owned(), name: name.to_owned() }),
        };
    }
    *at = parsed(value);
    root.try_into().map_err(|why| SettingError::Value { field: field.to_owned(), why })
}

/// The description changed by a file in TOML: fields that it leaves out stay as they are, and so do elements of lists
/// with names.
///
/// # Errors
/// [`SettingError`]: no TOML, or a field or value that there is not. Whether a description can be built is not checked.
pub fn with_file<T: Serialize + DeserializeOwned>(base: &T, text: &str) -> Result<T, SettingError> {
    let change: Table = toml::from_str(text).map_err(|why: toml::de::Error| {
        let before = why.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        SettingError::Text { line: before.matches('\n').count() + 1, why }
    })?;
    let mut root = Value::try_from(base)?;
    merge(&mut root, Value::Table(change));
    root.try_into().map_err(|why| SettingError::Value { field: "file".to_owned(), why })
}

/// The whole description as such a file.
///
/// # Errors
/// [`SettingError::Written`]: a number above 2^63.
pub fn file<T: Serialize>(of: &T) -> Result<String, SettingError> {
    Ok(toml::to_string(of)?)
}

/// A value as TOML; what is none is a name.
fn parsed(text: &str) -> Value {
    let table: Option<Table> = toml::from_str(&format!("x = {text}")).ok();
    let only = table.filter(|table| table.len() == 1).and_then(|mut table| table.remove("x"));
    only.unwrap_or_else(|| Value::String(text.to_owned()))
}

fn name_of(element: &Value) -> Option<&str> {
    element.get("name").and_then(Value::as_str)
}

fn merge(into: &mut Value, change: Value) {
    match (into, change) {
        (Value::Table(table), Value::Table(change)) => {
            for (name, value) in change {
                match table.get_mut(&name) {
                    Some(old) => merge(old, value),
                    None => drop(table.insert(name, value)),
                }
            }
        }
        (Value::Array(list), Value::Array(change))
            if list.iter().chain(&change).all(|element| name_of(element).is_some()) =>
        {
            for element in change {
                match list.iter_mut().find(|old| name_of(old) == name_of(&element)) {
                    Some(old) => merge(old, element),
                    None => list.push(element),
                }
            }
        }
        (into, change) => *into = change,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tile::Tile;

    #[test]
    fn fields_are_found_by_their_path_and_elements_by_their_name() {
        let tile = Tile::first_generation();
        let size = |tile: &Tile| tile.machine.files.iter().map(|f| f.size).collect::<Vec<_>>();
        let more = with(&tile, "machine.files.vector.size", "16").unwrap();
        assert_eq!(size(&more), [&[16], &size(&tile)[1..]].concat());
        let slow = with(&tile, "machine.classes.load accumulator.latency", "20").unwrap();
        let class = |tile: &Tile| tile.machine.class("load accumulator").unwrap();
        assert_eq!(slow.machine.classes[class(&slow)].latency, 20);
        assert_eq!(with(&tile, "title", "a wide one").unwrap().title, "a wide one");
        let said = |field, value| with(&tile, field, value).unwrap_err().to_string();
        assert!(said("machine.files.colour.size", "1").contains("there are: vector, accumulator, scalar"));
        assert!(said("colour", "1").starts_with("colour: unknown field `colour`, expected one of `name`"));
        assert!(said("data_bytes", "many").starts_with("data_bytes: invalid type: string \"many\""));
        assert!(said("data_bytes", "-1").starts_with("data_bytes: invalid value: integer `-1`"));
        assert!(said("data_bytes.more", "1").contains("nothing there has a field \"more\""));
        for (field, value) in [("", ""), ("..", "1"), ("machine", "1"), ("machine.classes.mac.ways.0", "1")] {
            assert_eq!(said(field, value).lines().count(), 1);
        }
    }

    #[test]
    fn a_file_says_what_differs() {
        let tile = Tile::first_generation();
        assert_eq!(with_file(&tile, "").unwrap(), tile);
        assert_eq!(with_file(&tile, &file(&tile).unwrap()).unwrap(), tile);
        let text = "call_cycles = 7\n[[machine.files]]\nname = \"accumulator\"\nsize = 8\n";
        let changed = with_file(&tile, text).unwrap();
        let by_hand = with(&tile, "machine.files.accumulator.size", "8").unwrap();
        assert_eq!(changed, Tile { call_cycles: 7, ..by_hand });
        let said = |text| with_file(&tile, text).unwrap_err().to_string();
        assert!(said("\ncall_cycles 7\n").starts_with("line 2: "), "{}", said("\ncall_cycles 7\n"));
        assert!(said("colour = 1").starts_with("file: unknown field `colour`"), "{}", said("colour = 1"));
    }
}
