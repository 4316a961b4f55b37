//! No point is lost or counted twice, whatever the order of the digits and the sizes of the queues.

use super::super::*;
use super::Random;
use proptest::prelude::*;

/// Digits in an order that is meant to be awkward.
#[derive(Clone, Copy, Debug)]
enum Pattern {
    Equal,
    TwoAlternating,
    Sequential,
    Random,
    HalfEqual,
    /// The bucket of `n` points ago: around PADD's latency it meets its own sum as it comes back.
    Echo(usize),
    /// Bursts of one bucket, as long as the latency or a little shorter or longer.
    Bursts(u64),
}

impl Pattern {
    fn digits(self, n: usize, config: &Config, group: Group, random: &mut Random) -> Vec<i32> {
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
    /// Small windows, so that buckets meet often, and every size of every queue down to the smallest.
    fn designs()(
        window in 2u32..8,
        (signed, mixed) in any::<(bool, bool)>(),
        windows_per_fetch in 1u32..=3,
        bucket_banks in 0u32..=2,
        write_behind in 0u32..=5,
        elements in 2u32..=13,
        (pipelined_latency, iterative_latency) in (1u32..24, 6u32..14),
        (registers, adder_latency) in (0u32..3, 0u32..3),
        (fifo, results, conflict) in (2u32..=6, 1u32..=3, 1u32..=6),
        segments in 0u32..3,
    ) -> Config {
        Config {
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
            ..Config::paper()
        }
    }
}

/// Runs batches through accumulation, then reduction: the window sums, and the works of all operations.
fn run<P: Addend>(
    config: &Config,
    group: Group,
    batches: &[Vec<Operand<P>>],
    gap: u64,
) -> (Vec<P>, Vec<Work>) {
    let mut msm = Msm::new(config, group).unwrap();
    msm.begin(3, config.windows_per_fetch);
    let mut works = Vec::new();
    for batch in batches {
        let now = msm.now() + gap;
        works.push(msm.accumulate(now, batch.iter().cloned()).unwrap());
    }
    works.push(msm.reduce(0, 0).unwrap());
    assert!((0..config.buckets(group) * config.windows_per_fetch).all(|b| !msm.buckets.occupied(b)));
    let sums = msm.windows.iter().map(|w| w.clone().flatten().unwrap_or_else(P::infinity)).collect();
    (sums, works)
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
        let digits = pattern.digits(n, &config, group, &mut random);
        let mut sums = vec![0u128; config.windows_per_fetch as usize];
        let operands: Vec<_> = digits.iter().map(|digit| {
            let lane = random.below(u64::from(config.windows_per_fetch)) as u32;
            let point = u128::from(random.next()) << 64 | u128::from(random.next() | 1);
            let sum = &mut sums[lane as usize];
            *sum = sum.wrapping_add(point.wrapping_mul(i128::from(*digit) as u128));
            Operand { lane, digit: *digit, point }
        }).collect();
        let batches: Vec<_> = operands.chunks(batch).map(<[_]>::to_vec).collect();
        let (ours, works) = run(&config, group, &batches, gap);
        prop_assert_eq!(ours, sums);

        let bare = |o: &Operand<u128>| Operand { lane: o.lane, digit: o.digit, point: () };
        let batches: Vec<_> = batches.iter().map(|b| b.iter().map(bare).collect()).collect();
        prop_assert_eq!(run(&config, group, &batches, gap).1, works.clone());

        let total = works.into_iter().fold(Work::default(), |mut a, w| { a += w; a });
        prop_assert_eq!(total.points + total.dropped, n as u64);
    }
}
