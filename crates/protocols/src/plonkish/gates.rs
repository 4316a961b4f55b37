//! Translates a constraint system to a table of gates, row by row as snarkjs does.
//!
//! A constraint becomes one gate when each of its combinations has at most one wire, beside the constant. Longer combinations
//! are shortened first: two of their terms are replaced by a new wire, an *addition*, with a gate of its own, until the combination
//! is short enough. Unused cells hold wire 0, whose value is zero here; constants are encoded in selectors.
//!
//! The tables of Plonk and of fflonk differ in terms whose coefficient is zero: snarkjs keeps them in Plonk and drops them in fflonk.

use super::Addition;
use crate::groth16::SetupError;
use crate::r1cs::{Combination, ConstraintSource, R1csError};
use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec::Vec;
use core::ops::ControlFlow;
use pairwright_field::PrimeField;
use pairwright_poly::DomainError;

/// The table of gates of a constraint system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gates<F> {
    /// Number of wires: those of the constraint system, and one for each addition.
    pub wires: usize,
    /// Number of public values; the first rows of the table hold one each.
    pub public: usize,
    /// The wires in the columns a, b and c, one per row.
    pub columns: [Vec<u32>; 3],
    /// The values of the selectors qM, qL, qR, qO and qC, one per row.
    pub selectors: [Vec<F>; 5],
    /// The additional wires, in the order of their numbers.
    pub additions: Vec<Addition<F>>,
}

/// The treatment of terms whose coefficient is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ZeroTerms {
    /// They count as terms, as in snarkjs' Plonk.
    Kept,
    /// They are left out, as in snarkjs' fflonk.
    Dropped,
}

