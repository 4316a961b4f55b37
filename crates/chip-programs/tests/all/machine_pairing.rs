//! The whole pairing on the modelled machine, under several designs, against the host.

use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::Options;
use pairwright_chip::machine::{Row, Run};
use pairwright_chip_programs::{Chain, Program, pairing};
use pairwright_curve::bls12_381::{Bls12_381, Fq, Fr, G1, G2};
use pairwright_curve::{Affine, Curve, Pairing, Projective};
use pairwright_field::Field;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

fn random<C: Curve<Scalar = Fr>>(rng: &mut ChaCha8Rng) -> Affine<C> {
    Projective::<C>::generator().mul(&Fr::random(rng)).to_affine()
}

/// Runs a pairing of random points, compares it with the host's, and returns the account of the run.
fn run(program: Program<Fq>, seed: u64) -> Run {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (p, q) = (random::<G1>(&mut rng), random::<G2>(&mut rng));
    let base = |x| Row::new(x, Fq::ZERO);
    let inputs = vec![("p", vec![base(p.x), base(p.y)]), ("q", vec![q.x, q.y])];
    let name = program.spec.name.clone();
    let (bank, runs) = Chain::from(program).run(&inputs, 1_000_000).unwrap_or_else(|e| panic!("{name}: {e}"));
    let e = Bls12_381::pairing(&p, &q);
    let host = [e.c0.c0, e.c0.c1, e.c0.c2, e.c1.c0, e.c1.c1, e.c1.c2];
    assert_eq!(bank.get::<6>("result").expect("six rows"), host, "{name}");
    let [run] = &runs[..] else { panic!("a pairing is one program") };
    let classes = &run.by_class;
    let sum =
        classes.dispatch + classes.fill + classes.issue + classes.inversion + classes.drain + classes.switch;
    assert_eq!(run.cycles, sum, "{name}");
    let in_routines: u64 = run.routines.iter().map(|r| r.cycles).sum();
    assert!(in_routines >= classes.fill + classes.issue + classes.inversion + classes.drain);
    assert_eq!(run.slots, run.bubbles + run.issued.total() - run.bundles);
    assert_eq!(run.inversions, 1);
    run.clone()
}

fn quick() -> Options {
    Options { seeds: 4, ..Options::default() }
}

#[test]
fn the_published_division_on_the_published_design() {
    let spec = MachineSpec::paper();
    let run = run(pairing::published(&spec, &quick()).expect("it fits"), 1);
    // The paper prints 55.9 K cycles. This test tries few seeds.
    assert!((50_000..60_000).contains(&run.cycles), "{} cycles", run.cycles);
    assert_eq!(run.issued.inv, 1);
}

#[test]
fn the_published_division_with_few_additions() {
    let spec = MachineSpec::paper();
    let host = run(pairing::published(&spec, &quick()).expect("it fits"), 5);
    let few_additions = run(pairing::published_few_additions(&spec, &quick()).expect("it fits"), 5);
    assert!(few_additions.issued.mm > host.issued.mm && few_additions.issued.arith < host.issued.arith);
    assert!(few_additions.cycles < host.cycles);
}

#[test]
fn values_do_not_depend_on_the_design() {
    let best = MachineSpec::best();
    for changes in [
        &[][..],
        &[("issue.width", "1"), ("forwarding.path1", "false"), ("forwarding.path2", "false")],
        &[("mm.style", "iterative"), ("mm.latency", "6"), ("switcher.rows_per_cycle", "3")],
        &[("mm.latency", "24"), ("inversion.interval", "24"), ("arith.latency", "2"), ("mm.ii", "2")],
        &[("inversion.chain", "binary"), ("control.dispatch", "3"), ("control.fill", "4")],
    ] {
        let spec =
            changes.iter().fold(best.clone(), |s, (path, value)| s.with(path, value).expect("a design"));
        run(pairing::published(&spec, &quick()).unwrap_or_else(|e| panic!("{changes:?}: {e}")), 2);
    }
    run(pairing::resident(&best, &quick()).expect("it fits"), 3);
    let repeating = best.with("control.repeat", "true").expect("a design");
    run(pairing::resident(&repeating, &quick()).expect("it fits"), 4);
}
