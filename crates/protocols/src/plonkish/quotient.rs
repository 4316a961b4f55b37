//! Computes quotients by the vanishing polynomial of the domain, on one coset of `n` points after the other.
//!
//! A quotient T of at most `N·n` coefficients is determined by its values on `N` cosets `s_j·⟨ω⟩` with `s_j = g·ω_4n^j`. On the j-th
//! coset `X^n` is the constant `y_j = s_j^n`, and so `Z_H = X^n - 1` is constant too. With `T = Σ_k T_k·X^(nk)`, the values of the
//! dividend divided by that constant are the values of `R_j = Σ_k T_k·y_j^k`. The parts `T_k` are interpolated from the `R_j`, one
//! coset at a time.
//!
//! T may have a few more coefficients, from that of `X^(nN)` on, if they are known beforehand. With H for their polynomial, `R_j`
//! has the additional term `H·y_j^N`, and in the `N` nodes `X^N` equals a polynomial of lower degree, which gives the correction.

use super::ProveError;
use super::blinding::copied;
use super::prover::Prover;
use alloc::vec::Vec;
use pairwright_curve::Pairing;
use pairwright_field::{Field, PrimeField, Ring};
use pairwright_poly::{Buf, Coeff, CosetEval, Domain};

/// A coset `shift·⟨ω⟩` of the domain.
#[derive(Clone, Copy)]
pub(crate) struct DomainCoset<F> {
    /// The factor `s` of the domain's points.
    pub(crate) shift: F,
    /// The n-th power of every point, `s^n`.
    pub(crate) power: F,
}

impl<E: Pairing> Prover<'_, '_, E> {
    /// Computes the `N` parts of a quotient, at most four, of `n` coefficients each. `high` are the known coefficients above them, at
    /// most `n`. `dividend` computes the values of the dividend on a coset.
    pub(crate) fn quotient<const N: usize>(
        &mut self,
        high: &[E::Fr],
        mut dividend: impl FnMut(&mut Self, DomainCoset<E::Fr>) -> Result<Buf<E::Fr>, ProveError>,
    ) -> Result<[Buf<E::Fr>; N], ProveError> {
        let fine = Domain::<E::Fr>::new(self.key.domain.log_size() + 2)?.root();
        let power = |x: E::Fr| self.key.domain.power_of(x);
        // The non-residue is not in the domain of 4n points, so its cosets do not meet the domain.
        let shifts = core::iter::successors(Some(E::Fr::NON_RESIDUE), |shift| Some(*shift * fine));
        let mut shifts = shifts.map(|shift| DomainCoset { shift, power: power(shift) });
        let cosets = [(); N].map(|()| shifts.next());
        let nodes = cosets.map(|coset| coset.map_or(E::Fr::ZERO, |coset| coset.power));
        let mut parts = [(); N].map(|()| Buf::default());
        for (j, coset) in cosets.into_iter().flatten().enumerate() {
            let values = dividend(self, coset)?;
            let (done, rest) = parts.split_at_mut(j);
            let Some(part) = rest.first_mut() else { break };
            *part = self.interpolated_on_coset(values, coset)?;
            // No point of the coset is in the domain, so the inverse exists.
            let vanishing = (coset.power - E::Fr::ONE).invert().unwrap_or(E::Fr::ZERO);
            let (scale, factors) = newton(&nodes, j);
            self.on.scale(part, &(vanishing * scale))?;
            for (before, k) in done.iter().zip(factors) {
                self.on.axpy(part, &k, before.view())?;
            }
        }
        // From Newton's form to coefficients, by Horner's rule.
        for from in (0..N.saturating_sub(1)).rev() {
            let mut rest = &mut parts[from..];
            while let [part, above @ ..] = rest
                && let Some(next) = above.first()
            {
                self.on.axpy(part, &-nodes[from], next.view())?;
                rest = above;
            }
        }
        if !high.is_empty() {
            for (part, k) in parts.iter_mut().zip(remainder(&nodes)) {
                part.host_mut()?.iter_mut().zip(high).for_each(|(low, high)| *low -= k * *high);
            }
        }
        Ok(parts)
    }

    /// Computes the values of the permutation's constraint on a coset, `Π (w + β·k·X + γ)·z - Π (w + β·S + γ)·z(ωX)`. `columns` are
    /// values on the coset, `running` holds the coefficients of z.
    pub(crate) fn permutation_constraint(
        &mut self,
        columns: [Buf<E::Fr>; 3],
        running: &Buf<E::Fr>,
        challenges: [E::Fr; 2],
        coset: DomainCoset<E::Fr>,
    ) -> Result<Buf<E::Fr>, ProveError> {
        let [mut sum, mut after] = self.cells(columns, challenges, coset)?;
        let root = self.key.domain.root();
        let next = self.values(running, DomainCoset { shift: coset.shift * root, power: coset.power })?;
        self.on.mul(&mut after, next.view())?;
        drop(next);
        let z = self.values(running, coset)?;
        self.on.mul_sub(&mut sum, z.view(), after.view())?;
        Ok(sum)
    }

