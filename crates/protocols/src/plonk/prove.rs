//! Computes Plonk proofs with the operators of a session.

use super::prover::Prover;
use super::quotient::Parts;
use super::transcript::{alpha, beta_gamma, v, xi};
use super::{Addition, EXTRA_POWERS, Evaluations, Proof, ProveError, ProvingKey};
use alloc::vec;
use alloc::vec::Vec;
use pairwright_curve::Pairing;
use pairwright_device::Session;
use pairwright_field::{Field, PrimeField, Ring};
use pairwright_poly::{Buf, Coeff, Source};
use rand_core::CryptoRng;

/// The eleven random values that hide the witness.
pub type Blinding<F> = crate::Blinding<F, 11>;

/// Proves that `witness` satisfies the circuit of `key`.
///
/// The witness holds a value a wire of the constraint system, the constant one first. One that does not satisfy the circuit
/// is refused. The blinding comes from `rng`, so the proof depends on (key, witness, rng) alone. Running time depends on the
/// witness.
///
/// # Errors
/// When witness and key do not fit, the key cannot be read or a device fails.
pub fn prove<E: Pairing>(
    on: &mut Session<'_, E>,
    key: &ProvingKey<E>,
    witness: &Buf<E::Fr>,
    rng: &mut dyn CryptoRng,
) -> Result<Proof<E>, ProveError> {
    prove_blinded(on, key, witness, &Blinding::random(rng))
}

/// [`prove`] with given blinding.
///
/// # Errors
/// As [`prove`].
pub fn prove_blinded<E: Pairing>(
    on: &mut Session<'_, E>,
    key: &ProvingKey<E>,
    witness: &Buf<E::Fr>,
    blinding: &Blinding<E::Fr>,
) -> Result<Proof<E>, ProveError> {
    check_shapes(key, witness)?;
    let [b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11] = blinding.0;
    let (vk, n) = (&key.vk, key.vk.domain.size());
    let mut prover = Prover { on, key, vk, domain: vk.domain };

    prover.on.phase("wires");
    let values = prover.columns(witness)?;
    let public: Vec<E::Fr> = witness[1..=vk.public].to_vec();
    let mut inputs: Vec<E::Fr> = public.iter().map(|x| -*x).collect();
    inputs.resize(n, E::Fr::ZERO);
    let [a, b, c] = values.clone();
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
    let z = prover.running_product(&values, beta, gamma)?;
    let z = blinded(z, &[b9, b8, b7]);
    prover.on.phase("commit Z");
    let [z_point] = prover.commit([&z])?;
    let alpha = alpha::<E>(&challenges, &z_point);

    prover.on.phase("quotient");
    let parts = Parts { wires: &polys, public: &inputs, z: &z, beta, gamma, alpha };
    let [t1, t2, t3, rest] = prover.quotient(&parts)?;
    // The quotient ends in the fourth part's sixth coefficient, unless the constraints do not vanish on the domain.
    if !rest[EXTRA_POWERS..].iter().all(Field::is_zero) {
        return Err(prover.unsatisfied(&values, &public)?);
    }
    drop((values, inputs));
    // T = T1 + X^n·T2 + X^2n·T3, where b10·X^n and b11·X^n of the first two are taken back in the next.
    let mut t1 = extended(t1, &[b10]);
    let mut t2 = extended(t2, &[b11]);
    let mut t3 = extended(t3, &rest[..EXTRA_POWERS]);
    take(&mut t2, b10);
    take(&mut t3, b11);
    drop(rest);

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
    let xi_n = (0..vk.domain.log_size()).fold(xi, |x, _| x.square());
    let vanishing = xi_n - E::Fr::ONE;
    // L1(ξ) = (ξ^n - 1)/(n·(ξ - 1)); the verifier refuses a ξ in the domain.
    let l1 = (xi - E::Fr::ONE).invert().unwrap_or(E::Fr::ZERO) * vanishing * vk.domain.size_inverse();
    let mut open = z.clone();
    prover.on.scale(&mut open, &(cells * alpha + l1 * alpha.square()))?;
    let mut k = -vanishing;
    for part in [&mut t1, &mut t2, &mut t3] {
        prover.on.axpy(&mut open, &k, part.view())?;
        k *= xi_n;
        *part = Buf::default();
    }
    let mut k = v;
    for p in &polys {
        prover.on.axpy(&mut open, &k, p.view())?;
        k *= v;
    }
    prover.on.axpy(&mut open, &E::Fr::ONE, extended(fixed, &[]).view())?;
    // What is opened is this polynomial less its value at ξ, which division leaves aside.
    let (quotient, _) = prover.on.divide(open.view(), &xi)?;
    drop(open);
    let powers = prover.powers()?;
    let w_xi = prover.on.msm_g1(powers.slice(..quotient.len()), quotient.view())?.to_affine();
    let (quotient, _) = prover.on.divide(z.view(), &xi_omega)?;
    let w_xi_omega = prover.on.msm_g1(powers.slice(..quotient.len()), quotient.view())?.to_affine();
    Ok(Proof { wires, z: z_point, t, w_xi, w_xi_omega, evaluations })
}

