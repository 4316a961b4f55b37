//! The reference results: vector arithmetic and the NTT on big integers, written for clarity, not speed.

use crate::Modulus;
use num_bigint::BigUint;
use num_traits::One;
use pairwright_moma::program::blas::BlasOp;

/// Applies a vector operation element by element.
pub(crate) fn vector(
    op: BlasOp,
    q: &BigUint,
    scalar: &BigUint,
    a: &[BigUint],
    b: &[BigUint],
) -> Vec<BigUint> {
    let one = |(a, b): (&BigUint, &BigUint)| match op {
        BlasOp::Vadd => (a + b) % q,
        BlasOp::Vsub => (a + q - b) % q,
        BlasOp::Vmul => a * b % q,
        BlasOp::Axpy => (scalar * a + b) % q,
    };
    a.iter().zip(b).map(one).collect()
}

/// `1, w, w^2, ...`: `count` powers.
pub(crate) fn powers(w: &BigUint, count: usize, q: &BigUint) -> Vec<BigUint> {
    let next = |power: &BigUint| Some(power * w % q);
    core::iter::successors(Some(BigUint::one()), next).take(count).collect()
}

/// `X[k] = sum over j of x[j] w^(jk)`, in natural order, where w is the modulus' root of unity for this length, a power
/// of two.
pub(crate) fn ntt(x: &[BigUint], modulus: &Modulus) -> Vec<BigUint> {
    transform(x, &powers(&modulus.root(x.len().ilog2()), x.len() / 2, &modulus.q), 1, &modulus.q)
}

/// A recursive transform: even indices, odd indices, then the butterflies that combine them.
fn transform(x: &[BigUint], powers: &[BigUint], stride: usize, q: &BigUint) -> Vec<BigUint> {
    if x.len() <= 1 {
        return x.to_vec();
    }
    let places = |first: usize| x.iter().skip(first).step_by(2).cloned().collect::<Vec<_>>();
    let even = transform(&places(0), powers, 2 * stride, q);
    let odd = transform(&places(1), powers, 2 * stride, q);
    let turned: Vec<_> = odd.iter().enumerate().map(|(k, odd)| odd * &powers[k * stride] % q).collect();
    let low = even.iter().zip(&turned).map(|(even, odd)| (even + odd) % q);
    let high = even.iter().zip(&turned).map(|(even, odd)| (even + q - odd) % q);
    low.chain(high).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ntt_is_its_definition() {
        let modulus = Modulus::of_class(64).unwrap();
        let x: Vec<_> = (0..8u32).map(|i| BigUint::from(i * i + 1)).collect();
        let w = modulus.root(3);
        for (k, value) in ntt(&x, &modulus).iter().enumerate() {
            let term = |(j, x): (usize, &BigUint)| x * w.modpow(&BigUint::from(j * k), &modulus.q);
            assert_eq!(*value, x.iter().enumerate().map(term).sum::<BigUint>() % &modulus.q, "{k}");
        }
    }

    #[test]
    fn the_four_operations() {
        let [q, s] = [17u8, 3].map(BigUint::from);
        let [a, b] = [[5u8, 16], [13, 16]].map(|x| x.map(BigUint::from));
        let expected = [[1u8, 15], [9, 0], [14, 1], [11, 13]];
        for (op, right) in BlasOp::ALL.into_iter().zip(expected) {
            assert_eq!(vector(op, &q, &s, &a, &b), right.map(BigUint::from), "{op:?}");
        }
    }
}
