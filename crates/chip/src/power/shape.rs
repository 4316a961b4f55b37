//! The sizes on which the area of the whole chip depends: elements, banks, tables, queues and interfaces.

use super::anchors::{CORE_MM2, PAIRING_PES, PES};
use crate::isa::Group;
use crate::machine::poly::map;
use crate::spec::{Formula, MachineSpec, MsmSpec, RowTables};
use pairwright_sim::dram::Kind;
use pairwright_sim::tech::montgomery_bit_products;

/// Printed: area of the whole SoC in mm². It holds the core, PLL, CPU, DMA, test circuits, and the controller and PHY of the
/// DDR interface.
pub const SOC_MM2: f64 = 18.8;

/// Area in mm² of a DDR interface, controller and PHY, at 28 nm. Derived, an upper bound: it is everything that the SoC has
/// outside of its core, which is more than the interface. (In the first TPU's floor plan, also 28 nm, a DDR3 port takes 3 %
/// of a die of at most 331 mm²: Jouppi et al., ISCA 2017.)
pub const DDR_INTERFACE_MM2: f64 = SOC_MM2 - CORE_MM2;

/// Energy in joules of transferring a bit from or to DDR3 or DDR4 memory, array and interface: 1.3 nJ for 64 bits, the lower
/// end in Horowitz, "Computing's energy problem", ISSCC 2014. Estimated.
pub const DRAM_J_PER_BIT: f64 = 1.3e-9 / 64.0;

/// The sizes of a chip without its pairing processor, whose sizes are in its [`MachineSpec`](crate::MachineSpec).
///
/// The text of each field ends with its value on the published chip. Values marked \[P\] are printed in \[CP\]; the others
/// are inferred.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ChipShape {
    /// Processing elements of the chip, which all engines share. 12 \[P\]
    pub elements: u32,
    /// The engine for polynomials, and the banks.
    pub poly: PolyShape,
    /// The engine for multi-scalar multiplication.
    pub msm: MsmShape,
    /// Memory interface and control.
    pub memory: MemoryShape,
}

/// Banks, network and tables of the Poly-OP engine. A word has 256 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PolyShape {
    /// Processing elements that the engine uses, one per butterfly unit. 8 \[P\]
    pub butterflies: u32,
    /// Sets of Banks_A, Banks_B and Banks_C: while one computes, another is loaded. 2 \[P\]
    pub sets: u32,
    /// Single-port banks of Banks_A of a set, and as many of Banks_B. 8 \[P\]
    pub ab_banks: u32,
    /// Words of each bank of Banks_A and Banks_B. 128 \[P\]
    pub ab_words: u32,
    /// Single-port banks of Banks_C of a set. 4 \[P\]
    pub c_banks: u32,
    /// Words of each bank of Banks_C. 256 \[P\]
    pub c_words: u32,
    /// Networks between banks and butterflies: one for each group of butterflies. 2
    pub networks: u32,
    /// Two-to-one multiplexers, each a word wide, in each network. 28 \[P\]
    pub network_multiplexers: u32,
    /// Words of a table of base twiddles next to the engine, from which the tables of rows are made; 0 if all tables are
    /// loaded through the banks. 1024
    pub twiddle_words: u32,
    /// Words of a buffer in which tiles of a matrix are transposed; 0 if strided transfers transpose. 0
    pub tile_words: u32,
}

/// Point addition and buckets of the MSM engine.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MsmShape {
    /// Processing elements of the point adder that multiply. 12 \[P\]
    pub elements: u32,
    /// Modular adders of 384 bits beyond those inside of the elements. A complete addition of projective points has 19
    /// additions and two products by 12, each of which is four additions: 27, of which each element of the chip does one.
    /// Where a point addition begins only every other cycle, each adder does two of them. 15
    pub adders: u32,
    /// Register stages of six coordinates in the point adder outside of the multipliers: one for each stage, or one for each
    /// point addition in flight where that is fewer, since additions begin every other cycle or less often. 9
    pub stages: u32,
    /// Pairs of points in the queues before the adder. 4
    pub queue_pairs: u32,
    /// Results in the buffer behind it. 2
    pub results: u32,
    /// Points that wait to be written to a bucket; with 4, the bucket memory's single write port keeps up. 0
    pub write_behind: u32,
    /// Affine points that wait for a bucket in flight. 0
    pub conflict: u32,
    /// Words of a bucket memory. 1024
    pub bucket_words: u32,
    /// Bits of a bucket: three coordinates of G1. 1152
    pub bucket_bits: u32,
    /// Bucket memories, pseudo-dual-port \[P\] each: banks of the buckets. 1
    pub bucket_memories: u32,
    /// Words of 768 bits of a separate point memory, in single-port banks; 0 if points lie in Banks_A, Banks_B and Banks_C
    /// as in \[CP\]. 0
    pub point_words: u32,
    /// Scalars, or digits of scalars, that are stored next to the points. 2048
    pub digits: u32,
    /// Bits of each stored scalar or digit. 16
    pub digit_bits: u32,
    /// Multipliers for the endomorphism, in units of a processing element: that of `β·x` (1 for a pipelined one, a quarter
    /// for an iterative one) and those of the scalar splitter, by their bit products. 0
    pub glv_elements: f64,
}

