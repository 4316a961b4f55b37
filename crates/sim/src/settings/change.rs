//! Changes of a design by files and options, applied in order, with the source of each change.

use super::nearest::nearest;
use super::range::full_path;
use super::{Design, SettingError};
use crate::dram;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use toml::de::{DeTable, DeValue};
use toml::{Table, Value};

/// Changes of a design, in the order in which they apply: a later one of the same parameter wins.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    list: Vec<Change>,
}

#[derive(Clone, Debug)]
enum Change {
    /// A file: its name, its contents, and the line of every path in it.
    File { name: String, table: Table, lines: BTreeMap<String, usize> },
    /// An option: its name, a path, and the value as text.
    Option { name: &'static str, path: String, text: String },
}

/// A value to be set at a path.
struct Assignment {
    place: String,
    names: Vec<String>,
    value: Value,
}

impl Changes {
    /// Adds a TOML file; errors refer to it as `name`.
    ///
    /// # Errors
    /// [`SettingError::Syntax`].
    pub fn file(&mut self, name: &str, text: &str) -> Result<(), SettingError> {
        let line = |at: usize| text.get(..at).unwrap_or(text).matches('\n').count() + 1;
        let syntax = |why: toml::de::Error| {
            let at = why.span().map_or(0, |span| span.start);
            SettingError::Syntax { place: format!("{name}, line {}", line(at)), why: Box::new(why) }
        };
        let table: Table = toml::from_str(text).map_err(syntax)?;
        let spans = DeTable::parse(text).map_err(syntax)?;
        let mut lines = BTreeMap::new();
        note_lines(spans.get_ref(), "", &line, &mut lines);
        self.list.push(Change::File { name: name.to_owned(), table, lines });
        Ok(())
    }

    /// Adds a setting given to an option, such as `dram.latency=200`.
    ///
    /// # Errors
    /// [`SettingError::NoValue`].
    pub fn set(&mut self, option: &'static str, setting: &str) -> Result<(), SettingError> {
        let none = || SettingError::NoValue { option, text: setting.to_owned() };
        let (path, value) = setting.split_once('=').ok_or_else(none)?;
        self.value(option, path, value);
        Ok(())
    }

    /// Adds a value for the parameter at `path`, given to an option.
    pub fn value(&mut self, option: &'static str, path: &str, value: &str) {
        self.list.push(Change::Option { name: option, path: path.to_owned(), text: value.to_owned() });
    }

    /// The changes that come from files, without those of options.
    #[must_use]
    pub fn files(&self) -> Self {
        Self {
            list: self.list.iter().filter(|change| matches!(change, Change::File { .. })).cloned().collect(),
        }
    }

    /// Whether there are no changes.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether an option sets this parameter by exactly this path.
    pub fn sets(&self, parameter: &str) -> bool {
        self.list.iter().any(|change| matches!(change, Change::Option { path, .. } if path == parameter))
    }

    /// Moves the option settings whose paths begin with `section` into a new list, with the section removed from their
    /// paths. Their errors begin with `option` from now on.
    #[must_use]
    pub fn take_section(&mut self, section: &str, option: &'static str) -> Self {
        let inside = |path: &str| path.strip_prefix(section)?.strip_prefix('.').map(str::to_owned);
        let mut list = Vec::new();
        self.list.retain(|change| match change {
            Change::Option { path, text, .. } => match inside(path) {
                Some(path) => {
                    list.push(Change::Option { name: option, path, text: text.clone() });
                    false
                }
                None => true,
            },
            Change::File { .. } => true,
        });
        Self { list }
    }

    /// The changed design, after its check.
    ///
    /// # Errors
    /// [`SettingError`]: a change that the design cannot take, or a design that cannot be built.
    pub fn build<D: Design>(&self, base: &D) -> Result<D, SettingError> {
        let design = self.apply(base)?;
        self.check(&design)?;
        Ok(design)
    }

