//! Tests of multi-scalar multiplications on the stand-in driver: right for every edge case, with resident operands if
//! there is enough memory and without if there is little, and failing if a fault is planted.

mod tools;

use pairwright_curve::{Affine, Curve, Jacobian, Pairing, bls12_377, bls12_381, bn254};
use pairwright_device::{MsmOp, NttOp, Record, Slot, Traffic, reference};
use pairwright_field::{Field, PrimeField};
use pairwright_gpu::cache::Cache;
use pairwright_gpu::family::FieldTuning;
use pairwright_gpu::nvrtc::Options;
use pairwright_gpu::{Compiler, Msm, Ntt, Setup, Workshop, board, msm_texts};
use pairwright_poly::{Buf, Domain};
use pairwright_testkit::{conformance, sessions};
use std::sync::Arc;
use tools::{alone, device, stand_in};

fn on<C: Curve>(setup: Setup) -> Msm<C> {
    Msm::new(Arc::new(Workshop::new(setup).unwrap()), Arc::new(reference::Reference))
}

/// The expected sum of points with known discrete logarithms.
fn expected<C: Curve>(logs: &[C::Scalar], scalars: &[C::Scalar]) -> Jacobian<C> {
    let log = logs.iter().zip(scalars).fold(C::Scalar::ZERO, |sum, (log, k)| sum + *log * *k);
    Jacobian::generator().mul_vartime(&log)
}

fn sums<E: Pairing>(g1: &[usize], g2: &[usize]) {
    let Some(setup) = stand_in(device::HOPPER) else { return };
    conformance::sums::<E::G1>(&on(setup.clone()), g1);
    conformance::sums::<E::G2>(&on(setup), g2);
}

/// A setup gives the host's key. Two proofs of a session are the host's, byte for byte, and the second copies only the
/// witness to the device and a few points back.
fn proofs<E: Pairing>() {
    let Some(setup) = stand_in(device::HOPPER) else { return };
    let board = board::<E>(setup, reference::board()).unwrap();
    sessions::a_setup(&board, 20);
    let (key, [first, second]) = sessions::two_proofs(&board, 20);
    let (g1, g2) = (2 * E::Fq::BYTES, 4 * E::Fq::BYTES);
    let points = g1 * (key.h.len() + key.c.len() + key.a.len() + key.b_g1.len()) + g2 * key.b_g2.len();
    // The vectors of the quotient are never copied to the host.
    let of_quotient: Vec<Record> =
        second.iter().filter(|record| record.phase == "quotient").cloned().collect();
    assert_eq!((of_quotient.len(), sessions::copies(&of_quotient).to_host), (6, 0));
    let [first, second] = [first, second].map(|records| sessions::copies(&records));
    assert_eq!(second.to_machine, (E::Fr::BYTES * key.wires) as u64);
    let entries = (E::Fr::BYTES + 8) * key.coefficients.len();
    let sent = second.to_machine + (points + entries) as u64;
    // The first proof also copies tables of twiddles, and the ends of the rows.
    assert!(first.to_machine >= sent, "{first:?}, {second:?}, {points}, {entries}");
    assert!(first.to_machine < sent + 9 * (E::Fr::BYTES * key.domain.size()) as u64);
}

#[test]
fn proofs_on_bn254_are_those_of_the_host() {
    proofs::<bn254::Bn254>();
}

#[test]
fn proofs_on_bls12_381_are_those_of_the_host() {
    proofs::<bls12_381::Bls12_381>();
}

#[test]
fn multiples_of_bases_are_right() {
    let Some(setup) = stand_in(device::HOPPER) else { return };
    conformance::multiples_of_bases::<bn254::G1>(&on(setup.clone()));
    conformance::multiples_of_bases::<bn254::G2>(&on(setup.clone()));
    // Many scalars have a wider window.
    let scalars = conformance::Values::<bls12_381::Fr>::new(9).take_buf(300);
    let base = bls12_381::G1::GENERATOR;
    let (found, cost) = on::<bls12_381::G1>(setup).multiples(&base, scalars.view()).unwrap();
    let want: Vec<_> = scalars.iter().map(|k| base.to_jacobian().mul_vartime(k).to_affine()).collect();
    assert!(found[..] == want && cost.machine == "gpu");
}

