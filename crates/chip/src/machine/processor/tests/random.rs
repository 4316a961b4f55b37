//! Random dense programs: the machine is compared with the timing contract as formulas.

use super::*;

/// The timing contract without a pipeline: the values of paths and rows in each slot.
struct Contract<'a, F> {
    spec: &'a MachineSpec,
    /// Values of a row by the slot from which they are read.
    rows: BTreeMap<Loc, BTreeMap<u32, Row<F>>>,
    /// Results by channel and the slot in which they are on path 2.
    results: BTreeMap<(Channel, u32), Row<F>>,
    /// Rows written by cycle, slot 0 being cycle 0.
    writes: BTreeMap<u32, Vec<Loc>>,
    /// The first slot in which the multiplier accepts a product, and the first in which it is empty.
    product: (u32, u32),
    forwards: u64,
    picks: ChaCha20Rng,
}

impl<F: Datapath> Contract<'_, F> {
    fn pick(&mut self, n: usize) -> usize {
        (self.picks.next_u64() % n as u64) as usize
    }

    fn latency(&self, channel: Channel) -> u32 {
        match channel {
            Channel::Mm => self.spec.mm.product_latency(),
            Channel::Arith => self.spec.arith.latency,
            Channel::Inv => 1,
        }
    }

    fn readable(&self, at: Loc, slot: u32) -> Option<Row<F>> {
        self.rows.get(&at)?.range(..=slot).next_back().map(|(_, value)| *value)
    }

    /// Draws an operand: from the word's path if there is a result on it and the draw says so, otherwise from a row for
    /// which a port is left.
    fn operand(&mut self, slot: u32, path: FwdPath, read: &mut Vec<Loc>) -> (Operand, Row<F>, bool) {
        let due = slot.wrapping_sub(u32::from(path == FwdPath::One));
        let channels = [Channel::Mm, Channel::Arith, Channel::Inv];
        let on_path: Vec<_> =
            channels.iter().filter_map(|c| Some((*c, *self.results.get(&(*c, due))?))).collect();
        if !on_path.is_empty() && self.pick(2) == 0 {
            let (channel, value) = on_path[self.pick(on_path.len())];
            self.forwards += 1;
            return (Operand::Forward(channel), value, true);
        }
        let known: Vec<Loc> = self.rows.keys().copied().collect();
        loop {
            let at = known[self.pick(known.len())];
            let ports = read.iter().filter(|r| r.bank == at.bank).count();
            let room = read.contains(&at) || ports < self.spec.banks.reads as usize;
            if let Some(value) = self.readable(at, slot).filter(|_| room) {
                if !read.contains(&at) {
                    read.push(at);
                }
                return (Operand::Row(at), value, false);
            }
        }
    }

    /// Draws a word for a slot.
    fn word(&mut self, op: L2Op, slot: u32, read: &mut Vec<Loc>) -> L2 {
        let path = [FwdPath::One, FwdPath::Two][self.pick(2)];
        let mut src = Vec::new();
        let mut values = [Row::<F>::ZERO; 2];
        let mut forwarded = false;
        for value in &mut values[..op.operands()] {
            let (operand, v, f) = self.operand(slot, path, read);
            src.push(operand);
            *value = v;
            forwarded |= f;
        }
        let channel = op.channel().expect("no bubbles here");
        let done = slot + self.latency(channel);
        let value = host(op, values[0], values[1]);
        let at = Loc::linear(self.pick(96) as u8);
        let arriving = self.writes.entry(done).or_default();
        let ports = arriving.iter().filter(|w| w.bank == at.bank).count();
        let fits = ports < self.spec.banks.writes as usize && !arriving.contains(&at);
        let dst = (fits && at.row < 28).then_some(at);
        if let Some(at) = dst {
            arriving.push(at);
            self.rows.entry(at).or_default().insert(done + 2, value);
        }
        self.results.insert((channel, done), value);
        if channel == Channel::Mm {
            self.product = (slot + self.spec.mm.interval(), done);
        }
        let word = word(op, &src, dst);
        if forwarded { on(path, word) } else { word }
    }

    fn arithmetic(&mut self) -> L2Op {
        OPS[self.pick(OPS.len())]
    }

    /// Draws the words of a slot.
    fn slot(&mut self, slot: u32) -> Vec<L2> {
        let mut read = Vec::new();
        let (ready, empty) = self.product;
        match self.pick(20) {
            0 | 1 => vec![L2::NOP],
            2 if slot >= empty => vec![self.word(L2Op::Inv, slot, &mut read)],
            3..=12 if slot >= ready => {
                let product = self.word(L2Op::Mm, slot, &mut read);
                if self.spec.issue.width < 2 || self.pick(2) == 0 {
                    return vec![product];
                }
                let op = self.arithmetic();
                let other = self.word(op, slot, &mut read);
                if self.pick(2) == 0 {
                    vec![with_next(product), other]
                } else {
                    vec![with_next(other), product]
                }
            }
            _ => {
                let op = self.arithmetic();
                vec![self.word(op, slot, &mut read)]
            }
        }
    }
}

