//! Every parameter of an MSM and of its board changes something, and more of a resource never makes an MSM slower.
//!
//! The board has typical rates, for which the array is not simulated; the parameters from which its rates follow are
//! tested with the other parameters of the board (`crate::parameters`).

use super::*;
use crate::mapping::Mapping;
use pairwright_sim::dram::DramConfig;

/// The figures of an MSM, without the fields of the report that repeat its parameters.
fn figures(machine: &Machine, job: &Job) -> String {
    let report = match machine.simulate(job) {
        Ok(report) => report,
        Err(error) => return error.to_string(),
    };
    let MsmReport {
        points: _,
        window_bits: _,
        windows,
        buckets,
        windows_per_pass: _,
        passes,
        units: _,
        seconds,
        cycles,
        pl_cycles,
        tasks,
        tasks_per_second: _,
        zeros,
        copies,
        conflicts,
        waiting,
        bubbles,
        starved,
        skipped,
        utilisation: _,
        aggregate_utilisation: _,
        dram_bytes,
        dram_moved_bytes,
        dram_cycles,
        bandwidth: _,
        bucket_bits,
        bound,
    } = report;
    format!(
        "{windows} {buckets} {passes} {seconds} {cycles} {pl_cycles:?} {tasks:?} {zeros} {copies} {conflicts} {waiting} {bubbles} \
         {starved} {skipped} {dram_bytes} {dram_moved_bytes} {dram_cycles} {bucket_bits} {bound:?}"
    )
}

/// A job in which units are busy, buckets conflict, and points are sometimes waited for.
fn job() -> Job {
    Job::new(3000).with_window(6)
}

/// A board whose memory is slow enough to make units wait.
fn slow() -> Machine {
    let dram = DramConfig { rate_mts: 800, ..Machine::example().dram };
    Machine { dram, ..Machine::example() }
}

