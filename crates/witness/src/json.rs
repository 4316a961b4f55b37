//! Reads circom's `input.json`: an object of signals, with arrays flattened in row-major order and objects for buses.

use crate::integer::Integer;
use crate::{ValueError, WitnessError};
use core::fmt;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use zeroize::Zeroizing;

/// Largest nesting depth of arrays and objects. The text is scanned once per level, so this bound keeps reading linear.
pub(crate) const MAX_DEPTH: usize = 64;

type Signals = BTreeMap<String, Vec<Integer>>;

/// Reads all signals of a document.
pub(crate) fn read(text: &str) -> Result<Signals, WitnessError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut signals = Signals::new();
    members(serde_json::from_str(text)?, "", 0, &mut signals)?;
    Ok(signals)
}

/// The members of an object in the order of the text, with values that are not parsed yet.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Vec<(String, &'de RawValue)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of input signals")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(members)
            }
        }
        from.deserialize_map(InOrder).map(Members)
    }
}

/// Reads an object of signals, or of the fields of a bus, whose names are joined with dots.
fn members(object: Members<'_>, prefix: &str, depth: usize, out: &mut Signals) -> Result<(), WitnessError> {
    for (name, value) in object.0 {
        let name = if prefix.is_empty() { name } else { format!("{prefix}.{name}") };
        let mut signal = Signal { name: &name, path: Vec::new(), values: Vec::new(), has_objects: false };
        signal.read(value, depth, out)?;
        let Signal { values, has_objects, .. } = signal;
        if !has_objects && out.insert(name.clone(), values).is_some() {
            return Err(WitnessError::Duplicate(name));
        }
    }
    Ok(())
}

/// The state of reading the value of a signal.
struct Signal<'n> {
    name: &'n str,
    /// The current index on each level of nested arrays.
    path: Vec<usize>,
    values: Vec<Integer>,
    has_objects: bool,
}

impl Signal<'_> {
    fn read(&mut self, raw: &RawValue, depth: usize, out: &mut Signals) -> Result<(), WitnessError> {
        if depth > MAX_DEPTH {
            return Err(WitnessError::Nesting(self.name.to_owned()));
        }
        let below = depth.saturating_add(1);
        let text = raw.get();
        match text.as_bytes().first() {
            Some(b'[') => {
                let items: Vec<&RawValue> = serde_json::from_str(text)?;
                for (i, item) in items.into_iter().enumerate() {
                    self.path.push(i);
                    self.read(item, below, out)?;
                    self.path.pop();
                }
                Ok(())
            }
            Some(b'{') => {
                self.has_objects = true;
                if !self.values.is_empty() {
                    return Err(WitnessError::Mixed(self.name.to_owned()));
                }
                members(serde_json::from_str(text)?, &self.place(), below, out)
            }
            _ if self.has_objects => Err(WitnessError::Mixed(self.name.to_owned())),
            Some(b'"') => {
                let text: Zeroizing<String> = Zeroizing::new(serde_json::from_str(text)?);
                self.push(Integer::parse(&text))
            }
            Some(b't') => self.push(Ok(Integer::from_bool(true))),
            Some(b'f') => self.push(Ok(Integer::from_bool(false))),
            Some(b'n') => self.push(Err(ValueError::Null)),
            // A number in JSON's grammar.
            _ if text.contains(['.', 'e', 'E']) => self.push(Err(ValueError::Fraction)),
            _ => self.push(Integer::parse(text)),
        }
    }

    fn push(&mut self, value: Result<Integer, ValueError>) -> Result<(), WitnessError> {
        let value = value.map_err(|why| WitnessError::Value {
            signal: self.name.to_owned(),
            index: self.values.len(),
            place: self.place(),
            why,
        })?;
        self.values.push(value);
        Ok(())
    }

    fn place(&self) -> String {
        self.path.iter().fold(self.name.to_owned(), |place, i| format!("{place}[{i}]"))
    }
}
