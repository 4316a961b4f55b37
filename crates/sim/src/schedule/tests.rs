use super::exhaustive::{least_ii, least_latency};
use super::*;
use proptest::prelude::*;

fn aie1() -> Machine {
    serde_json::from_str(include_str!("fixtures/aie1.json")).unwrap()
}

fn class(name: &str, latency: u32, ways: &[&[&str]]) -> Class {
    Class {
        name: name.to_owned(),
        ways: ways.iter().map(|way| way.iter().map(|slot| Use::now(slot)).collect()).collect(),
        latency,
        reads: Default::default(),
        writes: None,
        delay_slots: None,
    }
}

fn machine(slots: &[(&str, u32)], classes: Vec<Class>) -> Machine {
    let slots = slots.iter().map(|&(name, count)| Slot { name: name.to_owned(), count }).collect();
    Machine { name: "test".to_owned(), slots, classes, ..Machine::default() }
}

/// `chains` products of several blocks each: loads, accumulation, a shift out of the accumulator, and carries from lane
/// to lane through scalar registers, also from block to block.
fn carries(machine: &Machine, chains: usize, blocks: usize) -> Graph {
    let mut g = Graph::new();
    for chain in 0..chains {
        let mut carry = None;
        for block in 0..blocks {
            let name = |what: &str| format!("{what}{chain}.{block}");
            let mut acc: Option<usize> = None;
            for _ in 0..8 {
                let x = g.op(machine, "vlda", name("x")).unwrap();
                let kind = if acc.is_some() { "vmac" } else { "vmul" };
                let mac = g.op(machine, kind, name("mac")).unwrap();
                g.flow(machine, x, mac, None, 0).unwrap();
                if let Some(before) = acc {
                    g.flow(machine, before, mac, Some("acc"), 0).unwrap();
                }
                acc = Some(mac);
            }
            let out = g.op(machine, "srs", name("srs")).unwrap();
            g.flow(machine, acc.unwrap(), out, None, 0).unwrap();
            let mut vector = out;
            for _ in 0..8 {
                let steps = ["vextract", "alu", "alu", "alu", "vupdate"];
                let [lane, sum, digit, next, put] = steps.map(|c| g.op(machine, c, name(c)).unwrap());
                g.flow(machine, out, lane, None, 0).unwrap();
                g.flow(machine, lane, sum, None, 0).unwrap();
                if let Some(carry) = carry {
                    g.flow(machine, carry, sum, None, 0).unwrap();
                }
                g.flow(machine, sum, digit, None, 0).unwrap();
                g.flow(machine, sum, next, None, 0).unwrap();
                g.flow(machine, digit, put, None, 0).unwrap();
                g.flow(machine, vector, put, None, 0).unwrap();
                (carry, vector) = (Some(next), put);
            }
            let store = g.op(machine, "vst", name("vst")).unwrap();
            g.flow(machine, vector, store, None, 0).unwrap();
        }
    }
    g
}

#[test]
fn the_example_machine_is_sound_and_its_text_comes_back() {
    let machine = aie1();
    machine.check().unwrap();
    let text = serde_json::to_string(&machine).unwrap();
    assert_eq!(serde_json::from_str::<Machine>(&text).unwrap(), machine);
}

#[test]
fn accumulation_costs_what_the_accumulator_costs() {
    let machine = aie1();
    let latency = |kind: &str| {
        let mut g = Graph::new();
        let macs: Vec<usize> = (0..4).map(|n| g.op(&machine, kind, format!("{n}")).unwrap()).collect();
        macs.windows(2).for_each(|w| g.flow(&machine, w[0], w[1], Some("acc"), 0).unwrap());
        let block = Block::new(&machine, &g).unwrap();
        check_block(&machine, &g, &block.facts()).unwrap();
        block.latency
    };
    assert_eq!(latency("vmac"), 3 + 6);
    assert_eq!(latency("vfmac"), 3 * 2 + 6);
}

