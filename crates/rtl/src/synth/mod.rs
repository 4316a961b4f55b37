//! Blocks as cells of an open library: Yosys and ABC map every module by itself, and its longest path follows from the
//! library's tables.
//!
//! A wide multiplier is its modules times their instances, so its rows are mapped once each: that takes minutes and less than
//! two gigabytes where the flat netlist takes more than Yosys' WebAssembly can address. Nothing is shared across modules, and
//! none of the paths ends in the middle of one, as the registers stand between them.

mod liberty;
mod library;
mod netlist;
mod report;
mod timing;

pub use library::{Arc, BUILT_IN, Cell, Library, Table};
pub use report::{Measured, Module, Report, table};

use crate::Block;
use crate::error::RtlError;
use crate::tools::{Tools, read, write};
use netlist::Netlist;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

/// What ABC does with a module. Its default script restructures with `dc2`, which turns the prefix trees of wide adders into ripples:
/// the path of the adder of 255 bits was four and a half times as long. This one keeps the trees, maps, and sizes the gates.
const ABC: &str = "+strash;&get,-n;&dch,-f;&nf;&put;topo;buffer,-c;topo;upsize;dnsize";

/// Maps a block to the cells of a library, in a folder, which must exist. Memories, whose modules are named `…_ram`, are not mapped;
/// modules that are blocks of their own are taken from the results of these, which `kept` has.
///
/// # Errors
/// [`RtlError::NoTool`], [`RtlError::Tool`], [`RtlError::Output`], [`RtlError::File`]; those of `kept`.
pub fn synthesise(
    block: &Block,
    library: &Library,
    tools: &Tools,
    folder: &Path,
    kept: impl Fn(&str) -> Result<Report, RtlError>,
) -> Result<Report, RtlError> {
    write(&folder.join("block.sv"), &block.text)?;
    // Yosys sees this folder and those below it.
    let cells = folder.join("cells.lib");
    std::fs::copy(&library.path, &cells)
        .map_err(|source| RtlError::File { path: library.path.clone(), source })?;
    // A driver and a load for the ports: without them ABC does not size gates.
    write(
        &folder.join("ports.sdc"),
        &format!("set_driving_cell {}\nset_load 10 [all_outputs]\n", inverter(library)),
    )?;
    let closed: String = block.parts.iter().map(|(module, _)| format!(" {module}")).collect();
    let script = format!(
        "read_verilog -sv block.sv\nblackbox *_ram{closed}\nsynth -noabc -top {}\ndfflibmap -liberty cells.lib\nabc -liberty cells.lib -constr ports.sdc -script {}\nopt_clean \
         -purge\nwrite_blif net.blif\n",
        block.name, ABC
    );
    write(&folder.join("script.ys"), &script)?;
    let start = Instant::now();
    let log = tools.yosys().run(folder, &["-s", "script.ys"], &block.name)?;
    let seconds = start.elapsed().as_secs_f64();
    let missing =
        |missing: String| RtlError::Output { tool: "yosys".to_owned(), what: block.name.clone(), missing };
    let mut netlists = netlist::parse(&read(&folder.join("net.blif"))?);
    // What was not mapped has no netlist.
    let of_others = |of: &String| of.ends_with("_ram") || block.parts.iter().any(|(module, _)| module == of);
    let instances =
        netlists.values().flat_map(|netlist| &netlist.instances).map(|instance| instance.of.clone());
    for module in instances.filter(of_others).collect::<Vec<_>>() {
        netlists.entry(module).or_default();
    }
    let mut instances = BTreeMap::new();
    instantiate(&block.name, 1, &netlists, &mut instances);
    let mut modules = Vec::new();
    for (name, times) in instances.iter().filter(|(name, _)| !name.ends_with("_ram")) {
        if let Some((_, of)) = block.parts.iter().find(|(module, _)| module == name) {
            let parts = kept(of)?.modules.into_iter();
            modules.extend(parts.map(|part| Module { instances: part.instances * times, ..part }));
            continue;
        }
        let netlist = netlists.get(name).ok_or_else(|| missing(format!("module {name}")))?;
        let mut module = Module {
            name: name.clone(),
            instances: *times,
            cells: 0,
            registers: 0,
            area_um2: 0.0,
            path_ps: timing::longest(netlist, library),
        };
        for instance in netlist.instances.iter().filter(|i| !netlists.contains_key(&i.of)) {
            let cell = library
                .cells
                .get(&instance.of)
                .ok_or_else(|| missing(format!("cell for {}", instance.of)))?;
            module.cells += 1;
            module.registers += u64::from(cell.flip_flop);
            module.area_um2 += cell.area;
        }
        modules.push(module);
    }
    let nand2 = library.nand2().ok_or_else(|| missing("NAND gate".to_owned()))?;
    Ok(Report::new(&block.name, &library.name, nand2, modules, Measured::new(seconds, &log)))
}

/// The second smallest inverter of the library: what drives the inputs.
fn inverter(library: &Library) -> &str {
    let named = |name: &str| {
        let name = name.to_lowercase();
        name.contains("inv_") && !name.contains("clk")
    };
    let mut all: Vec<(&String, f64)> =
        library.cells.iter().filter(|(name, _)| named(name)).map(|(name, cell)| (name, cell.area)).collect();
    all.sort_by(|a, b| a.1.total_cmp(&b.1));
    all.get(1).or(all.first()).map_or("", |(name, _)| name)
}

/// Counts the instances of a module and of those below it.
fn instantiate(
    name: &str,
    times: u64,
    netlists: &BTreeMap<String, Netlist>,
    instances: &mut BTreeMap<String, u64>,
) {
    *instances.entry(name.to_owned()).or_insert(0) += times;
    for instance in netlists.get(name).into_iter().flat_map(|netlist| &netlist.instances) {
        if netlists.contains_key(&instance.of) {
            instantiate(&instance.of, times, netlists, instances);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_multiply_through_the_hierarchy() {
        let text = ".model top\n.subckt row x=a\n.subckt row x=b\n.subckt NAND A=a\n.end\n.model row\n.subckt bit x=x\n.subckt bit \
                    x=y\n.end\n.model bit\n.subckt NAND A=x\n.end\n";
        let mut instances = BTreeMap::new();
        instantiate("top", 1, &netlist::parse(text), &mut instances);
        let want = [("bit", 4), ("row", 2), ("top", 1)].map(|(name, n)| (name.to_owned(), n));
        assert_eq!(instances, BTreeMap::from(want));
    }
}
