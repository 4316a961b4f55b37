//! Random straight-line programs: the machine against a host that knows no cycles.

use super::*;

const OPS: [L2Op; 7] = [L2Op::Mm, L2Op::Add, L2Op::Sub, L2Op::MulXi, L2Op::Conj, L2Op::Neg, L2Op::Vld];

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

/// Words in order: each waits until the result before it is in its bank, or takes it from a forwarding path.
fn check<F: Datapath>(spec: &MachineSpec, seed: u64) {
    let mut rng = rng(seed);
    let mut pick = |n: usize| (rng.next_u64() % n as u64) as usize;
    let mut rows: BTreeMap<Loc, Row<F>> = BTreeMap::new();
    let mut values = super::rng(seed + 1);
    let mut words = Vec::new();
    for address in 0..12 {
        rows.insert(Loc::linear(address), Row::random(&mut values));
    }
    let start = rows.clone();
    for _ in 0..60 {
        let op = if pick(20) == 0 { L2Op::Inv } else { OPS[pick(OPS.len())] };
        let known: Vec<Loc> = rows.keys().copied().collect();
        let (a, b) = (known[pick(known.len())], known[pick(known.len())]);
        let dst = Loc::linear(pick(96) as u8);
        let src = [Operand::Row(a), Operand::Row(b)];
        let value = host(op, rows[&a], rows[&b]);
        words.push(word(op, &src[..op.operands()], Some(dst)));
        let channel = op.channel().expect("no bubbles among them");
        let latency = match channel {
            Channel::Mm => spec.mm.latency,
            Channel::Arith => spec.arith.latency,
            Channel::Inv => 1,
        } as usize;
        let path = [None, Some(FwdPath::Two), Some(FwdPath::One)][pick(3)];
        let Some(path) = path else {
            words.extend(nops(latency + 1));
            rows.insert(dst, value);
            continue;
        };
        words.extend(nops(latency - usize::from(path == FwdPath::Two)));
        let to = Loc::linear(pick(96) as u8);
        words.push(on(path, word(L2Op::Sub, &[over(channel), Operand::Row(a)], Some(to))));
        words.extend(nops(spec.arith.latency as usize + 1));
        // Even if the first word writes the row of `a`, the second reads it before that has committed.
        let old = rows[&a];
        rows.insert(dst, value);
        rows.insert(to, value - old);
    }
    let (mut machine, _) = loaded::<F>(spec, routine(&words));
    machine.clear();
    start.iter().for_each(|(at, value)| machine.write_local(*at, *value).unwrap());
    let run = machine.call(0).unwrap();
    for (at, value) in &rows {
        assert_eq!(machine.read_local(*at), Some(*value), "seed {seed}, {at:?}");
    }
    assert_eq!(run.cycles, sum(&run));
    assert_eq!(run.slots, words.len() as u64);
    assert_eq!(run.bubbles + run.issued.total(), run.slots);
}

#[test]
fn random_programs_give_the_hosts_values() {
    let paper = MachineSpec::paper();
    let quick = paper.with("mm.latency", "3").unwrap().with("arith.latency", "2").unwrap();
    let iterative = paper.with("mm.style", "iterative").unwrap();
    for seed in 0..8 {
        check::<Fq>(&paper, seed);
        check::<Fr>(&quick, seed);
        check::<Fq>(&iterative, seed);
    }
}