/// Checks sums over precomputed multiples, at most `most` per base.
fn sums_over_multiples<C: Curve>(most: u32, sizes: &[usize]) {
    let Some(setup) = stand_in(device::HOPPER) else { return };
    conformance::sums::<C>(&on(setup.with_precompute(Some(most))), sizes);
}

#[test]
fn sums_over_multiples_are_right() {
    sums_over_multiples::<bn254::G1>(64, &[9]);
    sums_over_multiples::<bn254::G2>(3, &[1]);
}

#[test]
#[ignore = "full: three curves, up to 256 points"]
fn the_suite_of_sums_over_multiples() {
    let sizes = [0, 1, 2, 3, 7, 31, 32, 33, 100, 256];
    for most in [2, 5, 64] {
        sums_over_multiples::<bn254::G1>(most, &sizes);
        sums_over_multiples::<bn254::G2>(most, &sizes[..6]);
        sums_over_multiples::<bls12_381::G1>(most, &sizes[..8]);
        sums_over_multiples::<bls12_381::G2>(most, &sizes[..4]);
        sums_over_multiples::<bls12_377::G1>(most, &sizes[..8]);
        sums_over_multiples::<bls12_377::G2>(most, &sizes[..4]);
    }
}

/// Checks sums whose list of points is halved so many times.
fn sums_with_halvings<C: Curve>(halvings: u32, sizes: &[usize]) {
    let Some(setup) = stand_in(device::HOPPER) else { return };
    conformance::sums::<C>(&on(setup.with_halvings(Some(halvings))), sizes);
}

#[test]
fn sums_with_halvings_are_right() {
    sums_with_halvings::<bn254::G1>(1, &[0, 1, 9]);
    sums_with_halvings::<bn254::G1>(3, &[33]);
    sums_with_halvings::<bn254::G2>(2, &[2]);
    sums_with_halvings::<bls12_381::G1>(2, &[7]);
}

#[test]
#[ignore = "full: three curves, up to 1,000 points"]
fn the_suite_of_sums_with_halvings() {
    let sizes = [0, 1, 2, 3, 7, 31, 32, 33, 100, 1000];
    for halvings in [1, 2, 5] {
        sums_with_halvings::<bn254::G1>(halvings, &sizes);
        sums_with_halvings::<bn254::G2>(halvings, &sizes[..7]);
        sums_with_halvings::<bls12_381::G1>(halvings, &sizes[..9]);
        sums_with_halvings::<bls12_381::G2>(halvings, &sizes[..6]);
        sums_with_halvings::<bls12_377::G1>(halvings, &sizes[..9]);
        sums_with_halvings::<bls12_377::G2>(halvings, &sizes[..6]);
    }
}

/// Points with few multiples before infinity: of order 2, 3 and 6.
#[test]
fn multiples_of_points_of_small_order_are_right() {
    type G = bls12_377::G1;
    let Some(setup) = stand_in(device::HOPPER) else { return };
    let number = |n: i64| bls12_377::Fq::from(n.unsigned_abs());
    let point = |x, y| Affine::<G> { x, y };
    let small = [
        point(-number(1), number(0)),
        point(number(0), number(1)),
        point(number(2), number(3)),
        Affine::INFINITY,
        G::GENERATOR,
    ];
    let scalars: Vec<bls12_377::Fr> = conformance::Values::new(6).take(10).collect();
    let points: Vec<Affine<G>> = (0..10).map(|i| small[i % 5]).collect();
    // The host's scalar multiplication requires points of the subgroup.
    let product = |point: &Affine<G>, scalar: &bls12_377::Fr| {
        let bits = (0..256).rev().map(|bit| scalar.to_limbs().as_ref()[bit / 64] >> (bit % 64) & 1);
        bits.fold(Jacobian::INFINITY, |sum, bit| {
            let twice = sum.double();
            if bit == 1 { twice + point.to_jacobian() } else { twice }
        })
    };
    let products = points.iter().zip(&scalars).map(|(point, scalar)| product(point, scalar));
    let want = products.fold(Jacobian::INFINITY, |sum, product| sum + product);
    let found = on::<G>(setup.with_precompute(Some(64)));
    let found = found.msm(Buf::from(points).view(), Buf::from(scalars).view()).unwrap().0;
    assert!(found == want);
}

