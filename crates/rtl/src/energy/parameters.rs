//! What neither the netlist nor the library says: wires, and the tree of the clock.

use serde::Serialize;

/// A parameter with its range.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Parameter {
    /// What it is, with its unit.
    pub name: &'static str,
    /// The least that is plausible.
    pub least: f64,
    /// The value that is used.
    pub value: f64,
    /// The most that is plausible.
    pub most: f64,
    /// Source of the value and of the range.
    pub origin: &'static str,
}

/// Length of wire for each pin that a net drives.
pub const WIRE: Parameter = Parameter {
    name: "length of wire for each pin that a net drives, in pitches of the block's cells",
    least: 1.0,
    value: 2.0,
    most: 5.0,
    origin: "estimated: neighbours are a pitch apart, nets of placed arithmetic some pitches long; a library's own wire load, where it has \
             one, is printed beside it",
};

/// Capacitance of a micrometre of wire, in femtofarads.
pub const WIRE_FF_PER_UM: f64 = 0.2;

/// The share of a placed block's floor that cells take: the one that areas at 28 nm are computed with.
pub const FLOOR: f64 = 0.72;

/// Capacitance of the clock's wires and buffers over that of the flip-flops' clock pins.
pub const CLOCK_TREE: Parameter = Parameter {
    name: "capacitance of the clock's tree over that of the pins it ends at",
    least: 1.0,
    value: 2.0,
    most: 4.0,
    origin: "estimated: some micrometres of wire and a share of buffers for each pin of a femtofarad or two",
};