#[test]
fn what_stands_in_for_each_other_is_counted_together() {
    // Four operations on a only, four on a or b, two on any of a, b, c: 10 in three slots; a and b together must take
    // 8.
    let classes = vec![
        class("a", 1, &[&["a"]]),
        class("ab", 1, &[&["a"], &["b"]]),
        class("abc", 1, &[&["a"], &["b"], &["c"]]),
    ];
    let machine = machine(&[("a", 1), ("b", 1), ("c", 1)], classes);
    let mut g = Graph::new();
    for (class, n) in [("abc", 2), ("ab", 4), ("a", 4)] {
        for i in 0..n {
            g.op(&machine, class, format!("{class}{i}")).unwrap();
        }
    }
    let p = Pipelined::new(&machine, &g, &Options::default()).unwrap();
    assert_eq!((p.bounds.resources, p.ii), (4, 4));
    check(&machine, &g, &p.facts(5), 5).unwrap();
    assert_eq!(least_ii(&machine, &g, 4), Some(4));
}

#[test]
fn a_unit_that_is_busy_and_a_recurrence_set_the_interval() {
    let mut divide = class("div", 7, &[&["d"]]);
    divide.ways[0][0].cycles = 4;
    let machine = machine(&[("d", 1), ("s", 2)], vec![divide, class("add", 2, &[&["s"]])]);
    let mut g = Graph::new();
    let [a, b, c] = ["div", "add", "add"].map(|k| g.op(&machine, k, k).unwrap());
    g.flow(&machine, a, b, None, 0).unwrap();
    g.flow(&machine, b, c, None, 0).unwrap();
    // A cycle of 7 + 2 + 2 cycles over three iterations: 11 / 3, rounded up.
    g.flow(&machine, c, a, None, 3).unwrap();
    let p = Pipelined::new(&machine, &g, &Options::default()).unwrap();
    assert_eq!((p.bounds.resources, p.bounds.recurrences, p.ii), (4, 4, 4));
    g.flow(&machine, c, a, None, 2).unwrap();
    let p = Pipelined::new(&machine, &g, &Options::default()).unwrap();
    assert_eq!((p.bounds.recurrences, p.ii), (6, 6));
    check(&machine, &g, &p.facts(9), 9).unwrap();
}

#[test]
fn fixed_offsets_hold_through_the_run() {
    let machine =
        machine(&[("in", 1), ("s", 1)], vec![class("get", 3, &[&["in"]]), class("add", 1, &[&["s"]])]);
    let mut g = Graph::new();
    let words: Vec<usize> = (0..4).map(|n| g.op(&machine, "get", format!("w{n}")).unwrap()).collect();
    words.windows(2).for_each(|w| g.fix(w[0], w[1], 4));
    for &word in &words {
        let add = g.op(&machine, "add", "add").unwrap();
        g.flow(&machine, word, add, None, 0).unwrap();
    }
    // The beats fall into one row with an interval of 4, but not with 5.
    let p = Pipelined::new(&machine, &g, &Options::default()).unwrap();
    assert_eq!((p.bounds.ii(), p.ii), (4, 5));
    assert_eq!(least_ii(&machine, &g, 6), Some(5));
    let mut facts = p.facts(7);
    check(&machine, &g, &facts, 7).unwrap();
    facts[2].cycle -= 1;
    assert_eq!(
        check(&machine, &g, &facts, 7),
        Err(Fault::Offset { from: words[1], to: words[2], iteration: 0 })
    );
    g.fix(words[0], words[2], 9);
    assert!(matches!(Pipelined::new(&machine, &g, &Options::default()), Err(ScheduleError::Offsets(_))));
}

#[test]
fn a_branch_closes_block_and_kernel() {
    let machine = aie1();
    let mut g = Graph::new();
    let x = g.op(&machine, "vlda", "x").unwrap();
    let y = g.op(&machine, "vst", "y").unwrap();
    let end = g.op(&machine, "ret", "end").unwrap();
    g.flow(&machine, x, y, None, 0).unwrap();
    let block = Block::new(&machine, &g).unwrap();
    // The store issues in cycle 8, which is the last delay slot.
    assert_eq!((block.ops[y].cycle, block.ops[end].cycle, block.length), (8, 3, 9));
    let mut facts = block.facts();
    check_block(&machine, &g, &facts).unwrap();
    facts[end].cycle = 2;
    assert_eq!(check_block(&machine, &g, &facts), Err(Fault::AfterBranch { op: y, branch: end }));
    let p = Pipelined::new(&machine, &g, &Options::default()).unwrap();
    assert_eq!((p.bounds.branch, p.ii), (6, 6));
    assert_eq!(p.ops[end].cycle % p.ii, p.ii - 1 - 5);
    check(&machine, &g, &p.facts(4), 4).unwrap();
}