    /// Computes the coefficients of [`Self::permutation_constraint`] from that of `X^4n` on. They depend only on the highest
    /// coefficients of the columns and of z, which are blinded.
    pub(crate) fn permutation_constraint_high(
        &mut self,
        columns: &[Buf<E::Fr>; 3],
        running: &Buf<E::Fr>,
        beta: E::Fr,
    ) -> Result<[E::Fr; HIGH], ProveError> {
        let (n, root) = (self.key.domain.size(), self.key.domain.root());
        let z = first(running.host()?, n + 2);
        let powers =
            core::iter::successors(Some(root.square()), |x| Some(*x * self.key.domain.root_inverse()));
        let mut after = z;
        after.iter_mut().zip(powers).for_each(|(z, power)| *z *= power);
        let (mut own, mut before) = (z, after);
        for (column, sigma) in columns.iter().zip(self.key.sigmas) {
            let mut w = first(column.host()?, n + 1);
            own = product(&own, &w);
            let mut of_sigma = Vec::new();
            sigma.read(n - (HIGH - 2)..n, &mut of_sigma)?;
            // S has degree n - 1, two less than the column.
            w.iter_mut().skip(2).zip(of_sigma.iter().rev()).for_each(|(w, s)| *w += beta * *s);
            before = product(&before, &w);
        }
        // The product of all factors has degree 4n + 5.
        Ok(core::array::from_fn(|i| own[HIGH - 1 - i] - before[HIGH - 1 - i]))
    }

    /// Computes `Π (w + β·k·X + γ)` and `Π (w + β·S + γ)` on a coset, from the values of the columns there and `[β, γ]`.
    pub(crate) fn cells(
        &mut self,
        mut columns: [Buf<E::Fr>; 3],
        [beta, gamma]: [E::Fr; 2],
        coset: DomainCoset<E::Fr>,
    ) -> Result<[Buf<E::Fr>; 2], ProveError> {
        let (n, one, root) = (self.key.domain.size(), E::Fr::ONE, self.key.domain.root());
        let gammas = self.on.powers(&gamma, &one, n)?;
        for values in &mut columns {
            self.on.axpy(values, &one, gammas.view())?;
        }
        drop(gammas);
        let mut before: Option<Buf<E::Fr>> = None;
        for (column, values) in columns.iter().enumerate() {
            let mut factor = self.sigma(column)?;
            self.on.scale(&mut factor, &beta)?;
            let mut factor = self.transformed(factor, coset)?;
            self.on.axpy(&mut factor, &one, values.view())?;
            before = Some(self.times(before, factor)?);
        }
        let mut own: Option<Buf<E::Fr>> = None;
        for (mut factor, k) in columns.into_iter().zip(self.factors()) {
            let names = self.on.powers(&(beta * k * coset.shift), &root, n)?;
            self.on.axpy(&mut factor, &one, names.view())?;
            drop(names);
            own = Some(self.times(own, factor)?);
        }
        Ok([own, before].map(Option::unwrap_or_default))
    }

    /// Computes the values of the gates' constraint on a coset, `(qM·a + qR)·b + qL·a + qO·c + qC + PI`, from the values of the
    /// columns there and the coefficients of PI, which interpolates the negated public values.
    pub(crate) fn gates(
        &mut self,
        [a, b, c]: &[Buf<E::Fr>; 3],
        public: &Buf<E::Fr>,
        coset: DomainCoset<E::Fr>,
    ) -> Result<Buf<E::Fr>, ProveError> {
        let one = E::Fr::ONE;
        let mut gate = self.selector_on(0, coset)?;
        self.on.mul(&mut gate, a.view())?;
        let right = self.selector_on(2, coset)?;
        self.on.axpy(&mut gate, &one, right.view())?;
        drop(right);
        self.on.mul(&mut gate, b.view())?;
        for (selector, values) in [(1, a), (3, c)] {
            let mut term = self.selector_on(selector, coset)?;
            self.on.mul(&mut term, values.view())?;
            self.on.axpy(&mut gate, &one, term.view())?;
        }
        let mut constant = self.selector(4)?;
        self.on.axpy(&mut constant, &one, public.view())?;
        let constant = self.transformed(constant, coset)?;
        self.on.axpy(&mut gate, &one, constant.view())?;
        Ok(gate)
    }

    /// Multiplies a product, `None` while it is empty, by another factor.
    fn times(&mut self, product: Option<Buf<E::Fr>>, factor: Buf<E::Fr>) -> Result<Buf<E::Fr>, ProveError> {
        let Some(mut product) = product else { return Ok(factor) };
        self.on.mul(&mut product, factor.view())?;
        Ok(product)
    }

    /// Computes the values on a coset of the columns, from their coefficients.
    pub(crate) fn columns_on(
        &mut self,
        [a, b, c]: &[Buf<E::Fr>; 3],
        coset: DomainCoset<E::Fr>,
    ) -> Result<[Buf<E::Fr>; 3], ProveError> {
        Ok([self.values(a, coset)?, self.values(b, coset)?, self.values(c, coset)?])
    }