fn host<F: Datapath>(op: L2Op, a: Row<F>, b: Row<F>) -> Row<F> {
    match op {
        L2Op::Mm => a * b,
        L2Op::Add => a + b,
        L2Op::Sub => a - b,
        L2Op::MulXi => a * Row::new(F::ONE, F::ONE),
        L2Op::Conj => Row::new(a.c0, -a.c1),
        L2Op::Neg => Row::ZERO - a,
        L2Op::Inv => Row::new(a.c0.invert().unwrap_or(F::ZERO), F::ZERO),
        L2Op::Vld | L2Op::Nop => a,
    }
}

fn check<F: Datapath>(spec: &MachineSpec, seed: u64) {
    let mut values = rng(seed);
    let mut contract = Contract::<F> {
        spec,
        rows: BTreeMap::new(),
        results: BTreeMap::new(),
        writes: BTreeMap::new(),
        product: (0, 0),
        forwards: 0,
        picks: rng(seed + 1000),
    };
    let mut machine =
        Processor::<F>::with_instructions(spec, Vec::new(), Vec::new()).expect("an empty program");
    let mut start = Vec::new();
    for address in 0..12 {
        let value = if address == 0 { Row::ZERO } else { Row::random(&mut values) };
        start.push((Loc::linear(address), value));
        contract.rows.insert(Loc::linear(address), BTreeMap::from([(0, value)]));
    }
    let slots: Vec<Vec<L2>> = (0..300).map(|slot| contract.slot(slot)).collect();
    machine.core = Pipeline::new(spec, routine(&slots.concat())).expect("the same design");
    start.iter().for_each(|(at, value)| machine.write_local(*at, *value).expect("a row of the design"));
    let run = machine.call(0).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    for (at, history) in &contract.rows {
        let last = history.last_key_value().map(|(_, value)| *value);
        assert_eq!(machine.read_local(*at), last, "seed {seed}, {at}");
    }
    let count = |n: usize| slots.iter().filter(|s| s.len() == n).count() as u64;
    assert_eq!((run.slots, run.bundles, run.l2_words), (300, count(2), 300 + count(2)));
    assert_eq!(run.bubbles + run.issued.total(), run.l2_words);
    assert_eq!(run.forwards.path1.total() + run.forwards.path2.total(), contract.forwards);
    let last = contract.results.keys().map(|(_, done)| *done).max();
    assert_eq!(run.by_class.drain, u64::from(last.map_or(0, |done| done - 299)));
    assert_eq!(run.inversions, run.issued.inv);
    assert_eq!(run.cycles, sum(&run));
    assert!(run.issued.mm > 5 && run.forwards.path1.total() > 5 && run.forwards.path2.total() > 5);
}

