//! Reads the JSON that Yosys writes into a hierarchy.

use super::{Edge, Hierarchy, Node, WIDE, digest};
use crate::Block;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

type Modules = Map<String, Value>;

/// A bit of a net; constants have no number.
type Bit = u64;

/// The top module as cells with the bits at their ports.
struct Top<'a> {
    /// Gates and registers of the top module itself.
    cells: Vec<Cell<'a>>,
    /// Ports of nodes: of instances, and of the block itself as seen from inside.
    ports: Vec<Port>,
}

struct Cell<'a> {
    register: bool,
    inputs: Vec<(&'a str, Vec<Bit>)>,
    outputs: Vec<Bit>,
}

struct Port {
    node: usize,
    /// Whether the node drives it.
    drives: bool,
    bits: Vec<Bit>,
}

/// Ports of cells that select or enable and carry no operand.
const CHOOSING: [&str; 6] = ["S", "EN", "CLK", "SRST", "ARST", "ALOAD"];
/// Indexes of the nodes that are not instances.
const INPUTS: usize = 0;
const OWN: usize = 1;

/// The hierarchy of a block; `None` if its module is missing in the text.
pub(super) fn hierarchy(block: &Block, text: &str) -> Option<Hierarchy> {
    let json: Value = serde_json::from_str(text).ok()?;
    let modules = json.get("modules")?.as_object()?;
    let module = modules.get(&block.name)?;
    let cells = module.get("cells")?.as_object()?;
    let mut groups: BTreeMap<(String, &str), Vec<&Value>> = BTreeMap::new();
    for (name, cell) in cells {
        let of = cell.get("type")?.as_str()?;
        if modules.contains_key(of) {
            groups.entry((numberless(name), of)).or_default().push(cell);
        }
    }
    let plain = |name: &str, bits| Node {
        name: name.to_owned(),
        module: String::new(),
        times: 1,
        holds: Vec::new(),
        bits,
    };
    let mut nodes = vec![plain("inputs", 0), plain("registers of its own", registers(module))];
    let mut top = Top { cells: own_cells(cells, modules)?, ports: Vec::new() };
    for ((name, of), instances) in &groups {
        for cell in instances {
            let (directions, connections) = ports(cell)?;
            for (port, bits) in connections {
                let drives = directions.get(port).and_then(Value::as_str) == Some("output");
                top.ports.push(Port { node: nodes.len(), drives, bits: wires(bits) });
            }
        }
        let mut holds = BTreeMap::new();
        let bits = inside(modules, of, 1, &mut holds);
        nodes.push(Node {
            name: name.clone(),
            module: (*of).to_owned(),
            times: instances.len() as u64,
            holds: holds.into_iter().collect(),
            bits,
        });
    }
    for (name, port) in module.get("ports")?.as_object()? {
        let input = port.get("direction")?.as_str()? == "input";
        // Clock, reset and enable are connected to everything and are left out.
        if !matches!(name.as_str(), "clk" | "rst" | "en") {
            let node = if input { INPUTS } else { nodes.len() };
            top.ports.push(Port { node, drives: input, bits: wires(port.get("bits")?) });
        }
    }
    nodes.push(plain("outputs", 0));
    let all = 0..nodes.len();
    let data = all.clone().flat_map(|from| top.edges(from, true)).collect();
    let control = all.flat_map(|from| top.edges(from, false)).collect();
    Some(Hierarchy {
        block: block.name.clone(),
        title: block.title.clone(),
        digest: digest(block),
        nodes,
        data,
        control,
    })
}

/// The gates and registers among the cells.
fn own_cells<'a>(cells: &'a Map<String, Value>, modules: &Modules) -> Option<Vec<Cell<'a>>> {
    let mut own = Vec::new();
    for cell in cells.values() {
        let of = cell.get("type")?.as_str()?;
        if modules.contains_key(of) {
            continue;
        }
        let (directions, connections) = ports(cell)?;
        let output = |port: &str| directions.get(port).and_then(Value::as_str) == Some("output");
        let (outputs, inputs): (Vec<_>, Vec<_>) = connections.iter().partition(|(port, _)| output(port));
        own.push(Cell {
            register: of.contains("ff") || of.contains("mem"),
            inputs: inputs.into_iter().map(|(port, bits)| (port.as_str(), wires(bits))).collect(),
            outputs: outputs.into_iter().flat_map(|(_, bits)| wires(bits)).collect(),
        });
    }
    Some(own)
}

