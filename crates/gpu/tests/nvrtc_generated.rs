//! Compiles every generated kernel to Hopper's machine code and checks that its parameters are those of the launch,
//! that it fits on a multiprocessor, and that its resources are those kept in `goldens/`. See `nvrtc.rs` for where the
//! compiler comes from.

mod tools;

use pairwright_curve::{Curve, bls12_381, bn254};
use pairwright_gpu::ahead::zerocheck_terms;
use pairwright_gpu::bench::products;
use pairwright_gpu::cubin;
use pairwright_gpu::family::{Family, FieldTuning, KernelTarget};
use pairwright_gpu::nvrtc::{Arch, Compiled, Nvrtc, Options, Target};
use pairwright_gpu::{mixed, msm_texts, sparse_text, vector_programs};
use pairwright_moma::ir::Reduction;
use pairwright_moma::program::blas::{BlasOp, BlasTuning, device};
use pairwright_moma::program::ntt::{self, Kind, NttPlan, Tuning};
use pairwright_moma::program::primes::ntt_prime;
use pairwright_moma::program::rounds;
use pairwright_moma::program::{ArrayKernel, Buffer, BufferKind};
use tools::{Ledger, compiler, sass};

const HOPPER: Arch = Arch(90);
/// Architectures for which the sums of points are compiled.
const GENERATIONS: [Arch; 4] = [Arch(80), HOPPER, Arch(100), Arch(120)];
/// Number of 32-bit registers of a multiprocessor.
const REGISTERS: u32 = 65_536;

/// A width with its word size and reduction, which name a row of a ledger.
struct Choice {
    bits: u32,
    reduction: Reduction,
    tuning: FieldTuning,
}

impl Choice {
    /// Montgomery's reduction in 32-bit words.
    fn usual(bits: u32) -> Self {
        Self { bits, reduction: Reduction::Montgomery, tuning: FieldTuning::default() }
    }

    fn name(&self) -> String {
        let reduction = match self.reduction {
            Reduction::Montgomery => "Montgomery",
            Reduction::Barrett => "Barrett",
        };
        let levels = match self.tuning.karatsuba {
            0 => String::new(),
            n => format!(", Karatsuba {n}"),
        };
        format!("{} bits, {}, {reduction}{levels}", self.bits, self.tuning.target.machine())
    }

    fn family(&self) -> Family {
        Family::new(self.bits, self.reduction, self.tuning).unwrap()
    }
}

/// Adds a program to the ledger, and checks it against its launch if it is compiled.
fn enter(ledger: &mut Ledger<'_>, nvrtc: &Nvrtc, choice: &Choice, family: &Family, program: &ArrayKernel) {
    let text = family.text(program);
    ledger.enter_with(&program.name, &text, |compiled, _| {
        check(compiled, nvrtc, choice, family, program);
        Vec::new()
    });
}

/// Checks a compiled program against its launch.
fn check(compiled: &Compiled, nvrtc: &Nvrtc, choice: &Choice, family: &Family, program: &ArrayKernel) {
    let kernels = cubin::kernels(&compiled.image).unwrap();
    // The same front end produces both forms; PTX alone is used on devices newer than the compiler.
    if choice.bits == 128 {
        let options = Options::new(Target::Ptx(HOPPER));
        let ptx = nvrtc.compile(&program.name, &family.text(program), &options).unwrap();
        let entry = format!(".entry {}(", program.name);
        assert!(String::from_utf8(ptx.image).unwrap().contains(&entry), "{entry}");
    }
    let what = format!("{} at {}", program.name, choice.name());
    let taken = kernels.get(&program.name).unwrap_or_else(|| panic!("{what}: no such kernel"));

    let modulus = ntt_prime(choice.bits, 4).unwrap();
    let constants = family.constants(&modulus).unwrap().len() as u32;
    let mut parameters = vec![4; program.scalars.len()];
    let size = |buffer: &Buffer| match buffer.kind {
        BufferKind::Value => program.element.bytes() as u32,
        _ => 8,
    };
    parameters.extend(program.buffers.iter().map(size));
    parameters.push(constants);
    assert_eq!(taken.parameters, parameters, "{what}");

    let launch = program.launch.as_ref().unwrap();
    assert!(program.shared_bytes() + taken.shared <= Tuning::SM90_SHARED, "{what}");
    assert_eq!(taken.max_threads, Some(launch.threads), "{what}");
    // Registers are allocated to warps in units of eight per thread.
    let registers = taken.registers.next_multiple_of(8) * launch.threads.next_multiple_of(32);
    assert!(registers * launch.resident.max(1) <= REGISTERS, "{what}: {registers} registers a block");
}

