//! The words about modelled machines that all commands share: a design, its changes, and families of designs.

use super::axes::Axis;
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// A design of a modelled machine: a built-in one, changed by a file, and then by single parameters.
#[derive(Clone, Debug, Args)]
pub(crate) struct Design {
    /// The built-in design to start from: paper (the published machine), or best (this project's crypto-processor)
    /// [default: paper].
    #[arg(long, value_name = "NAME")]
    pub design: Option<String>,
    /// Change the design by a file in TOML that says what differs; --dump-config prints a whole one.
    #[arg(long, value_name = "FILE", alias = "config", value_hint = ValueHint::FilePath)]
    pub spec: Option<PathBuf>,
    /// Change one parameter after the file, by its dotted path, for instance dram.latency=200 or dram.preset=ddr4_3200. On a
    /// board the tree unit's begin with mtu., as mtu.pes=16, and those of AI Engines with aie., as aie.units=12.
    #[arg(long, value_name = "FIELD=VALUE")]
    pub set: Vec<String>,
}

/// A design to simulate, or a family of designs.
#[derive(Clone, Debug, Args)]
pub(crate) struct Designs {
    /// The design that all others differ from.
    #[command(flatten)]
    pub base: Design,
    /// Print the design as a file for --spec, with the range of every parameter, and do nothing else.
    #[arg(long, conflicts_with = "sweep")]
    pub dump_config: bool,
    #[command(flatten)]
    pub sweep: Sweep,
}

/// A simulation on a family of designs.
#[derive(Clone, Debug, Args)]
pub(crate) struct Sweep {
    /// Simulate every value of a parameter: FIELD=FIRST..LAST, FIELD=FIRST..LAST:STEP or FIELD=A,B,C; several multiply.
    #[arg(long, value_name = "FIELD=VALUES")]
    pub sweep: Vec<Axis>,
    /// Write the sweep as a table (CSV).
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "sweep")]
    pub csv: Option<PathBuf>,
    /// Draw the sweep (SVG), and join the designs that no other one beats: area against cycles and latency; of AI Engines
    /// throughput against latency, or time against memory.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "sweep")]
    pub plot: Option<PathBuf>,
}
