//! Tests that no point is lost or counted twice, for any order of the digits and any sizes of the queues.

use super::super::*;
use super::Random;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Orders of digits that are hard for the engine.
#[derive(Clone, Copy, Debug)]
enum Pattern {
    Equal,
    TwoAlternating,
    Sequential,
    Random,
    HalfEqual,
    /// The bucket of `n` points ago: for `n` close to PADD's latency a point meets its own sum as it returns.
    Echo(usize),
    /// Bursts of one bucket, as long as the latency or a little shorter or longer.
    Bursts(u64),
}

impl Pattern {
    fn digits(self, n: usize, config: &MsmSpec, group: Group, random: &mut Random) -> Vec<i32> {
        let most = u64::from(config.plan(group, 255).buckets) - u64::from(!config.signed);
        let mut digits: Vec<i32> = Vec::with_capacity(n);
        for i in 0..n as u64 {
            let any = random.below(most + 1);
            let size = match self {
                Self::Equal => 5 % most + 1,
                Self::TwoAlternating => 1 + i % 2,
                Self::Sequential => i % most + 1,
                Self::Random => any,
                Self::HalfEqual => {
                    if random.next() & 1 == 0 {
                        3.min(most)
                    } else {
                        any
                    }
                }
                Self::Echo(back) => match digits.len().checked_sub(back) {
                    Some(at) if random.below(4) > 0 => u64::from(digits[at].unsigned_abs()),
                    _ => any,
                },
                Self::Bursts(length) => i / length % most + 1,
            };
            let negative = config.signed && random.next() & 1 == 0;
            digits.push(if negative { -(size as i32) } else { size as i32 });
        }
        digits
    }
}

fn patterns() -> impl Strategy<Value = Pattern> {
    prop_oneof![
        Just(Pattern::Equal),
        Just(Pattern::TwoAlternating),
        Just(Pattern::Sequential),
        Just(Pattern::Random),
        Just(Pattern::HalfEqual),
        (1usize..80).prop_map(Pattern::Echo),
        (2u64..80).prop_map(Pattern::Bursts),
    ]
}

prop_compose! {
    /// Small windows, so that points often meet in a bucket, and all sizes of all queues down to the smallest.
    fn designs()(
        window in 2u32..8,
        (signed, mixed) in any::<(bool, bool)>(),
        windows_per_fetch in 1u32..=3,
        bucket_banks in 0u32..=2,
        write_behind in 0u32..=5,
        elements in 2u32..=13,
        (pipelined_latency, iterative_latency) in (1u32..24, 6u32..14),
        (registers, adder_latency) in (2u32..5, 1u32..3),
        (fifo, results, conflict) in (2u32..=6, 1u32..=3, 1u32..=6),
        segments in 0u32..6,
    ) -> MsmSpec {
        MsmSpec {
            window_g1: window,
            window_g2: window,
            signed,
            windows_per_fetch,
            bucket_banks: 1 << bucket_banks,
            write_behind,
            formula: if mixed { Formula::Mixed } else { Formula::Complete },
            elements,
            pipelined_latency,
            iterative_latency,
            registers,
            adder_latency,
            fifo,
            results,
            conflict,
            segments: 1 << segments.min(window - 1),
            ..MsmSpec::paper()
        }
    }
}

/// Runs batches through accumulation until every sum is in its bucket; returns the engine and its counts.
fn accumulate<P: Addend>(
    config: &MsmSpec,
    group: Group,
    batches: &[Vec<Operand<P>>],
    gap: u64,
) -> (Msm<P>, Vec<MsmWork>) {
    let mut msm = Msm::new(config, group).unwrap();
    msm.begin(3, config.windows_per_fetch);
    let work = |batch: &Vec<Operand<P>>| msm.accumulate(msm.now() + gap, batch.iter().cloned()).unwrap();
    let works = batches.iter().map(work).collect();
    msm.drain();
    (msm, works)
}

/// The sum of the points of every bucket that has any, by address.
fn sorted(config: &MsmSpec, group: Group, operands: &[Operand<u128>]) -> BTreeMap<u32, u128> {
    let mut buckets = BTreeMap::new();
    for Operand { lane, digit, point } in operands.iter().filter(|o| o.digit != 0) {
        let sum: &mut u128 =
            buckets.entry(lane * config.buckets(group) + digit.unsigned_abs() - 1).or_default();
        *sum = if *digit > 0 { sum.wrapping_add(*point) } else { sum.wrapping_sub(*point) };
    }
    buckets
}

