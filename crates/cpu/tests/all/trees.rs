//! Trees by both traversals and sumcheck rounds: values equal those of the reference implementation, and operation counts are exact.

use crate::tally::{self, Tally};
use ark_ff::PrimeField as _;
use ark_poly::{DenseMultilinearExtension, MultilinearExtension, Polynomial};
use pairwright_cpu::{Traversal, Trees, Vectors};
use pairwright_curve::bls12_381::{self, Fr};
use pairwright_curve::{bls12_377, bn254};
use pairwright_device::{Done, HashOp, OpCount, SumcheckOp, TreeOp};
use pairwright_field::{Field, PrimeField};
use pairwright_hash::{Compress, Digest, Poseidon, Sha3};
use pairwright_poly::{Buf, SumOfProducts, Term, mle};
use pairwright_testkit::conformance::Values;

/// The same values in arkworks.
fn to_ark(values: &[Fr]) -> Vec<ark_bls12_381::Fr> {
    let mut bytes = [0; 32];
    let value = |x: &Fr| {
        x.write_le(&mut bytes);
        ark_bls12_381::Fr::from_le_bytes_mod_order(&bytes)
    };
    values.iter().map(value).collect()
}

fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

/// Runs a check with both traversals on one, three and eight threads, with lanes and without.
fn everywhere(check: impl Fn(&Trees, &str) + Sync) {
    for threads in [1, 3, 8] {
        for order in [Traversal::Bfs, Traversal::Dfs] {
            for (lanes, trees) in
                [("", Trees::with(order)), (", no lanes", Trees::with(order).without_lanes())]
            {
                pool(threads).install(|| check(&trees, &format!("{order:?}, {threads} threads{lanes}")));
            }
        }
    }
}

/// Base-2 logarithms of sizes: below, at and above one subtree, several subtrees per thread, and two cuts above each other.
const SIZES: [u32; 9] = [0, 1, 2, 5, 9, 10, 12, 15, 17];

/// Build MLE with two products for every pair of nodes, `2^(μ+1) - 4` in all, as in the trees of \[MTU\] §3.1.1; the operator
/// takes `2^μ - 2`.
fn build_eq_by_two_products<F: PrimeField>(r: &[F]) -> Vec<F> {
    let Some((last, rest)) = r.split_last() else { return vec![F::ONE] };
    rest.iter().rev().fold(vec![F::ONE - *last, *last], |nodes, r| {
        let factors = [F::ONE - *r, *r];
        nodes.iter().flat_map(|parent| factors.map(|factor| factor * *parent)).collect()
    })
}

fn field_trees<F: PrimeField>(sizes: &[u32]) {
    for log in sizes.iter().copied() {
        let mut values = Values::<F>::new(u64::from(log));
        let (mut table, mut r) = (values.take_buf(1 << log), values.take_buf(log as usize));
        // Coordinates of corners too.
        r.iter_mut().skip(log as usize / 2).zip([F::ONE, F::ZERO, -F::ONE]).for_each(|(r, x)| *r = x);
        if log > 4 {
            greatest(&mut table[3..20]);
        }
        let (eq, value) = (mle::build_eq(&r), mle::mle_eval(&table, &r));
        assert!(*build_eq_by_two_products(&r) == *eq, "the longer build_eq of {log}");
        let products = mle::product_tree(&table);
        everywhere(|trees, what| {
            assert!(*trees.build_eq(&r).unwrap().0 == eq, "build_eq of {log}, {what}");
            assert!(trees.mle_eval(table.view(), &r).unwrap().0 == value, "mle_eval of {log}, {what}");
            assert!(trees.product_tree(table.view()).unwrap().0 == products, "product_tree of {log}, {what}");
            let root = products.root().copied().unwrap_or(table[0]);
            assert!(trees.product(table.view()).unwrap().0 == root, "product of {log}, {what}");
        });
    }
}

/// The greatest limbs that are below the modulus, and zeros between.
fn greatest<F: PrimeField>(values: &mut [F]) {
    let mut top = F::MODULUS;
    top.as_mut()[0] -= 1;
    let top = F::from_montgomery(top).unwrap();
    values.iter_mut().enumerate().for_each(|(i, x)| *x = if i % 3 == 2 { F::ZERO } else { top });
}

