//! Generated kernels: Montgomery products on AVX-512 IFMA compared with the rate of multiply-adds, products on 64-bit words
//! compared with arkworks, and the host device with lanes compared with the same without lanes.
//!
//! arkworks uses its assembly only in a build for this processor: `RUSTFLAGS=-Ctarget-cpu=native cargo x bench moma`.
//! The kernels are printed, compiled and loaded while the benchmark runs.

use num_bigint::BigUint;
use pairwright_bench::kernels::{BLOCKS, LANES, load, product, spec};
use pairwright_bench::{Options, Pair, Row, Table, bridge, take_turns};
use pairwright_cpu::{Ntt, Vectors};
use pairwright_curve::bls12_381;
use pairwright_device::{Direction, NttOp, VecOp};
use pairwright_field::{Extension, PrimeField};
use pairwright_moma::catalogue::Function;
use pairwright_moma::interp;
use pairwright_moma::ir::Range;
use pairwright_moma::lower::{Options as Lowering, lower};
use pairwright_moma::machine::Machine;
use pairwright_moma::print::{constants, digits, value};
use pairwright_poly::{Buf, Domain};
use pairwright_testkit::jit::{AlignedWords, Length};
use std::time::Duration;

const BUDGET: Duration = Duration::from_secs(1);
/// Number of passes over all values in one run.
const ROUNDS: usize = 1000;

/// The text of a loop of independent multiply-adds, `n` times 24.
const MADDS: &str = "\
#[unsafe(no_mangle)]
#[target_feature(enable = \"avx512f,avx512ifma\")]
pub unsafe extern \"C\" fn madds(n: usize, out: *mut u64, seed: *const u64) {
    unsafe {
        let mut x = [_mm512_setzero_si512(); 24];
        for i in 0..24 { x[i] = _mm512_set1_epi64((*seed).wrapping_add(i as u64) as i64); }
        let (a, b) = (x[0], x[1]);
        for _ in 0..n { for i in 0..24 { x[i] = _mm512_madd52lo_epu64(x[i], a, b); } }
        let mut all = x[0];
        for i in 1..24 { all = _mm512_xor_si512(all, x[i]); }
        _mm512_storeu_si512(out.cast(), all);
    }
}
";

/// Compares products in lanes with the multiply-adds of which they consist.
fn against_the_rate(bits: u32, options: &Options, table: &mut Table) {
    let machine = Machine::named("avx512").expect("ships");
    let field = spec(bits, Range::Twice);
    let words = field.words(&machine) as usize;
    let counted =
        lower(&field.kernel(Function::MulMod, &machine).expect("a kernel"), &machine, Lowering::default())
            .expect("lowers");
    let madds = counted.counts()["dotlo"] + counted.counts()["dothi"];
    let rate = load("bench moma", &format!("use core::arch::x86_64::*;\n{MADDS}"))
        .kernel("madds", Length::Total(8), &[Length::Total(1)])
        .expect("a kernel");

    let q = (BigUint::from(1u32) << (bits - 1)) + 79u32;
    let k = constants(field, &q, &machine).expect("odd")[..=words].to_vec();
    let element = |seed: u64| (&q * 2u32 - 1u32) / (seed + 3);
    let block = |first: usize| {
        let mut all = AlignedWords::new(BLOCKS * 8 * words, 0);
        for i in 0..BLOCKS * 8 {
            for (j, d) in digits(&element((first + i) as u64), 52, words).into_iter().enumerate() {
                all[(i / 8 * words + j) * 8 + i % 8] = d;
            }
        }
        all
    };
    let (x, y) = (block(0), block(1000));
    for ways in [1, 2] {
        let name = format!("{bits}-bit product in lanes, {ways} at a time: {madds} multiply-adds");
        if !options.wants(&name) {
            continue;
        }
        let kernel = product(field, &machine, ways);
        let mut out = AlignedWords::copied(&x);
        kernel.call(1, &mut out, &[&y, &k]);
        for i in [0, 5, 8 * BLOCKS - 1] {
            let got: Vec<u64> = (0..words).map(|j| out[(i / 8 * words + j) * 8 + i % 8]).collect();
            let inputs = [element(i as u64), element(1000 + i as u64), q.clone(), BigUint::from(k[words])];
            assert_eq!(vec![value(&got, 52)], interp::run(&counted, &inputs).expect("runs"), "product {i}");
        }
        let per = 8 * BLOCKS * ROUNDS;
        let mut sink = [0; 8];
        let pair = take_turns(
            BUDGET,
            || AlignedWords::copied(&x),
            |mut x| kernel.call(ROUNDS, &mut x, &[&y, &k]),
            || (),
            |()| rate.call(madds * BLOCKS * ROUNDS / 24, &mut sink, &[&[5]]),
        );
        table.push(Row::new(name, "1", 1, "multiply-adds alone", &pair, per));
    }
}

