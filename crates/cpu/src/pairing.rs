//! Products of pairings: Miller loops in parallel, one final exponentiation. In lanes, eight loops abreast while there are
//! enough pairs, the rest one by one across the lanes, and the exponentiation across them too.

pub(crate) mod argument;
mod loops;

use crate::{NAME, bytes_of};
use argument::Argument;
use loops::Loops;
use pairwright_curve::{G1Affine, G2Affine, Pairing};
use pairwright_device::{DeviceError, Done, FixedG2, OpCount, PairingOp, Traffic, parallel, timed};
use pairwright_field::Field;

/// Pairs of a loop abreast.
const ABREAST: usize = 8;
/// Most pairs beyond a multiple of [`ABREAST`] that go across the lanes; for more a loop abreast is faster.
const ACROSS: usize = 5;

/// The pairing of the host device.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pairings;

/// A part of a product that one thread computes.
enum Part<'a, E: Pairing> {
    /// Pairs for loops abreast.
    Abreast(&'a [(G1Affine<E>, G2Affine<E>)]),
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
        let (product, cost) =
            timed(NAME, bytes, OpCount::default(), || product(&Loops::of_this_processor(), pairs, fixed));
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
        None => pairs.split_at(0),
        Some(_) if beside > ACROSS => pairs.split_at(pairs.len()),
        Some(_) => pairs.split_at(pairs.len() - beside),
    };
    // The cheap factors first: where they fill a loop, a plain one has the next to itself.
    let fixed = fixed.iter().map(|(p, q)| (*p, Argument::Lines(q.lines())));
    let shared: Vec<_> = fixed.chain(rest.iter().map(|(p, q)| (*p, Argument::Point(*q)))).collect();
    // A loop over many pairs shares its squarings, so there are no more loops than threads.
    let groups = abreast.len().div_ceil(ABREAST).div_ceil(threads).max(1);
    let of_one = if abreast.is_empty() { shared.len().div_ceil(threads).max(1) } else { shared.len().max(1) };
    let parts: Vec<_> = abreast
        .chunks(ABREAST * groups)
        .map(Part::Abreast)
        .chain(shared.chunks(of_one).map(Part::Shared))
        .collect();
    let miller = parallel::map(parts, |_, part| match (part, loops.abreast) {
        (Part::Abreast(pairs), Some(abreast)) => abreast(pairs),
        (Part::Abreast(_), None) => E::Gt::ONE,
        (Part::Shared(pairs), _) => (loops.shared)(pairs),
    });
    let miller = miller.into_iter().reduce(|a, b| a * b).unwrap_or(E::Gt::ONE);
    (loops.final_exponentiation)(&miller)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::{Affine, bls12_377, bls12_381, bn254};
    use pairwright_testkit::conformance::known_points;

    /// Any number of pairs of both kinds, on one to three threads: the same product in lanes and without.
    fn both_are_right<E: Pairing>() {
        let (mut p, _) = known_points::<E::G1>(27, 5);
        let (mut q, _) = known_points::<E::G2>(27, 6);
        (p[4], q[7]) = (Affine::INFINITY, Affine::INFINITY);
        let fixed: Vec<_> = q.iter().map(|q| FixedG2::<E>::new(*q)).collect();
        for (plain, prepared) in [(0, 0), (1, 0), (0, 1), (1, 2), (5, 1), (6, 0), (8, 3), (13, 2), (22, 5)] {
            let pairs: Vec<_> = p.iter().copied().zip(q.iter().copied()).take(plain).collect();
            let of_fixed: Vec<_> = p.iter().copied().zip(&fixed).skip(plain).take(prepared).collect();
            let want = E::multi_pairing(&FixedG2::all_plain(&pairs, &of_fixed));
            for threads in 1..=3 {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                for loops in [Loops::of_this_processor(), Loops::portable()] {
                    let got = pool.install(|| product::<E>(&loops, &pairs, &of_fixed));
                    assert_eq!(got, Some(want), "{plain} and {prepared} pairs, {threads} threads");
                }
            }
        }
    }

    #[test]
    fn products_of_bn254() {
        both_are_right::<bn254::Bn254>();
    }
    #[test]
    fn products_of_bls12_381() {
        both_are_right::<bls12_381::Bls12_381>();
    }
    #[test]
    fn products_of_bls12_377() {
        both_are_right::<bls12_377::Bls12_377>();
    }
}
