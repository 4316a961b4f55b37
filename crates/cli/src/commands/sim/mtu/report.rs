//! The report on a run of the tree unit: as text, in JSON, and as a row of a sweep's table.

use super::super::counted::lines;
use super::super::quantity::Sense;
use super::super::sweep::{Column, Costs};
use crate::args::TreeParameters;
use crate::output;
use pairwright::mtu::power::counted::counted;
use pairwright::mtu::power::{Area, Energy, Part, energy};
use pairwright::mtu::{Account, ElementUse, StageUse, Traversal};
use pairwright::sim::cells::{Estimate, FITTED};
use serde::Serialize;

/// The area of the unit for the traversal that was asked for, and the energy of the run.
fn costs(account: &Account) -> (Area, Energy) {
    let area = Area::of(&account.config);
    (area, energy(&account.config, account))
}

/// The rate in gigabytes a second (10^9 bytes); 0 for a run of no time.
fn gigabytes(bytes: u64, seconds: f64) -> f64 {
    if seconds > 0.0 { 1e-9 * bytes as f64 / seconds } else { 0.0 }
}

/// The figures of a run, for JSON and for the table of a sweep.
#[derive(Serialize)]
pub(in crate::commands::sim) struct TreeFigures {
    pes: u32,
    cycles: u64,
    clock_hz: u64,
    /// The clock that the design asks for, in hertz.
    clock_asked_hz: u64,
    /// The parameter that limits the clock to a lower one, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    clock_limited_by: Option<&'static str>,
    latency_s: f64,
    /// Share of the elements' cycles in which they were busy, 0 to 1.
    utilisation: f64,
    /// Bytes read from memory.
    read_bytes: u64,
    /// Bytes written to memory.
    write_bytes: u64,
    /// The average rate of reads and writes together, in GB/s.
    achieved_gb_s: f64,
    /// The memory's bandwidth, in GB/s.
    peak_gb_s: f64,
    /// The sum of the memories' peak contents on the chip, in bytes; the peaks need not be simultaneous.
    sram_bytes: u64,
    /// Energy of the unit in joules.
    energy_j: f64,
    /// Energy of the memory and its interface in joules.
    memory_energy_j: f64,
    /// Average power of the unit in watts.
    power_w: f64,
    /// Area of the unit in mm² at 7 nm.
    area_mm2: f64,
    /// Area in mm² with as many memory interfaces as the bandwidth takes.
    area_with_phy_mm2: f64,
    atp_us_mm2: f64,
}

impl TreeFigures {
    pub(super) fn new(account: &Account) -> Self {
        let (area, energy) = costs(account);
        Self::of(account, &area, &energy)
    }

    fn of(account: &Account, area: &Area, energy: &Energy) -> Self {
        let (config, dram, sram) = (&account.config, &account.dram, &account.sram);
        let seconds = account.seconds();
        Self {
            pes: config.pes,
            cycles: account.cycles,
            clock_hz: account.clock.hz,
            clock_asked_hz: account.clock.asked_hz,
            clock_limited_by: account.clock.limited_by,
            latency_s: seconds,
            utilisation: account.utilisation(),
            read_bytes: dram.read_bytes,
            write_bytes: dram.write_bytes,
            achieved_gb_s: gigabytes(dram.read_bytes + dram.write_bytes, seconds),
            peak_gb_s: 1e-9 * config.dram.peak_bytes_per_second(account.clock.hz as f64),
            sram_bytes: sram.input + sram.output + sram.accumulator + sram.levels,
            energy_j: energy.unit_j,
            memory_energy_j: energy.phy_j + energy.dram_j,
            power_w: energy.unit_w,
            area_mm2: area.mm2,
            area_with_phy_mm2: area.with_phy_mm2,
            atp_us_mm2: 1e6 * seconds * area.mm2,
        }
    }
}