    /// The changed design without a check of whether it can be built.
    ///
    /// # Errors
    /// [`SettingError`]: a parameter that the design does not have, or a value of another type.
    pub fn apply<T: Serialize + DeserializeOwned>(&self, base: &T) -> Result<T, SettingError> {
        let start = Value::try_from(base)?;
        let (mut root, mut steps) = (start.clone(), Vec::new());
        for change in &self.list {
            for step in change.steps(&root)? {
                step.put(&mut root)?;
                steps.push(step);
            }
        }
        root.try_into().or_else(|why| {
            // The first assignment after which the table no longer deserialises is the faulty one.
            let mut root = start;
            for step in steps {
                let before = root.clone();
                step.put(&mut root)?;
                let read: Result<T, _> = root.clone().try_into();
                read.map_err(|why| step.refused(why, &before))?;
            }
            let (place, path) = (String::new(), String::new());
            Err(SettingError::Value { place, path, why: Box::new(why), nearest: None })
        })
    }

    /// Checks a design made by these changes; an error about a parameter out of range names the file line or option
    /// that set it.
    ///
    /// # Errors
    /// [`SettingError::Refused`].
    pub fn check<D: Design>(&self, design: &D) -> Result<(), SettingError> {
        design.check().map_err(|why| {
            let place = D::out_of_range(&why).and_then(|range| self.place(&range.parameter));
            SettingError::Refused { place, why: Box::new(why) }
        })
    }

    /// The file and line, or the option, that last set a parameter.
    fn place(&self, parameter: &str) -> Option<String> {
        self.list.iter().rev().find_map(|change| match change {
            Change::File { name, lines, .. } => {
                lines.get(parameter).map(|line| format!("{name}, line {line}"))
            }
            Change::Option { name, path, .. } => (path == parameter).then(|| (*name).to_owned()),
        })
    }
}

impl Change {
    /// The assignments of this change, one per parameter.
    fn steps(&self, root: &Value) -> Result<Vec<Assignment>, SettingError> {
        let mut steps = Vec::new();
        match self {
            Self::File { name, table, lines } => {
                let place = |path: &str| match lines.get(path) {
                    Some(line) => format!("{name}, line {line}"),
                    None => name.clone(),
                };
                split(Some(root), Value::Table(table.clone()), &mut Vec::new(), &place, &mut steps)?;
            }
            Self::Option { name, path, text } => {
                let mut names: Vec<String> = path.split('.').map(str::to_owned).collect();
                let old = names.iter().try_fold(root, |at, name| child(at, name));
                split(old, parsed(text, old), &mut names, &|_| (*name).to_owned(), &mut steps)?;
            }
        }
        Ok(steps)
    }
}

/// Splits a change into one assignment for every parameter that the design has.
fn split(
    old: Option<&Value>,
    new: Value,
    names: &mut Vec<String>,
    place: &dyn Fn(&str) -> String,
    steps: &mut Vec<Assignment>,
) -> Result<(), SettingError> {
    let path = names.join(".");
    let named = |list: &[Value]| list.iter().all(|element| name_of(element).is_some());
    let parts: Vec<(String, Value)> = match (old, new) {
        (Some(Value::Table(_)), Value::Table(mut new)) => {
            // The preset of a memory is applied before the entries that change it.
            let preset = new.remove("preset").map(|value| ("preset".to_owned(), value));
            preset.into_iter().chain(new).collect()
        }
        (Some(Value::Array(list)), Value::Array(new)) if named(list) && named(&new) => new
            .into_iter()
            .map(|element| (name_of(&element).unwrap_or_default().to_owned(), element))
            .collect(),
        (_, value) => {
            let memory = names.len() >= 2 && names[names.len() - 2..] == ["dram", "preset"];
            let value = match value {
                Value::String(name) if memory => {
                    names.pop();
                    let unknown = |why| SettingError::Preset { place: place(&path), why };
                    Value::try_from(dram::DramConfig::preset(&name).map_err(unknown)?)?
                }
                value => value,
            };
            steps.push(Assignment { place: place(&path), names: names.clone(), value });
            if memory {
                names.push("preset".to_owned());
            }
            return Ok(());
        }
    };
    for (name, value) in parts {
        let old = old.and_then(|old| child(old, &name));
        names.push(name);
        split(old, value, names, place, steps)?;
        names.pop();
    }
    Ok(())
}

impl Assignment {
    /// The error for a value that the type does not accept. `before` is the design without the assignment.
    fn refused(&self, why: toml::de::Error, before: &Value) -> SettingError {
        let (place, path) = (self.place.clone(), self.names.join("."));
        let old = self.names.iter().try_fold(before, |at, name| child(at, name));
        if let Some(old) = old
            && type_of(old) != type_of(&self.value)
        {
            let (is, must) = (type_of(&self.value), type_of(old));
            return SettingError::WrongType { place, path, value: self.value.to_string(), is, must };
        }
        let nearest = if old.is_none() { nearest(before, &path) } else { None };
        SettingError::Value { place, path, why: Box::new(why), nearest }
    }

