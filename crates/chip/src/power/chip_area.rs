//! Area of the whole chip by component, for any shape.
//!
//! The areas of processing elements, memories and the known logic are computed from their sizes. The rest of the printed 8.3
//! mm² of the published chip (channels between macros, clock, test and unknown logic) is expressed as a share of everything
//! else ([`ChipPart::Floor`]); any other shape has the same share.

use super::anchors::{Basis, CORE_MM2, PES};
use super::area::{Area, Component, MOD_ADDER, NM, PairingPart, element_mm2, memory_mm2};
use super::shape::{ChipShape, MemoryShape};
use crate::spec::MachineSpec;
use crate::spec::clock::Element;
use pairwright_sim::tech::{Gates, Sram};
use serde::Serialize;

/// Bits of a word of the banks.
const WORD: u32 = 256;
/// Bits of an affine point of G1.
const POINT_BITS: u32 = 768;
/// Bits of a coordinate.
const COORDINATE: f64 = 384.0;
/// Values that a stage of the point adder holds: the six products of one half of a point addition.
const VALUES_PER_STAGE: f64 = 6.0;
/// Uses among which an element's operand multiplexer selects: butterfly, pairing, pipelined point addition and iterative
/// point addition.
const USES: f64 = 4.0;
/// A sequencer with counters, decoder and state table. Estimated.
const CONTROLLER: Gates = Gates(20_000.0);
/// An adder for 40-bit addresses, and the selection among streams. Estimated.
const GENERATOR: Gates = Gates(2_000.0);
/// Bits of a stream's state: count, stride and position of each of four levels.
const STREAM_BITS: u32 = 4 * (16 + 40 + 16);

/// A component of the chip.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChipPart {
    /// The processing elements.
    Elements,
    /// Multiplexers of operands before the elements.
    Operands,
    /// Banks_A and Banks_B of all sets.
    BanksAb,
    /// Banks_C of all sets.
    BanksC,
    /// The multiplexer network between banks and butterflies.
    Network,
    /// The table of base twiddles.
    TwiddleTable,
    /// The buffer in which tiles of a matrix are transposed.
    TileBuffer,
    /// The memory of points, if they do not lie in the banks.
    PointMemory,
    /// Adders and registers of the point adder outside of the elements.
    PointAdder,
    /// Queues before and behind the point adder: operand pairs, results, points to be written.
    PointQueues,
    /// The memory of the buckets.
    Buckets,
    /// The memory of scalars or their digits.
    Digits,
    /// Multipliers for an endomorphism.
    Glv,
    /// Bank0 to Bank2 of the pairing processor.
    PairingBanks,
    /// The pairing processor's arithmetic, operand selection, inverter and control.
    PairingLogic,
    /// The memories of L1 and L2 instructions.
    Instructions,
    /// The global bank.
    GlobalBank,
    /// Queues to and from memory, and address generators.
    Transfers,
    /// The controllers of all engines.
    Controllers,
    /// Channels between macros, clock, test, and unknown logic.
    Floor,
}

impl ChipPart {
    /// Returns the name that reports show.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Elements => "processing elements",
            Self::Operands => "operand selection",
            Self::BanksAb => "Banks_A and Banks_B",
            Self::BanksC => "Banks_C",
            Self::Network => "network",
            Self::TwiddleTable => "twiddle table",
            Self::TileBuffer => "tile buffer",
            Self::PointMemory => "point memory",
            Self::PointAdder => "point adder",
            Self::PointQueues => "point queues",
            Self::Buckets => "bucket memory",
            Self::Digits => "digit buffer",
            Self::Glv => "endomorphism",
            Self::PairingBanks => "pairing banks",
            Self::PairingLogic => "pairing logic",
            Self::Instructions => "instruction memories",
            Self::GlobalBank => "global bank",
            Self::Transfers => "transfers",
            Self::Controllers => "controllers",
            Self::Floor => "floor and unknown",
        }
    }
}

/// The area of a chip by component.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ChipArea {
    /// One entry per component, in the order of [`ChipPart`]; components that the chip does not have are left out.
    pub components: Vec<Component<ChipPart>>,
    /// Area of the DDR interfaces in mm², outside of the core: an upper bound.
    pub ddr_mm2: f64,
}

impl ChipArea {
    /// Computes the area of a chip of this shape with the pairing processor of `spec`. The published shape with the
    /// published processor has 8.3 mm².
    pub fn of(spec: &MachineSpec, shape: &ChipShape) -> Self {
        let mut components = counted(spec, shape);
        let mm2 = floor_share() * components.iter().map(|c| c.mm2).sum::<f64>();
        components.push(Component {
            part: ChipPart::Floor,
            mm2,
            basis: Basis::Calibrated,
            source: "a share of everything else, so that the published chip has 8.3 mm²",
        });
        components.retain(|c| c.mm2 > 0.0);
        Self { components, ddr_mm2: f64::from(shape.memory.ddr_interfaces) * shape.memory.ddr_mm2 }
    }

    /// The area of the core in mm², comparable with the 8.3 mm² of \[CP\].
    pub fn core_mm2(&self) -> f64 {
        self.components.iter().map(|c| c.mm2).sum()
    }

    /// A component's area in mm², 0 if there is none.
    pub fn mm2(&self, part: ChipPart) -> f64 {
        self.components.iter().filter(|c| c.part == part).map(|c| c.mm2).sum()
    }
}

