//! Conformance of the operators on an OpenCL device with the plain ones, and errors for missing or wrong drivers,
//! libraries and arguments. `cargo x opencl` provides a driver for the CPU in the place where the library is looked
//! for. Without a device, each test prints that it was skipped.

mod tools;

use pairwright_curve::{Curve, Jacobian, Pairing, bls12_377, bls12_381, bn254};
use pairwright_device::{Direction, MsmOp, NttOp, Slot, Transfer, reference};
use pairwright_field::{Field, PrimeField};
use pairwright_gpu::launch::{Arg, Kernel, Module, Shape};
use pairwright_gpu::memory::{Need, Words};
use pairwright_gpu::table::{NttRow, Table};
use pairwright_gpu::{
    GpuError, Msm, Ntt, Polynomials, Setup, Sparse, Sumcheck, Trees, Workshop, board, opencl, rates,
};
use pairwright_moma::MomaError;
use pairwright_moma::catalogue::{FieldSpec, Function};
use pairwright_moma::generate::{Operation, Request};
use pairwright_moma::ir::Reduction;
use pairwright_moma::machine::Machine;
use pairwright_moma::program::Element;
use pairwright_moma::program::blas::BlasOp;
use pairwright_moma::program::ntt::Tuning;
use pairwright_poly::{Buf, Domain, plain};
use pairwright_testkit::{conformance, sessions};
use std::process::Command;
use std::sync::Arc;
use tools::aloud;

/// A device limited to `most` bytes of memory; `None`, with a message, if there is none and none is required.
fn device(most: Option<u64>) -> Option<Setup> {
    match opencl::chosen().and_then(|chosen| Setup::open_opencl(chosen, most)) {
        Ok(setup) => Some(setup),
        Err(error) if std::env::var_os(opencl::LIBRARY_VARIABLE).is_some() => {
            panic!("{} is set, but: {error}", opencl::LIBRARY_VARIABLE)
        }
        Err(error) => {
            aloud(&format!("skipped: {error}"));
            None
        }
    }
}

fn operators<F: PrimeField>() {
    let Some(setup) = device(None) else { return };
    let workshop = Arc::new(Workshop::<F>::new(setup).unwrap());
    let trees = Trees::new(Arc::clone(&workshop));
    conformance::trees::<F>(&trees, &reference::Reference);
    conformance::hashes::<F>(&trees, &reference::Reference);
    let host = Arc::new(reference::Reference);
    let rounds = Sumcheck::new(Arc::clone(&workshop), host.clone()).with_least(1);
    conformance::sumchecks::<F>(&rounds, &reference::Reference);
    conformance::sparse_products::<F>(&Sparse::new(Arc::clone(&workshop), host), &reference::Reference);
    let vectors = Polynomials::new(Arc::clone(&workshop));
    conformance::polynomials::<F>(&vectors, &reference::Reference);
    conformance::field::<F>(&Ntt::new(workshop), &vectors);
}

#[test]
fn operators_on_bn254() {
    operators::<bn254::Fr>();
}

#[test]
fn operators_on_bls12_381() {
    operators::<bls12_381::Fr>();
}

#[test]
fn operators_on_bls12_377() {
    operators::<bls12_377::Fr>();
}

fn on<C: Curve>(setup: Setup) -> Msm<C> {
    Msm::new(Arc::new(Workshop::new(setup).unwrap()), Arc::new(reference::Reference))
}

fn sums<E: Pairing>(g1: &[usize], g2: &[usize]) {
    let Some(setup) = device(None) else { return };
    conformance::sums::<E::G1>(&on(setup.clone()), g1);
    conformance::sums::<E::G2>(&on(setup), g2);
}

/// The sizes of the suite of sums.
const SIZES: [usize; 13] = [0, 1, 2, 3, 7, 31, 32, 33, 100, 255, 256, 1000, 4097];

#[test]
fn sums_on_bn254() {
    sums::<bn254::Bn254>(&SIZES[..10], &SIZES[..8]);
}

