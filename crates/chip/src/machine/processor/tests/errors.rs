//! Tests of all refusals of the machine, with name, cycle, slot and instruction.

use super::*;

fn refused(spec: &MachineSpec, words: &[L2]) -> (u64, u32, u16, Fault) {
    let (mut machine, _) = loaded::<Fq>(spec, words.to_vec());
    match machine.call(0) {
        Err(MachineError::Slot { cycle, slot, pc, fault, instruction }) => {
            assert!(!instruction.is_empty());
            (cycle, slot, pc, fault)
        }
        other => panic!("{other:?}"),
    }
}

fn paper() -> MachineSpec {
    plain()
}

#[test]
fn ports() {
    // Three rows of bank 0 in one slot, of which the paper's bank can read two; only dual issue can ask for them.
    let words = routine(&[
        with_next(word(L2Op::Mm, &[row(0, 0), row(0, 1)], None)),
        word(L2Op::Add, &[row(0, 5), row(1, 0)], None),
    ]);
    let fault = refused(&MachineSpec::best(), &words);
    let port = SimError::Ports { bank: 0, access: Access::Read, ports: 2, cycle: 1 };
    assert_eq!(fault, (1, 0, 1, port.into()));
    // A product and a sum arrive at one bank in one cycle: slot 0 + 18 = slot 17 + 1.
    let mut words = vec![word(L2Op::Mm, &[row(0, 0), row(1, 0)], Some(at(2, 2)))];
    words.extend(nops(16));
    words.push(word(L2Op::Add, &[row(0, 0), row(1, 0)], Some(at(2, 3))));
    let (cycle, slot, pc, fault) = refused(&paper(), &routine(&words));
    assert_eq!((cycle, slot, pc), (2 + 18, 17, 17));
    assert!(matches!(fault, Fault::Bank(SimError::Ports { bank: 2, access: Access::Write, ports: 1, .. })));
    // With two write ports this is allowed, but not into the same row.
    let wide = paper().with("banks.writes", "2").unwrap();
    let (mut machine, _) = loaded::<Fq>(&wide, routine(&words));
    machine.call(0).unwrap();
    words[17].dst = Some(at(2, 2));
    let (.., fault) = refused(&wide, &routine(&words));
    assert_eq!(fault, SimError::Collision { bank: 2, row: 2, cycle: 20 }.into());
}

#[test]
fn rows() {
    let read = |r: Operand| refused(&paper(), &routine(&[L2::NOP, word(L2Op::Neg, &[r], None)]));
    assert_eq!(read(row(1, 9)), (2, 1, 1, SimError::Unwritten { bank: 1, row: 9, cycle: 2 }.into()));
    let outside = SimError::Address { bank: 3, row: 0, banks: 3, rows: 32 };
    assert_eq!(read(row(3, 0)).3, outside.into());
    let small = paper().with("banks.rows", "16").unwrap();
    let (_, slot, _, fault) = refused(&small, &routine(&[word(L2Op::Neg, &[row(0, 0)], Some(at(0, 16)))]));
    assert_eq!((slot, fault), (0, SimError::Address { bank: 0, row: 16, banks: 3, rows: 16 }.into()));
}

#[test]
fn forwarding() {
    let neg = |path| L2 { path, ..word(L2Op::Neg, &[over(Channel::Arith)], None) };
    let first = word(L2Op::Neg, &[row(0, 0)], None);
    assert_eq!(refused(&paper(), &routine(&[first, neg(None)])).3, Fault::NoPath(0));
    assert_eq!(
        refused(&paper(), &routine(&[neg(Some(FwdPath::One))])),
        (2, 0, 0, Fault::NothingForwarded(Channel::Arith, FwdPath::One))
    );
    let none = paper().with("forwarding.path2", "false").unwrap();
    let words = routine(&[first, neg(Some(FwdPath::Two))]);
    assert_eq!(refused(&none, &words), (3, 1, 1, Fault::NoSuchPath(FwdPath::Two)));
    let (mut machine, _) = loaded::<Fq>(&paper(), words);
    machine.call(0).unwrap();
    // A result on a path at the end of a routine is not available to the next routine.
    let words = [routine(&[first]), routine(&[neg(Some(FwdPath::One))])].concat();
    let (mut machine, _) = loaded::<Fq>(&paper(), words);
    machine.call(0).unwrap();
    assert!(matches!(machine.call(1), Err(MachineError::Slot { fault: Fault::NothingForwarded(..), .. })));
}

#[test]
fn form() {
    let mut one_operand = word(L2Op::Add, &[row(0, 0)], None);
    assert_eq!(refused(&paper(), &routine(&[one_operand])).3, Fault::Operand(1));
    one_operand.src = [None; 2];
    assert_eq!(refused(&paper(), &routine(&[one_operand])).3, Fault::Operand(0));
    assert_eq!(refused(&paper(), &nops(3)), (2 + 2, 3, 2, Fault::Runaway { pc: 3 }));
    assert_eq!(refused(&paper(), &[]).3, Fault::Runaway { pc: 0 });
}

#[test]
fn pairs() {
    let mm = word(L2Op::Mm, &[row(0, 0), row(1, 0)], None);
    let add = word(L2Op::Add, &[row(0, 0), row(1, 0)], None);
    let inv = word(L2Op::Inv, &[row(0, 0)], None);
    let best = MachineSpec::best();
    assert_eq!(refused(&paper(), &routine(&[with_next(mm), add])).3, Fault::SingleIssue);
    for (a, b) in [(mm, mm), (add, add), (inv, add), (mm, inv), (mm, L2::NOP), (L2::NOP, add)] {
        let pair = Fault::Pair(a.op.channel(), b.op.channel());
        assert_eq!(refused(&best, &routine(&[with_next(a), b])), (1, 0, 1, pair));
    }
    assert_eq!(refused(&best, &routine(&[with_next(mm), with_next(add), mm])).3, Fault::PairEnd);
    assert_eq!(refused(&best, &routine(&[add, with_next(mm)])).3, Fault::PairEnd);
    assert_eq!(refused(&best, &[with_next(mm)]).3, Fault::Runaway { pc: 1 });
}

