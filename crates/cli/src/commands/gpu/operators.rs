//! Measurements of operators and proofs on a CUDA device and on this computer, with the same operands and with results compared.

use super::lines::Section;
use super::predict::NO_HALVINGS;
use super::spent::{
    Spent, both, bounded, digest, line, median, milliseconds_of, of, random, same, slots_of, timed,
};
use super::sumchecks;
use crate::failure::Failure;
use pairwright::Boards;
use pairwright::curve::{Affine, Curve, Jacobian};
use pairwright::device::{Cost, Device, Direction, MsmOp, Record, Session};
use pairwright::field::{Extension, Field, PrimeField};
use pairwright::gpu::model::PRODUCTS_OF_ADDITION;
use pairwright::gpu::report::Line;
use pairwright::gpu::{self, Msm, Setup, Workshop};
use pairwright::hash::Poseidon;
use pairwright::poly::{Buf, Domain};
use pairwright::protocols::groth16::{Proof, ProvingKey, prove, setup_local, verify};
use pairwright::protocols::r1cs::{Constraint, R1cs, Shape};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Number of points with known logarithms, which are repeated to make the bases: so many that equal points seldom meet in a bucket.
const DISTINCT: usize = 1 << 16;

/// The name of the kind of scalars for which a bound is computed from the number of additions.
const UNIFORM: &str = "uniform scalars";

/// log2 of the sizes of operators and MSMs.
const SIZES: [u32; 6] = [12, 16, 18, 20, 22, 24];

/// The logarithms of a list that are at most `most`; `most` alone, if all are larger.
fn sizes(list: &[u32], most: u32) -> Vec<u32> {
    let some: Vec<u32> = list.iter().copied().filter(|log_n| *log_n <= most).collect();
    if some.is_empty() { vec![most] } else { some }
}

/// Measures transforms, rounds of sumchecks, trees and polynomials over the scalar field of a curve.
pub(super) fn vectors<E: Boards>(setup: &Setup, most: u32, into: &mut Section<'_>) -> Result<(), Failure> {
    let host = E::host();
    let board = gpu::board::<E>(setup.clone(), E::host())?;
    let name = E::G1::NAME.trim_end_matches(" G1").to_owned();
    for log_n in sizes(&SIZES, most.max(1)) {
        let n = 1usize << log_n;
        into.line(&format!("{name} ntt"), Some(log_n), || transform(setup, &board, &host, log_n));
        // A report limited to small sizes includes every operator.
        let small = log_n < SIZES[0];
        if !small && !(16..=22).contains(&log_n) {
            continue;
        }
        into.lines(&format!("{name} sumcheck, e (a b - c)"), || {
            sumchecks::lines(setup, &board, &host, &name, log_n)
        });
        let leaves = Buf::from(random::<E::Fr>(n, 5));
        into.line(&format!("{name} vector product"), Some(log_n), || {
            let factors = random::<E::Fr>(n, 6);
            let run = |on: &Device<E>| {
                let mut products = Buf::from(factors.clone());
                let ((), cost) = on.vec.mul(&mut products, leaves.view())?;
                Ok((products, cost))
            };
            both(n, "element", || run(&host), || run(&board))
        });
        into.line(&format!("{name} product tree"), Some(log_n), || {
            let run = |on: &Device<E>| on.tree.product(leaves.view());
            both(n, "leaf", || run(&host), || run(&board))
        });
        into.line(&format!("{name} evaluation"), Some(log_n), || {
            let x = E::Fr::from(0x1234_5678_9abc_def1);
            let run = |on: &Device<E>| on.poly.evaluate(leaves.view(), &x);
            both(n, "coefficient", || run(&host), || run(&board))
        });
        if small || log_n % 4 == 0 {
            into.line(&format!("{name} Poseidon tree"), Some(log_n), || {
                let hash = Poseidon::new();
                let run = |on: &Device<E>| on.hash.poseidon_root(&hash, leaves.view());
                both(n, "leaf", || run(&host), || run(&board))
            });
        }
        into.line("SHA3-256 tree", Some(log_n), || {
            let leaves = Buf::from((0..n).map(digest).collect::<Vec<_>>());
            let run = |on: &Device<E>| on.tree.sha3_root(leaves.view());
            both(n, "leaf", || run(&host), || run(&board))
        });
    }
    Ok(())
}

