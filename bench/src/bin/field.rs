//! Field arithmetic: independent products in the first-level cache, a chain of dependent products, squares, inverses.

use pairwright_bench::{Options, Pair, Row, Table, bridge, take_turns};
use pairwright_curve::{bls12_377, bls12_381, bn254};
use pairwright_field::{Extension, Ring};
use std::time::Duration;

const BUDGET: Duration = Duration::from_millis(400);
/// Number of independent values.
const LANES: usize = 32;
/// Number of operations per run.
const RUN: usize = 1 << 16;

/// Multiplies `LANES` independent values repeatedly.
fn products<T: Copy + std::ops::Mul<Output = T>>((mut lanes, factor): ([T; LANES], T)) -> [T; LANES] {
    for _ in 0..RUN / LANES {
        lanes.iter_mut().for_each(|x| *x = *x * factor);
    }
    lanes
}

fn each<T: Copy>(mut lanes: [T; LANES], step: impl Fn(T) -> T) -> [T; LANES] {
    for _ in 0..RUN / LANES {
        lanes.iter_mut().for_each(|x| *x = step(*x));
    }
    lanes
}

fn chain<T: Copy>(mut x: T, n: usize, step: impl Fn(T) -> T) -> T {
    for _ in 0..n {
        x = step(x);
    }
    x
}

fn against_arkworks<F: Extension, A: ark_ff::Field>(name: &str, options: &Options, table: &mut Table) {
    if !options.wants(name) {
        return;
    }
    let mut rng = bridge::rng(9);
    let ours: [F; LANES] = std::array::from_fn(|_| F::random(&mut rng));
    let (theirs, factor): ([A; LANES], F) = (ours.map(|x| bridge::to_ark(&x)), F::random(&mut rng));
    let ark_factor: A = bridge::to_ark(&factor);
    let mut row = |what: &str, per: usize, pair: Pair| {
        table.push(Row::new(format!("{name} {what}"), "1", 1, "arkworks", &pair, per));
    };

    let same = products((ours, factor)).map(|x| bridge::to_ark::<F, A>(&x)) == products((theirs, ark_factor));
    assert!(same, "the same products");
    let pair = take_turns(BUDGET, || (ours, factor), products, || (theirs, ark_factor), products);
    row("mul, independent", RUN, pair);

    let (a, b) = (|x: F| x * factor, |x: A| x * ark_factor);
    row(
        "mul, dependent",
        RUN,
        take_turns(BUDGET, || ours[0], |x| chain(x, RUN, a), || theirs[0], |x| chain(x, RUN, b)),
    );

    let (a, b) = (|x: F| Ring::square(x), |x: A| x.square());
    assert!(bridge::to_ark::<F, A>(&a(ours[1])) == b(theirs[1]), "the same square");
    row("square, independent", RUN, take_turns(BUDGET, || ours, |x| each(x, a), || theirs, |x| each(x, b)));

    let (a, b) = (|x: F| x + factor, |x: A| x + ark_factor);
    assert!(bridge::to_ark::<F, A>(&a(ours[1])) == b(theirs[1]), "the same sum");
    row("add, independent", RUN, take_turns(BUDGET, || ours, |x| each(x, a), || theirs, |x| each(x, b)));

    let n = RUN / 256;
    let a = |x: F| x.invert().expect("not zero") + factor;
    let b = |x: A| x.inverse().expect("not zero") + ark_factor;
    assert!(bridge::to_ark::<F, A>(&a(ours[1])) == b(theirs[1]), "the same inverse");
    row(
        "inverse (ours in constant time)",
        n,
        take_turns(BUDGET, || ours[0], |x| chain(x, n, a), || theirs[0], |x| chain(x, n, b)),
    );
}

fn main() {
    Table::of("field", |options, table| {
        against_arkworks::<bn254::Fr, ark_bn254::Fr>("BN254 Fr", options, table);
        against_arkworks::<bn254::Fq, ark_bn254::Fq>("BN254 Fq", options, table);
        against_arkworks::<bn254::Fq2, ark_bn254::Fq2>("BN254 Fq2", options, table);
        against_arkworks::<bn254::Fq12, ark_bn254::Fq12>("BN254 Fq12", options, table);
        against_arkworks::<bls12_381::Fr, ark_bls12_381::Fr>("BLS12-381 Fr", options, table);
        against_arkworks::<bls12_381::Fq, ark_bls12_381::Fq>("BLS12-381 Fq", options, table);
        against_arkworks::<bls12_381::Fq2, ark_bls12_381::Fq2>("BLS12-381 Fq2", options, table);
        against_arkworks::<bls12_381::Fq12, ark_bls12_381::Fq12>("BLS12-381 Fq12", options, table);
        against_arkworks::<bls12_377::Fr, ark_bls12_377::Fr>("BLS12-377 Fr", options, table);
        against_arkworks::<bls12_377::Fq, ark_bls12_377::Fq>("BLS12-377 Fq", options, table);
    });
}