#[test]
fn sums_on_bls12_381() {
    sums::<bls12_381::Bls12_381>(&SIZES[..8], &SIZES[..6]);
}

#[test]
fn sums_on_bls12_377() {
    sums::<bls12_377::Bls12_377>(&SIZES[..8], &SIZES[..6]);
}

/// Checks sums over precomputed multiples, at most `most` per base.
fn sums_over_multiples<C: Curve>(most: u32, sizes: &[usize]) {
    let Some(mut setup) = device(None) else { return };
    setup.precompute = Some(most);
    conformance::sums::<C>(&on(setup), sizes);
}

#[test]
fn sums_over_multiples_are_right() {
    sums_over_multiples::<bn254::G1>(64, &[1, 2, 9]);
    sums_over_multiples::<bls12_381::G2>(3, &[2]);
    sums_over_multiples::<bls12_377::G1>(2, &[7]);
}

#[test]
#[ignore = "full: three curves, up to 256 points"]
fn the_suite_of_sums_over_multiples() {
    for most in [2, 5, 64] {
        sums_over_multiples::<bn254::G1>(most, &SIZES[..11]);
        sums_over_multiples::<bn254::G2>(most, &SIZES[..8]);
        sums_over_multiples::<bls12_381::G1>(most, &SIZES[..11]);
        sums_over_multiples::<bls12_381::G2>(most, &SIZES[..8]);
        sums_over_multiples::<bls12_377::G1>(most, &SIZES[..8]);
        sums_over_multiples::<bls12_377::G2>(most, &SIZES[..8]);
    }
}

/// Checks sums whose list of points is halved so many times.
fn sums_with_halvings<C: Curve>(halvings: u32, sizes: &[usize]) {
    let Some(setup) = device(None) else { return };
    conformance::sums::<C>(&on(setup.with_halvings(Some(halvings))), sizes);
}

#[test]
fn sums_with_halvings_are_right() {
    sums_with_halvings::<bn254::G1>(2, &SIZES[..9]);
    sums_with_halvings::<bn254::G2>(3, &[9]);
    sums_with_halvings::<bls12_377::G1>(1, &[7]);
}

#[test]
#[ignore = "full: three curves, up to 4,097 points"]
fn the_suite_of_sums_with_halvings() {
    for halvings in [1, 4] {
        sums_with_halvings::<bn254::G1>(halvings, &SIZES);
        sums_with_halvings::<bn254::G2>(halvings, &SIZES[..11]);
        sums_with_halvings::<bls12_381::G1>(halvings, &SIZES);
        sums_with_halvings::<bls12_381::G2>(halvings, &SIZES[..11]);
        sums_with_halvings::<bls12_377::G1>(halvings, &SIZES);
        sums_with_halvings::<bls12_377::G2>(halvings, &SIZES[..11]);
    }
}

#[test]
#[ignore = "full: the suite's sizes on three curves, up to 4,097 points"]
fn the_whole_suite_of_sums() {
    sums::<bn254::Bn254>(&SIZES, &SIZES);
    sums::<bls12_381::Bls12_381>(&SIZES, &SIZES);
    sums::<bls12_377::Bls12_377>(&SIZES, &SIZES);
}

#[test]
fn multiples_of_bases_are_right() {
    let Some(setup) = device(None) else { return };
    conformance::multiples_of_bases::<bn254::G1>(&on(setup.clone()));
    conformance::multiples_of_bases::<bn254::G2>(&on(setup));
}

/// A setup gives the host's key, and two proofs of a session are the host's, byte for byte; the second copies no key to
/// the device.
fn proofs<E: Pairing>() {
    let Some(setup) = device(None) else { return };
    let board = board::<E>(setup, reference::board()).unwrap();
    assert_eq!(board.name, "opencl");
    sessions::a_setup(&board, 20);
    let (key, [first, second]) = sessions::two_proofs(&board, 20);
    let points = 2 * E::Fq::BYTES * (key.h.len() + key.c.len() + key.a.len() + key.b_g1.len());
    let [first, second] = [first, second].map(|records| sessions::copies(&records).to_machine);
    assert_eq!(second, (E::Fr::BYTES * key.wires) as u64);
    assert!(first >= second + points as u64, "{first}, {second}, {points}");
}

