//! Selection of the code in lanes for the listed curves: the functions of their groups, and their Miller loops.
//!
//! Curves are compared by type, because the memory layout of a coordinate, which the lanes load, is known only for the listed
//! ones. Whether the coordinates of a listed curve fit the lanes is decided at compile time: [`OfGroup`] and [`OfPairing`] have
//! inherent constants if the field has a form in lanes and is not too wide. Otherwise a name finds the constants of the traits
//! below, which the compiler tries second.

use super::across::TowerInLanes;
use super::each::{self, GroupInLanes};
use super::inversion::InLanes;
use super::points::InRows;
use super::{abreast, across};
use crate::isa::in_lanes;
use crate::msm::routines::{Hash, Routines};
use crate::pairing::loops::Loops;
use core::any::Any;
use core::marker::PhantomData;
use pairwright_curve::hash_to_curve::HashToCurve;
use pairwright_curve::pairing::Family;
use pairwright_curve::{Curve, Pairing, for_each_curve};
use pairwright_field::PrimeField;

/// Whether the size of the modulus of a base field is supported by the lanes; see [`super::bounds`].
const fn fits<F: PrimeField>() -> bool {
    match F::BYTES {
        32 => F::BITS >= 220 && F::BITS <= 254,
        48 => F::BITS >= 376 && F::BITS <= 383,
        _ => false,
    }
}

/// The functions of a group in lanes; `None` if the group or the processor has no lanes.
pub(crate) fn routines<C: Curve>() -> Option<Routines<C>> {
    macro_rules! by_type {
        (curves { $($id:ident [$pairing:ty] $($about:literal)+;)+ } $($fixtures:tt)*) => {$(
            by_type!(group OfGroup::<<$pairing as Pairing>::G1, { fits::<<$pairing as Pairing>::Fq>() }>);
            by_type!(group OfGroup::<<$pairing as Pairing>::G2, { fits::<<$pairing as Pairing>::Fq>() }>);
        )+};
        (group $group:ty) => {
            let found = <$group>::ROUTINES.map(|found| Routines { hash: <$group>::HASH, ..found });
            if let Some(same) = (&found as &dyn Any).downcast_ref() {
                return *same;
            }
        };
    }
    if in_lanes() {
        for_each_curve!(by_type);
    }
    None
}

/// The Miller loops of a curve in lanes; `None` if the curve or the processor has no lanes.
pub(crate) fn loops<E: Pairing>() -> Option<Loops<E>> {
    macro_rules! by_type {
        (curves { $($id:ident [$pairing:ty] $($about:literal)+;)+ } $($fixtures:tt)*) => {$(
            let found = OfPairing::<$pairing, { fits::<<$pairing as Pairing>::Fq>() }>::LOOPS;
            if let Some(same) = (&found as &dyn Any).downcast_ref() {
                return *same;
            }
        )+};
    }
    if in_lanes() {
        for_each_curve!(by_type);
    }
    None
}

/// A group, and whether its coordinates fit the lanes.
struct OfGroup<C, const FITS: bool>(PhantomData<C>);

/// The functions in lanes, which [`routines`] returns only if the processor has lanes.
impl<C: GroupInLanes<Base: InLanes>> OfGroup<C, true> {
    /// The functions of the group, of which the hash is the portable one.
    const ROUTINES: Option<Routines<C>> = Some(Routines {
        // SAFETY: the processor was asked, as for all that follow.
        doubled: |points, times| unsafe { each::doubled(points, times) },
        // SAFETY: as above.
        in_subgroup: |points| unsafe { each::in_subgroup(points) },
        // SAFETY: as above.
        scale: |points, scalars| unsafe { each::scale(points, scalars) },
        // SAFETY: as above.
        scale_by_secrets: |points, scalars| unsafe { each::scale_by_secrets(points, scalars) },
        ..Routines::of::<InRows<C>>()
    });
}

