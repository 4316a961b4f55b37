//! An addition as programs of several tiles: the paper's mappings, \[AIE\] III.F to III.H.
//!
//! A [`Mapping`] assigns each part of an addition to a tile. [`Partition::new`] cuts the program of the whole addition
//! ([`padd`]) accordingly: operations keep their order, constants are repeated in every tile that uses them, and a value
//! that another tile needs is sent over a link and received there. Together the tiles compute the same bits as the whole
//! program, for every mapping and method.

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

/// The assignment of the parts of an addition to tiles.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mapping {
    /// One tile computes the whole addition.
    Single,
    /// One tile for each of the three multiplications of a modular product, and one for each sum: 28 tiles.
    Coarse,
    /// Two tiles for each multiplication, one for the lower half of its columns (A) and one for the higher half (B), or
    /// one tile where there is no higher half: 44 tiles. Carries from A to B are added in the tiles after them.
    #[serde(rename = "med-ind")]
    Independent,
    /// Two tiles for each multiplication, one for blocks of the second factor's lower half (A) and one for those of its
    /// higher half (B): 52 tiles. A sends its accumulators and carries to B by cascade, and the second step of mul_in's
    /// cp2 is computed in mul_mu.
    #[serde(rename = "med-coop")]
    Cooperative,
    /// One tile for each block of the multiplications, and six for the sums: 126 tiles. Carries of the first
    /// multiplication go through memory.
    Fine,
}

impl Mapping {
    /// All mappings, by increasing number of tiles.
    pub const ALL: [Self; 5] = [Self::Single, Self::Coarse, Self::Independent, Self::Cooperative, Self::Fine];

    /// The names of all mappings, in the same order.
    pub(crate) const NAMES: &[&str] = &[
        Self::Single.name(),
        Self::Coarse.name(),
        Self::Independent.name(),
        Self::Cooperative.name(),
        Self::Fine.name(),
    ];

    /// The paper's name of the mapping.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Coarse => "coarse",
            Self::Independent => "med-ind",
            Self::Cooperative => "med-coop",
            Self::Fine => "fine",
        }
    }

    /// The number of tiles of a modular product.
    pub(crate) const fn product_tiles(self) -> usize {
        match self {
            Self::Single => 0,
            Self::Coarse => 3,
            Self::Independent => 5,
            Self::Cooperative => 6,
            Self::Fine => fine::EACH,
        }
    }

    /// The number of tiles of the sums.
    const fn sums(self) -> usize {
        match self {
            Self::Fine => fine::SUMS,
            _ => 4,
        }
    }

    /// The mapping of the product by k of the complete form. Beside the finest mapping only two columns are free, so it
    /// does not use its own.
    const fn by_k(self) -> Self {
        match self {
            Self::Fine => Self::Cooperative,
            _ => self,
        }
    }

    /// The number of units to which the paper's throughputs refer, \[AIE\] Table I. For both medium mappings it is 5,
    /// although 6 fit and the paper's tile utilisation is that of 6.
    pub const fn printed_units(self) -> usize {
        match self {
            Self::Single => 400,
            Self::Coarse => 12,
            Self::Independent | Self::Cooperative => 5,
            Self::Fine => 2,
        }
    }

    /// The number of tiles of one addition: products A to Z3, sums E to H, and in the complete form the product by k.
    pub const fn tiles(self, form: Form) -> usize {
        let mixed = PRODUCTS * self.product_tiles() + self.sums();
        match (self, form) {
            (Self::Single, _) => 1,
            (_, Form::Mixed) => mixed,
            (_, Form::Complete) => mixed + self.by_k().product_tiles(),
        }
    }

    /// The program of an addition that is cut for this mapping, with late carries where the mapping needs them.
    pub fn program(self, method: Method, form: Form) -> Program {
        match self {
            Self::Single => padd(method, form),
            Self::Independent => padd_deferring(method, form),
            _ => padd_spreading(method, form),
        }
    }

    /// The tiles that compute a part: several if each of them needs the result and computes it itself.
    pub(crate) fn places(self, part: Part) -> Vec<usize> {
        let sums = PRODUCTS * self.product_tiles();
        let (first, mapping) = match part.step {
            _ if self == Self::Single => return vec![0],
            FormulaStep::Product(PRODUCTS) => (sums + self.sums(), self.by_k()),
            FormulaStep::Product(n) => (n * self.product_tiles(), self),
            FormulaStep::Sum(n) if self == Self::Fine => {
                return fine::sums(n).iter().map(|n| sums + n).collect();
            }
            FormulaStep::Sum(n) => return vec![sums + n],
        };
        mapping.within(part).into_iter().map(|tile| first + tile).collect()
    }

    /// The indices, within a product, of the tiles that compute a part of it.
    fn within(self, part: Part) -> Vec<usize> {
        // The second step of mul_in's cp2 is computed in mul_mu A, which multiplies its result; mul_in B computes the
        // carry out of it for its cp3, \[AIE\] III.H.1.
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
            // The third multiplication starts from the first one's digits; mul_in sends them already aligned.
            (Self::Coarse, Piece::Start { .. }) => vec![0],
            (Self::Coarse, _) => vec![stage],
            (Self::Independent, Piece::Start { .. }) => vec![4],
            (Self::Independent, Piece::Late) => match part.stage {
                Stage::First => vec![2, 3, 4],
                Stage::Second => vec![4],
                Stage::Third => vec![3],
            },
            // Montgomery's multiple of the modulus has a higher half, but its factor has none.
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

    /// The tile from which tile `to` receives a part's result that it does not compute itself, and the tile that relays
    /// it, if any.
    pub(crate) fn supplier(self, part: Part, to: usize) -> (usize, Option<usize>) {
        let first = self.places(part)[0];
        if self != Self::Fine {
            return (first, None);
        }
        match (part.step, self.role(to)) {
            (FormulaStep::Sum(sum), Role::Product(product, _)) => {
                (PRODUCTS * self.product_tiles() + fine::sum_for(sum, product), None)
            }
            (FormulaStep::Product(n @ 0..PRODUCTS), role) if !matches!(role, Role::Product(m, _) if m == n) => {
                (first, fine::relay(part.joined()).map(|tile| n * self.product_tiles() + tile))
            }
            _ => (first, None),
        }
    }

    /// The tiles that receive the first factor of a multiplication together with `tile`: all tiles that share one stream
    /// for both halves of that factor.
    pub(crate) fn listeners(self, tile: usize) -> core::ops::Range<usize> {
        match self.role(tile) {
            Role::Product(product @ 0..PRODUCTS, within)
                if self == Self::Fine && fine::FIRST_FACTOR.contains(&within) =>
            {
                let first = product * self.product_tiles();
                first + fine::FIRST_FACTOR.start..first + fine::FIRST_FACTOR.end
            }
            _ => tile..tile + 1,
        }
    }

    /// Whether the second tile follows the first one directly in a cascade.
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

    /// Whether all values between tiles joined by a cascade go by the cascade. Values on one link arrive in order; with
    /// two links, a tile could wait for one of them while the other is full.
    pub(crate) fn all_by_cascade(self) -> bool {
        self == Self::Cooperative
    }

    /// Whether carries can go from the first tile to the second through a memory module that both reach.
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
        let (each, sums) = (self.product_tiles(), PRODUCTS * self.product_tiles());
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

    /// The name of a tile in reports and timelines.
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
    /// The tile computes the whole addition.
    Addition,
    /// The tile belongs to this product (8 is the product by k) and has this index within it.
    Product(usize, usize),
    /// The tile has this index among the tiles of the sums.
    Sum(usize),
}