/// The bases of a buffer have no multiples at its first uses; multiples that were asked for are used, released when an
/// operator lacks memory, and not computed again.
#[test]
fn multiples_are_made_when_asked_for_and_given_up_for_others() {
    type G = bn254::G1;
    let _alone = alone();
    let Some(mut setup) = stand_in(device::LITTLE) else { return };
    setup.precompute = None;
    let gpu = setup.gpu.clone();
    let workshop = Arc::new(Workshop::new(setup).unwrap());
    let msm = Msm::<G>::new(Arc::clone(&workshop), Arc::new(reference::Reference));
    let ntt = Ntt::new(workshop);
    let n = 256;
    let (points, logs) = conformance::known_points::<G>(n, 3);
    let points = Buf::from(points);
    let scalars: Vec<bn254::Fr> = (0..n).map(|i| bn254::Fr::from((i % 3) as u64)).collect();
    let run = || {
        let (sum, cost) = msm.msm(points.view(), Buf::from(scalars.clone()).view()).unwrap();
        assert!(sum == expected::<G>(&logs, &scalars));
        assert_eq!(cost.machine, "gpu");
        cost
    };
    let [first, second] = [run(), run()];
    let made = msm.precompute(&points.view()).unwrap().unwrap();
    assert_eq!(made.bytes, n as u64 * 64 * u64::from(made.copies));
    assert!(made.copies > 1 && made.copies * made.shift > 254 && (made.copies - 1) * made.shift <= 254);
    let third = run();
    let written = [&first, &second, &third].map(|cost| cost.bytes.written);
    assert_eq!(written, [96; 3]);
    assert_eq!(second.ops, first.ops);
    assert!(third.ops.point_add < first.ops.point_add);
    // A transform that needs some of that memory.
    gpu.wait().unwrap();
    let free = usize::try_from(gpu.memory().unwrap().0).unwrap();
    let hog = pairwright_gpu::memory::Words::zeros(&gpu, (free - (100 << 10)) / 8).unwrap();
    let domain = Domain::<bn254::Fr>::new(11).unwrap();
    let mut data = Buf::from(vec![bn254::Fr::ONE; 1 << 11]);
    let (_, cost) = ntt.ntt(&domain, pairwright_device::Direction::Forward, None, &mut data).unwrap();
    assert_eq!(cost.machine, "gpu");
    assert!(msm.precompute(&points.view()).unwrap().is_none());
    drop((hog, data));
    let last = run();
    assert_eq!((last.bytes.written, last.ops), (96, first.ops));
}

/// Proofs over multiples of the key's points are the host's, byte for byte.
#[test]
fn proofs_over_multiples_are_those_of_the_host() {
    let Some(mut setup) = stand_in(device::HOPPER) else { return };
    setup.precompute = Some(64);
    let (_, [first, second]) =
        sessions::two_proofs(&board::<bn254::Bn254>(setup, reference::board()).unwrap(), 6);
    let written = |records: &[Record]| records.iter().map(|record| record.cost.bytes.written).sum::<u64>();
    assert!(written(&first) > written(&second), "the first proof makes the multiples");
    let added = |records: &[Record]| records.iter().map(|record| record.cost.ops.point_add).sum::<u64>();
    assert!(added(&first) > added(&second), "their doublings are in the account");
}

/// Proofs whose sums, on streams beside each other, halve their lists are the host's, byte for byte, and so are those over
/// multiples.
#[test]
fn proofs_with_halvings_are_those_of_the_host() {
    let Some(setup) = stand_in(device::HOPPER) else { return };
    for precompute in [None, Some(8)] {
        let setup = setup.clone().with_halvings(Some(2)).with_precompute(precompute);
        sessions::two_proofs(&board::<bn254::Bn254>(setup, reference::board()).unwrap(), 6);
    }
}

