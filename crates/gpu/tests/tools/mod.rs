//! Access to the compiler and the disassembler, with a message if they are missing; ledgers and goldens.

// Each test file uses only a part of this module.
#![allow(dead_code)]

pub(crate) mod sass;

use pairwright_gpu::nvrtc::{Arch, Compiled, FOLDER_VARIABLE, FORM_VARIABLE, Nvrtc, Options, Target};
use pairwright_gpu::{Setup, cubin};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The variable that makes tests write the goldens instead of comparing with them.
const BLESS: &str = "PAIRWRIGHT_BLESS";

/// The variable that makes tests also compile texts that have not changed since the goldens were written.
const FULL: &str = "PAIRWRIGHT_FULL";

/// The version of the compiler whose machine code the goldens describe; another version generates other code.
const GOLDEN_COMPILER: (u32, u32) = (13, 0);

/// Prints a line that the test harness does not capture, as it does with `eprintln!` in tests that pass.
pub(crate) fn aloud(line: &str) {
    // A failure to write to standard error is ignored.
    let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("{line}\n").as_bytes());
}

/// The compiler; `None`, with a message, if there is none and none is required.
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

/// The devices of the stand-in driver, by number.
pub(crate) mod device {
    pub(crate) const HOPPER: usize = 0;
    pub(crate) const TURING: usize = 1;
    pub(crate) const AMPERE: usize = 2;
    pub(crate) const SMALL_AMPERE: usize = 3;
    pub(crate) const BLACKWELL: usize = 4;
    pub(crate) const SMALL_BLACKWELL: usize = 5;
    pub(crate) const LITTLE: usize = 6;
    pub(crate) const LITTLE_TURING: usize = 7;
    /// For the test that counts a device's memory: no other test uses it.
    pub(crate) const COUNTED: usize = 8;
    /// For the test after which the device is unusable.
    pub(crate) const LOST: usize = 9;
    pub(crate) const LITTLE_HOPPER: usize = 10;
    pub(crate) const LITTLE_AMPERE: usize = 11;
}

/// A device of the stand-in with the compiler; `None`, with a message, if neither is required.
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

/// A lock for tests that fill the memory of the small device, which they share within this process.
pub(crate) fn alone() -> std::sync::MutexGuard<'static, ()> {
    static LITTLE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    LITTLE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Runs a test of this binary in another process; returns its output.
pub(crate) fn again(test: &str, environment: &[(&str, &str)]) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--include-ignored", "--nocapture"]).envs(environment.iter().copied());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
}

/// The disassembled machine code of a text; `None`, with a message, without a disassembler.
pub(crate) fn disassembly(nvrtc: &Nvrtc, name: &str, source: &str, arch: Arch) -> Option<String> {
    let compiled = nvrtc.compile(name, source, &Options::new(Target::Cubin(arch))).unwrap();
    disassembled(&compiled.image)
}

/// Disassembles machine code.
pub(crate) fn disassembled(image: &[u8]) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kernel.cubin");
    std::fs::write(&file, image).unwrap();
    let tool = sass::disassembler();
    match sass::disassemble(&tool, &file) {
        Ok(text) => Some(text),
        Err(error) if std::env::var_os(FOLDER_VARIABLE).is_none() => {
            aloud(&format!("skipped: no nvdisasm ({}: {error})", tool.display()));
            None
        }
        Err(error) => panic!("{}: {error}", tool.display()),
    }
}

/// A ledger: one line per kernel with registers, spills, and instructions by kind; above the kernels of a text the
/// digest of everything that determines them: the text, the options and the compiler's version.
///
/// A text whose digest is in the kept file is not compiled again, since it would give the same lines; `PAIRWRIGHT_FULL`
/// (`cargo x cuda --full`) compiles all of them.
pub(crate) struct Ledger<'n> {
    nvrtc: &'n Nvrtc,
    arch: Arch,
    file: String,
    text: String,
    complete: bool,
    /// The lines of the kept file by digest.
    kept: BTreeMap<String, Vec<String>>,
}

