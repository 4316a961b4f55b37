//! Tests of the paper's table of layouts, of the pipeline's timing, and of the multiplier stage by stage.

use super::*;
use crate::machine::mm;
use pairwright_sim::Clocked;
use proptest::prelude::*;

/// Fig. 16 as decoded: the first row of the banks before each stage, and the mode, by which the second row differs.
const FIG16: [([u32; 8], u32); 5] = [
    ([0, 12, 1, 13, 2, 14, 3, 15], 4),
    ([0, 9, 2, 11, 4, 13, 6, 15], 8),
    ([0, 3, 4, 7, 8, 11, 12, 15], 1),
    ([0, 6, 8, 14, 1, 7, 9, 15], 2),
    ([0, 12, 1, 13, 2, 14, 3, 15], 4),
];

#[test]
fn the_running_engine_has_the_layouts_of_the_papers_table() {
    let found = layouts::<Fr>(4).unwrap();
    let expected: Vec<BankRows> =
        FIG16.iter().map(|(row, mode)| vec![*row, row.map(|index| index ^ mode)]).collect();
    assert_eq!(found, expected);
}

#[test]
fn the_running_engine_has_the_layouts_of_the_map() {
    for log_len in [5, 7] {
        for (stage, rows) in (0..).zip(layouts::<Fr>(log_len).unwrap()) {
            for (row, indices) in (0..).zip(rows) {
                for (bank, index) in (0..).zip(indices) {
                    assert_eq!(index, map::index(log_len, stage, Cell { bank, row }));
                }
            }
        }
    }
}

/// Runs a transform of random words on a design and compares it with the host's.
fn run(config: &PolySpec, kind: Transform, log_len: u32) -> (PolyOp<Fr>, PolyWork) {
    let mut engine = PolyOp::new(config).unwrap();
    let domain = Domain::<Fr>::new(log_len).unwrap();
    let coset = domain.odd_shift().unwrap();
    load_table(&mut engine, Bank::C, 0, &twiddle::table(kind, log_len, domain.root(), coset).unwrap());
    let vector = random::<Fr>(3, 1 << log_len);
    let (before, after) = ends(kind);
    load(&mut engine, 0, 0, before, &vector);
    engine.products = Some(Vec::new());
    let work = engine.sub_ntt(0, 0, kind, log_len).unwrap();
    assert_eq!(store(&engine, 0, 0, after, log_len), host(kind, &domain, coset, &vector));
    (engine, work)
}

