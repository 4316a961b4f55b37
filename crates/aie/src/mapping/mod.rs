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

/// Products of a mixed addition.
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
    const fn each(self) -> usize {
        match self {
            Self::Single => 0,
            Self::Coarse => 3,
            Self::Independent => 5,
            Self::Cooperative => 6,
        }
    }

    /// Tiles of one addition.
    pub const fn tiles(self) -> usize {
        match self {
            Self::Single => 1,
            _ => PRODUCTS * self.each() + SUMS,
        }
    }

    /// What is mapped: a mixed addition, with late carries where the mapping asks for them.
    pub fn program(self, method: Method) -> Program {
        match self {
            Self::Independent => padd_deferring(method, Form::Mixed),
            Self::Single | Self::Coarse | Self::Cooperative => padd(method, Form::Mixed),
        }
    }

    /// The tiles that do a part: several where each needs its result and does it itself.
    pub fn places(self, part: Part) -> Vec<usize> {
        let product = match part.unit {
            _ if self == Self::Single => return vec![0],
            Unit::Product(n) => n,
            Unit::Sum(n) => return vec![PRODUCTS * self.each() + n],
        };
        let stage = part.stage as usize;
        let within = match (self, part.piece) {
            (Self::Single, _) => vec![0],
            // The third multiplication starts from the first one's digits, which it gives in their right place.
            (Self::Coarse, Piece::Start) => vec![0],
            (Self::Coarse, _) => vec![stage],
            (Self::Independent, Piece::Start) => vec![4],
            (Self::Independent, Piece::Late) => match part.stage {
                Stage::First => vec![2, 3, 4],
                Stage::Second | Stage::Third => vec![4],
            },
            (Self::Independent, Piece::Block { column: vector, .. } | Piece::Carry { vector }) => {
                vec![2 * stage + usize::from(vector >= 2 && part.stage != Stage::Third)]
            }
            (Self::Cooperative, Piece::Start) => vec![1],
            (Self::Cooperative, Piece::Block { half, .. }) => vec![2 * stage + half],
            (Self::Cooperative, Piece::Carry { vector }) => vec![2 * stage + usize::from(vector > 0)],
            (Self::Cooperative, Piece::Late) => vec![2 * stage + 1],
        };
        within.into_iter().map(|tile| product * self.each() + tile).collect()
    }

    /// Does the second tile stand after the first in the cascade?
    pub fn cascades(self, from: usize, to: usize) -> bool {
        self == Self::Cooperative && from + 1 == to && to < PRODUCTS * self.each() && from.is_multiple_of(2)
    }

    /// What a tile does.
    pub fn label(self, tile: usize) -> String {
        const NAMES: [&str; PRODUCTS] = ["A", "B", "C", "D", "X3", "Y3", "T3", "Z3"];
        const SUM_NAMES: [&str; SUMS] = ["E", "F", "G", "H"];
        const STAGES: [&str; 3] = ["mul_in", "mul_mu", "mul_m"];
        if self == Self::Single {
            return "addition".to_owned();
        }
        let each = self.each();
        if let Some(sum) = tile.checked_sub(PRODUCTS * each) {
            return SUM_NAMES.get(sum).map_or_else(String::new, |name| format!("sum {name}"));
        }
        let (product, within) = (tile / each, tile % each);
        match self {
            Self::Coarse => format!("{} {}", NAMES[product], STAGES[within]),
            _ => format!("{} {} {}", NAMES[product], STAGES[within / 2], ["A", "B"][within % 2]),
        }
    }
}
