//! Tests of the transform: table, plans, device passes and host kernels are interpreted and compared with the
//! definition and with the textbook recursion; then the printed texts.

use crate::program_common::{Judge, Numbers};
use num_bigint::BigUint;
use num_traits::{One, Zero};
use pairwright_moma::MomaError;
use pairwright_moma::program::interp::{Data, FieldRule, run, run_watched};
use pairwright_moma::program::lang::{ArrayKernel, Element};
use pairwright_moma::program::ntt::host::{HostTuning, host};
use pairwright_moma::program::ntt::{
    Kind, NttPlan, PassBuffer, Tuning, Unrolling, device, table_len, twiddles,
};
use pairwright_moma::program::primes::{ntt_prime, root_of_unity};

/// `X[k] = sum_j x[j] (g w^k)^j`, computed by the definition.
fn by_definition(x: &[BigUint], root: &BigUint, shift: &BigUint, q: &BigUint) -> Vec<BigUint> {
    let mut point = shift.clone();
    (0..x.len())
        .map(|_| {
            let value = x.iter().rev().fold(BigUint::zero(), |sum, c| (sum * &point + c) % q);
            point = &point * root % q;
            value
        })
        .collect()
}

/// The same computed recursively from even and odd coefficients.
fn by_halves(x: &[BigUint], root: &BigUint, shift: &BigUint, q: &BigUint) -> Vec<BigUint> {
    if x.len() == 1 {
        return x.to_vec();
    }
    let part = |from: usize| -> Vec<BigUint> {
        let part: Vec<BigUint> = x.iter().skip(from).step_by(2).cloned().collect();
        by_halves(&part, &(root * root % q), &(shift * shift % q), q)
    };
    let (even, odd) = (part(0), part(1));
    let mut point = shift.clone();
    let mut out = vec![BigUint::zero(); x.len()];
    for k in 0..even.len() {
        let t = &odd[k] * &point % q;
        out[k] = (&even[k] + &t) % q;
        out[k + even.len()] = (&even[k] + q - t) % q;
        point = &point * root % q;
    }
    out
}

/// A transform with its coefficients, values and table.
struct Case {
    rule: FieldRule,
    log_n: u32,
    kind: Kind,
    table: Vec<BigUint>,
    /// Coefficients and values; which is input depends on the direction.
    sides: [Vec<BigUint>; 2],
}

impl Case {
    fn new(rule: &FieldRule, log_n: u32, kind: Kind) -> Self {
        let q = &rule.modulus;
        let root = root_of_unity(q, log_n).unwrap();
        let shift = BigUint::from(7u32);
        let coefficients = Numbers::new(u64::from(log_n)).vector(q, 1 << log_n);
        let own = if kind.coset { shift.clone() } else { BigUint::one() };
        let values = by_halves(&coefficients, &root, &own, q);
        let table = twiddles(log_n, kind.inverse, &root, kind.coset.then_some(&shift), rule).unwrap();
        assert_eq!(table.len(), table_len(log_n, kind));
        Self { rule: rule.clone(), log_n, kind, table, sides: [coefficients, values] }
    }
    fn input(&self) -> &[BigUint] {
        &self.sides[usize::from(self.kind.inverse)]
    }
    fn output(&self) -> &[BigUint] {
        &self.sides[usize::from(!self.kind.inverse)]
    }
}

