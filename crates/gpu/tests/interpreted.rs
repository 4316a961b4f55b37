//! Tests of the host side and the kernels on the stand-in driver, which interprets PTX: `cargo x ptx` puts it in place
//! of the driver. Without it, each test prints that it was skipped.
//!
//! A fault that the interpreter detects makes the call fail, so every test here also checks the kernels' memory
//! accesses.

mod tools;

use num_bigint::BigUint;
use pairwright_curve::{Curve, bls12_377, bls12_381, bn254};
use pairwright_device::{Direction, NttOp, Transfer, VecOp, reference};
use pairwright_field::{Field, PrimeField, Ring};
use pairwright_gpu::bench::Subject;
use pairwright_gpu::family::{Family, FieldTuning, KernelTarget};
use pairwright_gpu::launch::{Arg, Shape};
use pairwright_gpu::memory::{Need, Words};
use pairwright_gpu::{
    DEVICE_VARIABLE, GpuError, Ntt, Polynomials, Setup, Workshop, board, chosen, devices, mixed, msm_texts,
    probe, rates,
};
use pairwright_moma::ir::Reduction;
use pairwright_moma::program::blas::{BlasOp, BlasTuning};
use pairwright_moma::program::ntt::{Tuning, Unrolling};
use pairwright_moma::program::primes::ntt_prime;
use pairwright_poly::{Buf, Domain, plain};
use pairwright_testkit::{conformance, sessions};
use std::sync::Arc;
use tools::{again, alone, device, stand_in};

/// Compares a transform in each direction, on the subgroup and on a coset, with the plain one.
fn transforms_are_right<F: PrimeField>(ntt: &Ntt<F>, log_n: u32) {
    let domain = Domain::<F>::new(log_n).unwrap();
    let input: Vec<F> = (0..1u64 << log_n).map(|i| F::from(i * i + 3)).collect();
    for shift in [None, Some(F::from(7))] {
        for direction in [Direction::Forward, Direction::Inverse] {
            let mut data = Buf::from(input.clone());
            ntt.ntt(&domain, direction, shift.as_ref(), &mut data).unwrap();
            let mut expected = input.clone();
            match (direction, shift) {
                (Direction::Forward, None) => plain::ntt(&domain, &mut expected),
                (Direction::Inverse, None) => plain::intt(&domain, &mut expected),
                (Direction::Forward, Some(g)) => plain::coset_ntt(&domain, g, &mut expected),
                (Direction::Inverse, Some(g)) => plain::coset_intt(&domain, g, &mut expected),
            }
            assert!(data.host().unwrap() == expected, "2^{log_n}, {direction:?}, shift {shift:?}");
        }
    }
}

fn ntt<F: PrimeField>(setup: Setup) -> Ntt<F> {
    Ntt::new(Arc::new(Workshop::<F>::new(setup).unwrap()))
}

/// Runs transforms on devices with and without clusters of blocks, which exist from compute capability 9.0 on.
fn transforms_run_on(devices: &[usize]) {
    for &number in devices {
        let Some(setup) = stand_in(number) else { return };
        let facts = setup.gpu.facts().clone();
        assert_eq!(facts.has_clusters(), facts.capability >= 90);
        let ntt = ntt::<bn254::Fr>(setup);
        for log_n in [1, 3, 8, 12] {
            transforms_are_right(&ntt, log_n);
        }
    }
}

#[test]
fn transforms_run_on_old_and_new_devices() {
    transforms_run_on(&[device::TURING, device::BLACKWELL]);
}

#[test]
#[ignore = "full: texts for three more devices"]
fn transforms_run_on_other_devices() {
    transforms_run_on(&[device::AMPERE, device::SMALL_AMPERE, device::SMALL_BLACKWELL]);
}

#[test]
#[ignore = "full: the whole suite on five more devices, three minutes"]
fn conformance_on_every_capability() {
    for number in
        [device::TURING, device::AMPERE, device::SMALL_AMPERE, device::BLACKWELL, device::SMALL_BLACKWELL]
    {
        let Some(setup) = stand_in(number) else { return };
        let workshop = Arc::new(Workshop::<bls12_381::Fr>::new(setup).unwrap());
        let vectors = Polynomials::new(Arc::clone(&workshop));
        conformance::field::<bls12_381::Fr>(&Ntt::new(workshop), &vectors);
    }
}

/// A transform with several passes over device memory.
#[test]
fn a_transform_of_two_passes_is_right() {
    let Some(setup) = stand_in(device::HOPPER) else { return };
    transforms_are_right(&ntt::<bls12_381::Fr>(setup), 13);
}