#[test]
fn dense_random_programs_keep_the_contract() {
    let (paper, best) = (MachineSpec::paper(), MachineSpec::best());
    let with = |spec: &MachineSpec, changes: &[(&str, &str)]| {
        changes.iter().fold(spec.clone(), |s, (path, value)| s.with(path, value).expect("a design"))
    };
    let designs = [
        with(&best, &[("mm.latency", "3"), ("arith.latency", "2"), ("banks.writes", "2")]),
        with(&best, &[("mm.ii", "3"), ("arith.latency", "5")]),
        with(&paper, &[("mm.style", "iterative"), ("mm.latency", "6"), ("banks.reads", "4")]),
        with(&paper, &[("mm.latency", "2"), ("banks.writes", "3")]),
        paper,
        best,
    ];
    for (spec, seed) in designs.iter().cycle().zip(0..24) {
        check::<Fq>(spec, seed);
        check::<Fr>(spec, seed + 100);
    }
}

/// Draws an L1 instruction of a program of 16, mostly one for this engine.
fn l1_instruction(pick: &mut impl FnMut(u32) -> u32) -> L1 {
    let reg = [LoopReg::I, LoopReg::J, LoopReg::K][pick(3) as usize];
    let addr = pick(17) as u16;
    let direction = [Direction::In, Direction::Out][pick(2) as usize];
    match pick(16) {
        0..=2 => L1::PairOp { addr: pick(33) as u16 },
        3..=5 => {
            L1::Switch { direction, rows: 1 + pick(9) as u16, global: pick(250) as u8, local: pick(92) as u8 }
        }
        6 | 7 => L1::LoadScan { reg, bits: 1 + pick(40) as u16, global: pick(256) as u8 },
        8 => L1::Jump { reg, addr },
        9 | 10 => L1::Scan { reg, addr },
        11..=13 => L1::Loop { reg, addr, count: 1 + pick(4) },
        14 => [L1::MsmInitP2, L1::SetField { field: FieldName::Fq }][usize::from(pick(8) > 0)],
        _ => L1::Finish,
    }
}

/// Draws an L2 instruction whose rows exist; products may conflict with sums at a write port.
fn l2_instruction(pick: &mut impl FnMut(u32) -> u32) -> L2 {
    let op = if pick(8) == 0 { L2Op::Mm } else { OPS[pick(6) as usize] };
    let mut loc = || Loc::linear(pick(96) as u8);
    let src = [Operand::Row(loc()), Operand::Row(loc())];
    let dst = Some(loc());
    L2 { last: pick(6) == 0, ..word(op, &src[..op.operands()], dst) }
}

const OPS: [L2Op; 6] = [L2Op::Add, L2Op::Sub, L2Op::MulXi, L2Op::Conj, L2Op::Neg, L2Op::Vld];

#[test]
fn whatever_the_program_a_run_ends_with_its_books_balanced() {
    let (mut finished, mut refused) = (0, 0);
    for seed in 0..400 {
        let mut rng = rng(seed);
        let mut pick = |n: u32| (rng.next_u64() % u64::from(n)) as u32;
        let l1 = (0..16).map(|_| l1_instruction(&mut pick)).collect();
        let l2 = (0..32).map(|_| l2_instruction(&mut pick)).collect();
        let mut machine =
            Processor::<Fq>::with_instructions(&MachineSpec::paper(), l1, l2).expect("16 words");
        for row in 0..256 {
            machine.write_global(row, Row::ONE).expect("the bank has 256 rows");
        }
        for address in 0..96 {
            machine.write_local(Loc::linear(address), Row::ONE).expect("the banks have 96 rows");
        }
        match machine.run(2_000) {
            Ok(run) => {
                assert_eq!(run.cycles, sum(&run));
                let traffic: u64 = run.banks.iter().map(|bank| bank.writes).sum();
                assert!(traffic >= run.issued.total(), "every instruction writes a row");
                finished += 1;
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                refused += 1;
            }
        }
        // An error leaves nothing in flight: from the same rows, the next run is stopped by the same error.
        let rows = machine.clone();
        let first = machine.run(2_000).map_err(|e| e.to_string());
        machine.core.banks = rows.core.banks;
        machine.global = rows.global;
        assert_eq!(machine.run(2_000).map_err(|e| e.to_string()), first, "seed {seed}");
    }
    assert!(finished > 40 && refused > 40, "{finished} finished, {refused} refused");
}
