//! The conformance suite of devices: their operators must return the same results as the reference board of `pairwright-device`, on
//! edge cases such as zero, infinity, and equal and opposite points, and must refuse the same operands.
//!
//! The tests of a device instantiate the suite in one line: `conformance::device::<Bn254>(&my::board())`.

mod points;
mod poly;
mod sumchecks;
mod trees;

pub use sumchecks::sumchecks;
pub use trees::{hashes, trees};

use core::ops::Range;
use pairwright_curve::{Affine, Curve, Jacobian, Pairing, batch_to_affine, compile_for_each_curve};
use pairwright_device::{
    Deferred, Device, DeviceError, Direction, Entry, EntrySource, FixedG2, KeyEntries, MsmOp, NttOp,
    Operator, PolyOp, SparseOp, SparseShape, VecOp, reference,
};
use pairwright_field::{Field, PrimeField, Ring, Sqrt};
use pairwright_poly::{Buf, Domain, SourceError};

/// Runs the whole suite.
///
/// # Panics
/// At the first operator that differs from the reference board; the message names the operator, the size and the kind of operand.
pub fn device<E: Pairing>(device: &Device<E>) {
    let judge = reference::board::<E>();
    for operator in Operator::ALL {
        // No wildcard: an operator of the table without a case here does not compile.
        match operator {
            Operator::Ntt => ntt(&*device.ntt, &*judge.ntt, Direction::Forward),
            Operator::Intt => ntt(&*device.ntt, &*judge.ntt, Direction::Inverse),
            Operator::Extend => extend(&*device.ntt, &*judge.ntt),
            Operator::VecMul => mul(&*device.vec, &*judge.vec),
            Operator::VecMulSub => mul_sub(&*device.vec, &*judge.vec),
            Operator::SparseMul => sparse(&*device.sparse, &*judge.sparse),
            Operator::Scale => poly::scale(&*device.poly, &*judge.poly),
            Operator::Axpy => poly::axpy(&*device.poly, &*judge.poly),
            Operator::Invert => poly::invert(&*device.poly, &*judge.poly),
            Operator::PrefixProducts => poly::prefix_products(&*device.poly, &*judge.poly),
            Operator::Powers => poly::powers(&*device.poly, &*judge.poly),
            Operator::Evaluate => poly::evaluate(&*device.poly, &*judge.poly),
            Operator::Divide => poly::divide(&*device.poly, &*judge.poly),
            Operator::StartMsmG1 => started::<E::G1>(&*device.g1, &*judge.g1),
            Operator::StartMsmG2 => started::<E::G2>(&*device.g2, &*judge.g2),
            Operator::MsmG1 => msm::<E::G1>(&*device.g1, &*judge.g1),
            Operator::MsmG2 => msm::<E::G2>(&*device.g2, &*judge.g2),
            Operator::MultiplesG1 => multiples::<E::G1>(&*device.g1, &*judge.g1),
            Operator::MultiplesG2 => multiples::<E::G2>(&*device.g2, &*judge.g2),
            Operator::InSubgroupG1 => points::in_subgroup(&*device.points_g1, &*judge.points_g1),
            Operator::InSubgroupG2 => points::in_subgroup(&*device.points_g2, &*judge.points_g2),
            Operator::AllInSubgroupG1 => points::all_in_subgroup(&*device.points_g1, &*judge.points_g1),
            Operator::AllInSubgroupG2 => points::all_in_subgroup(&*device.points_g2, &*judge.points_g2),
            Operator::ScalePointsG1 => points::scale_points(&*device.points_g1, &*judge.points_g1),
            Operator::ScalePointsG2 => points::scale_points(&*device.points_g2, &*judge.points_g2),
            Operator::ScaleBySecretsG1 => points::scale_by_secrets(&*device.points_g1, &*judge.points_g1),
            Operator::ScaleBySecretsG2 => points::scale_by_secrets(&*device.points_g2, &*judge.points_g2),
            Operator::HashToG1 => points::hash_to_curve(&*device.points_g1, &*judge.points_g1),
            Operator::HashToG2 => points::hash_to_curve(&*device.points_g2, &*judge.points_g2),
            Operator::MultiPairing => pairings(device, &judge),
            Operator::MultiPairingFixed => fixed_pairings(device, &judge),
            Operator::BuildEq => trees::build_eq(&*device.tree, &*judge.tree),
            Operator::MleEval => trees::mle_eval(&*device.tree, &*judge.tree),
            Operator::Product => trees::product(&*device.tree, &*judge.tree),
            Operator::ProductTree => trees::product_tree(&*device.tree, &*judge.tree),
            Operator::Sha3Root => trees::sha3_root(&*device.tree, &*judge.tree),
            Operator::Sha3Tree => trees::sha3_tree(&*device.tree, &*judge.tree),
            Operator::SumcheckRound => sumchecks::round(&*device.sumcheck, &*judge.sumcheck),
            Operator::SumcheckBind => {
                sumchecks::bind(&*device.sumcheck, &*judge.sumcheck);
                sumchecks::whole(&*device.sumcheck, &*judge.sumcheck);
            }
            Operator::PoseidonRoot => trees::poseidon_root(&*device.hash, &*judge.hash),
            Operator::PoseidonTree => trees::poseidon_tree(&*device.hash, &*judge.hash),
        }
    }
}

