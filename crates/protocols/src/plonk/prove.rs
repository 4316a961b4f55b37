//! Computes Plonk proofs with the operators of a session.

use super::transcript::{alpha, beta_gamma, v, xi};
use super::{EXTRA_POWERS, Evaluations, Proof, ProofSizes, ProveError, ProvingKey};
use crate::plonkish::blinding::{blinded, copied, extended};
use crate::plonkish::columns::check_shapes;
use crate::plonkish::equation::lagrange;
use crate::plonkish::prover::Prover;
use crate::plonkish::quotient::DomainCoset;
use alloc::vec::Vec;
use pairwright_curve::Pairing;
use pairwright_device::Session;
use pairwright_field::{Field, PrimeField, Ring};
use pairwright_poly::Buf;
use rand_core::CryptoRng;

/// The eleven random scalars that hide the witness.
pub type Blinding<F> = crate::Blinding<F, 11>;

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
    let n = key.vk.domain.size();
    check_shapes(&key.tables(), witness, n, (n + EXTRA_POWERS, key.powers.len()))?;
    on.plan(|| ProofSizes::of(key).plan());
    let [b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11] = blinding.0;
    let vk = &key.vk;
    let mut prover = Prover { on, key: key.tables(), powers: &key.powers };

    prover.on.phase("wires");
    let values = prover.columns(witness)?;
    let public: Vec<E::Fr> = witness[1..=vk.public].to_vec();
    let mut inputs: Vec<E::Fr> = public.iter().map(|x| -*x).collect();
    inputs.resize(n, E::Fr::ZERO);
    let [a, b, c] = values.each_ref().map(|column| Buf::from(copied(column)));
    let a = blinded(prover.interpolated(a)?, &[b2, b1]);
    let b = blinded(prover.interpolated(b)?, &[b4, b3]);
    let c = blinded(prover.interpolated(c)?, &[b6, b5]);
    let inputs = prover.interpolated(inputs.into())?;
    let polys = [a, b, c];

    prover.on.phase("commit wires");
    let [a, b, c] = &polys;
    let [a, b, c] = prover.commit([a, b, c])?;
    let wires = [a, b, c];
    let challenges = beta_gamma(vk, &public, &wires);
    let [beta, gamma] = challenges;

    prover.on.phase("permutation");
    let z = prover.running_product(values, challenges)?;
    let z = blinded(z, &[b9, b8, b7]);
    prover.on.phase("commit Z");
    let [z_point] = prover.commit([&z])?;
    let alpha = alpha::<E>(&challenges, &z_point);

    prover.on.phase("quotient");
    // T has degree 3n + 5. Its coefficients from X^3n on are those of the permutation's dividend from X^4n on, because the dividends of
    // the gates and of L1 have lower degrees.
    let high = prover.permutation_constraint_high(&polys, &z, beta)?.map(|x| alpha * x);
    let [mut t1, t2, t3] = prover.quotient(&high, |prover, coset| {
        prover.constraints(&polys, &inputs, &z, [alpha, beta, gamma], coset)
    })?;
    drop(inputs);
    // α²·(z - 1)·L1/Z_H = α²·(z - 1)/(n·(X - 1)), of degree n + 1.
    let (first, _) = prover.on.divide(z.view(), &E::Fr::ONE)?;
    let of_first = alpha.square() * vk.domain.size_inverse();
    prover.on.axpy(&mut t1, &of_first, first.slice(..n))?;
    // T = T1 + X^n·T2 + X^2n·T3. T1 and T2 are blinded by b10·X^n and b11·X^n, which T2 and T3 cancel.
    let mut t1 = extended(t1, &[b10]);
    let mut t2 = extended(t2, &[b11]);
    let mut t3 = extended(t3, &high);
    t2.iter_mut().zip(&first.host()?[n..]).for_each(|(t, x)| *t += of_first * *x);
    drop(first);
    subtract_from_constant(&mut t2, b10);
    subtract_from_constant(&mut t3, b11);

    prover.on.phase("commit T");
    let t = prover.commit([&t1, &t2, &t3])?;
    let xi = xi::<E>(alpha, &t);

    prover.on.phase("evaluate");
    let [a, b, c] = &polys;
    let xi_omega = xi * vk.domain.root();
    let [a, b, c] = [a, b, c].map(|p| prover.on.evaluate(p.view(), &xi));
    let (a, b, c) = (a?, b?, c?);
    let z_omega = prover.on.evaluate(z.view(), &xi_omega)?;
    let s1 = prover.sigma(0)?;
    let s1 = prover.on.evaluate(s1.view(), &xi)?;
    let s2 = prover.sigma(1)?;
    let s2 = prover.on.evaluate(s2.view(), &xi)?;
    let evaluations = Evaluations { a, b, c, s1, s2, z_omega };

    prover.on.phase("open");
    let v = v(xi, &evaluations.to_array());
    let fixed = prover.fixed_combination(&evaluations, [beta, gamma, alpha, v])?;
    let cells = (a + beta * xi + gamma) * (b + beta * vk.k1 * xi + gamma) * (c + beta * vk.k2 * xi + gamma);
    let xi_n = vk.domain.power_of(xi);
    let vanishing = xi_n - E::Fr::ONE;
    // If ξ is in the domain, these values are wrong, and the verifier refuses the proof.
    let (l1, pi) = lagrange(&vk.domain, xi, vanishing, &public);
    let (of_z, _) = prover.on.divide(z.view(), &xi_omega)?;
    let mut open = z;
    prover.on.scale(&mut open, &(cells * alpha + l1 * alpha.square()))?;
    let mut k = -vanishing;
    for part in [&mut t1, &mut t2, &mut t3] {
        prover.on.axpy(&mut open, &k, part.view())?;
        k *= xi_n;
        *part = Buf::default();
    }
    let mut k = v;
    for p in polys {
        prover.on.axpy(&mut open, &k, p.view())?;
        k *= v;
    }
    prover.on.axpy(&mut open, &E::Fr::ONE, extended(fixed, &[]).view())?;
    // The quotient is that of this polynomial minus its value at ξ; the division ignores the remainder, which is that value.
    let (quotient, value) = prover.on.divide(open.view(), &xi)?;
    drop(open);
    // The value differs from the one that the verifier computes only if T is not a quotient: the constraints do not vanish.
    if value != evaluations.opened([l1, pi], [alpha, beta, gamma, v]) {
        return Err(prover.unsatisfied(witness, &public)?);
    }
    let [w_xi, w_xi_omega] = prover.commit([&quotient, &of_z])?;
    Ok(Proof { wires, z: z_point, t, w_xi, w_xi_omega, evaluations })
}

