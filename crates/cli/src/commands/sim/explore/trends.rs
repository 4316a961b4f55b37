//! The known trends of results along axes, on which a search by bounds relies.

use super::objective::Goal;
use crate::args::Axis;
use pairwright::sim::search::{self, Trend};

/// A parameter with a range of its values, and the results that fall, rise or stay the same as it grows within that range.
pub(super) struct Known {
    path: &'static str,
    range: [f64; 2],
    falls: &'static [&'static str],
    rises: &'static [&'static str],
    stays: &'static [&'static str],
}

/// The columns of a tree's time and cycles. They may have different trends, since more cycles at a faster clock need not take longer.
const TIME: &[&str] = &["latency_us", "cycles"];
const AREA: &[&str] = &["area_mm2", "area_with_phy_mm2"];
const ANY: [f64; 2] = [0.0, f64::INFINITY];

/// The trends of the tree unit. Its tests of parameters check them between all neighbours on a grid; times may deviate by two per
/// cent, since alternating reads and writes may meet unfavourably.
pub(super) const MTU: &[Known] = &[
    Known { path: "pes", range: ANY, falls: TIME, rises: AREA, stays: &[] },
    Known { path: "hash_ii", range: ANY, falls: &["area_mm2", "area_with_phy_mm2"], rises: TIME, stays: &[] },
    // A multiplier with less latency lowers the clock.
    Known { path: "mul_latency", range: [1.0, 28.0], falls: &["latency_us"], rises: AREA, stays: &[] },
    Known { path: "mul_latency", range: [28.0, f64::INFINITY], falls: &[], rises: AREA, stays: &[] },
    Known {
        path: "hash_latency",
        range: [24.0, f64::INFINITY],
        falls: &[],
        rises: &["latency_us", "cycles", "area_mm2", "area_with_phy_mm2"],
        stays: &[],
    },
    Known { path: "input_bytes", range: ANY, falls: TIME, rises: AREA, stays: &[] },
    Known { path: "output_bytes", range: ANY, falls: TIME, rises: AREA, stays: &[] },
    Known { path: "level_bytes", range: ANY, falls: TIME, rises: AREA, stays: &[] },
    Known { path: "dram.bytes_per_cycle", range: ANY, falls: TIME, rises: &[], stays: &["area_mm2"] },
    Known { path: "dram.latency", range: ANY, falls: &[], rises: TIME, stays: AREA },
];

impl Known {
    fn trend(&self, column: &str) -> Trend {
        let has = |list: &[&str]| list.contains(&column);
        match (has(self.falls), has(self.rises), has(self.stays)) {
            (true, ..) => Trend::Falls,
            (_, true, _) => Trend::Rises,
            (.., true) => Trend::Stays,
            _ => Trend::Unknown,
        }
    }
}

/// The axes in the form that a search by bounds takes. The values of an axis with a trend are sorted.
pub(super) fn along(axes: &mut [Axis], known: &[Known], goal: &Goal) -> Vec<search::Axis> {
    let one = |axis: &mut Axis| {
        let numbers: Option<Vec<f64>> = axis.values.iter().map(|value| value.parse().ok()).collect();
        let within = |known: &&Known| {
            let inside = |number: &f64| (known.range[0]..=known.range[1]).contains(number);
            known.path == axis.path && numbers.as_ref().is_some_and(|numbers| numbers.iter().all(inside))
        };
        let trends = match known.iter().find(within) {
            Some(known) => goal.trends(|column| known.trend(column)),
            None => [Trend::Unknown; 2],
        };
        if trends.iter().any(|trend| *trend != Trend::Unknown) {
            let number = |value: &String| value.parse::<f64>().unwrap_or(f64::NAN);
            axis.values.sort_by(|a, b| number(a).total_cmp(&number(b)));
        }
        search::Axis { values: axis.values.len(), trends }
    };
    axes.iter_mut().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_with_a_trend_come_into_order() {
        let axes = |texts: &[&str]| -> Vec<Axis> { texts.iter().map(|text| text.parse().unwrap()).collect() };
        let goal = Goal::of_names(["latency_us", "area_mm2"]);
        let mut some = axes(&[
            "pes=32,2,8",
            "traversal=hybrid,bfs",
            "mul_latency=14,28,40",
            "mul_latency=28,7",
            "hash_ii=1,24",
        ]);
        let found = along(&mut some, MTU, &goal);
        let trends: Vec<[Trend; 2]> = found.iter().map(|axis| axis.trends).collect();
        let (falls, rises, unknown) = (Trend::Falls, Trend::Rises, Trend::Unknown);
        let want = [[falls, rises], [unknown; 2], [unknown; 2], [falls, rises], [rises, falls]];
        assert_eq!(trends, want);
        assert_eq!(some[0].values, ["2", "8", "32"]);
        assert_eq!(some[1].values, ["hybrid", "bfs"]);
        assert_eq!((&some[2].values[0], &some[3].values[0]), (&"14".to_owned(), &"7".to_owned()));
        // If the trend of a result along an axis is not known, the order of the axis is kept.
        let goal = Goal::of_names(["energy_uj", "atp_us_mm2"]);
        assert_eq!(along(&mut axes(&["pes=4,2"]), MTU, &goal)[0].trends, [unknown; 2]);
    }
}
