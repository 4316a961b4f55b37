//! Products of pairings: Miller loops in parallel, one final exponentiation.

use crate::{NAME, bytes_of};
use pairwright_curve::{G1Affine, G2Affine, Pairing};
use pairwright_device::{DeviceError, Done, FixedG2, OpCount, PairingOp, Traffic, timed};
use pairwright_field::Field;
use rayon::prelude::*;
use std::borrow::Cow;

/// The pairing of the host device.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pairings;

/// A factor of a product.
enum Factor<'a, E: Pairing> {
    /// The line coefficients are there.
    Fixed(G1Affine<E>, &'a FixedG2<E>),
    /// They have to be computed.
    Plain(&'a (G1Affine<E>, G2Affine<E>)),
}

impl<'a, E: Pairing> Factor<'a, E> {
    fn prepare(&self) -> (G1Affine<E>, Cow<'a, E::G2Prepared>) {
        match self {
            Self::Fixed(p, q) => (*p, Cow::Borrowed(q.lines())),
            Self::Plain((p, q)) => (*p, Cow::Owned(E::prepare_g2(q))),
        }
    }
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
            // The cheap factors first: where they fill a loop, a plain one has the next to itself.
            let fixed = fixed.iter().map(|(p, q)| Factor::Fixed(*p, q));
            let factors: Vec<_> = fixed.chain(pairs.iter().map(Factor::Plain)).collect();
            // A loop over many pairs shares its squarings, so there are no more loops than threads.
            let chunk = n.div_ceil(rayon::current_num_threads()).max(1);
            let miller = factors
                .par_chunks(chunk)
                .map(|factors| {
                    let prepared: Vec<_> = factors.iter().map(Factor::prepare).collect();
                    let refs: Vec<_> = prepared.iter().map(|(p, q)| (*p, &**q)).collect();
                    E::multi_miller_loop(&refs)
                })
                .reduce(|| E::Gt::ONE, |a, b| a * b);
            E::final_exponentiation(&miller)
        });
        Ok((product.ok_or(DeviceError::ZeroMillerLoop)?, cost))
    }
}