#[test]
fn sums_on_bn254_are_right() {
    sums::<bn254::Bn254>(&[0, 1, 2, 7, 8, 9, 33], &[0, 1, 9]);
}

#[test]
fn sums_on_bls12_381_are_right() {
    sums::<bls12_381::Bls12_381>(&[0, 1, 9], &[0, 1, 2]);
}

#[test]
fn sums_on_bls12_377_are_right() {
    sums::<bls12_377::Bls12_377>(&[1, 8], &[1]);
}

#[test]
#[ignore = "full: the suite's sizes on three curves, up to 4,097 points"]
fn the_whole_suite_of_sums() {
    let sizes = [0, 1, 2, 3, 7, 31, 32, 33, 100, 255, 256, 1000, 4097];
    sums::<bn254::Bn254>(&sizes, &sizes[..8]);
    sums::<bls12_381::Bls12_381>(&sizes[..10], &sizes[..6]);
    sums::<bls12_377::Bls12_377>(&sizes[..10], &sizes[..6]);
}

/// One bucket with all points, and one with others beside it.
#[test]
fn a_hot_bucket_is_shared_by_many_threads() {
    type G = bn254::G1;
    for number in [device::HOPPER, device::TURING] {
        let Some(setup) = stand_in(number) else { return };
        let msm = on::<G>(setup);
        let n = 700;
        let (points, logs) = conformance::known_points::<G>(n, 3);
        let points = Buf::from(points);
        let one = bn254::Fr::ONE;
        let kinds: [&dyn Fn(usize) -> bn254::Fr; 4] = [
            &|_| one,
            &|_| -one,
            // Opposite digits of one bucket, and a few others.
            &|i| if i % 2 == 0 { one } else { -one },
            &|i| if i % 97 == 5 { bn254::Fr::from(i as u64) } else { one },
        ];
        for (at, kind) in kinds.iter().enumerate() {
            let scalars: Vec<bn254::Fr> = (0..n).map(kind).collect();
            let sum = msm.msm(points.view(), Buf::from(scalars.clone()).view()).unwrap().0;
            assert!(sum == expected::<G>(&logs, &scalars), "kind {at}");
        }
    }
}

/// Bases are copied to the device once, and scalars that an operator left there not at all.
#[test]
fn operands_stay_on_the_device() {
    type G = bls12_381::G1;
    let Some(setup) = stand_in(device::HOPPER) else { return };
    let workshop = Arc::new(Workshop::new(setup).unwrap());
    let msm = Msm::<G>::new(Arc::clone(&workshop), Arc::new(reference::Reference));
    let ntt = Ntt::new(workshop);
    let (points, logs) = conformance::known_points::<G>(16, 9);
    let bases = Buf::from(points);
    let mut scalars = conformance::Values::<bls12_381::Fr>::new(4).take_buf(16);
    let domain = Domain::new(4).unwrap();
    ntt.ntt(&domain, pairwright_device::Direction::Forward, None, &mut scalars).unwrap();
    let (sum, cost) = msm.msm(bases.view(), scalars.view()).unwrap();
    assert!(sum == expected::<G>(&logs, &scalars));
    let moved = cost.transfer.unwrap();
    // The copies are the bases, and the integer one by which scalars are multiplied.
    assert_eq!(moved.to_machine, 16 * 96 + 32);
    let windows = moved.to_host / (2 * 192);
    assert!(moved.to_host.is_multiple_of(2 * 192) && (256 / 16..=256 / 2).contains(&windows), "{windows}");
    assert_eq!(cost.bytes, Traffic { read: 16 * (96 + 32), written: 144 });
    // The second time nothing is copied, for a part neither.
    for range in [0..16, 1..13] {
        let (sum, cost) = msm.msm(bases.slice(range.clone()), scalars.slice(range.clone())).unwrap();
        assert!(sum == expected::<G>(&logs[range.clone()], &scalars[range]));
        assert_eq!(cost.transfer.unwrap().to_machine, 0);
    }
    // Nor for other bases that share the copies.
    let (points, _) = conformance::known_points::<G>(16, 9);
    let section = pairwright_poly::KeySection::new(points.clone());
    for bytes in [16 * 96, 0] {
        let (sum, cost) = msm.msm(section.buf(points.clone()).view(), scalars.view()).unwrap();
        assert!(sum == expected::<G>(&logs, &scalars));
        assert_eq!(cost.transfer.unwrap().to_machine, bytes);
    }
}

