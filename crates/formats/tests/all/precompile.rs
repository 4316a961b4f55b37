//! Precompiled contracts: the test cases of EIP-2537 with their gas, published points of EIP-196, algebraic laws, and failures.

use pairwright_curve::bls12_381::{G1, G2};
use pairwright_curve::encoding::{Eip197, Eip2537, PointEncoding, PointError};
use pairwright_curve::{Affine, Curve, Projective, bn254};
use pairwright_field::{Extension, Field, PrimeField, Ring, Sqrt};
use pairwright_formats::FileBytes;
use pairwright_formats::precompile::{ExpectedAnswer, Precompile, PrecompileError, read_cases};
use std::path::{Path, PathBuf};

fn run(contract: Precompile, path: PathBuf, count: usize, gas: bool) {
    let cases = read_cases(&FileBytes::open(&path).unwrap()).unwrap();
    assert_eq!(cases.len(), count, "{}", path.display());
    for case in cases {
        match (contract.call(&case.input), &case.expected) {
            (Ok(output), ExpectedAnswer::Output(expected)) => assert_eq!(output, *expected, "{}", case.name),
            (Err(why), ExpectedAnswer::Failure(words)) => {
                assert!(why.is_called(words), "{}: {why}: {words}", case.name);
                assert!(!why.is_called("") && !why.is_called("out of gas"));
            }
            (found, expected) => panic!("{}: {found:?} {expected:?}", case.name),
        }
        if let (Some(expected), true) = (case.gas, gas) {
            assert_eq!(contract.gas(case.input.len()), expected, "{}", case.name);
        }
    }
}

#[test]
fn the_cases_of_eip_2537() {
    use Precompile::{G1Add, G1Msm, G2Add, G2Msm, MapFp2ToG2, MapFpToG1, PairingCheck};
    for (contract, name, count) in [
        (G1Add, "add_G1", 9),
        (G1Add, "fail-add_G1", 6),
        (G2Add, "add_G2", 9),
        (G2Add, "fail-add_G2", 7),
        (G1Msm, "mul_G1", 11),
        (G1Msm, "msm_G1", 17),
        (G1Msm, "fail-msm_G1", 8),
        (G2Msm, "mul_G2", 11),
        (G2Msm, "fail-msm_G2", 8),
        (PairingCheck, "pairing_check", 10),
        (PairingCheck, "fail-pairing_check", 22),
        (MapFpToG1, "map_fp_to_G1", 5),
        (MapFpToG1, "fail-map_fp_to_G1", 5),
        (MapFp2ToG2, "map_fp2_to_G2", 5),
        (MapFp2ToG2, "fail-map_fp2_to_G2", 5),
    ] {
        let file = format!("../../vectors/eip2537/{name}_bls.json");
        run(contract, Path::new(env!("CARGO_MANIFEST_DIR")).join(file), count, true);
    }
}

/// Larger sets of cases, which are not part of the repository.
#[test]
fn public_cases() {
    let Some(root) = std::env::var_os("PAIRWRIGHT_VECTORS").map(PathBuf::from) else {
        eprintln!("skipped: PAIRWRIGHT_VECTORS names no folder of public vectors");
        return;
    };
    // The gas values of these cases are those of a draft.
    for (contract, name, count, gas) in [
        (Precompile::G2Msm, "public/eip2537/multiexp_G2_bls.json", 14, false),
        (Precompile::Bn254Add, "eip196_197/bn256Add.json", 16, true),
    ] {
        let path = root.join(name);
        if path.exists() {
            run(contract, path, count, gas);
        } else {
            eprintln!("skipped: {name} is not there");
        }
    }
}

#[test]
fn gas_follows_the_tables() {
    for (contract, length, gas) in [
        (Precompile::G1Add, 0, 375),
        (Precompile::G1Msm, 159, 0),
        (Precompile::G1Msm, 160, 12_000),
        (Precompile::G1Msm, 160 * 128, 128 * 12_000 * 519 / 1000),
        (Precompile::G1Msm, 160 * 1000, 1000 * 12_000 * 519 / 1000),
        (Precompile::G2Msm, 288 * 3, 3 * 22_500 * 923 / 1000),
        (Precompile::G2Msm, 288 * 128, 128 * 22_500 * 524 / 1000),
        (Precompile::G2Msm, 288 * 5000, 5000 * 22_500 * 524 / 1000),
        (Precompile::PairingCheck, 384 * 3 + 1, 37_700 + 3 * 32_600),
        (Precompile::MapFp2ToG2, 1, 23_800),
        (Precompile::Bn254Add, 128, 150),
        (Precompile::Bn254Mul, 96, 6_000),
        (Precompile::Bn254Pairing, 0, 45_000),
        (Precompile::Bn254Pairing, 384, 45_000 + 2 * 34_000),
    ] {
        assert_eq!(contract.gas(length), gas, "{contract:?} {length}");
    }
    let mut addresses = Precompile::ALL.map(Precompile::address);
    addresses.sort_unstable();
    assert_eq!(addresses, [6, 7, 8, 11, 12, 13, 14, 15, 16, 17]);
}

/// The MSM in G2 is the sum of its terms.
#[test]
fn sums_in_g2_are_sums_of_their_terms() {
    let point = |k: u64| Projective::<G2>::generator().mul(&k.into()).to_affine();
    let term = |k: u64, scalar: u8| [Eip2537::to_vec(&point(k)), vec![scalar; 32]].concat();
    let (first, second) = (term(3, 1), term(5, 0xff));
    let single = [&first, &second].map(|term| Precompile::G2Msm.call(term).unwrap());
    let sum = Precompile::G2Add.call(&single.concat()).unwrap();
    assert_eq!(Precompile::G2Msm.call(&[first, second].concat()).unwrap(), sum);
}

