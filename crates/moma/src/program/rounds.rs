//! Device programs of the sumcheck protocol: the sums of a round, and the binding of the first variable of its tables.
//!
//! A table of `2^v` values holds a multilinear polynomial's values at the corners of a hypercube; two neighbouring
//! values differ in the first variable. Every thread sums over several pairs, and a block sums over its threads in
//! shared memory; a second program sums over blocks. One step binds a table and sums over it, so that it is read once
//! per round.

use super::lang::{
    Access, ArrayKernel, Body, Buffer, BufferKind, Element, ElementPlace, IndexVar, Ix, Launch, Node, Reg,
    Role, Stmt,
};

/// Threads per block.
pub const THREADS: u32 = 128;

/// Registers of a multiprocessor, of 32 bits, and those of a thread that a product takes besides its operands.
const REGISTERS: usize = 1 << 16;
const REGISTERS_OF_PRODUCT: usize = 40;

/// Greatest place at which a value follows from those before by additions.
const MOST_EXTRAPOLATED: usize = 8;

/// Greatest number of tables of a round.
pub const MOST_TABLES: usize = 16;

/// The names of the buffers of tables.
const TABLES: [&str; MOST_TABLES] =
    ["t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8", "t9", "t10", "t11", "t12", "t13", "t14", "t15"];

/// The names of the buffers of bound tables.
const BOUND: [&str; MOST_TABLES] =
    ["b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8", "b9", "b10", "b11", "b12", "b13", "b14", "b15"];

/// The weight of a product of tables in the sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// Weight 1: the product is added.
    One,
    /// Weight -1: the product is subtracted.
    MinusOne,
    /// The coefficient with this index in the buffer of coefficients.
    Coefficient(usize),
}

/// A term of the sum: a weight times a product of tables, which are given by their indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Product {
    /// The factor of the product.
    pub weight: Weight,
    /// The indices of the tables; a table may occur more than once.
    pub tables: Vec<usize>,
}

/// The program of a round, with the number of operations per pair.
#[derive(Clone, Debug)]
pub struct RoundProgram {
    /// The program of the round.
    pub kernel: ArrayKernel,
    /// Number of field multiplications per pair.
    pub products: u64,
    /// Number of field additions and subtractions per pair.
    pub sums: u64,
}

/// The factors that occur in all products.
fn shared_factors(terms: &[Product]) -> Vec<usize> {
    let Some((first, others)) = terms.split_first() else { return Vec::new() };
    let mut left: Vec<Vec<usize>> = others.iter().map(|term| term.tables.clone()).collect();
    let mut shared = Vec::new();
    for table in &first.tables {
        let places: Option<Vec<usize>> =
            left.iter().map(|tables| tables.iter().position(|other| other == table)).collect();
        if let Some(places) = places {
            left.iter_mut().zip(places).for_each(|(tables, place)| _ = tables.remove(place));
            shared.push(*table);
        }
    }
    shared
}

/// The factors of one list without those of another.
fn without(tables: &[usize], shared: &[usize]) -> Vec<usize> {
    let mut rest = tables.to_vec();
    for table in shared {
        if let Some(place) = rest.iter().position(|other| other == table) {
            rest.remove(place);
        }
    }
    rest
}

/// Indices of the elements zero and one in the buffer of coefficients, which come before the coefficients.
const ZERO: u64 = 0;
const ONE: u64 = 1;

/// Number of elements before the coefficients in their buffer: zero and one.
pub const BEFORE_COEFFICIENTS: usize = 2;

/// The kernel `sumcheck_round(pairs, blocks, turns, out, coefficients, t0, ..., constants)` of one round for a sum of
/// products of tables. For `x` from 0 to the greatest number of tables in a product, `out[x blocks + b]` is the sum of
/// the products at `x` over the pairs of block `b`, where `t_j(x) = t_j[2p] + x (t_j[2p + 1] - t_j[2p])` for pair `p`.
/// Thread `i` of all `n` takes the pairs `i`, `i + n`, ..., in `turns` turns. `coefficients` begins with zero and one.
/// `None` without terms, for more than [`MOST_TABLES`] tables, and if a product names a table that does not exist.
///
/// Factors that all products share are multiplied once, and a weight of one costs no product.
pub fn round(element: Element, tables: usize, terms: &[Product]) -> Option<RoundProgram> {
    sums(element, tables, terms, false)
}