fn transform<E: Boards>(
    setup: &Setup,
    board: &Device<E>,
    host: &Device<E>,
    log_n: u32,
) -> Result<Line, Failure> {
    let n = 1usize << log_n;
    let domain = Domain::<E::Fr>::new(log_n).map_err(Failure::bad)?;
    let values = random::<E::Fr>(n, 1);
    let mut expected = Buf::from(values.clone());
    let (_, time) = timed(|| host.ntt.ntt(&domain, Direction::Forward, None, &mut expected))?;
    let mut data = Buf::from(values.clone());
    board.ntt.ntt(&domain, Direction::Forward, None, &mut data)?;
    same(&data.host().map_err(Failure::bad)?, &expected.host().map_err(Failure::bad)?)?;
    // Each run transforms the result of the run before, which is on the device already: nothing is copied.
    let mut data = Buf::from(values);
    let spent = median(|| {
        let ((), cost) = board.ntt.ntt(&domain, Direction::Forward, None, &mut data)?;
        Ok(of(&[cost]))
    })?;
    Ok(bounded::<E::Fr>(
        setup,
        spent,
        line(spent, Some(time), 0.5 * f64::from(log_n) * n as f64, "butterfly"),
    ))
}

/// Bases of a sum of `n` terms with their logarithms, of which there are at most [`DISTINCT`] different ones.
pub(super) fn with_known_logarithms<C: Curve>(
    host: &Arc<dyn MsmOp<C>>,
    n: usize,
) -> Result<(Buf<Affine<C>>, Vec<C::Scalar>), Failure> {
    let logs = random::<C::Scalar>(DISTINCT.min(n.max(1)), 1);
    let points = host.multiples(&C::GENERATOR, Buf::from(logs.clone()).view())?.0;
    let points = points.host().map_err(Failure::bad)?;
    let all = |i: usize| (points[i % points.len()], logs[i % logs.len()]);
    let (bases, logs): (Vec<_>, Vec<_>) = (0..n).map(all).unzip();
    Ok((bases.into(), logs))
}

/// Measures MSMs in both groups, with and without precomputed multiples of the bases, and without halvings: uniform scalars, mostly
/// scalars 0 or 1 as in a witness, and equal scalars.
pub(super) fn sums<E: Boards>(setup: &Setup, most: u32, into: &mut Section<'_>) -> Result<(), Failure> {
    let host = E::host();
    let sizes = |most_of_group: u32| sizes(&SIZES, most.min(most_of_group));
    group::<E::G1>(setup, &host.g1, &sizes(24), into)?;
    group::<E::G2>(setup, &host.g2, &sizes(20), into)
}

