//! NVRTC, NVIDIA's run-time compiler: compiles CUDA C to PTX or machine code, with or without a GPU.
//!
//! The library is found at run time: in the folder that [`FOLDER_VARIABLE`] names, else in `CUDA_HOME` or `CUDA_PATH`,
//! else in the search path of the system's loader. Its dozen functions are bound by hand here, because NVRTC looks for
//! its library `libnvrtc-builtins` by bare name at its first compilation: loading that library first, from the same
//! folder and with global visibility, makes a library path unnecessary.

use crate::error::{GpuError, SearchedFolders};
use core::ffi::{c_char, c_int, c_void};
use core::ptr::null;
use libloading::Library;
use std::ffi::CString;
use std::path::{Path, PathBuf};

/// The environment variable that names a CUDA folder: `lib/` or `lib64/` below it (or itself) holds `libnvrtc`. The
/// compiler of the Python registry, for example, is in `<venv>/lib/python3.x/site-packages/nvidia/cu13`.
pub const FOLDER_VARIABLE: &str = "PAIRWRIGHT_CUDA";

/// Other variables that name such a folder, used in this order if [`FOLDER_VARIABLE`] is unset.
const COMMON_VARIABLES: [&str; 2] = ["CUDA_HOME", "CUDA_PATH"];

/// The environment variable that selects the form of the code for the driver: `ptx` for PTX, which the driver compiles
/// itself; otherwise machine code if the compiler supports the architecture.
pub const FORM_VARIABLE: &str = "PAIRWRIGHT_CUDA_FORM";

/// A real or virtual architecture by its number: 90 is Hopper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arch(pub u32);

/// The output of the compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// PTX for a virtual architecture; the driver compiles it when it loads it.
    Ptx(Arch),
    /// Machine code of one real architecture.
    Cubin(Arch),
}

impl core::fmt::Display for Target {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Ptx(Arch(n)) => write!(f, "compute_{n}"),
            Self::Cubin(Arch(n)) => write!(f, "sm_{n}"),
        }
    }
}

/// The options of a compilation. Their text is part of a kernel's key in the [cache](crate::cache).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The form and the architecture of the output.
    pub target: Target,
    /// Greatest number of registers per thread, beyond which the compiler spills; `None` leaves it to the compiler.
    pub max_registers: Option<u32>,
}

impl Options {
    /// The default options for a target.
    pub fn new(target: Target) -> Self {
        Self { target, max_registers: None }
    }

    /// The command-line options of the compiler.
    pub fn arguments(&self) -> Vec<String> {
        let mut list = vec![
            format!("--gpu-architecture={}", self.target),
            "--std=c++17".to_owned(),
            // The 64-bit kernels multiply through 128-bit integers.
            "--device-int128".to_owned(),
        ];
        if let Target::Cubin(_) = self.target {
            // The log then states registers and spills of every kernel.
            list.push("--ptxas-options=-v".to_owned());
        }
        if let Some(n) = self.max_registers {
            list.push(format!("--maxrregcount={n}"));
        }
        list
    }
}

/// A compiled text.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// PTX text or a cubin, as the target says.
    pub image: Vec<u8>,
    /// The compiler's log; for machine code it states registers and spills.
    pub log: String,
}

type Program = *mut c_void;
type SizeOf = unsafe extern "C" fn(Program, *mut usize) -> c_int;
type Fetch = unsafe extern "C" fn(Program, *mut c_char) -> c_int;

/// A loaded NVRTC. Its programs are independent of each other, so several threads may use it.
pub struct Nvrtc {
    version: unsafe extern "C" fn(*mut c_int, *mut c_int) -> c_int,
    count_archs: unsafe extern "C" fn(*mut c_int) -> c_int,
    archs: unsafe extern "C" fn(*mut c_int) -> c_int,
    create: unsafe extern "C" fn(
        *mut Program,
        *const c_char,
        *const c_char,
        c_int,
        *const *const c_char,
        *const *const c_char,
    ) -> c_int,
    destroy: unsafe extern "C" fn(*mut Program) -> c_int,
    compile: unsafe extern "C" fn(Program, c_int, *const *const c_char) -> c_int,
    log: (SizeOf, Fetch),
    ptx: (SizeOf, Fetch),
    cubin: (SizeOf, Fetch),
    /// Whether the driver gets PTX even if the compiler can produce machine code.
    ptx_alone: bool,
    /// The compiler's library, then its builtins: the function pointers above are valid as long as these are loaded.
    _libraries: Vec<Library>,
}

impl core::fmt::Debug for Nvrtc {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Nvrtc")
    }
}

