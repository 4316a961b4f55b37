//! The paper's figures of the engine, compared with the model's.

use super::super::*;
use super::Random;

/// Accumulates `n` points that are all on the chip; returns the counts from the first to the last.
fn accumulate(config: &MsmSpec, group: Group, n: u64, digit: impl Fn(u64) -> i32) -> MsmWork {
    let mut random = Random(7);
    let operands = (0..n).map(|_| Operand { lane: 0, digit: digit(random.next()), point: () });
    Msm::new(config, group).unwrap().accumulate(0, operands).unwrap()
}

fn uniform(r: u64) -> i32 {
    (r % 1023 + 1) as i32
}

#[track_caller]
fn near(ours: f64, figure: f64, tolerance: f64) {
    assert!((ours - figure).abs() <= tolerance, "{ours:.4} is not {figure} ± {tolerance}");
}

const N: u64 = 40_000;

/// "Near 100 % utilisation" (\[CP\] §IV.C) is not reached with the single write port of the pseudo dual-port memory: in a
/// quarter of all cycles a result and a point both find their buckets empty.
#[test]
fn one_write_port_costs_a_quarter_and_four_words_before_it_give_it_back() {
    let with = |write_behind| MsmSpec { write_behind, ..MsmSpec::paper() };
    let published = accumulate(&with(0), Group::G1, N, uniform);
    near(published.cycles as f64 / N as f64, 1.335, 0.01);
    near(published.utilisation(), 0.730, 0.01);
    assert!(published.stalls.write_port > 20 * published.stalls.issue);
    for (write_behind, figure) in [(1, 0.874), (2, 0.921), (4, 0.936), (8, 0.940)] {
        let work = accumulate(&with(write_behind), Group::G1, N, uniform);
        near(work.utilisation(), figure, 0.01);
    }
    for (bucket_banks, figure) in [(2, 0.910), (4, 0.928)] {
        let work = accumulate(&MsmSpec { bucket_banks, ..with(0) }, Group::G1, N, uniform);
        near(work.utilisation(), figure, 0.01);
    }
}

#[test]
fn collisions_alone_do_not_cost_much() {
    let config = MsmSpec::paper();
    assert!(accumulate(&config, Group::G1, N, |_| 5).utilisation() > 0.995);
    let half = |r| if r & 1 == 0 { 5 } else { uniform(r >> 1) };
    near(accumulate(&config, Group::G1, N, half).utilisation(), 0.764, 0.01);
    // G2 has four cycles per pair, in which every conflict is resolved.
    assert!(accumulate(&config, Group::G2, N, |r| (r % 511 + 1) as i32).utilisation() > 0.999);
    let slower = MsmSpec { iterative_interval: 6, ..config };
    assert!(accumulate(&slower, Group::G2, N, |r| (r % 511 + 1) as i32).utilisation() > 0.999);
}

/// With eleven products instead of twelve, a point waits for its bucket, and one write port is enough except at the
/// beginning.
#[test]
fn a_mixed_adder_saves_an_element_and_waits_for_buckets() {
    let config = MsmSpec { formula: Formula::Mixed, elements: 11, ..MsmSpec::paper() };
    let work = accumulate(&config, Group::G1, N, uniform);
    near(work.utilisation(), 0.908, 0.01);
    assert_eq!(work.element_cycles, 11 * work.padds);
    assert!(work.stalls.write_port < N / 20 && work.stalls.issue > 0);
    // All points go to one bucket: a pair enters every time that a sum returns.
    let latency = f64::from(config.accumulation(Group::G1).latency());
    near(accumulate(&config, Group::G1, 2000, |_| 5).cycles as f64 / 2000.0, latency + 3.0, 1.0);
    assert_eq!(config.reduction(Group::G1).interval, 2);
}

/// A batch of 1,024 points with their scalars takes 1,024 · 128 B / 48 B = 2,731 cycles to load: more than the engine
/// needs, so at the paper's bandwidth it waits for the memory.
#[test]
fn at_the_papers_bandwidth_the_memory_sets_the_pace() {
    let mut msm = Msm::new(&MsmSpec::paper(), Group::G1).unwrap();
    let mut random = Random(3);
    msm.begin(0, 1);
    for batch in 0..30 {
        let operands =
            (0..1024).map(|_| Operand { lane: 0, digit: (random.next() & 1023) as i32, point: () });
        let work = msm.accumulate(2731 * batch, operands).unwrap();
        assert_eq!(work.start, 2731 * batch);
        assert!(work.cycles < 1500);
    }
    near(msm.total().utilisation(), 0.366, 0.01);
}

/// The reduction of a window with this number of segments, with every bucket occupied.
fn reduce(segments: u32) -> MsmWork {
    let mut msm = Msm::new(&MsmSpec { segments, ..MsmSpec::paper() }, Group::G1).unwrap();
    msm.begin(0, 1);
    msm.accumulate(0, (1..1024).map(|digit| Operand { lane: 0, digit, point: () })).unwrap();
    msm.reduce(2000, 0).unwrap()
}

