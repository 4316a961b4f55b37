//! The clock of a unit: the requested frequency, or what its circuits reach if that is less.

use crate::UnitConfig;
use pairwright_sim::multiplier::cycle;
use serde::Serialize;

/// Bits of a digit; the depth of a multiplier is proportional to the number of digits.
const DIGIT: u32 = 64;
/// The number of digits of the published multiplier.
const PUBLISHED_DIGITS: u32 = 4;
/// Rounds of a SHA3 permutation.
const ROUNDS: u32 = 24;

/// The clock frequency of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Clock {
    /// The clock frequency in hertz.
    pub hz: u64,
    /// The requested clock frequency in hertz.
    pub asked_hz: u64,
    /// The parameter that limits the clock to less than requested, if there is one.
    pub limited_by: Option<&'static str>,
}

impl UnitConfig {
    /// The number of pipeline stages with which the unit's multipliers reach the full clock.
    pub fn full_clock_stages(&self) -> u32 {
        // Montgomery multiplication makes one step for each digit, one after the other.
        (self.full_clock_stages * self.element_bits.div_ceil(DIGIT)).div_ceil(PUBLISHED_DIGITS)
    }

    /// The clock of the unit: `clock_hz`, or the frequency that its multipliers and SHA3 engines reach, if that is less.
    ///
    /// A stage of a multiplier, or a cycle of a SHA3 engine, with more logic than one of the published unit takes longer
    /// by [`cycle`]; one with less logic is not assumed to be faster. Adders are assumed to meet any clock.
    pub fn clock(&self) -> Clock {
        let multiplier = cycle(self.mul_latency, self.full_clock_stages());
        let engine = cycle(self.hash_latency.saturating_mul(self.full_clock_rounds), ROUNDS);
        let (slowest, by) =
            if multiplier >= engine { (multiplier, "mul_latency") } else { (engine, "hash_latency") };
        let by = if slowest > 1.0 { by } else { "full_clock_hz" };
        let most = (self.full_clock_hz as f64 / slowest) as u64;
        let hz = self.clock_hz.min(most);
        let limited_by = (hz < self.clock_hz).then_some(by);
        Clock { hz, asked_hz: self.clock_hz, limited_by }
    }

    /// The frequency of [`UnitConfig::clock`] in hertz.
    pub(crate) fn hz(&self) -> f64 {
        self.clock().hz as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_circuit_sets_the_clock() {
        let paper = UnitConfig::paper();
        assert_eq!(paper.clock(), Clock { hz: 1_000_000_000, asked_hz: 1_000_000_000, limited_by: None });
        let slow = UnitConfig { clock_hz: 500_000_000, mul_latency: 27, ..paper };
        assert_eq!((slow.clock().hz, slow.clock().limited_by), (500_000_000, None));
        let limits = [
            (UnitConfig { clock_hz: 100_000_000_000, ..paper }, 1e9, "full_clock_hz"),
            (UnitConfig { mul_latency: 14, ..paper }, 1e9 / 1.88, "mul_latency"),
            (UnitConfig { mul_latency: 1, ..paper }, 1e9 / 24.76, "mul_latency"),
            (UnitConfig { hash_latency: 12, ..paper }, 1e9 / 1.88, "hash_latency"),
            (UnitConfig { hash_latency: 6, mul_latency: 14, ..paper }, 1e9 / 3.64, "hash_latency"),
            (UnitConfig { element_bits: 381, ..paper }, 1e9 / 1.44, "mul_latency"),
        ];
        for (config, hz, by) in limits {
            let clock = config.clock();
            assert!((clock.hz as f64 - hz).abs() <= 1.0 && clock.limited_by == Some(by), "{clock:?}");
        }
        let free = [
            UnitConfig { mul_latency: 42, element_bits: 381, ..paper },
            UnitConfig { hash_latency: 12, full_clock_rounds: 2, ..paper },
            UnitConfig { mul_latency: 14, full_clock_stages: 14, ..paper },
        ];
        assert!(free.iter().all(|config| config.clock().limited_by.is_none()));
    }
}