/// On a device of 2,000,000 bytes a call takes a megabyte, memory that the call before has freed is in the driver's
/// pool, and tables of twiddles fill the rest.
#[test]
fn memory_that_was_freed_can_be_used_again() {
    let _alone = alone();
    let Some(setup) = stand_in(device::LITTLE) else { return };
    let gpu = setup.gpu.clone();
    let ntt = ntt::<bn254::Fr>(setup);
    for _ in 0..3 {
        transforms_are_right(&ntt, 13);
    }
    // A call that does not fit is refused before anything runs, and the device still works.
    let domain = Domain::<bn254::Fr>::new(15).unwrap();
    let mut data = Buf::from(vec![bn254::Fr::from(1); 1 << 15]);
    let error = ntt.ntt(&domain, Direction::Forward, None, &mut data).unwrap_err().to_string();
    assert!(error.contains("device memory are needed"), "{error}");
    transforms_are_right(&ntt, 4);
    gpu.wait().unwrap();
    let (free, total) = gpu.memory().unwrap();
    assert!(free < total, "the last table is still there");
    drop(ntt);
    gpu.wait().unwrap();
    assert_eq!(gpu.memory().unwrap().0, total);
    let need = Need::new().with_part("everything", total + 1);
    assert!(matches!(gpu.check_memory(&need), Err(GpuError::TooLittleMemory { .. })));
    assert!(gpu.check_memory(&Need::new().with_part("everything", total)).is_ok());
}

/// Without the variable, the first of the devices with the most memory is chosen.
#[test]
fn the_device_with_the_most_memory_is_chosen() {
    if stand_in(device::HOPPER).is_none() {
        return;
    }
    if let Some(number) = std::env::var_os(DEVICE_VARIABLE) {
        assert_eq!(chosen().unwrap().to_string(), number.to_str().unwrap());
        return;
    }
    let all = devices().unwrap();
    assert_eq!(all.len(), probe().unwrap());
    let most = all.iter().map(|(_, memory)| *memory).max().unwrap();
    assert_eq!(Some(chosen().unwrap()), all.iter().position(|(_, memory)| *memory == most));
    let (name, memory) = &all[device::HOPPER];
    let gpu = Setup::open(device::HOPPER).unwrap().gpu;
    assert_eq!((name, memory), (&gpu.facts().name, &gpu.facts().memory));
    let another = chosen().unwrap() + 1;
    let test = "the_device_with_the_most_memory_is_chosen";
    assert!(again(test, &[(DEVICE_VARIABLE, &another.to_string())]).contains("1 passed"));
}

#[test]
fn a_device_number_that_is_none_is_an_error() {
    if std::env::var_os(DEVICE_VARIABLE).is_some() {
        let error = chosen().unwrap_err().to_string();
        assert_eq!(error, "PAIRWRIGHT_GPU is \"first\": a device has a number, from 0 on");
        return;
    }
    let said = again("a_device_number_that_is_none_is_an_error", &[(DEVICE_VARIABLE, "first")]);
    assert!(said.contains("1 passed"), "{said}");
}

/// A call that does not fit on the device runs on the host of the board, and its cost names the host.
#[test]
fn what_has_no_room_runs_on_the_host() {
    let _alone = alone();
    let Some(setup) = stand_in(device::LITTLE) else { return };
    let board = board::<bn254::Bn254>(setup, reference::board()).unwrap();
    let n = 1 << 15;
    let start: Vec<bn254::Fr> = (0..n).map(|i| bn254::Fr::from(i * 7 + 1)).collect();
    let domain = Domain::<bn254::Fr>::new(15).unwrap();
    let (mut data, mut expected) = (Buf::from(start.clone()), start.clone());
    let (_, cost) = board.ntt.ntt(&domain, Direction::Forward, None, &mut data).unwrap();
    plain::ntt(&domain, &mut expected);
    assert!(data[..] == expected && cost.machine == reference::NAME);
    let mut squares = Buf::from(start.clone());
    let (_, cost) = board.vec.mul(&mut squares, Buf::from(start.clone()).view()).unwrap();
    assert!(squares.iter().zip(&start).all(|(square, x)| *square == *x * *x));
    assert_eq!(cost.machine, reference::NAME);
    let (product, cost) = board.tree.product(Buf::from(start.clone()).view()).unwrap();
    assert!(product == start.iter().fold(bn254::Fr::from(1), |product, x| product * *x));
    assert_eq!(cost.machine, reference::NAME);
    let mut tables = [Buf::from(start.clone()), Buf::from(start)];
    let (_, cost) = board.sumcheck.bind(&mut tables, &bn254::Fr::from(0)).unwrap();
    assert_eq!(
        (cost.machine, tables[0].len(), tables[0][1]),
        (reference::NAME, 1 << 14, bn254::Fr::from(15))
    );
    // Small operands run on the device.
    let (_, cost) =
        board.vec.mul(&mut tables[0], Buf::from(vec![bn254::Fr::from(2); 1 << 14]).view()).unwrap();
    assert_eq!(cost.machine, "gpu");
}

