//! Imports the response of a contributor with bellman's tools into a key.

use super::super::contribution::{KeyContribution, KeyRecord};
use super::super::quotient::{Quotient, weighted};
use super::super::verify::{combined, follow_records, same_points};
use super::super::{Contributions, Origin, VerifyKeyError, ZkeyFile};
use super::MpcParameters;
use crate::FormatError;
use crate::ceremony::cut;
use crate::ceremony::ratio::holds;
use crate::container::{count_u32, widen};
use alloc::borrow::ToOwned;
use alloc::vec::Vec;
use core::ops::Neg;
use pairwright_curve::{Affine, Pairing};
use pairwright_device::Session;
use pairwright_poly::{KeySection, Source};
use pairwright_protocols::groth16::{ProvingKey, h_from_powers_vartime};
use rand_core::CryptoRng;

/// A key after the contributions of a response have been imported.
#[derive(Debug)]
pub struct ImportedKey<E: Pairing> {
    /// The key. Its points stay in the files, except for H, which is in memory.
    pub key: ProvingKey<E>,
    /// The records of all contributions, encoded.
    pub contributions: Contributions,
    /// The descriptions of the new contributions.
    pub made: Vec<KeyContribution>,
}

/// Imports the response of contributors with bellman's tools into the key that was exported for them
/// ([`super::write_mpc_parameters`]), as `snarkjs zkey import bellman` does; [`super::super::write_imported_zkey`] writes the
/// same bytes. The new records will carry `name`, cut to 64 bytes.
///
/// Unlike snarkjs, this function verifies the response: it has at least one contribution more than the key, its records
/// continue those of the key, the parts that contributions do not change are equal to the key's, and δ, L and the powers for H
/// are those of the key after these contributions. A false response is accepted with a probability below 2^-79. Every point of
/// both files is checked to be in its subgroup. The elements H are in memory; `done` is called with the progress of their
/// transform, in the unit of [`super::written_mpc_work`].
///
/// # Errors
/// When a file is malformed, or the response does not belong to this key.
#[inline(never)]
pub fn import_mpc_parameters<E: Pairing>(
    on: &mut Session<'_, E>,
    zkey: &ZkeyFile<E>,
    response: &MpcParameters<E>,
    name: &str,
    rng: &mut dyn CryptoRng,
    done: &mut dyn FnMut(u64),
) -> Result<ImportedKey<E>, VerifyKeyError> {
    let mut contributions = zkey.contributions()?;
    if contributions.origin() == Origin::OnePlace {
        return Err(FormatError::NoCeremony { file: zkey.file().name().clone() }.into());
    }
    let before = zkey.records()?;
    on.phase("check points");
    zkey.check(on, rng)?;
    response.check(on, rng)?;
    on.phase("verify response");
    let old = zkey.proving_key()?;
    left_alone(&old, &contributions, response)?;
    let new = added(&before, &response.records)?;

    let [old_delta, delta] = [old.vk.delta_g2, response.delta_g2];
    let hash = &contributions.circuit_hash;
    let last = follow_records(on, hash, (&before, old.delta_g1), &response.records, rng)?;
    let one = [Affine::generator(), response.delta_g1];
    if last != response.delta_g1 || !holds(on, one, [Affine::generator(), delta])? {
        return Err(VerifyKeyError::Key { part: "delta" });
    }
    let [c_before, c_after] = combined(on, old.c.as_ref(), &response.l, rng)?;
    if !holds(on, [c_after, c_before], [old_delta, delta])? {
        return Err(VerifyKeyError::Key { part: "L" });
    }
    // The vanishing polynomial Z is -2 on the odd coset.
    let quotient = Quotient::draw(on, &old.domain, rng)?;
    let h_before = weighted(on, old.h.as_ref(), &quotient.values)?.double().neg();
    let h_after = weighted(on, &response.h, &quotient.coefficients)?;
    if !holds(on, [h_after.to_affine(), h_before.to_affine()], [old_delta, delta])? {
        return Err(VerifyKeyError::Key { part: "H" });
    }

    on.phase("import");
    let mut powers = Vec::new();
    response.h.decode(0..response.h.len(), &mut powers)?;
    powers.push(Affine::INFINITY);
    let h = h_from_powers_vartime(on, &old.domain, &powers, &mut |products| done(widen(products)))?;
    done(widen(h.len()));

    let mut made = Vec::new();
    for record in new {
        let record = KeyRecord { name: cut(name).to_owned(), ..record.clone() };
        record.push(&mut contributions.records);
        made.push(record.description());
    }
    contributions.count = count_u32("contributions", response.records.len())?;
    let mut key = ProvingKey { c: KeySection::new(response.l.clone()), h: KeySection::new(h), ..old };
    key.delta_g1 = response.delta_g1;
    key.vk.delta_g2 = delta;
    Ok(ImportedKey { key, contributions, made })
}

/// Compares the parts of a key that contributions do not change.
fn left_alone<E: Pairing>(
    old: &ProvingKey<E>,
    contributions: &Contributions,
    response: &MpcParameters<E>,
) -> Result<(), VerifyKeyError> {
    let differs = |part| Err(VerifyKeyError::OtherKey { part });
    let sizes = (response.wires(), response.public(), response.domain_size());
    if (old.wires, old.public, old.domain.size()) != sizes {
        return differs("the sizes");
    }
    if contributions.circuit_hash != response.circuit_hash {
        return differs("the circuit's hash");
    }
    if (old.vk.alpha_g1, old.beta_g1) != (response.alpha_g1, response.beta_g1)
        || (old.vk.beta_g2, old.vk.gamma_g2) != (response.beta_g2, response.gamma_g2)
    {
        return differs("alpha, beta or gamma");
    }
    if !same_points(&old.vk.ic, &response.ic)? {
        return differs("IC");
    }
    if !same_points(old.a.as_ref(), &response.a)? {
        return differs("A");
    }
    if !same_points(old.b_g1.as_ref(), &response.b_g1)? || !same_points(old.b_g2.as_ref(), &response.b_g2)? {
        return differs("B");
    }
    Ok(())
}

/// The new records of a response; its first records have to be those of the key.
fn added<'r, E: Pairing>(
    before: &[KeyRecord<E>],
    records: &'r [KeyRecord<E>],
) -> Result<&'r [KeyRecord<E>], VerifyKeyError> {
    let hashed = |record: &KeyRecord<E>| {
        let mut bytes = Vec::new();
        record.push_hashed(&mut bytes);
        bytes
    };
    for (number, (a, b)) in (1..).zip(before.iter().zip(records)) {
        if hashed(a) != hashed(b) {
            return Err(VerifyKeyError::Contribution { number, what: "it is another one in the key" });
        }
    }
    match records.get(before.len()..) {
        Some(new) if !new.is_empty() => Ok(new),
        _ => Err(VerifyKeyError::NothingNew),
    }
}
