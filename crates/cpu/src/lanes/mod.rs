//! Eight elements an instruction, on processors with AVX-512 IFMA: vectors, transforms, trees and sumchecks of the scalar
//! fields, MSMs and pairings, on the kernels in `generated/`, and hashes of trees; and the memory they write to.
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
#[cfg_attr(not(target_arch = "x86_64"), path = "vectors_without_lanes.rs")]
pub(crate) mod vectors;
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
