//! Multilinear polynomials by their values on the hypercube, and the plain tree operators that every other is judged
//! by. One thread, shortest form.
//!
//! A table of `2^μ` values is the multilinear extension of the function that has value `table[i]` at the corner whose
//! coordinates are the bits of `i`, the lowest first: `x_1` is bit 0. So the two halves of every even-odd pair differ in
//! `x_1`, and fixing `x_1` to `r_1` first combines neighbours, as in \[MTU\] Fig. 2.

use crate::Levels;
use pairwright_field::Field;

/// `eq(x, r) = ∏ (r_i·x_i + (1 - r_i)·(1 - x_i))` at every corner `x` (\[MTU\] §3.1.1, Build MLE): `2^μ` values, with one
/// product for each pair of them beyond the first (`2^μ - 2` in all), the other of a pair by a subtraction.
///
/// # Panics
/// If the table's size overflows the address space.
pub fn build_eq<F: Field>(r: &[F]) -> Vec<F> {
    let mut table = Vec::with_capacity(1 << r.len());
    table.push(F::ONE);
    // The last coordinate is the highest bit: from it on downward every node gives its two children, in order.
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

/// Fixes `x_1` of a table to `r`: half as many values, of the remaining coordinates.
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

/// Every inner node of the inverted tree over `leaves` in which a node is `combine` of its children.
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
