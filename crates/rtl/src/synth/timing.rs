//! The longest path through the cells of a module, by static timing analysis with the library's tables: delays and
//! transition times are propagated from inputs and flip-flops, separately for rises and falls, with the load of every
//! net.
//!
//! Wires have neither length nor capacitance. Inputs arrive at time zero with the transition time of a flip-flop's
//! output, and every output drives a flip-flop. The insides of other modules are not analysed.

use super::library::{Cell, Library};
use super::netlist::Netlist;
use std::collections::BTreeMap;

/// Transition time of a module's inputs, in nanoseconds if these are the library's unit.
pub const ENTERING: f64 = 0.05;

/// Latest arrival and transition time of a net's rise and of its fall.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    time: [f64; 2],
    transition: [f64; 2],
}

impl Arrival {
    const NEVER: Self = Self { time: [f64::NEG_INFINITY; 2], transition: [0.0; 2] };
    const START: Self = Self { time: [0.0; 2], transition: [ENTERING; 2] };

    fn latest(&self) -> f64 {
        self.time[0].max(self.time[1])
    }
}

/// A net: its driver and the pins that it drives.
#[derive(Default)]
struct Net {
    load: f64,
    readers: Vec<usize>,
}

/// The longest path of a module in picoseconds: from an input or a clock edge to an output or a flip-flop, with its
/// setup time. `None` if no path passes through a cell, or there is a combinational loop.
pub(super) fn longest(module: &Netlist, library: &Library) -> Option<f64> {
    let load = library.flip_flop()?.inputs.get("D").copied().unwrap_or(0.0);
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut nets: Vec<Net> = Vec::new();
    for instance in &module.instances {
        for (_, net) in &instance.pins {
            let next = nets.len();
            if *numbers.entry(net).or_insert(next) == next {
                nets.push(Net::default());
            }
        }
    }
    let cells: Vec<Option<&Cell>> = module.instances.iter().map(|i| library.cells.get(&i.of)).collect();
    let mut waits = vec![0usize; cells.len()];
    let mut arrivals = vec![Arrival::START; nets.len()];
    for (k, (instance, cell)) in module.instances.iter().zip(&cells).enumerate() {
        let Some(cell) = cell else { continue };
        for (pin, net) in &instance.pins {
            let net = numbers[net.as_str()];
            if let Some(capacitance) = cell.inputs.get(pin) {
                nets[net].load += capacitance;
                nets[net].readers.push(k);
            } else {
                arrivals[net] = Arrival::NEVER;
            }
        }
    }
    for output in module.outputs.iter().chain(module.names.iter().map(|(_, from)| from)) {
        if let Some(net) = numbers.get(output.as_str()) {
            nets[*net].load += load;
        }
    }
    // A cell waits for all inputs that are driven by other cells; a flip-flop waits for none.
    let driven: Vec<bool> = arrivals.iter().map(|a| a.latest() < 0.0).collect();
    let mut ready = Vec::new();
    for (k, (instance, cell)) in module.instances.iter().zip(&cells).enumerate() {
        let Some(cell) = cell else { continue };
        let of_cells =
            |(pin, net): &&(String, String)| cell.inputs.contains_key(pin) && driven[numbers[net.as_str()]];
        waits[k] = if cell.flip_flop { 0 } else { instance.pins.iter().filter(of_cells).count() };
        if waits[k] == 0 {
            ready.push(k);
        }
    }
    let mut done = 0;
    while let Some(k) = ready.pop() {
        done += 1;
        let (instance, Some(cell)) = (&module.instances[k], cells[k]) else { continue };
        let net_of =
            |pin: &str| instance.pins.iter().find(|(p, _)| p == pin).map(|(_, net)| numbers[net.as_str()]);
        for (pin, arcs) in &cell.outputs {
            let Some(out) = net_of(pin) else { continue };
            for arc in arcs {
                let entering =
                    if arc.edge { Some(Arrival::START) } else { net_of(&arc.from).map(|net| arrivals[net]) };
                let Some(entering) = entering else { continue };
                for (to, tables) in arc.tables.iter().enumerate() {
                    let Some([delay, transition]) = tables else { continue };
                    for from in 0..2 {
                        if !arc.edge && !(if from == to { arc.keeps } else { arc.inverts }) {
                            continue;
                        }
                        let slew = entering.transition[from];
                        let time = entering.time[from] + delay.at(slew, nets[out].load);
                        if time > arrivals[out].time[to] {
                            arrivals[out].time[to] = time;
                            arrivals[out].transition[to] = transition.at(slew, nets[out].load);
                        }
                    }
                }
            }
            for reader in nets[out].readers.clone() {
                if cells[reader].is_some_and(|cell| !cell.flip_flop) {
                    waits[reader] -= 1;
                    if waits[reader] == 0 {
                        ready.push(reader);
                    }
                }
            }
        }
    }
    if done < cells.iter().flatten().count() {
        return None;
    }
    let mut longest = f64::NEG_INFINITY;
    for (instance, cell) in module.instances.iter().zip(&cells) {
        let Some(cell) = cell else { continue };
        for (pin, net) in &instance.pins {
            let net = numbers[net.as_str()];
            if !driven[net] {
                continue;
            }
            let end = arrivals[net];
            let setup = cell.setups.get(pin).into_iter().flatten();
            let setup = setup.map(|table| table.at(ENTERING, end.transition[0].max(end.transition[1])));
            longest = longest.max(end.latest() + setup.fold(0.0, f64::max));
        }
    }
    longest.is_finite().then_some(longest * library.picoseconds)
}