/// The folder that the environment names, if any.
pub fn folder_from_environment() -> Option<PathBuf> {
    let names = core::iter::once(FOLDER_VARIABLE).chain(COMMON_VARIABLES);
    names.filter_map(std::env::var_os).find(|value| !value.is_empty()).map(PathBuf::from)
}

impl Nvrtc {
    /// Loads the compiler from the folder that the environment names, else from the search path of the system's loader.
    ///
    /// # Errors
    /// [`GpuError::NoCompiler`] if there is none, [`GpuError::BadCompiler`] if it cannot be used.
    pub fn load() -> Result<Self, GpuError> {
        match folder_from_environment() {
            Some(folder) => Self::load_from(&folder),
            None => Self::load_from_system(),
        }
    }

    /// Loads the compiler from a CUDA folder: its `lib`, its `lib64`, or itself.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub fn load_from(folder: &Path) -> Result<Self, GpuError> {
        let places = [folder.join("lib"), folder.join("lib64"), folder.to_path_buf()];
        for place in places {
            let Some(compiler) = newest(&place, "libnvrtc.so") else { continue };
            let builtins = newest(&place, "libnvrtc-builtins.so");
            let builtins = builtins.map(|path| open(path.as_os_str(), true)).transpose()?;
            let compiler = open(compiler.as_os_str(), false)?;
            return Self::bind(compiler, builtins);
        }
        Err(GpuError::NoCompiler { searched: SearchedFolders::In(folder.to_path_buf()) })
    }

    /// Loads the compiler from the search path of the system's loader.
    fn load_from_system() -> Result<Self, GpuError> {
        let names = ["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"];
        let mut why = GpuError::NoCompiler { searched: SearchedFolders::Everywhere };
        for name in names {
            match open(name.as_ref(), false) {
                Ok(compiler) => return Self::bind(compiler, None),
                Err(refused) if matches!(why, GpuError::NoCompiler { .. }) && !is_absent(&refused) => {
                    why = refused
                }
                Err(_) => {}
            }
        }
        Err(why)
    }

    fn bind(library: Library, builtins: Option<Library>) -> Result<Self, GpuError> {
        /// The function with this name, as a function pointer.
        fn get<T: Copy>(library: &Library, name: &str) -> Result<T, GpuError> {
            // SAFETY: every field of `Nvrtc` has the signature that nvrtc.h gives the function of the name it is
            // filled with below, and the pointer does not outlive the library, which is kept beside it.
            unsafe { library.get::<T>(name.as_bytes()) }.map(|symbol| *symbol).map_err(GpuError::BadCompiler)
        }
        Ok(Self {
            version: get(&library, "nvrtcVersion")?,
            count_archs: get(&library, "nvrtcGetNumSupportedArchs")?,
            archs: get(&library, "nvrtcGetSupportedArchs")?,
            create: get(&library, "nvrtcCreateProgram")?,
            destroy: get(&library, "nvrtcDestroyProgram")?,
            compile: get(&library, "nvrtcCompileProgram")?,
            log: (get(&library, "nvrtcGetProgramLogSize")?, get(&library, "nvrtcGetProgramLog")?),
            ptx: (get(&library, "nvrtcGetPTXSize")?, get(&library, "nvrtcGetPTX")?),
            cubin: (get(&library, "nvrtcGetCUBINSize")?, get(&library, "nvrtcGetCUBIN")?),
            ptx_alone: std::env::var_os(FORM_VARIABLE).is_some_and(|form| form == "ptx"),
            _libraries: core::iter::once(library).chain(builtins).collect(),
        })
    }

    /// The compiler's version, such as `(13, 0)`.
    ///
    /// # Errors
    /// [`GpuError::Compiler`] if the call fails.
    pub fn version(&self) -> Result<(u32, u32), GpuError> {
        let (mut major, mut minor) = (0, 0);
        // SAFETY: both pointers are to live integers.
        check("nvrtcVersion", unsafe { (self.version)(&mut major, &mut minor) })?;
        Ok((major.unsigned_abs(), minor.unsigned_abs()))
    }

    /// The architectures that the compiler supports, in ascending order.
    ///
    /// # Errors
    /// [`GpuError::Compiler`] if the call fails.
    pub fn architectures(&self) -> Result<Vec<Arch>, GpuError> {
        let mut count = 0;
        // SAFETY: the pointer is to a live integer.
        check("nvrtcGetNumSupportedArchs", unsafe { (self.count_archs)(&mut count) })?;
        let mut list = vec![0; usize::try_from(count).unwrap_or(0)];
        // SAFETY: the list has the room that the call before asked for.
        check("nvrtcGetSupportedArchs", unsafe { (self.archs)(list.as_mut_ptr()) })?;
        let mut list: Vec<Arch> = list.into_iter().map(|n| Arch(n.unsigned_abs())).collect();
        list.sort();
        Ok(list)
    }

    /// The target for a device of this architecture: machine code if the compiler supports it, else PTX of the newest
    /// older architecture, which the driver compiles. Always PTX if [`FORM_VARIABLE`] asks for it.
    ///
    /// # Errors
    /// [`GpuError::Compiler`] if the list of architectures cannot be read.
    pub fn target_for(&self, device: Arch) -> Result<Target, GpuError> {
        let known = self.architectures()?;
        if known.contains(&device) {
            return Ok(if self.ptx_alone { Target::Ptx(device) } else { Target::Cubin(device) });
        }
        let older = known.iter().rev().find(|arch| **arch < device);
        Ok(Target::Ptx(older.copied().unwrap_or(device)))
    }

    /// Compiles a text; `name` appears in the compiler's messages.
    ///
    /// # Errors
    /// [`GpuError::Source`] with the compiler's log when the text does not compile, [`GpuError::Compiler`] when the
    /// compiler fails otherwise.
    pub fn compile(&self, name: &str, source: &str, options: &Options) -> Result<Compiled, GpuError> {
        let c_text =
            |text: &str| CString::new(text).map_err(|_| GpuError::ZeroByte { name: name.to_owned() });
        let (c_name, c_source) = (c_text(name)?, c_text(source)?);
        let arguments: Vec<CString> =
            options.arguments().iter().map(|text| c_text(text)).collect::<Result<_, _>>()?;
        let pointers: Vec<*const c_char> = arguments.iter().map(|text| text.as_ptr()).collect();

        let mut handle: Program = core::ptr::null_mut();
        // SAFETY: both texts are C strings that live across the call, and no headers are passed.
        let code =
            unsafe { (self.create)(&mut handle, c_source.as_ptr(), c_name.as_ptr(), 0, null(), null()) };
        check("nvrtcCreateProgram", code)?;
        let program = Handle { of: self, handle };
        let count = c_int::try_from(pointers.len()).unwrap_or(c_int::MAX);
        // SAFETY: the program is live, and so are the arguments' C strings; `count` is their number.
        let code = unsafe { (self.compile)(program.handle, count, pointers.as_ptr()) };
        let log = program.fetch("nvrtcGetProgramLog", self.log)?;
        let log = without_times(&String::from_utf8_lossy(&log));
        match code {
            0 => {}
            COMPILATION_FAILED => {
                return Err(GpuError::Source {
                    name: name.to_owned(),
                    target: options.target.to_string(),
                    log,
                });
            }
            _ => return Err(GpuError::Compiler { call: "nvrtcCompileProgram", code, log }),
        }
        let image = match options.target {
            Target::Ptx(_) => program.fetch("nvrtcGetPTX", self.ptx)?,
            Target::Cubin(_) => program.fetch_exact("nvrtcGetCUBIN", self.cubin)?,
        };
        Ok(Compiled { image, log })
    }
}

