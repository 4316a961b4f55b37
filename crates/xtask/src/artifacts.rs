//! Builds parts of the workspace, and reads from cargo's JSON messages which files it built.

use crate::process::{Failure, Outcome, at, cargo, output, printed};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The environment variable that names a file with cargo's messages. If it is set, everything that a chore needs has been built and is
/// listed there.
///
/// Cargo unifies the features of dependencies over all packages of a build, so a second build of one package would
/// compile much of the workspace again with other features. `cargo x test` builds once and passes the messages on.
pub(crate) const BUILT: &str = "PAIRWRIGHT_BUILT";

/// A line of cargo's JSON output, with the fields that are used here.
#[derive(Deserialize)]
struct Message {
    executable: Option<PathBuf>,
    manifest_path: Option<PathBuf>,
    #[serde(default)]
    filenames: Vec<PathBuf>,
    target: Option<BuiltTarget>,
    profile: Option<Profile>,
}

#[derive(Deserialize)]
struct BuiltTarget {
    name: String,
    #[serde(default)]
    kind: Vec<String>,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

impl Message {
    fn is(&self, name: &str, test: bool) -> bool {
        self.target.as_ref().is_some_and(|target| target.name == name)
            && self.profile.as_ref().is_some_and(|profile| profile.test == test)
    }
}

/// The files that a build produced.
pub(crate) struct Artifacts(Vec<Message>);

/// A message of the compiler in cargo's JSON output.
#[derive(Deserialize)]
struct Complaint {
    message: Diagnostic,
}

#[derive(Deserialize)]
struct Diagnostic {
    rendered: String,
}

/// Lets cargo compile the workspace's crates with clippy's driver, which is the compiler with more lints. A separate `cargo clippy`
/// would analyse everything again, which takes a fifth of the time of the build. Cargo treats the outputs of the driver and of the
/// plain compiler as different, so all steps of one test run use the same compiler.
pub(crate) fn linted(cargo: &mut Command) -> &mut Command {
    const DRIVER: &str = "clippy-driver";
    let beside = Path::new(cargo.get_program()).with_file_name(DRIVER);
    let driver = if beside.is_file() { beside } else { DRIVER.into() };
    cargo.env("RUSTC_WORKSPACE_WRAPPER", driver)
}

/// A test binary of the workspace.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TestBinary {
    /// The folder name of its package, and its target: `chip all`, or `chip (unit tests)`.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    /// The folder of its package, in which cargo runs it.
    pub(crate) folder: PathBuf,
}

impl Artifacts {
    /// Builds every test of the workspace, and with them the libraries and the command, and writes cargo's messages to
    /// `file`, for chores that read it through [`BUILT`]. Prints the complaints of the compiler and clippy, and also returns
    /// their number.
    pub(crate) fn of_tests(file: &Path) -> Outcome<(Self, usize)> {
        let mut build = cargo();
        linted(&mut build).args(["test", "--workspace", "--no-run", "--quiet", "--message-format", "json"]);
        let (messages, outcome) = printed(&mut build)?;
        let messages = String::from_utf8_lossy(&messages);
        let complaints = complaints(&messages);
        complaints.iter().for_each(|said| eprintln!("{said}"));
        outcome?;
        file.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(at(file))?;
        std::fs::write(file, &*messages).map_err(at(file))?;
        Ok((Self::parse(&messages), complaints.len()))
    }

    /// Builds the programs that print text for the repository: the command, the printer of hardware, and that of the header
    /// for C.
    pub(crate) fn of_printers() -> Outcome<Self> {
        let packages = ["pairwright-cli", "pairwright-rtl", "pairwright-ffi"];
        let packages: Vec<&str> = packages.iter().flat_map(|package| ["--package", package]).collect();
        let programs = ["--bin", "pairwright", "--bin", "rtl", "--example", "header"];
        Self::read(&[&["build"], &packages[..], &programs].concat())
    }

    /// Builds the program that simulates and synthesises hardware.
    pub(crate) fn of_hardware() -> Outcome<Self> {
        Self::read(&["build", "--package", "pairwright-rtl", "--bin", "rtl"])
    }

    /// Builds the command and the program `oracle`, which answers requests of the interop tests.
    pub(crate) fn of_interop() -> Outcome<Self> {
        let packages = ["--package", "pairwright-cli", "--package", "pairwright-testkit"];
        Self::read(&[&["build"], &packages[..], &["--bin", "pairwright", "--example", "oracle"]].concat())
    }