impl<'n> Ledger<'n> {
    /// An empty ledger for comparison with a file of `goldens/`; `None`, with a message, for a compiler version whose
    /// code the goldens do not describe.
    pub(crate) fn new(nvrtc: &'n Nvrtc, arch: Arch, file: &str) -> Option<Self> {
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
        let again = [BLESS, FULL].iter().any(|variable| std::env::var_os(variable).is_some());
        let kept = if again { BTreeMap::new() } else { entries(&kept(file)) };
        Some(Self { nvrtc, arch, file: file.to_owned(), text, complete: true, kept })
    }

    pub(crate) fn section(&mut self, name: &str) {
        self.line(&format!("\n## {name}"));
    }

    fn line(&mut self, line: &str) {
        writeln!(self.text, "{line}").unwrap();
    }

    /// Adds all kernels of a text.
    pub(crate) fn enter(&mut self, name: &str, text: &str) {
        self.enter_with(name, text, |_, _| Vec::new());
    }

    /// Adds all kernels of a text, and lines derived from its machine code and its disassembly. A text that is not
    /// compiled was checked when its lines were written.
    pub(crate) fn enter_with(
        &mut self,
        name: &str,
        text: &str,
        more: impl FnOnce(&Compiled, &str) -> Vec<String>,
    ) {
        let options = Options::new(Target::Cubin(self.arch));
        let decides = format!("{GOLDEN_COMPILER:?}\n{}\n{text}", options.arguments().join(" "));
        let digest: String =
            Sha256::digest(decides).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        let lines = match self.kept.remove(&digest) {
            Some(lines) => lines,
            None => {
                let compiled = self.nvrtc.compile(name, text, &options).unwrap();
                let Some(disassembly) = disassembled(&compiled.image) else {
                    self.complete = false;
                    return;
                };
                let mut lines = kernels(&compiled, &disassembly);
                lines.extend(more(&compiled, &disassembly));
                lines
            }
        };
        self.line(&format!("{OF_TEXT}{digest}"));
        lines.iter().for_each(|line| self.line(line));
    }

    /// Compares with the kept file, or writes it. A ledger that lacks lines because there is no disassembler is not
    /// compared.
    pub(crate) fn close(self) {
        if !self.complete {
            return;
        }
        if std::env::var_os(BLESS).is_some() {
            std::fs::write(path(&self.file), self.text).unwrap();
            return;
        }
        let kept = kept(&self.file);
        let differing = kept.lines().zip(self.text.lines()).find(|(a, b)| a != b);
        assert!(
            kept == self.text,
            "goldens/{} differs (write it with {BLESS}=1), first at {differing:?}",
            self.file
        );
    }
}

/// The beginning of a line with the digest of a text.
const OF_TEXT: &str = "of text ";

/// The lines below each digest of a ledger.
fn entries(text: &str) -> BTreeMap<String, Vec<String>> {
    let mut entries: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut digest = None;
    for line in text.lines() {
        if let Some(of) = line.strip_prefix(OF_TEXT) {
            digest = Some(of);
            entries.insert(of.to_owned(), Vec::new());
        } else if line.is_empty() || line.starts_with('#') {
            digest = None;
        } else if let Some(lines) = digest.and_then(|of| entries.get_mut(of)) {
            lines.push(line.to_owned());
        }
    }
    entries
}

/// A line for each kernel of a cubin.
fn kernels(compiled: &Compiled, disassembly: &str) -> Vec<String> {
    let spills = sass::spills(&compiled.log);
    let counts = sass::count(disassembly);
    let line = |(kernel, taken): (&String, &cubin::Resources)| {
        let (counts, spill) = (&counts[kernel], spills[kernel]);
        let kinds: Vec<String> = counts.by_kind().iter().map(|(kind, n)| format!("{kind} {n}")).collect();
        format!(
            "{kernel}: registers {}, spills {}+{}, shared {}, slots {}, total {}: {}",
            taken.registers,
            spill.stores,
            spill.loads,
            taken.shared,
            counts.multiplier_slots(),
            counts.total(),
            kinds.join(", ")
        )
    };
    cubin::kernels(&compiled.image).unwrap().iter().map(line).collect()
}

fn path(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("goldens").join(file)
}

/// The contents of a file of `goldens/`; empty if there is none.
fn kept(file: &str) -> String {
    std::fs::read_to_string(path(file)).unwrap_or_default()
}