/// Area of [`ChipPart::Floor`] relative to that of all other components, on the published chip.
fn floor_share() -> f64 {
    let named: f64 = counted(&MachineSpec::paper(), &ChipShape::published()).iter().map(|c| c.mm2).sum();
    CORE_MM2 / named - 1.0
}

/// Every component but the floor.
fn counted(spec: &MachineSpec, shape: &ChipShape) -> Vec<Component<ChipPart>> {
    let (poly, msm, memory) = (&shape.poly, &shape.msm, &shape.memory);
    let pairing = Area::of(spec);
    let element = element_mm2(spec);
    let published = Element::of(spec) == Element::of(&MachineSpec::paper()) && shape.elements == PES;
    let estimated = |part, mm2, source| Component { part, mm2, basis: Basis::Estimated, source };
    let logic = |part, gates: Gates| estimated(part, gates.area_mm2_28(), GATES);
    let memories = |part, count: u32, words, width, ports| {
        let each = if words == 0 { 0.0 } else { memory_mm2(words, width, ports) };
        estimated(part, f64::from(count) * each, MEMORY)
    };
    let of_pairing = |part, parts: &[PairingPart], source| {
        estimated(part, parts.iter().map(|p| pairing.mm2(*p)).sum(), source)
    };
    vec![
        Component {
            part: ChipPart::Elements,
            mm2: f64::from(shape.elements) * element,
            basis: if published { Basis::Derived } else { Basis::Estimated },
            source: "72 % of 8.3 mm² over 12 elements; pipeline registers by latency",
        },
        logic(ChipPart::Operands, Gates::MUX2.times(operand_bits(shape) * (USES - 1.0))),
        memories(ChipPart::BanksAb, 2 * poly.sets * poly.ab_banks, poly.ab_words, WORD, 1),
        memories(ChipPart::BanksC, poly.sets * poly.c_banks, poly.c_words, WORD, 1),
        logic(
            ChipPart::Network,
            Gates::MUX2.times(f64::from(poly.networks * poly.network_multiplexers * WORD)),
        ),
        memories(
            ChipPart::TwiddleTable,
            poly.c_banks,
            poly.twiddle_words.div_ceil(poly.c_banks.max(1)),
            WORD,
            1,
        ),
        memories(ChipPart::TileBuffer, 1, poly.tile_words, WORD, 2),
        memories(ChipPart::PointMemory, poly.sets, msm.point_words.div_ceil(poly.sets.max(1)), POINT_BITS, 1),
        logic(ChipPart::PointAdder, point_adder(shape)),
        logic(ChipPart::PointQueues, point_queues(shape)),
        memories(ChipPart::Buckets, msm.bucket_memories, msm.bucket_words, msm.bucket_bits, 2),
        memories(ChipPart::Digits, 1, msm.digits, msm.digit_bits, 2),
        estimated(ChipPart::Glv, msm.glv_elements * element, "processing elements"),
        of_pairing(ChipPart::PairingBanks, &[PairingPart::Banks], MEMORY),
        of_pairing(
            ChipPart::PairingLogic,
            &[PairingPart::Arithmetic, PairingPart::Operands, PairingPart::Inverter, PairingPart::Control],
            GATES,
        ),
        of_pairing(ChipPart::Instructions, &[PairingPart::L2Memory, PairingPart::L1Memory], MEMORY),
        of_pairing(ChipPart::GlobalBank, &[PairingPart::GlobalBank], MEMORY),
        estimated(ChipPart::Transfers, transfers(memory), "gate counts and the memory law, sim::tech"),
        logic(ChipPart::Controllers, CONTROLLER.times(f64::from(memory.controllers))),
    ]
}

const MEMORY: &str = "memory law of sim::tech";
const GATES: &str = "gate counts of synthesised blocks, sim::tech";

/// Bits of the two operands of every element.
fn operand_bits(shape: &ChipShape) -> f64 {
    f64::from(shape.elements) * 2.0 * COORDINATE
}

/// Area in mm² of queues, address generators and the memory of the streams' settings and positions.
fn transfers(memory: &MemoryShape) -> f64 {
    let streams = if memory.streams == 0 { 0.0 } else { memory_mm2(memory.streams, STREAM_BITS, 1) };
    let logic = Gates::FLIP_FLOP.times(f64::from(memory.queue_words * WORD))
        + GENERATOR.times(f64::from(memory.generators));
    streams + logic.area_mm2_28()
}

fn point_adder(shape: &ChipShape) -> Gates {
    MOD_ADDER.times(f64::from(shape.msm.adders))
        + Gates::FLIP_FLOP.times(f64::from(shape.msm.stages) * VALUES_PER_STAGE * COORDINATE)
}

/// Flip-flops and multiplexers for the points in the queues (two in each pair, results, points to be written, waiting
/// points), each with its index and a comparator.
fn point_queues(shape: &ChipShape) -> Gates {
    let (msm, point) = (&shape.msm, f64::from(shape.msm.bucket_bits));
    // An affine point has two of the three coordinates.
    let points =
        f64::from(2 * msm.queue_pairs + msm.results + msm.write_behind) + f64::from(2 * msm.conflict) / 3.0;
    Gates::FLIP_FLOP.times(points * (point + 16.0))
        + Gates::MUX2.times(points * point)
        + Gates(100.0).times(points)
}

/// Area in mm² of a single bank of Banks_A or Banks_B, and of Banks_C.
pub(super) fn bank_mm2(shape: &ChipShape) -> (f64, f64) {
    let one = |words| Sram { words, width: WORD, ports: 1 }.area_mm2(NM);
    (one(shape.poly.ab_words), one(shape.poly.c_words))
}
