//! Columns of a sweep as quantities: their labels with units, and whether less or more is better.

use crate::args::{Axis, Size};

/// Whether smaller or larger numbers of a quantity are better.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sense {
    Less,
    More,
}

/// The most values of a parameter that a title lists one by one.
const MOST_LISTED: usize = 6;
/// Suffixes of column names that are units: the unit, and the one a thousand times as large.
const UNITS: &[(&str, &str, &str)] = &[
    ("_us_mm2", "µs·mm²", "ms·mm²"),
    ("_mm2", "mm²", ""),
    ("_us", "µs", "ms"),
    ("_uj", "µJ", "mJ"),
    ("_mhz", "MHz", ""),
    ("_gb_s", "GB/s", ""),
    ("_bytes", "bytes", "kB"),
    ("_bits", "bits", "Mbit"),
    ("_cycles", "cycles", "thousand cycles"),
];

/// A column's name without its unit.
pub(super) fn without_unit(name: &str) -> &str {
    UNITS.iter().find_map(|(end, ..)| name.strip_suffix(end)).unwrap_or(name)
}

/// The value of a cell: a number, or a power such as `2^10`.
pub(super) fn value(cell: &str) -> Option<f64> {
    cell.parse()
        .ok()
        .or_else(|| cell.contains('^').then(|| cell.parse::<Size>().ok())?.map(|size| size.0 as f64))
}

/// The label of a column with these numbers, and the factor that converts them into the label's unit.
pub(super) fn label(name: &str, numbers: &[f64]) -> (String, f64) {
    let most = numbers.iter().copied().fold(0.0, f64::max);
    let found = UNITS.iter().find_map(|(end, unit, larger)| Some((name.strip_suffix(end)?, *unit, *larger)));
    match found {
        Some((what, _, "Mbit")) if most >= 1e6 => (format!("{}, Mbit", plain(what)), 1e-6),
        Some((what, _, larger)) if most >= 1e4 && !["", "Mbit"].contains(&larger) => {
            (format!("{}, {larger}", plain(what)), 1e-3)
        }
        Some((what, unit, _)) => (format!("{}, {unit}", plain(what)), 1.0),
        None => (plain(name), 1.0),
    }
}

fn plain(name: &str) -> String {
    match name {
        "bucket" => "memory of buckets".to_owned(),
        "tasks_per_second" => "additions per second".to_owned(),
        "atp" => "area-time product".to_owned(),
        // The path of a parameter is kept as it is typed.
        path if path.contains('.') => path.to_owned(),
        other => other.replace('_', " "),
    }
}

/// The swept parameters with their values, as text.
pub(super) fn swept(axes: &[Axis]) -> String {
    let one = |axis: &Axis| match &axis.values[..] {
        [first, .., last] if axis.values.len() > MOST_LISTED => {
            format!("{} {first} to {last} ({} values)", axis.path, axis.values.len())
        }
        all => format!("{} {}", axis.path, all.join(", ")),
    };
    format!("swept: {}", axes.iter().map(one).collect::<Vec<_>>().join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_words_and_units() {
        let said = |name: &str, most: f64| label(name, &[1.0, most]);
        assert_eq!(said("latency_us", 50.0), ("latency, µs".to_owned(), 1.0));
        assert_eq!(said("latency_us", 5e4), ("latency, ms".to_owned(), 1e-3));
        assert_eq!(said("atp_us_mm2", 50.0), ("area-time product, µs·mm²".to_owned(), 1.0));
        assert_eq!(said("tasks_per_second", 50.0), ("additions per second".to_owned(), 1.0));
        assert_eq!(said("bucket_bits", 2e7), ("memory of buckets, Mbit".to_owned(), 1e-6));
        assert_eq!(said("area_mm2", 5e4), ("area, mm²".to_owned(), 1.0));
        assert_eq!(said("msm.window_g1", 12.0), ("msm.window_g1".to_owned(), 1.0));
    }

    #[test]
    fn cells_are_numbers_or_powers() {
        assert_eq!(
            ["2^10", "12.5", "bfs", "", "2^x"].map(value),
            [Some(1024.0), Some(12.5), None, None, None]
        );
    }

    #[test]
    fn many_values_are_said_by_their_ends() {
        let axes: Vec<Axis> = ["a.b=1,2", "size=1..20"].map(|axis| axis.parse().unwrap()).into();
        assert_eq!(swept(&axes), "swept: a.b 1, 2; size 1 to 20 (20 values)");
    }
}
