//! Programs for the crypto-processor that `pairwright-chip` models.
//!
//! Most programs run on the pairing processor: pairings, scalar multiplication, hashing to curves, verification of BLS
//! signatures and of Groth16 proofs, BBS signatures and their proofs, identity-based encryption, and decryption of
//! inner products.
//!
//! A formula is written over [`Fp2`](pairwright_chip::compiler::Fp2), from which the compiler makes a routine. A
//! [`Builder`] links routines and generates the L1 code around them. The result is a [`Program`] with named regions of
//! the global bank, and a [`Chain`] runs one or several of them. [`prover`] computes whole Groth16 proofs on the other
//! engines. [`board()`] is the chip as a device, with its pairing slot.
#![forbid(unsafe_code)]

pub mod bbs;
pub mod bls;
mod board;
mod builder;
mod catalogue;
mod chain;
pub mod compressed;
mod control;
mod curves;
pub mod decompress;
pub mod endomorphism;
pub mod fe;
pub mod few_additions;
pub mod fields;
pub mod groth16;
pub mod hash;
pub mod ibe;
mod interpret;
pub mod jubjub;
pub mod pairing;
mod pairing_slot;
pub mod points;
pub mod product;
pub mod prover;
pub mod published;
pub mod resident;
pub mod scalar;
mod subgroup;
pub mod tower;

pub use board::board;
pub use builder::{Block, Builder, Label, blocks};
pub use catalogue::{Build, Example, ProgramEntry, all, all_over_fr};
pub use chain::{Bank, Chain, ChipRunError, Inputs, RunError};
pub use curves::OnChipPrograms;

use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::{Compiled, Graph};
use pairwright_chip::isa::Image;
use pairwright_curve::bls12_381::U;
use pairwright_field::{PrimeField, Quad};
use std::collections::BTreeMap;

/// The contents of a row: an element of Fp2, or of `Fr[u]/(u² + 1)` when the datapath works in Fr, in Montgomery form.
pub type Value<F> = Quad<F, U>;

/// A range of consecutive rows of the global bank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Region {
    /// The first row.
    pub at: u8,
    /// Number of consecutive rows.
    pub rows: u8,
}

impl Region {
    /// The sub-region of `rows` rows that begins at row `from` of this region.
    pub fn part(self, from: u8, rows: u8) -> Self {
        debug_assert!(from + rows <= self.rows);
        Self { at: self.at.wrapping_add(from), rows }
    }
}

/// A compiled program for one machine.
#[derive(Clone, Debug)]
pub struct Program<F> {
    /// The words of both instruction memories.
    pub image: Image,
    /// The machine for which it is compiled.
    pub spec: MachineSpec,
    /// Regions of the global bank by name.
    pub regions: BTreeMap<String, Region>,
    /// Rows to write before the program starts, with their values.
    pub constants: Vec<(u8, Value<F>)>,
    /// Constants that later programs on the same bank may read.
    shared: Vec<(Vec<Value<F>>, Region)>,
    /// The compiled routines, in the order of the L2 memory.
    pub routines: Vec<Compiled>,
    /// The dataflow graphs of the routines, with their names.
    graphs: Vec<(String, Graph)>,
}

impl<F> Program<F> {
    /// The graphs of the routines, in the order of the L2 memory.
    pub fn graphs(&self) -> &[(String, Graph)] {
        &self.graphs
    }
}

/// An integer as a row that a scan register reads bit by bit: the row's limbs are the integer itself, not its
/// Montgomery form.
///
/// # Panics
/// If the integer is not below the modulus.
pub fn integer<F: PrimeField>(limbs: F::Limbs) -> Value<F> {
    Quad::new(F::from_montgomery(limbs).expect("a scanned integer is below the modulus"), F::ZERO)
}
