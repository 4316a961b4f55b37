//! Reference implementations of the number-theoretic transforms, against which every fast one is tested.
//!
//! They are radix-2 transforms with decimation in time after an explicit bit reversal. The coset shift is a separate pass of N
//! products, the "old method" on which \[CP\] Algorithm 2 improves.

use crate::{Domain, bit_reversed};
use pairwright_field::PrimeField;

/// Transforms coefficients to values at `ω^i` in place; both are in natural order.
///
/// # Panics
/// If the slice has another length than the domain.
pub fn ntt<F: PrimeField>(domain: &Domain<F>, data: &mut [F]) {
    transform(domain.log_size(), domain.root(), data);
}

/// Transforms values at `ω^i` to coefficients in place; both are in natural order.
///
/// # Panics
/// If the slice has another length than the domain.
pub fn intt<F: PrimeField>(domain: &Domain<F>, data: &mut [F]) {
    transform(domain.log_size(), domain.root_inverse(), data);
    let n_inverse = domain.size_inverse();
    data.iter_mut().for_each(|x| *x *= n_inverse);
}

/// Transforms coefficients to values at `shift·ω^i` in place: multiplies by powers of the shift, then calls [`ntt`].
///
/// # Panics
/// If the slice has another length than the domain.
pub fn coset_ntt<F: PrimeField>(domain: &Domain<F>, shift: F, data: &mut [F]) {
    scale_by_powers(shift, data);
    ntt(domain, data);
}

/// Transforms values at `shift·ω^i` to coefficients in place; `shift` must not be zero.
///
/// # Panics
/// If the slice has another length than the domain, or the shift is zero.
pub fn coset_intt<F: PrimeField>(domain: &Domain<F>, shift: F, data: &mut [F]) {
    intt(domain, data);
    let Some(inverse) = shift.invert() else { panic!("a coset shift is not zero") };
    scale_by_powers(inverse, data);
}

fn scale_by_powers<F: PrimeField>(base: F, data: &mut [F]) {
    let mut power = F::ONE;
    for x in data {
        *x *= power;
        power *= base;
    }
}

fn transform<F: PrimeField>(log_n: u32, root: F, data: &mut [F]) {
    let n = 1usize << log_n;
    assert_eq!(data.len(), n, "a transform covers its domain");
    if log_n == 0 {
        return;
    }
    for i in 0..n {
        let j = bit_reversed(i, log_n);
        if i < j {
            data.swap(i, j);
        }
    }
    for stage in 0..log_n {
        let half = 1usize << stage;
        let step = root.pow_vartime(&[(n / (2 * half)) as u64]);
        for block in data.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            let mut twiddle = F::ONE;
            for (a, b) in low.iter_mut().zip(high) {
                let t = twiddle * *b;
                (*a, *b) = (*a + t, *a - t);
                twiddle *= step;
            }
        }
    }
}
