//! Device programs over tables of elements: levels of trees, the variables of multilinear extensions, rounds of sumchecks.
//!
//! A table of `2^v` values belongs to the corners of a hypercube, and a pair of neighbours differs in the first variable.
//! One thread has a pair, or several of a round.

use super::lang::{
    Access, ArrayKernel, Body, Buffer, BufferKind, Element, ElementPlace, Ix, Launch, Reg, Role,
};

/// Threads of a block.
const THREADS: u32 = 128;

/// Elements that a thread of [`sums`] adds up.
pub const SUMMED: u64 = 8;

fn buffer(name: &'static str, access: Access, kind: BufferKind) -> Buffer {
    Buffer { name, access, kind }
}

/// A program of one thread for each of `n`, its first scalar.
pub(super) fn for_each(
    name: &str,
    about: &str,
    element: Element,
    operands: &[(&'static str, BufferKind)],
    registers: usize,
    write: impl FnOnce(&mut Body, Ix),
) -> ArrayKernel {
    let mut body = Body::default();
    let i = body.let_(Ix::Block * u64::from(THREADS) + Ix::Thread);
    body.when(i.clone(), Ix::Scalar(0), |body| write(body, i));
    let mut buffers = vec![buffer("out", Access::Write, BufferKind::Elements)];
    buffers.extend(operands.iter().map(|(name, kind)| buffer(name, Access::Read, *kind)));
    ArrayKernel {
        name: name.to_owned(),
        about: about.to_owned(),
        element,
        scalars: vec!["n"],
        buffers,
        registers,
        launch: Some(Launch {
            threads: THREADS,
            resident: 1,
            cluster: 1,
            shared: 0,
            blocks: (Ix::Scalar(0) + (u64::from(THREADS) - 1)) >> u64::from(THREADS.ilog2()),
        }),
        body: vec![body.phase()],
    }
}

/// The program with a second scalar: the place of a coordinate.
fn with_place(kernel: ArrayKernel) -> ArrayKernel {
    ArrayKernel { scalars: vec!["n", "at"], ..kernel }
}

/// `pairs(n, out, a, constants)`: `out[i] = a[2i] a[2i + 1]`, a level of a multiplication tree.
pub fn pairs(element: Element) -> ArrayKernel {
    let operands = [("a", BufferKind::Elements)];
    for_each("pairs", "out[i] = a[2i] a[2i + 1] mod q", element, &operands, 2, |body, i| {
        body.load(Reg(0), ElementPlace::global(1, i.clone() << 1));
        body.load(Reg(1), ElementPlace::global(1, (i.clone() << 1) + 1));
        body.call(Role::Mul, Reg(0), Reg(0), Reg(1));
        body.store(ElementPlace::global(0, i), Reg(0));
    })
}

/// `bind(n, at, out, a, r, constants)`: `out[i] = a[2i] + r[at] (a[2i + 1] - a[2i])`, the table with its first variable fixed.
pub fn bind(element: Element) -> ArrayKernel {
    let operands = [("a", BufferKind::Elements), ("r", BufferKind::Uniform)];
    let about = "out[i] = a[2i] + r[at] (a[2i + 1] - a[2i]) mod q";
    with_place(for_each("bind", about, element, &operands, 3, |body, i| {
        body.load(Reg(2), ElementPlace::global(2, Ix::Scalar(1)));
        body.load(Reg(0), ElementPlace::global(1, i.clone() << 1));
        body.load(Reg(1), ElementPlace::global(1, (i.clone() << 1) + 1));
        body.call(Role::Sub, Reg(1), Reg(1), Reg(0));
        body.call(Role::Mul, Reg(1), Reg(1), Reg(2));
        body.call(Role::Add, Reg(0), Reg(0), Reg(1));
        body.store(ElementPlace::global(0, i), Reg(0));
    }))
}

/// `split(n, at, out, a, r, constants)`: `out[2i + 1] = a[i] r[at]` and `out[2i] = a[i] - out[2i + 1]`, a level of the table of
/// the equality polynomial from the one above.
pub fn split(element: Element) -> ArrayKernel {
    let operands = [("a", BufferKind::Elements), ("r", BufferKind::Uniform)];
    let about = "out[2i + 1] = a[i] r[at], out[2i] = a[i] - out[2i + 1] mod q";
    with_place(for_each("split", about, element, &operands, 2, |body, i| {
        body.load(Reg(1), ElementPlace::global(2, Ix::Scalar(1)));
        body.load(Reg(0), ElementPlace::global(1, i.clone()));
        body.call(Role::Mul, Reg(1), Reg(0), Reg(1));
        body.call(Role::Sub, Reg(0), Reg(0), Reg(1));
        body.store(ElementPlace::global(0, i.clone() << 1), Reg(0));
        body.store(ElementPlace::global(0, (i << 1) + 1), Reg(1));
    }))
}

/// `sums(n, out, a, constants)`: `out[i]` is the sum of the [`SUMMED`] elements from `a[8 i]` on.
pub fn sums(element: Element) -> ArrayKernel {
    let about = "out[i] = the sum of eight elements from a[8 i] on mod q";
    for_each("sums", about, element, &[("a", BufferKind::Elements)], 2, |body, i| {
        let first = body.let_(i.clone() * SUMMED);
        body.load(Reg(0), ElementPlace::global(1, first.clone()));
        for j in 1..SUMMED {
            body.load(Reg(1), ElementPlace::global(1, first.clone() + j));
            body.call(Role::Add, Reg(0), Reg(0), Reg(1));
        }
        body.store(ElementPlace::global(0, i), Reg(0));
    })
}

/// The names of the buffers of tables.
const TABLES: [&str; MOST_TABLES] =
    ["t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8", "t9", "t10", "t11", "t12", "t13", "t14", "t15"];

/// Most tables of a round.
pub const MOST_TABLES: usize = 16;

/// `sumcheck_round(n, log_n, turns, out, coefficients, t0, ..., constants)` for a sum of products of tables, each term a list of
/// tables: thread `i` of `n = 2^log_n` takes the pairs `i`, `i + n`, ..., as many as there are turns, and
/// `out[x n + i]` is the sum over them of `sum_k coefficients[k] prod t_j(x)`, where
/// `t_j(x) = t_j[2p] + x (t_j[2p + 1] - t_j[2p])`, for `x` from 0 to the most tables of a term. `None` without terms, for
/// more than [`MOST_TABLES`] tables, and if a term names a table that is not there.
pub fn round(element: Element, tables: usize, terms: &[Vec<usize>]) -> Option<ArrayKernel> {
    if terms.is_empty() || tables > MOST_TABLES || terms.iter().flatten().any(|table| *table >= tables) {
        return None;
    }
    let degree = terms.iter().map(Vec::len).max().unwrap_or(0);
    // Sums, then values and steps of the tables, then the term.
    let sum = Reg;
    let value = |table: usize| Reg(degree + 1 + 2 * table);
    let step = |table: usize| Reg(degree + 2 + 2 * table);
    let product = Reg(degree + 1 + 2 * tables);
    let mut operands = vec![("coefficients", BufferKind::Uniform)];
    operands.extend(TABLES[..tables].iter().map(|name| (*name, BufferKind::Elements)));
    let about = "sums over pairs of a sum of products of tables, at 0, 1, ...";
    let name = "sumcheck_round";
    let mut kernel = for_each(name, about, element, &operands, product.0 + 1, |body, i| {
        // A thread's first pair is in bounds, and writes the sums.
        let turn = |body: &mut Body, pair: Ix, first: bool| {
            for table in 0..tables {
                body.load(value(table), ElementPlace::global(2 + table, pair.clone() << 1));
                body.load(step(table), ElementPlace::global(2 + table, (pair.clone() << 1) + 1));
                body.call(Role::Sub, step(table), step(table), value(table));
            }
            for x in 0..=degree {
                if x > 0 {
                    for table in 0..tables {
                        body.call(Role::Add, value(table), value(table), step(table));
                    }
                }
                for (k, term) in terms.iter().enumerate() {
                    body.load(product, ElementPlace::global(1, k as u64));
                    for table in term {
                        body.call(Role::Mul, product, product, value(*table));
                    }
                    if first && k == 0 {
                        body.copy(sum(x), product);
                    } else {
                        body.call(Role::Add, sum(x), sum(x), product);
                    }
                }
            }
        };
        turn(body, i.clone(), true);
        body.for_(1u64, Ix::Scalar(2), |body, later| {
            let pair = body.let_(i.clone() + (later << Ix::Scalar(1)));
            turn(body, pair, false);
        });
        for x in 0..=degree {
            let at = body.let_((Ix::Const(x as u64) << Ix::Scalar(1)) + i.clone());
            body.store(ElementPlace::global(0, at), sum(x));
        }
    });
    kernel.scalars = vec!["n", "log_n", "turns"];
    Some(kernel)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::interp::{Data, FieldRule, run};
    use num_bigint::BigUint;

    const ELEMENT: Element = Element { word_bits: 32, words: 1 };
    const Q: u64 = 1_000_003;

    fn numbers(seed: u64, n: u64) -> Vec<u64> {
        (0..n).map(|i| (i + 3) * (i * i + seed) * 7919 % Q).collect()
    }

    fn data(of: &[u64]) -> Data {
        Data::of(&of.iter().map(|x| BigUint::from(*x)).collect::<Vec<_>>())
    }

    /// What a program writes to its first buffer of a length.
    fn out(kernel: &ArrayKernel, scalars: &[u64], len: usize, operands: &[&[u64]]) -> Vec<u64> {
        let mut buffers = vec![Data::unset(len)];
        buffers.extend(operands.iter().map(|operand| data(operand)));
        run(kernel, &FieldRule::plain(&BigUint::from(Q)), scalars, &mut buffers).unwrap();
        let elements = buffers[0].elements().unwrap();
        elements.iter().map(|x| x.iter_u64_digits().next().unwrap_or(0)).collect()
    }

    #[test]
    fn levels_and_bound_tables_are_what_they_say() {
        for n in [1, 2, 5, 128, 130] {
            let a = numbers(5, 2 * n);
            let half = |f: &dyn Fn(u64, u64) -> u64| -> Vec<u64> {
                a.chunks_exact(2).map(|pair| f(pair[0], pair[1]) % Q).collect()
            };
            assert_eq!(out(&pairs(ELEMENT), &[n], n as usize, &[&a]), half(&|x, y| x * y));
            for r in [0, 1, 77_777] {
                let bound = half(&|x, y| x + r * (y + Q - x) % Q);
                assert_eq!(out(&bind(ELEMENT), &[n, 1], n as usize, &[&a, &[9, r]]), bound);
                let found = out(&split(ELEMENT), &[2 * n, 0], 4 * n as usize, &[&a, &[r]]);
                let pair = |x: &u64| [(x + Q - x * r % Q) % Q, x * r % Q];
                assert_eq!(found, a.iter().flat_map(pair).collect::<Vec<_>>());
            }
            let a = numbers(9, SUMMED * n);
            let want: Vec<u64> = a.chunks_exact(8).map(|eight| eight.iter().sum::<u64>() % Q).collect();
            assert_eq!(out(&sums(ELEMENT), &[n], n as usize, &[&a]), want);
        }
    }

    #[test]
    fn rounds_are_sums_over_pairs() {
        let terms = [vec![0, 1, 2], vec![1], vec![], vec![2, 2, 2, 0]];
        let coefficients = [5, 0, 77, Q - 1];
        for (log_n, turns) in [(0u64, 1u64), (0, 4), (3, 1), (2, 3), (8, 1)] {
            let n = 1 << log_n;
            let tables = [1, 2, 3].map(|seed| numbers(seed, 2 * n * turns));
            let kernel = round(ELEMENT, 3, &terms).unwrap();
            let operands: Vec<&[u64]> =
                core::iter::once(&coefficients[..]).chain(tables.iter().map(|t| &t[..])).collect();
            let found = out(&kernel, &[n, log_n, turns], 5 * n as usize, &operands);
            for (x, of_threads) in found.chunks_exact(n as usize).enumerate() {
                for (i, found) in of_threads.iter().enumerate() {
                    let value = |t: usize, p: usize| {
                        let (low, high) = (tables[t][2 * p], tables[t][2 * p + 1]);
                        (low + x as u64 * (high + Q - low)) % Q
                    };
                    let term = |k: usize, p: usize| {
                        terms[k].iter().fold(coefficients[k], |product, t| product * value(*t, p) % Q)
                    };
                    let pairs = (0..turns as usize).map(|turn| i + turn * n as usize);
                    let want = pairs.flat_map(|p| (0..4).map(move |k| (k, p))).map(|(k, p)| term(k, p));
                    assert_eq!(*found, want.sum::<u64>() % Q, "thread {i} of {n}, at {x}");
                }
            }
        }
        assert!(round(ELEMENT, 3, &[]).is_none() && round(ELEMENT, 1, &[vec![1]]).is_none());
        assert!(round(ELEMENT, MOST_TABLES + 1, &terms).is_none());
    }
}
