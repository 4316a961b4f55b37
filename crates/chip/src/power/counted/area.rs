//! Areas of the parts of the pairing processor and of the chip's core.

use crate::MachineSpec;
use crate::power::anchors::PAIRING_PES;
use crate::power::{Area, ChipArea, ChipPart, ChipShape, PairingPart, element_mm2, elements};
use crate::spec::clock::{Element, STAGES};
use pairwright_sim::cells::{Library, Part, Size};
use pairwright_sim::tech::Basis;

/// Multipliers of the synthesised point adder, as `rtl/padd_381.sv` has them.
pub const PADD_PRODUCTS: u32 = 12;
/// Modular sums of a complete point addition: the number of adders in `rtl/padd_381.sv`.
pub const PADD_SUMS: u32 = 27;
/// Butterflies in the synthesised group, which includes its network.
const GROUP: f64 = 4.0;

/// Size of the synthesised multiplier of 381 bits and 16 stages, scaled to the design's number of stages: each stage more or
/// less adds or removes as many registers as a stage of the synthesised one has on average.
pub(super) fn multiplier(library: &Library, spec: &MachineSpec) -> Option<Size> {
    let known = library.size("mm_381")?;
    let stages = f64::from(Element::of(spec).stages) / f64::from(STAGES);
    Some(known + Size::of_registers(known.registers * (stages - 1.0)))
}

/// [`Basis::Counted`] where the design has the part as it is synthesised, otherwise [`Basis::Estimated`].
fn basis(as_synthesised: bool) -> Basis {
    if as_synthesised { Basis::Counted } else { Basis::Estimated }
}

fn logic(name: &'static str, logic: Size, basis: Basis) -> Part {
    Part { name, logic, memory_mm2: 0.0, basis }
}

fn memory(name: &'static str, memory_mm2: f64) -> Part {
    Part { name, logic: Size::default(), memory_mm2, basis: Basis::Estimated }
}

/// Size of a processing element, which is a multiplier and an adder and subtractor by \[CP\] section III.C.
pub fn element(library: &Library, spec: &MachineSpec) -> Option<Size> {
    Some(multiplier(library, spec)? + library.size("add_sub_381")?)
}

/// The difference between a design's part and that of the published design, which is synthesised, by the law of gates.
fn beyond(law: &Area, published: &Area, part: PairingPart) -> Size {
    Size::of_law(law.mm2(part) - published.mm2(part))
}

/// The parts of the pairing processor besides the multipliers: the logic that combines four Fp products into an Fp2 product,
/// two adders and the control in cells; operand selection and inverter by gates; banks and the L2 memory by the memory law.
fn around_the_pairing(library: &Library, spec: &MachineSpec) -> Option<Vec<Part>> {
    let (law, published) = (Area::of(spec), Area::of(&MachineSpec::paper()));
    let products = f64::from(PAIRING_PES);
    let fp2 = library.size("fp2_381")? - library.size("mm_381")? * products;
    let [sums, control] =
        [PairingPart::Arithmetic, PairingPart::Control].map(|part| beyond(&law, &published, part));
    // Registers in which Fp operands wait where the four products of an Fp2 product start one after the other.
    let multiplier = f64::from(elements(spec)) * element_mm2(spec);
    let gathering = Size::of_law((law.mm2(PairingPart::Multiplier) - multiplier).max(0.0));
    let gathered = gathering.gates > 1.0;
    Some(vec![
        logic("four products to one", if gathered { fp2 + gathering } else { fp2 }, basis(!gathered)),
        logic("sums in Fp2", library.size("add_sub_381")? * 2.0 + sums, basis(sums.gates == 0.0)),
        logic(
            "control of the pairing",
            library.size("pairing_control")? + control,
            basis(control.gates == 0.0),
        ),
        logic(
            "operands and inverter, by gates",
            Size::of_law(law.mm2(PairingPart::Operands) + law.mm2(PairingPart::Inverter)),
            Basis::Estimated,
        ),
        memory("banks and L2 memory, a law", law.mm2(PairingPart::Banks) + law.mm2(PairingPart::L2Memory)),
    ])
}

/// The parts of the pairing processor; `None` if the library lacks a block.
pub fn pairing(library: &Library, spec: &MachineSpec) -> Option<Vec<Part>> {
    let multipliers = multiplier(library, spec)? * f64::from(elements(spec));
    let mut parts = vec![logic("multipliers", multipliers, basis(Element::of(spec).stages == STAGES))];
    parts.extend(around_the_pairing(library, spec)?);
    Some(parts)
}

/// The parts of the chip's core; `None` if the library lacks a block. The adder inside of each processing element is also
/// one of the point adder's.
pub fn core(library: &Library, spec: &MachineSpec, shape: &ChipShape) -> Option<Vec<Part>> {
    let law = ChipArea::of(spec, shape);
    let published = ChipShape::published().msm;
    let sum = |parts: &[ChipPart]| parts.iter().map(|part| law.mm2(*part)).sum::<f64>();
    let as_known = Element::of(spec).stages == STAGES;
    let (product, adder) = (library.size("mm_381")?, library.size("add_sub_381")?);
    // The registers of the point adder are in proportion to the shape's stages.
    let registers =
        library.size("padd_381")? - product * f64::from(PADD_PRODUCTS) - adder * f64::from(PADD_SUMS);
    let stages = f64::from(shape.msm.stages) / f64::from(published.stages);
    let butterflies = library.size("ntt_255")? - library.size("mm_255")? * GROUP;
    let mut parts = vec![
        logic("processing elements", element(library, spec)? * f64::from(shape.elements), basis(as_known)),
        logic(
            "the rest of the point adder",
            registers * stages + adder * f64::from(shape.msm.adders),
            basis((shape.msm.adders, shape.msm.stages) == (published.adders, published.stages)),
        ),
        logic(
            "butterflies without multipliers, networks",
            butterflies * f64::from(shape.poly.networks),
            Basis::Counted,
        ),
    ];
    if shape.msm.glv_elements > 0.0 {
        let endomorphism = multiplier(library, spec)? * shape.msm.glv_elements;
        parts.push(logic("endomorphism, by multipliers", endomorphism, Basis::Estimated));
    }
    parts.extend(around_the_pairing(library, spec)?);
    let by_gates = [ChipPart::Operands, ChipPart::PointQueues, ChipPart::Transfers, ChipPart::Controllers];
    parts.push(logic(
        "operands, queues, transfers, controllers, by gates",
        Size::of_law(sum(&by_gates)),
        Basis::Estimated,
    ));
    // Banks and L2 memory of the pairing processor are among its parts above.
    let memories = [
        ChipPart::BanksAb,
        ChipPart::BanksC,
        ChipPart::TwiddleTable,
        ChipPart::TileBuffer,
        ChipPart::PointMemory,
        ChipPart::Buckets,
        ChipPart::Digits,
        ChipPart::GlobalBank,
    ];
    parts.push(memory("memories, a law", sum(&memories) + Area::of(spec).mm2(PairingPart::L1Memory)));
    Some(parts)
}
