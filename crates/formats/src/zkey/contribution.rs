//! Contributions to a key and their record (section 10), as snarkjs makes and verifies them.
//!
//! A contributor multiplies δ by a secret factor x and proves to know it: for a point s of G1 of their choice they
//! publish s, x·s and x·p, where p in G2 is derived from a transcript hash of everything before, so that nobody can
//! have prepared for it. `snarkjs zkey verify` follows the chain of records from δ = 1.

use super::Contributions;
use super::circuit_hash::Hasher;
use crate::ceremony::{challenge_point_vartime, cut};
use crate::points::push_point;
use alloc::vec::Vec;
use blake2::{Blake2b512, Digest};
use pairwright_curve::{Pairing, Projective};
use pairwright_field::Field;
use pairwright_protocols::groth16::ProvingKey;
use rand_core::CryptoRng;

impl Contributions {
    /// The record of the first contribution to a key: `key` is the key after it, `factor` the secret that δ was
    /// multiplied by, `circuit_hash` that of the initial key ([`super::circuit_hash`]). Products with the secret run
    /// in time independent of it. The name, cut to 64 bytes, may be empty. `rng` picks the point s.
    pub fn first<E: Pairing>(
        circuit_hash: [u8; 64],
        key: &ProvingKey<E>,
        factor: &E::Fr,
        name: &str,
        rng: &mut dyn CryptoRng,
    ) -> Self {
        let s = Projective::<E::G1>::generator().mul(&E::Fr::random(rng));
        let (s, sx) = (s.to_affine(), s.mul(factor).to_affine());
        let mut transcript = Hasher(Blake2b512::new_with_prefix(circuit_hash));
        transcript.points(&[s, sx]);
        let transcript: [u8; 64] = transcript.0.finalize().into();
        let px = Projective::from(challenge_point_vartime::<E::G2>(&transcript)).mul(factor).to_affine();

        let mut records = Vec::new();
        push_point(&mut records, &key.delta_g1);
        push_point(&mut records, &s);
        push_point(&mut records, &sx);
        push_point(&mut records, &px);
        records.extend(transcript);
        // Type 0: a contribution (1 would be a beacon). Parameters: number 1 is the name.
        records.extend(0u32.to_le_bytes());
        let name = cut(name);
        let parameters: Vec<u8> = match u8::try_from(name.len()) {
            Ok(len) if len > 0 => [1, len].into_iter().chain(name.bytes()).collect(),
            _ => Vec::new(),
        };
        // At most 66.
        records.extend(u32::try_from(parameters.len()).unwrap_or(0).to_le_bytes());
        records.extend(parameters);
        Self { circuit_hash, count: 1, records }
    }
}
