//! Computes fflonk proofs with the operators of a session.
//!
//! To open `f(X^k)` at the k-th roots of a point, `f - f(point)` is divided by `X - point`. Substituting `X^k` in that quotient
//! gives the quotient of `f(X^k) - f(point)` by `X^k - point`. So each division has the length of one polynomial `f`.

use super::equation::{Opening, quotients};
use super::setup::c0_order;
use super::transcript::{alpha, beta_gamma, seed, xi, y};
use super::{BLINDED_ROWS, Evaluations, Proof, ProofSizes, ProveError, ProvingKey, interleave, powers_for};
use crate::plonkish::blinding::{blinded, copied};
use crate::plonkish::columns::check_shapes;
use crate::plonkish::prover::Prover;
use alloc::vec::Vec;
use pairwright_curve::Pairing;
use pairwright_device::Session;
use pairwright_field::{Field, PrimeField};
use pairwright_poly::{Buf, SourceError};
use rand_core::CryptoRng;

/// The nine random scalars that hide the witness.
pub type Blinding<F> = crate::Blinding<F, 9>;

/// Proves that `witness` satisfies the circuit of `key`.
///
/// The witness holds one value per wire of the constraint system, the constant one first. A witness that does not satisfy the circuit
/// is refused. The blinding factors come from `rng`, so the proof depends on (key, witness, rng) alone. The running time depends on
/// the witness.
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
    let (vk, n, one) = (&key.vk, key.vk.domain.size(), E::Fr::ONE);
    let powers = (powers_for(n), key.powers.len());
    check_shapes(&key.tables(), witness, n.saturating_sub(BLINDED_ROWS), powers)?;
    on.plan(|| ProofSizes::of(key).plan());
    let [of_rows @ .., b7, b8, b9] = blinding.0;
    let mut prover = Prover { on, key: key.tables(), powers: &key.powers };

    prover.on.phase("wires");
    let mut values = prover.columns(witness)?;
    blind_rows(&mut values, &of_rows)?;
    let public: Vec<E::Fr> = witness[1..=vk.public].to_vec();
    let mut inputs: Vec<E::Fr> = public.iter().map(|x| -*x).collect();
    inputs.resize(n, E::Fr::ZERO);
    let [a, b, c] = values.each_ref().map(|column| Buf::from(copied(column)));
    let polys = [prover.interpolated(a)?, prover.interpolated(b)?, prover.interpolated(c)?];
    let inputs = prover.interpolated(inputs.into())?;

    prover.on.phase("gates");
    // If the gates vanish on the domain, their quotient has degree 2n - 3; otherwise the division leaves higher coefficients.
    let [low, high] = prover.quotient(&[], |prover, coset| {
        let columns = prover.columns_on(&polys, coset)?;
        prover.gates(&columns, &inputs, coset)
    })?;
    if !high[n - 2..].iter().all(Field::is_zero) {
        return Err(prover.unsatisfied(witness, &public)?);
    }
    drop(inputs);
    let t0 = joined([low, high]);
    prover.on.phase("commit C1");
    let [a, b, c] = &polys;
    let c1 = prover.interleaved(&[a, b, c, &t0])?;
    let [c1_point] = prover.commit([&c1])?;
    let [beta, gamma] = beta_gamma::<E>(&vk.c0, &public, &c1_point);

    prover.on.phase("permutation");
    let z = prover.running_product(values, [beta, gamma])?;
    let z = blinded(z, &[b9, b8, b7]);
    // T1 = (z - 1)·L1/Z_H = (z - 1)/(n·(X - 1)).
    let (mut t1, _) = prover.on.divide(z.view(), &one)?;
    prover.on.scale(&mut t1, &vk.domain.size_inverse())?;
    let t2 = prover.quotient::<3>(&[], |prover, coset| {
        let columns = prover.columns_on(&polys, coset)?;
        prover.permutation_constraint(columns, &z, [beta, gamma], coset)
    })?;
    let t2 = joined(t2);
    prover.on.phase("commit C2");
    let c2 = prover.interleaved(&[&z, &t1, &t2])?;
    let [c2_point] = prover.commit([&c2])?;
    let seed = seed::<E>(gamma, &c2_point);
    let xi = xi(seed);
    let xi_omega = xi * vk.domain.root();

    prover.on.phase("evaluate");
    let mut fixed = Vec::new();
    for index in 0..5 {
        fixed.push(prover.selector(index)?);
    }
    for index in 0..3 {
        fixed.push(prover.sigma(index)?);
    }
    let c0 = prover.interleaved(&c0_order(&fixed))?;
    let mut fixed_at = Vec::new();
    for p in &mut fixed {
        let (quotient, value) = prover.on.divide(p.view(), &xi)?;
        *p = quotient;
        fixed_at.push(value);
    }
    let q0 = prover.interleaved(&c0_order(&fixed))?;
    drop(fixed);
    let mut columns = polys.into_iter().chain([t0]).collect::<Vec<_>>();
    let mut columns_at = Vec::new();
    for p in &mut columns {
        let (quotient, value) = prover.on.divide(p.view(), &xi)?;
        *p = quotient;
        columns_at.push(value);
    }
    let q1 = prover.interleaved(&columns.iter().collect::<Vec<_>>())?;
    drop(columns);
    let mut running = [z, t1, t2];
    let mut running_at = Vec::new();
    for p in &mut running {
        let (quotient, here) = prover.on.divide(p.view(), &xi)?;
        let (quotient, slope) = prover.on.divide(quotient.view(), &xi_omega)?;
        *p = quotient;
        running_at.push((here, here + (xi_omega - xi) * slope));
    }
    let q2 = prover.interleaved(&running.iter().collect::<Vec<_>>())?;
    drop(running);
    let [qm, ql, qr, qo, qc, s1, s2, s3] = fixed_at[..] else { return Err(bad_challenge().into()) };
    let [a, b, c, t0] = columns_at[..] else { return Err(bad_challenge().into()) };
    let [(z, z_omega), (t1, t1_omega), (t2, t2_omega)] = running_at[..] else {
        return Err(bad_challenge().into());
    };
    let evaluations = Evaluations { ql, qr, qm, qo, qc, s1, s2, s3, a, b, c, z, z_omega, t1_omega, t2_omega };
    // The values differ from those that the verifier computes only if a quotient is wrong: the constraints do not vanish.
    if quotients(vk, &public, &evaluations, [beta, gamma, xi]) != Some([t0, t1, t2]) {
        return Err(prover.unsatisfied(witness, &public)?);
    }

    prover.on.phase("open");
    let alpha = alpha(seed, &evaluations.to_array());
    let mut w1 = q2;
    prover.on.scale(&mut w1, &alpha)?;
    prover.on.axpy(&mut w1, &one, q1.view())?;
    drop(q1);
    prover.on.scale(&mut w1, &alpha)?;
    prover.on.axpy(&mut w1, &one, q0.view())?;
    drop(q0);
    let [w1_point] = prover.commit([&w1])?;
    let y = y::<E>(alpha, &w1_point);
    let opening = Opening::at(&vk.domain, vk.public, &evaluations, [t0, t1, t2], [xi, alpha, y]);
    let Some(Opening { z0, factors: [k1, k2], inverse, .. }) = opening else {
        return Err(bad_challenge().into());
    };
    let mut open = c0;
    prover.on.axpy(&mut open, &k1, c1.view())?;
    drop(c1);
    prover.on.axpy(&mut open, &k2, c2.view())?;
    drop(c2);
    prover.on.axpy(&mut open, &-z0, w1.view())?;
    drop(w1);
    // The quotient is that of this polynomial minus its value at y; the division ignores the remainder, which is that value.
    let (quotient, _) = prover.on.divide(open.view(), &y)?;
    drop(open);
    let [w2_point] = prover.commit([&quotient])?;
    Ok(Proof { c1: c1_point, c2: c2_point, w1: w1_point, w2: w2_point, evaluations, inverse })
}