/// Runs a test in a process of its own; returns the stand-in's log of its launches and copies.
fn log_of(test: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    tools::again(test, &[("PAIRWRIGHT_PTX_LOG", log.to_str().unwrap())]);
    std::fs::read_to_string(log).unwrap()
}

/// The scalars of several MSMs, in both groups, are sorted only once.
#[test]
fn digits_of_a_witness_are_sorted_once() {
    if stand_in(device::HOPPER).is_none() {
        return;
    }
    let launches = log_of("three_msms_of_one_witness");
    let of = |kernel: &str| launches.lines().filter(|line| line.starts_with(kernel)).count();
    assert_eq!((of("count_digits"), of("place_digits"), of("sum_entries")), (2, 2, 4), "{launches}");
}

#[test]
#[ignore = "full: run by the test above too, in a process of its own"]
fn three_msms_of_one_witness() {
    type E = bn254::Bn254;
    let Some(setup) = stand_in(device::HOPPER) else { return };
    let board = board::<E>(setup, reference::board()).unwrap();
    let (points, logs) = conformance::known_points::<<E as Pairing>::G1>(20, 1);
    let (twist, twist_logs) = conformance::known_points::<<E as Pairing>::G2>(20, 2);
    let scalars = conformance::Values::<bn254::Fr>::new(3).take_buf(20);
    for bases in [points.clone(), points.clone()].map(Buf::from) {
        let sum = board.g1.msm(bases.view(), scalars.view()).unwrap().0;
        assert!(sum == expected::<<E as Pairing>::G1>(&logs, &scalars));
    }
    let sum = board.g2.msm(Buf::from(twist).view(), scalars.view()).unwrap().0;
    assert!(sum == expected::<<E as Pairing>::G2>(&twist_logs, &scalars));
    // Another part of the scalars is sorted separately.
    let part = board.g1.msm(Buf::from(points[..12].to_vec()).view(), scalars.slice(5..17)).unwrap().0;
    assert!(part == expected::<<E as Pairing>::G1>(&logs[..12], &scalars[5..17]));
}

/// A device of two megabytes uses ranges of points if not all of them fit, and the host if no range fits.
#[test]
fn little_memory_makes_ranges_and_none_the_host() {
    type G = bn254::G1;
    let _alone = alone();
    let Some(setup) = stand_in(device::LITTLE) else { return };
    let gpu = setup.gpu.clone();
    let board = board::<bn254::Bn254>(setup, reference::board()).unwrap();
    let msm = Arc::clone(&board.g1);
    let n = 9000;
    let (points, logs) = conformance::known_points::<G>(n, 3);
    let points = Buf::from(points);
    // Sums of small scalars are short, also on an interpreter.
    let scalars: Vec<bn254::Fr> = (0..n).map(|i| bn254::Fr::from((i % 3) as u64)).collect();
    let (sum, cost) = msm.msm(points.view(), Buf::from(scalars.clone()).view()).unwrap();
    assert!(sum == expected::<G>(&logs, &scalars));
    assert_eq!(cost.machine, "gpu");
    let moved = cost.transfer.unwrap().to_machine;
    assert_eq!(moved, n as u64 * 96 + 32, "points and scalars by ranges");
    // Few of them are resident.
    let (few, few_scalars) = (Buf::from(points[..500].to_vec()), Buf::from(scalars[..500].to_vec()));
    for bytes in [500 * 96, 0] {
        let (sum, cost) = msm.msm(few.view(), few_scalars.view()).unwrap();
        assert!(sum == expected::<G>(&logs[..500], &scalars[..500]));
        assert_eq!((cost.machine, cost.transfer.unwrap().to_machine), ("gpu", bytes));
    }
    drop(few);
    drop(few_scalars);
    // Another buffer takes nearly all memory.
    gpu.wait().unwrap();
    let free = usize::try_from(gpu.memory().unwrap().0).unwrap();
    let hog = pairwright_gpu::memory::Words::zeros(&gpu, (free - 4096) / 8).unwrap();
    let (sum, cost) = msm.msm(points.slice(..200), Buf::from(scalars[..200].to_vec()).view()).unwrap();
    assert!(sum == expected::<G>(&logs[..200], &scalars[..200]));
    assert_ne!(cost.machine, "gpu");
    assert_eq!(board.logs[0].slots_without_memory(), [Slot::G1]);
    drop(hog);
    gpu.wait().unwrap();
    let (_, cost) = msm.msm(points.slice(..200), Buf::from(scalars[..200].to_vec()).view()).unwrap();
    assert_eq!(cost.machine, "gpu");
}