/// The name of a field of the board, and a change of it.
type Board = (&'static str, fn(&mut Machine));

const BOARD: &[Board] = &[
    ("aie_hz", |m| m.aie_hz = 1_000_000_000),
    ("pl_hz", |m| m.pl_hz = 250_000_000),
    ("mixed.units", |m| m.mixed.units = 9),
    ("mixed.interval", |m| m.mixed.interval = 146.25),
    ("mixed.latency", |m| m.mixed.latency = 321),
    ("mixed.loops", |m| m.mixed.loops = false),
    ("complete.units", |m| m.complete.units = 2),
    ("complete.interval", |m| m.complete.interval = 200.0),
    ("complete.latency", |m| m.complete.latency = 301),
    ("complete.loops", |m| m.complete.loops = true),
    ("dram", |m| m.dram.rate_mts = 2400),
    ("coordinate_bytes", |m| m.coordinate_bytes = 128),
    ("bucket_bits", |m| m.bucket_bits = 2048),
    ("bucket_room", |m| m.bucket_room = 100),
];

#[test]
fn every_parameter_of_the_board_of_an_msm_acts() {
    // A new field must be named here and added to the list, or given a reason for its absence.
    let UnitPace { units: _, interval: _, latency: _, loops: _ } = Machine::example().mixed;
    let Machine {
        aie_hz: _,
        pl_hz: _,
        // The method selects the programs that compute values (`every_method_adds`); their times are in the paces.
        method: _,
        accumulate: _,
        aggregate: _,
        mixed: _,
        complete: _,
        dram: _,
        coordinate_bytes: _,
        bucket_bits: _,
        bucket_room: _,
    } = Machine::example();
    let before = figures(&Machine::example(), &job());
    for (name, change) in BOARD {
        let mut machine = Machine::example();
        change(&mut machine);
        assert_ne!(figures(&machine, &job()), before, "{name} changes nothing");
    }
}

/// The name of a field of the job, a change of it, and a job on which the change has an effect.
type Change = (&'static str, fn(&mut Job), fn() -> Job);

const JOB: &[Change] = &[
    ("points", |j| j.points = 3001, job),
    ("window_bits", |j| j.window_bits = Some(7), job),
    ("signed", |j| j.signed = false, job),
    ("windows_per_pass", |j| j.windows_per_pass = Some(20), job),
    ("spread", |j| j.spread = Spread::Windows, job),
    ("first", |j| j.first = FirstPoint::Copy, job),
    ("queue", |j| j.queue = 4, job),
    ("interleave", |j| j.interleave = 3, job),
    ("buffer_points", |j| j.buffer_points = 16, job),
    ("seed", |j| j.seed = 2, job),
    // Without a width of windows the job chooses one.
    ("window_bits", |j| j.window_bits = Some(2), || Job::new(3000)),
];

#[test]
fn every_parameter_of_an_msm_acts() {
    let Job {
        points: _,
        window_bits: _,
        signed: _,
        windows_per_pass: _,
        spread: _,
        first: _,
        queue: _,
        interleave: _,
        buffer_points: _,
        // Both give the same points in the same time: `sums_are_the_curves`, `reports_add_up`.
        arithmetic: _,
        seed: _,
    } = Job::default();
    for (name, change, base) in JOB {
        let mut job = base();
        let before = figures(&slow(), &job);
        change(&mut job);
        assert_ne!(figures(&slow(), &job), before, "{name} changes nothing");
    }
}

/// Sets a parameter of a board or of a job to a value.
type At = fn(&mut Machine, &mut Job, f64);

/// Parameters with values in an order in which an MSM never gets slower.
const FASTER: &[(&str, &[f64], At)] = &[
    ("aie_hz", &[0.4e9, 0.8e9, 1.25e9, 2e9], |m, _, v| m.aie_hz = v as u64),
    ("mixed.units", &[1.0, 2.0, 3.0, 5.0, 10.0, 20.0], |m, _, v| m.mixed.units = v as u32),
    ("mixed.interval", &[800.0, 400.0, 200.0, 145.25, 64.0], |m, _, v| m.mixed.interval = v),
    ("mixed.latency", &[2000.0, 1000.0, 320.0, 100.0, 40.0], |m, _, v| m.mixed.latency = v as u64),
    ("mixed.loops", &[1.0, 0.0], |m, _, v| m.mixed.loops = v > 0.0),
    ("complete.units", &[1.0, 2.0, 4.0], |m, _, v| m.complete.units = v as u32),
    ("complete.interval", &[900.0, 300.0, 150.0, 75.0], |m, _, v| m.complete.interval = v),
    ("complete.latency", &[1200.0, 600.0, 300.0, 100.0], |m, _, v| m.complete.latency = v as u64),
    ("dram.rate_mts", &[400.0, 800.0, 1600.0, 3200.0], |m, _, v| m.dram.rate_mts = v as u32),
    ("dram.latency", &[4000.0, 400.0, 40.0, 0.0], |m, _, v| m.dram.latency = v as u32),
    ("coordinate_bytes", &[512.0, 256.0, 128.0, 64.0], |m, _, v| m.coordinate_bytes = v as u32),
    ("bucket_room", &[40.0, 100.0, 400.0, 2000.0], |m, _, v| m.bucket_room = v as u64),
    ("points", &[6000.0, 3000.0, 1000.0, 1.0], |_, j, v| j.points = v as u64),
    ("windows_per_pass", &[1.0, 4.0, 11.0, 43.0], |_, j, v| j.windows_per_pass = Some(v as u32)),
    ("queue", &[0.0, 1.0, 4.0, 16.0, 64.0], |_, j, v| j.queue = v as u32),
    ("interleave", &[1.0, 2.0, 8.0, 64.0], |_, j, v| j.interleave = v as u32),
];

/// A greedy order of additions may be unlucky on a better board by this share of the time.
const LUCK: f64 = 0.02;

#[test]
fn more_of_anything_is_never_slower() {
    for &(name, values, set) in FASTER {
        for board in [Machine::example(), slow()] {
            let seconds = |value: &f64| {
                let (mut machine, mut job) = (board.clone(), job());
                set(&mut machine, &mut job, *value);
                machine.simulate(&job).unwrap_or_else(|why| panic!("{name} = {value}: {why}")).seconds
            };
            let all: Vec<f64> = values.iter().map(seconds).collect();
            println!("{name} {values:?}: {all:?}");
            for (pair, value) in all.windows(2).zip(&values[1..]) {
                assert!(pair[1] <= pair[0] * (1.0 + LUCK), "{name} to {value}: {all:?}");
            }
            assert!(all[all.len() - 1] < all[0], "{name}: {all:?}");
        }
    }
}

/// A larger buffer hides a memory with high latency. On a memory without latency it costs the time of its first quarter,
/// which becomes available as a whole.
#[test]
fn a_larger_buffer_hides_latency_and_begins_later() {
    let seconds = |latency, buffer_points| {
        let dram = DramConfig { latency, ..Machine::example().dram };
        let machine = Machine { dram, ..Machine::example() };
        machine.simulate(&Job { buffer_points, ..job() }).unwrap().seconds
    };
    let far = [4, 16, 64, 256].map(|points| seconds(4000, points));
    assert!(far[..3].windows(2).all(|pair| pair[1] < pair[0]), "{far:?}");
    assert!(far[3] < 1.001 * far[2], "from there on it is the additions that take their time: {far:?}");
    let near = [4, 64, 1024].map(|points| seconds(0, points));
    assert!(near.windows(2).all(|pair| pair[0] < 1.01 * pair[1] && pair[1] < 1.1 * pair[0]), "{near:?}");
}

/// The time of an MSM depends on the paces of the units, not on the name of the mapping.
#[test]
fn times_are_those_of_the_paces() {
    let other = Machine { accumulate: Mapping::Fine, aggregate: Mapping::Coarse, ..Machine::example() };
    assert_eq!(figures(&other, &job()), figures(&Machine::example(), &job()));
}
