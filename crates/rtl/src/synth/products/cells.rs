//! The library cells from which product networks are built, found by their functions.

use crate::error::RtlError;
use crate::synth::{Cell, ENTERING, Function, Library};

/// The load, in gate pins, from which a net gets buffers, and which a buffer drives.
const MANY: f64 = 8.0;
const DRIVEN: f64 = 48.0;
/// How much slower than the fastest buffer a chosen smaller one may be, as a factor.
const SLOWER: f64 = 2.0;

/// A cell with its pins in order, the slowest inputs first.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Part {
    /// Its name in the library.
    pub(super) cell: String,
    inputs: Vec<String>,
    /// Outputs with their functions.
    outputs: Vec<(String, String)>,
    /// Capacitance of each input.
    pub(super) loads: Vec<f64>,
    /// Picoseconds from each input to each output.
    pub(super) delays: Vec<Vec<u32>>,
    area: f64,
}

/// The cells from which a network is built.
pub(super) struct Cells {
    /// A full adder: sum and carry of three bits.
    pub(super) full: Part,
    /// A half adder: sum and carry of two bits.
    pub(super) half: Part,
    /// A cell whose output is high if no pair of its six inputs has both inputs high (AOI222), if the library has one.
    pub(super) select: Option<Part>,
    /// Buffers for nets with many pins.
    buffers: Vec<(Part, Cell)>,
    /// Capacitance of a gate's input pin.
    pub(super) pin: f64,
    picoseconds: f64,
}

impl Cells {
    /// Finds the cells in a library.
    ///
    /// # Errors
    /// [`RtlError::Output`] with what the library lacks.
    pub(super) fn of(library: &Library) -> Result<Self, RtlError> {
        let lacks = |missing: String| RtlError::Output {
            tool: "Liberty".to_owned(),
            what: library.path.display().to_string(),
            missing,
        };
        let adder = |inputs: u32, what: &str| -> Result<Part, RtlError> {
            let sum = table(inputs, |case| case.count_ones() % 2 == 1);
            let carry = table(inputs, |case| case.count_ones() > 1);
            let found = parts(library, inputs, &[sum, carry]);
            let found = found.into_iter().min_by(|a, b| a.0.area.total_cmp(&b.0.area));
            let (mut part, _) = found.ok_or_else(|| {
                lacks(format!("cell that adds {what} bits, with outputs for sum and carry"))
            })?;
            part.slowest_first();
            Ok(part)
        };
        let pairs = |case: u32| [3, 12, 48].iter().all(|pair| case & pair != *pair);
        let selects = parts(library, 6, &[table(6, pairs)]).into_iter();
        let (full, half) = (adder(3, "three")?, adder(2, "two")?);
        Ok(Self {
            select: selects.min_by(|a, b| a.0.area.total_cmp(&b.0.area)).map(|(part, _)| part),
            buffers: parts(library, 1, &[table(1, |case| case == 1)]),
            pin: half.loads.iter().fold(f64::MAX, |least, load| least.min(*load)),
            picoseconds: library.picoseconds,
            full,
            half,
        })
    }

    /// Typical delay of a gate in picoseconds.
    pub(super) fn gate(&self) -> u32 {
        self.half.delays.iter().map(|delays| delays[1]).max().unwrap_or(1)
    }

    /// Whether a net with this load needs buffers.
    pub(super) fn is_much(&self, load: f64) -> bool {
        load > MANY * self.pin && !self.buffers.is_empty()
    }

    /// The number and kind of buffers for a load: the smallest buffer that is nearly as fast as the fastest.
    pub(super) fn buffers(&self, load: f64) -> Option<(usize, &Part)> {
        let count = (load / (DRIVEN * self.pin)).ceil().max(1.0);
        let delay = |cell: &Cell| slowest(cell, None, None, load / count) * self.picoseconds;
        let fastest = self.buffers.iter().map(|(_, cell)| delay(cell)).min_by(f64::total_cmp)?;
        let near = self.buffers.iter().filter(|(_, cell)| delay(cell) <= SLOWER * fastest);
        let (part, _) = near.min_by(|a, b| a.0.area.total_cmp(&b.0.area))?;
        Some((count as usize, part))
    }

    /// The cells as modules: with their functions, or as black boxes that the library defines.
    pub(super) fn modules(&self, inside: bool) -> String {
        let all = [&self.full, &self.half].into_iter().chain(&self.select);
        all.chain(self.buffers.iter().map(|(part, _)| part)).map(|part| part.module(inside)).collect()
    }
}

/// The function's value for all combinations of the inputs.
fn table(inputs: u32, function: impl Fn(u32) -> bool) -> u64 {
    (0..1u32 << inputs).fold(0, |all, case| all | u64::from(function(case)) << case)
}