fn group<C: Curve>(
    setup: &Setup,
    host: &Arc<dyn MsmOp<C>>,
    sizes: &[u32],
    into: &mut Section<'_>,
) -> Result<(), Failure> {
    let on = |setup: Setup| -> Result<Msm<C>, Failure> {
        Ok(Msm::new(Arc::new(Workshop::new(setup)?), Arc::clone(host)))
    };
    let without_multiples = setup.clone().with_precompute(Some(0));
    let unhalved = on(without_multiples.clone().with_halvings(Some(0)))?;
    let (plain, precomputing) = (on(without_multiples.clone())?, on(setup.clone().with_precompute(None))?);
    // These calls compile and load the kernels before the timed calls.
    let largest = sizes.iter().copied().max().unwrap_or(0);
    let (few, logs) = with_known_logarithms(host, 1 << largest.min(10))?;
    let few_scalars = Buf::from(logs);
    precomputing.msm(few.view(), few_scalars.view())?;
    precomputing.precompute(&few.view())?;
    on(without_multiples.with_halvings(Some(1)))?.msm(few.view(), few_scalars.view())?;
    for &log_n in sizes {
        let n = 1usize << log_n;
        let (bases, logs) = with_known_logarithms(host, n)?;
        let name = |what: &str| format!("msm in {}, {what}", C::NAME);
        let mut has_multiples = false;
        into.lines(&name("multiples of bases"), || {
            // The first use of the bases leaves them on the device.
            let zeros = Buf::from(vec![C::Scalar::ZERO; n]);
            precomputing.msm(bases.view(), zeros.view())?;
            let start = Instant::now();
            let Some(made) = precomputing.precompute(&bases.view())? else { return Ok(Vec::new()) };
            let spent = Spent { whole: start.elapsed(), ..Spent::default() };
            has_multiples = true;
            let megabytes = made.bytes >> 20;
            let what = format!("multiples of bases: {} by 2^{}, {megabytes} MiB", made.copies, made.shift);
            let line = line(spent, None, n as f64, "point");
            Ok(vec![Line { what: name(&what), log_size: Some(log_n), ..line }])
        });
        let halves = plain.halvings(n) > 0;
        let mut measure = |kind: &str, scalars: Vec<C::Scalar>, on_host: bool| {
            let ways = [
                Some((&plain, "")),
                Some((&precomputing, ", multiples")).filter(|_| has_multiples),
                Some((&unhalved, NO_HALVINGS)).filter(|_| halves && kind == UNIFORM),
            ];
            for (msm, kind_of_sum) in ways.into_iter().flatten() {
                let first = core::ptr::eq(msm, &plain);
                into.line(&name(&format!("{kind}{kind_of_sum}")), Some(log_n), || {
                    let host = Some(&**host).filter(|_| on_host && first);
                    let (spent, line) = sum(msm, host, (&bases, &logs), &scalars)?;
                    // A product in the quadratic extension takes three products in the base field.
                    let products = PRODUCTS_OF_ADDITION * if C::Base::DEGREE == 1 { 1.0 } else { 3.0 };
                    let slots =
                        products * slots_of::<<C::Base as Extension>::Prime>() * spent.ops.point_add as f64;
                    // The operator counts additions for zero digits too, and most digits of small scalars are zero.
                    let bound = (kind == UNIFORM).then(|| milliseconds_of(setup, slots));
                    Ok(Line { bound, ..line })
                });
                if kind != UNIFORM {
                    continue;
                }
                into.lines(&name("parts"), || {
                    let parts = msm.parts(&bases.view(), &Buf::from(scalars.clone()).view())?;
                    let line = |(part, whole): &(&str, Duration)| {
                        let what = name(&format!("{kind}{kind_of_sum}: {part}"));
                        let spent = Spent { whole: *whole, ..Spent::default() };
                        Line { what, log_size: Some(log_n), ..line(spent, None, n as f64, "point") }
                    };
                    Ok(parts.iter().map(line).collect())
                });
            }
        };
        let uniform = random(n, 2);
        if log_n == 20 {
            let small = uniform.iter().enumerate().map(|(i, k)| match i % 100 {
                0 => *k,
                _ => C::Scalar::from((i % 2) as u64),
            });
            measure("99 of 100 scalars 0 or 1", small.collect(), true);
            measure("equal scalars", vec![uniform[0]; n], true);
        }
        measure(UNIFORM, uniform, log_n <= 20);
    }
    Ok(())
}

fn sum<C: Curve>(
    board: &dyn MsmOp<C>,
    host: Option<&dyn MsmOp<C>>,
    (bases, logs): (&Buf<Affine<C>>, &[C::Scalar]),
    scalars: &[C::Scalar],
) -> Result<(Spent, Line), Failure> {
    let n = scalars.len();
    let products = scalars.par_iter().enumerate().map(|(i, k)| *k * logs[i % logs.len()]);
    let log = products.reduce(|| C::Scalar::ZERO, |a, b| a + b);
    let expected = Jacobian::<C>::generator().mul_vartime(&log).to_affine();
    let on_host = |host: &dyn MsmOp<C>| timed(|| host.msm(bases.view(), Buf::from(scalars.to_vec()).view()));
    let on_host = host.map(on_host).transpose()?.map(|(_, time)| time);
    let spent = median(|| {
        // Every run has a new buffer, since a used one would have its digits on the device already.
        let scalars = Buf::from(scalars.to_vec());
        let (found, cost) = board.msm(bases.view(), scalars.view())?;
        same(&found.to_affine(), &expected)?;
        Ok(of(&[cost]))
    })?;
    Ok((spent, line(spent, on_host, n as f64, "point")))
}

/// A chain of `steps` constraints `x' = x² + 5` and its witness.
fn chain<F: PrimeField>(steps: usize) -> Result<(R1cs<F>, Buf<F>), Failure> {
    let shape = Shape { wires: steps + 2, outputs: 1, public_inputs: 0, private_inputs: 1, constraints: 0 };
    let wire = |i: usize| if i == steps { 1 } else { i as u32 + 2 };
    let five = F::from(5);
    let constraint = |i| Constraint {
        a: vec![(wire(i), F::ONE)],
        b: vec![(wire(i), F::ONE)],
        c: vec![(wire(i + 1), F::ONE), (0, -five)],
    };
    let mut values = vec![F::ONE; steps + 2];
    let mut x = F::from(3);
    for i in 0..=steps {
        values[wire(i) as usize] = x;
        x = x.square() + five;
    }
    let system = R1cs::new(shape, (0..steps).map(constraint).collect()).map_err(Failure::bad)?;
    Ok((system, values.into()))
}

