use super::*;
use pairwright_curve::{bls12_377, bls12_381, bn254};
use pairwright_field::Field;
use rand_core::SeedableRng;

/// All numbers of a circom file of constants of this project, in their order.
fn numbers<F: PrimeField>(name: &str) -> Vec<F> {
    let path = format!("{}/../../circuits/poseidon/constants_{name}.circom", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    text.lines()
        .filter(|line| line.starts_with("        "))
        .flat_map(|line| line.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty()))
        .map(|word| F::from_decimal(word).unwrap())
        .collect()
}

fn is_the_circuits<F: PrimeField>(name: &str, values: &[(u64, u64, &str)]) {
    let hash = Poseidon::<F>::new();
    assert_eq!((hash.alpha(), hash.full_rounds(), hash.partial_rounds()), (5, 8, 57));
    let ours: Vec<F> = hash.constants().iter().chain(hash.mds()).flatten().copied().collect();
    assert_eq!(ours, numbers::<F>(name));
    for (left, right, value) in values {
        assert_eq!(hash.compress(&F::from(*left), &F::from(*right)).to_decimal(), *value);
    }
}

#[test]
fn constants_and_values_are_the_circuits() {
    // The first value is circomlib's test of poseidon([1, 2]); the others are printed by
    // `python3 derive/poseidon.py --hash FIELD LEFT RIGHT`.
    is_the_circuits::<bn254::Fr>(
        "bn128",
        &[
            (1, 2, "7853200120776062878684798364095072458815029376092732009249414926327459813530"),
            (0, 0, "14744269619966411208579211824598458697587494354926760081771325075741142829156"),
            (3, u64::MAX, "13757621555016876814217383289198651828889945013554257054365598892876734317572"),
        ],
    );
    is_the_circuits::<bls12_381::Fr>(
        "bls12381",
        &[
            (1, 2, "18456658763349757341014058622209659766100673761449600566550821987295786346378"),
            (0, 0, "39704413365395714732902920194612999065094381874203236779011164022408220537174"),
            (3, u64::MAX, "6153070576416781298974443208661771060891056185220628266036353567924145186937"),
        ],
    );
}

fn fast_is_plain<F: PrimeField>() {
    let mut rng = rand_chacha::ChaCha20Rng::seed_from_u64(6);
    let hash = Poseidon::<F>::new();
    let plain = Poseidon { fast: None, ..hash.clone() };
    assert!(hash.fast.is_some());
    for _ in 0..20 {
        let [left, right] = [F::random(&mut rng), F::random(&mut rng)];
        assert_eq!(hash.compress(&left, &right), plain.compress(&left, &right), "{}", F::NAME);
    }
    assert_eq!(hash.compress(&F::ZERO, &F::ZERO), plain.compress(&F::ZERO, &F::ZERO));
    assert_ne!(hash.compress(&F::ONE, &F::ZERO), hash.compress(&F::ZERO, &F::ONE));
}

#[test]
fn the_fast_form_is_the_permutation() {
    fast_is_plain::<bn254::Fr>();
    fast_is_plain::<bls12_381::Fr>();
    fast_is_plain::<bls12_377::Fr>();
    fast_is_plain::<bls12_377::Fq>();
    fast_is_plain::<bls12_381::Fq>();
}

#[test]
fn other_fields_have_their_own_instances() {
    let shape = |hash: &Poseidon<bls12_377::Fr>| (hash.alpha(), hash.full_rounds(), hash.partial_rounds());
    let hash = Poseidon::<bls12_377::Fr>::new();
    // 3, 5 and 7 divide r - 1. 1 + 38 + 1 rounds against interpolation, 6 of them full, with the margin.
    assert_eq!(shape(&hash), (11, 8, 39));
    assert!((0..3).all(|i| (0..i).all(|j| hash.mds()[i] != hash.mds()[j])));
}

#[test]
fn matrices_that_trap_a_subspace_are_seen() {
    use bn254::Fr;
    let [o, i] = [Fr::ZERO, Fr::ONE];
    // One matrix does not mix lane 0 with the others; one exchanges two lanes, so its square is the identity; one is a cycle of three.
    for trapped in [
        [[i, o, o], [o, i, i], [o, i, o]],
        [[o, i, o], [i, o, o], [o, o, i]],
        [[o, i, o], [o, o, i], [i, o, o]],
    ] {
        assert!(!matrix::resists_subspace_trails(&trapped));
    }
    let mds = *Poseidon::<Fr>::new().mds();
    assert!(matrix::resists_subspace_trails(&mds));
    // Maximum distance separable: no minor is zero.
    for [a, b] in [[0, 1], [0, 2], [1, 2]] {
        for [c, d] in [[0, 1], [0, 2], [1, 2]] {
            assert_ne!(mds[a][c] * mds[b][d], mds[a][d] * mds[b][c]);
        }
    }
    assert!(!matrix::determinant(&mds).is_zero() && mds.iter().flatten().all(|x| !x.is_zero()));
}
