//! Fields and towers of the three curves against arkworks: values, Montgomery forms, bytes, roots.

use crate::common::{from_ark, prime_from_ark, prime_to_ark, rng, to_ark};
use ark_ff::BigInteger;
use pairwright_curve::{bls12_377, bls12_381, bn254, jubjub};
use pairwright_field::{Extension, Field, PrimeField, Ring, Sqrt};

/// Edge values of the prime field, then random elements.
fn values<F: Extension>(stream: u64) -> Vec<F> {
    let mut rng = rng(stream);
    let one = F::Prime::ONE;
    let mut edges = vec![F::Prime::ZERO, one, one.double(), -one, -one.double()];
    edges.extend(one.double().invert().map(|half| [half, -half]).into_iter().flatten());
    for k in 1..F::Prime::BYTES / 8 {
        let mut limbs = vec![0; k + 1];
        limbs[k] = 1;
        let x = F::Prime::from_limbs_reduced(&limbs);
        edges.extend([x, x - one, -x]);
    }
    let n = edges.len();
    let mut out: Vec<F> = (0..n)
        .map(|i| F::from_coords(&(0..F::DEGREE).map(|j| edges[(i + 3 * j) % n]).collect::<Vec<_>>()))
        .collect();
    out.extend((0..30).map(|_| F::random(&mut rng)));
    out
}

fn arithmetic<F: Extension, A: ark_ff::Field>() {
    let values = values::<F>(1);
    for (i, x) in values.iter().enumerate() {
        let a: A = to_ark(x);
        assert_eq!(from_ark::<F, A>(&a), *x);
        assert_eq!(to_ark::<F, A>(&x.square()), a.square());
        assert_eq!(to_ark::<F, A>(&x.double()), a.double());
        assert_eq!(to_ark::<F, A>(&-*x), -a);
        assert_eq!(x.invert().map(|y| to_ark::<F, A>(&y)), a.inverse());
        assert_eq!(to_ark::<F, A>(&x.pow_vartime(&[u64::MAX, 5])), a.pow([u64::MAX, 5]));
        for j in (0..values.len()).step_by(3) {
            let y = values[(i + j) % values.len()];
            let b: A = to_ark(&y);
            assert_eq!(to_ark::<F, A>(&(*x + y)), a + b);
            assert_eq!(to_ark::<F, A>(&(*x - y)), a - b);
            assert_eq!(to_ark::<F, A>(&(*x * y)), a * b);
        }
    }
}

fn roots<F: Extension + Sqrt, A: ark_ff::Field>() {
    for x in values::<F>(2) {
        let a: A = to_ark(&x);
        assert_eq!(x.sqrt_vartime().is_some(), a.sqrt().is_some());
        if let Some(root) = x.sqrt_vartime() {
            assert_eq!(to_ark::<F, A>(&root).square(), a);
        }
    }
}

fn encodings<F: PrimeField + Extension<Prime = F>, A: ark_ff::PrimeField>(
    montgomery: impl Fn(&A) -> Vec<u64>,
) {
    assert_eq!(F::MODULUS.as_ref(), A::MODULUS.as_ref());
    assert_eq!(F::BITS, A::MODULUS_BIT_SIZE);
    for x in values::<F>(3) {
        let a: A = prime_to_ark(&x);
        assert_eq!(prime_from_ark::<F, A>(&a), x);
        assert_eq!(x.to_limbs().as_ref(), a.into_bigint().as_ref());
        assert_eq!(x.to_montgomery().as_ref(), montgomery(&a), "the same limbs in memory");
        let mut bytes = vec![0; F::BYTES];
        x.write_le(&mut bytes);
        let mut theirs = Vec::new();
        a.serialize_uncompressed(&mut theirs).expect("into memory");
        assert_eq!(bytes, theirs);
        x.write_be(&mut bytes);
        assert_eq!(bytes, a.into_bigint().to_bytes_be());
        assert_eq!(x.to_decimal(), a.to_string());
    }
}

macro_rules! compare {
    ($($name:ident: $ours:ty, $theirs:ty, $($test:ident),+;)+) => {
        $(mod $name {
            use super::*;
            $(#[test]
            fn $test() {
                super::$test::<$ours, $theirs>();
            })+
        })+
    };
}
compare! {
    bls12_381_fr: bls12_381::Fr, ark_bls12_381::Fr, arithmetic, roots;
    bls12_381_fq: bls12_381::Fq, ark_bls12_381::Fq, arithmetic, roots;
    bls12_381_fq2: bls12_381::Fq2, ark_bls12_381::Fq2, arithmetic, roots;
    bls12_381_fq6: bls12_381::Fq6, ark_bls12_381::Fq6, arithmetic;
    bls12_381_fq12: bls12_381::Fq12, ark_bls12_381::Fq12, arithmetic;
    bn254_fr: bn254::Fr, ark_bn254::Fr, arithmetic, roots;
    bn254_fq: bn254::Fq, ark_bn254::Fq, arithmetic, roots;
    bn254_fq2: bn254::Fq2, ark_bn254::Fq2, arithmetic, roots;
    bn254_fq6: bn254::Fq6, ark_bn254::Fq6, arithmetic;
    bn254_fq12: bn254::Fq12, ark_bn254::Fq12, arithmetic;
    bls12_377_fr: bls12_377::Fr, ark_bls12_377::Fr, arithmetic, roots;
    bls12_377_fq: bls12_377::Fq, ark_bls12_377::Fq, arithmetic, roots;
    bls12_377_fq2: bls12_377::Fq2, ark_bls12_377::Fq2, arithmetic, roots;
    bls12_377_fq6: bls12_377::Fq6, ark_bls12_377::Fq6, arithmetic;
    bls12_377_fq12: bls12_377::Fq12, ark_bls12_377::Fq12, arithmetic;
    jubjub_fr: jubjub::Fr, ark_ed_on_bls12_381::Fr, arithmetic, roots;
}

#[test]
fn prime_field_encodings() {
    encodings::<bls12_381::Fr, ark_bls12_381::Fr>(|a| a.0.0.to_vec());
    encodings::<bls12_381::Fq, ark_bls12_381::Fq>(|a| a.0.0.to_vec());
    encodings::<bn254::Fr, ark_bn254::Fr>(|a| a.0.0.to_vec());
    encodings::<bn254::Fq, ark_bn254::Fq>(|a| a.0.0.to_vec());
    encodings::<bls12_377::Fr, ark_bls12_377::Fr>(|a| a.0.0.to_vec());
    encodings::<bls12_377::Fq, ark_bls12_377::Fq>(|a| a.0.0.to_vec());
    encodings::<jubjub::Fr, ark_ed_on_bls12_381::Fr>(|a| a.0.0.to_vec());
}
