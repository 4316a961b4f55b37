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
        let mut engine = PolyOp::<Fr>::new(&Config::paper()).unwrap();
        load_table(&mut engine, Bank::Base, 0, &plain(plain_kind, 10));
        for log_len in map::LOG_LENGTHS {
            let root = Domain::<Fr>::new(log_len).unwrap().root();
            let coset = random::<Fr>(u64::from(log_len), 1)[0];
            let work = engine.generate_twiddles(1, kind, log_len, coset).unwrap();
            assert_eq!(c_words(&engine, 1, log_len), twiddle::table(kind, log_len, root, coset).unwrap());
            let words = 1u64 << log_len;
            assert_eq!(work.products, words + u64::from(log_len) - 1);
            assert_eq!((work.pe_cycles, work.table_writes), (work.products, words));
            if log_len == 10 {
                // Rows, squares and the way of the last row: no cycle waits for a power.
                assert_eq!(work.cycles, 256 + 9 + u64::from(engine.config().twiddle_latency()));
            }
        }
    }
}

#[test]
fn tables_are_updated_in_place() {
    let config = Config { row_tables: RowTables::Update, ..Config::paper() };
    for mm in [16, 17] {
        let mut engine = PolyOp::<Fr>::new(&Config { mm, ..config }).unwrap();
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
        let mut engine = PolyOp::<Fr>::new(&Config { row_tables: tables, ..Config::paper() }).unwrap();
        let refused = Err(PolyError::Tables { tables });
        let generate = engine.generate_twiddles(0, Transform::CosetNtt, 6, Fr::from(7));
        let update = engine.update_twiddles(0, Transform::CosetNtt, 6, Fr::from(7));
        assert_eq!(generate == refused, tables != RowTables::Generate);
        assert_eq!(update == refused, tables != RowTables::Update);
        let base = engine.poke(Bank::Base, 0, Cell { bank: 0, row: 0 }, Fr::from(1));
        assert_eq!(base.is_ok(), tables == RowTables::Generate);
    }
    let mut engine = PolyOp::<Fr>::new(&Config::paper()).unwrap();
    assert_eq!(engine.generate_twiddles(0, Transform::Ntt, 6, Fr::from(0)), Err(PolyError::Zero));
    let unset = engine.generate_twiddles(0, Transform::Ntt, 6, Fr::from(7)).unwrap_err();
    assert!(matches!(unset, PolyError::Access { memory: Bank::Base, .. }), "{unset}");
}

/// A coset transform of `2^9` points in two dimensions: 32 columns of 16 points, then 16 rows of 32 points, each with a
/// coset of its own, and no product between.
#[test]
fn two_passes_and_no_product_between_them() {
    let (log1, log2) = (4u32, 5u32);
    let (n1, n2) = (1usize << log1, 1usize << log2);
    let domain = Domain::<Fr>::new(log1 + log2).unwrap();
    let phi = domain.odd_shift().unwrap();
    let roots = [log1, log2].map(|log| Domain::<Fr>::new(log).unwrap().root());
    let column_coset = phi.pow_vartime(&[n2 as u64]);
    let row_coset = |k1: usize| phi.pow_vartime(&[2 * k1 as u64 + 1]);
    let vector = random::<Fr>(21, 1 << (log1 + log2));
    let mut engine = PolyOp::<Fr>::new(&Config::paper()).unwrap();
    let plain = twiddle::table(Transform::Ntt, log2, roots[1], Fr::from(1)).unwrap();
    load_table(&mut engine, Bank::Base, 0, &plain);

    let mut data = vector.clone();
    let kind = Transform::CosetNtt;
    load_table(&mut engine, Bank::C, 0, &twiddle::table(kind, log1, roots[0], column_coset).unwrap());
    for i2 in 0..n2 {
        let column: Vec<Fr> = (0..n1).map(|i1| data[i1 * n2 + i2]).collect();
        load(&mut engine, 0, 0, Layout::BitReversed, &column);
        engine.sub_ntt(0, 0, kind, log1).unwrap();
        for (k1, word) in store(&engine, 0, 0, Layout::Natural, log1).into_iter().enumerate() {
            data[k1 * n2 + i2] = word;
        }
    }
    let mut out = vec![Fr::from(0); n1 * n2];
    for k1 in 0..n1 {
        engine.generate_twiddles(0, kind, log2, row_coset(k1)).unwrap();
        load(&mut engine, 0, 0, Layout::BitReversed, &data[k1 * n2..][..n2]);
        engine.sub_ntt(0, 0, kind, log2).unwrap();
        for (k2, word) in store(&engine, 0, 0, Layout::Natural, log2).into_iter().enumerate() {
            out[k1 + n1 * k2] = word;
        }
    }
    assert_eq!(out, host(kind, &domain, phi, &vector));
}
