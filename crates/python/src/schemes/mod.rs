//! Schemes on BLS12-381: signatures, encryption to identities, commitments to blobs. Keys, signatures and ciphertexts are bytes.

mod bls;
mod ibe;
mod kzg;

pub(crate) use bls::{
    BlsSecretKey, bls_aggregate, bls_aggregate_verify, bls_fast_aggregate_verify, bls_pop_verify, bls_verify,
    bls_verify_many,
};
pub(crate) use ibe::{ibe_decrypt, ibe_encrypt, ibe_extract, ibe_round};
pub(crate) use kzg::{BlobSetup, CellSetup};

use crate::failure::usage;
use pairwright_cli::Failure;

/// The variant: the assignment of the groups to keys and signatures.
#[derive(Clone, Copy)]
enum VariantName {
    /// Keys in G1, signatures in G2.
    MinPk,
    /// Keys in G2, signatures in G1.
    MinSig,
}

impl VariantName {
    fn named(name: &str) -> Result<Self, Failure> {
        match name {
            "min-pk" => Ok(Self::MinPk),
            "min-sig" => Ok(Self::MinSig),
            other => Err(usage(format!("variant: {other:?} is neither \"min-pk\" nor \"min-sig\""))),
        }
    }
}

/// Calls a function that is generic over the variant.
macro_rules! on_variant {
    ($name:expr, $function:ident $arguments:tt) => {
        match $crate::schemes::VariantName::named($name)? {
            $crate::schemes::VariantName::MinPk => {
                $function::<::pairwright::protocols::schemes::MinPk> $arguments
            }
            $crate::schemes::VariantName::MinSig => {
                $function::<::pairwright::protocols::schemes::MinSig> $arguments
            }
        }
    };
}
use on_variant;