/// The combinational cells whose outputs have these functions of their inputs.
fn parts(library: &Library, inputs: u32, outputs: &[u64]) -> Vec<(Part, Cell)> {
    let cases = u64::MAX >> (64 - (1u32 << inputs));
    let fitting = library.cells.iter().filter(|(_, cell)| {
        cell.state.is_none() && cell.inputs.len() == inputs as usize && cell.outputs.len() == outputs.len()
    });
    let part = |(name, cell): (&String, &Cell)| {
        let pins: Vec<String> = cell.inputs.keys().cloned().collect();
        let output = |want: &u64| {
            let is = |text: &str| Function::parse(text, &pins).is_some_and(|f| f.table() & cases == *want);
            cell.functions.iter().find(|(_, text)| is(text)).map(|(pin, text)| (pin.clone(), text.clone()))
        };
        let outputs = outputs.iter().map(output).collect::<Option<Vec<(String, String)>>>()?;
        let load = cell.inputs.values().copied().fold(0.0, f64::max);
        let delay = |from: &String, to: &String| {
            (slowest(cell, Some(from), Some(to), load) * library.picoseconds) as u32
        };
        let delays =
            pins.iter().map(|from| outputs.iter().map(|(to, _)| delay(from, to)).collect()).collect();
        let loads = cell.inputs.values().copied().collect();
        let part = Part { cell: name.clone(), inputs: pins, outputs, loads, delays, area: cell.area };
        Some((part, cell.clone()))
    };
    fitting.filter_map(part).collect()
}

/// The longest delay of a cell from one input to one output, or from any to any, in the library's unit.
fn slowest(cell: &Cell, from: Option<&String>, to: Option<&String>, load: f64) -> f64 {
    let outputs = cell.outputs.iter().filter(|(pin, _)| to.is_none_or(|to| to == *pin));
    let arcs = outputs.flat_map(|(_, arcs)| arcs).filter(|arc| from.is_none_or(|from| *from == arc.from));
    let tables = arcs.flat_map(|arc| arc.tables.iter().flatten());
    tables.map(|[delay, _]| delay.at(2.0 * ENTERING, load)).fold(0.0, f64::max)
}

impl Part {
    /// Sorts the inputs so that the slowest come first; the functions must be symmetric in the inputs.
    fn slowest_first(&mut self) {
        let mut order: Vec<usize> = (0..self.inputs.len()).collect();
        order.sort_by_key(|at| std::cmp::Reverse(self.delays[*at].iter().sum::<u32>()));
        self.inputs = order.iter().map(|at| self.inputs[*at].clone()).collect();
        self.loads = order.iter().map(|at| self.loads[*at]).collect();
        self.delays = order.iter().map(|at| self.delays[*at].clone()).collect();
    }

    /// The text of an instance with these nets at its inputs and outputs.
    pub(super) fn instance<'a>(&self, name: &str, nets: impl Iterator<Item = &'a str>) -> String {
        let pins = self.inputs.iter().chain(self.outputs.iter().map(|(pin, _)| pin));
        let pins: Vec<String> = pins.zip(nets).map(|(pin, net)| format!(".{pin}({net})")).collect();
        format!("    {} {name} ({});\n", self.cell, pins.join(", "))
    }

    fn module(&self, inside: bool) -> String {
        let inputs = self.inputs.iter().map(|pin| format!("input wire {pin}"));
        let outputs = self.outputs.iter().map(|(pin, _)| format!("output wire {pin}"));
        let ports: Vec<String> = inputs.chain(outputs).collect();
        let assign = |(pin, function): &(String, String)| format!("    assign {pin} = {function};\n");
        let body: String = if inside { self.outputs.iter().map(assign).collect() } else { String::new() };
        let known = if inside { "" } else { "(* blackbox *)\n" };
        format!("{known}module {} ({});\n{body}endmodule\n\n", self.cell, ports.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synth::BUILT_IN;
    use std::path::Path;

    #[test]
    fn cells_are_found_by_their_functions() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(BUILT_IN);
        let cells = Cells::of(&Library::read(&path).unwrap()).unwrap();
        let name = |part: &Part| part.cell.replace("sky130_fd_sc_hd__", "");
        assert_eq!([&cells.full, &cells.half].map(name), ["fa_1", "ha_1"]);
        assert_eq!(cells.select.as_ref().map(name), Some("a222oi_1".to_owned()));
        let nets = ["x", "y", "z", "s", "c"].into_iter();
        let want = "    sky130_fd_sc_hd__fa_1 add (.A(x), .B(y), .CIN(z), .SUM(s), .COUT(c));\n";
        assert_eq!(cells.full.instance("add", nets), want);
        // The sum is later than the carry, and latest from the first input.
        let delays = &cells.full.delays;
        assert!(delays.iter().all(|delays| delays[0] > delays[1]) && delays[0][0] > delays[2][0]);
        // A larger load takes a larger buffer, and then several.
        let buffers = |pins: f64| cells.buffers(pins * cells.pin).map(|(count, part)| (count, name(part)));
        assert_eq!(buffers(13.0), Some((1, "buf_2".to_owned())));
        assert_eq!(buffers(30.0), Some((1, "buf_4".to_owned())));
        assert_eq!(buffers(100.0), Some((3, "buf_4".to_owned())));
    }

    #[test]
    fn a_library_without_adders_is_told_what_it_lacks() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let text =
            "library (small) { capacitive_load_unit (1, ff); nom_voltage : 1; cell (NAND2_1) { area : 1; } }";
        std::fs::write(file.path(), text).unwrap();
        let error = Cells::of(&Library::read(file.path()).unwrap()).err().map(|error| error.to_string());
        assert!(error.is_some_and(|error| error.contains("adds three bits")));
    }
}
