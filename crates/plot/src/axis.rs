//! The range, the ticks and the labels of an axis.

use crate::Scale;
use crate::style::number;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use std::ops::Range;

/// The approximate greatest number of ticks of an axis.
const TICKS: usize = 8;
/// A logarithmic axis whose ends differ by less than this factor has ticks at equal distances, since too few round
/// numbers of the logarithmic kind lie between them.
const SPREAD: f64 = 4.0;
/// An axis of powers of two whose end is at most this number shows its ticks in decimal.
const DIGITS: f64 = 1500.0;

/// The range of an axis.
pub(crate) struct Numbers {
    low: f64,
    high: f64,
    scale: Scale,
    /// Whether all numbers drawn are integers, in which case ticks between integers would be meaningless.
    whole: bool,
}

impl Numbers {
    /// The axis for these numbers, with a margin on both sides.
    pub(crate) fn around(values: impl Iterator<Item = f64>, scale: Scale) -> Self {
        let drawn: Vec<f64> = values.filter(|v| scale.shows(*v)).collect();
        let low = drawn.iter().copied().fold(f64::INFINITY, f64::min);
        let high = drawn.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let whole = drawn.iter().all(|v| v.fract() == 0.0);
        if drawn.is_empty() {
            return Self { low: 0.1, high: 1.0, scale, whole };
        }
        let margin = (0.06 * (high - low)).max(0.02 * high.abs()).max(1e-9);
        let (low, high) = match scale {
            Scale::FromZero => (low.min(0.0), high + margin),
            Scale::Fitted => (low - margin, high + margin),
            Scale::Logarithmic | Scale::PowersOfTwo => {
                let margin = (high / low).powf(0.06).max(1.1);
                (low / margin, high * margin)
            }
        };
        Self { low, high, scale, whole }
    }

    /// The axis from `low` to `high`.
    pub(crate) fn between(low: f64, high: f64, scale: Scale) -> Self {
        Self { low, high, scale, whole: false }
    }

    /// The position of a number along the axis: 0 is its beginning and 1 its end.
    fn place(&self, value: f64) -> f64 {
        let along = |v: f64| if self.scale.logarithmic() { v.max(f64::MIN_POSITIVE).ln() } else { v };
        let (low, high) = (along(self.low), along(self.high));
        ((along(value) - low) / (high - low)).clamp(-0.1, 1.1)
    }

    /// The ticks, in increasing order.
    pub(crate) fn ticks(&self) -> Vec<f64> {
        let inside = |v: &f64| (self.low..=self.high).contains(v);
        let (low, high) = (self.low, self.high);
        match self.scale {
            Scale::PowersOfTwo => {
                let (first, last) = (low.log2().ceil() as i32, high.log2().floor() as i32);
                let step = ((last - first).max(0) as usize / TICKS + 1).min(64);
                (first..=last).step_by(step).map(|k| 2f64.powi(k)).collect()
            }
            Scale::Logarithmic if high > SPREAD * low => {
                let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
                let of = |parts: &[f64], step: usize| -> Vec<f64> {
                    let decades = (first..=last).step_by(step);
                    let all = decades.flat_map(|k| parts.iter().map(move |p| p * 10f64.powi(k)));
                    all.filter(inside).collect()
                };
                let parts: [&[f64]; 4] =
                    [&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], &[1.0, 2.0, 5.0], &[1.0, 3.0], &[1.0]];
                let found = parts.into_iter().map(|parts| of(parts, 1)).find(|ticks| ticks.len() <= TICKS);
                found.unwrap_or_else(|| of(&[1.0], (last - first) as usize / TICKS + 1))
            }
            _ => round_numbers(low, high, TICKS - 1, if self.whole { 1.0 } else { 0.0 }),
        }
    }

    /// The label of a tick.
    pub(crate) fn word(&self, tick: f64) -> String {
        // Small powers of two are written in decimal.
        let power = self.scale == Scale::PowersOfTwo && self.high > DIGITS;
        if power { format!("2^{}", tick.log2().round()) } else { number(tick) }
    }
}

