//! Code that processes eight elements per instruction, on processors with AVX-512 IFMA: vectors, transforms, trees and sumchecks of
//! the scalar fields, MSMs and pairings, on the kernels in `generated/`, and hashes of trees; also the allocation of their outputs.
//!
//! If lanes cannot be used (another field, another processor, a short operand), the caller runs its scalar loop. Both
//! give the same bits. Targets without AVX-512 have `absent.rs` in place of this module.

pub(crate) mod abreast;
pub(crate) mod across;
mod bounds;
mod constants;
mod coordinate;
mod digits;
pub(crate) mod dispatch;
pub(crate) mod each;
mod form;
mod inversion;
pub(crate) mod keccak;
mod lazy;
mod limbs;
pub(crate) mod memory;
pub(crate) mod ntt;
mod octet;
mod permutation;
pub(crate) mod points;
pub(crate) mod poseidon;
mod products;
pub(crate) mod sumcheck;
pub(crate) mod tree;
pub(crate) mod vectors;
mod wide;

use crate::isa::in_lanes;
use memory::is_listed_field;
use pairwright_field::PrimeField;

/// A slice of elements as a slice of limbs: four limbs each, in Montgomery form with radix 2^256. `None` for fields without kernels.
fn limbs<F: PrimeField>(x: &[F]) -> Option<&[[u64; 4]]> {
    // SAFETY: `known` has checked that F is `Fp<_, 4>`, which is transparent over `[u64; 4]`.
    known::<F>().then(|| unsafe { core::slice::from_raw_parts(x.as_ptr().cast(), x.len()) })
}

/// A mutable slice of elements as a slice of limbs. Values that are written must be below the modulus.
fn limbs_mut<F: PrimeField>(x: &mut [F]) -> Option<&mut [[u64; 4]]> {
    // SAFETY: as in `limbs`; the exclusive borrow of `x` lasts as long as the result.
    known::<F>().then(|| unsafe { core::slice::from_raw_parts_mut(x.as_mut_ptr().cast(), x.len()) })
}

/// Whether this is one of the listed fields of 253 to 255 bits, and the processor has the instructions of the kernels.
///
/// Types are compared, not widths: only for the listed types is it known that a value is exactly four limbs, as the casts require.
pub(crate) fn known<F: PrimeField>() -> bool {
    is_listed_field::<F>() && in_lanes()
}
