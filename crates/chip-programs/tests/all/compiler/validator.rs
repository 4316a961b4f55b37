//! The validator accepts every routine on many machines, and detects every kind of fault.

use super::common::{fp6_mul, is_late, machine, machines, refused};
use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::{Fault, Graph, Options, Scheduler, compile, validate};
use pairwright_chip::isa::{Channel, FwdPath, L2, L2Op, Loc, Operand};
use pairwright_chip::machine::interpret::{Refusal, Why};
use pairwright_chip_programs::{published, resident};

#[test]
fn words_of_every_routine_are_valid_on_every_machine() {
    for (title, spec) in machines() {
        for (name, graph) in published::routines() {
            for scheduler in [Scheduler::List, Scheduler::Critical] {
                let options = Options { scheduler, seeds: 12, seed: 3 };
                let compiled = compile(name, &graph, &spec, &options)
                    .unwrap_or_else(|e| panic!("{title}, {scheduler:?}: {e}"));
                let facts = validate(&compiled.words, &graph, &spec, 7)
                    .unwrap_or_else(|e| panic!("{title}, {name}, {scheduler:?}: {e}"));
                let report = &compiled.report;
                assert_eq!((facts.slots, facts.cycles), (report.slots, report.cycles), "{title}, {name}");
                assert_eq!(facts.forwards, [report.forwards_path1, report.forwards_path2], "{title}, {name}");
                assert!(report.bound <= report.cycles, "{title}, {name}");
            }
        }
    }
}

#[test]
fn large_routines_are_valid_and_no_scheduler_is_below_another_s_bound() {
    for spec in [MachineSpec::paper(), MachineSpec::best()] {
        for (name, graph) in resident::routines(6) {
            let reports = Scheduler::ALL.map(|scheduler| {
                let compiled =
                    compile(name, &graph, &spec, &Options { scheduler, seeds: 16, seed: 2 }).unwrap();
                validate(&compiled.words, &graph, &spec, 5)
                    .unwrap_or_else(|e| panic!("{}, {name}, {scheduler}: {e}", spec.name));
                compiled.report
            });
            let bound = reports.iter().map(|r| r.bound).max();
            let shortest = reports.iter().map(|r| r.cycles).min();
            assert!(bound <= shortest, "{}, {name}: {bound:?} {shortest:?}", spec.name);
        }
    }
}

fn words(graph: &Graph, spec: &MachineSpec) -> Vec<L2> {
    compile("fp6_mul", graph, spec, &Options::default()).unwrap().words
}

/// The first word for which `which` holds.
fn find(words: &[L2], which: impl Fn(&L2) -> bool) -> usize {
    words.iter().position(which).expect("the routine has such a word")
}

/// Whether the words share a slot that they must not share.
fn is_together(fault: &Fault) -> bool {
    refused(fault, |why| matches!(why, Why::Runaway | Why::SingleIssue | Why::PairEnd | Why::Pair))
}

type Damage = fn(&mut Vec<L2>);

