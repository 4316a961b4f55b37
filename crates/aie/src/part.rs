//! The part of an addition that an operation belongs to. Mappings assign operations to tiles by it.

/// A step of the addition formula: a modular product or a sum.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum FormulaStep {
    /// The product with this number: A, B, C, D, X3, Y3, T3, Z3 from 0 on; in the complete form, 8 is the product by k.
    Product(usize),
    /// The sum with this number: E, F, G, H from 0 on.
    Sum(usize),
}

/// The three multiplications of a modular product, \[AIE\] III.C.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Stage {
    /// The product of the factors: mul_in.
    First,
    /// The product by the reduction's constant: mul_mu in Barrett's reduction.
    Second,
    /// The product by the modulus: mul_m.
    Third,
}

/// A piece of a multiplication, or of a sum.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Piece {
    /// The initial value of column vector `column` of the multiplication, made of digits of an earlier result.
    Start { column: usize },
    /// Block mul`column`_`half`, \[AIE\] Fig. 2(a), where `half` is the half of the second factor. In a sum, `half` is
    /// the half of the digits and `column` is 0.
    Block { column: usize, half: usize },
    /// Carry propagation cp`vector`, \[AIE\] Fig. 3.
    Carry { vector: usize },
    /// The second step of cp`vector`, where it is distinguished from the first; most mappings treat both as one carry.
    SecondStep { vector: usize },
    /// The carry of cp1 that enters the lowest two digits of cp2 after cp2's own steps, \[AIE\] III.H.2.
    Late,
}

/// The part of an addition that an operation belongs to. Constants belong to every tile that uses them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Part {
    pub(crate) step: FormulaStep,
    /// The multiplication of the product; the first one for sums.
    pub(crate) stage: Stage,
    pub(crate) piece: Piece,
}

impl Part {
    /// The same part, with the second step of a carry merged into [`Piece::Carry`].
    pub(crate) const fn joined(self) -> Self {
        match self.piece {
            Piece::SecondStep { vector } => Self { piece: Piece::Carry { vector }, ..self },
            _ => self,
        }
    }

    /// The part to which operations belong until another one is set.
    pub(crate) const FIRST: Self = Self {
        step: FormulaStep::Product(0),
        stage: Stage::First,
        piece: Piece::Block { column: 0, half: 0 },
    };
}