#[test]
fn accumulators_that_do_not_suffice_make_values_live_shorter() {
    let machine = aie1();
    let mut g = Graph::new();
    // Sixteen sums of six products; one load provides the first factor of all.
    for sum in 0..16 {
        let mut acc = g.op(&machine, "vmul", format!("mul{sum}")).unwrap();
        for _ in 0..5 {
            let mac = g.op(&machine, "vmac", format!("mac{sum}")).unwrap();
            g.flow(&machine, acc, mac, Some("acc"), 0).unwrap();
            acc = mac;
        }
        let out = g.op(&machine, "srs", format!("srs{sum}")).unwrap();
        g.flow(&machine, acc, out, None, 0).unwrap();
    }
    let p = Pipelined::new(&machine, &g, &Options::default()).unwrap();
    assert_eq!((p.bounds.ii(), p.ii), (96, 96));
    assert!(p.live[0] <= 4);
    check(&machine, &g, &p.facts(3), 3).unwrap();
    let block = Block::new(&machine, &g).unwrap();
    check_block(&machine, &g, &block.facts()).unwrap();
    // With all accumulators held there is no schedule.
    g.held = vec![4];
    let refused = Err(ScheduleError::Registers { file: "accumulator".to_owned(), needs: 5, size: 4 });
    let limited = Options { max_ii: Some(100), ..Options::default() };
    assert_eq!(Pipelined::new(&machine, &g, &limited), refused);
}

#[test]
fn phases_add_up_and_the_run_issues_as_long_as_they_say() {
    let machine = aie1();
    let g = carries(&machine, 2, 1);
    let p = Pipelined::new(&machine, &g, &Options::default()).unwrap();
    assert!(p.stages() > 1);
    for n in [0, 1, 2, u64::from(p.stages()), 16] {
        let phases = p.phases(n);
        assert_eq!(phases.prologue + phases.kernel + phases.epilogue, p.issue_cycles(n));
        let last = p.facts(n as u32).iter().map(|f| f.cycle + 1).max().unwrap_or(0);
        assert!(last <= p.issue_cycles(n) && p.issue_cycles(n) <= last + u64::from(p.ii));
    }
    assert_eq!(p.phases(16).passes, 16 + 1 - u64::from(p.stages()));
    assert!(p.copies >= 1 && p.expanded.iter().zip(&p.live).all(|(e, l)| e >= l));
}

#[test]
fn bodies_of_real_size_reach_their_bound_or_nearly() {
    let machine = aie1();
    for (blocks, bound, most) in [(1, 192, 192), (4, 768, 770), (8, 1536, 1548)] {
        let g = carries(&machine, 8, blocks);
        assert_eq!(g.ops.len(), 8 * blocks * (16 + 1 + 40 + 1));
        let p = Pipelined::new(&machine, &g, &Options::default()).unwrap();
        check(&machine, &g, &p.facts(3), 3).unwrap();
        assert_eq!(p.bounds.resources, bound);
        assert!(p.ii <= most, "{} for {bound}", p.ii);
        assert!(p.live.iter().zip(&machine.files).all(|(&live, file)| live <= file.size));
        let usage = Usage::new(&machine, &g, &p.kernel(), u64::from(p.ii));
        assert_eq!((usage.ops, usage.slots[2].taken), (g.ops.len() as u64, u64::from(bound)));
        if blocks == 1 {
            assert_eq!(Pipelined::new(&machine, &g, &Options::default()).unwrap(), p);
        }
    }
    let mut wide = machine;
    wide.files.iter_mut().for_each(|f| f.size = 1000);
    let g = carries(&wide, 8, 15);
    let p = Pipelined::new(&wide, &g, &Options::default()).unwrap();
    check(&wide, &g, &p.facts(2), 2).unwrap();
    assert_eq!((g.ops.len(), p.bounds.ii(), p.ii), (6960, 2880, 2880));
}

