//! The programs that hardware and model run: hand-written ones for every instruction and every refusal, random ones,
//! and a pairing.

use super::trace::{Program, Trace, trace};
use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::Options;
use pairwright_chip::isa::rows::{Executor, L1_ROWS, L1Row};
use pairwright_chip::isa::{
    Channel, Direction, FwdPath, Image, L1, L2, L2Op, Loc, LoopCounters, LoopReg, Operand, assemble,
};
use pairwright_chip::machine::Row;
use pairwright_chip::machine::interpret::{Interpreter, Refusal, Why};
use pairwright_chip_programs::pairing;
use pairwright_curve::bls12_381::{Bls12_381, Fq, Fr, G1, G2};
use pairwright_curve::{Pairing, Projective};
use pairwright_field::Field;
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};
use std::collections::BTreeMap;
use std::convert::Infallible;

/// A program with the model's trace of it.
#[derive(Clone, Debug)]
pub(super) struct Traced {
    pub(super) program: Program,
    pub(super) trace: Trace,
}

/// The largest number of cycles of a program.
const LIMIT: u64 = 200_000;
/// Rows of the register banks, all of which are filled before a program starts.
const LOCAL: u8 = 96;

/// Every instruction of the processor but `pair_repeat`, which the published design refuses, with both paths from every channel.
const HANDMADE: &str = include_str!("handmade.pw");

/// L1 programs that are refused, and L2 routines at address 0: one word per line.
const REFUSED: [(&str, &str); 14] = [
    ("an address without a word", "jump_i 9"),
    ("an instruction for another engine", "vec_add 4, 0"),
    ("the other field", "set_field fr"),
    ("an empty scan register", "scan_j 0"),
    ("a repeated call", "pair_repeat 0, 3"),
    ("a row beyond the global bank", "switch 9, out, g250, b0.0"),
    ("a row beyond the banks", "switch 9, in, g0, b0.30"),
    ("a routine that does not end", "pair_op 1000"),
    ("two results for a bank", "pair_op writes"),
    ("nothing on path 1", "pair_op path1"),
    ("nothing on path 2", "pair_op path2"),
    ("an inversion beside a product", "pair_op busy"),
    ("two words for a channel", "pair_op twice"),
    ("three rows of a bank", "pair_op three"),
];

/// Routines of the programs that are refused. The published design refuses every slot with two words.
const REFUSED_ROUTINES: &str = "
.l2
        nop last
writes: mm b0.1, b1.0, b2.0
        nop
        nop
        nop
        nop
        nop
        nop
        nop
        nop
        nop
        nop
        nop
        nop
        nop
        nop
        nop
        nop
        add b0.2, b1.0, b2.0 last
path1:  add b0.1, b1.0, arith:1 last
path2:  neg b0.1, b0.0
        nop
        add b0.1, b1.0, arith:2 last
busy:   mm b0.1, b1.0, b2.0
        inv b0.1, b0.0 last
twice:  neg b0.1, b0.0 ||
        neg b1.1, b0.0 last
three:  mm b0.1, b0.2, b0.3 ||
        neg b1.1, b0.4 last
";

/// All programs in execution order, the short ones first.
pub(super) fn all(spec: &MachineSpec, seeds: u64, with_pairing: bool) -> Vec<Traced> {
    let mut programs = vec![handmade(spec)];
    programs.extend(REFUSED.iter().map(|(name, text)| refused(name, text)));
    programs.extend((0..seeds).flat_map(|seed| {
        let some = [routines(spec, seed, false), routines(spec, seed, true), control(seed)];
        some.into_iter()
            .chain((0..4).flat_map(move |k| [0, 1].map(|memory| no_instruction(4 * seed + k, memory))))
    }));
    if with_pairing {
        programs.push(whole_pairing(spec));
    }
    let traced = |program: Program| Some(Traced { trace: trace(spec, &program, LIMIT)?, program });
    programs.into_iter().filter_map(traced).collect()
}

