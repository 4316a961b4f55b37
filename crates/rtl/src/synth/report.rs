//! The result of a synthesis, as a kept file and as a table.

use super::products::Products;
use crate::tools::PEAK;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// A module of a block.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Module {
    /// Name of the module.
    pub name: String,
    /// The number of its instances in the block.
    pub instances: u64,
    /// Cells of one instance, without those of its submodules.
    pub cells: u64,
    /// Flip-flops among them.
    pub registers: u64,
    /// Area of one instance in µm², without its submodules.
    pub area_um2: f64,
    /// Its longest path in picoseconds; from input to output for a module without flip-flops.
    pub path_ps: Option<f64>,
}

/// The relative difference that is tolerated between results of the same text. Builds of one version of Yosys choose
/// differently among equally good gates: areas by a native build and by the WebAssembly build, with which most kept
/// results were made, differ by 0.13 % at most.
pub(crate) const EQUAL: f64 = 5e-3;

/// The cost of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Measured {
    /// Wall-clock time in seconds.
    pub seconds: f64,
    /// Peak memory of a process in MiB; results of earlier versions lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_mib: Option<f64>,
    /// Version of Yosys.
    pub tool: String,
}

impl Measured {
    /// Reads the cost from a log of Yosys.
    pub(super) fn new(seconds: f64, log: &str) -> Self {
        let tool = log.lines().find(|line| line.trim_start().starts_with("Yosys ")).unwrap_or_default();
        let tool = tool.trim().split(" (").next().unwrap_or_default().to_owned();
        let peak_kib = log.lines().find_map(|line| line.strip_prefix(PEAK)?.trim().parse::<f64>().ok());
        Self { seconds: rounded(seconds), peak_mib: peak_kib.map(|kib| rounded(kib / 1024.0)), tool }
    }
}

/// A synthesised block.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Synthesis {
    /// Name of the block.
    pub block: String,
    /// Name of the library.
    pub library: String,
    /// Cells of all instances.
    pub cells: u64,
    /// Flip-flops among them.
    pub registers: u64,
    /// Cell area in µm², without wires.
    pub area_um2: f64,
    /// Area in two-input NAND gates.
    pub nand2: f64,
    /// The longest path of any module in picoseconds.
    pub path_ps: Option<f64>,
    /// The modules that the block is made of.
    pub modules: Vec<Module>,
    /// Modules that were left out: memories, and a multiplier that has a report of its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// How products were constructed; results without this entry have them as Yosys makes them, or have none.
    #[serde(default, skip_serializing_if = "Products::is_yosys")]
    pub products: Products,
    /// The cost of the run; not compared.
    pub measured: Measured,
}

impl Synthesis {
    pub(super) fn new(
        block: &str,
        library: &str,
        nand2: f64,
        modules: Vec<Module>,
        measured: Measured,
    ) -> Self {
        let sum = |count: fn(&Module) -> u64| modules.iter().map(|m| m.instances * count(m)).sum();
        let area_um2 = modules.iter().map(|m| m.instances as f64 * m.area_um2).sum();
        Self {
            block: block.to_owned(),
            library: library.to_owned(),
            cells: sum(|m| m.cells),
            registers: sum(|m| m.registers),
            area_um2: rounded(area_um2),
            nand2: rounded(area_um2 / nand2),
            path_ps: modules.iter().filter_map(|m| m.path_ps).max_by(f64::total_cmp).map(rounded),
            modules: modules
                .into_iter()
                .map(|m| Module { area_um2: rounded(m.area_um2), path_ps: m.path_ps.map(rounded), ..m })
                .collect(),
            left_out: Vec::new(),
            products: Products::Yosys,
            measured,
        }
    }

    /// A description of the first difference from a kept report, apart from the cost of the run.
    pub fn difference(&self, kept: &Self) -> Option<String> {
        let names = |report: &Self| report.modules.iter().map(|m| (m.name.clone(), m.instances)).collect();
        let modules: [Vec<_>; 2] = [self, kept].map(names);
        if modules[0] != modules[1] || self.left_out != kept.left_out {
            return Some("other modules".to_owned());
        }
        if self.products != kept.products {
            return Some(format!("products were {:?} and are {:?}", kept.products, self.products));
        }
        let of_whole = |r: &Self| {
            let path = r.path_ps.unwrap_or(0.0);
            [("cells", r.cells as f64), ("area_um2", r.area_um2), ("nand2", r.nand2), ("path_ps", path)]
        };
        let of_module = |m: &Module| {
            [("cells", m.cells as f64), ("area_um2", m.area_um2), ("path_ps", m.path_ps.unwrap_or(0.0))]
        };
        let all = |r: &Self| -> Vec<(&str, f64)> {
            of_whole(r).into_iter().chain(r.modules.iter().flat_map(of_module)).collect()
        };
        if self.registers != kept.registers {
            return Some(format!("registers was {} and is {}", kept.registers, self.registers));
        }
        let mut pairs = all(self).into_iter().zip(all(kept));
        let ((name, now), (_, kept)) =
            pairs.find(|((_, now), (_, kept))| (kept - now).abs() > EQUAL * kept.abs())?;
        Some(format!("{name} was {kept} and is {now}"))
    }
}

