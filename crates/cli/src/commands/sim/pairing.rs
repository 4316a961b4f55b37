//! `pairwright sim pairing`: simulates one pairing cycle by cycle and checks it against the host's.

use super::counted::lines;
use super::quantity::Sense;
use super::sweep::{self, Column, Costs, Family};
use super::to_file;
use crate::args::{Cli, SimPairing};
use crate::commands::design::{Base, Chosen, DESIGN};
use crate::failure::{Failure, ModelFault};
use crate::output;
use crate::progress::Progress;
use pairwright::chip::MachineSpec;
use pairwright::chip::compiler::coordinates_of;
use pairwright::chip::machine::{CycleCount, Probe, Processor, Run, Timeline, Waves};
use pairwright::chip::power::{Activity, PairingCost, counted};
use pairwright::chip_programs::{Program, RunError};
use pairwright::curve::bls12_381::{Bls12_381, Fq, Fq2, Fr, G1, G2};
use pairwright::curve::{Affine, Curve, Pairing};
use pairwright::field::Field;
use pairwright::sim::cells::{Estimate, FITTED};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use serde::Serialize;

/// The cycle limit, which no pairing reaches on any design that can be built: with an iterative multiplier of the highest latency a
/// pairing takes a hundredth of it.
const LIMIT: u64 = 100_000_000;

/// The arguments of a pairing.
struct Points {
    p: Affine<G1>,
    q: Affine<G2>,
}

impl Points {
    /// The generators, or multiples of them drawn from a seed.
    fn new(seed: Option<u64>) -> Self {
        let Some(seed) = seed else { return Self { p: G1::GENERATOR, q: G2::GENERATOR } };
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let (a, b) = (Fr::random(&mut rng), Fr::random(&mut rng));
        let p = G1::GENERATOR.to_jacobian().mul_vartime(&a).to_affine();
        let q = G2::GENERATOR.to_jacobian().mul_vartime(&b).to_affine();
        Self { p, q }
    }
}

/// Runs a pairing program on the processor, and compares the result with the host's pairing.
fn simulate<P: Probe>(program: &Program<Fq>, points: &Points, probe: &mut P) -> Result<Run, Failure> {
    let mut processor = Processor::<Fq>::new(&program.spec, &program.image).map_err(RunError::from)?;
    let region = |name: &str, rows: usize| {
        let missing = RunError::Region { name: name.to_owned(), rows };
        program.regions.get(name).copied().ok_or(missing)
    };
    let row = |x: Fq| Fq2::new(x, Fq::ZERO);
    let Points { p, q } = points;
    let inputs = [("p", [row(p.x), row(p.y)]), ("q", [q.x, q.y])];
    let mut rows: Vec<(u8, Fq2)> = program.constants.clone();
    for (name, values) in inputs {
        let at = region(name, values.len())?.at;
        rows.extend((at..).zip(values));
    }
    for (at, value) in rows {
        processor.write_global(at.into(), value).map_err(RunError::from)?;
    }
    let run = processor.run_watched(LIMIT, probe).map_err(RunError::from)?;
    let at = region("result", 6)?.at;
    let wanted = coordinates_of(&Bls12_381::pairing(p, q));
    if (at..).zip(wanted).all(|(at, value)| processor.read_global(at.into()) == Some(value)) {
        Ok(run)
    } else {
        Err(ModelFault::Differs("processor's pairing").into())
    }
}

/// Simulates the pairing, and writes the timeline and waveforms that were asked for.
fn watched(a: &SimPairing, program: &Program<Fq>) -> Result<Run, Failure> {
    let points = Points::new(a.random);
    if a.trace.is_none() && a.vcd.is_none() {
        return simulate(program, &points, &mut ());
    }
    let timeline = a.trace.as_ref().map(|_| Timeline::new(&program.spec.name));
    let waves = a.vcd.as_ref().map(|_| Waves::new());
    let mut probes = (timeline, waves);
    let run = simulate(program, &points, &mut probes)?;
    let (timeline, waves) = probes;
    if let (Some(path), Some(timeline)) = (&a.trace, timeline) {
        to_file(path, |file| timeline.chrome().write(file))?;
    }
    if let (Some(path), Some(waves)) = (&a.vcd, waves) {
        to_file(path, |file| waves.vcd().write(file))?;
    }
    Ok(run)
}

/// The figures of a routine: its code and its calls in the run.
#[derive(Serialize)]
struct Routine {
    name: String,
    /// Number of its instruction words in the L2 memory.
    instructions: usize,
    /// Cycles from its first issue slot to its last result.
    routine_cycles: u32,
    /// Lower bound on those cycles, for any schedule.
    routine_cycles_bound: u32,
    calls: u64,
    /// Cycles of all calls.
    cycles: u64,
}

