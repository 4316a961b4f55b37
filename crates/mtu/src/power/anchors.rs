//! The published figures on which the model is based, and figures that follow from them by arithmetic.

use pairwright_sim::tech::{Gates, Scaling, montgomery_bit_products};
use serde::Serialize;

/// A row of \[MTU\] Table 4.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Group {
    /// "Modulus Ops": multipliers, adders and subtractors.
    Modulus,
    /// "SHA3": the hash engines.
    Sha3,
    /// "Misc", control and scheduler.
    Misc,
    /// "Memory": buffers and queues on the chip.
    Memory,
    /// "HBM2 PHY", which \[MTU\] shares with the rest of a chip and leaves out of its total.
    Phy,
}

impl Group {
    /// All rows, in the order of the table.
    pub const ALL: [Self; 5] = [Self::Modulus, Self::Sha3, Self::Misc, Self::Memory, Self::Phy];

    /// The name of the row, as the table prints it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Modulus => "Modulus Ops",
            Self::Sha3 => "SHA3",
            Self::Misc => "Misc",
            Self::Memory => "Memory",
            Self::Phy => "HBM2 PHY",
        }
    }
}

/// Area and power of a row of Table 4.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct PrintedRow {
    /// The row of the paper's table.
    pub group: Group,
    /// Square millimetres at 7 nm.
    pub mm2: f64,
    /// Thermal design power in watts.
    pub watts: f64,
}

/// Printed: \[MTU\] Table 4, at 7 nm and 1 GHz, for [`TABLE_4_PES`] elements.
pub const TABLE_4: [PrintedRow; 5] = [
    PrintedRow { group: Group::Modulus, mm2: 4.427, watts: 6.886 },
    PrintedRow { group: Group::Sha3, mm2: 0.192, watts: 0.320 },
    PrintedRow { group: Group::Misc, mm2: 0.011, watts: 0.010 },
    PrintedRow { group: Group::Memory, mm2: 0.067, watts: 0.003 },
    PrintedRow { group: Group::Phy, mm2: 14.90, watts: 0.225 },
];

/// Printed: the number of elements of the unit of Table 4.
pub const TABLE_4_PES: u32 = 32;
/// Printed: area of that unit in mm², without the interface to memory. Its rows add up to it.
pub const TABLE_4_MM2: f64 = 4.697;
/// Printed: thermal design power of that unit in watts, without the interface to memory. Its rows add up to it.
pub const TABLE_4_W: f64 = 7.219;
/// Printed: the clock of Table 4 in hertz.
pub const TABLE_4_HZ: f64 = 1e9;

/// The printed area and power of a row of Table 4.
pub const fn printed(group: Group) -> PrintedRow {
    TABLE_4[group as usize]
}

/// The power density of a row of Table 4 in W/mm², at 7 nm and 1 GHz with all of the row active. Derived from that row.
pub(super) fn density(group: Group) -> f64 {
    printed(group).watts / printed(group).mm2
}

/// Published multipliers: width in bits, area in mm² at 22 nm for arbitrary primes, and for a built-in prime. Printed in
/// zkPHIRE (arXiv 2508.16738); \[MTU\] uses its multipliers, 255 bits wide and fully pipelined.
pub const MULTIPLIERS: [(u32, f64, f64); 2] = [(255, 0.478, 0.264), (381, 1.13, 0.582)];

/// Area of a fully pipelined Montgomery multiplier in mm² at 22 nm, with as many stages as the published ones.
///
/// The area is a power of the number of bit products, fitted to the two published widths: 3.26 µm² per bit product at 255
/// bits and 3.59 at 381 for arbitrary primes, 1.80 and 1.85 for a fixed one. Derived; for other widths estimated.
pub fn multiplier_mm2_22(bits: u32, fixed_prime: bool) -> f64 {
    let of = |(bits, arbitrary, fixed): (u32, f64, f64)| {
        (montgomery_bit_products(bits), if fixed_prime { fixed } else { arbitrary })
    };
    let [(b0, a0), (b1, a1)] = MULTIPLIERS.map(of);
    a0 * (montgomery_bit_products(bits) / b0).powf((a1 / a0).ln() / (b1 / b0).ln())
}

/// The scaling from 28 nm, the node of the laws in `tech`, to 22 nm, an optical shrink of it by a tenth. Estimated; pure
/// geometry would predict a quarter less area.
pub(super) fn n28_to_n22() -> Scaling {
    Scaling::geometric(1.0, 0.9)
}

/// Area of placed logic in mm² at 22 nm. Estimated.
pub(super) fn gates_mm2_22(gates: Gates) -> f64 {
    gates.area_mm2_28() * n28_to_n22().area
}

/// Gates of an iterative Keccak-f\[1600\] core with one round per cycle, including padder and input buffer: synthesised
/// with yosys for Nangate 45 nm from the design that \[MTU\] names. Two rounds per cycle take [`KECCAK_ROUND`] more.
pub const KECCAK_CORE: Gates = Gates(34_100.0);
/// Gates of one round of Keccak-f\[1600\], synthesised in the same way: the difference between that core and one with two
/// rounds per cycle.
pub const KECCAK_ROUND: Gates = Gates(12_200.0);
/// Bits of Keccak's state.
pub(super) const KECCAK_STATE: f64 = 1600.0;
/// Rounds of a permutation Keccak-f\[1600\].
pub(super) const KECCAK_ROUNDS: u32 = 24;

/// Gates of a modular adder and subtractor of 256 bits, synthesised with yosys for Nangate 45 nm.
pub(super) const MOD_ADDER_256: Gates = Gates(5450.0);

/// The share of its power that a block of logic draws in a cycle without an operation: leakage and the roots of a gated
/// clock tree. Estimated, because nothing is printed. (The chip of \[CP\], without gating, shows a share near one.)
pub const IDLE_SHARE: f64 = 0.1;

/// Bytes per second of one interface: a stack of HBM2, 1,024 pins of 2 Gb/s (JESD235). \[MTU\] prints one interface for
/// every bandwidth, although four of these make up its 1,024 GB/s.
pub const PHY_BYTES_PER_S: f64 = 256e9;

/// The kind of memory assumed for a bandwidth; it decides the energy per bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Memory {
    /// DDR4 or DDR5 on a board.
    Ddr,
    /// HBM2 on an interposer.
    Hbm2,
}

impl Memory {
    /// The kind of memory that \[MTU\] associates with a bandwidth: 64 GB/s with DDR, higher ones with HBM. This model
    /// draws the line at two channels of DDR5-4800.
    pub fn of(bytes_per_s: f64) -> Self {
        if bytes_per_s <= 76.8e9 { Self::Ddr } else { Self::Hbm2 }
    }

    /// Joules to move one bit through the array and the pins of the memory. Estimated: 1.3 nJ for 64 bits of DDR, the
    /// lower end in Horowitz, "Computing's energy problem", ISSCC 2014; 3.9 pJ for HBM2, in O'Connor et al.,
    /// "Fine-Grained DRAM", MICRO 2017.
    pub const fn j_per_bit(self) -> f64 {
        match self {
            Self::Ddr => 1.3e-9 / 64.0,
            Self::Hbm2 => 3.9e-12,
        }
    }
}