#[test]
fn copies_are_in_the_account() {
    let Some(setup) = stand_in(device::HOPPER) else { return };
    sessions::a_late_copy(&board::<bn254::Bn254>(setup, reference::board()).unwrap());
    let _alone = alone();
    let Some(setup) = stand_in(device::LITTLE) else { return };
    sessions::a_call_without_memory(&board::<bn254::Bn254>(setup, reference::board()).unwrap());
}

/// A launch takes the stand-in's host four microseconds, and the kernel on 32 elements less than one.
#[test]
fn the_time_of_a_launch_is_no_time_of_a_kernel() {
    let Some(setup) = stand_in(device::HOPPER) else { return };
    let modulus = ntt_prime(128, 10).unwrap();
    let subject = Subject::new(setup, &modulus, Reduction::Montgomery, FieldTuning::default()).unwrap();
    let measured = subject.vector(BlasOp::Vadd, 32, BlasTuning { threads: 32, per_thread: 1 }).unwrap();
    let kernel = measured.nanoseconds * 32.0;
    assert!((10.0..1000.0).contains(&kernel), "{kernel} ns");
    // Passes of one measurement follow each other without a pause.
    let tuning = Tuning { log_one_pass: 4, log_radix: 4, ..Tuning::for_latency(subject.element(), 7) };
    let measured = subject.transform(7, 1, &tuning).unwrap();
    let passes = measured.nanoseconds * f64::from(7 << 6);
    assert!((100.0..4000.0).contains(&passes), "{passes} ns");
}

#[test]
fn rates_are_measured_on_old_and_small_devices() {
    let Some(setup) = stand_in(device::LITTLE_TURING) else { return };
    let measured = rates::measure_rounds(&setup, 1).unwrap();
    let kernels: std::collections::BTreeSet<&str> = measured.rates.iter().map(|row| row.kernel).collect();
    assert!(kernels.contains("rate_imad_wide") && !kernels.contains("rate_dmma"), "{kernels:?}");
    assert_eq!((measured.rates.len(), measured.latencies.len()), (8 * 14, rates::LATENCIES.len()));
    let copies: Vec<u64> = measured.copies.iter().map(|row| row.bytes).collect();
    assert_eq!(copies, [16 << 20], "the others do not fit");
}

/// Tensor cores take products of matrices from compute capability 8.0 on.
#[test]
fn rates_are_measured_on_devices_with_tensor_cores() {
    for (number, capability) in [(device::LITTLE_AMPERE, 80), (device::LITTLE_HOPPER, 90)] {
        let Some(setup) = stand_in(number) else { return };
        assert_eq!(setup.gpu.facts().capability, capability);
        let measured = rates::measure_rounds(&setup, 1).unwrap();
        assert_eq!(measured.rates.len(), 8 * rates::RATES.len());
        for (rate, rows) in rates::RATES.iter().zip(measured.rates.chunks(8)) {
            let is_one = |row: &rates::RateRow| row.kernel == rate.kernel && row.operations_per_clock > 0.0;
            assert!(rows.iter().all(is_one), "{}: {rows:?}", rate.kernel);
        }
        assert_eq!(measured.latencies.len(), rates::LATENCIES.len());
    }
}

/// A buffer may be dropped by a thread that has never called the driver.
#[test]
fn a_buffer_is_freed_by_any_thread() {
    let Some(setup) = stand_in(device::COUNTED) else { return };
    let gpu = setup.gpu.clone();
    let before = {
        gpu.wait().unwrap();
        gpu.memory().unwrap().0
    };
    let buffer = Words::zeros(&gpu, 1 << 10).unwrap();
    assert_eq!(gpu.memory().unwrap().0, before - 8192);
    std::thread::spawn(move || drop(buffer)).join().unwrap();
    gpu.wait().unwrap();
    assert_eq!(gpu.memory().unwrap().0, before);
}

