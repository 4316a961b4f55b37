//! Tests of vector arithmetic: every form of every operation is compared with integer arithmetic.

use crate::program_common::{Judge, Numbers, c_field, lanes_field, rust_field};
use num_bigint::BigUint;
use pairwright_moma::MomaError;
use pairwright_moma::print::{avx512, rust};
use pairwright_moma::program::blas::{BlasOp, BlasTuning, device, host};
use pairwright_moma::program::interp::{Data, run};
use pairwright_moma::program::primes::ntt_prime;
use pairwright_moma::program::print::{c_host, c_shadow, cuda, rust_host};
use pairwright_moma::program::{Role, Stmt, lang::Node};
use pairwright_testkit::jit::{AlignedWords, Length, Library};

/// The expected result of an operation on one element.
fn expected(judge: &Judge, op: BlasOp, a: &BigUint, b: &BigUint, s: &BigUint) -> BigUint {
    let f = |role, a: &BigUint, b: &BigUint| judge.rule.call(role, a, b);
    match op {
        BlasOp::Vadd => f(Role::Add, a, b),
        BlasOp::Vsub => f(Role::Sub, a, b),
        BlasOp::Vmul => f(Role::Mul, a, b),
        BlasOp::Axpy => f(Role::Add, &f(Role::Mul, a, s), b),
    }
}

/// Random vectors whose first elements are edge cases.
fn operands(judge: &Judge, n: usize) -> (Vec<BigUint>, Vec<BigUint>, BigUint) {
    let q = &judge.rule.modulus;
    let mut numbers = Numbers::new(n as u64);
    let (mut a, mut b) = (numbers.vector(q, n), numbers.vector(q, n));
    let edges = [BigUint::from(0u32), BigUint::from(1u32), q - 1u32];
    for (i, (x, y)) in edges.iter().flat_map(|x| edges.iter().map(move |y| (x, y))).enumerate().take(n) {
        (a[i], b[i]) = (x.clone(), y.clone());
    }
    (a, b, numbers.below(q))
}

#[test]
fn interpreted_and_in_c_for_words_of_both_sizes() {
    for (bits, word_bits) in [(60, 64), (64, 64), (124, 64), (381, 64), (124, 32), (96, 32), (256, 32)] {
        let judge = Judge::words(&ntt_prime(bits, 16).unwrap(), word_bits);
        let n = 75;
        let (a, b, s) = operands(&judge, n);
        for op in BlasOp::ALL {
            let want: Vec<BigUint> = (0..n).map(|i| expected(&judge, op, &a[i], &b[i], &s)).collect();
            let tuning = BlasTuning { threads: 8, per_thread: 2 };
            let kernels = [host(op, judge.element), device(op, judge.element, tuning)];
            for kernel in &kernels {
                let mut data = vec![Data::unset(n), Data::of(&a), Data::of(&b)];
                if op == BlasOp::Axpy {
                    data.push(Data::of(std::slice::from_ref(&s)));
                }
                run(kernel, &judge.rule, &[n as u64], &mut data).unwrap();
                assert_eq!(data[0].elements().unwrap(), want, "{} {bits}", kernel.name);
            }
            let code = c_field(judge.element);
            let texts = [c_host(&kernels[0], &code), c_shadow(&kernels[1], &code)];
            let width = Length::Total((n * judge.element.words * word_bits as usize).div_ceil(64));
            let one = Length::Total((judge.element.words * word_bits as usize).div_ceil(64));
            for text in texts {
                let library = Library::from_c(op.name(), &text, &["-O0"]).unwrap();
                let (a, b, s) = (judge.pack(&a), judge.pack(&b), judge.pack(std::slice::from_ref(&s)));
                let constants = judge.constants();
                let mut out = AlignedWords::new(width.words(n), 0);
                if op == BlasOp::Axpy {
                    let kernel = library.kernel(op.name(), width, &[width, width, one, one]).unwrap();
                    kernel.call(n, &mut out, &[&a, &b, &s, &constants]);
                } else {
                    let kernel = library.kernel(op.name(), width, &[width, width, one]).unwrap();
                    kernel.call(n, &mut out, &[&a, &b, &constants]);
                }
                assert_eq!(judge.unpack(&out, n), want, "{} {bits}", op.name());
            }
        }
    }
}

