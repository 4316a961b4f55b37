//! Sizes of the operands of MSMs in words of memory. A word has 256 bits.

use crate::isa::Group;

/// Words of an affine point: two coordinates of 384 bits in G1, of twice 384 bits in G2.
pub const fn point_words(group: Group) -> u64 {
    match group {
        Group::G1 => 3,
        Group::G2 => 6,
    }
}

/// Words of a projective point: three coordinates.
pub const fn result_words(group: Group) -> u64 {
    match group {
        Group::G1 => 5,
        Group::G2 => 9,
    }
}

/// Number of points that the point memory of a set of banks holds.
pub const fn points_of_a_set(group: Group) -> u64 {
    3 * 1024 / point_words(group)
}
