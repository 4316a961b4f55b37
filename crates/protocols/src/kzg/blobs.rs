//! Ethereum's blobs (EIP-4844), with KZG commitments and proofs as bytes. A blob is 4096 elements of the scalar field of BLS12-381,
//! read as the values of a polynomial at the 4096th roots of unity in bit-reversed order.
//!
//! The functions are those of the specification's `polynomial-commitments.md`, whose names are given in the comments. They take
//! unchecked bytes and check them: the length of blobs and that their elements are below r; that points are well encoded, on the
//! curve and in the subgroup.

use super::wire::{
    ELEMENT, domain, each, elements, encoded, point, points, powers, reduced, reverse_bits, scalar,
    scalar_bytes,
};
use super::{KzgError, Opening, check_weighted, in_subgroups};
use alloc::vec::Vec;
use pairwright_curve::Affine;
use pairwright_curve::bls12_381::{Bls12_381, Fq12, Fr, G1, G2};
use pairwright_device::Session;
use pairwright_field::{Field, PrimeField, Ring, batch_invert};
use pairwright_poly::{Buf, Coeff, Domain, Pages, Poly};
use rand_core::CryptoRng;
use sha2::{Digest, Sha256};

/// Number of field elements of a blob.
pub const ELEMENTS: usize = 1 << LOG_ELEMENTS;
pub(super) const LOG_ELEMENTS: u32 = 12;
/// Number of bytes of a blob.
pub const BYTES: usize = ELEMENTS * ELEMENT;
/// Domain separation tag of the hash that gives the point at which a blob is opened.
const CHALLENGE: &[u8; 16] = b"FSBLOBVERIFY_V1_";
/// Domain separation tag of the hash that gives the weights of the openings of a batch.
const WEIGHTS: &[u8; 16] = b"RCKZGBATCH___V1_";

pub use super::wire::{PointBytes, ScalarBytes};

/// A blob with its commitment and its proof, the contents of a block's sidecar.
#[derive(Clone, Copy, Debug)]
pub struct Sidecar<'a> {
    /// Bytes of the blob.
    pub blob: &'a [u8],
    /// The commitment to the blob.
    pub commitment: &'a PointBytes,
    /// The proof for blob and commitment.
    pub proof: &'a PointBytes,
}

/// The ceremony's points in the form that the functions on blobs need.
pub struct BlobSetup {
    /// Roots of unity in the order of a blob's elements.
    roots: Vec<Fr>,
    /// Inverses of the first root of each pair ω, -ω, in the order of the pairs.
    inverses: Vec<Fr>,
    /// Lagrange points in the order of the roots.
    lagrange: Buf<Affine<G1>>,
    tau_g2: Affine<G2>,
}

impl BlobSetup {
    /// Checks the ceremony's Lagrange points, in the order of its file (that of the powers of the root of unity), and `τ·G2`, the
    /// second of its monomial points in G2: they must be points of their subgroups, and the Lagrange points must belong to that τ.
    /// Any other points are accepted with a probability below 2^-79.
    ///
    /// # Errors
    /// When there are not [`ELEMENTS`] points, when a condition does not hold, or when a device fails.
    pub fn new(
        on: &mut Session<'_, Bls12_381>,
        mut lagrange: Vec<Affine<G1>>,
        tau_g2: Affine<G2>,
        rng: &mut dyn CryptoRng,
    ) -> Result<Self, KzgError> {
        on.phase("kzg setup");
        if lagrange.len() != ELEMENTS {
            return Err(KzgError::Setup { what: "a blob needs 4096 Lagrange points" });
        }
        if tau_g2.is_infinity() {
            return Err(KzgError::Setup { what: "tau is zero" });
        }
        in_subgroups(on, &lagrange, &tau_g2, rng)?;
        let domain = domain(LOG_ELEMENTS)?;
        let mut roots = powers(domain.root(), ELEMENTS);
        check(on, &domain, &roots, &lagrange, &tau_g2, rng)?;
        reverse_bits(&mut roots);
        let mut inverses = powers(domain.root_inverse(), ELEMENTS);
        reverse_bits(&mut inverses);
        let inverses = inverses.into_iter().step_by(2).collect();
        reverse_bits(&mut lagrange);
        Ok(Self { roots, inverses, lagrange: Pages::from(&lagrange[..]).into(), tau_g2 })
    }

    /// Commits to a blob (`blob_to_kzg_commitment`).
    ///
    /// # Errors
    /// When the blob is malformed, or a device fails.
    pub fn commit(&self, on: &mut Session<'_, Bls12_381>, blob: &[u8]) -> Result<PointBytes, KzgError> {
        on.phase("kzg commit");
        self.combine(on, values(blob)?)
    }

