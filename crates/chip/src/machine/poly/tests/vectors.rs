//! Vector operations of the engine compared with sums and products of the host.

use super::*;
use crate::isa::VectorOp;

const OPS: [VectorOp; 4] = [VectorOp::Mul, VectorOp::Add, VectorOp::Sub, VectorOp::MulAdd];

fn expected(op: VectorOp, a: Fr, b: Fr, c: Fr) -> Fr {
    match op {
        VectorOp::Mul => a * c,
        VectorOp::Add => a + c,
        VectorOp::Sub => a - c,
        VectorOp::MulAdd => a * c + b,
    }
}

/// The cell of entry `i` of a vector in the linear layout.
fn cell(i: u32) -> Cell {
    place(Layout::Linear, 10, 0, i).unwrap()
}

/// Runs an operation on random vectors of `len` entries in `set`, held by `holder`, and compares.
fn check(config: &PolySpec, op: VectorOp, len: u32, holder: Bank, scalar: Option<Fr>) -> PolyWork {
    let mut engine = PolyOp::<Fr>::new(config).unwrap();
    let [a, b, c] = [1, 2, 3].map(|seed| random::<Fr>(seed, len));
    let addend = if holder == Bank::A { Bank::B } else { Bank::A };
    for i in 0..len {
        let at = cell(i);
        engine.poke(holder, 1, at, a[i as usize]).unwrap();
        engine.poke(addend, 1, at, b[i as usize]).unwrap();
        if scalar.is_none() {
            engine.poke(Bank::C, 1, map::beside(at), c[i as usize]).unwrap();
        }
    }
    engine.hold(1, 0..map::ROWS, holder).unwrap();
    let second = scalar.map_or(Operand::Banks, Operand::Scalar);
    let work = engine.vector_with(1, op, second, len).unwrap();
    for i in 0..len as usize {
        let c = scalar.unwrap_or(c[i]);
        assert_eq!(engine.peek(holder, 1, cell(i as u32)), Some(expected(op, a[i], b[i], c)), "{op:?} {i}");
        assert_eq!(engine.peek(addend, 1, cell(i as u32)), Some(b[i]));
    }
    work
}

#[test]
fn operations_on_vectors_of_any_length() {
    let paper = PolySpec::paper();
    for op in OPS {
        for len in [1, 7, 8, 100, 1021, 1024] {
            let holder = if len % 2 == 0 { Bank::A } else { Bank::B };
            let work = check(&paper, op, len, holder, None);
            assert_eq!(work.cycles, 2 * u64::from(len.div_ceil(8)) + 25, "{op:?} {len}");
            let products = if matches!(op, VectorOp::Mul | VectorOp::MulAdd) { len } else { 0 };
            assert_eq!(work.products, u64::from(products));
            assert_eq!(
                (work.writes, work.table_reads, work.element_cycles),
                (len.into(), len.into(), len.into())
            );
            let addends = if op == VectorOp::MulAdd { len } else { 0 };
            assert_eq!(work.reads, u64::from(len + addends));
        }
        let scalar = check(&paper, op, 64, Bank::A, Some(Fr::from(77)));
        assert_eq!((scalar.cycles, scalar.table_reads), (16 + 25, 0));
    }
}

#[test]
fn fewer_entries_a_cycle_and_pipelines_of_either_parity() {
    for (vector, per_row) in [(4, 2), (2, 4), (1, 8)] {
        for mm in [16, 17] {
            let config = PolySpec { vector, mm, ..PolySpec::paper() };
            assert_eq!(config.butterfly_latency(), mm + 9);
            // One more register if the pipeline has an even length: otherwise a half would be read and written in one cycle.
            let cycles = per_row * 8 + if mm == 16 { 25 } else { 27 };
            assert_eq!(check(&config, VectorOp::MulAdd, 64, Bank::A, None).cycles, cycles);
        }
    }
}

/// The coset transform by the conventional method: a product with the coset's powers, then a plain transform.
#[test]
fn merging_saves_a_product_for_every_point() {
    let log_len = 8;
    let n = 1u32 << log_len;
    let domain = Domain::<Fr>::new(log_len).unwrap();
    let coset = domain.odd_shift().unwrap();
    let vector = random::<Fr>(8, n);
    let mut old = PolyOp::<Fr>::new(&PolySpec { merged: false, ..PolySpec::paper() }).unwrap();
    load(&mut old, 0, 0, Layout::BitReversed, &vector);
    for i in 0..n {
        let at = map::beside(place(Layout::BitReversed, log_len, 0, i).unwrap());
        old.poke(Bank::C, 0, at, coset.pow_vartime(&[i.into()])).unwrap();
    }
    let mut work = old.vector(0, VectorOp::Mul, n).unwrap();
    let table = twiddle::table(Transform::Ntt, log_len, domain.root(), Fr::from(1)).unwrap();
    load_table(&mut old, Bank::C, 0, &table);
    work += old.sub_ntt(0, 0, Transform::Ntt, log_len).unwrap();

    let mut merged = PolyOp::<Fr>::new(&PolySpec::paper()).unwrap();
    load(&mut merged, 0, 0, Layout::BitReversed, &vector);
    let table = twiddle::table(Transform::CosetNtt, log_len, domain.root(), coset).unwrap();
    load_table(&mut merged, Bank::C, 0, &table);
    let less = merged.sub_ntt(0, 0, Transform::CosetNtt, log_len).unwrap();

    let expected = host(Transform::CosetNtt, &domain, coset, &vector);
    assert_eq!(store(&old, 0, 0, Layout::Natural, log_len), expected);
    assert_eq!(store(&merged, 0, 0, Layout::Natural, log_len), expected);
    assert_eq!(less.products, 128 * 8);
    assert_eq!(work.products - less.products, u64::from(n));
    assert_eq!(work.cycles - less.cycles, u64::from(n) / 4 + 25);
    assert_eq!(less.products + u64::from(n), work.products);
}

#[test]
fn what_a_vector_operation_refuses() {
    let mut engine = PolyOp::<Fr>::new(&PolySpec::paper()).unwrap();
    assert_eq!(engine.vector(0, VectorOp::Add, 0), Err(PolyError::Entries { entries: 0 }));
    assert_eq!(engine.vector(0, VectorOp::Add, 1025), Err(PolyError::Entries { entries: 1025 }));
    engine.hold(0, 4..8, Bank::B).unwrap();
    assert_eq!(engine.vector(0, VectorOp::Add, 64), Err(PolyError::Split { set: 0, first: 0, row: 4 }));
    let unset = engine.vector(0, VectorOp::Add, 32).unwrap_err();
    assert!(matches!(unset, PolyError::Access { memory: Bank::A, .. }), "{unset}");
}
