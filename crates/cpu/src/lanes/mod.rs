//! Eight elements an instruction, on processors with AVX-512 IFMA: pointwise products, transforms, trees and
//! sumchecks of the scalar fields, MSMs and pairings, on the kernels in `generated/`, and hashes of trees; and the memory
//! they write to.
//!
//! Where there are no lanes (another field, another processor, a short operand), the caller has its plain loop. Both
//! give the same bits.

#[cfg(target_arch = "x86_64")]
pub(crate) mod abreast;
#[cfg(target_arch = "x86_64")]
pub(crate) mod across;
#[cfg(target_arch = "x86_64")]
mod constants;
#[cfg(target_arch = "x86_64")]
mod coordinate;
#[cfg(target_arch = "x86_64")]
mod digits;
#[cfg(target_arch = "x86_64")]
pub(crate) mod each;
#[cfg(target_arch = "x86_64")]
mod form;
pub(crate) mod keccak;
#[cfg(target_arch = "x86_64")]
mod lazy;
#[cfg(target_arch = "x86_64")]
mod limbs;
#[cfg_attr(not(target_arch = "x86_64"), path = "ntt_without_lanes.rs")]
pub(crate) mod ntt;
#[cfg(target_arch = "x86_64")]
mod octet;
#[cfg(target_arch = "x86_64")]
mod places;
#[cfg(target_arch = "x86_64")]
pub(crate) mod points;
#[cfg_attr(not(target_arch = "x86_64"), path = "poseidon_without_lanes.rs")]
pub(crate) mod poseidon;
#[cfg(target_arch = "x86_64")]
mod products;
pub(crate) mod room;
#[cfg_attr(not(target_arch = "x86_64"), path = "sumcheck_without_lanes.rs")]
pub(crate) mod sumcheck;
#[cfg(target_arch = "x86_64")]
mod summand;
#[cfg_attr(not(target_arch = "x86_64"), path = "tree_without_lanes.rs")]
pub(crate) mod tree;
#[cfg(target_arch = "x86_64")]
mod wide;

#[cfg(target_arch = "x86_64")]
use crate::isa::in_lanes;
use core::any::TypeId;
use pairwright_curve::{Pairing, for_each_curve};
use pairwright_field::PrimeField;

/// The memory of a slice as limbs, for the fields that have kernels: four limbs, in Montgomery form with radix 2^256.
#[cfg(target_arch = "x86_64")]
fn limbs<F: PrimeField>(x: &[F]) -> Option<&[[u64; 4]]> {
    // SAFETY: `known` has checked that F is `Fp<_, 4>`, which is transparent over `[u64; 4]`.
    known::<F>().then(|| unsafe { core::slice::from_raw_parts(x.as_ptr().cast(), x.len()) })
}

/// The same, to be changed. What is written must be below the modulus.
#[cfg(target_arch = "x86_64")]
fn limbs_mut<F: PrimeField>(x: &mut [F]) -> Option<&mut [[u64; 4]]> {
    // SAFETY: as in `limbs`; the exclusive borrow of `x` lasts as long as the result.
    known::<F>().then(|| unsafe { core::slice::from_raw_parts_mut(x.as_mut_ptr().cast(), x.len()) })
}

/// Is this one of the fields with 253 to 255 bits that are known by type, and has the processor what the kernels need?
///
/// Types are compared, not widths: only of these types do we know that a value is exactly four limbs, as the casts require.
#[cfg(target_arch = "x86_64")]
pub(crate) fn known<F: PrimeField>() -> bool {
    by_type::<F>() && in_lanes()
}

fn by_type<F: PrimeField>() -> bool {
    macro_rules! is_listed {
        (curves { $($id:ident [$pairing:ty] $($about:literal)+;)+ } $($fixtures:tt)*) => {
            $(TypeId::of::<F>() == TypeId::of::<<$pairing as Pairing>::Fr>())||+
        };
    }
    F::BYTES == 32 && (253..=255).contains(&F::BITS) && for_each_curve!(is_listed)
}

/// `a[i] ← a[i] b[i]` for the first elements, in lanes; returns how many it did: all but at most seven, or none.
pub(crate) fn multiply<F: PrimeField>(a: &mut [F], b: &[F]) -> usize {
    #[cfg(target_arch = "x86_64")]
    if let (Some(a), Some(b)) = (limbs_mut(a), limbs(b)) {
        // SAFETY: `limbs` gives slices only where the processor has the features.
        return unsafe { products::<F>(a, b) };
    }
    let _ = (a, b);
    0
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512ifma")]
fn products<F: PrimeField>(a: &mut [[u64; 4]], b: &[[u64; 4]]) -> usize {
    let k = digits::Constants::new::<F>();
    let (a, _) = a.as_chunks_mut::<{ digits::LANES }>();
    let (b, _) = b.as_chunks::<{ digits::LANES }>();
    for (a, b) in a.iter_mut().zip(b) {
        // One operand times 16: the product divides by 2^260, memory's form wants a division by 2^256.
        let x = digits::times(&digits::load::<4>(a), &digits::load::<0>(b), &k);
        digits::store(a, &digits::reduced(&x, &k));
    }
    digits::LANES * a.len().min(b.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::{bls12_377, bls12_381, bn254};
    use pairwright_field::Field;
    use pairwright_testkit::conformance::Values;

    fn products_are_those_of_the_field<F: PrimeField>() {
        if !known::<F>() {
            println!("SKIPPED: this processor has no AVX-512 IFMA");
            return;
        }
        let mut values = Values::<F>::new(3);
        let edges = [F::ZERO, F::ONE, -F::ONE, F::from(2), -F::from(2)];
        let mut a: Vec<F> = edges.iter().flat_map(|x| edges.map(|_| *x)).collect();
        let mut b: Vec<F> = edges.iter().flat_map(|_| edges).collect();
        a.extend(values.take_buf(1000).iter());
        b.extend(values.take_buf(1000).iter());
        // The greatest limbs that are below the modulus.
        let mut top = F::MODULUS;
        top.as_mut()[0] -= 1;
        a[1010] = F::from_montgomery(top).unwrap();
        b[1010] = a[1010];
        let want: Vec<F> = a.iter().zip(&b).map(|(x, y)| *x * *y).collect();
        let done = multiply(&mut a, &b);
        assert_eq!(done, a.len() / 8 * 8);
        assert_eq!(a[..done], want[..done]);
        assert_eq!(multiply(&mut a[..7], &b[..7]), 0);
    }

    #[test]
    fn products_of_bls12_381() {
        products_are_those_of_the_field::<bls12_381::Fr>();
    }
    #[test]
    fn products_of_bn254() {
        products_are_those_of_the_field::<bn254::Fr>();
    }
    #[test]
    fn products_of_bls12_377() {
        products_are_those_of_the_field::<bls12_377::Fr>();
    }

    /// A field whose memory is not known is left to the plain loop.
    #[test]
    fn other_fields_are_left_alone() {
        let mut a = [bn254::Fq::ONE; 16];
        assert_eq!(multiply(&mut a, &[bn254::Fq::ONE; 16]), 0);
    }
}