fn rounded(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// Reports as rows of a Markdown table.
pub fn table(reports: &[Synthesis]) -> String {
    let mut text = String::from(
        "| block | library | cells | flip-flops | area, µm² | NAND2 equivalents | longest path, ps |\n|---|---|--:|--:|--:|--:|--:|\n",
    );
    for r in reports {
        let path = r.path_ps.map_or(String::new(), |path| format!("{path:.0}"));
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} | {:.0} | {:.0} | {path} |",
            r.block, r.library, r.cells, r.registers, r.area_um2, r.nand2
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(cells: u64) -> Synthesis {
        let module = |name: &str, instances, path_ps| Module {
            name: name.to_owned(),
            instances,
            cells,
            registers: 2,
            area_um2: 10.0,
            path_ps,
        };
        let log = "/---\\\n Yosys 0.70 (git sha1)\npeak memory in KiB: 58685\n";
        let modules = vec![module("row", 3, Some(700.0)), module("top", 1, None)];
        Synthesis::new("top", "lib", 0.8, modules, Measured::new(1.5, log))
    }

    #[test]
    fn a_block_is_the_sum_of_its_instances() {
        let r = report(5);
        assert_eq!((r.cells, r.registers, r.area_um2, r.nand2), (20, 8, 40.0, 50.0));
        assert_eq!((r.path_ps, r.measured.seconds), (Some(700.0), 1.5));
        assert_eq!((r.measured.tool.as_str(), r.measured.peak_mib), ("Yosys 0.70", Some(57.3)));
        // A result that was kept before memory was measured.
        let earlier: Measured = serde_json::from_str("{\"seconds\":1.5,\"tool\":\"Yosys 0.70\"}").unwrap();
        assert_eq!(earlier, Measured { peak_mib: None, ..r.measured.clone() });
        assert!(table(&[r]).ends_with("| `top` | lib | 20 | 8 | 40 | 50 | 700 |\n"));
    }

    #[test]
    fn the_book_has_every_result_that_is_kept() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let page = std::fs::read_to_string(root.join("docs/book/src/rooms/rtl.md")).unwrap();
        let files = std::fs::read_dir(root.join("results/rtl")).unwrap().map(|file| file.unwrap().path());
        let mut rows = 0;
        for file in files.filter(|file| file.extension().is_some_and(|ending| ending == "json")) {
            let report: Synthesis = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
            let text = table(&[report]);
            let row = text.lines().last().unwrap();
            assert!(page.contains(row), "{}: {row}", file.display());
            rows += 1;
        }
        assert!(rows >= 6);
    }

    #[test]
    fn a_difference_is_named_and_time_is_none() {
        let (kept, mut now) = (report(5), report(5));
        now.measured.seconds = 100.0;
        assert_eq!(now.difference(&kept), None);
        assert_eq!(report(6).difference(&kept), Some("cells was 20 and is 24".to_owned()));
        // Changes in a module can leave the block's totals unchanged.
        let mut moved = report(5);
        moved.modules[1].path_ps = Some(600.0);
        assert!(moved.difference(&kept).is_some_and(|what| what.ends_with(" and is 600")));
        // Products that were constructed differently; earlier reports do not mention them.
        let mut dense = report(5);
        dense.products = Products::Dense;
        assert_eq!(dense.difference(&kept), Some("products were Yosys and are Dense".to_owned()));
        let texts = [&kept, &dense].map(|report| serde_json::to_string(report).unwrap());
        assert!(!texts[0].contains("products") && texts[1].contains("\"products\":\"dense\""));
        // A result of another build of the same tool.
        let mut near = report(5);
        near.area_um2 *= 1.0 + EQUAL / 2.0;
        assert_eq!(near.difference(&kept), None);
    }
}
