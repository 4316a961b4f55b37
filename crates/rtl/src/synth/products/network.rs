//! A combinational network of gates, cells and subnetworks, which can be evaluated and printed.

use super::cells::{Cells, Part};
#[cfg(test)]
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The number of a net: a bit of an operand, or an output in the network.
pub(super) type Net = u32;
/// The net that is always low.
pub(super) const LOW: Net = 0;
/// The net that is always high.
pub(super) const HIGH: Net = 1;

/// The logic functions of gates, which the synthesiser maps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Logic {
    And,
    Or,
    Xor,
    Xnor,
    /// The carry function: the first input, or the conjunction of the two others.
    Carry,
    /// High if in none of the pairs of inputs both are high.
    Neither,
}

/// The driver of one or several nets.
enum Driver<'a> {
    Logic(Logic),
    /// A full or half adder cell.
    Add(&'a Part),
    /// A cell that is high if in none of three pairs both inputs are high.
    Select(&'a Part),
    Buffer(&'a Part),
    /// A subnetwork that is mapped separately, so that its own longest path is optimised; it outputs these of its nets.
    Module(Box<Network<'a>>, Vec<Net>),
}

/// An instance of a driver.
struct Gate<'a> {
    driver: Driver<'a>,
    inputs: Vec<Net>,
    outputs: Vec<Net>,
}

impl Gate<'_> {
    /// The capacitance of one of its inputs.
    fn load(&self, pin: usize, cells: &Cells) -> f64 {
        match self.driver {
            Driver::Add(part) | Driver::Select(part) | Driver::Buffer(part) => part.loads[pin],
            Driver::Logic(_) | Driver::Module(..) => cells.pin,
        }
    }
}

/// A network under construction, with the time at which each net is available.
pub(super) struct Network<'a> {
    cells: &'a Cells,
    /// Names of the operands with the nets of their bits.
    operands: Vec<(String, Vec<Net>)>,
    gates: Vec<Gate<'a>>,
    /// Approximate arrival time of each net in picoseconds, used only to order bits.
    times: Vec<u32>,
    inverses: BTreeMap<Net, Net>,
}

impl<'a> Network<'a> {
    pub(super) fn new(cells: &'a Cells) -> Self {
        Self { cells, operands: Vec::new(), gates: Vec::new(), times: vec![0; 2], inverses: BTreeMap::new() }
    }

    /// A copy with the same nets and times, but without gates.
    pub(super) fn without_gates(&self) -> Self {
        Self { times: self.times.clone(), inverses: self.inverses.clone(), ..Self::new(self.cells) }
    }

    /// The bits of an operand.
    pub(super) fn operand(&mut self, name: &str, bits: u32) -> Vec<Net> {
        let nets: Vec<Net> = (0..bits).map(|_| self.net(0)).collect();
        self.operands.push((name.to_owned(), nets.clone()));
        nets
    }

    fn net(&mut self, time: u32) -> Net {
        self.times.push(time);
        self.times.len() as Net - 1
    }

    /// The arrival time of a net.
    pub(super) fn time(&self, net: Net) -> u32 {
        self.times[net as usize]
    }

    /// The latest arrival time of some nets.
    pub(super) fn latest(&self, nets: &[Net]) -> u32 {
        nets.iter().map(|net| self.time(*net)).max().unwrap_or(0)
    }

    /// Notes that a net drives many pins, which delays its readers.
    pub(super) fn spread(&mut self, net: Net) {
        self.times[net as usize] += 2 * self.cells.gate();
    }

    fn logic(&mut self, logic: Logic, inputs: Vec<Net>) -> Net {
        let out = self.net(self.latest(&inputs) + self.cells.gate());
        self.gates.push(Gate { driver: Driver::Logic(logic), inputs, outputs: vec![out] });
        out
    }

    pub(super) fn and(&mut self, a: Net, b: Net) -> Net {
        match (a.min(b), a.max(b)) {
            (LOW, _) => LOW,
            (HIGH, net) => net,
            _ => self.logic(Logic::And, vec![a, b]),
        }
    }

