//! The methods by which kernels multiply modulo M, with their names.

use crate::carry::Carry;
use crate::digits::Layout;
use pairwright_sim::settings::{Range, named};
use serde::{Deserialize, Serialize};
use std::fmt;
use thiserror::Error;

/// The algorithm that reduces a product modulo M.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reduction {
    /// Barrett's with k = 378, as in the paper: `a·b mod M` from the quotient `(⌊ab / 2^375⌋·μ) / 2^400`, `μ = ⌊2^775 /
    /// M⌋`. The three multiplications take six, six and three blocks.
    Barrett,
    /// Montgomery's: `a·b·2^-400 mod M`, as the paper's V.C suggests. The three multiplications take six, three and six
    /// blocks.
    Montgomery,
}

impl Reduction {
    /// Both reductions, in the order of the paper.
    pub const ALL: [Self; 2] = [Self::Barrett, Self::Montgomery];

    /// The name in reports and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Barrett => "barrett",
            Self::Montgomery => "montgomery",
        }
    }
}

/// The algorithm that multiplies two numbers digit by digit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, Default)]
#[serde(rename_all = "kebab-case")]
pub enum Multiplication {
    /// Schoolbook multiplication by blocks, \[AIE\] III.B: six blocks for a product, three for its lower half.
    #[default]
    Schoolbook,
    /// One level of Karatsuba above the blocks, where a whole product is needed. It requires balanced carries.
    Karatsuba,
    /// Fourteen digits of 28 bits ([`Layout::DIGITS_28`]). Only the columns that a result depends on are computed, with
    /// two guard columns below them where the lower columns are left out, so that there are fewer multiplications, and
    /// fewer of them by zero. It requires balanced carries.
    #[serde(rename = "28bit")]
    Digits28,
}

impl Multiplication {
    /// All multiplication algorithms.
    pub const ALL: [Self; 3] = [Self::Schoolbook, Self::Karatsuba, Self::Digits28];

    /// The name in reports and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Schoolbook => "schoolbook",
            Self::Karatsuba => "karatsuba",
            Self::Digits28 => "28bit",
        }
    }
}

/// A method of modular multiplication: reduction, carry propagation and digit multiplication. Its name joins the names of
/// the fields by hyphens, as in `barrett-balanced-28bit`; the name of schoolbook multiplication is left out, as in
/// `barrett-wide`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Method {
    /// The algorithm that reduces products modulo M.
    pub reduction: Reduction,
    /// The algorithm that propagates carries between digits.
    pub carry: Carry,
    /// The algorithm that multiplies digits.
    #[serde(default)]
    pub product: Multiplication,
}

impl Method {
    /// The method nearest to the paper's kernels: Barrett's reduction, and carries of 64 bits.
    pub const PAPER: Self = Self::new(Reduction::Barrett, Carry::Wide);

    /// The ranges of its parameters. The carries count as inferred, because the paper does not say how its kernels
    /// propagate them.
    pub(crate) const RANGES: &[Range] = &[
        named("reduction", &["barrett", "montgomery"]).printed(),
        named("carry", &["accurate", "mixed", "wide", "balanced"]).inferred(),
        named("product", &["schoolbook", "karatsuba", "28bit"]).printed(),
    ];

    /// A method with schoolbook products.
    pub const fn new(reduction: Reduction, carry: Carry) -> Self {
        Self { reduction, carry, product: Multiplication::Schoolbook }
    }

    /// Every combination of a reduction and carries, with schoolbook products.
    pub fn all() -> impl Iterator<Item = Self> {
        Reduction::ALL.into_iter().flat_map(|reduction| Carry::ALL.map(|carry| Self::new(reduction, carry)))
    }

    /// Every combination that [`Method::check`] accepts.
    pub fn valid() -> impl Iterator<Item = Self> {
        let with = |product| Self::all().map(move |method| Self { product, ..method });
        Multiplication::ALL.into_iter().flat_map(with).filter(|method| method.check().is_ok())
    }

    /// Checks that the multiplication supports the carries.
    ///
    /// # Errors
    /// [`MethodError`] for Karatsuba or 28-bit products with carries other than balanced ones.
    pub fn check(self) -> Result<(), MethodError> {
        match (self.product, self.carry) {
            (Multiplication::Schoolbook, _) | (_, Carry::Balanced) => Ok(()),
            (product, carry) => Err(MethodError { product: product.name(), carry: carry.name() }),
        }
    }

    /// The layout of the digits of this method's numbers.
    pub const fn layout(self) -> Layout {
        match self.product {
            Multiplication::Schoolbook | Multiplication::Karatsuba => Layout::DIGITS_25,
            Multiplication::Digits28 => Layout::DIGITS_28,
        }
    }

    /// The binary logarithm of the constant factor in a product, `a·b·2^scale`: 0, or minus the bits of a number's
    /// digits.
    pub const fn scale_log2(self) -> i32 {
        match self.reduction {
            Reduction::Barrett => 0,
            Reduction::Montgomery => -(self.layout().number_bits() as i32),
        }
    }

    /// Whether digits and numbers of this method are signed.
    pub(crate) const fn signed(self) -> bool {
        matches!((self.carry, self.product), (Carry::Balanced, _) | (_, Multiplication::Digits28))
    }

    /// The name in reports and on the command line.
    pub fn name(self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.reduction.name(), self.carry.name())?;
        if self.product == Multiplication::Schoolbook {
            Ok(())
        } else {
            write!(f, "-{}", self.product.name())
        }
    }
}

/// A multiplication algorithm combined with carries that it does not support.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("{product} products need balanced carries, not {carry} ones")]
pub struct MethodError {
    /// The name of the multiplication algorithm.
    pub product: &'static str,
    /// The name of the carries.
    pub carry: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_parts_go_together() {
        let names: std::collections::BTreeSet<String> = Method::valid().map(Method::name).collect();
        assert_eq!(names.len(), Method::valid().count());
        assert!(names.contains("barrett-wide") && names.contains("barrett-balanced-28bit"));
        let wide = Method { product: Multiplication::Digits28, ..Method::PAPER };
        assert_eq!(wide.check(), Err(MethodError { product: "28bit", carry: "wide" }));
    }
}