fn rng(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

/// Random rows for the first addresses of the global bank, with edge values among them.
fn filled(seed: u64) -> Vec<(u8, Row<Fq>)> {
    let mut rng = rng(seed);
    let value = |row: u8, rng: &mut ChaCha20Rng| match row {
        0 => Row::ZERO,
        1 => Row::ONE,
        2 => -Row::ONE,
        _ => Row::new(crate::lockstep::operand(rng), crate::lockstep::operand(rng)),
    };
    (0..LOCAL).map(|row| (row, value(row, &mut rng))).collect()
}

fn assembled(text: &str) -> Image {
    assemble(text).expect("the text is a program")
}

/// The hand-written program, whose values interpreters check.
fn handmade(spec: &MachineSpec) -> Program {
    let image = assembled(HANDMADE);
    let rows = filled(1);
    let want = interpreted(spec, &image, &rows);
    Program { name: "every instruction".to_owned(), image, beyond: Default::default(), rows, want }
}

fn refused(name: &str, instruction: &str) -> Program {
    let text = format!(".l1\nswitch {LOCAL}, in, g0, b0.0\n{instruction}\nfinish\n{REFUSED_ROUTINES}");
    without_values(name.to_owned(), assembled(&text), filled(2))
}

fn without_values(name: String, image: Image, rows: Vec<(u8, Row<Fq>)>) -> Program {
    Program { name, image, beyond: Default::default(), rows, want: Vec::new() }
}

/// A program that reaches an invalid instruction: a valid one with a few bits changed.
fn no_instruction(seed: u64, memory: usize) -> Program {
    let mut rng = rng(500 + 2 * seed + memory as u64);
    let mine = |row: &&L1Row| matches!(row.unit, Executor::Switcher | Executor::Pairing | Executor::Control);
    let l1: Vec<u32> = L1_ROWS.iter().filter(mine).map(|row| row.opcode << 26).collect();
    let word = loop {
        let random = rng.next_u32();
        let flipped = (0..rng.next_u32() % 4).fold(0, |bits, _| bits | 1 << (rng.next_u32() % 32));
        if memory == 0 {
            let word = l1[rng.next_u32() as usize % l1.len()] | random & (rng.next_u32() >> 6);
            if L1::decode(word ^ flipped).is_err() {
                break word ^ flipped;
            }
        } else {
            let mut words =
                Words { spec: &MachineSpec::paper(), rng: ChaCha20Rng::seed_from_u64(random.into()) };
            let word = words.slot()[0].encode().unwrap_or_default() ^ flipped;
            if L2::decode(word).is_err() {
                break word;
            }
        }
    };
    let image = assembled(&format!(
        ".l1\nswitch {LOCAL}, in, g0, b0.0\npair_op 0\n.l2\nnop{}",
        [" last", ""][memory]
    ));
    let mut beyond: [Vec<u32>; 2] = Default::default();
    beyond[memory].push(word);
    Program { beyond, ..without_values(format!("no instruction {word:08x}"), image, filled(3)) }
}

/// The rows that a program leaves, computed by an interpreter without a clock.
fn interpreted(spec: &MachineSpec, image: &Image, rows: &[(u8, Row<Fq>)]) -> Vec<(u8, Row<Fq>)> {
    let l1: Vec<L1> = image.l1.iter().map(|word| L1::decode(*word).expect("an instruction")).collect();
    let l2: Vec<L2> = image.l2.iter().map(|word| L2::decode(*word).expect("an instruction")).collect();
    let mut global: BTreeMap<u8, Row<Fq>> = rows.iter().copied().collect();
    let mut local = BTreeMap::new();
    let mut loops = LoopCounters::default();
    let mut scans: [Vec<bool>; 3] = Default::default();
    let mut next = Some(0);
    while let Some((pc, instruction)) = next.and_then(|pc| Some((pc, l1.get(pc)?))) {
        match *instruction {
            L1::Switch { direction, rows, global: from, local: place } => {
                for i in 0..rows as u8 {
                    let at = Loc::linear(place + i);
                    match direction {
                        Direction::In => local.extend(global.get(&(from + i)).map(|value| (at, *value))),
                        Direction::Out => global.extend(local.get(&at).map(|value| (from + i, *value))),
                    }
                }
            }
            L1::PairOp { addr } | L1::PairRepeat { addr, .. } => {
                let times = if let L1::PairRepeat { times, .. } = instruction { *times } else { 1 };
                let mut interpreter = Interpreter::new(spec, local);
                (0..times).for_each(|_| interpreter.routine(&l2, addr));
                local = interpreter.rows().expect("nothing of the program is refused");
            }
            L1::LoadScan { reg, bits, global: row } => {
                let digits = pairwright_chip::machine::Datapath::digits(&global[&row].c0);
                let bit = |i: u16| digits[usize::from(i / 64)] >> (i % 64) & 1 == 1;
                scans[reg as usize] = (0..bits).map(bit).collect();
            }
            _ => {}
        }
        let bit = |reg| Ok::<_, Infallible>(scans[reg as usize].pop().unwrap_or(true));
        next = loops.next(pc, instruction, bit).ok().flatten();
    }
    global.into_iter().collect()
}

/// A generator of random words for a slot.
struct Words<'a> {
    spec: &'a MachineSpec,
    rng: ChaCha20Rng,
}