/// The code `NVRTC_ERROR_COMPILATION` of NVRTC.
const COMPILATION_FAILED: c_int = 6;

/// A program of NVRTC, destroyed when it is dropped.
struct Handle<'a> {
    of: &'a Nvrtc,
    handle: Program,
}

impl Handle<'_> {
    /// Reads an output of the program, after asking for its size.
    fn fetch_exact(&self, call: &'static str, (size, get): (SizeOf, Fetch)) -> Result<Vec<u8>, GpuError> {
        let mut n = 0;
        // SAFETY: the program is live, and the pointer is to a live integer.
        check(call, unsafe { size(self.handle, &mut n) })?;
        let mut bytes = vec![0u8; n];
        // SAFETY: the program is live, and the buffer has the room that the call before asked for.
        check(call, unsafe { get(self.handle, bytes.as_mut_ptr().cast()) })?;
        Ok(bytes)
    }

    /// Reads a text output of the program, without the terminating zero.
    fn fetch(&self, call: &'static str, functions: (SizeOf, Fetch)) -> Result<Vec<u8>, GpuError> {
        let mut bytes = self.fetch_exact(call, functions)?;
        while bytes.last() == Some(&0) {
            bytes.pop();
        }
        Ok(bytes)
    }
}

impl Drop for Handle<'_> {
    fn drop(&mut self) {
        // SAFETY: the program was created by this library and is destroyed once.
        unsafe { (self.of.destroy)(&mut self.handle) };
    }
}

