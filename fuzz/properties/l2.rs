//! The property of arbitrary routines: the clocked processor and the interpreter agree. The fuzz target and the tests of
//! `chip` call these functions.

use pairwright_chip::MachineSpec;
use pairwright_chip::isa::{Channel, FwdPath, L1, L2, L2Op, Loc, Operand};
use pairwright_chip::machine::interpret::{Interpreter, Refusal, Why};
use pairwright_chip::machine::{Fault, MachineError, Processor, Row, Run};
use pairwright_curve::bls12_381::Fq;
use pairwright_sim::{Access, SimError};
use std::collections::BTreeMap;

type Rows = BTreeMap<Loc, Row<Fq>>;

/// Largest number of issue slots of a generated routine, and the number of linear addresses that it uses, half of which have a value at
/// the start.
const SLOTS: usize = 80;
const ADDRESSES: u8 = 24;
/// Number of words that are tried before a slot stays empty.
const ATTEMPTS: u8 = 12;

/// The outcome of a routine, for statistics.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// Both ran the routine, with the same resulting rows.
    Ran(Box<Run>),
    /// Both refused the routine.
    Refused(Refusal),
}

/// Checks the bytes as a design and a routine. For half of the values of the first byte, every word is legal in its slot; for the
/// other half, most words are.
pub(crate) fn l2_programs(data: &[u8]) -> Outcome {
    let mut bytes = Bytes(data);
    let head = bytes.next();
    let spec = &designs()[usize::from(head & 7)];
    let words = routine(spec, &mut bytes, head);
    agree(spec, &words, 1 + u32::from(head >> 5 & 3) % 3)
}

/// Designs that differ in properties that a routine can observe.
fn designs() -> [MachineSpec; 8] {
    let with = |spec: MachineSpec, changes: &[(&str, &str)]| {
        changes.iter().fold(spec, |spec, (path, value)| spec.with(path, value).expect("a legal change"))
    };
    let (paper, best) = (MachineSpec::paper(), MachineSpec::best());
    [
        paper.clone(),
        best.clone(),
        with(paper.clone(), &[("mm.latency", "3"), ("arith.latency", "2"), ("banks.writes", "2")]),
        with(best.clone(), &[("mm.latency", "4"), ("mm.ii", "2"), ("banks.reads", "1"), ("banks.rows", "7")]),
        with(paper.clone(), &[("mm.style", "iterative"), ("mm.latency", "5")]),
        with(best.clone(), &[("mm.latency", "3"), ("forwarding.path1", "false")]),
        with(best, &[("mm.latency", "2"), ("arith.latency", "3"), ("forwarding.path2", "false")]),
        with(paper, &[("mm.latency", "6"), ("banks.count", "2"), ("banks.writes", "2")]),
    ]
}

/// Reproducible values without visible structure.
fn rows(spec: &MachineSpec) -> Rows {
    let mut x = Row::new(Fq::from(7), Fq::from(11));
    let values = (0..ADDRESSES / 2).map(|address| {
        x = x * x + Row::new(Fq::from(u64::from(address)), Fq::from(1));
        (Loc::linear(address), x)
    });
    values.filter(|(at, _)| u32::from(at.bank) < spec.banks.count).collect()
}

struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    /// The next byte; zero when there are no more.
    fn next(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        *first
    }
}

/// Generates a routine slot by slot. Each word is taken only if the interpreter accepts it, so that routines become long. Wild words
/// are taken without this check; if one is illegal in its slot, the routine ends soon after.
fn routine(spec: &MachineSpec, bytes: &mut Bytes<'_>, head: u8) -> Vec<L2> {
    let (wild_ones, endless) = (head & 0x80 != 0, head & 0xf8 == 0x80);
    let mut words: Vec<L2> = Vec::new();
    let mut state = Interpreter::<Row<Fq>>::new(spec, rows(spec));
    let mut slots = 0;
    while !bytes.0.is_empty() && slots < SLOTS {
        slots += 1;
        let what = bytes.next();
        let drawn: [u8; 5] = core::array::from_fn(|_| bytes.next());
        let second: [u8; 5] = if what & 3 == 2 { core::array::from_fn(|_| bytes.next()) } else { drawn };
        let slot = match what & 31 {
            // Empty slots.
            0 | 1 => vec![L2::NOP; usize::from(what >> 5) * 3],
            31 if wild_ones => vec![wild(drawn, second[0])],
            25..=28 if wild_ones => boundary(spec, drawn),
            29 | 30 if wild_ones => candidate(drawn, second, 0, what & 3 == 2),
            kind => {
                let pair = kind & 3 == 2 && spec.issue.width == 2;
                let tries = (0..ATTEMPTS).map(|attempt| candidate(drawn, second, attempt, pair));
                tries.into_iter().find(|slot| legal(&state, slot)).unwrap_or_else(|| vec![L2::NOP])
            }
        };
        let mut pc = words.len() as u16;
        let issue: Vec<&[L2]> =
            if slot.iter().any(|word| word.with_next) { vec![&slot[..]] } else { slot.chunks(1).collect() };
        for together in issue {
            state.slot(&placed(together, pc));
            pc += together.len() as u16;
        }
        words.extend(slot);
        if !state.refusals().is_empty() {
            slots = slots.max(SLOTS - 3);
        }
    }
    if words.is_empty() {
        words.push(L2::NOP);
    }
    if let (false, Some(last)) = (endless, words.last_mut()) {
        (last.last, last.with_next) = (true, false);
    }
    words
}