#[test]
fn a_buffer_of_another_device_is_no_argument() {
    let (Some(here), Some(there)) = (stand_in(device::HOPPER), stand_in(device::AMPERE)) else { return };
    let text = "extern \"C\" __global__ void k(unsigned long long *a) { *a = 7; }";
    let kernel = here.kernel("k", text).unwrap();
    let mut far = Words::zeros(&there.gpu, 1).unwrap();
    let shape = Shape::flat(1, 1);
    // SAFETY: the kernel writes one word, which the buffer has.
    let error = unsafe { kernel.launch(&shape, &mut [Arg::Write(&mut far)]) }.unwrap_err();
    assert!(matches!(error, GpuError::OtherDevice { at: 0, .. }), "{error}");
    let mut near = Words::zeros(&here.gpu, 1).unwrap();
    // SAFETY: as above.
    unsafe { kernel.launch(&shape, &mut [Arg::Write(&mut near)]) }.unwrap();
    let mut read = [0];
    near.read(&mut read, &mut Transfer::default()).unwrap();
    assert_eq!(read, [7]);
}

/// The parameters of a kernel in PTX are known too, so that arguments of other sizes or another number are refused.
#[test]
fn arguments_of_other_sizes_are_refused() {
    let Some(setup) = stand_in(device::HOPPER) else { return };
    let text = "extern \"C\" __global__ void k(unsigned n, unsigned long long *a) { *a = n; }";
    let kernel = setup.kernel("k", text).unwrap();
    let mut out = Words::zeros(&setup.gpu, 1).unwrap();
    for mut wrong in [vec![Arg::U32(1)], vec![Arg::U64(1), Arg::Write(&mut out)]] {
        // SAFETY: the launch is refused.
        let error = unsafe { kernel.launch(&Shape::flat(1, 1), &mut wrong) }.unwrap_err();
        assert!(matches!(error, GpuError::Arguments { .. }), "{error}");
    }
    // SAFETY: the kernel writes one word, which the buffer has.
    unsafe { kernel.launch(&Shape::flat(1, 1), &mut [Arg::U32(1), Arg::Write(&mut out)]) }.unwrap();
}

/// The first call of a thread may be one that asks for more shared memory.
#[test]
fn shared_memory_is_asked_for_within_the_context() {
    let Some(setup) = stand_in(device::HOPPER) else { return };
    let text = "extern \"C\" __global__ void k(unsigned *a) { extern __shared__ unsigned s[]; \
                s[threadIdx.x] = 5; a[threadIdx.x] = s[threadIdx.x]; }";
    let kernel = setup.kernel("k", text).unwrap();
    let mut out = Words::zeros(&setup.gpu, 1).unwrap();
    let found = std::thread::spawn(move || {
        let shape = Shape { shared: 100 << 10, ..Shape::flat(1, 2) };
        // SAFETY: the kernel writes a word of 32 bits a thread, and the buffer has two.
        unsafe { kernel.launch(&shape, &mut [Arg::Write(&mut out)]) }.unwrap();
        let mut read = [0];
        out.read(&mut read, &mut Transfer::default()).unwrap();
        read[0]
    });
    assert_eq!(found.join().unwrap(), 5 << 32 | 5);
}

