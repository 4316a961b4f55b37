//! The configurable Montgomery multiplier of \[CP\] Fig. 12, at the level of its pipeline stages.
//!
//! A product iterates over the digits `a_i` of radix 2^64. With `t` the running sum, a step of the textbook algorithm is
//! three dependent products: `t + a_i·b`, then `q = t_0·p'` (`p' = -p^-1 mod 2^64`), then `(t + q·p) / 2^64`. After
//! reordering, the first two run in parallel, because `q` needs only the lowest digits:
//!
//! ```text
//! b' = b_0·p'                                       once a product
//! first half step:   t ← t + a_i·b    ∥    q ← t_0·p' + a_i·b'  (mod 2^64, the old t_0)
//! second half step:  t ← (t + q·p) / 2^64            p in chunks of 128 bits
//! ```
//!
//! (`p'` and `p` are constants, and sparse for this curve: `t_0·p'` costs a few additions.) The second half step has the
//! longest path. It takes `p` in chunks of twice the digit's width: three 64 by 128 bit products for six digits, among which
//! the pipeline's surplus registers are placed. A conditional subtraction at the end reduces the result.
//!
//! A configuration assigns the half steps to stages. In the fully pipelined style the half steps follow one another in the
//! pipeline and a product enters every cycle. In the iterative style the array is divided into four multipliers, each of
//! which loops through its share of it.

mod array;

pub use array::Array;

use super::datapath::{DIGITS, Datapath, Digits};
use crate::spec::MmStyle;
use core::ops::Range;

/// A modulus with the constants that the multiplier derives from it.
#[derive(Clone, Copy, Debug)]
pub struct Prime {
    p: Digits,
    /// `-p^-1 mod 2^64`.
    p_inv: u64,
    digits: usize,
}

impl Prime {
    /// The constants of a field's modulus.
    pub fn of<F: Datapath>() -> Self {
        let modulus = F::MODULUS;
        let modulus = modulus.as_ref();
        let mut p = [0; DIGITS];
        p[..modulus.len()].copy_from_slice(modulus);
        Self { p, p_inv: pairwright_field::limbs::neg_inverse(p[0]), digits: modulus.len() }
    }
}

/// The width of a product's operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// Operands of four digits.
    Bits256,
    /// Operands of six digits.
    Bits384,
}

impl Width {
    /// The width that a field needs.
    pub fn of<F: Datapath>() -> Self {
        if F::BYTES <= 32 { Self::Bits256 } else { Self::Bits384 }
    }

    /// Digits of an operand.
    pub fn digits(self) -> u32 {
        match self {
            Self::Bits256 => 4,
            Self::Bits384 => 6,
        }
    }
}

/// The configuration of the multiplier: operand width, style and number of stages (signals G and F of Fig. 12).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MmDesign {
    width: Width,
    style: MmStyle,
    stages: u32,
}

impl MmDesign {
    /// One 256-bit product per cycle, for polynomials: the same registers as [`MmDesign::PIPELINED_384`], some of them
    /// unused.
    pub const PIPELINED_256: Self = Self { width: Width::Bits256, style: MmStyle::Pipelined, stages: 16 };
    /// One 384-bit product per cycle, for G1 and for pairings.
    pub const PIPELINED_384: Self = Self { width: Width::Bits384, style: MmStyle::Pipelined, stages: 16 };
    /// Four 384-bit products every six cycles, for G2: one digit step per cycle.
    pub const ITERATIVE_384: Self = Self { width: Width::Bits384, style: MmStyle::Iterative, stages: 8 };

    /// A configuration for operands of a width, with `stages` cycles (at least one) from operands to product.
    ///
    /// The first cycle takes the operands and computes `b'`, the last subtracts `p`, and the half steps are spread evenly
    /// over the cycles between them; with fewer than three cycles, over all of them. Cycles beyond the number of half steps
    /// are surplus registers. Fewer cycles mean more than one half step per cycle: a stage with more logic and thus a slower
    /// clock, which this model leaves to the caller.
    pub fn new(width: Width, style: MmStyle, stages: u32) -> Self {
        Self { width, style, stages: stages.max(1) }
    }

    /// Cycles from operands to product.
    pub fn latency(&self) -> u32 {
        self.stages
    }

    /// Initiation interval of one multiplier in cycles. In the iterative style, taking the operands and subtracting `p` are
    /// outside of the loop and overlap with another product.
    pub fn ii(&self) -> u32 {
        match self.style {
            MmStyle::Pipelined => 1,
            MmStyle::Iterative => self.middle().end - self.middle().start,
        }
    }

    /// Number of multipliers that the array is divided into.
    pub fn multipliers(&self) -> u32 {
        match self.style {
            MmStyle::Pipelined => 1,
            MmStyle::Iterative => 4,
        }
    }

    /// The cycles over which the half steps are spread.
    fn middle(&self) -> Range<u32> {
        if self.stages >= 3 { 1..self.stages - 1 } else { 0..self.stages }
    }

