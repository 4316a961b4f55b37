//! The part of an addition that an operation belongs to, by which mappings assign operations to tiles.

/// A step of the addition formula: a modular product or a sum.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum FormulaStep {
    /// A product: A, B, C, D, X3, Y3, T3, Z3 by numbers from 0; in the complete form, 8 is the product by k.
    Product(usize),
    /// A sum: E, F, G, H by numbers from 0.
    Sum(usize),
}

/// The three multiplications of a modular product, \[AIE\] III.C.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Stage {
    /// The product of the factors: mul_in.
    First,
    /// The product by the reduction's constant: mul_mu in Barrett's.
    Second,
    /// The product by the modulus: mul_m.
    Third,
}

/// A piece of a multiplication, or of a sum.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Piece {
    /// Column vector `column` that the multiplication adds to, made of an earlier one's digits.
    Start { column: usize },
    /// Block mul`column`_`half`, \[AIE\] Fig. 2(a); of a sum, its half of digits (then `column` is 0). `half` is the
    /// half of the second factor.
    Block { column: usize, half: usize },
    /// Carry propagation cp`vector`, \[AIE\] Fig. 3.
    Carry { vector: usize },
    /// The second step of cp`vector`, where it is written apart from the first: on most mappings a part of the same carry.
    SecondStep { vector: usize },
    /// The carry of cp1 entering the lowest two digits of cp2 after its steps, \[AIE\] III.H.2.
    Late,
}

/// The part of an addition that an operation belongs to. Constants belong to wherever they are used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Part {
    pub(crate) step: FormulaStep,
    /// The multiplication of the product; the first one for sums.
    pub(crate) stage: Stage,
    pub(crate) piece: Piece,
}

impl Part {
    /// The part with the second step of a carry as a part of it.
    pub(crate) const fn joined(self) -> Self {
        match self.piece {
            Piece::SecondStep { vector } => Self { piece: Piece::Carry { vector }, ..self },
            _ => self,
        }
    }

    /// The part that programs begin with.
    pub(crate) const FIRST: Self = Self {
        step: FormulaStep::Product(0),
        stage: Stage::First,
        piece: Piece::Block { column: 0, half: 0 },
    };
}