#[derive(Serialize)]
struct PairingReport {
    design: String,
    division: &'static str,
    scheduler: &'static str,
    seeds: u32,
    /// Whether the result was compared with the host's pairing.
    checked: bool,
    cycles: u64,
    /// Number of instruction words of all routines in the L2 memory.
    instructions: usize,
    /// Number of L2 instruction words executed, bubbles included.
    instructions_executed: u64,
    /// Number of instruction words of the L1 program.
    l1_instructions: usize,
    clock_hz: f64,
    clock_asked_hz: f64,
    volts: f64,
    latency_s: f64,
    energy_j: f64,
    energy_gated_j: f64,
    power_w: f64,
    area_mm2: f64,
    atp_us_mm2: f64,
    cycles_by_class: CycleCount,
    routines: Vec<Routine>,
    /// How energy, power and area were obtained, as text.
    fitted: &'static str,
    /// The estimates from synthesised cells and toggle counts, one for each library of cells.
    counted: Vec<Estimate>,
    cost: PairingCost,
    run: Run,
    #[serde(skip_serializing_if = "Option::is_none")]
    listing: Option<String>,
}

/// Simulates one pairing, or one at every point of a sweep.
pub(super) fn run(cli: &Cli, a: &SimPairing) -> Result<(), Failure> {
    if a.designs.shows() {
        return a.designs.show(cli, &a.designs.base.chip()?);
    }
    let chosen = a.programs.choose(&a.designs.base)?;
    if !a.designs.sweep.sweep.is_empty() {
        return sweep(cli, a, &chosen);
    }
    let progress = Progress::new(0, "compiling");
    let program = chosen.pairing()?;
    drop(progress);
    let run = watched(a, &program)?;
    let listing = a.listing.then(|| {
        let texts: Vec<String> = program.routines.iter().map(|r| r.listing()).collect();
        texts.join("\n")
    });
    let report = PairingReport::new(&chosen, &program, run, listing);
    output::print(cli, &report, text)
}

impl PairingReport {
    fn new(chosen: &Chosen, program: &Program<Fq>, run: Run, listing: Option<String>) -> Self {
        let activity = Activity::from(&run);
        let cost = PairingCost::of(&chosen.spec, &activity);
        let [division, scheduler] = chosen.names();
        let routines = program.routines.iter().map(|compiled| {
            let seen = run.routines.iter().find(|r| r.name.as_ref() == Some(&compiled.name));
            Routine {
                name: compiled.name.clone(),
                instructions: compiled.words.len(),
                routine_cycles: compiled.report.cycles,
                routine_cycles_bound: compiled.report.bound,
                calls: seen.map_or(0, |r| r.calls),
                cycles: seen.map_or(0, |r| r.cycles),
            }
        });
        Self {
            design: chosen.spec.name.clone(),
            division,
            scheduler,
            seeds: chosen.options.seeds,
            checked: true,
            cycles: run.cycles,
            instructions: program.routines.iter().map(|r| r.words.len()).sum(),
            instructions_executed: run.l2_words,
            l1_instructions: program.image.l1.len(),
            clock_hz: cost.clock_hz,
            clock_asked_hz: chosen.spec.clock.hz,
            volts: chosen.spec.clock.volts,
            latency_s: cost.latency_s,
            energy_j: cost.energy_j,
            energy_gated_j: cost.energy_gated_j,
            power_w: cost.power_w,
            area_mm2: cost.area_mm2,
            atp_us_mm2: cost.atp_us_mm2,
            cycles_by_class: run.by_class,
            routines: routines.collect(),
            fitted: FITTED,
            counted: counted::of_pairing(&chosen.spec, &activity),
            cost,
            run,
            listing,
        }
    }
}

fn text(r: &PairingReport) -> String {
    let c = &r.cycles_by_class;
    let share = |n: u64| format!("{n} ({})", output::percent_of(n, r.cycles));
    let slow = if r.clock_hz < r.clock_asked_hz { ", the most its multiplier allows" } else { "" };
    let rows = r.routines.iter().map(|x| {
        vec![
            x.name.clone(),
            x.instructions.to_string(),
            x.routine_cycles.to_string(),
            x.routine_cycles_bound.to_string(),
            x.calls.to_string(),
            x.cycles.to_string(),
            output::percent_of(x.cycles, r.cycles),
        ]
    });
    let parts = r.cost.area.components.iter().zip(&r.cost.energy.shares).map(|(area, energy)| {
        vec![
            area.part.name().to_owned(),
            format!("{:.4}", area.mm2),
            if area.part.shared() { "shared".to_owned() } else { String::new() },
            format!("{:.2}", 1e6 * (energy.work_j + energy.idle_j)),
            format!("{:.2}", 1e6 * energy.idle_j),
        ]
    });
    let mut text = format!(
        "{} design, {} division, {} scheduler with {} schedules a routine; equal to the host's pairing\n\
         {} cycles, {:.1} us at {:.0} MHz{slow}; {:.1} uJ ({:.2} W) at {:.2} V; {:.3} mm2; {:.1} us*mm2\n\
         {}\n\
         issue {}, inversion {}, switch {}, drain {}, fill {}, dispatch {}\n\
         {} L2 words in memory, {} executed; {} L1 words\n\n{}\n\n{}",
        r.design,
        r.division,
        r.scheduler,
        r.seeds,
        r.cycles,
        1e6 * r.latency_s,
        1e-6 * r.clock_hz,
        1e6 * r.energy_j,
        r.power_w,
        r.volts,
        r.area_mm2,
        r.atp_us_mm2,
        lines(&r.counted),
        share(c.issue),
        share(c.inversion),
        share(c.switch),
        share(c.drain),
        share(c.fill),
        share(c.dispatch),
        r.instructions,
        r.instructions_executed,
        r.l1_instructions,
        output::table(1, &["routine", "words", "slots to result", "bound", "calls", "cycles", ""], rows),
        output::table(1, &["component", "mm2", "", "uJ", "of it idle"], parts)
    );
    if let Some(listing) = &r.listing {
        text = format!("{text}\n\n{}", listing.trim_end());
    }
    text
}

