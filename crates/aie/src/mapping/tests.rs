use super::*;
use crate::digits::{DIGITS, Digits, modulus};
use crate::modmul::tests::products_of;
use crate::padd::{complete_operands, mixed_operands, point_in};
use crate::program::{LANES, Op, Operation, Path, Value};
use crate::run::{Interpreter, RunError};
use pairwright_curve::bls12_377::Fr;
use pairwright_curve::bls12_377::edwards::Point;
use pairwright_field::Field;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use std::collections::{BTreeMap, VecDeque};

/// Runs the programs of all tiles, bit by bit and without schedules, on operands as [`padd`] takes them.
fn run(partition: &Partition, operands: &[Digits]) -> Result<Vec<Digits>, RunError> {
    let (given, taken) = (operands.len(), partition.whole.inputs.len());
    if given != taken {
        return Err(RunError::Operands { given, taken });
    }
    let mut results = vec![[0; DIGITS]; partition.whole.outputs];
    let mut queues = BTreeMap::new();
    for (link, l) in partition.links.iter().enumerate() {
        for &to in &l.to {
            let queue: &mut VecDeque<Value<i128>> = queues.entry((link, to)).or_default();
            for value in l.values.iter().filter(|_| l.from.is_none()) {
                if let Op::Load { number, half } = partition.whole.ops[value.at].op {
                    let lanes = core::array::from_fn(|lane| operands[number].0[half * LANES + lane].into());
                    queue.push_back(Value::Lanes(lanes));
                }
            }
        }
    }
    let mut given = vec![0; partition.links.len()];
    let mut runs: Vec<_> = partition.tiles.iter().map(|tile| Interpreter::new(tile, &[])).collect();
    // Every tile runs until it has to wait. In the order of the whole program a value is sent before it is received, so
    // the tile whose next operation is first in that order never waits.
    while runs.iter().zip(&partition.tiles).any(|(run, tile)| run.next() < tile.ops.len()) {
        for (tile, run) in runs.iter_mut().enumerate() {
            while let Some(Operation { op, operands: from }) = partition.tiles[tile].ops.get(run.next()) {
                match *op {
                    Op::Receive { link, .. } => {
                        let Some(value) = queues.entry((link, tile)).or_default().pop_front() else {
                            break;
                        };
                        run.supply(value);
                    }
                    Op::Send { link, .. } => {
                        let value = run.given(from[0]);
                        for &to in &partition.links[link].to {
                            queues.entry((link, to)).or_default().push_back(value);
                        }
                        let at = partition.links[link].values[given[link]].at;
                        given[link] += 1;
                        if let (Op::Store { number, half }, Value::Lanes(lanes)) =
                            (&partition.whole.ops[at].op, value)
                        {
                            // Every lane was checked to have 32 bits.
                            let half: &mut [i32] = &mut results[*number][half * LANES..][..LANES];
                            half.iter_mut().zip(lanes).for_each(|(digit, lane)| *digit = lane as i32);
                        }
                        run.advance(run.next() + 1)?;
                    }
                    _ => run.advance(run.next() + 1)?,
                }
            }
        }
    }
    Ok(results.into_iter().map(Digits).collect())
}

#[test]
fn tiles_together_add_points() {
    let mut rng = ChaCha20Rng::seed_from_u64(400);
    let mut some = || Point::generator().mul(&Fr::random(&mut rng));
    let (p, q, neutral) = (some(), some(), Point::IDENTITY);
    let cases = [[p, q], [q, some()], [p, p], [p, -p], [p, neutral], [neutral, q], [neutral, neutral]];
    for mapping in Mapping::ALL {
        for (method, form) in Method::valid().flat_map(|method| Form::ALL.map(|form| (method, form))) {
            let partition = Partition::with(mapping, method, form);
            let whole = mapping.program(method, form);
            for [p, q] in cases {
                let operands = match form {
                    Form::Mixed => mixed_operands(method, &p, &q.to_triple().unwrap()),
                    Form::Complete => complete_operands(method, &p, &q),
                };
                let results = run(&partition, &operands).unwrap();
                assert_eq!(results, whole.run(&operands).unwrap());
                let sum = point_in(method.layout(), &results.try_into().unwrap()).expect("on the curve");
                assert_eq!(sum, p + q, "{mapping:?} {method:?} {form:?}");
            }
            let most: Vec<_> = whole.inputs().iter().map(|i| i.greatest().unwrap()).collect();
            assert!(method.layout().integer(&most[0]) > modulus());
            assert_eq!(run(&partition, &most), whole.run(&most));
        }
    }
}

#[test]
fn tiles_are_those_of_the_paper() {
    for (mapping, counts) in Mapping::ALL.into_iter().zip([[1, 1], [28, 31], [44, 49], [52, 58], [126, 132]])
    {
        for (method, n) in Method::valid().flat_map(|method| [0, 1].map(|n| (method, n))) {
            let partition = Partition::with(mapping, method, Form::ALL[n]);
            assert_eq!(partition.tiles.len(), counts[n]);
            assert_eq!(mapping.tiles(Form::ALL[n]), counts[n]);
            let products: usize = partition.tiles.iter().map(crate::Program::products).sum();
            assert_eq!(products, products_of(method.product) * [8, 9][n]);
            for link in &partition.links {
                let ends = || (link.from.unwrap(), link.to[0]);
                match link.path {
                    Path::Stream => {}
                    Path::Cascade => assert!(mapping.cascades(ends().0, ends().1)),
                    Path::Memory => assert!(mapping.shares(ends().0, ends().1)),
                }
            }
            // Every value that is sent is received once by each receiver, and nothing else is received.
            for (number, link) in partition.links.iter().enumerate() {
                let count = |tile: usize, receives: bool| {
                    let ops = partition.tiles[tile].ops.iter();
                    ops.filter(|o| match &o.op {
                        Op::Receive { link, .. } => receives && *link == number,
                        Op::Send { link, .. } => !receives && *link == number,
                        _ => false,
                    })
                    .count()
                };
                assert!(link.from.is_none_or(|tile| count(tile, false) == link.values.len()));
                assert!(link.to.iter().all(|&tile| count(tile, true) == link.values.len()));
            }
        }
    }
}
