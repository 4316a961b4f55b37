//! The choice of Miller loops and of the final exponentiation: in lanes where the processor has them.

use super::argument::Argument;
use pairwright_curve::{G1Affine, G2Affine, Pairing};
use std::borrow::Cow;

/// A loop over plain pairs.
pub(super) type OverPairs<E> = fn(&[(G1Affine<E>, G2Affine<E>)]) -> <E as Pairing>::Gt;

/// How products of pairings are computed.
pub(super) struct Loops<E: Pairing> {
    /// The product of the Miller loops of many pairs, eight at a time, up to a factor that the final exponentiation
    /// removes; only in lanes.
    pub(super) abreast: Option<OverPairs<E>>,
    /// The product of the Miller loops of some pairs, which share their squarings, up to such a factor.
    pub(super) shared: fn(&[(G1Affine<E>, Argument<'_, E>)]) -> E::Gt,
    /// The final exponentiation; `None` for zero.
    pub(super) final_exponentiation: fn(&E::Gt) -> Option<E::Gt>,
}

impl<E: Pairing> Loops<E> {
    /// Those of the curve's own, one value at a time.
    pub(super) fn portable() -> Self {
        Self { abreast: None, shared: in_turn::<E>, final_exponentiation: E::final_exponentiation }
    }

    /// Those in lanes, or the portable ones if the curve or the processor has no lanes.
    ///
    /// Curves are compared by type: only of the listed ones do we know the limbs of a coordinate, which the lanes load.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn of_this_processor() -> Self {
        use crate::isa::in_lanes;
        use core::any::Any;
        use pairwright_curve::for_each_curve;

        macro_rules! by_type {
            (curves { $($id:ident [$pairing:ty] $($about:literal)+;)+ } $($fixtures:tt)*) => {$(
                let found: Loops<$pairing> = in_lanes::loops();
                if let Some(same) = (&found as &dyn Any).downcast_ref::<Self>() {
                    return if in_lanes() { Self { ..*same } } else { Self::portable() };
                }
            )+};
        }
        for_each_curve!(by_type);
        Self::portable()
    }

    /// The portable ones: this target has no lanes.
    #[cfg(not(target_arch = "x86_64"))]
    pub(super) fn of_this_processor() -> Self {
        Self::portable()
    }
}

/// The curve's own loop, over lines that are computed first.
fn in_turn<E: Pairing>(pairs: &[(G1Affine<E>, Argument<'_, E>)]) -> E::Gt {
    let prepared: Vec<_> = pairs
        .iter()
        .map(|(p, argument)| match argument {
            Argument::Point(q) => (*p, Cow::Owned(E::prepare_g2(q))),
            Argument::Lines(lines) => (*p, Cow::Borrowed(*lines)),
        })
        .collect();
    let refs: Vec<_> = prepared.iter().map(|(p, q)| (*p, &**q)).collect();
    E::multi_miller_loop(&refs)
}

/// Functions that may be called only where the processor has lanes.
#[cfg(target_arch = "x86_64")]
mod in_lanes {
    use super::{Argument, Loops};
    use crate::lanes::{abreast, across};
    use pairwright_curve::pairing::{Family, Fq12};
    use pairwright_curve::{G1Affine, G2Affine};

    /// The loops in lanes, of which [`Loops::of_this_processor`] asks the processor before it hands them out.
    pub(super) fn loops<E: Family<Data: across::TowerInLanes>>() -> Loops<E> {
        Loops {
            abreast: Some(abreast::<E>),
            shared: shared::<E>,
            final_exponentiation: final_exponentiation::<E>,
        }
    }

    fn abreast<E: Family<Data: across::TowerInLanes>>(pairs: &[(G1Affine<E>, G2Affine<E>)]) -> Fq12<E::Data> {
        // SAFETY: the processor was asked, see `loops`.
        unsafe { abreast::miller::<E>(pairs) }
    }

    fn shared<E: Family<Data: across::TowerInLanes>>(
        pairs: &[(G1Affine<E>, Argument<'_, E>)],
    ) -> Fq12<E::Data> {
        // SAFETY: as above.
        unsafe { across::miller::<E>(pairs) }
    }

    fn final_exponentiation<E: Family<Data: across::TowerInLanes>>(
        f: &Fq12<E::Data>,
    ) -> Option<Fq12<E::Data>> {
        // SAFETY: as above.
        unsafe { across::final_exponentiation::<E>(f) }
    }
}
