//! The compiler and the disassembler, or a word aloud that they are missing; ledgers and goldens.

// Each test file uses a part of this.
#![allow(dead_code)]

use pairwright_gpu::nvrtc::{Arch, Compiled, FOLDER_VARIABLE, FORM_VARIABLE, Nvrtc, Options, Target};
use pairwright_gpu::{GpuError, Setup, cubin, sass};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// Set to write the goldens instead of comparing with them.
const BLESS: &str = "PAIRWRIGHT_BLESS";

/// The compiler whose machine code the goldens describe; another one makes other code.
const GOLDEN_COMPILER: (u32, u32) = (13, 0);

/// Says something that the test harness does not keep to itself, as it does with `eprintln!` in tests that pass.
pub(crate) fn aloud(line: &str) {
    // A failure to write to standard error is ignored.
    let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("{line}\n").as_bytes());
}

/// The compiler; `None`, said aloud, where there is none and none was promised.
pub(crate) fn compiler() -> Option<Nvrtc> {
    match Nvrtc::load() {
        Ok(nvrtc) => Some(nvrtc),
        Err(error) if std::env::var_os(FOLDER_VARIABLE).is_some() => {
            panic!("{FOLDER_VARIABLE} is set, but: {error}")
        }
        Err(error) => {
            aloud(&format!("skipped: no NVRTC ({error})"));
            None
        }
    }
}

/// The devices of the stand-in for the driver, by their numbers.
pub(crate) mod device {
    pub(crate) const HOPPER: usize = 0;
    pub(crate) const TURING: usize = 1;
    pub(crate) const AMPERE: usize = 2;
    pub(crate) const SMALL_AMPERE: usize = 3;
    pub(crate) const BLACKWELL: usize = 4;
    pub(crate) const SMALL_BLACKWELL: usize = 5;
    pub(crate) const LITTLE: usize = 6;
    pub(crate) const LITTLE_TURING: usize = 7;
    /// For the test that counts a device's memory: no other one uses it.
    pub(crate) const COUNTED: usize = 8;
    /// For the test after which nothing works on the device.
    pub(crate) const LOST: usize = 9;
    pub(crate) const LITTLE_HOPPER: usize = 10;
    pub(crate) const LITTLE_AMPERE: usize = 11;
}

/// A device of the stand-in with the compiler; `None`, said aloud, where neither was promised.
pub(crate) fn stand_in(number: usize) -> Option<Setup> {
    let promised = std::env::var_os(FORM_VARIABLE).is_some_and(|form| form == "ptx");
    match Setup::open(number) {
        Ok(setup) if setup.gpu.facts().name.ends_with("interpreted") => Some(setup),
        other if promised => panic!("{FORM_VARIABLE} is set, but there is no stand-in: {:?}", other.err()),
        _ => {
            aloud("skipped: no stand-in for the driver (cargo x ptx has one)");
            None
        }
    }
}

/// Tests that fill the memory of the little device, which is one in this process, run one after the other.
pub(crate) fn alone() -> std::sync::MutexGuard<'static, ()> {
    static LITTLE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    LITTLE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// What a test of the same binary says in another process.
pub(crate) fn again(test: &str, environment: &[(&str, &str)]) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--include-ignored", "--nocapture"]).envs(environment.iter().copied());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
}

/// The machine code of a text, as the disassembler prints it; `None`, said aloud, without a disassembler.
pub(crate) fn disassembly(nvrtc: &Nvrtc, name: &str, source: &str, arch: Arch) -> Option<String> {
    let compiled = nvrtc.compile(name, source, &Options::new(Target::Cubin(arch))).unwrap();
    disassembled(&compiled.image)
}

/// Machine code as the disassembler prints it.
pub(crate) fn disassembled(image: &[u8]) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kernel.cubin");
    std::fs::write(&file, image).unwrap();
    match sass::disassemble(&sass::disassembler(), &file) {
        Ok(text) => Some(text),
        Err(error @ GpuError::File { .. }) if std::env::var_os(FOLDER_VARIABLE).is_none() => {
            aloud(&format!("skipped: no nvdisasm ({error})"));
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// A line per kernel: registers, spills, and instructions by kind.
pub(crate) struct Ledger {
    text: String,
    complete: bool,
}

impl Ledger {
    /// An empty one; `None`, said aloud, for a compiler whose code the goldens do not describe.
    pub(crate) fn new(nvrtc: &Nvrtc, arch: Arch) -> Option<Self> {
        let version = nvrtc.version().unwrap();
        if version != GOLDEN_COMPILER {
            aloud(&format!("skipped: the goldens are of NVRTC {GOLDEN_COMPILER:?}, this is {version:?}"));
            return None;
        }
        let text = format!(
            "# Machine code of {} by NVRTC 13.0, a line per kernel.\n\
             # Spills in bytes, stores+loads; slots as in sass.rs; then instructions by kind.\n",
            Target::Cubin(arch)
        );
        Some(Self { text, complete: true })
    }

    pub(crate) fn section(&mut self, name: &str) {
        writeln!(self.text, "\n## {name}").unwrap();
    }

    pub(crate) fn line(&mut self, line: &str) {
        writeln!(self.text, "{line}").unwrap();
    }

    /// Enters all kernels of a cubin.
    pub(crate) fn enter(&mut self, compiled: &Compiled) {
        let resources = cubin::kernels(&compiled.image).unwrap();
        let spills = cubin::spills(&compiled.log);
        let Some(text) = disassembled(&compiled.image) else {
            self.complete = false;
            return;
        };
        let counts = sass::count(&text);
        for (kernel, taken) in &resources {
            let (counts, spill) = (&counts[kernel], spills[kernel]);
            let kinds: Vec<String> = counts.by_kind().iter().map(|(kind, n)| format!("{kind} {n}")).collect();
            self.line(&format!(
                "{kernel}: registers {}, spills {}+{}, shared {}, slots {}, total {}: {}",
                taken.registers,
                spill.stores,
                spill.loads,
                taken.shared,
                counts.multiplier_slots(),
                counts.total(),
                kinds.join(", ")
            ));
        }
    }

    /// The whole ledger; empty if a line could not be made, which [`golden`] passes over.
    pub(crate) fn text(self) -> String {
        if self.complete { self.text } else { String::new() }
    }
}

/// Compares with a file of `goldens/`, or writes it.
pub(crate) fn golden(file: &str, text: &str) {
    if text.is_empty() {
        return;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("goldens").join(file);
    if std::env::var_os(BLESS).is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        return;
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let differing = kept.lines().zip(text.lines()).find(|(a, b)| a != b);
    assert!(kept == text, "goldens/{file} differs (write it with {BLESS}=1), first at {differing:?}");
}
