use super::*;
use crate::program::Class;
use pairwright_field::{Field, PrimeField, Ring, Sqrt};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

/// `d` of the curve, as in arkworks' `curves/bls12_377`.
fn d() -> Fq {
    Fq::from_decimal(
        "122268283598675559488486339158635529096981886914877139579534153582033676785385790730042363341236035746924960903179",
    )
    .unwrap()
}

/// A point with a random x.
fn point(rng: &mut ChaCha20Rng) -> [Fq; 2] {
    loop {
        let x = Fq::random(rng);
        let y2 = (Fq::ONE + x.square()) * (Fq::ONE - d() * x.square()).invert().unwrap();
        if let Some(y) = y2.sqrt_vartime() {
            return [x, y];
        }
    }
}

/// The affine addition law.
fn sum([x1, y1]: [Fq; 2], [x2, y2]: [Fq; 2]) -> [Fq; 2] {
    let t = d() * x1 * x2 * y1 * y2;
    let x = (x1 * y2 + y1 * x2) * (Fq::ONE + t).invert().unwrap();
    let y = (y1 * y2 + x1 * x2) * (Fq::ONE - t).invert().unwrap();
    [x, y]
}

/// `(X, Y, T, Z)` of an affine point with a given Z.
fn extended([x, y]: [Fq; 2], z: Fq) -> [Fq; 4] {
    [x * z, y * z, x * y * z, z]
}

#[test]
fn sums_of_points_are_the_curves() {
    let k = d().double();
    let mut rng = ChaCha20Rng::seed_from_u64(960);
    let neutral = [Fq::ZERO, Fq::ONE];
    let pairs: Vec<_> = (0..4).map(|_| [point(&mut rng), point(&mut rng)]).collect();
    let mut cases = pairs.clone();
    let p = pairs[0][0];
    cases.extend([[p, p], [p, [-p[0], p[1]]], [p, neutral], [neutral, p], [neutral, neutral]]);
    for method in Method::all() {
        let (mixed, complete) = (padd(method, Form::Mixed), padd(method, Form::Complete { k }));
        for &[p, q] in &cases {
            let [z1, z2] = [Fq::random(&mut rng), Fq::random(&mut rng)];
            let first = extended(p, z1);
            let affine = extended(q, Fq::ONE);
            let second = [affine[0], affine[1], k * affine[2], affine[3]];
            let runs = [
                mixed.run(&operands(method, first, second)).unwrap(),
                complete.run(&operands(method, first, extended(q, z2))).unwrap(),
            ];
            for run in runs {
                let [x, y, t, z] = [0, 1, 2, 3].map(|i| run[i].residue());
                // A common factor, Montgomery's, leaves the point where it is.
                let over = z.invert().unwrap();
                assert_eq!([x * over, y * over], sum(p, q), "{method:?}");
                assert_eq!(t * z, x * y, "{method:?}");
            }
        }
    }
}

#[test]
fn operands_may_be_anything_in_their_ranges() {
    let m = modulus();
    for method in Method::all() {
        let program = padd(method, Form::Mixed);
        let most = program.inputs().iter().map(|i| Digits::from_integer(&i.value[1]).unwrap());
        let most: Vec<_> = most.collect();
        // The highest operands are all -1 modulo M.
        assert!(most.iter().all(|x| x.residue() == -Fq::ONE));
        let unit = match method.reduction {
            Reduction::Barrett => Fq::ONE,
            Reduction::Montgomery => {
                Digits::from_integer(&((BigInt::from(1) << NUMBER_BITS) % &m)).unwrap().residue()
            }
        };
        // A = B = C = D = 1/unit: E = F = 0, G = H = 2/unit.
        let two = unit.invert().unwrap().double();
        let results: Vec<_> = program.run(&most).unwrap().iter().map(Digits::residue).collect();
        assert_eq!(results, [Fq::ZERO, two.square() * unit.invert().unwrap(), Fq::ZERO, Fq::ZERO]);
    }
}

#[test]
fn an_addition_is_960_multiply_accumulates() {
    for method in Method::all() {
        let mixed = padd(method, Form::Mixed).pruned();
        let all: usize = mixed.counts().values().sum();
        println!("{method:?}: {all} operations (paper, single: 6466), {:?}", mixed.counts());
        assert_eq!(mixed.products(), 960);
        assert_eq!(padd(method, Form::Complete { k: Fq::ONE }).pruned().products(), 1080);
        assert_eq!(mixed.counts()[&Class::Store], 8);
        // Fewer operations than the paper's compiler came to.
        assert!(all < 6466);
    }
}