#[test]
fn proofs_on_bn254_are_those_of_the_host() {
    proofs::<bn254::Bn254>();
}

#[test]
fn proofs_on_bls12_381_are_those_of_the_host() {
    proofs::<bls12_381::Bls12_381>();
}

#[test]
#[ignore = "full: a third curve"]
fn proofs_on_bls12_377_are_those_of_the_host() {
    proofs::<bls12_377::Bls12_377>();
}

/// The sum of points with known logarithms.
fn expected<C: Curve>(logs: &[C::Scalar], scalars: &[C::Scalar]) -> Jacobian<C> {
    let log = logs.iter().zip(scalars).fold(C::Scalar::ZERO, |sum, (log, k)| sum + *log * *k);
    Jacobian::generator().mul_vartime(&log)
}

/// A transform of several passes over device memory, which the sizes of the suite do not need if local memory is large.
#[test]
fn a_transform_of_two_passes_is_right() {
    let Some(mut setup) = device(None) else { return };
    let base = Tuning::for_element(Element { word_bits: 32, words: 8 });
    let tuning = Tuning { log_one_pass: 4, log_radix: 4, ..base };
    let row = NttRow { bits: 254, log_n: 7, batched: false, nanoseconds: 0.0, tuning };
    setup.table = Arc::new(Table { ntt: vec![row], ..Table::default() });
    let ntt = Ntt::new(Arc::new(Workshop::<bn254::Fr>::new(setup).unwrap()));
    let domain = Domain::new(7).unwrap();
    let input: Vec<bn254::Fr> = (0..1u64 << 7).map(|i| bn254::Fr::from(i * i + 3)).collect();
    let mut data = Buf::from(input.clone());
    let shift = bn254::Fr::from(7);
    let (_, cost) = ntt.ntt(&domain, Direction::Inverse, Some(&shift), &mut data).unwrap();
    assert_eq!(cost.machine, "opencl");
    let mut plainly = input;
    plain::coset_intt(&domain, shift, &mut plainly);
    assert!(data[..] == plainly);
}

/// With two megabytes, ranges of points are used if not all of them fit, and the host if no range fits; freed memory
/// can be used again.
#[test]
fn little_memory_makes_ranges_and_none_the_host() {
    type G = bn254::G1;
    let Some(setup) = device(Some(2_000_000)) else { return };
    let gpu = setup.gpu.clone();
    assert_eq!(gpu.memory().unwrap(), (2_000_000, 2_000_000));
    let whole = board::<bn254::Bn254>(setup.clone(), reference::board()).unwrap();
    let domain = Domain::<bn254::Fr>::new(15).unwrap();
    let start: Vec<bn254::Fr> = (0..1 << 15).map(|i| bn254::Fr::from(i * 7 + 1)).collect();
    let (mut data, mut plainly) = (Buf::from(start.clone()), start);
    let (_, cost) = whole.ntt.ntt(&domain, Direction::Forward, None, &mut data).unwrap();
    plain::ntt(&domain, &mut plainly);
    assert!(data[..] == plainly && cost.machine == reference::NAME);
    assert_eq!(whole.logs[0].slots_without_memory(), [Slot::Ntt]);
    drop(whole);

    let msm = board::<bn254::Bn254>(setup, reference::board()).unwrap().g1;
    let n = 9000;
    let (points, logs) = conformance::known_points::<G>(n, 3);
    let points = Buf::from(points);
    let scalars: Vec<bn254::Fr> = (0..n).map(|i| bn254::Fr::from((i % 3) as u64)).collect();
    let (sum, cost) = msm.msm(points.view(), Buf::from(scalars.clone()).view()).unwrap();
    assert!(sum == expected::<G>(&logs, &scalars));
    let moved = cost.transfer.unwrap().to_machine;
    assert_eq!((cost.machine, moved), ("opencl", n as u64 * 96 + 32), "points and scalars by ranges");
    // Few of them are resident.
    let (few, few_scalars) = (Buf::from(points[..500].to_vec()), Buf::from(scalars[..500].to_vec()));
    for bytes in [500 * 96, 0] {
        let (sum, cost) = msm.msm(few.view(), few_scalars.view()).unwrap();
        assert!(sum == expected::<G>(&logs[..500], &scalars[..500]));
        assert_eq!((cost.machine, cost.transfer.unwrap().to_machine), ("opencl", bytes));
    }
    drop((few, few_scalars));
    // Another buffer takes nearly all memory.
    let free = usize::try_from(gpu.memory().unwrap().0).unwrap();
    let hog = Words::zeros(&gpu, (free - 4096) / 8).unwrap();
    assert!(Words::zeros(&gpu, 1 << 10).unwrap_err().is_lack_of_memory());
    let need = Need::new().with_part("everything", 2_000_000);
    assert!(matches!(gpu.check_memory(&need), Err(GpuError::TooLittleMemory { .. })));
    let (sum, cost) = msm.msm(points.slice(..200), Buf::from(scalars[..200].to_vec()).view()).unwrap();
    assert!(sum == expected::<G>(&logs[..200], &scalars[..200]));
    assert_ne!(cost.machine, "opencl");
    drop(hog);
    let (_, cost) = msm.msm(points.slice(..200), Buf::from(scalars[..200].to_vec()).view()).unwrap();
    assert_eq!(cost.machine, "opencl");
    drop(msm);
    drop(points);
    assert_eq!(gpu.memory().unwrap().0, 2_000_000);
}

