//! Memory to be written over: nothing is written twice, and the system gives large pages where it has them.

use core::any::TypeId;
use core::mem::ManuallyDrop;
use pairwright_curve::{Pairing, for_each_curve};
use pairwright_field::PrimeField;
use pairwright_hash::Digest;
use pairwright_poly::ask_for_large_pages;

/// Is this one of the scalar fields of 253 to 255 bits that are known by type? A value of one is exactly four limbs.
pub(super) fn by_type<F: PrimeField>() -> bool {
    macro_rules! is_listed {
        (curves { $($id:ident [$pairing:ty] $($about:literal)+;)+ } $($fixtures:tt)*) => {
            $(TypeId::of::<F>() == TypeId::of::<<$pairing as Pairing>::Fr>())||+
        };
    }
    F::BYTES == 32 && (253..=255).contains(&F::BITS) && for_each_curve!(is_listed)
}

/// A vector of `len` zeros. For fields that are known by type they are untouched pages: each is touched first by the
/// thread that fills it.
pub(crate) fn zeros<F: PrimeField>(len: usize) -> Vec<F> {
    if !by_type::<F>() {
        return vec![F::ZERO; len];
    }
    let mut limbs = ManuallyDrop::new(large_pages(vec![[0u64; 4]; len]));
    // SAFETY: F is `Fp<_, 4>`, which is transparent over `[u64; 4]`, so that length, capacity and alignment are those
    // of a vector of F; limbs of zero are the element zero; and the other owner is never dropped.
    unsafe { Vec::from_raw_parts(limbs.as_mut_ptr().cast(), limbs.len(), limbs.capacity()) }
}

/// A vector of `len` digests of zeros, in untouched pages likewise.
pub(crate) fn digests(len: usize) -> Vec<Digest> {
    large_pages(vec![[0; 32]; len])
}

/// A vector of `len` words of zeros, in untouched pages likewise.
#[cfg(target_arch = "x86_64")]
pub(super) fn words(len: usize) -> Vec<u64> {
    large_pages(vec![0; len])
}

/// Asks for large pages under a vector, before it is written: the faults of small ones would take longer than the arithmetic
/// of a tree.
pub(crate) fn large_pages<T>(mut memory: Vec<T>) -> Vec<T> {
    ask_for_large_pages(&mut memory);
    memory
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::{bls12_381, bn254};
    use pairwright_field::Field;

    /// Checks lengths around the one from which large pages are asked for, and a field that is not known by type.
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