impl Scale {
    /// Whether distances on the axis are those of logarithms.
    pub(crate) fn logarithmic(self) -> bool {
        matches!(self, Self::Logarithmic | Self::PowersOfTwo)
    }

    /// Whether the axis can show a number.
    pub(crate) fn shows(self, value: f64) -> bool {
        value.is_finite() && (value > 0.0 || !self.logarithmic())
    }
}

/// Round numbers between two bounds, about `most` of them, with distances of at least `least`.
pub(crate) fn round_numbers(low: f64, high: f64, most: usize, least: f64) -> Vec<f64> {
    let raw = ((high - low) / most as f64).max(least).max(f64::MIN_POSITIVE);
    let power = 10f64.powf(raw.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|k| k * power);
    let step = steps.into_iter().find(|s| *s >= 0.999 * raw).unwrap_or(raw);
    ((low / step).ceil() as i64..=(high / step).floor() as i64).map(|k| k as f64 * step).collect()
}

impl Ranged for Numbers {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (first, last): (i32, i32)) -> i32 {
        first + (f64::from(last - first) * self.place(*value)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks()
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

impl ValueFormatter<f64> for Numbers {
    fn format_ext(&self, value: &f64) -> String {
        self.word(*value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(values: &[f64], scale: Scale) -> Vec<String> {
        let axis = Numbers::around(values.iter().copied(), scale);
        axis.ticks().into_iter().map(|tick| axis.word(tick)).collect()
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(ticks(&[1.37, 38.9], Scale::Logarithmic), ["2", "5", "10", "20"]);
        assert_eq!(ticks(&[0.1, 3e4], Scale::Logarithmic), ["0.1", "1", "10", "100", "1000", "10000"]);
        assert_eq!(ticks(&[18.0, 77.0], Scale::Logarithmic), ["20", "30", "40", "50", "60", "70", "80"]);
        assert_eq!(ticks(&[1.2, 3.1], Scale::Logarithmic), ["1.5", "2", "2.5", "3"]);
        assert_eq!(ticks(&[0.0, 41.0], Scale::FromZero), ["0", "10", "20", "30", "40"]);
        assert_eq!(
            ticks(&[1024.0, 65536.0], Scale::PowersOfTwo).join(" "),
            "2^10 2^11 2^12 2^13 2^14 2^15 2^16"
        );
        assert_eq!(ticks(&[64.0, 1024.0], Scale::PowersOfTwo).join(" "), "64 128 256 512 1024");
        assert_eq!(ticks(&[2.0, 2f64.powi(30)], Scale::PowersOfTwo).len(), 8);
        // There are no ticks between integers.
        assert_eq!(ticks(&[1.0, 2.0, 3.0], Scale::Fitted), ["1", "2", "3"]);
        assert_eq!(round_numbers(31.0, 56.0, 5, 0.0), [35.0, 40.0, 45.0, 50.0, 55.0]);
    }

    #[test]
    fn an_axis_holds_what_it_shows() {
        for scale in [Scale::FromZero, Scale::Fitted, Scale::Logarithmic, Scale::PowersOfTwo] {
            let axis = Numbers::around([2.09, 2.21].into_iter(), scale);
            assert!(axis.low < 2.09 && axis.high > 2.21, "{scale:?}");
            assert!(axis.map(&2.09, (0, 100)) > 0 && axis.map(&2.21, (0, 100)) < 100, "{scale:?}");
            assert!(!Numbers::around(std::iter::empty(), scale).ticks().iter().any(|t| t.is_nan()));
            let one = Numbers::around(std::iter::once(5.0), scale);
            let from_zero = scale == Scale::FromZero;
            assert!(from_zero || (20..=80).contains(&one.map(&5.0, (0, 100))), "{scale:?}");
        }
        // Zero has no logarithm, and is left out.
        assert!(Numbers::around([0.0, 10.0, 20.0].into_iter(), Scale::Logarithmic).low > 5.0);
    }
}