#[test]
fn copies_are_in_the_account() {
    let Some(setup) = device(None) else { return };
    sessions::a_late_copy(&board::<bn254::Bn254>(setup, reference::board()).unwrap());
    let Some(setup) = device(Some(2_000_000)) else { return };
    sessions::a_call_without_memory(&board::<bn254::Bn254>(setup, reference::board()).unwrap());
}

#[test]
fn buffers_hold_what_was_written() {
    let Some(setup) = device(None) else { return };
    let (mut copies, words) = (Transfer::default(), [1, u64::MAX, 3 << 40, 0, 5]);
    let mut buffer = Words::from_host(&setup.gpu, &words, &mut copies).unwrap();
    let mut back = [7; 5];
    buffer.read(&mut back, &mut copies).unwrap();
    assert_eq!((back, copies.to_machine, copies.to_host), (words, 40, 40));
    buffer.write(&[9; 5], &mut copies).unwrap();
    buffer.read(&mut back, &mut copies).unwrap();
    assert_eq!(back, [9; 5]);
    assert!(matches!(buffer.read(&mut [0; 4], &mut copies), Err(GpuError::Length { given: 4, room: 5 })));
    let zeros = Words::zeros(&setup.gpu, 3).unwrap();
    zeros.read(&mut back[..3], &mut copies).unwrap();
    assert_eq!(back, [0, 0, 0, 9, 9]);
    let empty = Words::zeros(&setup.gpu, 0).unwrap();
    empty.read(&mut [], &mut copies).unwrap();
    assert!(empty.is_empty());
}

/// `out[i] = i + first` on 64-bit words.
const COUNT: &str = "__kernel void count(ulong first, __global ulong *out) {
    out[get_global_id(0)] = first + get_global_id(0);
}";

fn count(kernel: &Kernel, first: u64, out: &mut Words) {
    let shape = Shape::flat(u32::try_from(out.len() / 4).unwrap(), 4);
    // SAFETY: there are as many threads as words.
    unsafe { kernel.launch(&shape, &mut [Arg::U64(first), Arg::Write(out)]) }.unwrap();
}

