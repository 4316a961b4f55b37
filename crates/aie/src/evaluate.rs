//! Evaluation of designs: a [`Design`] is a mapping and a method on tiles of an array, an [`Evaluation`] its figures.
//!
//! [`evaluate`] computes the figures of Table I of \[AIE\], by the definitions of its section IV.A, and further figures
//! of the clocked array. [`timeline`] draws its Fig. 8.
//!
//! As in the paper, throughput is that of software-pipelined loops, and latency that of straight-line kernels for one
//! task: from the start of all tiles to the end of the last kernel, including its call.

use crate::array::fifos::RoutedUnit;
use crate::array::loops::Loops;
use crate::array::{
    ArrayReport, ClockedUnit, Fabric, Run, of_tiles, place, straight_kernels, timeline as tracks,
};
use crate::error::AieError;
use crate::mapping::{Mapping, Partition};
use crate::method::Method;
use crate::padd::Form;
use crate::tile::{Conflicts, Kernel, Reads, SingleTile, Tile};
use pairwright_sim::settings::{self, Design as _, OutOfRange, Sections, in_range, named};
use pairwright_sim::trace::Chrome;
use serde::{Deserialize, Serialize};

/// The parameters of an evaluation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Design {
    /// The mapping of an addition onto tiles.
    pub mapping: Mapping,
    /// The method of modular multiplication.
    pub method: Method,
    /// The form of the addition.
    #[serde(default = "mixed")]
    pub form: Form,
    /// The policy by which straight-line kernels schedule reads from other tiles.
    #[serde(default)]
    pub reads: Reads,
    /// The engine of each tile.
    pub tile: Tile,
    /// The array of tiles.
    pub fabric: Fabric,
}

const fn mixed() -> Form {
    Form::Mixed
}

impl Design {
    /// A design for mixed additions on the paper's engine and array.
    pub fn new(mapping: Mapping, method: Method) -> Self {
        let (form, reads) = (Form::Mixed, Reads::Needed);
        Self { mapping, method, form, reads, tile: Tile::first_generation(), fabric: Fabric::VC1902 }
    }
}

const RANGES: Sections = &[
    (
        "",
        &[
            named("mapping", Mapping::NAMES).printed(),
            named("form", &["mixed", "complete"]).printed(),
            named("reads", &["needed", "first"]).inferred(),
        ],
    ),
    ("method", Method::RANGES),
    ("tile", Tile::RANGES),
    ("fabric", Fabric::RANGES),
];

impl settings::Design for Design {
    type Error = AieError;
    const RANGES: Sections = RANGES;

    /// Checks that all numbers are in their ranges and that a unit fits the array.
    fn check(&self) -> Result<(), AieError> {
        self.method.check()?;
        self.tile.check()?;
        in_range(self, RANGES)?;
        let f = &self.fabric;
        if place::units(self.mapping, f) == 0 {
            let needs = place::columns(self.mapping);
            return Err(AieError::NoRoom { mapping: self.mapping, needs, columns: f.columns, rows: f.rows });
        }
        Ok(())
    }

    fn out_of_range(why: &AieError) -> Option<&OutOfRange> {
        match why {
            AieError::Fabric(why) => Some(why),
            _ => None,
        }
    }
}

/// Cycles in which tiles of a unit stall, added up over all tiles.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Stalls {
    /// Cycles of stalls on reads of empty links.
    pub empty: u64,
    /// Cycles of stalls on writes to full links.
    pub full: u64,
}

impl From<[u64; 2]> for Stalls {
    fn from([empty, full]: [u64; 2]) -> Self {
        Self { empty, full }
    }
}