// Instantiated here, so that it is compiled once for the tests of all boards.
fn compiled<E: Pairing>() {
    core::hint::black_box(device::<E> as fn(&Device<E>));
}
compile_for_each_curve!(compiled);

/// The part of the suite that needs only a field: transforms and vector arithmetic.
///
/// # Panics
/// As [`device`].
pub fn field<F: PrimeField>(fast_ntt: &dyn NttOp<F>, fast_vec: &dyn VecOp<F>) {
    ntt(fast_ntt, &reference::Reference, Direction::Forward);
    ntt(fast_ntt, &reference::Reference, Direction::Inverse);
    extend(fast_ntt, &reference::Reference);
    mul(fast_vec, &reference::Reference);
    mul_sub(fast_vec, &reference::Reference);
}

/// The part of the suite that needs only a group: multi-scalar multiplication and multiples of one base.
///
/// # Panics
/// As [`device`].
pub fn group<C: Curve>(fast: &dyn MsmOp<C>) {
    msm(fast, &reference::Reference);
    multiples(fast, &reference::Reference);
}

/// The part of the suite about sparse products.
///
/// # Panics
/// As [`device`].
pub fn sparse_products<F: PrimeField>(fast: &dyn SparseOp<F>, judge: &dyn SparseOp<F>) {
    sparse(fast, judge);
}

/// The part of the suite about polynomials and vectors.
///
/// # Panics
/// As [`device`].
pub fn polynomials<F: PrimeField>(fast: &dyn PolyOp<F>, judge: &dyn PolyOp<F>) {
    poly::scale(fast, judge);
    poly::axpy(fast, judge);
    poly::invert(fast, judge);
    poly::prefix_products(fast, judge);
    poly::powers(fast, judge);
    poly::evaluate(fast, judge);
    poly::divide(fast, judge);
}

/// The cases of [`group`] for multiples of one base only.
///
/// # Panics
/// As [`device`].
pub fn multiples_of_bases<C: Curve>(fast: &dyn MsmOp<C>) {
    multiples(fast, &reference::Reference);
}

/// The multi-scalar multiplications of [`group`] at the given sizes only, for machines on which all of them take too long.
///
/// # Panics
/// As [`device`].
pub fn sums<C: Curve>(fast: &dyn MsmOp<C>, sizes: &[usize]) {
    started(fast, &reference::Reference);
    msm_of(fast, &reference::Reference, sizes);
}

/// A generator of reproducible elements whose values are not small.
pub struct Values<F>(F);

impl<F: PrimeField> Values<F> {
    /// A generator whose sequence depends on the seed.
    pub fn new(seed: u64) -> Self {
        Self(F::from(seed + 3).pow_vartime(&[1_000_003]))
    }
    /// The next `n` elements as a buffer.
    pub fn take_buf(&mut self, n: usize) -> Buf<F> {
        self.take(n).collect()
    }
}
impl<F: PrimeField> Iterator for Values<F> {
    type Item = F;
    fn next(&mut self) -> Option<F> {
        self.0 = self.0.square() + F::ONE;
        Some(self.0)
    }
}