/// The arguments of a kernel belong to one launch at a time.
#[test]
fn threads_share_a_kernel() {
    let Some(setup) = device(None) else { return };
    let kernel = setup.kernel("count", COUNT).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4u64 {
            let (kernel, gpu) = (&kernel, &setup.gpu);
            scope.spawn(move || {
                for turn in 0..50u64 {
                    let first = thread << 40 | turn << 20;
                    let mut out = Words::zeros(gpu, 64).unwrap();
                    count(kernel, first, &mut out);
                    let mut read = [0; 64];
                    out.read(&mut read, &mut Transfer::default()).unwrap();
                    assert!(read.iter().zip(first..).all(|(found, want)| *found == want));
                }
            });
        }
    });
}

#[test]
fn what_is_wrong_is_said() {
    let Some(setup) = device(None) else { return };
    let said = |error: GpuError| error.to_string();
    let broken = said(setup.kernel("broken", "__kernel void broken() { undeclared(); }").unwrap_err());
    assert!(broken.contains("broken does not compile for") && broken.contains("undeclared"), "{broken}");
    let missing = said(setup.kernel("other", COUNT).unwrap_err());
    assert_eq!(missing, "no kernel `other` in the module");
    let kernel = setup.kernel("count", COUNT).unwrap();
    let mut out = Words::zeros(&setup.gpu, 8).unwrap();
    let wide = Shape::flat(1, setup.gpu.facts().threads_per_block + 1);
    // SAFETY: none of these is started.
    let refused = unsafe {
        [
            kernel.launch(&Shape::flat(1, 1), &mut [Arg::U32(1), Arg::Write(&mut out)]).unwrap_err(),
            kernel.launch(&Shape::flat(1, 1), &mut [Arg::U64(1)]).unwrap_err(),
            kernel.launch(&wide, &mut [Arg::U64(1), Arg::Write(&mut out)]).unwrap_err(),
        ]
    };
    let [size, number, threads] = refused.map(said);
    assert!(size.contains("clSetKernelArg") && size.contains("CL_INVALID_ARG_SIZE"), "{size}");
    assert_eq!(number, "kernel `count`: 1 arguments, it takes 2");
    assert!(threads.contains("the number of threads of a block"), "{threads}");
    // The buffer belongs to another context.
    let there = device(None).unwrap();
    let mut far = Words::zeros(&there.gpu, 8).unwrap();
    // SAFETY: this is not started.
    let error =
        unsafe { kernel.launch(&Shape::flat(2, 4), &mut [Arg::U64(0), Arg::Write(&mut far)]) }.unwrap_err();
    assert!(matches!(error, GpuError::OtherDevice { at: 1, .. }), "{error}");
    // Operations that only CUDA supports.
    assert!(matches!(rates::measure_rounds(&setup, 1), Err(GpuError::NotCuda)));
    let count = opencl::devices().unwrap().len();
    let beyond = said(Setup::open_opencl(count, None).unwrap_err());
    assert_eq!(beyond, format!("no OpenCL device: device {count} was asked for, there are {count}"));
    // After all of this the device still works.
    self::count(&kernel, 5, &mut out);
    let mut read = [0; 8];
    out.read(&mut read, &mut Transfer::default()).unwrap();
    assert_eq!(read, [5, 6, 7, 8, 9, 10, 11, 12]);
}