/// Inverses by the kernel of halvings, one by one and several together.
fn inverses_are_right<C: Curve<Base: PrimeField>>() {
    let Some(setup) = stand_in(device::HOPPER) else { return };
    let texts = msm_texts::<C>(FieldTuning::default()).unwrap();
    let text = &texts.iter().find(|(name, _)| *name == "msm_halving").unwrap().1;
    let kernel = setup.kernel("invert", text).unwrap();
    // Few bits, many bits, Montgomery's radix and its powers, and random elements.
    let mut values: Vec<C::Base> = (1..70).map(C::Base::from).collect();
    values.extend(values.clone().iter().map(|x| -*x));
    let doubled = core::iter::successors(Some(C::Base::ONE), |x| Some(x.double()));
    values.extend(doubled.take(2 * C::Base::BITS as usize).step_by(5));
    values.extend(values.clone().iter().map(|x| x.invert().unwrap()));
    values.extend(conformance::Values::<C::Base>::new(1).take(64).filter(|x| !x.is_zero()));
    let words = |x: &C::Base| x.to_montgomery().as_ref().to_vec();
    let bytes = |words: &[u64]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let minus_one: Vec<u8> =
        (-C::Base::ONE).to_limbs().as_ref().iter().flat_map(|limb| limb.to_le_bytes()).collect();
    let modulus = BigUint::from_bytes_le(&minus_one) + 1u32;
    let constants = Family::of::<C::Base>(FieldTuning::default()).unwrap().constants(&modulus).unwrap();
    let one = bytes(&words(&C::Base::ONE));
    // The form of Montgomery's radix is the square of the radix.
    let radix =
        core::iter::repeat_n((), 64 * words(&C::Base::ONE).len()).fold(C::Base::ONE, |x, ()| x.double());
    let square = bytes(&words(&radix));
    let mut modulus = modulus.to_bytes_le();
    modulus.resize(one.len(), 0);
    let copies = &mut Transfer::default();
    let mut invert = |values: &[C::Base], threads: usize| -> Vec<C::Base> {
        let packed: Vec<u64> = values.iter().flat_map(words).collect();
        let mut products = Words::from_host(&setup.gpu, &packed, copies).unwrap();
        let mut work = Words::zeros(&setup.gpu, packed.len()).unwrap();
        let mut arguments = vec![Arg::U32(values.len() as u32), Arg::U32(threads as u32)];
        arguments.extend([Arg::Write(&mut products), Arg::Write(&mut work)]);
        arguments.extend([&constants, &one, &modulus, &square].map(|bytes| Arg::Bytes(bytes)));
        let shape = Shape::flat(threads.div_ceil(32) as u32, 32);
        // SAFETY: there are as many products, and as many places in `work`.
        unsafe { kernel.launch(&shape, &mut arguments) }.unwrap();
        let mut found = vec![0; packed.len()];
        products.read(&mut found, copies).unwrap();
        let element = |words: &[u64]| {
            let mut limbs = <C::Base as PrimeField>::Limbs::default();
            limbs.as_mut().copy_from_slice(words);
            C::Base::from_montgomery(limbs).unwrap()
        };
        found.chunks(packed.len() / values.len()).map(element).collect()
    };
    let expected: Vec<C::Base> = values.iter().map(|x| x.invert().unwrap()).collect();
    for threads in [1, 5, 32, values.len()] {
        assert!(invert(&values, threads) == expected, "{} by {threads} threads", C::NAME);
    }
    assert_eq!(invert(&[C::Base::ZERO], 1), [C::Base::ZERO]);
}

#[test]
fn inverses_by_division_steps_are_those_of_the_host() {
    inverses_are_right::<bn254::G1>();
    inverses_are_right::<bls12_381::G1>();
    inverses_are_right::<bls12_377::G1>();
}

/// The fault of a kernel is reported by the next call, as a kernel's fault. Runs in a process of its own, since the
/// device is unusable afterwards.
#[test]
fn the_fault_of_a_kernel_is_named_as_one() {
    if stand_in(device::HOPPER).is_none() {
        return;
    }
    let out = again("a_kernel_that_fails", &[]);
    assert!(
        out.contains("a kernel has failed on the device, as was found while waiting for kernels"),
        "{out}"
    );
    assert!(out.contains("outside of the memory"), "{out}");
}

#[test]
#[ignore = "full: run by the test above too, in a process of its own"]
fn a_kernel_that_fails() {
    let Some(setup) = stand_in(device::LOST) else { return };
    let text = "extern \"C\" __global__ void k(unsigned long long *a) { a[threadIdx.x] = 7; }";
    let kernel = setup.kernel("k", text).unwrap();
    let mut words = Words::zeros(&setup.gpu, 3).unwrap();
    // SAFETY: the stand-in checks every access: the fourth thread's is refused.
    unsafe { kernel.launch(&Shape::flat(1, 4), &mut [Arg::Write(&mut words)]) }.unwrap();
    tools::aloud(&setup.gpu.wait().unwrap_err().to_string());
}

/// A stub library, which returns one error code from every call, is no driver; and it is distinguished from an old
/// driver.
#[test]
fn a_stub_is_no_driver() {
    if stand_in(device::HOPPER).is_none() {
        return;
    }
    let out = again("what_is_found", &[("PAIRWRIGHT_PTX_DRIVER", "stub")]);
    assert!(out.contains("no CUDA device: the driver library (libcuda) is not on this machine"), "{out}");
    let out = again("what_is_found", &[("PAIRWRIGHT_PTX_DRIVER", "12080")]);
    assert!(out.contains("speaks version 12.8; 13.0 or newer is needed"), "{out}");
}

