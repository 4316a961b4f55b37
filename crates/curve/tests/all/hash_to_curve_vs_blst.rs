//! Hashing to BLS12-381 against blst, whose signature under the secret key one is the hashed message.

use crate::common::rng;
use blst::{min_pk, min_sig};
use pairwright_curve::HashToCurve;
use pairwright_curve::bls12_381::{G1, G2};
use pairwright_curve::encoding::{PointEncoding, ZcashUncompressed};
use rand_chacha::rand_core::Rng;

#[test]
fn random_messages() {
    let mut rng = rng(71);
    let mut one = [0; 32];
    one[31] = 1;
    let g1 = min_sig::SecretKey::from_bytes(&one).expect("below r");
    let g2 = min_pk::SecretKey::from_bytes(&one).expect("below r");
    // Lengths around the blocks of SHA-256; tags beyond 255 bytes are hashed first.
    for length in [0, 1, 31, 32, 55, 56, 63, 64, 65, 119, 200, 1000] {
        for tag in [1, 16, 43, 255, 256, 300] {
            let (mut message, mut dst) = (vec![0; length], vec![0; tag]);
            rng.fill_bytes(&mut message);
            rng.fill_bytes(&mut dst);
            let ours = ZcashUncompressed::to_vec(&G1::hash_to_curve(&message, &dst));
            assert_eq!(ours, g1.sign(&message, &dst, &[]).serialize(), "{length} and {tag} bytes");
            let ours = ZcashUncompressed::to_vec(&G2::hash_to_curve(&message, &dst));
            assert_eq!(ours, g2.sign(&message, &dst, &[]).serialize(), "{length} and {tag} bytes");
        }
    }
}
