//! Operators on the whole chip compared with the host's plain ones.

use pairwright_chip::isa::{Group, L1, Tables, Transform, VectorOp};
use pairwright_chip::machine::layout::{point_words, result_words};
use pairwright_chip::machine::poly::RowTables;
use pairwright_chip::machine::top::{self, Account, Chip, TopError};
use pairwright_chip::operator::{self, OperatorError, OperatorOptions, Outcome};
use pairwright_chip::task::ntt::{self, Method, Shape};
use pairwright_chip::task::{Build, Schedule, TaskError, split};
use pairwright_chip::{MachineSpec, OnChip};
use pairwright_curve::{Affine, Curve, Pairing, Projective, bls12_381::Bls12_381, bn254::Bn254};
use pairwright_field::{Field, PrimeField};
use pairwright_poly::{Domain, plain};
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};

type Fr = <Bls12_381 as Pairing>::Fr;

fn rng(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

fn random<F: PrimeField>(n: usize, seed: u64) -> Vec<F> {
    let mut rng = rng(seed);
    (0..n).map(|_| F::random(&mut rng)).collect()
}

fn transforms<E: OnChip>(spec: &MachineSpec, log_n: u32, options: OperatorOptions) {
    let domain = Domain::<E::Fr>::new(log_n).unwrap();
    let values = random::<E::Fr>(domain.size(), u64::from(log_n));
    for shift in [E::Fr::ONE, domain.odd_shift().unwrap(), E::Fr::from(7u64)] {
        for inverse in [false, true] {
            let shape = Shape { domain, inverse, shift };
            let mut ours = values.clone();
            let account = E::ntt(spec, &shape, options, &mut ours).unwrap();
            traffic(spec, &shape, options, &account);
            let mut theirs = values.clone();
            if inverse {
                plain::coset_intt(&domain, shift, &mut theirs);
            } else {
                plain::coset_ntt(&domain, shift, &mut theirs);
            }
            assert!(ours == theirs, "2^{log_n} {inverse} {options:?}");
        }
    }
}

/// DRAM moves the data that the algorithm needs: every entry in and out once per pass, and tables.
fn traffic<F: PrimeField>(spec: &MachineSpec, shape: &Shape<F>, options: OperatorOptions, account: &Account) {
    let n = shape.domain.size() as u64;
    let stages = split(shape.domain.log_size()).unwrap();
    let passes = stages.len() as u64;
    let separate = u64::from(options.method == Method::Separate);
    // A table for the first pass, in both sets of banks if they alternate; the tables of rows are loaded or made from one.
    let sets = if passes > 1 && options.schedule == Schedule::Hidden { 2 } else { 1 };
    let rows = match spec.poly.row_tables {
        _ if passes == 1 => 0,
        RowTables::Load => n,
        _ => 1 << stages[1],
    };
    let tables = (sets << stages[0]) + rows;
    assert_eq!(account.dram.read_bytes, 32 * (passes * n + tables + separate * 2 * n));
    assert_eq!(account.dram.write_bytes, 32 * (passes * n + separate * n));
    // Merging costs no product; with the coset's powers separate there are N more.
    let made = account.poly.products - n / 2 * u64::from(shape.domain.log_size()) - separate * n;
    assert!(made == 0 || spec.poly.row_tables != RowTables::Load && made < n + 16 * n / 32, "{made}");
}

#[test]
fn transforms_of_one_and_two_passes() {
    let spec = MachineSpec::paper();
    for log_n in 5..=12 {
        transforms::<Bls12_381>(&spec, log_n, OperatorOptions::default());
    }
    transforms::<Bls12_381>(
        &spec,
        11,
        OperatorOptions { schedule: Schedule::Unhidden, ..OperatorOptions::default() },
    );
    transforms::<Bls12_381>(
        &spec,
        11,
        OperatorOptions { method: Method::Separate, ..OperatorOptions::default() },
    );
    transforms::<Bls12_381>(&spec.with("poly.row_tables", "load").unwrap(), 11, OperatorOptions::default());
    transforms::<Bn254>(&spec, 11, OperatorOptions::default());
}

/// The tile buffer changes the bytes over the pins, not the data that arrive.
#[test]
fn a_tile_buffer_for_columns() {
    // Runs of 16 words in lines of 64: three streams of 64 lines each; linear ones get none.
    let changes = [("dma.line_words", "64"), ("dma.tile_words", "12288")];
    let set = |spec: MachineSpec, (path, value): (&str, &str)| spec.with(path, value).unwrap();
    let spec = changes.into_iter().fold(MachineSpec::paper(), set);
    transforms::<Bls12_381>(&spec, 12, OperatorOptions::default());
    let domain = Domain::<Fr>::new(12).unwrap();
    let shape = Shape { domain, inverse: false, shift: Fr::from(7u64) };
    let lines = |spec: &MachineSpec| -> Vec<u32> {
        let task = operator::ntt_task(spec, &shape, OperatorOptions::default()).unwrap().0;
        task.streams.iter().map(|c| c.stream.tile_lines).filter(|lines| *lines > 0).collect()
    };
    assert_eq!(lines(&spec), [64; 3]);
    assert_eq!(lines(&spec.with("dma.tile_words", "8192").unwrap()), [64; 2]);
    assert!(lines(&MachineSpec::paper()).is_empty());
}

/// Beyond 2^20 there are three passes; smaller transforms can have them too.
#[test]
fn transforms_of_three_passes() {
    three_passes(&[
        (MachineSpec::paper(), [5, 5, 5], Schedule::Hidden),
        (MachineSpec::paper().with("poly.row_tables", "load").unwrap(), [5, 6, 5], Schedule::Unhidden),
    ]);
}

#[test]
#[ignore = "full: transforms of 2^17 and 2^18, a quarter of a minute"]
fn larger_transforms_of_three_passes() {
    three_passes(&[
        (MachineSpec::paper(), [6, 5, 6], Schedule::Hidden),
        (MachineSpec::paper(), [7, 6, 5], Schedule::Unhidden),
        (MachineSpec::paper().with("poly.row_tables", "load").unwrap(), [5, 6, 5], Schedule::Hidden),
    ]);
}

fn three_passes(cases: &[(MachineSpec, [u32; 3], Schedule)]) {
    for (spec, stages, schedule) in cases {
        let domain = Domain::<Fr>::new(stages.iter().sum()).unwrap();
        for (inverse, shift) in
            [(false, domain.odd_shift().unwrap()), (true, Fr::from(7u64)), (false, Fr::ONE)]
        {
            let shape = Shape { domain, inverse, shift };
            let mut build = Build::new("three passes");
            let [input, output] = ["input", "output"].map(|name| build.region(name, domain.size() as u64));
            ntt::append_passes(&mut build, spec, &shape, *schedule, stages, [input, output]).unwrap();
            let task = build.finish();
            let mut values = random::<Fr>(domain.size(), 5);
            let mut chip = Chip::<Fr, (), ()>::new(spec).unwrap();
            let words = || values.iter().map(top::word).collect();
            chip.load(&task, |region| Some(if region == input { words() } else { Vec::new() })).unwrap();
            let account = chip.run(&task).unwrap();
            let ours: Vec<Fr> =
                chip.read(&task, output).unwrap().iter().map(|word| top::element(word).unwrap()).collect();
            if inverse {
                plain::coset_intt(&domain, shift, &mut values);
            } else {
                plain::coset_ntt(&domain, shift, &mut values);
            }
            assert!(ours == values, "{stages:?} {inverse}");
            assert_eq!(account.dram.write_bytes, 3 * 32 * domain.size() as u64);
        }
    }
}

#[test]
fn stages_that_are_no_passes_are_refused() {
    let domain = Domain::<Fr>::new(12).unwrap();
    let shape = Shape { domain, inverse: false, shift: Fr::ONE };
    let mut build = Build::new("no passes");
    let region = build.region("input", 1 << 12);
    for wrong in [&[12][..], &[6, 5], &[4, 8], &[]] {
        let spec = MachineSpec::paper();
        let refused = ntt::append_passes(&mut build, &spec, &shape, Schedule::Hidden, wrong, [region; 2]);
        assert!(matches!(refused, Err(TaskError::Passes { .. })), "{wrong:?}");
    }
}

#[test]
fn what_no_program_does_is_refused() {
    let spec = MachineSpec::paper().with("poly.row_tables", "update").unwrap();
    let shape =
        |log_n| Shape { domain: Domain::<Fr>::new(log_n).unwrap(), inverse: false, shift: Fr::from(7u64) };
    let mut data = random::<Fr>(2048, 1);
    let refused = Bls12_381::ntt(&spec, &shape(11), OperatorOptions::default(), &mut data).unwrap_err();
    assert!(refused.to_string().contains("poly.row_tables"), "{refused}");
    // An instruction that cannot be encoded does not run, even if its value is valid otherwise.
    let (mut task, _) =
        operator::ntt_task(&MachineSpec::paper(), &shape(6), OperatorOptions::default()).unwrap();
    let wrong = L1::SubNtt { kind: Transform::Ntt, length: 16, src: 0, batch: 0, tables: Tables::Shared };
    task.l1.insert(0, wrong);
    let mut chip = Chip::<Fr, (), ()>::new(&MachineSpec::paper()).unwrap();
    assert!(matches!(chip.load(&task, |_| None), Err(TopError::Word { address: 0, .. })));
    // A transform of one pass needs no table of a row.
    Bls12_381::ntt(&spec, &shape(10), OperatorOptions::default(), &mut data[..1024]).unwrap();
}

#[test]
fn vectors_of_any_length() {
    let spec = MachineSpec::paper();
    for n in [1, 7, 8, 1023, 1024, 1025, 2048, 3000, 5000] {
        let (a, b, c) = (random::<Fr>(n, 1), random::<Fr>(n, 2), random::<Fr>(n, 3));
        let mut ours = a.clone();
        let account = Bls12_381::vector(
            &spec,
            OperatorOptions::default(),
            &mut ours,
            &[(VectorOp::Mul, &b), (VectorOp::Sub, &c)],
        )
        .unwrap();
        let wrong = (0..n).filter(|i| ours[*i] != a[*i] * b[*i] - c[*i]).collect::<Vec<_>>();
        assert!(wrong.is_empty(), "{n}: {} {:?}", wrong.len(), &wrong[..8.min(wrong.len())]);
        // Three vectors in, one out.
        assert_eq!(account.dram_bytes(), 4 * 32 * n as u64);
        assert_eq!(account.poly.products, n as u64);
    }
}

/// Scalars with all digits, with none, and with equal values.
fn scalars<F: PrimeField>(n: usize, seed: u64) -> Vec<F> {
    let mut all = random::<F>(n, seed);
    for (k, scalar) in [F::ZERO, F::ONE, -F::ONE, F::ZERO - F::ONE, F::from(2u64)].into_iter().enumerate() {
        if let Some(place) = all.get_mut(3 * k) {
            *place = scalar;
        }
    }
    all
}

fn g1_msms<E: OnChip>(spec: &MachineSpec, sizes: &[usize]) {
    msms::<E, E::G1>(E::msm_g1, spec, Group::G1, sizes);
}

fn g2_msms<E: OnChip>(spec: &MachineSpec, sizes: &[usize]) {
    msms::<E, E::G2>(E::msm_g2, spec, Group::G2, sizes);
}

type Msm<C> = fn(
    &MachineSpec,
    OperatorOptions,
    &[Affine<C>],
    &[<C as Curve>::Scalar],
) -> Result<Outcome<Projective<C>>, OperatorError>;

fn msms<E: OnChip, C: Curve<Scalar = E::Fr>>(msm: Msm<C>, spec: &MachineSpec, group: Group, sizes: &[usize]) {
    for &n in sizes {
        let scalars = scalars::<C::Scalar>(n, n as u64);
        let generator = Projective::<C>::generator();
        let mut bases: Vec<Affine<C>> =
            random::<C::Scalar>(n.min(64), 9).iter().map(|k| generator.mul(k).to_affine()).collect();
        bases.extend_from_within(..);
        while bases.len() < n {
            bases.extend_from_within(..);
        }
        bases.truncate(n);
        if n > 8 {
            bases[1] = Affine::INFINITY;
            bases[4] = -bases[3];
            bases[6] = bases[5];
        }
        let ours = msm(spec, OperatorOptions::default(), &bases, &scalars).unwrap();
        let theirs = bases
            .iter()
            .zip(&scalars)
            .fold(Projective::<C>::INFINITY, |sum, (p, k)| sum + Projective::from(*p).mul(k));
        assert!(ours.value.to_affine() == theirs.to_affine(), "{} {n}", C::NAME);
        let (plan, spec_msm) = (spec.msm.plan(group, C::Scalar::BITS), spec.msm);
        let rounds = u64::from(plan.windows.div_ceil(spec_msm.windows_per_fetch));
        // A scalar is read once for all multiples of its point.
        let point = 32 * (1 + u64::from(plan.levels) * point_words(group));
        assert_eq!(ours.account.dram.read_bytes, rounds * n as u64 * point);
        assert_eq!(ours.account.dram.write_bytes, 32 * result_words(group));
        let timing = E::msm_timing(spec, group, OperatorOptions::default(), &scalars).unwrap();
        // The only influence of the data is infinity among the points.
        let difference = timing.cycles.abs_diff(ours.account.cycles);
        assert!(difference <= ours.account.cycles / 100, "{n}: {difference}");
    }
}

#[test]
fn msms_in_both_groups_and_on_two_curves() {
    let spec = MachineSpec::paper();
    g1_msms::<Bls12_381>(&spec, &[1, 2, 100, 1025, 2100]);
    g2_msms::<Bls12_381>(&spec, &[1, 100, 513]);
    g1_msms::<Bn254>(&spec, &[300]);
    g2_msms::<Bn254>(&spec, &[40]);
}

/// Extensions beyond the paper: the endomorphism, multiples of the points in DRAM, several windows per fetch, and all of
/// them together.
#[test]
fn msms_by_halves_and_multiples() {
    let small = [("msm.window_g1", "5"), ("msm.window_g2", "4")];
    let designs: [&[(&str, &str)]; 4] = [
        &[("msm.glv", "true")],
        &[("msm.multiples", "3")],
        &[
            ("msm.glv", "true"),
            ("msm.signed", "true"),
            ("msm.windows_per_fetch", "2"),
            ("msm.multiples", "4"),
        ],
        &[("msm.glv", "true"), ("msm.formula", "mixed"), ("msm.multiples", "64"), ("msm.write_behind", "4")],
    ];
    for design in designs {
        let set = |spec: MachineSpec, (path, value): &(&str, &str)| spec.with(path, value).unwrap();
        let spec = small.iter().chain(design).fold(MachineSpec::paper(), set);
        g1_msms::<Bls12_381>(&spec, &[1, 700]);
        g2_msms::<Bls12_381>(&spec, &[8]);
        g1_msms::<Bn254>(&spec, &[8]);
        g2_msms::<Bn254>(&spec, &[7]);
    }
    // Halved scalars have half of the windows, as two multiples do; a scalar is read once for the multiples of its point.
    let scalars = random::<Fr>(1000, 5);
    let account = |changes: &[(&str, &str)]| {
        let set = |spec: MachineSpec, (path, value): &(&str, &str)| spec.with(path, value).unwrap();
        let spec = changes.iter().fold(MachineSpec::paper(), set);
        Bls12_381::msm_timing(&spec, Group::G1, OperatorOptions::default(), &scalars).unwrap()
    };
    let points = |words: u64| words * 32 * 1000;
    let [paper, glv, multiples] = [&[][..], &[("msm.glv", "true")], &[("msm.multiples", "2")]].map(account);
    assert_eq!(paper.dram.read_bytes, 26 * points(4));
    assert_eq!(glv.dram.read_bytes, 13 * points(4));
    assert_eq!(multiples.dram.read_bytes, 13 * points(2 * 3 + 1));
    assert_eq!((paper.images, glv.images, multiples.images), (0, 13 * 1000, 0));
    // There are half as many reductions; their buckets hold twice as many points, so that fewer are empty.
    for halved in [&glv, &multiples] {
        let (ours, theirs) = (halved.msm[0].reduction.padds, paper.msm[0].reduction.padds);
        assert!((50..60).contains(&(100 * ours / theirs)), "{ours} of {theirs}");
    }
}