#[test]
fn segments_of_the_reduction_fill_the_pipeline() {
    let works = [1, 2, 4, 8, 16].map(reduce);
    // All but the highest bucket take two additions, less the moves at the beginning of each segment.
    assert!(works.iter().all(|w| (2000..2150).contains(&w.padds)), "{works:?}");
    let cycles = works.map(|w| w.cycles);
    assert_eq!(cycles, [47071, 24050, 12326, 6589, 4116]);
    assert!(works.iter().all(|w| w.drain > 0 || w.between > 0));
    // Two segments give "~2x"; the merge, which is serial, limits the gain of more segments.
    near(cycles[0] as f64 / cycles[1] as f64, 1.95, 0.05);
    near(works[1].utilisation() / works[0].utilisation(), 1.95, 0.05);
}

#[test]
fn aggregation_is_a_chain_of_a_doubling_a_bit_and_an_addition_a_window() {
    let config = MsmSpec::paper();
    let windows = config.plan(Group::G1, 255).windows;
    let mut msm = Msm::new(&config, Group::G1).unwrap();
    msm.begin(0, windows);
    for window in 0..windows {
        msm.accumulate(0, [Operand { lane: 0, digit: 1, point: () }]).unwrap();
        msm.reduce(0, window).unwrap();
    }
    let (work, ()) = msm.aggregate(0).unwrap();
    // The top window's sum is moved, not added.
    assert_eq!(work.padds, 25 * 10 + 25);
    // The cycles of the decision, the operand register, the queue, PADD and the result buffer.
    let each = u64::from(config.reduction(Group::G1).latency()) + 4;
    assert_eq!(work.cycles, each * work.padds + 11);
}

/// Each of the two windows of a fetched point takes a cycle, and has its own set of buckets.
#[test]
fn a_point_that_serves_two_windows_is_presented_twice() {
    let config = MsmSpec { windows_per_fetch: 2, bucket_words: 2048, ..MsmSpec::paper() };
    let mut msm = Msm::new(&config, Group::G1).unwrap();
    msm.begin(0, 2);
    let mut random = Random(5);
    let operands = (0..N).flat_map(|_| {
        let r = random.next();
        [0, 1].map(|lane| Operand { lane, digit: uniform(r >> (20 * lane)), point: () })
    });
    let work = msm.accumulate(0, operands).unwrap();
    near(work.cycles as f64 / N as f64, 2.534, 0.02);
    assert_eq!(work.points, 2 * N);
    let together = msm.reduce(0, 0).unwrap();
    assert!(together.cycles < reduce(2).cycles * 11 / 10, "both windows are reduced at once");
}

#[test]
fn what_no_engine_can_do_is_refused() {
    let refused = |change: fn(&mut MsmSpec)| {
        let mut config = MsmSpec::paper();
        change(&mut config);
        Msm::<()>::new(&config, Group::G1).err().map(|e| e.to_string())
    };
    assert_eq!(refused(|_| ()), None);
    assert_eq!(
        refused(|c| c.window_g1 = 11).unwrap(),
        "msm.bucket_words is 1024, it must be at least the 2048 words of the buckets"
    );
    assert_eq!(refused(|c| (c.window_g1, c.signed) = (11, true)), None);
    assert_eq!(refused(|c| c.fifo = 1).unwrap(), "msm.fifo is 1, it must be 2 to 1024 pairs");
    assert_eq!(
        refused(|c| c.segments = 3).unwrap(),
        "msm.segments is 3, it must be a power of two, 1 to 1048576"
    );
    assert_eq!(
        refused(|c| c.segments = 2048).unwrap(),
        "msm.segments is 2048, it must be at most 1024, the buckets of a window"
    );

    let mut msm = Msm::new(&MsmSpec::paper(), Group::G1).unwrap();
    let operand = |lane, digit| [Operand { lane, digit, point: () }];
    let (buckets, lanes) = (1024, 1);
    assert_eq!(msm.accumulate(0, operand(0, 1025)), Err(MsmEngineError::Digit { digit: 1025, buckets }));
    assert_eq!(msm.accumulate(0, operand(0, -1)), Err(MsmEngineError::Digit { digit: -1, buckets }));
    assert_eq!(msm.accumulate(0, operand(1, 1)), Err(MsmEngineError::Lane { lane: 1, lanes }));
    msm.begin(0, 2);
    assert_eq!(msm.reduce(0, 2), Err(MsmEngineError::Window { window: 2, windows: 2 }));
    msm.reduce(0, 1).unwrap();
    assert_eq!(msm.aggregate(0).err(), Some(MsmEngineError::NotReduced { window: 0 }));
}
