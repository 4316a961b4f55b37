//! Arrays of scalars and of points, and the operators on them. Arrays are immutable.

mod operators;
mod points;
mod scalars;
mod target;
mod trees;

pub(crate) use operators::{eq_table, evaluate, msm, ntt, pairing, product};
pub(crate) use points::Points;
pub(crate) use scalars::Scalars;
pub(crate) use target::Target;
pub(crate) use trees::{
    MerkleTree, merkle_leaf, merkle_verify, poseidon, poseidon_tree, sumcheck_prove, sumcheck_verify,
};

use crate::failure::{raised, usage};
use core::any::Any;
use pairwright::Boards;
use pairwright::device::{Device, DeviceError};
use pairwright::field::PrimeField;
use pairwright::formats::CurveId;
use pairwright_cli::Failure;
use pyo3::prelude::*;
use std::sync::OnceLock;

/// The byte encoding of field elements: the canonical value, or the Montgomery form `value · 2^(64 N)`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    Canonical,
    Montgomery,
}

impl Layout {
    pub(crate) fn named(name: &str) -> Result<Self, Failure> {
        match name {
            "canonical" => Ok(Self::Canonical),
            "montgomery" => Ok(Self::Montgomery),
            other => Err(usage(format!("form: {other:?} is neither \"canonical\" nor \"montgomery\""))),
        }
    }

    /// Decodes an element from exactly its number of bytes.
    pub(crate) fn read<F: PrimeField>(self, bytes: &[u8]) -> Result<F, pairwright::field::FieldError> {
        match self {
            Self::Canonical => F::read_le(bytes),
            Self::Montgomery => F::read_montgomery_le(bytes),
        }
    }

    /// Encodes an element to exactly its number of bytes.
    pub(crate) fn write<F: PrimeField>(self, x: &F, out: &mut [u8]) {
        match self {
            Self::Canonical => x.write_le(out),
            Self::Montgomery => x.write_montgomery_le(out),
        }
    }
}

/// The curve with this name or alternative name.
pub(crate) fn curve_named(name: &str) -> Result<CurveId, Failure> {
    let known = |id: &CurveId| id.name() == name || id.other_name() == name;
    CurveId::ALL.iter().copied().find(known).ok_or_else(|| {
        let names: Vec<_> = CurveId::ALL.iter().map(|id| id.name()).collect();
        usage(format!("curve: {name:?} is none of {}", names.join(", ")))
    })
}

/// The scalar and the base modulus of a curve, as little-endian bytes.
#[pyfunction]
pub(crate) fn moduli(py: Python<'_>, curve: &str) -> PyResult<(Vec<u8>, Vec<u8>)> {
    let curve = curve_named(curve).map_err(|why| raised(py, &why))?;
    let bytes = |limbs: &[u64]| limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect();
    Ok((bytes(curve.scalar_modulus()), bytes(curve.base_modulus())))
}

/// One of the two source groups of a pairing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Group {
    G1,
    G2,
}

impl Group {
    pub(crate) fn named(name: &str) -> Result<Self, Failure> {
        match name {
            "G1" => Ok(Self::G1),
            "G2" => Ok(Self::G2),
            other => Err(usage(format!("group: {other:?} is neither \"G1\" nor \"G2\""))),
        }
    }
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::G1 => "G1",
            Self::G2 => "G2",
        }
    }
}

/// Calls a function generic over a curve's group with the type of a [`CurveId`] and a [`Group`].
macro_rules! on_group {
    (
        curves { $($curve:ident [$pairing:ty] $($about:literal)+;)+ }
        fixtures { $($fixture:tt)* }
        $id:expr, $group:expr, $function:ident $arguments:tt
    ) => {
        match ($id, $group) {
            $((::pairwright::formats::CurveId::$curve, $crate::arrays::Group::G1) => {
                $function::<<$pairing as ::pairwright::curve::Pairing>::G1> $arguments
            }
            (::pairwright::formats::CurveId::$curve, $crate::arrays::Group::G2) => {
                $function::<<$pairing as ::pairwright::curve::Pairing>::G2> $arguments
            })+
            (other, _) => Err(::pairwright_cli::Failure::unsupported(other.name())),
        }
    };
    ($id:expr, $group:expr, $function:ident $arguments:tt) => {
        ::pairwright::curve::for_each_curve!(on_group $id, $group, $function $arguments)
    };
}
pub(crate) use on_group;

/// The board of this computer for a curve. It is built once for all calls, since it caches tables of roots of unity.
pub(crate) fn host<E: Boards>() -> Result<&'static Device<E>, Failure> {
    type Slot = OnceLock<Box<dyn Any + Send + Sync>>;
    static HOSTS: [Slot; CurveId::ALL.len()] = [const { OnceLock::new() }; CurveId::ALL.len()];
    let lost = || Failure::Internal("a board of another curve".into());
    let at = CurveId::ALL.iter().position(|id| Some(*id) == CurveId::of::<E>()).ok_or_else(lost)?;
    HOSTS[at].get_or_init(|| Box::new(E::host())).downcast_ref().ok_or_else(lost)
}

/// Converts the error of an operator on a user's operands; wrong lengths are usage errors.
pub(crate) fn operand(why: DeviceError) -> Failure {
    match why {
        DeviceError::LengthMismatch { .. }
        | DeviceError::TooLarge { .. }
        | DeviceError::NotATree { .. }
        | DeviceError::MissingTable { .. }
        | DeviceError::ZeroMillerLoop
        | DeviceError::ZeroShift => Failure::bad(why),
        other => other.into(),
    }
}

/// Fails unless both operands are on the same curve.
pub(crate) fn same_curve(left: CurveId, right: CurveId) -> Result<(), Failure> {
    if left == right { Ok(()) } else { Err(usage(format!("operands on {left} and on {right}"))) }
}