/// Runs the passes of a plan on `batch` transforms, each the case's input rotated by its number in the batch.
fn interpreted(case: &Case, plan: &NttPlan, batch: usize) {
    let n = 1usize << case.log_n;
    let rotated = |v: &[BigUint], by: usize| {
        let factor = BigUint::from(by as u64 + 1);
        v.iter().map(|x| x * &factor % &case.rule.modulus).collect::<Vec<_>>()
    };
    let all = |v: &[BigUint]| (0..batch).flat_map(|b| rotated(v, b)).collect::<Vec<_>>();
    let mut buffers = [Data::of(&all(case.input())), Data::unset(n * batch), Data::unset(n * batch)];
    let at = |place| match place {
        PassBuffer::Input => 0,
        PassBuffer::Scratch => 1,
        PassBuffer::Output => 2,
    };
    let kernels = device::kernels(plan, case.kind);
    assert_eq!(plan.route(kernels.len() - 1).1, PassBuffer::Output);
    for (pass, kernel) in kernels.iter().enumerate() {
        let (from, to) = plan.route(pass);
        assert_ne!(from, to);
        let mut bound = vec![Data::unset(n * batch), buffers[at(from)].clone(), Data::of(&case.table)];
        run(kernel, &case.rule, &[batch as u64], &mut bound)
            .unwrap_or_else(|why| panic!("{} {:?}: {why}", kernel.name, plan));
        buffers[at(to)] = bound.swap_remove(0);
    }
    assert_eq!(buffers[2].elements().unwrap(), all(case.output()), "{:?} {plan:?}", case.kind);
}

fn tuning(log_radix: u32, log_columns: u32, log_held: u32, log_threads: u32, unrolling: Unrolling) -> Tuning {
    Tuning {
        log_radix,
        log_columns,
        log_held,
        log_threads,
        unrolling,
        log_one_pass: 14,
        log_cluster: 0,
        log_spread: 0,
        resident: 1,
        shared_bytes: 1 << 10,
    }
}

#[test]
fn the_recursion_is_the_definition() {
    let q = ntt_prime(60, 16).unwrap();
    for log_n in 0..6 {
        let root = root_of_unity(&q, log_n).unwrap();
        let x = Numbers::new(3).vector(&q, 1 << log_n);
        for shift in [1u32, 7] {
            let shift = BigUint::from(shift);
            assert_eq!(by_halves(&x, &root, &shift, &q), by_definition(&x, &root, &shift, &q));
        }
    }
}

#[test]
fn every_plan_computes_the_transform() {
    let q = ntt_prime(60, 16).unwrap();
    let rule = FieldRule::montgomery(&q, 64).unwrap();
    let element = Element { word_bits: 64, words: 1 };
    let mut passes_seen = [0; 11];
    for log_n in 1..=10 {
        let cases = Kind::ALL.map(|kind| Case::new(&rule, log_n, kind));
        for shared in [4u64, 16, 64, 1024] {
            for (log_radix, log_columns, log_held, log_threads) in
                [(2, 1, 1, 1), (3, 0, 2, 3), (4, 2, 2, 2), (5, 1, 3, 5), (6, 1, 4, 2), (9, 0, 3, 4)]
            {
                for unrolling in Unrolling::ALL {
                    let shared_bytes = 8 * shared;
                    let tuning = Tuning {
                        shared_bytes,
                        ..tuning(log_radix, log_columns, log_held, log_threads, unrolling)
                    };
                    let plan = NttPlan::choose(element, log_n, &tuning).unwrap();
                    passes_seen[plan.passes.len()] += 1;
                    for case in &cases {
                        interpreted(case, &plan, 1 + (log_radix as usize % 3));
                    }
                }
            }
        }
    }
    assert!(passes_seen[1..6].iter().all(|count| *count > 5), "{passes_seen:?}");
}

#[test]
fn clusters_share_their_memory() {
    let q = ntt_prime(60, 16).unwrap();
    let rule = FieldRule::montgomery(&q, 64).unwrap();
    let element = Element { word_bits: 64, words: 1 };
    for kind in Kind::ALL {
        for log_n in [8, 9] {
            for unrolling in Unrolling::ALL {
                let base = tuning(4, 1, 3, 3, unrolling);
                let tuning = Tuning { log_cluster: 2, shared_bytes: 8 << 7, ..base };
                let plan = NttPlan::choose(element, log_n, &tuning).unwrap();
                assert_eq!((plan.passes.len(), plan.passes[0].log_cluster), (1, log_n - 7));
                let kernel = &device::kernels(&plan, kind)[0];
                assert_eq!(kernel.shared_bytes(), 8 << 7);
                assert_eq!(kernel.grid(&[3]), Some(3 << (log_n - 7)));
                interpreted(&Case::new(&rule, log_n, kind), &plan, 3);
            }
        }
    }
}

