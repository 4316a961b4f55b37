//! Instances of the laws for every field, tower, group and pairing, one line each.

use pairwright_curve::{bls12_377, bls12_381, bn254, jubjub, tiny_bls12};
use pairwright_testkit::laws;

macro_rules! lawful {
    ($($name:ident: $($law:ident),+ of $type:ty;)+) => {
        $(mod $name {
            use super::*;
            $(#[test]
            fn $law() {
                laws::$law::<$type>();
            })+
        })+
    };
}

lawful! {
    bls12_381_fr: ring, field, extension, square_root, prime_field of bls12_381::Fr;
    bls12_381_fq: ring, field, extension, square_root, prime_field of bls12_381::Fq;
    bls12_381_fq2: ring, field, extension, square_root of bls12_381::Fq2;
    bls12_381_fq6: ring, field, extension of bls12_381::Fq6;
    bls12_381_fq12: ring, field, extension of bls12_381::Fq12;
    bls12_381_g1: group of bls12_381::G1;
    bls12_381_g2: group of bls12_381::G2;
    bls12_381_pairing: pairing of bls12_381::Bls12_381;

    bn254_fr: ring, field, extension, square_root, prime_field of bn254::Fr;
    bn254_fq: ring, field, extension, square_root, prime_field of bn254::Fq;
    bn254_fq2: ring, field, extension, square_root of bn254::Fq2;
    bn254_fq6: ring, field, extension of bn254::Fq6;
    bn254_fq12: ring, field, extension of bn254::Fq12;
    bn254_g1: group of bn254::G1;
    bn254_g2: group of bn254::G2;
    bn254_pairing: pairing of bn254::Bn254;

    bls12_377_fr: ring, field, extension, square_root, prime_field of bls12_377::Fr;
    bls12_377_fq: ring, field, extension, square_root, prime_field of bls12_377::Fq;
    bls12_377_fq2: ring, field, extension, square_root of bls12_377::Fq2;
    bls12_377_fq6: ring, field, extension of bls12_377::Fq6;
    bls12_377_fq12: ring, field, extension of bls12_377::Fq12;
    bls12_377_g1: group of bls12_377::G1;
    bls12_377_g2: group of bls12_377::G2;
    bls12_377_pairing: pairing of bls12_377::Bls12_377;

    tiny_bls12_fr: ring, field, extension, square_root, prime_field of tiny_bls12::Fr;
    tiny_bls12_fq: ring, field, extension, square_root, prime_field of tiny_bls12::Fq;
    tiny_bls12_fq2: ring, field, extension, square_root of tiny_bls12::Fq2;
    tiny_bls12_fq6: ring, field, extension of tiny_bls12::Fq6;
    tiny_bls12_fq12: ring, field, extension of tiny_bls12::Fq12;
    tiny_bls12_g1: group of tiny_bls12::G1;
    tiny_bls12_g2: group of tiny_bls12::G2;
    tiny_bls12_pairing: pairing of tiny_bls12::TinyBls12;

    jubjub_fr: ring, field, extension, square_root, prime_field of jubjub::Fr;
}