/// If ranges are not kept, the next one is copied before the sum of the one before is fetched.
#[test]
fn the_next_range_is_sent_while_one_is_summed() {
    if stand_in(device::LITTLE).is_none() {
        return;
    }
    let log = log_of("a_sum_in_ranges");
    // The log of copies of a whole range's points, and of kernels that sum entries.
    let calls: Vec<&str> = log
        .lines()
        .filter_map(|line| {
            let sent = line.strip_prefix("copy to a device: ").and_then(|rest| rest.split(' ').next());
            let sent: Option<usize> = sent.and_then(|bytes| bytes.parse().ok());
            match sent {
                Some(bytes) => (bytes > 64 << 10).then_some("sent"),
                None if line.starts_with("copy to the host") => Some("fetched"),
                None => line.starts_with("sum_entries").then_some("summed"),
            }
        })
        .collect();
    let ranges = calls.iter().filter(|call| **call == "summed").count();
    assert!(ranges > 2, "{calls:?}");
    let turns = calls.windows(3).filter(|turn| *turn == ["summed", "sent", "fetched"]).count();
    let points_and_scalars = calls.windows(4).filter(|turn| *turn == ["summed", "sent", "sent", "fetched"]);
    assert_eq!(turns + points_and_scalars.count(), ranges - 1, "{calls:?}");
}

#[test]
#[ignore = "full: run by the test above too, in a process of its own"]
fn a_sum_in_ranges() {
    type G = bn254::G1;
    let _alone = alone();
    let Some(setup) = stand_in(device::LITTLE) else { return };
    let n = 16_000;
    let (points, logs) = conformance::known_points::<G>(n, 3);
    let scalars: Vec<bn254::Fr> = (0..n).map(|i| bn254::Fr::from((i % 3) as u64)).collect();
    let sum = on::<G>(setup).msm(Buf::from(points).view(), Buf::from(scalars.clone()).view()).unwrap().0;
    assert!(sum == expected::<G>(&logs, &scalars));
}

/// On a device with two megabytes a list is halved in several batches, and not at all where there is no memory for it.
#[test]
fn halvings_take_batches_of_pairs_and_only_free_memory() {
    if stand_in(device::LITTLE).is_none() {
        return;
    }
    let launches = log_of("halvings_with_little_memory");
    let of = |kernel: &str| launches.lines().filter(|line| line.starts_with(kernel)).count();
    // Two halvings of each batch of the first sum.
    let halvings = of("halve");
    assert!(halvings > 2 && halvings.is_multiple_of(2), "{halvings}");
    assert_eq!((of("invert"), of("denominators"), of("sum_entries")), (halvings, halvings, 2), "{launches}");
}

