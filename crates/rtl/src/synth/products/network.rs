//! A network of gates, cells and smaller networks that computes some nets of others: it can be evaluated, and it can be printed.

use super::cells::{Cells, Part};
#[cfg(test)]
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A bit of an operand, or what drives it in the network.
pub(super) type Net = u32;
/// The net that is always low.
pub(super) const LOW: Net = 0;
/// The net that is always high.
pub(super) const HIGH: Net = 1;

/// What a gate makes of its inputs, which the synthesiser maps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Logic {
    And,
    Or,
    Xor,
    Xnor,
    /// The first, or the two others together.
    Carry,
    /// High if in none of the pairs of inputs both are.
    Neither,
}

/// What drives one net or several.
enum Driver<'a> {
    Logic(Logic),
    /// A cell that adds bits.
    Add(&'a Part),
    /// A cell that is high if in none of three pairs both inputs are.
    Select(&'a Part),
    Buffer(&'a Part),
    /// A network that is mapped by itself, so that its own longest path counts; it computes these of its nets.
    Module(Box<Network<'a>>, Vec<Net>),
}

/// A driver in its place.
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

/// A network under way, and when it is done.
pub(super) struct Network<'a> {
    cells: &'a Cells,
    /// Names of the operands with the nets of their bits.
    operands: Vec<(String, Vec<Net>)>,
    gates: Vec<Gate<'a>>,
    /// Picoseconds after which each net has its value, roughly: they order bits and no more.
    times: Vec<u32>,
    inverses: BTreeMap<Net, Net>,
}

impl<'a> Network<'a> {
    pub(super) fn new(cells: &'a Cells) -> Self {
        Self { cells, operands: Vec::new(), gates: Vec::new(), times: vec![0; 2], inverses: BTreeMap::new() }
    }

    /// The same nets at the same times, without what drives them.
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

    /// When a net has its value.
    pub(super) fn time(&self, net: Net) -> u32 {
        self.times[net as usize]
    }

    /// When all of some nets have their values.
    pub(super) fn latest(&self, nets: &[Net]) -> u32 {
        nets.iter().map(|net| self.time(*net)).max().unwrap_or(0)
    }

    /// Says that a net drives many pins, so that what reads it comes later.
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

    /// The first, or the two others together.
    pub(super) fn carry(&mut self, generated: Net, propagated: Net, below: Net) -> Net {
        if generated < 2 || propagated < 2 || below < 2 {
            let both = self.and(propagated, below);
            return self.or(generated, both);
        }
        self.logic(Logic::Carry, vec![generated, propagated, below])
    }

    /// High if in none of the pairs both nets are.
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

    /// The net of the other value.
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

    /// When the sum of these bits is there, the earliest of which come first.
    pub(super) fn added(&self, nets: &[Net]) -> u32 {
        self.times_of(&self.cells.full, nets)[0]
    }

    fn times_of(&self, part: &Part, inputs: &[Net]) -> [u32; 2] {
        let from = |(net, delays): (&Net, &Vec<u32>)| [0, 1].map(|output| self.time(*net) + delays[output]);
        let all = inputs.iter().rev().zip(part.delays.iter().rev()).map(from);
        all.fold([0; 2], |latest, times| [latest[0].max(times[0]), latest[1].max(times[1])])
    }

    /// Sum and carry of two or three bits, the earliest of which come first.
    pub(super) fn add(&mut self, inputs: &[Net]) -> [Net; 2] {
        let part = if inputs.len() == 2 { &self.cells.half } else { &self.cells.full };
        let outputs = self.times_of(part, inputs).map(|time| self.net(time));
        self.gates.push(Gate { driver: Driver::Add(part), inputs: inputs.to_vec(), outputs: outputs.into() });
        outputs
    }

    /// Sum and carry of two bits and one.
    pub(super) fn add_and_one(&mut self, inputs: [Net; 2]) -> [Net; 2] {
        [self.logic(Logic::Xnor, inputs.into()), self.or(inputs[0], inputs[1])]
    }

    /// What a network of its own makes of some nets.
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

    /// Puts buffers before the pins of nets that drive many.
    pub(super) fn buffer(&mut self) {
        let mut readers: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.times.len()];
        for (at, gate) in self.gates.iter().enumerate() {
            for (pin, net) in gate.inputs.iter().enumerate() {
                readers[*net as usize].push((at, pin));
            }
        }
        let mut before: Vec<Vec<Gate<'a>>> = self.gates.iter().map(|_| Vec::new()).collect();
        for (net, pins) in (0..).zip(readers).skip(2) {
            // Buffers stand before the first gate that reads the net.
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

    /// Buffers between a net and pins of gates, those that the net drives first; none if the pins are few.
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
        // Many buffers are driven by others.
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

    /// Lines of SystemVerilog that declare a vector and drive it by some nets, and the modules of which there are instances in
    /// them, whose names begin with that of the module that the lines are for.
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
    /// The values of some nets for these values of the operands.
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