#[test]
fn a_small_schedule_is_this_text() {
    let machine = machine(&[("m", 1), ("v", 2)], vec![class("ld", 3, &[&["m"]]), class("op", 1, &[&["v"]])]);
    let mut g = Graph::new();
    let [x, y, a, b] =
        [("ld", "x"), ("ld", "y"), ("op", "a"), ("op", "b")].map(|(c, n)| g.op(&machine, c, n).unwrap());
    g.flow(&machine, x, a, None, 0).unwrap();
    g.flow(&machine, y, b, None, 0).unwrap();
    let block = Block::new(&machine, &g).unwrap();
    let text = " cycle  m  v\n     0  x\n     1  y\n     -\n     3     a\n     4     b\n";
    assert_eq!(listing(&machine, &g, &block.facts()), text);
    let p = Pipelined::new(&machine, &g, &Options::default()).unwrap();
    assert_eq!(listing(&machine, &g, &p.kernel()), " cycle  m    v\n     0  x/0  b/2\n     1  y/0  a/1\n");
    let usage = Usage::new(&machine, &g, &p.kernel(), u64::from(p.ii));
    let counted = "4 operations in 2 cycles: 2.00 per cycle\n\
                   m         2 of         2  100.0 %\nv         2 of         4   50.0 %\n";
    assert_eq!(usage.to_string(), counted);
    // Name and order records for the process and for each track, and one event per operation.
    assert_eq!(timeline(&machine, &g, &block.facts()).len(), 1 + 2 * 3 + 4);
}

#[test]
fn what_is_wrong_is_named() {
    let good = machine(&[("s", 1)], vec![class("op", 1, &[&["s"]])]);
    let mut bad = good.clone();
    bad.slots[0].count = 0;
    assert_eq!(bad.check(), Err(ScheduleError::None("s".to_owned())));
    let mut bad = good.clone();
    bad.classes.push(class("op", 2, &[&["s"]]));
    assert_eq!(bad.check(), Err(ScheduleError::Duplicate("op".to_owned())));
    let mut bad = good.clone();
    bad.classes[0].ways[0].push(Use::now("s"));
    assert!(matches!(bad.check(), Err(ScheduleError::Overfull { .. })));
    bad.classes[0].ways[0][1].slot = "t".to_owned();
    assert!(matches!(bad.check(), Err(ScheduleError::UnknownSlot { .. })));
    bad.classes[0].ways.clear();
    assert_eq!(bad.check(), Err(ScheduleError::NoWay("op".to_owned())));
    let mut bad = good.clone();
    bad.classes[0].latency = 1 << 20;
    assert!(matches!(bad.check(), Err(ScheduleError::LongClass { .. })));
    bad.classes[0].writes = Some("r".to_owned());
    assert!(matches!(bad.check(), Err(ScheduleError::UnknownFile { .. })));
    let names: Vec<String> = (0..13).map(|n| format!("s{n}")).collect();
    let slots: Vec<(&str, u32)> = names.iter().map(|n| (n.as_str(), 1)).collect();
    let mut any = class("any", 1, &[]);
    any.ways = names.iter().map(|n| vec![Use::now(n)]).collect();
    let refused = Err(ScheduleError::Alternatives { slots: 13, most: 12 });
    assert_eq!(machine(&slots, vec![any]).check(), refused);

    let mut g = Graph::new();
    assert_eq!(Block::new(&good, &g), Err(ScheduleError::Empty));
    assert!(matches!(g.op(&good, "no", "x"), Err(ScheduleError::UnknownClass(_))));
    let ops: Vec<usize> = (0..3).map(|n| g.op(&good, "op", format!("{n}")).unwrap()).collect();
    assert!(matches!(g.flow(&good, 0, 1, Some("acc"), 0), Err(ScheduleError::UnknownOperand { .. })));
    assert!(matches!(g.flow(&good, 0, 3, None, 0), Err(ScheduleError::NoOp { .. })));
    g.order(0, 7, 1, 0);
    assert_eq!(Block::new(&good, &g), Err(ScheduleError::NoOp { from: 0, to: 7, ops: 3 }));
    g.edges.clear();
    g.order(0, 1, i32::MIN, 0);
    assert!(matches!(Block::new(&good, &g), Err(ScheduleError::LongEdge { .. })));
    g.edges.clear();
    ops.windows(2).for_each(|w| g.order(w[0], w[1], 1, 0));
    g.order(2, 1, 0, 0);
    assert!(matches!(Block::new(&good, &g), Err(ScheduleError::Cycle(c)) if c.len() == 2 && c.contains(&1)));
    g.edges.pop();
    g.fix(0, 2, 1);
    assert!(matches!(Block::new(&good, &g), Err(ScheduleError::Offsets(_))));
    // Two operations in one cycle of a slot with a count of one.
    g.fixed[0] = Fixed { from: 0, to: 2, offset: 0 };
    g.edges.clear();
    assert!(matches!(Block::new(&good, &g), Err(ScheduleError::Offsets(_))));
    assert!(matches!(Pipelined::new(&good, &g, &Options::default()), Err(ScheduleError::Offsets(_))));
    g.fixed.clear();
    let short = Options { max_ii: Some(2), ..Options::default() };
    assert_eq!(Pipelined::new(&good, &g, &short), Err(ScheduleError::Interval(2)));
    g.ops[1].class = 4;
    assert_eq!(Block::new(&good, &g), Err(ScheduleError::NoClass { op: 1, class: 4, classes: 1 }));
}

