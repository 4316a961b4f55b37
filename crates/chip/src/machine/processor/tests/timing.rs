//! Tests of the slots in which results are on a forwarding path or in a row.

use super::*;

const CHANNELS: [(L2Op, Channel); 2] = [(L2Op::Mm, Channel::Mm), (L2Op::Add, Channel::Arith)];

fn latency(spec: &MachineSpec, channel: Channel) -> usize {
    match channel {
        Channel::Mm => spec.mm.product_latency() as usize,
        Channel::Arith => spec.arith.latency as usize,
        Channel::Inv => 1,
    }
}

/// An instruction in slot 0 and a consumer `distance` slots later.
fn consumer(op: L2Op, distance: usize, operand: Operand, path: Option<FwdPath>) -> Vec<L2> {
    let mut words = vec![word(op, &[row(0, 0), row(1, 0)], Some(at(2, 2)))];
    words.extend(nops(distance - 1));
    words.push(L2 { path, ..word(L2Op::Neg, &[operand], Some(at(0, 2))) });
    routine(&words)
}

#[test]
fn path_2_then_path_1_then_the_bank() {
    for (mm, arith, ii) in
        [("18", "1", "1"), ("2", "3", "1"), ("5", "8", "1"), ("18", "1", "2"), ("18", "1", "4")]
    {
        let spec = plain().with("mm.latency", mm).unwrap().with("arith.latency", arith).unwrap();
        let spec = spec.with("mm.ii", ii).unwrap();
        for (op, channel) in CHANNELS {
            let d = latency(&spec, channel);
            for (distance, operand, path) in [
                (d, over(channel), Some(FwdPath::Two)),
                (d + 1, over(channel), Some(FwdPath::One)),
                (d + 2, row(2, 2), None),
            ] {
                let words = consumer(op, distance, operand, path);
                let (mut machine, v) = loaded::<Fq>(&spec, words);
                let run = machine.call(0).unwrap();
                let result = if op == L2Op::Mm { v[0][0] * v[1][0] } else { v[0][0] + v[1][0] };
                assert_eq!(machine.read_local(at(2, 2)), Some(result));
                assert_eq!(machine.read_local(at(0, 2)), Some(-result));
                assert_eq!(run.slots, distance as u64 + 1);
                assert_eq!(
                    run.by_class.drain,
                    u64::from(spec.arith.latency).max((d - distance.min(d)) as u64)
                );
                assert_eq!(
                    run.forwards.path1.total() + run.forwards.path2.total(),
                    u64::from(path.is_some())
                );
            }
            // One slot early or late the path is empty; one slot early the row has no value.
            for (distance, path) in [
                (d.max(2) - 1, FwdPath::Two),
                (d + 1, FwdPath::Two),
                (d, FwdPath::One),
                (d + 2, FwdPath::One),
            ] {
                if distance == d && path == FwdPath::Two {
                    continue;
                }
                let (mut machine, _) = loaded::<Fq>(&spec, consumer(op, distance, over(channel), Some(path)));
                let Err(MachineError::Slot { slot, fault, .. }) = machine.call(0) else {
                    panic!("{channel:?} {distance} {path:?}")
                };
                assert_eq!((slot, fault), (distance as u32, Fault::NothingForwarded(channel, path)));
            }
            let (mut machine, _) = loaded::<Fq>(&spec, consumer(op, d + 1, row(2, 2), None));
            let Err(MachineError::Slot { slot, fault, .. }) = machine.call(0) else { panic!("{channel:?}") };
            assert_eq!(slot, d as u32 + 1);
            assert!(matches!(fault, Fault::Bank(SimError::Unwritten { bank: 2, row: 2, .. })));
        }
    }
}

