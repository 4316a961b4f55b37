//! Pairing-friendly curves: generic arithmetic of groups and pairings, and the constants of each curve as data.
//!
//! A group is a zero-sized type that implements [`Curve`] (short Weierstrass, `y² = x³ + b`). Its points have the types
//! [`Affine`], [`Jacobian`], [`Xyzz`] and, with complete formulas, [`Projective`]. A [`Pairing`] combines two
//! groups with a target field. BLS12-381, BN254 and BLS12-377 differ only in their constants, which scripts in
//! `derive/` print. Jubjub is a twisted Edwards curve over the scalar field of BLS12-381, and G1 of BLS12-377 also has a
//! twisted Edwards form ([`Birational`]).
//!
//! [`HashToCurve`] hashes messages to points of the BLS12-381 groups (RFC 9380), [`HashBySvdw`] to points of BN254's first group.
//!
//! The crate knows nothing of polynomials, devices or files.
#![cfg_attr(not(test), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod affine;
mod edwards;
pub mod encoding;
mod fixed;
pub mod formulas;
pub mod glv;
pub mod hash_to_curve;
mod instances;
mod jacobian;
mod list;
pub mod pairing;
mod plumbing;
mod projective;
mod scalar_mul;
mod secret_mul;
pub mod subgroup;
mod traits;
mod xyzz;

pub mod bls12_377;
pub mod bls12_381;
pub mod bn254;
pub mod jubjub;
pub mod tiny_bls12;

pub use affine::{Affine, batch_to_affine};
pub use edwards::{AtInfinity, Birational, CompleteEdwards, EdwardsAffine, EdwardsPoint, TwistedEdwards};
pub use encoding::{PointEncoding, PointError};
pub use fixed::FixedBases;
pub use glv::{Glv, SeedEndomorphism};
pub use hash_to_curve::{HashBySvdw, HashToCurve};
pub use jacobian::Jacobian;
pub use projective::Projective;
pub use traits::{Curve, G1Affine, G2Affine, Pairing};
pub use xyzz::Xyzz;