/// The kernel `sumcheck_step(pairs, blocks, turns, out, b0, ..., coefficients, r, t0, ..., constants)`, with `r` by
/// value. It binds the first variable of every table to r, `b_j[i] = t_j[2i] + r (t_j[2i + 1] - t_j[2i])`, and computes
/// [`round`] on the tables `b_j`, which have `2 pairs` values each. So a table is read once for both. `None` in the
/// cases of [`round`].
pub fn step(element: Element, tables: usize, terms: &[Product]) -> Option<RoundProgram> {
    sums(element, tables, terms, true)
}

/// The program of a round: on tables as they are, or on tables that it binds first.
fn sums(element: Element, tables: usize, terms: &[Product], bound: bool) -> Option<RoundProgram> {
    let named = terms.iter().flat_map(|term| &term.tables);
    if terms.is_empty() || tables > MOST_TABLES || named.clone().any(|table| *table >= tables) {
        return None;
    }
    let degree = terms.iter().map(|term| term.tables.len()).max().unwrap_or(0);
    let shared = shared_factors(terms);
    // Registers: sums, then values and steps of the tables, then two for products, and the coordinate.
    let sum = Reg;
    let value = |table: usize| Reg(degree + 1 + 2 * table);
    let step = |table: usize| Reg(degree + 2 + 2 * table);
    let [inner, product, r, next] = [0, 1, 2, 3].map(|at| Reg(degree + 1 + 2 * tables + at));
    // Without the factors that all products share the sum has a lower degree m, and its value at m + 1 follows from the m + 1
    // values before. From m = 2 on this takes fewer products; the weights of these values, binomials, grow with m.
    let extrapolated = (!shared.is_empty()).then_some(degree - shared.len() + 1);
    let extrapolated = extrapolated.filter(|x| (3..=MOST_EXTRAPOLATED).contains(x));
    let registers = if extrapolated.is_some() { next.0 } else { r.0 } + 1;
    // Buffers: results, bound tables, coefficients, the coordinate, tables.
    let first_bound = 1;
    let coefficients = first_bound + if bound { tables } else { 0 };
    let first_table = coefficients + if bound { 2 } else { 1 };
    let coefficient = |at: u64| ElementPlace::global(coefficients, at);

    let mut body = Body::default();
    let i = body.let_(Ix::Block * u64::from(THREADS) + Ix::Thread);
    for x in 0..=degree {
        body.load(sum(x), coefficient(ZERO));
    }
    if bound {
        body.load(r, ElementPlace::global(coefficients + 1, 0u64));
    }
    let mut counts = (0, 0);
    body.for_(0u64, Ix::Scalar(2), |body, turn| {
        let pair = body.let_(i + turn * (Ix::Scalar(1) * u64::from(THREADS)));
        body.when(pair.clone(), Ix::Scalar(0), |body| {
            let before = body.stmts.len();
            for table in 0..tables {
                let ends = [value(table), step(table)];
                for (at, end) in (0u64..).zip(ends) {
                    let from = |at| ElementPlace::global(first_table + table, at);
                    if bound {
                        body.load(end, from((pair.clone() << 2) + 2 * at));
                        body.load(product, from((pair.clone() << 2) + (2 * at + 1)));
                        body.call(Role::Sub, product, product, end);
                        body.call(Role::Mul, product, product, r);
                        body.call(Role::Add, end, end, product);
                        body.store(ElementPlace::global(first_bound + table, (pair.clone() << 1) + at), end);
                    } else {
                        body.load(end, from((pair.clone() << 1) + at));
                    }
                }
                body.call(Role::Sub, step(table), step(table), value(table));
            }
            for x in 0..=degree {
                let follows = extrapolated == Some(x);
                // The last values of the other tables are not needed.
                let is_needed = |table: &usize| !(follows && x == degree) || shared.contains(table);
                if x > 0 {
                    for table in (0..tables).filter(is_needed) {
                        body.call(Role::Add, value(table), value(table), step(table));
                    }
                }
                body.load(inner, coefficient(ZERO));
                if follows {
                    body.call(Role::Add, inner, inner, next);
                }
                for term in terms.iter().filter(|_| !follows) {
                    let mut factors = without(&term.tables, &shared).into_iter().map(value);
                    let first = match term.weight {
                        Weight::Coefficient(at) => {
                            body.load(product, coefficient((BEFORE_COEFFICIENTS + at) as u64));
                            product
                        }
                        Weight::One | Weight::MinusOne => factors.next().unwrap_or_else(|| {
                            body.load(product, coefficient(ONE));
                            product
                        }),
                    };
                    let last = factors.fold(first, |so_far, factor| {
                        body.call(Role::Mul, product, so_far, factor);
                        product
                    });
                    let role = if term.weight == Weight::MinusOne { Role::Sub } else { Role::Add };
                    body.call(role, inner, inner, last);
                }
                if let Some(end) = extrapolated.filter(|end| x < *end) {
                    if x == 0 {
                        body.load(next, coefficient(ZERO));
                    }
                    let role = if (end - x) % 2 == 1 { Role::Add } else { Role::Sub };
                    add_multiple(body, role, next, inner, binomial(end, x), product);
                }
                for table in &shared {
                    body.call(Role::Mul, inner, inner, value(*table));
                }
                body.call(Role::Add, sum(x), sum(x), inner);
            }
            let calls = |multiply: bool| {
                let is = |stmt: &&Stmt| match stmt {
                    Stmt::Call { role, .. } => matches!(role, Role::Mul | Role::Sqr) == multiply,
                    _ => false,
                };
                body.stmts[before..].iter().filter(is).count() as u64
            };
            counts = (calls(true), calls(false));
        });
    });
    let mut nodes = vec![body.phase()];
    for x in 0..=degree {
        nodes.extend(sum_of_block(sum(x), product, Ix::Scalar(1) * (x as u64) + Ix::Block));
    }
    let mut buffers = vec![Buffer::output("out")];
    if bound {
        buffers.extend(BOUND[..tables].iter().map(|name| Buffer::output(name)));
    }
    buffers.push(Buffer::new("coefficients", Access::Read, BufferKind::Uniform));
    if bound {
        buffers.push(Buffer::new("r", Access::Read, BufferKind::Value));
    }
    buffers.extend(TABLES[..tables].iter().map(|name| Buffer::input(name)));
    let (name, about) = match bound {
        false => {
            ("sumcheck_round", "sums over pairs of a sum of products of tables, at 0, 1, ..., a sum a block")
        }
        true => ("sumcheck_step", "tables with their first variable fixed, and the sums of a round of these"),
    };
    let kernel = ArrayKernel {
        name: name.to_owned(),
        about: about.to_owned(),
        element,
        scalars: vec!["pairs", "blocks", "turns"],
        buffers,
        registers,
        launch: Some(Launch { resident: resident(element, registers), ..launch(Ix::Scalar(1)) }),
        body: nodes,
    };
    Some(RoundProgram { kernel, products: counts.0, sums: counts.1 })
}