#[test]
fn the_judge_finds_what_was_changed() {
    let machine = aie1();
    let g = carries(&machine, 1, 1);
    let p = Pipelined::new(&machine, &g, &Options::default()).unwrap();
    let facts = p.facts(3);
    check(&machine, &g, &facts, 3).unwrap();
    let changed = |f: &dyn Fn(&mut Vec<Fact>)| {
        let mut facts = facts.clone();
        f(&mut facts);
        check(&machine, &g, &facts, 3).unwrap_err()
    };
    assert_eq!(
        changed(&|f| f.retain(|x| (x.op, x.iteration) != (5, 0))),
        Fault::Missing { op: 5, iteration: 0 }
    );
    assert_eq!(changed(&|f| f.push(f[7])), Fault::Twice { op: 7, iteration: 0 });
    assert!(matches!(changed(&|f| f[4].way = 1), Fault::Unknown(_)));
    assert!(matches!(changed(&|f| f[1].cycle = f[0].cycle), Fault::Early { from: 0, to: 1, iteration: 0 }));
    // A load moved to the cycle of two others, still early enough for its product.
    let other = (0..g.ops.len()).filter(|&op| g.ops[op].name == "x0.0").nth(5).unwrap();
    let crowd = |f: &mut Vec<Fact>| {
        let at = f[..g.ops.len()].iter().filter(|x| g.ops[x.op].class == 0).map(|x| x.cycle).min().unwrap();
        (0..3).for_each(|n| f[[0, 2, other][n]].cycle = at);
    };
    assert!(matches!(changed(&crowd), Fault::Slot { taken: 3.., .. }));
    let mut small = machine.clone();
    small.files[1].size = 1;
    assert!(matches!(check(&small, &g, &facts, 3), Err(Fault::File { .. })));
}

/// A list of random numbers from which choices are made; proptest shrinks it.
struct Tape(std::vec::IntoIter<u32>);

impl Tape {
    fn below(&mut self, n: u32) -> u32 {
        self.0.next().unwrap_or(0) % n
    }

    fn machine(&mut self, most: u32) -> Machine {
        let slots: Vec<(String, u32)> =
            (0..1 + self.below(3)).map(|n| (format!("s{n}"), 1 + self.below(2))).collect();
        let files = (0..self.below(3)).map(|n| File { name: format!("f{n}"), size: 3 + self.below(6) });
        let files: Vec<File> = files.collect();
        let class = |n: u32, tape: &mut Self| {
            let way = |tape: &mut Self| {
                let uses = (0..slots.len()).filter(|&s| s == 0 || tape.below(3) == 2).collect::<Vec<_>>();
                let shift = tape.below(slots.len() as u32) as usize;
                let slot = |s: usize| slots[(s + shift) % slots.len()].0.clone();
                uses.into_iter()
                    .map(|s| Use {
                        slot: slot(s),
                        from: tape.below(4).saturating_sub(2),
                        cycles: 1 + tape.below(4) / 3,
                    })
                    .collect()
            };
            Class {
                name: format!("c{n}"),
                ways: (0..1 + tape.below(2)).map(|_| way(tape)).collect(),
                latency: tape.below(most),
                reads: [("late".to_owned(), tape.below(3))].into(),
                writes: files.get(tape.below(4) as usize).map(|f| f.name.clone()),
                delay_slots: None,
            }
        };
        let classes = (0..1 + self.below(4)).map(|n| class(n, self)).collect();
        let slots = slots.iter().map(|(name, count)| Slot { name: name.clone(), count: *count }).collect();
        Machine { name: "random".to_owned(), source: String::new(), slots, classes, files }
    }

