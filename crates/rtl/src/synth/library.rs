//! A cell library in the Liberty format: areas, functions, flip-flops, and delay tables.

use super::liberty::{Group, parse};
use super::power::{Defaults, Power, Units, Wires};
use super::table::Table;
use crate::error::RtlError;
use crate::tools::read;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The library that the repository holds: cells of SkyWater's 130 nm process.
pub const BUILT_IN: &str = "rtl/lib/sky130_fd_sc_hd.lib";

/// A library of cells.
#[derive(Clone, Debug)]
pub struct Library {
    /// File that holds it.
    pub path: PathBuf,
    /// Its name in the file.
    pub name: String,
    /// Its cells by name.
    pub cells: BTreeMap<String, Cell>,
    /// The library's unit of time in picoseconds.
    pub picoseconds: f64,
    /// Its other units, and its supply voltage.
    pub units: Units,
    /// Its wire load model, if it has one.
    pub wires: Option<Wires>,
}

/// A cell with its pins.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    /// Area in µm².
    pub area: f64,
    /// Whether it is a flip-flop.
    pub flip_flop: bool,
    /// Capacitance of each input, in the library's unit.
    pub inputs: BTreeMap<String, f64>,
    /// The timing arcs to each output.
    pub outputs: BTreeMap<String, Vec<Arc>>,
    /// The Boolean function of each output, in terms of inputs or of the state.
    pub functions: BTreeMap<String, String>,
    /// The state of a flip-flop.
    pub state: Option<State>,
    /// Its power data, if the file has them.
    pub power: Option<Power>,
    /// Setup times of each input before the clock, as tables over the transition times of clock and data.
    pub setups: BTreeMap<String, Vec<Table>>,
}

/// The state of a flip-flop.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// Names of the state and of its complement in the functions of outputs.
    pub names: [String; 2],
    /// The next-state function of the inputs.
    pub next: String,
    /// The expression whose rise updates the state.
    pub clock: String,
    /// Whether there is an asynchronous set or clear.
    pub asynchronous: bool,
}

/// A timing arc through a cell.
#[derive(Clone, Debug)]
pub struct Arc {
    /// The input where it begins.
    pub from: String,
    /// Whether a rise of the input can make the output rise.
    pub keeps: bool,
    /// Whether a rise of the input can make the output fall.
    pub inverts: bool,
    /// Whether it begins at a clock's edge.
    pub edge: bool,
    /// Delay and transition tables for a rise and for a fall of the output.
    pub tables: [Option<[Table; 2]>; 2],
}

impl Library {
    /// Reads a file.
    ///
    /// # Errors
    /// [`RtlError::File`]; [`RtlError::Output`] if the file is not a library, has no two-input NAND gate, or lacks a
    /// number: the supply or unit of capacitance, the area of a cell, the capacitance of an input, data of its wire
    /// load.
    pub fn read(path: &Path) -> Result<Self, RtlError> {
        let missing = |missing: &str| RtlError::Output {
            tool: "Liberty".to_owned(),
            what: path.display().to_string(),
            missing: missing.to_owned(),
        };
        let group = parse(&read(path)?).ok_or_else(|| missing("group that is a library"))?;
        let library =
            Self::of(&group, path).map_err(|what| missing(&format!("{what} in library {}", group.name())))?;
        library.nand2().map(|_| ()).ok_or_else(|| missing("NAND gate of two inputs"))?;
        Ok(library)
    }

    /// The error is a description of what is missing.
    fn of(group: &Group, path: &Path) -> Result<Self, String> {
        let turned = |name: &str| {
            let template = group.groups("lu_table_template").find(|t| t.name() == name);
            template.and_then(|t| t.text("variable_1")).is_some_and(|v| v.contains("capacitance"))
        };
        let defaults = Defaults::of(group);
        let cells = group
            .groups("cell")
            .map(|cell| Ok((cell.name().to_owned(), Cell::of(cell, defaults, &turned)?)))
            .collect::<Result<_, String>>()?;
        let picoseconds = match group.text("time_unit") {
            Some("1ps") => 1.0,
            Some("10ps") => 10.0,
            Some("100ps") => 100.0,
            _ => 1000.0,
        };
        Ok(Self {
            path: path.to_owned(),
            name: group.name().to_owned(),
            cells,
            picoseconds,
            units: Units::of(group)?,
            wires: Wires::of(group)?,
        })
    }