/// Points with known discrete logarithms: `log(i)·G` with `log(i) = first + i·step`, and the logarithms.
pub fn known_points<C: Curve>(n: usize, seed: u64) -> (Vec<Affine<C>>, Vec<C::Scalar>) {
    let mut values = Values::<C::Scalar>::new(seed);
    let [Some(first), Some(step)] = [values.next(), values.next()] else { unreachable!("endless") };
    let q = Jacobian::<C>::generator().mul_vartime(&step).to_affine();
    let mut point = Jacobian::<C>::generator().mul_vartime(&first);
    let (mut points, mut logs, mut log) = (Vec::with_capacity(n), Vec::with_capacity(n), first);
    for _ in 0..n {
        points.push(point);
        logs.push(log);
        point = point.add_mixed(&q);
        log += step;
    }
    (batch_to_affine(&points), logs)
}

/// Two domains of a size: the usual one, and one with another generator of the same group, as arkworks has on BLS12-381.
fn domains<F: PrimeField>(log_n: u32) -> [Domain<F>; 2] {
    let Ok(domain) = Domain::<F>::new(log_n) else { unreachable!("small domains exist") };
    let Ok(other) = Domain::with_root(log_n, domain.root().pow_vartime(&[3])) else {
        unreachable!("odd power")
    };
    [domain, other]
}

fn ntt<F: PrimeField>(fast: &dyn NttOp<F>, judge: &dyn NttOp<F>, dir: Direction) {
    let mut values = Values::<F>::new(1);
    for log_n in 0..=12.min(F::TWO_ADICITY - 1) {
        let [domain, other] = domains::<F>(log_n);
        let Ok(odd) = domain.odd_shift() else { unreachable!("small domains have a double") };
        for domain in [domain, other] {
            for shift in [None, Some(F::ONE), Some(odd), Some(-odd), values.next()] {
                let mut ours = values.take_buf(domain.size());
                let mut theirs = ours.clone();
                accept("ntt", fast.ntt(&domain, dir, shift.as_ref(), &mut ours));
                accept("ntt", judge.ntt(&domain, dir, shift.as_ref(), &mut theirs));
                assert!(ours == theirs, "ntt: 2^{log_n}, {dir:?}, shift {shift:?}");
            }
        }
        let mut long = values.take_buf(domain.size() + 1);
        let before = long.clone();
        refuse_lengths(fast.ntt(&domain, dir, None, &mut long));
        let mut data = values.take_buf(domain.size());
        let zero = fast.ntt(&domain, dir, Some(&F::ZERO), &mut data);
        assert!(matches!(zero, Err(DeviceError::ZeroShift)), "a coset shift of zero is refused");
        assert!(long == before, "refused operands are left alone");
    }
}

fn extend<F: PrimeField>(fast: &dyn NttOp<F>, judge: &dyn NttOp<F>) {
    let mut values = Values::<F>::new(2);
    for log_n in 0..=12.min(F::TWO_ADICITY - 1) {
        for domain in domains::<F>(log_n) {
            let mut ours = values.take_buf(domain.size());
            let mut theirs = ours.clone();
            accept("extend", fast.extend(&domain, &mut ours));
            accept("extend", judge.extend(&domain, &mut theirs));
            assert!(ours == theirs, "extend: 2^{log_n}");
            let mut long = values.take_buf(domain.size() + 1);
            let before = long.clone();
            refuse_lengths(fast.extend(&domain, &mut long));
            assert!(long == before, "refused operands are left alone");
        }
    }
}

/// Scalars of every special kind, with the name of the kind.
fn scalar_kinds<F: PrimeField>(n: usize) -> Vec<(&'static str, Vec<F>)> {
    let uniform: Vec<F> = Values::new(2).take(n).collect();
    let (half, edges) = (Values::new(4).next(), [F::ZERO, F::ONE, -F::ONE, F::from(2), -F::from(2)]);
    let cycle = |pick: &dyn Fn(usize) -> F| (0..n).map(pick).collect();
    vec![
        ("zero", vec![F::ZERO; n]),
        ("one", vec![F::ONE; n]),
        ("r - 1", vec![-F::ONE; n]),
        ("all equal", vec![half.unwrap_or(F::ONE); n]),
        ("small", cycle(&|i| F::from((i % 300) as u64))),
        ("edges", cycle(&|i| edges[i % edges.len()])),
        ("mostly bits", cycle(&|i| if i % 11 == 0 { uniform[i] } else { F::from((i % 2) as u64) })),
        ("powers of two", cycle(&|i| F::from(2).pow_vartime(&[(i % 250) as u64]))),
        ("uniform", uniform.clone()),
    ]
}