impl Costs for TreeFigures {
    const COLUMNS: &'static [Column<Self>] = &[
        ("cycles", |f| f.cycles.to_string()),
        ("clock_mhz", |f| format!("{:.1}", 1e-6 * f.clock_hz as f64)),
        ("latency_us", |f| format!("{:.3}", 1e6 * f.latency_s)),
        ("utilisation", |f| format!("{:.4}", f.utilisation)),
        ("read_bytes", |f| f.read_bytes.to_string()),
        ("write_bytes", |f| f.write_bytes.to_string()),
        ("achieved_gb_s", |f| format!("{:.1}", f.achieved_gb_s)),
        ("sram_bytes", |f| f.sram_bytes.to_string()),
        ("energy_uj", |f| format!("{:.3}", 1e6 * f.energy_j)),
        ("memory_energy_uj", |f| format!("{:.3}", 1e6 * f.memory_energy_j)),
        ("area_mm2", |f| format!("{:.4}", f.area_mm2)),
        ("area_with_phy_mm2", |f| format!("{:.4}", f.area_with_phy_mm2)),
        ("atp_us_mm2", |f| format!("{:.2}", f.atp_us_mm2)),
    ];
    const BETTER: &'static [(&'static str, Sense)] = &[
        ("latency_us", Sense::Less),
        ("area_mm2", Sense::Less),
        ("energy_uj", Sense::Less),
        ("cycles", Sense::Less),
        ("utilisation", Sense::More),
        ("achieved_gb_s", Sense::More),
        ("area_with_phy_mm2", Sense::Less),
        ("memory_energy_uj", Sense::Less),
        ("sram_bytes", Sense::Less),
        ("atp_us_mm2", Sense::Less),
    ];
}

#[derive(Serialize)]
pub(super) struct TreeReport<'a> {
    #[serde(flatten)]
    tree: &'a TreeParameters,
    /// Whether the result was compared with the host's.
    checked: bool,
    #[serde(flatten)]
    figures: TreeFigures,
    /// Wall-clock seconds of the simulation.
    simulation_s: f64,
    simulated_cycles_per_second: f64,
    /// How energy, power and area were obtained, as text.
    fitted: &'static str,
    /// The estimates from synthesised cells and toggle counts, one for each library of cells.
    counted: Vec<Estimate>,
    area: Area,
    energy: Energy,
    account: Account,
}

impl<'a> TreeReport<'a> {
    /// The report on a run whose simulation took this many seconds.
    pub(super) fn new(tree: &'a TreeParameters, account: Account, seconds: f64) -> Self {
        let (area, energy) = costs(&account);
        Self {
            tree,
            checked: tree.data,
            figures: TreeFigures::of(&account, &area, &energy),
            simulation_s: seconds,
            simulated_cycles_per_second: account.cycles as f64 / seconds.max(1e-9),
            fitted: FITTED,
            counted: counted(&account.config, &account),
            area,
            energy,
            account,
        }
    }
}

/// The report as text.
pub(super) fn text(r: &TreeReport<'_>) -> String {
    let (f, a) = (&r.figures, &r.account);
    let percent = |n: u64| output::percent_of(n, f.cycles);
    let checked = if r.checked { "equal to the host's" } else { "timing" };
    format!(
        "{} on {} elements; {checked}\n\
         {} cycles, {:.1} us at {:.0} MHz{}; {} ({:.2} W), memory and its interface {}\n\
         {:.3} mm2 at 7 nm, {:.3} with the interface to memory\n\
         {}\n\
         memory: {} bytes read, {} written, {:.1} of {:.1} GB/s, busy {}\n\
         elements {:.1} % busy; stalls: {} cycles for input, {} for output\n\
         {} products, {} sums, {} hashes, {} accesses to the accumulators' buffers\n\
         {}simulated in {}, {:.1} million cycles a second\n\n{}\n\n{}\n\n{}",
        r.tree.describe(&a.config, &|_| true),
        f.pes,
        f.cycles,
        1e6 * f.latency_s,
        1e-6 * f.clock_hz as f64,
        f.clock_limited_by.map_or_else(String::new, |by| format!(", the most that {by} allows")),
        output::joules(f.energy_j),
        f.power_w,
        output::joules(f.memory_energy_j),
        f.area_mm2,
        f.area_with_phy_mm2,
        lines(&r.counted),
        f.read_bytes,
        f.write_bytes,
        f.achieved_gb_s,
        f.peak_gb_s,
        percent(a.memory_busy),
        100.0 * f.utilisation,
        a.stalls.input,
        a.stalls.output,
        a.operations.products,
        a.operations.sums,
        a.operations.hashes,
        a.operations.buffer_accesses,
        stages(a),
        output::seconds(r.simulation_s),
        1e-6 * r.simulated_cycles_per_second,
        elements(a),
        memories(a),
        components(r)
    )
}

