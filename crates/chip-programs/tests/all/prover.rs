//! A whole Groth16 proof in one L1 program: its sums equal the host's.

use pairwright_chip::MachineSpec;
use pairwright_chip::machine::top::Share;
use pairwright_chip::operator::OperatorOptions;
use pairwright_chip_programs::OnChipPrograms;
use pairwright_chip_programs::prover::{Inputs, ProofError, Quotient, Section, task};
use pairwright_curve::{Affine, Curve, Jacobian, Pairing, bls12_381::Bls12_381, bn254::Bn254};
use pairwright_device::{Operator, PlannedCall};
use pairwright_field::Field;
use pairwright_poly::{Domain, plain};
use pairwright_protocols::groth16::ProofSizes;
use pairwright_testkit::conformance::known_points;
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};

/// `Σ k_i·P_i` by double and add.
fn sum<C: Curve>(points: &[Affine<C>], scalars: &[C::Scalar]) -> Affine<C> {
    let terms = points.iter().zip(scalars).map(|(p, k)| p.to_jacobian().mul_vartime(k));
    terms.sum::<Jacobian<C>>().to_affine()
}

fn proof<E: OnChipPrograms>(spec: &MachineSpec, log_n: u32, wires: usize, public: usize) {
    let mut rng = ChaCha20Rng::seed_from_u64(u64::from(log_n));
    let domain = Domain::<E::Fr>::new(log_n).unwrap();
    let n = domain.size();
    let mut random = |n: usize| -> Vec<E::Fr> { (0..n).map(|_| E::Fr::random(&mut rng)).collect() };
    let (a, b, mut witness) = (random(n), random(n), random(wires));
    // One witness value in three is a bit.
    (0..wires).step_by(3).for_each(|i| witness[i] = E::Fr::from((i % 2) as u64));
    witness[0] = E::Fr::ONE;
    let g1 = |n: usize, seed| known_points::<E::G1>(n, seed).0;
    let private = wires - public - 1;
    let mut points = [g1(wires, 1), g1(wires, 2), g1(private, 3), g1(n, 4)];
    // Wires that do not occur in B have infinity as their point.
    points[1][2] = Affine::INFINITY;
    let b_g2 = known_points::<E::G2>(wires, 5).0;
    let plan = ProofSizes { wires, public, domain: n, entries: 0 }.plan();
    let inputs = Inputs::<E> {
        plan: &plan,
        a: &a,
        b: &b,
        witness: &witness,
        g1: [&points[0], &points[1], &points[2], &points[3]],
        b_g2: &b_g2,
    };
    let (ours, sections) = E::sums(spec, OperatorOptions::default(), &inputs).unwrap();

    let shift = domain.odd_shift().unwrap();
    let extend = |mut v: Vec<E::Fr>| {
        plain::intt(&domain, &mut v);
        plain::coset_ntt(&domain, shift, &mut v);
        v
    };
    let c: Vec<E::Fr> = a.iter().zip(&b).map(|(a, b)| *a * *b).collect();
    let (a, b, c) = (extend(a), extend(b), extend(c));
    let h: Vec<E::Fr> = (0..n).map(|i| a[i] * b[i] - c[i]).collect();
    let expected = [
        sum(&points[0], &witness),
        sum(&points[1], &witness),
        sum(&points[2], &witness[public + 1..]),
        sum(&points[3], &h),
    ];
    assert!(ours.value.g1.map(|p| p.to_affine()) == expected);
    assert!(ours.value.b_g2.to_affine() == sum(&b_g2, &witness));

    let names: Vec<&str> = sections.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names.len(), 1 + 6 + 1 + 5, "{names:?}");
    assert!(
        sections.iter().all(|s| s.engine > 0 && s.dma > 0 && s.end <= ours.account.cycles),
        "{sections:?}"
    );
    // Without points the program takes the same time, except for points at infinity; the scalars differ.
    let random = (Quotient::Carried, 1);
    let (timed, _) =
        E::proof_watched(spec, OperatorOptions::default(), &plan, random, &mut |_, _| {}).unwrap();
    assert_eq!(timed.dram_bytes(), ours.account.dram_bytes());
}

#[test]
fn sums_are_the_hosts() {
    let spec = MachineSpec::paper();
    proof::<Bls12_381>(&spec, 5, 20, 3);
    proof::<Bls12_381>(&spec, 11, 1500, 1);
    proof::<Bn254>(&spec, 6, 64, 0);
    // Split scalars and multiples of bases, also where the scalars are computed on the chip.
    proof::<Bls12_381>(&MachineSpec::best(), 7, 100, 1);
    proof::<Bn254>(&MachineSpec::best(), 5, 30, 0);
}

#[test]
fn plans_that_the_program_does_not_have_are_refused() {
    let plan = ProofSizes { wires: 20, public: 3, domain: 32, entries: 0 }.plan();
    let build = |plan: &[PlannedCall]| {
        let (spec, OperatorOptions { schedule, method }) = (MachineSpec::paper(), OperatorOptions::default());
        task::<<Bls12_381 as Pairing>::Fr>(&spec, plan, schedule, method).map(|_| ())
    };
    build(&plan).unwrap();
    for left_out in 0..plan.len() {
        let mut less = plan.clone();
        let call = less.remove(left_out);
        // Calls that the host makes are not in the program.
        let host = call.operator.starts_with("read") || call.operator == Operator::SparseMul.name();
        assert_eq!(build(&less).is_ok(), host, "without {call:?}");
    }
    for (phase, operator) in [("commit A again", Operator::MsmG1), ("quotient", Operator::Ntt)] {
        let more = [plan.clone(), vec![PlannedCall { phase, operator: operator.name(), size: 32 }]].concat();
        let refused = build(&more);
        let at = (phase, operator.name());
        assert!(
            matches!(refused, Err(ProofError::Plan { phase, operator }) if (phase, operator) == at),
            "{refused:?}"
        );
    }
}

/// A proof whose transforms carry no data takes the same cycles as one with data, except for the scalars of the last
/// MSM.
#[test]
fn without_data_only_the_last_scalars_differ() {
    for spec in [MachineSpec::paper(), MachineSpec::paper_load(), MachineSpec::best()] {
        let plan = ProofSizes { wires: 1000, public: 3, domain: 2048, entries: 0 }.plan();
        let run = |quotient| {
            let watch = &mut |_: &_, _: Share| {};
            let (account, sections) =
                Bls12_381::proof_watched(&spec, OperatorOptions::default(), &plan, (quotient, 5), watch)
                    .unwrap();
            (account, sections)
        };
        let ((carried, ours), (drawn, theirs)) = (run(Quotient::Carried), run(Quotient::Drawn));
        assert_eq!(drawn.poly, carried.poly);
        assert_eq!((drawn.moved, drawn.outside), (carried.moved, carried.outside));
        assert_eq!(drawn.dram_bytes(), carried.dram_bytes());
        assert!((drawn.cycles as f64 / carried.cycles as f64 - 1.0).abs() < 0.01, "{}", spec.name);
        let transforms = |sections: &[Section]| -> Vec<Section> {
            sections.iter().filter(|s| !s.name.contains("MSM")).cloned().collect()
        };
        // The last transform ends during the first MSM.
        let (ours, theirs) = (transforms(&ours), transforms(&theirs));
        assert!(ours.len() > 6 && ours == theirs, "{ours:?} {theirs:?}");
    }
}