    pub(super) fn or(&mut self, a: Net, b: Net) -> Net {
        match (a.min(b), a.max(b)) {
            (LOW, net) => net,
            (HIGH, _) => HIGH,
            _ => self.logic(Logic::Or, vec![a, b]),
        }
    }

    pub(super) fn xor(&mut self, a: Net, b: Net) -> Net {
        match (a.min(b), a.max(b)) {
            (LOW, net) => net,
            (HIGH, net) => self.not(net),
            _ => self.logic(Logic::Xor, vec![a, b]),
        }
    }

    /// Adds a carry gate: `generated`, or both `propagated` and `below`.
    pub(super) fn carry(&mut self, generated: Net, propagated: Net, below: Net) -> Net {
        if generated < 2 || propagated < 2 || below < 2 {
            let both = self.and(propagated, below);
            return self.or(generated, both);
        }
        self.logic(Logic::Carry, vec![generated, propagated, below])
    }

    /// Adds a gate that is high if in none of the pairs both nets are high.
    pub(super) fn neither(&mut self, pairs: &[[Net; 2]]) -> Net {
        let inputs = pairs.as_flattened().to_vec();
        let Some(part) = self.cells.select.as_ref().filter(|_| inputs.len() == 6 && !inputs.contains(&HIGH))
        else {
            return self.logic(Logic::Neither, inputs);
        };
        let out = self.net(self.latest(&inputs) + 2 * self.cells.gate());
        self.gates.push(Gate { driver: Driver::Select(part), inputs, outputs: vec![out] });
        out
    }

    /// The complement of a net.
    pub(super) fn not(&mut self, net: Net) -> Net {
        match net {
            LOW => HIGH,
            HIGH => LOW,
            _ => {
                if let Some(inverse) = self.inverses.get(&net) {
                    return *inverse;
                }
                let inverse = self.logic(Logic::Neither, vec![net, HIGH]);
                self.inverses.extend([(net, inverse), (inverse, net)]);
                inverse
            }
        }
    }

    /// The arrival time of the sum of these bits, which must be sorted by time.
    pub(super) fn added(&self, nets: &[Net]) -> u32 {
        self.times_of(&self.cells.full, nets)[0]
    }

    fn times_of(&self, part: &Part, inputs: &[Net]) -> [u32; 2] {
        let from = |(net, delays): (&Net, &Vec<u32>)| [0, 1].map(|output| self.time(*net) + delays[output]);
        let all = inputs.iter().rev().zip(part.delays.iter().rev()).map(from);
        all.fold([0; 2], |latest, times| [latest[0].max(times[0]), latest[1].max(times[1])])
    }

    /// Adds a full or half adder for two or three bits sorted by time; returns sum and carry.
    pub(super) fn add(&mut self, inputs: &[Net]) -> [Net; 2] {
        let part = if inputs.len() == 2 { &self.cells.half } else { &self.cells.full };
        let outputs = self.times_of(part, inputs).map(|time| self.net(time));
        self.gates.push(Gate { driver: Driver::Add(part), inputs: inputs.to_vec(), outputs: outputs.into() });
        outputs
    }

    /// Sum and carry of two bits plus one.
    pub(super) fn add_and_one(&mut self, inputs: [Net; 2]) -> [Net; 2] {
        [self.logic(Logic::Xnor, inputs.into()), self.or(inputs[0], inputs[1])]
    }