#[test]
fn one_transform_alone_is_spread_over_the_device() {
    let judge = Judge::words(&ntt_prime(252, 16).unwrap(), 32);
    for log_n in [3, 8, 11, 13] {
        let plan = NttPlan::choose(judge.element, log_n, &Tuning::for_latency(judge.element, log_n)).unwrap();
        let blocks: Vec<u64> =
            device::kernels(&plan, Kind::FORWARD).iter().map(|k| k.grid(&[1]).unwrap()).collect();
        let want = match log_n {
            3 => vec![2],
            8 | 11 => vec![8],
            _ => vec![32, 64],
        };
        assert_eq!(blocks, want);
        for kind in Kind::ALL {
            interpreted(&Case::new(&judge.rule, log_n, kind), &plan, 2);
        }
    }
}

/// The number of turns that shared memory takes for all accesses, as a multiple of the least: threads that are served
/// together must not use the same bank.
fn bank_turns(element: Element, log_n: u32, tuning: &Tuning) -> f64 {
    let rule = FieldRule::plain(&ntt_prime(60, 16).unwrap());
    let plan = NttPlan::choose(element, log_n, tuning).unwrap();
    let case = Case::new(&rule, log_n, Kind::FORWARD);
    let banks = 1u64 << element.bank_bits();
    let mut wanted = std::collections::BTreeMap::<_, Vec<u64>>::new();
    for (pass, kernel) in device::kernels(&plan, Kind::FORWARD).iter().enumerate() {
        let mut bound = vec![Data::unset(1 << log_n), Data::of(case.input()), Data::of(&case.table)];
        run_watched(kernel, &rule, &[1], &mut bound, &mut |access| {
            if access.block == 0 {
                let together = (pass, access.phase, access.number, access.thread / banks);
                wanted.entry(together).or_default().push(access.slot % banks);
            }
        })
        .unwrap();
    }
    let turns =
        |slots: &Vec<u64>| (0..banks).map(|bank| slots.iter().filter(|slot| **slot == bank).count()).max();
    let total: usize = wanted.values().filter_map(turns).sum();
    total as f64 / wanted.len() as f64
}

#[test]
fn shared_memory_is_served_without_bank_conflicts() {
    for words in [2, 4, 6, 8, 10, 12, 16, 24, 32] {
        let element = Element { word_bits: 32, words };
        let tuning = Tuning { log_cluster: 0, ..Tuning::for_element(element) };
        for (log_n, log_one_pass) in [(8, 14), (10, 14), (13, 0)] {
            for unrolling in Unrolling::ALL {
                let turns = bank_turns(element, log_n, &Tuning { log_one_pass, unrolling, ..tuning });
                assert_eq!(turns, 1.0, "{words} words, 2^{log_n}, {unrolling:?}");
            }
        }
    }
}

/// Interprets one host kernel on two transforms.
fn host_interpreted(case: &Case, kernel: &ArrayKernel) {
    let twice = |v: &[BigUint]| [v, v].concat();
    let mut bound = vec![Data::of(&twice(case.input())), Data::of(&case.table)];
    run(kernel, &case.rule, &[2], &mut bound).unwrap();
    assert_eq!(bound[0].elements().unwrap(), twice(case.output()), "{:?} 2^{}", case.kind, case.log_n);
}

#[test]
fn every_host_kernel_computes_the_transform() {
    let q = ntt_prime(124, 16).unwrap();
    let rule = FieldRule::plain(&q);
    let element = Element { word_bits: 64, words: 2 };
    for log_n in 1..=9 {
        for kind in Kind::ALL {
            let case = Case::new(&rule, log_n, kind);
            for (log_held, log_block) in [(1, 3), (2, 20), (2, 4), (3, 5), (3, 7), (4, 8)] {
                host_interpreted(&case, &host(kind, element, log_n, HostTuning { log_held, log_block }));
            }
        }
    }
}

