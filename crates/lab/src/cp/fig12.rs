//! Figure 12: the savings by sharing one configurable multiplier and one set of banks, counted in elements and in
//! words.

use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::Kind;
use pairwright_chip::MachineSpec;
use pairwright_chip::isa::Group;
use pairwright_chip::power::{ChipShape, PAIRING_PES};
use pairwright_chip::spec::FP_PRODUCTS;
use pairwright_sim::tech::montgomery_bit_products;

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    context.begin("cp/fig12", 1);
    context.step("counts");
    let spec = MachineSpec::paper();
    let shape = ChipShape::of(&spec);
    // Elements of 384 bits that each operator would need by itself; a multiplier of 256 bits counts as a fraction of
    // one.
    let narrow = montgomery_bit_products(256) / montgomery_bit_products(384);
    let pairing = f64::from(PAIRING_PES);
    let transforms = narrow * f64::from(shape.poly.butterflies);
    let (shared, msm) = (f64::from(shape.elements), f64::from(shape.msm.elements));
    for (series, g2, note) in [
        (
            "iterative multipliers for G2",
            msm,
            "four pairing elements, eight butterflies of 256 bits, twelve elements for G1, and twelve that hold four iterative \
             multipliers each for G2; by the area of multipliers alone",
        ),
        (
            "pipelined multipliers for G2",
            f64::from(FP_PRODUCTS) * msm,
            "the same with forty-eight pipelined elements for G2",
        ),
    ] {
        let key = "area of separate datapaths over the shared one";
        let ratio = (pairing + transforms + msm + g2) / shared;
        outcome.answer(key, "all operators", series, ratio, note).kind = Some(Kind::Estimated);
    }
    // A point of G1 takes a word of each of the three banks of a set, which have 1,024 words; a point of G2 takes two.
    let poly = &shape.poly;
    let set = u64::from(2 * poly.ab_banks * poly.ab_words + poly.c_banks * poly.c_words);
    let (g1, g2) = (set, set);
    let ratio = (set + g1 + g2) as f64 / set as f64;
    let note = format!(
        "three sets of {set} words of 256 bits, for polynomials, 1,024 points of G1 and 512 of G2, over one: by construction"
    );
    outcome
        .answer("point memory of its own over rearranged banks", "G1 and G2 MSM", "model", ratio, &note)
        .kind = Some(Kind::Estimated);
    let products = |group| spec.msm.accumulation(group).products;
    let ratio = f64::from(FP_PRODUCTS * products(Group::G2)) / f64::from(products(Group::G1));
    let note = "twelve products in Fp2 of four in Fp each, over twelve in Fp, by the schoolbook";
    outcome.answer("products of an addition in G2 over one in G1", "PADD", "model", ratio, note);
    Ok(outcome)
}
