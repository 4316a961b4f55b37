//! Products of pairings: Miller loops in parallel, one final exponentiation.

use crate::{NAME, bytes_of};
use pairwright_curve::{G1Affine, G2Affine, Pairing};
use pairwright_device::{Done, OpCount, PairingOp, Traffic, timed};
use pairwright_field::Field;
use rayon::prelude::*;

/// The pairing of the host device.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pairings;

impl<E: Pairing> PairingOp<E> for Pairings {
    fn multi_pairing(&self, pairs: &[(G1Affine<E>, G2Affine<E>)]) -> Done<E::Gt> {
        let bytes = Traffic {
            read: bytes_of::<(G1Affine<E>, G2Affine<E>)>(pairs.len()),
            written: bytes_of::<E::Gt>(1),
        };
        Ok(timed(NAME, bytes, OpCount::default(), || {
            // A loop over many pairs shares its squarings, so there are no more loops than threads.
            let chunk = pairs.len().div_ceil(rayon::current_num_threads()).max(1);
            let miller = pairs
                .par_chunks(chunk)
                .map(|pairs| {
                    let prepared: Vec<_> = pairs.iter().map(|(p, q)| (*p, E::prepare_g2(q))).collect();
                    let refs: Vec<_> = prepared.iter().map(|(p, q)| (*p, q)).collect();
                    E::multi_miller_loop(&refs)
                })
                .reduce(|| E::Gt::ONE, |a, b| a * b);
            // A Miller value is never zero: every line is a non-zero element.
            E::final_exponentiation(&miller).unwrap_or(E::Gt::ONE)
        }))
    }
}