#[test]
fn in_rust_on_words_and_on_lanes() {
    let q = ntt_prime(255, 16).unwrap();
    let n = 16;
    for op in BlasOp::ALL {
        let judge = Judge::words(&q, 64);
        let (a, b, s) = operands(&judge, n);
        let text = rust_host(&host(op, judge.element), &rust_field(judge.element), &rust::WORDS);
        let (all, one) = (Length::PerItem(4), Length::Total(4));
        let library = Library::from_rust(op.name(), &text, &["-Copt-level=0"]).unwrap();
        let mut out = vec![0; 4 * n];
        let (pa, pb, ps) = (judge.pack(&a), judge.pack(&b), judge.pack(std::slice::from_ref(&s)));
        let constants = judge.constants();
        let mut inputs: Vec<&[u64]> = vec![&pa, &pb, &constants];
        let mut lengths = vec![all, all, one];
        if op == BlasOp::Axpy {
            inputs.insert(2, &ps);
            lengths.insert(2, one);
        }
        library.kernel(op.name(), all, &lengths).unwrap().call(n, &mut out, &inputs);
        let want: Vec<BigUint> = (0..n).map(|i| expected(&judge, op, &a[i], &b[i], &s)).collect();
        assert_eq!(judge.unpack(&out, n), want, "{}", op.name());

        let lanes = std::arch::is_x86_feature_detected!("avx512ifma");
        if !lanes {
            eprintln!("skipped: this processor has no AVX-512 IFMA");
            continue;
        }
        let judge = Judge::digits(&q);
        let text = rust_host(&host(op, judge.element), &lanes_field(judge.element), &avx512::LANES);
        let library = Library::from_rust(op.name(), &text, &["-Copt-level=0"]).unwrap();
        let split = |v: &[BigUint]| v.chunks(n / 8).map(<[_]>::to_vec).collect::<Vec<_>>();
        let aligned = |v: &[BigUint]| AlignedWords::copied(&judge.pack_lanes(&split(v)));
        let (pa, pb, ps) = (aligned(&a), aligned(&b), judge.pack(std::slice::from_ref(&s)));
        let constants = judge.constants();
        let (all, one) = (Length::PerItem(8 * judge.element.words), Length::Total(judge.element.words));
        let mut inputs: Vec<&[u64]> = vec![&pa, &pb, &constants];
        let mut lengths = vec![all, all, one];
        if op == BlasOp::Axpy {
            inputs.insert(2, &ps);
            lengths.insert(2, one);
        }
        let mut out = AlignedWords::new(all.words(n / 8), 0);
        library.kernel(op.name(), all, &lengths).unwrap().call(n / 8, &mut out, &inputs);
        let want: Vec<BigUint> = (0..n).map(|i| expected(&judge, op, &a[i], &b[i], &s)).collect();
        assert_eq!(judge.unpack_lanes(&out, n / 8), split(&want), "{}", op.name());
    }
}

#[test]
fn wrong_arguments_and_wrong_programs_are_refused() {
    let judge = Judge::words(&ntt_prime(60, 16).unwrap(), 64);
    let kernel = host(BlasOp::Vadd, judge.element);
    let numbers = Numbers::new(1).vector(&judge.rule.modulus, 4);
    let mut few = vec![Data::unset(4), Data::of(&numbers)];
    let refused = run(&kernel, &judge.rule, &[4], &mut few);
    assert_eq!(refused, Err(MomaError::Arguments { kernel: "vadd".into() }));
    let mut all = vec![Data::unset(4), Data::of(&numbers), Data::of(&numbers[..3])];
    assert_eq!(run(&kernel, &judge.rule, &[4], &mut all), Err(MomaError::Index));
    let mut all = vec![Data::unset(4), Data::of(&numbers), Data::unset(4)];
    assert_eq!(run(&kernel, &judge.rule, &[4], &mut all), Err(MomaError::Unset));

    // All threads store to one element: a race, in any order of execution.
    let mut kernel = device(BlasOp::Vadd, judge.element, BlasTuning { threads: 2, per_thread: 1 });
    let Node::Phase(body) = &mut kernel.body[0] else { panic!("a phase") };
    let Some(Stmt::When { body, .. }) = body.last_mut() else { panic!("a guarded store") };
    let Some(Stmt::Store { to, .. }) = body.last_mut() else { panic!("a store") };
    *to = pairwright_moma::program::ElementPlace::global(0, 0u64);
    let mut all = vec![Data::unset(4), Data::of(&numbers), Data::of(&numbers)];
    assert_eq!(run(&kernel, &judge.rule, &[4], &mut all), Err(MomaError::Race));
}

#[test]
fn cuda_text_has_no_local_loop_over_registers() {
    let element = pairwright_moma::program::Element { word_bits: 32, words: 8 };
    let text = cuda(&device(BlasOp::Axpy, element, BlasTuning::default()), &c_field(element));
    assert!(text.contains("extern \"C\" __global__ void __launch_bounds__(THREADS, 1)"));
    assert!(text.contains("typedef uint4 pw_slice;"));
    assert_eq!(text.matches("pw_load_constant(r").count(), 5);
    assert!(!text.contains("__syncthreads"));
}
