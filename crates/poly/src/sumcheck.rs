//! What a sumcheck sums: products of multilinear tables, and the plain operators of its rounds.

use crate::mle;
use pairwright_field::Field;

/// One term: a coefficient times a product of tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term<F> {
    /// The coefficient.
    pub coefficient: F,
    /// Which tables are multiplied; a table may occur more than once.
    pub tables: Vec<usize>,
}

/// A polynomial in multilinear tables: a sum of products, `Σ_t c_t·∏_{k in t} table_k(x)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SumOfProducts<F> {
    /// The terms.
    pub terms: Vec<Term<F>>,
}

impl<F: Field> SumOfProducts<F> {
    /// The product of the first `n` tables.
    pub fn product(n: usize) -> Self {
        Self { terms: vec![Term { coefficient: F::ONE, tables: (0..n).collect() }] }
    }

    /// The degree in each variable: the most tables in a term.
    pub fn degree(&self) -> usize {
        self.terms.iter().map(|t| t.tables.len()).max().unwrap_or(0)
    }

    /// How many tables there must be: one more than the highest index.
    pub fn tables(&self) -> usize {
        self.terms.iter().flat_map(|t| &t.tables).map(|k| k + 1).max().unwrap_or(0)
    }

    /// The value where the tables have these values.
    ///
    /// # Panics
    /// With fewer values than [`SumOfProducts::tables`].
    pub fn at(&self, values: &[F]) -> F {
        let term = |t: &Term<F>| t.tables.iter().fold(t.coefficient, |product, k| product * values[*k]);
        self.terms.iter().map(term).fold(F::ZERO, |sum, x| sum + x)
    }

    /// The sum over all corners.
    ///
    /// # Panics
    /// With fewer tables than [`SumOfProducts::tables`], or of different lengths.
    pub fn sum<T: AsRef<[F]>>(&self, tables: &[T]) -> F {
        let len = tables.first().map_or(0, |t| t.as_ref().len());
        let corner = |i: usize| self.at(&tables.iter().map(|t| t.as_ref()[i]).collect::<Vec<_>>());
        (0..len).map(corner).fold(F::ZERO, |sum, x| sum + x)
    }

    /// The polynomial of a round by its values at 0, 1, …, [`degree`](Self::degree): the sum over all corners of the
    /// variables but the first, as a function of the first.
    ///
    /// # Panics
    /// As [`SumOfProducts::sum`], and on tables of one value, which have no variable left.
    pub fn round<T: AsRef<[F]>>(&self, tables: &[T]) -> Vec<F> {
        let pairs = tables.first().map_or(0, |t| t.as_ref().len()) / 2;
        let mut sums = vec![F::ZERO; self.degree() + 1];
        for i in 0..pairs {
            let ends = tables.iter().map(|t| (t.as_ref()[2 * i], t.as_ref()[2 * i + 1]));
            let (mut values, steps): (Vec<F>, Vec<F>) = ends.map(|(f0, f1)| (f0, f1 - f0)).unzip();
            for sum in &mut sums {
                *sum += self.at(&values);
                values.iter_mut().zip(&steps).for_each(|(value, step)| *value += *step);
            }
        }
        sums
    }
}

/// Fixes the first variable of every table.
///
/// # Panics
/// As [`mle::bind`].
pub fn bind<F: Field>(tables: &mut [Vec<F>], r: F) {
    tables.iter_mut().for_each(|table| mle::bind(table, r));
}