#[test]
fn the_inverter_waits_for_the_multiplier() {
    let words = |distance: usize| {
        let mut words = vec![word(L2Op::Mm, &[row(0, 0), row(1, 0)], Some(at(2, 2)))];
        words.extend(nops(distance - 1));
        words.push(word(L2Op::Inv, &[row(0, 0)], Some(at(0, 2))));
        routine(&words)
    };
    assert_eq!(refused(&paper(), &words(17)), (2 + 17, 17, 17, Fault::InFlight(1)));
    let (mut machine, _) = loaded::<Fq>(&paper(), words(18));
    machine.call(0).unwrap();
}

#[test]
fn designs_and_memories() {
    let hasty = paper().with("inversion.interval", "15").unwrap();
    let build = |spec: &MachineSpec, words: usize| {
        Processor::<Fq>::with_instructions(spec, Vec::new(), nops(words)).map(|_| ())
    };
    assert_eq!(build(&hasty, 1), Err(MachineError::Interval { interval: 15, latency: 16 }));
    let small = paper().with("control.l2_words", "16").unwrap();
    assert_eq!(build(&small, 16), Ok(()));
    assert_eq!(build(&small, 17), Err(MachineError::Memory { memory: "L2", words: 16, program: 17 }));
    let image = Image { l2: vec![L2::NOP.encode().unwrap(), u32::MAX], ..Image::default() };
    assert!(matches!(
        Processor::<Fq>::new(&paper(), &image),
        Err(MachineError::Word { memory: "L2", address: 1, .. })
    ));
}

/// The error of an L1 program on the paper's design.
fn l1(program: &[L1]) -> MachineError {
    let l2 = routine(&[L2::NOP]);
    let mut machine = Processor::<Fq>::with_instructions(&paper(), program.to_vec(), l2).unwrap();
    machine.write_global(0, Row::ONE).unwrap();
    machine.run(500).expect_err("a faulty program")
}

#[test]
fn control() {
    let fault = |program: &[L1]| match l1(program) {
        MachineError::Control { cycle, pc, fault, .. } => (cycle, pc, fault),
        other => panic!("{other:?}"),
    };
    let reg = LoopReg::J;
    let switch = |direction, rows, global, local| L1::Switch { direction, rows, global, local };
    assert_eq!(l1(&[]), MachineError::L1Address { cycle: 0, pc: 0 });
    assert_eq!(l1(&[L1::PairOp { addr: 0 }]), MachineError::L1Address { cycle: 3, pc: 1 });
    assert_eq!(l1(&[L1::Jump { reg, addr: 9 }]), MachineError::L1Address { cycle: 1, pc: 9 });
    assert_eq!(l1(&[L1::Jump { reg, addr: 0 }]), MachineError::Limit { limit: 500, pc: 0 });
    assert!(matches!(
        l1(&[L1::PairOp { addr: 5 }]),
        MachineError::Slot { fault: Fault::Runaway { pc: 5 }, .. }
    ));
    assert_eq!(fault(&[L1::Scan { reg, addr: 0 }]), (1, 0, Fault::ScanEmpty(reg)));
    let scan =
        [L1::LoadScan { reg, bits: 1, global: 0 }, L1::Scan { reg, addr: 2 }, L1::Scan { reg, addr: 2 }];
    assert_eq!(fault(&scan), (3, 2, Fault::ScanEmpty(reg)));
    let unwritten = |row, cycle| Fault::Bank(SimError::Unwritten { bank: 0, row, cycle });
    assert_eq!(fault(&[L1::LoadScan { reg, bits: 1, global: 7 }]), (1, 0, unwritten(7, 1)));
    assert_eq!(fault(&[L1::SetField { field: FieldName::Fr }]), (1, 0, Fault::OtherField(FieldName::Fq)));
    assert_eq!(fault(&[switch(Direction::In, 2, 0, 0)]), (2, 0, unwritten(1, 2)));
    assert_eq!(fault(&[switch(Direction::Out, 1, 0, 0)]).2, unwritten(0, 1));
    let over = Fault::Local { address: 96, at: at(0, 32) };
    assert_eq!(fault(&[switch(Direction::In, 1, 0, 95), switch(Direction::In, 1, 0, 96)]), (3, 1, over));
    let far = Fault::Local { address: 255, at: Loc::linear(255) };
    assert_eq!(fault(&[switch(Direction::In, 50, 0, 255)]).2, far);
    assert_eq!(fault(&[L1::MsmInitP2]), (1, 0, Fault::OtherEngine));
    assert_eq!(
        fault(&[L1::Load { memory: crate::isa::Memory::A, length: 1, src: 0, stream: 0 }]).2,
        Fault::OtherEngine
    );
}

#[test]
fn messages_name_cycle_slot_and_instruction() {
    let (mut machine, _) = loaded::<Fq>(&paper(), routine(&[L2::NOP, word(L2Op::Neg, &[row(1, 9)], None)]));
    let text = machine.call(0).unwrap_err().to_string();
    let says = "cycle 2, slot 1, L2 word 1 `neg _, b1.9 last`: bank 1 row 9 is read in cycle 2 and was never written";
    assert_eq!(text, says);
    let text = l1(&[L1::MsmInitP2]).to_string();
    let says = "cycle 1, L1 word 0 `msm_initp2`: the pairing processor does not execute it: it is for the \
                polynomial and point engines";
    assert_eq!(text, says);
}
