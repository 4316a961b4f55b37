//! Laws of prime fields: encodings and roots of unity.

use super::operands::{operands, prime_edges};
use pairwright_field::{Extension, FieldError, PrimeField};

/// `limbs + 1`, or `None` if that does not fit.
fn successor<L: AsRef<[u64]> + AsMut<[u64]> + Copy>(mut limbs: L) -> Option<L> {
    for l in limbs.as_mut() {
        *l = l.wrapping_add(1);
        if *l != 0 {
            return Some(limbs);
        }
    }
    None
}

fn bytes(limbs: &[u64]) -> Vec<u8> {
    limbs.iter().flat_map(|l| l.to_le_bytes()).collect()
}

/// Every decoder inverts its encoding, and the encodings agree; values not below the prime and other
/// lengths are refused; `root_of_unity(k)` has order `2^k` and its square is `root_of_unity(k - 1)`.
pub fn prime_field<F: PrimeField + Extension<Prime = F>>() {
    for x in operands::<F>(20, 7) {
        let mut buffer = vec![0xaa; F::BYTES];
        x.write_le(&mut buffer);
        assert_eq!(buffer, bytes(x.to_limbs().as_ref()));
        assert_eq!(F::read_le(&buffer), Ok(x));
        x.write_be(&mut buffer);
        assert_eq!(buffer.iter().rev().copied().collect::<Vec<_>>(), bytes(x.to_limbs().as_ref()));
        assert_eq!(F::read_be(&buffer), Ok(x));
        x.write_montgomery_le(&mut buffer);
        assert_eq!(buffer, bytes(x.to_montgomery().as_ref()));
        assert_eq!(F::read_montgomery_le(&buffer), Ok(x));
        assert_eq!(F::from_limbs(x.to_limbs()), Some(x));
        assert_eq!(F::from_montgomery(x.to_montgomery()), Some(x));
        assert_eq!(F::from_limbs_reduced(x.to_limbs().as_ref()), x);
        assert_eq!(F::from_decimal(&x.to_decimal()), Ok(x));
        assert_eq!(x.is_odd(), x.to_limbs().as_ref()[0] & 1 == 1);
        if !x.is_zero() {
            assert_ne!(x.is_odd(), (-x).is_odd(), "p is odd");
            assert!(F::ZERO < x && x <= -F::ONE, "the order is that of canonical values");
        }
    }
    assert_eq!(F::from_limbs_reduced(F::MODULUS.as_ref()), F::ZERO);

    let not_reduced = Err(FieldError::NotReduced { field: F::NAME });
    let mut ones = F::Limbs::default();
    ones.as_mut().fill(u64::MAX);
    for bad in [Some(F::MODULUS), successor(F::MODULUS), Some(ones)].into_iter().flatten() {
        assert_eq!((F::from_limbs(bad), F::from_montgomery(bad)), (None, None));
        let mut encoded = bytes(bad.as_ref());
        assert_eq!(F::read_le(&encoded), not_reduced);
        assert_eq!(F::read_montgomery_le(&encoded), not_reduced);
        encoded.reverse();
        assert_eq!(F::read_be(&encoded), not_reduced);
    }
    for n in [0, F::BYTES - 1, F::BYTES + 1] {
        let refused = Err(FieldError::Length { expected: F::BYTES, found: n });
        assert_eq!(F::read_le(&vec![0; n]), refused);
        assert_eq!(F::read_be(&vec![0; n]), refused);
        assert_eq!(F::read_montgomery_le(&vec![0; n]), refused);
    }

    assert_eq!(F::NON_RESIDUE.sqrt_vartime(), None);
    assert_eq!(F::root_of_unity(0), Some(F::ONE));
    assert_eq!(F::root_of_unity(1), Some(-F::ONE));
    assert_eq!(F::root_of_unity(F::TWO_ADICITY + 1), None);
    for k in 1..=F::TWO_ADICITY {
        assert_eq!(F::root_of_unity(k).map(|w| w.square()), F::root_of_unity(k - 1));
    }
    assert!(prime_edges::<F>().len() > 12, "the edges are there");
}