#[test]
#[ignore = "full: run by the test above too, in a process of its own"]
fn halvings_with_little_memory() {
    type G = bn254::G1;
    let _alone = alone();
    let Some(setup) = stand_in(device::LITTLE) else { return };
    let gpu = setup.gpu.clone();
    let msm = on::<G>(setup.with_halvings(Some(2)));
    let n = 150;
    let (points, logs) = conformance::known_points::<G>(n, 3);
    let (points, scalars) = (Buf::from(points), conformance::Values::<bn254::Fr>::new(8).take_buf(n));
    let run = || {
        let (sum, cost) = msm.msm(points.view(), scalars.view()).unwrap();
        assert!(sum == expected::<G>(&logs, &scalars) && cost.machine == "gpu");
    };
    run();
    // The same digits, and memory for a sum without halvings.
    gpu.wait().unwrap();
    let free = usize::try_from(gpu.memory().unwrap().0).unwrap();
    let _hog = pairwright_gpu::memory::Words::zeros(&gpu, (free - (640 << 10)) / 8).unwrap();
    run();
}

/// Faults in the texts of kernels: the text, a part of it, and its replacement.
const PLANTS: [(&str, &str, &str); 30] = [
    ("msm_halving", "return pw_all_zero(run, COORDINATE) ? 0 : 2;", "return 2;"),
    ("msm_halving", "if (kind == 2) pw_tangent_text(in + 3 * COORDINATE, in, constants.w);", ""),
    ("msm_halving", "is_first ? in[w] : is_second ? q[w] : 0", "is_first ? in[w] : 0"),
    ("msm_halving", "if (adds) pw_product_text", "pw_product_text"),
    ("msm_halving", "while (i > t) {", "while (i > t + threads) {"),
    ("msm_sort", "(data[first + j] + unit - 1) & ~(unit - 1)", "data[first + j]"),
    ("msm_sums", "return begins[key] >> halvings;", "return begins[key];"),
    ("msm_sort", "place | carry << 31", "place"),
    ("msm_sort", "w * width, width) + *carry", "w * width, width)"),
    (
        "msm_sort",
        "atomicAdd(counts + set * half + magnitude - 1, 1u)",
        "counts[set * half + magnitude - 1] += 1",
    ),
    ("msm_sort", "shared[threadIdx.x] = sum;\n    __syncthreads();", "shared[threadIdx.x] = sum;"),
    ("msm_sort", "high = i + 1 < words ? scalar[i + 1] : 0", "high = 0"),
    ("msm_sums", "pw_double_affine_text(acc, q, k);", "pw_set_infinity(acc);"),
    ("msm_sums", "else pw_set_infinity(acc);", ""),
    ("msm_sums", "if (pw_all_zero(q, AFFINE)) return;", ""),
    ("msm_sums", "is_new = true;", ""),
    ("msm_sums", "piece = DEGREE; piece < 2 * DEGREE", "piece = 0; piece < DEGREE"),
    ("msm_sums", "place + distance < count", "place + distance <= count"),
    ("msm_sums", "place == 0 && threadIdx.x", "place == 0"),
    ("msm_sums", "place % (2 * distance) == 0", "place % distance == 0"),
    ("msm_sums", "if (i & (2 * distance - 1)) adds = false;", ""),
    (
        "msm_sums",
        "const uint32_t distance = 1u << (step - alone);\n            __syncthreads();",
        "const uint32_t distance = 1u << (step - alone);",
    ),
    ("msm_sums", "children - 1 - step / 2", "step / 2"),
    ("msm_sums", "(place - low) << 1 | 1u << bit | low", "(place - low) << 1 | low"),
    ("msm_sums", "nodes + half + place", "nodes + place"),
    ("msm_sums", "from += step;", "from += 2 * step;"),
    ("msm_sort", "            place++;\n", ""),
    ("msm_precompute", "denominator + COORDINATE, product, 1", "denominator + COORDINATE, point, 1"),
    ("msm_precompute", "j = copies - 1; j > 0; j--", "j = copies - 1; j > 1; j--"),
    ("msm_sums", "twice = pw_all_zero(out + POINT + COORDINATE, COORDINATE);", "twice = false;"),
];

/// The environment variable that passes the fault to another process.
const PLANT: &str = "PAIRWRIGHT_PLANT";

