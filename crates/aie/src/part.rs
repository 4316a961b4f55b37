//! Which part of an addition an operation belongs to: what a mapping onto tiles goes by.

/// A product or a sum.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FormulaStep {
    /// Products A, B, C, D, X3, Y3, T3, Z3 from 0; in the complete form, 8 is the product by k.
    Product(usize),
    /// Sums E, F, G, H from 0.
    Sum(usize),
}

/// The three multiplications of a modular product, \[AIE\] III.C.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// The factors' product: mul_in.
    First,
    /// By the reduction's constant: mul_mu in Barrett's.
    Second,
    /// By the modulus: mul_m.
    Third,
}

/// A piece of a multiplication, or of a sum.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Piece {
    /// The columns that the multiplication adds to, from an earlier one's digits.
    Start {
        /// Which vector of columns.
        column: usize,
    },
    /// Block mul`column`_`half`, \[AIE\] Fig. 2(a); of a sum, its half of digits (then `column` is 0).
    Block {
        /// Which vector of columns.
        column: usize,
        /// Which half of the second factor.
        half: usize,
    },
    /// Carry propagation cp`vector`, \[AIE\] Fig. 3.
    Carry {
        /// Which vector.
        vector: usize,
    },
    /// The carry of cp1 entering the lowest two digits of cp2 after its steps, \[AIE\] III.H.2.
    Late,
}

/// The part of an addition that an operation belongs to. Constants belong to wherever they are used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Part {
    /// Of which product or sum.
    pub step: FormulaStep,
    /// In which of its multiplications; the first for sums.
    pub stage: Stage,
    /// Which piece.
    pub piece: Piece,
}

impl Part {
    /// Where programs begin.
    pub(crate) const FIRST: Self = Self {
        step: FormulaStep::Product(0),
        stage: Stage::First,
        piece: Piece::Block { column: 0, half: 0 },
    };
}
