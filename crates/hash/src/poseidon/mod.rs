//! Poseidon of width 3: two field elements to one.
//!
//! \[P\] is L. Grassi, D. Khovratovich, C. Rechberger, A. Roy, M. Schofnegger, *Poseidon: A New Hash Function for
//! Zero-Knowledge Proof Systems*, USENIX Security 2021, ePrint 2019/458.

mod fast;
mod grain;
mod matrix;
mod rounds;

use crate::{Compress, TreeHash};
use alloc::vec;
use alloc::vec::Vec;
pub use fast::FastPoseidon;
use grain::Grain;
use pairwright_field::{PrimeField, Ring};

/// Lanes of the state: one of capacity, two of rate.
const WIDTH: usize = 3;

/// The 2-to-1 hash of \[P\] over a prime field: lane 0 of the permutation of `(0, left, right)`, as circomlib's
/// `poseidon([left, right])`.
///
/// The parameters are computed, for any prime field, as the paper says: the S-box is `x -> x^alpha` with the smallest
/// `alpha >= 3` coprime to `p - 1`; the rounds are the fewest by the inequalities of §5.5 for 128 bits of security, with
/// the paper's margin; constants and matrix come from its Grain LFSR, the matrix being the first Cauchy matrix that
/// passes the paper's tests. Over the scalar field of BN254 this is circomlib's instance, and on that of BLS12-381 the one
/// of `circuits/poseidon/`; others, such as BLS12-377's (`alpha = 11`), have no published instance that we follow.
///
/// Collisions cost the square root of the field's size at most: 2^127 at 254 bits, as the capacity is one element.
///
/// Values are elements in whatever form the field keeps them; nothing here depends on it. Neither branches nor addresses
/// depend on values.
///
/// ```
/// use pairwright_curve::bn254::Fr;
/// use pairwright_field::PrimeField;
/// use pairwright_hash::{Compress, Poseidon};
///
/// // circomlib's own test value.
/// let hash = Poseidon::<Fr>::new().compress(&Fr::from(1), &Fr::from(2));
/// assert_eq!(
///     hash.to_decimal(),
///     "7853200120776062878684798364095072458815029376092732009249414926327459813530"
/// );
/// ```
#[derive(Clone, Debug)]
pub struct Poseidon<F> {
    alpha: u64,
    partial: usize,
    constants: Vec<[F; WIDTH]>,
    mds: [[F; WIDTH]; WIDTH],
    /// None where a coordinate change that it needs does not exist; see there.
    fast: Option<FastPoseidon<F>>,
}

impl<F: PrimeField> Poseidon<F> {
    /// Computes the parameters for the field: about a millisecond at 256 bits, so keep it.
    pub fn new() -> Self {
        let alpha = rounds::alpha::<F>();
        let (full, partial) = rounds::numbers::<F>(alpha);
        let mut grain = Grain::new(F::BITS, full, partial);
        let constants: Vec<_> =
            (0..full + partial).map(|_| core::array::from_fn(|_| grain.element())).collect();
        let mds = matrix::cauchy(&mut grain);
        let fast = FastPoseidon::new(alpha, &constants, &mds, partial);
        Self { alpha, partial, constants, mds, fast }
    }

    /// The S-box's exponent.
    pub fn alpha(&self) -> u64 {
        self.alpha
    }

    /// Rounds with an S-box on every lane; half of them come first, half last.
    pub fn full_rounds(&self) -> usize {
        self.constants.len() - self.partial
    }

    /// Rounds with an S-box on lane 0 alone, between the full ones.
    pub fn partial_rounds(&self) -> usize {
        self.partial
    }

    /// What every round adds to the state first.
    pub fn constants(&self) -> &[[F; 3]] {
        &self.constants
    }

    /// What every round mixes the state with last, row by row.
    pub fn mds(&self) -> &[[F; 3]; 3] {
        &self.mds
    }

    /// The permutation as it is defined: the judge of [`Compress::compress`], which computes lane 0 of it for a state
    /// that begins with zero in fewer products.
    pub fn permute(&self, mut state: [F; 3]) -> [F; 3] {
        let half = self.full_rounds() / 2;
        for (round, constants) in self.constants.iter().enumerate() {
            let full = round < half || round >= half + self.partial;
            for (i, (lane, constant)) in state.iter_mut().zip(constants).enumerate() {
                *lane += *constant;
                if full || i == 0 {
                    *lane = power(*lane, self.alpha);
                }
            }
            state = matrix::apply(&self.mds, &state);
        }
        state
    }

    /// Products and squares that a [`Compress::compress`] takes.
    pub fn products(&self) -> usize {
        let plain = || {
            let sbox = (self.alpha.ilog2() + self.alpha.count_ones() - 1) as usize;
            self.constants.len() * (WIDTH * WIDTH) + (WIDTH * self.full_rounds() + self.partial) * sbox
        };
        self.fast.as_ref().map_or_else(plain, FastPoseidon::products)
    }

    /// Sums that a [`Compress::compress`] takes.
    pub fn sums(&self) -> usize {
        let plain = self.constants.len() * WIDTH * WIDTH;
        self.fast.as_ref().map_or(plain, FastPoseidon::sums)
    }

    /// The constants of the form with fewer products, which [`Compress::compress`] uses: for those who compute many hashes at
    /// once. `None` for a field in which a coordinate change of that form does not exist.
    pub fn fast(&self) -> Option<&FastPoseidon<F>> {
        self.fast.as_ref()
    }
}

impl<F: PrimeField> Default for Poseidon<F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<F: PrimeField> Compress for Poseidon<F> {
    type Node = F;

    fn compress(&self, left: &F, right: &F) -> F {
        match &self.fast {
            Some(fast) => fast.compress(*left, *right, |constant| *constant),
            None => self.permute([F::ZERO, *left, *right])[0],
        }
    }
}

/// `x^exponent` for an exponent of at least 1, by squares and products from its highest bit on.
#[inline(always)]
fn power<R: Ring>(x: R, exponent: u64) -> R {
    if exponent == 5 {
        return x.clone().square().square() * x;
    }
    let mut y = x.clone();
    for bit in (0..exponent.ilog2()).rev() {
        y = y.square();
        if exponent >> bit & 1 == 1 {
            y = y * x.clone();
        }
    }
    y
}

/// Padded with zero; a node is its canonical value, little-endian, and nothing else is a node.
impl<F: PrimeField> TreeHash for Poseidon<F> {
    const PADDING: F = F::ZERO;
    const NODE_BYTES: usize = F::BYTES;
    fn write(node: &F, out: &mut Vec<u8>) {
        let mut bytes = vec![0; F::BYTES];
        node.write_le(&mut bytes);
        out.append(&mut bytes);
    }
    fn read(bytes: &[u8]) -> Option<F> {
        F::read_le(bytes).ok()
    }
}

#[cfg(test)]
mod tests;
