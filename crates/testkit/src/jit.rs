//! Compiles generated source text while a test or an experiment runs, and calls it. This is one of the two files of this crate with
//! `unsafe`.
//!
//! [`Library::from_c`] and [`Library::from_rust`] pass a text to the compiler of this machine and load the resulting library;
//! [`Library::kernel`] looks up a symbol as an **array kernel**, the only calling convention of the project's code printers:
//!
//! ```c
//! void NAME(size_t n, uint64_t *out, const uint64_t *in0, const uint64_t *in1, ...);   // one to four inputs
//! ```
//!
//! Vector arithmetic has the inputs `a, b, constants`; an NTT has `out` as its data, in place, and the inputs
//! `twiddles, constants`. Compiled libraries are kept in `jit/` of the workspace's target folder, under a hash of text,
//! flags, compiler and processor, so that a text is compiled once; `cargo clean` empties it.
//!
//! **Trust.** Calling a kernel runs code that has not been checked to stay within its arrays. The texts that are compiled here are
//! trusted as much as the tests themselves, since they are printed by this repository. A [`LoadedKernel`] checks the lengths of
//! its arrays, so a kernel that accesses only the declared lengths stays within bounds.

use core::ops::{Deref, DerefMut};
use sha2::{Digest, Sha256};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// Reasons for which a text could not be compiled and loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JitError {
    /// The compiler is not installed; the environment variable names another one.
    #[error("no program `{compiler}` on this machine (the variable {variable} can name another)")]
    NoCompiler {
        /// The program that was looked for.
        compiler: String,
        /// The variable that replaces it.
        variable: &'static str,
    },
    /// The compiler refused the text.
    #[error("{compiler} refuses the text of `{name}`:\n{said}")]
    Refused {
        /// Name of the compiler that was called.
        compiler: String,
        /// The name under which the text came.
        name: String,
        /// The output of the compiler on standard error.
        said: String,
    },
    /// A file could not be written or moved.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The compiled library could not be loaded, or lacks the symbol.
    #[error(transparent)]
    Load(#[from] libloading::Error),
    /// The number of inputs of an array kernel is not between one and four.
    #[error("a kernel has one to four inputs, not {0}")]
    Inputs(usize),
}

/// The loaded library of a compiled text.
#[derive(Clone, Debug)]
pub struct Library {
    loaded: Arc<libloading::Library>,
}

/// The programming language of a text, with its compiler.
struct Language {
    compiler: OsString,
    variable: &'static str,
    ending: &'static str,
    flags: &'static [&'static str],
}

impl Language {
    fn named(
        variable: &'static str,
        default: &str,
        ending: &'static str,
        flags: &'static [&'static str],
    ) -> Self {
        let compiler = std::env::var_os(variable).unwrap_or_else(|| default.into());
        Self { compiler, variable, ending, flags }
    }
}

impl Library {
    /// Compiles C (gnu11, `-O3`, for the processor of this machine) with `cc`, or the compiler that `CC` names, and loads it.
    /// `flags` are appended to the default flags; `name` is used in error messages and file names.
    ///
    /// # Errors
    /// No compiler, a text that it refuses, a target folder that cannot be written.
    pub fn from_c(name: &str, text: &str, flags: &[&str]) -> Result<Self, JitError> {
        const FLAGS: &[&str] = &["-std=gnu11", "-O3", "-march=native", "-shared", "-fPIC"];
        Self::compile(&Language::named("CC", "cc", "c", FLAGS), name, text, flags)
    }

    /// Compiles Rust (edition 2024, optimised for the processor of this machine) with `rustc`, or the compiler that `RUSTC` names,
    /// and loads it. Kernels are `#[unsafe(no_mangle)] pub unsafe extern "C" fn`.
    ///
    /// # Errors
    /// As [`Library::from_c`].
    pub fn from_rust(name: &str, text: &str, flags: &[&str]) -> Result<Self, JitError> {
        const FLAGS: &[&str] = &[
            "--edition=2024",
            "--crate-type=cdylib",
            "-Copt-level=3",
            "-Ctarget-cpu=native",
            "-Cpanic=abort",
            "-Cstrip=symbols",
            "--crate-name=kernel",
        ];
        Self::compile(&Language::named("RUSTC", "rustc", "rs", FLAGS), name, text, flags)
    }

