//! Every parameter of a unit changes something: cycles, the clock, area, energy, or whether a tree runs at all. More of a
//! resource never makes the unit slower.

use pairwright_mtu::power::{Area, energy};
use pairwright_mtu::{Job, Traversal, UnitConfig, Workload, simulate};
use pairwright_sim::settings::{Changes, Design, Parameter, parameters};

type Change = (&'static str, &'static str);

const DDR: &[Change] = &[("dram.preset", "ddr5_4800")];
const RANKS: &[Change] = &[("dram.preset", "ddr5_4800"), ("dram.ranks", "2"), ("dram.hash", "row-column")];

/// Parameters that have no effect in the published unit, with changes of the unit under which they have one.
const WHERE: &[(&str, &[Change])] = &[
    // The parameter has an effect only if the engine exceeds the full clock.
    ("full_clock_rounds", &[("hash_latency", "12")]),
    // A flat memory loses no time when its pins change direction.
    ("blocks_in_row", DDR),
    // Requests beyond those that the memory's controller accepts have no effect.
    ("requests", &[("requests", "1")]),
    ("dram.rank_gap_ck", RANKS),
    ("dram.ranks", DDR),
];

fn with(changes: &[(&str, &str)]) -> UnitConfig {
    let mut all = Changes::default();
    changes.iter().for_each(|(path, value)| all.value("a test", path, value));
    all.apply(&UnitConfig::paper()).unwrap()
}

/// The results of the model for trees on a unit, as text.
fn observed(config: &UnitConfig, log_size: u32) -> Vec<String> {
    let area = Area::of(config);
    let mut seen = vec![format!("{} {:?}", area.mm2, config.clock())];
    for workload in Workload::ALL {
        for traversal in Traversal::ALL {
            let config = config.traversing(traversal);
            seen.push(match simulate(&config, &Job::new(workload, log_size)) {
                Ok(run) => {
                    let energy = energy(&config, &run);
                    format!("{} {} {}", run.seconds(), energy.total_j, Area::of(&config).tdp_w)
                }
                Err(why) => why.to_string(),
            });
        }
    }
    seen
}

/// Other values of a parameter: its neighbours, half and twice the value, other names.
fn others(parameter: &Parameter) -> Vec<String> {
    let value = parameter.value.as_str();
    if let Ok(whole) = value.parse::<u64>() {
        let near =
            [whole * 2, whole / 2, whole + 1, whole.saturating_sub(1), whole * 8 + 8, whole / 8, 1 << 16];
        return near.iter().filter(|v| **v != whole).map(u64::to_string).collect();
    }
    if let Ok(number) = value.parse::<f64>() {
        return [2.0, 0.5, 20.0, 0.0, 0.9].iter().map(|times| format!("{:?}", number * times)).collect();
    }
    match value {
        "true" => vec!["false".to_owned()],
        "false" => vec!["true".to_owned()],
        _ => parameter.range.split(", ").filter(|name| !value.contains(name)).map(str::to_owned).collect(),
    }
}

#[test]
fn every_parameter_changes_something() {
    let dead = |parameter: &Parameter| {
        let path = parameter.path.as_str();
        let place: &[Change] = match WHERE.iter().find(|(at, _)| *at == path) {
            Some((_, changes)) => changes,
            // For a flat memory only bandwidth and latency matter.
            None if path.starts_with("dram.") => DDR,
            None => &[],
        };
        // The tree takes more than one row, where memory has rows.
        let log_size = if place.is_empty() { 10 } else { 14 };
        let base = with(place);
        let now = parameters(&base).unwrap().into_iter().find(|p| p.path == path).unwrap();
        let before = observed(&base, log_size);
        let other = |value: &String| {
            let mut changes = Changes::default();
            changes.value("a test", path, value);
            changes.apply(&base).is_ok_and(|config: UnitConfig| observed(&config, log_size) != before)
        };
        !others(&now).iter().any(other)
    };
    let all = parameters(&UnitConfig::paper()).unwrap();
    let dead: Vec<&str> = all.iter().filter(|p| dead(p)).map(|p| p.path.as_str()).collect();
    assert!(dead.is_empty(), "nothing that the model says depends on these: {dead:?}");
}

