//! Figure 7: runtime and area of Merkle trees with hybrid traversal, over elements and bandwidths.

use super::sweep::{self, FigureRun, GB, PES};
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::{Labels, Row, decimals};
use pairwright_mtu::power::Area;
use pairwright_mtu::{Traversal, UnitConfig, Workload};
use pairwright_sim::pareto;

/// The largest ratio of runtimes that count as equal.
const SAME: f64 = 1.05;

/// SHA3 engines by the interval used for the runtimes and the one used for the areas. The last pair is the paper's: its
/// runtimes assume engines that take a node every cycle, its area engines that take one node in 24 cycles.
const ENGINES: [(u32, u32, &str); 4] = [
    (1, 1, "SHA3 every cycle"),
    (12, 12, "SHA3 every 12 cycles"),
    (24, 24, "SHA3 every 24 cycles"),
    (1, 24, "runtime of SHA3 every cycle, area of every 24"),
];

/// Points with one kind of SHA3 engine.
struct Points {
    name: &'static str,
    area_ii: u32,
    grid: Vec<FigureRun>,
}

impl Points {
    fn ms(&self, pes: u32, gb: u32) -> f64 {
        self.grid.iter().find(|ran| (ran.pes, ran.gb) == (pes, gb)).map_or(f64::NAN, FigureRun::ms)
    }

    /// Area in square millimetres, without the memory interface.
    fn area(&self, pes: u32, gb: u32) -> f64 {
        Area::of(&UnitConfig { hash_ii: self.area_ii, ..sweep::sized(pes, gb) }).mm2
    }
}

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    context.begin("mtu/fig7", ENGINES.len());
    for (hash_ii, area_ii, name) in ENGINES {
        context.step(name);
        let unit = |pes, gb| UnitConfig { hash_ii, ..sweep::sized(pes, gb) };
        let grid = sweep::grid(context, Workload::Merkle, Traversal::Hybrid, unit)?;
        let points = Points { name, area_ii, grid };
        draw(&points, &mut outcome);
        // The claims concern the whole grid.
        if !context.quick {
            claims(&points, &mut outcome);
        }
    }
    Ok(outcome)
}

fn draw(points: &Points, outcome: &mut Outcome) {
    let what = format!("runtime by area: {}", points.name);
    for gb in GB {
        let of: Vec<&FigureRun> = points.grid.iter().filter(|ran| ran.gb == gb).collect();
        let at: Vec<(f64, f64)> = of.iter().map(|ran| (points.area(ran.pes, gb), ran.ms())).collect();
        // Rounded to steps of a percent, so that negligible gains do not count.
        let steps: Vec<(f64, f64)> = at.iter().map(|(area, ms)| (*area, (100.0 * ms.ln()).round())).collect();
        let front = pareto::front(&steps);
        for (i, (ran, (area, ms))) in of.iter().zip(&at).enumerate() {
            let operation = format!("{} PEs", ran.pes);
            let place = Labels { quantity: &what, operation: &operation, unit: "ms" };
            let on = if front.contains(&i) { "on the front" } else { "beaten" };
            let note = format!("{on} of {gb} GB/s; {}", sweep::bound(&ran.account));
            let row = place.modelled(&format!("{gb} GB/s"), *ms, &note);
            let (x, x_name) = (Some(decimals(*area, 4)), "area, mm2".to_owned());
            outcome.keep(Row { log2_n: Some(sweep::LOG_SIZE), x, x_name, ..row });
        }
    }
}

fn claims(points: &Points, outcome: &mut Outcome) {
    let series = points.name;
    let mut say = |key, operation, value, note: &str| {
        outcome.answer(key, operation, series, value, note);
    };
    let same = |pes, low, high| points.ms(pes, low) <= SAME * points.ms(pes, high);
    // The largest number of elements for which at least the two highest bandwidths give the same runtime.
    if let Some(pes) = PES.into_iter().rev().find(|&pes| same(pes, 512, 1024)) {
        let level: Vec<String> = GB.iter().filter(|gb| same(pes, **gb, 1024)).map(u32::to_string).collect();
        let note = format!("with {pes} PEs {} GB/s are within 5 %", level.join(", "));
        say("area below which fronts overlap", "64 to 1024 GB/s", points.area(pes, 1024), &note);
    }
    if let Some(pes) = PES.into_iter().rev().find(|&pes| same(pes, 256, 1024)) {
        let note = format!("{pes} PEs, the most that take the same at both");
        say("area of the design that is equal at 256 and 1024 GB/s", "hybrid", points.area(pes, 256), &note);
        let times = format!("{:.4} and {:.4} ms with {pes} PEs", points.ms(pes, 256), points.ms(pes, 1024));
        say(
            "its runtime at 256 GB/s over that at 1024 GB/s",
            "hybrid",
            points.ms(pes, 256) / points.ms(pes, 1024),
            &times,
        );
    }
}
