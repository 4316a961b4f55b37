//! Tests of the engine against sums of the host, and against the figures of the paper.

mod curves;
mod figures;
mod order;

use super::*;

/// Numbers in place of points: a sum is wrong as soon as one of them is lost or counted twice.
impl Addend for u128 {
    fn add(&self, o: &Self) -> Self {
        self.wrapping_add(*o)
    }
    fn neg(&self) -> Self {
        self.wrapping_neg()
    }
    fn infinity() -> Self {
        0
    }
    fn is_infinity(&self) -> bool {
        *self == 0
    }
    fn image(&self) -> Self {
        *self
    }
}

/// A generator of pseudo-random numbers for patterns and points.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
}
