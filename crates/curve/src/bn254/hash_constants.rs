//! Constants of hashing to BN254's first group, little-endian limbs, canonical (not Montgomery), and of its
//! pairing without a factor in the exponent.
//!
//! Derived: `python3 derive/svdw.py > crates/curve/src/bn254/hash_constants.rs`. Do not edit.

/// The map's Z.
pub(crate) const Z: [u64; 4] = [0x0000000000000001, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000];

/// g(Z) = Z^3 + b.
pub(crate) const C1: [u64; 4] = [0x0000000000000004, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000];

/// -Z/2.
pub(crate) const C2: [u64; 4] = [0x9e10460b6c3e7ea3, 0xcbc0b548b438e546, 0xdc2822db40c0ac2e, 0x183227397098d014];

/// The even root of -3 Z^2 g(Z).
pub(crate) const C3: [u64; 4] = [0x5d8d1cc5dffffffa, 0x53c98fc6b36d713d, 0x6789af3a83522eb3, 0x0000000000000001];

/// -4 g(Z)/(3 Z^2).
pub(crate) const C4: [u64; 4] = [0x69602eb24829a9bd, 0xdd2b2385cd7b4384, 0xe81ac1e7808072c9, 0x10216f7ba065e00d];

/// (q + 1)/4: the power that is the root of a square.
pub(crate) const ROOT_EXPONENT: [u64; 4] = [0x4f082305b61f3f52, 0x65e05aa45a1c72a3, 0x6e14116da0605617, 0x0c19139cb84c680a];

/// q - 2: the power that is the inverse, and zero for zero.
pub(crate) const INVERSE_EXPONENT: [u64; 4] = [0x3c208c16d87cfd45, 0x97816a916871ca8d, 0xb85045b68181585d, 0x30644e72e131a029];

/// 1/(2x (6x^2 + 3x + 1)) modulo r.
pub(crate) const REDUCED: [u64; 4] = [0xb8ca0b2d36636f22, 0xcc37a73fec2bc5e9, 0x048b6e193fd84104, 0x30644e72e131a029];
