//! Tests of L1 programs: loops, scans, switching, and the counts of cycles.

use super::*;

fn machine(spec: &MachineSpec, l1: Vec<L1>, l2: Vec<L2>) -> Processor<Fq> {
    Processor::with_instructions(spec, l1, l2).expect("a small program")
}

/// A routine that computes `at(0, 0) += at(1, 0)`.
fn accumulate() -> Vec<L2> {
    routine(&[word(L2Op::Add, &[row(0, 0), row(1, 0)], Some(at(0, 0)))])
}

const SUM: L1 = L1::PairOp { addr: 0 };

fn times(run: &Run) -> u64 {
    run.routines.iter().map(|r| r.calls).sum()
}

#[test]
fn loops_nest_and_begin_anew() {
    let looped = |reg, addr, count| L1::Loop { reg, addr, count };
    let program =
        vec![SUM, looped(LoopReg::K, 0, 3), looped(LoopReg::J, 0, 4), looped(LoopReg::I, 0, 2), L1::Finish];
    let mut m = machine(&plain(), program, accumulate());
    m.write_local(at(0, 0), Row::ZERO).unwrap();
    m.write_local(at(1, 0), Row::ONE).unwrap();
    let run = m.run(10_000).unwrap();
    assert_eq!(times(&run), 24);
    assert_eq!(m.read_local(at(0, 0)).unwrap().c0, Fq::from(24));
    // dispatch, fill, one slot, one cycle to write back.
    assert_eq!(run.routines[0].cycles, 24 * 4);
    assert_eq!(run.l1_instructions, 24 + 24 + 8 + 2 + 1);
    assert_eq!((run.cycles, sum(&run)), (24 * 3 + run.l1_instructions, run.cycles));
}

#[test]
fn a_jump_abandons_its_loop() {
    // The body runs, the loop branches back, and the jump leaves it: the loop begins at zero when it is entered again.
    let program = vec![
        L1::LoadScan { reg: LoopReg::J, bits: 2, global: 0 },
        SUM,
        L1::Scan { reg: LoopReg::J, addr: 4 },
        L1::Jump { reg: LoopReg::I, addr: 5 },
        L1::Loop { reg: LoopReg::I, addr: 1, count: 3 },
        SUM,
        L1::Loop { reg: LoopReg::I, addr: 5, count: 2 },
        L1::Finish,
    ];
    let mut m = machine(&plain(), program, accumulate());
    m.write_local(at(0, 0), Row::ZERO).unwrap();
    m.write_local(at(1, 0), Row::ONE).unwrap();
    // Bits 0 then 1, as they are stored.
    let raw = Fq::from_montgomery([0b01, 0, 0, 0, 0, 0]).unwrap();
    m.write_global(0, Row::new(raw, Fq::ONE)).unwrap();
    let run = m.run(1_000).unwrap();
    // Once for bit 0, once for bit 1, then twice: a counter left over would have made it once.
    assert_eq!(times(&run), 4);
}

#[test]
fn scans_take_bits_from_the_top_as_they_lie() {
    let value = Fq::from_montgomery([0x0123_4567_89ab_cdef, 0xfedc, 0, 0, 0, 7 << 50]).unwrap();
    for bits in [1u16, 5, 64, 80, 381, 384] {
        // Counts zeros in one routine and ones in another.
        let program = vec![
            L1::LoadScan { reg: LoopReg::K, bits, global: 3 },
            L1::Scan { reg: LoopReg::K, addr: 4 },
            L1::PairOp { addr: 0 },
            L1::Jump { reg: LoopReg::J, addr: 5 },
            L1::PairOp { addr: 1 },
            L1::Loop { reg: LoopReg::I, addr: 1, count: bits.into() },
            L1::Finish,
        ];
        let l2 = [routine(&[L2::NOP]), routine(&[L2::NOP])].concat();
        let mut m = machine(&plain(), program, l2);
        m.write_global(3, Row::new(value, Fq::ZERO)).unwrap();
        let run = m.run(100_000).unwrap();
        let digits = value.to_montgomery();
        let ones = (0..usize::from(bits)).filter(|i| digits[i / 64] >> (i % 64) & 1 == 1).count() as u64;
        let calls = |addr| run.routines.iter().find(|r| r.addr == addr).map_or(0, |r| r.calls);
        assert_eq!((calls(0), calls(1)), (ones, u64::from(bits) - ones), "{bits} bits");
    }
}

