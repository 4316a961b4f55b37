//! Products of pairings: Miller loops in parallel, then one final exponentiation. In lanes, eight loops run at once, one per lane,
//! while there are enough pairs; the remaining pairs and the final exponentiation are computed one at a time across the lanes.

pub(crate) mod argument;
pub(crate) mod loops;

use crate::lanes;
use crate::{NAME, bytes_of};
use argument::Argument;
use loops::{LoopOverPairs, Loops};
use pairwright_curve::{G1Affine, G2Affine, Pairing};
use pairwright_device::{DeviceError, Done, FixedG2, OpCount, PairingOp, Traffic, parallel, timed};
use pairwright_field::Field;

/// Number of pairs that one loop in lanes computes, one per lane.
const ABREAST: usize = 8;
/// Largest number of pairs beyond a multiple of [`ABREAST`] that are computed across the lanes; for more, a loop with one pair per
/// lane is faster.
const ACROSS: usize = 5;

/// The pairing operators of the host device.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pairings;

/// A part of a product that one thread computes.
enum PairShare<'a, E: Pairing> {
    /// Pairs for loops with one pair per lane, and the function that runs them.
    Abreast(LoopOverPairs<E>, &'a [(G1Affine<E>, G2Affine<E>)]),
    /// Pairs for one loop whose squarings they share.
    Shared(&'a [(G1Affine<E>, Argument<'a, E>)]),
}

impl<E: Pairing> PairingOp<E> for Pairings {
    fn multi_pairing(&self, pairs: &[(G1Affine<E>, G2Affine<E>)]) -> Done<E::Gt> {
        PairingOp::<E>::multi_pairing_fixed(self, pairs, &[])
    }

    fn multi_pairing_fixed(
        &self,
        pairs: &[(G1Affine<E>, G2Affine<E>)],
        fixed: &[(G1Affine<E>, &FixedG2<E>)],
    ) -> Done<E::Gt> {
        let n = pairs.len() + fixed.len();
        let bytes =
            Traffic { read: bytes_of::<(G1Affine<E>, G2Affine<E>)>(n), written: bytes_of::<E::Gt>(1) };
        let (product, cost) = timed(NAME, bytes, OpCount::default(), || {
            product(&lanes::dispatch::loops().unwrap_or_else(Loops::portable), pairs, fixed)
        });
        Ok((product.ok_or(DeviceError::ZeroMillerLoop)?, cost))
    }
}

/// The product of the pairings; `None` if that of the Miller loops is zero.
fn product<E: Pairing>(
    loops: &Loops<E>,
    pairs: &[(G1Affine<E>, G2Affine<E>)],
    fixed: &[(G1Affine<E>, &FixedG2<E>)],
) -> Option<E::Gt> {
    let threads = rayon::current_num_threads();
    let beside = pairs.len() % ABREAST;
    let (abreast, rest) = match loops.abreast {
        None => (None, pairs),
        Some(run) => {
            let (abreast, rest) =
                pairs.split_at(if beside > ACROSS { pairs.len() } else { pairs.len() - beside });
            (Some((run, abreast)).filter(|_| !abreast.is_empty()), rest)
        }
    };
    // The cheap pairs with prepared lines come first, so that if they fill a loop, a pair without them has the next loop to itself.
    let fixed = fixed.iter().map(|(p, q)| (*p, Argument::Lines(q.lines())));
    let shared: Vec<_> = fixed.chain(rest.iter().map(|(p, q)| (*p, Argument::Point(*q)))).collect();
    // A loop over many pairs shares its squarings, so there are no more loops than threads.
    let of_one = if abreast.is_none() { shared.len().div_ceil(threads).max(1) } else { shared.len().max(1) };
    let mut parts = Vec::new();
    if let Some((run, pairs)) = abreast {
        let groups = pairs.len().div_ceil(ABREAST).div_ceil(threads);
        parts.extend(pairs.chunks(ABREAST * groups).map(|pairs| PairShare::Abreast(run, pairs)));
    }
    parts.extend(shared.chunks(of_one).map(PairShare::Shared));
    let miller = parallel::map(parts, |_, part| match part {
        PairShare::Abreast(run, pairs) => run(pairs),
        PairShare::Shared(pairs) => (loops.shared)(pairs),
    });
    let miller = miller.into_iter().reduce(|a, b| a * b).unwrap_or(E::Gt::ONE);
    (loops.final_exponentiation)(&miller)
}
