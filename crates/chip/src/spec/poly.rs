//! Parameters of the polynomial engine.

use pairwright_sim::settings::{OutOfRange, Range, between, flag, named, one_of, section_in_range};
use serde::{Deserialize, Serialize};

/// The source of the merged twiddles of a row, when every row of the second pass of a 2D transform needs its own table. All
/// of it is inferred: \[CP\] does not say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowTables {
    /// Loads a table per row from DRAM.
    Load,
    /// Makes the table on the chip from one plain table, kept in a memory of its own (four banks of 256 words), and from
    /// powers of the row's generator, on the four processing elements that no butterfly uses.
    Generate,
    /// Makes the table on the chip from that of an earlier row, in place: the twiddles of each stage are multiplied by a
    /// constant of that stage. Needs no further memory, but takes twice the cycles, because a bank with one port reads in
    /// one cycle and writes in another.
    Update,
}

/// Parameters of the Poly-OP engine. Latencies count pipeline registers, that is, cycles.
///
/// Printed in \[CP\]: two groups of four butterfly units, one multiplier each; Banks_A, B (8 of 128 words) and C (4 of
/// 256) of two sets; merged twiddles. Everything else is inferred, so that a stage costs 25 cycles beyond its rounds,
/// the value at which the published times of whole transforms come out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PolySpec {
    /// Groups of four butterfly units, 1 or 2. With one, both sets of banks share it.
    pub groups: u32,
    /// Cycles from a row's address to its word at the connector: the address register and the memory's own register.
    pub read: u32,
    /// Registers on either side of the connector.
    pub connector: u32,
    /// Cycles from a multiplier's operands to the product: the stages of a processing element, which a narrower product
    /// passes too.
    pub mm: u32,
    /// Cycles of a modular addition or subtraction.
    pub adder: u32,
    /// Cycles of halving the sum and the difference in an inverse butterfly.
    pub halving: u32,
    /// Cycles from the connector to the memory's write port.
    pub write: u32,
    /// Whether the powers of a coset's shift are merged into the twiddles (Algorithm 2), or multiplied into the vector
    /// before a plain transform, as is usual elsewhere.
    pub merged: bool,
    /// The source of the tables of the second pass of a 2D transform.
    pub row_tables: RowTables,
    /// Entries of a vector operation that are read per cycle: 1, 2 or 4.
    pub vector: u32,
    /// Whether the sub-NTTs of several slots pass a stage back to back, so that the pipeline drains once per stage for all
    /// of them: a proposal of this project.
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

    /// Cycles from the read to the write of an entry of a vector operation: made odd by a register, if need be, so that a
    /// bank is never read in the cycle in which it is written.
    pub const fn vector_latency(&self) -> u32 {
        self.butterfly_latency() | 1
    }

    /// Cycles from the read to the write of a twiddle that is made on the chip: no connector, no adder.
    pub const fn twiddle_latency(&self) -> u32 {
        let cycles = self.read + self.mm + self.write;
        match self.row_tables {
            // In place, so that the latency has to be odd as for a vector.
            RowTables::Update => cycles | 1,
            RowTables::Load | RowTables::Generate => cycles,
        }
    }

    /// Checks that every parameter is in its range.
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
