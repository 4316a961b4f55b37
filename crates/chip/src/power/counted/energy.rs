//! Energy of a run: the energies of a product, a sum and a cycle from gate-level simulation, times the counts of the model.
//!
//! The energies of multipliers, adders and the clock of their registers are counted in gate-level runs. Memories follow a
//! law of `sim::tech`; control, which is synthesised without its memories, is priced by gates and flip-flops; leakage is
//! that of a library. These three are parameters with ranges.

use super::area::{PADD_SUMS, multiplier};
use crate::MachineSpec;
use crate::power::{Activity, ChipActivity, ChipShape, Engine, elements};
use crate::spec::{FP_PRODUCTS, Formula};
use pairwright_device::sum_fields;
use pairwright_sim::cells::{LIBRARIES, Library, Operation, Toggles, gate_leakage};
use pairwright_sim::tech::{Basis, Sram};

const NM: f64 = 28.0;
/// Supply voltage that the memory law refers to, in volts.
const LAW_VOLTS: f64 = 0.9;
/// Bits of a row of the pairing's banks: an element of Fp2.
const ROW: u32 = 768;
/// Bits of a word of the banks of the polynomial engine.
const WORD: u32 = 256;
/// Modular sums of a mixed addition of points.
const MIXED_SUMS: u32 = 21;
/// Products in Fp2 of a point addition in G2; each combines its four Fp products with two sums.
const PRODUCTS_G2: u32 = 12;

/// Parameters of the energy model that are uncertain.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Knobs {
    /// Parameters of the synthesised blocks.
    pub toggles: Toggles,
    /// Whether operands of sums toggle the pairing's multipliers: 1 if they do, 0 if not. In the RTL the first registers of
    /// a multiplier hold their values when no product enters, so that they do not; the paper does not say.
    pub operands: f64,
    /// Energy of a memory access relative to the law of `sim::tech`, whose data are of another process.
    pub memory: f64,
    /// Toggle rate of a gate of control relative to that of a gate of an adder that sums random operands in every cycle.
    pub control: f64,
    /// Leakage of a gate at 28 nm relative to that of Nangate's at 45 nm, from which it is estimated; low-leakage cells have
    /// a tenth.
    pub leakage: f64,
}

impl Knobs {
    /// All parameters at their least, likely and greatest values.
    pub const ENDS: [Self; 3] = [
        Self { toggles: Toggles::ENDS[0], operands: 0.0, memory: 0.5, control: 0.1, leakage: 0.1 },
        Self { toggles: Toggles::ENDS[1], operands: 0.0, memory: 1.0, control: 0.5, leakage: 1.0 },
        Self { toggles: Toggles::ENDS[2], operands: 1.0, memory: 2.0, control: 1.0, leakage: 2.0 },
    ];
}

/// The work of an operator, in the counts that its energy depends on.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Work {
    /// Number of clock cycles.
    pub cycles: u64,
    /// Number of products of 255 bits and of 381 bits.
    pub products: [u64; 2],
    /// Products that no instruction asked for: the operands of sums toggle the multipliers if [`Knobs::operands`] says so.
    pub stray: u64,
    /// Number of modular sums of 255 bits and of 381 bits.
    pub sums: [u64; 2],
    /// Cycles of multipliers whose clock runs, summed over multipliers.
    pub multipliers: u64,
    /// Cycles of adders of 381 bits whose clock runs, summed over adders.
    pub adders: u64,
    /// The share of adders and sums that belong to processing elements, each of which has an adder and subtractor.
    pub inside: f64,
    /// Memories with their numbers of accesses.
    pub memories: Vec<(Sram, u64)>,
    /// Flip-flops and gates of a multiplier relative to those of the synthesised one, by the design's stages. 1 for 16
    /// stages.
    pub depth: [f64; 2],
}

fn sram(words: u32, width: u32, ports: u32) -> Sram {
    Sram { words, width, ports }
}

/// Flip-flops and gates of a design's multiplier relative to those of the synthesised one; the ratios are the same for
/// either library.
fn depth(spec: &MachineSpec) -> [f64; 2] {
    let library = &LIBRARIES[0];
    let ratio = library.size("mm_381").zip(multiplier(library, spec));
    ratio.map_or([1.0; 2], |(known, own)| [own.registers / known.registers, own.gates / known.gates])
}