/// Parameters with values in an order in which a unit never gets slower in seconds, and the changes of the unit around
/// them.
const FASTER: &[(&str, &[&str], &[Change])] = &[
    ("clock_hz", &["1000000", "500000000", "1000000000", "2000000000", "100000000000"], &[]),
    ("full_clock_hz", &["500000000", "1000000000", "2000000000"], &[("clock_hz", "2000000000")]),
    ("full_clock_stages", &["1024", "56", "28", "7", "1"], &[]),
    ("full_clock_rounds", &["1", "2", "3", "24"], &[("hash_latency", "2")]),
    ("mul_latency", &["1", "2", "7", "14", "20", "27", "28"], &[]),
    ("mul_latency", &["180", "64", "40", "28"], &[("accumulator_words", "1000")]),
    ("add_latency", &["64", "8", "2", "1"], &[]),
    ("hash_latency", &["1", "2", "6", "12", "23", "24"], &[]),
    ("hash_latency", &["128", "48", "24"], &[]),
    ("hash_ii", &["48", "24", "12", "6", "2", "1"], &[]),
    ("element_bits", &["8192", "512", "381", "257", "256", "255", "8"], &[]),
    ("pes", &["2", "4", "8", "16", "32"], &[]),
    ("dram.bytes_per_cycle", &["16", "64", "128", "256", "512", "1024", "4096"], &[]),
    ("dram.latency", &["1000", "200", "100", "10", "0"], &[]),
    ("input_bytes", &["8192", "32768", "131072", "262144", "1048576"], &[]),
    ("output_bytes", &["8192", "32768", "131072", "262144", "1048576"], &[]),
    ("level_bytes", &["0", "4096", "16384", "65536", "1048576"], &[]),
    ("requests", &["1", "2", "16", "1024"], &[]),
];

/// Alternating reads and writes may be unlucky on a better unit by this share of the time and by these seconds: a larger
/// buffer gathers words for longer blocks, of which the last one leaves later.
const LUCK: (f64, f64) = (0.02, 50e-9);

#[test]
fn more_of_anything_is_never_slower() {
    for &(path, values, changes) in FASTER {
        let seconds = |value: &&str| -> Vec<f64> {
            let config = with(&[changes, &[(path, *value)]].concat());
            config.check().unwrap_or_else(|why| panic!("{path}={value}: {why}"));
            let all = Workload::ALL.into_iter().flat_map(|w| Traversal::ALL.map(|t| (w, t)));
            let one =
                |(workload, traversal)| simulate(&config.traversing(traversal), &Job::new(workload, 12));
            all.map(|at| one(at).unwrap_or_else(|why| panic!("{path}={value}: {why}")).seconds()).collect()
        };
        let all: Vec<Vec<f64>> = values.iter().map(seconds).collect();
        for (k, pair) in all.windows(2).enumerate() {
            for (job, (before, now)) in pair[0].iter().zip(&pair[1]).enumerate() {
                assert!(
                    *now <= before * (1.0 + LUCK.0) + LUCK.1,
                    "{path} {} to {}, {job}: {before} {now}",
                    values[k],
                    values[k + 1]
                );
            }
        }
    }
}

/// Parameters with values in an order in which a unit gets larger.
const LARGER: &[(&str, &[&str])] = &[
    ("pes", &["2", "4", "8", "16", "32", "64"]),
    ("mul_latency", &["1", "2", "7", "14", "27", "28", "29", "64", "1024"]),
    ("add_latency", &["1", "2", "8"]),
    ("hash_latency", &["24", "25", "48", "100"]),
    ("hash_ii", &["48", "24", "12", "6", "2", "1"]),
    ("element_bits", &["8", "64", "255", "256", "381", "8192"]),
    ("accumulator_words", &["2", "64", "190", "1024", "65536"]),
    ("input_bytes", &["8192", "65536", "262144", "1048576"]),
    ("output_bytes", &["8192", "65536", "262144", "1048576"]),
    ("level_bytes", &["0", "4096", "65536", "1048576"]),
    ("fixed_prime", &["true", "false"]),
];

#[test]
fn more_of_anything_is_never_smaller() {
    for &(path, values) in LARGER {
        let all: Vec<f64> = values.iter().map(|value| Area::of(&with(&[(path, *value)])).mm2).collect();
        assert!(
            all.windows(2).all(|pair| pair[0] <= pair[1]) && all[0] < all[values.len() - 1],
            "{path}: {all:?}"
        );
    }
}

#[test]
fn a_short_multiplier_is_no_free_speed() {
    // Without the law of the clock, a multiplier of one stage was faster, smaller and cheaper than any other.
    let at = |stages: &str| {
        let config = with(&[("mul_latency", stages)]);
        let run = simulate(&config, &Job::new(Workload::MleEval, 16)).unwrap();
        let (mm2, joules) = (Area::of(&config).mm2, energy(&config, &run).unit_j);
        (run.seconds(), mm2, joules, run.seconds() * mm2)
    };
    let stages = ["1", "2", "4", "7", "14", "20", "24", "28", "32", "40", "56"];
    let all: Vec<_> = stages.iter().map(|stages| at(stages)).collect();
    let least = |value: &dyn Fn(&(f64, f64, f64, f64)) -> f64| {
        let order = |a: &usize, b: &usize| value(&all[*a]).total_cmp(&value(&all[*b]));
        stages[(0..all.len()).min_by(order).unwrap()]
    };
    assert_eq!([least(&|at| at.0), least(&|at| at.1), least(&|at| at.3)], ["28", "1", "28"]);
}