impl Words<'_> {
    fn pick(&mut self, n: u32) -> u32 {
        self.rng.next_u32() % n
    }

    fn location(&mut self) -> Loc {
        Loc::linear(self.pick(LOCAL.into()) as u8)
    }

    fn word(&mut self, op: L2Op) -> L2 {
        let path = [FwdPath::One, FwdPath::Two][self.pick(2) as usize];
        let mut word = L2 { op, ..L2::NOP };
        for k in 0..op.operands() {
            let forward = self.pick(5) < 2;
            word.src[k] = Some(if forward {
                word.path = Some(path);
                Operand::Forward([Channel::Mm, Channel::Mm, Channel::Arith][self.pick(3) as usize])
            } else {
                Operand::Row(self.location())
            });
        }
        word.dst = (self.pick(8) > 0).then(|| self.location());
        word
    }

    fn slot(&mut self) -> Vec<L2> {
        const ARITH: [L2Op; 6] = [L2Op::Add, L2Op::Sub, L2Op::MulXi, L2Op::Conj, L2Op::Neg, L2Op::Vld];
        let arith = ARITH[self.pick(6) as usize];
        match self.pick(8) {
            0..=3 => vec![self.word(L2Op::Mm)],
            4 if self.spec.issue.width == 2 => {
                let mut pair = [self.word(L2Op::Mm), self.word(arith)];
                if self.pick(2) == 0 {
                    pair.reverse();
                }
                pair[0].with_next = true;
                pair.to_vec()
            }
            _ => vec![self.word(arith)],
        }
    }
}

/// Calls of dense random routines; if `wrong` is set, the last slot of the last one is one that hardware refuses.
fn routines(spec: &MachineSpec, seed: u64, wrong: bool) -> Program {
    let mut words = Words { spec, rng: rng(100 + seed) };
    let rows = filled(200 + seed);
    let start: BTreeMap<Loc, Row<Fq>> = rows.iter().map(|(row, value)| (Loc::linear(*row), *value)).collect();
    let mut interpreter = Interpreter::new(spec, start);
    let mut l2: Vec<L2> = Vec::new();
    let slots = 60 + words.pick(60);
    for _ in 0..slots {
        for _ in 0..40 {
            let slot = words.slot();
            let mut next = interpreter.clone();
            next.slot(&placed(&slot, l2.len()));
            if next.refusals().is_empty() {
                interpreter = next;
                l2.extend(slot);
                break;
            }
        }
        if words.pick(16) == 0 {
            interpreter.slot(&[(l2.len() as u16, L2::NOP)]);
            l2.push(L2::NOP);
        }
    }
    if wrong {
        let known = |r: &Refusal| !matches!(r.why, Why::Unwritten(_) | Why::Address(_));
        let refused = std::iter::repeat_with(|| words.slot()).find(|slot| {
            let mut next = interpreter.clone();
            next.slot(&placed(slot, l2.len()));
            !next.refusals().is_empty() && next.refusals().iter().all(known)
        });
        l2.extend(refused.into_iter().flatten());
        l2.extend([L2::NOP; 24]);
    }
    // A call ends with its last word, or with empty slots.
    if words.pick(2) == 0 {
        l2.extend([L2::NOP; 3]);
    }
    if let Some(last) = l2.last_mut() {
        last.last = true;
    }
    let l1 = [
        L1::Switch { direction: Direction::In, rows: LOCAL.into(), global: 0, local: 0 },
        L1::PairOp { addr: 0 },
        L1::Switch { direction: Direction::Out, rows: LOCAL.into(), global: LOCAL, local: 0 },
        L1::Finish,
    ];
    let image = Image {
        l1: l1.iter().map(|word| word.encode().expect("values in range")).collect(),
        l2: l2.iter().map(|word| word.encode().expect("values in range")).collect(),
        ..Image::default()
    };
    let want = if wrong { Vec::new() } else { interpreted(spec, &image, &rows) };
    let kind = if wrong { "refused" } else { "dense" };
    Program { name: format!("{kind} routine {seed}"), image, beyond: Default::default(), rows, want }
}

fn placed(slot: &[L2], at: usize) -> Vec<(u16, L2)> {
    slot.iter().zip(at as u16..).map(|(word, pc)| (pc, *word)).collect()
}

