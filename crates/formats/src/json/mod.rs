//! The JSON of snarkjs: verification keys, proofs, public values. Numbers are strings of decimal digits, points are
//! projective with a last coordinate of one, a quadratic extension's lower coefficient comes first.

#[cfg(feature = "std")]
mod export;
pub(crate) mod fflonk;
#[cfg(feature = "std")]
pub(crate) mod fflonk_write;
mod gates;
pub(crate) mod plonk;
#[cfg(feature = "std")]
pub(crate) mod plonk_write;
mod proof;
mod public;
mod verifying_key;
#[cfg(feature = "std")]
mod write;

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
#[cfg(feature = "std")]
pub use export::{write_ptau_json, write_r1cs_json, write_wtns_json, write_zkey_json};
pub use proof::{read_proof, read_unchecked_proof};
pub use public::{read_public, read_public_of};
pub use verifying_key::read_verifying_key;
#[cfg(feature = "std")]
pub use write::{write_proof, write_public, write_verifying_key};

use crate::curve_id::fixture_named;
use crate::sizes::{MOST_JSON, widen};
use crate::{CurveId, FileBytes, FilePlace, FormatError, Spot};
use pairwright_curve::{Affine, Curve, Pairing};
use pairwright_field::{Extension, Field, FieldError, PrimeField};
use pairwright_protocols::groth16::{BadPoint, Element};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// A coordinate of a point: the coefficients of a field element, as decimal strings.
type Coordinate = Vec<String>;

/// The members of proofs and keys that state their protocol and curve.
#[derive(Deserialize)]
pub(crate) struct Declared {
    pub(crate) protocol: Option<String>,
    pub(crate) curve: Option<String>,
}

impl Declared {
    /// Fails unless the protocol is the expected one and the curve is that of `E`.
    fn expect<E: Pairing>(&self, file: &FileBytes, expected: &'static str) -> Result<(), FormatError> {
        let protocol = self.protocol.as_deref().unwrap_or("none");
        if protocol != expected {
            let at = member(file, "protocol");
            return Err(FormatError::Protocol { at, expected, found: protocol.to_owned() });
        }
        match &self.curve {
            Some(name) if name != CurveId::name_of::<E>() => {
                let at = member(file, "curve");
                let found = curve_named(name, at.clone())?;
                Err(FormatError::WrongCurve { at, expected: CurveId::name_of::<E>(), found })
            }
            _ => Ok(()),
        }
    }
}

pub(crate) fn curve_named(name: &str, at: FilePlace) -> Result<CurveId, FormatError> {
    CurveId::from_name(name).ok_or_else(|| match fixture_named(name) {
        Some(curve) => FormatError::NoSecurity { at, curve },
        None => FormatError::UnknownCurve { at, found: name.to_owned() },
    })
}

/// The position of a member in a document, for an error.
pub(crate) fn member(file: &FileBytes, path: impl Into<String>) -> FilePlace {
    file.place(Spot::Member(path.into()))
}

/// Fails when a document is larger than one of its kind can be; called before the document is parsed.
pub(crate) fn expect_at_most(file: &FileBytes, most: u64, what: &'static str) -> Result<(), FormatError> {
    if widen(file.len()) <= most {
        return Ok(());
    }
    Err(FormatError::TooLarge { file: file.name().clone(), what, most })
}

pub(crate) fn parse<T: DeserializeOwned>(file: &FileBytes) -> Result<T, FormatError> {
    expect_at_most(file, MOST_JSON, "JSON")?;
    serde_json::from_slice(file).map_err(|source| FormatError::Json { file: file.name().clone(), source })
}

/// Parses a decimal number, which has to be below the modulus of `F`.
fn number<F: PrimeField>(
    file: &FileBytes,
    path: impl Fn() -> String,
    index: usize,
    text: &str,
) -> Result<F, FormatError> {
    F::from_decimal(text).map_err(|wrong| {
        let at = member(file, path());
        match wrong {
            FieldError::NotDecimal { at: position } => FormatError::NotDecimal { at, position },
            _ => FormatError::NotReduced { at, index: widen(index), field: F::NAME },
        }
    })
}

/// Converts the coordinates of a G1 point to the form of a point over an extension field, with one coefficient each.
fn flat(point: Vec<String>) -> Vec<Coordinate> {
    point.into_iter().map(|x| vec![x]).collect()
}

fn expect_length<T>(
    file: &FileBytes,
    path: impl Fn() -> String,
    list: &[T],
    expected: usize,
) -> Result<(), FormatError> {
    if list.len() == expected {
        return Ok(());
    }
    Err(FormatError::ArrayLength { at: member(file, path()), expected, found: list.len() })
}

/// Parses a point and checks that its coordinates are below the modulus. Whether it is on the curve and in the subgroup is
/// checked by the method `check` of the proof or key.
fn point<C: Curve>(
    file: &FileBytes,
    path: &str,
    coordinates: &[Coordinate],
) -> Result<Affine<C>, FormatError> {
    expect_length(file, || path.to_owned(), coordinates, 3)?;
    let mut values = Vec::with_capacity(3);
    for (i, coordinate) in coordinates.iter().enumerate() {
        let degree = C::Base::DEGREE;
        expect_length(file, || format!("{path}[{i}]"), coordinate, degree)?;
        let mut parts = Vec::with_capacity(degree);
        for (j, text) in coordinate.iter().enumerate() {
            let path = || if degree == 1 { format!("{path}[{i}]") } else { format!("{path}[{i}][{j}]") };
            parts.push(number(file, path, i, text)?);
        }
        values.push(C::Base::from_coords(&parts));
    }
    let [x, y, z] = values.as_slice() else { return Err(not_affine(file, path)) };
    let one = C::Base::ONE;
    if *z == one {
        // (0, 0) would stand for infinity in `Affine`; in a file these coordinates are not a point of any curve.
        if x.is_zero() && y.is_zero() {
            return Err(off_curve::<C>(file, path));
        }
        Ok(Affine::from_xy_unchecked(*x, *y))
    } else if x.is_zero() && *y == one && z.is_zero() {
        Ok(Affine::INFINITY)
    } else {
        Err(not_affine(file, path))
    }
}

fn not_affine(file: &FileBytes, path: &str) -> FormatError {
    FormatError::NotAffine { at: member(file, path) }
}

fn off_curve<C: Curve>(file: &FileBytes, path: &str) -> FormatError {
    FormatError::OffCurve { at: member(file, path), index: 0, group: C::NAME }
}

/// The error for a bad point of a Groth16 proof or key, with snarkjs' name of its member.
fn refused<E: Pairing>(file: &FileBytes, bad: BadPoint) -> FormatError {
    let (what, group) = match bad.element {
        Element::A => ("pi_a", E::G1::NAME),
        Element::B => ("pi_b", E::G2::NAME),
        Element::C => ("pi_c", E::G1::NAME),
        Element::Alpha => ("vk_alpha_1", E::G1::NAME),
        Element::Beta => ("vk_beta_2", E::G2::NAME),
        Element::Gamma => ("vk_gamma_2", E::G2::NAME),
        Element::Delta => ("vk_delta_2", E::G2::NAME),
        Element::Ic(_) => ("IC", E::G1::NAME),
    };
    let at = match bad.element {
        Element::Ic(i) => member(file, format!("{what}[{i}]")),
        _ => member(file, what),
    };
    FormatError::point(bad.fault, at, (0, group), what)
}
