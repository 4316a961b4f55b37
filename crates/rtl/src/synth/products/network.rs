//! A network of gates, adders' cells and wide sums that computes one vector of others: it can be evaluated, and it can be printed.

use super::adders::Adders;
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A bit of an operand, or what drives it in the network.
pub(super) type Net = u32;
/// The net that is always low.
pub(super) const LOW: Net = 0;
/// The net that is always high.
pub(super) const HIGH: Net = 1;

/// Delays of gates in tenths of a full adder's: they order bits by the times at which they come, and no more.
const INVERTER: u32 = 2;
const GATE: u32 = 5;
const FULL: u32 = 10;
const HALF: u32 = 6;

/// A part of the network. Outputs have higher numbers than inputs.
enum Gate {
    /// High if in none of the pairs both nets are.
    Neither { pairs: Vec<[Net; 2]>, out: Net },
    /// The cell that adds three bits.
    Full { inputs: [Net; 3], sum: Net, carry: Net },
    /// The cell that adds two bits.
    Half { inputs: [Net; 2], sum: Net, carry: Net },
    /// Two bits and one.
    HalfAndOne { inputs: [Net; 2], sum: Net, carry: Net },
    /// The sum or the difference of two vectors, in nets from `first` on; the synthesiser makes an adder of it.
    Wide { left: Vec<Net>, right: Vec<Net>, minus: bool, first: Net, bits: u32 },
}

/// A network under way, and when it is done.
pub(super) struct Network {
    /// Names of the operands with the nets of their bits.
    operands: Vec<(String, Vec<Net>)>,
    gates: Vec<Gate>,
    /// When each net has its value, in the unit of the delays above.
    times: Vec<u32>,
    inverses: BTreeMap<Net, Net>,
}

impl Network {
    pub(super) fn new() -> Self {
        Self { operands: Vec::new(), gates: Vec::new(), times: vec![0; 2], inverses: BTreeMap::new() }
    }