/// The parameters that all points of a sweep share.
#[derive(Serialize)]
struct PairingHeading {
    design: String,
    division: &'static str,
    scheduler: &'static str,
    seeds: u32,
}

/// The figures of a pairing on a design of a sweep.
#[derive(Serialize)]
pub(super) struct Swept {
    cycles: u64,
    /// Words of all routines.
    instructions: usize,
    clock_hz: f64,
    latency_s: f64,
    energy_j: f64,
    area_mm2: f64,
    atp_us_mm2: f64,
}

impl Costs for Swept {
    const COLUMNS: &'static [Column<Self>] = &[
        ("cycles", |f| f.cycles.to_string()),
        ("instructions", |f| f.instructions.to_string()),
        ("clock_mhz", |f| format!("{:.1}", 1e-6 * f.clock_hz)),
        ("latency_us", |f| format!("{:.3}", 1e6 * f.latency_s)),
        ("energy_uj", |f| format!("{:.3}", 1e6 * f.energy_j)),
        ("area_mm2", |f| format!("{:.4}", f.area_mm2)),
        ("atp_us_mm2", |f| format!("{:.2}", f.atp_us_mm2)),
    ];
    const BETTER: &'static [(&'static str, Sense)] = &[
        ("latency_us", Sense::Less),
        ("area_mm2", Sense::Less),
        ("energy_uj", Sense::Less),
        ("cycles", Sense::Less),
        ("atp_us_mm2", Sense::Less),
        ("instructions", Sense::Less),
    ];
}

fn sweep(cli: &Cli, a: &SimPairing, chosen: &Chosen) -> Result<(), Failure> {
    let arguments = Points::new(a.random);
    let [division, scheduler] = chosen.names();
    let (design, seeds) = (chosen.spec.name.clone(), chosen.options.seeds);
    // The division and the scheduler depend on the design, unless the command line gives them.
    let title = if sweep::fixed(&a.designs.sweep.sweep, DESIGN) {
        format!(
            "a pairing, {design} design, {division} division, {scheduler} scheduler, {seeds} schedules a routine"
        )
    } else {
        format!("a pairing, {seeds} schedules a routine")
    };
    let head = PairingHeading { design, division, scheduler, seeds };
    let family = Family { head, title, checked: "all equal to the host's pairing" };
    let base = Base::new(&a.designs.base, MachineSpec::DESIGNS, Vec::new())?;
    // A built-in design that a sweep names has the same defaults of the compiler as with `--design`.
    let at = |swept: &[(&str, &str)]| {
        let named = swept.iter().find(|(name, _)| *name == DESIGN);
        Ok((base.chip(swept)?, named.map(|(_, name)| a.designs.base.published_as(name))))
    };
    sweep::run(cli, &a.designs.sweep, family, at, |(spec, named)| {
        base.check(&spec)?;
        let chosen = match named {
            Some(published) => a.programs.compile(spec, published),
            None => Chosen { spec, ..chosen.clone() },
        };
        costs_of(&chosen, &arguments)
    })
}

/// Simulates a pairing of the generators on a design and returns its figures.
pub(super) fn costs(chosen: &Chosen) -> Result<Swept, Failure> {
    costs_of(chosen, &Points::new(None))
}

fn costs_of(chosen: &Chosen, points: &Points) -> Result<Swept, Failure> {
    let program = chosen.pairing()?;
    let run = simulate(&program, points, &mut ())?;
    let cost = PairingCost::of(&chosen.spec, &Activity::from(&run));
    Ok(Swept {
        cycles: cost.cycles,
        instructions: program.routines.iter().map(|r| r.words.len()).sum(),
        clock_hz: cost.clock_hz,
        latency_s: cost.latency_s,
        energy_j: cost.energy_j,
        area_mm2: cost.area_mm2,
        atp_us_mm2: cost.atp_us_mm2,
    })
}
