//! The points of Ethereum's KZG ceremony, in the two files that clients have them in: JSON with the members `g1_lagrange`,
//! `g1_monomial` and `g2_monomial`, and text with two counts and a point a line. Points are compressed, in hexadecimal.

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

/// Most bytes of a file: three lists of points, with room for blanks.
const MOST: u64 = 8 << 20;
/// Points of the second group.
const SECOND: usize = CELL_ELEMENTS + 1;

/// What blobs need of the ceremony's points. They are on their curves; whether they are in the subgroups and belong to one τ is
/// tested by [`BlobSetup::new`](pairwright_protocols::kzg::blobs::BlobSetup::new).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedSetup {
    /// Lagrange points in G1, in the order of the roots' powers.
    pub lagrange: Vec<Affine<G1>>,
    /// The second of the monomial points in G2, `τ·G2`.
    pub tau_g2: Affine<G2>,
}

/// What cells need of the ceremony's points. They are on their curves; the rest is tested by
/// [`CellSetup::new`](pairwright_protocols::kzg::cells::CellSetup::new).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellPoints {
    /// Monomial points in G1, `τ^i·G1`.
    pub g1: Vec<Affine<G1>>,
    /// The second of the monomial points in G2, `τ·G2`.
    pub tau_g2: Affine<G2>,
    /// The last of the monomial points in G2, `τ^64·G2`.
    pub tau_64_g2: Affine<G2>,
}

/// Reads the points for blobs from a file of either kind, which is told from its first character. Other points are not looked
/// at.
///
/// # Errors
/// When it is malformed, of another size than EIP-4844 has, or when a point is not on its curve.
pub fn read_trusted_setup(file: &FileBytes) -> Result<TrustedSetup, FormatError> {
    let lists = SetupLists::new(file)?;
    Ok(TrustedSetup { lagrange: lists.first(List::Lagrange)?, tau_g2: lists.second(1)? })
}

/// Reads the points for cells from a file of either kind. The oldest text files lack them.
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

/// One of the lists of a file.
#[derive(Clone, Copy)]
enum List {
    Lagrange,
    Second,
    Monomial,
}

/// A file's points as text.
struct SetupLists<'a> {
    file: &'a FileBytes,
    is_json: bool,
    lagrange: Vec<String>,
    second: Vec<String>,
    monomial: Vec<String>,
}

/// The JSON document; the first version of consensus-specs had other names.
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
        // The format has blanks of any kind between its items; they are lines in every file there is.
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

    /// A whole list of points of the first group.
    fn first(&self, list: List) -> Result<Vec<Affine<G1>>, FormatError> {
        let texts = self.list(list);
        if texts.len() != ELEMENTS {
            // A text has no more of them than it should.
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

    /// One point of the second group.
    fn second(&self, index: usize) -> Result<Affine<G2>, FormatError> {
        let at = || self.place(List::Second, index);
        match self.second.get(index) {
            Some(text) => point(text, at),
            None => Err(FormatError::SetupLine { at: at(), expected: "a point of the second group" }),
        }
    }
}

/// Reads a point, with or without 0x.
fn point<C: pairwright_curve::Curve>(
    text: &str,
    at: impl Fn() -> FilePlace,
) -> Result<Affine<C>, FormatError> {
    let Some(bytes) = from_hex(text) else {
        return Err(FormatError::SetupLine { at: at(), expected: "hexadecimal digits" });
    };
    ZcashCompressed::read_unchecked_subgroup(&bytes).map_err(|why| FormatError::SetupPoint { at: at(), why })
}
