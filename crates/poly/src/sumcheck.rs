//! Sums of products of multilinear tables, which sumchecks add over the hypercube, and the reference implementations of the
//! operators of their rounds.

use crate::mle;
use alloc::vec;
use alloc::vec::Vec;
use pairwright_field::Field;

/// A term of a [`SumOfProducts`]: a coefficient times a product of tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term<F> {
    /// Factor of the product, an element of the field.
    pub coefficient: F,
    /// Indices of the tables that are multiplied; a table may occur more than once.
    pub tables: Vec<usize>,
}

/// A polynomial in multilinear tables: a sum of products, `Σ_t c_t·∏_{k in t} table_k(x)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SumOfProducts<F> {
    /// The products that are added.
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

    /// Number of tables that the sum needs: one more than the highest index.
    pub fn tables(&self) -> usize {
        self.terms.iter().flat_map(|t| &t.tables).map(|k| k + 1).max().unwrap_or(0)
    }

    /// The value of the sum for these values of the tables.
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

    /// The round polynomial, as its values at 0, 1, …, [`degree`](Self::degree): the sum over all corners of the other variables
    /// as a polynomial in the first variable.
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

/// Fixes the first variable of every table to `r`.
///
/// # Panics
/// As [`mle::bind`].
pub fn bind<F: Field>(tables: &mut [Vec<F>], r: F) {
    tables.iter_mut().for_each(|table| mle::bind(table, r));
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::bls12_381::Fr;

    fn tables(variables: u32) -> Vec<Vec<Fr>> {
        let next = |x: &Fr| Some(*x * *x + Fr::ONE);
        let mut values = std::iter::successors(Some(Fr::from(3).pow_vartime(&[99_991])), next);
        (0..3).map(|_| values.by_ref().take(1 << variables).collect()).collect()
    }

    /// `5·a·b·c - a² + 7`.
    fn mixed() -> SumOfProducts<Fr> {
        let term = |coefficient, tables: &[usize]| Term { coefficient, tables: tables.to_vec() };
        SumOfProducts {
            terms: vec![term(Fr::from(5), &[0, 1, 2]), term(-Fr::ONE, &[0, 0]), term(Fr::from(7), &[])],
        }
    }

    #[test]
    fn a_sum_of_products_knows_its_shape() {
        let sum = mixed();
        assert_eq!((sum.degree(), sum.tables()), (3, 3));
        assert_eq!(sum.at(&[2, 3, 4].map(Fr::from)), Fr::from(5 * 24 - 4 + 7));
        let none = SumOfProducts::<Fr> { terms: Vec::new() };
        assert_eq!((none.degree(), none.tables(), none.round(&tables(2))), (0, 0, vec![Fr::ZERO]));
    }

    /// A round's value at `t` is the sum over the tables with their first variable fixed to `t`.
    #[test]
    fn a_round_is_the_sum_over_bound_tables() {
        for variables in 1..=4 {
            let tables = tables(variables);
            for sum in [mixed(), SumOfProducts::product(3), SumOfProducts::product(1)] {
                let round = sum.round(&tables);
                assert_eq!(round.len(), sum.degree() + 1);
                for (t, value) in round.iter().enumerate() {
                    let mut bound = tables.clone();
                    bind(&mut bound, Fr::from(t as u64));
                    assert_eq!(*value, sum.sum(&bound), "{variables} variables at {t}");
                }
                assert_eq!(round[0] + round[1], sum.sum(&tables));
            }
        }
    }
}
