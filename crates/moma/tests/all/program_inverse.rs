//! Tests of powers and inverses, one by one and in batches, including zeros, compared with big integers.

use crate::program_common::{Judge, Numbers, c_field, lanes_field, rust_field};
use num_bigint::BigUint;
use num_traits::Zero;
use pairwright_moma::print::{avx512, rust};
use pairwright_moma::program::ArrayKernel;
use pairwright_moma::program::interp::{Data, run};
use pairwright_moma::program::inverse::{
    Power, batch, batch_device, inverting_exponent, power, power_device,
};
use pairwright_moma::program::primes::ntt_prime;
use pairwright_moma::program::print::{c_host, c_shadow, rust_host};
use pairwright_testkit::jit::{AlignedWords, Length, Library};

/// Elements `a R` with zeros at both ends and in the middle, and the expected `1/a R`.
fn operands(judge: &Judge, n: usize) -> (Vec<BigUint>, Vec<BigUint>) {
    let (q, one) = (&judge.rule.modulus, judge.rule.one());
    let mut a = Numbers::new(n as u64).vector(q, n);
    for at in [0, n / 2, n - 1] {
        a[at] = BigUint::zero();
    }
    let inverse = |a: &BigUint| a.modinv(q).unwrap_or_default();
    (a.iter().map(|a| a * &one % q).collect(), a.iter().map(|a| inverse(a) * &one % q).collect())
}

fn interpreted(judge: &Judge, kernel: &ArrayKernel, a: &[BigUint]) -> Vec<BigUint> {
    let mut bound = vec![
        Data::unset(a.len()),
        Data::of(a),
        Data::Bits(inverting_exponent(&judge.rule.modulus)),
        Data::of(&[judge.rule.one()]),
    ];
    run(kernel, &judge.rule, &[a.len() as u64], &mut bound).unwrap();
    bound[0].elements().unwrap()
}

#[test]
fn interpreted_and_in_c() {
    for (bits, word_bits) in [(64, 64), (124, 32), (381, 64)] {
        let judge = Judge::words(&ntt_prime(bits, 16).unwrap(), word_bits);
        for n in [1, 3, 4, 39] {
            let (a, want) = operands(&judge, n);
            let (host, narrow) = (Power::host(bits), Power::device(bits));
            let element = judge.element;
            let kernels = [
                power(element, host),
                power(element, Power { window: 0, ..host }),
                batch(element, host),
                power_device(element, narrow, 8),
                batch_device(element, narrow, 2, 4),
            ];
            for kernel in &kernels {
                assert_eq!(interpreted(&judge, kernel, &a), want, "{} of {n} at {bits} bits", kernel.name);
            }
            if n != 39 {
                continue;
            }
            for kernel in &kernels[2..] {
                let code = c_field(element);
                let text =
                    if kernel.launch.is_none() { c_host(kernel, &code) } else { c_shadow(kernel, &code) };
                let library = Library::from_c(&kernel.name, &text, &["-O0"]).unwrap();
                let exponent = inverting_exponent(&judge.rule.modulus).to_u64_digits();
                let (pa, one) = (judge.pack(&a), judge.pack(&[judge.rule.one()]));
                let constants = judge.constants();
                let inputs: [&[u64]; 4] = [&pa, &exponent, &one, &constants];
                let lengths = inputs.map(|input| Length::Total(input.len()));
                let mut out = vec![0; pa.len()];
                library.kernel(&kernel.name, lengths[0], &lengths).unwrap().call(n, &mut out, &inputs);
                assert_eq!(judge.unpack(&out, n), want, "{} at {bits} bits", kernel.name);
            }
        }
    }
}

#[test]
fn a_batch_takes_three_products_for_each_element() {
    let judge = Judge::words(&ntt_prime(64, 16).unwrap(), 64);
    let kernel = batch_device(judge.element, Power::device(64), 2, 16);
    let calls = kernel.calls_per_thread();
    // 48 for the chain, 2 for small powers, at most 32 for the windows.
    assert_eq!(calls[&pairwright_moma::program::Role::Mul], 48 + 2 + 32);
    assert_eq!(calls[&pairwright_moma::program::Role::Sqr], 64);
}

#[test]
fn in_rust_on_words_and_on_lanes() {
    let q = ntt_prime(255, 16).unwrap();
    let n = 24;
    let judge = Judge::words(&q, 64);
    let (a, want) = operands(&judge, n);
    let exponent = inverting_exponent(&q).to_u64_digits();
    let kernel = batch(judge.element, Power::host(255));
    let text = rust_host(&kernel, &rust_field(judge.element), &rust::WORDS);
    let library = Library::from_rust(&kernel.name, &text, &["-Copt-level=0"]).unwrap();
    let (pa, one, constants) = (judge.pack(&a), judge.pack(&[judge.rule.one()]), judge.constants());
    let inputs: [&[u64]; 4] = [&pa, &exponent, &one, &constants];
    let lengths = inputs.map(|input| Length::Total(input.len()));
    let mut out = vec![0; pa.len()];
    library.kernel(&kernel.name, lengths[0], &lengths).unwrap().call(n, &mut out, &inputs);
    assert_eq!(judge.unpack(&out, n), want);

    if !std::arch::is_x86_feature_detected!("avx512ifma") {
        eprintln!("skipped: this processor has no AVX-512 IFMA");
        return;
    }
    let judge = Judge::digits(&q);
    let (a, want) = operands(&judge, n);
    let split = |v: &[BigUint]| v.chunks(n / 8).map(<[_]>::to_vec).collect::<Vec<_>>();
    let kernel = batch(judge.element, Power::host(255));
    let text = rust_host(&kernel, &lanes_field(judge.element), &avx512::LANES);
    let library = Library::from_rust(&kernel.name, &text, &["-Copt-level=0"]).unwrap();
    let pa = AlignedWords::copied(&judge.pack_lanes(&split(&a)));
    let (one, constants) = (judge.pack(&[judge.rule.one()]), judge.constants());
    let inputs: [&[u64]; 4] = [&pa, &exponent, &one, &constants];
    let lengths = inputs.map(|input| Length::Total(input.len()));
    let mut out = AlignedWords::new(pa.len(), 0);
    library.kernel(&kernel.name, lengths[0], &lengths).unwrap().call(n / 8, &mut out, &inputs);
    assert_eq!(judge.unpack_lanes(&out, n / 8), split(&want));
}
