//! Parameters of the polynomial engine.

use pairwright_sim::settings::{OutOfRange, Range, between, flag, named, one_of, section_in_range};
use serde::{Deserialize, Serialize};

/// The source of a row's merged twiddles, when every row of the second pass of a 2D transform needs a table of
/// its own. All of it is inferred: \[CP\] does not say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowTables {
    /// From DRAM, a table a row.
    Load,
    /// Made on the chip from one plain table, kept in a memory of its own (four banks of 256 words), and powers of the
    /// row's generator, by the four processing elements that no butterfly uses.
    Generate,
    /// Made on the chip from the table of an earlier row, in place: each stage's twiddles times that stage's constant.
    /// Needs no further memory, but twice the cycles, because a bank with one port reads in one cycle and writes in
    /// another.
    Update,
}

/// Parameters of the Poly-OP engine. Latencies are registers, that is, cycles.
///
/// Printed in \[CP\]: two groups of four butterfly units, one multiplier each; Banks_A, B (8 of 128 words) and C (4 of
/// 256) of two sets; merged twiddles. Everything else is inferred, so that a stage costs 25 cycles beyond its rounds,
/// the value at which the published times of whole transforms come out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PolySpec {
    /// Groups of four butterfly units, 1 or 2. With one, both sets of banks share it.
    pub groups: u32,
    /// From a row's address to its word at the connector: the address register and the memory's own.
    pub read: u32,
    /// Registers of either side of the connector.
    pub connector: u32,
    /// From a multiplier's operands to the product: the stages of a processing element, which a narrower product passes too.
    pub mm: u32,
    /// Modular addition and subtraction.
    pub adder: u32,
    /// Halving of an inverse butterfly's sum and difference.
    pub halving: u32,
    /// From the connector to the memory's write port.
    pub write: u32,
    /// Whether a coset's powers are merged into the twiddles (Algorithm 2), or multiplied to the vector before a plain
    /// transform, as everywhere else.
    pub merged: bool,
    /// The source of the tables of the second pass of a 2D transform.
    pub row_tables: RowTables,
    /// Entries of a vector operation that are read in a cycle: 1, 2 or 4.
    pub vector: u32,
    /// Whether the sub-NTTs of several slots go through a stage one behind the other, so that the pipeline drains once
    /// a stage for all of them: a proposal of this project.
    pub batch: bool,
}

impl PolySpec {
    /// The published engine.
    pub const fn paper() -> Self {
        Self {
            groups: 2,
            read: 2,
            connector: 2,
            mm: 16,
            adder: 1,
            halving: 1,
            write: 1,
            merged: true,
            row_tables: RowTables::Generate,
            vector: 4,
            batch: false,
        }
    }

    /// Cycles from the one in which a butterfly's operands are read to the one in which its results are written.
    pub const fn butterfly_latency(&self) -> u32 {
        self.read + 2 * self.connector + self.mm + self.adder + self.halving + self.write
    }

    /// The same for an entry of a vector operation: made odd by a register, if need be, so that a bank is never read in
    /// the cycle in which it is written.
    pub const fn vector_latency(&self) -> u32 {
        self.butterfly_latency() | 1
    }

    /// The same for a twiddle that is made: no connector, no adder.
    pub const fn twiddle_latency(&self) -> u32 {
        let cycles = self.read + self.mm + self.write;
        match self.row_tables {
            // In place: as for a vector.
            RowTables::Update => cycles | 1,
            RowTables::Load | RowTables::Generate => cycles,
        }
    }

    /// Whether such an engine can be built.
    ///
    /// # Errors
    /// The first parameter out of range.
    pub fn check(&self) -> Result<(), OutOfRange> {
        section_in_range("poly", self, RANGES)
    }
}

/// The ranges of these parameters.
pub(super) const RANGES: &[Range] = &[
    between("groups", 1.0, 2.0, "").printed(),
    between("read", 1.0, 8.0, "cycles").inferred(),
    between("connector", 1.0, 8.0, "cycles").inferred(),
    between("mm", 1.0, 64.0, "cycles").inferred(),
    between("adder", 1.0, 8.0, "cycles").inferred(),
    between("halving", 1.0, 8.0, "cycles").inferred(),
    between("write", 1.0, 8.0, "cycles").inferred(),
    one_of("vector", &[1, 2, 4], "entries a cycle").inferred(),
    flag("merged").printed(),
    named("row_tables", &["load", "generate", "update"]).inferred(),
    flag("batch").added(),
];

impl Default for PolySpec {
    fn default() -> Self {
        Self::paper()
    }
}
