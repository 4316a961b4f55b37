//! The number-theoretic transform as array programs.
//!
//! Forward, on a coset: `X[k] = sum_j x[j] (g w^k)^j` for a root `w` of order `n = 2^log_n` and a shift `g`. Inverse:
//! from the values `X` to the coefficients `x`, with the factor `1/n`. Input and output are in natural order.
//!
//! **One recurrence.** After the levels with `P = 1, 2, 4, ...` the transform of size `2P` at a point of the coset is
//! made of two of size `P`: `a + t b` and `a - t b` with `t = w_{2P}^p g^(n/2P)`, `0 <= p < P`. So the shift of the
//! coset costs no products, and the twiddles of all levels fit in one table of `n` elements, `W[P + p] = t`, which is
//! the same for every plan, on device and host. A step that keeps `2^k` elements in registers computes `k` levels with
//! `2^k - 1` twiddles.
//!
//! | part | holds |
//! |---|---|
//! | [`plan`] | passes over device memory, threads, shared memory, bytes moved |
//! | [`device`] | the kernel of a pass |
//! | [`host`] | the whole transform as one host kernel |
//! | [`table`] | twiddles on big integers |

mod banks;
pub mod device;
pub mod host;
pub mod plan;
pub mod table;

pub use plan::{NttPass, NttPlan, PassBuffer, Tuning, Unrolling};
pub use table::{maker, table_len, twiddles};

use super::lang::{Body, ElementPlace, Ix, Reg, Role, reverse_bits};

/// The kind of transform that a kernel computes. The text depends only on the kind, the size and the width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kind {
    /// True for values to coefficients, false for coefficients to values.
    pub inverse: bool,
    /// Whether the points are a coset of the powers of the root, so that no twiddle is known to be one.
    pub coset: bool,
}

impl Kind {
    /// Coefficients to values at the powers of the root.
    pub const FORWARD: Self = Self { inverse: false, coset: false };
    /// Values at the powers of the root to coefficients.
    pub const INVERSE: Self = Self { inverse: true, coset: false };
    /// Coefficients to values on a coset.
    pub const COSET_FORWARD: Self = Self { inverse: false, coset: true };
    /// Values on a coset to coefficients.
    pub const COSET_INVERSE: Self = Self { inverse: true, coset: true };
    /// All four kinds of transforms.
    pub const ALL: [Self; 4] = [Self::FORWARD, Self::INVERSE, Self::COSET_FORWARD, Self::COSET_INVERSE];

    /// The name in printed text.
    pub fn name(self) -> &'static str {
        match (self.inverse, self.coset) {
            (false, false) => "ntt",
            (true, false) => "intt",
            (false, true) => "coset_ntt",
            (true, true) => "coset_intt",
        }
    }

    /// Whether the last level multiplies by `1/n`, which is entry 0 of the table and a factor of the last level's
    /// entries.
    fn scaled(self) -> bool {
        self.inverse && !self.coset
    }

    /// Whether output j is multiplied by the entry `g^-j / n` of the table's second half.
    fn shifted(self) -> bool {
        self.inverse && self.coset
    }
}

/// A register step: `bits` levels of the transform on `2^bits` elements in registers.
struct RegisterStep<'a> {
    /// Index of the buffer of twiddles.
    table: usize,
    /// log2 of `P` at the first level.
    level: Ix,
    /// `p` at the first level.
    point: Ix,
    /// Number of levels.
    bits: u32,
    /// The first of the registers; register `j` holds the element whose index has the bits of `j` reversed.
    first: usize,
    /// Whether `P = 1` at the first level and the table starts with one, so that products by one are omitted.
    trivial: bool,
    /// When the last level also multiplies the first operand by entry 0.
    scaled: Scaled<'a>,
    /// Three registers for twiddle, product and factor.
    scratch: [Reg; 3],
}

/// When the last level of a step is the last level of the transform, which carries the factor `1/n`.
enum Scaled<'a> {
    Never,
    Always,
    /// If the first index is less than the second, for a step in a loop.
    When(&'a Ix, &'a Ix),
}

impl RegisterStep<'_> {
    fn write(&self, body: &mut Body) {
        let [twiddle, product, factor] = self.scratch;
        let reg = |j: u64| Reg(self.first + j as usize);
        let one = Ix::Const(1);
        for t in 0..self.bits {
            let scaled = t + 1 == self.bits && !matches!(self.scaled, Scaled::Never);
            if scaled {
                body.load(factor, ElementPlace::global(self.table, 0u64));
            }
            let level = body.let_((one.clone() << (self.level.clone() + u64::from(t))) + self.point.clone());
            for group in 0..1u64 << t {
                let trivial = self.trivial && group == 0 && !scaled;
                if !trivial {
                    let shift = reverse_bits(group, u64::from(t));
                    let at = level.clone() + (Ix::Const(shift) << self.level.clone());
                    body.load(twiddle, ElementPlace::global(self.table, at));
                }
                let half = 1u64 << (self.bits - 1 - t);
                for low in 0..half {
                    let a = reg((group << (self.bits - t)) + low);
                    let b = Reg(a.0 + half as usize);
                    if scaled {
                        match self.scaled {
                            Scaled::When(left, right) => {
                                body.when(left.clone(), right.clone(), |body| {
                                    body.call(Role::Mul, a, a, factor);
                                });
                            }
                            _ => body.call(Role::Mul, a, a, factor),
                        }
                    }
                    if trivial {
                        body.copy(product, b);
                    } else {
                        body.call(Role::Mul, product, b, twiddle);
                    }
                    body.call(Role::Sub, b, a, product);
                    body.call(Role::Add, a, a, product);
                }
            }
        }
    }
}