/// The interface to memory, and control.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MemoryShape {
    /// Words of 256 bits in the queues to and from memory, in flip-flops. 32
    pub queue_words: u32,
    /// Streams whose settings and positions are stored. 256
    pub streams: u32,
    /// Address generators, one for each transfer that may be under way. 1
    pub generators: u32,
    /// Controllers of the top level, the polynomial engine, the MSM engine and the transfers; the pairing processor's is
    /// counted with it. 4
    pub controllers: u32,
    /// DDR interfaces, outside of the core. 1 \[P\]
    pub ddr_interfaces: u32,
    /// Area of each in mm²: [`DDR_INTERFACE_MM2`].
    pub ddr_mm2: f64,
    /// Joules a bit: [`DRAM_J_PER_BIT`].
    pub dram_j_per_bit: f64,
}

impl ChipShape {
    /// The published chip: the sizes that no parameter of a design gives, and the others as in [`MachineSpec::paper`].
    const PUBLISHED: Self = Self {
        elements: PES,
        poly: PolyShape {
            butterflies: PES - PAIRING_PES,
            sets: 2,
            ab_banks: 8,
            ab_words: 128,
            c_banks: 4,
            c_words: 256,
            networks: 2,
            network_multiplexers: 28,
            twiddle_words: map::WORDS,
            tile_words: 0,
        },
        msm: MsmShape {
            elements: PES,
            adders: 15,
            stages: 9,
            queue_pairs: 4,
            results: 2,
            write_behind: 0,
            conflict: 0,
            bucket_words: 1024,
            bucket_bits: 1152,
            bucket_memories: 1,
            point_words: 0,
            digits: 2048,
            digit_bits: 16,
            glv_elements: 0.0,
        },
        memory: MemoryShape {
            queue_words: 32,
            streams: 256,
            generators: 1,
            controllers: 4,
            ddr_interfaces: 1,
            ddr_mm2: DDR_INTERFACE_MM2,
            dram_j_per_bit: DRAM_J_PER_BIT,
        },
    };
}

/// Multipliers for the endomorphism, in units of a processing element, at the rates that the fetch stage needs. The splitter
/// multiplies a scalar by two numbers of 130 bits, and four pairs of 128 bits.
fn glv_elements(msm: &MsmSpec) -> f64 {
    let split = (2.0 * 256.0 * 130.0 + 4.0 * 128.0 * 128.0) / montgomery_bit_products(384);
    1.0 / f64::from(msm.image_interval()) + split / f64::from(msm.split_interval())
}

impl ChipShape {
    /// The shape of the published design.
    pub fn published() -> Self {
        Self::of(&MachineSpec::paper())
    }

    /// The shape of a design: the published chip's, changed where the design's parameters differ.
    pub fn of(spec: &MachineSpec) -> Self {
        // Additions of the complete formulas, products by 12 included.
        let additions: u32 = match spec.msm.formula {
            Formula::Complete => 27,
            Formula::Mixed => 21,
        };
        let padd = spec.msm.accumulation(Group::G1);
        let (poly, msm, dram) = (&spec.poly, &spec.msm, &spec.dram);
        let published = Self::PUBLISHED;
        let butterflies = 4 * poly.groups;
        // Tables of rows are made on the pairing's elements while the butterflies work.
        let tables = if poly.row_tables == RowTables::Generate { PAIRING_PES } else { 0 };
        // All engines share the elements; the pairing processor takes four.
        let elements = msm.elements.max(butterflies + tables).max(PAIRING_PES);
        Self {
            elements,
            poly: PolyShape {
                butterflies,
                networks: poly.groups,
                twiddle_words: if poly.row_tables == RowTables::Generate { map::WORDS } else { 0 },
                tile_words: spec.dma.tile_words,
                ..published.poly
            },
            msm: MsmShape {
                elements: msm.elements,
                adders: additions.div_ceil(padd.interval).saturating_sub(elements),
                stages: padd.latency().saturating_sub(2 * msm.pipelined_latency).div_ceil(padd.interval),
                queue_pairs: msm.fifo,
                results: msm.results,
                write_behind: msm.write_behind,
                conflict: if msm.formula == Formula::Mixed { msm.conflict } else { 0 },
                bucket_words: msm.bucket_words / msm.bucket_banks,
                bucket_memories: msm.bucket_banks,
                digit_bits: published.msm.digit_bits * msm.windows_per_fetch * (1 + u32::from(msm.glv)),
                glv_elements: if msm.glv { glv_elements(msm) } else { published.msm.glv_elements },
                ..published.msm
            },
            memory: MemoryShape {
                streams: spec.dma.streams,
                generators: spec.dma.outstanding,
                ddr_interfaces: match dram.kind {
                    Kind::Flat => 1,
                    // An interface drives 64 bits of data.
                    Kind::Ddr => (dram.channels * dram.bus_bits).div_ceil(64),
                },
                ..published.memory
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::power::ChipArea;

    #[test]
    fn fewer_elements_never_take_more_area() {
        for design in [MachineSpec::paper(), MachineSpec::best()] {
            let shape = |elements: u32| {
                let mut spec = design.clone();
                spec.msm.elements = elements;
                let shape = ChipShape::of(&spec);
                (ChipArea::of(&spec, &shape).core_mm2(), shape)
            };
            for elements in 2..24 {
                let ((fewer, _), (more, shape)) = (shape(elements), shape(elements + 1));
                assert!(fewer <= more, "{elements}: {fewer} {more} {shape:?}");
            }
        }
    }
}
