//! Compiles every kernel text to PTX and to Hopper's machine code and compares the resources of the machine code with
//! goldens. Needs the compiler but no GPU: `cargo x cuda` installs both tools from the Python registry. If they are
//! missing, the tests print that they were skipped; if the environment names a folder for them, it is a failure.
//!
//! `PAIRWRIGHT_BLESS=1` rewrites the goldens.

mod tools;

use pairwright_gpu::cache::{Cache, Origin};
use pairwright_gpu::nvrtc::{self, Arch, FOLDER_VARIABLE, Options, Target};
use pairwright_gpu::rates::{LATENCIES, RATES, SOURCE};
use pairwright_gpu::{GpuError, cubin};
use tools::sass::{self, Spills};
use tools::{Ledger, compiler, disassembly};

const HOPPER: Arch = Arch(90);

#[test]
fn a_text_with_an_error_gives_the_compilers_log() {
    let Some(nvrtc) = compiler() else { return };
    let options = Options::new(Target::Cubin(HOPPER));
    let error = nvrtc.compile("broken.cu", "__global__ void k() { undeclared(); }", &options).unwrap_err();
    let GpuError::Source { name, target, log } = error else { panic!("{error}") };
    assert_eq!((name.as_str(), target.as_str()), ("broken.cu", "sm_90"));
    assert!(log.contains("undeclared"), "{log}");
    let zero = nvrtc.compile("zero.cu", "\0", &options).unwrap_err();
    assert!(matches!(zero, GpuError::ZeroByte { .. }), "{zero}");
}

#[test]
fn known_architectures_become_machine_code_and_later_ones_ptx() {
    let Some(nvrtc) = compiler() else { return };
    assert_eq!(nvrtc.target_for(HOPPER).unwrap(), Target::Cubin(HOPPER));
    let newest = *nvrtc.architectures().unwrap().last().unwrap();
    assert_eq!(nvrtc.target_for(Arch(newest.0 + 1000)).unwrap(), Target::Ptx(newest));
    let ptx = nvrtc.compile("k.cu", "__global__ void k() {}", &Options::new(Target::Ptx(HOPPER))).unwrap();
    let text = String::from_utf8(ptx.image).unwrap();
    assert!(text.contains(".target sm_90") && text.contains(".entry"), "{text}");
}

/// The compiler's log is reported also if the text is not at fault: here the library of its builtins is missing.
#[test]
#[cfg(unix)]
fn a_compiler_without_its_builtins_says_so() {
    let Some(folder) = compiler().and_then(|_| nvrtc::folder_from_environment()) else { return };
    let alone = tempfile::tempdir().unwrap();
    let files = std::fs::read_dir(folder.join("lib")).unwrap().map(|entry| entry.unwrap());
    let library =
        files.into_iter().find(|file| file.file_name().to_string_lossy().starts_with("libnvrtc.so"));
    let Some(library) = library else { return };
    std::fs::copy(library.path(), alone.path().join(library.file_name())).unwrap();
    // Runs in a process that has not loaded the builtins.
    let mut again = std::process::Command::new(std::env::current_exe().unwrap());
    again.args(["--exact", "what_the_compiler_says", "--include-ignored", "--nocapture"]);
    let output = again.env(FOLDER_VARIABLE, alone.path()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains("nvrtcCompileProgram gives code 7") && said.contains("libnvrtc-builtins"),
        "{said}"
    );
}

#[test]
#[ignore = "full: run by the test above, in a process of its own"]
fn what_the_compiler_says() {
    let Some(nvrtc) = compiler() else { return };
    if let Err(error) = nvrtc.compile("k.cu", "__global__ void k() {}", &Options::new(Target::Cubin(HOPPER)))
    {
        tools::aloud(&error.to_string());
    }
}

