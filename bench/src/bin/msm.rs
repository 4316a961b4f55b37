//! Multi-scalar multiplication: uniform scalars, distinct points of the subgroup.

use ark_ec::VariableBaseMSM;
use ark_ec::short_weierstrass::{Projective, SWCurveConfig};
use pairwright_bench::{Options, Row, Table, bridge, take_turns};
use pairwright_cpu::Msm;
use pairwright_curve::{Curve, bls12_377, bls12_381, bn254};
use pairwright_device::MsmOp;
use pairwright_field::Field;
use pairwright_poly::Buf;
use std::time::Duration;

const BUDGET: Duration = Duration::from_secs(4);

struct Inputs<C: Curve> {
    bases: Buf<pairwright_curve::Affine<C>>,
    scalars: Buf<C::Scalar>,
}

fn inputs<C: Curve>(n: usize) -> Inputs<C> {
    let mut rng = bridge::rng(7);
    let mut random = || -> Buf<C::Scalar> { (0..n).map(|_| C::Scalar::random(&mut rng)).collect() };
    let (logs, scalars) = (random(), random());
    Inputs { bases: Msm.multiples(&C::GENERATOR, logs.view()).expect("in memory").0, scalars }
}

fn against_arkworks<C: Curve, A: SWCurveConfig>(options: &Options, table: &mut Table, sizes: &[u32]) {
    if !options.wants(C::NAME) {
        return;
    }
    for log_n in options.sizes_or(sizes) {
        let Inputs { bases, scalars } = inputs::<C>(1 << log_n);
        let ark_bases = bridge::points_to_ark::<C, A>(&bases);
        let ark_scalars = bridge::primes_to_ark::<C::Scalar, A::ScalarField>(&scalars);
        // A buffer of its own for every turn: what a buffer was packed to once is not packed again.
        let fresh = || Buf::from(scalars.to_vec());
        let ours =
            |scalars: Buf<_>| MsmOp::<C>::msm(&Msm, bases.view(), scalars.view()).expect("equal lengths").0;
        let theirs = || Projective::<A>::msm_unchecked(&ark_bases, &ark_scalars);
        assert!(bridge::same_point::<C, A>(&ours(fresh()), theirs().into()), "the same sum");
        for (threads, pool) in options.pools() {
            let pair = pool.install(|| take_turns(BUDGET, fresh, ours, || (), |()| theirs()));
            table.push(Row::new(C::NAME, format!("2^{log_n}"), threads, "arkworks", &pair, 1));
        }
    }
}

/// blst takes all cores by itself: compared at as many threads only.
fn against_blst(options: &Options, table: &mut Table) {
    use blst::{MultiPoint, blst_p1, blst_p1_affine};
    use pairwright_field::PrimeField;
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    if !options.wants("BLS12-381 G1") || !options.threads.contains(&all) {
        return;
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(all).build().expect("a pool");
    for log_n in options.sizes_or(&[12, 16, 20]) {
        let Inputs { bases, scalars } = inputs::<bls12_381::G1>(1 << log_n);
        let points: Vec<blst_p1_affine> = bases
            .iter()
            .map(|p| {
                let mut q = blst_p1_affine::default();
                (q.x.l, q.y.l) = (p.x.to_montgomery(), p.y.to_montgomery());
                q
            })
            .collect();
        let mut bytes = vec![0; 32 * scalars.len()];
        bytes.chunks_exact_mut(32).zip(scalars.iter()).for_each(|(b, s)| s.write_le(b));
        let fresh = || Buf::from(scalars.to_vec());
        let ours = |scalars: Buf<_>| {
            MsmOp::<bls12_381::G1>::msm(&Msm, bases.view(), scalars.view()).expect("equal lengths").0
        };
        let theirs = || -> blst_p1 { points.as_slice().mult(&bytes, 255) };
        let (p, q) = (ours(fresh()), theirs());
        let coordinate = |l| <bls12_381::G1 as Curve>::Base::from_montgomery(l).expect("reduced");
        let q = pairwright_curve::Jacobian::<bls12_381::G1> {
            x: coordinate(q.x.l),
            y: coordinate(q.y.l),
            z: coordinate(q.z.l),
        };
        assert!(p.to_affine() == q.to_affine(), "the same sum");
        let pair = pool.install(|| take_turns(BUDGET, fresh, ours, || (), |()| theirs()));
        table.push(Row::new("BLS12-381 G1", format!("2^{log_n}"), all, "blst", &pair, 1));
    }
}

fn against_halo2curves(options: &Options, table: &mut Table) {
    use halo2curves::CurveAffine;
    use halo2curves::bn256::{Fq, Fr, G1Affine};
    use halo2curves::ff::PrimeField as _;
    use pairwright_field::PrimeField;
    if !options.wants("BN254 G1") {
        return;
    }
    for log_n in options.sizes_or(&[12, 16, 18]) {
        let Inputs { bases, scalars } = inputs::<bn254::G1>(1 << log_n);
        let coordinate = |x: &bn254::Fq| {
            let mut bytes = [0; 32];
            x.write_le(&mut bytes);
            Fq::from_repr(bytes.into()).expect("reduced")
        };
        let points: Vec<G1Affine> = bases
            .iter()
            .map(|p| G1Affine::from_xy(coordinate(&p.x), coordinate(&p.y)).expect("a point"))
            .collect();
        let coefficients: Vec<Fr> = scalars
            .iter()
            .map(|s| {
                let mut bytes = [0; 32];
                s.write_le(&mut bytes);
                Fr::from_repr(bytes.into()).expect("reduced")
            })
            .collect();
        let fresh = || Buf::from(scalars.to_vec());
        let ours = |scalars: Buf<_>| {
            MsmOp::<bn254::G1>::msm(&Msm, bases.view(), scalars.view()).expect("equal lengths").0
        };
        let theirs = || halo2curves::msm::msm_best(&coefficients, &points);
        let theirs_affine: G1Affine = theirs().into();
        let p = ours(fresh()).to_affine();
        assert!(theirs_affine == G1Affine::from_xy(coordinate(&p.x), coordinate(&p.y)).expect("a point"));
        for (threads, pool) in options.pools() {
            let pair = pool.install(|| take_turns(BUDGET, fresh, ours, || (), |()| theirs()));
            table.push(Row::new("BN254 G1", format!("2^{log_n}"), threads, "halo2curves", &pair, 1));
        }
    }
}

fn main() {
    let options = Options::from_args();
    let mut table = Table::new("msm", &options);
    let g1 = [8, 12, 16, 20];
    let g2 = [8, 12, 16, 18];
    against_arkworks::<bn254::G1, ark_bn254::g1::Config>(&options, &mut table, &g1);
    against_arkworks::<bls12_381::G1, ark_bls12_381::g1::Config>(&options, &mut table, &g1);
    against_arkworks::<bls12_377::G1, ark_bls12_377::g1::Config>(&options, &mut table, &g1);
    against_arkworks::<bn254::G2, ark_bn254::g2::Config>(&options, &mut table, &g2);
    against_arkworks::<bls12_381::G2, ark_bls12_381::g2::Config>(&options, &mut table, &g2);
    against_arkworks::<bls12_377::G2, ark_bls12_377::g2::Config>(&options, &mut table, &g2);
    against_blst(&options, &mut table);
    against_halo2curves(&options, &mut table);
    table.finish(&options);
}