#[test]
fn vector_kernels_ledger() {
    let Some(nvrtc) = compiler() else { return };
    let Some(mut ledger) = Ledger::new(&nvrtc, HOPPER, "vectors_sm_90.txt") else { return };
    let tuning = |target, karatsuba| FieldTuning { target, karatsuba };
    let barrett = |bits| Choice { reduction: Reduction::Barrett, ..Choice::usual(bits) };
    let choices = [64, 128, 192, 256, 320, 384, 448, 512, 576, 640, 768, 1024].map(Choice::usual);
    let others = [
        Choice::usual(381),
        Choice { tuning: tuning(KernelTarget::Cuda64, 0), ..Choice::usual(256) },
        Choice { tuning: tuning(KernelTarget::Cuda32, 1), ..Choice::usual(512) },
        barrett(124),
        barrett(252),
    ];
    for choice in choices.into_iter().chain(others) {
        let family = choice.family();
        let (element, tuning) = (family.element(), BlasTuning::for_element(family.element()));
        ledger.section(&choice.name());
        let mut programs = vector_programs(element, tuning);
        programs.splice(1..1, [BlasOp::Vadd, BlasOp::Vsub].map(|op| device(op, element, tuning)));
        programs.push(device(BlasOp::Axpy, element, tuning));
        // All widths have the product and the sum; the other kernels are made of the same functions.
        programs.truncate(if [128, 256, 384].contains(&choice.bits) { 5 } else { 2 });
        for program in programs {
            enter(&mut ledger, &nvrtc, &choice, &family, &program);
        }
    }
    ledger.close();
}

#[test]
fn transforms_ledger() {
    let Some(nvrtc) = compiler() else { return };
    let Some(mut ledger) = Ledger::new(&nvrtc, HOPPER, "transforms_sm_90.txt") else { return };
    let cases = [
        (64, 20, Kind::FORWARD),
        (128, 20, Kind::FORWARD),
        (256, 10, Kind::FORWARD),
        (256, 12, Kind::COSET_FORWARD),
        (256, 12, Kind::COSET_INVERSE),
        (256, 14, Kind::INVERSE),
        (256, 20, Kind::FORWARD),
        (256, 24, Kind::INVERSE),
        (384, 20, Kind::FORWARD),
        (768, 20, Kind::FORWARD),
        (1024, 12, Kind::FORWARD),
    ];
    for (bits, log_n, kind) in cases {
        let choice = Choice::usual(bits);
        let family = choice.family();
        let plan = NttPlan::choose(family.element(), log_n, &Tuning::for_element(family.element())).unwrap();
        ledger.section(&format!("{} of 2^{log_n}, {}", kind.name(), choice.name()));
        for program in ntt::device::kernels(&plan, kind) {
            enter(&mut ledger, &nvrtc, &choice, &family, &program);
        }
    }
    ledger.close();
}

/// The ledger of rounds of sumchecks of `e (a b - c)`.
#[test]
fn sumchecks_ledger() {
    let Some(nvrtc) = compiler() else { return };
    let Some(mut ledger) = Ledger::new(&nvrtc, HOPPER, "sumchecks_sm_90.txt") else { return };
    let terms = zerocheck_terms();
    for choice in [256, 384].map(Choice::usual) {
        let family = choice.family();
        let element = family.element();
        ledger.section(&choice.name());
        let rounds = [rounds::round(element, 4, &terms), rounds::step(element, 4, &terms)];
        let rounds = rounds.into_iter().flatten().map(|round| round.kernel);
        for program in rounds.chain([rounds::totals(element), rounds::binds(element, 4)]) {
            enter(&mut ledger, &nvrtc, &choice, &family, &program);
        }
    }
    ledger.close();
}