fn placed(words: &[L2], pc: u16) -> Vec<(u16, L2)> {
    (pc..).zip(words.iter().copied()).collect()
}

fn legal(state: &Interpreter<'_, Row<Fq>>, slot: &[L2]) -> bool {
    let mut next = state.clone();
    next.slot(&placed(slot, 0));
    next.refusals().is_empty()
}

/// The words of a slot: one word, or one for the multiplier and one for the arithmetic unit.
fn candidate(first: [u8; 5], second: [u8; 5], attempt: u8, pair: bool) -> Vec<L2> {
    const OPS: [L2Op; 12] = [
        L2Op::Mm,
        L2Op::Mm,
        L2Op::Mm,
        L2Op::Mm,
        L2Op::Inv,
        L2Op::Add,
        L2Op::Add,
        L2Op::Sub,
        L2Op::MulXi,
        L2Op::Conj,
        L2Op::Neg,
        L2Op::Vld,
    ];
    let op = |byte: u8, from: usize, to: usize| OPS[from + usize::from(byte) % (to - from)];
    if !pair {
        return vec![draw(op(first[0], 0, 12), first, attempt)];
    }
    let (product, other) = (draw(L2Op::Mm, first, attempt), draw(op(second[0], 5, 12), second, attempt));
    let (a, b) = if first[0] & 1 == 0 { (product, other) } else { (other, product) };
    vec![L2 { with_next: true, ..a }, b]
}

/// A word of an operation, derived from bytes and different for each attempt.
fn draw(op: L2Op, bytes: [u8; 5], attempt: u8) -> L2 {
    let path = if (bytes[4] ^ attempt) & 1 == 0 { FwdPath::Two } else { FwdPath::One };
    let operand = |byte: u8| {
        let byte = byte.wrapping_add(attempt.wrapping_mul(89));
        match byte & 7 {
            0 | 1 => Operand::Forward(Channel::Mm),
            2 => Operand::Forward(Channel::Arith),
            3 => Operand::Forward(Channel::Inv),
            _ => Operand::Row(Loc::linear((byte >> 3) % ADDRESSES)),
        }
    };
    let src = [0, 1].map(|index| (index < op.operands()).then(|| operand(bytes[1 + index])));
    let forwarded = src.iter().any(|src| matches!(src, Some(Operand::Forward(_))));
    let to = bytes[3].wrapping_add(attempt.wrapping_mul(7));
    let dst = match to & 7 {
        0 => None,
        1 | 2 => Some(Loc::linear(0)),
        _ => Some(Loc::linear((to >> 3) % ADDRESSES)),
    };
    L2 { op, src, dst, path: forwarded.then_some(path), ..L2::NOP }
}

/// An arbitrary word, including its marks; if the bytes do not decode, a drawn word with marks.
fn wild(bytes: [u8; 5], marks: u8) -> L2 {
    let word = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    let drawn = draw([L2Op::Mm, L2Op::Add, L2Op::Inv, L2Op::Nop][usize::from(bytes[0] & 3)], bytes, bytes[0]);
    let dst = drawn.dst.filter(|_| drawn.op != L2Op::Nop);
    L2::decode(word).unwrap_or(L2 { dst, with_next: marks & 1 == 1, last: marks & 6 == 6, ..drawn })
}