#[test]
fn a_row_keeps_its_old_value_until_the_write_has_committed() {
    let spec = plain();
    // The product is written to the row of its first operand; copies of that row are made before, during and after.
    let mut words = vec![word(L2Op::Mm, &[row(0, 0), row(1, 0)], Some(at(0, 0)))];
    words.extend(nops(18));
    words.push(word(L2Op::Vld, &[row(0, 0)], Some(at(1, 2))));
    words[19] = word(L2Op::Vld, &[row(0, 0)], Some(at(1, 2)));
    words.push(word(L2Op::Vld, &[row(0, 0)], Some(at(1, 3))));
    let (mut machine, v) = loaded::<Fq>(&spec, routine(&words));
    machine.call(0).unwrap();
    assert_eq!(machine.read_local(at(1, 2)), Some(v[0][0]), "slot 19 = 0 + 18 + 1 reads the old value");
    assert_eq!(machine.read_local(at(1, 3)), Some(v[0][0] * v[1][0]), "slot 20 the new one");
}

#[test]
fn every_operation_is_the_hosts() {
    let spec = plain();
    let a = row(0, 0);
    let b = row(1, 0);
    let xi = Fq2::new(Fq::ONE, Fq::ONE);
    type Host = fn(Fq2, Fq2) -> Fq2;
    let cases: [(L2Op, &[Operand], Host); 8] = [
        (L2Op::Mm, &[a, b], |x, y| x * y),
        (L2Op::Add, &[a, b], |x, y| x + y),
        (L2Op::Sub, &[a, b], |x, y| x - y),
        (L2Op::Inv, &[a], |x, _| Fq2::new(x.c0.invert().unwrap_or(Fq::ZERO), Fq::ZERO)),
        (L2Op::MulXi, &[a], |x, _| x),
        (L2Op::Conj, &[a], |x, _| x.conjugate()),
        (L2Op::Neg, &[a], |x, _| -x),
        (L2Op::Vld, &[a], |x, _| x),
    ];
    let p1 = -Fq::ONE;
    let edges = [Fq2::ZERO, Fq2::ONE, Fq2::new(p1, p1), Fq2::new(Fq::ZERO, Fq::ONE)];
    for (op, src, host) in cases {
        for x in edges {
            for y in edges {
                let words = routine(&[word(op, src, Some(at(2, 7)))]);
                let mut machine = Processor::<Fq>::with_instructions(&spec, Vec::new(), words).unwrap();
                machine.write_local(at(0, 0), x).unwrap();
                machine.write_local(at(1, 0), y).unwrap();
                machine.call(0).unwrap();
                let want = if op == L2Op::MulXi { x * xi } else { host(x, y) };
                assert_eq!(machine.read_local(at(2, 7)), Some(want), "{op:?}");
            }
        }
    }
}

#[test]
fn an_inversion_stops_the_slots_but_not_the_order_of_results() {
    let spec = MachineSpec::best().with("inversion.chain", "window").unwrap();
    // The product's result leaves the multiplier in slot 18, in which the inverter may start; the sum of slot 17 is
    // on path 1 of slot 19, one slot and many cycles later.
    let mut words = vec![word(L2Op::Mm, &[row(0, 0), row(1, 0)], Some(at(2, 2)))];
    words.extend(nops(16));
    words.push(word(L2Op::Add, &[row(0, 0), row(1, 0)], None));
    words.push(on(FwdPath::Two, word(L2Op::Inv, &[over(Channel::Mm)], Some(at(2, 3)))));
    words.push(on(FwdPath::Two, word(L2Op::Mm, &[over(Channel::Inv), row(0, 1)], Some(at(2, 4)))));
    words.push(on(FwdPath::One, word(L2Op::Neg, &[over(Channel::Inv)], Some(at(2, 5)))));
    let (mut machine, v) = loaded::<Fq>(&spec, routine(&words));
    let run = machine.call(0).unwrap();
    let product = v[0][0] * v[1][0];
    let inverse = Fq2::new(product.c0.invert().unwrap(), Fq::ZERO);
    assert_eq!(machine.read_local(at(2, 3)), Some(inverse));
    assert_eq!(machine.read_local(at(2, 4)), Some(inverse * v[0][1]));
    assert_eq!(machine.read_local(at(2, 5)), Some(-inverse));
    assert_eq!((run.slots, run.inversions), (21, 1));
    assert_eq!((run.inversion_products, run.by_class.inversion), (463, 463 * 18));
    assert_eq!(run.by_class.drain, 18 - 1);
    assert_eq!(run.cycles, sum(&run));
    // On the paper's design the chain is 760 products, 20 cycles each.
    let (mut machine, v) = loaded::<Fq>(&plain(), routine(&[word(L2Op::Inv, &[row(0, 0)], Some(at(0, 2)))]));
    let run = machine.call(0).unwrap();
    assert_eq!(machine.read_local(at(0, 2)).unwrap().c0, v[0][0].c0.invert().unwrap());
    assert_eq!((run.inversion_products, run.by_class.inversion), (760, 15_200));
    assert_eq!(run.cycles, 1 + 1 + 1 + 15_200 + 1);
}

