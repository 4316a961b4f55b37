//! Computes Groth16 proofs with the operators of a session.

use super::{Proof, ProvingKey};
use alloc::vec::Vec;
use pairwright_curve::{Affine, Curve, G1Affine, G2Affine, Pairing, Projective};
use pairwright_device::{Cost, DeviceError, OpCount, Operator, PlannedCall, Session, SparseShape, Traffic};
use pairwright_field::Field;
use pairwright_poly::{BlockReuse, Buf, KeySection, Pages, Poly, SourceError};
use rand_core::CryptoRng;
use rayon::prelude::*;
use std::time::Instant;
use thiserror::Error;
use zeroize::{Zeroize, Zeroizing};

/// Why no proof was made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProveError {
    /// The witness has the wrong number of values.
    #[error("the witness has {found} values, the key {expected} wires")]
    WitnessLength {
        /// Number of wires of the key.
        expected: usize,
        /// Number of values of the witness.
        found: usize,
    },
    /// The first value of the witness is not one.
    #[error("the witness does not begin with the constant one")]
    NoConstantOne,
    /// A part of the key has another length than its sizes say.
    #[error("the key's {part} has {found} elements, its sizes say {expected}")]
    KeyShape {
        /// Name of the part of the key.
        part: &'static str,
        /// Number of elements that the key's sizes require.
        expected: usize,
        /// Number of elements that the part has.
        found: usize,
    },
    /// An operator failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The key could not be read.
    #[error(transparent)]
    Source(#[from] SourceError),
}

/// The sizes that determine the calls of a proof to its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofSizes {
    /// Number of wires, the constant one included.
    pub wires: usize,
    /// Number of public values, without the constant one.
    pub public: usize,
    /// Number of points of the evaluation domain.
    pub domain: usize,
    /// Number of entries of the matrices A and B in the key.
    pub entries: usize,
}

impl ProofSizes {
    /// The sizes of a key.
    pub fn of<E: Pairing>(key: &ProvingKey<E>) -> Self {
        let (domain, entries) = (key.domain.size(), key.coefficients.len());
        Self { wires: key.wires, public: key.public, domain, entries }
    }

    /// The planned calls of [`prove`] to its session, in order.
    pub fn plan(&self) -> Vec<PlannedCall> {
        let Self { wires, public, domain, entries } = *self;
        let private = wires.saturating_sub(public + 1);
        let quotient = [
            (Operator::SparseMul, entries),
            (Operator::VecMul, domain),
            (Operator::Extend, domain),
            (Operator::Extend, domain),
            (Operator::Extend, domain),
            (Operator::VecMulSub, domain),
        ];
        let commitments = [
            ("commit H", "read_h", Operator::MsmG1, domain),
            ("commit C", "read_c", Operator::MsmG1, private),
            ("commit A", "read_a", Operator::MsmG1, wires),
            ("commit B1", "read_b_g1", Operator::MsmG1, wires),
            ("commit B2", "read_b_g2", Operator::MsmG2, wires),
        ];
        let call = |phase, operator, size| PlannedCall { phase, operator, size };
        let quotient = quotient.map(|(operator, size)| call("quotient", operator.name(), size));
        let commitments = commitments
            .into_iter()
            .flat_map(|(phase, read, msm, size)| [call(phase, read, size), call(phase, msm.name(), size)]);
        quotient.into_iter().chain(commitments).collect()
    }
}

/// The two random scalars that hide the witness: r and s.
pub type Blinding<F> = crate::Blinding<F, 2>;

/// Proves that `witness` satisfies the circuit of `key`.
///
/// The witness holds one value per wire, the constant one first. It is not checked against the constraints (the key does
/// not hold all of them): an unsatisfying witness gives a proof that does not verify. The blinding factors come from
/// `rng`, so the proof depends on (key, witness, rng) alone. The running time depends on the witness.
///
/// # Errors
/// When witness and key do not fit, the key cannot be read or a device fails.
#[inline(never)]
pub fn prove<E: Pairing>(
    on: &mut Session<'_, E>,
    key: &ProvingKey<E>,
    witness: &Buf<E::Fr>,
    rng: &mut dyn CryptoRng,
) -> Result<Proof<E>, ProveError> {
    prove_blinded(on, key, witness, &Blinding::random(rng))
}

/// [`prove`] with blinding factors that the caller gives.
///
/// # Errors
/// As [`prove`].
#[inline(never)]
pub fn prove_blinded<E: Pairing>(
    on: &mut Session<'_, E>,
    key: &ProvingKey<E>,
    witness: &Buf<E::Fr>,
    blinding: &Blinding<E::Fr>,
) -> Result<Proof<E>, ProveError> {
    check_shapes(key, witness)?;
    on.plan(|| ProofSizes::of(key).plan());
    // Sections are read one after the other, each into the memory of the previous one.
    let _kept = BlockReuse::new(largest_section(key));
    // If another machine computes the sums, the host's threads are free to compute the masks meanwhile.
    let mut masks = None;
    let sums = rayon::in_place_scope(|scope| {
        scope.spawn(|_| masks = Some(Masks::of(key, blinding)));
        sums(on, key, witness)
    })?;
    // The scope ends after all its tasks, so the masks have been computed.
    Ok(masks.unwrap_or_else(|| Masks::of(key, blinding)).on(&sums, blinding))
}

