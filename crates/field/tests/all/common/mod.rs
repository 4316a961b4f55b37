//! Moduli of every shape that the crate supports, and operands that are likely to expose errors in carries and reductions.

use num_bigint::BigUint;
use pairwright_field::{Fp, Modulus, PrimeField};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Names a prime as a [`Modulus`] and its field.
macro_rules! prime {
    ($modulus:ident, $field:ident, $n:literal, $non_residue:literal, $p:expr) => {
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub(crate) struct $modulus;
        impl Modulus<$n> for $modulus {
            const NAME: &'static str = stringify!($field);
            const P: [u64; $n] = $p;
            const NON_RESIDUE: u64 = $non_residue;
        }
        pub(crate) type $field = Fp<$modulus, $n>;
    };
}

prime!(M3, F3, 1, 2, [3]);
prime!(M7, F7, 1, 3, [7]);
prime!(M17, F17, 1, 3, [17]);
prime!(M97, F97, 1, 5, [97]);
prime!(M257, F257, 1, 3, [257]);
// 2^31 - 2^27 + 1, two-adicity 27.
prime!(M31, F31, 1, 11, [0x7800_0001]);
// The Mersenne prime 2^61 - 1.
prime!(M61, F61, 1, 3, [(1 << 61) - 1]);
// The largest prime below 2^63: no spare bit beyond the one that is needed.
prime!(M63, F63, 1, 3, [(1 << 63) - 25]);
// The Mersenne prime 2^127 - 1.
prime!(M127, F127, 2, 3, [u64::MAX, u64::MAX >> 1]);
// 2^255 - 19.
prime!(M255, F255, 4, 2, [u64::MAX - 18, u64::MAX, u64::MAX, u64::MAX >> 1]);
// The scalar field of BN254, two-adicity 28.
prime!(
    M254,
    F254,
    4,
    5,
    [0x43e1_f593_f000_0001, 0x2833_e848_79b9_7091, 0xb850_45b6_8181_585d, 0x3064_4e72_e131_a029]
);
// The base field of BLS12-381, 3 mod 4.
prime!(
    M381,
    F381,
    6,
    2,
    [
        0xb9fe_ffff_ffff_aaab,
        0x1eab_fffe_b153_ffff,
        0x6730_d2a0_f6b0_f624,
        0x6477_4b84_f385_12bf,
        0x4b1b_a7b6_434b_acd7,
        0x1a01_11ea_397f_e69a
    ]
);
// The base field of BLS12-377, two-adicity 46.
prime!(
    M377,
    F377,
    6,
    5,
    [
        0x8508_c000_0000_0001,
        0x170b_5d44_3000_0000,
        0x1ef3_622f_ba09_4800,
        0x1a22_d9f3_00f5_138f,
        0xc63b_05c0_6ca1_493b,
        0x01ae_3a46_17c5_10ea
    ]
);

/// Runs a generic test on every field above (`small`: those that can be enumerated).
macro_rules! on_fields {
    ($($test:ident),+ $(,)?) => {
        $(#[test]
        fn $test() {
            use crate::common::*;
            super_tests::$test::<F3>();
            super_tests::$test::<F7>();
            super_tests::$test::<F97>();
            super_tests::$test::<F31>();
            super_tests::$test::<F61>();
            super_tests::$test::<F63>();
            super_tests::$test::<F127>();
            super_tests::$test::<F255>();
            super_tests::$test::<F254>();
            super_tests::$test::<F381>();
            super_tests::$test::<F377>();
        })+
    };
}
pub(crate) use on_fields;

/// The modulus as a big integer.
pub(crate) fn modulus<F: PrimeField>() -> BigUint {
    from_limbs(F::MODULUS.as_ref())
}

/// Little-endian limbs as a big integer.
pub(crate) fn from_limbs(limbs: &[u64]) -> BigUint {
    limbs.iter().rev().fold(BigUint::ZERO, |acc, &l| (acc << 64u32) + l)
}

/// The value of an element.
pub(crate) fn value<F: PrimeField>(x: &F) -> BigUint {
    from_limbs(x.to_limbs().as_ref())
}

/// The element with a value below the modulus, made through its bytes.
pub(crate) fn element<F: PrimeField>(v: &BigUint) -> F {
    F::read_le(&le_bytes(v, F::BYTES)).expect("below the modulus")
}

/// Exactly `n` little-endian bytes.
pub(crate) fn le_bytes(v: &BigUint, n: usize) -> Vec<u8> {
    let mut bytes = v.to_bytes_le();
    assert!(bytes.iter().skip(n).all(|&b| b == 0), "fits");
    bytes.resize(n, 0);
    bytes
}

/// A generator of reproducible values.
pub(crate) fn rng(stream: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(stream)
}

/// Values at the edges: 0, 1, 2, p-1, p-2, (p±1)/2, all limb boundaries and their neighbours, powers of two on
/// either side of the prime, the constants of Montgomery form, fractions of p on which a GCD is slow; distinct.
pub(crate) fn edges<F: PrimeField>() -> Vec<BigUint> {
    let p = modulus::<F>();
    let one = BigUint::from(1u32);
    let mut out = vec![BigUint::ZERO, one.clone(), BigUint::from(2u32), &p - 1u32, &p - 2u32];
    out.extend([(&p - 1u32) / 2u32, (&p + 1u32) / 2u32]);
    for k in
        (0..=2 * F::BITS).filter(|k| k % 64 == 0 || k % 31 == 0 || k % 64 == 63 || k.abs_diff(F::BITS) <= 1)
    {
        let power = (&one << k) % &p;
        out.extend([(&power + 1u32) % &p, (&power + &p - 1u32) % &p, (&p - &power) % &p, power]);
    }
    out.extend((3u32..9).map(|d| &p / d));
    // p over the golden ratio and neighbours: the worst case of Euclid's algorithm.
    let golden = &p * 618_033_988_749_894_848u64 / 1_000_000_000_000_000_000u64;
    out.extend([(&golden + 1u32) % &p, golden]);
    out.sort();
    out.dedup();
    out
}

/// The edges, then `n` values drawn uniformly in 64-bit words, reduced.
pub(crate) fn operands<F: PrimeField>(n: usize, stream: u64) -> Vec<BigUint> {
    let mut rng = rng(stream);
    let mut out = edges::<F>();
    out.extend((0..n).map(|_| {
        let limbs: Vec<u64> = (0..F::BYTES / 8 + 1).map(|_| rng.next_u64()).collect();
        from_limbs(&limbs) % modulus::<F>()
    }));
    out
}
