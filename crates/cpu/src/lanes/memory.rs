//! Allocation of outputs: memory that is not touched before the output is written, in large pages if the system has them.

use core::any::TypeId;
use core::mem::ManuallyDrop;
use pairwright_curve::{Pairing, for_each_curve};
use pairwright_field::PrimeField;
use pairwright_hash::Digest;
use pairwright_poly::ask_for_large_pages;

/// Whether this is one of the listed scalar fields of 253 to 255 bits, whose values are exactly four limbs.
pub(super) fn is_listed_field<F: PrimeField>() -> bool {
    macro_rules! is_listed {
        (curves { $($id:ident [$pairing:ty] $($about:literal)+;)+ } $($fixtures:tt)*) => {
            $(TypeId::of::<F>() == TypeId::of::<<$pairing as Pairing>::Fr>())||+
        };
    }
    F::BYTES == 32 && (253..=255).contains(&F::BITS) && for_each_curve!(is_listed)
}

/// A vector of `len` zeros. For the listed fields its pages are untouched: each is touched first by the thread that fills it.
pub(crate) fn zeros<F: PrimeField>(len: usize) -> Vec<F> {
    if !is_listed_field::<F>() {
        return vec![F::ZERO; len];
    }
    let mut limbs = ManuallyDrop::new(large_pages(vec![[0u64; 4]; len]));
    // SAFETY: F is `Fp<_, 4>`, which is transparent over `[u64; 4]`, so that length, capacity and alignment are those
    // of a vector of F; limbs of zero are the element zero; and the other owner is never dropped.
    unsafe { Vec::from_raw_parts(limbs.as_mut_ptr().cast(), limbs.len(), limbs.capacity()) }
}

/// A vector of `len` digests of zero bytes, in untouched pages.
pub(crate) fn digests(len: usize) -> Vec<Digest> {
    large_pages(vec![[0; 32]; len])
}

/// A vector of `len` zero words, in untouched pages.
#[cfg(target_arch = "x86_64")]
pub(super) fn words(len: usize) -> Vec<u64> {
    large_pages(vec![0; len])
}

/// Requests large pages for a vector before it is written, because the page faults of small pages would take longer than the
/// arithmetic of a tree.
pub(crate) fn large_pages<T>(mut memory: Vec<T>) -> Vec<T> {
    ask_for_large_pages(&mut memory);
    memory
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::{bls12_381, bn254};
    use pairwright_field::Field;

    /// Checks lengths around the one from which large pages are requested, and a field that is not listed.
    #[test]
    fn memory_is_zero_and_may_be_written() {
        fn check<F: PrimeField>(len: usize) {
            let mut x = zeros::<F>(len);
            assert!(x.len() == len && x.iter().all(Field::is_zero));
            x.fill(F::ONE);
            assert!(x.iter().all(|x| *x == F::ONE));
        }
        for len in [0, 1, 1000, (8 << 15) - 1, 8 << 15, (10 << 15) + 77] {
            check::<bls12_381::Fr>(len);
            assert!(digests(len).iter().all(|x| *x == [0; 32]));
        }
        check::<bn254::Fq>(1000);
    }
}
