//! Ethereum's precompiled contracts for elliptic curves, as functions from bytes to bytes: EIP-2537 on BLS12-381, EIP-196 and
//! EIP-197 on BN254; and a reader for go-ethereum's JSON files of test cases ([`read_cases`]).
//!
//! Inputs and outputs are the bytes that a contract passes and receives. A failure, for which an Ethereum node consumes all
//! gas, is a [`PrecompileError`]. Calls are in variable time: all of their operands are public on a chain.

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
    /// `BLS12_G1MSM`: a multi-scalar multiplication of points of the subgroup.
    G1Msm,
    /// `BLS12_G2ADD`: the sum of two points of the twist, in the subgroup or not.
    G2Add,
    /// `BLS12_G2MSM`: a multi-scalar multiplication of points of the subgroup.
    G2Msm,
    /// `BLS12_PAIRING_CHECK`: whether a product of pairings is one.
    PairingCheck,
    /// `BLS12_MAP_FP_TO_G1`: maps an element of the base field to a point of the subgroup.
    MapFpToG1,
    /// `BLS12_MAP_FP2_TO_G2`: maps an element of the quadratic extension to a point of the subgroup.
    MapFp2ToG2,
    /// `ECADD` of EIP-196: the sum of two points of BN254.
    Bn254Add,
    /// `ECMUL` of EIP-196: the product of a scalar and a point of BN254.
    Bn254Mul,
    /// The pairing check of EIP-197 on BN254: whether a product of pairings is one.
    Bn254Pairing,
}

/// Why a call fails; a node then consumes all gas of the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PrecompileError {
    /// The contract does not accept inputs of this length.
    #[error("the input has {found} bytes, {expected} are needed")]
    Length {
        /// Description of the accepted lengths.
        expected: &'static str,
        /// Length of the given input in bytes.
        found: usize,
    },
    /// Bytes of the input do not encode a point of the group.
    #[error("offset {offset}: {why}")]
    Point {
        /// Offset of the point in the input, in bytes.
        offset: usize,
        /// Why the bytes do not encode a point.
        why: PointError,
    },
    /// The padding bytes of a field element are not zero.
    #[error("offset {offset}: the 16 bytes before an element of the field are not zero")]
    Padding {
        /// Offset of the element in the input, in bytes.
        offset: usize,
    },
    /// A field element is not below the modulus.
    #[error("offset {offset}: an element of the field is not below the modulus")]
    NotReduced {
        /// Offset of the element in the input, in bytes.
        offset: usize,
    },
}

impl PrecompileError {
    /// Whether this error is the one that go-ethereum, or the EIP's list of test cases, describes with the message `words`.
    /// Only errors of EIP-2537 have messages there.
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
    /// All precompiled contracts, those of EIP-2537 first.
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

    /// The last byte of the contract's address, whose other bytes are zero.
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

    /// Calls the contract and returns its output.
    ///
    /// # Errors
    /// When the call fails: the input has a wrong length, or a part of it does not encode an element of the group or field.
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
            // Missing bytes count as zero, and surplus bytes are ignored (EIP-196).
            Self::Bn254Add => add::<Eip197, bn254::G1>(&padded(input, 128)),
            Self::Bn254Mul => multiple(&padded(input, 96)),
            Self::Bn254Pairing => pairings::<Eip197, Bn254>(input, "a multiple of 192"),
        }
    }
}

/// Returns the input if it has this length, and an error otherwise.
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

/// The input, truncated or padded with zeros to a length.
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

/// Decodes the point at an offset and, if asked for, checks that it is in the subgroup.
fn point<F: PointEncoding, C: Curve>(
    bytes: &[u8],
    offset: usize,
    subgroup: bool,
) -> Result<Affine<C>, PrecompileError> {
    let read = if subgroup { F::read(bytes) } else { F::read_unchecked_subgroup(bytes) };
    read.map_err(|why| PrecompileError::Point { offset, why })
}

/// Adds the two points that form the input.
fn add<F: PointEncoding, C: Curve>(input: &[u8]) -> Result<Vec<u8>, PrecompileError> {
    let (first, second) = input.split_at_checked(F::len::<C>()).unwrap_or((input, &[]));
    let first: Affine<C> = point::<F, C>(first, 0, false)?;
    let second = point::<F, C>(second, F::len::<C>(), false)?;
    Ok(F::to_vec(&Jacobian::from(first).add_mixed(&second).to_affine()))
}

/// Multiplies a point of the subgroup by an integer of 32 bytes, which need not be below the group's order.
fn scaled<C: Curve>(point: &Affine<C>, scalar: &[u8]) -> Jacobian<C> {
    let (limbs, _) = scalar.as_chunks::<8>();
    let limbs: Vec<u64> = limbs.iter().rev().map(|limb| u64::from_be_bytes(*limb)).collect();
    Jacobian::from(*point).mul_limbs_vartime(&limbs)
}

/// Multi-scalar multiplication of an input of pairs: a point of the subgroup and a scalar of 32 bytes each.
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
    // The fault of the first faulty pair is reported, no matter which thread finds a fault first.
    let terms: Vec<Result<Jacobian<C>, PrecompileError>> = terms.collect();
    let terms: Vec<Jacobian<C>> = terms.into_iter().collect::<Result<_, _>>()?;
    Ok(Eip2537::to_vec(&terms.into_iter().sum::<Jacobian<C>>().to_affine()))
}

/// EIP-196's scalar multiplication; every point of this curve is in the group, so there is no subgroup check.
fn multiple(input: &[u8]) -> Result<Vec<u8>, PrecompileError> {
    let (bytes, scalar) = input.split_at_checked(64).unwrap_or((input, &[]));
    let point = point::<Eip197, bn254::G1>(bytes, 0, false)?;
    Ok(Eip197::to_vec(&scaled(&point, scalar).to_affine()))
}

/// Pairing check: a 32-byte word that is one if the product of the pairings is one, and zero otherwise.
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

/// RFC 9380's map from a field element to the curve, followed by clearing the cofactor (EIP-2537, "field_to_curve").
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
