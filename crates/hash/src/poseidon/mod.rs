//! Poseidon of width 3, a compression of two field elements to one.
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

/// Number of lanes (field elements) of the state: one of capacity, two of rate.
const WIDTH: usize = 3;

/// The two-to-one hash of \[P\] over a prime field: lane 0 of the permutation of `(0, left, right)`, as circomlib's
/// `poseidon([left, right])`.
///
/// The parameters are computed, for any prime field, as the paper says:
/// - The S-box is `x -> x^alpha` with the smallest `alpha >= 3` coprime to `p - 1`.
/// - The numbers of rounds are the lowest by the inequalities of §5.5 for 128 bits of security, with the paper's margin.
/// - Constants and matrix come from its Grain LFSR; the matrix is the first Cauchy matrix that passes the paper's tests.
///
/// Over the scalar field of BN254 this is circomlib's instance, and over that of BLS12-381 the one of `circuits/poseidon/`. For
/// others, such as BLS12-377's (`alpha = 11`), there is no published instance to follow.
///
/// Finding a collision costs at most the square root of the field's size, 2^127 at 254 bits, because the capacity is one
/// element.
///
/// Neither branches nor addresses depend on the hashed values.
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
    /// `None` if a coordinate change that [`FastPoseidon`] needs does not exist in the field.
    fast: Option<FastPoseidon<F>>,
}

impl<F: PrimeField> Poseidon<F> {
    /// Computes the parameters for the field. This takes about a millisecond at 256 bits, so keep the value.
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

    /// The exponent of the S-box `x -> x^alpha`.
    pub fn alpha(&self) -> u64 {
        self.alpha
    }

    /// Number of rounds with an S-box on every lane; half of them come first, half last.
    pub fn full_rounds(&self) -> usize {
        self.constants.len() - self.partial
    }

    /// Number of rounds with an S-box on lane 0 only, between the two halves of the full rounds.
    pub fn partial_rounds(&self) -> usize {
        self.partial
    }

    /// The round constants, which each round adds to the state first.
    pub fn constants(&self) -> &[[F; 3]] {
        &self.constants
    }

    /// The MDS matrix, row by row, by which each round multiplies the state last.
    pub fn mds(&self) -> &[[F; 3]; 3] {
        &self.mds
    }

    /// The permutation by its definition. [`Compress::compress`] is tested against it; that function computes lane 0 of the result
    /// for a state that begins with zero, in fewer products.
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

    /// Number of products and squares in one [`Compress::compress`].
    pub fn products(&self) -> usize {
        let plain = || {
            let sbox = (self.alpha.ilog2() + self.alpha.count_ones() - 1) as usize;
            self.constants.len() * (WIDTH * WIDTH) + (WIDTH * self.full_rounds() + self.partial) * sbox
        };
        self.fast.as_ref().map_or_else(plain, FastPoseidon::products)
    }

    /// Number of additions in one [`Compress::compress`].
    pub fn sums(&self) -> usize {
        let plain = self.constants.len() * WIDTH * WIDTH;
        self.fast.as_ref().map_or(plain, FastPoseidon::sums)
    }

    /// The constants of the form with fewer products, which [`Compress::compress`] uses, for programs that compute many hashes at
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

/// `x^exponent` for an exponent of at least 1, by square-and-multiply from its highest bit on.
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

/// Trees are padded with zero. A node is encoded as its canonical value in little-endian order; other encodings are refused.
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