/// Changes to valid words, and the fault that the validator must report.
const DAMAGES: &[(&str, Damage, fn(&Fault) -> bool)] = &[
    (
        "operands exchanged",
        |w| {
            let k = find(w, |w| w.op == L2Op::Sub);
            w[k].src.swap(0, 1);
        },
        |f| matches!(f, Fault::Output { .. }),
    ),
    (
        "another operation",
        |w| {
            let k = find(w, |w| w.op == L2Op::Sub);
            w[k].op = L2Op::Add;
        },
        |f| matches!(f, Fault::Output { .. }),
    ),
    (
        "one operand too many",
        |w| {
            let k = find(w, |w| w.op == L2Op::MulXi);
            w[k].src[1] = Some(Operand::Row(Loc { bank: 0, row: 0 }));
        },
        |f| matches!(f, Fault::Form { .. }),
    ),
    (
        "one operand too few",
        |w| {
            let k = find(w, |w| w.op == L2Op::Mm);
            w[k].src[1] = None;
        },
        |f| matches!(f, Fault::Form { .. }),
    ),
    (
        "a path and nothing forwarded",
        |w| {
            let k = find(w, |w| w.op == L2Op::Mm && w.path.is_none());
            w[k].path = Some(FwdPath::Two);
        },
        |f| matches!(f, Fault::Form { .. }),
    ),
    (
        "something forwarded and no path",
        |w| {
            let k = find(w, |w| w.path.is_some());
            w[k].path = None;
        },
        |f| matches!(f, Fault::Form { .. }),
    ),
    (
        "a no-operation that writes",
        |w| {
            let k = find(w, |w| w.op == L2Op::Nop);
            w[k].dst = Some(Loc { bank: 0, row: 9 });
        },
        |f| matches!(f, Fault::Form { .. }),
    ),
    (
        "the other path",
        |w| {
            let k = find(w, |w| w.path == Some(FwdPath::Two));
            w[k].path = Some(FwdPath::One);
        },
        |f| matches!(f, Fault::Output { .. } | Fault::Refused(Refusal { why: Why::Nothing(..), .. })),
    ),
    (
        "the other channel",
        |w| {
            let forwarded = |w: &L2| w.src.iter().position(|s| *s == Some(Operand::Forward(Channel::Mm)));
            let k = find(w, |w| forwarded(w).is_some());
            let place = forwarded(&w[k]).unwrap();
            w[k].src[place] = Some(Operand::Forward(Channel::Inv));
        },
        |f| refused(f, |why| matches!(why, Why::Nothing(..))),
    ),
    (
        "a row that holds nothing",
        |w| {
            let k = find(w, |w| w.op == L2Op::Mm);
            w[k].src[0] = Some(Operand::Row(Loc { bank: 1, row: 31 }));
        },
        |f| refused(f, |why| matches!(why, Why::Unwritten(_))),
    ),
    (
        "a row of another value",
        |w| {
            let k = find(w, |w| w.op == L2Op::Mm && w.path.is_none());
            w[k].src[0] = w[k].src[1];
        },
        |f| matches!(f, Fault::Output { .. }),
    ),
    (
        "a bank that does not exist",
        |w| {
            let k = find(w, |w| w.dst.is_some());
            w[k].dst = Some(Loc { bank: 3, row: 0 });
        },
        |f| refused(f, |why| matches!(why, Why::Address(_))),
    ),
    (
        "a result over an operand",
        |w| {
            w.iter_mut().find(|w| w.op == L2Op::Add).unwrap().dst = Some(Loc { bank: 2, row: 1 });
        },
        |f| is_late(f),
    ),
    (
        "an output that is not written",
        |w| {
            let k = w.iter().rposition(|w| w.dst.is_some()).unwrap();
            w[k].dst = None;
        },
        |f| matches!(f, Fault::Output { .. }),
    ),
    ("no last word", |w| w.last_mut().unwrap().last = false, |f| matches!(f, Fault::LastMark { .. })),
    ("two last words", |w| w[3].last = true, |f| matches!(f, Fault::LastMark { word: 3 })),
    ("no words", Vec::clear, |f| matches!(f, Fault::LastMark { word: 0 })),
    (
        "two products together",
        |w| {
            let k = find(w, |w| w.op == L2Op::Mm && !w.with_next);
            w[k].with_next = true;
            w.insert(k + 1, w[k]);
        },
        |f| is_together(f),
    ),
    ("a pair without its second", |w| w.last_mut().unwrap().with_next = true, |f| is_together(f)),
    (
        "an inversion beside products",
        |w| {
            w[4].op = L2Op::Inv;
            w[4].src[1] = None;
            w[4].with_next = false;
        },
        |f| is_together(f) || refused(f, |why| why == Why::InFlight),
    ),
    (
        "a bubble too few",
        |w| {
            let k = find(w, |w| w.op == L2Op::Nop);
            w.remove(k);
        },
        |f| is_late(f) || refused(f, |why| matches!(why, Why::Nothing(..))),
    ),
    (
        "a bubble too many",
        |w| {
            let k = find(w, |w| w.path.is_some());
            let k = k - usize::from(w[k - 1].with_next);
            w.insert(k, L2::NOP);
        },
        |f| refused(f, |why| matches!(why, Why::Nothing(..))),
    ),
];