    /// Opens a blob at a point: computes the proof and the value (`compute_kzg_proof`).
    ///
    /// # Errors
    /// When the blob or the point is malformed, or a device fails.
    pub fn prove(
        &self,
        on: &mut Session<'_, Bls12_381>,
        blob: &[u8],
        point: &ScalarBytes,
    ) -> Result<(PointBytes, ScalarBytes), KzgError> {
        on.phase("kzg open");
        let (quotient, value) = self.divide(&values(blob)?, scalar("z", point)?);
        Ok((self.combine(on, quotient)?, scalar_bytes(&value)))
    }

    /// Computes the proof for a blob and its commitment (`compute_blob_kzg_proof`), an opening at the point that their hash gives. As
    /// in the specification, it is not tested that the commitment belongs to the blob.
    ///
    /// # Errors
    /// When the blob or the commitment is malformed, or a device fails.
    pub fn prove_blob(
        &self,
        on: &mut Session<'_, Bls12_381>,
        blob: &[u8],
        commitment: &PointBytes,
    ) -> Result<PointBytes, KzgError> {
        on.phase("kzg open");
        let values = values(blob)?;
        point("commitment", commitment)?;
        let (quotient, _) = self.divide(&values, challenge(blob, commitment));
        self.combine(on, quotient)
    }

    /// Verifies the claimed value `y` at the point `z` of the committed blob's polynomial (`verify_kzg_proof`).
    ///
    /// # Errors
    /// The verdicts other than acceptance, each with its reason.
    pub fn verify(
        &self,
        on: &mut Session<'_, Bls12_381>,
        commitment: &PointBytes,
        z: &ScalarBytes,
        y: &ScalarBytes,
        proof: &PointBytes,
    ) -> Result<(), KzgError> {
        let opening = Opening {
            commitment: point("commitment", commitment)?,
            point: scalar("z", z)?,
            value: scalar("y", y)?,
            proof: point("proof", proof)?,
        };
        super::verify(on, &self.tau_g2, &opening)
    }

    /// Verifies a blob with its commitment and proof (`verify_blob_kzg_proof`).
    ///
    /// # Errors
    /// The verdicts other than acceptance, each with its reason.
    pub fn verify_blob(
        &self,
        on: &mut Session<'_, Bls12_381>,
        sidecar: &Sidecar<'_>,
    ) -> Result<(), KzgError> {
        self.verify_blobs(on, &[*sidecar]).map_err(|why| match why {
            KzgError::At { why, .. } => *why,
            why => why,
        })
    }

