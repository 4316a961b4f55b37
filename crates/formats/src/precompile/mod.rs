//! Ethereum's precompiled contracts for curves, as calls on bytes: EIP-2537 on BLS12-381, EIP-196 and EIP-197 on BN254; and the
//! JSON files in which go-ethereum holds their test cases ([`read_cases`]).
//!
//! An input is what a contract would call with, an output what it would get. What an Ethereum node answers with the loss of all
//! gas is a [`PrecompileError`] here. Calls are in variable time: all of their operands are public on a chain.

mod cases;
mod gas;

pub use cases::{CallCase, ExpectedAnswer, read_cases};

use alloc::borrow::Cow;
use alloc::vec;
use alloc::vec::Vec;
use pairwright_curve::bls12_381::{self, Bls12_381};
use pairwright_curve::bn254::{self, Bn254};
use pairwright_curve::encoding::{Eip197, Eip2537, PointEncoding, PointError};
use pairwright_curve::{Affine, Curve, HashToCurve, Jacobian, Pairing};
use pairwright_field::{Extension, Field, FieldError, PrimeField};
use rayon::prelude::*;
use thiserror::Error;

/// A precompiled contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precompile {
    /// `BLS12_G1ADD`: the sum of two points of the curve, in the subgroup or not.
    G1Add,
    /// `BLS12_G1MSM`: a sum of multiples of points of the subgroup.
    G1Msm,
    /// `BLS12_G2ADD`: the sum of two points of the twist, in the subgroup or not.
    G2Add,
    /// `BLS12_G2MSM`: a sum of multiples of points of the subgroup.
    G2Msm,
    /// `BLS12_PAIRING_CHECK`: whether a product of pairings is one.
    PairingCheck,
    /// `BLS12_MAP_FP_TO_G1`: a point of the subgroup for an element of the field.
    MapFpToG1,
    /// `BLS12_MAP_FP2_TO_G2`: a point of the subgroup for an element of the quadratic extension.
    MapFp2ToG2,
    /// `ECADD` of EIP-196: the sum of two points of BN254.
    Bn254Add,
    /// `ECMUL` of EIP-196: a multiple of a point of BN254.
    Bn254Mul,
    /// The pairing check of EIP-197.
    Bn254Pairing,
}

/// Why a call fails: a node takes all of its gas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PrecompileError {
    /// The input has a length that the contract does not take.
    #[error("the input has {found} bytes, {expected} are needed")]
    Length {
        /// What it takes, in words.
        expected: &'static str,
        /// Number of bytes that were given.
        found: usize,
    },
    /// Bytes that are no point of their group.
    #[error("offset {offset}: {why}")]
    Point {
        /// Offset of the point in the input.
        offset: usize,
        /// Why they are none.
        why: PointError,
    },
    /// Bytes that pad an element of the field are not zero.
    #[error("offset {offset}: the 16 bytes before an element of the field are not zero")]
    Padding {
        /// Offset of the element in the input.
        offset: usize,
    },
    /// An element of the field is not below the modulus.
    #[error("offset {offset}: an element of the field is not below the modulus")]
    NotReduced {
        /// Offset of the element in the input.
        offset: usize,
    },
}

impl PrecompileError {
    /// Whether go-ethereum, or the EIP's list of cases, means this error with its words. Only errors of EIP-2537 have words
    /// in either.
    pub fn is_called(&self, words: &str) -> bool {
        let point = match self {
            Self::Length { .. } => return words == "invalid input length",
            Self::Padding { .. } => return words == "invalid field element top bytes",
            Self::NotReduced { .. } => return words == "invalid fp.Element encoding",
            Self::Point { why, .. } => why,
        };
        match point {
            PointError::Padding { .. } => words == "invalid field element top bytes",
            PointError::NotReduced { .. } => words == "invalid fp.Element encoding",
            PointError::NotOnCurve { .. } => words == "invalid point: not on curve",
            PointError::NotInSubgroup { curve } => {
                let group = if *curve == bls12_381::G1::NAME { "g1" } else { "g2" };
                words.strip_prefix(group).is_some_and(|rest| {
                    [" point is not on correct subgroup", " point is not in the correct subgroup"]
                        .contains(&rest)
                })
            }
            _ => false,
        }
    }
}