#[test]
fn a_stage_takes_its_rounds_and_the_length_of_the_pipeline() {
    for kind in [Transform::CosetNtt, Transform::CosetIntt] {
        let cycles = |config: &PolySpec| run(config, kind, 10).1.cycles;
        let paper = PolySpec::paper();
        assert_eq!((paper.butterfly_latency(), cycles(&paper)), (25, 1530));
        assert_eq!(cycles(&PolySpec { mm: 20, ..paper }), 1570);
        // Registers in other positions take as many cycles, and the data still meet.
        let longer = PolySpec { read: 1, connector: 1, adder: 3, halving: 2, write: 4, ..paper };
        assert_eq!(cycles(&longer), 10 * (128 + u64::from(longer.butterfly_latency())));
        assert_eq!(cycles(&PolySpec { connector: 4, ..paper }), 10 * (128 + 29));
        let least = PolySpec { read: 1, connector: 1, mm: 1, adder: 1, halving: 1, write: 1, ..paper };
        assert_eq!(cycles(&least), 10 * (128 + 7));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// No choice of pipeline registers leads to a conflict: the banks refuse a second access, and [`run`] compares with the
    /// host.
    #[test]
    fn no_pipeline_has_a_conflict(
        (read, connector, mm) in (1u32..5, 1u32..5, 1u32..30),
        (adder, halving, write) in (1u32..4, 1u32..4, 1u32..4),
        log_len in 4u32..8,
        inverse in any::<bool>(),
    ) {
        let config = PolySpec { read, connector, mm, adder, halving, write, ..PolySpec::paper() };
        let kind = if inverse { Transform::CosetIntt } else { Transform::CosetNtt };
        let latency = read + 2 * connector + mm + adder + halving + write;
        let cycles = run(&config, kind, log_len).1.cycles;
        prop_assert_eq!(cycles, u64::from(log_len * ((1 << (log_len - 3)) + latency)));
    }
}

#[test]
fn the_multipliers_of_the_chip_stage_by_stage_deliver_what_the_butterflies_take() {
    for kind in [Transform::CosetNtt, Transform::Intt] {
        let (engine, work) = run(&PolySpec::paper(), kind, 6);
        let log = engine.products.unwrap();
        assert_eq!(log.len() as u64, work.cycles);
        let mut arrays = vec![mm::Array::new::<Fr>(mm::MmDesign::PIPELINED_256); UNITS];
        let latency = engine.config.mm as usize;
        let mut delivered = 0;
        for cycle in 0..log.len() {
            for (unit, array) in arrays.iter_mut().enumerate() {
                use crate::machine::datapath::Datapath;
                let due = cycle.checked_sub(latency).and_then(|entered| log[entered][unit]);
                assert_eq!(array.out()[0], due.map(|(_, _, product)| product.digits()), "{kind:?} {cycle}");
                delivered += usize::from(due.is_some());
                let operands = log[cycle][unit].map(|(a, b, _)| (a.digits(), b.digits()));
                array.tick([operands, None, None, None]);
            }
        }
        assert_eq!(delivered as u64, work.products, "{kind:?}");
    }
}

#[test]
fn a_batch_drains_once_a_stage() {
    let log_len = 5;
    let batch = PolySpec { batch: true, ..PolySpec::paper() };
    let domain = Domain::<Fr>::new(log_len).unwrap();
    for (kind, cycles) in [(Transform::Ntt, 5 * (32 * 4 + 25)), (Transform::Intt, 5 * (32 * 4 + 25))] {
        let mut engine = PolyOp::new(&batch).unwrap();
        let table = twiddle::table(kind, log_len, domain.root(), Fr::from(1)).unwrap();
        load_table(&mut engine, Bank::C, 1, &table);
        let (before, after) = ends(kind);
        let vectors: Vec<Vec<Fr>> = (0..32).map(|slot| random(slot, 32)).collect();
        for (slot, vector) in (0..).zip(&vectors) {
            load(&mut engine, 1, slot, before, vector);
        }
        assert_eq!(engine.sub_ntts(1, 0..32, kind, log_len).unwrap().cycles, cycles);
        for (slot, vector) in (0..).zip(&vectors) {
            assert_eq!(store(&engine, 1, slot, after, log_len), host(kind, &domain, Fr::from(1), vector));
        }
    }
    let mut paper = PolyOp::<Fr>::new(&PolySpec::paper()).unwrap();
    assert_eq!(paper.sub_ntts(1, 0..32, Transform::Ntt, 5), Err(PolyError::Batch { slots: 32 }));
}

#[test]
fn parameters_are_read_by_their_names() {
    let text = toml::to_string(&PolySpec::paper()).unwrap();
    assert!(text.contains("row_tables = \"generate\""), "{text}");
    assert_eq!(toml::from_str(&text), Ok(PolySpec::default()));
    let unknown = toml::from_str::<PolySpec>(&format!("{text}banks = 9\n")).unwrap_err();
    assert!(unknown.to_string().contains("unknown field `banks`"), "{unknown}");
}

#[test]
fn what_the_engine_refuses() {
    let mut engine = PolyOp::<Fr>::new(&PolySpec::paper()).unwrap();
    let unset = engine.sub_ntt(1, 0, Transform::Ntt, 10).unwrap_err();
    assert_eq!(unset.to_string(), "banks A of set 1: bank 0 row 0 is read in cycle 0 and was never written");
    load(&mut engine, 0, 0, Layout::Natural, &random::<Fr>(1, 64));
    let table = engine.sub_ntt(0, 0, Transform::Ntt, 6).unwrap_err();
    assert!(matches!(table, PolyError::Access { memory: Bank::C, set: 0, .. }), "{table}");
    assert_eq!(engine.sub_ntt(2, 0, Transform::Ntt, 6), Err(PolyError::Set { set: 2 }));
    assert_eq!(engine.sub_ntt(0, 0, Transform::Ntt, 3), Err(PolyError::Length { log_len: 3 }));
    let slots = PolyError::Slots { first: 16, end: 17, log_len: 6, slots: 16 };
    assert_eq!(engine.sub_ntt(0, 16, Transform::Ntt, 6), Err(slots));
    let cell = Cell { bank: 8, row: 0 };
    assert_eq!(
        engine.poke(Bank::A, 0, cell, Fr::from(1)),
        Err(PolyError::Cell { memory: Bank::A, bank: 8, row: 0 })
    );
    assert_eq!(engine.peek(Bank::B, 0, Cell { bank: 0, row: 0 }), None);
    let plain = PolySpec { merged: false, ..PolySpec::paper() };
    assert_eq!(
        PolyOp::<Fr>::new(&plain).unwrap().sub_ntt(0, 0, Transform::CosetIntt, 6),
        Err(PolyError::NotMerged { kind: Transform::CosetIntt })
    );
    for (config, field) in [
        (PolySpec { groups: 3, ..plain }, "poly.groups"),
        (PolySpec { mm: 0, ..plain }, "poly.mm"),
        (PolySpec { connector: 0, ..plain }, "poly.connector"),
        (PolySpec { vector: 3, ..plain }, "poly.vector"),
        (PolySpec { vector: 8, ..plain }, "poly.vector"),
    ] {
        let refused = PolyOp::<Fr>::new(&config).unwrap_err();
        assert!(
            matches!(&refused, PolyError::Parameter(OutOfRange { parameter, .. }) if parameter == field),
            "{refused}"
        );
    }
}
