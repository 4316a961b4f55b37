//! The points of Ethereum's KZG ceremony, in the two files that clients have them in: JSON with the members `g1_lagrange`,
//! `g1_monomial` and `g2_monomial`, and text with two counts and a point a line. Points are compressed, in hexadecimal.

use crate::json::{expect_at_most, member};
use crate::{FileBytes, FilePlace, FormatError};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use pairwright_curve::Affine;
use pairwright_curve::bls12_381::{G1, G2};
use pairwright_curve::encoding::{PointEncoding, ZcashCompressed};
use pairwright_protocols::kzg::blobs::ELEMENTS;
use rayon::prelude::*;
use serde::Deserialize;

/// Most bytes of a file: three lists of points, with room for blanks.
const MOST: u64 = 8 << 20;
/// Points in the second group that a ceremony has at most.
const MOST_G2: usize = 65;

/// What blobs need of the ceremony's points. They are on their curves; whether they are in the subgroups and belong to one τ is
/// tested by [`BlobSetup::new`](pairwright_protocols::kzg::blobs::BlobSetup::new).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedSetup {
    /// Lagrange points in G1, in the order of the roots' powers.
    pub lagrange: Vec<Affine<G1>>,
    /// The second of the monomial points in G2, `τ·G2`.
    pub tau_g2: Affine<G2>,
}

/// The JSON document; consensus-specs' first version had other names.
#[derive(Deserialize)]
struct Document {
    #[serde(alias = "setup_G1_lagrange")]
    g1_lagrange: Vec<String>,
    #[serde(alias = "setup_G2")]
    g2_monomial: Vec<String>,
}

/// Reads a file of either kind, which is told from its first character. Points that blobs do not need are not looked at.
///
/// # Errors
/// When it is malformed, of another size than EIP-4844 has, or when a point is not on its curve.
pub fn read_trusted_setup(file: &FileBytes) -> Result<TrustedSetup, FormatError> {
    expect_at_most(file, MOST, "a trusted setup")?;
    if file.trim_ascii_start().starts_with(b"{") { read_json(file) } else { read_text(file) }
}

fn read_json(file: &FileBytes) -> Result<TrustedSetup, FormatError> {
    let document: Document = crate::json::parse(file)?;
    let length =
        |path: &str, found| FormatError::ArrayLength { at: member(file, path), expected: ELEMENTS, found };
    if document.g1_lagrange.len() != ELEMENTS {
        return Err(length("g1_lagrange", document.g1_lagrange.len()));
    }
    let at = |list: &str, index: usize| member(file, format!("{list}[{index}]"));
    let lagrange = points(&document.g1_lagrange, |index| at("g1_lagrange", index))?;
    match document.g2_monomial.get(1) {
        Some(text) => Ok(TrustedSetup { lagrange, tau_g2: point(text, || at("g2_monomial", 1))? }),
        None => Err(FormatError::ArrayLength {
            at: member(file, "g2_monomial"),
            expected: MOST_G2,
            found: document.g2_monomial.len(),
        }),
    }
}

fn read_text(file: &FileBytes) -> Result<TrustedSetup, FormatError> {
    let at = |line: usize| member(file, format!("line {line}"));
    let bad = |line, expected| FormatError::SetupLine { at: at(line), expected };
    let text = core::str::from_utf8(file).map_err(|_| bad(1, "text"))?;
    // The format has blanks of any kind between its items; they are lines in every file there is.
    let mut items = text.split_ascii_whitespace();
    let mut count =
        |line| items.next().and_then(|item| item.parse::<usize>().ok()).ok_or_else(|| bad(line, "a count"));
    let (g1, g2) = (count(1)?, count(2)?);
    if g1 != ELEMENTS {
        return Err(bad(1, "4096 points of the first group"));
    }
    if !(2..=MOST_G2).contains(&g2) {
        return Err(bad(2, "2 to 65 points of the second group"));
    }
    let list: Vec<String> = items.by_ref().take(ELEMENTS).map(str::to_owned).collect();
    let lagrange = points(&list, |index| at(index.saturating_add(3)))?;
    let second = ELEMENTS + 4;
    let tau_g2 = items.nth(1).ok_or_else(|| bad(second, "a point of the second group"))?;
    Ok(TrustedSetup { lagrange, tau_g2: point(tau_g2, || at(second))? })
}

fn points(list: &[String], at: impl Fn(usize) -> FilePlace + Sync) -> Result<Vec<Affine<G1>>, FormatError> {
    if list.len() != ELEMENTS {
        return Err(FormatError::SetupLine { at: at(list.len()), expected: "a point of the first group" });
    }
    list.par_iter().enumerate().map(|(index, text)| point(text, || at(index))).collect()
}

/// Reads a point, with or without 0x.
fn point<C: pairwright_curve::Curve>(
    text: &str,
    at: impl Fn() -> FilePlace,
) -> Result<Affine<C>, FormatError> {
    let digits = text.strip_prefix("0x").unwrap_or(text).as_bytes();
    let nibble = |digit: &u8| char::from(*digit).to_digit(16).and_then(|value| u8::try_from(value).ok());
    let byte = |pair: &[u8; 2]| {
        let [high, low] = pair;
        Some(nibble(high)? << 4 | nibble(low)?)
    };
    let (pairs, rest) = digits.as_chunks::<2>();
    let bytes: Option<Vec<u8>> = pairs.iter().map(byte).collect();
    let Some(bytes) = bytes.filter(|_| rest.is_empty()) else {
        return Err(FormatError::SetupLine { at: at(), expected: "hexadecimal digits" });
    };
    ZcashCompressed::read_unchecked_subgroup(&bytes).map_err(|why| FormatError::SetupPoint { at: at(), why })
}