#[test]
#[ignore = "full: run by the test above, in a process of its own"]
fn what_is_found() {
    match probe() {
        Ok(count) => tools::aloud(&format!("{count} devices")),
        Err(error) => tools::aloud(&error.to_string()),
    }
}

/// The measurements of `gpu bench` compare samples with the host's results before they report a time.
#[test]
fn measured_kernels_are_right() {
    let Some(setup) = stand_in(device::HOPPER) else { return };
    for (bits, target, reduction) in [
        (128, KernelTarget::Cuda32, Reduction::Montgomery),
        (255, KernelTarget::Cuda32, Reduction::Montgomery),
        (252, KernelTarget::Cuda32, Reduction::Barrett),
        (256, KernelTarget::Cuda64, Reduction::Montgomery),
        (256, KernelTarget::CudaF64, Reduction::Montgomery),
        (384, KernelTarget::Cuda32, Reduction::Montgomery),
    ] {
        let modulus = ntt_prime(bits, 14).unwrap();
        let tuning = FieldTuning { target, karatsuba: 0 };
        let subject = Subject::new(setup.clone(), &modulus, reduction, tuning).unwrap();
        let element = subject.element();
        subject.products(1, 1).unwrap();
        for op in BlasOp::ALL {
            subject.vector(op, 1000, BlasTuning::for_element(element)).unwrap();
        }
        // A single transform as a cluster, and blocks of whole transforms of which the last is not full.
        subject.transform(6, 1, &Tuning::for_latency(element, 6)).unwrap();
        subject.transform(6, 3, &Tuning::for_element(element)).unwrap();
        if bits == 255 {
            subject
                .transform(9, 1, &Tuning { unrolling: Unrolling::Looped, ..Tuning::for_element(element) })
                .unwrap();
            subject
                .transform(9, 1, &Tuning { unrolling: Unrolling::Peeled, ..Tuning::for_element(element) })
                .unwrap();
        }
    }
}

/// The largest transform in one pass, over the shared memory of a cluster.
#[test]
#[ignore = "full: 2^14 elements and shapes of the tuner's space, two minutes"]
fn measured_shapes_are_right() {
    let Some(setup) = stand_in(device::HOPPER) else { return };
    for bits in [128, 256, 381, 768] {
        let modulus: BigUint = ntt_prime(bits, 14).unwrap();
        let subject =
            Subject::new(setup.clone(), &modulus, Reduction::Montgomery, FieldTuning::default()).unwrap();
        let element = subject.element();
        subject.transform(14, 1, &Tuning::for_element(element)).unwrap();
        let base = Tuning { log_one_pass: 10, ..Tuning::for_element(element) };
        for tuning in pairwright_gpu::tune::neighbours(&base, true) {
            subject.transform(10, 2, &tuning).unwrap();
        }
        for shared in [64 << 10, 99 << 10, 163 << 10] {
            subject.transform(12, 1, &Tuning { shared_bytes: shared, ..base }).unwrap();
        }
    }
}

#[test]
fn both_pipes_in_one_kernel_are_right() {
    let Some(setup) = stand_in(device::HOPPER) else { return };
    let rows = mixed::measure(&setup, &ntt_prime(256, 4).unwrap(), 1).unwrap();
    assert_eq!(rows.len(), 9);
}

/// An operator reads a result that another has left on the device, and clones share it.
#[test]
fn what_stays_on_the_device_is_not_written() {
    let Some(setup) = stand_in(device::HOPPER) else { return };
    let workshop = Arc::new(Workshop::<bn254::Fr>::new(setup).unwrap());
    let (ntt, vectors) = (Ntt::new(Arc::clone(&workshop)), Polynomials::new(workshop));
    let domain = Domain::<bn254::Fr>::new(6).unwrap();
    let start: Vec<bn254::Fr> = (0..64).map(|i| bn254::Fr::from(i + 1)).collect();
    let mut first = Buf::from(start.clone());
    ntt.ntt(&domain, Direction::Forward, None, &mut first).unwrap();
    let shared = first.clone();
    let (_, cost) = ntt.ntt(&domain, Direction::Inverse, None, &mut first).unwrap();
    assert_eq!(cost.transfer.unwrap().to_machine, 64 * 32, "the twiddles alone go there");
    assert!(first.host().unwrap() == start);
    // The clone's copy on the device is unchanged.
    let mut product = shared.clone();
    vectors.mul(&mut product, shared.view()).unwrap();
    let mut expected = start;
    plain::ntt(&domain, &mut expected);
    expected.iter_mut().for_each(|x| *x = *x * *x);
    assert!(product.host().unwrap() == expected);
}