impl<E: Pairing> Prover<'_, '_, E> {
    /// The polynomial `Σ X^j·f_j(X^k)` of `k` polynomials, padded to the length of the longest one, that of C2.
    fn interleaved(&mut self, parts: &[&Buf<E::Fr>]) -> Result<Buf<E::Fr>, ProveError> {
        let len = 9 * self.key.domain.size();
        Ok(self.on.host("interleave", len, || interleave(len, parts.iter().copied()))?)
    }
}

/// The error for a challenge at which a proof cannot be opened: an honest run draws one with probability below 2^-200.
fn bad_challenge() -> SourceError {
    SourceError("a challenge is a point at which a proof cannot be opened".into())
}

/// Writes random values to the last two rows of the columns, which have no gates. snarkjs treats the Montgomery form of the draws as
/// canonical numbers, so each value is a draw times 2^256.
fn blind_rows<F: PrimeField>(columns: &mut [Buf<F>; 3], draws: &[F]) -> Result<(), SourceError> {
    let form = F::from(2).pow_vartime(&[256]);
    for (column, draws) in columns.iter_mut().zip(draws.chunks(BLINDED_ROWS)) {
        let rows = column.host_mut()?.iter_mut().rev().zip(draws.iter().rev());
        rows.for_each(|(row, draw)| *row = *draw * form);
    }
    Ok(())
}

/// Concatenates the coefficients of the parts of a polynomial, lowest part first.
fn joined<F: PrimeField, const N: usize>(parts: [Buf<F>; N]) -> Buf<F> {
    let mut joined = Vec::with_capacity(parts.iter().map(Buf::len).sum());
    parts.into_iter().for_each(|part| joined.append(&mut part.into_vec()));
    joined.into()
}