/// What `gen kernel --target opencl32` prints is OpenCL C.
#[test]
fn printed_kernels_compile() {
    let Some(setup) = device(None) else { return };
    let machine = || Machine::named("opencl32").unwrap();
    for (bits, reduction) in [(254, Reduction::Montgomery), (250, Reduction::Barrett)] {
        let request = Request::new(FieldSpec::new(bits, reduction), machine());
        let blas = BlasOp::ALL.map(|op| (Operation::Blas(op), op.name()));
        let functions = [Function::AddMod, Function::MulMod].map(|f| (Operation::Function(f), ""));
        let transform = Operation::Ntt { inverse: true, log_size: 8 };
        let others = [
            (Operation::Power, "power"),
            (Operation::BatchInverse, "batch_inverse"),
            (transform, "intt_2e8"),
        ];
        for (operation, name) in blas.into_iter().chain(functions).chain(others) {
            let text = request.file(operation, None, "a test").unwrap();
            let module =
                Module::build(&setup.gpu, "printed", &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
            assert!(name.is_empty() || module.kernel(name).is_ok(), "{name} in {text}");
        }
        // Passes are programs of their own.
        let long = Operation::Ntt { inverse: false, log_size: 14 };
        assert!(matches!(request.file(long, None, "a test"), Err(MomaError::Passes { .. })));
    }
}

/// Runs a test of this binary in a process of its own with an environment variable; returns whether it passed, and its
/// output.
fn apart(test: &str, variable: &str, value: &str) -> (bool, String) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--include-ignored", "--nocapture"]).env(variable, value);
    let output = command.output().unwrap();
    (output.status.success(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

/// A missing library is an error and not a panic.
#[test]
fn an_absent_library_is_said_in_one_line() {
    let (_, said) = apart("what_is_found", opencl::LIBRARY_VARIABLE, "/no/such/library.so");
    let line = said.lines().find(|line| line.starts_with("no OpenCL device: the library cannot be used: "));
    assert!(line.is_some_and(|line| line.contains("/no/such/library.so")), "{said}");
    let (_, said) = apart("what_is_found", opencl::DEVICE_VARIABLE, "first");
    let line = "PAIRWRIGHT_OPENCL_DEVICE is \"first\": a device has a number, from 0 on";
    assert!(said.lines().any(|said| said == line), "{said}");
}

#[test]
#[ignore = "full: run by the test above, in a process of its own"]
fn what_is_found() {
    match opencl::chosen().and_then(|_| opencl::devices()) {
        Ok(names) => aloud(&format!("{names:?}")),
        Err(error) => aloud(&error.to_string()),
    }
}

/// Faults in the macros that OpenCL texts have for CUDA's names: definitions that precede ours.
const PLANTS: [&str; 4] = [
    "-D__syncthreads()=",
    "-D__brev(x)=(x)",
    "-DatomicAdd(place,value)=(*(place))",
    "-D__funnelshift_r(low,high,by)=((low)>>((by)&31))",
];

#[test]
fn planted_faults_are_seen() {
    if device(None).is_none() {
        return;
    }
    let usual = std::env::var(opencl::OPTIONS_VARIABLE).unwrap_or_default();
    let (good, said) = apart("some_operators", opencl::OPTIONS_VARIABLE, &usual);
    assert!(good && said.contains("both are right"), "{said}");
    for plant in PLANTS {
        let (good, said) = apart("some_operators", opencl::OPTIONS_VARIABLE, &format!("{usual} {plant}"));
        assert!(!good && said.contains(" is wrong"), "not seen: {plant}: {said}");
    }
}

#[test]
#[ignore = "full: run by the test above, in a process of its own"]
fn some_operators() {
    let Some(setup) = device(None) else { return };
    let domain = Domain::<bn254::Fr>::new(6).unwrap();
    let mut data = conformance::Values::<bn254::Fr>::new(5).take_buf(64);
    let mut plainly = data.host().unwrap().to_vec();
    let ntt = Ntt::new(Arc::new(Workshop::<bn254::Fr>::new(setup.clone()).unwrap()));
    ntt.ntt(&domain, Direction::Forward, None, &mut data).unwrap();
    plain::ntt(&domain, &mut plainly);
    let judge = |what: &str, right: bool| {
        if !right {
            aloud(&format!("the {what} is wrong"));
        }
        assert!(right, "{what}");
    };
    // An MSM without barriers could write anywhere; this line is not reached.
    judge("transform", data.host().is_ok_and(|found| found == plainly));
    // Enough scalars for windows of five bits, so that digits cross word boundaries.
    let (points, logs) = conformance::known_points::<bn254::G1>(100, 3);
    let scalars: Vec<bn254::Fr> = conformance::Values::new(8).take(100).collect();
    let found = on::<bn254::G1>(setup).msm(Buf::from(points).view(), Buf::from(scalars.clone()).view());
    judge("sum", found.is_ok_and(|(sum, _)| sum == expected::<bn254::G1>(&logs, &scalars)));
    aloud("both are right");
}