#[test]
fn field_trees_are_the_plain_ones() {
    field_trees::<bls12_381::Fr>(&SIZES);
    field_trees::<bn254::Fr>(&[4, 10, 11]);
    field_trees::<bls12_377::Fr>(&[4, 10, 11]);
    field_trees::<bn254::Fq>(&[4, 10]);
}

#[test]
fn multilinear_extensions_are_those_of_arkworks() {
    for log in [1usize, 3, 6, 11] {
        let mut values = Values::<Fr>::new(40 + log as u64);
        let (table, r) = (values.take_buf(1 << log), values.take_buf(log));
        let theirs = |values: &[Fr]| DenseMultilinearExtension::from_evaluations_vec(log, to_ark(values));
        let (extension, at) = (theirs(&table), to_ark(&r));
        let trees = Trees::default();
        let value = trees.mle_eval(table.view(), &r).unwrap().0;
        assert_eq!(to_ark(&[value]), [extension.evaluate(&at)]);
        // Each entry of the table of eq is the value of the extension that is one at that corner and zero at the others.
        if log < 7 {
            let eq = to_ark(&trees.build_eq(&r).unwrap().0);
            for (corner, eq) in eq.iter().enumerate() {
                let mut indicator = vec![Fr::ZERO; 1 << log];
                indicator[corner] = Fr::ONE;
                assert_eq!(*eq, theirs(&indicator).evaluate(&at), "corner {corner}");
            }
        }
        let mut bound = [table];
        Vectors::default().bind(&mut bound, &r[0]).unwrap();
        assert_eq!(to_ark(&bound[0]), extension.fix_variables(&at[..1]).evaluations);
    }
}

#[test]
fn hash_trees_are_the_plain_ones() {
    for log in [0, 1, 3, 4, 7, 11, 14] {
        let leaves: Buf<Digest> = (0..1u32 << log).map(|i| Sha3::leaf(&i.to_le_bytes())).collect();
        let levels = mle::reduce(&leaves, |a, b| Sha3.compress(a, b));
        everywhere(|trees, what| {
            let root = TreeOp::<Fr>::sha3_root(trees, leaves.view()).unwrap().0;
            assert!(root == *levels.root().unwrap_or(&leaves[0]), "root of {log}, {what}");
            assert!(
                TreeOp::<Fr>::sha3_tree(trees, leaves.view()).unwrap().0 == levels,
                "tree of {log}, {what}"
            );
        });
    }
}

#[test]
fn trees_of_poseidon_are_the_plain_ones() {
    fn over<F: PrimeField>(sizes: &[usize]) {
        let hash = Poseidon::<F>::new();
        for log in sizes {
            let mut leaves = Values::<F>::new(40).take_buf(1 << log);
            if *log > 4 {
                greatest(&mut leaves[3..20]);
            }
            let levels = mle::reduce(&leaves, |a, b| hash.compress(a, b));
            everywhere(|trees, what| {
                let root = trees.poseidon_root(&hash, leaves.view()).unwrap().0;
                assert!(root == *levels.root().unwrap_or(&leaves[0]), "root of {log}, {what}");
                let tree = trees.poseidon_tree(&hash, leaves.view()).unwrap().0;
                assert!(tree == levels, "tree of {log}, {what}");
            });
        }
    }
    over::<bn254::Fr>(&[0, 1, 3, 5, 7, 9]);
    over::<bls12_381::Fr>(&[4, 8]);
    over::<bls12_377::Fr>(&[4, 6]);
}

/// Compares the operation counts of a cost with the operations executed; returns the number of products.
fn counted<T>(what: &str, run: impl FnOnce() -> Done<T>) -> u64 {
    tally::reset();
    let OpCount { field_mul, field_add, .. } = run().unwrap().1.ops;
    assert_eq!((field_mul, field_add), tally::read(), "{what}");
    field_mul
}