#[test]
fn resources_are_read_from_the_machine_code() {
    const TEXT: &str = r#"
        extern "C" __global__ void small(unsigned *a, unsigned long long n, unsigned k) {
            __shared__ unsigned s[100];
            s[threadIdx.x] = a[threadIdx.x]; __syncthreads();
            if (threadIdx.x < n) a[threadIdx.x] = s[(threadIdx.x + k) % 100];
        }
        extern "C" __global__ void __launch_bounds__(1024, 2) big(double *a, unsigned n) {
            double x[64];
            for (int i = 0; i < 64; i++) x[i] = a[i * n];
            for (int i = 0; i < 64; i++) x[i] = x[i] * x[(i * 7 + 1) % 64] + x[(i + 1) % 64];
            for (int i = 0; i < 64; i++) a[i * n] = x[i];
        }"#;
    let Some(nvrtc) = compiler() else { return };
    let compiled = nvrtc.compile("k.cu", TEXT, &Options::new(Target::Cubin(HOPPER))).unwrap();
    let kernels = cubin::kernels(&compiled.image).unwrap();
    assert_eq!(kernels.keys().collect::<Vec<_>>(), ["big", "small"]);
    let (big, small) = (&kernels["big"], &kernels["small"]);
    assert_eq!(small.parameters, [8, 8, 4]);
    assert_eq!((small.shared, small.frame, small.max_threads), (400, 0, None));
    assert!((4..40).contains(&small.registers), "{small:?}");
    assert_eq!((big.parameters.as_slice(), big.max_threads, big.registers), (&[8, 4][..], Some(1024), 32));
    assert!(big.frame > 0, "{big:?}");
    let spills = sass::spills(&compiled.log);
    assert_eq!(spills["small"], Spills::default());
    assert!(spills["big"].stores > 0 && spills["big"].loads > 0, "{spills:?}");
    // A file truncated anywhere is refused or read in part, without a panic.
    for end in 0..compiled.image.len() {
        let _ = cubin::kernels(&compiled.image[..end]);
    }
}

#[test]
fn a_kernel_is_compiled_once() {
    const TEXT: &str = "extern \"C\" __global__ void k(int *a) { *a = 7; }";
    let Some(nvrtc) = compiler() else { return };
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path());
    let options = Options::new(Target::Cubin(HOPPER));
    let (first, origin) = cache.get(&nvrtc, "k.cu", TEXT, &options).unwrap();
    assert_eq!(origin, Origin::Compiled);
    let (again, origin) = cache.get(&nvrtc, "k.cu", TEXT, &options).unwrap();
    assert!(origin == Origin::Found && again.image == first.image);
    let file = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    let whole = std::fs::read(&file).unwrap();
    std::fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    let (mended, origin) = cache.get(&nvrtc, "k.cu", TEXT, &options).unwrap();
    assert!(origin == Origin::Compiled && mended.image == first.image);
    assert!(std::fs::read(&file).unwrap() == whole);
}

#[test]
fn rate_kernels_measure_what_they_say() {
    let Some(nvrtc) = compiler() else { return };
    let Some(text) = disassembly(&nvrtc, "rates.cu", SOURCE, HOPPER) else { return };
    for rate in RATES.iter().chain(LATENCIES) {
        let body = sass::longest_loop(&text, rate.kernel);
        let mut wanted = 0;
        for (kind, n) in rate.round {
            // The loop's counter takes one addition of its own.
            let spare = body.of(kind).checked_sub(u64::from(*n));
            assert!(spare.is_some_and(|n| n <= 1), "{}: {n} {kind} of {body:?}", rate.kernel);
            wanted += u64::from(*n);
        }
        // The loop's other instructions must not affect the rate.
        let others = body.total() - wanted;
        assert!(others * 100 <= 15 * wanted, "{}: {others} others in {body:?}", rate.kernel);
    }
}

#[test]
fn rates_ledger() {
    let Some(nvrtc) = compiler() else { return };
    let Some(mut ledger) = Ledger::new(&nvrtc, HOPPER, "rates_sm_90.txt") else { return };
    ledger.section("rates.cu");
    ledger.enter("rates.cu", SOURCE);
    ledger.close();
}

