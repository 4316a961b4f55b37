//! Area of the pairing processor by component, and of the published chip by block.

use super::anchors::{Basis, CORE_MM2, PE_MM2, PES};
use crate::spec::clock::Element;
use crate::spec::{Banks, Exponentiation, FP_PRODUCTS, MachineSpec};
use pairwright_sim::tech::{Gates, Sram};
use serde::Serialize;

pub(super) const NM: f64 = 28.0;
/// A modular adder and subtractor of 384 bits, synthesised with yosys for Nangate 45 nm.
pub(super) const MOD_ADDER: Gates = Gates(8260.0);
/// Bits of an Fp element in the datapath.
const FP_BITS: f64 = 384.0;
/// Bits of an Fp2 element.
const ROW_BITS: u32 = 768;
/// A component of the pairing processor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PairingPart {
    /// The processing elements that multiply in Fp2.
    Multiplier,
    /// The arithmetic unit: sums, differences, negatives, conjugates and multiplication by ξ in Fp2.
    Arithmetic,
    /// Selection of operands from banks and forwarding paths, and the write-back registers.
    Operands,
    /// Bank0 to Bank2.
    Banks,
    /// Registers and sequencer of the inversion.
    Inverter,
    /// The L2 instruction memory.
    L2Memory,
    /// Fetch, decode, loop and scan registers.
    Control,
    /// The L1 instruction memory, shared with the other engines of the chip.
    L1Memory,
    /// The global bank, shared with the other engines of the chip.
    GlobalBank,
}

impl PairingPart {
    /// Whether other engines of the chip use the component too. \[CP\] does not say whether its 2.09 mm² include such
    /// components; without them the sum is closer.
    pub const fn shared(self) -> bool {
        matches!(self, Self::L1Memory | Self::GlobalBank)
    }
    /// Returns the name that reports show.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Multiplier => "multiplier",
            Self::Arithmetic => "arithmetic",
            Self::Operands => "operand selection",
            Self::Banks => "register banks",
            Self::Inverter => "inverter",
            Self::L2Memory => "L2 memory",
            Self::Control => "control",
            Self::L1Memory => "L1 memory",
            Self::GlobalBank => "global bank",
        }
    }
}

/// The area of a component, with the origin of the number.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Component<P> {
    /// The part of the pairing processor or of the chip.
    pub part: P,
    /// Square millimetres at 28 nm.
    pub mm2: f64,
    /// Whether the number is printed, calibrated, derived, estimated or counted.
    pub basis: Basis,
    /// The law or the printed figures that the number comes from, as text.
    pub source: &'static str,
}

/// The area of a pairing processor by component.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Area {
    /// One entry per component, in the order of [`PairingPart`].
    pub components: Vec<Component<PairingPart>>,
}

impl Area {
    /// Computes the area of a design's pairing processor.
    pub fn of(spec: &MachineSpec) -> Self {
        let estimated = |part, mm2, source| Component { part, mm2, basis: Basis::Estimated, source };
        let memory = "memory law of sim::tech";
        let gates = "gate counts of synthesised blocks, sim::tech";
        let components = vec![
            Component {
                part: PairingPart::Multiplier,
                mm2: f64::from(elements(spec)) * element_mm2(spec) + gathering(spec).area_mm2_28(),
                basis: if published(spec) { Basis::Derived } else { Basis::Estimated },
                source: "72 % of 8.3 mm² over 12 elements; pipeline registers by latency",
            },
            estimated(PairingPart::Arithmetic, arithmetic(spec).area_mm2_28(), gates),
            estimated(PairingPart::Operands, operands(spec).area_mm2_28(), gates),
            estimated(PairingPart::Banks, f64::from(spec.banks.count) * bank_mm2(&spec.banks), memory),
            estimated(PairingPart::Inverter, inverter(spec).area_mm2_28(), gates),
            estimated(PairingPart::L2Memory, instructions(spec.control.l2_words, spec.issue.width), memory),
            estimated(PairingPart::Control, control(spec).area_mm2_28(), gates),
            estimated(PairingPart::L1Memory, instructions(spec.control.l1_words, 1), memory),
            estimated(PairingPart::GlobalBank, global(spec), memory),
        ];
        Self { components }
    }

    /// The pairing processor's own area in mm², without shared components; comparable with the 2.09 mm² of \[CP\].
    pub fn own_mm2(&self) -> f64 {
        self.sum(|part| !part.shared())
    }

    /// The area in mm² with the components that are shared with other engines.
    pub fn whole_mm2(&self) -> f64 {
        self.sum(|_| true)
    }

    /// A component's area in mm².
    pub fn mm2(&self, part: PairingPart) -> f64 {
        self.sum(|p| p == part)
    }

    fn sum(&self, keep: impl Fn(PairingPart) -> bool) -> f64 {
        self.components.iter().filter(|c| keep(c.part)).map(|c| c.mm2).sum()
    }
}

/// Processing elements of the multiplier: [`MmUnit::elements`](crate::spec::MmUnit::elements).
pub fn elements(spec: &MachineSpec) -> u32 {
    spec.mm.elements()
}

/// Area of a processing element in mm²: the published one, with more or fewer pipeline registers.
pub fn element_mm2(spec: &MachineSpec) -> f64 {
    Element::of(spec).mm2()
}