/// Makes a proof on a board, compares it with the expected one, and returns the time that it took.
fn proof<E: Boards>(
    board: &Device<E>,
    key: &ProvingKey<E>,
    witness: &Buf<E::Fr>,
    expected: &Proof<E>,
    records: &mut Vec<Record>,
) -> Result<Spent, Failure> {
    let mut on = Session::new(board);
    // The witness is a new buffer, so that it is sent to the device as every new witness would be.
    let witness = Buf::from(witness.host().map_err(Failure::bad)?.to_vec());
    let start = Instant::now();
    let found = prove(&mut on, key, &witness, &mut ChaCha20Rng::seed_from_u64(2)).map_err(Failure::bad)?;
    let whole = start.elapsed();
    same(&found, expected)?;
    *records = on.finish().records;
    let costs: Vec<Cost> = records.iter().map(|record| record.cost).collect();
    Ok(Spent { whole, ..of(&costs) })
}

/// Measures Groth16 proofs of a chain with a key that the device has made, and the host's proofs; each is verified. The device
/// proves first without precomputed multiples of the key's points, then with them.
pub(super) fn proofs<E: Boards>(setup: &Setup, most: u32, into: &mut Section<'_>) -> Result<(), Failure> {
    let host = E::host();
    let board = gpu::board::<E>(setup.clone().with_precompute(Some(0)), E::host())?;
    // This board precomputes the number of multiples that minimises the work, at the first use of the key.
    let precomputing = gpu::board::<E>(setup.clone().with_precompute(Some(u32::MAX)), E::host())?;
    let name = E::G1::NAME.trim_end_matches(" G1").to_owned();
    let rng = ChaCha20Rng::seed_from_u64;
    // A chain has at least one step.
    for log_n in sizes(&[12, 16, 18, 20], most.max(2)) {
        let steps = (1usize << log_n) - 2;
        let (system, witness) = chain::<E::Fr>(steps)?;
        let mut key = None;
        into.line(&format!("{name} Groth16 setup"), Some(log_n), || {
            let start = Instant::now();
            let mut on = Session::new(&board);
            key = Some(setup_local(&mut on, &system, &mut rng(1)).map_err(Failure::bad)?);
            let whole = start.elapsed();
            let costs: Vec<Cost> = on.finish().records.into_iter().map(|record| record.cost).collect();
            Ok(line(Spent { whole, ..of(&costs) }, None, steps as f64, "constraint"))
        });
        let Some(key) = key else { continue };
        let start = Instant::now();
        let expected = prove(&mut Session::new(&host), &key, &witness, &mut rng(2)).map_err(Failure::bad)?;
        let on_host = start.elapsed();
        let public = &witness.host().map_err(Failure::bad)?[1..2];
        verify(&mut Session::new(&host), &key.vk, public, &expected).map_err(Failure::bad)?;
        for (board, kind) in [(&board, ""), (&precomputing, ", multiples")] {
            let mut records = Vec::new();
            if !kind.is_empty() {
                let first = "Groth16 proof, the first, which sends the key and makes multiples";
                into.line(&format!("{name} {first}"), Some(log_n), || {
                    let spent = proof(board, &key, &witness, &expected, &mut records)?;
                    Ok(line(spent, None, steps as f64, "constraint"))
                });
            }
            into.line(&format!("{name} Groth16 proof{kind}"), Some(log_n), || {
                let spent = median(|| proof(board, &key, &witness, &expected, &mut records))?;
                let host = Some(on_host).filter(|_| kind.is_empty());
                Ok(line(spent, host, steps as f64, "constraint"))
            });
            let mut parts: BTreeMap<String, Spent> = BTreeMap::new();
            for record in &records {
                let operator = format!("{} on {}", record.operator, record.cost.machine);
                parts.entry(operator).or_default().add(&record.cost);
            }
            for (operator, spent) in parts {
                into.line(&format!("{name} Groth16 proof{kind}: {operator}"), Some(log_n), || {
                    Ok(line(spent, None, steps as f64, "constraint"))
                });
            }
        }
    }
    Ok(())
}
