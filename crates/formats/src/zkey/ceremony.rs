//! Makes a usable key from powers of tau: the initial key, one contribution to it, and the record of that contribution.

use super::{Contributions, circuit_hash};
use crate::container::{Container, narrow};
use crate::{FormatError, PtauFile};
use pairwright_curve::Pairing;
use pairwright_device::Session;
use pairwright_field::Field;
use pairwright_protocols::groth16::{
    ContributeError, ProvingKey, SetupError, contribute, contribution_plan, setup_from_powers,
};
use pairwright_protocols::r1cs::ConstraintSource;
use rand_core::CryptoRng;
use thiserror::Error;
use zeroize::Zeroizing;

/// Why no key could be made from powers of tau.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CeremonyError {
    /// The initial key could not be made.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The contribution could not be made.
    #[error(transparent)]
    Contribute(#[from] ContributeError),
    /// The powers could not be read again for the hash, or a contribution was made to a key that does not come from a ceremony.
    #[error(transparent)]
    Format(#[from] FormatError),
}

/// Makes the initial key of a circuit from powers of tau, raw or prepared, and its record with the circuit's hash and no
/// contribution. When [`super::write_zkey`] has written it, it has the same bytes as the key of `snarkjs groth16 setup`. Its δ
/// is 1, so that anybody can forge proofs under it until somebody contributes ([`super::contribute_to_key`]). `rng` draws the
/// weights with which the powers are checked.
///
/// # Errors
/// When the circuit or the powers cannot be read, do not fit each other or are invalid.
pub fn first_key<E: Pairing>(
    on: &mut Session<'_, E>,
    system: &dyn ConstraintSource<E::Fr>,
    ptau: &PtauFile<E>,
    rng: &mut dyn CryptoRng,
) -> Result<(ProvingKey<E>, Contributions), CeremonyError> {
    let key = setup_from_powers(on, system, ptau, rng)?;
    let past = past_end(ptau)?;
    let circuit_hash = on.host("circuit_hash", key.wires, || circuit_hash(&key, ptau, past))?;
    Ok((key, Contributions { circuit_hash, ..Contributions::none() }))
}

/// Makes a key for a circuit from powers of tau, raw or prepared, with one contribution whose secret is drawn from `rng` and
/// wiped.
///
/// The initial key has δ = 1, so that anybody could forge proofs under it. The contribution makes it usable; whoever learnt its
/// secret factor could still forge. Further contributions by others ([`super::contribute_to_key`]) remove the need to trust
/// this one. The record carries `name`; `snarkjs zkey verify` accepts it.
///
/// # Errors
/// When the circuit or the powers cannot be read, do not fit each other or are invalid.
#[inline(never)]
pub fn setup_with_ptau<E: Pairing>(
    on: &mut Session<'_, E>,
    system: &dyn ConstraintSource<E::Fr>,
    ptau: &PtauFile<E>,
    name: &str,
    rng: &mut dyn CryptoRng,
) -> Result<(ProvingKey<E>, Contributions), CeremonyError> {
    on.plan(|| contribution_plan::<E::Fr>(&system.shape()));
    let (initial, Contributions { circuit_hash: hash, .. }) = first_key(on, system, ptau, rng)?;
    let factor = draw_factor::<E::Fr>(rng);
    let key = contribute(on, initial, &factor)?;
    let record = Contributions::first(hash, &key, &factor, name, rng);
    Ok((key, record))
}

/// Draws a secret factor other than zero.
pub(super) fn draw_factor<F: Field>(rng: &mut dyn CryptoRng) -> Zeroizing<F> {
    loop {
        let x = Zeroizing::new(F::random(rng));
        if !x.is_zero() {
            return x;
        }
    }
}

/// The bytes that follow the powers of τ in G1 in their file; see [`circuit_hash`].
pub(super) fn past_end<E: Pairing>(ptau: &PtauFile<E>) -> Result<&[u8], FormatError> {
    let container = Container::open(ptau.file().clone(), &crate::ptau::FORMAT)?;
    let tau = container.section(2)?;
    let end = narrow(tau.offset().saturating_add(tau.size()));
    Ok(ptau.file().get(end..).unwrap_or_default())
}
