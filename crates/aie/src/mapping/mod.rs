//! An addition as programs of several tiles: the paper's mappings, \[AIE\] III.F to III.H.
//!
//! A [`Mapping`] says which tile does which part of an addition. [`Partition::new`] cuts the
//! program of the whole addition ([`padd`]) along it: operations keep their order, constants come
//! with every tile that uses them, and a value that another tile needs is sent over a link and received there. So
//! tiles together compute what the whole program does, bit for bit, whatever the mapping and the method.

mod fine;
mod partition;
#[cfg(test)]
mod tests;

pub(crate) use partition::Link;
pub use partition::Partition;

use crate::modmul::Method;
use crate::padd::{Form, padd, padd_deferring, padd_spreading};
use crate::part::{FormulaStep, Part, Piece, Stage};
use crate::program::Program;
use serde::{Deserialize, Serialize};

/// Products of a mixed addition; the product by k of the complete form is one more.
const PRODUCTS: usize = 8;

/// The way in which an addition is spread over tiles.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mapping {
    /// One tile does everything.
    Single,
    /// A tile for each of the three multiplications of a modular product, and one for each sum: 28.
    Coarse,
    /// Two tiles for each multiplication, the lower half of its columns (A) and the higher (B), one where there is no
    /// higher half: 44. Carries from A to B enter in the tiles after them.
    #[serde(rename = "med-ind")]
    Independent,
    /// Two tiles for each multiplication, blocks of the second factor's lower half (A) and of its higher half (B): 52.
    /// What A has accumulated and carried goes to B by cascade, and the second step of mul_in's cp2 is done in mul_mu.
    #[serde(rename = "med-coop")]
    Cooperative,
    /// A tile for each block of the multiplications, and six for the sums: 126. Carries of the first multiplication go
    /// through memory.
    Fine,
}

impl Mapping {
    /// All mappings, from one tile upward.
    pub const ALL: [Self; 5] = [Self::Single, Self::Coarse, Self::Independent, Self::Cooperative, Self::Fine];

    /// The names of all, in the same order.
    pub(crate) const NAMES: &[&str] = &[
        Self::Single.name(),
        Self::Coarse.name(),
        Self::Independent.name(),
        Self::Cooperative.name(),
        Self::Fine.name(),
    ];

