//! Encodings of scalars and points, and roots of unity, as Ethereum's specification defines them for blobs and their cells.

use super::KzgError;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::array;
use pairwright_curve::bls12_381::{Bls12_381, Fr, G1};
use pairwright_curve::encoding::{Form, PointEncoding, PointError, ZcashCompressed};
use pairwright_curve::{Affine, Curve};
use pairwright_device::{Session, parallel};
use pairwright_field::{Field, PrimeField};
use pairwright_poly::Domain;
pub(super) use pairwright_poly::bit_reversed as reversed;

/// Bytes of a field element, big-endian.
pub(super) const ELEMENT: usize = 32;
/// The specification's roots of unity are powers of this number.
const PRIMITIVE_ROOT: u64 = 7;

/// A commitment or a proof: a point of the first group, compressed.
pub type PointBytes = [u8; 48];
/// A scalar, big-endian.
pub type ScalarBytes = [u8; 32];

/// The domain of the specification's roots of unity. Its generator is another root than the one of circom's domains.
pub(super) fn domain(log_size: u32) -> Result<Domain<Fr>, KzgError> {
    // (r - 1)/2^log_size, an integer for every size for which the field has a domain.
    let mut exponent = (-Fr::ONE).to_limbs();
    shift_right(exponent.as_mut(), log_size);
    let root = Fr::from(PRIMITIVE_ROOT).pow_vartime(exponent.as_ref());
    Domain::with_root(log_size, root).map_err(|why| KzgError::Device(why.into()))
}

/// Divides an integer by `2^bits`, for `bits` from 1 to 63.
fn shift_right(limbs: &mut [u64], bits: u32) {
    let mut above = 0;
    for limb in limbs.iter_mut().rev() {
        let low = *limb;
        *limb = (low >> bits) | (above << (64 - bits));
        above = low;
    }
}

/// Permutes a list, whose length is a power of two, by the reversal of the bits of positions.
pub(super) fn reverse_bits<T>(items: &mut [T]) {
    for i in 0..items.len() {
        let j = reversed(i, items.len().trailing_zeros());
        if i < j {
            items.swap(i, j);
        }
    }
}

/// Reads field elements, big-endian. `refused` makes the error for an element that is not below the group order, from its position.
pub(super) fn elements(bytes: &[u8], refused: impl Fn(usize) -> KzgError) -> Result<Vec<Fr>, KzgError> {
    let each = bytes.as_chunks::<ELEMENT>().0.iter().enumerate();
    each.map(|(index, bytes)| Fr::read_be(bytes).map_err(|_| refused(index))).collect()
}

/// Appends field elements, big-endian, to bytes.
pub(super) fn append(bytes: &mut Vec<u8>, elements: &[Fr]) {
    for element in elements {
        bytes.extend(scalar_bytes(element));
    }
}

/// Writes a scalar, big-endian.
pub(super) fn scalar_bytes(scalar: &Fr) -> ScalarBytes {
    let mut bytes = [0; ELEMENT];
    scalar.write_be(&mut bytes);
    bytes
}

/// Reads a scalar (`bytes_to_bls_field`).
pub(super) fn scalar(what: &'static str, bytes: &ScalarBytes) -> Result<Fr, KzgError> {
    Fr::read_be(bytes).map_err(|_| KzgError::Scalar { what })
}

/// Reads a point of the subgroup or infinity (`bytes_to_kzg_commitment`, `bytes_to_kzg_proof`).
pub(super) fn point(what: &'static str, bytes: &PointBytes) -> Result<Affine<G1>, KzgError> {
    Affine::from_bytes(bytes, Form::Compressed).map_err(|why| KzgError::Point { what, why })
}

/// Reads a list of points of the subgroup or infinity; the device tests membership of all points in one call.
pub(super) fn points<'a>(
    on: &mut Session<'_, Bls12_381>,
    what: &'static str,
    list: impl Iterator<Item = &'a PointBytes>,
) -> Result<Vec<Affine<G1>>, KzgError> {
    let list: Vec<&PointBytes> = list.collect();
    let points = each(&list, |bytes| {
        ZcashCompressed::read_unchecked_subgroup(*bytes).map_err(|why| KzgError::Point { what, why })
    })?;
    match on.in_subgroup_g1(&points)?.iter().position(|is_in| !is_in) {
        None => Ok(points),
        Some(index) => {
            let why = PointError::NotInSubgroup { curve: G1::NAME };
            Err(KzgError::At { index, why: Box::new(KzgError::Point { what, why }) })
        }
    }
}

/// Writes a point in compressed form.
pub(super) fn encoded(point: &Affine<G1>) -> PointBytes {
    let mut bytes = [0; 48];
    ZcashCompressed::write(point, &mut bytes);
    bytes
}

/// A digest as a big-endian integer, reduced modulo r (`hash_to_bls_field`).
pub(super) fn reduced(hash: [u8; 32]) -> Fr {
    let (chunks, _) = hash.as_chunks::<8>();
    let limbs: [u64; 4] = array::from_fn(|i| chunks.get(3 - i).map_or(0, |bytes| u64::from_be_bytes(*bytes)));
    Fr::from_limbs_reduced(&limbs)
}

/// The first `n` powers of `base`, beginning with `base^0 = 1` (`compute_powers`).
pub(super) fn powers(base: Fr, n: usize) -> Vec<Fr> {
    core::iter::successors(Some(Fr::ONE), |power| Some(*power * base)).take(n).collect()
}

/// Applies `read` to all items of a list, on all threads where there are any. An error names the position of the item.
pub(super) fn each<T: Sync, R: Send>(
    items: &[T],
    read: impl Fn(&T) -> Result<R, KzgError> + Sync,
) -> Result<Vec<R>, KzgError> {
    let read = |index, item| read(item).map_err(|why| KzgError::At { index, why: Box::new(why) });
    parallel::try_map(items, read)
}
