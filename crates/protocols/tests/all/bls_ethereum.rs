//! Runs Ethereum's BLS test cases: the scheme with proofs of possession, keys in G1.

use crate::common::{device, hex, json_in, public_root, rng, text, vectors_root};
use pairwright_curve::HashToCurve;
use pairwright_curve::bls12_381::{Fq, Fq2, G2};
use pairwright_device::Session;
use pairwright_field::PrimeField;
use pairwright_protocols::schemes::MinPk;
use pairwright_protocols::schemes::bls::{
    BlsError, PublicKey, Scheme, SecretKey, Signature, VerifyError, aggregate, aggregate_verify,
    batch_verify, fast_aggregate_verify, verify,
};
use serde_json::Value;
use std::path::Path;

const POP: Scheme = Scheme::ProofOfPossession;

/// Why a case was refused.
#[derive(Debug)]
enum Refused {
    Bytes(#[expect(dead_code, reason = "printed")] BlsError),
    Verdict(#[expect(dead_code, reason = "printed")] VerifyError),
}
impl From<BlsError> for Refused {
    fn from(why: BlsError) -> Self {
        Self::Bytes(why)
    }
}
impl From<VerifyError> for Refused {
    fn from(why: VerifyError) -> Self {
        Self::Verdict(why)
    }
}

fn strings(v: &Value) -> impl Iterator<Item = &str> {
    v.as_array().expect("a list").iter().map(|s| s.as_str().expect("a string"))
}

fn keys(v: &Value) -> Result<Vec<PublicKey<MinPk>>, BlsError> {
    strings(v).map(|k| PublicKey::from_bytes(&hex(k))).collect()
}

fn signatures(v: &Value) -> Result<Vec<Signature<MinPk>>, BlsError> {
    strings(v).map(|s| Signature::from_bytes(&hex(s))).collect()
}

/// Runs an operation on every case of a folder, compares its verdict with the expected one, and returns the number of cases.
fn verdicts(folder: &Path, run: impl Fn(&Value) -> Result<(), Refused>) -> usize {
    let cases = json_in(folder);
    for (name, case) in &cases {
        let verdict = run(&case["input"]);
        assert_eq!(verdict.is_ok(), case["output"].as_bool().expect("a verdict"), "{name}: {verdict:?}");
    }
    cases.len()
}

/// The number of cases in each folder.
fn all(root: &Path) -> [usize; 7] {
    let device = device();
    let on = || Session::new(&device);
    let sign = json_in(&root.join("sign"));
    for (name, case) in &sign {
        let signed = SecretKey::from_bytes(&hex(text(&case["input"], "privkey")))
            .map(|key| key.sign::<MinPk>(POP, &hex(text(&case["input"], "message"))).to_bytes());
        assert_eq!(signed.ok(), case["output"].as_str().map(hex), "{name}");
    }
    let sums = json_in(&root.join("aggregate"));
    for (name, case) in &sums {
        let sum = signatures(&case["input"]).and_then(|s| aggregate(&s)).map(|s| s.to_bytes());
        assert_eq!(sum.ok(), case["output"].as_str().map(hex), "{name}");
    }
    let hashes = json_in(&root.join("hash_to_G2"));
    for (name, case) in &hashes {
        let dst = b"QUUX-V01-CS02-with-BLS12381G2_XMD:SHA-256_SSWU_RO_";
        let point = G2::hash_to_curve(text(&case["input"], "msg").as_bytes(), dst);
        for (ours, key) in [(point.x, "x"), (point.y, "y")] {
            let theirs: Vec<Fq> = text(&case["output"], key)
                .split(',')
                .map(|c| Fq::read_be(&hex(c)).expect("reduced"))
                .collect();
            assert_eq!(ours, Fq2::new(theirs[0], theirs[1]), "{name}");
        }
    }
    let one = verdicts(&root.join("verify"), |v| {
        let key = PublicKey::<MinPk>::from_bytes(&hex(text(v, "pubkey")))?;
        let signature = Signature::from_bytes(&hex(text(v, "signature")))?;
        Ok(verify(&mut on(), POP, &key, &hex(text(v, "message")), &signature)?)
    });
    let same = verdicts(&root.join("fast_aggregate_verify"), |v| {
        let signature = Signature::from_bytes(&hex(text(v, "signature")))?;
        Ok(fast_aggregate_verify(&mut on(), &keys(&v["pubkeys"])?, &hex(text(v, "message")), &signature)?)
    });
    let many = verdicts(&root.join("aggregate_verify"), |v| {
        let messages: Vec<Vec<u8>> = strings(&v["messages"]).map(hex).collect();
        let signed: Vec<_> =
            keys(&v["pubkeys"])?.into_iter().zip(messages.iter().map(Vec::as_slice)).collect();
        let signature = Signature::from_bytes(&hex(text(v, "signature")))?;
        Ok(aggregate_verify(&mut on(), POP, &signed, &signature)?)
    });
    let batch = verdicts(&root.join("batch_verify"), |v| {
        let messages: Vec<Vec<u8>> = strings(&v["messages"]).map(hex).collect();
        let signatures = signatures(&v["signatures"])?;
        let batch: Vec<_> = keys(&v["pubkeys"])?
            .into_iter()
            .zip(&messages)
            .zip(signatures)
            .map(|((key, message), signature)| (key, message.as_slice(), signature))
            .collect();
        Ok(batch_verify(&mut on(), POP, &batch, &mut rng(1))?)
    });
    [sign.len(), sums.len(), hashes.len(), one, same, many, batch]
}

#[test]
fn cases_of_the_repository() {
    assert_eq!(all(&vectors_root().join("bls")), [3, 2, 1, 4, 3, 1, 1]);
}

#[test]
fn public_cases() {
    let Some(root) = public_root() else { return };
    assert_eq!(all(&root.join("bls")), [7, 4, 3, 25, 9, 4, 3]);
}
