//! Reads value change dumps and compares two of the same run signal by signal.

use crate::error::RtlError;
use std::collections::{BTreeMap, BTreeSet};

/// The changes of all signals over a run.
#[derive(Debug, Default)]
pub struct Dump {
    /// Width in bits and short identifier of every signal, by its path of scopes and name, joined by dots.
    signals: BTreeMap<String, (u32, String)>,
    /// Changes by short identifier, in order: time and value, in binary without leading zeros; `None` if unknown.
    changes: BTreeMap<String, Vec<(u64, Option<String>)>>,
}

/// The extent of an agreement between two dumps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Agreement {
    /// Signals of the first dump, all of which the second one has.
    pub signals: usize,
    /// Number of compared values: those known to the first dump, at the times of changes.
    pub values: u64,
}

impl Dump {
    /// Reads a dump; unknown keywords are skipped.
    pub fn parse(text: &str) -> Self {
        let mut dump = Self::default();
        let mut scopes: Vec<&str> = Vec::new();
        let mut time = 0;
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            let mut command = || -> Vec<&str> { words.by_ref().take_while(|word| *word != "$end").collect() };
            match word {
                "$scope" => scopes.push(command().get(1).copied().unwrap_or_default()),
                "$upscope" => {
                    command();
                    scopes.pop();
                }
                "$var" => {
                    if let [_, bits, code, name, ..] = command()[..] {
                        let path: String = scopes.iter().flat_map(|scope| [*scope, "."]).collect();
                        let bits = bits.parse().unwrap_or(0);
                        dump.signals.insert(path + name, (bits, code.to_owned()));
                    }
                }
                "$comment" | "$date" | "$version" | "$timescale" => drop(command()),
                _ => match word.split_at_checked(1) {
                    Some(("#", at)) => time = at.parse().unwrap_or(time),
                    Some(("b" | "B", value)) => {
                        let code = words.next().unwrap_or_default();
                        dump.change(code, time, value);
                    }
                    Some((value @ ("0" | "1" | "x" | "X" | "z" | "Z"), code)) => {
                        dump.change(code, time, value)
                    }
                    _ => {}
                },
            }
        }
        dump
    }

    fn change(&mut self, code: &str, time: u64, value: &str) {
        let known = value.bytes().all(|bit| matches!(bit, b'0' | b'1'));
        let value = known.then(|| value.trim_start_matches('0').to_owned());
        self.changes.entry(code.to_owned()).or_default().push((time, value));
    }

    /// The value of a signal at a time; `None` if unknown.
    fn at(&self, code: &str, time: u64) -> Option<&str> {
        let changes = self.changes.get(code)?;
        let after = changes.partition_point(|(change, _)| *change <= time);
        changes[..after].last()?.1.as_deref()
    }

    /// Compares a model's dump with that of its hardware: the hardware must have every signal of the model with the
    /// same width, and the same value at every change where the model's value is known.
    ///
    /// # Errors
    /// [`RtlError::Differs`] with the first signal that is missing, has another width, or another value; [`RtlError::Unjudged`]
    /// if nothing was compared.
    pub fn agrees(&self, hardware: &Self, block: &str) -> Result<Agreement, RtlError> {
        let differs = |cycle: u64, signal: &str, [hardware, model]: [String; 2]| RtlError::Differs {
            block: format!("{block} as waveforms"),
            cycle,
            signal: signal.to_owned(),
            hardware,
            model,
        };
        let mut agreed = Agreement { signals: self.signals.len(), values: 0 };
        for (name, (bits, code)) in &self.signals {
            let Some((theirs, other)) = hardware.signals.get(name) else {
                return Err(differs(0, name, ["missing", "there"].map(str::to_owned)));
            };
            if theirs != bits {
                return Err(differs(0, name, [theirs, bits].map(|bits| format!("of {bits} bits"))));
            }
            let times = |dump: &Self, code: &str| -> BTreeSet<u64> {
                dump.changes.get(code).into_iter().flatten().map(|(time, _)| *time).collect()
            };
            for time in &times(self, code) | &times(hardware, other) {
                let Some(model) = self.at(code, time) else { continue };
                let there = hardware.at(other, time);
                if there != Some(model) {
                    let shown = |value: Option<&str>| match value {
                        Some("") => "0".to_owned(),
                        Some(bits) => format!("0b{bits}"),
                        None => "unknown".to_owned(),
                    };
                    return Err(differs(time / 2, name, [shown(there), shown(Some(model))]));
                }
                agreed.values += 1;
            }
        }
        if agreed.values == 0 {
            return Err(RtlError::Unjudged { block: format!("{block} as waveforms"), cycles: 0 });
        }
        Ok(agreed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = "$timescale 1 ns $end\n$scope module m $end\n$var wire 1 ! v $end\n$scope module row[0] $end\n$var wire 8 \" c \
                         [7:0] $end\n$upscope $end\n$upscope $end\n$enddefinitions $end\n#1\n0!\n#3\n1!\nb101 \"\n#5\nbx \"\n";
    const HARDWARE: &str = "$version a $end $scope module m $end $var wire 1 a v [0:0] $end $var wire 4 b more $end $scope module row[0] \
                            $end $var wire 8 c c [7:0] $end $upscope $end $upscope $end $enddefinitions $end #0 0a b0000 b b00000000 c #3 1a \
                            b00000101 c #5 b00001111 c";

    fn compared(hardware: &str) -> Result<Agreement, RtlError> {
        Dump::parse(MODEL).agrees(&Dump::parse(hardware), "m")
    }

    #[test]
    fn what_the_model_knows_is_compared() {
        // `v` at times 1 and 3, `c` at time 3; at 0 and 5 the model's values are unknown.
        assert_eq!(compared(HARDWARE).unwrap(), Agreement { signals: 2, values: 3 });
    }

    #[test]
    fn another_value_width_or_name_is_a_difference() {
        for (from, to, wanted) in [
            ("b00000101", "b00000111", "cycle 1: m.row[0].c is 0b111 in the hardware and 0b101"),
            ("#3 1a", "#4 1a", "m.row[0].c is 0 in the hardware and 0b101"),
            ("wire 8 c", "wire 9 c", "of 9 bits"),
            ("row[0]", "row[1]", "missing"),
            ("#3 1a", "#2 1a #3", "m.v is 0b1"),
        ] {
            let error = compared(&HARDWARE.replace(from, to)).unwrap_err().to_string();
            assert!(error.contains(wanted), "{error}");
        }
        let nothing = Dump::parse("").agrees(&Dump::parse(HARDWARE), "m");
        assert!(matches!(nothing, Err(RtlError::Unjudged { .. })));
    }
}
