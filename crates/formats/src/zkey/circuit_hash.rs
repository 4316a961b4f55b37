//! The hash of a circuit and its initial key by which snarkjs recognises a ceremony (section 10, first 64 bytes).
//!
//! BLAKE2b-512 over: α, β in G1, β in G2, γ in G2, δ in G1, δ in G2 of the initial key (`γ = δ = 1`), then five lists, each
//! preceded by its length as a big-endian u32: IC, the powers for H, C, A, B in G1, B in G2. Points are uncompressed: canonical
//! big-endian coordinates, the upper coefficient of a quadratic extension first, infinity all zeros. Instead of H the
//! differences `τ^(N+i) - τ^i` are hashed, from which anybody can compute H.

use super::past_end::difference_past_end;
use crate::FormatError;
use crate::ceremony::record::push_uncompressed;
use crate::container::count_u32;
use crate::sizes::chunks;
use alloc::vec::Vec;
use blake2::{Blake2b512, Digest};
use core::ops::Neg;
use pairwright_curve::{Affine, Curve, Pairing, batch_to_affine};
use pairwright_device::parallel;
use pairwright_poly::Source;
use pairwright_protocols::groth16::{PowersOfTau, ProvingKey};

/// Number of points hashed at a time.
const CHUNK: usize = 1 << 14;
/// Number of points that one task encodes.
const PIECE: usize = 1 << 10;

/// The hash of a circuit and its initial key, as `snarkjs groth16 setup` computes it from the same powers.
///
/// `past_end` is the part of the powers' file after the section of tauG1. For domains of `2^15` points and more, snarkjs hashes
/// one difference too many; if the powers end there, it decodes the following bytes of the file as a point. `past_end` is used
/// in that case only; missing bytes count as zero.
///
/// # Errors
/// When a source cannot be read or a count does not fit the format.
pub fn circuit_hash<E: Pairing>(
    initial: &ProvingKey<E>,
    powers: &dyn PowersOfTau<E>,
    past_end: &[u8],
) -> Result<[u8; 64], FormatError> {
    let mut hash = Hasher::begin(initial, powers, past_end)?;
    hash.list("wires", initial.c.as_ref())?;
    hash.list("wires", initial.a.as_ref())?;
    hash.list("wires", initial.b_g1.as_ref())?;
    hash.list("wires", initial.b_g2.as_ref())?;
    Ok(hash.0.finalize().into())
}

/// A BLAKE2b-512 hash of points and lengths.
pub(super) struct Hasher(pub(super) Blake2b512);

impl Hasher {
    /// Hashes the items before the sections C, A and B: the single points, IC, and the differences of powers.
    pub(super) fn begin<E: Pairing>(
        initial: &ProvingKey<E>,
        powers: &dyn PowersOfTau<E>,
        past_end: &[u8],
    ) -> Result<Self, FormatError> {
        let mut hash = Self(Blake2b512::new());
        hash.points(&[initial.vk.alpha_g1, initial.beta_g1]);
        hash.points(&[initial.vk.beta_g2, initial.vk.gamma_g2]);
        hash.points(&[initial.delta_g1]);
        hash.points(&[initial.vk.delta_g2]);
        hash.list("public values", &initial.vk.ic)?;
        hash.differences(powers.tau_g1(), initial.domain.size(), past_end)?;
        Ok(hash)
    }

    pub(super) fn points<C: Curve>(&mut self, points: &[Affine<C>]) {
        let parts = parallel::map(points.chunks(PIECE), |_, piece| {
            let mut bytes = Vec::new();
            piece.iter().for_each(|p| push_uncompressed(&mut bytes, p));
            bytes
        });
        parts.iter().for_each(|bytes| self.0.update(bytes));
    }

    pub(super) fn length(&mut self, what: &'static str, n: usize) -> Result<(), FormatError> {
        self.0.update(count_u32(what, n)?.to_be_bytes());
        Ok(())
    }

    fn list<C: Curve>(
        &mut self,
        what: &'static str,
        source: &dyn Source<Affine<C>>,
    ) -> Result<(), FormatError> {
        self.length(what, source.len())?;
        let mut points = Vec::new();
        for range in chunks(source.len(), CHUNK) {
            points.clear();
            source.read(range, &mut points)?;
            self.points(&points);
        }
        Ok(())
    }

    /// Hashes `τ^(n+i) - τ^i` for `i < n - 1`, preceded by that length. snarkjs computes them in whole chunks, so that from two
    /// chunks on one more difference is hashed than the length states.
    fn differences<C: Curve>(
        &mut self,
        tau: &dyn Source<Affine<C>>,
        n: usize,
        past_end: &[u8],
    ) -> Result<(), FormatError> {
        let wanted = n.saturating_sub(1);
        self.length("points of the domain", wanted)?;
        let taken = if wanted > CHUNK { n } else { wanted };
        let there = taken.min(tau.len().saturating_sub(n));
        let (mut low, mut high) = (Vec::new(), Vec::new());
        for range in chunks(there, CHUNK) {
            low.clear();
            high.clear();
            tau.read(range.clone(), &mut low)?;
            tau.read(range.start.saturating_add(n)..range.end.saturating_add(n), &mut high)?;
            let parts = parallel::map(low.chunks(PIECE).zip(high.chunks(PIECE)), |_, (low, high)| {
                let differences = low.iter().zip(high).map(|(l, h)| h.to_jacobian().add_mixed(&l.neg()));
                batch_to_affine(&differences.collect::<Vec<_>>())
            });
            parts.iter().for_each(|points| self.points(points));
        }
        if there < taken {
            low.clear();
            tau.read(there..taken, &mut low)?;
            let points: Vec<Affine<C>> = low.iter().map(|l| difference_past_end(past_end, l)).collect();
            self.points(&points);
        }
        Ok(())
    }
}