impl Precompile {
    /// All of them, those of EIP-2537 first.
    pub const ALL: [Self; 10] = [
        Self::G1Add,
        Self::G1Msm,
        Self::G2Add,
        Self::G2Msm,
        Self::PairingCheck,
        Self::MapFpToG1,
        Self::MapFp2ToG2,
        Self::Bn254Add,
        Self::Bn254Mul,
        Self::Bn254Pairing,
    ];

    /// The contract's address, of which all bytes but the last are zero.
    pub fn address(self) -> u8 {
        match self {
            Self::Bn254Add => 0x06,
            Self::Bn254Mul => 0x07,
            Self::Bn254Pairing => 0x08,
            Self::G1Add => 0x0b,
            Self::G1Msm => 0x0c,
            Self::G2Add => 0x0d,
            Self::G2Msm => 0x0e,
            Self::PairingCheck => 0x0f,
            Self::MapFpToG1 => 0x10,
            Self::MapFp2ToG2 => 0x11,
        }
    }

    /// The contract's answer.
    ///
    /// # Errors
    /// When the call fails: the input has a wrong length, or a part of it encodes nothing of the group or field.
    pub fn call(self, input: &[u8]) -> Result<Vec<u8>, PrecompileError> {
        match self {
            Self::G1Add => add::<Eip2537, bls12_381::G1>(&exactly(input, 256, "256")?),
            Self::G2Add => add::<Eip2537, bls12_381::G2>(&exactly(input, 512, "512")?),
            Self::G1Msm => sum::<bls12_381::G1>(input, "a positive multiple of 160"),
            Self::G2Msm => sum::<bls12_381::G2>(input, "a positive multiple of 288"),
            Self::PairingCheck if input.is_empty() => {
                Err(PrecompileError::Length { expected: "a positive multiple of 384", found: 0 })
            }
            Self::PairingCheck => pairings::<Eip2537, Bls12_381>(input, "a positive multiple of 384"),
            Self::MapFpToG1 => map::<bls12_381::G1>(&exactly(input, 64, "64")?),
            Self::MapFp2ToG2 => map::<bls12_381::G2>(&exactly(input, 128, "128")?),
            // Bytes that are missing are zero, and those beyond are not looked at (EIP-196).
            Self::Bn254Add => add::<Eip197, bn254::G1>(&padded(input, 128)),
            Self::Bn254Mul => multiple(&padded(input, 96)),
            Self::Bn254Pairing => pairings::<Eip197, Bn254>(input, "a multiple of 192"),
        }
    }
}

/// The input, if it has this length.
fn exactly<'a>(
    input: &'a [u8],
    length: usize,
    expected: &'static str,
) -> Result<Cow<'a, [u8]>, PrecompileError> {
    if input.len() == length {
        Ok(Cow::Borrowed(input))
    } else {
        Err(PrecompileError::Length { expected, found: input.len() })
    }
}

/// The input cut, or filled with zeros, to a length.
fn padded(input: &[u8], length: usize) -> Cow<'_, [u8]> {
    match input.get(..length) {
        Some(bytes) => Cow::Borrowed(bytes),
        None => {
            let mut bytes = input.to_vec();
            bytes.resize(length, 0);
            Cow::Owned(bytes)
        }
    }
}

/// A point at an offset; in the subgroup too, if that is asked for.
fn point<F: PointEncoding, C: Curve>(
    bytes: &[u8],
    offset: usize,
    subgroup: bool,
) -> Result<Affine<C>, PrecompileError> {
    let read = if subgroup { F::read(bytes) } else { F::read_unchecked_subgroup(bytes) };
    read.map_err(|why| PrecompileError::Point { offset, why })
}

/// The sum of the two points that an input consists of.
fn add<F: PointEncoding, C: Curve>(input: &[u8]) -> Result<Vec<u8>, PrecompileError> {
    let (first, second) = input.split_at_checked(F::len::<C>()).unwrap_or((input, &[]));
    let first: Affine<C> = point::<F, C>(first, 0, false)?;
    let second = point::<F, C>(second, F::len::<C>(), false)?;
    Ok(F::to_vec(&Jacobian::from(first).add_mixed(&second).to_affine()))
}