/// Points of every special kind with their logarithms and the name of the kind.
type Kinds<C> = Vec<(&'static str, Vec<Affine<C>>, Vec<<C as Curve>::Scalar>)>;
fn point_kinds<C: Curve>(n: usize) -> Kinds<C> {
    let (points, logs) = known_points::<C>(n, 5);
    let mixed =
        |pick: &dyn Fn(usize) -> (Affine<C>, C::Scalar)| -> (Vec<_>, Vec<_>) { (0..n).map(pick).unzip() };
    let equal = mixed(&|_| (points[0], logs[0]));
    let opposite = mixed(&|i| {
        let (p, k) = (points[i / 2], logs[i / 2]);
        if i % 2 == 0 { (p, k) } else { (-p, -k) }
    });
    let repeated = mixed(&|i| (points[i % 3 % n], logs[i % 3 % n]));
    let infinite = mixed(&|i| match i % 3 {
        0 => (Affine::INFINITY, C::Scalar::ZERO),
        _ => (points[i], logs[i]),
    });
    let mut kinds = vec![("distinct", points.clone(), logs.clone())];
    for (name, (p, k)) in
        [("equal", equal), ("opposite", opposite), ("repeated", repeated), ("some infinite", infinite)]
    {
        kinds.push((name, p, k));
    }
    kinds.push(("infinite", vec![Affine::INFINITY; n], vec![C::Scalar::ZERO; n]));
    kinds
}

fn msm<C: Curve>(fast: &dyn MsmOp<C>, judge: &dyn MsmOp<C>) {
    msm_of(fast, judge, &[0, 1, 2, 3, 7, 31, 32, 33, 100, 255, 256, 1000, 4097]);
}

/// Sums that are started together, over the same scalars and over a part of them; they are waited for in another order, and one is
/// abandoned.
fn started<C: Curve>(fast: &dyn MsmOp<C>, judge: &dyn MsmOp<C>) {
    let scalars = Values::<C::Scalar>::new(41).take_buf(33);
    let [bases, others] = [5, 6].map(|seed| Buf::from(known_points::<C>(33, seed).0));
    let start = |bases, scalars| fast.start(bases, scalars).expect("start_msm");
    let whole = start(bases.view(), scalars.view());
    let given_up = start(others.view(), scalars.view());
    let part = start(bases.slice(2..), scalars.slice(2..));
    let none = start(bases.slice(..0), scalars.slice(..0));
    drop(given_up);
    let other = start(others.view(), scalars.view());
    refuse_lengths(fast.start(bases.slice(1..), scalars.view()));
    let judged =
        |at: usize, bases: &Buf<Affine<C>>| accept("msm", judge.msm(bases.slice(at..), scalars.slice(at..)));
    let want = [judged(0, &others), judged(2, &bases), judged(0, &bases)];
    // The host may drop buffers that a machine still reads.
    drop((bases, others));
    let sum = |(result, cost): (Deferred<Jacobian<C>>, _)| accept("start_msm", result.wait(cost));
    assert!(sum(none).is_infinity(), "a sum of nothing");
    assert!([sum(other), sum(part), sum(whole)] == want, "sums that were started together");
}

/// Multi-scalar multiplications of some sizes with special points and scalars, compared with known logarithms and the reference.
fn msm_of<C: Curve>(fast: &dyn MsmOp<C>, judge: &dyn MsmOp<C>, sizes: &[usize]) {
    for n in sizes.iter().copied() {
        for (points_are, points, logs) in point_kinds::<C>(n) {
            let points = Buf::from(points);
            for (scalars_are, scalars) in scalar_kinds::<C::Scalar>(n) {
                // Larger sizes are tested with fewer combinations.
                if n > 256 && points_are != "distinct" && !["uniform", "edges"].contains(&scalars_are) {
                    continue;
                }
                let log = scalars.iter().zip(&logs).fold(C::Scalar::ZERO, |acc, (s, k)| acc + *s * *k);
                let want = Jacobian::<C>::generator().mul_vartime(&log);
                let scalars = Buf::from(scalars);
                let got = accept("msm", fast.msm(points.view(), scalars.view()));
                assert!(got == want, "{} msm of {n}: points {points_are}, scalars {scalars_are}", C::NAME);
                if n <= 33 && scalars_are == "uniform" {
                    assert!(
                        accept("msm", judge.msm(points.view(), scalars.view())) == got,
                        "the plain board"
                    );
                }
            }
        }
    }
    let (points, _) = known_points::<C>(5, 6);
    let (points, scalars) = (Buf::from(points), Values::new(7).take_buf(4));
    refuse_lengths(fast.msm(points.view(), scalars.view()));
    let part = accept("msm", fast.msm(points.slice(1..4), scalars.slice(..3)));
    let want = accept("msm", judge.msm(points.slice(1..4), scalars.slice(..3)));
    assert!(part == want, "{} msm of parts of buffers", C::NAME);
}

fn multiples<C: Curve>(fast: &dyn MsmOp<C>, judge: &dyn MsmOp<C>) {
    let base = known_points::<C>(2, 8).0[1];
    for base in [base, -base, C::GENERATOR, Affine::INFINITY] {
        for n in [0, 1, 2, 20] {
            for (scalars_are, scalars) in scalar_kinds::<C::Scalar>(n) {
                if n > 2 && base.is_infinity() {
                    continue;
                }
                let scalars = Buf::from(scalars);
                let got = accept("multiples", fast.multiples(&base, scalars.view()));
                let want = accept("multiples", judge.multiples(&base, scalars.view()));
                assert!(got == want, "{} multiples: {n} scalars {scalars_are}", C::NAME);
            }
        }
    }
    // An arithmetic progression of scalars gives one of points.
    let (points, logs) = known_points::<C>(3000, 9);
    let got = accept("multiples", fast.multiples(&C::GENERATOR, Buf::from(logs).view()));
    assert!(got.into_vec() == points, "{} multiples: 3000 in a progression", C::NAME);
}

/// Lengths of vectors: zero, small, and around multiples of the size of tasks.
const LENGTHS: [usize; 7] = [0, 1, 2, 5, 4095, 4096, 9001];

fn mul<F: PrimeField>(fast: &dyn VecOp<F>, judge: &dyn VecOp<F>) {
    let mut values = Values::<F>::new(10);
    for n in LENGTHS {
        let (mut a, b, long) = (values.take_buf(n), values.take_buf(n), values.take_buf(n + 1));
        let (mut want, before) = (a.clone(), a.clone());
        refuse_lengths(fast.mul(&mut a, long.view()));
        assert!(a == before, "refused operands are left alone");
        accept("mul", fast.mul(&mut a, b.view()));
        accept("mul", judge.mul(&mut want, b.view()));
        assert!(a == want, "mul of {n}");
    }
}

fn mul_sub<F: PrimeField>(fast: &dyn VecOp<F>, judge: &dyn VecOp<F>) {
    let mut values = Values::<F>::new(10);
    for n in LENGTHS {
        let [mut a, b, c] = [(); 3].map(|()| values.take_buf(n));
        let (mut want, before, long) = (a.clone(), a.clone(), values.take_buf(n + 1));
        refuse_lengths(fast.mul_sub(&mut a, long.view(), b.view()));
        refuse_lengths(fast.mul_sub(&mut a, b.view(), long.view()));
        assert!(a == before, "refused operands are left alone");
        accept("mul_sub", fast.mul_sub(&mut a, b.view(), c.view()));
        accept("mul_sub", judge.mul_sub(&mut want, b.view(), c.view()));
        assert!(a == want, "mul_sub of {n}");
    }
}

/// Entries of which one cannot be read.
struct Torn<F>(Vec<Entry<F>>, usize);
impl<F: PrimeField> EntrySource<F> for Torn<F> {
    fn len(&self) -> usize {
        self.0.len()
    }
    fn read(&self, range: Range<usize>, each: &mut dyn FnMut(Entry<F>)) -> Result<(), SourceError> {
        if range.contains(&self.1) {
            return Err(SourceError("torn".into()));
        }
        self.0.read(range, each)
    }
}

/// Entries that are stored as they are and counted seven times.
struct Sevenfold<F>(Vec<Entry<F>>);
impl<F: PrimeField> Sevenfold<F> {
    fn entries(&self) -> Vec<Entry<F>> {
        self.0.iter().map(|e| Entry { value: F::from(7) * e.value, ..*e }).collect()
    }
}
impl<F: PrimeField> EntrySource<F> for Sevenfold<F> {
    fn len(&self) -> usize {
        self.0.len()
    }
    fn read(&self, range: Range<usize>, each: &mut dyn FnMut(Entry<F>)) -> Result<(), SourceError> {
        self.entries().read(range, each)
    }
    fn read_stored(&self, range: Range<usize>, each: &mut dyn FnMut(Entry<F>)) -> Result<(), SourceError> {
        self.0.read(range, each)
    }
    fn factor(&self) -> Option<F> {
        Some(F::from(7))
    }
}

fn sparse<F: PrimeField>(fast: &dyn SparseOp<F>, judge: &dyn SparseOp<F>) {
    let shape = SparseShape { matrices: 2, rows: 300 };
    let x = Values::<F>::new(11).take_buf(77);
    for n in [0usize, 1, 2, 50, 40_000] {
        // Entries come in runs of rows, as in files, and also out of order; positions repeat.
        let entry = |(i, value): (usize, F)| Entry {
            matrix: (i / 7 % 2) as u32,
            row: (i / 3 * 17 % 300) as u32,
            column: (i * 31 % 77) as u32,
            value,
        };
        let entries: Vec<Entry<F>> = Values::new(12).take(n).enumerate().map(entry).collect();
        let run = |on: &dyn SparseOp<F>, source: &dyn EntrySource<F>| on.sparse_mul(shape, source, x.view());
        let got = accept("sparse_mul", run(fast, &entries));
        assert!(got == accept("sparse_mul", run(judge, &entries)), "sparse_mul of {n} entries");
        let sevenfold = Sevenfold(entries.clone());
        let got = accept("sparse_mul", run(fast, &sevenfold));
        let want = accept("sparse_mul", run(judge, &sevenfold.entries()));
        assert!(got == want, "sparse_mul of {n} entries with a factor");
        // Entries of a key, of which a board may keep a copy; products with another vector, and of another shape.
        let key = KeyEntries::new(entries.clone());
        for x in [&x, &Values::<F>::new(13).take_buf(77), &Values::<F>::new(14).take_buf(80)] {
            for shape in [shape, SparseShape { rows: 301, ..shape }] {
                let got = accept("sparse_mul", fast.sparse_mul(shape, &key, x.view()));
                let want = accept("sparse_mul", judge.sparse_mul(shape, &entries, x.view()));
                assert!(got == want, "sparse_mul of {n} entries of a key");
            }
        }
        let short = fast.sparse_mul(shape, &key, x.slice(..n.min(20)));
        assert!(n < 2 || matches!(short, Err(DeviceError::EntryOutOfRange { .. })), "a shorter vector");
        for (at, column, row, matrix) in [(0, 77, 0, 0), (n / 2, 0, 300, 1), (n / 3, 3, 4, 2)] {
            if at >= n {
                continue;
            }
            let mut bad = entries.clone();
            // A second invalid entry must not hide the first.
            for place in [at, n - 1] {
                bad[place] = Entry { matrix, row, column, value: F::ONE };
            }
            for board in [fast, judge] {
                match run(board, &bad) {
                    Err(DeviceError::EntryOutOfRange {
                        index,
                        row: r,
                        column: c,
                        rows: 300,
                        columns: 77,
                    }) => {
                        assert_eq!((index, r, c), (at, row, column), "the first entry outside is named");
                    }
                    other => panic!("an entry outside is refused, not {other:?}"),
                }
            }
        }
        if n > 0 {
            let torn = run(fast, &Torn(entries, n / 2));
            assert!(
                matches!(torn, Err(DeviceError::Source(_))),
                "a source's error is passed on, not {torn:?}"
            );
        }
    }
    let none = SparseShape { matrices: 0, rows: 0 };
    assert!(accept("sparse_mul", fast.sparse_mul(none, &Vec::new(), x.view())).is_empty());
}

/// Five pairs of points that are not small multiples of the generators.
fn pairs<E: Pairing>() -> Vec<(Affine<E::G1>, Affine<E::G2>)> {
    let (p, _) = known_points::<E::G1>(5, 13);
    let (q, _) = known_points::<E::G2>(5, 14);
    p.into_iter().zip(q).collect()
}

fn pairings<E: Pairing>(fast: &Device<E>, judge: &Device<E>) {
    let mut pairs = pairs::<E>();
    for n in [0, 1, 2, 5] {
        let got = accept("multi_pairing", fast.pairing.multi_pairing(&pairs[..n]));
        let want = accept("multi_pairing", judge.pairing.multi_pairing(&pairs[..n]));
        assert!(got == want, "multi_pairing of {n}");
    }
    pairs[1].0 = Affine::INFINITY;
    pairs[3].1 = Affine::INFINITY;
    let got = accept("multi_pairing", fast.pairing.multi_pairing(&pairs));
    assert!(got == accept("multi_pairing", judge.pairing.multi_pairing(&pairs)), "pairs with infinity");
    pairs.truncate(1);
    pairs.push((-pairs[0].0, pairs[0].1));
    assert!(
        accept("multi_pairing", fast.pairing.multi_pairing(&pairs)) == E::Gt::ONE,
        "opposite pairs cancel"
    );
    if let Some(degenerate) = zero_miller_loop::<E>() {
        assert_eq!(E::multi_pairing(&[degenerate]), E::Gt::ZERO, "a value that no verifier accepts");
        pairs.push(degenerate);
        let fixed = FixedG2::<E>::new(degenerate.1);
        let refused = [
            fast.pairing.multi_pairing(&pairs),
            fast.pairing.multi_pairing_fixed(&pairs[..2], &[(degenerate.0, &fixed)]),
        ];
        for refused in refused {
            assert!(matches!(refused, Err(DeviceError::ZeroMillerLoop)), "a zero Miller loop is an error");
        }
    }
}

/// Coordinates that are not on the curves and whose Miller loop is zero, if 3b' is a square: the tangent of the first doubling
/// step at `Q = (0, √3b')` is `3b' - y² + 3x²·x_P - 2y·y_P`, which vanishes for `y_P = 0`.
fn zero_miller_loop<E: Pairing>() -> Option<(Affine<E::G1>, Affine<E::G2>)> {
    let b = <E::G2 as Curve>::B;
    let y = (b.double() + b).sqrt_vartime()?;
    let q = Affine::from_xy_unchecked(<E::G2 as Curve>::Base::ZERO, y);
    Some((Affine::from_xy_unchecked(E::Fq::ONE, E::Fq::ZERO), q))
}

fn fixed_pairings<E: Pairing>(fast: &Device<E>, judge: &Device<E>) {
    let mut pairs = pairs::<E>();
    pairs[1].0 = Affine::INFINITY;
    pairs[3].1 = Affine::INFINITY;
    let want = accept("multi_pairing", judge.pairing.multi_pairing(&pairs));
    // The second arguments are fixed from some index on, including infinity.
    let fixed: Vec<_> = pairs.iter().map(|(p, q)| (*p, FixedG2::<E>::new(*q))).collect();
    let fixed: Vec<_> = fixed.iter().map(|(p, q)| (*p, q)).collect();
    for n in 0..=pairs.len() {
        let mixed = accept("multi_pairing_fixed", fast.pairing.multi_pairing_fixed(&pairs[..n], &fixed[n..]));
        assert!(mixed == want, "multi_pairing_fixed with {n} of 5 plain");
    }
    let last = accept("multi_pairing_fixed", fast.pairing.multi_pairing_fixed(&[], &fixed[4..]));
    assert!(
        last == accept("multi_pairing", judge.pairing.multi_pairing(&pairs[4..])),
        "one fixed, none plain"
    );
    let none = accept("multi_pairing_fixed", fast.pairing.multi_pairing_fixed(&[], &[]));
    assert!(none == E::Gt::ONE, "the empty product");
}

fn refuse_leaves<T>(done: pairwright_device::Done<T>, n: usize) {
    match done {
        Err(DeviceError::NotATree { len, .. }) => assert_eq!(len, n, "the number is named"),
        _ => panic!("{n} leaves are refused as no tree's"),
    }
}

fn accept<T>(op: &str, done: pairwright_device::Done<T>) -> T {
    match done {
        Ok((value, _)) => value,
        Err(error) => panic!("{op}: {error}"),
    }
}

fn refuse_lengths<T>(done: pairwright_device::Done<T>) {
    let refused = matches!(done, Err(DeviceError::LengthMismatch { .. }));
    assert!(refused, "operands of different lengths are refused");
}
