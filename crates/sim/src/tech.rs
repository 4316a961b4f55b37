//! From bits, gates and nodes to area, delay and energy.
//!
//! Every function is an estimate with a stated source: a published rule of scaling, a cell read from a library in a
//! public repository, or a fit to macros from such libraries. Calibrated models belong to the machines.

/// What a design's figures are multiplied by when it moves to another node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Scaling {
    /// Factor on delay.
    pub delay: f64,
    /// Factor on energy of an operation.
    pub energy: f64,
    /// Factor on area.
    pub area: f64,
}

impl Scaling {
    /// Ideal scaling: delay by the ratio of the nodes' lengths, area and energy by its square. It is the rule by which
    /// designs at 40 nm and 28 nm are usually compared.
    pub fn ideal(from_nm: f64, to_nm: f64) -> Self {
        let ratio = to_nm / from_nm;
        Self { delay: ratio, energy: ratio * ratio, area: ratio * ratio }
    }

    /// 22 nm to 7 nm by the factors published with accelerators that were synthesised at 22 nm: area a 3.6th, power a
    /// 3.3rd, delay a 1.7th. Ideal scaling would promise almost three times less area.
    pub const N22_TO_N7: Self = Self { delay: 1.0 / 1.7, energy: 1.0 / (3.3 * 1.7), area: 1.0 / 3.6 };

    /// One step after another.
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

/// A standard-cell library, as far as gate counts need it; areas in µm².
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cells {
    /// Its name.
    pub name: &'static str,
    /// Node in nanometres.
    pub node_nm: f64,
    /// Two-input NAND of unit strength: a gate equivalent.
    pub nand2: f64,
    /// Full adder.
    pub full_adder: f64,
    /// D flip-flop.
    pub flip_flop: f64,
}

/// Libraries whose Liberty files are public.
pub const LIBRARIES: [Cells; 4] = [
    Cells { name: "gf180mcu 7T", node_nm: 180.0, nand2: 10.976, full_adder: 72.44, flip_flop: 63.66 },
    Cells { name: "sky130_fd_sc_hd", node_nm: 130.0, nand2: 3.754, full_adder: 20.02, flip_flop: 20.02 },
    Cells { name: "Nangate45", node_nm: 45.0, nand2: 0.798, full_adder: 4.256, flip_flop: 4.522 },
    Cells { name: "ASAP7 RVT", node_nm: 7.0, nand2: 0.0875, full_adder: 0.204, flip_flop: 0.292 },
];

impl Cells {
    /// Placed area in µm² of `gates` gate equivalents when cells cover `utilisation` of the floor (0.70 to 0.75 is
    /// usual).
    pub fn area(&self, gates: f64, utilisation: f64) -> f64 {
        gates * self.nand2 / utilisation
    }
}

/// Bit products of a Montgomery product of `bits` bits by 64-bit digits: two full products and one low digit product
/// a step, `2·bits² + 64²·⌈bits / 64⌉`. Areas of published multipliers are proportional to it.
pub fn montgomery_bit_products(bits: u32) -> f64 {
    let n = f64::from(bits);
    2.0 * n * n + 4096.0 * f64::from(bits.div_ceil(64))
}

/// A memory macro.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sram {
    /// Words.
    pub words: u32,
    /// Bits of a word.
    pub width: u32,
    /// What its ports cost.
    pub ports: SramPorts,
}

/// Ports of a memory macro.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SramPorts {
    /// One port for both.
    Single,
    /// One read, one write.
    OneReadOneWrite,
    /// Two reads, one write.
    TwoReadsOneWrite,
}

impl SramPorts {
    /// Area against a single port: an inference from cell sizes, not a fit.
    pub fn factor(self) -> f64 {
        match self {
            Self::Single => 1.0,
            Self::OneReadOneWrite => 1.6,
            Self::TwoReadsOneWrite => 2.0,
        }
    }
}

impl Sram {
    /// Area in µm² at 45 nm: `0.4286·bits + 5.70·words + 32.05·width - 705`, a relative least-squares fit to 21 public
    /// macros of 45 nm (mean error 13 %, worst 34 %), times the factor of its ports. Never less than the bits alone.
    pub fn area_45nm(&self) -> f64 {
        let (words, width) = (f64::from(self.words), f64::from(self.width));
        let bits = 0.4286 * words * width;
        self.ports.factor() * (bits + 5.70 * words + 32.05 * width - 705.0).max(bits)
    }

    /// Area in µm² at another node, by ideal scaling from 45 nm.
    pub fn area(&self, node_nm: f64) -> f64 {
        self.area_45nm() * Scaling::ideal(45.0, node_nm).area
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(x: f64, y: f64, tolerance: f64) {
        assert!((x / y - 1.0).abs() < tolerance, "{x} is not within {tolerance} of {y}");
    }

    #[test]
    fn ideal_scaling_from_40_to_28_nm_is_seven_tenths() {
        let s = Scaling::ideal(40.0, 28.0);
        close(s.delay, 0.7, 1e-9);
        close(s.energy, 0.49, 1e-9);
        close(s.power(), 0.7, 1e-9);
        close(s.then(Scaling::ideal(28.0, 40.0)).area, 1.0, 1e-9);
        close(Scaling::N22_TO_N7.power(), 1.0 / 3.3, 1e-9);
    }

    #[test]
    fn macros_of_the_crypto_processor_come_out_as_the_fact_sheet_says() {
        let mm2 = |count: f64, words, width, ports| count * Sram { words, width, ports }.area(28.0) / 1e6;
        close(mm2(32.0, 128, 256, SramPorts::Single), 0.276, 0.01);
        close(mm2(8.0, 256, 256, SramPorts::Single), 0.115, 0.01);
        close(mm2(1.0, 1024, 1152, SramPorts::OneReadOneWrite), 0.346, 0.02);
        close(mm2(3.0, 32, 768, SramPorts::TwoReadsOneWrite), 0.079, 0.05);
        let tiny = Sram { words: 8, width: 8, ports: SramPorts::Single };
        close(tiny.area_45nm(), 0.4286 * 64.0, 1e-9);
    }

    #[test]
    fn gates_and_bit_products() {
        let nangate = LIBRARIES[2];
        close(nangate.area(34_300.0, 0.7), 39_102.0, 1e-3);
        assert_eq!(montgomery_bit_products(384), 319_488.0);
        assert_eq!(montgomery_bit_products(255), 146_434.0);
    }
}