/// The ledger of the resources of one product of the register benchmark, by width, next to the arithmetic lower bound.
#[test]
fn products_ledger() {
    let Some(nvrtc) = compiler() else { return };
    let Some(mut ledger) = Ledger::new(&nvrtc, HOPPER, "products_sm_90.txt") else { return };
    let tuning = |target| FieldTuning { target, karatsuba: 0 };
    let others = [
        Choice { tuning: tuning(KernelTarget::Cuda64), ..Choice::usual(256) },
        Choice { tuning: tuning(KernelTarget::CudaF64), ..Choice::usual(256) },
        Choice { tuning: tuning(KernelTarget::CudaF64), ..Choice::usual(384) },
    ];
    for choice in [64, 128, 256, 384, 512, 768, 1024].map(Choice::usual).into_iter().chain(others) {
        let family = choice.family();
        ledger.section(&choice.name());
        let program = products(family.element(), 1);
        let words = u64::from(choice.bits.div_ceil(32));
        ledger.enter_with(&program.name, &family.text(&program), |compiled, disassembly| {
            check(compiled, &nvrtc, &choice, &family, &program);
            // Four products per turn of the loop.
            let body = sass::longest_loop(disassembly, "products");
            vec![format!(
                "a product: {} slots of the multiplier (schoolbook floor {}), {} wide, {} high, {} DFMA, {} DADD, {} \
                 instructions",
                body.multiplier_slots() / 4,
                4 * words * words + words,
                body.of("IMAD.WIDE") / 4,
                body.of("IMAD.HI") / 4,
                body.of("DFMA") / 4,
                body.of("DADD") / 4,
                body.total() / 4,
            )]
        });
    }
    // Both pipes in one kernel.
    for bits in [256, 384] {
        let usual = Choice::usual(bits);
        let digits = Choice { tuning: tuning(KernelTarget::CudaF64), ..Choice::usual(bits) };
        ledger.section(&format!("{bits} bits, words and digits mixed by block"));
        let (on_words, on_digits) = (usual.family(), digits.family());
        let text = mixed::text(&on_words, &on_digits);
        ledger.enter_with(mixed::NAME, &text, |compiled, _| {
            let constants = [&on_words, &on_digits]
                .map(|family| family.constants(&ntt_prime(bits, 4).unwrap()).unwrap().len() as u32);
            let expected = [&[4, 4, 4, 8, 8, 8, 8][..], &constants].concat();
            assert_eq!(cubin::kernels(&compiled.image).unwrap()[mixed::NAME].parameters, expected);
            Vec::new()
        });
    }
    ledger.close();
}

/// Adds the sums of points in a group to a ledger.
fn enter_sums<C: Curve>(ledger: &mut Ledger<'_>) {
    ledger.section(&format!("sums in {}", C::NAME));
    let texts = msm_texts::<C>(FieldTuning::default()).unwrap();
    for name in ["msm_sums", "msm_halving", "msm_precompute"] {
        let text = &texts.iter().find(|(text, _)| *text == name).unwrap().1;
        ledger.enter(name, text);
    }
}

/// The ledger of the sums of points of multi-scalar multiplications, for four architectures.
#[test]
fn point_kernels_ledger() {
    let Some(nvrtc) = compiler() else { return };
    for arch in GENERATIONS {
        let Some(mut ledger) = Ledger::new(&nvrtc, arch, &format!("points_sm_{}.txt", arch.0)) else {
            return;
        };
        ledger.section("sparse products");
        ledger.enter("sparse", &sparse_text::<bn254::Fr>(FieldTuning::default()).unwrap());
        enter_sums::<bn254::G1>(&mut ledger);
        if arch == HOPPER {
            enter_sums::<bls12_381::G1>(&mut ledger);
        }
        ledger.close();
    }
}

#[test]
fn point_kernels_of_the_second_group_ledger() {
    let Some(nvrtc) = compiler() else { return };
    for arch in GENERATIONS {
        let Some(mut ledger) = Ledger::new(&nvrtc, arch, &format!("points_g2_sm_{}.txt", arch.0)) else {
            return;
        };
        enter_sums::<bls12_381::G2>(&mut ledger);
        ledger.close();
    }
}