#[test]
fn the_switcher_moves_rows_in_and_out() {
    for per_cycle in ["1", "2", "3"] {
        let spec = plain().with("switcher.rows_per_cycle", per_cycle).unwrap();
        let switch = |direction, rows, global, local| L1::Switch { direction, rows, global, local };
        let program = vec![
            switch(Direction::In, 7, 10, 4),
            switch(Direction::Out, 7, 100, 4),
            switch(Direction::Out, 1, 200, 8),
            L1::Finish,
        ];
        let mut m = machine(&spec, program, Vec::new());
        let values: Vec<Row<Fq>> = (0..7).map(|i| Row::new(Fq::from(i), Fq::from(i + 50))).collect();
        (10..).zip(&values).for_each(|(r, v)| m.write_global(r, *v).unwrap());
        let run = m.run(100).unwrap();
        for i in 0..7u8 {
            let value = Some(values[usize::from(i)]);
            assert_eq!(m.read_local(Loc::linear(4 + i)), value);
            assert_eq!(m.read_global(100 + u32::from(i)), value);
        }
        assert_eq!(m.read_global(200), Some(values[4]));
        assert_eq!(m.read_global(201), None);
        let cycles = 2 * 7u64.div_ceil(per_cycle.parse().unwrap()) + 1;
        assert_eq!((run.switched_rows, run.by_class.switch, run.cycles), (15, cycles, cycles + 4));
        assert_eq!(run.banks.iter().map(|b| b.reads + b.writes).sum::<u64>(), 15);
    }
    // A slower dispatch leaves the rows unchanged and costs its cycles.
    let slow = plain().with("control.dispatch", "5").unwrap();
    let run =
        machine(&slow, vec![L1::SetField { field: FieldName::Fq }, L1::Finish], Vec::new()).run(100).unwrap();
    assert_eq!((run.cycles, run.by_class.dispatch), (10, 10));
}

#[test]
fn every_cycle_is_accounted_for_and_routines_have_names() {
    let spec = plain().with("control.fill", "3").unwrap();
    let switch = |direction, rows, global, local| L1::Switch { direction, rows, global, local };
    let l2 = routine(&[
        word(L2Op::Mm, &[row(0, 0), row(1, 0)], Some(at(0, 1))),
        word(L2Op::Add, &[row(0, 0), row(1, 0)], Some(at(2, 0))),
    ]);
    let inverse = routine(&[word(L2Op::Inv, &[row(2, 0)], Some(at(2, 1)))]);
    let l1 = [
        switch(Direction::In, 2, 0, 0),
        L1::PairOp { addr: 0 },
        L1::Loop { reg: LoopReg::I, addr: 1, count: 5 },
        L1::PairOp { addr: 2 },
        switch(Direction::Out, 2, 8, 2),
        L1::Finish,
    ];
    let image = Image {
        l1: l1.iter().map(|i| i.encode().unwrap()).collect(),
        l2: l2.iter().chain(&inverse).map(|i| i.encode().unwrap()).collect(),
        l2_labels: [("both".to_owned(), 0), ("invert".to_owned(), 2)].into(),
        ..Image::default()
    };
    let mut m = Processor::<Fr>::new(&spec, &image).unwrap();
    let (x, y) = (Row::new(Fr::from(5), Fr::from(6)), Row::new(Fr::from(7), Fr::from(8)));
    m.write_global(0, x).unwrap();
    m.write_global(1, y).unwrap();
    let run = m.run(100_000).unwrap();
    assert_eq!(m.read_global(8).unwrap(), x + y);
    assert_eq!(m.read_local(at(2, 1)).unwrap().c0, Fr::from(12).invert().unwrap());
    assert_eq!(m.read_global(9).unwrap(), x * y);
    let per_call = 1 + 3 + 2 + 17;
    let names: Vec<_> =
        run.routines.iter().map(|r| (r.name.as_deref(), r.calls, r.slots, r.cycles)).collect();
    let inversion = 2 * 254 * 20;
    assert_eq!(
        names,
        [(Some("both"), 5, 10, 5 * per_call), (Some("invert"), 1, 1, 1 + 3 + 1 + inversion + 1)]
    );
    let by_class = CycleCount { dispatch: 14, fill: 18, issue: 11, inversion, drain: 5 * 17 + 1, switch: 4 };
    assert_eq!((run.by_class, run.cycles), (by_class, by_class.total()));
    // A second run gives the same counts: the values stay, and counting starts again.
    assert_eq!(m.run(100_000).unwrap(), run);
    m.clear();
    assert!(m.run(100_000).is_err());
}

