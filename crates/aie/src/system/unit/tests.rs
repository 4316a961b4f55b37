use super::*;
use crate::Carry;
use crate::method::{Method, Reduction};
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

/// Arrival times of several kinds from a time on: saturated, sparse, bursts, gaps.
fn irregular(tasks: usize, from: u64, interval: u64, seed: u64) -> Vec<u64> {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let (mut now, mut times) = (from, Vec::new());
    while times.len() < tasks {
        let most = [0, interval / 2, interval, 2 * interval, 8 * interval][rng.next_u32() as usize % 5];
        for _ in 0..rng.next_u32() % 40 {
            now += rng.next_u64() % (most + 1);
            times.push(now);
        }
    }
    times.truncate(tasks);
    times
}

/// The pipeline of events, with which 2^18 tasks are simulated, predicts for every task when the clocked array accepts
/// and finishes it.
#[test]
fn events_are_the_clocked_array() {
    events_of(Mapping::Coarse, Form::Mixed, KernelKind::Loops, 1);
    events_of(Mapping::Independent, Form::Complete, KernelKind::Straight, 10);
}

#[test]
#[ignore = "full: as on the other mappings, ten seconds"]
fn events_are_the_clocked_array_of_independent_loops() {
    events_of(Mapping::Independent, Form::Mixed, KernelKind::Loops, 4);
}

/// Compares the times with a tolerance of `off` cycles of the logic: the phases of clocks and streams that share ports
/// may differ from task to task.
fn events_of(mapping: Mapping, form: Form, kernels: KernelKind, off: u64) {
    let system = System { method: Method::new(Reduction::Barrett, Carry::Balanced), ..System::default() };
    let placed = PlacedUnit::new(&system, mapping, form, kernels).unwrap();
    let unit = UnitTiming::of(&placed, &system, kernels).unwrap();
    // The first tasks of all find empty tiles; after a pause the unit is in its usual state. No later tasks follow the
    // last ones.
    let (before, tasks, after) = (32, 200, 24);
    let rest = 4 * before * unit.pace;
    let mut arrivals = vec![0; before as usize];
    arrivals.extend(irregular(tasks + after, rest, unit.pace, 7));
    let run = placed.run(&system, arrivals.len() as u64, Arrivals::At(arrivals.clone())).unwrap().times;
    let mut pipeline = unit.pipeline();
    let (offered, accepted): (Vec<u64>, Vec<u64>) =
        arrivals.iter().map(|&ready| (pipeline.offer(ready), pipeline.accepted())).unzip();
    let finished = pipeline.finished();
    let compared = before as usize..before as usize + tasks;
    for (what, ours, clocked) in [
        ("offered", &offered, &run.offered),
        ("accepted", &accepted, &run.accepted),
        ("finished", &finished, &run.finished),
    ] {
        let worst = compared.clone().map(|task| ours[task].abs_diff(clocked[task])).max();
        assert!(worst <= Some(off), "{mapping:?}, {what}: {worst:?} cycles");
    }
    // Only loops, which overlap tasks, need later tasks to finish earlier ones.
    assert_eq!(unit.needs_later > 0, kernels == KernelKind::Loops);
    assert!(unit.alone <= unit.latency && unit.pace as f64 * 4.0 >= unit.interval);
    assert!(unit.interval >= unit.instructions as f64 && unit.streams[1] == 4);
}

/// The loops of a complete addition begin its product by k before the rest of the addition, which holds other operands
/// back: without room for them in the logic the unit would deadlock.
#[test]
fn operands_wait_in_the_logic_where_tiles_work_ahead() {
    let system = System { method: Method::new(Reduction::Barrett, Carry::Balanced), ..System::default() };
    let mut placed = PlacedUnit::new(&system, Mapping::Coarse, Form::Complete, KernelKind::Loops).unwrap();
    assert!(placed.ahead >= placed.words());
    let run = |placed: &PlacedUnit| placed.run(&system, 32, Arrivals::At(vec![0; 32]));
    let roomy = run(&placed).unwrap().times;
    assert!(roomy.finished.windows(2).all(|pair| pair[0] < pair[1]));
    placed.ahead = 0;
    let stuck = run(&placed).unwrap_err();
    assert!(matches!(stuck, AieError::Array(ArrayError::Deadlock { waits, .. }) if waits.operands));
}

/// The intervals of the logic's pipelines change the cycle-accurate runs from which the board and an MSM take a unit's
/// timing, for loops and for straight-line kernels.
#[test]
fn intervals_of_the_logic_act() {
    let method = Method {
        product: crate::Multiplication::Digits28,
        ..Method::new(Reduction::Barrett, Carry::Balanced)
    };
    let system = System { method, ..System::default() };
    for (mapping, form, kernels) in [
        (Mapping::Coarse, Form::Mixed, KernelKind::Loops),
        (Mapping::Independent, Form::Complete, KernelKind::Straight),
    ] {
        let placed = PlacedUnit::new(&system, mapping, form, kernels).unwrap();
        let unit =
            |logic: Logic| UnitTiming::of(&placed, &System { logic, ..system.clone() }, kernels).unwrap();
        let base = unit(system.logic);
        for sums in [true, false] {
            let mut before = base.interval;
            for value in [2, 8, 16, 40, 100, 400] {
                let logic = if sums {
                    Logic { sums_interval: value, ..system.logic }
                } else {
                    Logic { barrett_interval: value, ..system.logic }
                };
                let now = unit(logic);
                // A cycle of the logic is four cycles of the engines.
                assert!(
                    now.interval >= before && now.interval >= 4.0 * value as f64 - 1e-9,
                    "{mapping:?}, {value}"
                );
                assert!((now.engine_interval - base.interval).abs() < 2.0, "engines stay as they are");
                before = now.interval;
                if kernels == KernelKind::Loops {
                    let board = System { logic, ..system.clone() };
                    let run = crate::system::throughput_of(&board, &now, 1 << 10).unwrap();
                    assert!(run.tasks_per_second <= 1.001 * run.bounds.logic, "{value}: {run:?}");
                }
            }
            assert!(before > base.interval);
        }
    }
}