    /// Adds a subnetwork of its own that computes a function of some nets.
    pub(super) fn module(
        &mut self,
        inputs: &[Net],
        make: impl FnOnce(&mut Network<'a>, &[Net]) -> Vec<Net>,
    ) -> Vec<Net> {
        let mut inner = Network::new(self.cells);
        let variable: Vec<Net> = inputs.iter().copied().filter(|net| *net > HIGH).collect();
        let ports = inner.operand("x", variable.len() as u32);
        for (port, net) in ports.iter().zip(&variable) {
            inner.times[*port as usize] = self.time(*net);
        }
        let mut rest = ports.into_iter();
        let inside: Vec<Net> =
            inputs.iter().map(|net| if *net > HIGH { rest.next().unwrap_or(LOW) } else { *net }).collect();
        let made = make(&mut inner, &inside);
        let outputs: Vec<Net> = made.iter().map(|net| self.net(inner.time(*net))).collect();
        let driver = Driver::Module(Box::new(inner), made);
        self.gates.push(Gate { driver, inputs: variable, outputs: outputs.clone() });
        outputs
    }

    /// Inserts buffers before the pins of nets that drive many.
    pub(super) fn buffer(&mut self) {
        let mut readers: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.times.len()];
        for (at, gate) in self.gates.iter().enumerate() {
            for (pin, net) in gate.inputs.iter().enumerate() {
                readers[*net as usize].push((at, pin));
            }
        }
        let mut before: Vec<Vec<Gate<'a>>> = self.gates.iter().map(|_| Vec::new()).collect();
        for (net, pins) in (0..).zip(readers).skip(2) {
            // Buffers are inserted before the first gate that reads the net.
            if let Some((first, _)) = pins.first() {
                before[*first].append(&mut self.tree(net, &pins));
            }
        }
        let gates = core::mem::take(&mut self.gates);
        self.gates = before
            .into_iter()
            .zip(gates)
            .flat_map(|(buffers, gate)| buffers.into_iter().chain([gate]))
            .collect();
    }

    /// The buffers between a net and the pins that it drives, those driven by the net itself first; none if there are
    /// few pins.
    fn tree(&mut self, net: Net, pins: &[(usize, usize)]) -> Vec<Gate<'a>> {
        let cells = self.cells;
        let groups = |loads: &[f64]| {
            let sum = loads.iter().sum();
            let (count, part) = cells.buffers(sum).filter(|_| cells.is_much(sum))?;
            (count < loads.len()).then(|| (loads.len().div_ceil(count), part))
        };
        let buffer = |part, out| Gate { driver: Driver::Buffer(part), inputs: vec![net], outputs: vec![out] };
        let loads: Vec<f64> = pins.iter().map(|(at, pin)| self.gates[*at].load(*pin, cells)).collect();
        let Some((size, mut part)) = groups(&loads) else { return Vec::new() };
        let mut tree = Vec::new();
        for pins in pins.chunks(size) {
            let out = self.net(self.time(net));
            pins.iter().for_each(|(at, pin)| self.gates[*at].inputs[*pin] = out);
            tree.push(buffer(part, out));
        }
        // If there are many buffers, further buffers drive them.
        let mut last = 0..tree.len();
        while let Some((size, driving)) = groups(&vec![part.loads[0]; last.len()]) {
            let end = tree.len();
            for first in last.step_by(size) {
                let out = self.net(self.time(net));
                tree[first..end.min(first + size)].iter_mut().for_each(|buffer| buffer.inputs[0] = out);
                tree.push(buffer(driving, out));
            }
            (last, part) = (end..tree.len(), driving);
        }
        tree.reverse();
        tree
    }

    /// SystemVerilog lines that declare a vector and drive it by some nets, and the submodules that they instantiate,
    /// whose names begin with `module`.
    pub(super) fn lines(&self, module: &str, name: &str, of: &[Net]) -> [String; 2] {
        let mut names: Vec<String> = (0..self.times.len()).map(|net| format!("{name}_n[{net}]")).collect();
        names[LOW as usize] = "1'b0".to_owned();
        names[HIGH as usize] = "1'b1".to_owned();
        for (operand, nets) in &self.operands {
            for (bit, net) in nets.iter().enumerate() {
                names[*net as usize] = format!("{operand}[{bit}]");
            }
        }
        let at = |net: &Net| names[*net as usize].as_str();
        let vector = |nets: &[Net]| {
            let nets: Vec<&str> = nets.iter().rev().map(at).collect();
            format!("{{{}}}", nets.join(", "))
        };
        let mut text = format!("    wire [{}:0] {name}_n;\n", self.times.len() - 1);
        let mut modules = String::new();
        for (number, Gate { driver, inputs, outputs }) in self.gates.iter().enumerate() {
            let instance = format!("{name}_{number}");
            let nets: Vec<&str> = inputs.iter().map(at).collect();
            match driver {
                Driver::Logic(logic) => {
                    let value = match logic {
                        Logic::And => nets.join(" & "),
                        Logic::Or => nets.join(" | "),
                        Logic::Xor => nets.join(" ^ "),
                        Logic::Xnor => format!("~({})", nets.join(" ^ ")),
                        Logic::Carry => format!("{} | {} & {}", nets[0], nets[1], nets[2]),
                        Logic::Neither => {
                            let pairs: Vec<String> = nets.chunks(2).map(|pair| pair.join(" & ")).collect();
                            format!("~({})", pairs.join(" | "))
                        }
                    };
                    let _ = writeln!(text, "    assign {} = {value};", vector(outputs));
                }
                Driver::Add(part) | Driver::Select(part) | Driver::Buffer(part) => {
                    text += &part.instance(&instance, nets.into_iter().chain(outputs.iter().map(at)));
                }
                Driver::Module(inner, made) => {
                    let inner_name = format!("{module}_{instance}");
                    let [lines, _] = inner.lines(&inner_name, "y", made);
                    let _ = write!(
                        modules,
                        "module {inner_name} (\n    input  wire [{}:0] x,\n    output wire [{}:0] out\n);\n{lines}    assign out = y;\nendmodule\n\n",
                        inputs.len().max(1) - 1,
                        outputs.len().max(1) - 1
                    );
                    let (inputs, outputs) = (vector(inputs), vector(outputs));
                    let _ = writeln!(text, "    {inner_name} {instance} (.x({inputs}), .out({outputs}));");
                }
            }
        }
        let _ = writeln!(text, "    wire [{}:0] {name} = {};", of.len().max(1) - 1, vector(of));
        [text, modules]
    }
}