#[cfg(test)]
mod tests {
    use super::super::netlist::parse;
    use super::*;
    use std::path::Path;

    /// Gates with a delay of 1 and an inverter of 2 for rises and 3 for falls, all without slopes; an adder of two bits whose sum takes
    /// 5 and 7 and whose carry takes 1 and 2; a flip-flop of 4 with a setup of 0.5.
    const LIBRARY: &str = "library (unit) { time_unit : \"1ns\"; capacitive_load_unit (1, ff); nom_voltage : 1;
        cell (NAND2_1) { area : 1; pin (A) { direction : input; capacitance : 1; } pin (B) { direction : input; capacitance : 1; }
          pin (Y) { direction : output;
            timing () { related_pin : A; timing_sense : negative_unate; cell_rise (t) { values (\"1\"); } rise_transition (t) { values (\"0\"); }
              cell_fall (t) { values (\"1\"); } fall_transition (t) { values (\"0\"); } }
            timing () { related_pin : B; timing_sense : negative_unate; cell_rise (t) { values (\"1\"); } rise_transition (t) { values (\"0\"); }
              cell_fall (t) { values (\"1\"); } fall_transition (t) { values (\"0\"); } } } }
        cell (INV) { area : 1; pin (A) { direction : input; capacitance : 1; } pin (Y) { direction : output;
            timing () { related_pin : A; timing_sense : negative_unate; cell_rise (t) { values (\"2\"); } rise_transition (t) { values (\"0\"); }
              cell_fall (t) { values (\"3\"); } fall_transition (t) { values (\"0\"); } } } }
        cell (HALF) { area : 3; pin (A) { direction : input; capacitance : 1; } pin (B) { direction : input; capacitance : 1; }
          pin (S) { direction : output;
            timing () { related_pin : A; timing_sense : non_unate; cell_rise (t) { values (\"5\"); } rise_transition (t) { values (\"0\"); }
              cell_fall (t) { values (\"5\"); } fall_transition (t) { values (\"0\"); } }
            timing () { related_pin : B; timing_sense : non_unate; cell_rise (t) { values (\"7\"); } rise_transition (t) { values (\"0\"); }
              cell_fall (t) { values (\"7\"); } fall_transition (t) { values (\"0\"); } } }
          pin (C) { direction : output;
            timing () { related_pin : A; timing_sense : positive_unate; cell_rise (t) { values (\"1\"); } rise_transition (t) { values (\"0\"); }
              cell_fall (t) { values (\"1\"); } fall_transition (t) { values (\"0\"); } }
            timing () { related_pin : B; timing_sense : positive_unate; cell_rise (t) { values (\"2\"); } rise_transition (t) { values (\"0\"); }
              cell_fall (t) { values (\"2\"); } fall_transition (t) { values (\"0\"); } } } }
        cell (DFF) { area : 4; ff (IQ, IQN) { clocked_on : CK; }
          pin (CK) { direction : input; capacitance : 1; }
          pin (D) { direction : input; capacitance : 1;
            timing () { related_pin : CK; timing_type : setup_rising; rise_constraint (t) { values (\"0.5\"); } fall_constraint (t) { values (\"0.25\"); } } }
          pin (Q) { direction : output; timing () { related_pin : CK; timing_type : rising_edge;
              cell_rise (t) { values (\"4\"); } rise_transition (t) { values (\"0\"); } cell_fall (t) { values (\"4\"); } fall_transition (t) { values (\"0\"); } } } }
      }";

    fn picoseconds(blif: &str) -> Option<f64> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), LIBRARY).unwrap();
        let library = Library::read(Path::new(file.path())).unwrap();
        longest(&parse(blif)["m"], &library)
    }

    #[test]
    fn paths_add_up_with_their_directions() {
        // A rise through two inverters: a fall of 3, then a rise of 2; a fall: 2 and then 3.
        let two = ".model m\n.inputs a\n.outputs y\n.subckt INV A=a Y=n\n.subckt INV A=n Y=y\n.end\n";
        assert_eq!(picoseconds(two), Some(5000.0));
        // A NAND's output rises 1 after the fall of its latest input, which comes 3 after the input of the inverter.
        let nand =
            ".model m\n.inputs a b\n.outputs y\n.subckt NAND2_1 A=n B=b Y=y\n.subckt INV A=a Y=n\n.end\n";
        assert_eq!(picoseconds(nand), Some(4000.0));
    }

    #[test]
    fn flip_flops_begin_and_end_paths() {
        let ring = ".model m\n.inputs c\n.outputs q\n.subckt DFF CK=c D=n Q=q\n.subckt INV A=q Y=n\n.end\n";
        assert_eq!(picoseconds(ring), Some(4000.0 + 3000.0 + 500.0));
    }

    #[test]
    fn a_cell_with_two_outputs_has_a_path_to_each() {
        let add = |rest: &str| {
            let head = ".model m\n.inputs a b\n.outputs y\n.subckt HALF A=a B=b S=s C=c\n";
            picoseconds(&format!("{head}{rest}.end\n"))
        };
        // From A to the sum takes 5, from B 7; to the carry 1 and 2. What reads both outputs waits for the later one.
        assert_eq!(add(""), Some(7000.0));
        assert_eq!(add(".subckt INV A=c Y=y\n"), Some(7000.0));
        assert_eq!(add(".subckt NAND2_1 A=c B=s Y=y\n"), Some(8000.0));
        assert_eq!(add(".subckt HALF A=c B=c S=y C=z\n"), Some(2000.0 + 7000.0));
        // The carry of a rise is a rise; no path leads through what is not connected.
        let one = ".model m\n.inputs a b\n.outputs y\n.subckt HALF A=a B=b C=y\n.end\n";
        assert_eq!(picoseconds(one), Some(2000.0));
    }

    #[test]
    fn a_circle_of_gates_and_no_gates_have_no_path() {
        let circle =
            ".model m\n.inputs a\n.outputs y\n.subckt NAND2_1 A=a B=y Y=n\n.subckt INV A=n Y=y\n.end\n";
        assert_eq!(picoseconds(circle), None);
        assert_eq!(picoseconds(".model m\n.inputs a\n.outputs a\n.end\n"), None);
    }
}
