//! The cells of a library that add bits, found by their functions.

use crate::error::RtlError;
use crate::synth::{Function, Library};

/// A cell with two outputs: the sum of its inputs and their carry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Adder {
    /// Its name in the library.
    pub(super) cell: String,
    inputs: Vec<String>,
    sum: String,
    carry: String,
}

/// The smallest cells of a library that add three bits and two.
pub(super) struct Adders {
    pub(super) full: Adder,
    pub(super) half: Adder,
}

impl Adders {
    /// Looks for them.
    ///
    /// # Errors
    /// [`RtlError::Output`] with what the library lacks.
    pub(super) fn of(library: &Library) -> Result<Self, RtlError> {
        let find = |inputs: usize, what: &str| {
            Adder::smallest(library, inputs).ok_or_else(|| RtlError::Output {
                tool: "Liberty".to_owned(),
                what: library.path.display().to_string(),
                missing: format!("cell that adds {what} bits, with outputs for sum and carry"),
            })
        };
        Ok(Self { full: find(3, "three")?, half: find(2, "two")? })
    }

    /// The cells as modules whose inside is not known.
    pub(super) fn modules(&self) -> String {
        format!("{}{}", self.full.module(), self.half.module())
    }
}

impl Adder {
    /// The smallest cell that adds so many bits.
    fn smallest(library: &Library, inputs: usize) -> Option<Self> {
        let cells = library.cells.iter().filter(|(_, cell)| {
            cell.state.is_none() && cell.inputs.len() == inputs && cell.outputs.len() == 2
        });
        let adders = cells.filter_map(|(name, cell)| {
            let pins: Vec<String> = cell.inputs.keys().cloned().collect();
            let cases = (1u64 << (1 << inputs)) - 1;
            let table = |want: fn(u32) -> bool| {
                (0..1u32 << inputs).fold(0u64, |all, case| all | u64::from(want(case.count_ones())) << case)
            };
            let output = |want: u64| {
                let functions = cell.functions.iter().find(|(_, text)| {
                    Function::parse(text, &pins).is_some_and(|function| function.table() & cases == want)
                });
                functions.map(|(pin, _)| pin.clone())
            };
            let sum = output(table(|ones| ones & 1 == 1))?;
            let carry = output(table(|ones| ones > 1))?;
            Some((cell.area, Self { cell: name.clone(), inputs: pins, sum, carry }))
        });
        adders.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, adder)| adder)
    }

    /// The connections of an instance.
    pub(super) fn instance<'a>(
        &self,
        inputs: impl Iterator<Item = &'a str>,
        sum: &str,
        carry: &str,
    ) -> String {
        let inputs = self.inputs.iter().zip(inputs).map(|(pin, net)| format!(".{pin}({net}), "));
        format!("{}.{}({sum}), .{}({carry})", inputs.collect::<String>(), self.sum, self.carry)
    }

    fn module(&self) -> String {
        let inputs: String = self.inputs.iter().map(|pin| format!("input wire {pin}, ")).collect();
        format!(
            "(* blackbox *)\nmodule {} ({inputs}output wire {}, output wire {});\nendmodule\n\n",
            self.cell, self.sum, self.carry
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synth::BUILT_IN;
    use std::path::Path;

    #[test]
    fn adders_are_found_by_their_functions() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(BUILT_IN);
        let adders = Adders::of(&Library::read(&path).unwrap()).unwrap();
        assert_eq!(adders.full.cell, "sky130_fd_sc_hd__fa_1");
        assert_eq!(adders.half.cell, "sky130_fd_sc_hd__ha_1");
        assert_eq!(
            adders.full.instance(["x", "y", "z"].into_iter(), "s", "c"),
            ".A(x), .B(y), .CIN(z), .SUM(s), .COUT(c)"
        );
    }

    #[test]
    fn a_library_without_them_is_told_what_it_lacks() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let text = "library (small) { capacitive_load_unit (1, ff); nom_voltage : 1; cell (NAND2_1) { area : 1; } }";
        std::fs::write(file.path(), text).unwrap();
        let error = Adders::of(&Library::read(file.path()).unwrap()).err().map(|error| error.to_string());
        assert!(error.is_some_and(|error| error.contains("adds three bits")));
    }
}
