//! A mapped block as one flat list of cells in topological order: each cell comes after those that drive it.

use crate::error::RtlError;
use crate::synth::Function;
use crate::synth::{Cell, Library, Netlist};
use crate::{Block, Signal};
use std::collections::BTreeMap;

/// A net's number. The first two are constants.
pub(super) type Net = u32;
/// The net that is always low.
const LOW: Net = 0;
/// The net that is always high.
pub(super) const HIGH: Net = 1;

/// A kind of cell, with its pins in the order of the nets of [`Placed`]: inputs, then outputs.
pub(super) struct Kind<'a> {
    /// Name of the cell in the library.
    pub(super) name: &'a str,
    /// The library's data of the cell.
    pub(super) cell: &'a Cell,
    pub(super) inputs: Vec<String>,
    pub(super) outputs: Vec<Output>,
    /// The index of the clock among the inputs, for a flip-flop.
    pub(super) clock: Option<usize>,
}

/// An output of a kind of cell.
pub(super) struct Output {
    pub(super) pin: String,
    /// Its function; for a flip-flop, the value after the edge.
    pub(super) function: Function,
    /// The function's value for all combinations of the inputs.
    pub(super) table: u64,
}

/// An instance of a cell.
#[derive(Clone, Copy)]
pub(super) struct Placed {
    /// Index of its kind in the block's list.
    pub(super) kind: u32,
    /// Index of its first pin in the block's list.
    first: u32,
}

/// A block as cells and nets.
pub(super) struct Gates<'a> {
    pub(super) kinds: Vec<Kind<'a>>,
    pub(super) cells: Vec<Placed>,
    pins: Vec<Net>,
    /// The gates in topological order.
    pub(super) order: Vec<u32>,
    pub(super) registers: Vec<u32>,
    /// The number of nets.
    pub(super) nets: usize,
    /// Nets of the block's inputs, bit by bit.
    pub(super) inputs: Vec<Vec<Net>>,
    /// Nets of its outputs.
    pub(super) outputs: Vec<Vec<Net>>,
}

impl<'a> Gates<'a> {
    /// Flattens the modules of a block.
    ///
    /// # Errors
    /// [`RtlError::Output`] for a missing module or cell, a cell without a function, or a combinational loop.
    pub(super) fn of(
        block: &Block,
        netlists: &'a BTreeMap<String, Netlist>,
        library: &'a Library,
    ) -> Result<Self, RtlError> {
        let mut flattener = Flattener {
            block: &block.name,
            netlists,
            library,
            kinds: Vec::new(),
            numbers: BTreeMap::new(),
            cells: Vec::new(),
            pins: Vec::new(),
            same: vec![LOW, HIGH],
        };
        let ports = |signals: &[Signal], flattener: &mut Flattener<'_, '_>| -> Vec<Vec<Net>> {
            signals.iter().map(|signal| (0..signal.bits).map(|_| flattener.net()).collect()).collect()
        };
        let mut inputs = ports(&block.inputs, &mut flattener);
        let mut outputs = ports(&block.outputs, &mut flattener);
        let clock = flattener.net();
        let mut top = BTreeMap::from([("clk".to_owned(), clock)]);
        let signals = block.inputs.iter().zip(&inputs).chain(block.outputs.iter().zip(&outputs));
        for (signal, nets) in signals {
            for (bit, net) in nets.iter().enumerate() {
                let name =
                    if signal.bits == 1 { signal.name.clone() } else { format!("{}[{bit}]", signal.name) };
                top.insert(name, *net);
            }
        }
        flattener.open(&block.name, &top)?;
        let find = |net: &mut Net| *net = root(&flattener.same, *net);
        flattener.pins.iter_mut().for_each(find);
        inputs.iter_mut().chain(&mut outputs).flatten().for_each(find);
        let nets = flattener.same.len();
        let mut gates = Self {
            kinds: flattener.kinds,
            cells: flattener.cells,
            pins: flattener.pins,
            order: Vec::new(),
            registers: Vec::new(),
            nets,
            inputs,
            outputs,
        };
        gates.sort().ok_or_else(|| missing(&block.name, "order of its gates, which stand in a circle"))?;
        gates.renumber();
        Ok(gates)
    }