    /// Copies power data and wire loads from another library with the same name, since the repository's library has
    /// neither.
    ///
    /// # Errors
    /// [`RtlError::Output`] if the other library has a different name or lacks one of the cells.
    pub fn draw(&mut self, other: Self) -> Result<(), RtlError> {
        let missing = |missing: String| RtlError::Output {
            tool: "Liberty".to_owned(),
            what: other.path.display().to_string(),
            missing,
        };
        if other.name != self.name {
            return Err(missing(format!("library {}", self.name)));
        }
        for (name, cell) in &mut self.cells {
            let power = other.cells.get(name).and_then(|cell| cell.power.clone());
            cell.power = Some(power.ok_or_else(|| missing(format!("power of {name}")))?);
        }
        self.wires = other.wires;
        Ok(())
    }

    /// Area of the smallest two-input NAND gate in µm², the unit of gate equivalents.
    pub fn nand2(&self) -> Option<f64> {
        // Drive strengths follow an underscore or, in ASAP7, an x.
        let named = |name: &str| ["nand2_", "nand2x"].iter().any(|part| name.to_lowercase().contains(part));
        let gates = self.cells.iter().filter(|(name, _)| named(name));
        gates.map(|(_, cell)| cell.area).min_by(f64::total_cmp)
    }

    /// The smallest flip-flop with an input D.
    pub fn flip_flop(&self) -> Option<&Cell> {
        let all = self.cells.values().filter(|cell| cell.flip_flop && cell.inputs.contains_key("D"));
        all.min_by(|a, b| a.area.total_cmp(&b.area))
    }
}

impl Cell {
    /// The error is a description of what is missing.
    fn of(group: &Group, defaults: Defaults, turned: &dyn Fn(&str) -> bool) -> Result<Self, String> {
        let of_cell = |what: &str| format!("{what} of cell {}", group.name());
        let mut cell = Self {
            area: group.number("area").ok_or_else(|| of_cell("area"))?,
            flip_flop: group.groups("ff").next().is_some(),
            state: group.groups("ff").next().map(State::of),
            power: Power::of(group, defaults, turned),
            ..Self::default()
        };
        for pin in group.groups("pin") {
            let name = pin.name().to_owned();
            let timings = || pin.groups("timing");
            if pin.text("direction") == Some("output") {
                if let Some(function) = pin.text("function") {
                    cell.functions.insert(name.clone(), function.to_owned());
                }
                cell.outputs.insert(name, timings().filter_map(|t| Arc::of(t, turned)).collect());
                continue;
            }
            // An internal node of the cell is not a pin.
            if pin.text("direction") == Some("internal") {
                continue;
            }
            let setups = timings().filter(|t| t.text("timing_type").is_some_and(|t| t.starts_with("setup")));
            let tables = setups.flat_map(|t| {
                ["rise_constraint", "fall_constraint"]
                    .map(|kind| t.groups(kind).next().and_then(|g| Table::of(g, turned)))
            });
            let tables: Vec<Table> = tables.flatten().collect();
            if !tables.is_empty() {
                cell.setups.insert(name.clone(), tables);
            }
            let capacitance = pin.number("capacitance").or(defaults.capacitance);
            let capacitance = capacitance.ok_or_else(|| of_cell(&format!("capacitance of pin {name}")))?;
            cell.inputs.insert(name, capacitance);
        }
        Ok(cell)
    }
}

impl State {
    fn of(group: &Group) -> Self {
        let text = |name| group.text(name).unwrap_or_default().to_owned();
        let name = |at: usize| group.argument(at).to_owned();
        Self {
            names: [name(0), name(1)],
            next: text("next_state"),
            clock: text("clocked_on"),
            asynchronous: ["clear", "preset"].iter().any(|name| group.text(name).is_some()),
        }
    }
}