impl<E: Pairing> Prover<'_, '_, E> {
    /// The values of the columns a, b and c on the domain.
    fn columns(&mut self, witness: &Buf<E::Fr>) -> Result<[Buf<E::Fr>; 3], ProveError> {
        let (key, n) = (self.key, self.domain.size());
        let additions = key.additions.len();
        let values = self.on.host("additions", additions, || all_wires(key, witness.host()?))?;
        let rows = key.columns.first().map_or(0, |column| column.len());
        self.on.host("read_wires", rows, || {
            let [a, b, c] = &key.columns;
            let column = |part, wires: &dyn Source<u32>| column(part, wires, &values, n);
            Ok([
                column("wires of column a", &**a)?,
                column("wires of column b", &**b)?,
                column("wires of column c", &**c)?,
            ])
        })
    }

    /// The coefficients of the running product: one, and from row to row times
    /// `Π (w + β·k·ω^i + γ) / Π (w + β·S(ω^i) + γ)`.
    fn running_product(
        &mut self,
        columns: &[Buf<E::Fr>; 3],
        beta: E::Fr,
        gamma: E::Fr,
    ) -> Result<Buf<E::Fr>, ProveError> {
        let (n, one) = (self.domain.size(), E::Fr::ONE);
        let gammas = self.on.powers(&gamma, &one, n)?;
        let mut factors = Vec::new();
        for (values, k) in columns.iter().zip([one, self.vk.k1, self.vk.k2]) {
            let mut factor = self.on.powers(&(beta * k), &self.domain.root(), n)?;
            self.on.axpy(&mut factor, &one, values.view())?;
            self.on.axpy(&mut factor, &one, gammas.view())?;
            factors.push(factor);
        }
        let mut above = self.product(factors)?;
        let mut factors = Vec::new();
        for (column, values) in columns.iter().enumerate() {
            let mut factor = self.sigma(column)?;
            self.on.scale(&mut factor, &beta)?;
            let p = self.poly::<Coeff>(factor)?;
            let mut factor = self.on.ntt(p)?.into_buf();
            self.on.axpy(&mut factor, &one, values.view())?;
            self.on.axpy(&mut factor, &one, gammas.view())?;
            factors.push(factor);
        }
        let mut below = self.product(factors)?;
        self.on.invert(&mut below)?;
        self.on.mul(&mut above, below.view())?;
        if self.on.prefix_products(&mut above)? != one {
            return Err(ProveError::KeyPermutation);
        }
        self.interpolated(above)
    }

    fn product(&mut self, factors: Vec<Buf<E::Fr>>) -> Result<Buf<E::Fr>, ProveError> {
        let mut factors = factors.into_iter();
        let mut product = factors.next().unwrap_or_default();
        for factor in factors {
            self.on.mul(&mut product, factor.view())?;
        }
        Ok(product)
    }

    /// What is opened of the key's polynomials: the gates at ξ, the permutation's S3, and v⁴·S1 + v⁵·S2.
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

    /// The first gate that the values do not satisfy. That the constraints do not vanish is known; if every gate holds, the
    /// permutation is at fault.
    fn unsatisfied(&mut self, columns: &[Buf<E::Fr>; 3], public: &[E::Fr]) -> Result<ProveError, ProveError> {
        let mut selectors = Vec::new();
        for index in 0..5 {
            let q = self.selector(index)?;
            let p = self.poly::<Coeff>(q)?;
            selectors.push(self.on.ntt(p)?.into_buf());
        }
        let holds = |i: usize| {
            let [a, b, c] = [0, 1, 2].map(|column: usize| columns[column][i]);
            let [qm, ql, qr, qo, qc] = [0, 1, 2, 3, 4].map(|index: usize| selectors[index][i]);
            let input = public.get(i).copied().unwrap_or(E::Fr::ZERO);
            qm * a * b + ql * a + qr * b + qo * c + qc == input
        };
        let gate = (0..self.domain.size()).find(|i| !holds(*i));
        Ok(gate.map_or(ProveError::KeyPermutation, |gate| ProveError::Unsatisfied { gate }))
    }
}