/// Computes the sums over the sections of a key, for a witness of the right shape.
fn sums<E: Pairing>(
    on: &mut Session<'_, E>,
    key: &ProvingKey<E>,
    witness: &Buf<E::Fr>,
) -> Result<Sums<E>, ProveError> {
    on.phase("quotient");
    let quotient = quotient(on, key, witness)?;

    on.phase("commit H");
    let h = load(on, "read_h", &key.h)?;
    let h_sum = on.start_msm_g1(h.view(), quotient.view())?;
    drop((h, quotient));
    on.phase("commit C");
    let c = load(on, "read_c", &key.c)?;
    let c_sum = on.start_msm_g1(c.view(), witness.slice(key.public + 1..))?;
    drop(c);
    on.phase("commit A");
    let a = load(on, "read_a", &key.a)?;
    let a_sum = on.start_msm_g1(a.view(), witness.view())?;
    drop(a);
    on.phase("commit B1");
    let b1 = load(on, "read_b_g1", &key.b_g1)?;
    let b1_sum = on.start_msm_g1(b1.view(), witness.view())?;
    drop(b1);
    on.phase("commit B2");
    let b2 = load(on, "read_b_g2", &key.b_g2)?;
    let b2_sum = on.start_msm_g2(b2.view(), witness.view())?;
    drop(b2);

    Ok(Sums {
        tail: (on.wait(h_sum)? + on.wait(c_sum)?).to_affine(),
        a: on.wait(a_sum)?.to_affine(),
        b_g1: on.wait(b1_sum)?.to_affine(),
        b_g2: on.wait(b2_sum)?.to_affine(),
    })
}

/// The sums over the sections of a key for a witness: a proof without its blinding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sums<E: Pairing> {
    /// `Σ w_i·A_i(τ)` over all wires, in the first group.
    pub a: G1Affine<E>,
    /// `Σ w_i·B_i(τ)` in the first group.
    pub b_g1: G1Affine<E>,
    /// `Σ w_i·B_i(τ)` in the second group.
    pub b_g2: G2Affine<E>,
    /// The MSM of the private wires with section C, plus that of the quotient with section H.
    pub tail: G1Affine<E>,
}

/// Blinds the sums to a proof: `A = α + ΣA + r·δ`, `B = β + ΣB + s·δ`, `C = ΣC + ΣH + s·A + r·B1 - r·s·δ`. The time is
/// independent of r and s.
pub fn blind<E: Pairing>(key: &ProvingKey<E>, sums: &Sums<E>, blinding: &Blinding<E::Fr>) -> Proof<E> {
    Masks::of(key, blinding).on(sums, blinding)
}

/// The parts of a proof that depend on the key and the blinding but not on the sums, and so can be computed before them. Whoever knows
/// these and the proof knows the sums, so they are wiped when dropped.
struct Masks<E: Pairing> {
    /// The sum `α + r·δ` in the first group.
    a: Projective<E::G1>,
    /// The sum `β + s·δ` in the second group.
    b: Projective<E::G2>,
    /// The sum `β + s·δ` in the first group.
    b_g1: Projective<E::G1>,
    /// The multiple `-r·s·δ` in the first group.
    c: Projective<E::G1>,
}

impl<E: Pairing> Masks<E> {
    fn of(key: &ProvingKey<E>, blinding: &Blinding<E::Fr>) -> Self {
        let [r, s] = &blinding.0;
        let vk = &key.vk;
        Self {
            a: sum([secret_mul(&key.delta_g1, r), vk.alpha_g1.into()]),
            b: sum([secret_mul(&vk.delta_g2, s), vk.beta_g2.into()]),
            b_g1: sum([secret_mul(&key.delta_g1, s), key.beta_g1.into()]),
            c: -secret_mul(&key.delta_g1, &Zeroizing::new(*r * *s)),
        }
    }

    /// Completes the proof from the sums.
    fn on(&self, sums: &Sums<E>, blinding: &Blinding<E::Fr>) -> Proof<E> {
        let [r, s] = &blinding.0;
        let pi_a = sum([self.a, sums.a.into()]).to_affine();
        let pi_b = sum([self.b, sums.b_g2.into()]).to_affine();
        let pi_b1 = sum([self.b_g1, sums.b_g1.into()]).to_affine();
        let pi_c = sum([sums.tail.into(), secret_mul(&pi_a, s), secret_mul(&pi_b1, r), self.c]);
        Proof { a: pi_a, b: pi_b, c: pi_c.to_affine() }
    }
}