#[test]
fn there_and_back_on_wide_fields() {
    for (bits, log_n) in [(256, 10), (768, 8), (1020, 5)] {
        let judge = Judge::words(&ntt_prime(bits, 16).unwrap(), 32);
        let tuning = Tuning { shared_bytes: 1 << 12, ..Tuning::for_element(judge.element) };
        let plan = NttPlan::choose(judge.element, log_n, &tuning).unwrap();
        // Both directions are compared with the same coefficients and values.
        for kind in Kind::ALL {
            interpreted(&Case::new(&judge.rule, log_n, kind), &plan, 1);
        }
    }
}

#[test]
fn a_product_of_polynomials() {
    let q = ntt_prime(255, 16).unwrap();
    let (rule, log_n) = (FieldRule::plain(&q), 7);
    let element = Element { word_bits: 64, words: 4 };
    let mut numbers = Numbers::new(5);
    let (a, b) = (numbers.vector(&q, 60), numbers.vector(&q, 60));
    let mut schoolbook = vec![BigUint::zero(); 128];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            schoolbook[i + j] = (&schoolbook[i + j] + x * y) % &q;
        }
    }
    let root = root_of_unity(&q, log_n).unwrap();
    let transform = |kind: Kind, data: Vec<BigUint>| {
        let table = twiddles(log_n, kind.inverse, &root, None, &rule).unwrap();
        let mut bound = vec![Data::of(&data), Data::of(&table)];
        let kernel = host(kind, element, log_n, HostTuning::for_bytes(32));
        run(&kernel, &rule, &[1], &mut bound).unwrap();
        bound[0].elements().unwrap()
    };
    let padded = |mut v: Vec<BigUint>| {
        v.resize(128, BigUint::zero());
        transform(Kind::FORWARD, v)
    };
    let product = padded(a).iter().zip(padded(b)).map(|(x, y)| x * y % &q).collect();
    assert_eq!(transform(Kind::INVERSE, product), schoolbook);
}

#[test]
fn plans_take_as_few_passes_as_they_can() {
    let count = |bits: usize, log_n| {
        let element = Element { word_bits: 32, words: bits / 32 };
        let plan = NttPlan::choose(element, log_n, &Tuning::for_element(element)).unwrap();
        assert_eq!(plan.passes.iter().map(|p| p.log_radix).sum::<u32>(), log_n);
        assert_eq!(plan.bytes_moved().data, (2 * plan.passes.len() as u64) << log_n << (bits / 8).ilog2());
        for kernel in device::kernels(&plan, Kind::FORWARD) {
            assert!(kernel.shared_bytes() <= Tuning::SM90_SHARED);
            assert!(kernel.launch.unwrap().threads <= 1024);
        }
        plan.passes.len()
    };
    for bits in [64, 128, 256, 512, 1024] {
        for log_n in 1..=12 {
            assert_eq!(count(bits, log_n), if log_n > 13 { 2 } else { 1 }, "{bits} bits, 2^{log_n}");
        }
        assert_eq!((count(bits, 20), count(bits, 24)), (2, 3), "{bits} bits");
    }
    assert_eq!((count(64, 14), count(128, 14), count(256, 14)), (1, 1, 1));
}

#[test]
fn what_cannot_be_is_refused() {
    let element = Element { word_bits: 64, words: 4 };
    let base = Tuning::for_element(element);
    let refused = |log_n, tuning: &Tuning| NttPlan::choose(element, log_n, tuning).unwrap_err().to_string();
    assert!(refused(0, &base).contains("sizes are 2^1 to 2^28"));
    assert!(refused(29, &base).contains("sizes are 2^1 to 2^28"));
    assert!(refused(8, &Tuning { shared_bytes: 40, ..base }).contains("no two elements"));
    let q = ntt_prime(255, 16).unwrap();
    let rule = FieldRule::plain(&q);
    let root = root_of_unity(&q, 8).unwrap();
    assert_eq!(twiddles(7, false, &root, None, &rule), Err(MomaError::NotARoot { log_n: 7 }));
    assert_eq!(twiddles(9, false, &root, None, &rule), Err(MomaError::NotARoot { log_n: 9 }));
    assert_eq!(twiddles(8, false, &root, Some(&q), &rule), Err(MomaError::ZeroShift));
}
