//! Single pairings and products of pairings.

use crate::bound::ProductCount;
use crate::bridge::{self, ArkCurve};
use crate::operands::Operands;
use crate::peers::{self, rows_beside};
use crate::{Options, Row, Table, take_turns};
use blst::blst_fp12;
use pairwright_cpu::{Msm, Pairings};
use pairwright_curve::pairing::Family;
use pairwright_curve::{Curve, G1Affine, G2Affine, Pairing, bls12_381::Bls12_381};
use pairwright_device::{MsmOp, PairingOp};
use pairwright_field::{Extension, Field, PrimeField, Ring};
use pairwright_poly::Buf;
use std::time::Duration;

const BUDGET: Duration = Duration::from_secs(2);
/// Numbers of pairings in a product.
const COUNTS: [usize; 3] = [1, 4, 128];

fn pairs<E: Pairing>(n: usize) -> Vec<(G1Affine<E>, G2Affine<E>)> {
    let mut rng = bridge::rng(10);
    let mut random = || -> Buf<E::Fr> { (0..n).map(|_| E::Fr::random(&mut rng)).collect() };
    let (a, b) = (random(), random());
    let p = Msm::default().multiples(&<E::G1 as Curve>::GENERATOR, a.view()).expect("in memory").0.into_vec();
    let q = Msm::default().multiples(&<E::G2 as Curve>::GENERATOR, b.view()).expect("in memory").0.into_vec();
    p.into_iter().zip(q).collect()
}

fn ours<E: Pairing>(pairs: &[(G1Affine<E>, G2Affine<E>)]) -> E::Gt {
    PairingOp::<E>::multi_pairing(&Pairings, pairs).expect("in memory").0
}

fn name<E: Pairing>() -> String {
    format!("{} pairing", E::NAME)
}

/// Makes a row, with a bound if there are enough pairings for all lanes.
fn row<E: Family + Pairing>(n: usize, threads: usize, peer: &'static str, pair: &crate::Pair) -> Row {
    Row::new(name::<E>(), n.to_string(), threads, peer, pair, 1)
        .bounded((n >= 8).then(|| ProductCount::pairings::<E>(n, 0)))
}

/// Rows compared with arkworks.
pub fn against_arkworks<E: Family + Pairing, A: ArkCurve>(options: &Options, table: &mut Table) {
    if !options.wants(&name::<E>()) {
        return;
    }
    for n in COUNTS {
        let pairs = pairs::<E>(n);
        let (p, q): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
        let p = bridge::points_to_ark::<E::G1, A::G1Config>(&p);
        let q = bridge::points_to_ark::<E::G2, A::G2Config>(&q);
        let theirs = || A::multi_pairing(p.iter().copied(), q.iter().copied());
        let value = ours::<E>(&pairs);
        assert!(bridge::to_ark::<E::Gt, A::TargetField>(&value) == theirs().0, "the same value");
        for (threads, pool) in options.pools() {
            let pair =
                pool.install(|| take_turns(BUDGET, || (), |()| ours::<E>(&pairs), || (), |()| theirs()));
            table.push(row::<E>(n, threads, "arkworks", &pair));
        }
    }
}

/// Rows compared with gnark-crypto, on the same points; it checks that its value equals ours. Its Miller loops are divided among
/// threads by our program, since its function for products uses one thread.
pub fn against_gnark<E: Family + Pairing>(options: &Options, table: &mut Table) {
    if !options.wants(&name::<E>()) || peers::go().is_none() {
        return;
    }
    for n in COUNTS {
        let pairs = pairs::<E>(n);
        let peer = Operands::new(n)
            .points(pairs.iter().map(|(p, _)| p))
            .points(pairs.iter().map(|(_, q)| q))
            .elements([&ours::<E>(&pairs)])
            .gnark(E::NAME, "pairing");
        let row = |threads, peer, pair: &_| row::<E>(n, threads, peer, pair);
        rows_beside(peer, (options, table), BUDGET, || (), |()| ours::<E>(&pairs), row);
    }
}

/// Rows compared with blst: on one thread by its accumulator, on all cores by its own threads; other numbers of threads are left out.
pub fn against_blst(options: &Options, table: &mut Table) {
    if !options.wants(&name::<Bls12_381>()) {
        return;
    }
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    for n in COUNTS {
        let pairs = pairs::<Bls12_381>(n);
        let p: Vec<_> = pairs.iter().map(|(p, _)| bridge::point_to_blst(p)).collect();
        let q: Vec<_> = pairs.iter().map(|(_, q)| bridge::point2_to_blst(q)).collect();
        let on_all = || blst_fp12::miller_loop_n(&q, &p).final_exp();
        // blst's accumulator shares one loop among eight pairs.
        let on_one = || {
            let mut product = blst::Pairing::new(true, &[]);
            p.iter().zip(&q).for_each(|(p, q)| product.raw_aggregate(q, p));
            product.commit();
            product.as_fp12().final_exp()
        };
        // blst's value equals ours or its cube; equality is checked up to that.
        let value = ours::<Bls12_381>(&pairs);
        let cube = value.square() * value;
        for theirs in [on_one(), on_all()] {
            let same = |x: &<Bls12_381 as Pairing>::Gt| {
                (0..12).all(|i| {
                    // Coordinate i of ours is coefficient (i/6, i/2 % 3, i % 2) of the tower.
                    x.coord(i).to_montgomery() == theirs.fp6[i / 6].fp2[i / 2 % 3].fp[i % 2].l
                })
            };
            assert!(same(&value) || same(&cube), "the same value");
        }
        for (threads, pool) in options.pools() {
            if threads == 1 || threads == all {
                let theirs = |()| if threads == 1 { on_one() } else { on_all() };
                let ours = |()| ours::<Bls12_381>(&pairs);
                let pair = pool.install(|| take_turns(BUDGET, || (), ours, || (), theirs));
                table.push(row::<Bls12_381>(n, threads, "blst", &pair));
            }
        }
    }
}
