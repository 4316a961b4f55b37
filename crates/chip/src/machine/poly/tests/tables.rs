//! Tables of twiddles made on the chip, and the 2D transform that needs them.

use super::*;

fn c_words(engine: &PolyOp<Fr>, set: u8, log_len: u32) -> Vec<Fr> {
    (0..1 << log_len).map(|word| engine.peek(Bank::C, set, twiddle::word(word)).unwrap()).collect()
}

#[test]
fn tables_are_generated_while_their_powers_are_squared() {
    // The base table of the largest size serves all.
    let plain = |kind, log_len| {
        let root = Domain::<Fr>::new(log_len).unwrap().root();
        twiddle::table(kind, log_len, root, Fr::from(1)).unwrap()
    };
    for (kind, plain_kind) in [(Transform::CosetNtt, Transform::Ntt), (Transform::CosetIntt, Transform::Intt)]
    {
        let mut engine = PolyOp::<Fr>::new(&PolySpec::paper()).unwrap();
        load_table(&mut engine, Bank::Base, 0, &plain(plain_kind, 10));
        for log_len in map::LOG_LENGTHS {
            let root = Domain::<Fr>::new(log_len).unwrap().root();
            let coset = random::<Fr>(u64::from(log_len), 1)[0];
            let work = engine.generate_twiddles(1, kind, log_len, coset).unwrap();
            assert_eq!(c_words(&engine, 1, log_len), twiddle::table(kind, log_len, root, coset).unwrap());
            let words = 1u64 << log_len;
            assert_eq!(work.products, words + u64::from(log_len) - 1);
            assert_eq!((work.element_cycles, work.table_writes), (work.products, words));
            if log_len == 10 {
                // The cycles of the rows, the squares and the last row's latency: no cycle waits for a power.
                assert_eq!(work.cycles, 256 + 9 + u64::from(engine.config().twiddle_latency()));
            }
        }
    }
}

#[test]
fn tables_are_updated_in_place() {
    let config = PolySpec { row_tables: RowTables::Update, ..PolySpec::paper() };
    for mm in [16, 17] {
        let mut engine = PolyOp::<Fr>::new(&PolySpec { mm, ..config }).unwrap();
        let root = Domain::<Fr>::new(10).unwrap().root();
        for kind in [Transform::CosetNtt, Transform::CosetIntt] {
            let [first, ratio] = [4, 5].map(|seed| random::<Fr>(seed, 1)[0]);
            load_table(&mut engine, Bank::C, 0, &twiddle::table(kind, 10, root, first).unwrap());
            let mut coset = first;
            for _ in 0..3 {
                let work = engine.update_twiddles(0, kind, 10, ratio).unwrap();
                coset *= ratio;
                assert_eq!(c_words(&engine, 0, 10), twiddle::table(kind, 10, root, coset).unwrap());
                assert_eq!(work.cycles, 511 + if mm == 16 { 19 } else { 21 });
            }
        }
    }
}

#[test]
fn a_design_makes_its_tables_in_one_way() {
    for tables in [RowTables::Load, RowTables::Generate, RowTables::Update] {
        let mut engine = PolyOp::<Fr>::new(&PolySpec { row_tables: tables, ..PolySpec::paper() }).unwrap();
        let refused = Err(PolyError::Tables { tables });
        let generate = engine.generate_twiddles(0, Transform::CosetNtt, 6, Fr::from(7));
        let update = engine.update_twiddles(0, Transform::CosetNtt, 6, Fr::from(7));
        assert_eq!(generate == refused, tables != RowTables::Generate);
        assert_eq!(update == refused, tables != RowTables::Update);
        let base = engine.poke(Bank::Base, 0, Cell { bank: 0, row: 0 }, Fr::from(1));
        assert_eq!(base.is_ok(), tables == RowTables::Generate);
    }
    let mut engine = PolyOp::<Fr>::new(&PolySpec::paper()).unwrap();
    assert_eq!(engine.generate_twiddles(0, Transform::Ntt, 6, Fr::from(0)), Err(PolyError::Zero));
    let unset = engine.generate_twiddles(0, Transform::Ntt, 6, Fr::from(7)).unwrap_err();
    assert!(matches!(unset, PolyError::Access { memory: Bank::Base, .. }), "{unset}");
}

/// The coset of the columns of a transform in two dimensions, forward or inverse.
///
/// A transform of `N = N1·N2` points with root `ω` and coset generator `c` consists of `N2` transforms of the columns
/// `i = i1·N2 + i2`, with root `ω^N2` and this coset `c^N2`, and then of `N1` transforms of the rows `k = k1 + N1·k2`, with root
/// `ω^N1` and [`row_coset`]; an inverse one is the reverse. There is no product between the passes, also for `c = 1`, and
/// rows that are too long for the banks are transforms in two dimensions themselves.
fn column_coset<F: PrimeField>(coset: F, log_n2: u32) -> F {
    (0..log_n2).fold(coset, |power, _| power.square())
}

