//! The test vectors of RFC 9380 for the random-oracle suites on the host device, one message at a time and in batches.

use pairwright_curve::bls12_381::{Bls12_381, G1, G2};
use pairwright_curve::hash_to_curve::Suite;
use pairwright_curve::{Affine, HashToCurve};
use pairwright_device::{PointsOp, reference};
use pairwright_field::{Extension, PrimeField};
use serde_json::Value;
use std::sync::Arc;

fn text<'a>(v: &'a Value, key: &str) -> &'a str {
    v[key].as_str().unwrap_or_else(|| panic!("{key} is a string in {v}"))
}

/// A coordinate as the vectors write it: hexadecimal numbers, separated by commas.
fn element<F: Extension>(text: &str) -> F {
    let coordinates = text.split(',').map(|c| {
        let digits = c.trim_start_matches("0x").as_bytes();
        let limbs = digits
            .rchunks(16)
            .map(|limb| u64::from_str_radix(core::str::from_utf8(limb).unwrap(), 16).expect("hexadecimal"));
        F::Prime::from_limbs_reduced(&limbs.collect::<Vec<_>>())
    });
    F::from_coords(&coordinates.collect::<Vec<_>>())
}

fn vectors<C: HashToCurve>(file: &str, slot: &Arc<dyn PointsOp<C>>) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/h2c").join(file);
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(text(&file, "ciphersuite"), C::SUITE_RO);
    let cases = file["vectors"].as_array().expect("a list");
    assert_eq!(cases.len(), 5);
    let (messages, points): (Vec<&[u8]>, Vec<Affine<C>>) = cases
        .iter()
        .map(|case| {
            let (x, y) = (element(text(&case["P"], "x")), element(text(&case["P"], "y")));
            (text(case, "msg").as_bytes(), Affine::from_xy_unchecked(x, y))
        })
        .unzip();
    let hash = |messages: &[&[u8]]| {
        slot.hash_to_curve(&Suite::OF_GROUP, messages, text(&file, "dst").as_bytes()).unwrap().0
    };
    for (message, point) in messages.iter().zip(&points) {
        assert_eq!(hash(&[message]), [*point]);
    }
    // Nine of them, and as many in another order.
    for first in 0..5 {
        let at = |i: usize| (first + i) % 5;
        let nine: Vec<&[u8]> = (0..9).map(|i| messages[at(i)]).collect();
        assert_eq!(hash(&nine), (0..9).map(|i| points[at(i)]).collect::<Vec<_>>());
    }
}

#[test]
fn vectors_of_the_rfc() {
    for board in [pairwright_cpu::board::<Bls12_381>(), reference::board()] {
        vectors::<G1>("BLS12381G1_XMD-SHA-256_SSWU_RO_.json", &board.points_g1);
        vectors::<G2>("BLS12381G2_XMD-SHA-256_SSWU_RO_.json", &board.points_g2);
    }
}
