//! Every kernel text, compiled to PTX and to Hopper's machine code, with what the machine code takes as goldens. Needs
//! the compiler and no GPU: `cargo x cuda` brings both tools from the Python registry. Where they are missing, each
//! test says that it was skipped; where the environment names a folder for them, missing is a failure.
//!
//! `PAIRWRIGHT_BLESS=1` writes the goldens anew.

mod tools;

use pairwright_gpu::cache::{Cache, Origin};
use pairwright_gpu::cubin::{self, Spills};
use pairwright_gpu::nvrtc::{self, Arch, FOLDER_VARIABLE, Options, Target};
use pairwright_gpu::rates::{LATENCIES, RATES, SOURCE};
use pairwright_gpu::{GpuError, sass};
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

/// The compiler says why it fails also where the text is not the reason: here it lacks the library of its builtins.
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
    // In a process that has not loaded the builtins.
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
    let spills = cubin::spills(&compiled.log);
    assert_eq!(spills["small"], Spills::default());
    assert!(spills["big"].stores > 0 && spills["big"].loads > 0, "{spills:?}");
    // A file cut anywhere is refused or read short, never a panic.
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
        // What else the loop has must not show in the rate.
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
