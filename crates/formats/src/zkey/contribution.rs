//! Contributions to a key and their record (section 10), as snarkjs makes and verifies them.
//!
//! A contributor multiplies δ by a secret factor x and proves to know it: for a point s of G1 of their choice they
//! publish s, x·s and x·p, where p in G2 is derived from a transcript hash of everything before, so that nobody can
//! have prepared for it. `snarkjs zkey verify` follows the chain of records from δ = 1.

use super::Contributions;
use super::circuit_hash::Hasher;
use crate::points::push_point;
use alloc::vec::Vec;
use blake2::{Blake2b512, Digest};
use core::ops::Neg;
use pairwright_curve::{Affine, Curve, Pairing, Projective};
use pairwright_field::{Extension, Field, PrimeField, Ring, Sqrt};
use pairwright_protocols::groth16::ProvingKey;
use rand_chacha::ChaCha20Rng;
use rand_core::{CryptoRng, Rng, SeedableRng};

/// Bytes of a contributor's name that a record holds at most.
const NAME: usize = 64;

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

/// The beginning of a name, whole characters.
fn cut(name: &str) -> &str {
    let end = (0..=NAME).rev().find(|end| name.is_char_boundary(*end)).unwrap_or(0);
    name.get(..end).unwrap_or(name)
}

/// The point that a transcript hash stands for: coordinates and a sign drawn from ChaCha20 keyed with its first 32
/// bytes (words big-endian) until they give a point of the curve, then multiplied by the cofactor. Variable time.
pub fn challenge_point_vartime<C: Curve>(transcript: &[u8; 64]) -> Affine<C> {
    let mut seed = [0; 32];
    for (to, from) in seed.chunks_exact_mut(4).zip(transcript.chunks_exact(4)) {
        to.iter_mut().zip(from.iter().rev()).for_each(|(t, f)| *t = *f);
    }
    let mut stream = ChaCha20Rng::from_seed(seed);
    loop {
        let coords: Vec<_> = (0..C::Base::DEGREE).map(|_| draw(&mut stream)).collect();
        let x = C::Base::from_coords(&coords);
        let negative = stream.next_u32() & 1 == 1;
        if let Some(y) = right_side::<C>(x).sqrt_vartime() {
            let y = if is_negative(&y) == negative { y } else { y.neg() };
            return Affine::from_xy_unchecked(x, y).to_jacobian().mul_limbs_vartime(C::COFACTOR).to_affine();
        }
    }
}

/// `x³ + b`.
#[allow(clippy::arithmetic_side_effects)] // Arithmetic of a field: nothing overflows.
fn right_side<C: Curve>(x: C::Base) -> C::Base {
    x.square() * x + C::B
}

/// The element whose *Montgomery form* is drawn: limbs from the lowest, the upper word of a limb first, cut to the
/// bits of the modulus, until the number is below it.
fn draw<F: PrimeField>(stream: &mut ChaCha20Rng) -> F {
    loop {
        let mut limbs = F::Limbs::default();
        let mut bits = F::BITS;
        for limb in limbs.as_mut() {
            let (high, low) = (stream.next_u32(), stream.next_u32());
            *limb = u64::from(high) << 32 | u64::from(low);
            if bits < 64 {
                *limb &= u64::MAX.unbounded_shl(bits) ^ u64::MAX;
            }
            bits = bits.saturating_sub(64);
        }
        if let Some(x) = F::from_montgomery(limbs) {
            return x;
        }
    }
}

/// Whether the highest non-zero coordinate is the larger of the two of its size.
fn is_negative<F: Extension>(x: &F) -> bool {
    let coords = (0..F::DEGREE).rev().map(|i| x.coord(i));
    coords.into_iter().find(|c| !c.is_zero()).is_some_and(|c| c > c.neg())
}
