//! The quotient of all constraints by what vanishes on the domain, on four cosets one after the other.
//!
//! The quotient T has degree `3n + 5`, so its values at the `4n` points `g·ω_4n^i` determine it. These are four cosets
//! `s_j·⟨ω⟩` with `s_j = g·ω_4n^j`. On one of them `X^n` is the constant `s_j^n`, and so is `Z_H = X^n - 1`: the values of the
//! sum of constraints divided by that are the values of `R_j = Σ_k T_k·s_j^(nk)`, where `T = Σ_k T_k·X^(nk)`. The parts `T_k`
//! follow from the four `R_j` by an inverse transform of four points, as they come.

use super::ProveError;
use super::prover::Prover;
use alloc::vec;
use alloc::vec::Vec;
use pairwright_curve::Pairing;
use pairwright_field::{Field, PrimeField, Ring};
use pairwright_poly::{Buf, Coeff, CosetEval, Domain};

/// The polynomials that a quotient is made of, and the challenges.
pub(super) struct Parts<'a, F> {
    /// The columns a, b and c, with their blinding.
    pub(super) wires: &'a [Buf<F>; 3],
    /// The polynomial of minus the public values.
    pub(super) public: &'a Buf<F>,
    /// The running product with its blinding.
    pub(super) z: &'a Buf<F>,
    pub(super) beta: F,
    pub(super) gamma: F,
    pub(super) alpha: F,
}

impl<E: Pairing> Prover<'_, '_, E> {
    /// The four parts of the quotient, `n` coefficients each.
    pub(super) fn quotient(&mut self, parts: &Parts<'_, E::Fr>) -> Result<[Buf<E::Fr>; 4], ProveError> {
        let n = self.domain.size();
        let fine = Domain::<E::Fr>::new(self.domain.log_size() + 2)?.root();
        // The non-residue is no 4n-th power, so no coset by it meets the domain of 4n points.
        let mut shift = E::Fr::NON_RESIDUE;
        let power = |x: E::Fr| (0..self.domain.log_size()).fold(x, |x, _| x.square());
        let (g_n, quarter) = (power(shift), power(fine));
        // ω_4n^n = ω_4 and s_j^n = g^n·ω_4^j, so T_k = g^(-nk)/4·Σ_j ω_4^(-jk)·R_j. The inverse of ω_4 is its cube.
        // A power of the non-residue is not zero, and its coset does not meet the domain: there are inverses.
        let inverse = |x: E::Fr| x.invert().unwrap_or(E::Fr::ZERO);
        let (back, quarter_back) = (inverse(g_n), quarter.square() * quarter);
        let gammas = self.on.powers(&parts.gamma, &E::Fr::ONE, n)?;
        let mut t = [(); 4].map(|()| Buf::from(vec![E::Fr::ZERO; n]));
        let mut y = g_n;
        let mut turn = E::Fr::ONE;
        for _ in 0..4 {
            let r = self.on_coset(parts, &gammas, shift, y)?;
            let mut k = E::Fr::HALF.square() * inverse(y - E::Fr::ONE);
            for part in &mut t {
                self.on.axpy(part, &k, r.view())?;
                k *= back * turn;
            }
            shift *= fine;
            y *= quarter;
            turn *= quarter_back;
        }
        Ok(t)
    }