/// The figures of a design. Those up to `mac_utilisation` include the figures of \[AIE\] Table I, by the definitions of
/// its section IV.A.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Evaluation {
    /// The mapping onto tiles.
    pub mapping: Mapping,
    /// The method of modular products.
    pub method: Method,
    /// The form of the addition.
    pub form: Form,
    /// The policy by which straight-line kernels schedule reads.
    pub reads: Reads,
    /// The number of tiles of a unit.
    pub tiles: usize,
    /// Columns of the array that a unit takes.
    pub columns: usize,
    /// The number of units that fit the array.
    pub units: usize,
    /// The number of units to which the paper's throughput refers.
    pub printed_units: usize,
    /// Tasks per cycle of all units that fit: the number of units divided by the instructions of the longest tile.
    pub throughput_per_cycle: f64,
    /// Tasks per cycle of the paper's number of units, computed in the same way.
    pub throughput_of_printed_units: f64,
    /// Tasks per cycle of the clocked array, including stalls; `None` for [`Mapping::Single`], whose tiles have their
    /// operands in memory.
    pub sustained_per_cycle: Option<f64>,
    /// Cycles of one task by straight-line kernels: from the start of the tiles to the end of the last kernel, including
    /// its call. [`Mapping::Single`] uses its loops, because straight-line code does not fit the program memory.
    pub latency_cycles: u64,
    /// Cycles of one task by the software-pipelined loops, including the call.
    pub loop_latency_cycles: u64,
    /// Cycles of one task by straight-line kernels until the last word of its results reaches the programmable logic,
    /// without the call; for [`Mapping::Single`], whose results stay in memory, cycles of its kernel.
    pub result_cycles: u64,
    /// Instructions of one task on all tiles of a unit, without stalls.
    pub instructions: u64,
    /// Instructions of one task on the longest tile.
    pub maximum_instructions: u64,
    /// Operations of one task on all tiles of a unit.
    pub operations: u64,
    /// Multiply-accumulates of one task that are products of digits.
    pub macs: u64,
    /// Total instructions divided by the number of tiles times the longest tile's instructions, 0 to 1.
    pub core_utilisation: f64,
    /// The share of the array's tiles that the units take, 0 to 1.
    pub tile_utilisation: f64,
    /// Average number of operations in an instruction.
    pub vliw_utilisation: f64,
    /// Average number of multiply-accumulates of digits in an instruction, 0 to 1.
    pub mac_utilisation: f64,
    /// Stalls in the run of [`TASKS`](crate::array::TASKS) tasks from which the sustained throughput is measured.
    pub stalls: Stalls,
    /// Stalls in the run of one task by straight-line kernels.
    pub stalls_of_one: Stalls,
    /// Streams through the port between switches that carries most: of the ports northwards, and of all other ports.
    pub fullest_ports: [usize; 2],
    /// The number of ports between switches with more streams than channels.
    pub shared_ports: usize,
    /// Words of the switches' FIFOs that a unit's streams use, beyond the words that every switch holds.
    pub fifo_words: usize,
    /// FIFOs without which tiles of a unit would deadlock on the paper's array.
    pub fifos_needed: usize,
    /// The number of FIFOs of all switches in a unit's columns.
    pub fifos: usize,
    /// Locks used in the memory module that holds most buffers between tiles.
    pub locks: usize,
    /// The greatest number of tasks that each loop may have received before it has sent all results of the first of them;
    /// `None` without a bound.
    pub in_flight: Option<u32>,
    /// Bytes of program memory of the longest loop, with every non-empty instruction at full length.
    pub program_bytes: u64,
    /// Bytes of program memory of the longest straight-line kernel.
    pub straight_program_bytes: u64,
    /// The cycles that conflicts of memory banks would add to the loop that loses most by them; not included in the other
    /// figures.
    pub conflicts: Conflicts,
}

/// Evaluates a design: schedules its kernels and simulates the array.
///
/// # Errors
/// The errors of [`Design::check`], of scheduling and of simulation.
pub fn evaluate(design: &Design) -> Result<Evaluation, AieError> {
    design.check()?;
    let Design { mapping, method, form, reads, tile, fabric } = design;
    let (mapping, method, form) = (*mapping, *method, *form);
    if mapping == Mapping::Single {
        return single(design);
    }
    let partition = Partition::with(mapping, method, form);
    let loops = Loops::new(&partition, tile, fabric)?;
    let r = ArrayReport::new(&partition, &loops, fabric)?;
    let (straight, one) = once(&partition, design)?;
    let macs: usize = partition.tiles.iter().map(crate::Program::products).sum();
    let call = u64::from(tile.call_cycles);
    Ok(Evaluation {
        mapping,
        method,
        form,
        reads: *reads,
        tiles: r.tiles,
        columns: r.columns,
        units: r.units,
        printed_units: mapping.printed_units(),
        throughput_per_cycle: r.throughput(),
        throughput_of_printed_units: r.throughput_of_printed_units(),
        sustained_per_cycle: Some(r.sustained()),
        latency_cycles: call + one.end(),
        loop_latency_cycles: call + r.latency,
        result_cycles: one.cycles,
        instructions: r.total_instructions,
        maximum_instructions: r.maximum_instructions,
        operations: r.operations,
        macs: macs as u64,
        core_utilisation: r.core_utilisation(),
        tile_utilisation: r.tile_utilisation(fabric),
        vliw_utilisation: r.vliw_utilisation(),
        mac_utilisation: macs as f64 / r.total_instructions as f64,
        stalls: r.stalls.into(),
        stalls_of_one: one.stalled().into(),
        fullest_ports: r.fullest,
        shared_ports: r.shared,
        fifo_words: r.fifo_words,
        fifos_needed: r.fifos.needed,
        fifos: r.fifos.available,
        locks: r.locks,
        in_flight: loops.in_flight,
        program_bytes: program_bytes(&loops.kernels),
        straight_program_bytes: program_bytes(&straight),
        conflicts: loops
            .kernels
            .iter()
            .map(|(_, k)| k.conflicts())
            .max_by_key(|c| (c.left, c.most))
            .unwrap_or_default(),
    })
}

