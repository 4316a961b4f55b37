//! The power data of a library and its wire loads: units, leakage, internal energies of transitions, and wire lengths
//! by fan-out.

use super::liberty::Group;
use super::table::Table;
use std::collections::BTreeMap;

/// The units of a library's numbers, and its supply voltage.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Units {
    /// The nominal supply in volts.
    pub volts: f64,
    /// The unit of capacitance in femtofarads. Internal energies are in this unit times volts squared.
    pub femtofarads: f64,
    /// The unit of leakage in nanowatts; `None` for a library without power data.
    pub nanowatts: Option<f64>,
}

/// The wire load model of a library: wire capacitance by the number of pins that a net drives.
#[derive(Clone, PartialEq, Debug)]
pub struct Wires {
    /// Name of the wire load.
    pub name: String,
    /// Capacitance of a unit of length, in the library's unit.
    capacitance: f64,
    /// Lengths by fan-out, in the order of fan-outs.
    lengths: Vec<[f64; 2]>,
    /// Additional length of each pin beyond the largest listed fan-out.
    slope: f64,
}

/// Energy tables of a rise and of a fall, each over the transition time of an input and, for outputs, the load. There
/// is one pair for each condition that the library distinguishes.
pub type Energies = Vec<[Option<Table>; 2]>;

/// The power data of a cell, besides charging its load.
#[derive(Clone, Debug, Default)]
pub struct Power {
    /// Leakage in the library's unit, as the mean over states, if the file has it.
    pub leakage: Option<f64>,
    /// Internal energies of input transitions, by pin.
    pub inputs: BTreeMap<String, Energies>,
    /// Internal energies of output transitions, by pin and by the input that caused them.
    pub outputs: BTreeMap<String, BTreeMap<String, Energies>>,
}

/// Default values of a library, for cells and pins without values of their own.
#[derive(Clone, Copy)]
pub(super) struct Defaults {
    /// Capacitance of an input.
    pub(super) capacitance: Option<f64>,
    /// Leakage of a cell.
    leakage: Option<f64>,
}

impl Defaults {
    pub(super) fn of(library: &Group) -> Self {
        Self {
            capacitance: library.number("default_input_pin_cap"),
            leakage: library.number("default_cell_leakage_power"),
        }
    }
}

impl Units {
    /// The error is a description of what is missing.
    pub(super) fn of(library: &Group) -> Result<Self, String> {
        let load = library.values("capacitive_load_unit");
        let unit = || {
            let number = load.first()?.trim().parse::<f64>().ok()?;
            let femtofarads = match load.get(1)?.trim().to_lowercase().as_str() {
                "ff" => 1.0,
                "pf" => 1000.0,
                _ => return None,
            };
            Some(number * femtofarads)
        };
        let nanowatts = |text: &str| {
            let (size, unit) = text.split_at(text.find(|c: char| c.is_alphabetic())?);
            let unit = match unit {
                "pW" => 1e-3,
                "nW" => 1.0,
                "uW" => 1e3,
                "mW" => 1e6,
                _ => return None,
            };
            Some(size.trim().parse::<f64>().ok()? * unit)
        };
        Ok(Self {
            volts: library.number("nom_voltage").ok_or("nom_voltage")?,
            femtofarads: unit().ok_or("capacitive_load_unit")?,
            nanowatts: library.text("leakage_power_unit").and_then(nanowatts),
        })
    }
}

impl Wires {
    /// The wire load that the library declares as its default. The error is a description of what is missing.
    pub(super) fn of(library: &Group) -> Result<Option<Self>, String> {
        let Some(name) = library.text("default_wire_load").map(str::trim) else { return Ok(None) };
        let group = library.groups("wire_load").find(|group| group.name() == name);
        let group = group.ok_or_else(|| format!("wire load {name}"))?;
        let number = |what| group.number(what).ok_or_else(|| format!("{what} of wire load {name}"));
        let pair = |values: &[String]| {
            let number = |at: usize| values.get(at)?.trim().parse().ok();
            Some([number(0)?, number(1)?])
        };
        Ok(Some(Self {
            name: name.to_owned(),
            capacitance: number("capacitance")?,
            lengths: group.all("fanout_length").filter_map(pair).collect(),
            slope: number("slope")?,
        }))
    }