/// The log without the compile times, which differ from run to run.
fn without_times(log: &str) -> String {
    log.lines().filter(|line| !line.contains("Compile time = ")).flat_map(|line| [line, "\n"]).collect()
}

fn check(call: &'static str, code: c_int) -> Result<(), GpuError> {
    if code == 0 { Ok(()) } else { Err(GpuError::Compiler { call, code, log: String::new() }) }
}

/// Loads a library; with `shared` its symbols are visible to libraries that are loaded later.
fn open(path: &std::ffi::OsStr, shared: bool) -> Result<Library, GpuError> {
    #[cfg(unix)]
    {
        use libloading::os::unix::{Library as Unix, RTLD_GLOBAL, RTLD_LOCAL, RTLD_NOW};
        let scope = if shared { RTLD_GLOBAL } else { RTLD_LOCAL };
        // SAFETY: NVRTC's libraries run nothing at load time beyond their own set-up, and are never unloaded while
        // a function of theirs can be called.
        unsafe { Unix::open(Some(path), RTLD_NOW | scope) }.map(Library::from).map_err(GpuError::BadCompiler)
    }
    #[cfg(not(unix))]
    {
        let _ = shared;
        // SAFETY: as above.
        unsafe { Library::new(path) }.map_err(GpuError::BadCompiler)
    }
}

/// Whether a library could not be loaded because it does not exist, which the loader reports only in its message.
fn is_absent(why: &GpuError) -> bool {
    let mut why: Option<&dyn core::error::Error> = Some(why);
    let mut words = core::iter::from_fn(|| {
        let one = why?;
        why = one.source();
        Some(one.to_string())
    });
    words.any(|words| words.to_lowercase().contains("no such file"))
}

/// The file `stem` or `stem.<version>` of the highest version in a folder.
fn newest(folder: &Path, stem: &str) -> Option<PathBuf> {
    let version = |name: &str| -> Option<Vec<u32>> {
        let rest = name.strip_prefix(stem)?;
        if rest.is_empty() {
            return Some(Vec::new());
        }
        rest.strip_prefix('.')?.split('.').map(|part| part.parse().ok()).collect()
    };
    let entries = std::fs::read_dir(folder).ok()?;
    let versions = entries.filter_map(|entry| {
        let name = entry.ok()?.file_name().into_string().ok()?;
        Some((version(&name)?, name))
    });
    versions.max().map(|(_, name)| folder.join(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_library_that_is_damaged_is_not_absent() {
        let folder = tempfile::tempdir().unwrap();
        let damaged = folder.path().join("libnvrtc.so");
        std::fs::write(&damaged, "no library").unwrap();
        let absent = |path: &Path| is_absent(&open(path.as_os_str(), false).unwrap_err());
        assert!(!absent(&damaged) && absent(&folder.path().join("libnvrtc.so.13")));
    }

    #[test]
    fn an_empty_folder_is_a_clean_error() {
        let folder = tempfile::tempdir().unwrap();
        let error = Nvrtc::load_from(folder.path()).unwrap_err();
        assert!(matches!(error, GpuError::NoCompiler { searched: SearchedFolders::In(_) }), "{error}");
        assert!(error.to_string().contains(FOLDER_VARIABLE), "{error}");
    }

    #[test]
    fn a_file_that_is_no_library_is_a_clean_error() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("lib64")).unwrap();
        std::fs::write(folder.path().join("lib64/libnvrtc.so.13"), b"not a library").unwrap();
        assert!(matches!(Nvrtc::load_from(folder.path()), Err(GpuError::BadCompiler(_))));
    }

    #[test]
    fn the_newest_version_is_taken_by_number() {
        let folder = tempfile::tempdir().unwrap();
        for name in
            ["libnvrtc.so.9", "libnvrtc.so.12", "libnvrtc.so.12.2", "libnvrtc.alt.so.13", "libnvrtc.so.x"]
        {
            std::fs::write(folder.path().join(name), b"").unwrap();
        }
        assert_eq!(newest(folder.path(), "libnvrtc.so"), Some(folder.path().join("libnvrtc.so.12.2")));
        assert_eq!(newest(folder.path(), "libcuda.so"), None);
    }

    #[test]
    fn options_are_as_the_compiler_reads_them() {
        let options = Options { target: Target::Cubin(Arch(90)), max_registers: Some(128) };
        let text = options.arguments().join(" ");
        assert!(text.contains("--gpu-architecture=sm_90") && text.contains("--maxrregcount=128"), "{text}");
        let text = Options::new(Target::Ptx(Arch(90))).arguments().join(" ");
        assert!(text.contains("--gpu-architecture=compute_90") && !text.contains("ptxas"), "{text}");
    }
}