/// Kernels of a partition, each with the tiles that run it.
type Kernels = Vec<(Vec<usize>, Kernel)>;

fn program_bytes(kernels: &Kernels) -> u64 {
    kernels.iter().map(|(_, kernel)| kernel.counts().program_bytes).max().unwrap_or(0)
}

/// The straight-line kernels, and a run of one task by them.
fn once(partition: &Partition, design: &Design) -> Result<(Kernels, Run), AieError> {
    let kernels = straight_kernels(partition, &design.tile, design.reads)?;
    let routed = RoutedUnit::new(partition, &of_tiles(partition, &kernels), &design.fabric, 1)?;
    Ok((kernels, routed.run))
}

fn single(design: &Design) -> Result<Evaluation, AieError> {
    let Design { mapping, method, form, reads, tile, fabric } = design;
    let single = SingleTile::schedule(*method, tile)?;
    let counts = single.counts();
    // The product by k takes a pass of its own.
    let passes = u64::from(*form == Form::Complete);
    let instructions = counts.instructions + passes * single.product().cycles(1);
    let operations = counts.operations + passes * counts.product.operations;
    let macs = counts.products + passes * counts.product.products;
    let latency = instructions + u64::from(tile.call_cycles);
    let units = place::units(*mapping, fabric);
    let routing = place::route(&Partition::with(*mapping, *method, *form), units, fabric);
    let printed_units = mapping.printed_units();
    Ok(Evaluation {
        mapping: *mapping,
        method: *method,
        form: *form,
        reads: *reads,
        tiles: 1,
        columns: place::columns(*mapping),
        units,
        printed_units,
        throughput_per_cycle: units as f64 / instructions as f64,
        throughput_of_printed_units: printed_units as f64 / instructions as f64,
        sustained_per_cycle: None,
        latency_cycles: latency,
        loop_latency_cycles: latency,
        result_cycles: instructions,
        instructions,
        maximum_instructions: instructions,
        operations,
        macs,
        core_utilisation: 1.0,
        tile_utilisation: 1.0,
        vliw_utilisation: operations as f64 / instructions as f64,
        mac_utilisation: macs as f64 / instructions as f64,
        stalls: Stalls::default(),
        stalls_of_one: Stalls::default(),
        fullest_ports: routing.fullest,
        shared_ports: routing.shared,
        fifo_words: 0,
        fifos_needed: 0,
        fifos: fabric.switch_fifos,
        locks: 0,
        in_flight: None,
        program_bytes: counts.program_bytes,
        straight_program_bytes: counts.program_bytes,
        conflicts: single.product().conflicts(),
    })
}

/// The greatest number of tasks that a timeline draws.
pub const MOST_TASKS: u64 = 1 << 10;

/// A timeline of a run of `tasks` tasks, with a track for each tile: one task runs by straight-line kernels (\[AIE\] Fig.
/// 8), several by loops. For [`Mapping::Single`] there is one track with the activity of its tile in mixed additions.
///
/// # Errors
/// The errors of [`evaluate`]; [`AieError::Tasks`] for more than [`MOST_TASKS`].
pub fn timeline(design: &Design, tasks: u64) -> Result<Chrome, AieError> {
    design.check()?;
    let most = MOST_TASKS;
    if tasks > most {
        return Err(AieError::Tasks { tasks, most });
    }
    let Design { mapping, method, form, tile, fabric, .. } = design;
    if *mapping == Mapping::Single {
        return Ok(SingleTile::schedule(*method, tile)?.timeline(tasks));
    }
    let partition = Partition::with(*mapping, *method, *form);
    let run = if tasks == 1 {
        once(&partition, design)?.1
    } else {
        let Loops { schedules, routed, .. } = Loops::new(&partition, tile, fabric)?;
        ClockedUnit::new(&partition, &schedules, &routed.routes, *fabric)?.run(tasks)?
    };
    Ok(tracks(&partition, &run))
}

#[cfg(test)]
mod tests;
