//! Identity-based encryption, as used with drand's beacons.

use super::bls::{BlsSecretKey, key};
use super::on_variant;
use crate::arrays::host;
use crate::failure::{rejected, usage};
use crate::work::work;
use pairwright::curve::bls12_381::Bls12_381;
use pairwright::device::Session;
use pairwright::protocols::schemes::Variant;
use pairwright::protocols::schemes::bls::{SecretKey, Signature};
use pairwright::protocols::schemes::ibe::{Ciphertext, DecryptionKey, Ibe, IbeError, round_identity};
use pairwright_cli::{Failure, randomness};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

fn judged(why: IbeError) -> Failure {
    match why {
        IbeError::Device(why) => why.into(),
        IbeError::Rejected => rejected(why),
        other => Failure::bad(other),
    }
}

/// The encryption scheme whose identities are hashed with the caller's domain separation tag, or with that of the basic scheme.
fn ibe<V: Variant>(tag: Option<&[u8]>) -> Ibe<V> {
    tag.map_or_else(Ibe::default, Ibe::with_tag)
}

/// Encrypts a key of 16 to 32 bytes to an identity.
#[pyfunction]
pub(crate) fn ibe_encrypt<'py>(
    py: Python<'py>,
    variant: &str,
    tag: Option<&[u8]>,
    master: &[u8],
    identity: &[u8],
    message: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    fn of<V: Variant>(
        tag: Option<&[u8]>,
        [master, identity, message]: [&[u8]; 3],
    ) -> Result<Vec<u8>, Failure> {
        let (master, mut rng) = (key::<V>(master)?, randomness::system()?);
        let mut on = Session::new(host::<Bls12_381>()?);
        let made = ibe::<V>(tag).encrypt(&mut on, &master, identity, message, &mut rng);
        Ok(made.map_err(judged)?.to_bytes())
    }
    let bytes = work(py, None, |_| on_variant!(variant, of(tag, [master, identity, message])))?;
    Ok(PyBytes::new(py, &bytes))
}

/// The decryption key of an identity: a signature.
#[pyfunction]
pub(crate) fn ibe_extract<'py>(
    py: Python<'py>,
    variant: &str,
    tag: Option<&[u8]>,
    master: &BlsSecretKey,
    identity: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    fn of<V: Variant>(tag: Option<&[u8]>, master: &SecretKey, identity: &[u8]) -> Result<Vec<u8>, Failure> {
        Ok(ibe::<V>(tag).extract(master, identity).signature().to_bytes())
    }
    let bytes = work(py, None, |_| on_variant!(variant, of(tag, &master.0, identity)))?;
    Ok(PyBytes::new(py, &bytes))
}

/// Decrypts with the decryption key of an identity, or raises if the ciphertext was encrypted to another identity.
#[pyfunction]
pub(crate) fn ibe_decrypt<'py>(
    py: Python<'py>,
    variant: &str,
    decryption_key: &[u8],
    ciphertext: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    fn of<V: Variant>(key: &[u8], ciphertext: &[u8]) -> Result<Vec<u8>, Failure> {
        let key = Signature::<V>::from_bytes(key).map_err(|why| usage(format!("decryption key: {why}")))?;
        let ciphertext =
            Ciphertext::<V>::from_bytes(ciphertext).map_err(|why| usage(format!("ciphertext: {why}")))?;
        let mut on = Session::new(host::<Bls12_381>()?);
        Ok(DecryptionKey::from(key).decrypt(&mut on, &ciphertext).map_err(judged)?.to_vec())
    }
    let bytes = work(py, None, |_| on_variant!(variant, of(decryption_key, ciphertext)))?;
    Ok(PyBytes::new(py, &bytes))
}

/// The identity of a round of a drand beacon.
#[pyfunction]
pub(crate) fn ibe_round(py: Python<'_>, round: u64) -> Bound<'_, PyBytes> {
    PyBytes::new(py, &round_identity(round))
}