/// The contents of an engine's buckets. It takes a copy of the engine, since reading empties buckets.
fn contents(mut msm: Msm<u128>) -> BTreeMap<u32, u128> {
    let buckets = msm.buckets_per_window * msm.config.windows_per_fetch;
    let occupied: Vec<u32> = (0..buckets).filter(|b| msm.buckets.occupied(*b)).collect();
    let mut take = |bucket| {
        msm.buckets.tick();
        (bucket, msm.buckets.take(bucket))
    };
    occupied.into_iter().map(&mut take).collect()
}

/// A number that represents a point; no sum of a few such numbers equals another.
fn point(random: &mut Random) -> u128 {
    u128::from(random.next()) << 64 | u128::from(random.next() | 1)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn every_point_is_counted_once_whatever_the_order_and_time_knows_no_values(
        config in designs(),
        g2 in any::<bool>(),
        pattern in patterns(),
        n in 1usize..300,
        batch in 1usize..200,
        gap in prop_oneof![Just(0), 0u64..200],
        seed in any::<u64>(),
    ) {
        let group = if g2 { Group::G2 } else { Group::G1 };
        let mut random = Random(seed);
        let operands: Vec<_> = pattern
            .digits(n, &config, group, &mut random)
            .into_iter()
            .map(|digit| Operand {
                lane: random.below(u64::from(config.windows_per_fetch)) as u32,
                digit,
                point: point(&mut random),
            })
            .collect();
        let batches: Vec<_> = operands.chunks(batch).map(<[_]>::to_vec).collect();
        let (mut msm, works) = accumulate(&config, group, &batches, gap);

        // Every addition turns two points into one, until one is left per bucket.
        let buckets = sorted(&config, group, &operands);
        let total = msm.total();
        prop_assert_eq!(total.points + total.dropped, n as u64);
        prop_assert_eq!(total.padds, total.points - buckets.len() as u64);
        prop_assert_eq!(contents(msm.clone()), buckets);

        let reduced = msm.reduce(0, 0).unwrap();
        for (lane, window) in (0..).zip(&msm.windows) {
            let of_lane = operands.iter().filter(|o| o.lane == lane);
            let sum = of_lane.fold(0u128, |s, o| s.wrapping_add(o.point.wrapping_mul(o.digit as u128)));
            prop_assert_eq!(window.flatten().unwrap_or(0), sum);
        }
        prop_assert!(contents(msm).is_empty());

        let bare = |o: &Operand<u128>| Operand { lane: o.lane, digit: o.digit, point: () };
        let batches: Vec<_> = batches.iter().map(|b| b.iter().map(bare).collect()).collect();
        let (mut msm, timed) = accumulate(&config, group, &batches, gap);
        prop_assert_eq!(timed, works);
        prop_assert_eq!(msm.reduce(0, 0).unwrap(), reduced);
    }

    /// Every digit is chosen with knowledge of the engine's state: to meet the result that leaves PADD, to need the bucket
    /// memory or PADD in the same cycle as that result, or to hit a bucket in flight.
    #[test]
    fn a_spiteful_order_loses_nothing(
        config in designs(),
        g2 in any::<bool>(),
        spite in prop::collection::vec(0u8..4, 1..6),
        n in 1usize..300,
        seed in any::<u64>(),
    ) {
        let group = if g2 { Group::G2 } else { Group::G1 };
        let mut random = Random(seed);
        let mut msm = Msm::new(&config, group).unwrap();
        let mut operands: Vec<Operand<u128>> = Vec::new();
        for spite in spite.iter().cycle().take(n) {
            let lane = random.below(u64::from(config.windows_per_fetch)) as u32;
            let first = lane * msm.buckets_per_window;
            let buckets = first..first + msm.buckets_per_window - u32::from(!config.signed);
            let coming = msm.adder.result().map(|(to, _)| to);
            let occupied = coming.is_some_and(|to| msm.buckets.occupied(to));
            let start = random.below(buckets.len() as u64) as usize;
            let mut turned = buckets.clone().cycle().skip(start).take(buckets.len());
            let bucket = match spite {
                0 => coming.filter(|to| buckets.contains(to)),
                1 => turned.find(|b| msm.buckets.occupied(*b) == occupied && Some(*b) != coming),
                2 => turned.find(|b| !msm.buckets.occupied(*b)),
                _ => operands.last().map(|o| first + o.digit.unsigned_abs() - 1),
            };
            let digit = (bucket.unwrap_or(first) - first + 1) as i32;
            let operand = Operand { lane, digit, point: point(&mut random) };
            msm.accumulate(0, [operand]).unwrap();
            operands.push(operand);
        }
        msm.drain();
        prop_assert_eq!(contents(msm), sorted(&config, group, &operands));
    }
}
