//! Compiles and runs the printed texts of transforms: device passes as their host shadow, host kernels in C, in Rust on
//! words and in Rust on lanes, compared with the textbook recursion.

use crate::program_common::{Judge, Numbers, c_field, lanes_field, rust_field};
use num_bigint::BigUint;
use num_traits::{One, Zero};
use pairwright_moma::print::{avx512, rust};
use pairwright_moma::program::ArrayKernel;
use pairwright_moma::program::ntt::host::{HostTuning, host};
use pairwright_moma::program::ntt::{Kind, NttPlan, PassBuffer, Tuning, Unrolling, device, twiddles};
use pairwright_moma::program::primes::{ntt_prime, root_of_unity};
use pairwright_moma::program::print::{c_host, c_shadow, rust_host};
use pairwright_testkit::jit::{AlignedWords, Length, Library, LoadedKernel};

/// The values of a polynomial on a coset, computed recursively from even and odd coefficients.
fn values(x: &[BigUint], root: &BigUint, shift: &BigUint, q: &BigUint) -> Vec<BigUint> {
    if x.len() == 1 {
        return x.to_vec();
    }
    let part = |from: usize| -> Vec<BigUint> {
        let part: Vec<BigUint> = x.iter().skip(from).step_by(2).cloned().collect();
        values(&part, &(root * root % q), &(shift * shift % q), q)
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

/// Input, output and table of a transform.
struct Case {
    input: Vec<BigUint>,
    output: Vec<BigUint>,
    table: Vec<BigUint>,
}

impl Case {
    fn new(judge: &Judge, log_n: u32, kind: Kind, seed: u64) -> Self {
        let q = &judge.rule.modulus;
        let (root, shift) = (root_of_unity(q, log_n).unwrap(), BigUint::from(11u32));
        let own = if kind.coset { shift.clone() } else { BigUint::one() };
        let x = Numbers::new(seed).vector(q, 1 << log_n);
        let y = values(&x, &root, &own, q);
        let table = twiddles(log_n, kind.inverse, &root, kind.coset.then_some(&shift), &judge.rule).unwrap();
        let (input, output) = if kind.inverse { (y, x) } else { (x, y) };
        Self { input, output, table }
    }
}

/// The number of 64-bit words that hold this many elements.
fn words(judge: &Judge, count: usize) -> Length {
    Length::Total((count * judge.element.bytes()).div_ceil(8))
}

fn compiled(judge: &Judge, kernel: &ArrayKernel, batch: usize, n: usize, table: usize) -> LoadedKernel {
    let text = c_shadow(kernel, &c_field(judge.element));
    let library = Library::from_c(&kernel.name, &text, &["-O0"]).unwrap();
    let all = words(judge, n * batch);
    let constants = Length::Total(judge.constants().len());
    library.kernel(&kernel.name, all, &[all, words(judge, table), constants]).unwrap()
}

fn shadowed(judge: &Judge, log_n: u32, kind: Kind, tuning: &Tuning) {
    let (n, batch) = (1usize << log_n, 3);
    let plan = NttPlan::choose(judge.element, log_n, tuning).unwrap();
    let cases: Vec<Case> = (0..batch).map(|seed| Case::new(judge, log_n, kind, seed as u64)).collect();
    let input: Vec<BigUint> = cases.iter().flat_map(|case| case.input.clone()).collect();
    let packed = judge.pack(&input);
    let (table, constants) = (judge.pack(&cases[0].table), judge.constants());
    let mut buffers = [packed.clone(), vec![0; packed.len()], vec![0; packed.len()]];
    let at = |place| match place {
        PassBuffer::Input => 0,
        PassBuffer::Scratch => 1,
        PassBuffer::Output => 2,
    };
    for (pass, kernel) in device::kernels(&plan, kind).iter().enumerate() {
        let (from, to) = plan.route(pass);
        let mut out = vec![!0; packed.len()];
        compiled(judge, kernel, batch, n, cases[0].table.len()).call(
            batch,
            &mut out,
            &[&buffers[at(from)], &table, &constants],
        );
        buffers[at(to)] = out;
    }
    let want: Vec<BigUint> = cases.into_iter().flat_map(|case| case.output).collect();
    assert!(judge.unpack(&buffers[2], n * batch) == want, "{kind:?} {plan:?}");
}

#[test]
fn shadows_of_the_plans_that_a_device_would_run() {
    for (bits, word_bits, log_n) in
        [(60, 64, 8), (64, 32, 12), (124, 32, 10), (255, 32, 8), (252, 64, 12), (255, 32, 10), (381, 32, 8)]
    {
        let judge = Judge::words(&ntt_prime(bits, 16).unwrap(), word_bits);
        let tuning = Tuning::for_element(judge.element);
        let kinds = if log_n == 8 { &Kind::ALL[..] } else { &[Kind::COSET_FORWARD, Kind::INVERSE] };
        for kind in kinds {
            shadowed(&judge, log_n, *kind, &tuning);
        }
    }
}

#[test]
fn shadows_of_several_passes_and_of_clusters() {
    for (bits, log_n, limits) in [(60, 12, (6, 2)), (124, 10, (5, 1)), (255, 14, (8, 1)), (764, 8, (4, 0))] {
        let judge = Judge::words(&ntt_prime(bits, 16).unwrap(), 32);
        let base = Tuning::for_element(judge.element);
        let (log_radix, log_columns) = limits;
        let shared_bytes = (judge.element.bytes() as u64) << (log_radix + log_columns);
        let tuning = Tuning { log_radix, log_columns, log_threads: 5, shared_bytes, log_cluster: 0, ..base };
        assert!(NttPlan::choose(judge.element, log_n, &tuning).unwrap().passes.len() > 1);
        shadowed(&judge, log_n, Kind::FORWARD, &tuning);
        shadowed(&judge, log_n, Kind::INVERSE, &tuning);
        shadowed(&judge, log_n, Kind::COSET_INVERSE, &Tuning { unrolling: Unrolling::Looped, ..tuning });
    }
    let judge = Judge::words(&ntt_prime(255, 16).unwrap(), 32);
    let tuning = Tuning::for_element(judge.element);
    assert_eq!(NttPlan::choose(judge.element, 14, &tuning).unwrap().passes[0].log_cluster, 2);
    shadowed(&judge, 14, Kind::INVERSE, &tuning);
}

#[test]
fn host_kernels_in_c_and_in_rust() {
    for (bits, log_n) in [(60, 12), (124, 10), (255, 9), (381, 8)] {
        let judge = Judge::words(&ntt_prime(bits, 16).unwrap(), 64);
        let (n, batch) = (1usize << log_n, 2);
        for kind in Kind::ALL {
            let cases = [1, 2].map(|seed| Case::new(&judge, log_n, kind, seed));
            let kernel = host(kind, judge.element, log_n, HostTuning { log_held: 2, log_block: 6 });
            let mut libraries = vec![
                Library::from_c(&kernel.name, &c_host(&kernel, &c_field(judge.element)), &["-O0"]).unwrap(),
            ];
            if kind == Kind::FORWARD {
                let text = rust_host(&kernel, &rust_field(judge.element), &rust::WORDS);
                libraries.push(Library::from_rust(&kernel.name, &text, &[]).unwrap());
            }
            let (table, constants) = (judge.pack(&cases[0].table), judge.constants());
            for library in libraries {
                let lengths = [Length::Total(table.len()), Length::Total(constants.len())];
                let kernel = library.kernel(&kernel.name, words(&judge, n * batch), &lengths).unwrap();
                let mut data = judge.pack(&cases.each_ref().map(|case| case.input.clone()).concat());
                kernel.call(batch, &mut data, &[&table, &constants]);
                let want = cases.each_ref().map(|case| case.output.clone()).concat();
                assert!(judge.unpack(&data, n * batch) == want, "{kind:?} {bits} bits");
            }
        }
    }
}

#[test]
fn host_kernels_on_lanes() {
    if !std::arch::is_x86_feature_detected!("avx512ifma") {
        eprintln!("skipped: this processor has no AVX-512 IFMA");
        return;
    }
    let judge = Judge::digits(&ntt_prime(255, 16).unwrap());
    let log_n = 8;
    for kind in [Kind::FORWARD, Kind::COSET_INVERSE] {
        let cases: Vec<Case> = (0..8).map(|seed| Case::new(&judge, log_n, kind, seed)).collect();
        let kernel = host(kind, judge.element, log_n, HostTuning { log_held: 2, log_block: 5 });
        let text = rust_host(&kernel, &lanes_field(judge.element), &avx512::LANES);
        let library = Library::from_rust(&kernel.name, &text, &[]).unwrap();
        let lanes =
            |pick: fn(&Case) -> &Vec<BigUint>| cases.iter().map(|c| pick(c).clone()).collect::<Vec<_>>();
        let mut data = AlignedWords::copied(&judge.pack_lanes(&lanes(|case| &case.input)));
        let (table, constants) = (judge.pack(&cases[0].table), judge.constants());
        let lengths = [Length::Total(table.len()), Length::Total(constants.len())];
        let length = Length::Total(data.len());
        library.kernel(&kernel.name, length, &lengths).unwrap().call(1, &mut data, &[&table, &constants]);
        assert_eq!(judge.unpack_lanes(&data, 1 << log_n), lanes(|case| &case.output), "{kind:?}");
    }
}
