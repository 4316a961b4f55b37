//! Pairings, alone and in products.

use ark_ec::pairing::Pairing as ArkPairing;
use ark_ec::short_weierstrass::{Affine as ArkAffine, SWCurveConfig};
use pairwright_bench::{Options, Row, Table, bridge, take_turns};
use pairwright_cpu::{Msm, Pairings};
use pairwright_curve::{
    Curve, G1Affine, G2Affine, Pairing, bls12_377::Bls12_377, bls12_381::Bls12_381, bn254::Bn254,
};
use pairwright_device::{MsmOp, PairingOp};
use pairwright_field::{Extension, Field, PrimeField, Ring};
use pairwright_poly::Buf;
use std::time::Duration;

const BUDGET: Duration = Duration::from_secs(2);

fn pairs<E: Pairing>(n: usize) -> Vec<(G1Affine<E>, G2Affine<E>)> {
    let mut rng = bridge::rng(10);
    let mut random = || -> Buf<E::Fr> { (0..n).map(|_| E::Fr::random(&mut rng)).collect() };
    let (a, b) = (random(), random());
    let p = Msm.multiples(&<E::G1 as Curve>::GENERATOR, a.view()).expect("in memory").0.into_vec();
    let q = Msm.multiples(&<E::G2 as Curve>::GENERATOR, b.view()).expect("in memory").0.into_vec();
    p.into_iter().zip(q).collect()
}

fn against_arkworks<E, A, C1, C2>(options: &Options, table: &mut Table)
where
    E: Pairing,
    A: ArkPairing<G1Affine = ArkAffine<C1>, G2Affine = ArkAffine<C2>>,
    C1: SWCurveConfig,
    C2: SWCurveConfig,
{
    if !options.wants(E::NAME) {
        return;
    }
    for n in [1, 4, 128] {
        let pairs = pairs::<E>(n);
        let (p, q): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
        let p = bridge::points_to_ark::<E::G1, C1>(&p);
        let q = bridge::points_to_ark::<E::G2, C2>(&q);
        let ours = || PairingOp::<E>::multi_pairing(&Pairings, &pairs).expect("in memory").0;
        let theirs = || A::multi_pairing(p.iter().copied(), q.iter().copied());
        assert!(bridge::to_ark::<E::Gt, A::TargetField>(&ours()) == theirs().0, "the same value");
        for (threads, pool) in options.pools() {
            let pair = pool.install(|| take_turns(BUDGET, || (), |()| ours(), || (), |()| theirs()));
            table.push(Row::new(
                format!("{} pairing", E::NAME),
                n.to_string(),
                threads,
                "arkworks",
                &pair,
                1,
            ));
        }
    }
}

fn against_blst(options: &Options, table: &mut Table) {
    use blst::{blst_fp12, blst_p1_affine, blst_p2_affine};
    if !options.wants("BLS12-381") {
        return;
    }
    for n in [1, 4, 128] {
        let pairs = pairs::<Bls12_381>(n);
        let (mut p, mut q) = (Vec::new(), Vec::new());
        for (ours1, ours2) in &pairs {
            let mut point = blst_p1_affine::default();
            (point.x.l, point.y.l) = (ours1.x.to_montgomery(), ours1.y.to_montgomery());
            p.push(point);
            let mut point = blst_p2_affine::default();
            for i in 0..2 {
                point.x.fp[i].l = ours2.x.coord(i).to_montgomery();
                point.y.fp[i].l = ours2.y.coord(i).to_montgomery();
            }
            q.push(point);
        }
        let ours = || PairingOp::<Bls12_381>::multi_pairing(&Pairings, &pairs).expect("in memory").0;
        let theirs = || blst_fp12::miller_loop_n(&q, &p).final_exp();
        // blst's value is the cube of arkworks' and ours, or the value itself: equality is checked up to that.
        let (one, cube) = (theirs(), ours().square() * ours());
        let same = |x: &<Bls12_381 as Pairing>::Gt| {
            (0..12).all(|i| {
                // Coordinate i of ours is coefficient (i/6, i/2 % 3, i % 2) of the tower.
                x.coord(i).to_montgomery() == one.coordinate(i)
            })
        };
        assert!(same(&ours()) || same(&cube), "the same value");
        for (threads, pool) in options.pools() {
            // blst's loop over many pairs runs on its own threads: comparable alone, or with all cores.
            let all = std::thread::available_parallelism().map_or(1, usize::from);
            if n > 1 && threads != all {
                continue;
            }
            let pair = pool.install(|| take_turns(BUDGET, || (), |()| ours(), || (), |()| theirs()));
            table.push(Row::new("BLS12-381 pairing", n.to_string(), threads, "blst", &pair, 1));
        }
    }
}

/// Coordinates of blst's target field in the order of ours.
trait Coordinates {
    fn coordinate(&self, i: usize) -> [u64; 6];
}
impl Coordinates for blst::blst_fp12 {
    fn coordinate(&self, i: usize) -> [u64; 6] {
        self.fp6[i / 6].fp2[i / 2 % 3].fp[i % 2].l
    }
}

fn main() {
    let options = Options::from_args();
    let mut table = Table::new("pairing", &options);
    use ark_bls12_377 as b377;
    use ark_bls12_381 as b381;
    use ark_bn254 as b254;
    against_arkworks::<Bn254, b254::Bn254, b254::g1::Config, b254::g2::Config>(&options, &mut table);
    against_arkworks::<Bls12_381, b381::Bls12_381, b381::g1::Config, b381::g2::Config>(&options, &mut table);
    against_arkworks::<Bls12_377, b377::Bls12_377, b377::g1::Config, b377::g2::Config>(&options, &mut table);
    against_blst(&options, &mut table);
    table.finish(&options);
}