    /// The coefficients of `R·Z_H` for the coset by `shift`, on which `X^n = y`. `gammas` is γ everywhere.
    fn on_coset(
        &mut self,
        parts: &Parts<'_, E::Fr>,
        gammas: &Buf<E::Fr>,
        shift: E::Fr,
        y: E::Fr,
    ) -> Result<Buf<E::Fr>, ProveError> {
        let Parts { wires, public, z, beta, alpha, .. } = *parts;
        let (n, one) = (self.domain.size(), E::Fr::ONE);
        let [a, b, c] = wires;
        let [a, b, c] = [self.values(a, shift, y)?, self.values(b, shift, y)?, self.values(c, shift, y)?];

        // The permutation: Π (w + β·S + γ)·z(ωX), then Π (w + β·k·X + γ)·z minus that.
        let mut product: Option<Buf<E::Fr>> = None;
        for (column, values) in [&a, &b, &c].into_iter().enumerate() {
            let mut factor = self.sigma(column)?;
            self.on.scale(&mut factor, &beta)?;
            let mut factor = self.transformed(factor, shift)?;
            self.on.axpy(&mut factor, &one, values.view())?;
            self.on.axpy(&mut factor, &one, gammas.view())?;
            product = Some(self.times(product, factor)?);
        }
        let mut after = product.unwrap_or_default();
        let root = self.domain.root();
        let next = self.values(z, shift * root, y)?;
        self.on.mul(&mut after, next.view())?;
        drop(next);
        let mut product: Option<Buf<E::Fr>> = None;
        for (values, k) in [&a, &b, &c].into_iter().zip([one, self.vk.k1, self.vk.k2]) {
            let mut factor = self.on.powers(&(beta * k * shift), &root, n)?;
            self.on.axpy(&mut factor, &one, values.view())?;
            self.on.axpy(&mut factor, &one, gammas.view())?;
            product = Some(self.times(product, factor)?);
        }
        let mut sum = product.unwrap_or_default();
        let z = self.values(z, shift, y)?;
        self.on.mul_sub(&mut sum, z.view(), after.view())?;
        drop(after);
        self.on.scale(&mut sum, &alpha)?;

        // The running product begins with one: (z - 1)·L1, whose coefficients are all 1/n.
        let first = Buf::from(vec![self.domain.size_inverse(); n]);
        let first = self.transformed(first, shift)?;
        let mut start = first.clone();
        self.on.mul_sub(&mut start, z.view(), first.view())?;
        drop((first, z));
        self.on.axpy(&mut sum, &alpha.square(), start.view())?;
        drop(start);

        // The gates: (qM·a + qR)·b + qL·a + qO·c + qC + PI.
        let mut gate = self.selector_on(0, shift)?;
        self.on.mul(&mut gate, a.view())?;
        let right = self.selector_on(2, shift)?;
        self.on.axpy(&mut gate, &one, right.view())?;
        drop(right);
        self.on.mul(&mut gate, b.view())?;
        for (selector, values) in [(1, &a), (3, &c)] {
            let mut term = self.selector_on(selector, shift)?;
            self.on.mul(&mut term, values.view())?;
            self.on.axpy(&mut gate, &one, term.view())?;
        }
        let mut constant = self.selector(4)?;
        self.on.axpy(&mut constant, &one, public.view())?;
        let constant = self.transformed(constant, shift)?;
        self.on.axpy(&mut gate, &one, constant.view())?;
        self.on.axpy(&mut sum, &one, gate.view())?;
        drop((constant, gate));

        self.back(sum, shift)
    }

    /// A product of factors that come one by one.
    fn times(&mut self, product: Option<Buf<E::Fr>>, factor: Buf<E::Fr>) -> Result<Buf<E::Fr>, ProveError> {
        let Some(mut product) = product else { return Ok(factor) };
        self.on.mul(&mut product, factor.view())?;
        Ok(product)
    }

    /// The values of a polynomial of a few more than `n` coefficients on a coset where `X^n = y`.
    fn values(&mut self, p: &Buf<E::Fr>, shift: E::Fr, y: E::Fr) -> Result<Buf<E::Fr>, ProveError> {
        let (low, high) = p.host()?.split_at(self.domain.size());
        let mut folded: Vec<E::Fr> = low.to_vec();
        folded.iter_mut().zip(high).for_each(|(low, high)| *low += y * *high);
        self.transformed(folded.into(), shift)
    }

    /// The values on a coset of a selector.
    fn selector_on(&mut self, index: usize, shift: E::Fr) -> Result<Buf<E::Fr>, ProveError> {
        let q = self.selector(index)?;
        self.transformed(q, shift)
    }

    /// Coefficients to values on a coset.
    fn transformed(&mut self, p: Buf<E::Fr>, shift: E::Fr) -> Result<Buf<E::Fr>, ProveError> {
        let p = self.poly::<Coeff>(p)?;
        Ok(self.on.coset_ntt(p, &shift)?.into_buf())
    }

    /// Values on a coset to coefficients.
    fn back(&mut self, values: Buf<E::Fr>, shift: E::Fr) -> Result<Buf<E::Fr>, ProveError> {
        let p = self.poly::<CosetEval>(values)?;
        Ok(self.on.coset_intt(p, &shift)?.into_buf())
    }
}
