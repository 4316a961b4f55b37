//! Area, power and energy of a unit.
//!
//! `anchors` holds the figures that \[MTU\] and its sources print, and figures that follow from them by arithmetic.
//! `area` computes the area and the thermal design power of a unit's components, at 7 nm and at 22 nm; `energy` the
//! energy of a run, from its account. Each number has a [`Basis`]: printed, calibrated, derived, estimated or counted.
//! [`counted`](mod@counted) is independent of these: its areas and energies come from synthesised blocks and use no row
//! of Table 4.

mod anchors;
mod area;
pub mod counted;
mod energy;
#[cfg(test)]
mod tests;

pub use anchors::{
    Group, IDLE_SHARE, KECCAK_CORE, KECCAK_ROUND, MULTIPLIERS, Memory, PHY_BYTES_PER_S, PrintedRow, TABLE_4,
    TABLE_4_HZ, TABLE_4_MM2, TABLE_4_PES, TABLE_4_W, multiplier_mm2_22, printed,
};
pub use area::{Area, Component, Part, bandwidth, multiplier, phys, sha3_gates};
pub use energy::{Energy, Share, energy};
pub use pairwright_sim::tech::Basis;
