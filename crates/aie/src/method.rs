//! The methods by which kernels multiply modulo M, with their names.

use crate::carry::Carry;
use crate::digits::Layout;
use pairwright_sim::settings::{Range, named};
use serde::{Deserialize, Serialize};
use std::fmt;
use thiserror::Error;

/// The reduction of a product modulo M.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reduction {
    /// Barrett's with k = 378, as in the paper: `a·b mod M` from the quotient `(⌊ab / 2^375⌋·μ) / 2^400`,
    /// `μ = ⌊2^775 / M⌋`. Six blocks, six, and three.
    Barrett,
    /// Montgomery's: `a·b·2^-400 mod M`, as the paper's V.C suggests. Six blocks, three, and six.
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

/// The way in which numbers are multiplied digit by digit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, Default)]
#[serde(rename_all = "kebab-case")]
pub enum Multiplication {
    /// Schoolbook by blocks, \[AIE\] III.B: six for a product, three for its lower half.
    #[default]
    Schoolbook,
    /// One level of Karatsuba above the blocks where a whole product is needed. Carries are balanced.
    Karatsuba,
    /// Fourteen digits of 28 bits ([`Layout::DIGITS_28`]), and only the columns that a result depends on, with two guard
    /// columns below where a part is left out: fewer multiplications, and fewer of them by zero. Carries are balanced.
    #[serde(rename = "28bit")]
    Digits28,
}

impl Multiplication {
    /// All ways to multiply.
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

/// A method to multiply modulo M. Its name joins the names of its fields by hyphens, `barrett-balanced-28bit`; schoolbook
/// products can be left out, `barrett-wide`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Method {
    /// How products are reduced.
    pub reduction: Reduction,
    /// How carries are propagated.
    pub carry: Carry,
    /// How digits are multiplied.
    #[serde(default)]
    pub product: Multiplication,
}

impl Method {
    /// The method nearest to the paper's kernels: Barrett's reduction, and carries of 64 bits.
    pub const PAPER: Self = Self::new(Reduction::Barrett, Carry::Wide);

    /// The rows of its parameters: the paper does not say how its kernels propagate carries.
    pub(crate) const RANGES: &[Range] = &[
        named("reduction", &["barrett", "montgomery"]).printed(),
        named("carry", &["accurate", "mixed", "wide", "balanced"]).inferred(),
        named("product", &["schoolbook", "karatsuba", "28bit"]).printed(),
    ];

    /// A method with schoolbook products.
    pub const fn new(reduction: Reduction, carry: Carry) -> Self {
        Self { reduction, carry, product: Multiplication::Schoolbook }
    }

    /// Every combination with schoolbook products.
    pub fn all() -> impl Iterator<Item = Self> {
        Reduction::ALL.into_iter().flat_map(|reduction| Carry::ALL.map(|carry| Self::new(reduction, carry)))
    }

    /// Every combination that [`Method::check`] takes.
    pub fn valid() -> impl Iterator<Item = Self> {
        let with = |product| Self::all().map(move |method| Self { product, ..method });
        Multiplication::ALL.into_iter().flat_map(with).filter(|method| method.check().is_ok())
    }

    /// Checks that the parts go together.
    ///
    /// # Errors
    /// [`MethodError`] for products that need other carries.
    pub fn check(self) -> Result<(), MethodError> {
        match (self.product, self.carry) {
            (Multiplication::Schoolbook, _) | (_, Carry::Balanced) => Ok(()),
            (product, carry) => Err(MethodError { product: product.name(), carry: carry.name() }),
        }
    }

    /// The layout of the digits of its numbers.
    pub const fn layout(self) -> Layout {
        match self.product {
            Multiplication::Schoolbook | Multiplication::Karatsuba => Layout::DIGITS_25,
            Multiplication::Digits28 => Layout::DIGITS_28,
        }
    }

    /// The binary logarithm of the constant factor in its products: 0, or minus the bits of a number's digits.
    pub const fn scale_log2(self) -> i32 {
        match self.reduction {
            Reduction::Barrett => 0,
            Reduction::Montgomery => -(self.layout().number_bits() as i32),
        }
    }

    /// Whether its numbers have a sign.
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

/// Products that need other carries.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("{product} products need balanced carries, not {carry} ones")]
pub struct MethodError {
    /// The way to multiply.
    pub product: &'static str,
    /// How carries are propagated.
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
