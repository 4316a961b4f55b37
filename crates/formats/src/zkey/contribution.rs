//! Contributions to a key and their records (section 10), as snarkjs makes and verifies them.
//!
//! A contributor multiplies δ by a secret factor x and proves knowledge of it: for a point s of G1 of their choice they publish
//! s, x·s and x·p, where the point p of G2 is derived from a transcript hash of all earlier records, s and x·s, so that nobody
//! can prepare x·p without knowing x. The chain of records leads from δ = 1 to the key's δ.

use super::{CeremonyError, Contributions, Origin, ZkeyFile};
use crate::FormatError;
use crate::ceremony::draws::{draw, draw_point_vartime, stream};
use crate::ceremony::record::{point, point_by, push_parameters, push_uncompressed, read_parameters};
use crate::ceremony::{Beacon, Contributor, challenge_point_vartime, cut};
use crate::container::{Cursor, widen};
use crate::points::{decode_uncompressed, push_point};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use blake2::{Blake2b512, Digest};
use pairwright_curve::{Affine, G1Affine, G2Affine, Pairing, Projective};
use pairwright_device::Session;
use pairwright_field::Field;
use pairwright_protocols::groth16::{ProvingKey, contribute, division_plan};
use rand_core::CryptoRng;
use zeroize::Zeroizing;

/// The public description of a contribution to a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyContribution {
    /// The contributor's name, which may be empty.
    pub name: String,
    /// The beacon, if the contribution was made with one.
    pub beacon: Option<Beacon>,
    /// The hash of the contribution, which a contributor can publish.
    pub hash: [u8; 64],
}

/// The decoded record of one contribution.
#[derive(Clone, Debug)]
pub(super) struct KeyRecord<E: Pairing> {
    /// δ in G1 after the contribution.
    pub(super) delta: G1Affine<E>,
    pub(super) s: G1Affine<E>,
    pub(super) sx: G1Affine<E>,
    pub(super) px: G2Affine<E>,
    pub(super) transcript: [u8; 64],
    pub(super) name: String,
    pub(super) beacon: Option<Beacon>,
}

/// Draws the factor of a contribution from the contributor's seed, and the point s of its proof of knowledge.
pub(super) fn draw_factor<E: Pairing>(by: &Contributor) -> (Zeroizing<E::Fr>, G1Affine<E>) {
    let mut stream = stream(&by.seed());
    let factor = Zeroizing::new(draw::<E::Fr>(&mut stream));
    (factor, draw_point_vartime::<E::G1>(&mut stream))
}

/// The transcript hash of a contribution: over the circuit's hash, all earlier records, s and `x·s`.
pub(super) fn transcript<E: Pairing>(
    circuit_hash: &[u8; 64],
    before: &[KeyRecord<E>],
    [s, sx]: [&G1Affine<E>; 2],
) -> [u8; 64] {
    let mut bytes = circuit_hash.to_vec();
    before.iter().for_each(|record| record.push_hashed(&mut bytes));
    push_uncompressed(&mut bytes, s);
    push_uncompressed(&mut bytes, sx);
    Blake2b512::digest(&bytes).into()
}

impl<E: Pairing> KeyRecord<E> {
    /// Makes the record of a contribution with this factor; `delta` is δ in G1 after it. Multiplications by the factor take a
    /// time that does not depend on it.
    pub(super) fn new(
        circuit_hash: &[u8; 64],
        before: &[Self],
        (factor, s): (&E::Fr, G1Affine<E>),
        delta: G1Affine<E>,
        name: &str,
        beacon: Option<Beacon>,
    ) -> Self {
        let sx = Projective::from(s).mul(factor).to_affine();
        let transcript = transcript(circuit_hash, before, [&s, &sx]);
        let p = challenge_point_vartime::<E::G2>(&transcript);
        let px = Projective::from(p).mul(factor).to_affine();
        Self { delta, s, sx, px, transcript, name: cut(name).to_owned(), beacon }
    }

    /// Appends the part of the record that is hashed.
    pub(super) fn push_hashed(&self, out: &mut Vec<u8>) {
        push_uncompressed(out, &self.delta);
        push_uncompressed(out, &self.s);
        push_uncompressed(out, &self.sx);
        push_uncompressed(out, &self.px);
        out.extend(self.transcript);
    }

