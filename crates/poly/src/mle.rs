//! Multilinear polynomials given by their values on the hypercube, and the reference implementations of the tree operators, in
//! their shortest form on one thread.
//!
//! A table of `2^μ` values represents the multilinear extension of the function that has value `table[i]` at the corner whose
//! coordinates are the bits of `i`, lowest bit first: `x_1` is bit 0. So the two entries of every even-odd pair differ in
//! `x_1`, and fixing `x_1` to `r_1` combines neighbours, as in \[MTU\] Fig. 2.

use crate::Levels;
use alloc::vec::Vec;
use pairwright_field::Field;

/// `eq(x, r) = ∏ (r_i·x_i + (1 - r_i)·(1 - x_i))` at every corner `x` (\[MTU\] §3.1.1, Build MLE): `2^μ` values, with one
/// product for each pair of them beyond the first (`2^μ - 2` in all), the other of a pair by a subtraction.
///
/// # Panics
/// If the table's size overflows the address space.
pub fn build_eq<F: Field>(r: &[F]) -> Vec<F> {
    let mut table = Vec::with_capacity(1 << r.len());
    table.push(F::ONE);
    // Starting from the last coordinate, which is the highest bit, every node is replaced by its two children, in order.
    for (level, r) in r.iter().rev().enumerate() {
        table = table
            .into_iter()
            .flat_map(|parent| {
                let one = if level == 0 { *r } else { parent * *r };
                [parent - one, one]
            })
            .collect();
    }
    table
}

/// The value at `r` of the multilinear extension of `table` (\[MTU\] §3.1.2): `f_0 + r·(f_1 - f_0)` for each pair, `2^μ - 1`
/// products.
///
/// # Panics
/// If the table has not `2^μ` values for `μ` coordinates.
pub fn mle_eval<F: Field>(table: &[F], r: &[F]) -> F {
    assert_eq!(Some(table.len()), 1usize.checked_shl(r.len() as u32), "a value for each corner");
    let mut level = table.to_vec();
    for r in r {
        level = level.chunks_exact(2).map(|f| f[0] + *r * (f[1] - f[0])).collect();
    }
    level[0]
}

/// Fixes `x_1` of a table to `r`, which leaves half as many values, in the remaining coordinates.
///
/// # Panics
/// On an odd number of values.
pub fn bind<F: Field>(table: &mut Vec<F>, r: F) {
    assert!(table.len().is_multiple_of(2), "an even number of values");
    for i in 0..table.len() / 2 {
        table[i] = table[2 * i] + r * (table[2 * i + 1] - table[2 * i]);
    }
    table.truncate(table.len() / 2);
}

/// Every inner node of the binary tree over `leaves` in which a node is `combine` of its children.
///
/// # Panics
/// Unless the number of leaves is a power of two.
pub fn reduce<T: Copy>(leaves: &[T], mut combine: impl FnMut(&T, &T) -> T) -> Levels<T> {
    assert!(leaves.len().is_power_of_two(), "a power of two");
    let mut nodes: Vec<T> = Vec::with_capacity(leaves.len() - 1);
    let (mut from, mut len) = (None, leaves.len());
    while len > 1 {
        let start = nodes.len();
        for i in 0..len / 2 {
            let below = from.map_or(leaves, |from: usize| &nodes[from..from + len]);
            let node = combine(&below[2 * i], &below[2 * i + 1]);
            nodes.push(node);
        }
        (from, len) = (Some(start), len / 2);
    }
    Levels::new(nodes).expect("one node less than leaves")
}

/// The multiplication tree with every level (\[MTU\] §3.1.4, Product MLE): `2^μ - 1` products.
///
/// # Panics
/// Unless the number of leaves is a power of two.
pub fn product_tree<F: Field>(leaves: &[F]) -> Levels<F> {
    reduce(leaves, |a, b| *a * *b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::bls12_381::Fr;

    /// Elements whose values are not small integers.
    fn values(seed: u64, n: usize) -> Vec<Fr> {
        let next = |x: &Fr| Some(*x * *x + Fr::ONE);
        std::iter::successors(Some(Fr::from(seed).pow_vartime(&[99_991])), next).take(n).collect()
    }

    #[test]
    fn the_equality_table_is_its_definition() {
        for variables in 0..=5 {
            let mut r = values(3, variables);
            r.iter_mut().zip([Fr::ZERO, Fr::ONE]).for_each(|(r, x)| *r = x);
            for r in [r, values(4, variables)] {
                let table = build_eq(&r);
                assert_eq!(table.len(), 1 << variables);
                for (corner, eq) in table.iter().enumerate() {
                    let factor = |(i, r): (usize, &Fr)| if corner >> i & 1 == 1 { *r } else { Fr::ONE - *r };
                    assert_eq!(*eq, r.iter().enumerate().map(factor).fold(Fr::ONE, |p, x| p * x));
                }
                assert_eq!(table.into_iter().fold(Fr::ZERO, |sum, x| sum + x), Fr::ONE);
            }
        }
    }

    #[test]
    fn evaluation_is_the_sum_against_the_equality_table() {
        for variables in 0..=5 {
            let (table, r) = (values(5, 1 << variables), values(6, variables));
            let sum = build_eq(&r).iter().zip(&table).fold(Fr::ZERO, |sum, (eq, f)| sum + *eq * *f);
            assert_eq!(mle_eval(&table, &r), sum);
            for (corner, value) in table.iter().enumerate() {
                let bits: Vec<Fr> = (0..variables).map(|i| Fr::from((corner >> i & 1) as u64)).collect();
                assert_eq!(mle_eval(&table, &bits), *value, "x_1 is bit 0");
            }
        }
    }

    #[test]
    fn binding_fixes_the_first_variable() {
        let (table, r) = (values(7, 32), values(8, 5));
        let mut rest = table.clone();
        for (done, coordinate) in r.iter().enumerate() {
            bind(&mut rest, *coordinate);
            assert_eq!(rest.len(), 16 >> done);
            assert_eq!(mle_eval(&rest, &r[done + 1..]), mle_eval(&table, &r));
        }
    }

    #[test]
    fn nodes_are_over_neighbours_in_order() {
        // Each node is represented by the range of its leaves.
        let leaves: Vec<(u32, u32)> = (0..8).map(|i| (i, i + 1)).collect();
        let levels = reduce(&leaves, |a, b| {
            assert_eq!(a.1, b.0);
            (a.0, b.1)
        });
        assert_eq!(levels.level(2), [(0, 2), (2, 4), (4, 6), (6, 8)]);
        assert_eq!((levels.level(3), levels.root()), (&[(0, 4), (4, 8)][..], Some(&(0, 8))));
        let factors = values(9, 8);
        let product = factors.iter().fold(Fr::ONE, |product, x| product * *x);
        assert_eq!(product_tree(&factors).root(), Some(&product));
        assert_eq!(product_tree(&factors[..1]).root(), None);
    }

    #[test]
    #[should_panic(expected = "a power of two")]
    fn three_leaves_are_no_tree() {
        reduce(&[1, 2, 3], |a, b| a + b);
    }

    #[test]
    #[should_panic(expected = "a value for each corner")]
    fn a_table_has_a_value_for_each_corner() {
        mle_eval(&values(1, 3), &values(1, 2));
    }

    #[test]
    #[should_panic(expected = "an even number of values")]
    fn a_table_of_one_value_has_no_variable() {
        bind(&mut values(1, 1), Fr::ONE);
    }
}
