//! BLS signatures made by blst, verified on the modelled machine.

use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::Options;
use pairwright_chip_programs::points::{Group, Rows};
use pairwright_chip_programs::{RunError, bls, product};
use pairwright_curve::HashToCurve;
use pairwright_curve::bls12_381::{G1, G2};

const DST: &[u8] = b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_";

fn verdicts<K: Rows, S: Rows + HashToCurve>(keys: Group, key: &[u8], signature: &[u8]) {
    let options = Options { seeds: 4, ..Options::default() };
    let program = bls::verification_vartime(keys, &MachineSpec::best(), &options).unwrap();
    let verdict = |message: &[u8], dst: &[u8]| {
        let inputs = bls::inputs::<K, S>(key, signature, message, dst).unwrap();
        product::verdict(&program.run(&inputs, 1_000_000).unwrap().0)
    };
    assert_eq!(verdict(b"signed by blst", DST), Ok(()));
    assert_eq!(verdict(b"not signed by blst", DST), Err(RunError::Rejected));
    assert_eq!(verdict(b"signed by blst", b"another tag"), Err(RunError::Rejected));
}

#[test]
fn keys_in_g1() {
    let key = blst::min_pk::SecretKey::key_gen(&[5; 32], &[]).unwrap();
    let signature = key.sign(b"signed by blst", DST, &[]);
    verdicts::<G1, G2>(Group::G1, &key.sk_to_pk().compress(), &signature.compress());
}

#[test]
fn keys_in_g2() {
    let key = blst::min_sig::SecretKey::key_gen(&[6; 32], &[]).unwrap();
    let signature = key.sign(b"signed by blst", DST, &[]);
    verdicts::<G2, G1>(Group::G2, &key.sk_to_pk().compress(), &signature.compress());
}