    fn put(&self, root: &mut Value) -> Result<(), SettingError> {
        let (place, path) = (self.place.clone(), || self.names.join("."));
        let mut at = root;
        for (n, name) in self.names.iter().enumerate() {
            at = match at {
                // A field that is missing is optional, or is refused by the type, whose error lists the known fields.
                Value::Table(table) => {
                    table.entry(name.as_str()).or_insert_with(|| Value::Table(Table::new()))
                }
                Value::Array(list) if list.iter().all(|element| name_of(element).is_some()) => {
                    match list.iter().position(|element| name_of(element) == Some(name)) {
                        Some(found) => &mut list[found],
                        // A complete element in a file is appended as a new one.
                        None if n + 1 == self.names.len() && name_of(&self.value) == Some(name) => {
                            list.push(self.value.clone());
                            return Ok(());
                        }
                        None => {
                            let known = list.iter().filter_map(name_of).map(str::to_owned).collect();
                            let name = name.clone();
                            return Err(SettingError::NoElement { place, path: path(), name, known });
                        }
                    }
                }
                _ => return Err(SettingError::NoFields { place, path: path(), name: name.clone() }),
            };
        }
        *at = self.value.clone();
        Ok(())
    }
}

/// The field or list element with this name.
fn child<'a>(of: &'a Value, name: &str) -> Option<&'a Value> {
    match of {
        Value::Table(table) => table.get(name),
        Value::Array(list) => list.iter().find(|element| name_of(element) == Some(name)),
        _ => None,
    }
}

/// The type of a value, in words for error messages.
fn type_of(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "a name",
        Value::Integer(_) => "a whole number",
        Value::Float(_) => "a number",
        Value::Boolean(_) => "true or false",
        Value::Datetime(_) => "a date",
        Value::Array(_) => "a list",
        Value::Table(_) => "a section",
    }
}

fn name_of(element: &Value) -> Option<&str> {
    element.get("name").and_then(Value::as_str)
}

/// A text parsed as a TOML value. Text that is not TOML becomes a string, and so does any text where the old value is a
/// string.
fn parsed(text: &str, old: Option<&Value>) -> Value {
    let name = || Value::String(text.to_owned());
    let table: Option<Table> = toml::from_str(&format!("x = {text}")).ok();
    let only = table.filter(|table| table.len() == 1).and_then(|mut table| table.remove("x"));
    match (only, old) {
        (Some(value @ Value::String(_)), Some(Value::String(_))) => value,
        (_, Some(Value::String(_))) | (None, _) => name(),
        (Some(value), _) => value,
    }
}

/// Records the line of every path of a file.
fn note_lines(
    table: &DeTable<'_>,
    section: &str,
    line: &dyn Fn(usize) -> usize,
    lines: &mut BTreeMap<String, usize>,
) {
    for (key, value) in table {
        let path = full_path(section, key.get_ref());
        lines.insert(path.clone(), line(key.span().start));
        match value.get_ref() {
            DeValue::Table(inner) => note_lines(inner, &path, line, lines),
            DeValue::Array(list) => {
                for element in list {
                    if let DeValue::Table(inner) = element.get_ref()
                        && let Some(name) = inner.get("name").and_then(|name| name.get_ref().as_str())
                    {
                        let path = format!("{path}.{name}");
                        lines.insert(path.clone(), line(element.span().start));
                        note_lines(inner, &path, line, lines);
                    }
                }
            }
            _ => {}
        }
    }
}