impl Arc {
    fn of(group: &Group, turned: &dyn Fn(&str) -> bool) -> Option<Self> {
        let kind = group.text("timing_type").unwrap_or("combinational");
        let edge = kind.ends_with("_edge");
        if !edge && !kind.starts_with("combinational") {
            return None;
        }
        let table = |kind: &str| Table::of(group.groups(kind).next()?, turned);
        let both = |delay: &str, transition: &str| Some([table(delay)?, table(transition)?]);
        let sense = group.text("timing_sense").unwrap_or("non_unate");
        Some(Self {
            from: group.text("related_pin")?.to_owned(),
            keeps: sense != "negative_unate",
            inverts: sense != "positive_unate",
            edge,
            tables: [both("cell_rise", "rise_transition"), both("cell_fall", "fall_transition")],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Attributes without which a library is refused.
    const UNITS: &str = "capacitive_load_unit (1, ff); nom_voltage : 1;";

    #[test]
    fn the_library_of_the_repository_has_gates_flip_flops_and_delays() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(BUILT_IN);
        let library = Library::read(&path).unwrap();
        assert_eq!((library.nand2(), library.picoseconds), (Some(3.7536), 1000.0));
        assert_eq!(library.cells.len(), 89);
        let nand = &library.cells["sky130_fd_sc_hd__nand2_1"];
        assert_eq!(nand.inputs.keys().collect::<Vec<_>>(), ["A", "B"]);
        let arc = &nand.outputs["Y"][0];
        assert!(arc.inverts && !arc.keeps && arc.tables.iter().all(Option::is_some));
        assert_eq!(nand.functions["Y"], "(!A) | (!B)");
        assert_eq!((library.units.volts, library.units.femtofarads), (1.8, 1000.0));
        assert!(nand.power.is_none() && library.wires.is_none());
        let flip_flop = library.flip_flop().unwrap();
        let state = flip_flop.state.as_ref().unwrap();
        assert_eq!((state.next.as_str(), state.clock.as_str(), state.asynchronous), ("D", "CLK", false));
        assert!(flip_flop.outputs["Q"][0].edge && flip_flop.setups["D"].len() == 2);
        assert_eq!(flip_flop.area, 20.0192);
    }

    #[test]
    fn what_cells_draw_comes_from_a_library_of_the_same_name_with_the_same_cells() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let read = |name: &str, cells: &str| {
            std::fs::write(file.path(), format!("library ({name}) {{ {UNITS} {cells} }}")).unwrap();
            Library::read(file.path()).unwrap()
        };
        let silent = "cell (NAND2_1) { area : 1; }";
        let speaking = "cell (NAND2_1) { area : 1; cell_leakage_power : 2; }";
        let mut library = read("a", silent);
        for (name, cells, cause) in [("b", speaking, "library a"), ("a", silent, "power of NAND2_1")] {
            let error = library.draw(read(name, cells)).unwrap_err().to_string();
            assert!(error.contains(cause), "{error}");
        }
        library.draw(read("a", speaking)).unwrap();
        assert_eq!(library.cells["NAND2_1"].power.as_ref().unwrap().leakage, Some(2.0));
    }

    #[test]
    fn a_number_that_is_missing_is_named_with_its_cell_and_library() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let read = |text: &str| {
            std::fs::write(file.path(), format!("library (lacking) {{ {text} }}")).unwrap();
            Library::read(file.path())
        };
        let pin =
            "cell (NAND2_1) { area : 1; pin (A) { direction : input; } pin (I) { direction : internal; } }";
        let load = "default_wire_load : w; wire_load (w) { capacitance : 1; }";
        for (text, cause) in [
            ("nom_voltage : 1;".to_owned(), "no capacitive_load_unit in library lacking"),
            ("capacitive_load_unit (1, ff);".to_owned(), "no nom_voltage in library lacking"),
            (format!("{UNITS} cell (BUF_1) {{ }}"), "no area of cell BUF_1 in library lacking"),
            (format!("{UNITS} {pin}"), "no capacitance of pin A of cell NAND2_1 in library lacking"),
            (format!("{UNITS} {load}"), "no slope of wire load w in library lacking"),
        ] {
            let error = read(&text).unwrap_err().to_string();
            assert!(error.ends_with(cause), "{error}");
        }
        // Default values hold for all pins, and a library without power data is valid.
        let library = read(&format!("{UNITS} default_input_pin_cap : 3; {pin}")).unwrap();
        assert_eq!(library.cells["NAND2_1"].inputs, BTreeMap::from([("A".to_owned(), 3.0)]));
        assert!(library.cells["NAND2_1"].power.is_none() && library.units.nanowatts.is_none());
    }

    #[test]
    fn a_library_without_gates_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for (text, cause) in [
            ("library (none) {\n capacitive_load_unit (1, ff); nom_voltage : 1;\n}\n", "NAND gate"),
            ("library (", "library"),
        ] {
            std::fs::write(file.path(), text).unwrap();
            let error = Library::read(file.path()).unwrap_err().to_string();
            assert!(error.contains(cause), "{error}");
        }
    }
}