#[test]
fn accounts_are_exact() {
    pool(1).install(|| {
        for order in [Traversal::Bfs, Traversal::Dfs] {
            let (trees, hash) = (Trees::with(order), Poseidon::new());
            for log in [0, 1, 2, 7, 13] {
                let n = 1u64 << log;
                let (table, r) = (Values::<Tally<Fr>>::new(1).take_buf(1 << log), vec![Tally::from(7); log]);
                assert_eq!(counted("mle_eval", || trees.mle_eval(table.view(), &r)), n - 1);
                assert_eq!(counted("product", || trees.product(table.view())), n - 1);
                assert_eq!(counted("product_tree", || trees.product_tree(table.view())), n - 1);
                assert_eq!(counted("build_eq", || trees.build_eq(&r)), n.saturating_sub(2));
                if log < 8 {
                    let products = counted("poseidon_root", || trees.poseidon_root(&hash, table.view()));
                    assert_eq!(products, 510 * (n - 1));
                }
                tally::reset();
                build_eq_by_two_products(&r);
                assert_eq!(tally::read().0, (2 * n).saturating_sub(4), "as in the paper");
            }
        }
    });
}

/// A sum with terms of no, one, two and four tables, where one table occurs twice in a term.
fn mixed<F: PrimeField>() -> SumOfProducts<F> {
    let terms: [(u64, &[usize]); 4] = [(3, &[]), (5, &[2]), (1, &[0, 1]), (7, &[1, 3, 0, 1])];
    let term = |(c, tables): (u64, &[usize])| Term { coefficient: -F::from(c), tables: tables.to_vec() };
    SumOfProducts { terms: terms.into_iter().map(term).collect() }
}

fn sums<F: PrimeField>() -> Vec<SumOfProducts<F>> {
    vec![SumOfProducts::product(3), SumOfProducts::product(1), mixed(), SumOfProducts { terms: Vec::new() }]
}

fn rounds<F: PrimeField>(log: u32, threads: usize) {
    let mut values = Values::<F>::new(u64::from(log));
    let mut tables: Vec<Buf<F>> = (0..5).map(|_| values.take_buf(1 << log)).collect();
    if log > 4 {
        tables.iter_mut().for_each(|table| greatest(&mut table[1..12]));
    }
    let r = values.next().unwrap();
    // The highest degree that lanes take, and one more.
    let powers = [8, 9].map(|n| SumOfProducts {
        terms: vec![Term { coefficient: r, tables: (0..n).map(|i| i % 5).collect() }],
    });
    pool(threads).install(|| {
        for op in [Vectors::default(), Vectors::without_lanes()] {
            for sum in sums().iter().chain(&powers) {
                assert_eq!(op.round(sum, &tables).unwrap().0, sum.round(&tables), "a round of {log}");
            }
            for r in [F::ZERO, F::ONE, -F::ONE, r] {
                let mut ours = tables.clone();
                op.bind(&mut ours, &r).unwrap();
                for (ours, table) in ours.iter().zip(&tables) {
                    let mut plain = table.to_vec();
                    mle::bind(&mut plain, r);
                    assert!(**ours == plain, "binding {log} to {r}");
                }
            }
        }
    });
}

#[test]
fn sumcheck_rounds_are_the_plain_ones() {
    for (log, threads) in [(1, 3), (4, 1), (5, 2), (11, 3), (12, 2), (13, 8)] {
        rounds::<bls12_381::Fr>(log, threads);
    }
    rounds::<bn254::Fr>(6, 2);
    rounds::<bls12_377::Fr>(6, 2);
    rounds::<bn254::Fq>(6, 2);
}

#[test]
fn accounts_of_sumchecks_are_exact() {
    pool(1).install(|| {
        let tables: Vec<Buf<Tally<Fr>>> = (0..4).map(|i| Values::new(i).take_buf(1 << 12)).collect();
        for sum in sums() {
            counted("round", || Vectors::default().round(&sum, &tables));
        }
        // Three tables, two products at four points for each pair, and a coefficient at each.
        let three = counted("round", || Vectors::default().round(&SumOfProducts::product(3), &tables));
        assert_eq!(three, 8 * (1 << 11) + 4);
        counted("bind", || Vectors::default().bind(&mut tables.clone(), &Tally::from(9)));
    });
}