    /// Builds the module of the Python package, with the same features as the build of the tests.
    pub(crate) fn of_python() -> Outcome<Self> {
        Self::read(&["test", "--workspace", "--no-run", "--test", "package"])
    }

    /// Builds the libraries only.
    pub(crate) fn of_libraries() -> Outcome<Self> {
        Self::read(&["build", "--workspace", "--lib"])
    }

    /// Builds tests of the GPU device, the command, and the library that replaces CUDA's driver, with the same features as the build of
    /// the tests.
    pub(crate) fn of_ptx(tests: &[&str]) -> Outcome<Self> {
        // Cargo builds the command for the command's tests, of which one is named, and the library for the library's.
        let tests = tests.iter().chain(&["calls", "gpu_report"]).flat_map(|name| ["--test", name]);
        let words = ["test", "--workspace", "--no-run"];
        Self::read(&words.into_iter().chain(tests).collect::<Vec<_>>())
    }

    /// Builds a test of the GPU device, and through a test of the command also the command, with the same features as the build of the
    /// tests.
    pub(crate) fn of_opencl(test: &str) -> Outcome<Self> {
        Self::read(&["test", "--workspace", "--no-run", "--test", test, "--test", "faults"])
    }

    /// Builds the tests of one package with these names.
    pub(crate) fn of_named_tests(package: &str, names: &[&str]) -> Outcome<Self> {
        let tests = names.iter().flat_map(|name| ["--test", name]);
        Self::read(&["test", "--package", package, "--no-run"].into_iter().chain(tests).collect::<Vec<_>>())
    }

    /// Reads the messages from the file that [`BUILT`] names; without the variable, runs a build.
    fn read(args: &[&str]) -> Outcome<Self> {
        let messages = match std::env::var_os(BUILT) {
            Some(file) => std::fs::read_to_string(&file).map_err(at(Path::new(&file)))?,
            None => Self::build(args)?,
        };
        Ok(Self::parse(&messages))
    }

    fn build(args: &[&str]) -> Outcome<String> {
        let format = ["--quiet", "--message-format", "json-render-diagnostics"];
        let messages = output(cargo().args(args).args(format))?;
        Ok(String::from_utf8_lossy(&messages).into_owned())
    }

