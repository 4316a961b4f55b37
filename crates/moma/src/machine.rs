//! Machine descriptions: the words, native operations and styles of a target, as data.
//!
//! A machine is a TOML file. The built-in ones are in `machines/`; [`Machine::parse`] reads any other, so that a new
//! machine for a known printer needs no code.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::error::{MachineError, MomaError};
use crate::ir::Op;
use crate::print::Printer;
use crate::product::ProductStyle;
use crate::registry::Named;

/// The method by which the rules compare two values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Compare {
    /// By less-than and equality of words: rules 25 and 27 of the paper.
    Less,
    /// By the borrow of the subtraction, which is computed anyway.
    Borrow,
}

impl Compare {
    /// The name in machine descriptions and rules.
    pub fn name(self) -> &'static str {
        match self {
            Compare::Less => "less",
            Compare::Borrow => "borrow",
        }
    }
}

/// A target: width of words, lanes, native operations with their costs, and the styles that the rules follow.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// The name on the command line.
    pub name: String,
    /// A one-line description for generated files and lists.
    pub title: String,
    /// The printer of its kernels, named in the description.
    pub printer: Named<dyn Printer>,
    /// Width of a word in bits; of a digit where the container is wider.
    pub word: u32,
    /// Width of the register that holds a word, in bits; greater than `word` where sums are kept unnormalised.
    pub container: u32,
    /// Number of elements that one instruction works on.
    pub lanes: u32,
    /// The product style: how products of several words are summed.
    pub product: Named<dyn ProductStyle>,
    /// The method of comparison.
    pub compare: Compare,
    /// The native operations by mnemonic, each with its cost in the unit of the description.
    pub native: BTreeMap<String, f64>,
}

/// The built-in machines in the order in which they are listed; a test parses every one.
const BUILT_IN: [&str; 12] = [
    include_str!("../machines/c.toml"),
    include_str!("../machines/c32.toml"),
    include_str!("../machines/rust.toml"),
    include_str!("../machines/x86-64.toml"),
    include_str!("../machines/avx512.toml"),
    include_str!("../machines/cuda32.toml"),
    include_str!("../machines/cuda64.toml"),
    include_str!("../machines/cudaf64.toml"),
    include_str!("../machines/opencl32.toml"),
    include_str!("../machines/avx2.toml"),
    include_str!("../machines/neon.toml"),
    include_str!("../machines/rtl.toml"),
];

impl Machine {
    /// All built-in machines.
    ///
    /// # Errors
    /// [`MomaError::Machine`] if a built-in file does not parse; a test checks all of them.
    pub fn all() -> Result<Vec<Machine>, MomaError> {
        BUILT_IN.iter().map(|text| Machine::parse(text)).collect()
    }

    /// The built-in machine with this name.
    ///
    /// # Errors
    /// [`MomaError::UnknownTarget`], listing the names there are; those of [`Machine::all`].
    pub fn named(name: &str) -> Result<Machine, MomaError> {
        let all = Machine::all()?;
        let known = all.iter().map(|m| m.name.clone()).collect::<Vec<_>>().join(", ");
        all.into_iter()
            .find(|m| m.name == name)
            .ok_or_else(|| MomaError::UnknownTarget { name: name.into(), known })
    }

    /// Parses and checks a machine description in TOML.
    ///
    /// # Errors
    /// [`MomaError::Machine`] if the text is no description, or its numbers contradict each other.
    pub fn parse(text: &str) -> Result<Machine, MomaError> {
        toml::from_str::<Machine>(text).map_err(MachineError::from)?.checked()
    }

    /// The same machine with words of `word` bits; the container stays wider than a word by as many bits as before.
    ///
    /// # Errors
    /// [`MomaError::Machine`] for a width that the printer or the product style does not support.
    pub fn with_word(mut self, word: u32) -> Result<Machine, MomaError> {
        self.container = word.saturating_add(self.container - self.word);
        self.word = word;
        self.checked()
    }

    fn checked(self) -> Result<Machine, MomaError> {
        let (machine, word, container) = (self.name.clone(), self.word, self.container);
        let most = self.printer.widest_word();
        if !(2..=most).contains(&word) {
            return Err(MachineError::Word { machine, word, most }.into());
        }
        if container < word || container > most {
            return Err(MachineError::Container { machine, container }.into());
        }
        let style = self.product.name();
        match self.product.container(word) {
            Some(least) if container < least => {
                return Err(MachineError::Headroom { machine, style, least }.into());
            }
            None if container != word => return Err(MachineError::NoContainer { machine, style }.into()),
            _ => {}
        }
        if self.lanes == 0 {
            return Err(MachineError::Lanes { machine }.into());
        }
        Ok(self)
    }

    /// The smallest `word * 2^k` that is at least `bits`: the width in bits at which lowering starts.
    pub fn padded(&self, bits: u32) -> u32 {
        self.word * self.words(bits).next_power_of_two()
    }

    /// The number of words that hold `bits` bits, at least one.
    pub fn words(&self, bits: u32) -> u32 {
        bits.div_ceil(self.word).max(1)
    }

    /// Whether the machine performs this operation at this width by one instruction.
    pub fn is_native(&self, op: Op, width: u32) -> bool {
        (width == self.word || width == self.container || width == 1)
            && self.native.contains_key(op.mnemonic())
    }

    /// The cost of a native operation, in the machine's own unit; 0 if it is not native.
    pub fn cost(&self, op: Op) -> f64 {
        self.native.get(op.mnemonic()).copied().unwrap_or(0.0)
    }

    /// Whether digits are kept in containers that are wider than a word.
    pub fn lazy(&self) -> bool {
        self.container > self.word
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file that is not listed in `BUILT_IN` would never be read.
    #[test]
    fn every_file_in_the_folder_is_a_machine() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/machines");
        let all = Machine::all().unwrap();
        let mut files = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            assert!(all.contains(&Machine::parse(&text).unwrap()));
            files += 1;
        }
        assert_eq!(files, all.len());
    }

    #[test]
    fn a_description_that_contradicts_itself_is_refused_by_name() {
        let good = include_str!("../machines/c.toml");
        let refused = |from: &str, to: &str| match Machine::parse(&good.replace(from, to)) {
            Err(MomaError::Machine(why)) => why,
            other => panic!("{other:?}"),
        };
        let machine = || "c".to_owned();
        assert_eq!(
            refused("word = 64", "word = 1"),
            MachineError::Word { machine: machine(), word: 1, most: 64 }
        );
        assert_eq!(
            refused("container = 64", "container = 32"),
            MachineError::Container { machine: machine(), container: 32 }
        );
        assert_eq!(
            refused("word = 64", "word = 60"),
            MachineError::NoContainer { machine: machine(), style: "rows" }
        );
        assert_eq!(refused("lanes = 1", "lanes = 0"), MachineError::Lanes { machine: machine() });
        assert!(
            refused("printer = \"c\"", "printer = \"cobol\"")
                .to_string()
                .contains("unknown printer `cobol`; known: c, rust,")
        );
    }
}
