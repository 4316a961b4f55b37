//! An addition as programs of several tiles: the paper's mappings, \[AIE\] III.F to III.H.
//!
//! A [`Mapping`] says which tile does which [`Part`] of an addition, and nothing else. [`Partition::new`] cuts the
//! program of the whole addition ([`padd`](crate::padd::padd)) along it: operations keep their order, constants come
//! with every tile that uses them, and a value that another tile needs is sent over a [`Link`] and received there. So
//! tiles together compute what the whole program does, bit for bit, whatever the mapping and the method;
//! [`Partition::run`] runs them.

mod partition;
#[cfg(test)]
mod tests;

pub use partition::{Carried, Link, Partition};

use crate::modmul::Method;
use crate::padd::{Form, padd, padd_deferring};
use crate::part::{Part, Piece, Stage, Unit};
use crate::program::Program;
use serde::{Deserialize, Serialize};

/// Products of a mixed addition; the product by k of the complete form is one more.
const PRODUCTS: usize = 8;
/// Its sums.
const SUMS: usize = 4;

/// How an addition is spread over tiles.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mapping {
    /// Everything on one tile.
    Single,
    /// A tile for each of the three multiplications of a modular product, and one for each sum: 28.
    Coarse,
    /// Two tiles for each multiplication, the lower half of its columns (A) and the higher (B), one where there is no
    /// higher half: 44. Carries from A to B enter in the tiles after them.
    #[serde(rename = "med-ind")]
    Independent,
    /// Two tiles for each multiplication, blocks of the second factor's lower half (A) and of its higher half (B): 52.
    /// What A has accumulated goes to B by cascade.
    #[serde(rename = "med-coop")]
    Cooperative,
}

impl Mapping {
    /// All, from one tile upward.
    pub const ALL: [Self; 4] = [Self::Single, Self::Coarse, Self::Independent, Self::Cooperative];

    /// The paper's name for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Coarse => "coarse",
            Self::Independent => "med-ind",
            Self::Cooperative => "med-coop",
        }
    }

    /// Tiles of each modular product.
    pub(crate) const fn each(self) -> usize {
        match self {
            Self::Single => 0,
            Self::Coarse => 3,
            Self::Independent => 5,
            Self::Cooperative => 6,
        }
    }

    /// Tiles of one addition: products A to Z3, sums E to H, then in the complete form the product by k.
    pub const fn tiles(self, form: Form) -> usize {
        let products = match form {
            Form::Mixed => PRODUCTS,
            Form::Complete => PRODUCTS + 1,
        };
        match self {
            Self::Single => 1,
            _ => products * self.each() + SUMS,
        }
    }

    /// What is mapped: an addition, with late carries where the mapping asks for them.
    pub fn program(self, method: Method, form: Form) -> Program {
        match self {
            Self::Independent => padd_deferring(method, form),
            Self::Single | Self::Coarse | Self::Cooperative => padd(method, form),
        }
    }

    /// The tiles that do a part: several where each needs its result and does it itself.
    pub fn places(self, part: Part) -> Vec<usize> {
        let sums = PRODUCTS * self.each();
        let first = match part.unit {
            _ if self == Self::Single => return vec![0],
            Unit::Product(PRODUCTS) => sums + SUMS,
            Unit::Product(n) => n * self.each(),
            Unit::Sum(n) => return vec![sums + n],
        };
        let stage = part.stage as usize;
        let within = match (self, part.piece) {
            (Self::Single, _) => vec![0],
            // The third multiplication starts from the first one's digits, which it gives in their right place.
            (Self::Coarse, Piece::Start { .. }) => vec![0],
            (Self::Coarse, _) => vec![stage],
            (Self::Independent, Piece::Start { .. }) => vec![4],
            (Self::Independent, Piece::Late) => match part.stage {
                Stage::First => vec![2, 3, 4],
                Stage::Second | Stage::Third => vec![4],
            },
            (Self::Independent, Piece::Block { column: vector, .. } | Piece::Carry { vector }) => {
                vec![2 * stage + usize::from(vector >= 2 && part.stage != Stage::Third)]
            }
            (Self::Cooperative, Piece::Start { .. }) => vec![1],
            (Self::Cooperative, Piece::Block { half, .. }) => vec![2 * stage + half],
            (Self::Cooperative, Piece::Carry { vector }) => vec![2 * stage + usize::from(vector > 0)],
            (Self::Cooperative, Piece::Late) => vec![2 * stage + 1],
        };
        within.into_iter().map(|tile| first + tile).collect()
    }

    /// Does the second tile stand after the first in the cascade?
    pub fn cascades(self, from: usize, to: usize) -> bool {
        let product = !matches!(self.role(from), Role::Sum(_) | Role::Addition);
        self == Self::Cooperative && from + 1 == to && product && from.is_multiple_of(2)
    }

    /// What a tile is for.
    pub(crate) fn role(self, tile: usize) -> Role {
        let (each, sums) = (self.each(), PRODUCTS * self.each());
        match tile.checked_sub(sums) {
            _ if self == Self::Single => Role::Addition,
            None => Role::Product(tile / each, tile % each),
            Some(sum) if sum < SUMS => Role::Sum(sum),
            Some(rest) => Role::Product(PRODUCTS, rest - SUMS),
        }
    }

    /// What a tile does.
    pub fn label(self, tile: usize) -> String {
        const NAMES: [&str; PRODUCTS + 1] = ["A", "B", "C", "D", "X3", "Y3", "T3", "Z3", "kT2"];
        const SUM_NAMES: [&str; SUMS] = ["E", "F", "G", "H"];
        const STAGES: [&str; 3] = ["mul_in", "mul_mu", "mul_m"];
        match (self, self.role(tile)) {
            (_, Role::Addition) => "addition".to_owned(),
            (_, Role::Sum(sum)) => format!("sum {}", SUM_NAMES[sum]),
            (Self::Coarse, Role::Product(product, within)) => {
                format!("{} {}", NAMES[product], STAGES[within])
            }
            (_, Role::Product(product, within)) => {
                format!("{} {} {}", NAMES[product], STAGES[within / 2], ["A", "B"][within % 2])
            }
        }
    }
}

/// What a tile is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// The whole addition.
    Addition,
    /// Of a product, the tile of this number; product 8 is that by k.
    Product(usize, usize),
    /// A sum.
    Sum(usize),
}