    /// The kind of a cell.
    pub(super) fn kind(&self, cell: u32) -> &Kind<'a> {
        &self.kinds[self.cells[cell as usize].kind as usize]
    }

    /// Nets of a cell's inputs.
    pub(super) fn inputs_of(&self, cell: u32) -> &[Net] {
        let first = self.cells[cell as usize].first as usize;
        &self.pins[first..first + self.kind(cell).inputs.len()]
    }

    /// Nets of a cell's outputs.
    pub(super) fn outputs_of(&self, cell: u32) -> &[Net] {
        let kind = self.kind(cell);
        let first = self.cells[cell as usize].first as usize + kind.inputs.len();
        &self.pins[first..first + kind.outputs.len()]
    }

    /// Sorts the gates topologically; `None` if there is a combinational loop.
    fn sort(&mut self) -> Option<()> {
        let all = 0..self.cells.len() as u32;
        let (registers, gates): (Vec<u32>, Vec<u32>) = all.partition(|cell| self.kind(*cell).clock.is_some());
        let mut driven = vec![false; self.nets];
        gates.iter().flat_map(|gate| self.outputs_of(*gate)).for_each(|net| driven[*net as usize] = true);
        let readers = self.readers(&gates);
        let mut waits = vec![0u32; self.cells.len()];
        for gate in &gates {
            let inputs = self.inputs_of(*gate).iter();
            waits[*gate as usize] = inputs.filter(|net| driven[**net as usize]).count() as u32;
        }
        let mut order: Vec<u32> = gates.iter().copied().filter(|gate| waits[*gate as usize] == 0).collect();
        let mut done = 0;
        while let Some(gate) = order.get(done).copied() {
            done += 1;
            for net in self.outputs_of(gate) {
                for (reader, _) in readers.of(*net) {
                    waits[*reader as usize] -= 1;
                    if waits[*reader as usize] == 0 {
                        order.push(*reader);
                    }
                }
            }
        }
        (order.len() == gates.len()).then_some(())?;
        (self.order, self.registers) = (order, registers);
        Some(())
    }

    /// Renumbers nets in the order of their drivers, so that neighbouring nets are close in memory.
    fn renumber(&mut self) {
        let mut numbers = vec![Net::MAX; self.nets];
        (numbers[LOW as usize], numbers[HIGH as usize]) = (LOW, HIGH);
        let mut next = HIGH + 1;
        let mut number = |net: Net| {
            if numbers[net as usize] == Net::MAX {
                numbers[net as usize] = next;
                next += 1;
            }
        };
        self.inputs.iter().flatten().for_each(|net| number(*net));
        for cell in self.registers.iter().chain(&self.order) {
            self.outputs_of(*cell).iter().for_each(|net| number(*net));
        }
        self.pins.iter().chain(self.outputs.iter().flatten()).for_each(|net| number(*net));
        let ports = self.inputs.iter_mut().chain(&mut self.outputs).flatten();
        self.pins.iter_mut().chain(ports).for_each(|net| *net = numbers[*net as usize]);
        self.nets = next as usize;
    }

    /// The readers of every net among the given cells.
    pub(super) fn readers(&self, cells: &[u32]) -> Readers {
        let mut starts = vec![0u32; self.nets + 1];
        cells.iter().flat_map(|cell| self.inputs_of(*cell)).for_each(|net| starts[*net as usize + 1] += 1);
        for net in 0..self.nets {
            starts[net + 1] += starts[net];
        }
        let mut next = starts.clone();
        let mut all = vec![(0, 0); starts[self.nets] as usize];
        for cell in cells {
            for (pin, net) in self.inputs_of(*cell).iter().enumerate() {
                all[next[*net as usize] as usize] = (*cell, pin as u8);
                next[*net as usize] += 1;
            }
        }
        Readers { starts, all }
    }
}

/// For every net, the cells and pins that read it.
pub(super) struct Readers {
    starts: Vec<u32>,
    all: Vec<(u32, u8)>,
}

impl Readers {
    /// Cells and pins that read a net.
    pub(super) fn of(&self, net: Net) -> &[(u32, u8)] {
        &self.all[self.starts[net as usize] as usize..self.starts[net as usize + 1] as usize]
    }
}

/// The state of flattening.
struct Flattener<'a, 'b> {
    block: &'b str,
    netlists: &'a BTreeMap<String, Netlist>,
    library: &'a Library,
    kinds: Vec<Kind<'a>>,
    /// Indexes of kinds by cell name.
    numbers: BTreeMap<&'a str, u32>,
    cells: Vec<Placed>,
    pins: Vec<Net>,
    /// For each net, another net that is identical to it; the representative refers to itself (union-find).
    same: Vec<Net>,
}

