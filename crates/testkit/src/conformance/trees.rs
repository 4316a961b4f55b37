//! Cases of trees: sizes from a single leaf on, compared with the reference, and operands that are refused.

use super::{Values, accept, refuse_leaves, refuse_lengths};
use core::fmt::Debug;
use pairwright_device::{DeviceError, Done, HashOp, TreeOp};
use pairwright_field::PrimeField;
use pairwright_hash::{Digest, Poseidon, Sha3};
use pairwright_poly::{Buf, View};

/// Base-2 logarithms of the sizes of trees.
const LOGS: [u32; 8] = [0, 1, 2, 3, 4, 5, 8, 11];

/// Base-2 logarithms of the sizes of Poseidon trees, a node of which takes hundreds of products.
const HASHED: [u32; 3] = [0, 1, 3];

/// The part of the suite about trees.
///
/// # Panics
/// As [`super::device`].
pub fn trees<F: PrimeField>(fast: &dyn TreeOp<F>, judge: &dyn TreeOp<F>) {
    build_eq(fast, judge);
    mle_eval(fast, judge);
    product(fast, judge);
    product_tree(fast, judge);
    sha3_root(fast, judge);
    sha3_tree(fast, judge);
}

/// The part of the suite about hashes of field elements.
///
/// # Panics
/// As [`super::device`].
pub fn hashes<F: PrimeField>(fast: &dyn HashOp<F>, judge: &dyn HashOp<F>) {
    poseidon_root(fast, judge);
    poseidon_tree(fast, judge);
}

/// A point whose coordinates are not small, and a point with coordinates 0, 1 and -1.
fn points<F: PrimeField>(values: &mut Values<F>, log: u32) -> [(&'static str, Buf<F>); 2] {
    let corner = [F::ZERO, F::ONE, -F::ONE].into_iter().cycle().take(log as usize).collect();
    [("uniform", values.take_buf(log as usize)), ("a corner", corner)]
}

pub(super) fn build_eq<F: PrimeField>(fast: &dyn TreeOp<F>, judge: &dyn TreeOp<F>) {
    for log in LOGS {
        for (r_is, r) in points(&mut Values::new(20 + u64::from(log)), log) {
            let got = accept("build_eq", fast.build_eq(&r));
            assert!(got == accept("build_eq", judge.build_eq(&r)), "build_eq of {log} coordinates, {r_is}");
        }
    }
    let many = fast.build_eq(&[F::ONE; 1000]);
    assert!(matches!(many, Err(DeviceError::TooLarge { .. })), "a table beyond all memory is refused");
}

pub(super) fn mle_eval<F: PrimeField>(fast: &dyn TreeOp<F>, judge: &dyn TreeOp<F>) {
    for log in LOGS {
        let mut values = Values::new(20 + u64::from(log));
        let table = values.take_buf(1 << log);
        for (r_is, r) in points(&mut values, log) {
            let got = accept("mle_eval", fast.mle_eval(table.view(), &r));
            let want = accept("mle_eval", judge.mle_eval(table.view(), &r));
            assert!(got == want, "mle_eval of {log} coordinates, {r_is}");
            refuse_lengths(fast.mle_eval(values.take_buf((1 << log) + 1).view(), &r));
        }
    }
}

/// Tests an operator over leaves: on whole buffers, on a part of one, and on numbers of leaves that it must refuse.
fn over_leaves<T: Clone, R: PartialEq + Debug>(
    op: &str,
    sizes: &[u32],
    leaves: impl Fn(usize) -> Buf<T>,
    fast: impl Fn(View<'_, T>) -> Done<R>,
    judge: impl Fn(View<'_, T>) -> Done<R>,
) {
    for log in sizes {
        let leaves = leaves(1 << log);
        let got = accept(op, fast(leaves.view()));
        assert!(got == accept(op, judge(leaves.view())), "{op} of 2^{log}");
    }
    let leaves = leaves(40);
    let part = accept(op, fast(leaves.slice(5..37)));
    assert!(part == accept(op, judge(leaves.slice(5..37))), "{op} of a part of a buffer");
    for n in [0, 3, 40] {
        refuse_leaves(fast(leaves.slice(..n)), n);
    }
}

fn elements<F: PrimeField>(n: usize) -> Buf<F> {
    Values::new(30 + n as u64).take_buf(n)
}

fn elements_with_zero<F: PrimeField>(n: usize) -> Buf<F> {
    let mut elements = elements::<F>(n);
    elements[n / 2] = F::ZERO;
    elements
}

fn digests(n: usize) -> Buf<Digest> {
    (0..n as u32).map(|i| Sha3::leaf(&i.to_le_bytes())).collect()
}

pub(super) fn product<F: PrimeField>(fast: &dyn TreeOp<F>, judge: &dyn TreeOp<F>) {
    for leaves in [elements, elements_with_zero] {
        over_leaves("product", &LOGS, leaves, |l| fast.product(l), |l| judge.product(l));
    }
}

pub(super) fn product_tree<F: PrimeField>(fast: &dyn TreeOp<F>, judge: &dyn TreeOp<F>) {
    for leaves in [elements, elements_with_zero] {
        over_leaves("product_tree", &LOGS, leaves, |l| fast.product_tree(l), |l| judge.product_tree(l));
    }
}

pub(super) fn sha3_root<F: PrimeField>(fast: &dyn TreeOp<F>, judge: &dyn TreeOp<F>) {
    over_leaves("sha3_root", &LOGS, digests, |l| fast.sha3_root(l), |l| judge.sha3_root(l));
}

pub(super) fn sha3_tree<F: PrimeField>(fast: &dyn TreeOp<F>, judge: &dyn TreeOp<F>) {
    over_leaves("sha3_tree", &LOGS, digests, |l| fast.sha3_tree(l), |l| judge.sha3_tree(l));
}

pub(super) fn poseidon_root<F: PrimeField>(fast: &dyn HashOp<F>, judge: &dyn HashOp<F>) {
    let hash = Poseidon::new();
    let op = "poseidon_root";
    over_leaves(op, &HASHED, elements, |l| fast.poseidon_root(&hash, l), |l| judge.poseidon_root(&hash, l));
}

pub(super) fn poseidon_tree<F: PrimeField>(fast: &dyn HashOp<F>, judge: &dyn HashOp<F>) {
    let hash = Poseidon::new();
    let op = "poseidon_tree";
    over_leaves(
        op,
        &HASHED,
        elements_with_zero,
        |l| fast.poseidon_tree(&hash, l),
        |l| judge.poseidon_tree(&hash, l),
    );
}