    /// The paper's name for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Coarse => "coarse",
            Self::Independent => "med-ind",
            Self::Cooperative => "med-coop",
            Self::Fine => "fine",
        }
    }

    /// How many tiles do a modular product.
    pub(crate) const fn each(self) -> usize {
        match self {
            Self::Single => 0,
            Self::Coarse => 3,
            Self::Independent => 5,
            Self::Cooperative => 6,
            Self::Fine => fine::EACH,
        }
    }

    /// How many tiles do the sums.
    const fn sums(self) -> usize {
        match self {
            Self::Fine => fine::SUMS,
            _ => 4,
        }
    }

    /// The mapping of the product by k of the complete form; beside the finest mapping only two columns are free.
    const fn by_k(self) -> Self {
        match self {
            Self::Fine => Self::Cooperative,
            _ => self,
        }
    }

    /// How many units the paper's throughputs are of, \[AIE\] Table I. For both medium mappings that is 5, although 6 fit and its tile
    /// utilisation is that of 6.
    pub const fn printed_units(self) -> usize {
        match self {
            Self::Single => 400,
            Self::Coarse => 12,
            Self::Independent | Self::Cooperative => 5,
            Self::Fine => 2,
        }
    }

    /// Tiles of one addition: products A to Z3, sums E to H, then in the complete form the product by k.
    pub const fn tiles(self, form: Form) -> usize {
        let mixed = PRODUCTS * self.each() + self.sums();
        match (self, form) {
            (Self::Single, _) => 1,
            (_, Form::Mixed) => mixed,
            (_, Form::Complete) => mixed + self.by_k().each(),
        }
    }

    /// The program of an addition that is mapped, with late carries where the mapping needs them.
    pub fn program(self, method: Method, form: Form) -> Program {
        match self {
            Self::Single => padd(method, form),
            Self::Independent => padd_deferring(method, form),
            _ => padd_spreading(method, form),
        }
    }

    /// The tiles that do a part: several where each needs its result and does it itself.
    pub(crate) fn places(self, part: Part) -> Vec<usize> {
        let sums = PRODUCTS * self.each();
        let (first, mapping) = match part.step {
            _ if self == Self::Single => return vec![0],
            FormulaStep::Product(PRODUCTS) => (sums + self.sums(), self.by_k()),
            FormulaStep::Product(n) => (n * self.each(), self),
            FormulaStep::Sum(n) if self == Self::Fine => {
                return fine::sums(n).iter().map(|n| sums + n).collect();
            }
            FormulaStep::Sum(n) => return vec![sums + n],
        };
        mapping.within(part).into_iter().map(|tile| first + tile).collect()
    }

    /// The tiles within a product that do a part of it.
    fn within(self, part: Part) -> Vec<usize> {
        // The second step of mul_in's cp2 is of mul_mu A, which multiplies what it makes; mul_in B makes the carry out of it
        // for its cp3, \[AIE\] III.H.1.
        if self == Self::Cooperative
            && part.stage == Stage::First
            && part.piece == (Piece::SecondStep { vector: 2 })
        {
            return vec![1, 2];
        }
        let part = part.joined();
        let stage = part.stage as usize;
        match (self, part.piece) {
            (Self::Single, _) => vec![0],
            // The third multiplication starts from the first one's digits, which it gives in their right place.
            (Self::Coarse, Piece::Start { .. }) => vec![0],
            (Self::Coarse, _) => vec![stage],
            (Self::Independent, Piece::Start { .. }) => vec![4],
            (Self::Independent, Piece::Late) => match part.stage {
                Stage::First => vec![2, 3, 4],
                Stage::Second => vec![4],
                Stage::Third => vec![3],
            },
            // Montgomery's multiple of the modulus has a higher half, the factor of it has none.
            (Self::Independent, Piece::Block { column: vector, .. } | Piece::Carry { vector }) => {
                vec![if part.stage == Stage::Third { 4 - vector / 2 } else { 2 * stage + vector / 2 }]
            }
            (Self::Cooperative, Piece::Start { .. }) => vec![1],
            (Self::Cooperative, Piece::Block { half, .. }) => vec![2 * stage + half],
            (Self::Cooperative, Piece::Carry { vector }) => vec![2 * stage + usize::from(vector > 0)],
            (Self::Cooperative, Piece::Late) => vec![2 * stage + 1],
            (Self::Fine, _) | (_, Piece::SecondStep { .. }) => vec![fine::within(part)],
        }
    }

    /// The tile that a tile has a part's result from, if it does not do it itself; and a tile on the way.
    pub(crate) fn supplier(self, part: Part, to: usize) -> (usize, Option<usize>) {
        let first = self.places(part)[0];
        if self != Self::Fine {
            return (first, None);
        }
        match (part.step, self.role(to)) {
            (FormulaStep::Sum(sum), Role::Product(product, _)) => {
                (PRODUCTS * self.each() + fine::sum_for(sum, product), None)
            }
            (FormulaStep::Product(n @ 0..PRODUCTS), role) if !matches!(role, Role::Product(m, _) if m == n) => {
                (first, fine::relay(part.joined()).map(|tile| n * self.each() + tile))
            }
            _ => (first, None),
        }
    }

    /// The tiles that receive a first factor which a tile multiplies: all that share a stream for both halves of it.
    pub(crate) fn listeners(self, tile: usize) -> core::ops::Range<usize> {
        match self.role(tile) {
            Role::Product(product @ 0..PRODUCTS, within)
                if self == Self::Fine && fine::FIRST_FACTOR.contains(&within) =>
            {
                let first = product * self.each();
                first + fine::FIRST_FACTOR.start..first + fine::FIRST_FACTOR.end
            }
            _ => tile..tile + 1,
        }
    }

    /// Whether the second tile stands after the first in the cascade.
    pub(crate) fn cascades(self, from: usize, to: usize) -> bool {
        match (self.role(from), self.role(to)) {
            (Role::Product(m, from), Role::Product(n, to)) if m == n => {
                match if m == PRODUCTS { self.by_k() } else { self } {
                    Self::Cooperative => from + 1 == to && from.is_multiple_of(2),
                    Self::Fine => fine::cascades(from, to),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// Whether everything between tiles that a cascade joins goes by it. Values on one link keep one order; with two links, a
    /// tile can wait for one of them while the other is full.
    pub(crate) fn all_by_cascade(self) -> bool {
        self == Self::Cooperative
    }

    /// Whether carries may go from the first tile to the second through memory that both reach.
    pub(crate) fn shares(self, from: usize, to: usize) -> bool {
        match (self.role(from), self.role(to)) {
            (Role::Product(m @ 0..PRODUCTS, from), Role::Product(n, to)) => {
                self == Self::Fine && m == n && fine::shares(from, to)
            }
            _ => false,
        }
    }

    /// The role of a tile.
    pub(crate) fn role(self, tile: usize) -> Role {
        let (each, sums) = (self.each(), PRODUCTS * self.each());
        match tile.checked_sub(sums) {
            _ if self == Self::Single => Role::Addition,
            None => Role::Product(tile / each, tile % each),
            Some(sum) if sum < self.sums() => Role::Sum(sum),
            Some(rest) => Role::Product(PRODUCTS, rest - self.sums()),
        }
    }

    /// Column and row of a tile of [`Mapping::Fine`] within the columns of its product.
    pub(crate) fn fine_site(within: usize) -> [usize; 2] {
        fine::site(within)
    }

    /// A tile's name in reports and timelines.
    pub fn label(self, tile: usize) -> String {
        const NAMES: [&str; PRODUCTS + 1] = ["A", "B", "C", "D", "X3", "Y3", "T3", "Z3", "kT2"];
        const SUM_NAMES: [&str; 6] = ["E", "F", "G", "H", "F again", "G again"];
        const STAGES: [&str; 3] = ["mul_in", "mul_mu", "mul_m"];
        match self.role(tile) {
            Role::Addition => "addition".to_owned(),
            Role::Sum(sum) => format!("sum {}", SUM_NAMES[sum]),
            Role::Product(product, within) => {
                let name = NAMES[product];
                match if product == PRODUCTS { self.by_k() } else { self } {
                    Self::Coarse => format!("{name} {}", STAGES[within]),
                    Self::Fine => format!("{name} {}", fine::label(within)),
                    _ => format!("{name} {} {}", STAGES[within / 2], ["A", "B"][within % 2]),
                }
            }
        }
    }
}

/// The role of a tile in a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// It does the whole addition.
    Addition,
    /// The product, of which 8 is that by k, and the tile's number within it.
    Product(usize, usize),
    /// The tile's number among those of the sums.
    Sum(usize),
}
