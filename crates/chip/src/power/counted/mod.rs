//! Area and energy of a design from synthesised cells and the toggles of their nets. No area, power or energy that \[CP\]
//! prints goes in, and no constant that is fitted to one.
//!
//! `area` has the parts of the pairing processor and of the core, `energy` the energy of a run. Multipliers, adders, the
//! point adder, butterflies with their networks and the pairing's control are counted in cells
//! ([`cells`](pairwright_sim::cells)). Memories follow a law of [`tech`](pairwright_sim::tech), and parts that are not in
//! the RTL, or not in the size that a design asks for, are counted in gates. Channels between macros, the clock tree (in
//! areas) and test are not included.

mod area;
mod energy;
#[cfg(test)]
mod tests;

pub use area::{PADD_PRODUCTS, PADD_SUMS, core, element, pairing};
pub use energy::{Joules, Knobs, Prices, Work};

use super::{Activity, ChipShape, activities};
use crate::MachineSpec;
use crate::machine::top::Account;
use crate::spec::clock::clock_hz;
use pairwright_sim::cells::{Estimate, EstimatedPart, LIBRARIES, Layout, Library, Part, Range};

/// Area of a pairing processor and energy of its run, one estimate for each cell library.
pub fn of_pairing(spec: &MachineSpec, activity: &Activity) -> Vec<Estimate> {
    let work = Work::of_pairing(spec, activity);
    let estimate = |library| estimate(library, spec, pairing(library, spec)?, core::slice::from_ref(&work));
    LIBRARIES.iter().filter_map(estimate).collect()
}

/// Area of a chip's core and energy of its run, one estimate for each cell library.
pub fn of_chip(spec: &MachineSpec, account: &Account) -> Vec<Estimate> {
    let shape = ChipShape::of(spec);
    let works: Vec<Work> = activities(account).map(|part| Work::of_engine(spec, &shape, &part)).collect();
    let estimate = |library| estimate(library, spec, core(library, spec, &shape)?, &works);
    LIBRARIES.iter().filter_map(estimate).collect()
}

/// Area of these parts and energy of these works, which run one after the other, at the design's operating point; `None` if
/// the library lacks a block.
fn estimate(library: &Library, spec: &MachineSpec, parts: Vec<Part>, works: &[Work]) -> Option<Estimate> {
    let prices = Prices::of(library)?;
    let point = [spec.clock.volts, clock_hz(spec)];
    let area = parts.iter().map(|part| EstimatedPart {
        name: part.name,
        value: Range::over(&Layout::ENDS, |layout| part.mm2_28(layout)),
        basis: part.basis,
    });
    let ends = Knobs::ENDS.map(|knobs| {
        let mut sum = Joules::default();
        works.iter().for_each(|work| sum += prices.joules(work, point, &knobs));
        sum
    });
    let seconds = works.iter().map(|work| work.cycles as f64).sum::<f64>() / point[1];
    let energy = Joules::PARTS.iter().enumerate().map(|(at, (name, basis))| EstimatedPart {
        name,
        value: Range::over(&ends, |joules| joules.parts()[at]),
        basis: *basis,
    });
    Some(Estimate::new(library, "28 nm", seconds, area.collect(), energy.collect()))
}