#[test]
fn some_planted_faults_are_seen() {
    planted_faults_are_seen(false);
}

#[test]
#[ignore = "full: compiles every text with a fault, some seconds each"]
fn all_planted_faults_are_seen() {
    planted_faults_are_seen(true);
}

fn planted_faults_are_seen(all: bool) {
    if stand_in(device::HOPPER).is_none() {
        return;
    }
    // Without a fault, the same operands give the right sum.
    assert!(tools::again("an_msm_with_a_fault", &[(PLANT, "none")]).contains("the sum is right"));
    for (at, (_, part, _)) in PLANTS.iter().enumerate().filter(|(at, _)| all || *at < 8) {
        let out = tools::again("an_msm_with_a_fault", &[(PLANT, &at.to_string())]);
        assert!(out.contains("the sum is wrong") || out.contains("gpu: "), "not seen: {part}: {out}");
    }
}

/// An MSM with a planted fault, on operands with every kind of bucket. Runs in a process of its own, because the device
/// is unusable after a fault that the stand-in reports.
#[test]
#[ignore = "full: run by the test above, in a process of its own"]
fn an_msm_with_a_fault() {
    type G = bn254::G1;
    let Some(plant) = std::env::var_os(PLANT) else { return };
    let Some(mut setup) = stand_in(device::AMPERE) else { return };
    let folder = tempfile::tempdir().unwrap();
    let plant = plant.to_str().unwrap().parse().ok().map(|at: usize| PLANTS[at]);
    // Faults in the kernel of multiples appear only with multiples.
    let of_multiples =
        |part: &str| part.contains("place++") || part.contains("copies") || part.contains("denominator");
    setup.precompute = Some(if plant.is_some_and(|(_, part, _)| of_multiples(part)) { 3 } else { 0 });
    // And those of halvings only with halvings.
    let of_halvings =
        |name: &str, part: &str| name == "msm_halving" || part.contains("unit") || part.contains("halvings");
    setup.halvings = plant.is_none_or(|(name, part, _)| of_halvings(name, part)).then_some(2);
    if let Some((name, part, new)) = plant {
        // The cache holds the compiled faulty text in place of the right one.
        let Compiler::Nvrtc { nvrtc, cache } = &mut setup.compiler else { panic!("no CUDA") };
        let usual = core::mem::replace(cache, Cache::at(folder.path()));
        let options = Options::new(nvrtc.target_for(setup.gpu.facts().arch()).unwrap());
        for (text, source) in msm_texts::<G>(FieldTuning::default()).unwrap() {
            let compiled = if text == name {
                assert!(source.contains(part), "{part}");
                nvrtc.compile(name, &source.replace(part, new), &options).unwrap()
            } else {
                usual.get(nvrtc, text, &source, &options).unwrap().0
            };
            cache.keep(nvrtc, &source, &options, &compiled).unwrap();
        }
    }
    // Enough scalars for windows of five bits, so that digits cross word boundaries.
    let n = 100;
    let (mut points, mut logs) = conformance::known_points::<G>(n, 3);
    // Equal points, opposite ones and infinity in one bucket with others, and buckets with few.
    (points[1], logs[1]) = (points[0], logs[0]);
    // Positions at which segments of four and of five entries begin.
    for (at, other) in [(9, 8), (13, 12), (16, 15), (21, 20), (26, 25)] {
        (points[at], logs[at]) = (-points[other], -logs[other]);
    }
    for at in [4, 51] {
        (points[at], logs[at]) = (Affine::INFINITY, bn254::Fr::ZERO);
    }
    let mut scalars: Vec<bn254::Fr> = conformance::Values::new(8).take(n).collect();
    scalars[..60].fill(bn254::Fr::ONE);
    let found = on::<G>(setup).msm(Buf::from(points).view(), Buf::from(scalars.clone()).view());
    tools::aloud(&match found {
        Ok((sum, _)) if sum == expected::<G>(&logs, &scalars) => "the sum is right".to_owned(),
        Ok(_) => "the sum is wrong".to_owned(),
        Err(error) => error.to_string(),
    });
}
