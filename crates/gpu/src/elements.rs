//! Field elements as words of device memory and back: the bytes of their Montgomery form, limb by limb, which is what
//! the kernels read, 32-bit words or 64-bit words alike.

use crate::error::GpuError;
use pairwright_field::PrimeField;
use rayon::prelude::*;

/// Elements of one task.
const CHUNK: usize = 1 << 13;

/// 64-bit words of an element.
pub(crate) const fn words_of<F: PrimeField>() -> usize {
    F::BYTES / 8
}

/// The words of some elements.
pub(crate) fn pack<F: PrimeField>(elements: &[F]) -> Vec<u64> {
    let each = words_of::<F>();
    let mut words = vec![0; elements.len() * each];
    words.par_chunks_mut(CHUNK * each).zip(elements.par_chunks(CHUNK)).for_each(|(words, elements)| {
        for (to, element) in words.chunks_exact_mut(each).zip(elements) {
            to.copy_from_slice(element.to_montgomery().as_ref());
        }
    });
    words
}

/// The elements of some words, over as many elements.
///
/// # Errors
/// [`GpuError::NotReduced`] if a value is not below the modulus: no kernel of ours gives one.
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

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::bls12_381::Fr;
    use pairwright_field::Field;

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
