//! Blocks mapped to the cells of an open library: Yosys and ABC map every module separately, and the longest path of
//! each module is computed from the library's tables.
//!
//! The area of a wide multiplier is that of its modules times their instances, so its row modules are mapped once each.
//! This takes minutes and less than two gigabytes, where the flat netlist takes more than Yosys' WebAssembly version
//! can address. Nothing is shared across modules, and no path crosses a module boundary, since registers separate the
//! modules.

mod beside;
mod cache;
mod function;
mod liberty;
mod library;
mod netlist;
mod power;
mod products;
mod report;
mod table;
mod timing;

pub use beside::beside_papers;
pub(crate) use function::Function;
pub use library::{Arc, BUILT_IN, Cell, Library, State};
pub use netlist::{Instance, Netlist};
pub use power::{Energies, Power, Units, Wires, energies};
pub use products::{Products, dense_module};
pub(crate) use report::EQUAL;
pub use report::{Measured, Module, Synthesis, table};
pub use table::Table;
pub use timing::ENTERING;

use crate::error::RtlError;
use crate::tools::{Tools, read, write};
use crate::{Block, blocks};
use cache::Cache;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Instant;

/// The ABC script for a module. The default script restructures with `dc2`, which turns the prefix trees of wide adders
/// into ripple carries: the path of the adder of 255 bits became four and a half times as long. This script keeps the
/// trees, maps, and sizes the gates.
const ABC: &str = "+strash;&get,-n;&dch,-f;&nf;&put;topo;buffer,-c;topo;upsize;dnsize";

/// A block as cells, module by module.
pub struct Mapped {
    /// The netlists by module name, without the modules that were left out.
    pub netlists: BTreeMap<String, Netlist>,
    /// How products were constructed.
    products: Products,
    /// The cost of the run.
    measured: Measured,
}

impl Mapped {
    /// Maps a block to the cells of a library, in an existing folder. Memories, whose modules are named `…_ram`, are
    /// not mapped, nor are submodules that are blocks of their own. A cached netlist of the same synthesis is reused.
    ///
    /// # Errors
    /// [`RtlError::NoTool`], [`RtlError::Tool`], [`RtlError::File`]; the errors of [`Products`] for a library without
    /// adders.
    pub fn of(
        block: &Block,
        library: &Library,
        products: Products,
        tools: &Tools,
        folder: &Path,
    ) -> Result<Self, RtlError> {
        let left_out = left_out(&block.text);
        // In a block with memories a path may pass through several modules, so the block is flattened and control is
        // not cut at module ports.
        let flatten = if left_out.is_empty() { "" } else { "-flatten " };
        let parts = block.parts.iter().map(|(module, _)| module);
        let closed: String = parts.chain(&left_out).map(|module| format!(" {module}")).collect();
        // Parts of products are mapped separately, so that the longest path of each part is optimised, not only that of
        // the slowest one.
        let mut opened = String::new();
        if products == Products::Dense && !block.kernels.is_empty() {
            opened.extend(block.kernels.iter().map(|(module, _)| format!("flatten {module}\n")));
            opened += &format!("hierarchy -top {}\n", block.name);
        }
        let script = format!(
            "read_verilog -sv block.sv\nblackbox *_ram{closed}\nsynth -noabc {flatten}-top {}\ndfflibmap -liberty cells.lib\nabc -liberty cells.lib -constr ports.sdc -script {}\n{opened}opt_clean -purge\nwrite_blif net.blif\n",
            block.name, ABC
        );
        // A driver and a load for the ports, without which ABC does not size gates.
        let ports = format!("set_driving_cell {}\nset_load 10 [all_outputs]\n", inverter(library));
        let cells = read(&library.path)?;
        let text = products.text(block, library)?;
        // Yosys can access only this folder and those below it.
        let files = [("block.sv", &text), ("ports.sdc", &ports), ("cells.lib", &cells)];
        let cache = Cache::of(tools, &[&files.map(|(_, text)| text.as_str())[..], &[&script]].concat())?;
        if let Some((net, measured)) = cache.as_ref().and_then(Cache::kept) {
            return Ok(Self { netlists: netlist::parse(&net), products, measured });
        }
        for (name, text) in files {
            write(&folder.join(name), text)?;
        }
        let start = Instant::now();
        let log = tools.yosys(folder, &script, &block.name)?;
        let measured = Measured::new(start.elapsed().as_secs_f64(), &log);
        let net = read(&folder.join("net.blif"))?;
        if let Some(cache) = cache {
            cache.keep(&net, &measured)?;
        }
        Ok(Self { netlists: netlist::parse(&net), products, measured })
    }

    /// The modules of a block together with those of its parts, which are blocks of their own and are mapped
    /// separately.
    ///
    /// # Errors
    /// The errors of [`of`](Self::of).
    pub fn whole(mut self, block: &Block, library: &Library, tools: &Tools) -> Result<Self, RtlError> {
        for (module, of) in &block.parts {
            let folder = tempfile::tempdir()
                .map_err(|source| RtlError::File { path: std::env::temp_dir(), source })?;
            let part = Self::of(&blocks::find(of)?.block()?, library, self.products, tools, folder.path())?;
            // The names of a part's modules begin with its name.
            let named = |name: &str| match name.strip_prefix(of) {
                Some(rest) if part.netlists.contains_key(name) => format!("{module}{rest}"),
                _ => name.to_owned(),
            };
            for (name, netlist) in &part.netlists {
                let mut netlist = netlist.clone();
                netlist.instances.iter_mut().for_each(|instance| instance.of = named(&instance.of));
                self.netlists.insert(named(name), netlist);
            }
        }
        Ok(self)
    }

