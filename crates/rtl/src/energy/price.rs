//! The energies of net transitions, in femtojoules.

use super::delays::Delays;
use super::gates::Gates;
use super::report::Switching;
use crate::synth::{ENTERING, Library, energies};

/// Energies that do not depend on operands: clock and leakage.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct ClockAndLeakage {
    /// Energy of charging the clock pins, in femtojoules per cycle.
    pub(super) clock_pins_fj: f64,
    /// Internal energy of flip-flops whose state does not change, in femtojoules per cycle.
    pub(super) clock_internal_fj: Option<f64>,
    /// Leakage power in nanowatts.
    pub(super) leakage_nw: Option<f64>,
}

/// The energies of an average cycle with the given numbers of transitions, in femtojoules.
///
/// A transition of a net costs ½ C V² for the pins on it. Inside of cells, the library's energies of a rise and of a
/// fall are averaged, since both are equally frequent. The energy of an output depends on the input that caused the
/// transition; inputs are assumed to cause transitions in proportion to their own. The clock's pins are left to
/// [`clock_and_leakage`].
pub(super) fn switching(
    gates: &Gates<'_>,
    library: &Library,
    delays: &Delays,
    toggles: &[u64],
    cycles: u64,
) -> Switching {
    let per_cycle = |net: u32| toggles[net as usize] as f64 / cycles.max(1) as f64;
    let unit = charge(library);
    let mut sum = Switching { internal_fj: Some(0.0), ..Switching::default() };
    let mut wires = library.wires.as_ref().map(|_| 0.0);
    for net in 0..gates.nets as u32 {
        let changes = per_cycle(net);
        let pins = delays.pins[net as usize];
        sum.toggles += changes;
        sum.driven += changes * f64::from(pins);
        sum.pins_fj += changes * unit * delays.loads[net as usize];
        if let (Some(wires), Some(load)) = (&mut wires, &library.wires) {
            *wires += changes * unit * load.capacitance(pins);
        }
    }
    sum.short_wires_fj = wires;
    for cell in 0..gates.cells.len() as u32 {
        let kind = gates.kind(cell);
        let (Some(internal), Some(power)) = (&mut sum.internal_fj, &kind.cell.power) else {
            sum.internal_fj = None;
            break;
        };
        let scale = library.units.femtofarads;
        let inputs = || kind.inputs.iter().zip(gates.inputs_of(cell)).enumerate();
        for (pin, (name, net)) in inputs() {
            if kind.clock == Some(pin) {
                continue;
            }
            if let Some(tables) = power.inputs.get(name) {
                *internal += per_cycle(*net) * scale * mean(energies(tables, delays.transition(*net), 0.0));
            }
        }
        for (output, net) in kind.outputs.iter().zip(gates.outputs_of(cell)) {
            let Some(related) = power.outputs.get(&output.pin) else { continue };
            let load = delays.loads[*net as usize];
            let (mut weights, mut weighted, mut plain, mut count) = (0.0, 0.0, 0.0, 0.0);
            for (pin, (name, from)) in inputs() {
                let Some(tables) = related.get(name) else { continue };
                let slope = if kind.clock == Some(pin) { ENTERING } else { delays.transition(*from) };
                let energy = mean(energies(tables, slope, load));
                let weight = per_cycle(*from);
                (weights, weighted) = (weights + weight, weighted + weight * energy);
                (plain, count) = (plain + energy, count + 1.0);
            }
            let energy = if weights > 0.0 { weighted / weights } else { plain / f64::max(count, 1.0) };
            *internal += per_cycle(*net) * scale * energy;
        }
    }
    sum
}

/// The energies that are drawn independently of operands.
pub(super) fn clock_and_leakage(gates: &Gates<'_>, library: &Library) -> ClockAndLeakage {
    let mut all = ClockAndLeakage { clock_pins_fj: 0.0, clock_internal_fj: Some(0.0), leakage_nw: Some(0.0) };
    for cell in 0..gates.cells.len() as u32 {
        let kind = gates.kind(cell);
        let power = kind.cell.power.as_ref();
        let leakage = power.and_then(|power| Some(power.leakage? * library.units.nanowatts?));
        all.leakage_nw = all.leakage_nw.zip(leakage).map(|(sum, leakage)| sum + leakage);
        let Some(clock) = kind.clock else { continue };
        let name = &kind.inputs[clock];
        // The clock rises and falls once per cycle.
        all.clock_pins_fj += 2.0 * charge(library) * kind.cell.inputs[name];
        let edges = power.map(|power| match power.inputs.get(name) {
            Some(tables) => 2.0 * library.units.femtofarads * mean(energies(tables, ENTERING, 0.0)),
            None => 0.0,
        });
        all.clock_internal_fj = all.clock_internal_fj.zip(edges).map(|(sum, edges)| sum + edges);
    }
    all
}

/// Femtojoules of one transition of a unit of capacitance: ½ V².
fn charge(library: &Library) -> f64 {
    library.units.femtofarads * library.units.volts.powi(2) / 2.0
}

fn mean([rise, fall]: [f64; 2]) -> f64 {
    (rise + fall) / 2.0
}