#[test]
fn every_kind_of_damage_is_found() {
    let graph = fp6_mul();
    for spec in [MachineSpec::paper(), MachineSpec::best()] {
        let sound = words(&graph, &spec);
        validate(&sound, &graph, &spec, 1).unwrap();
        for (what, damage, expected) in DAMAGES {
            let mut words = sound.clone();
            damage(&mut words);
            match validate(&words, &graph, &spec, 1) {
                Ok(_) => panic!("{}: {what}: not found", spec.name),
                Err(fault) => assert!(expected(&fault), "{}: {what}: {fault}", spec.name),
            }
        }
    }
}

#[test]
fn words_for_one_machine_are_refused_on_a_lesser_one() {
    let graph = fp6_mul();
    let best = MachineSpec::best();
    let words = words(&graph, &best);
    let on = |changes: &[(&str, &str)]| validate(&words, &graph, &machine("best", changes), 1).unwrap_err();
    assert!(is_together(&on(&[("issue.width", "1")])));
    assert!(refused(&on(&[("mm.ii", "2")]), |why| why == Why::Busy));
    assert!(refused(&on(&[("mm.style", "iterative")]), |why| why == Why::Busy));
    assert!(refused(&on(&[("forwarding.path2", "false")]), |why| why == Why::NoSuchPath(FwdPath::Two)));
    assert!(refused(&on(&[("banks.count", "2")]), |why| matches!(why, Why::Address(_))));
    let slower = on(&[("mm.latency", "19")]);
    assert!(refused(&slower, |why| matches!(why, Why::Nothing(..) | Why::Unwritten(_))), "{slower}");
}

/// One word per slot on the arithmetic unit: its operand rows and its result row.
fn add(a: (u8, u8), b: (u8, u8), to: (u8, u8)) -> L2 {
    let row = |(bank, row)| Loc { bank, row };
    let src = [Some(Operand::Row(row(a))), Some(Operand::Row(row(b)))];
    L2 { op: L2Op::Add, src, dst: Some(row(to)), ..L2::NOP }
}

#[test]
fn ports_and_kept_and_reserved_rows_are_watched() {
    let spec = MachineSpec::best();
    let graph = fp6_mul();
    let play = |mut words: Vec<L2>, graph: &Graph, spec: &MachineSpec| {
        words.last_mut().unwrap().last = true;
        validate(&words, graph, spec, 1).unwrap_err()
    };
    // Two rows of bank 0 for one word: the bank has one port too few.
    let one = machine("best", &[("banks.reads", "1")]);
    assert_eq!(
        play(vec![add((0, 0), (0, 1), (0, 5))], &graph, &one),
        Refusal { slot: 0, pc: 0, why: Why::ReadPorts(0) }.into()
    );
    // The product of slot 0 and the sum of slot 17 reach bank 2 in the same cycle.
    let product = L2 { op: L2Op::Mm, ..add((0, 0), (1, 0), (2, 7)) };
    let mut words = vec![product];
    words.resize(17, L2::NOP);
    words.push(add((0, 0), (1, 0), (2, 8)));
    assert_eq!(
        play(words.clone(), &graph, &spec),
        Refusal { slot: 17, pc: 17, why: Why::WritePorts(2) }.into()
    );
    words[17].dst = Some(Loc { bank: 1, row: 8 });
    assert!(matches!(play(words, &graph, &spec), Fault::Output { .. }));
    // A sum can be read from its row in the third slot after it, not in the second.
    let at = Loc { bank: 2, row: 7 };
    let chained = |gap: usize| {
        let mut words = vec![add((0, 0), (1, 0), (2, 7))];
        words.resize(gap, L2::NOP);
        words.push(add((2, 7), (1, 0), (2, 8)));
        play(words, &graph, &spec)
    };
    assert_eq!(chained(2), Refusal { slot: 2, pc: 2, why: Why::Unwritten(at) }.into());
    assert!(matches!(chained(3), Fault::Output { .. }));
    // Rows that the surrounding program uses.
    let mut reserved = graph.clone();
    reserved.reserved.push(at);
    assert_eq!(play(vec![add((0, 0), (1, 0), (2, 7))], &reserved, &spec), Fault::Reserved { word: 0, at });
    // Words that would be valid if the input that they overwrite were free.
    let sound = compile("fp6_mul", &graph, &spec, &Options::default()).unwrap().words;
    let mut kept = graph;
    kept.inputs[0].kept = true;
    assert!(matches!(validate(&sound, &kept, &spec, 1), Err(Fault::Kept { .. })));
}
