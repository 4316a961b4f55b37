//! Machine descriptions: what a target computes natively, as data.
//!
//! A machine is a TOML file. The ones that ship lie in `machines/` and are built in; [`Machine::parse`] reads any
//! other, so a new machine with a known printer needs no code.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::error::MomaError;
use crate::ir::Op;

/// How products of many words are put together from native operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProductStyle {
    /// By halves down to single words, each sum a double- or quad-word addition: rules 28 and 29 of the paper.
    Halves,
    /// A row per digit of the second operand, each step `a b + c + d` with the high word carried on.
    Rows,
    /// Rows split into even and odd digits, so that low and high halves of products form one carry chain each:
    /// for machines with a carry flag in the multiply-add.
    Alternating,
    /// Column sums kept unnormalised in a container wider than the digit, carried once at the end.
    Columns,
}

/// How two values are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Compare {
    /// By less-than and equality of words: rules 25 and 27 of the paper.
    Less,
    /// By the borrow of the subtraction, which is needed anyway.
    Borrow,
}

/// Which text a machine's kernels are printed as.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Printer {
    /// Portable C.
    C,
    /// Rust on 64-bit words.
    Rust,
    /// Rust with `core::arch` AVX-512 intrinsics.
    RustAvx512,
    /// CUDA C.
    Cuda,
    /// CUDA C with 52-bit digits on the FP64 pipe.
    CudaF64,
}

/// A target: word width, lanes, native operations with their cost, and the styles its rules follow.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// Its name on the command line.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// The text it takes.
    pub printer: Printer,
    /// Bits of a word (of a digit, where the container is wider).
    pub word: u32,
    /// Bits of the register that holds a word; more than `word` where sums are kept unnormalised.
    pub container: u32,
    /// How many elements one instruction works on.
    pub lanes: u32,
    /// How products are built.
    pub product: ProductStyle,
    /// How values are compared.
    pub compare: Compare,
    /// Native operations, by mnemonic, and what each costs.
    pub native: BTreeMap<String, f64>,
}

/// The machines that ship, in the order they are listed.
const BUILT_IN: [&str; 6] = [
    include_str!("../machines/c.toml"),
    include_str!("../machines/x86-64.toml"),
    include_str!("../machines/avx512.toml"),
    include_str!("../machines/cuda32.toml"),
    include_str!("../machines/cuda64.toml"),
    include_str!("../machines/cudaf64.toml"),
];

impl Machine {
    /// Every machine that ships.
    pub fn all() -> Vec<Machine> {
        // The files are part of the program and parsed by a test.
        BUILT_IN.iter().filter_map(|text| Machine::parse(text).ok()).collect()
    }

    /// A machine that ships, by name.
    ///
    /// # Errors
    /// [`MomaError::UnknownTarget`], listing the names there are.
    pub fn named(name: &str) -> Result<Machine, MomaError> {
        let all = Machine::all();
        let known = all.iter().map(|m| m.name.clone()).collect::<Vec<_>>().join(", ");
        all.into_iter()
            .find(|m| m.name == name)
            .ok_or_else(|| MomaError::UnknownTarget { name: name.into(), known })
    }

    /// Reads a description.
    ///
    /// # Errors
    /// [`MomaError::Machine`] if the text is no description, or its numbers contradict each other.
    pub fn parse(text: &str) -> Result<Machine, MomaError> {
        let machine: Machine =
            toml::from_str(text).map_err(|e| MomaError::Machine { why: e.message().into() })?;
        machine.checked()
    }

    /// The same machine with words of another width; a container keeps its headroom.
    ///
    /// # Errors
    /// [`MomaError::Machine`] for a width that no machine has.
    pub fn with_word(mut self, word: u32) -> Result<Machine, MomaError> {
        self.container = word.saturating_add(self.container - self.word);
        self.word = word;
        self.checked()
    }

    fn checked(self) -> Result<Machine, MomaError> {
        let machine = self;
        let fail = |why: &str| Err(MomaError::Machine { why: format!("{}: {why}", machine.name) });
        if !(2..=64).contains(&machine.word) {
            return fail("`word` must be between 2 and 64 bits");
        }
        if machine.container < machine.word || machine.container > 64 {
            return fail("`container` must be at least `word` and at most 64 bits");
        }
        if machine.product == ProductStyle::Columns && machine.container < machine.word + 4 {
            return fail("column sums need a container at least 4 bits wider than the word");
        }
        if machine.product != ProductStyle::Columns && machine.container != machine.word {
            return fail("only column sums use a container wider than the word");
        }
        if machine.lanes == 0 {
            return fail("`lanes` must be at least 1");
        }
        Ok(machine)
    }

    /// The smallest `word * 2^k` that holds so many bits: the width at which the rules begin.
    pub fn padded(&self, bits: u32) -> u32 {
        self.word * self.words(bits).next_power_of_two()
    }

    /// Words that hold so many bits.
    pub fn words(&self, bits: u32) -> u32 {
        bits.div_ceil(self.word).max(1)
    }

    /// Does one instruction of the machine do this?
    pub fn is_native(&self, op: Op, width: u32) -> bool {
        (width == self.word || width == self.container || width == 1)
            && self.native.contains_key(op.mnemonic())
    }

    /// The cost of a native operation, in the machine's own unit; 0 if it is not native.
    pub fn cost(&self, op: Op) -> f64 {
        self.native.get(op.mnemonic()).copied().unwrap_or(0.0)
    }

    /// Are digits kept in wider containers?
    pub fn lazy(&self) -> bool {
        self.container > self.word
    }
}