impl Work {
    /// The work of a run of the pairing processor. One adder and subtractor serves each half of an Fp2 sum and of the
    /// combination of an Fp2 product.
    pub fn of_pairing(spec: &MachineSpec, a: &Activity) -> Self {
        let bank = sram(spec.banks.rows, ROW, spec.banks.reads + spec.banks.writes);
        let global = sram(spec.switcher.global_rows, ROW, 1);
        let elements = u64::from(elements(spec));
        // Operands of products reach the adders of the unit for Fp2 too, which have no register before them.
        let [of_unit, combining] = [2 * (a.arith_issues + a.mm_issues), 2 * a.mm_issues];
        let sums = of_unit + combining;
        Self {
            cycles: a.cycles,
            products: [0, u64::from(FP_PRODUCTS) * a.mm_issues + a.inversion_products],
            stray: elements * a.arith_issues,
            // Two sums for an operation in Fp2, and two that combine four products into one in Fp2.
            sums: [0, sums],
            multipliers: elements * a.cycles,
            adders: 4 * a.cycles,
            // The adders that combine products are inside, those of the unit for Fp2 are not.
            inside: if sums == 0 { 0.0 } else { combining as f64 / sums as f64 },
            memories: vec![
                (bank, a.bank_reads + a.bank_writes + a.switched_rows),
                (global, a.switched_rows),
                (sram(spec.control.l2_words, 32, 1), a.l2_words),
                (sram(spec.control.l1_words, 32, 1), a.l1_words),
            ],
            depth: depth(spec),
        }
    }

    /// The work of a run of another engine of the chip. The words of its program are left out: their energy is a millionth
    /// of the whole.
    pub fn of_engine(spec: &MachineSpec, shape: &ChipShape, a: &ChipActivity) -> Self {
        match a.engine {
            Engine::Poly => Self::of_polynomials(spec, shape, a),
            Engine::Msm => Self::of_sums_of_points(spec, shape, a),
            Engine::Transfer => Self { cycles: a.cycles, depth: depth(spec), ..Self::default() },
        }
    }

    fn of_polynomials(spec: &MachineSpec, shape: &ChipShape, a: &ChipActivity) -> Self {
        let poly = &shape.poly;
        let memories =
            vec![(sram(poly.ab_words, WORD, 1), a.ab_accesses), (sram(poly.c_words, WORD, 1), a.c_accesses)];
        Self {
            cycles: a.cycles,
            products: [a.products_256, 0],
            sums: [a.sums_256, 0],
            multipliers: u64::from(poly.butterflies) * a.cycles + a.borrowed_cycles,
            adders: 2 * u64::from(poly.butterflies) * a.cycles,
            inside: 1.0,
            memories,
            depth: depth(spec),
            ..Self::default()
        }
    }

    /// The work of an MSM. A product of an iterative multiplier toggles as much over all of its cycles as a pipelined
    /// product in one cycle.
    fn of_sums_of_points(spec: &MachineSpec, shape: &ChipShape, a: &ChipActivity) -> Self {
        let (poly, msm) = (&shape.poly, &shape.msm);
        let adders = u64::from(shape.elements + msm.adders);
        let of_point = u64::from(match spec.msm.formula {
            Formula::Complete => PADD_SUMS,
            Formula::Mixed => MIXED_SUMS,
        });
        // A sum in Fp2 is two sums in Fp, and a product in Fp2 needs two.
        let of_g2 = 2 * of_point + 2 * u64::from(PRODUCTS_G2);
        let mut memories = if msm.point_words == 0 {
            // A word of a point lies in each of three banks.
            vec![
                (sram(poly.ab_words, WORD, 1), 2 * a.point_accesses / 3),
                (sram(poly.c_words, WORD, 1), a.point_accesses / 3),
            ]
        } else {
            let words = msm.point_words.div_ceil(poly.sets.max(1));
            vec![(sram(words, ROW, 1), a.point_accesses / 3)]
        };
        memories.extend([
            (sram(msm.bucket_words, msm.bucket_bits, 2), a.bucket_accesses),
            (sram(msm.digits, msm.digit_bits, 2), a.digit_accesses),
        ]);
        let endomorphism = (msm.glv_elements * a.cycles as f64) as u64;
        Self {
            cycles: a.cycles,
            products: [0, a.products_384 + a.iterative_cycles + a.glv_products],
            sums: [0, of_point * (a.padds - a.padds_g2) + of_g2 * a.padds_g2],
            multipliers: u64::from(shape.elements) * a.cycles + endomorphism,
            adders: adders * a.cycles,
            inside: f64::from(shape.elements) / adders.max(1) as f64,
            memories,
            depth: depth(spec),
            ..Self::default()
        }
    }
}

/// Energy of an operator in joules, by part.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Joules {
    /// Products that instructions asked for.
    pub products: f64,
    /// Products that the operands of sums cause, see [`Work::stray`].
    pub stray: f64,
    /// Additions and subtractions modulo the prime.
    pub sums: f64,
    /// The clock of the registers of multipliers and adders.
    pub clock: f64,
    /// Accesses of memories, by the memory law.
    pub memories: f64,
    /// Control, by gates and flip-flops.
    pub control: f64,
    /// Leakage, by the figures of a library.
    pub leakage: f64,
    /// The share of processing elements in all these parts; not a part of its own.
    pub elements: f64,
}