/// The coset of row `k1` of a transform in two dimensions ([`column_coset`]): `c·ω^k1`, which is `φ^(2·k1 + 1)` for the
/// 2N-th root of unity `c = φ`.
fn row_coset<F: PrimeField>(coset: F, root: F, k1: u64) -> F {
    coset * root.pow_vartime(&[k1])
}

/// Computes a transform in as many dimensions as `logs` has entries, each sub-NTT on the engine with a table of its own.
fn decomposed(engine: &mut PolyOp<Fr>, inverse: bool, logs: &[u32], root: Fr, coset: Fr, data: &mut [Fr]) {
    let kind = if inverse { Transform::CosetIntt } else { Transform::CosetNtt };
    let (log1, rest) = (logs[0], &logs[1..]);
    if rest.is_empty() {
        if inverse {
            load_table(engine, Bank::C, 0, &twiddle::table(kind, log1, root, coset).unwrap());
        } else {
            engine.generate_twiddles(0, kind, log1, coset).unwrap();
        }
        let (before, after) = ends(kind);
        load(engine, 0, 0, before, data);
        engine.sub_ntt(0, 0, kind, log1).unwrap();
        data.copy_from_slice(&store(engine, 0, 0, after, log1));
        return;
    }
    let log2: u32 = rest.iter().sum();
    let (n1, n2) = (1usize << log1, 1usize << log2);
    let powers = |log: u32| root.pow_vartime(&[1 << log]);
    let columns = |engine: &mut PolyOp<Fr>, data: &mut [Fr]| {
        for i2 in 0..n2 {
            let mut column: Vec<Fr> = (0..n1).map(|i1| data[i1 * n2 + i2]).collect();
            let coset = column_coset(coset, log2);
            decomposed(engine, inverse, &[log1], powers(log2), coset, &mut column);
            column.into_iter().enumerate().for_each(|(i1, word)| data[i1 * n2 + i2] = word);
        }
    };
    let rows = |engine: &mut PolyOp<Fr>, data: &mut [Fr]| {
        for (k1, row) in data.chunks_exact_mut(n2).enumerate() {
            let coset = row_coset(coset, root, k1 as u64);
            decomposed(engine, inverse, rest, powers(log1), coset, row);
        }
    };
    // Row k1 and column k2 of the matrix hold entry k1 + n1·k2 of the values.
    let value = |at: usize| (at / n2) + n1 * (at % n2);
    if inverse {
        let values = data.to_vec();
        data.iter_mut().enumerate().for_each(|(at, word)| *word = values[value(at)]);
        rows(engine, data);
        columns(engine, data);
    } else {
        columns(engine, data);
        rows(engine, data);
        let matrix = data.to_vec();
        matrix.into_iter().enumerate().for_each(|(at, word)| data[value(at)] = word);
    }
}

#[test]
fn passes_of_larger_transforms_need_no_product_between_them() {
    let mut engine = PolyOp::<Fr>::new(&PolySpec::paper()).unwrap();
    let root = Domain::<Fr>::new(6).unwrap().root();
    let plain = twiddle::table(Transform::Ntt, 6, root, Fr::from(1)).unwrap();
    load_table(&mut engine, Bank::Base, 0, &plain);
    for logs in [&[4, 5][..], &[6, 4], &[4, 4, 4]] {
        let domain = Domain::<Fr>::new(logs.iter().sum()).unwrap();
        let vector = random::<Fr>(21, domain.size() as u32);
        for coset in [domain.odd_shift().unwrap(), Fr::from(7), Fr::from(1)] {
            let mut data = vector.clone();
            decomposed(&mut engine, false, logs, domain.root(), coset, &mut data);
            assert_eq!(data, host(Transform::CosetNtt, &domain, coset, &vector), "{logs:?}");
            decomposed(&mut engine, true, logs, domain.root(), coset, &mut data);
            assert_eq!(data, vector, "{logs:?}");
        }
    }
}

#[test]
fn rows_of_the_papers_coset() {
    let domain = Domain::<Fr>::new(9).unwrap();
    let phi = domain.odd_shift().unwrap();
    assert!((0..16).all(|k1| row_coset(phi, domain.root(), k1) == phi.pow_vartime(&[2 * k1 + 1])));
    assert_eq!(column_coset(phi, 5), phi.pow_vartime(&[32]));
}
