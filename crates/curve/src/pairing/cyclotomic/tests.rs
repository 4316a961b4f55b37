use super::*;
use crate::pairing::easy_part;
use crate::{bls12_377, bls12_381, bn254, tiny_bls12};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

/// Powers by compressed squares are equal to those by plain squares, for digits at the ends and next to each other, and for
/// random elements and the element one, whose compressed form is zero.
fn compressed_powers<P: PairingData>() {
    let mut rng = ChaCha8Rng::seed_from_u64(17);
    let random = easy_part::<P>(&Fq12::<P>::random(&mut rng)).unwrap();
    let mut runs = vec![P::X_DIGITS.to_vec()];
    for (places, length) in [
        (vec![8], 9),
        (vec![0, 8], 9),
        (vec![8, 9], 10),
        (vec![1, 9, 10, 20], 23),
        (vec![3, 4, 30], 32),
        (vec![0, 1, 12, 13, 25, 26, 27], 30),
    ] {
        let mut digits = vec![0; length];
        for (i, &place) in places.iter().enumerate() {
            digits[length - 1 - place] = if i % 2 == 0 { 1 } else { -1 };
        }
        digits[0] = 1;
        runs.push(digits);
    }
    for f in [random, random.conjugate(), Fq12::<P>::ONE] {
        for digits in &runs {
            let want = pow_window::<P, _>(f, digits);
            assert_eq!(Cyclotomic::<P>::pow_digits(f, digits), want, "{digits:?}");
            if let Some(end) = end_of_long_runs(digits) {
                assert_eq!(pow_compressed::<P>(&f, digits, end), want, "{digits:?}");
            }
        }
        assert_eq!(cyclotomic_square(f), f * f);
        let four = |f: Fq12<P>| [f.c1.c0, f.c0.c1, f.c0.c2, f.c1.c2];
        assert_eq!(square_compressed::<_, P::V>(&four(f)), four(f * f));
        assert_eq!(recovered::<P>(&[four(f), four(Fq12::<P>::ONE)]), [f, Fq12::<P>::ONE]);
    }
}

#[test]
fn compressed_powers_of_bls12_381() {
    assert_eq!(end_of_long_runs(bls12_381::Parameters::X_DIGITS), Some(57));
    compressed_powers::<bls12_381::Parameters>();
}
#[test]
fn compressed_powers_of_bls12_377() {
    assert_eq!(end_of_long_runs(bls12_377::Parameters::X_DIGITS), Some(46));
    compressed_powers::<bls12_377::Parameters>();
}
#[test]
fn compressed_powers_of_bn254() {
    assert_eq!(end_of_long_runs(bn254::Parameters::X_DIGITS), None, "its digits are odd numbers up to 7");
    compressed_powers::<bn254::Parameters>();
}
#[test]
fn compressed_powers_of_the_tiny_curve() {
    assert_eq!(end_of_long_runs(tiny_bls12::Parameters::X_DIGITS), None, "its runs of zeros are short");
    compressed_powers::<tiny_bls12::Parameters>();
}