    /// Capacitance of the wire of a net that drives `pins` pins, in the library's unit.
    pub fn capacitance(&self, pins: u32) -> f64 {
        let pins = f64::from(pins);
        let length = match self.lengths.iter().position(|[at, _]| *at >= pins) {
            Some(0) => self.lengths[0][1] * pins / self.lengths[0][0],
            Some(after) => {
                let ([x0, y0], [x1, y1]) = (self.lengths[after - 1], self.lengths[after]);
                y0 + (pins - x0) * (y1 - y0) / (x1 - x0)
            }
            None => {
                let [last, length] = self.lengths.last().copied().unwrap_or_default();
                length + (pins - last) * self.slope
            }
        };
        length * self.capacitance
    }
}

impl Power {
    /// The power data of a cell; `None` if the file has neither leakage nor energies for it.
    pub(super) fn of(cell: &Group, defaults: Defaults, turned: &dyn Fn(&str) -> bool) -> Option<Self> {
        let own = cell.number("cell_leakage_power");
        let mut power = Self { leakage: own.or(defaults.leakage), ..Self::default() };
        for pin in cell.groups("pin") {
            for group in pin.groups("internal_power") {
                let tables = ["rise_power", "fall_power"]
                    .map(|kind| group.groups(kind).next().and_then(|table| Table::of(table, turned)));
                let name = pin.name().to_owned();
                match group.text("related_pin") {
                    Some(related) => {
                        let pins = power.outputs.entry(name).or_default();
                        pins.entry(related.trim().to_owned()).or_default().push(tables);
                    }
                    None => power.inputs.entry(name).or_default().push(tables),
                }
            }
        }
        let any = own.is_some() || !power.outputs.is_empty();
        any.then_some(power)
    }
}

/// The energies of a rise and of a fall at a transition time and a load, as means over conditions, in the library's
/// unit.
pub fn energies(tables: &Energies, transition: f64, load: f64) -> [f64; 2] {
    [0, 1].map(|edge| {
        let all = tables.iter().filter_map(|pair| pair[edge].as_ref());
        let sum: f64 = all.map(|table| table.at(transition, load)).sum();
        sum / tables.len().max(1) as f64
    })
}

#[cfg(test)]
mod tests {
    use super::super::liberty::parse;
    use super::*;

    const TEXT: &str = "library (tiny) { capacitive_load_unit (1, ff); leakage_power_unit : \"10pW\"; nom_voltage : 1.1;
        default_wire_load : \"short\";
        wire_load (long) { capacitance : 9; slope : 1; fanout_length (1, 9); }
        wire_load (\"short\") { capacitance : 0.5; slope : 3; fanout_length (1, 2); fanout_length (2, 5); fanout_length (4, 9); }
        cell (A) { cell_leakage_power : 7;
          pin (X) { direction : input; internal_power () { when : \"Y\"; rise_power (s) { values (\"1\"); } fall_power (s) { values (\"3\"); } }
            internal_power () { when : \"!Y\"; rise_power (s) { values (\"2\"); } } }
          pin (Y) { direction : output; internal_power () { related_pin : \"X\"; rise_power (s) { values (\"4\"); } fall_power (s) { values (\"-1\"); } } } }
        cell (B) { area : 1; } }";

    #[test]
    fn units_wires_and_energies_are_read() {
        let library = parse(TEXT).unwrap();
        let units = Units::of(&library).unwrap();
        assert_eq!((units.volts, units.femtofarads, units.nanowatts), (1.1, 1.0, Some(0.01)));
        let wires = Wires::of(&library).unwrap().unwrap();
        assert_eq!(wires.name, "short");
        let all = [0, 1, 2, 3, 4, 6].map(|pins| wires.capacitance(pins));
        assert_eq!(all, [0.0, 1.0, 2.5, 3.5, 4.5, 7.5]);
        let defaults = Defaults::of(&library);
        let cells: Vec<_> =
            library.groups("cell").map(|cell| Power::of(cell, defaults, &|_| false)).collect();
        let a = cells[0].as_ref().unwrap();
        assert_eq!((a.leakage, cells[1].is_none()), (Some(7.0), true));
        assert_eq!(energies(&a.inputs["X"], 0.0, 0.0), [1.5, 1.5]);
        assert_eq!(energies(&a.outputs["Y"]["X"], 0.0, 0.0), [4.0, -1.0]);
    }
}