    fn compile(language: &Language, name: &str, text: &str, flags: &[&str]) -> Result<Self, JitError> {
        let identity = identity(language)?;
        let mut hash = Sha256::new();
        for part in language.flags.iter().chain(flags).copied().chain([identity.as_str(), text]) {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        let digest: String = hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
        let stem = format!("{}-{digest}", name.chars().map(plain).collect::<String>());
        let folder = cache();
        let library = folder.join(&stem).with_extension("so");
        if !library.is_file() {
            build(language, name, text, flags, &folder, &stem, &library)?;
        }
        // SAFETY: loading runs the library's initialisers. The file was made by the compiler from a text of ours, or
        // is the copy of an earlier run in the target folder, which is trusted as every build output there.
        let loaded = unsafe { libloading::Library::new(&library) }?;
        Ok(Self { loaded: Arc::new(loaded) })
    }

    /// Looks up a symbol as an array kernel, with the lengths of its output and of its inputs, in order.
    ///
    /// # Errors
    /// When there is no such symbol, no input, or more than four inputs.
    pub fn kernel(&self, symbol: &str, out: Length, inputs: &[Length]) -> Result<LoadedKernel, JitError> {
        if inputs.is_empty() || inputs.len() > 4 {
            return Err(JitError::Inputs(inputs.len()));
        }
        // SAFETY: the address is only kept here; `Kernel::call` says why it may be called.
        let address = unsafe { self.loaded.get::<unsafe extern "C" fn()>(symbol.as_bytes()) }?;
        Ok(LoadedKernel { address: *address, out, inputs: inputs.to_vec(), _loaded: self.loaded.clone() })
    }
}

/// Compiles a C program (gnu11, `-O2`, static) for AArch64, runs it and returns its standard output. The compiler is
/// `aarch64-linux-gnu-gcc`, or the one that `PAIRWRIGHT_AARCH64_CC` names; the emulator is `qemu-aarch64`, or the one that
/// `PAIRWRIGHT_AARCH64_RUN` names.
///
/// # Errors
/// [`JitError::NoCompiler`] if either is missing, a text that is refused, a folder that cannot be written, a program that
/// fails.
pub fn run_aarch64(name: &str, text: &str) -> Result<String, JitError> {
    let flags = &["-std=gnu11", "-O2", "-static"];
    let compiler = Language::named("PAIRWRIGHT_AARCH64_CC", "aarch64-linux-gnu-gcc", "c", flags);
    let emulator = Language::named("PAIRWRIGHT_AARCH64_RUN", "qemu-aarch64", "", &[]);
    identity(&compiler)?;
    identity(&emulator)?;
    let scratch =
        tempfile::tempdir().map_err(|source| JitError::Io { path: std::env::temp_dir(), source })?;
    let program = scratch.path().join(name);
    build(&compiler, name, text, &[], scratch.path(), name, &program)?;
    let output =
        Command::new(&emulator.compiler).arg(&program).output().map_err(|e| missing(&emulator, e))?;
    if !output.status.success() {
        return Err(JitError::Refused {
            compiler: emulator.compiler.to_string_lossy().into_owned(),
            name: name.to_owned(),
            said: format!("{}\n{}", output.status, String::from_utf8_lossy(&output.stderr)),
        });
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Compiles into a temporary folder beside `library` and moves the result there, so that processes which compile the
/// same text at the same time do not see each other's incomplete files.
fn build(
    language: &Language,
    name: &str,
    text: &str,
    flags: &[&str],
    folder: &Path,
    stem: &str,
    library: &Path,
) -> Result<(), JitError> {
    let io = |path: &Path| {
        let path = path.to_owned();
        move |source| JitError::Io { path, source }
    };
    std::fs::create_dir_all(folder).map_err(io(folder))?;
    let scratch = tempfile::tempdir_in(folder).map_err(io(folder))?;
    let source = scratch.path().join(stem).with_extension(language.ending);
    std::fs::write(&source, text).map_err(io(&source))?;
    let built = scratch.path().join("built.so");
    let output = Command::new(&language.compiler)
        .args(language.flags)
        .args(flags)
        .args([OsStr::new("-o"), built.as_os_str(), source.as_os_str()])
        .current_dir(scratch.path())
        .output()
        .map_err(|source| missing(language, source))?;
    if !output.status.success() {
        return Err(JitError::Refused {
            compiler: language.compiler.to_string_lossy().into_owned(),
            name: name.to_owned(),
            said: String::from_utf8_lossy(&output.stderr).into_owned(),
        });
    }
    std::fs::rename(&built, library).map_err(io(library))
}

/// The other inputs of compilation: the version of the compiler, and the processor that `native` selects.
fn identity(language: &Language) -> Result<String, JitError> {
    let output = Command::new(&language.compiler)
        .arg("--version")
        .output()
        .map_err(|source| missing(language, source))?;
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    text.extend(cpu.lines().filter(|line| line.starts_with("model") || line.starts_with("flags")).take(3));
    Ok(text)
}

fn missing(language: &Language, source: std::io::Error) -> JitError {
    let compiler = language.compiler.to_string_lossy().into_owned();
    if source.kind() == std::io::ErrorKind::NotFound {
        return JitError::NoCompiler { compiler, variable: language.variable };
    }
    JitError::Io { path: compiler.into(), source }
}

fn cache() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    target.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target")).join("jit")
}

/// The length of an array of a kernel in 64-bit words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// This number of words for each of the `n` items of a call.
    PerItem(usize),
    /// This number of words in all, for any `n`.
    Total(usize),
}

impl Length {
    /// The number of words that a call with `n` items accesses.
    pub fn words(self, n: usize) -> usize {
        match self {
            Self::PerItem(words) => n.checked_mul(words).expect("an array that fits in memory"),
            Self::Total(words) => words,
        }
    }
}

/// A function of a loaded library, with the lengths of its arrays. Kernels keep no state: they may be called from many
/// threads at once.
#[derive(Clone, Debug)]
pub struct LoadedKernel {
    address: unsafe extern "C" fn(),
    out: Length,
    inputs: Vec<Length>,
    _loaded: Arc<libloading::Library>,
}

impl LoadedKernel {
    /// Runs the kernel on `n` items. The kernel must not access arrays beyond their declared lengths.
    ///
    /// # Panics
    /// On a wrong number of inputs, or an array that is shorter than declared.
    pub fn call(&self, n: usize, out: &mut [u64], inputs: &[&[u64]]) {
        assert!(out.len() >= self.out.words(n), "out has {} words", out.len());
        assert_eq!(inputs.len(), self.inputs.len(), "inputs of a kernel");
        for (at, (input, length)) in inputs.iter().zip(&self.inputs).enumerate() {
            assert!(input.len() >= length.words(n), "input {at} has {} words", input.len());
        }
        type In = *const u64;
        let (address, out) = (self.address, out.as_mut_ptr());
        let input = |at: usize| inputs[at].as_ptr();
        // SAFETY: the library is held, so the address is mapped. The text declares the function with `n`, one output
        // and as many inputs as were named to `Library::kernel` (the module's documentation: texts are trusted), and
        // all arrays have the lengths named there. `out` is borrowed alone, so it overlaps no input.
        unsafe {
            match inputs.len() {
                1 => {
                    core::mem::transmute::<unsafe extern "C" fn(), unsafe extern "C" fn(usize, *mut u64, In)>(
                        address,
                    )(n, out, input(0))
                }
                2 => core::mem::transmute::<
                    unsafe extern "C" fn(),
                    unsafe extern "C" fn(usize, *mut u64, In, In),
                >(address)(n, out, input(0), input(1)),
                3 => core::mem::transmute::<
                    unsafe extern "C" fn(),
                    unsafe extern "C" fn(usize, *mut u64, In, In, In),
                >(address)(n, out, input(0), input(1), input(2)),
                _ => core::mem::transmute::<
                    unsafe extern "C" fn(),
                    unsafe extern "C" fn(usize, *mut u64, In, In, In, In),
                >(address)(n, out, input(0), input(1), input(2), input(3)),
            }
        }
    }
}

/// An array of words that is aligned to 64 bytes, for vector kernels.
#[derive(Debug)]
pub struct AlignedWords {
    words: Vec<u64>,
    skipped: usize,
    len: usize,
}

impl AlignedWords {
    /// An array of `len` words, each `value`.
    pub fn new(len: usize, value: u64) -> Self {
        let words = vec![value; len + 7];
        let skipped = words.as_ptr().align_offset(64);
        assert!(skipped < 8, "an allocation of words starts at a multiple of eight bytes");
        Self { words, skipped, len }
    }