/// The hash of a group with a suite, in an implementation of its own, so that it is compiled only for groups that have a suite.
impl<C: GroupInLanes + HashToCurve> OfGroup<C, true> {
    // SAFETY: as above.
    const HASH: Hash<C> = |suite, messages, dst| unsafe { each::hash(suite, messages, dst) };
}

/// The fallback for groups for which [`OfGroup`] has no inherent constants.
trait GroupWithoutLanes<C: Curve> {
    /// There is nothing, as the coordinates have no form in lanes.
    #[allow(dead_code, reason = "the listed curves all have lanes")]
    const ROUTINES: Option<Routines<C>> = None;
    /// The portable hash, one message at a time.
    const HASH: Hash<C> = Routines::plain().hash;
}
impl<C: Curve, const FITS: bool> GroupWithoutLanes<C> for OfGroup<C, FITS> {}

/// A curve, and whether its coordinates fit the lanes.
struct OfPairing<E, const FITS: bool>(PhantomData<E>);

/// The loops in lanes, which [`loops`] returns only if the processor has lanes.
impl<E: Family<Data: TowerInLanes>> OfPairing<E, true> {
    const LOOPS: Option<Loops<E>> = Some(Loops {
        // SAFETY: the processor was asked, as for all that follow.
        abreast: Some(|pairs| unsafe { abreast::miller::<E>(pairs) }),
        // SAFETY: as above.
        shared: |pairs| unsafe { across::miller::<E>(pairs) },
        // SAFETY: as above.
        final_exponentiation: |f| unsafe { across::final_exponentiation::<E>(f) },
    });
}

/// The fallback for curves for which [`OfPairing`] has no inherent constant.
#[allow(dead_code, reason = "the listed curves all have lanes")]
trait PairingWithoutLanes<E: Pairing> {
    /// There is nothing, as the curve has no lanes.
    const LOOPS: Option<Loops<E>> = None;
}
impl<E: Pairing, const FITS: bool> PairingWithoutLanes<E> for OfPairing<E, FITS> {}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::{bls12_377, bls12_381, bn254};

    /// Whether a curve has functions and loops in lanes, queried as for a listed curve, or with a given answer of [`fits`]. What is
    /// only looked at while the program is compiled is not itself compiled for these tests.
    macro_rules! has_lanes {
        (group $group:ty) => {
            const { <$group>::ROUTINES.is_some() }
        };
        ($pairing:ty, $fits:expr) => {
            [
                has_lanes!(group OfGroup::<<$pairing as Pairing>::G1, { $fits }>),
                has_lanes!(group OfGroup::<<$pairing as Pairing>::G2, { $fits }>),
                const { OfPairing::<$pairing, { $fits }>::LOOPS.is_some() },
            ]
        };
    }

    #[test]
    fn the_listed_curves_have_lanes() {
        assert_eq!(has_lanes!(bn254::Bn254, fits::<bn254::Fq>()), [true; 3]);
        assert_eq!(has_lanes!(bls12_381::Bls12_381, fits::<bls12_381::Fq>()), [true; 3]);
        assert_eq!(has_lanes!(bls12_377::Bls12_377, fits::<bls12_377::Fq>()), [true; 3]);
    }

    /// A listed curve over one limb, or one whose field is declared too wide, would have no lanes.
    #[test]
    fn a_curve_that_does_not_fit_the_lanes_goes_without() {
        macro_rules! fixtures {
            (curves $curves:tt fixtures { $($id:ident [$pairing:ty] $($about:literal)+;)+ }) => {$(
                assert_eq!(has_lanes!($pairing, fits::<<$pairing as Pairing>::Fq>()), [false; 3]);
                assert_eq!(has_lanes!($pairing, true), [false; 3]);
            )+};
        }
        for_each_curve!(fixtures);
        assert_eq!(has_lanes!(bn254::Bn254, false), [false; 3]);
        // This field has 255 bits in four limbs.
        assert!(!fits::<bls12_381::Fr>());
    }
}
