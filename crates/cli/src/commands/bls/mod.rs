//! Runs `pairwright bls`: keys, signatures, aggregates, keystores and threshold signatures on BLS12-381.

mod fault;
mod given;
mod keys;
mod keystore;
mod lists;
mod password;
mod secret;
mod sign;
mod threshold;
mod verify;

use crate::args::Cli;
use crate::args::bls::{Bls, KeystoreVerb, ThresholdVerb};
use crate::failure::Failure;

/// Calls a function that is generic over the variant with the variant of this name.
macro_rules! on_variant {
    ($variant:expr, $run:ident($($argument:expr),*)) => {
        match $variant {
            pairwright::formats::bls::VariantName::MinPk => {
                $run::<pairwright::protocols::schemes::MinPk>($($argument),*)
            }
            pairwright::formats::bls::VariantName::MinSig => {
                $run::<pairwright::protocols::schemes::MinSig>($($argument),*)
            }
        }
    };
}
use on_variant;

/// Runs a subcommand on keys and signatures.
pub(crate) fn run(cli: &Cli, what: &Bls) -> Result<(), Failure> {
    match what {
        Bls::Keygen(args) => keys::draw(cli, args),
        Bls::Pubkey(args) => keys::public(cli, args),
        Bls::Derive(args) => keys::derive(cli, args),
        Bls::PopProve(args) => keys::prove(cli, args),
        Bls::Sign(args) => sign::sign(cli, args),
        Bls::Aggregate(args) => sign::aggregate(cli, args),
        Bls::Verify(args) => verify::one(cli, args),
        Bls::AggregateVerify(args) => verify::aggregate(cli, args),
        Bls::FastAggregateVerify(args) => verify::same_message(cli, args),
        Bls::BatchVerify(args) => verify::batch(cli, args),
        Bls::PopVerify(args) => verify::possession(cli, args),
        Bls::Keystore { what: KeystoreVerb::Encrypt(args) } => keystore::encrypt(cli, args),
        Bls::Keystore { what: KeystoreVerb::Decrypt(args) } => keystore::decrypt(cli, args),
        Bls::Threshold { what: ThresholdVerb::Split(args) } => threshold::split(cli, args),
        Bls::Threshold { what: ThresholdVerb::Sign(args) } => threshold::sign(cli, args),
        Bls::Threshold { what: ThresholdVerb::Combine(args) } => threshold::combine(cli, args),
    }
}
