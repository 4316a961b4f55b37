//! Multi-scalar multiplication of distinct points of the subgroup with uniform scalars.

use crate::bound::ProductCount;
use crate::operands::Operands;
use crate::peers::{self, rows_beside};
use crate::{Options, Row, Table, blst_calls, bridge, take_turns};
use ark_ec::VariableBaseMSM;
use ark_ec::short_weierstrass::{Projective, SWCurveConfig};
use pairwright_cpu::{Msm, precompute};
use pairwright_curve::{Affine, Curve, Jacobian, bls12_381, bn254};
use pairwright_device::MsmOp;
use pairwright_field::{Field, PrimeField};
use pairwright_poly::{Buf, Pages};
use std::time::Duration;

const BUDGET: Duration = Duration::from_secs(4);

struct Inputs<C: Curve> {
    /// The bases, in large pages as provers read keys.
    bases: Buf<Affine<C>>,
    scalars: Buf<C::Scalar>,
}

impl<C: Curve> Inputs<C> {
    fn new(n: usize) -> Self {
        let mut rng = bridge::rng(7);
        let mut random = || -> Buf<C::Scalar> { (0..n).map(|_| C::Scalar::random(&mut rng)).collect() };
        let (logs, scalars) = (random(), random());
        let (points, _) = Msm::default().multiples(&C::GENERATOR, logs.view()).expect("in memory");
        Self { bases: Pages::from(&points[..]).into(), scalars }
    }

    /// The scalars in a new buffer for every turn, because a buffer keeps its packed copy and would not be packed again.
    fn fresh(&self) -> Buf<C::Scalar> {
        Buf::from(self.scalars.to_vec())
    }

    fn ours(&self, scalars: Buf<C::Scalar>) -> Jacobian<C> {
        MsmOp::<C>::msm(&Msm::default(), self.bases.view(), scalars.view()).expect("equal lengths").0
    }

    fn row(&self, log: u32, threads: usize, peer: &'static str, pair: &crate::Pair) -> Row {
        let products = ProductCount::msm::<C>(1 << log, C::Scalar::BITS);
        Row::new(name::<C>(), format!("2^{log}"), threads, peer, pair, 1).bounded(products)
    }
}

fn name<C: Curve>() -> String {
    format!("{} msm", C::NAME)
}

/// Rows compared with arkworks.
pub fn against_arkworks<C: Curve, A: SWCurveConfig>(options: &Options, table: &mut Table, sizes: &[u32]) {
    if !options.wants(&name::<C>()) {
        return;
    }
    for log in options.sizes_or(sizes) {
        let inputs = Inputs::<C>::new(1 << log);
        let bases = bridge::points_to_ark::<C, A>(&inputs.bases);
        let scalars = bridge::primes_to_ark::<C::Scalar, A::ScalarField>(&inputs.scalars);
        let theirs = || Projective::<A>::msm_unchecked(&bases, &scalars);
        assert!(bridge::same_point::<C, A>(&inputs.ours(inputs.fresh()), theirs().into()), "the same sum");
        for (threads, pool) in options.pools() {
            let ours = |scalars| inputs.ours(scalars);
            let pair = pool.install(|| take_turns(BUDGET, || inputs.fresh(), ours, || (), |()| theirs()));
            table.push(inputs.row(log, threads, "arkworks", &pair));
        }
    }
}

/// Rows compared with gnark-crypto, on the same points and scalars; it checks that its sum equals ours.
pub fn against_gnark<C: Curve>(options: &Options, table: &mut Table, sizes: &[u32]) {
    let (Some((curve, group)), true, Some(_)) =
        (C::NAME.rsplit_once(' '), options.wants(&name::<C>()), peers::go())
    else {
        return;
    };
    for log in options.sizes_or(sizes) {
        let inputs = Inputs::<C>::new(1 << log);
        let peer = Operands::new(1 << log)
            .points(inputs.bases.iter())
            .scalars(inputs.scalars.iter())
            .points([&inputs.ours(inputs.fresh()).to_affine()])
            .gnark(curve, &format!("msm-{}", group.to_lowercase()));
        let ours = |scalars| inputs.ours(scalars);
        let row = |threads, peer, pair: &_| inputs.row(log, threads, peer, pair);
        rows_beside(peer, (options, table), BUDGET, || inputs.fresh(), ours, row);
    }
}

