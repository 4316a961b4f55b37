//! The hardware blocks, each printed from the configuration of its model.

pub mod add_sub;
pub mod butterfly;
pub mod dma;
pub mod fp2;
pub mod iterative;
pub mod keccak;
pub mod msm;
pub mod multiplier;
pub mod ntt;
pub mod processor;
pub mod tree;

use crate::error::RtlError;
use crate::lockstep::{Bench, Expected};
use crate::{Block, Signal};
use num_bigint::BigUint;
use pairwright_chip::MachineSpec;
use pairwright_chip::machine::mm::MmDesign;
use pairwright_chip::machine::msm::MsmSpec;
use pairwright_chip::machine::poly::PolySpec;
use pairwright_chip::machine::{DIGITS, Datapath, Digits};
use pairwright_curve::bls12_381::{Fq, Fr, G1};
use pairwright_moma::MomaError;
use pairwright_moma::ir::Kernel;
use pairwright_moma::print::systemverilog::module;
use pairwright_moma::steps::{Steps, fixed};

/// Width of the models' digits in bits.
pub const DIGIT: u32 = 64;

/// A block with the bench that drives it beside its model.
pub struct BlockEntry {
    /// Name of the module.
    pub name: &'static str,
    /// Prints the block.
    pub print: fn(&'static str) -> Result<Block, RtlError>,
    /// Makes a model in its first cycle, for a printed block.
    pub bench: fn(&Block) -> Box<dyn Bench>,
    /// Clock edges of a short run; `None` for a block that is part of another one.
    pub short: Option<u64>,
}

/// Clock edges of a short run that is long enough to cover everything.
const SHORT: Option<u64> = Some(20_000);

/// A list of blocks: the name and the function that prints the block, followed by the function that makes its bench and
/// the clock edges of a short run.
macro_rules! entries {
    ($($name:literal: $print:expr, $bench:expr, $short:expr;)+) => {
        [$(BlockEntry { name: $name, print: $print, bench: $bench, short: $short }),+]
    };
}

/// All blocks, the small ones first.
pub const ALL: [BlockEntry; 18] = entries! {
    "add_sub_255": add_sub::print::<Fr>,
        |_| Box::new(add_sub::Adder::<Fr>::new()), SHORT;
    "add_sub_381": add_sub::print::<Fq>,
        |_| Box::new(add_sub::Adder::<Fq>::new()), SHORT;
    "dma_generator": |name| Ok(dma::print(name)),
        |_| Box::new(dma::Generator::default()), SHORT;
    "keccak": keccak::print,
        |_| Box::new(keccak::Permutation::new()), SHORT;
    "mm_381_iterative": |name| iterative::print::<Fq>(name, &MmDesign::ITERATIVE_384),
        |_| Box::new(iterative::Iterative::<Fq>::new(MmDesign::ITERATIVE_384)), SHORT;
    "mm_255": |name| multiplier::print::<Fr>(name, &MmDesign::PIPELINED_256),
        |_| Box::new(multiplier::Pipelined::<Fr>::new(MmDesign::PIPELINED_256)), SHORT;
    "mm_381": |name| multiplier::print::<Fq>(name, &MmDesign::PIPELINED_384),
        |_| Box::new(multiplier::Pipelined::<Fq>::new(MmDesign::PIPELINED_384)), SHORT;
    "butterfly_255": |name| butterfly::print::<Fr>(name, &PolySpec::paper()),
        |_| Box::new(butterfly::Butterfly::<Fr>::new(&PolySpec::paper())), Some(8_000);
    "ntt_255": |name| ntt::print::<Fr>(name, &PolySpec::paper()),
        |block| Box::new(ntt::Engine::<Fr>::new(block, &PolySpec::paper())), Some(8_000);
    "padd_381": |name| msm::print_adder::<Fq>(name, &MsmSpec::paper()),
        |_| Box::new(msm::Adder::<G1>::new(&MsmSpec::paper())), None;
    "msm_381": |name| msm::print::<Fq>(name, &msm::ENGINE),
        |_| Box::new(msm::Engine::<G1>::new(&msm::ENGINE)), Some(7_000);
    "fp2_381": fp2::print::<Fq>,
        |_| Box::new(fp2::Fp2::<Fq>::new()), Some(6_000);
    "pairing_control": |name| processor::print_control(name, &MachineSpec::paper()),
        |block| processor::bench(block, &MachineSpec::paper(), 4, false), SHORT;
    "pairing_processor": |name| processor::print(name, &MachineSpec::paper()),
        |block| processor::bench(block, &MachineSpec::paper(), 0, true), SHORT;
    "tree_element_255": tree::print_element::<Fr>,
        |_| Box::new(tree::SingleElement::<Fr>::new()), Some(4_000);
    "tree_control": |name| tree::print_control(name, &tree::Design::new(2)),
        |_| Box::new(tree::Unit::<Fr>::new(&tree::Design::new(2), false)), None;
    "tree_255": |name| tree::print::<Fr>(name, &tree::Design::new(2)),
        |_| Box::new(tree::Unit::<Fr>::new(&tree::Design::new(2), true)), Some(24_000);
    "tree_255_4": |name| tree::print::<Fr>(name, &tree::Design::new(4)),
        |_| Box::new(tree::Unit::<Fr>::new(&tree::Design::new(4), true)), None;
};

impl BlockEntry {
    /// Prints the block of this entry.
    ///
    /// # Errors
    /// Errors of the kernels.
    pub fn block(&self) -> Result<Block, RtlError> {
        (self.print)(self.name)
    }
}

/// The entry with this name.
///
/// # Errors
/// [`RtlError::UnknownBlock`], which lists the names.
pub fn find(name: &str) -> Result<&'static BlockEntry, RtlError> {
    const ENTRIES: &[BlockEntry] = &ALL;
    ENTRIES.iter().find(|entry| entry.name == name).ok_or_else(|| RtlError::UnknownBlock {
        name: name.to_owned(),
        known: ENTRIES.iter().map(|entry| entry.name).collect::<Vec<_>>().join(", "),
    })
}

