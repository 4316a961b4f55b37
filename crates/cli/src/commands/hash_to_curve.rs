//! Runs `pairwright hash-to-curve`, which hashes a message to a point (RFC 9380).

use crate::args::Cli;
use crate::args::curves::{HashSuiteName, HashToCurve as Args};
use crate::failure::{ArgumentError, Failure};
use crate::files::{MOST_MESSAGE, read_bytes};
use crate::output;
use pairwright::curve::bls12_381::{G1, G2};
use pairwright::curve::encoding::{PointEncoding, ZcashCompressed, ZcashUncompressed};
use pairwright::curve::{Affine, Curve, HashToCurve};
use pairwright::formats::{from_hex, to_hex};
use serde::Serialize;
use zeroize::Zeroizing;

/// The command's result: the point that a message hashes to.
#[derive(Serialize)]
struct Point {
    suite: &'static str,
    group: &'static str,
    dst: String,
    message_bytes: usize,
    compressed: String,
    uncompressed: String,
}

/// Hashes a message to a curve, in time that depends only on the message's length.
pub(crate) fn run(cli: &Cli, args: &Args) -> Result<(), Failure> {
    let bytes = |text: &str, option| from_hex(text).ok_or(ArgumentError::NoHex(option));
    let message: Zeroizing<Vec<u8>> = match (&args.message, &args.text, &args.hex) {
        (Some(path), ..) => read_bytes(path, MOST_MESSAGE, "a message")?,
        (None, Some(text), _) => text.clone().into_bytes().into(),
        (None, None, Some(hex)) => bytes(hex, "--hex")?.into(),
        // The parser requires one of them.
        (None, None, None) => Zeroizing::default(),
    };
    let dst = match (&args.dst, &args.dst_hex) {
        (Some(text), _) => text.clone().into_bytes(),
        (None, Some(hex)) => bytes(hex, "--dst-hex")?,
        (None, None) => Vec::new(),
    };
    if dst.is_empty() {
        return Err(ArgumentError::NoTag.into());
    }
    if dst.len() < 16 {
        cli.warnings.add("RFC 9380 wants a tag of 16 bytes at least (§3.1)".to_owned());
    }
    let point = match args.suite {
        HashSuiteName::G1Ro => said(G1::SUITE_RO, &dst, &message, G1::hash_to_curve(&message, &dst)),
        HashSuiteName::G1Nu => said(G1::SUITE_NU, &dst, &message, G1::encode_to_curve(&message, &dst)),
        HashSuiteName::G2Ro => said(G2::SUITE_RO, &dst, &message, G2::hash_to_curve(&message, &dst)),
        HashSuiteName::G2Nu => said(G2::SUITE_NU, &dst, &message, G2::encode_to_curve(&message, &dst)),
    };
    output::print(cli, &point, |p| {
        let form = if args.uncompressed { &p.uncompressed } else { &p.compressed };
        form.clone()
    })
}

fn said<C: Curve>(suite: &'static str, dst: &[u8], message: &[u8], point: Affine<C>) -> Point {
    Point {
        suite,
        group: C::NAME,
        dst: to_hex(dst),
        message_bytes: message.len(),
        compressed: to_hex(&ZcashCompressed::to_vec(&point)),
        uncompressed: to_hex(&ZcashUncompressed::to_vec(&point)),
    }
}
