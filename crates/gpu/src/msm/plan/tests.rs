//! Tests of the plans: their invariants, and what saves work.

use super::*;

/// An H200 in G1 of BN254 and in G1 of BLS12-381.
const H200: [PlanContext; 2] = [
    PlanContext { common: 132 * 512, own: 132 * 512, halvings: None, halved_from: None, pairs: MOST_PAIRS },
    PlanContext { common: 132 * 512, own: 132 * 384, halvings: None, halved_from: None, pairs: MOST_PAIRS },
];

/// Checks the invariants of every plan.
fn is_whole(plan: &SumPlan, bits: u32) {
    let Layout { width, windows, sets, copies, .. } = plan.layout;
    assert!(windows * width > bits && (windows - 1) * width <= bits);
    // Every window has a set and a multiple, and every multiple has a window.
    assert!(sets * copies >= windows && sets * (copies - 1) < windows, "{plan:?}");
    assert!(u64::from(plan.segments) * u64::from(plan.length) >= plan.entries() >> plan.halvings);
    assert_eq!(plan.nodes() << plan.fan, plan.keys());
    // Every list of half the nodes of a set is reduced to one sum.
    let steps = plan.steps();
    let added = steps.iter().map(|step| step.fan + step.levels).sum::<u32>();
    assert_eq!(added + 1, plan.bits().max(1), "{plan:?}");
    assert!(steps.iter().all(|step| step.levels <= LEVELS));
    assert!(steps.last().is_none_or(|step| step.rest == 0));
    // All pieces are joined: the last step covers all of them.
    let strides = plan.strides();
    assert!(strides.last().is_none_or(|stride| plan.segments.div_ceil(*stride) <= 128), "{strides:?}");
}

#[test]
fn windows_cover_scalars_and_steps_cover_buckets() {
    for n in [1, 2, 7, 100, 5000, 1 << 20, 1 << 24] {
        for (bits, threads) in [(253, H200[0]), (254, H200[0]), (255, H200[1])] {
            let plan = SumPlan::new(n, bits, threads).unwrap();
            assert_eq!((plan.layout.sets, plan.layout.copies), (plan.layout.windows, 1));
            is_whole(&plan, bits);
            for most in [2, 3, 5, 64] {
                let multiples = Multiples::choose(n, bits, threads, most).unwrap();
                assert!((2..=most).contains(&multiples.copies));
                // For any part of the bases that is used.
                for part in [1, n.div_ceil(100), n] {
                    let plan = SumPlan::over(part, bits, threads, multiples).unwrap();
                    is_whole(&plan, bits);
                    assert_eq!(plan.layout.copies, multiples.copies);
                    assert_eq!(plan.layout.width * plan.layout.sets, multiples.shift);
                }
            }
        }
    }
    // 2^18 scalars of 255 bits have 5,242,880 digits in windows of 13 bits: two turns of 52 entries, not one of 64
    // and a shorter one.
    let plain = PlanContext { halvings: Some(0), ..H200[1] };
    let plan = SumPlan::new(1 << 18, 255, plain).unwrap();
    let turns = plan.segments.div_ceil(plain.own);
    assert_eq!((plan.layout.width, plan.length, turns), (13, 52, 2));
    assert!(SumPlan::new(1 << 24, 255, H200[1]).unwrap().layout.width > 16);
    assert_eq!(SumPlan::new(1 << 28, 255, H200[1]), None);
    assert_eq!(Multiples::choose(1 << 28, 255, H200[1], 64), None);
    assert_eq!(Multiples::choose(1 << 10, 255, H200[1], 1), None);
}

#[test]
fn pieces_are_joined_in_as_many_steps_as_they_need() {
    let layout = Layout { width: 2, windows: 3, sets: 3, copies: 1, halvings: 0 };
    let one = SumPlan { n: 1, layout, halvings: 0, together: 1, length: 4, segments: 1, fan: 1, list_fan: 1 };
    assert!(one.strides().is_empty());
    assert_eq!(SumPlan { segments: 2, ..one }.strides(), [1]);
    assert_eq!(SumPlan { segments: 128, ..one }.strides(), [1]);
    assert_eq!(SumPlan { segments: 129, ..one }.strides(), [1, 128]);
    assert_eq!(SumPlan { segments: 1 << 14, ..one }.strides(), [1, 128]);
    assert_eq!(SumPlan { segments: 1 << 29, ..one }.strides(), [1, 1 << 7, 1 << 14, 1 << 21, 1 << 28]);
}

