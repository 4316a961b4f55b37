//! What cells of a library draw, and what its wires hold: units, leakage, energies of transitions inside of cells, and lengths of
//! wires by fan-out.

use super::liberty::Group;
use super::table::Table;
use std::collections::BTreeMap;

/// Units of a library's numbers, and its supply.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Units {
    /// The nominal supply in volts.
    pub volts: f64,
    /// Femtofarads of its unit of capacitance. Energies inside of cells are in this unit times a square volt.
    pub femtofarads: f64,
    /// Nanowatts of its unit of leakage.
    pub nanowatts: f64,
}

/// The wires of a library: their capacitance by the number of pins that a net drives.
#[derive(Clone, PartialEq, Debug)]
pub struct Wires {
    /// Name of the wire load.
    pub name: String,
    /// Capacitance of a unit of length, in the library's unit.
    capacitance: f64,
    /// Lengths by fan-out, in the order of fan-outs.
    lengths: Vec<[f64; 2]>,
    /// Length of each pin beyond the last of them.
    slope: f64,
}

/// Tables of the energy of a rise and of a fall, each by the transition of an input and, for outputs, the load. One pair for
/// each condition that the library tells apart.
pub type Energies = Vec<[Option<Table>; 2]>;

/// What a cell draws besides charging what it drives.
#[derive(Clone, Debug, Default)]
pub struct Power {
    /// Leakage, the mean over states, in the library's unit.
    pub leakage: f64,
    /// Energies of transitions of inputs, by pin.
    pub inputs: BTreeMap<String, Energies>,
    /// Energies of transitions of outputs, by pin and by the input that caused them.
    pub outputs: BTreeMap<String, BTreeMap<String, Energies>>,
}

impl Units {
    pub(super) fn of(library: &Group) -> Self {
        let load = library.values("capacitive_load_unit");
        let number = load.first().and_then(|text| text.parse::<f64>().ok()).unwrap_or(1.0);
        let picofarads = load.get(1).is_none_or(|unit| unit.eq_ignore_ascii_case("pf"));
        let leakage = library.text("leakage_power_unit").unwrap_or("1nW");
        let digits = leakage.find(|c: char| c.is_alphabetic()).unwrap_or(leakage.len());
        let (size, unit) = leakage.split_at(digits);
        let unit = match unit {
            "pW" => 1e-3,
            "uW" => 1e3,
            "mW" => 1e6,
            _ => 1.0,
        };
        Self {
            volts: library.number("nom_voltage").unwrap_or(1.0),
            femtofarads: number * if picofarads { 1000.0 } else { 1.0 },
            nanowatts: size.trim().parse::<f64>().unwrap_or(1.0) * unit,
        }
    }
}

impl Wires {
    /// The wire load that a library names as its own.
    pub(super) fn of(library: &Group) -> Option<Self> {
        let name = library.text("default_wire_load")?.trim();
        let group = library.groups("wire_load").find(|group| group.name() == name)?;
        let pair = |values: &[String]| {
            let number = |at: usize| values.get(at)?.trim().parse().ok();
            Some([number(0)?, number(1)?])
        };
        Some(Self {
            name: name.to_owned(),
            capacitance: group.number("capacitance")?,
            lengths: group.all("fanout_length").filter_map(pair).collect(),
            slope: group.number("slope").unwrap_or(0.0),
        })
    }

    /// Capacitance of the wire of a net that drives so many pins, in the library's unit.
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
    /// The tables of a cell; `None` if the file has neither leakage nor energies of it.
    pub(super) fn of(cell: &Group, turned: &dyn Fn(&str) -> bool) -> Option<Self> {
        let mut power = Self { leakage: cell.number("cell_leakage_power").unwrap_or(0.0), ..Self::default() };
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
        let any = cell.number("cell_leakage_power").is_some() || !power.outputs.is_empty();
        any.then_some(power)
    }
}

/// The energies of a rise and of a fall at a transition and a load: the means over conditions, in the library's unit.
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
        let units = Units::of(&library);
        assert_eq!((units.volts, units.femtofarads, units.nanowatts), (1.1, 1.0, 0.01));
        let wires = Wires::of(&library).unwrap();
        assert_eq!(wires.name, "short");
        let all = [0, 1, 2, 3, 4, 6].map(|pins| wires.capacitance(pins));
        assert_eq!(all, [0.0, 1.0, 2.5, 3.5, 4.5, 7.5]);
        let cells: Vec<_> = library.groups("cell").map(|cell| Power::of(cell, &|_| false)).collect();
        let a = cells[0].as_ref().unwrap();
        assert_eq!((a.leakage, cells[1].is_none()), (7.0, true));
        assert_eq!(energies(&a.inputs["X"], 0.0, 0.0), [1.5, 1.5]);
        assert_eq!(energies(&a.outputs["Y"]["X"], 0.0, 0.0), [4.0, -1.0]);
    }
}
