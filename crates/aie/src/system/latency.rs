//! The latency experiment of \[AIE\] V.A: points are added one after the other.

use super::unit::PlacedUnit;
use super::{KernelKind, Latency, Stages, System, SystemError};
use crate::AieError;
use crate::array::Arrivals;
use crate::padd::Form;
use pairwright_sim::settings::OutOfRange;
use pairwright_sim::trace::Chrome;

/// The number of tasks that are simulated word by word, because each finds the unit in the same state as the previous
/// one.
const CLOCKED: u64 = 8;
/// Products of 32 bits that a tile computes per cycle.
const LANES: usize = crate::LANES;

/// As [`latency`], with a timeline of the tasks that are simulated word by word, in cycles of the logic.
///
/// # Errors
/// Those of [`latency`].
pub fn latency_traced(system: &System, tasks: u64, chrome: &mut Chrome) -> Result<Latency, AieError> {
    let process = chrome.process("latency, cycles of the logic");
    let track = chrome.track(process, "additions, each after the one before");
    run(system, tasks, &mut |name, [start, end]| chrome.event(track, name, start, end - start, []))
}

/// Adds points one after the other, \[AIE\] V.A: each complete addition takes the result of the previous one, so its
/// first sums begin when the final reduction of that result ends. The next point is read in the meantime.
///
/// # Errors
/// The errors of `System::check`, of scheduling and of simulation.
pub fn latency(system: &System, tasks: u64) -> Result<Latency, AieError> {
    run(system, tasks, &mut |_, _| {})
}

/// Runs the experiment. `watch` is called for every stage of the tasks that are simulated word by word, with its first
/// and last cycle of the logic.
fn run(system: &System, tasks: u64, watch: &mut impl FnMut(&str, [u64; 2])) -> Result<Latency, AieError> {
    const MOST: u64 = 1 << 40;
    let placed = PlacedUnit::new(system, system.aggregate, Form::Complete, KernelKind::Straight)?;
    OutOfRange::unless((1..=MOST).contains(&tasks), "tasks", tasks, "1 to 2^40")
        .map_err(SystemError::from)?;
    let logic = &system.logic;
    let around = logic.sums_latency + logic.barrett_latency;
    let clocked = tasks.min(CLOCKED);
    let run = placed.run(system, clocked, Arrivals::After(around))?.times;
    let to_logic = |cycles: u64| u128::from(cycles) * u128::from(system.pl_hz) / u128::from(system.aie_hz);
    for task in 0..clocked as usize {
        // The first task's operands are available when its first sums are complete.
        let of_logic = |time: u64| time + logic.sums_latency;
        let of_engines = |time: u64| of_logic(to_logic(time) as u64);
        let offered = of_logic(run.offered[task]);
        let [entered, left] = [&run.entered, &run.left].map(|times| of_engines(times[task]));
        let finished = of_logic(run.finished[task]);
        watch("first sums, logic", [offered - logic.sums_latency, offered]);
        watch("to the engines", [offered, entered]);
        watch("engines", [entered, left]);
        watch("from the engines", [left, finished]);
        watch("last reduction, logic", [finished, finished + logic.barrett_latency]);
    }
    let last = clocked as usize - 1;
    let each = run.finished[last] - run.offered[last] + around;
    let first: u64 = run.finished[last] + around;
    // Where one clock frequency is no multiple of the other, tasks meet different phases; the remaining tasks repeat the
    // last half of the simulated ones.
    let half = last.div_ceil(2);
    let steady = match last - half {
        0 => each as f64,
        n => (run.finished[last] - run.finished[half]) as f64 / n as f64,
    };
    let nanoseconds = |cycles: u64, hz: u64| cycles as f64 * 1e9 / hz as f64;
    let logic_ns = |cycles| nanoseconds(cycles, system.pl_hz);
    let engines_ns = |cycles| nanoseconds(cycles, system.aie_hz);
    let (offered, finished) = (logic_ns(run.offered[last]), logic_ns(run.finished[last]));
    let (entered, left) = (engines_ns(run.entered[last]), engines_ns(run.left[last]));
    let tiles = placed.partition.tiles.len();
    let cycles = first as f64 + (tasks - clocked) as f64 * steady;
    let seconds = cycles / system.pl_hz as f64;
    Ok(Latency {
        tasks,
        clocked,
        seconds_per_task: seconds / tasks as f64,
        seconds,
        stages: Stages {
            sums: logic_ns(logic.sums_latency),
            plio_in: entered - offered,
            engines: left - entered,
            plio_out: finished - left,
            barrett: logic_ns(logic.barrett_latency),
        },
        engine_cycles: run.left[last] - run.entered[last],
        tiles,
        int32_multipliers: tiles * LANES,
    })
}