    fn graph(&mut self, machine: &Machine, most: u32, fixed: bool) -> Graph {
        let mut g = Graph::new();
        for n in 0..1 + self.below(most) {
            let class = self.below(machine.classes.len() as u32);
            g.op(machine, &format!("c{class}"), format!("o{n}")).unwrap();
        }
        let ops = g.ops.len() as u32;
        for _ in 0..self.below(2 * ops) {
            let (a, b) = (self.below(ops) as usize, self.below(ops) as usize);
            let distance = if a < b { self.below(5).saturating_sub(3) } else { 1 + self.below(3) };
            match self.below(4) {
                0 => g.order(a, b, self.below(5) as i32 - 2, distance),
                1 => g.flow(machine, a, b, Some("late"), distance).unwrap(),
                _ => g.flow(machine, a, b, None, distance).unwrap(),
            }
        }
        if fixed && ops > 1 && self.below(3) == 0 {
            g.fix(0, 1 + self.below(ops - 1) as usize, self.below(6) as i32);
        }
        g
    }
}

fn tape() -> impl Strategy<Value = Tape> {
    proptest::collection::vec(any::<u32>(), 160).prop_map(|v| Tape(v.into_iter()))
}

impl std::fmt::Debug for Tape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.0.as_slice())
    }
}

/// Whether a random case may be refused: an interval always exists, unless operations at fixed offsets confine others
/// between them to cycles whose slots are occupied.
fn refused(error: &ScheduleError, graph: &Graph) -> bool {
    use ScheduleError::{Interval, Offsets, Registers};
    match error {
        Offsets(_) | Interval(_) => !graph.fixed.is_empty(),
        Registers { .. } => true,
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_loops_and_blocks_are_valid(mut tape in tape()) {
        let machine = tape.machine(9);
        let g = tape.graph(&machine, 24, true);
        match Pipelined::new(&machine, &g, &Options::default()) {
            Ok(p) => {
                prop_assert!(p.ii >= p.bounds.ii());
                prop_assert_eq!(check(&machine, &g, &p.facts(12), 12), Ok(()));
                prop_assert!(p.expanded.iter().zip(&p.live).all(|(e, l)| e >= l));
                // The checker counts as many live values as the schedule reports: with one register less it reports a
                // fault.
                let run = 2 * p.stages() + 12;
                for (n, &live) in p.live.iter().enumerate().filter(|l| *l.1 > 0) {
                    let mut less = machine.clone();
                    less.files[n].size = live - 1;
                    let found = check(&less, &g, &p.facts(run), run);
                    prop_assert!(matches!(found, Err(Fault::File { .. })), "{found:?}");
                }
            }
            Err(error) => prop_assert!(refused(&error, &g), "{error}"),
        }
        match Block::new(&machine, &g) {
            Ok(b) => {
                prop_assert!(b.latency >= b.critical);
                prop_assert_eq!(check_block(&machine, &g, &b.facts()), Ok(()));
            }
            Err(error) => prop_assert!(refused(&error, &g), "{error}"),
        }
    }
}

/// Three hundred random cases of up to seven operations, without register files, compared with the optimum.
#[test]
fn tiny_graphs_are_scheduled_as_well_as_they_can_be() {
    let mut state = 1_u64;
    let mut next = || {
        // A linear congruence modulo 2^64; its upper half is mixed well enough.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32
    };
    let (mut loops, mut blocks, mut longer, mut later) = (0, 0, 0, 0);
    for _ in 0..300 {
        let mut tape = Tape((0..160).map(|_| next()).collect::<Vec<_>>().into_iter());
        let mut machine = tape.machine(4);
        machine.files.clear();
        machine.classes.iter_mut().for_each(|c| c.writes = None);
        let g = tape.graph(&machine, 7, false);
        let p = Pipelined::new(&machine, &g, &Options::default()).unwrap();
        check(&machine, &g, &p.facts(8), 8).unwrap();
        let best = least_ii(&machine, &g, p.ii).expect("the schedule itself is one");
        assert!(p.bounds.ii() <= best, "{g:?}");
        loops += 1;
        longer += p.ii - best;
        let block = Block::new(&machine, &g).unwrap();
        check_block(&machine, &g, &block.facts()).unwrap();
        let best = least_latency(&machine, &g, block.latency).expect("the schedule itself is one");
        blocks += 1;
        later += block.latency - best;
    }
    // Every interval is optimal; the blocks together are 16 cycles longer than optimal.
    assert_eq!(longer, 0, "in {loops}");
    assert!(later <= 16, "{later} in {blocks}");
}
