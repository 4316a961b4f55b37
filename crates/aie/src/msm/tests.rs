use super::*;
use pairwright_curve::{Curve, Jacobian, batch_to_affine};
use pairwright_field::{Field, Ring};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

fn known(n: usize, seed: u64) -> (Vec<Affine<G1>>, Vec<Fr>) {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let logs: Vec<Fr> = (0..n).map(|_| Fr::random(&mut rng)).collect();
    let points: Vec<_> = logs.iter().map(|log| Jacobian::<G1>::generator().mul_vartime(log)).collect();
    (batch_to_affine(&points), logs)
}

fn expected(logs: &[Fr], scalars: &[Fr]) -> Affine<G1> {
    let log = logs.iter().zip(scalars).fold(Fr::ZERO, |sum, (log, scalar)| sum + *log * *scalar);
    Jacobian::<G1>::generator().mul_vartime(&log).to_affine()
}

/// Jobs with every kind of parameter.
fn jobs() -> Vec<Job> {
    let job = Job { window_bits: Some(5), ..Job::default() };
    vec![
        job,
        Job { signed: false, ..job },
        Job { spread: Spread::Windows, windows_per_pass: Some(7), ..job },
        Job { first: FirstPoint::Copy, queue: 0, buffer_points: 4, ..job },
        Job { interleave: 2, windows_per_pass: Some(1), queue: 1, ..job }.with_window(8),
        job.serial().with_window(2),
    ]
}

#[test]
fn sums_are_the_curves() {
    let (points, logs) = known(33, 1);
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    let random: Vec<Fr> = (0..33).map(|_| Fr::random(&mut rng)).collect();
    let half = Fr::from(2).invert().unwrap();
    let edges = [Fr::ZERO, Fr::ONE, -Fr::ONE, half, -half, Fr::from(16)];
    let edges: Vec<Fr> = (0..33).map(|i| edges[i % edges.len()]).collect();
    let signs = |at: &dyn Fn(usize) -> Option<(usize, bool)>| -> (Vec<Affine<G1>>, Vec<Fr>) {
        let one = |i| match at(i) {
            None => (Affine::INFINITY, Fr::ZERO),
            Some((i, true)) => (-points[i], -logs[i]),
            Some((i, false)) => (points[i], logs[i]),
        };
        (0..33).map(one).unzip()
    };
    let kinds = [
        (points.clone(), logs.clone()),
        signs(&|_| Some((0, false))),
        signs(&|i| Some((i / 2, i % 2 == 1))),
        signs(&|i| (i % 3 != 0).then_some((i, false))),
    ];
    let machine = Machine::example();
    for job in jobs() {
        for (points, logs) in &kinds {
            for scalars in [&random, &edges, &vec![-Fr::ONE; 33], &vec![Fr::ZERO; 33]] {
                for n in [0, 1, 2, 33] {
                    let quick = Job { arithmetic: Arithmetic::Formulas, ..job };
                    let want = expected(&logs[..n], &scalars[..n]);
                    let (sum, report) = machine.run(&quick, &points[..n], &scalars[..n]).unwrap();
                    assert_eq!(sum, want, "{n} {job:?}");
                    // Additions by digits are slow, so they run for some of the cases only.
                    if n == 2 || (n == 33 && scalars[0] == random[0]) {
                        assert_eq!(machine.run(&job, &points[..n], &scalars[..n]).unwrap(), (want, report));
                    }
                }
            }
        }
    }
}

#[test]
fn every_method_adds() {
    let (points, logs) = known(5, 3);
    let scalars: Vec<Fr> = logs.iter().map(|log| log.square()).collect();
    let job = Job::default().with_window(4);
    for method in crate::Method::valid() {
        let machine = Machine { method, ..Machine::example() };
        assert_eq!(machine.run(&job, &points, &scalars).unwrap().0, expected(&logs, &scalars), "{method}");
    }
}

/// The counts of a report are consistent, and the same run without values takes the same time.
#[test]
fn reports_add_up() {
    let machine = Machine::example();
    for job in jobs() {
        let job = Job { points: 700, ..job };
        let report = machine.simulate(&job).unwrap();
        assert_eq!(
            report.tasks.accumulation + report.zeros + report.copies,
            job.points * u64::from(report.windows),
            "{job:?}"
        );
        assert!((report.copies > 0) == (job.first == FirstPoint::Copy));
        let coordinates = 3 + u64::from(job.first == FirstPoint::Copy);
        assert_eq!(report.dram_bytes, u64::from(report.passes) * job.points * (coordinates * 64 + 32));
        assert!(report.passes == report.windows.div_ceil(report.windows_per_pass));
        assert!(report.utilisation <= 1.0 && report.bandwidth <= 1.0);
        assert_eq!(report.cycles, 4 * report.pl_cycles.total());
        // The run is not faster than units and dependencies allow.
        let least = report.tasks.accumulation as f64 * 145.25 / 4.0 / 10.0;
        assert!(report.pl_cycles.accumulation as f64 >= least);
        let pace = machine.complete;
        assert!(
            report.pl_cycles.bucket_aggregation as f64
                >= (report.tasks.bucket_aggregation as f64 - 1.0) * pace.interval / 4.0
        );
        if job.interleave == 1 {
            let each = report.pl_cycles.bucket_aggregation as f64 / report.tasks.bucket_aggregation as f64;
            assert!((301.0..303.0).contains(&each), "{each}");
        }
        // There is at most one doubling per bit and one addition per window, each after the previous one.
        assert!(report.tasks.group_aggregation <= u64::from(report.windows * (report.window_bits + 1)));
        assert!(report.pl_cycles.group_aggregation >= report.tasks.group_aggregation * pace.latency);
        let scalars: Vec<Fr> =
            (0..700).map(|i| Fr::from_limbs(UniformScalars(job.seed).scalar(i)).unwrap()).collect();
        let points = vec![G1::GENERATOR; 700];
        let quick = Job { arithmetic: Arithmetic::Formulas, ..job };
        assert_eq!(machine.run(&quick, &points, &scalars).unwrap().1, report);
    }
}

