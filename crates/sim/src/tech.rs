//! Area of memories and gates at a technology node, and the scaling between nodes that papers use.
//!
//! All figures are estimates: laws fitted to public data, within about a third for a single block. A model that has a
//! printed figure calibrates the law on it and says so.

use serde::Serialize;

/// The origin of a figure of a model.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// Printed in the paper that a model follows.
    Printed,
    /// Calibrated, so that the model reproduces a printed number.
    Calibrated,
    /// Derived from printed numbers by arithmetic.
    Derived,
    /// Estimated from public data on other processes and designs; within about a third.
    Estimated,
    /// Counted in cells of synthesised blocks or in changes of their nets, independently of what papers print.
    Counted,
}

/// A compiled memory: `words` rows of `width` bits with `ports` ports; a port that can both read and write counts once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sram {
    /// The number of rows.
    pub words: u32,
    /// Bits of a row.
    pub width: u32,
    /// The number of ports.
    pub ports: u32,
}

impl Sram {
    /// Area in mm² at a node of `nm` nanometres.
    ///
    /// Least squares of relative errors over the 21 macros of OpenROAD's `fakeram45`, made with CACTI for 45 nm: mean
    /// error 13 %, at most 34 %; at least 0.5 µm² a bit at 45 nm. Two ports cost 1.6 and three 2.0 times the area of one.
    pub fn area_mm2(&self, nm: f64) -> f64 {
        let (words, width) = (f64::from(self.words), f64::from(self.width));
        let um2 = 0.4286 * words * width + 5.70 * words + 32.05 * width - 705.0;
        let ports = if self.ports <= 1 { 1.0 } else { 0.8 + 0.4 * f64::from(self.ports) };
        um2.max(0.5 * words * width) * ports * 1e-6 * (nm / 45.0).powi(2)
    }

    /// Joules of reading or writing one row at a node of `nm` nanometres.
    ///
    /// Horowitz, "Computing's energy problem", ISSCC 2014, has 10, 20 and 100 pJ for 64 bits of memories of 8 KiB, 32 KiB
    /// and 1 MiB at 45 nm: in proportion to the row, and to the square root of the capacity. Scaled by geometry.
    pub fn access_j(&self, nm: f64) -> f64 {
        let bytes = f64::from(self.words) * f64::from(self.width) / 8.0;
        10e-12 / 64.0 * f64::from(self.width) * (bytes / 8192.0).sqrt() * (nm / 45.0).powi(2)
    }
}

/// Logic in gate equivalents: areas of two-input NAND gates.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Gates(pub f64);

impl Gates {
    /// A flip-flop, from the Nangate 45 nm library: 4.522 over 0.798 µm².
    pub const FLIP_FLOP: Self = Self(5.67);
    /// A multiplexer of two bits, from the same library: 1.862 over 0.798 µm².
    pub const MUX2: Self = Self(2.33);

    /// The size of `n` copies of this logic.
    pub fn times(self, n: f64) -> Self {
        Self(self.0 * n)
    }

    /// Area in mm² of placed logic at 28 nm: 0.55 µm² a gate, between the 0.49 and 0.63 that are reported for this node
    /// (there is no public library), with cells on 72 % of the floor.
    pub fn area_mm2_28(self) -> f64 {
        self.range_mm2_28()[1]
    }

    /// Area in mm² of placed logic at 28 nm: the least that is plausible, the likely value, the most.
    pub fn range_mm2_28(self) -> [f64; 3] {
        [0, 1, 2].map(|end| self.0 * GATE_UM2_28[end] * 1e-6 / FLOOR_28[end])
    }

    /// The same at 7 nm, by way of 22 nm.
    pub fn range_mm2_7(self) -> [f64; 3] {
        let at_28 = self.range_mm2_28();
        [0, 1, 2].map(|end| at_28[end] * SHRINK_22[end] * Scaling::N22_TO_N7.area)
    }
}

/// Area of a two-input NAND gate at 28 nm in µm²: the least that is reported for this node, the likely value, the most.
/// There is no public library.
pub const GATE_UM2_28: [f64; 3] = [0.49, 0.55, 0.63];
/// The share of a placed block's floor at 28 nm that cells cover: the highest plausible, the likely and the lowest
/// value. Estimated.
pub const FLOOR_28: [f64; 3] = [0.85, 0.72, 0.60];
/// Area at 22 nm over that at 28 nm: the least is pure geometric scaling, the likely value an optical shrink by a
/// tenth, the most a shrink of one side only. Estimated.
pub const SHRINK_22: [f64; 3] = [22.0 * 22.0 / (28.0 * 28.0), 0.81, 0.9];

/// The capacitance of logic at 28 nm over that of the same gates in a library of a process of `nm` nanometres, whose
/// two-input NAND gate takes `nand2_um2`: the lowest plausible, the likely and the highest value. Energies are
/// proportional to it and to the square of the supply voltage.
///
/// The likely value scales with the nominal feature size, the least with its square, as table II of \[CP\] scales
/// energies, and the most with the side of a gate, since gates have shrunk less than the names of the nodes say.
/// Estimated.
pub fn capacitance_28(nm: f64, nand2_um2: f64) -> [f64; 3] {
    let names = 28.0 / nm;
    [names * names, names, (GATE_UM2_28[1] / nand2_um2).sqrt()]
}