/// The multiple of a point of the subgroup by an integer of 32 bytes, which need not be below the group's order.
fn scaled<C: Curve>(point: &Affine<C>, scalar: &[u8]) -> Jacobian<C> {
    let (limbs, _) = scalar.as_chunks::<8>();
    let limbs: Vec<u64> = limbs.iter().rev().map(|limb| u64::from_be_bytes(*limb)).collect();
    Jacobian::from(*point).mul_limbs_vartime(&limbs)
}

/// The sum of the multiples that an input asks for, each a point of the subgroup and a scalar of 32 bytes.
fn sum<C: Curve>(input: &[u8], expected: &'static str) -> Result<Vec<u8>, PrecompileError> {
    let (length, pair) = (Eip2537::len::<C>(), Eip2537::len::<C>().saturating_add(32));
    if input.is_empty() || !input.len().is_multiple_of(pair) {
        return Err(PrecompileError::Length { expected, found: input.len() });
    }
    let terms = input.par_chunks(pair).enumerate().map(|(index, chunk)| {
        let (bytes, scalar) = chunk.split_at_checked(length).unwrap_or((chunk, &[]));
        let point = point::<Eip2537, C>(bytes, index.saturating_mul(pair), true)?;
        Ok(scaled(&point, scalar))
    });
    // The first fault is reported, whichever thread finds one first.
    let terms: Vec<Result<Jacobian<C>, PrecompileError>> = terms.collect();
    let terms: Vec<Jacobian<C>> = terms.into_iter().collect::<Result<_, _>>()?;
    Ok(Eip2537::to_vec(&terms.into_iter().sum::<Jacobian<C>>().to_affine()))
}

/// EIP-196's multiple of a point; all points of this curve are in the group.
fn multiple(input: &[u8]) -> Result<Vec<u8>, PrecompileError> {
    let (bytes, scalar) = input.split_at_checked(64).unwrap_or((input, &[]));
    let point = point::<Eip197, bn254::G1>(bytes, 0, false)?;
    Ok(Eip197::to_vec(&scaled(&point, scalar).to_affine()))
}

/// A word that is one if the product of the pairings is one, and zero if not.
fn pairings<F: PointEncoding, E: Pairing>(
    input: &[u8],
    expected: &'static str,
) -> Result<Vec<u8>, PrecompileError> {
    let first = F::len::<E::G1>();
    let pair = first.saturating_add(F::len::<E::G2>());
    if !input.len().is_multiple_of(pair) {
        return Err(PrecompileError::Length { expected, found: input.len() });
    }
    let points = input.par_chunks(pair).enumerate().map(|(index, chunk)| {
        let (left, right) = chunk.split_at_checked(first).unwrap_or((chunk, &[]));
        let offset = index.saturating_mul(pair);
        let left = point::<F, E::G1>(left, offset, true)?;
        Ok((left, point::<F, E::G2>(right, offset.saturating_add(first), true)?))
    });
    let points: Vec<Result<_, PrecompileError>> = points.collect();
    let points: Vec<_> = points.into_iter().collect::<Result<_, _>>()?;
    let one = E::multi_pairing(&points) == E::Gt::ONE;
    let mut word = vec![0; 31];
    word.push(u8::from(one));
    Ok(word)
}

/// RFC 9380's map of an element to the curve, brought into the subgroup (EIP-2537, "field_to_curve").
fn map<C: HashToCurve>(input: &[u8]) -> Result<Vec<u8>, PrecompileError> {
    let (elements, _) = input.as_chunks::<64>();
    let mut coordinates = Vec::with_capacity(elements.len());
    for (index, element) in elements.iter().enumerate() {
        let offset = index.saturating_mul(64);
        let (padding, value) = element.split_at_checked(16).unwrap_or_default();
        if padding.iter().any(|byte| *byte != 0) {
            return Err(PrecompileError::Padding { offset });
        }
        let value: Result<_, FieldError> = <C::Base as Extension>::Prime::read_be(value);
        coordinates.push(value.map_err(|_| PrecompileError::NotReduced { offset })?);
    }
    let element = C::Base::from_coords(&coordinates);
    Ok(Eip2537::to_vec(&C::clear_cofactor(&C::map_to_curve(&element)).to_affine()))
}