/// Number of ways to choose `k` of `n`.
fn binomial(n: usize, k: usize) -> u64 {
    (1..=k as u64).fold(1, |ways, i| ways * (n as u64 + 1 - i) / i)
}

/// Adds `factor` times a register to another one, or subtracts it, by doublings and additions in a third one.
fn add_multiple(body: &mut Body, role: Role, to: Reg, of: Reg, factor: u64, scratch: Reg) {
    let mut multiple = of;
    for bit in (0..factor.ilog2()).rev() {
        body.call(Role::Add, scratch, multiple, multiple);
        if factor >> bit & 1 == 1 {
            body.call(Role::Add, scratch, scratch, of);
        }
        multiple = scratch;
    }
    body.call(role, to, to, multiple);
}

/// Number of blocks of a round that a multiprocessor should run at a time, so that some load their values while others multiply:
/// as many as leave registers for the elements of a thread and for a product, at most four.
fn resident(element: Element, elements: usize) -> u32 {
    let of_a_thread = elements * element.bytes() / 4 + REGISTERS_OF_PRODUCT;
    (REGISTERS / (THREADS as usize * of_a_thread)).clamp(1, 4) as u32
}

fn launch(blocks: Ix) -> Launch {
    Launch { shared: u64::from(THREADS), ..Launch::of(THREADS, blocks) }
}