/// Compares products on words with those of arkworks.
fn against_arkworks<F: PrimeField + Extension<Prime = F>, A: ark_ff::PrimeField>(
    options: &Options,
    table: &mut Table,
) {
    let name = format!("{} product on words", F::NAME);
    if !options.wants(&name) {
        return;
    }
    let machine = Machine::named("x86-64").expect("ships");
    let field = spec(F::BITS, Range::Canonical);
    let words = field.words(&machine) as usize;
    let kernel = product(field, &machine, 1);
    let q = value(F::MODULUS.as_ref(), 64);
    let k = constants(field, &q, &machine).expect("odd");
    let mut rng = bridge::rng(9);
    let ours: [F; LANES] = std::array::from_fn(|_| F::random(&mut rng));
    let factor = F::random(&mut rng);
    let (theirs, ark_factor): ([A; LANES], A) = (ours.map(|x| bridge::to_ark(&x)), bridge::to_ark(&factor));
    let x: Vec<u64> = ours.iter().flat_map(|x| x.to_montgomery().as_ref().to_vec()).collect();
    let b = factor.to_montgomery().as_ref().to_vec();
    let run = |mut x: Vec<u64>| {
        kernel.call(ROUNDS, &mut x, &[&b, &k]);
        x
    };
    let peer = |mut lanes: [A; LANES]| {
        for _ in 0..ROUNDS {
            lanes.iter_mut().for_each(|x| *x *= ark_factor);
        }
        lanes
    };
    let mut limbs = F::Limbs::default();
    for (x, y) in run(x.clone()).chunks(words).zip(peer(theirs)) {
        limbs.as_mut().copy_from_slice(x);
        let x = F::from_montgomery(limbs).expect("reduced");
        assert!(bridge::to_ark::<F, A>(&x) == y, "the same products");
    }
    let pair = take_turns(BUDGET, || x.clone(), run, || theirs, peer);
    table.push(Row::new(name, "1", 1, "arkworks", &pair, LANES * ROUNDS));
}

/// Compares the host device with lanes and without.
fn against_one_at_a_time<F: PrimeField>(options: &Options, table: &mut Table) {
    let (fast, plain) = (Ntt::<F>::new(), Ntt::<F>::without_lanes());
    for (threads, pool) in options.pools() {
        for log_n in options.sizes_or(&[10, 14, 18, 20]) {
            let mut rng = bridge::rng(4);
            let data: Buf<F> = (0..1 << log_n).map(|_| F::random(&mut rng)).collect();
            let domain = Domain::<F>::new(log_n).expect("a domain");
            type Run<'a, F> = Box<dyn Fn(bool, &mut Buf<F>) + Sync + 'a>;
            let ntt = |lanes| if lanes { &fast } else { &plain };
            let vectors = |lanes| if lanes { Vectors::default() } else { Vectors::without_lanes() };
            let turn = |dir| -> Run<'_, F> {
                Box::new(move |lanes, x| drop_cost(ntt(lanes).ntt(&domain, dir, None, x)))
            };
            let rows: [(&str, Run<'_, F>); 4] = [
                ("ntt", turn(Direction::Forward)),
                ("intt", turn(Direction::Inverse)),
                ("extend", Box::new(|lanes, x| drop_cost(ntt(lanes).extend(&domain, x)))),
                ("mul", Box::new(|lanes, x| drop_cost(vectors(lanes).mul(x, data.view())))),
            ];
            for (name, run) in rows {
                let name = format!("{} {name} in lanes", F::NAME);
                if !options.wants(&name) {
                    continue;
                }
                let (mut a, mut b) = (data.clone(), data.clone());
                run(true, &mut a);
                run(false, &mut b);
                assert!(a == b, "the same values");
                let once = |lanes: bool, mut x: Buf<F>| {
                    pool.install(|| run(lanes, &mut x));
                    x
                };
                let copy = || data.clone();
                let pair: Pair = take_turns(BUDGET, copy, |x| once(true, x), copy, |x| once(false, x));
                table.push(Row::new(name, format!("2^{log_n}"), threads, "one at a time", &pair, 1));
            }
        }
    }
}

fn drop_cost(done: pairwright_device::Done<()>) {
    done.expect("equal lengths");
}

fn main() {
    Table::of("moma", |options, table| {
        if is_x86_feature_detected!("avx512ifma") {
            against_the_rate(255, options, table);
            against_the_rate(381, options, table);
        } else {
            eprintln!("SKIPPED: this processor has no AVX-512 IFMA");
        }
        if is_x86_feature_detected!("adx") && is_x86_feature_detected!("bmi2") {
            against_arkworks::<bls12_381::Fr, ark_bls12_381::Fr>(options, table);
            against_arkworks::<bls12_381::Fq, ark_bls12_381::Fq>(options, table);
        } else {
            eprintln!("SKIPPED: this processor has no ADX");
        }
        against_one_at_a_time::<bls12_381::Fr>(options, table);
    });
}