/// A word, then a number of slots near its latency or the multiplier's interval, then a word that uses its result or its unit.
fn boundary(spec: &MachineSpec, bytes: [u8; 5]) -> Vec<L2> {
    let (channel, latency) = match bytes[0] & 3 {
        0 => (Channel::Arith, spec.arith.latency),
        1 => (Channel::Inv, 1),
        _ => (Channel::Mm, spec.mm.latency),
    };
    let op = [L2Op::Mm, L2Op::Add, L2Op::Inv][channel as usize];
    let (known, to) = (Operand::Row(Loc::linear(0)), Loc::linear(bytes[1] % ADDRESSES));
    let word = |op: L2Op, src: Operand| L2 {
        op,
        src: [Some(src), (op.operands() == 2).then_some(known)],
        ..L2::NOP
    };
    let first = L2 { dst: Some(to), ..word(op, known) };
    let path = if bytes[2] & 1 == 0 { FwdPath::Two } else { FwdPath::One };
    let second = match bytes[2] >> 5 {
        0 => word(L2Op::Inv, known),
        1 => word(L2Op::Mm, known),
        2..=4 => L2 { path: Some(path), ..word(L2Op::Sub, Operand::Forward(channel)) },
        _ => word(L2Op::Sub, Operand::Row(to)),
    };
    let near = if bytes[3] & 8 == 0 { latency } else { spec.mm.interval() };
    let gap = (near + u32::from(bytes[3] & 3)).saturating_sub(1).max(1);
    let mut words = vec![first];
    words.resize(gap as usize, L2::NOP);
    words.push(L2 { dst: Some(Loc::linear(bytes[4] % ADDRESSES)), ..second });
    words
}

/// Runs the processor and the interpreter on one routine, `times` times without a drain if the design supports it.
pub(crate) fn agree(spec: &MachineSpec, words: &[L2], times: u32) -> Outcome {
    let times = if spec.control.repeat { times } else { 1 };
    let call = if times > 1 { L1::PairRepeat { addr: 0, times } } else { L1::PairOp { addr: 0 } };
    let rows = &rows(spec);
    let mut machine =
        Processor::<Fq>::with_instructions(spec, vec![call, L1::Finish], words.to_vec()).expect("it fits");
    for (at, value) in rows {
        machine.write_local(*at, *value).expect("the design has these rows");
    }
    let mut judge = Interpreter::new(spec, rows.clone());
    for _ in 0..times {
        judge.routine(words, 0);
    }
    match machine.run(1_000_000) {
        Ok(run) => {
            let expected = judge.rows();
            assert!(
                expected.is_some(),
                "the machine ran what is refused: {:?}\n{}",
                judge.refusals(),
                text(words)
            );
            for address in 0..96 {
                let at = Loc::linear(address);
                let should = expected.as_ref().and_then(|rows| rows.get(&at)).copied();
                assert_eq!(machine.read_local(at), should, "{at} of {}\n{}", spec.name, text(words));
            }
            assert_eq!(run.slots, u64::from(judge.slots()));
            Outcome::Ran(Box::new(run))
        }
        Err(error) => {
            let refusal = refusal(&error);
            let known = refusal.is_some_and(|refusal| judge.refusals().contains(&refusal));
            assert!(known, "{error}, but {:?}\n{}", judge.refusals(), text(words));
            Outcome::Refused(refusal.expect("it is known"))
        }
    }
}

fn text(words: &[L2]) -> String {
    words.iter().enumerate().map(|(pc, word)| format!("{pc:4} {word}\n")).collect()
}

/// The refusal of the interpreter that corresponds to an error of the machine.
fn refusal(error: &MachineError) -> Option<Refusal> {
    let MachineError::Slot { slot, pc, fault, .. } = error else { return None };
    let at = |bank: u32, row: u32| Some(Loc { bank: u8::try_from(bank).ok()?, row: u8::try_from(row).ok()? });
    let bank_of = |bank: u32| u8::try_from(bank).ok();
    let why = match *fault {
        Fault::Runaway { .. } => Why::Runaway,
        Fault::SingleIssue => Why::SingleIssue,
        Fault::PairEnd => Why::PairEnd,
        Fault::Pair(..) => Why::Pair,
        Fault::Operand(index) => Why::Missing(index),
        Fault::NoPath(index) => Why::NoPath(index),
        Fault::NoSuchPath(path) => Why::NoSuchPath(path),
        Fault::NothingForwarded(channel, path) => Why::Nothing(channel, path),
        Fault::Busy(_) => Why::Busy,
        Fault::InFlight(_) => Why::InFlight,
        Fault::Bank(SimError::Address { bank, row, .. }) => Why::Address(at(bank, row)?),
        Fault::Bank(SimError::Unwritten { bank, row, .. }) => Why::Unwritten(at(bank, row)?),
        Fault::Bank(SimError::Collision { bank, row, .. }) => Why::Collision(at(bank, row)?),
        Fault::Bank(SimError::Ports { bank, access: Access::Read, .. }) => Why::ReadPorts(bank_of(bank)?),
        Fault::Bank(SimError::Ports { bank, access: Access::Write, .. }) => Why::WritePorts(bank_of(bank)?),
        _ => return None,
    };
    Some(Refusal { slot: *slot, pc: *pc, why })
}