/// Conflicts: additions into one bucket follow each other at the unit's latency, and other additions overtake them.
#[test]
fn conflicts_cost_what_the_pipeline_is_long() {
    let machine = Machine::example();
    let (points, scalars) = (vec![G1::GENERATOR; 64], vec![Fr::ONE; 64]);
    let job = Job { arithmetic: Arithmetic::Formulas, ..Job::default() }.with_window(8);
    let (sum, one) = machine.run(&job, &points, &scalars).unwrap();
    assert_eq!(sum, Jacobian::<G1>::generator().mul_vartime(&Fr::from(64)).to_affine());
    assert!(one.pl_cycles.accumulation >= 64 * 320);
    assert_eq!((one.tasks.accumulation, one.conflicts, one.waiting), (64, 63, 32));
    assert_eq!(one.bound, MsmBound::Conflicts);
    let other: Vec<Fr> = (1..=64).map(Fr::from).collect();
    let spread = machine.run(&job, &points, &other).unwrap().1;
    assert!(spread.pl_cycles.accumulation * 4 < one.pl_cycles.accumulation);
    assert_eq!((spread.conflicts, spread.bubbles), (0, 0));
    // Without a queue, the scheduler stalls at the first conflict.
    let narrow = Job { points: 1 << 10, queue: 0, ..Job::default() }.with_window(6);
    let wide = Job { queue: 32, ..narrow };
    let [narrow, wide] = [narrow, wide].map(|job| machine.simulate(&job).unwrap());
    assert!(wide.conflicts > 100 && wide.waiting <= 32 && narrow.waiting == 0);
    assert!(wide.pl_cycles.accumulation < narrow.pl_cycles.accumulation && wide.bubbles < narrow.bubbles);
}

#[test]
fn memory_bounds_where_each_window_reads_all_points() {
    let slow = Machine {
        dram: pairwright_sim::dram::DramConfig { rate_mts: 800, ..Machine::example().dram },
        ..Machine::example()
    };
    let job = Job { windows_per_pass: Some(1), ..Job::new(1 << 13) }.with_window(9);
    let report = slow.simulate(&job).unwrap();
    assert_eq!(report.bound, MsmBound::Memory);
    assert!(report.bandwidth > 0.8 && report.starved > 0, "{report:?}");
    // A memory behind a narrow path is as busy as a flat memory of that width.
    let narrow = pairwright_sim::dram::DramConfig { bytes_per_cycle: 16, ..Machine::example().dram };
    for kind in [pairwright_sim::dram::Kind::Ddr, pairwright_sim::dram::Kind::Flat] {
        let machine =
            Machine { dram: pairwright_sim::dram::DramConfig { kind, ..narrow }, ..Machine::example() };
        let report = machine.simulate(&job).unwrap();
        assert!((0.8..=1.0).contains(&report.bandwidth), "{report:?}");
    }
    let whole = slow.simulate(&Job { windows_per_pass: None, ..job }).unwrap();
    assert_eq!((whole.passes, whole.bound), (1, MsmBound::Units));
    assert!(whole.pl_cycles.accumulation < report.pl_cycles.accumulation);
}

#[test]
fn the_best_window_is_none_worse_than_its_neighbours() {
    let machine = Machine::example();
    for job in [Job::new(100), Job::new(3000), Job::new(3000).serial()] {
        let best = machine.best_window(&job).unwrap();
        let time = |bits| machine.simulate(&job.with_window(bits)).unwrap().cycles;
        assert_eq!(machine.simulate(&job).unwrap().window_bits, best);
        for other in [best - 1, best + 1].into_iter().filter(|bits| *bits > 1) {
            assert!(time(best) <= time(other), "{best} {other}");
        }
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let machine = Machine::example();
    let job = Job::new(10).with_window(8);
    let parameter = |job: Job| match machine.simulate(&job) {
        Err(MsmError::Parameter { name, .. }) => name,
        other => panic!("{other:?}"),
    };
    assert_eq!(parameter(job.with_window(1)), "window_bits");
    assert_eq!(parameter(job.with_window(20)), "buckets");
    assert_eq!(parameter(Job { windows_per_pass: Some(0), ..job }), "windows_per_pass");
    assert_eq!(parameter(Job { windows_per_pass: Some(1000), ..job }), "windows_per_pass");
    assert_eq!(parameter(Job { interleave: 0, ..job }), "interleave");
    assert_eq!(parameter(Job { buffer_points: 3, ..job }), "buffer_points");
    assert_eq!(parameter(Job { queue: 5000, ..job }), "queue");
    assert_eq!(parameter(Job { points: 1 << 40, ..job }), "points");
    let lengths = machine.run(&job, &[G1::GENERATOR], &[]);
    assert!(matches!(lengths, Err(MsmError::Lengths { points: 1, scalars: 0 })));
    // A point of order two whose image on the Edwards curve is at infinity does not exist in the prime-order group; a
    // point outside the group with an image is summed correctly.
    let two = Affine::from_xy_unchecked(
        -pairwright_curve::bls12_377::Fq::ONE,
        pairwright_curve::bls12_377::Fq::ZERO,
    );
    let (sum, _) = machine.run(&job, &[two, G1::GENERATOR], &[Fr::ZERO, Fr::ONE]).unwrap();
    assert_eq!(sum, G1::GENERATOR);
}
