//! The blocks, each printed from the configuration of its model.

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
use pairwright_moma::steps::Steps;

/// Bits of the models' digits.
pub const DIGIT: u32 = 64;

/// A block with the bench that drives it beside its model.
pub struct Entry {
    /// Name of the module.
    pub name: &'static str,
    /// Prints the block.
    pub print: fn(&'static str) -> Result<Block, RtlError>,
    /// A model in its first cycle, for a block that was printed.
    pub bench: fn(&Block) -> Box<dyn Bench>,
    /// Clock edges of a run that is to be short; none for a block that others hold.
    pub short: Option<u64>,
}

/// Clock edges of a short run, for blocks that need no more to have seen everything.
const SHORT: Option<u64> = Some(20_000);

/// All blocks, the small ones first.
pub const ALL: [Entry; 18] = [
    Entry {
        name: "add_sub_255",
        print: add_sub::print::<Fr>,
        bench: |_| Box::new(add_sub::Adder::<Fr>::new()),
        short: SHORT,
    },
    Entry {
        name: "add_sub_381",
        print: add_sub::print::<Fq>,
        bench: |_| Box::new(add_sub::Adder::<Fq>::new()),
        short: SHORT,
    },
    Entry {
        name: "dma_generator",
        print: |name| Ok(dma::print(name)),
        bench: |_| Box::new(dma::Generator::default()),
        short: SHORT,
    },
    Entry {
        name: "keccak",
        print: keccak::print,
        bench: |_| Box::new(keccak::Permutation::new()),
        short: SHORT,
    },
    Entry {
        name: "mm_381_iterative",
        print: |name| iterative::print::<Fq>(name, &MmDesign::ITERATIVE_384),
        bench: |_| Box::new(iterative::Iterative::<Fq>::new(MmDesign::ITERATIVE_384)),
        short: SHORT,
    },
    Entry {
        name: "mm_255",
        print: |name| multiplier::print::<Fr>(name, &MmDesign::PIPELINED_256),
        bench: |_| Box::new(multiplier::Pipelined::<Fr>::new(MmDesign::PIPELINED_256)),
        short: SHORT,
    },
    Entry {
        name: "mm_381",
        print: |name| multiplier::print::<Fq>(name, &MmDesign::PIPELINED_384),
        bench: |_| Box::new(multiplier::Pipelined::<Fq>::new(MmDesign::PIPELINED_384)),
        short: SHORT,
    },
    Entry {
        name: "butterfly_255",
        print: |name| butterfly::print::<Fr>(name, &PolySpec::paper()),
        bench: |_| Box::new(butterfly::Butterfly::<Fr>::new(&PolySpec::paper())),
        short: Some(8_000),
    },
    Entry {
        name: "ntt_255",
        print: |name| ntt::print::<Fr>(name, &PolySpec::paper()),
        bench: |block| Box::new(ntt::Engine::<Fr>::new(block, &PolySpec::paper())),
        short: Some(8_000),
    },
    Entry {
        name: "padd_381",
        print: |name| msm::print_adder::<Fq>(name, &MsmSpec::paper()),
        bench: |_| Box::new(msm::Adder::<G1>::new(&MsmSpec::paper())),
        short: None,
    },
    Entry {
        name: "msm_381",
        print: |name| msm::print::<Fq>(name, &msm::ENGINE),
        bench: |_| Box::new(msm::Engine::<G1>::new(&msm::ENGINE)),
        short: Some(7_000),
    },
    Entry {
        name: "fp2_381",
        print: fp2::print::<Fq>,
        bench: |_| Box::new(fp2::Fp2::<Fq>::new()),
        short: Some(6_000),
    },
    Entry {
        name: "pairing_control",
        print: |name| processor::print_control(name, &MachineSpec::paper()),
        bench: |block| processor::bench(block, &MachineSpec::paper(), 4, false),
        short: SHORT,
    },
    Entry {
        name: "pairing_processor",
        print: |name| processor::print(name, &MachineSpec::paper()),
        bench: |block| processor::bench(block, &MachineSpec::paper(), 0, true),
        short: SHORT,
    },
    Entry {
        name: "tree_element_255",
        print: tree::print_element::<Fr>,
        bench: |_| Box::new(tree::Alone::<Fr>::new()),
        short: Some(4_000),
    },
    Entry {
        name: "tree_control",
        print: |name| tree::print_control(name, &tree::Design::new(2)),
        bench: |_| Box::new(tree::Unit::<Fr>::new(&tree::Design::new(2), false)),
        short: None,
    },
    Entry {
        name: "tree_255",
        print: |name| tree::print::<Fr>(name, &tree::Design::new(2)),
        bench: |_| Box::new(tree::Unit::<Fr>::new(&tree::Design::new(2), true)),
        short: Some(24_000),
    },
    Entry {
        name: "tree_255_4",
        print: |name| tree::print::<Fr>(name, &tree::Design::new(4)),
        bench: |_| Box::new(tree::Unit::<Fr>::new(&tree::Design::new(4), true)),
        short: None,
    },
];

impl Entry {
    /// The block of this entry.
    ///
    /// # Errors
    /// Those of the kernels.
    pub fn block(&self) -> Result<Block, RtlError> {
        (self.print)(self.name)
    }
}

/// The block of a name.
///
/// # Errors
/// [`RtlError::UnknownBlock`], which lists the names.
pub fn find(name: &str) -> Result<&'static Entry, RtlError> {
    const ENTRIES: &[Entry] = &ALL;
    ENTRIES.iter().find(|entry| entry.name == name).ok_or_else(|| RtlError::UnknownBlock {
        name: name.to_owned(),
        known: ENTRIES.iter().map(|entry| entry.name).collect::<Vec<_>>().join(", "),
    })
}

/// A field's modulus, with the steps of its arithmetic.
struct Modulus {
    q: BigUint,
    /// `-1/q` modulo a digit.
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
}

/// A residue from the words of an input, zero if they are none.
fn residue<F: Datapath>(words: &[u64]) -> F {
    F::from_digits(&digits(words)).unwrap_or(F::ZERO)
}

/// The words of an input as digits.
fn digits(words: &[u64]) -> Digits {
    let mut digits = [0; DIGITS];
    digits[..words.len()].copy_from_slice(words);
    digits
}

/// What the model says of a signal whose value is there only with a valid bit.
fn any(value: Option<&[u64]>, at: usize, out: &mut Expected) {
    match value {
        Some(value) => out.value(at, value),
        None => out.free(at),
    }
}

/// Ports of a module: inputs, then outputs, the clock before them.
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