impl<E: Pairing> Prover<'_, '_, E> {
    /// Computes the values of the sum of constraints on a coset: the gates, plus α times the permutation's constraint.
    fn constraints(
        &mut self,
        columns: &[Buf<E::Fr>; 3],
        public: &Buf<E::Fr>,
        running: &Buf<E::Fr>,
        [alpha, beta, gamma]: [E::Fr; 3],
        coset: DomainCoset<E::Fr>,
    ) -> Result<Buf<E::Fr>, ProveError> {
        let columns = self.columns_on(columns, coset)?;
        let mut sum = self.gates(&columns, public, coset)?;
        let permutation = self.permutation_constraint(columns, running, [beta, gamma], coset)?;
        self.on.axpy(&mut sum, &alpha, permutation.view())?;
        Ok(sum)
    }

    /// The part of the opened polynomial that is a combination of the key's polynomials: the selectors with the columns' values at ξ, S3
    /// with its factor in the permutation's constraint, and v⁴·S1 + v⁵·S2.
    fn fixed_combination(
        &mut self,
        at: &Evaluations<E::Fr>,
        [beta, gamma, alpha, v]: [E::Fr; 4],
    ) -> Result<Buf<E::Fr>, ProveError> {
        let mut sum = self.selector(0)?;
        self.on.scale(&mut sum, &(at.a * at.b))?;
        for (index, k) in [(1, at.a), (2, at.b), (3, at.c), (4, E::Fr::ONE)] {
            let q = self.selector(index)?;
            self.on.axpy(&mut sum, &k, q.view())?;
        }
        let cells = (at.a + beta * at.s1 + gamma) * (at.b + beta * at.s2 + gamma);
        let v_4 = v.square().square();
        for (index, k) in [(0, v_4), (1, v_4 * v), (2, -cells * alpha * beta * at.z_omega)] {
            let s = self.sigma(index)?;
            self.on.axpy(&mut sum, &k, s.view())?;
        }
        Ok(sum)
    }
}

/// Subtracts `k` from the constant coefficient of a polynomial.
fn subtract_from_constant<F: PrimeField>(p: &mut Buf<F>, k: F) {
    if let Some(constant) = p.first_mut() {
        *constant -= k;
    }
}
