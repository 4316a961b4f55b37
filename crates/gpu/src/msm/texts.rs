//! The texts of the kernels that work on a group's points, with what their launches and they have in common: threads,
//! and constants of the coordinate field.

use super::plan::LEVELS;
use crate::elements::{words_of, words_of_coordinate};
use crate::error::GpuError;
use crate::family::{Family, FieldTuning, modulus_of};
use crate::formulas::{self, CoordinateField};
use num_bigint::BigUint;
use pairwright_curve::Curve;
use pairwright_field::{Extension, Field, PrimeField};
use pairwright_moma::program::formula::Formula;
use pairwright_moma::program::print::{device_formula, head};
use std::fmt::Write as _;

/// Threads per block of the sums of points.
pub(super) const POINT_THREADS: u32 = 128;
const _: () = assert!(POINT_THREADS == 1 << LEVELS, "threads of a block are added up in so many levels");

/// Threads per block of the inversion: blocks of one warp are spread over all multiprocessors.
pub(super) const INVERTERS: u32 = 32;

/// The prime field of a group's coordinates.
pub(super) type Prime<C> = <<C as Curve>::Base as Extension>::Prime;

/// The element one in Montgomery form, as bytes.
pub(super) fn one<C: Curve>() -> Vec<u8> {
    let one = Prime::<C>::ONE.to_montgomery();
    one.as_ref().iter().flat_map(|limb| limb.to_le_bytes()).collect()
}

/// What inversions in the prime field of a group's coordinates take: the modulus, and the square of Montgomery's radix
/// modulo it, as bytes.
pub(super) fn inverting<C: Curve>() -> [Vec<u8>; 2] {
    let modulus = modulus_of::<Prime<C>>();
    let square = (BigUint::from(1u8) << (128 * words_of::<Prime<C>>())) % &modulus;
    [modulus, square].map(|number| {
        let mut bytes = number.to_bytes_le();
        bytes.resize(8 * words_of::<Prime<C>>(), 0);
        bytes
    })
}

/// Least number of blocks of the sums of entries that a multiprocessor runs at a time: as many as leave registers for a
/// point and the intermediate values of an addition, with few spills.
fn resident<C: Curve>() -> u32 {
    match words_of_coordinate::<C>() {
        0..=4 => 4,
        5..=6 => 3,
        _ => 2,
    }
}

/// Number of threads of a multiprocessor that sum entries at a time.
pub(super) fn threads<C: Curve>() -> u32 {
    resident::<C>() * POINT_THREADS
}

/// Least number of blocks of `halve` that a multiprocessor runs at a time: as many as leave registers for an addition
/// with few spills.
pub(super) fn resident_of_halving<C: Curve>() -> u32 {
    match words_of_coordinate::<C>() {
        0..=4 => 5,
        5..=6 => 4,
        7..=8 => 3,
        _ => 2,
    }
}

/// The texts of a group's kernels, and the constants of its coordinate field.
#[derive(Debug)]
pub(super) struct PointsText {
    /// The kernels of the sums of an MSM.
    pub(super) sums: String,
    /// The kernel of multiples of one base.
    pub(super) multiples: String,
    /// The kernel of precomputed multiples of many bases.
    pub(super) precompute: String,
    /// The kernels of halvings of a list of points.
    pub(super) halving: String,
    /// The constants of the coordinate field.
    pub(super) constants: Vec<u8>,
}

impl PointsText {
    /// The texts for a group; `None` if the kernels do not support its coordinate field.
    ///
    /// # Errors
    /// [`GpuError::Kernel`] where there are no kernels for the field.
    pub(super) fn of<C: Curve>(tuning: FieldTuning) -> Result<Option<Self>, GpuError> {
        let Some(field) = formulas::field_of::<C>() else { return Ok(None) };
        let family = Family::of::<Prime<C>>(tuning)?;
        let mut additions = head(family.element(), family.code(), family.dialect());
        // Writing to a string does not fail.
        let _ = writeln!(
            additions,
            "\nenum {{ DEGREE = {}, COORDINATE = DEGREE * WORDS, THREADS = {POINT_THREADS}, RESIDENT = {}, LEVELS = {LEVELS} }};",
            C::Base::DEGREE,
            resident::<C>()
        );
        let prefix = match field {
            CoordinateField::Prime => "pw",
            CoordinateField::Quadratic(non_residue) => {
                let _ = writeln!(additions, "#define QUADRATIC\nenum {{ NON_RESIDUE = {non_residue} }};\n");
                additions += include_str!("quadratic.cu");
                "pw2"
            }
        };
        let formula = |formula: &Formula| device_formula(formula, prefix, "COORDINATE");
        additions.extend(formulas::all().iter().map(formula));
        additions = additions + "\n" + include_str!("points.cu");
        let doublings: String = formulas::precomputing().iter().map(formula).collect();
        let inverse = include_str!("inverse.cu");
        let precompute = [&additions, inverse, &doublings, "\n", include_str!("precompute.cu")].concat();
        let pairs: String = formulas::halving().iter().map(formula).collect();
        let threads = format!(
            "\nenum {{ PAIRS_RESIDENT = {}, INVERTERS = {INVERTERS} }};\n",
            resident_of_halving::<C>()
        );
        let halving = [&additions, inverse, &pairs, &threads, include_str!("halve.cu")].concat();
        let multiples =
            [additions.as_str(), include_str!("digits.cu"), include_str!("multiples.cu")].concat();
        let sums = additions + include_str!("sums.cu");
        let constants = family.constants(&modulus_of::<Prime<C>>())?;
        Ok(Some(Self { sums, multiples, precompute, halving, constants }))
    }
}
