//! The options about modelled machines that all commands share: a design, changes to it, and families of designs.

use super::axes::Axis;
use super::{InputPath, OutputPath};
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// A design of a modelled machine: a built-in one, changed by a file, and then by single parameters.
#[derive(Clone, Debug, Args)]
pub(crate) struct Design {
    /// The built-in design to start from: paper (the published machine), or best (this project's crypto-processor)
    /// [default: paper]; of clusters, rack or local [default: rack].
    #[arg(long, value_name = "NAME")]
    pub design: Option<String>,
    /// Change the design by a TOML file with the parameters that differ; --dump-config prints a whole one.
    #[arg(long, value_name = "FILE", alias = "config")]
    pub spec: Option<InputPath>,
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
    /// List the design's parameters: value, range with unit, and where the published value comes from.
    #[arg(long, conflicts_with_all = ["sweep", "dump_config"])]
    pub parameters: bool,
    #[command(flatten)]
    pub sweep: Sweep,
}

/// A simulation on a family of designs.
#[derive(Clone, Debug, Args)]
pub(crate) struct Sweep {
    /// Simulate every value of a parameter: FIELD=FIRST..LAST, FIELD=FIRST..LAST:STEP or FIELD=A,B,C; several multiply.
    /// FIELD may be design, to compare built-in designs: design=paper,best.
    #[arg(long, value_name = "FIELD=VALUES")]
    pub sweep: Vec<Axis>,
    /// Write the sweep as a table (CSV).
    #[arg(long, value_name = "FILE", requires = "sweep")]
    pub csv: Option<OutputPath>,
    /// Draw the sweep (SVG). The swept parameters choose the axes: costs over the size of the work; for designs, two costs against each
    /// other, with a line through those that no other design beats in both on the same work; or costs over a parameter.
    #[arg(long, value_name = "FILE", requires = "sweep")]
    pub plot: Option<OutputPath>,
    /// The horizontal axis of --plot: a swept parameter, or a column of the table.
    #[arg(long, value_name = "NAME", requires = "plot")]
    pub x: Option<String>,
    /// Have a Dask cluster simulate the points, with the scheduler at this address, such as tls://host:8786. Its workers have the Python
    /// package `pairwright`, as the Python that is called here has, and see files that are read under the same paths.
    #[arg(long, value_name = "ADDRESS", requires = "sweep")]
    pub cluster: Option<String>,
    /// Keep the cluster's results in this directory, by the digest of each point's command line and of the version.
    #[arg(long, value_name = "DIR", requires = "cluster", value_hint = ValueHint::DirPath)]
    pub cache: Option<PathBuf>,
    /// Include the cells of each point's row in the JSON output (used by `--cluster`).
    #[arg(long, hide = true, requires = "sweep")]
    pub cells: bool,
    /// The vertical axis of --plot: a column of the table, or several for a chart each.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', requires = "plot")]
    pub y: Vec<String>,
}