    /// The half steps of a stage, numbered from 0; there are two for every digit.
    pub fn half_steps(&self, stage: u32) -> Range<u32> {
        let middle = self.middle();
        let cycles = middle.end - middle.start;
        let all = 2 * self.width.digits();
        let before = |stage: u32| stage.saturating_sub(middle.start).min(cycles) * all / cycles;
        before(stage)..before(stage + 1)
    }

    /// Number of half-step circuits that the configuration needs: the half steps that all its multipliers compute in one
    /// cycle at most. Each circuit is a row of 64-bit by operand-wide products. [`MmDesign::PIPELINED_384`] has twelve.
    pub fn half_step_circuits(&self) -> u32 {
        let in_a_cycle = (0..self.stages).map(|stage| self.half_steps(stage).len() as u32);
        match self.style {
            MmStyle::Pipelined => in_a_cycle.sum(),
            MmStyle::Iterative => self.multipliers() * in_a_cycle.max().unwrap_or(0),
        }
    }

    /// Advances a product by the logic of one stage.
    #[inline]
    pub fn advance(&self, stage: u32, product: &mut Product, prime: &Prime) {
        if stage == 0 {
            product.take(prime);
        }
        for half in self.half_steps(stage) {
            if half % 2 == 0 {
                product.multiply((half / 2) as usize, prime);
            } else {
                product.reduce(prime);
            }
        }
        if stage + 1 == self.stages {
            product.subtract(prime);
        }
    }
}

/// A product in flight: the contents of the registers between two stages.
#[derive(Clone, Debug)]
pub struct Product {
    a: Digits,
    b: Digits,
    /// `b' = b_0·p' mod 2^64`.
    b_inv: u64,
    /// The running sum, below `2^64·2p` after a first and below `2p` after a second half step.
    t: [u64; DIGITS + 1],
    /// The quotient digit of the current step.
    q: u64,
}

impl Product {
    /// A product of operands below the modulus, before the first stage.
    pub fn new(a: Digits, b: Digits) -> Self {
        Self { a, b, b_inv: 0, t: [0; DIGITS + 1], q: 0 }
    }

    /// The product `a·b / 2^(64·digits) mod p`, reduced, after the last stage.
    pub fn result(&self) -> Digits {
        let mut out = [0; DIGITS];
        out.copy_from_slice(&self.t[..DIGITS]);
        out
    }

    /// The two operands in Montgomery form.
    pub fn operands(&self) -> (&Digits, &Digits) {
        (&self.a, &self.b)
    }

    /// `b' = b_0·p' mod 2^64`, zero before the first stage.
    pub fn b_inverse(&self) -> u64 {
        self.b_inv
    }

    /// The running sum, least significant digit first.
    pub fn sum(&self) -> &[u64; DIGITS + 1] {
        &self.t
    }

    /// The quotient digit of the last first half step.
    pub fn quotient(&self) -> u64 {
        self.q
    }

    fn take(&mut self, prime: &Prime) {
        self.b_inv = self.b[0].wrapping_mul(prime.p_inv);
    }

    /// First half step: the row `a_i·b` and the quotient digit in parallel.
    fn multiply(&mut self, i: usize, prime: &Prime) {
        let digit = self.a[i];
        self.q = self.t[0].wrapping_mul(prime.p_inv).wrapping_add(digit.wrapping_mul(self.b_inv));
        let mut carry = 0;
        for j in 0..prime.digits {
            (self.t[j], carry) = digit.carrying_mul_add(self.b[j], self.t[j], carry);
        }
        self.t[prime.digits] = carry;
    }

    /// Second half step: `(t + q·p) / 2^64`, two digits of `p` in a chunk.
    fn reduce(&mut self, prime: &Prime) {
        let mut carry = 0;
        for j in (0..prime.digits).step_by(2) {
            // The sum of a 64 × 128 bit product, a carry and 128 bits of the sum fits into 192 bits.
            let (low, middle) = self.q.carrying_mul_add(prime.p[j], self.t[j], carry);
            let (next, high) = self.q.carrying_mul_add(prime.p[j + 1], self.t[j + 1], middle);
            if j == 0 {
                debug_assert_eq!(low, 0, "the quotient digit clears the lowest one");
            } else {
                self.t[j - 1] = low;
            }
            self.t[j] = next;
            carry = high;
        }
        self.t[prime.digits - 1] = self.t[prime.digits].wrapping_add(carry);
        self.t[prime.digits] = 0;
    }