#[test]
fn what_follows_a_routine_or_a_move_is_fetched_meanwhile() {
    let l1 = vec![
        L1::Switch { direction: Direction::In, rows: 2, global: 0, local: 0 },
        L1::PairOp { addr: 0 },
        L1::Loop { reg: LoopReg::I, addr: 1, count: 3 },
        L1::Finish,
    ];
    let l2 = routine(&[word(L2Op::Add, &[row(0, 0), row(1, 0)], Some(at(2, 0)))]);
    let dispatched = |spec: &MachineSpec| {
        let mut m = machine(spec, l1.clone(), l2.clone());
        m.write_global(0, Row::ONE).unwrap();
        m.write_global(1, Row::ONE).unwrap();
        let run = m.run(1000).unwrap();
        (run.by_class.dispatch, run.cycles - run.by_class.dispatch)
    };
    let (each, rest) = dispatched(&plain());
    assert_eq!(each, 1 + 3 + 3 + 1);
    // The dispatch of the first call and of the loops takes no cycle; that of the calls after a loop's jump does.
    assert_eq!(dispatched(&MachineSpec::paper()), (1 + 2 + 1, rest));
}

#[test]
fn a_repeated_routine_does_not_drain_in_between() {
    // Each call multiplies a row in place and adds its old value to a sum; later calls read both rows while the new values
    // are still in flight.
    let l2 = routine(&[
        word(L2Op::Mm, &[row(0, 0), row(1, 0)], Some(at(0, 0))),
        word(L2Op::Add, &[row(2, 0), row(0, 0)], Some(at(2, 0))),
    ]);
    let l1 = vec![L1::PairRepeat { addr: 0, times: 3 }, L1::Finish];
    let start = |spec: &MachineSpec| {
        let mut m = machine(spec, l1.clone(), l2.clone());
        for (at, value) in [(at(0, 0), 5), (at(1, 0), 7), (at(2, 0), 0)] {
            m.write_local(at, Row::new(Fq::from(value), Fq::ZERO)).unwrap();
        }
        m
    };
    assert!(matches!(start(&plain()).run(100), Err(MachineError::Control { fault: Fault::NoRepeat, .. })));
    let mut m = start(&plain().with("control.repeat", "true").unwrap());
    let run = m.run(100).unwrap();
    // All three calls read the 5 before the first product arrives, 18 slots later. The sums are read by later calls: the
    // first sum arrives one slot too late for the second call, and so on.
    assert_eq!(m.read_local(at(0, 0)).unwrap().c0, Fq::from(35));
    assert_eq!(m.read_local(at(2, 0)).unwrap().c0, Fq::from(10));
    assert_eq!((run.slots, run.routines[0].calls, run.by_class.drain), (6, 3, 17));
    assert_eq!(run.cycles, sum(&run));
}