/// The preceding and following stages, one line each.
fn stages(a: &Account) -> String {
    let line = |place: &str, stage: Option<StageUse>| {
        stage.map_or_else(String::new, |s| {
            let ii = s.initiation_interval();
            format!(
                "{place}: {} words, up to {} a cycle, in cycles {} to {}; waits {}; a step every {ii:.3} cycles\n",
                s.words, s.rate, s.first, s.last, s.wait_cycles
            )
        })
    };
    line("upstream", a.upstream) + &line("downstream", a.downstream)
}

/// A table of the elements' activity; neighbouring elements with the same figures share a row.
fn elements(a: &Account) -> String {
    let mut rows = Vec::new();
    let mut first = 0;
    for same in a.elements.chunk_by(|x, y| x == y) {
        let ElementUse { issued, busy } = same[0];
        let names = match same.len() {
            1 => first.to_string(),
            n => format!("{first} to {}", first + n - 1),
        };
        let share = output::percent_of(busy, a.cycles);
        rows.push(vec![names, issued.to_string(), busy.to_string(), share]);
        first += same.len();
    }
    output::table(1, &["elements", "entered", "busy", "utilisation"], rows)
}

/// Bytes of all accumulators: one in an element, or in each of them for depth-first traversal.
fn accumulators(a: &Account) -> u64 {
    let many = if a.config.traversal == Traversal::Dfs { a.config.pes } else { 1 };
    u64::from(many) * u64::from(a.config.accumulator_words) * u64::from(a.config.word_bytes)
}

/// The peak contents of the memories on the chip.
fn memories(a: &Account) -> String {
    let sram = &a.sram;
    let mut rows = Vec::new();
    let sizes = [
        ("input buffer", sram.input, Some(a.config.input_bytes.into())),
        ("output buffer", sram.output, Some(a.config.output_bytes.into())),
        ("whole levels", sram.levels, Some(a.config.level_bytes.into())),
        ("accumulators", sram.accumulator, Some(accumulators(a))),
    ];
    for (name, held, of) in sizes {
        let of = of.map_or_else(String::new, output::bytes);
        rows.push(vec![name.to_owned(), output::bytes(held), of]);
    }
    let levels = sram.accumulator_levels.iter().map(u32::to_string).collect::<Vec<_>>();
    let levels = match levels.len() {
        0 => String::new(),
        _ => format!("\nwords of the accumulator's levels, from the lowest: {}", levels.join(" ")),
    };
    output::table(1, &["on the chip", "most held", "of"], rows) + &levels
}

/// Area and energy, component by component.
fn components(r: &TreeReport<'_>) -> String {
    let mut rows = Vec::new();
    for component in &r.area.components {
        let share = r.energy.shares.iter().find(|s| s.part == component.part);
        let joules = match component.part {
            Part::Phy => [1e6 * r.energy.phy_j, 0.0],
            _ => share.map_or([0.0; 2], |s| [1e6 * (s.work_j + s.idle_j), 1e6 * s.idle_j]),
        };
        let [all, idle] = joules.map(|uj| format!("{uj:.3}"));
        rows.push(vec![component.part.name().to_owned(), format!("{:.4}", component.mm2), all, idle]);
    }
    output::table(1, &["component", "mm2", "uJ", "of it idle"], rows)
}