#[cfg(test)]
impl Network<'_> {
    /// The values of some nets for given operand values, as an integer.
    pub(super) fn values(&self, operands: &[BigUint], of: &[Net]) -> BigUint {
        let operands = self.operands.iter().zip(operands);
        let bits =
            operands.flat_map(|((_, nets), operand)| (0..nets.len() as u64).map(|bit| operand.bit(bit)));
        let mut number = BigUint::ZERO;
        self.evaluate(bits.collect(), of)
            .into_iter()
            .zip(0u64..)
            .for_each(|(value, bit)| number.set_bit(bit, value));
        number
    }

    fn evaluate(&self, operands: Vec<bool>, of: &[Net]) -> Vec<bool> {
        let mut values = vec![false; self.times.len()];
        values[HIGH as usize] = true;
        let nets = self.operands.iter().flat_map(|(_, nets)| nets);
        nets.zip(operands).for_each(|(net, value)| values[*net as usize] = value);
        for gate in &self.gates {
            let inputs: Vec<bool> = gate.inputs.iter().map(|net| values[*net as usize]).collect();
            let ones = inputs.iter().filter(|input| **input).count();
            let both = |pair: &[bool]| pair[0] && pair[1];
            let outputs = match &gate.driver {
                Driver::Logic(Logic::And) => vec![ones == 2],
                Driver::Logic(Logic::Or) => vec![ones > 0],
                Driver::Logic(Logic::Xor) => vec![ones == 1],
                Driver::Logic(Logic::Xnor) => vec![ones != 1],
                Driver::Logic(Logic::Carry) => vec![inputs[0] || both(&inputs[1..])],
                Driver::Logic(Logic::Neither) | Driver::Select(_) => vec![!inputs.chunks(2).any(both)],
                Driver::Add(_) => vec![ones % 2 == 1, ones > 1],
                Driver::Buffer(_) => inputs,
                Driver::Module(inner, made) => inner.evaluate(inputs, made),
            };
            gate.outputs.iter().zip(outputs).for_each(|(net, value)| values[*net as usize] = value);
        }
        of.iter().map(|net| values[*net as usize]).collect()
    }
}