impl core::ops::Add for Gates {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

/// Factors that convert figures from one node to another.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Scaling {
    /// The factor of delays.
    pub delay: f64,
    /// The factor of energies.
    pub energy: f64,
    /// The factor of areas.
    pub area: f64,
}

impl Scaling {
    /// By geometry alone, as in table II of \[CP\]: delays by the ratio of the lengths, energies and areas by its
    /// square.
    pub fn geometric(from_nm: f64, to_nm: f64) -> Self {
        let ratio = to_nm / from_nm;
        Self { delay: ratio, energy: ratio * ratio, area: ratio * ratio }
    }

    /// From 22 nm to 7 nm by the factors published with accelerators that were synthesised at 22 nm: area divided by
    /// 3.6, power by 3.3, delay by 1.7. Geometry alone would give almost three times less area.
    pub const N22_TO_N7: Self = Self { delay: 1.0 / 1.7, energy: 1.0 / (3.3 * 1.7), area: 1.0 / 3.6 };

    /// The composition of two scalings.
    pub fn then(self, next: Self) -> Self {
        Self {
            delay: self.delay * next.delay,
            energy: self.energy * next.energy,
            area: self.area * next.area,
        }
    }

    /// Factor on power at the same activity: energy over delay.
    pub fn power(self) -> f64 {
        self.energy / self.delay
    }
}

/// Bit products of a Montgomery multiplication of `bits` bits with 64-bit digits: two full products, and one low digit
/// product per step, `2·bits² + 64²·⌈bits / 64⌉`. Areas of published multipliers are proportional to it.
pub fn montgomery_bit_products(bits: u32) -> f64 {
    let n = f64::from(bits);
    2.0 * n * n + 4096.0 * f64::from(bits.div_ceil(64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memories_of_known_size() {
        // The macro of 128 words of 256 bits takes 33,990 µm² at 45 nm in the fitted set.
        let macro_45 = Sram { words: 128, width: 256, ports: 1 }.area_mm2(45.0);
        assert!((macro_45 / 0.033_990 - 1.0).abs() < 0.35, "{macro_45}");
        let bank = |ports| Sram { words: 32, width: 768, ports }.area_mm2(28.0);
        assert!((bank(3) / bank(1) - 2.0).abs() < 1e-12 && (bank(2) / bank(1) - 1.6).abs() < 1e-12);
        assert!((3.0 * bank(3) - 0.0804).abs() < 1e-4, "{}", 3.0 * bank(3));
    }

    #[test]
    fn accesses_of_known_memories() {
        for (kib, pj, tolerance) in [(8, 10.0, 1e-12), (32, 20.0, 1e-12), (1024, 100.0, 0.15)] {
            let ours = Sram { words: kib * 128, width: 64, ports: 1 }.access_j(45.0);
            assert!((ours / (pj * 1e-12) - 1.0).abs() <= tolerance, "{kib}: {ours}");
        }
    }

    #[test]
    fn geometry_from_40_to_28() {
        let s = Scaling::geometric(40.0, 28.0);
        assert!((s.delay - 0.7).abs() < 1e-12 && (s.area - 0.49).abs() < 1e-12 && s.energy == s.area);
        assert!((s.power() - 0.7).abs() < 1e-12);
        assert!((s.then(Scaling::geometric(28.0, 40.0)).energy - 1.0).abs() < 1e-12);
        assert!((Scaling::N22_TO_N7.power() * 3.3 - 1.0).abs() < 1e-12);
    }

    #[test]
    fn memories_of_the_crypto_processor() {
        for (count, words, width, ports, mm2) in
            [(32.0, 128, 256, 1, 0.276), (8.0, 256, 256, 1, 0.115), (1.0, 1024, 1152, 2, 0.346)]
        {
            let ours = count * Sram { words, width, ports }.area_mm2(28.0);
            // The law's minimum of 0.5 µm² a bit adds 5 % to the deep memory.
            assert!((ours / mm2 - 1.0).abs() < 0.06, "{words} x {width}: {ours}");
        }
    }

    #[test]
    fn capacitances_of_two_libraries_at_28_nm() {
        // SkyWater's NAND gate takes 3.7536 µm², Nangate's 0.798.
        for (nm, um2, factors) in
            [(130.0, 3.7536, [0.046, 0.215, 0.383]), (45.0, 0.798, [0.387, 0.622, 0.830])]
        {
            let ours = capacitance_28(nm, um2);
            assert!(ours.iter().zip(factors).all(|(ours, want)| (ours - want).abs() < 1e-3), "{ours:?}");
        }
        assert_eq!(capacitance_28(28.0, 0.55), [1.0; 3]);
    }

    #[test]
    fn gates_have_a_range_of_areas() {
        let [least, likely, most] = Gates(1e6).range_mm2_28();
        assert!((least - 0.49 / 0.85).abs() < 1e-12 && (most - 1.05).abs() < 1e-12);
        assert_eq!(likely, Gates(1e6).area_mm2_28());
        let at_7 = Gates(1e6).range_mm2_7();
        assert!((at_7[1] - likely * 0.81 / 3.6).abs() < 1e-12 && at_7[0] < at_7[1] && at_7[1] < at_7[2]);
    }

    #[test]
    fn a_product_of_384_bits() {
        assert_eq!(montgomery_bit_products(384), 319_488.0);
        assert_eq!(montgomery_bit_products(255), 146_434.0);
    }
}