    /// The final conditional subtraction.
    fn subtract(&mut self, prime: &Prime) {
        let mut less = [0; DIGITS];
        let mut borrow = false;
        for j in 0..prime.digits {
            (less[j], borrow) = self.t[j].borrowing_sub(prime.p[j], borrow);
        }
        if !borrow {
            self.t[..prime.digits].copy_from_slice(&less[..prime.digits]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::bls12_381::{Fq, Fr};
    use pairwright_field::PrimeField;
    use proptest::prelude::*;

    fn product<F: Datapath>(config: &MmDesign, a: F, b: F) -> F {
        let prime = Prime::of::<F>();
        let mut product = Product::new(a.digits(), b.digits());
        (0..config.latency()).for_each(|stage| config.advance(stage, &mut product, &prime));
        F::from_digits(&product.result()).expect("reduced")
    }

    fn designs(width: Width) -> impl Iterator<Item = MmDesign> {
        [MmStyle::Pipelined, MmStyle::Iterative]
            .into_iter()
            .flat_map(move |style| (1..=40).map(move |stages| MmDesign::new(width, style, stages)))
    }

    /// Residues around the edges, as Montgomery representations and as values.
    fn edges<F: Datapath>() -> Vec<F> {
        let mut one = F::Limbs::default();
        one.as_mut()[0] = 1;
        let mut ones = F::Limbs::default();
        ones.as_mut()[0] = u64::MAX;
        let raw = [one, ones].map(|limbs| F::from_montgomery(limbs).expect("far below the modulus"));
        let mut edges = vec![F::ZERO, F::ONE, -F::ONE, F::from(2), F::from(u64::MAX)];
        edges.extend(raw.iter().flat_map(|x| [*x, -*x]));
        edges
    }

    fn check_edges<F: Datapath>() {
        for config in designs(Width::of::<F>()) {
            for a in edges::<F>() {
                for b in edges::<F>() {
                    assert_eq!(product(&config, a, b), a * b, "{config:?}");
                }
            }
        }
    }

    #[test]
    fn edge_operands_in_every_configuration() {
        check_edges::<Fq>();
        check_edges::<Fr>();
    }

    proptest! {
        #[test]
        fn random_operands_equal_the_fields_product(
            a in prop::array::uniform6(any::<u64>()),
            b in prop::array::uniform6(any::<u64>()),
        ) {
            let (x, y) = (Fq::from_limbs_reduced(&a), Fq::from_limbs_reduced(&b));
            for config in [MmDesign::PIPELINED_384, MmDesign::ITERATIVE_384] {
                prop_assert_eq!(product(&config, x, y), x * y);
            }
            let (x, y) = (Fr::from_limbs_reduced(&a), Fr::from_limbs_reduced(&b));
            prop_assert_eq!(product(&MmDesign::PIPELINED_256, x, y), x * y);
        }
    }

    #[test]
    fn every_half_step_is_in_one_stage_and_in_order() {
        for config in designs(Width::Bits384).chain(designs(Width::Bits256)) {
            let steps: Vec<u32> = (0..config.latency()).flat_map(|s| config.half_steps(s)).collect();
            assert!(steps.iter().copied().eq(0..2 * config.width.digits()), "{config:?}");
        }
    }

    #[test]
    fn the_three_modes_of_the_paper() {
        let modes = [MmDesign::PIPELINED_256, MmDesign::PIPELINED_384, MmDesign::ITERATIVE_384];
        assert_eq!(
            modes.map(|c| (c.latency(), c.ii(), c.multipliers())),
            [(16, 1, 1), (16, 1, 1), (8, 6, 4)]
        );
        // At most one half step per stage in the pipelined modes; a whole digit step per cycle in the iterative one.
        let widest = |c: MmDesign| (0..c.latency()).map(|s| c.half_steps(s).len()).max();
        assert_eq!(modes.map(widest), [Some(1), Some(1), Some(2)]);
        // The ideal of the fact sheet: with a quarter of the array each, a step and a half per cycle.
        assert_eq!(MmDesign::new(Width::Bits384, MmStyle::Iterative, 6).ii(), 4);
    }

    #[test]
    fn four_iterative_multipliers_share_the_circuits_of_one_pipelined_one() {
        assert_eq!(MmDesign::PIPELINED_384.half_step_circuits(), 12);
        assert_eq!(MmDesign::PIPELINED_256.half_step_circuits(), 8);
        assert_eq!(MmDesign::ITERATIVE_384.half_step_circuits(), 8);
        let iterative =
            |stages| MmDesign::new(Width::Bits384, MmStyle::Iterative, stages).half_step_circuits();
        assert_eq!([5, 6, 7, 14].map(iterative), [16, 12, 12, 4], "six stages are the fastest that fit");
    }

    #[test]
    fn the_multiplier_reduces_only_when_it_is_done() {
        // A pipeline whose last stage were missing would leave a result above the modulus for some operands.
        let prime = Prime::of::<Fq>();
        let a = -Fq::from(1);
        let config = MmDesign::PIPELINED_384;
        let unreduced = (2..200u64).any(|i| {
            let mut product = Product::new(a.digits(), Fq::from(i).digits());
            (0..config.latency() - 1).for_each(|stage| config.advance(stage, &mut product, &prime));
            Fq::from_digits(&product.result()).is_none()
        });
        assert!(unreduced);
    }
}