#[test]
fn an_adder_in_flight_stands_still_with_the_slots() {
    let spec = plain().with("arith.latency", "3").unwrap();
    let words = [
        word(L2Op::Add, &[row(0, 0), row(1, 0)], Some(at(2, 2))),
        word(L2Op::Inv, &[row(0, 1)], None),
        L2::NOP,
        on(FwdPath::Two, word(L2Op::Neg, &[over(Channel::Arith)], Some(at(2, 3)))),
    ];
    let (mut machine, v) = loaded::<Fq>(&spec, routine(&words));
    machine.call(0).unwrap();
    assert_eq!(machine.read_local(at(2, 3)), Some(-(v[0][0] + v[1][0])));
}

#[test]
fn two_words_issue_in_one_slot() {
    let words = [
        with_next(word(L2Op::Mm, &[row(0, 0), row(0, 0)], Some(at(0, 2)))),
        word(L2Op::Sub, &[row(0, 0), row(0, 1)], Some(at(1, 2))),
        with_next(on(FwdPath::Two, word(L2Op::Neg, &[over(Channel::Arith)], Some(at(1, 3))))),
        word(L2Op::Mm, &[row(1, 0), row(1, 1)], Some(at(2, 3))),
    ];
    let (mut machine, v) = loaded::<Fr>(&MachineSpec::best(), routine(&words));
    let run = machine.call(0).unwrap();
    // The row that both words and both operands need is read once: two ports are enough.
    assert_eq!(machine.read_local(at(0, 2)), Some(v[0][0] * v[0][0]));
    assert_eq!(machine.read_local(at(1, 3)), Some(v[0][1] - v[0][0]));
    assert_eq!(machine.read_local(at(2, 3)), Some(v[1][0] * v[1][1]));
    assert_eq!((run.slots, run.l2_words, run.bundles, run.bubbles), (2, 4, 2, 0));
    assert_eq!((run.issued.mm, run.issued.arith), (2, 2));
    assert_eq!(run.cycles, 1 + 1 + 2 + 18);
    assert_eq!(run.banks.iter().map(|b| (b.reads, b.writes)).collect::<Vec<_>>(), [(2, 1), (2, 2), (0, 1)]);
}

#[test]
fn a_slow_multiplier_takes_products_at_its_interval() {
    for (path, value, interval) in [("mm.ii", "4", 4), ("mm.style", "iterative", 18)] {
        let spec = plain().with(path, value).unwrap();
        for distance in [interval - 1, interval, interval + 1] {
            let mut words = vec![word(L2Op::Mm, &[row(0, 0), row(1, 0)], Some(at(2, 2)))];
            words.extend(nops(distance - 1));
            words.push(word(L2Op::Mm, &[row(0, 1), row(1, 1)], Some(at(2, 3))));
            let (mut machine, v) = loaded::<Fq>(&spec, routine(&words));
            let run = machine.call(0);
            if distance < interval {
                assert!(matches!(run, Err(MachineError::Slot { fault: Fault::Busy(1), .. })), "{run:?}");
                // The error leaves no trace: the same rows in another routine give the right result.
                machine.write_local(at(0, 0), v[0][0]).unwrap();
                assert!(
                    matches!(machine.call(0), Err(MachineError::Slot { cycle, .. }) if cycle == 1 + interval as u64)
                );
            } else {
                run.unwrap();
                assert_eq!(machine.read_local(at(2, 3)), Some(v[0][1] * v[1][1]));
            }
        }
    }
}