    /// The same nets at the same times, without what drives them.
    pub(super) fn without_gates(&self) -> Self {
        Self { times: self.times.clone(), inverses: self.inverses.clone(), ..Self::new() }
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

    fn latest(&self, nets: &[Net]) -> u32 {
        nets.iter().map(|net| self.time(*net)).max().unwrap_or(0)
    }

    /// When the sum of three bits is there.
    pub(super) fn added(&self, nets: &[Net]) -> u32 {
        self.latest(nets) + FULL
    }

    /// High if in none of the pairs both nets are.
    pub(super) fn neither(&mut self, pairs: Vec<[Net; 2]>) -> Net {
        let delay = if pairs.len() == 1 && pairs[0][1] == HIGH { INVERTER } else { GATE };
        let out = self.net(self.latest(pairs.as_flattened()) + delay);
        self.gates.push(Gate::Neither { pairs, out });
        out
    }

    /// The other value.
    pub(super) fn not(&mut self, net: Net) -> Net {
        match net {
            LOW => HIGH,
            HIGH => LOW,
            _ => {
                if let Some(inverse) = self.inverses.get(&net) {
                    return *inverse;
                }
                let inverse = self.neither(vec![[net, HIGH]]);
                self.inverses.extend([(net, inverse), (inverse, net)]);
                inverse
            }
        }
    }

    /// Sum and carry of three bits.
    pub(super) fn full(&mut self, inputs: [Net; 3]) -> [Net; 2] {
        let time = self.added(&inputs);
        let [sum, carry] = [self.net(time), self.net(time)];
        self.gates.push(Gate::Full { inputs, sum, carry });
        [sum, carry]
    }

    /// Sum and carry of two bits.
    pub(super) fn half(&mut self, inputs: [Net; 2]) -> [Net; 2] {
        let time = self.latest(&inputs) + HALF;
        let [sum, carry] = [self.net(time), self.net(time)];
        self.gates.push(Gate::Half { inputs, sum, carry });
        [sum, carry]
    }

    /// Sum and carry of two bits and one.
    pub(super) fn half_and_one(&mut self, inputs: [Net; 2]) -> [Net; 2] {
        let time = self.latest(&inputs) + HALF;
        let [sum, carry] = [self.net(time), self.net(time)];
        self.gates.push(Gate::HalfAndOne { inputs, sum, carry });
        [sum, carry]
    }

    /// The lowest bits of a sum, or of a difference.
    pub(super) fn wide(&mut self, left: Vec<Net>, right: Vec<Net>, minus: bool, bits: u32) -> Vec<Net> {
        let time = self.latest(&left).max(self.latest(&right)) + FULL + 6 * bits.max(1).ilog2();
        let nets: Vec<Net> = (0..bits).map(|_| self.net(time)).collect();
        let first = nets.first().copied().unwrap_or(LOW);
        self.gates.push(Gate::Wide { left, right, minus, first, bits });
        nets
    }

    /// Says that a net drives many pins, so that what reads it comes later.
    pub(super) fn spread(&mut self, net: Net) {
        self.times[net as usize] += FULL;
    }

    /// The values of some nets for these values of the operands, as a number.
    pub(super) fn value(&self, operands: &[BigUint], of: &[Net]) -> BigUint {
        let mut values = vec![false; self.times.len()];
        values[HIGH as usize] = true;
        for ((_, nets), operand) in self.operands.iter().zip(operands) {
            nets.iter().zip(0u64..).for_each(|(net, bit)| values[*net as usize] = operand.bit(bit));
        }
        for gate in &self.gates {
            let at = |net: &Net| values[*net as usize];
            let add = |inputs: &[Net], more: usize| {
                let sum = inputs.iter().filter(|net| at(net)).count() + more;
                [sum & 1 == 1, sum > 1]
            };
            let (outs, new) = match gate {
                Gate::Neither { pairs, out } => {
                    let both = pairs.iter().any(|[a, b]| at(a) && at(b));
                    ([*out, *out], [!both; 2])
                }
                Gate::Full { inputs, sum, carry } => ([*sum, *carry], add(inputs, 0)),
                Gate::Half { inputs, sum, carry } => ([*sum, *carry], add(inputs, 0)),
                Gate::HalfAndOne { inputs, sum, carry } => ([*sum, *carry], add(inputs, 1)),
                Gate::Wide { left, right, minus, first, bits } => {
                    let [left, right] = [left, right].map(|nets| number(nets, &values));
                    let modulus = BigUint::from(1u32) << *bits;
                    let sum = if *minus { left + &modulus - right % &modulus } else { left + right };
                    for bit in 0..*bits {
                        values[(first + bit) as usize] = sum.bit(u64::from(bit));
                    }
                    continue;
                }
            };
            for (net, value) in outs.into_iter().zip(new) {
                values[net as usize] = value;
            }
        }
        number(of, &values)
    }

    /// Lines of SystemVerilog that declare a vector and drive it by some nets.
    pub(super) fn lines(&self, name: &str, of: &[Net], adders: &Adders) -> String {
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
        for (number, gate) in self.gates.iter().enumerate() {
            let _ = match gate {
                Gate::Neither { pairs, out } => {
                    let pair = |[a, b]: &[Net; 2]| match *b {
                        HIGH => at(a).to_owned(),
                        _ => format!("{} & {}", at(a), at(b)),
                    };
                    let pairs: Vec<String> = pairs.iter().map(pair).collect();
                    writeln!(text, "    assign {} = ~({});", at(out), pairs.join(" | "))
                }
                Gate::Full { inputs, sum, carry } => {
                    let instance = adders.full.instance(inputs.iter().map(at), at(sum), at(carry));
                    writeln!(text, "    {} {name}_a{number} ({instance});", adders.full.cell)
                }
                Gate::Half { inputs, sum, carry } => {
                    let instance = adders.half.instance(inputs.iter().map(at), at(sum), at(carry));
                    writeln!(text, "    {} {name}_a{number} ({instance});", adders.half.cell)
                }
                Gate::HalfAndOne { inputs: [a, b], sum, carry } => {
                    let [a, b, sum, carry] = [a, b, sum, carry].map(at);
                    writeln!(text, "    assign {sum} = ~({a} ^ {b});\n    assign {carry} = {a} | {b};")
                }
                Gate::Wide { left, right, minus, first, bits } => {
                    let to: Vec<Net> = (*first..first + bits).collect();
                    let sign = if *minus { "-" } else { "+" };
                    let [to, left, right] = [&to, left, right].map(|nets| vector(nets));
                    writeln!(text, "    assign {to} = {left} {sign} {right};")
                }
            };
        }
        let _ = writeln!(text, "    wire [{}:0] {name} = {};", of.len().max(1) - 1, vector(of));
        text
    }
}

/// The number whose bits some nets are.
fn number(nets: &[Net], values: &[bool]) -> BigUint {
    let mut number = BigUint::ZERO;
    for (net, bit) in nets.iter().zip(0u64..) {
        number.set_bit(bit, values[*net as usize]);
    }
    number
}