/// A field's modulus, with the digit steps of its arithmetic.
struct Modulus {
    q: BigUint,
    /// `-1/q` modulo `2^64`, one digit.
    qinv: BigUint,
    steps: Steps,
}

impl Modulus {
    fn of<F: Datapath>() -> Result<Self, RtlError> {
        let modulus = F::MODULUS;
        let limbs = modulus.as_ref();
        let q = limbs.iter().rev().fold(BigUint::ZERO, |q, limb| (q << 64u32) + *limb);
        let qinv = BigUint::from(pairwright_field::limbs::neg_inverse(limbs[0]));
        let bits = q.bits() as u32;
        Ok(Self { steps: Steps::new(bits, DIGIT)?, q, qinv })
    }

    /// Specialises a kernel to this modulus.
    fn fixed(&self, kernel: Kernel) -> Kernel {
        fixed(kernel, &self.q, &self.qinv)
    }

    /// The module of an adder, or of a subtractor if `subtract` is set.
    fn combined(&self, subtract: bool, name: &str) -> Result<String, MomaError> {
        let mut kernel = self.steps.add_sub();
        kernel.fix("s", &BigUint::from(u32::from(subtract)));
        module(&self.fixed(kernel), name)
    }
}

/// The residue in the words of an input; zero if they do not encode one.
fn residue<F: Datapath>(words: &[u64]) -> F {
    F::from_digits(&digits(words)).unwrap_or(F::ZERO)
}

/// The words of an input as digits.
fn digits(words: &[u64]) -> Digits {
    let mut digits = [0; DIGITS];
    digits[..words.len()].copy_from_slice(words);
    digits
}

/// Writes the expected value of a signal; `None` leaves it unconstrained.
fn any(value: Option<impl AsRef<[u64]>>, at: usize, out: &mut Expected) {
    match value {
        Some(value) => out.value(at, value.as_ref()),
        None => out.unconstrained(at),
    }
}

/// A position in the list of expected signals.
struct Cursor<'a> {
    at: usize,
    out: &'a mut Expected,
}

impl Cursor<'_> {
    /// Writes the next signal, as [`any`] does.
    fn put(&mut self, value: Option<impl AsRef<[u64]>>) {
        any(value, self.at, self.out);
        self.at += 1;
    }

    /// Writes the next signal, a number of one word.
    fn number(&mut self, value: Option<u64>) {
        self.put(value.map(|value| [value]));
    }

    /// Writes the next signal, a single bit.
    fn flag(&mut self, value: Option<bool>) {
        self.number(value.map(u64::from));
    }
}

/// The port list of a module: the clock, then inputs, then outputs.
fn ports(inputs: &[Signal], outputs: &[Signal]) -> String {
    let port = |direction: &str, s: &Signal| format!("    {direction} wire [{}:0] {}", s.bits - 1, s.name);
    let mut all = vec!["    input  wire clk".to_owned()];
    all.extend(inputs.iter().map(|s| port("input ", s)));
    all.extend(outputs.iter().map(|s| port("output", s)));
    all.join(",\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_block_prints_and_its_file_is_the_one_on_disk() {
        let folder = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../rtl"));
        let mut names = std::collections::BTreeSet::new();
        for entry in &ALL {
            let block = entry.block().unwrap();
            assert_eq!(block.name, entry.name);
            let file = folder.join(format!("{}.sv", entry.name));
            assert!(std::fs::read_to_string(&file).unwrap() == block.file(), "{} is stale", file.display());
            names.insert(format!("{}.sv", entry.name));
        }
        let on_disk = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let printed = on_disk.filter_map(|name| name.into_string().ok()).filter(|name| name.ends_with(".sv"));
        assert_eq!(printed.collect::<std::collections::BTreeSet<_>>(), names);
    }

    #[test]
    fn an_unknown_block_is_refused_with_the_names_there_are() {
        assert!(find("mm_381").is_ok());
        let error = find("mm_7").map(|_| ()).unwrap_err().to_string();
        assert!(error.contains("mm_7") && error.contains("add_sub_255"), "{error}");
    }
}
