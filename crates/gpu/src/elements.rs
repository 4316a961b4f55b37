//! Conversion of field elements and points to words of device memory and back. An element is stored as the limbs of its
//! Montgomery form, which kernels read as 32-bit or as 64-bit words.

use crate::error::GpuError;
use pairwright_curve::{Affine, Curve, Xyzz};
use pairwright_field::{Extension, PrimeField};
use rayon::prelude::*;

/// Number of elements that one task converts.
const CHUNK: usize = 1 << 13;

/// A function that produces words: it gets the index of the first word, which begins an element, and the words to
/// write.
pub(crate) type Fill<'a> = dyn Fn(usize, &mut [u64]) + Sync + 'a;

/// Number of 64-bit words of an element.
pub(crate) const fn words_of<F: PrimeField>() -> usize {
    F::BYTES / 8
}

/// A [`Fill`] that writes the words of some elements.
pub(crate) fn words_in<F: PrimeField>(elements: &[F]) -> impl Fn(usize, &mut [u64]) + Sync {
    let each = words_of::<F>();
    move |first, words| {
        for (to, element) in words.chunks_exact_mut(each).zip(&elements[first / each..]) {
            to.copy_from_slice(element.to_montgomery().as_ref());
        }
    }
}

/// The words of some elements.
pub(crate) fn pack<F: PrimeField>(elements: &[F]) -> Vec<u64> {
    filled(elements.len() * words_of::<F>(), CHUNK * words_of::<F>(), &words_in(elements))
}

/// A vector of `len` words that `fill` writes, in tasks of `task` words.
pub(crate) fn filled(len: usize, task: usize, fill: &Fill<'_>) -> Vec<u64> {
    let mut words = vec![0; len];
    words.par_chunks_mut(task).enumerate().for_each(|(at, words)| fill(at * task, words));
    words
}

/// Converts words to elements, as many as `elements` has.
///
/// # Errors
/// [`GpuError::NotReduced`] if a value is not below the modulus, which no correct kernel produces.
pub(crate) fn unpack<F: PrimeField>(words: &[u64], elements: &mut [F]) -> Result<(), GpuError> {
    let each = words_of::<F>();
    let tasks = elements.par_chunks_mut(CHUNK).zip(words.par_chunks(CHUNK * each)).enumerate();
    tasks.try_for_each(|(task, (elements, words))| {
        for (at, (element, words)) in elements.iter_mut().zip(words.chunks_exact(each)).enumerate() {
            let mut limbs = F::Limbs::default();
            limbs.as_mut().copy_from_slice(words);
            let value = F::from_montgomery(limbs);
            *element = value.ok_or(GpuError::NotReduced { index: task * CHUNK + at })?;
        }
        Ok(())
    })
}

/// Number of 64-bit words of a coordinate of a curve's points.
pub(crate) const fn words_of_coordinate<C: Curve>() -> usize {
    C::Base::DEGREE * <C::Base as Extension>::Prime::BYTES / 8
}

/// A [`Fill`] that writes the words of some affine points: x and y, each by its coordinates over the prime field.
pub(crate) fn words_in_points<C: Curve>(points: &[Affine<C>]) -> impl Fn(usize, &mut [u64]) + Sync {
    let each = words_of_coordinate::<C>();
    move |first, words| {
        for (to, point) in words.chunks_exact_mut(2 * each).zip(&points[first / (2 * each)..]) {
            for (to, x) in to.chunks_exact_mut(each).zip([&point.x, &point.y]) {
                for (i, to) in to.chunks_exact_mut(each / C::Base::DEGREE).enumerate() {
                    to.copy_from_slice(x.coord(i).to_montgomery().as_ref());
                }
            }
        }
    }
}

/// The words of some affine points.
pub(crate) fn pack_points<C: Curve>(points: &[Affine<C>]) -> Vec<u64> {
    let each = 2 * words_of_coordinate::<C>();
    filled(points.len() * each, CHUNK * each, &words_in_points(points))
}

/// Converts words to XYZZ points.
///
/// # Errors
/// As [`unpack`].
pub(crate) fn unpack_points<C: Curve>(words: &[u64]) -> Result<Vec<Xyzz<C>>, GpuError> {
    let each = words_of_coordinate::<C>();
    let mut elements = vec![Default::default(); words.len() * C::Base::DEGREE / each];
    unpack::<<C::Base as Extension>::Prime>(words, &mut elements)?;
    let coordinate = |of: &[_]| C::Base::from_coords(of);
    let points = elements.par_chunks_exact(4 * C::Base::DEGREE).with_min_len(CHUNK).map(|of| {
        let [x, y, zz, zzz] = [0, 1, 2, 3].map(|i| coordinate(&of[i * C::Base::DEGREE..][..C::Base::DEGREE]));
        Xyzz { x, y, zz, zzz }
    });
    Ok(points.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::bls12_381::{Fr, G2};
    use pairwright_field::Field;

    #[test]
    fn points_become_words_and_words_points() {
        let g = G2::GENERATOR;
        let words = pack_points(&[g, Affine::INFINITY, -g]);
        assert_eq!((words.len(), &words[24..48]), (72, &[0; 24][..]));
        assert_eq!(words[6..12], g.x.c1.to_montgomery());
        // An XYZZ point whose denominators are one.
        let base_one = <<G2 as Curve>::Base as Field>::ONE.c0.to_montgomery();
        let mut point = words[..24].to_vec();
        point.extend([base_one.as_slice(), &[0; 6], &base_one, &[0; 6]].concat());
        let found = unpack_points::<G2>(&[point, vec![0; 48]].concat()).unwrap();
        assert_eq!((found.len(), found[0].to_jacobian().to_affine()), (2, g));
        assert!(found[1].is_infinity());
        let mut bad = vec![u64::MAX; 48];
        bad[..24].fill(0);
        assert!(matches!(unpack_points::<G2>(&bad), Err(GpuError::NotReduced { index: 4 })));
    }

    #[test]
    fn elements_become_words_and_words_elements() {
        let n = 2 * CHUNK + 5;
        let elements: Vec<Fr> = (0..n as u64).map(|i| Fr::from(i * i + 1)).collect();
        let words = pack(&elements);
        assert_eq!(words.len(), 4 * n);
        assert_eq!(words[4..8], *Fr::from(2).to_montgomery().as_ref());
        let mut back = vec![Fr::ZERO; n];
        unpack(&words, &mut back).unwrap();
        assert!(back == elements);
    }

    #[test]
    fn words_that_are_no_element_are_found() {
        let n = CHUNK + 7;
        let mut words = vec![0; 4 * n];
        words[4 * (CHUNK + 3)..][..4].copy_from_slice(Fr::MODULUS.as_ref());
        let error = unpack(&words, &mut vec![Fr::ZERO; n]).unwrap_err();
        assert!(matches!(error, GpuError::NotReduced { index } if index == CHUNK + 3), "{error}");
    }
}