/// The phases that sum a register over the threads of a block and store the sum in the first buffer.
fn sum_of_block(of: Reg, other: Reg, to: Ix) -> Vec<Node> {
    let shared = |at: Ix| ElementPlace::Shared(at);
    let mut body = Body::default();
    body.store(shared(Ix::Thread), of);
    let stored = body.phase();
    let step = IndexVar(0);
    let mut body = Body::after(1);
    let half = body.let_(Ix::Const(u64::from(THREADS / 2)) >> Ix::Var(step));
    body.when(Ix::Thread, half.clone(), |body| {
        body.load(of, shared(Ix::Thread));
        body.load(other, shared(Ix::Thread + half));
        body.call(Role::Add, of, of, other);
        body.store(shared(Ix::Thread), of);
    });
    let count = u64::from(THREADS.ilog2());
    let summed = Node::Repeat { var: step, count, body: vec![body.phase()] };
    let mut body = Body::default();
    body.when(Ix::Thread, 1u64, |body| body.store(ElementPlace::global(0, to), of));
    vec![stored, summed, body.phase()]
}

/// The kernel `totals(n, count, turns, out, zero, a, constants)`: for `b` below `count`, `out[b]` is the sum of the `n`
/// elements from `a[b n]` on. The threads of a block take `turns` turns.
pub fn totals(element: Element) -> ArrayKernel {
    let mut body = Body::default();
    body.load(Reg(0), ElementPlace::global(1, ZERO));
    body.for_(0u64, Ix::Scalar(2), |body, turn| {
        let at = body.let_(turn * u64::from(THREADS) + Ix::Thread);
        body.when(at.clone(), Ix::Scalar(0), |body| {
            let at = body.let_(Ix::Block * Ix::Scalar(0) + at);
            body.load(Reg(1), ElementPlace::global(2, at));
            body.call(Role::Add, Reg(0), Reg(0), Reg(1));
        });
    });
    let mut nodes = vec![body.phase()];
    nodes.extend(sum_of_block(Reg(0), Reg(1), Ix::Block));
    ArrayKernel {
        name: "totals".to_owned(),
        about: "out[b] = the sum of n elements from a[b n] on mod q".to_owned(),
        element,
        scalars: vec!["n", "count", "turns"],
        buffers: vec![
            Buffer::output("out"),
            Buffer::new("zero", Access::Read, BufferKind::Uniform),
            Buffer::input("a"),
        ],
        registers: 2,
        launch: Some(launch(Ix::Scalar(1))),
        body: nodes,
    }
}