fn ports(cell: &Value) -> Option<(&Map<String, Value>, &Map<String, Value>)> {
    Some((cell.get("port_directions")?.as_object()?, cell.get("connections")?.as_object()?))
}

/// The bits of a port, without constants.
fn wires(bits: &Value) -> Vec<Bit> {
    bits.as_array().into_iter().flatten().filter_map(Value::as_u64).collect()
}

/// The name of an instance with its numbers replaced by `#`.
fn numberless(name: &str) -> String {
    let mut text = String::new();
    for c in name.chars() {
        match c {
            '0'..='9' if text.ends_with('#') => {}
            '0'..='9' if text.ends_with(['_', '[']) => text.push('#'),
            c => text.push(c),
        }
    }
    text
}

/// Bits of the registers and memories that belong to a module itself.
fn registers(module: &Value) -> u64 {
    let cells = module.get("cells").and_then(Value::as_object).into_iter().flatten();
    let of =
        |cell: &Value, kind: &str| cell.get("type").and_then(Value::as_str).is_some_and(|t| t.contains(kind));
    let flip_flops = cells.filter(|(_, cell)| of(cell, "ff"));
    let held = flip_flops.map(|(_, cell)| cell["connections"]["Q"].as_array().map_or(0, Vec::len) as u64);
    let memories = module.get("memories").and_then(Value::as_object).into_iter().flatten();
    let size = |memory: &Value, key: &str| memory.get(key).and_then(Value::as_u64).unwrap_or(0);
    held.sum::<u64>() + memories.map(|(_, memory)| size(memory, "width") * size(memory, "size")).sum::<u64>()
}

/// Counts the modules below a module, and the bits of all their registers.
fn inside(modules: &Modules, of: &str, times: u64, holds: &mut BTreeMap<String, u64>) -> u64 {
    let Some(module) = modules.get(of) else { return 0 };
    let mut bits = registers(module);
    for (_, cell) in module.get("cells").and_then(Value::as_object).into_iter().flatten() {
        let Some(part) = cell.get("type").and_then(Value::as_str) else { continue };
        if modules.contains_key(part) {
            *holds.entry(part.to_owned()).or_insert(0) += times;
            bits += inside(modules, part, times, holds);
        }
    }
    bits
}

impl Top<'_> {
    /// The paths that begin at a node: of operands through all cells, or of control through gates only.
    fn edges(&self, from: usize, wide: bool) -> Vec<Edge> {
        let fits = |bits: &[Bit]| (bits.len() >= WIDE) == wide;
        let mut reached: BTreeSet<Bit> = BTreeSet::new();
        for port in self.ports.iter().filter(|port| port.node == from && port.drives && fits(&port.bits)) {
            reached.extend(&port.bits);
        }
        // Control paths begin at the block's own registers, while operand paths pass through them.
        if from == OWN && !wide {
            let narrow = self.cells.iter().filter(|cell| cell.register && fits(&cell.outputs));
            narrow.for_each(|cell| reached.extend(&cell.outputs));
        }
        let mut passed = vec![false; self.cells.len()];
        loop {
            let mut more = false;
            for (cell, passed) in self.cells.iter().zip(&mut passed) {
                let open = !*passed && fits(&cell.outputs) && (wide || !cell.register);
                let enters = |(port, bits): &(&str, Vec<Bit>)| {
                    let way = !wide || (fits(bits) && !CHOOSING.contains(port));
                    way && bits.iter().any(|bit| reached.contains(bit))
                };
                if open && cell.inputs.iter().any(enters) {
                    reached.extend(&cell.outputs);
                    (*passed, more) = (true, true);
                }
            }
            if !more {
                break;
            }
        }
        let mut ends: BTreeMap<usize, usize> = BTreeMap::new();
        let at = self.ports.iter().filter(|port| !port.drives && fits(&port.bits));
        for port in at.filter(|port| port.bits.iter().any(|bit| reached.contains(bit))) {
            let bits = ends.entry(port.node).or_insert(0);
            *bits = (*bits).max(port.bits.len());
        }
        ends.into_iter().map(|(to, bits)| Edge { from, to, bits }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_instances_are_left_out_and_those_of_names_are_not() {
        for (name, wanted) in
            [("unit_3", "unit_#"), ("bank[12].memory", "bank[#].memory"), ("fp2", "fp2"), ("l1", "l1")]
        {
            assert_eq!(numberless(name), wanted);
        }
    }
}