#[test]
fn bn254_as_eip_196_has_it() {
    let word = |k: u8| [[0; 31].as_slice(), &[k]].concat();
    let generator = [word(1), word(2)].concat();
    // 2·(1, 2), as published with EIP-196's cases.
    let double = pairwright_formats::from_hex(
        "030644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd3\
         15ed738c0e0a7c92e7845f96b2ae9c0a68a6a449e3538fc7ff3ebf7a5a18a2c4",
    )
    .unwrap();
    assert_eq!(Precompile::Bn254Add.call(&[&*generator, &*generator].concat()).unwrap(), double);
    assert_eq!(Precompile::Bn254Mul.call(&[&*generator, &*word(2)].concat()).unwrap(), double);
    // Missing bytes count as zero, and surplus bytes are ignored.
    assert_eq!(Precompile::Bn254Add.call(&generator).unwrap(), generator);
    assert_eq!(Precompile::Bn254Add.call(&[]).unwrap(), [0; 64]);
    assert_eq!(Precompile::Bn254Mul.call(&generator).unwrap(), [0; 64]);
    let long = [&*generator, &*word(2), &[7; 40]].concat();
    assert_eq!(Precompile::Bn254Mul.call(&long).unwrap(), double);
    // Scalars are not reduced: r + 1 is one.
    let r_plus_1 = (-bn254::Fr::ONE).to_limbs();
    let mut scalar: Vec<u8> = r_plus_1.iter().rev().flat_map(|limb| limb.to_be_bytes()).collect();
    // r - 1 + 2; the last byte does not overflow.
    *scalar.last_mut().unwrap() += 2;
    assert_eq!(Precompile::Bn254Mul.call(&[&*generator, &*scalar].concat()).unwrap(), generator);
    for input in [[word(1), word(3)].concat(), [word(1), vec![0xff; 32]].concat()] {
        for contract in [Precompile::Bn254Add, Precompile::Bn254Mul] {
            assert!(matches!(contract.call(&input), Err(PrecompileError::Point { offset: 0, .. })));
        }
    }
}

#[test]
fn bn254_pairings() {
    let (p, q) = (bn254::G1::GENERATOR, bn254::G2::GENERATOR);
    let pair = |p: &Affine<bn254::G1>, q: &Affine<bn254::G2>| [Eip197::to_vec(p), Eip197::to_vec(q)].concat();
    let bit = |input: &[u8]| {
        let word = Precompile::Bn254Pairing.call(input).unwrap();
        assert_eq!((word.len(), &word[..31]), (32, [0; 31].as_slice()));
        word[31]
    };
    assert_eq!(bit(&[]), 1, "an empty product is one");
    assert_eq!([bit(&pair(&p, &q)), bit(&[pair(&p, &q), pair(&-p, &q)].concat())], [0, 1]);
    assert_eq!(bit(&[0; 192]), 1, "infinity");
    let length = Precompile::Bn254Pairing.call(&[0; 191]);
    assert!(matches!(length, Err(PrecompileError::Length { found: 191, .. })));
    let why = Precompile::Bn254Pairing.call(&pair(&p, &outside())).unwrap_err();
    assert!(matches!(why, PrecompileError::Point { offset: 64, why: PointError::NotInSubgroup { .. } }));
}

/// The point of the curve with the smallest x coordinate that is not in the subgroup.
fn outside<C: Curve>() -> Affine<C> {
    let found = (1u64..).find_map(|x| {
        let mut coordinates = vec![<C::Base as Extension>::Prime::ZERO; C::Base::DEGREE];
        coordinates[0] = x.into();
        let x = C::Base::from_coords(&coordinates);
        let point = Affine::<C>::from_xy_unchecked(x, (x.square() * x + C::B).sqrt_vartime()?);
        (!point.is_in_subgroup_vartime()).then_some(point)
    });
    found.unwrap()
}

/// Additions accept points outside of the subgroup, MSMs do not.
#[test]
fn subgroups_are_checked_where_the_eip_says_it() {
    let bytes = Eip2537::to_vec(&outside::<G1>());
    assert!(Precompile::G1Add.call(&[&*bytes, &[0; 128]].concat()).is_ok_and(|sum| sum == bytes));
    let why = Precompile::G1Msm.call(&[&*bytes, &[0; 32]].concat()).unwrap_err();
    assert!(matches!(why, PrecompileError::Point { offset: 0, why: PointError::NotInSubgroup { .. } }));
    assert!(why.to_string().starts_with("offset 0: "), "{why}");
}

#[test]
fn lists_of_cases_that_are_malformed() {
    let said = |text: &str| {
        let file = FileBytes::from_vec("cases.json", text.as_bytes().to_vec());
        read_cases(&file).unwrap_err().to_string()
    };
    for (text, expected) in [
        ("{}", "cases.json"),
        (
            "[{\"Name\": \"a\", \"Input\": \"0\", \"Expected\": \"\"}]",
            "[0].Input: expected bytes in hexadecimal",
        ),
        ("[{\"Name\": \"a\", \"Input\": \"\", \"Expected\": \"zz\"}]", "[0].Expected: expected bytes"),
        ("[{\"Name\": \"a\", \"Input\": \"\"}]", "[0]: expected one of Expected and ExpectedError"),
        (
            "[{\"Name\": \"a\", \"Input\": \"\", \"Expected\": \"\", \"ExpectedError\": \"\"}]",
            "[0]: expected one",
        ),
        ("[{\"Input\": \"\"", "cases.json"),
    ] {
        assert!(said(text).contains(expected), "{text}: {}", said(text));
    }
}
