//! The report on the evaluation of a design: as text, in JSON, and as a row of a sweep's table.

use super::super::quantity::Sense;
use super::super::sweep::{Column, Costs};
use super::describe;
use super::kernels::{self, TileKernel};
use crate::output;
use pairwright::aie::array::Fabric;
use pairwright::aie::array::TASKS;
use pairwright::aie::evaluate::{Design, Evaluation};
use pairwright::aie::system::System;
use serde::Serialize;

/// The figures of a design, for JSON and for the table of a sweep.
#[derive(Serialize)]
#[serde(transparent)]
pub(in crate::commands::sim) struct DesignFigures(pub Evaluation);

impl Costs for DesignFigures {
    const COLUMNS: &'static [Column<Self>] = &[
        ("throughput_per_cycle", |f| format!("{:.5}", f.0.throughput_per_cycle)),
        ("sustained_per_cycle", |f| {
            f.0.sustained_per_cycle.map_or_else(String::new, |rate| format!("{rate:.5}"))
        }),
        ("latency_cycles", |f| f.0.latency_cycles.to_string()),
        ("loop_latency_cycles", |f| f.0.loop_latency_cycles.to_string()),
        ("instructions", |f| f.0.instructions.to_string()),
        ("maximum_instructions", |f| f.0.maximum_instructions.to_string()),
        ("operations", |f| f.0.operations.to_string()),
        ("tiles", |f| f.0.tiles.to_string()),
        ("units", |f| f.0.units.to_string()),
        ("core_utilisation", |f| format!("{:.4}", f.0.core_utilisation)),
        ("tile_utilisation", |f| format!("{:.4}", f.0.tile_utilisation)),
        ("vliw_utilisation", |f| format!("{:.3}", f.0.vliw_utilisation)),
        ("mac_utilisation", |f| format!("{:.4}", f.0.mac_utilisation)),
        ("stalls_empty", |f| f.0.stalls.empty.to_string()),
        ("stalls_full", |f| f.0.stalls.full.to_string()),
        ("shared_ports", |f| f.0.shared_ports.to_string()),
        ("fifo_words", |f| f.0.fifo_words.to_string()),
        ("fifos_needed", |f| f.0.fifos_needed.to_string()),
        ("locks", |f| f.0.locks.to_string()),
        ("program_bytes", |f| f.0.program_bytes.to_string()),
    ];
    const BETTER: &'static [(&'static str, Sense)] = &[
        ("latency_cycles", Sense::Less),
        ("throughput_per_cycle", Sense::More),
        ("sustained_per_cycle", Sense::More),
        ("tiles", Sense::Less),
        ("core_utilisation", Sense::More),
        ("mac_utilisation", Sense::More),
    ];
}

#[derive(Serialize)]
pub(super) struct DesignReport<'a> {
    #[serde(skip)]
    design: &'a Design,
    #[serde(flatten)]
    figures: DesignFigures,
    /// Number of additions that were compared with the host's.
    compared: usize,
    /// Whether any additions were compared.
    checked: bool,
    fabric: &'a Fabric,
    #[serde(skip_serializing_if = "Option::is_none")]
    kernels: Option<Vec<TileKernel>>,
    /// Wall-clock seconds of the evaluation.
    simulation_s: f64,
}

impl<'a> DesignReport<'a> {
    /// The report on an evaluation that took this many seconds.
    pub(super) fn new(
        design: &'a Design,
        figures: DesignFigures,
        compared: Option<usize>,
        kernels: Option<Vec<TileKernel>>,
        simulation_s: f64,
    ) -> Self {
        let (checked, compared) = (compared.is_some(), compared.unwrap_or(0));
        Self { design, figures, compared, checked, fabric: &design.fabric, kernels, simulation_s }
    }
}

/// The share of the throughput below which a loss is attributed to the start and end of a run, not to stalls.
const LOST: f64 = 0.02;

/// The report as text.
pub(super) fn text(r: &DesignReport<'_>) -> String {
    let (e, hz) = (&r.figures.0, System::default().aie_hz as f64);
    let checked = match r.compared {
        0 => "timing".to_owned(),
        n => format!("{n} additions equal to the host's"),
    };
    let sustained = e.sustained_per_cycle.map_or_else(String::new, |rate| {
        format!(
            "with stalls: {rate:.4} a cycle, {} of that\n",
            output::percent(rate / e.throughput_per_cycle)
        )
    });
    let bound = match e.sustained_per_cycle {
        None => "the instructions of a tile; streams are not run".to_owned(),
        Some(rate) if rate < (1.0 - LOST) * e.throughput_per_cycle => {
            "tiles that wait for each other".to_owned()
        }
        Some(_) => format!(
            "the tile of most instructions, {}; the average tile has {:.0}",
            e.maximum_instructions,
            e.instructions as f64 / e.tiles as f64
        ),
    };
    let streams = match e.sustained_per_cycle {
        None => String::new(),
        Some(_) => {
            let each = |cycles: u64, tasks: u64| cycles as f64 / (tasks * e.tiles as u64) as f64;
            format!(
                "stalls, cycles a tile and addition: {:.1} for empty links, {:.1} for full ones; by itself {:.0} and {:.0}\n",
                each(e.stalls.empty, TASKS),
                each(e.stalls.full, TASKS),
                each(e.stalls_of_one.empty, 1),
                each(e.stalls_of_one.full, 1)
            )
        }
    };
    let flight = match e.in_flight {
        None => String::new(),
        Some(1) => "; each loop has one task in flight".to_owned(),
        Some(tasks) => format!("; each loop has at most {tasks} tasks in flight"),
    };
    let [north, other] = e.fullest_ports;
    let mut text = format!(
        "{}; {checked}\n\
         {:.4} additions a cycle: {} units of {} tiles, an addition every {} instructions; {:.1} million a second at \
         {:.2} GHz\n\
         {sustained}\
         latency {} cycles, {:.0} ns; {} by the loops of the throughput\n\
         {} instructions, {} operations, {} products of digits an addition\n\
         utilisation: cores {}, tiles {}, {:.2} operations an instruction, multipliers {}\n\
         {streams}\
         streams: {north} through the fullest port northwards (of {}), {other} elsewhere (of {}); {} ports shared\n\
         FIFOs: {} words of {} FIFOs a unit, {} of them lest tiles wait for one another{flight}\n\
         memory: {} locks of {} in the fullest module, {} of {} bytes of program in the longest loop\n\
         bound by {bound}\n\
         evaluated in {}",
        describe(r.design, &|_| true),
        e.throughput_per_cycle,
        e.units,
        e.tiles,
        e.maximum_instructions,
        1e-6 * hz * e.throughput_per_cycle,
        1e-9 * hz,
        e.latency_cycles,
        1e9 * e.latency_cycles as f64 / hz,
        e.loop_latency_cycles,
        e.instructions,
        e.operations,
        e.macs,
        output::percent(e.core_utilisation),
        output::percent(e.tile_utilisation),
        e.vliw_utilisation,
        output::percent(e.mac_utilisation),
        r.fabric.north,
        r.fabric.other,
        e.shared_ports,
        e.fifo_words,
        e.fifos,
        e.fifos_needed,
        e.locks,
        r.fabric.locks,
        e.program_bytes,
        r.design.tile.program_bytes,
        output::seconds(r.simulation_s),
    );
    if let Some(all) = &r.kernels {
        text += &format!("\n\n{}", kernels::text(all));
    }
    text
}
