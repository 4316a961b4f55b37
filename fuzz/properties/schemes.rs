//! The properties of arbitrary bytes as a key, a ciphertext, a signature or a proof of the schemes, and of arbitrary text as a policy.
//! The fuzz target and the tests of `protocols` call this.

use pairwright_curve::Affine;
use pairwright_curve::bls12_381::G1;
use pairwright_protocols::schemes::abe::{self, AbeError, Policy};
use pairwright_protocols::schemes::bbs::{self, BbsError};
use pairwright_protocols::schemes::fe::logarithm::Table;
use pairwright_protocols::schemes::fe::{FeError, embedded, hiding, public};

/// A function that decodes bytes and returns the encoding of the value, or the message with which they are refused.
type Reader = fn(&[u8]) -> Result<Vec<u8>, String>;

/// Readers of the types of the modules that have an encoding; the modules have different error types.
macro_rules! readers {
    ($($error:ident: $($type:ty),+;)+) => {
        [$($(|bytes| {
            let read: Result<$type, $error> = <$type>::from_bytes(bytes);
            read.map(|value| value.to_bytes().to_vec()).map_err(|why| why.to_string())
        },)+)+]
    };
}

/// Readers of the types whose values have exactly one encoding.
const READERS: [Reader; 20] = readers! {
    AbeError: abe::PublicKey, abe::MasterKey, abe::AttributeKey, abe::Ciphertext;
    BbsError: bbs::SecretKey, bbs::PublicKey, bbs::Signature, bbs::Proof;
    FeError: public::MasterKey, public::PublicKey, public::FunctionKey, public::Ciphertext,
        embedded::MasterKey, embedded::PublicKey, embedded::FunctionKey, embedded::Ciphertext,
        hiding::MasterKey, hiding::FunctionKey, hiding::Ciphertext, Table<Affine<G1>>;
};

/// Every reader refuses the bytes with a reason, or accepts them and writes the same bytes. A policy is refused, or unchanged after it is
/// printed and parsed. Returns the number of readers that accept the bytes.
pub(crate) fn schemes(data: &[u8]) -> usize {
    let mut taken = 0;
    for read in READERS {
        match read(data) {
            Ok(again) => {
                assert_eq!(again, data);
                taken += 1;
            }
            Err(why) => assert!(!why.is_empty()),
        }
    }
    if let Ok(policy) = str::from_utf8(data).unwrap_or("").parse::<Policy>() {
        let printed = policy.to_string();
        assert_eq!(printed.parse::<Policy>().expect("what we printed").to_string(), printed);
        taken += 1;
    }
    taken
}
