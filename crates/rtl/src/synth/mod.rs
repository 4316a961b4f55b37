//! Blocks as cells of an open library: Yosys maps every module by itself, ABC sizes its gates and says its longest path.
//!
//! A wide multiplier is its modules times their instances, so its rows are mapped once each: that takes minutes and less than
//! two gigabytes where the flat netlist takes more than Yosys' WebAssembly can address. Nothing is shared across modules, and
//! none of the paths ends in the middle of one, as the registers stand between them.

mod library;
mod report;

pub use library::{BUILT_IN, Library};
pub use report::{Measured, Module, Report, table};

use crate::Block;
use crate::error::RtlError;
use crate::tools::{Tools, read, write};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

/// Maps a block to the cells of a library, in a folder, which must exist.
///
/// # Errors
/// [`RtlError::NoTool`], [`RtlError::Tool`], [`RtlError::Output`], [`RtlError::File`].
pub fn synthesise(
    block: &Block,
    library: &Library,
    tools: &Tools,
    folder: &Path,
) -> Result<Report, RtlError> {
    write(&folder.join("block.sv"), &block.text)?;
    // Yosys sees this folder and those below it.
    let cells = folder.join("cells.lib");
    std::fs::copy(&library.path, &cells)
        .map_err(|source| RtlError::File { path: library.path.clone(), source })?;
    // A driver and a load for the ports: without them ABC does not size gates.
    write(&folder.join("ports.sdc"), &format!("set_driving_cell {}\nset_load 10 [all_outputs]\n", buffer(library)))?;
    let script = format!(
        "read_verilog -sv block.sv\nsynth -top {}\ndfflibmap -liberty cells.lib\nabc -liberty cells.lib -constr ports.sdc\nopt_clean \
         -purge\ntee -q -o stat.json stat -liberty cells.lib -json\n",
        block.name
    );
    write(&folder.join("script.ys"), &script)?;
    let start = Instant::now();
    let log = tools.yosys().run(folder, &["-s", "script.ys"], &block.name)?;
    let seconds = start.elapsed().as_secs_f64();
    let missing = |missing: &str| RtlError::Output {
        tool: "yosys".to_owned(),
        what: block.name.clone(),
        missing: missing.to_owned(),
    };
    let stat: Value = serde_json::from_str(&read(&folder.join("stat.json"))?)
        .map_err(|error| missing(&format!("statistics ({error})")))?;
    let counts = counts(&stat).ok_or_else(|| missing("statistics of modules"))?;
    let delays = delays(&log);
    let mut instances = BTreeMap::new();
    instantiate(&block.name, 1, &counts, &mut instances);
    let nand2 = library.nand2().ok_or_else(|| missing("NAND gate"))?;
    let modules: Vec<Module> = instances
        .iter()
        .filter_map(|(name, instances)| {
            let cells: Vec<(&String, u64)> = counts
                .get(name)?
                .iter()
                .filter(|(cell, _)| library.areas.contains_key(*cell))
                .map(|(cell, n)| (cell, *n))
                .collect();
            let registers = cells.iter().filter(|(cell, _)| library.flip_flops.contains(cell));
            Some(Module {
                name: name.clone(),
                instances: *instances,
                cells: cells.iter().map(|(_, n)| n).sum(),
                registers: registers.map(|(_, n)| n).sum(),
                area_um2: cells.iter().map(|(cell, n)| library.areas[*cell] * *n as f64).sum(),
                path_ps: delays.get(name).copied(),
            })
        })
        .collect();
    let unmapped = counts.values().flatten().find(|(cell, _)| {
        !library.areas.contains_key(*cell) && !counts.contains_key(*cell)
    });
    if let Some((cell, _)) = unmapped {
        return Err(missing(&format!("cell for {cell}")));
    }
    Ok(Report::new(&block.name, &library.name, nand2, modules, Measured::new(seconds, &log)))
}

/// A buffer or inverter of the library, the second smallest: what drives the inputs.
fn buffer(library: &Library) -> String {
    let inverter = |name: &&String| {
        let name = name.to_lowercase();
        name.contains("inv_") && !name.contains("clk")
    };
    let mut all: Vec<&String> = library.areas.keys().filter(inverter).collect();
    all.sort_by(|a, b| library.areas[*a].total_cmp(&library.areas[*b]));
    all.get(1).or(all.first()).map_or(String::new(), |name| (*name).clone())
}

/// The cells and modules that each module has, by name, without the backslash of names in Verilog.
fn counts(stat: &Value) -> Option<BTreeMap<String, BTreeMap<String, u64>>> {
    let plain = |name: &str| name.trim_start_matches('\\').to_owned();
    let of = |module: &Value| {
        let mut all = BTreeMap::new();
        for field in ["num_cells_by_type", "num_submodules_by_type"] {
            for (name, count) in module.get(field).and_then(Value::as_object).into_iter().flatten() {
                let count = count.as_u64().or_else(|| count.get("count")?.as_u64());
                *all.entry(plain(name)).or_insert(0) += count.unwrap_or(0);
            }
        }
        all
    };
    let modules = stat.get("modules")?.as_object()?;
    Some(modules.iter().map(|(name, module)| (plain(name), of(module))).collect())
}

/// Counts the instances of a module and of those below it.
fn instantiate(
    name: &str,
    times: u64,
    counts: &BTreeMap<String, BTreeMap<String, u64>>,
    instances: &mut BTreeMap<String, u64>,
) {
    *instances.entry(name.to_owned()).or_insert(0) += times;
    for (child, count) in counts.get(name).into_iter().flatten() {
        if counts.contains_key(child) {
            instantiate(child, times * count, counts, instances);
        }
    }
}

/// The longest path of each module's gates in picoseconds, as ABC printed it.
fn delays(log: &str) -> BTreeMap<String, f64> {
    let mut module = String::new();
    let mut delays = BTreeMap::new();
    for line in log.lines() {
        if let Some((_, rest)) = line.split_once("Extracting gate netlist of module `") {
            module = rest.split('\'').next().unwrap_or_default().trim_start_matches('\\').to_owned();
        } else if let Some((_, rest)) = line.split_once("Delay =") {
            let number: String =
                rest.trim_start().chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
            if let Ok(picoseconds) = number.parse() {
                delays.insert(module.clone(), picoseconds);
            }
        }
    }
    delays
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_are_those_of_the_module_before() {
        let log = "6.1. Extracting gate netlist of module `\\row' to `input.blif'..\nABC: netlist : Gates = 5 Delay = 12.00 ps\nABC: \
                   netlist : Delay =   834.25 ps  (  4.0 %)\nExtracting gate netlist of module `\\top' to x\nno path\n";
        assert_eq!(delays(log), BTreeMap::from([("row".to_owned(), 834.25)]));
    }

    #[test]
    fn instances_multiply_through_the_hierarchy() {
        let stat = serde_json::json!({"modules": {
            "\\top": {"num_cells_by_type": {"\\row": 3, "NAND": 2}},
            "\\row": {"num_cells_by_type": {"\\bit": 4}},
            "\\bit": {"num_cells_by_type": {"NAND": 7}},
        }});
        let counts = counts(&stat).unwrap();
        let mut instances = BTreeMap::new();
        instantiate("top", 1, &counts, &mut instances);
        let want = [("bit", 12), ("row", 3), ("top", 1)].map(|(name, n)| (name.to_owned(), n));
        assert_eq!(instances, BTreeMap::from(want));
    }
}