    /// An aligned copy of `words`.
    pub fn copied(words: &[u64]) -> Self {
        let mut copy = Self::new(words.len(), 0);
        copy.copy_from_slice(words);
        copy
    }
}

impl Deref for AlignedWords {
    type Target = [u64];
    fn deref(&self) -> &[u64] {
        &self.words[self.skipped..self.skipped + self.len]
    }
}

impl DerefMut for AlignedWords {
    fn deref_mut(&mut self) -> &mut [u64] {
        &mut self.words[self.skipped..self.skipped + self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const C: &str = r#"
        #include <stdint.h>
        #include <stddef.h>
        void vadd(size_t n, uint64_t *out, const uint64_t *a, const uint64_t *b, const uint64_t *q) {
            for (size_t i = 0; i < n; i++) { uint64_t s = a[i] + b[i]; out[i] = s >= q[0] ? s - q[0] : s; }
        }
        void fill(size_t n, uint64_t *out, const uint64_t *value) { for (size_t i = 0; i < n; i++) out[i] = *value; }
    "#;
    const RUST: &str = r#"
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn scale(n: usize, data: *mut u64, twiddles: *const u64, constants: *const u64) {
            for i in 0..n { unsafe { *data.add(i) = *data.add(i) * *twiddles.add(i) % *constants } }
        }
    "#;
    const ONE: Length = Length::PerItem(1);

    #[test]
    fn a_c_text_becomes_a_kernel() {
        let library = Library::from_c("jit test", C, &[]).unwrap();
        let vadd = library.kernel("vadd", ONE, &[ONE, ONE, Length::Total(1)]).unwrap();
        let mut out = AlignedWords::new(4, 99);
        vadd.call(3, &mut out, &[&[1, 16, 9], &[2, 16, 8], &[17]]);
        assert_eq!(*out, [3, 15, 0, 99]);
        assert_eq!(out.as_ptr().align_offset(64), 0);
        library.kernel("fill", ONE, &[Length::Total(1)]).unwrap().call(2, &mut out, &[&[5]]);
        assert_eq!(*out, [5, 5, 0, 99]);
        // The second library comes from the cache and gives the same results.
        let again = Library::from_c("jit test", C, &[]).unwrap();
        again.kernel("vadd", ONE, &[ONE, ONE, Length::Total(1)]).unwrap().call(
            1,
            &mut out,
            &[&[3], &[4], &[5]],
        );
        assert_eq!(out[0], 2);
    }

    #[test]
    fn a_rust_text_becomes_a_kernel() {
        let library = Library::from_rust("jit test", RUST, &[]).unwrap();
        let scale = library.kernel("scale", ONE, &[ONE, Length::Total(1)]).unwrap();
        let mut data = [2, 3, 4];
        std::thread::scope(|scope| {
            scope.spawn(|| scale.call(3, &mut data, &[&[5, 6, 7], &[11]]));
        });
        assert_eq!(data, [10, 7, 6]);
    }

    #[test]
    fn what_goes_wrong_says_so() {
        let refused = Library::from_c("not-c", "this is no C", &[]);
        assert!(matches!(refused, Err(JitError::Refused { said, .. }) if said.contains("error")));
        let refused = Library::from_rust("not-rust", "this is no Rust", &[]);
        assert!(matches!(refused, Err(JitError::Refused { said, .. }) if said.contains("error")));
        let library = Library::from_c("jit test", C, &[]).unwrap();
        assert!(matches!(library.kernel("nothing", ONE, &[ONE]), Err(JitError::Load(_))));
        assert!(matches!(library.kernel("fill", ONE, &[]), Err(JitError::Inputs(0))));
        let language = Language::named("PAIRWRIGHT_UNSET", "no-such-compiler", "c", &[]);
        let absent = Library::compile(&language, "x", C, &[]).map(|_| ());
        assert!(absent.unwrap_err().to_string().starts_with("no program `no-such-compiler` on this machine"),);
    }

    #[test]
    #[should_panic(expected = "input 1 has 2 words")]
    fn a_short_array_is_refused() {
        let library = Library::from_c("jit test", C, &[]).unwrap();
        let vadd = library.kernel("vadd", ONE, &[ONE, ONE, Length::Total(1)]).unwrap();
        vadd.call(3, &mut [0; 3], &[&[1, 2, 3], &[1, 2], &[17]]);
    }
}
