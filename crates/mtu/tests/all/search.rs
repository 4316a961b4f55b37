//! Branch and bound finds the Pareto front of a space of tree units and proves that it is complete.

use pairwright_mtu::power::Area;
use pairwright_mtu::{Job, Traversal, UnitConfig, Workload, simulate};
use pairwright_sim::search::{Axis, BranchAndBound, Evolution, Measured, Point, SearchResult, Trend};
use pairwright_sim::settings::{Changes, Design};

/// More of the parameter makes a unit faster and larger.
const MORE: [Trend; 2] = [Trend::Falls, Trend::Rises];
/// More of the parameter makes a unit slower and smaller.
const LESS: [Trend; 2] = [Trend::Rises, Trend::Falls];

/// Parameters with their values, and the trends of seconds and square millimetres with them, as the tests in `parameters`
/// verify.
const SPACE: &[(&str, &[&str], [Trend; 2])] = &[
    ("pes", &["2", "4", "8", "16", "32", "64"], MORE),
    ("hash_ii", &["1", "2", "6", "12", "24"], LESS),
    ("input_bytes", &["16384", "65536", "262144"], MORE),
    ("output_bytes", &["16384", "65536", "262144"], MORE),
    ("dram.bytes_per_cycle", &["64", "256", "1024"], [Trend::Falls, Trend::Stays]),
];

fn measured(point: &Point, workload: Workload, log_size: u32) -> Measured {
    let mut changes = Changes::default();
    for ((path, values, _), &at) in SPACE.iter().zip(point) {
        changes.value("a test", path, values[at]);
    }
    let Ok(config) = changes.apply(&UnitConfig::paper()) else { return Measured::REFUSED };
    let config: UnitConfig = config.traversing(Traversal::Hybrid);
    match (config.check(), simulate(&config, &Job::new(workload, log_size))) {
        (Ok(()), Ok(run)) => Measured { objectives: [run.seconds(), Area::of(&config).mm2], violation: 0.0 },
        _ => Measured::REFUSED,
    }
}

#[test]
fn bounds_find_the_whole_front_of_tree_units() {
    let axes: Vec<Axis> =
        SPACE.iter().map(|(_, values, trends)| Axis { values: values.len(), trends: *trends }).collect();
    let sizes: Vec<usize> = axes.iter().map(|axis| axis.values).collect();
    let designs: usize = sizes.iter().product();
    for workload in [Workload::MleEval, Workload::Merkle] {
        let all =
            |points: &[Point]| Ok::<_, ()>(points.iter().map(|at| measured(at, workload, 12)).collect());
        let whole = Evolution { budget: designs, population: 64, seed: 1 }.run(&sizes, all).unwrap();
        let (found, proof) = BranchAndBound { budget: designs, batch: 8 }.run(&axes, all).unwrap();
        let values = |found: &SearchResult| -> Vec<[f64; 2]> {
            found.front().into_iter().map(|point| found.points[point].objectives).collect()
        };
        println!(
            "{workload:?}: {} of {designs}, {} best, {proof:?}",
            found.points.len(),
            values(&whole).len()
        );
        assert_eq!(values(&found), values(&whole));
        assert!(found.points.len() * 2 < designs, "{}", found.points.len());
        // Alternating reads and writes may be unlucky on a better unit, as the tests of parameters say.
        assert!(proof.complete && proof.contradiction.iter().all(|far| *far < 0.02), "{proof:?}");
    }
}