impl Joules {
    /// The names of the parts in reports, with the basis of each.
    pub const PARTS: [(&'static str, Basis); 7] = [
        ("products", Basis::Counted),
        ("products of operands of sums", Basis::Counted),
        ("sums", Basis::Counted),
        ("clock of elements and adders", Basis::Counted),
        ("memories, a law", Basis::Estimated),
        ("control, by gates", Basis::Estimated),
        ("leakage, of a library", Basis::Estimated),
    ];

    /// The parts in the order of [`PARTS`](Self::PARTS).
    pub fn parts(&self) -> [f64; 7] {
        [self.products, self.stray, self.sums, self.clock, self.memories, self.control, self.leakage]
    }

    /// The sum of the parts.
    pub fn sum(&self) -> f64 {
        self.parts().iter().sum()
    }
}

sum_fields! {
    Joules { products, stray, sums, clock, memories, control, leakage, elements }
}

/// Energies, sizes and leakage of the blocks in a cell library.
#[derive(Clone, Copy, Debug)]
pub struct Prices {
    library: Library,
    /// Gates of a multiplier and of an adder of 381 bits.
    gates: [f64; 2],
    /// Flip-flops of that multiplier.
    registers: f64,
    /// Gates and flip-flops of the pairing processor's control, synthesised without its memories. The controllers of the
    /// other engines are assumed to be as large.
    control: [f64; 2],
    /// Leakage of a gate in amperes.
    amperes: f64,
}

impl Prices {
    /// The prices of a library; `None` if its toggles are not counted in all of these blocks.
    pub fn of(library: &Library) -> Option<Self> {
        let control = LIBRARIES[0].block("pairing_control")?;
        for block in ["mm_255", "add_sub_255"] {
            library.count(block)?;
        }
        let (product, sum) = (library.count("mm_381")?, library.count("add_sub_381")?);
        Some(Self {
            library: *library,
            gates: [product.gates(), sum.gates()],
            registers: product.registers as f64,
            control: [control.gates.round(), control.registers as f64],
            amperes: gate_leakage("mm_255"),
        })
    }

    /// Energies of an operation of a block at 28 nm in femtojoules; zero for a block that is not counted, which
    /// [`Prices::of`] has ruled out.
    pub(super) fn at(&self, block: &str, volts: f64, toggles: &Toggles) -> Operation {
        let none = Operation { data_fj: 0.0, clock_fj: 0.0, leakage_fj: 0.0 };
        self.library.at_28(block, volts, toggles).unwrap_or(none)
    }

    /// Energy in joules of an operator's work at a supply voltage in volts and a clock in hertz.
    pub fn joules(&self, work: &Work, [volts, hz]: [f64; 2], knobs: &Knobs) -> Joules {
        let at = |block: &str| self.at(block, volts, &knobs.toggles);
        let times = |count: u64, femtojoules: f64| 1e-15 * count as f64 * femtojoules;
        let (product, sum) = (at("mm_381"), at("add_sub_381"));
        let both = |counts: [u64; 2], names: [&str; 2]| -> f64 {
            counts.into_iter().zip(names).map(|(count, name)| times(count, at(name).data_fj)).sum()
        };
        let ([gates, flip_flops], [deep_registers, deep_gates]) = (self.control, work.depth);
        let of_gate = sum.data_fj / self.gates[1];
        let of_flip_flop = product.clock_fj / self.registers;
        let of_control = knobs.control * gates * of_gate + flip_flops * of_flip_flop;
        let accesses = work.memories.iter().map(|(sram, count)| *count as f64 * sram.access_j(NM));
        let [multipliers, adders] = [work.multipliers, work.adders].map(|sum| sum as f64 / hz);
        let [of_multipliers, of_adders] = [multipliers * self.gates[0] * deep_gates, adders * self.gates[1]];
        let leaking = of_multipliers + of_adders;
        let products = both(work.products, ["mm_255", "mm_381"]);
        let stray = knobs.operands * times(work.stray, product.data_fj);
        let sums = both(work.sums, ["add_sub_255", "add_sub_381"]);
        let [clock, clock_of_adders] =
            [times(work.multipliers, product.clock_fj * deep_registers), times(work.adders, sum.clock_fj)];
        let leaked = knobs.leakage * volts * self.amperes;
        Joules {
            products,
            stray,
            sums,
            clock: clock + clock_of_adders,
            elements: products
                + stray
                + clock
                + leaked * of_multipliers
                + work.inside * (sums + clock_of_adders + leaked * of_adders),
            memories: knobs.memory * (volts / LAW_VOLTS).powi(2) * accesses.sum::<f64>(),
            control: times(work.cycles, of_control),
            leakage: leaked * (leaking + gates * work.cycles as f64 / hz),
        }
    }
}