/// Computes the table of gates of a constraint system, equal to snarkjs'. Terms with the same wire in a combination are added up.
///
/// # Errors
/// When the constraints cannot be read, or there are more wires or rows than the field has room for.
pub(crate) fn gates<F: PrimeField>(
    system: &dyn ConstraintSource<F>,
    zeros: ZeroTerms,
) -> Result<Gates<F>, SetupError> {
    let shape = system.shape();
    let mut table = Gates {
        wires: shape.wires,
        public: shape.public(),
        columns: Default::default(),
        selectors: Default::default(),
        additions: Vec::new(),
    };
    for i in 0..table.public {
        table.row([i as u32 + 1, 0, 0], [F::ZERO, F::ONE, F::ZERO, F::ZERO, F::ZERO]);
    }
    let mut crowded = false;
    system
        .visit(&mut |_, k| {
            let [a, b, c] = [&k.a, &k.b, &k.c].map(|side| Sum::of(side).with(zeros));
            table.constraint(&a, &b, &c, zeros);
            // Wire numbers have 32 bits, in files too. Each addition also takes a row.
            crowded = u32::try_from(table.wires).is_err();
            if crowded { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .map_err(R1csError::from)?;
    if crowded {
        let log_n = usize::BITS - table.rows().leading_zeros();
        return Err(DomainError::TooLarge { field: F::NAME, log_n, max: F::TWO_ADICITY }.into());
    }
    Ok(table)
}

/// A linear combination: coefficients by wire, in ascending order, and the constant, if there is one.
struct Sum<F> {
    terms: BTreeMap<u32, F>,
    constant: Option<F>,
}

impl<F: PrimeField> Sum<F> {
    fn of(combination: &Combination<F>) -> Self {
        let mut sum = Self { terms: BTreeMap::new(), constant: None };
        combination.iter().for_each(|(wire, k)| sum.add(*wire, *k));
        sum
    }

    /// Keeps or drops the terms whose coefficient is zero.
    fn with(mut self, zeros: ZeroTerms) -> Self {
        if zeros == ZeroTerms::Dropped {
            self.terms.retain(|_, k| !k.is_zero());
            self.constant = self.constant.filter(|k| !k.is_zero());
        }
        self
    }

    fn add(&mut self, wire: u32, k: F) {
        if wire == 0 {
            *self.constant.get_or_insert(F::ZERO) += k;
        } else {
            *self.terms.entry(wire).or_insert(F::ZERO) += k;
        }
    }

    /// The combination times `k`.
    fn scaled(&self, k: F) -> Self {
        let terms = self.terms.iter().map(|(wire, x)| (*wire, *x * k)).collect();
        Self { terms, constant: self.constant.map(|x| x * k) }
    }

    fn minus(mut self, other: &Self) -> Self {
        for (wire, k) in &other.terms {
            self.add(*wire, -*k);
        }
        if let Some(k) = other.constant {
            self.add(0, -k);
        }
        self
    }

    /// The constant of a combination without wires, if it has one.
    fn as_constant(&self) -> Option<F> {
        self.constant.filter(|_| self.terms.is_empty())
    }

    fn is_empty(&self) -> bool {
        self.terms.is_empty() && self.constant.is_none()
    }

    fn constant(&self) -> F {
        self.constant.unwrap_or(F::ZERO)
    }
}

impl<F: PrimeField> Gates<F> {
    /// Number of rows of the table.
    pub fn rows(&self) -> usize {
        self.columns[0].len()
    }

    fn row(&mut self, wires: [u32; 3], selectors: [F; 5]) {
        self.columns.iter_mut().zip(wires).for_each(|(column, wire)| column.push(wire));
        self.selectors.iter_mut().zip(selectors).for_each(|(column, q)| column.push(q));
    }

    fn constraint(&mut self, a: &Sum<F>, b: &Sum<F>, c: &Sum<F>, zeros: ZeroTerms) {
        if a.is_empty() || b.is_empty() {
            self.sum(c);
        } else if let Some(k) = a.as_constant() {
            self.sum(&b.scaled(k).minus(c).with(zeros));
        } else if let Some(k) = b.as_constant() {
            self.sum(&a.scaled(k).minus(c).with(zeros));
        } else {
            let (ka, kb, kc) = (a.constant(), b.constant(), c.constant());
            let [(a, qa)] = self.shortened(a);
            let [(b, qb)] = self.shortened(b);
            let [(c, qc)] = self.shortened(c);
            self.row([a, b, c], [qa * qb, qa * kb, ka * qb, -qc, ka * kb - kc]);
        }
    }

    /// Adds rows that constrain a combination to zero.
    fn sum(&mut self, sum: &Sum<F>) {
        let [(a, qa), (b, qb), (c, qc)] = self.shortened(sum);
        self.row([a, b, c], [F::ZERO, qa, qb, qc, sum.constant()]);
    }

    /// Shortens a combination, without its constant, to `N` terms of the same value; unused terms have wire 0 and the factor zero.
    fn shortened<const N: usize>(&mut self, sum: &Sum<F>) -> [(u32, F); N] {
        let mut terms: VecDeque<(u32, F)> = sum.terms.iter().map(|(wire, k)| (*wire, *k)).collect();
        while terms.len() > N
            && let (Some((left, left_factor)), Some((right, right_factor))) =
                (terms.pop_front(), terms.pop_front())
        {
            // If the number overflows, `gates` returns an error and does not use the table.
            let wire = self.wires as u32;
            self.wires += 1;
            self.row([left, right, wire], [F::ZERO, -left_factor, -right_factor, F::ONE, F::ZERO]);
            self.additions.push(Addition { left, right, left_factor, right_factor });
            terms.push_back((wire, F::ONE));
        }
        let mut terms = terms.into_iter();
        [(); N].map(|()| terms.next().unwrap_or((0, F::ZERO)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::r1cs::{Constraint, R1cs, Shape};
    use pairwright_curve::bn254::Fr;

    fn f(x: i64) -> Fr {
        let magnitude = Fr::from(x.unsigned_abs());
        if x < 0 { -magnitude } else { magnitude }
    }

    fn combination(terms: &[(u32, i64)]) -> Combination<Fr> {
        terms.iter().map(|(wire, k)| (*wire, f(*k))).collect()
    }

    type Terms<'a> = &'a [(u32, i64)];

    /// Checks the rows of Plonk's table, see [`expect_of`].
    #[track_caller]
    fn expect(
        a: Terms<'_>,
        b: Terms<'_>,
        c: Terms<'_>,
        rows: &[([u32; 3], [i64; 5])],
        additions: &[(u32, u32, i64, i64)],
    ) {
        expect_of(ZeroTerms::Kept, [a, b, c], rows, additions);
    }

    /// Checks the rows after those of public values, given as wires and selectors, and the additions.
    #[track_caller]
    fn expect_of(
        zeros: ZeroTerms,
        [a, b, c]: [Terms<'_>; 3],
        rows: &[([u32; 3], [i64; 5])],
        additions: &[(u32, u32, i64, i64)],
    ) {
        let shape = Shape { wires: 9, outputs: 1, public_inputs: 0, private_inputs: 0, constraints: 0 };
        let constraint = Constraint { a: combination(a), b: combination(b), c: combination(c) };
        let found = gates(&R1cs::new(shape, vec![constraint]).unwrap(), zeros).unwrap();
        let row = |i: usize| {
            ([0, 1, 2].map(|k| found.columns[k][i]), [0, 1, 2, 3, 4].map(|k: usize| found.selectors[k][i]))
        };
        assert_eq!(row(0), ([1, 0, 0], [0, 1, 0, 0, 0].map(f)));
        let expected: Vec<_> = rows.iter().map(|(wires, q)| (*wires, q.map(f))).collect();
        assert_eq!((1..found.rows()).map(row).collect::<Vec<_>>(), expected);
        let expected: Vec<_> = additions
            .iter()
            .map(|(left, right, x, y)| Addition {
                left: *left,
                right: *right,
                left_factor: f(*x),
                right_factor: f(*y),
            })
            .collect();
        assert_eq!(found.additions, expected);
        assert_eq!(found.wires, 9 + additions.len());
    }

    #[test]
    fn a_product_is_a_row() {
        // (2·x3 + 5)·(3·x2 + 7) = 4·x1 + 6.
        let row = ([3, 2, 1], [6, 14, 15, -4, 29]);
        expect(&[(3, 2), (0, 5)], &[(2, 3), (0, 7)], &[(1, 4), (0, 6)], &[row], &[]);
        expect(&[(3, 1)], &[(3, 1)], &[], &[([3, 3, 0], [1, 0, 0, 0, 0])], &[]);
    }

    #[test]
    fn a_constant_factor_makes_a_sum() {
        let row = ([1, 2, 0], [0, -4, 15, 0, 10 - 6]);
        expect(&[(0, 5)], &[(2, 3), (0, 2)], &[(1, 4), (0, 6)], &[row], &[]);
        expect(&[(2, 3), (0, 2)], &[(0, 5)], &[(1, 4), (0, 6)], &[row], &[]);
        // An empty factor is zero; a factor that is the constant zero is a constant.
        expect(&[], &[(2, 3)], &[(1, 4), (0, 6)], &[([1, 0, 0], [0, 4, 0, 0, 6])], &[]);
        expect(&[(2, 3)], &[], &[(1, 4)], &[([1, 0, 0], [0, 4, 0, 0, 0])], &[]);
        expect(&[(0, 0)], &[(2, 3)], &[(1, 4)], &[([1, 2, 0], [0, -4, 0, 0, 0])], &[]);
        expect(&[], &[], &[], &[([0, 0, 0], [0, 0, 0, 0, 0])], &[]);
    }

    #[test]
    fn terms_that_cancel_stay() {
        // 2·(x1 - x2) = 2·x1 - x3: snarkjs' row names all three wires.
        expect(&[(0, 2)], &[(1, 1), (2, -1)], &[(1, 2), (3, -1)], &[([1, 2, 3], [0, 0, -2, 1, 0])], &[]);
    }

    #[test]
    fn terms_that_are_zero_go_where_snarkjs_drops_them() {
        let dropped = |sides, rows: &[_]| expect_of(ZeroTerms::Dropped, sides, rows, &[]);
        let cancels: [Terms<'_>; 3] = [&[(0, 2)], &[(1, 1), (2, -1)], &[(1, 2), (3, -1)]];
        dropped(cancels, &[([2, 3, 0], [0, -2, 1, 0, 0])]);
        // A factor that is the constant zero is dropped, and so is one whose wires all have the coefficient zero.
        dropped([&[(0, 0)], &[(2, 3)], &[(1, 4)]], &[([1, 0, 0], [0, 4, 0, 0, 0])]);
        dropped([&[(5, 0)], &[(2, 3)], &[(1, 4), (6, 0)]], &[([1, 0, 0], [0, 4, 0, 0, 0])]);
        dropped([&[(3, 1), (4, 0)], &[(2, 3)], &[(1, 4)]], &[([3, 2, 1], [3, 0, 0, -4, 0])]);
    }

    #[test]
    fn long_combinations_are_shortened_from_the_front_in_the_order_of_wires() {
        let sum = [(6, 6), (2, 2), (4, 4), (3, 3), (5, 5), (0, 9)];
        let rows =
            [([2, 3, 9], [0, -2, -3, 1, 0]), ([4, 5, 10], [0, -4, -5, 1, 0]), ([6, 9, 10], [0, 6, 1, 1, 9])];
        expect(&[], &[], &sum, &rows, &[(2, 3, 2, 3), (4, 5, 4, 5)]);
        // In a product every combination is shortened to one wire: A first, then B, then C.
        let rows = [
            ([2, 3, 9], [0, -1, -2, 1, 0]),
            ([4, 9, 10], [0, -3, -1, 1, 0]),
            ([5, 6, 11], [0, -1, -1, 1, 0]),
            ([10, 7, 11], [8, 0, 0, -1, 0]),
        ];
        let additions = [(2, 3, 1, 2), (4, 9, 3, 1), (5, 6, 1, 1)];
        expect(&[(2, 1), (3, 2), (4, 3)], &[(7, 8)], &[(6, 1), (5, 1)], &rows, &additions);
    }

    #[test]
    fn terms_of_one_wire_add_up() {
        expect(&[(3, 1), (3, 1)], &[(3, 1)], &[(1, 1)], &[([3, 3, 1], [2, 0, 0, -1, 0])], &[]);
    }
}
