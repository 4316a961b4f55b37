//! BLS signatures of draft-irtf-cfrg-bls-signature.

use super::on_variant;
use crate::arrays::host;
use crate::failure::{raised, raised_at, rejected, usage};
use crate::work::{Watch, work};
use pairwright::curve::bls12_381::Bls12_381;
use pairwright::protocols::schemes::Variant;
use pairwright::protocols::schemes::bls::{
    PublicKey, Scheme, SecretKey, Signature, VerifyError, aggregate, aggregate_verify, batch_verify,
    fast_aggregate_verify, pop_verify, verify,
};
use pairwright_cli::{Failure, randomness};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rayon::prelude::*;

fn scheme(name: &str) -> Result<Scheme, Failure> {
    match name {
        "basic" => Ok(Scheme::Basic),
        "augmentation" => Ok(Scheme::MessageAugmentation),
        "possession" => Ok(Scheme::ProofOfPossession),
        other => {
            Err(usage(format!("scheme: {other:?} is none of \"basic\", \"augmentation\", \"possession\"")))
        }
    }
}

fn judged(why: VerifyError) -> Failure {
    match why {
        VerifyError::Device(why) => why.into(),
        VerifyError::NoSigners => Failure::bad(why),
        other => rejected(other),
    }
}

pub(super) fn key<V: Variant>(bytes: &[u8]) -> Result<PublicKey<V>, Failure> {
    PublicKey::from_bytes(bytes).map_err(|why| usage(format!("public key: {why}")))
}

/// Decodes a signature that is to be verified; invalid bytes are a rejection.
pub(super) fn signature<V: Variant>(bytes: &[u8]) -> Result<Signature<V>, Failure> {
    Signature::from_bytes(bytes).map_err(|why| rejected(format!("signature: {why}")))
}

/// A secret key, which is wiped when the object is deleted.
#[pyclass(frozen, module = "pairwright._native")]
pub(crate) struct BlsSecretKey(pub(super) SecretKey);

#[pymethods]
impl BlsSecretKey {
    /// Draws a key with randomness from the operating system.
    #[staticmethod]
    fn random(py: Python<'_>) -> PyResult<Self> {
        let mut rng = randomness::system().map_err(|why| raised(py, &why))?;
        Ok(Self(SecretKey::random(&mut rng)))
    }

    /// Derives a key from at least 32 secret bytes, by `KeyGen` (section 2.3).
    #[staticmethod]
    fn key_gen(py: Python<'_>, material: &[u8], info: &[u8]) -> PyResult<Self> {
        SecretKey::key_gen(material, info).map(Self).map_err(|why| raised(py, &Failure::bad(why)))
    }

    /// Reads a key from 32 big-endian bytes.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &[u8]) -> PyResult<Self> {
        SecretKey::from_bytes(data).map(Self).map_err(|why| raised(py, &Failure::bad(why)))
    }

    /// The key as 32 big-endian bytes, which are not wiped.
    fn bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &*self.0.to_bytes())
    }

    /// The compressed public key.
    fn public_key<'py>(&self, py: Python<'py>, variant: &str) -> PyResult<Bound<'py, PyBytes>> {
        fn of<V: Variant>(key: &SecretKey) -> Result<Vec<u8>, Failure> {
            Ok(key.public_key::<V>().to_bytes())
        }
        let bytes = work(py, None, |_| on_variant!(variant, of(&self.0)))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Signs a message.
    fn sign<'py>(
        &self,
        py: Python<'py>,
        variant: &str,
        scheme: &str,
        message: &[u8],
    ) -> PyResult<Bound<'py, PyBytes>> {
        fn of<V: Variant>(key: &SecretKey, scheme: Scheme, message: &[u8]) -> Result<Vec<u8>, Failure> {
            Ok(key.sign::<V>(scheme, message).to_bytes())
        }
        let bytes = work(py, None, |_| {
            let scheme = self::scheme(scheme)?;
            on_variant!(variant, of(&self.0, scheme, message))
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Proves possession of the key (section 3.3.2).
    fn pop_prove<'py>(&self, py: Python<'py>, variant: &str) -> PyResult<Bound<'py, PyBytes>> {
        fn of<V: Variant>(key: &SecretKey) -> Result<Vec<u8>, Failure> {
            Ok(key.pop_prove::<V>().to_bytes())
        }
        let bytes = work(py, None, |_| on_variant!(variant, of(&self.0)))?;
        Ok(PyBytes::new(py, &bytes))
    }
}

type On<'a> = pairwright::device::Session<'a, Bls12_381>;

/// A session on this computer's board.
fn on<'a>(watch: &'a Watch<'_>) -> Result<On<'a>, Failure> {
    Ok(watch.quiet(host::<Bls12_381>()?))
}

/// Accepts a signature or raises.
#[pyfunction]
pub(crate) fn bls_verify(
    py: Python<'_>,
    variant: &str,
    scheme: &str,
    public_key: &[u8],
    message: &[u8],
    signature: &[u8],
) -> PyResult<()> {
    fn of<V: Variant>(
        mut on: On<'_>,
        scheme: Scheme,
        [public_key, message, signature]: [&[u8]; 3],
    ) -> Result<(), Failure> {
        let (key, signature) = (key::<V>(public_key)?, self::signature::<V>(signature)?);
        verify(&mut on, scheme, &key, message, &signature).map_err(judged)
    }
    work(py, None, |watch| {
        let (on, scheme) = (on(watch)?, self::scheme(scheme)?);
        on_variant!(variant, of(on, scheme, [public_key, message, signature]))
    })
}