    /// Computes the values on a coset of a polynomial of at least `n` and at most `2n` coefficients.
    pub(crate) fn values(
        &mut self,
        p: &Buf<E::Fr>,
        coset: DomainCoset<E::Fr>,
    ) -> Result<Buf<E::Fr>, ProveError> {
        let (low, high) = p.host()?.split_at(self.key.domain.size());
        let mut folded = copied(low);
        folded.iter_mut().zip(high).for_each(|(low, high)| *low += coset.power * *high);
        self.transformed(folded.into(), coset)
    }

    /// Computes the values on a coset of a selector.
    fn selector_on(&mut self, index: usize, coset: DomainCoset<E::Fr>) -> Result<Buf<E::Fr>, ProveError> {
        let q = self.selector(index)?;
        self.transformed(q, coset)
    }

    /// Transforms `n` coefficients to values on a coset.
    pub(crate) fn transformed(
        &mut self,
        p: Buf<E::Fr>,
        coset: DomainCoset<E::Fr>,
    ) -> Result<Buf<E::Fr>, ProveError> {
        let p = self.poly::<Coeff>(p)?;
        Ok(self.on.coset_ntt(p, &coset.shift)?.into_buf())
    }

    /// Transforms values on a coset to `n` coefficients.
    fn interpolated_on_coset(
        &mut self,
        values: Buf<E::Fr>,
        coset: DomainCoset<E::Fr>,
    ) -> Result<Buf<E::Fr>, ProveError> {
        let p = self.poly::<CosetEval>(values)?;
        Ok(self.on.coset_intt(p, &coset.shift)?.into_buf())
    }
}

/// Number of coefficients of the permutation's products from that of `X^4n` on.
pub(crate) const HIGH: usize = 6;

/// The [`HIGH`] coefficients from that of `X^degree` down; zeros for missing ones.
fn first<F: PrimeField>(p: &[F], degree: usize) -> [F; HIGH] {
    core::array::from_fn(|i| degree.checked_sub(i).and_then(|at| p.get(at)).copied().unwrap_or(F::ZERO))
}

/// The [`HIGH`] highest coefficients of a product, from those of its factors.
fn product<F: PrimeField>(a: &[F; HIGH], b: &[F; HIGH]) -> [F; HIGH] {
    core::array::from_fn(|i| (0..=i).fold(F::ZERO, |sum, j| sum + a[j] * b[i - j]))
}

/// The coefficients of `X^N - Π (X - y_j)`, the polynomial of lower degree with the values of `X^N` in the `N` nodes.
fn remainder<F: PrimeField, const N: usize>(nodes: &[F; N]) -> [F; N] {
    let mut all = [F::ZERO; N];
    for (degree, node) in nodes.iter().enumerate() {
        all[degree] = F::ONE;
        let mut below = F::ZERO;
        for k in &mut all[..=degree] {
            (*k, below) = (below - *node * *k, *k);
        }
    }
    all.map(|k| -k)
}

/// The step of Newton's interpolation for node `j`: the factor of the value there, and the factors of the earlier coefficients; the
/// new coefficient is the sum of these products. The nodes are distinct.
fn newton<F: PrimeField>(nodes: &[F], j: usize) -> (F, Vec<F>) {
    // Π (y_j - y_i) over the first nodes.
    let (mut products, mut all) = (Vec::with_capacity(j), F::ONE);
    for node in &nodes[..j] {
        products.push(all);
        all *= nodes[j] - *node;
    }
    let scale = all.invert().unwrap_or(F::ZERO);
    (scale, products.into_iter().map(|product| -product * scale).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::bn254::Fr;

    #[test]
    fn newton_finds_the_polynomial_through_the_nodes() {
        let nodes = [3u64, 5, 11, 29].map(Fr::from);
        let values = [7u64, 1, 100, 12].map(Fr::from);
        let mut p: Vec<Fr> = Vec::new();
        for j in 0..4 {
            let (scale, factors) = newton(&nodes, j);
            let sum = p.iter().zip(factors).fold(Fr::ZERO, |sum, (before, k)| sum + *before * k);
            p.push(values[j] * scale + sum);
        }
        for (x, value) in nodes.iter().zip(values) {
            let at = (0..4).rev().fold(Fr::ZERO, |sum, i| sum * (*x - nodes[i]) + p[i]);
            assert_eq!(at, value);
        }
        assert_eq!(newton(&nodes, 0), (Fr::ONE, Vec::new()));
    }

    #[test]
    fn a_power_has_a_remainder_with_the_same_values() {
        let nodes = [3u64, 5, 11].map(Fr::from);
        let [k0, k1, k2] = remainder(&nodes);
        for x in nodes {
            assert_eq!(k0 + k1 * x + k2 * x.square(), x * x.square());
        }
    }
}
