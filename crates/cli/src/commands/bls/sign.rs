//! Runs the subcommands that make signatures and aggregates.

use super::given::{SignatureBytes, message, write_public};
use super::on_variant;
use super::secret::Secret;
use crate::args::Cli;
use crate::args::bls::{Aggregate, Sign};
use crate::failure::Failure;
use crate::output;
use pairwright::formats::bls::{Ciphersuite, SignatureDocument, VariantName};
use pairwright::formats::to_hex;
use pairwright::protocols::schemes::Variant;
use pairwright::protocols::schemes::bls::{self, Scheme, SecretKey, Signature};
use serde::Serialize;
use std::path::Path;

/// The command's result for a signature.
#[derive(Serialize)]
struct Signed {
    ciphersuite: String,
    signature: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    message_bytes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signatures: Option<usize>,
}

/// Writes a signature to its file, or prints it if no file is named.
fn give(
    cli: &Cli,
    to: Option<&Path>,
    suite: Ciphersuite,
    signature: Vec<u8>,
    [message_bytes, signatures]: [Option<usize>; 2],
) -> Result<(), Failure> {
    let said = Signed { ciphersuite: suite.name(), signature: to_hex(&signature), message_bytes, signatures };
    let document = SignatureDocument { suite, signature };
    write_public(to, |out| document.write(out))?;
    output::print_unless_in(cli, to, &said, |s| match to {
        Some(path) => format!("{}: a signature, {}", path.display(), s.ciphersuite),
        None => s.signature.clone(),
    })
}

/// Runs `bls sign`.
pub(super) fn sign(cli: &Cli, args: &Sign) -> Result<(), Failure> {
    fn of<V: Variant>(key: &SecretKey, scheme: Scheme, message: &[u8]) -> Vec<u8> {
        key.sign::<V>(scheme, message).to_bytes()
    }
    let message = message(&args.message)?;
    let Secret { variant, key, .. } = args.secret.open(cli)?;
    let suite = Ciphersuite { variant, scheme: args.scheme.scheme() };
    let signature = on_variant!(variant, of(&key, suite.scheme, &message));
    give(cli, args.output.as_deref(), suite, signature, [Some(message.len()), None])
}

/// Runs `bls aggregate`.
pub(super) fn aggregate(cli: &Cli, args: &Aggregate) -> Result<(), Failure> {
    let given = args.signatures.iter().enumerate();
    let given = given.map(|(index, given)| SignatureBytes::read(given, &format!("signature {}", index + 1)));
    let given = given.collect::<Result<Vec<_>, _>>()?;
    // The length of the first signature gives the variant; the parser requires at least one.
    let variant = given.first().map_or(Ok(VariantName::MinPk), SignatureBytes::variant)?;
    let suite = Ciphersuite { variant, scheme: args.scheme.scheme() };
    let sum = on_variant!(variant, added(&given, suite.scheme))?;
    give(cli, args.output.as_deref(), suite, sum, [None, Some(given.len())])
}

fn added<V: Variant>(given: &[SignatureBytes], scheme: Scheme) -> Result<Vec<u8>, Failure> {
    let signatures = given.iter().map(|given| given.signature::<V>(scheme));
    let signatures: Vec<Signature<V>> = signatures.collect::<Result<_, _>>()?;
    Ok(bls::aggregate(&signatures)?.to_bytes())
}