    /// Appends the record.
    pub(super) fn push(&self, out: &mut Vec<u8>) {
        push_point(out, &self.delta);
        push_point(out, &self.s);
        push_point(out, &self.sx);
        push_point(out, &self.px);
        out.extend(self.transcript);
        push_parameters(out, &self.name, self.beacon.as_ref());
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, FormatError> {
        let delta = point::<E::G1>(cursor)?;
        let s = point::<E::G1>(cursor)?;
        let sx = point::<E::G1>(cursor)?;
        let px = point::<E::G2>(cursor)?;
        let transcript = cursor.array::<64>("a hash")?;
        let (name, beacon) = read_parameters(cursor)?;
        Ok(Self { delta, s, sx, px, transcript, name, beacon })
    }

    /// Reads the bytes that [`KeyRecord::push_hashed`] appends: the record without its kind and its parameters.
    pub(super) fn read_uncompressed(cursor: &mut Cursor<'_>) -> Result<Self, FormatError> {
        let delta = point_by::<E::G1>(cursor, decode_uncompressed)?;
        let s = point_by::<E::G1>(cursor, decode_uncompressed)?;
        let sx = point_by::<E::G1>(cursor, decode_uncompressed)?;
        let px = point_by::<E::G2>(cursor, decode_uncompressed)?;
        let transcript = cursor.array::<64>("a hash")?;
        Ok(Self { delta, s, sx, px, transcript, name: String::new(), beacon: None })
    }

    /// The public description of the contribution.
    pub(super) fn description(&self) -> KeyContribution {
        let mut bytes = Vec::new();
        self.push_hashed(&mut bytes);
        let hash = Blake2b512::digest(&bytes).into();
        KeyContribution { name: self.name.clone(), beacon: self.beacon.clone(), hash }
    }
}

impl Contributions {
    /// Makes the record of the first contribution to a key: `key` is the key after it, `factor` the secret by which δ was
    /// multiplied, `circuit_hash` the hash of the initial key ([`super::circuit_hash`]). Multiplications by the secret take a
    /// time independent of it. The name is cut to 64 bytes and may be empty. `rng` draws the point s.
    pub fn first<E: Pairing>(
        circuit_hash: [u8; 64],
        key: &ProvingKey<E>,
        factor: &E::Fr,
        name: &str,
        rng: &mut dyn CryptoRng,
    ) -> Self {
        let s = Projective::<E::G1>::generator().mul(&E::Fr::random(rng)).to_affine();
        let record = KeyRecord::<E>::new(&circuit_hash, &[], (factor, s), key.delta_g1, name, None);
        let mut records = Vec::new();
        record.push(&mut records);
        Self { circuit_hash, count: 1, records }
    }
}

impl<E: Pairing> ZkeyFile<E> {
    /// Decodes the records of section 10.
    pub(super) fn records(&self) -> Result<Vec<KeyRecord<E>>, FormatError> {
        let section = self.section(10)?;
        let mut cursor = section.cursor();
        cursor.take(64, "the circuit's hash")?;
        let count = cursor.u32("the number of contributions")?;
        // Memory is not reserved for the declared count: records are read until the section ends.
        let mut records = Vec::new();
        for _ in 0..count {
            records.push(KeyRecord::read(&mut cursor)?);
        }
        section.expect_size(Some(widen(cursor.position())))?;
        Ok(records)
    }
}

/// Multiplies δ of a key by a secret factor, as `snarkjs zkey contribute` and `beacon` do. Returns the new key, its records,
/// and the description of the new contribution. When [`super::write_zkey`] has written it, the key of a beacon has the same
/// bytes as snarkjs' key.
///
/// Every point is checked to be in its prime-order subgroup before it is multiplied by the secret; the multiplications take a
/// time that does not depend on the secret, which is wiped. Whether the key belongs to a circuit is not checked
/// ([`super::verify_key`] does that). C and H of the new key are in memory. `rng` is used by the subgroup check.
///
/// # Errors
/// When a record, a coefficient or a point is malformed, or the key has no circuit hash: then whoever made it knows all its
/// secrets, and a contribution makes no sense.
#[inline(never)]
pub fn contribute_to_key<E: Pairing>(
    on: &mut Session<'_, E>,
    zkey: &ZkeyFile<E>,
    by: &Contributor,
    rng: &mut dyn CryptoRng,
) -> Result<(ProvingKey<E>, Contributions, KeyContribution), CeremonyError> {
    let mut contributions = zkey.contributions()?;
    if contributions.origin() == Origin::OnePlace {
        return Err(FormatError::NoCeremony { file: zkey.file().name().clone() }.into());
    }
    let records = zkey.records()?;
    let before = zkey.proving_key()?;
    on.plan(|| division_plan(before.c.len().saturating_add(before.h.len())));
    zkey.check(on, rng)?;
    let (factor, s) = draw_factor::<E>(by);
    let key = contribute(on, before, &factor)?;
    let hash = contributions.circuit_hash;
    let record =
        KeyRecord::new(&hash, &records, (&factor, s), key.delta_g1, &by.name(), by.beacon().cloned());
    contributions.count = contributions.count.saturating_add(1);
    record.push(&mut contributions.records);
    Ok((key, contributions, record.description()))
}

/// The δ of a key without a contribution.
pub(super) fn first_delta<E: Pairing>() -> G1Affine<E> {
    Affine::generator()
}
