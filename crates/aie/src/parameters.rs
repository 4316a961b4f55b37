//! Every parameter of the engine and of the board changes something, and those that should be monotone are.

use crate::array::Fabric;
use crate::evaluate::{Design, evaluate};
use crate::mapping::Mapping;
use crate::method::{Method, Multiplication, Reduction};
use crate::msm::Machine;
use crate::padd::Form;
use crate::system::{KernelKind, System, UnitTiming, latency, throughput};
use crate::{AieError, Carry};
use pairwright_sim::settings::{self, Design as _};

/// The method with the shortest kernels.
const QUICK: Method =
    Method { reduction: Reduction::Barrett, carry: Carry::Balanced, product: Multiplication::Digits28 };

/// The result of an evaluation as text.
fn figures(design: &Design) -> String {
    match evaluate(design) {
        Ok(e) => format!("{:?}", crate::Evaluation { reads: design.reads, ..e }),
        Err(error) => error.to_string(),
    }
}

/// The parameters of a design that have a range.
fn ranged<D: settings::Design>(design: &D) -> Vec<settings::Parameter> {
    let all = settings::parameters(design).unwrap();
    all.into_iter().filter(|parameter| !parameter.range.is_empty()).collect()
}

/// Parameters of the engine with another value each, and the mapping on which the change has an effect.
const ENGINE: &[(&str, &str, Mapping)] = &[
    ("mapping", "single", Mapping::Coarse),
    ("form", "complete", Mapping::Single),
    ("method.reduction", "montgomery", Mapping::Single),
    ("tile.data_bytes", "64", Mapping::Single),
    ("tile.program_bytes", "1024", Mapping::Single),
    ("tile.instruction_bytes", "8", Mapping::Single),
    ("tile.empty_bytes", "16", Mapping::Coarse),
    ("tile.call_cycles", "60", Mapping::Single),
    ("tile.machine.files.vector.size", "16", Mapping::Single),
    ("tile.machine.classes.mac.latency", "4", Mapping::Single),
    ("tile.machine.slots.load.count", "1", Mapping::Single),
    ("fabric.columns", "25", Mapping::Single),
    ("fabric.rows", "4", Mapping::Single),
    ("fabric.north", "3", Mapping::Coarse),
    ("fabric.other", "1", Mapping::Coarse),
    ("fabric.core_ports", "1", Mapping::Coarse),
    ("fabric.switch", "8", Mapping::Coarse),
    ("fabric.switch_words", "2", Mapping::Coarse),
    ("fabric.fifo_words", "4", Mapping::Coarse),
    ("fabric.switch_fifos", "0", Mapping::Coarse),
    ("fabric.port_words", "32", Mapping::Coarse),
    ("fabric.cascade_beats", "1", Mapping::Cooperative),
    ("fabric.cascade_latency", "6", Mapping::Cooperative),
];

/// Parameters that are varied in other tests: locks and buffers exist only in the finest mapping, which takes minutes to
/// schedule (`array::tests`); the order of reads matters with slower carries (`evaluate::tests`).
const ELSEWHERE: &[&str] = &[
    "reads",
    "method.carry",
    "method.product",
    "tile.acquire_nops",
    "fabric.locks",
    "fabric.buffers",
    "fabric.lock_cycles",
];

/// Tries every parameter of [`ENGINE`] on these mappings.
fn engines_act(mappings: &[Mapping]) {
    let base = |mapping| Design::new(mapping, QUICK);
    for &mapping in mappings {
        let before = figures(&base(mapping));
        for (path, value, _) in ENGINE.iter().filter(|(.., on)| *on == mapping) {
            let design = settings::with(&base(mapping), path, value).unwrap();
            assert_ne!(figures(&design), before, "{path} = {value} changes nothing on {}", mapping.name());
        }
    }
}

#[test]
fn every_parameter_of_one_tile_acts() {
    engines_act(&[Mapping::Single]);
    // Every parameter has a test.
    for settings::Parameter { path, .. } in ranged(&Design::new(Mapping::Single, QUICK)) {
        let known = ENGINE.iter().any(|(known, ..)| *known == path) || ELSEWHERE.contains(&path.as_str());
        assert!(known, "{path} has no test");
    }
}

#[test]
#[ignore = "full: schedules and runs two mappings for every parameter of the array, a minute"]
fn every_parameter_of_the_array_acts() {
    engines_act(&[Mapping::Coarse, Mapping::Cooperative]);
}

/// Parameters of the engine with values of which each is worse than the previous one, the mapping on which they have an
/// effect, and the tolerance for the search: a schedule for another engine is another search.
const WORSE: &[(&str, &[&str], Mapping, f64)] = &[
    ("tile.machine.classes.mac.latency", &["2", "3", "4", "5", "6", "7", "8"], Mapping::Single, 1.02),
    ("tile.call_cycles", &["0", "6", "90"], Mapping::Single, 1.0),
    ("tile.machine.classes.load.latency", &["6", "8", "12"], Mapping::Single, 1.02),
    ("fabric.switch", &["1", "4", "16"], Mapping::Coarse, 1.0),
    ("fabric.cascade_latency", &["1", "2", "8"], Mapping::Cooperative, 1.0),
];