impl<E: Pairing> Drop for Masks<E> {
    fn drop(&mut self) {
        self.a.zeroize();
        self.b.zeroize();
        self.b_g1.zeroize();
        self.c.zeroize();
    }
}

/// Computes the values of `A·B - C` on the odd coset of the domain.
fn quotient<E: Pairing>(
    on: &mut Session<'_, E>,
    key: &ProvingKey<E>,
    witness: &Buf<E::Fr>,
) -> Result<Buf<E::Fr>, ProveError> {
    let n = key.domain.size();
    let shape = SparseShape { matrices: 2, rows: n };
    let products = on.sparse_mul(shape, &key.coefficients, witness.view())?;
    let found = products.len();
    let Ok([a, b]) = <[Buf<E::Fr>; 2]>::try_from(products) else {
        return Err(ProveError::KeyShape { part: "coefficient matrices", expected: 2, found });
    };
    // For a satisfying witness, C·w is the product row by row, so the key does not hold C.
    let mut c = a.clone();
    on.mul(&mut c, b.view())?;
    let mut extend = |values: Buf<E::Fr>| -> Result<Buf<E::Fr>, ProveError> {
        let found = values.len();
        let p = Poly::new(key.domain, values).ok_or(ProveError::KeyShape {
            part: "domain",
            expected: n,
            found,
        })?;
        Ok(on.extend(p)?.into_buf())
    };
    let mut a = extend(a)?;
    let b = extend(b)?;
    let c = extend(c)?;
    on.mul_sub(&mut a, b.view(), c.view())?;
    Ok(a)
}

fn check_shapes<E: Pairing>(key: &ProvingKey<E>, witness: &Buf<E::Fr>) -> Result<(), ProveError> {
    if witness.len() != key.wires {
        return Err(ProveError::WitnessLength { expected: key.wires, found: witness.len() });
    }
    if witness.first() != Some(&E::Fr::ONE) {
        return Err(ProveError::NoConstantOne);
    }
    let private = key.wires.checked_sub(key.public + 1);
    let parts = [
        ("A section", key.wires, key.a.len()),
        ("B1 section", key.wires, key.b_g1.len()),
        ("B2 section", key.wires, key.b_g2.len()),
        ("C section", private.unwrap_or(usize::MAX), key.c.len()),
        ("H section", key.domain.size(), key.h.len()),
    ];
    for (part, expected, found) in parts {
        if expected != found {
            return Err(ProveError::KeyShape { part, expected, found });
        }
    }
    Ok(())
}

/// Number of bytes of the points of the key's largest section.
fn largest_section<E: Pairing>(key: &ProvingKey<E>) -> usize {
    let g1 = [&key.h, &key.c, &key.a, &key.b_g1].map(|section| section.len() * size_of::<G1Affine<E>>());
    g1.into_iter().fold(key.b_g2.len() * size_of::<G2Affine<E>>(), usize::max)
}

/// Number of elements decoded per task.
const CHUNK: usize = 1 << 12;

/// Reads a whole section on all threads, and notes the cost in the session's account as `operator`. A section that a machine already
/// holds is not read until the host needs its elements.
pub(crate) fn load<E: Pairing, T: Copy + Send + 'static>(
    on: &mut Session<'_, E>,
    operator: &'static str,
    section: &KeySection<T>,
) -> Result<Buf<T>, SourceError> {
    if let Some(held) = section.held() {
        return Ok(held);
    }
    let (start, n, source) = (Instant::now(), section.len(), section.as_ref());
    let elements = Pages::of_pieces(n, CHUNK, |pieces| {
        pieces.into_par_iter().enumerate().try_for_each_init(Vec::new, |read, (i, piece)| {
            let start = i * CHUNK;
            read.clear();
            source.read(start..start + piece.len(), read)?;
            if read.len() != piece.len() {
                return Err(SourceError("a section gave another number of elements than it has".into()));
            }
            piece.write(read);
            Ok(())
        })
    })?;
    let buf = section.buf(elements);
    let bytes = (n * size_of::<T>()) as u64;
    let traffic = Traffic { read: bytes, written: bytes };
    on.note(operator, n, Cost::measured("host", start, traffic, OpCount::default()));
    Ok(buf)
}

/// Computes `k·p` in time independent of `k`.
fn secret_mul<C: Curve>(p: &Affine<C>, k: &C::Scalar) -> Projective<C> {
    Projective::from(*p).mul(k)
}

fn sum<C: Curve, const N: usize>(terms: [Projective<C>; N]) -> Projective<C> {
    terms.into_iter().fold(Projective::INFINITY, |a, b| a + b)
}
