//! Gates and memories at 28 nm.

use pairwright_sim::tech::{Cells, LIBRARIES, Sram, SramPorts};

const NM: f64 = 28.0;
/// µm² of a two-input NAND: between the 0.49 and 0.63 told of this node, which has no public library. Estimated.
const NAND2: f64 = 0.55;
/// Part of the floor that cells cover. Estimated.
const UTILISATION: f64 = 0.72;
const NANGATE45: Cells = LIBRARIES[2];

/// Logic in gate equivalents.
#[derive(Clone, Copy)]
pub(super) struct Gates(pub(super) f64);

impl Gates {
    /// A flip-flop.
    pub(super) const FLIP_FLOP: Self = Self(NANGATE45.flip_flop / NANGATE45.nand2);
    /// A multiplexer of two bits: 1.862 µm² in the same library.
    pub(super) const MUX2: Self = Self(1.862 / NANGATE45.nand2);
    /// A modular adder and subtractor of 384 bits, synthesised with yosys for the same library.
    pub(super) const MOD_ADDER: Self = Self(8260.0);

    pub(super) fn times(self, n: f64) -> Self {
        Self(self.0 * n)
    }

    /// Area of placed logic in mm².
    pub(super) fn mm2(self) -> f64 {
        1e-6 * Cells { name: "28 nm", node_nm: NM, nand2: NAND2, ..NANGATE45 }.area(self.0, UTILISATION)
    }
}

impl core::ops::Add for Gates {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

/// Area in mm² of a memory with so many ports. Beyond a first port each costs 0.4 of a single-ported memory and the
/// second 0.2 more, the line through the factors of [`SramPorts`].
pub(super) fn memory_mm2(words: u32, width: u32, ports: u32) -> f64 {
    let factor = if ports <= 1 { 1.0 } else { 0.8 + 0.4 * f64::from(ports) };
    1e-6 * factor * Sram { words, width, ports: SramPorts::Single }.area(NM)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_meets_the_known_factors() {
        let single = memory_mm2(32, 768, 1);
        for (ports, kind) in [(2, SramPorts::OneReadOneWrite), (3, SramPorts::TwoReadsOneWrite)] {
            assert!((memory_mm2(32, 768, ports) / single - kind.factor()).abs() < 1e-12);
        }
    }
}