/// The representative of a net.
fn root(same: &[Net], mut net: Net) -> Net {
    while same[net as usize] != net {
        net = same[net as usize];
    }
    net
}

fn missing(block: &str, missing: impl Into<String>) -> RtlError {
    RtlError::Output { tool: "yosys".to_owned(), what: block.to_owned(), missing: missing.into() }
}

impl<'a> Flattener<'a, '_> {
    fn net(&mut self) -> Net {
        let net = self.same.len() as Net;
        self.same.push(net);
        net
    }

    /// Flattens a module whose ports are connected to these nets.
    fn open(&mut self, module: &str, ports: &BTreeMap<String, Net>) -> Result<(), RtlError> {
        let netlists = self.netlists;
        let netlist = netlists.get(module).ok_or_else(|| missing(self.block, format!("module {module}")))?;
        let mut names: BTreeMap<&str, Net> =
            BTreeMap::from([("$false", LOW), ("$undef", LOW), ("$true", HIGH)]);
        for port in netlist.inputs.iter().chain(&netlist.outputs) {
            let net = match ports.get(port) {
                Some(net) => *net,
                None => self.net(),
            };
            names.insert(port, net);
        }
        for (to, from) in &netlist.names {
            let [to, from] = [to, from].map(|name| self.named(&mut names, name));
            let [to, from] = [to, from].map(|net| root(&self.same, net));
            self.same[to.max(from) as usize] = to.min(from);
        }
        for instance in &netlist.instances {
            if netlists.contains_key(&instance.of) {
                let pins = instance.pins.iter();
                let ports = pins.map(|(pin, net)| (pin.clone(), self.named(&mut names, net))).collect();
                self.open(&instance.of, &ports)?;
                continue;
            }
            let kind = self.kind_of(&instance.of)?;
            let first = self.pins.len() as u32;
            let Kind { inputs, outputs, .. } = &self.kinds[kind as usize];
            let pins: Vec<String> =
                inputs.iter().chain(outputs.iter().map(|output| &output.pin)).cloned().collect();
            for pin in pins {
                let net = match instance.pins.iter().find(|(name, _)| *name == pin) {
                    Some((_, net)) => self.named(&mut names, net),
                    None => self.net(),
                };
                self.pins.push(net);
            }
            self.cells.push(Placed { kind, first });
        }
        Ok(())
    }

    fn named<'n>(&mut self, names: &mut BTreeMap<&'n str, Net>, name: &'n str) -> Net {
        if let Some(net) = names.get(name) {
            return *net;
        }
        let net = self.net();
        names.insert(name, net);
        net
    }

    fn kind_of(&mut self, name: &str) -> Result<u32, RtlError> {
        if let Some(kind) = self.numbers.get(name) {
            return Ok(*kind);
        }
        let library = self.library;
        let found = library.cells.get_key_value(name);
        let (name, cell) = found.ok_or_else(|| missing(self.block, format!("cell for {name}")))?;
        let kind = Kind::of(name, cell).ok_or_else(|| missing(self.block, format!("function of {name}")))?;
        let number = self.kinds.len() as u32;
        self.kinds.push(kind);
        self.numbers.insert(name, number);
        Ok(number)
    }
}

impl<'a> Kind<'a> {
    /// Reads a cell; `None` unless it is a gate, or a plain flip-flop with a rising clock edge.
    fn of(name: &'a str, cell: &'a Cell) -> Option<Self> {
        let inputs: Vec<String> = cell.inputs.keys().cloned().collect();
        let clock = match &cell.state {
            Some(state) if state.asynchronous => return None,
            Some(state) => Some(inputs.iter().position(|pin| *pin == state.clock)?),
            None => None,
        };
        let outputs = cell.outputs.keys().map(|pin| {
            let text = cell.functions.get(pin)?;
            let function = match &cell.state {
                Some(state) => {
                    let next = if state.names[0] == text.trim() {
                        state.next.clone()
                    } else if state.names[1] == text.trim() {
                        format!("!({})", state.next)
                    } else {
                        return None;
                    };
                    Function::parse(&next, &inputs)?
                }
                None => Function::parse(text, &inputs)?,
            };
            Some(Output { pin: pin.clone(), table: function.table(), function })
        });
        let outputs = outputs.collect::<Option<Vec<_>>>()?;
        Some(Self { name, cell, inputs, outputs, clock })
    }
}