    /// Verifies many blobs with their commitments and proofs together (`verify_blob_kzg_proof_batch`), by two pairings whatever their
    /// number. Which of them is wrong is not determined. An empty list is accepted.
    ///
    /// # Errors
    /// The verdicts other than acceptance of all, each with its reason. Malformed bytes are reported before a pairing is computed.
    pub fn verify_blobs(
        &self,
        on: &mut Session<'_, Bls12_381>,
        sidecars: &[Sidecar<'_>],
    ) -> Result<(), KzgError> {
        on.phase("kzg verify");
        let openings = self.openings(on, sidecars)?;
        check_weighted(on, &self.tau_g2, &openings, &weights(sidecars, &openings))
    }

    /// The openings that sidecars claim, with the values of the blobs at the points of opening.
    fn openings(
        &self,
        on: &mut Session<'_, Bls12_381>,
        sidecars: &[Sidecar<'_>],
    ) -> Result<Vec<Opening<Bls12_381>>, KzgError> {
        let values = each(sidecars, |sidecar| {
            let values = values(sidecar.blob)?;
            let z = challenge(sidecar.blob, sidecar.commitment);
            Ok((z, self.evaluate(values, z)))
        })?;
        let commitments = points(on, "commitment", sidecars.iter().map(|sidecar| sidecar.commitment))?;
        let proofs = points(on, "proof", sidecars.iter().map(|sidecar| sidecar.proof))?;
        let points = commitments.into_iter().zip(proofs);
        let opening = |((point, value), (commitment, proof))| Opening { commitment, point, value, proof };
        Ok(values.into_iter().zip(points).map(opening).collect())
    }

    /// The value at `z` of the polynomial with these values at the roots (`evaluate_polynomial_in_evaluation_form`).
    ///
    /// Each step halves the number of values. The values at ω and -ω, which are neighbours, give the values at ω² of the polynomials
    /// with the even and with the odd coefficients. So they give the value of the even one plus z times the odd one, whose value at z²
    /// is the value sought.
    fn evaluate(&self, mut values: Vec<Fr>, z: Fr) -> Fr {
        let mut z = z;
        for _ in 0..LOG_ELEMENTS {
            let pairs = values.as_chunks::<2>().0.iter().zip(&self.inverses);
            values = pairs.map(|([a, b], inverse)| *a + *b + (*a - *b) * *inverse * z).collect();
            z = z.square();
        }
        let scale = Fr::HALF.pow_vartime(&[u64::from(LOG_ELEMENTS)]);
        values.first().map_or(Fr::ZERO, |value| *value * scale)
    }

    /// The values of `(p - p(z))/(X - z)` at the roots, and `p(z)` (`compute_kzg_proof_impl`).
    fn divide(&self, values: &[Fr], z: Fr) -> (Vec<Fr>, Fr) {
        let value = self.evaluate(values.to_vec(), z);
        let mut inverses: Vec<Fr> = self.roots.iter().map(|root| *root - z).collect();
        let at = inverses.iter().position(Field::is_zero);
        // `batch_invert` leaves zero as zero.
        batch_invert(&mut inverses);
        let mut quotient: Vec<Fr> =
            values.iter().zip(&inverses).map(|(p, inverse)| (*p - value) * *inverse).collect();
        if let Some(slot) = at.and_then(|at| quotient.get_mut(at)) {
            *slot = Fr::ZERO;
            // At the root z itself: Σ (p_i - y)·ω_i / (z·(z - ω_i)) over the others. A root of unity is not zero.
            let inverse = z.invert().unwrap_or(Fr::ZERO);
            let terms = values.iter().zip(&self.roots).zip(&inverses);
            let sum = terms.map(|((p, root), inverse)| (*p - value) * *root * *inverse);
            let here = -sum.fold(Fr::ZERO, |sum, term| sum + term) * inverse;
            if let Some(slot) = at.and_then(|at| quotient.get_mut(at)) {
                *slot = here;
            }
        }
        (quotient, value)
    }

    fn combine(&self, on: &mut Session<'_, Bls12_381>, values: Vec<Fr>) -> Result<PointBytes, KzgError> {
        let sum = on.msm_g1(self.lagrange.view(), Buf::from(values).view())?.to_affine();
        Ok(encoded(&sum))
    }
}

/// Fails unless the points are `L_j(τ)·G1`. Let ℓ be the linear map from the values of a polynomial to the combination of these
/// points with these values as coefficients. The points are right if and only if `ℓ(1) = G1` and `ℓ(X·f) = τ·ℓ(f)` for all f of a
/// degree below n - 1. A random f with short coefficients tests the second condition.
fn check(
    on: &mut Session<'_, Bls12_381>,
    domain: &Domain<Fr>,
    roots: &[Fr],
    lagrange: &[Affine<G1>],
    tau_g2: &Affine<G2>,
    rng: &mut dyn CryptoRng,
) -> Result<(), KzgError> {
    let points = Buf::from(lagrange.to_vec());
    let ones = Buf::from(alloc::vec![Fr::ONE; ELEMENTS]);
    if on.msm_g1(points.view(), ones.view())?.to_affine() != Affine::generator() {
        return Err(KzgError::Setup { what: "the Lagrange points do not add up to the generator" });
    }
    let mut f = crate::weights::weights::<G1>(ELEMENTS - 1, rng);
    f.push(Fr::ZERO);
    let f = Poly::<Fr, Coeff>::new(*domain, f.into()).ok_or(KzgError::Setup { what: "no domain" })?;
    let values = on.ntt(f)?.into_buf();
    let raised: Vec<Fr> = values.iter().zip(roots).map(|(value, root)| *value * *root).collect();
    let sum = on.msm_g1(points.view(), values.view())?.to_affine();
    let next = on.msm_g1(points.view(), Buf::from(raised).view())?.to_affine();
    if on.multi_pairing(&[(sum, *tau_g2), (-next, Affine::generator())])? == Fq12::ONE {
        return Ok(());
    }
    Err(KzgError::Setup { what: "the Lagrange points belong to another tau" })
}

/// The elements of a blob (`blob_to_polynomial`).
pub(super) fn values(blob: &[u8]) -> Result<Vec<Fr>, KzgError> {
    if blob.len() != BYTES {
        return Err(KzgError::Length { of: "blob", found: blob.len(), expected: BYTES });
    }
    elements(blob, |index| KzgError::Element { of: "blob", index })
}

/// The point at which a blob is opened (`compute_challenge`).
fn challenge(blob: &[u8], commitment: &PointBytes) -> Fr {
    let hash = Sha256::new()
        .chain_update(CHALLENGE)
        .chain_update((ELEMENTS as u128).to_be_bytes())
        .chain_update(blob)
        .chain_update(commitment);
    reduced(hash.finalize().into())
}

/// Weights of a batch: the powers of a hash of everything that is verified together (`verify_kzg_proof_batch`).
fn weights(sidecars: &[Sidecar<'_>], openings: &[Opening<Bls12_381>]) -> Vec<Fr> {
    let mut hash = Sha256::new()
        .chain_update(WEIGHTS)
        .chain_update((ELEMENTS as u64).to_be_bytes())
        .chain_update((sidecars.len() as u64).to_be_bytes());
    for (sidecar, opening) in sidecars.iter().zip(openings) {
        hash.update(sidecar.commitment);
        hash.update(scalar_bytes(&opening.point));
        hash.update(scalar_bytes(&opening.value));
        hash.update(sidecar.proof);
    }
    powers(reduced(hash.finalize().into()), sidecars.len())
}