/// Accepts a proof of possession or raises.
#[pyfunction]
pub(crate) fn bls_pop_verify(py: Python<'_>, variant: &str, public_key: &[u8], proof: &[u8]) -> PyResult<()> {
    fn of<V: Variant>(mut on: On<'_>, public_key: &[u8], proof: &[u8]) -> Result<(), Failure> {
        pop_verify(&mut on, &key::<V>(public_key)?, &signature::<V>(proof)?).map_err(judged)
    }
    work(py, None, |watch| {
        let on = on(watch)?;
        on_variant!(variant, of(on, public_key, proof))
    })
}

/// Aggregates signatures to one signature.
#[pyfunction]
pub(crate) fn bls_aggregate<'py>(
    py: Python<'py>,
    variant: &str,
    signatures: Vec<Vec<u8>>,
) -> PyResult<Bound<'py, PyBytes>> {
    fn of<V: Variant>(signatures: &[Vec<u8>]) -> Result<Vec<u8>, Failure> {
        let read = |(i, bytes): (usize, &Vec<u8>)| {
            Signature::<V>::from_bytes(bytes).map_err(|why| usage(format!("signature {i}: {why}")))
        };
        let signatures: Vec<_> = signatures.par_iter().enumerate().map(read).collect::<Result<_, _>>()?;
        Ok(aggregate(&signatures).map_err(Failure::bad)?.to_bytes())
    }
    let bytes = work(py, None, |_| on_variant!(variant, of(&signatures)))?;
    Ok(PyBytes::new(py, &bytes))
}

fn keys<V: Variant>(keys: &[Vec<u8>]) -> Result<Vec<PublicKey<V>>, Failure> {
    let read = |(i, bytes): (usize, &Vec<u8>)| {
        PublicKey::<V>::from_bytes(bytes).map_err(|why| usage(format!("public key {i}: {why}")))
    };
    keys.par_iter().enumerate().map(read).collect()
}

/// Accepts an aggregate of signatures, each of a different message under a different key, or raises.
#[pyfunction]
pub(crate) fn bls_aggregate_verify(
    py: Python<'_>,
    variant: &str,
    scheme: &str,
    public_keys: Vec<Vec<u8>>,
    messages: Vec<Vec<u8>>,
    signature: &[u8],
) -> PyResult<()> {
    fn of<V: Variant>(
        mut on: On<'_>,
        scheme: Scheme,
        (public_keys, messages): (&[Vec<u8>], &[Vec<u8>]),
        signature: &[u8],
    ) -> Result<(), Failure> {
        if public_keys.len() != messages.len() {
            return Err(usage(format!("{} public keys and {} messages", public_keys.len(), messages.len())));
        }
        let keys = keys::<V>(public_keys)?;
        let signed: Vec<_> = keys.into_iter().zip(messages.iter().map(Vec::as_slice)).collect();
        aggregate_verify(&mut on, scheme, &signed, &self::signature::<V>(signature)?).map_err(judged)
    }
    work(py, None, |watch| {
        let (on, scheme) = (on(watch)?, self::scheme(scheme)?);
        on_variant!(variant, of(on, scheme, (&public_keys, &messages), signature))
    })
}

/// Accepts an aggregate of signatures of one message, whose keys have proofs of possession, or raises.
#[pyfunction]
pub(crate) fn bls_fast_aggregate_verify(
    py: Python<'_>,
    variant: &str,
    public_keys: Vec<Vec<u8>>,
    message: &[u8],
    signature: &[u8],
) -> PyResult<()> {
    fn of<V: Variant>(
        mut on: On<'_>,
        public_keys: &[Vec<u8>],
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), Failure> {
        let (keys, signature) = (keys::<V>(public_keys)?, self::signature::<V>(signature)?);
        fast_aggregate_verify(&mut on, &keys, message, &signature).map_err(judged)
    }
    work(py, None, |watch| {
        let on = on(watch)?;
        on_variant!(variant, of(on, &public_keys, message, signature))
    })
}

/// A failure, with the index of the faulty item in a list.
type At = (Option<usize>, Failure);

/// Accepts many independent signatures (public key, message, signature), or raises with the index of one that is not accepted.
#[pyfunction]
pub(crate) fn bls_verify_many(
    py: Python<'_>,
    variant: &str,
    scheme: &str,
    batch: Vec<(Vec<u8>, Vec<u8>, Vec<u8>)>,
) -> PyResult<()> {
    fn of<V: Variant>(
        mut on: On<'_>,
        scheme: Scheme,
        batch: &[(Vec<u8>, Vec<u8>, Vec<u8>)],
    ) -> Result<Result<(), At>, Failure> {
        let read = |(i, item): (usize, &'_ (Vec<u8>, Vec<u8>, Vec<u8>))| {
            let read = || Ok((key::<V>(&item.0)?, signature::<V>(&item.2)?));
            read().map_err(|why| (Some(i), why))
        };
        let read: Result<Vec<_>, At> = batch.par_iter().enumerate().map(read).collect();
        let read = match read {
            Ok(read) => read,
            Err(at) => return Ok(Err(at)),
        };
        let items: Vec<_> = read
            .into_iter()
            .zip(batch)
            .map(|((key, signature), item)| (key, &item.1[..], signature))
            .collect();
        let verdict = batch_verify(&mut on, scheme, &items, &mut randomness::system()?);
        Ok(verdict.map_err(|why| match why {
            VerifyError::InBatch { index, why } if matches!(*why, VerifyError::Device(_)) => {
                (Some(index), judged(*why))
            }
            VerifyError::InBatch { index, .. } => (Some(index), judged(why)),
            other => (None, judged(other)),
        }))
    }
    let verdict = work(py, None, |watch| {
        let (on, scheme) = (on(watch)?, self::scheme(scheme)?);
        on_variant!(variant, of(on, scheme, &batch))
    })?;
    verdict.map_err(|(index, why)| raised_at(py, &why, index))
}