    /// Reads a netlist in BLIF.
    ///
    /// # Errors
    /// [`RtlError::File`].
    pub fn read(path: &Path) -> Result<Self, RtlError> {
        let netlists = netlist::parse(&read(path)?);
        Ok(Self { netlists, products: Products::Yosys, measured: Measured::new(0.0, "") })
    }

    /// The longest path of any module in picoseconds.
    pub fn longest(&self, library: &Library) -> Option<f64> {
        let paths = self.netlists.values().filter_map(|netlist| timing::longest(netlist, library));
        paths.max_by(f64::total_cmp)
    }
}

/// Counts the cells of a mapped block. Submodules that are blocks of their own are taken from the results that `kept`
/// returns.
///
/// # Errors
/// [`RtlError::Output`] for a missing module or cell; errors of `kept`.
pub fn report(
    block: &Block,
    mapped: &Mapped,
    library: &Library,
    kept: impl Fn(&str) -> Result<Synthesis, RtlError>,
) -> Result<Synthesis, RtlError> {
    let missing =
        |missing: String| RtlError::Output { tool: "yosys".to_owned(), what: block.name.clone(), missing };
    let netlists = &mapped.netlists;
    let left_out = left_out(&block.text);
    // Modules that were not mapped have no netlist.
    let of_others = |of: &str| of.ends_with("_ram") || block.parts.iter().any(|(module, _)| module == of);
    let instances = netlists.values().flat_map(|netlist| &netlist.instances).map(|instance| &instance.of);
    let others: BTreeSet<String> = instances.filter(|of| of_others(of)).cloned().collect();
    let mut instances = BTreeMap::new();
    instantiate(&block.name, 1, netlists, &others, &mut instances);
    let mut modules = Vec::new();
    // For a block without products the report does not mention their construction.
    let mut products = if block.kernels.is_empty() { Products::Yosys } else { mapped.products };
    for (name, times) in instances.iter().filter(|(name, _)| !name.ends_with("_ram")) {
        if let Some((_, of)) = block.parts.iter().find(|(module, _)| module == name) {
            let part = kept(of)?;
            products = products.max(part.products);
            modules.extend(
                part.modules.into_iter().map(|part| Module { instances: part.instances * times, ..part }),
            );
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
        let is_cell = |name: &String| {
            !netlists.contains_key(name) && !others.contains(name) && !left_out.contains(name)
        };
        for instance in netlist.instances.iter().filter(|i| is_cell(&i.of)) {
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
    let report = Synthesis::new(&block.name, &library.name, nand2, modules, mapped.measured.clone());
    Ok(Synthesis { left_out, products, ..report })
}

/// Modules that a synthesis leaves out: memories, which are not built from flip-flops, and a multiplier, which has a
/// report of its own.
fn left_out(text: &str) -> Vec<String> {
    let names = text.lines().filter_map(|line| line.strip_prefix("module ")?.split([' ', '(']).next());
    names.filter(|name| name.ends_with("_memory") || name.ends_with("_fp2")).map(str::to_owned).collect()
}

/// The second smallest inverter of the library, which is assumed to drive the inputs.
fn inverter(library: &Library) -> &str {
    let named = |name: &str| {
        let name = name.to_lowercase();
        (name.contains("inv_") || name.starts_with("invx")) && !name.contains("clk")
    };
    let mut all: Vec<(&String, f64)> =
        library.cells.iter().filter(|(name, _)| named(name)).map(|(name, cell)| (name, cell.area)).collect();
    all.sort_by(|a, b| a.1.total_cmp(&b.1));
    all.get(1).or(all.first()).map_or("", |(name, _)| name)
}

/// Counts the instances of a module and of all modules below it.
fn instantiate(
    name: &str,
    times: u64,
    netlists: &BTreeMap<String, Netlist>,
    others: &BTreeSet<String>,
    instances: &mut BTreeMap<String, u64>,
) {
    *instances.entry(name.to_owned()).or_insert(0) += times;
    for instance in netlists.get(name).into_iter().flat_map(|netlist| &netlist.instances) {
        if netlists.contains_key(&instance.of) || others.contains(&instance.of) {
            instantiate(&instance.of, times, netlists, others, instances);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memories_are_left_out() {
        let text = "module l1_memory (\n);\nendmodule\nmodule control (\n    l1_memory l1 ();\nmodule pairing_fp2 (\n";
        assert_eq!(left_out(text), ["l1_memory", "pairing_fp2"]);
        assert!(left_out(&crate::blocks::find("keccak").unwrap().block().unwrap().text).is_empty());
    }

    #[test]
    fn instances_multiply_through_the_hierarchy() {
        let text = ".model top\n.subckt row x=a\n.subckt row x=b\n.subckt NAND A=a\n.end\n.model row\n.subckt bit x=x\n.subckt bit \
                    x=y\n.end\n.model bit\n.subckt NAND A=x\n.end\n";
        let mut instances = BTreeMap::new();
        instantiate("top", 1, &netlist::parse(text), &BTreeSet::new(), &mut instances);
        let want = [("bit", 4), ("row", 2), ("top", 1)].map(|(name, n)| (name.to_owned(), n));
        assert_eq!(instances, BTreeMap::from(want));
    }
}
