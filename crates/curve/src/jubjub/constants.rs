//! Constants of Jubjub, little-endian limbs, canonical (not Montgomery).
//!
//! Derived: `python3 derive/jubjub.py > crates/curve/src/jubjub/constants.rs`. Do not edit.

/// Order of the prime subgroup, 252 bits.
pub(crate) const FR_MODULUS: [u64; 4] = [0xd0970e5ed6f72cb7, 0xa6682093ccc81082, 0x06673b0101343b00, 0x0e7db4ea6533afa9];

/// Smallest quadratic non-residue modulo the order.
pub(crate) const FR_NON_RESIDUE: u64 = 3;

/// The coefficient d of the curve's equation, -(10240/10241).
pub(crate) const D: [u64; 4] = [0x01065fd6d6343eb1, 0x292d7f6d37579d26, 0xf5fd9207e6bd7fd4, 0x2a9318e74bfa2b48];

/// 8 times the point of order 8 r with the smallest v and even u: u and v.
pub(crate) const GENERATOR: [[u64; 4]; 2] = [[0x512dfea318d56fe5, 0x04315c657fbe375f, 0x5ed37ee3b172f5ee, 0x3ea5c4673a121ca3], [0xc10cea38d50c55cb, 0xb9aa6e8e40808413, 0x78f7d30d3f616cb3, 0x57137b83ea6edb4f]];