/// A program of random L1 instructions with short routines. It often ends with a refusal.
fn control(seed: u64) -> Program {
    let mut rng = rng(300 + seed);
    let mut pick = |n: u32| rng.next_u32() % n;
    let mut l1 = vec![L1::Switch { direction: Direction::In, rows: LOCAL.into(), global: 0, local: 0 }];
    let words = 12 + pick(20);
    for _ in 0..words {
        let reg = [LoopReg::I, LoopReg::J, LoopReg::K][pick(3) as usize];
        let addr = (l1.len() as u32 + 1 + pick(5)).saturating_sub(pick(4)) as u16;
        let back = (l1.len() as u32).saturating_sub(pick(5)) as u16;
        l1.push(match pick(12) {
            0..=2 => L1::PairOp { addr: [0, 2, 3, 6][pick(4) as usize] },
            3 | 4 => L1::Switch {
                direction: [Direction::In, Direction::Out][pick(2) as usize],
                rows: 1 + pick(9) as u16,
                global: pick(LOCAL.into()) as u8,
                local: pick(88) as u8,
            },
            5 | 6 => L1::LoadScan { reg, bits: 1 + pick(384) as u16, global: pick(LOCAL.into()) as u8 },
            7 => L1::Jump { reg, addr },
            8 | 9 => L1::Scan { reg, addr },
            _ => L1::Loop { reg, addr: back, count: 1 + pick(4) },
        });
    }
    l1.extend([L1::Finish; 6]);
    let text = ".l2
nop
nop last
mul_xi b1.0, b1.0 last
neg b0.3, b2.1
mm b0.4, arith:2, b0.3
conj b1.7, arith:1 last
mm b2.2, b2.2, b1.1 last
";
    let mut image = assembled(text);
    image.l1 = l1.iter().map(|word| word.encode().expect("values in range")).collect();
    without_values(format!("control {seed}"), image, filled(400 + seed))
}

/// A pairing of random points, with the host's result as the expected one.
fn whole_pairing(spec: &MachineSpec) -> Program {
    let options = Options { seeds: 4, ..Options::default() };
    let built = if spec.issue.width == 2 { pairing::resident } else { pairing::published };
    let program = built(spec, &options).expect("a pairing fits the design");
    let mut rng = rng(5);
    let p = Projective::<G1>::generator().mul(&Fr::random(&mut rng)).to_affine();
    let q = Projective::<G2>::generator().mul(&Fr::random(&mut rng)).to_affine();
    let mut rows = program.constants.clone();
    let base = |x| Row::new(x, Fq::ZERO);
    for (name, values) in [("p", [base(p.x), base(p.y)]), ("q", [q.x, q.y])] {
        rows.extend((program.regions[name].at..).zip(values));
    }
    let e = Bls12_381::pairing(&p, &q);
    let host = [e.c0.c0, e.c0.c1, e.c0.c2, e.c1.c0, e.c1.c1, e.c1.c2];
    let want = (program.regions["result"].at..).zip(host).collect();
    Program { name: "pairing".to_owned(), image: program.image, beyond: Default::default(), rows, want }
}

#[cfg(test)]
mod tests {
    use super::super::trace::End;
    use super::*;
    use crate::blocks::processor::package::CAUSES;
    use pairwright_chip::isa::rows::L2_ROWS;

    #[test]
    fn every_instruction_every_path_and_every_refusal_is_run() {
        let mut covered: BTreeMap<String, u64> = BTreeMap::new();
        for spec in [MachineSpec::paper(), MachineSpec::best()] {
            for Traced { program, trace } in all(&spec, 3, false) {
                if !program.want.is_empty() {
                    assert_eq!(trace.end, End::Finished, "{}", program.name);
                    for (row, want) in &program.want {
                        assert_eq!(trace.rows[usize::from(*row)], Some(*want), "{}, row {row}", program.name);
                    }
                }
                for (what, times) in trace.covered {
                    *covered.entry(what).or_default() += times;
                }
            }
        }
        let mine =
            |row: &&L1Row| matches!(row.unit, Executor::Switcher | Executor::Pairing | Executor::Control);
        // Neither design supports repeated calls, so that instruction is a refusal.
        let l1 = L1_ROWS.iter().filter(mine).map(|row| row.mnemonic).filter(|name| *name != "pair_repeat");
        let mut all: Vec<String> =
            l1.chain(L2_ROWS.iter().map(|row| row.mnemonic)).map(str::to_owned).collect();
        all.extend(CAUSES.map(|(cause, _)| format!("refused: {cause:?}")));
        let paths = [Channel::Mm, Channel::Arith, Channel::Inv]
            .map(|c| [1, 2].map(|k| format!("path {k} from {c:?}")));
        all.extend(paths.into_iter().flatten());
        let missing: Vec<&String> = all.iter().filter(|what| !covered.contains_key(*what)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