/// The kernel `binds(n, b0, ..., t0, ..., r, constants)`, with `r` by value: binds the first variable of every table to
/// r, `b_j[i] = t_j[2i] + r (t_j[2i + 1] - t_j[2i])`, for at most [`MOST_TABLES`] tables.
pub fn binds(element: Element, tables: usize) -> ArrayKernel {
    let tables = tables.min(MOST_TABLES);
    let mut body = Body::default();
    let i = body.let_(Ix::Block * u64::from(THREADS) + Ix::Thread);
    body.when(i.clone(), Ix::Scalar(0), |body| {
        body.load(Reg(2), ElementPlace::global(2 * tables, 0));
        for table in 0..tables {
            body.load(Reg(0), ElementPlace::global(tables + table, i.clone() << 1));
            body.load(Reg(1), ElementPlace::global(tables + table, (i.clone() << 1) + 1));
            body.call(Role::Sub, Reg(1), Reg(1), Reg(0));
            body.call(Role::Mul, Reg(1), Reg(1), Reg(2));
            body.call(Role::Add, Reg(0), Reg(0), Reg(1));
            body.store(ElementPlace::global(table, i.clone()), Reg(0));
        }
    });
    let bound = BOUND[..tables].iter().map(|name| Buffer::output(name));
    let mut buffers: Vec<Buffer> =
        bound.chain(TABLES[..tables].iter().map(|name| Buffer::input(name))).collect();
    buffers.push(Buffer::new("r", Access::Read, BufferKind::Value));
    ArrayKernel {
        name: "binds".to_owned(),
        about: "b[i] = t[2i] + r (t[2i + 1] - t[2i]) mod q for every table".to_owned(),
        element,
        scalars: vec!["n"],
        buffers,
        registers: 3,
        launch: Some(Launch::over_elements(THREADS, u64::from(THREADS))),
        body: vec![body.phase()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::interp::Data;
    use crate::program::trial::{ELEMENT, Q, numbers, out, outs};

    fn product(weight: Weight, tables: &[usize]) -> Product {
        Product { weight, tables: tables.to_vec() }
    }

    #[test]
    fn factors_of_all_products_are_found() {
        let terms = [
            product(Weight::One, &[0, 1, 0, 2]),
            product(Weight::One, &[0, 2, 0]),
            product(Weight::One, &[0, 0]),
        ];
        assert_eq!(shared_factors(&terms), [0, 0]);
        assert_eq!(without(&terms[1].tables, &[0, 0]), [2]);
        assert_eq!(shared_factors(&terms[..1]), terms[0].tables);
        assert!(shared_factors(&[]).is_empty());
    }

    #[test]
    fn rounds_are_sums_over_pairs() {
        use Weight::{Coefficient, MinusOne, One};
        let coefficients = [0, 1, 5, Q - 7];
        let sums: [&[Product]; 8] = [
            // (b - 1) e c: two products at each of four points.
            &[product(One, &[0, 1, 2]), product(MinusOne, &[0, 2])],
            &[
                product(Coefficient(0), &[0, 1, 2]),
                product(One, &[1]),
                product(Coefficient(1), &[]),
                product(MinusOne, &[2, 2, 2, 0]),
            ],
            &[product(Coefficient(1), &[0, 0]), product(Coefficient(0), &[0])],
            &[product(Coefficient(0), &[1])],
            // A product without its shared factors, and a constant, are both one.
            &[product(MinusOne, &[1]), product(One, &[1, 2])],
            // e (a^2 - b), e^2 (a^2 - b), and e (a^2 b + 5): the value after three, or four, follows from these.
            &[product(One, &[0, 1, 1]), product(MinusOne, &[0, 2])],
            &[product(One, &[0, 0, 1, 1]), product(MinusOne, &[0, 0, 2])],
            &[product(One, &[0, 1, 1, 2]), product(Coefficient(0), &[0])],
        ];
        // Long products have programs too.
        let long = [product(One, &[0; 80]), product(MinusOne, &[0, 1])];
        assert_eq!(round(ELEMENT, 2, &long).unwrap().products, 81 * (78 + 1));
        let products = [5, 6, 7].map(|at| round(ELEMENT, 3, sums[at]).unwrap().products);
        assert_eq!(products, [3 + 4, 4 + 2 * 5, 4 * 2 + 5]);
        assert_eq!(round(ELEMENT, 3, sums[0]).unwrap().products, 4 * 2);
        for terms in sums {
            let degree = terms.iter().map(|term| term.tables.len()).max().unwrap();
            for (pairs, blocks) in [(1u64, 1u64), (5, 1), (128, 1), (300, 1), (300, 2), (1000, 3)] {
                let turns = pairs.div_ceil(blocks * u64::from(THREADS));
                let tables = [1, 2, 3].map(|seed| numbers(seed, 2 * pairs));
                let kernel = round(ELEMENT, 3, terms).unwrap().kernel;
                let operands: Vec<&[u64]> =
                    core::iter::once(&coefficients[..]).chain(tables.iter().map(|t| &t[..])).collect();
                let len = (degree + 1) * blocks as usize;
                let of_blocks = &out(&kernel, &[pairs, blocks, turns], Data::unset(len), &operands);
                let turns = blocks.div_ceil(u64::from(THREADS));
                let count = degree as u64 + 1;
                let all = [&[0][..], of_blocks];
                let found = &out(&totals(ELEMENT), &[blocks, count, turns], Data::unset(degree + 1), &all);
                for (x, found) in found.iter().enumerate() {
                    let value = |t: usize, p: usize| {
                        let (low, high) = (tables[t][2 * p], tables[t][2 * p + 1]);
                        (low + x as u64 * (high + Q - low)) % Q
                    };
                    let weight = |weight| match weight {
                        One => 1,
                        MinusOne => Q - 1,
                        Coefficient(at) => coefficients[2 + at],
                    };
                    let term = |term: &Product, p: usize| {
                        term.tables.iter().fold(weight(term.weight), |product, t| product * value(*t, p) % Q)
                    };
                    let all = (0..pairs as usize).flat_map(|p| terms.iter().map(move |t| (t, p)));
                    let want = all.map(|(t, p)| term(t, p)).sum::<u64>() % Q;
                    assert_eq!(*found, want, "{terms:?} at {x} over {pairs} pairs in {blocks} blocks");
                }
            }
        }
        assert!(round(ELEMENT, 3, &[]).is_none() && round(ELEMENT, 17, sums[0]).is_none());
        assert!(round(ELEMENT, 2, sums[0]).is_none());
    }

    /// A step gives the same results as binding followed by a round.
    #[test]
    fn a_step_binds_and_sums() {
        use Weight::{Coefficient, MinusOne, One};
        let coefficients = [0, 1, 5, Q - 7];
        let sums: [&[Product]; 3] = [
            &[product(One, &[0, 1, 2]), product(MinusOne, &[0, 2])],
            &[product(Coefficient(0), &[0, 1, 2]), product(One, &[1]), product(Coefficient(1), &[])],
            // A table that no product uses is bound too.
            &[product(MinusOne, &[2, 2])],
        ];
        assert_eq!(step(ELEMENT, 3, sums[0]).unwrap().products, 4 * 2 + 2 * 3);
        for terms in sums {
            let degree = terms.iter().map(|term| term.tables.len()).max().unwrap();
            for (pairs, blocks) in [(1u64, 1u64), (5, 1), (128, 1), (300, 2), (1000, 3)] {
                let turns = pairs.div_ceil(blocks * u64::from(THREADS));
                let scalars = [pairs, blocks, turns];
                let tables = [1, 2, 3].map(|seed| numbers(seed, 4 * pairs));
                let sums_of = (degree + 1) * blocks as usize;
                for r in [0, 1, Q - 1, 77_777] {
                    let room = |n| Data::unset(n as usize);
                    let (given, tables) = ([r], tables.iter().map(|t| &t[..]));
                    let operands: Vec<&[u64]> =
                        [&coefficients[..], &given].into_iter().chain(tables.clone()).collect();
                    let first = vec![Data::unset(sums_of), room(2 * pairs), room(2 * pairs), room(2 * pairs)];
                    let found = outs(&step(ELEMENT, 3, terms).unwrap().kernel, &scalars, first, &operands);
                    let operands: Vec<&[u64]> = tables.chain([&given[..]]).collect();
                    let first = (0..3).map(|_| room(2 * pairs)).collect();
                    let bound = outs(&binds(ELEMENT, 3), &[2 * pairs], first, &operands);
                    assert_eq!(found[1..], bound, "{pairs} pairs, bound to {r}");
                    let operands: Vec<&[u64]> =
                        core::iter::once(&coefficients[..]).chain(bound.iter().map(|t| &t[..])).collect();
                    let kernel = round(ELEMENT, 3, terms).unwrap().kernel;
                    let want = out(&kernel, &scalars, Data::unset(sums_of), &operands);
                    assert_eq!(found[0], want, "{terms:?} over {pairs} pairs in {blocks} blocks");
                }
            }
        }
        assert!(step(ELEMENT, 3, &[]).is_none() && step(ELEMENT, 17, sums[0]).is_none());
    }

    #[test]
    fn bound_tables_are_lines_at_a_point() {
        for n in [1u64, 2, 5, 128, 130] {
            let tables = [4, 5, 6].map(|seed| numbers(seed, 2 * n));
            for r in [0, 1, 77_777] {
                let given = [r];
                let operands: Vec<&[u64]> = tables.iter().map(|t| &t[..]).chain([&given[..]]).collect();
                let room = (0..3).map(|_| Data::unset(n as usize)).collect();
                let found = outs(&binds(ELEMENT, 3), &[n], room, &operands);
                for (table, found) in tables.iter().zip(found) {
                    let want = table.chunks_exact(2).map(|pair| (pair[0] + r * (pair[1] + Q - pair[0])) % Q);
                    assert_eq!(found, want.collect::<Vec<_>>());
                }
            }
        }
    }
}