/// `p + (Σ b_i·X^i)·(X^n - 1)` with room for all blinding, of a polynomial of `n` coefficients.
fn blinded<F: PrimeField>(p: Buf<F>, b: &[F]) -> Buf<F> {
    let mut p = extended(p, b);
    p.iter_mut().zip(b).for_each(|(low, b)| *low -= *b);
    p
}

/// A polynomial of `n` coefficients with more above them, and zeros up to the room for all blinding.
fn extended<F: PrimeField>(p: Buf<F>, high: &[F]) -> Buf<F> {
    let mut p = p.into_vec();
    let room = p.len() + EXTRA_POWERS;
    p.reserve_exact(EXTRA_POWERS);
    p.extend_from_slice(high);
    p.resize(room, F::ZERO);
    p.into()
}

/// Subtracts a constant from a polynomial.
fn take<F: PrimeField>(p: &mut Buf<F>, k: F) {
    if let Some(constant) = p.first_mut() {
        *constant -= k;
    }
}

/// The values of all wires: zero instead of the constant one, those of the witness, and those of the additions.
fn all_wires<E: Pairing>(key: &ProvingKey<E>, witness: &[E::Fr]) -> Result<Vec<E::Fr>, ProveError> {
    let mut values = Vec::with_capacity(key.wires);
    values.extend_from_slice(witness);
    if let Some(one) = values.first_mut() {
        *one = E::Fr::ZERO;
    }
    let mut some: Vec<Addition<E::Fr>> = Vec::new();
    for start in (0..key.additions.len()).step_by(CHUNK) {
        some.clear();
        key.additions.read(start..key.additions.len().min(start + CHUNK), &mut some)?;
        for (i, addition) in some.iter().enumerate() {
            let value = |wire: u32| {
                let missing =
                    ProveError::NoSuchWire { part: "additions", index: start + i, wire, wires: values.len() };
                values.get(wire as usize).copied().ok_or(missing)
            };
            let left = addition.left_factor * value(addition.left)?;
            let sum = left + addition.right_factor * value(addition.right)?;
            values.push(sum);
        }
    }
    Ok(values)
}

/// Elements that are read at a time.
const CHUNK: usize = 1 << 14;

/// The values of a column's wires, and zeros below them.
fn column<F: PrimeField>(
    part: &'static str,
    wires: &dyn Source<u32>,
    values: &[F],
    n: usize,
) -> Result<Buf<F>, ProveError> {
    let mut column = Vec::with_capacity(n);
    let mut some = Vec::new();
    for start in (0..wires.len()).step_by(CHUNK) {
        some.clear();
        wires.read(start..wires.len().min(start + CHUNK), &mut some)?;
        for (i, wire) in some.iter().enumerate() {
            let missing = ProveError::NoSuchWire { part, index: start + i, wire: *wire, wires: values.len() };
            column.push(*values.get(*wire as usize).ok_or(missing)?);
        }
    }
    column.resize(n, F::ZERO);
    Ok(column.into())
}

fn check_shapes<E: Pairing>(key: &ProvingKey<E>, witness: &Buf<E::Fr>) -> Result<(), ProveError> {
    let expected = key.wires.saturating_sub(key.additions.len());
    if witness.len() != expected {
        return Err(ProveError::WitnessLength { expected, found: witness.len() });
    }
    if witness.first() != Some(&E::Fr::ONE) {
        return Err(ProveError::NoConstantOne);
    }
    let n = key.vk.domain.size();
    let [a, b, c] = &key.columns;
    let rows = a.len();
    let mut parts = vec![
        ("wires of column b", rows, b.len()),
        ("wires of column c", rows, c.len()),
        ("powers of tau", n + EXTRA_POWERS, key.powers.len()),
    ];
    parts.extend(key.selectors.iter().map(|q| ("selector", n, q.len())));
    parts.extend(key.sigmas.iter().map(|s| ("permutation", n, s.len())));
    for (part, expected, found) in parts {
        if expected != found {
            return Err(ProveError::KeyShape { part, expected, found });
        }
    }
    if rows > n || n < EXTRA_POWERS {
        return Err(ProveError::KeyShape { part: "wires of column a", expected: n, found: rows });
    }
    if key.vk.public > rows || key.vk.public >= witness.len() {
        return Err(ProveError::KeyShape {
            part: "public values",
            expected: rows.min(witness.len() - 1),
            found: key.vk.public,
        });
    }
    Ok(())
}