    pub(crate) fn parse(messages: &str) -> Self {
        Self(messages.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
    }

    /// The path of a program.
    pub(crate) fn program(&self, name: &str) -> Outcome<PathBuf> {
        let found = self.0.iter().filter(|m| m.is(name, false)).find_map(|m| m.executable.clone());
        found.ok_or_else(|| Failure(format!("cargo built no executable `{name}`")))
    }

    /// The path of a test binary.
    pub(crate) fn test(&self, name: &str) -> Outcome<PathBuf> {
        let found = self.0.iter().filter(|m| m.is(name, true)).find_map(|m| m.executable.clone());
        found.ok_or_else(|| Failure(format!("cargo built no test `{name}`")))
    }

    /// The path of a test binary of the package in a folder, for names that several packages use.
    pub(crate) fn test_of(&self, folder: &str, name: &str) -> Outcome<PathBuf> {
        let wanted = format!("{folder} {name}");
        let found = self.tests().into_iter().find(|test| test.name == wanted).map(|test| test.path);
        found.ok_or_else(|| Failure(format!("cargo built no test `{wanted}`")))
    }

    /// All test binaries of this workspace's packages.
    pub(crate) fn tests(&self) -> Vec<TestBinary> {
        let tests = self.0.iter().filter(|message| message.profile.as_ref().is_some_and(|p| p.test));
        tests
            .filter_map(|message| {
                let target = message.target.as_ref()?;
                let folder = message.manifest_path.as_ref()?.parent()?.to_owned();
                let package = folder.file_name()?.to_string_lossy().into_owned();
                let kind = target.kind.first().map_or("", String::as_str);
                let what = match kind {
                    "test" => target.name.clone(),
                    "example" => format!("{} (example)", target.name),
                    _ => "(unit tests)".to_owned(),
                };
                let path = message.executable.clone()?;
                Some(TestBinary { name: format!("{package} {what}"), path, folder })
            })
            .collect()
    }

    /// The path of a shared library that other languages load.
    pub(crate) fn shared_library(&self, name: &str) -> Outcome<PathBuf> {
        let mut files = self.0.iter().filter(|m| m.is(name, false)).flat_map(|m| &m.filenames);
        let ends =
            |file: &&PathBuf| file.extension().is_some_and(|end| end == std::env::consts::DLL_EXTENSION);
        files.find(ends).cloned().ok_or_else(|| Failure(format!("cargo built no library `{name}`")))
    }

    /// Names and paths of the Rust libraries whose name begins with `prefix`.
    pub(crate) fn libraries(&self, prefix: &str) -> Vec<(String, PathBuf)> {
        let named =
            self.0.iter().filter_map(|message| Some((&message.target.as_ref()?.name, &message.filenames)));
        named
            .filter(|(name, _)| name.starts_with(prefix))
            .filter_map(|(name, files)| {
                let library =
                    files.iter().find(|file| file.extension().is_some_and(|ending| ending == "rlib"))?;
                Some((name.clone(), library.clone()))
            })
            .collect()
    }
}

/// The complaints of the compiler and clippy among cargo's messages, without duplicates: a library is compiled with and without its
/// tests.
fn complaints(messages: &str) -> BTreeSet<String> {
    let said = messages.lines().filter_map(|line| serde_json::from_str::<Complaint>(line).ok());
    said.map(|complaint| complaint.message.rendered).filter(|text| !text.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_complaint_counts_once() {
        let said = complaints(
            r#"
            {"reason":"compiler-message","message":{"rendered":"warning: unused","level":"warning"}}
            {"reason":"compiler-message","message":{"rendered":"warning: unused","level":"warning"}}
            {"reason":"compiler-message","message":{"rendered":"warning: 1 warning emitted","level":"warning"}}
            {"reason":"compiler-artifact","target":{"name":"serde"}}
            "#,
        );
        assert_eq!(said.len(), 2);
        assert!(complaints("").is_empty());
    }

    /// A program, a library and the unit tests of that library may all have the same name.
    #[test]
    fn artifacts_are_found_among_cargos_messages() {
        let artifacts = Artifacts::parse(
            r#"
            {"target":{"name":"pairwright"},"profile":{"test":false},"executable":null,"filenames":["t/p.rmeta","t/p.rlib"]}
            not json
            {"target":{"name":"module"},"profile":{"test":false},"executable":null,"filenames":["t/libm.rlib","t/libm.so"]}
            {"target":{"name":"xtask"},"profile":{"test":false},"executable":"t/xtask","filenames":["t/xtask"]}
            {"manifest_path":"/w/pairwright/Cargo.toml","target":{"name":"pairwright","kind":["lib"]},"profile":{"test":true},"executable":"t/p-units","filenames":["t/p-units"]}
            {"target":{"name":"pairwright"},"profile":{"test":false},"executable":"t/pairwright","filenames":[]}
            {"manifest_path":"/w/gpu/Cargo.toml","target":{"name":"nvrtc","kind":["test"]},"profile":{"test":true},"executable":"t/nvrtc","filenames":["t/nvrtc"]}
            {"target":{"name":"serde"},"profile":{"test":false},"executable":null,"filenames":["t/serde.rlib"]}
            {"reason":"build-finished","success":true}
            "#,
        );
        assert_eq!(artifacts.program("pairwright").ok(), Some(PathBuf::from("t/pairwright")));
        assert_eq!(artifacts.program("other").ok(), None);
        #[cfg(target_os = "linux")]
        assert_eq!(artifacts.shared_library("module").ok(), Some(PathBuf::from("t/libm.so")));
        assert_eq!(artifacts.shared_library("serde").ok(), None);
        assert_eq!(artifacts.test("nvrtc").ok(), Some(PathBuf::from("t/nvrtc")));
        assert_eq!(artifacts.test("xtask").ok(), None);
        assert_eq!(artifacts.test_of("gpu", "nvrtc").ok(), Some(PathBuf::from("t/nvrtc")));
        assert_eq!(artifacts.test_of("pairwright", "nvrtc").ok(), None);
        let test = |name: &str, path: &str, folder: &str| TestBinary {
            name: name.to_owned(),
            path: PathBuf::from(path),
            folder: PathBuf::from(folder),
        };
        let tests = [
            test("pairwright (unit tests)", "t/p-units", "/w/pairwright"),
            test("gpu nvrtc", "t/nvrtc", "/w/gpu"),
        ];
        assert_eq!(artifacts.tests(), tests);
        assert_eq!(artifacts.libraries("pair"), [("pairwright".to_owned(), PathBuf::from("t/p.rlib"))]);
    }
}
