//! Reads the points of Ethereum's KZG ceremony from the two kinds of files that clients use: JSON with the members
//! `g1_lagrange`, `g1_monomial` and `g2_monomial`, and text with two counts and one point per line. Points are compressed, in
//! hexadecimal.

use crate::hexadecimal::from_hex;
use crate::json::{expect_at_most, member, parse};
use crate::{FileBytes, FilePlace, FormatError};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use pairwright_curve::Affine;
use pairwright_curve::bls12_381::{G1, G2};
use pairwright_curve::encoding::{PointEncoding, ZcashCompressed};
use pairwright_protocols::kzg::blobs::ELEMENTS;
use pairwright_protocols::kzg::cells::CELL_ELEMENTS;
use rayon::prelude::*;
use serde::Deserialize;

/// Largest size of a file in bytes: three lists of points, with room for whitespace.
const MOST: u64 = 8 << 20;
/// Number of points in G2.
const SECOND: usize = CELL_ELEMENTS + 1;

/// The ceremony's points that blobs need. They are on their curves;
/// [`BlobSetup::new`](pairwright_protocols::kzg::blobs::BlobSetup::new) tests whether they are in the subgroups and belong to
/// one τ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedSetup {
    /// Lagrange points in G1, in the order of the powers of the root of unity.
    pub lagrange: Vec<Affine<G1>>,
    /// The second monomial point in G2, `τ·G2`.
    pub tau_g2: Affine<G2>,
}

/// The ceremony's points that cells need. They are on their curves; the other checks are made by
/// [`CellSetup::new`](pairwright_protocols::kzg::cells::CellSetup::new).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellPoints {
    /// Monomial points in G1, `τ^i·G1`.
    pub g1: Vec<Affine<G1>>,
    /// The second monomial point in G2, `τ·G2`.
    pub tau_g2: Affine<G2>,
    /// The last monomial point in G2, `τ^64·G2`.
    pub tau_64_g2: Affine<G2>,
}

/// Reads the points for blobs from a file of either kind, which is recognised by its first character. Other points are ignored.
///
/// # Errors
/// When the file is malformed, does not have EIP-4844's number of points, or a point is not on its curve.
pub fn read_trusted_setup(file: &FileBytes) -> Result<TrustedSetup, FormatError> {
    let lists = SetupLists::new(file)?;
    Ok(TrustedSetup { lagrange: lists.first(List::Lagrange)?, tau_g2: lists.second(1)? })
}

/// Reads the points for cells from a file of either kind. The oldest text files do not contain them.
///
/// # Errors
/// As [`read_trusted_setup`].
pub fn read_cell_points(file: &FileBytes) -> Result<CellPoints, FormatError> {
    let lists = SetupLists::new(file)?;
    Ok(CellPoints {
        g1: lists.first(List::Monomial)?,
        tau_g2: lists.second(1)?,
        tau_64_g2: lists.second(CELL_ELEMENTS)?,
    })
}

/// One of the three lists of points of a file.
#[derive(Clone, Copy)]
enum List {
    Lagrange,
    Second,
    Monomial,
}

/// The points of a file as hexadecimal strings.
struct SetupLists<'a> {
    file: &'a FileBytes,
    is_json: bool,
    lagrange: Vec<String>,
    second: Vec<String>,
    monomial: Vec<String>,
}

/// The members of the JSON document; the first version of consensus-specs used other names.
#[derive(Deserialize)]
struct Document {
    #[serde(alias = "setup_G1_lagrange")]
    g1_lagrange: Vec<String>,
    #[serde(alias = "setup_G2")]
    g2_monomial: Vec<String>,
    #[serde(alias = "setup_G1", default)]
    g1_monomial: Vec<String>,
}

impl<'a> SetupLists<'a> {
    fn new(file: &'a FileBytes) -> Result<Self, FormatError> {
        expect_at_most(file, MOST, "a trusted setup")?;
        if !file.trim_ascii_start().starts_with(b"{") {
            return Self::of_text(file);
        }
        let Document { g1_lagrange: lagrange, g2_monomial: second, g1_monomial: monomial } = parse(file)?;
        Ok(Self { file, is_json: true, lagrange, second, monomial })
    }

    fn of_text(file: &'a FileBytes) -> Result<Self, FormatError> {
        let bad = |line: usize, expected| FormatError::SetupLine {
            at: member(file, format!("line {line}")),
            expected,
        };
        let text = core::str::from_utf8(file).map_err(|_| bad(1, "text"))?;
        // The format allows any whitespace between items; all known files use line feeds, so an item's index is its line
        // number.
        let mut items = text.split_ascii_whitespace();
        let mut count = |line| {
            let count = items.next().and_then(|item| item.parse::<usize>().ok());
            count.ok_or_else(|| bad(line, "a count"))
        };
        let (g1, g2) = (count(1)?, count(2)?);
        if g1 != ELEMENTS {
            return Err(bad(1, "4096 points of the first group"));
        }
        if g2 != SECOND {
            return Err(bad(2, "65 points of the second group"));
        }
        let mut list = |length| items.by_ref().take(length).map(str::to_owned).collect();
        Ok(Self { file, is_json: false, lagrange: list(g1), second: list(g2), monomial: list(g1) })
    }

    fn list(&self, list: List) -> &[String] {
        match list {
            List::Lagrange => &self.lagrange,
            List::Second => &self.second,
            List::Monomial => &self.monomial,
        }
    }

    fn place(&self, list: List, index: usize) -> FilePlace {
        let (name, line) = match list {
            List::Lagrange => ("g1_lagrange", 3),
            List::Second => ("g2_monomial", 3 + ELEMENTS),
            List::Monomial => ("g1_monomial", 3 + ELEMENTS + SECOND),
        };
        if self.is_json {
            return member(self.file, format!("{name}[{index}]"));
        }
        member(self.file, format!("line {}", index.saturating_add(line)))
    }

    /// Decodes a whole list of G1 points.
    fn first(&self, list: List) -> Result<Vec<Affine<G1>>, FormatError> {
        let texts = self.list(list);
        if texts.len() != ELEMENTS {
            // A text file has at most the required number of points, since its counts were checked.
            let at = self.place(list, texts.len().min(ELEMENTS));
            let expected = if texts.len() < ELEMENTS {
                "a point of the first group"
            } else {
                "no more than 4096 points"
            };
            return Err(FormatError::SetupLine { at, expected });
        }
        texts.par_iter().enumerate().map(|(index, text)| point(text, || self.place(list, index))).collect()
    }

    /// Decodes one G2 point.
    fn second(&self, index: usize) -> Result<Affine<G2>, FormatError> {
        let at = || self.place(List::Second, index);
        match self.second.get(index) {
            Some(text) => point(text, at),
            None => Err(FormatError::SetupLine { at: at(), expected: "a point of the second group" }),
        }
    }
}

/// Decodes a point in hexadecimal, with or without the prefix 0x.
fn point<C: pairwright_curve::Curve>(
    text: &str,
    at: impl Fn() -> FilePlace,
) -> Result<Affine<C>, FormatError> {
    let Some(bytes) = from_hex(text) else {
        return Err(FormatError::SetupLine { at: at(), expected: "hexadecimal digits" });
    };
    ZcashCompressed::read_unchecked_subgroup(&bytes).map_err(|why| FormatError::SetupPoint { at: at(), why })
}