/// A disassembly of two kernels.
const DISASSEMBLY: &str = "\t.section\t.text.mulmod,\"ax\",@progbits\n\
    \t.sectionflags\t@\"SHF_BARRIERS=1\"\n\
    .text.mulmod:\n\
    \x20       /*0000*/                   LDC R1, c[0x0][0x28] ;\n\
    \x20       /*0010*/              @!P0 IMAD.WIDE.U32 R4, R2, R3, R4 ;\n\
    \x20       /*0020*/                   IMAD.WIDE.U32.X R4, P0, R2, R3, R4, P0 ;\n\
    \x20       /*0030*/                   IMAD R4, R2, R3, R4 ;\n\
    \x20       /*0040*/                   IMAD.MOV.U32 R4, RZ, RZ, R3 ;\n\
    \x20       /*0050*/                   IADD3.X R4, R2, R3, RZ, P0, !PT ;\n\
    .L_x_0:\n\
    \x20       /*0060*/                   BRA `(.L_x_0);\n\
    \x20       /*0070*/                   NOP;\n\
    \t.section\t.nv.info.mulmod,\"\",@\"SHT_CUDA_INFO\"\n\
    \x20       /*0000*/ \t.byte\t0x04, 0x2f\n\
    \t.section\t.text.other,\"ax\",@progbits\n\
    \x20       /*0000*/                   IMAD.HI.U32 R4, R2, R3, RZ ;\n";

#[test]
fn instructions_are_counted_by_kernel_and_kind() {
    let kernels = sass::count(DISASSEMBLY);
    assert_eq!(kernels.keys().collect::<Vec<_>>(), ["mulmod", "other"]);
    let mulmod = &kernels["mulmod"];
    assert_eq!(mulmod.total(), 7);
    assert_eq!((mulmod.of("IMAD.WIDE"), mulmod.of("IMAD"), mulmod.of("IMAD.MOV")), (2, 1, 1));
    assert_eq!((mulmod.of("IADD3"), mulmod.of("BRA"), mulmod.of("LDC")), (1, 1, 1));
    assert_eq!((mulmod.exactly("IMAD.WIDE.U32.X"), mulmod.exactly("IMAD.WIDE")), (1, 0));
    assert_eq!(mulmod.multiplier_slots(), 6);
    assert_eq!(kernels["other"].of("IMAD.HI"), 1);
    assert_eq!(mulmod.by_kind().values().sum::<u64>(), mulmod.total());
}

#[test]
fn the_longest_loop_is_between_a_label_and_the_branch_back() {
    let text = ".text.k:\n/*0000*/ MOV R1, R2 ;\n.L_x_1:\n/*0010*/ IMAD R1, R2, R3, R4 ;\n\
        /*0020*/ ISETP.NE.AND P0, PT, R1, R2, PT ;\n/*0030*/ @P0 BRA `(.L_x_1) ;\n/*0040*/ EXIT ;\n\
        .L_x_2:\n/*0050*/ BRA `(.L_x_2);\n.section .text.l\n";
    let found = sass::longest_loop(text, "k");
    assert_eq!((found.total(), found.of("IMAD"), found.of("BRA"), found.of("MOV")), (3, 1, 1, 0));
    assert_eq!(sass::longest_loop(text, "l").total(), 0);
}

#[test]
fn other_lines_are_no_instructions() {
    for line in ["", "// comment", "/*0000*/ .byte 0x04", "/*zz*/ IMAD R1", ".L_x_0:", "/* 0010 */ IMAD"] {
        assert_eq!(sass::mnemonic(line), None, "{line}");
    }
}

#[test]
fn spills_are_read_from_the_log() {
    let log = "ptxas info    : 0 bytes gmem\n\
        ptxas info    : Compiling entry function 'big' for 'sm_90'\n\
        ptxas info    : Function properties for big\n\
        ptxas         .     2040 bytes stack frame, 3024 bytes spill stores, 3552 bytes spill loads\n\
        ptxas info    : Used 32 registers, used 1 barriers, 2040 bytes cumulative stack size\n\
        ptxas info    : Function properties for small\n\
        ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n";
    let found = sass::spills(log);
    assert_eq!(found["big"], Spills { stores: 3024, loads: 3552 });
    assert_eq!(found["small"], Spills::default());
    assert_eq!(found.len(), 2);
}
