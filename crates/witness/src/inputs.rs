//! Values for the input signals of a circuit.

use crate::integer::Integer;
use crate::{WitnessError, file, json};
use pairwright_field::PrimeField;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// Values for the input signals of a circuit, by name.
///
/// The values are integers of any size and sign. They are reduced modulo the prime when a witness is computed, as circom's own
/// calculators do. `Debug` shows names and numbers of values but not the values, which are wiped when the inputs are dropped.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    signals: BTreeMap<String, Vec<Integer>>,
    path: Option<PathBuf>,
}

impl Inputs {
    /// Makes an empty set of inputs, to which [`Inputs::insert`] adds signals.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads circom's `input.json`.
    ///
    /// The document is an object with one member per signal. A value is a decimal string, a string of hexadecimal digits after
    /// `0x`, an integer of any size (exact: no floating point is used), or a boolean; strings and integers may be negative.
    /// Arrays are flattened in row-major order, whatever their nesting, and only the number of values is compared with the
    /// circuit's. Objects are buses: `{"p": {"x": 1}}` and `{"p": [{"x": 1}]}` set the signals `p.x` and `p[0].x`.
    ///
    /// # Errors
    /// [`WitnessError::Json`], [`WitnessError::Value`] (naming signal and position), [`WitnessError::Duplicate`],
    /// [`WitnessError::Mixed`], [`WitnessError::Nesting`].
    pub fn from_json(text: &str) -> Result<Self, WitnessError> {
        Ok(Self { signals: json::read(text)?, path: None })
    }

    /// Reads a file as [`Inputs::from_json`] does. Errors name the file, including errors of a later run that the inputs cause.
    ///
    /// # Errors
    /// [`WitnessError::File`], [`WitnessError::TooLarge`], and those of [`Inputs::from_json`] as [`WitnessError::In`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, WitnessError> {
        let path = path.as_ref().to_owned();
        match json::read(&Zeroizing::new(file::inputs(&path)?)) {
            Err(e) => Err(e.in_file(Some(&path))),
            Ok(signals) => Ok(Self { signals, path: Some(path) }),
        }
    }

    /// Adds a signal with its values in row-major order.
    ///
    /// # Errors
    /// [`WitnessError::Duplicate`] if the signal has values already.
    pub fn insert<F: PrimeField>(&mut self, signal: &str, values: &[F]) -> Result<(), WitnessError> {
        if self.signals.contains_key(signal) {
            return Err(WitnessError::Duplicate(signal.to_owned()));
        }
        self.signals.insert(signal.to_owned(), values.iter().map(Integer::from_field).collect());
        Ok(())
    }

    /// The signals in the order of their names, each with the number of its values.
    pub fn signals(&self) -> impl Iterator<Item = (&str, usize)> {
        self.signals.iter().map(|(name, values)| (name.as_str(), values.len()))
    }

    /// A signal that is given both as a whole and in part, with the name of the part; `None` if there is none.
    pub(crate) fn overlap(&self) -> Option<(&String, &String)> {
        self.signals.keys().find_map(|whole| {
            let part = ['.', '['].into_iter().find_map(|sign| {
                let prefix = format!("{whole}{sign}");
                let (part, _) = self.signals.range(prefix.clone()..).next()?;
                part.starts_with(&prefix).then_some(part)
            })?;
            Some((whole, part))
        })
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&String, &Vec<Integer>)> {
        self.signals.iter()
    }

    pub(crate) fn path(&self) -> Option<&PathBuf> {
        self.path.as_ref()
    }
}