/// With less of a resource, no figure gets better: instructions of the longest tile, cycles between additions, and cycles
/// of one addition.
#[test]
#[ignore = "full: schedules engines for every value of every parameter, a minute and a half"]
fn engines_are_monotone() {
    let figures = |design: &Design| match evaluate(design) {
        Ok(e) => [
            e.maximum_instructions as f64,
            e.units as f64 / e.sustained_per_cycle.unwrap_or(e.throughput_per_cycle),
            e.latency_cycles as f64,
        ],
        Err(_) => [f64::INFINITY; 3],
    };
    for &(path, values, mapping, slack) in WORSE {
        let all: Vec<[f64; 3]> = values
            .iter()
            .map(|value| figures(&settings::with(&Design::new(mapping, QUICK), path, value).unwrap()))
            .collect();
        println!("{path} {values:?}: {all:?}");
        for pair in all.windows(2) {
            for (n, (before, after)) in pair[0].iter().zip(&pair[1]).enumerate() {
                // A slower link never shortens the interval or the latency; the kernels stay the same.
                assert!(after * slack >= *before, "{path}, figure {n}: {all:?}");
            }
        }
        assert!(all[0].iter().zip(&all[all.len() - 1]).any(|(a, b)| a < b), "{path}: {all:?}");
    }
}

/// Parameters of the board that change a unit or its surroundings.
const BOARD: &[(&str, &str)] = &[
    ("aie_hz", "1000000000"),
    ("pl_hz", "250000000"),
    ("accumulate", "med-ind"),
    ("units", "5"),
    ("aggregate", "coarse"),
    ("aggregate_units", "0"),
    ("coordinate_bytes", "128"),
    ("plio.bits", "32"),
    ("plio.fifo_words", "4"),
    ("plio.crossing", "20"),
    ("logic.sums_latency", "40"),
    ("logic.sums_interval", "40"),
    ("logic.barrett_latency", "50"),
    ("logic.barrett_interval", "40"),
    ("reader.layout", "coordinates"),
    ("reader.sharing", "turns"),
    ("reader.burst_bytes", "64"),
    ("reader.outstanding", "1"),
    ("reader.buffer_bytes", "3072"),
    ("reader.beat_bytes", "1"),
    ("buckets.bram36", "100"),
    ("buckets.uram", "100"),
    ("buckets.coordinate_bits", "512"),
];

/// Parameters that are tested on a board other than the published one: ten units of med-ind do not fit, and a memory
/// without latency never fills the buffer.
const ON_ANOTHER_BOARD: &[(&str, &str, &str)] =
    &[("accumulate", "units", "5"), ("reader.buffer_bytes", "dram.latency", "400")];

#[test]
#[ignore = "full: times two units of the board for every parameter, three minutes"]
fn every_parameter_of_the_board_acts() {
    let base = System { method: QUICK, ..System::default() };
    let figures = |system: &System| -> String {
        let all = || -> Result<String, AieError> {
            let run = throughput(system, 1 << 10)?;
            let sum = latency(system, 16)?;
            let room = crate::system::BucketRoom::new(system);
            let complete = UnitTiming::new(system, system.aggregate, Form::Complete, KernelKind::Straight)?;
            Ok(format!("{run:?} {sum:?} {room:?} {complete:?}"))
        };
        let msm =
            Machine::new(system).map_or_else(|error| error.to_string(), |machine| format!("{machine:?}"));
        all().map_or_else(|error| error.to_string(), |text| text + &msm)
    };
    let before = figures(&base);
    for (path, value) in BOARD {
        let elsewhere = ON_ANOTHER_BOARD.iter().find(|(of, ..)| of == path);
        let (base, before) = match elsewhere {
            Some((_, with, to)) => {
                let base = settings::with(&base, with, to).unwrap();
                let before = figures(&base);
                (base, before)
            }
            None => (base.clone(), before.clone()),
        };
        let changed = settings::with(&base, path, value).unwrap();
        changed.check().unwrap();
        assert_ne!(figures(&changed), before, "{path} = {value} changes nothing");
    }
    // The parameters of the engine, of the array and of DRAM have tests of their own.
    for settings::Parameter { path, .. } in ranged(&base) {
        let parts = ["tile.", "fabric.", "method.", "dram."];
        let known = BOARD.iter().any(|(known, _)| *known == path);
        assert!(known || parts.iter().any(|part| path.starts_with(part)), "{path} has no test");
    }
    assert_ne!(figures(&System { fabric: Fabric { switch: 8, ..base.fabric }, ..base.clone() }), before);
}