/// Rows that compare sums with precomputed multiples of the bases, at most `mosts` of each base, with sums without them.
pub fn with_multiples<C: Curve>(options: &Options, table: &mut Table, sizes: &[u32], mosts: &[usize]) {
    let named = |copies| format!("{}, {copies} multiples", name::<C>());
    if !options.wants(&named(0)) {
        return;
    }
    for log in options.sizes_or(sizes) {
        let plain = Inputs::<C>::new(1 << log);
        for most in mosts {
            let bases = Pages::from(&plain.bases[..]).into();
            let over = Inputs { bases, scalars: plain.scalars.clone() };
            let Some(made) = precompute(&over.bases, *most).expect("in memory") else { continue };
            assert!(
                plain.ours(plain.fresh()).to_affine() == over.ours(over.fresh()).to_affine(),
                "the same sum"
            );
            for (threads, pool) in options.pools() {
                let ours = |scalars| over.ours(scalars);
                let theirs = |scalars| plain.ours(scalars);
                let pair =
                    pool.install(|| take_turns(BUDGET, || over.fresh(), ours, || plain.fresh(), theirs));
                table.push(Row::new(
                    named(made.copies),
                    format!("2^{log}"),
                    threads,
                    "no multiples",
                    &pair,
                    1,
                ));
            }
        }
    }
}

/// Rows compared with blst: on one thread by its single-threaded function, on all cores by its own threads; other numbers of threads
/// are left out.
pub fn against_blst(options: &Options, table: &mut Table, sizes: &[u32]) {
    use blst::{MultiPoint, blst_p1, blst_p1_affine};
    if !options.wants(&name::<bls12_381::G1>()) {
        return;
    }
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    for log in options.sizes_or(sizes) {
        let inputs = Inputs::<bls12_381::G1>::new(1 << log);
        let points: Vec<blst_p1_affine> = inputs.bases.iter().map(bridge::point_to_blst).collect();
        let mut bytes = vec![0; 32 * inputs.scalars.len()];
        bytes.chunks_exact_mut(32).zip(inputs.scalars.iter()).for_each(|(b, s)| s.write_le(b));
        let on_all = || -> blst_p1 { points.as_slice().mult(&bytes, 255) };
        let on_one = || blst_calls::msm_on_one_thread(&points, &bytes);
        let coordinate = |l| <bls12_381::G1 as Curve>::Base::from_montgomery(l).expect("reduced");
        for q in [on_one(), on_all()] {
            let [x, y, z] = [q.x.l, q.y.l, q.z.l].map(coordinate);
            let q = Jacobian::<bls12_381::G1> { x, y, z };
            assert!(inputs.ours(inputs.fresh()).to_affine() == q.to_affine(), "the same sum");
        }
        for (threads, pool) in options.pools() {
            let theirs = |()| if threads == 1 { on_one() } else { on_all() };
            if threads == 1 || threads == all {
                let ours = |scalars| inputs.ours(scalars);
                let pair = pool.install(|| take_turns(BUDGET, || inputs.fresh(), ours, || (), theirs));
                table.push(inputs.row(log, threads, "blst", &pair));
            }
        }
    }
}

/// Rows compared with halo2curves.
pub fn against_halo2curves(options: &Options, table: &mut Table, sizes: &[u32]) {
    use halo2curves::CurveAffine;
    use halo2curves::bn256::{Fq, Fr, G1Affine};
    use halo2curves::ff::PrimeField as _;
    if !options.wants(&name::<bn254::G1>()) {
        return;
    }
    for log in options.sizes_or(sizes) {
        let inputs = Inputs::<bn254::G1>::new(1 << log);
        let coordinate = |x: &bn254::Fq| {
            let mut bytes = [0; 32];
            x.write_le(&mut bytes);
            Fq::from_repr(bytes.into()).expect("reduced")
        };
        let point =
            |p: &Affine<bn254::G1>| G1Affine::from_xy(coordinate(&p.x), coordinate(&p.y)).expect("a point");
        let points: Vec<G1Affine> = inputs.bases.iter().map(point).collect();
        let coefficients: Vec<Fr> = inputs
            .scalars
            .iter()
            .map(|s| {
                let mut bytes = [0; 32];
                s.write_le(&mut bytes);
                Fr::from_repr(bytes.into()).expect("reduced")
            })
            .collect();
        let theirs = || halo2curves::msm::msm_best(&coefficients, &points);
        let sum: G1Affine = theirs().into();
        assert!(sum == point(&inputs.ours(inputs.fresh()).to_affine()), "the same sum");
        for (threads, pool) in options.pools() {
            let ours = |scalars| inputs.ours(scalars);
            let pair = pool.install(|| take_turns(BUDGET, || inputs.fresh(), ours, || (), |()| theirs()));
            table.push(inputs.row(log, threads, "halo2curves", &pair));
        }
    }
}