/// One set of buckets where memory allows it, and digits that both groups share.
#[test]
fn multiples_save_work() {
    for log_n in [10, 12, 16, 18, 20, 22, 24] {
        let n = 1 << log_n;
        let on = PlanContext { halvings: Some(0), ..H200[0] };
        let without = SumPlan::new(n, 254, on).unwrap();
        let mut before = without;
        for most in [2, 4, 64] {
            let multiples = Multiples::choose(n, 254, on, most).unwrap();
            let plan = SumPlan::over(n, 254, on, multiples).unwrap();
            assert!(plan.work(on) <= before.work(on), "2^{log_n}, {most}");
            before = plan;
            let second = PlanContext { own: 132 * 256, ..on };
            assert_eq!(SumPlan::over(n, 254, second, multiples).unwrap().layout, plan.layout);
            assert_eq!(Multiples::choose(n, 254, second, most), Some(multiples));
        }
        assert!(before.layout.sets <= 2 && (log_n < 14 || before.layout.sets == 1), "2^{log_n}");
        assert!(before.additions() < without.additions(), "2^{log_n}");
    }
}

/// Long lists are halved, short ones are not; halvings keep the digits of a plan without them.
#[test]
fn halvings_save_work_of_long_lists() {
    for (bits, on) in [(254, H200[0]), (255, H200[1])] {
        let plan =
            |log_n: u32, halvings| SumPlan::new(1 << log_n, bits, PlanContext { halvings, ..on }).unwrap();
        for log_n in [1, 10, 16, 18] {
            assert_eq!(plan(log_n, None).halvings, 0, "2^{log_n}");
        }
        for log_n in [20, 22, 24] {
            let (halved, plain) = (plan(log_n, None), plan(log_n, Some(0)));
            assert!(halved.halvings >= 2, "2^{log_n}");
            let (saved, gain) = (plain.work(on) - halved.work(on), plain.work(on) / LEAST_GAIN);
            assert!(saved > gain && halved.additions() < plain.additions(), "2^{log_n}");
        }
        // What was measured decides: late, or where the count alone would not.
        for (from, without, with) in [((1 << 22) + 1, 22, 23), (1 << 12, 11, 12)] {
            let measured = PlanContext { halved_from: Some(from), ..on };
            let halvings = |log_n: u32| SumPlan::new(1 << log_n, bits, measured).unwrap().halvings;
            assert!(halvings(without) == 0 && halvings(with) > 0, "{from}");
        }
        // Both groups share digits, with multiples too.
        let second = PlanContext { own: 132 * 256, pairs: MOST_PAIRS / 2, ..on };
        for n in [1 << 19, 1 << 20, 1 << 22] {
            let of = |on| SumPlan::new(n, bits, on).unwrap().layout;
            assert_eq!(of(second), of(on));
            let multiples = Multiples::choose(n, bits, on, 64).unwrap();
            assert_eq!(Multiples::choose(n, bits, second, 64), Some(multiples));
            let over = |on| SumPlan::over(n, bits, on, multiples).unwrap().layout;
            assert_eq!(over(second), over(on));
        }
        for halvings in [1, 3, MOST_FORCED_HALVINGS] {
            for n in [0, 1, 2, 9, 1 << 10, 1 << 24] {
                let on = PlanContext { halvings: Some(halvings), ..on };
                let plan = SumPlan::new(n, bits, on).unwrap();
                assert_eq!((plan.halvings, plan.layout.halvings), (halvings, halvings));
                // Places for digits and for what fills up buckets: a multiple in each.
                let filled = plan.digits().min(u64::from(plan.keys())) << halvings;
                assert!(plan.entries() >= filled && plan.entries() >= plan.digits());
                // All points are computed, and no more than are inverted together.
                let (points, together) = plan.halved();
                assert_eq!(u64::from(points), plan.entries() >> halvings);
                assert!(points == 0 || together > 0);
                assert!(u64::from(together) << (halvings - 1) <= u64::from(MOST_PAIRS), "{n}");
                assert!(u64::from(plan.segments) * u64::from(plan.length) >= u64::from(points));
                let without = plan.without_halvings(on).unwrap();
                assert_eq!((without.layout, without.halvings), (plan.layout, 0));
                assert!(without.need(192, 32).bytes() <= plan.need(192, 32).bytes());
                is_whole(&without, bits);
            }
        }
    }
}