/// Registers that hold the four Fp operands and the results while the Fp products of an Fp2 product start one after the
/// other.
fn gathering(spec: &MachineSpec) -> Gates {
    match spec.mm.starts() {
        0 | 1 => Gates(0.0),
        _ => Gates::FLIP_FLOP.times(f64::from(2 * FP_PRODUCTS - spec.mm.elements()) * FP_BITS),
    }
}

fn published(spec: &MachineSpec) -> bool {
    let paper = MachineSpec::paper();
    spec.mm == paper.mm && Element::of(spec) == Element::of(&paper)
}

/// Area of one register bank in mm².
pub(super) fn bank_mm2(banks: &Banks) -> f64 {
    memory_mm2(banks.rows, ROW_BITS, banks.reads + banks.writes)
}

/// Two modular adders, which serve all operations, and a row register per stage.
fn arithmetic(spec: &MachineSpec) -> Gates {
    MOD_ADDER.times(2.0) + Gates::FLIP_FLOP.times(f64::from(spec.arith.latency * ROW_BITS))
}

/// A multiplexer for each of the two operands of each slot, over the banks and the forwarding paths of three channels, and
/// the write-back registers.
fn operands(spec: &MachineSpec) -> Gates {
    let paths = u32::from(spec.forwarding.path1) + u32::from(spec.forwarding.path2);
    let inputs = spec.banks.count + 3 * paths;
    let selectors = 2 * spec.issue.width * ROW_BITS;
    // The write-back registers of the three channels are there with or without path 1.
    Gates::MUX2.times(f64::from((inputs - 1) * selectors)) + Gates::FLIP_FLOP.times(f64::from(3 * ROW_BITS))
}

/// Registers and multiplexers of the inverter, with its sequencer. Besides the running power it holds the base, the odd
/// powers that a window chooses from, or the squares before and after a step.
fn inverter(spec: &MachineSpec) -> Gates {
    let powers = match spec.inversion.chain {
        Exponentiation::Always | Exponentiation::Binary => 1,
        Exponentiation::Parallel => 2,
        Exponentiation::Window => 1u32 << (spec.inversion.window - 1),
    };
    let sequencer = Gates(1000.0);
    Gates::FLIP_FLOP.times(f64::from(powers + 1) * FP_BITS)
        + Gates::MUX2.times(f64::from(powers) * FP_BITS)
        + sequencer
}

/// Area in mm² of an instruction memory of 32-bit words; a front end of two words reads both at once.
fn instructions(words: u32, per_read: u32) -> f64 {
    memory_mm2(words.div_ceil(per_read), 32 * per_read, 1)
}

/// Three loop registers (counter, count, target), three scan registers of an Fp element each, and decoders.
fn control(spec: &MachineSpec) -> Gates {
    Gates::FLIP_FLOP.times(3.0 * (16.0 + 16.0 + 10.0) + 3.0 * FP_BITS)
        + Gates(2000.0).times(f64::from(spec.issue.width))
}

/// The area of the global bank in mm²: it consists of as many banks as rows move per cycle.
fn global(spec: &MachineSpec) -> f64 {
    let banks = spec.switcher.rows_per_cycle;
    f64::from(banks) * memory_mm2(spec.switcher.global_rows.div_ceil(banks), ROW_BITS, 1)
}

/// A block of the published chip.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct ChipBlock {
    /// Name of the block.
    pub name: &'static str,
    /// Area in square millimetres.
    pub mm2: f64,
    /// Whether the number is derived or estimated.
    pub basis: Basis,
}

/// The published chip's core by block. The last block is the rest of the printed sum: point addition, queues, networks,
/// controllers.
pub fn chip_blocks() -> Vec<ChipBlock> {
    let memory = |name, count: u32, words, width, ports| ChipBlock {
        name,
        mm2: f64::from(count) * memory_mm2(words, width, ports),
        basis: Basis::Estimated,
    };
    let pairing = Area::of(&MachineSpec::paper());
    let own = |name, mm2| ChipBlock { name, mm2, basis: Basis::Estimated };
    let mut blocks = vec![
        ChipBlock { name: "12 processing elements", mm2: f64::from(PES) * PE_MM2, basis: Basis::Derived },
        memory("Banks_A and Banks_B", 32, 128, 256, 1),
        memory("Banks_C", 8, 256, 256, 1),
        memory("bucket memory", 1, 1024, 1152, 2),
        own("pairing: Bank0-2", pairing.mm2(PairingPart::Banks)),
        own("pairing: L2 memory", pairing.mm2(PairingPart::L2Memory)),
        own(
            "pairing: logic",
            [PairingPart::Arithmetic, PairingPart::Inverter, PairingPart::Operands, PairingPart::Control]
                .map(|p| pairing.mm2(p))
                .iter()
                .sum(),
        ),
        own("global bank and L1 memory", pairing.whole_mm2() - pairing.own_mm2()),
    ];
    let named: f64 = blocks.iter().map(|b| b.mm2).sum();
    blocks.push(ChipBlock { name: "remainder", mm2: CORE_MM2 - named, basis: Basis::Derived });
    blocks
}

pub(super) fn memory_mm2(words: u32, width: u32, ports: u32) -> f64 {
    Sram { words, width, ports }.area_mm2(NM)
}
