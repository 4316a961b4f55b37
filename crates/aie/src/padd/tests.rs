use super::*;
use crate::modmul::tests::products_of;
use crate::program::{Class, ValueKind};
use crate::ranges::analyse;
use pairwright_curve::bls12_377::Fr;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

#[test]
fn sums_of_points_are_the_curves() {
    let mut rng = ChaCha20Rng::seed_from_u64(960);
    let mut some = || Point::generator().mul(&Fr::random(&mut rng));
    let mut cases: Vec<_> = (0..4).map(|_| [some(), some()]).collect();
    let (p, neutral) = (cases[0][0], Point::IDENTITY);
    cases.extend([[p, p], [p, -p], [p, neutral], [neutral, p], [neutral, neutral]]);
    for method in Method::valid() {
        let [mixed, complete] = Form::ALL.map(|form| padd(method, form));
        let late = Form::ALL.map(|form| padd_deferring(method, form));
        let (seven, spread) = (padd_seven_products(method), padd_spreading(method, Form::Mixed));
        for program in late.iter().chain([&seven, &spread]) {
            analyse(program).unwrap();
        }
        for [p, q] in &cases {
            let affine = q.to_triple().unwrap();
            let runs = [
                mixed.run(&mixed_operands(method, p, &affine)).unwrap(),
                complete.run(&complete_operands(method, p, q)).unwrap(),
                late[0].run(&mixed_operands(method, p, &affine)).unwrap(),
                late[1].run(&complete_operands(method, p, q)).unwrap(),
                spread.run(&mixed_operands(method, p, &affine)).unwrap(),
                seven.run(&seven_product_operands(method, p, &affine)).unwrap(),
            ];
            for run in runs {
                let sum = point_in(method.layout(), &run.try_into().unwrap()).expect("on the curve");
                assert_eq!(sum, *p + *q, "{method:?}");
            }
        }
    }
}

#[test]
fn operands_may_be_anything_in_their_ranges() {
    let m = modulus();
    for method in Method::valid() {
        let program = padd(method, Form::Mixed);
        let layout = method.layout();
        let most: Vec<_> = program.inputs().iter().map(|i| i.greatest().unwrap()).collect();
        // The greatest operands are all -1 modulo M.
        assert!(most.iter().all(|x| layout.residue(x) == -Fq::ONE));
        let unit = BigInt::from(1) << method.scale_log2().unsigned_abs();
        let unit = layout.residue(&layout.split(&(unit % &m)).unwrap());
        // A = B = C = D = 1/unit: E = F = 0, G = H = 2/unit.
        let two = unit.invert().unwrap().double();
        let results: Vec<_> = program.run(&most).unwrap().iter().map(|x| layout.residue(x)).collect();
        assert_eq!(results, [Fq::ZERO, two.square() * unit.invert().unwrap(), Fq::ZERO, Fq::ZERO]);
    }
}

#[test]
fn an_addition_is_960_multiply_accumulates() {
    for method in Method::valid() {
        let mixed = padd(method, Form::Mixed).pruned();
        let all: usize = mixed.counts().values().sum();
        println!("{method:?}: {all} operations (paper, single: 6466), {:?}", mixed.counts());
        let each = products_of(method.product);
        assert_eq!(mixed.products(), 8 * each);
        assert_eq!(padd(method, Form::Complete).pruned().products(), 9 * each);
        assert_eq!(padd_seven_products(method).pruned().products(), 7 * each);
        assert_eq!(mixed.counts()[&Class::Store(ValueKind::Vector)], 8);
        // There are fewer operations than the paper's compiler produced.
        assert!(all < 6466);
    }
}
