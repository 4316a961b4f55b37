//! Reads from cargo's JSON messages which files it built.

use crate::process::{Outcome, cargo, output};
use serde::Deserialize;
use std::path::PathBuf;

/// A line of cargo's JSON output, as far as it is read here.
#[derive(Deserialize)]
struct Message {
    executable: Option<PathBuf>,
    #[serde(default)]
    filenames: Vec<PathBuf>,
    target: Option<Target>,
    profile: Option<Profile>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
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

/// What a build produced.
pub(crate) struct Artifacts(Vec<Message>);

impl Artifacts {
    /// Builds every test of the workspace, and with them the libraries and the command.
    ///
    /// Everything that the stages of `cargo x test` run comes from this one build: cargo unites the features of
    /// dependencies over what it is asked to build, so a second request for one package would compile much of the
    /// workspace again with other features.
    pub(crate) fn of_tests() -> Outcome<Self> {
        Self::read(&["test", "--workspace", "--no-run"])
    }

    /// Builds the programs that print text for the repository: the command, and the printer of the header for C.
    pub(crate) fn of_printers() -> Outcome<Self> {
        let packages = ["--package", "pairwright-cli", "--package", "pairwright-ffi"];
        Self::read(&[&["build"], &packages[..], &["--bin", "pairwright", "--example", "header"]].concat())
    }

    /// Builds the command and the program that answers the interop tests' questions.
    pub(crate) fn of_interop() -> Outcome<Self> {
        let packages = ["--package", "pairwright-cli", "--package", "pairwright-testkit"];
        Self::read(&[&["build"], &packages[..], &["--bin", "pairwright", "--example", "oracle"]].concat())
    }

    /// Builds the module of the Python package, with the features that the tests' build has.
    pub(crate) fn of_python() -> Outcome<Self> {
        Self::read(&["test", "--workspace", "--no-run", "--test", "package"])
    }

    /// Builds the libraries alone.
    pub(crate) fn of_libraries() -> Outcome<Self> {
        Self::read(&["build", "--workspace", "--lib"])
    }

    fn read(args: &[&str]) -> Outcome<Self> {
        let format = ["--quiet", "--message-format", "json-render-diagnostics"];
        let messages = output(cargo().args(args).args(format))?;
        Ok(Self::parse(&String::from_utf8_lossy(&messages)))
    }

    fn parse(messages: &str) -> Self {
        Self(messages.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
    }

    /// The path of a program.
    pub(crate) fn program(&self, name: &str) -> Option<PathBuf> {
        self.0.iter().filter(|m| m.is(name, false)).find_map(|m| m.executable.clone())
    }

    /// The path of a test binary.
    pub(crate) fn test(&self, name: &str) -> Option<PathBuf> {
        self.0.iter().filter(|m| m.is(name, true)).find_map(|m| m.executable.clone())
    }

    /// The path of a library that other languages load.
    pub(crate) fn shared_library(&self, name: &str) -> Option<PathBuf> {
        let files = self.0.iter().filter(|m| m.is(name, false)).flat_map(|m| &m.filenames);
        files
            .into_iter()
            .find(|file| file.extension().is_some_and(|ending| ending == std::env::consts::DLL_EXTENSION))
            .cloned()
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A program, a library and the unit tests of that library may all have one name.
    #[test]
    fn artifacts_are_found_among_cargos_messages() {
        let artifacts = Artifacts::parse(
            r#"
            {"target":{"name":"pairwright"},"profile":{"test":false},"executable":null,"filenames":["t/p.rmeta","t/p.rlib"]}
            not json
            {"target":{"name":"module"},"profile":{"test":false},"executable":null,"filenames":["t/libm.rlib","t/libm.so"]}
            {"target":{"name":"xtask"},"profile":{"test":false},"executable":"t/xtask","filenames":["t/xtask"]}
            {"target":{"name":"pairwright"},"profile":{"test":true},"executable":"t/p-units","filenames":["t/p-units"]}
            {"target":{"name":"pairwright"},"profile":{"test":false},"executable":"t/pairwright","filenames":[]}
            {"target":{"name":"nvrtc"},"profile":{"test":true},"executable":"t/nvrtc","filenames":["t/nvrtc"]}
            {"target":{"name":"serde"},"profile":{"test":false},"executable":null,"filenames":["t/serde.rlib"]}
            {"reason":"build-finished","success":true}
            "#,
        );
        assert_eq!(artifacts.program("pairwright"), Some(PathBuf::from("t/pairwright")));
        assert_eq!(artifacts.program("other"), None);
        #[cfg(target_os = "linux")]
        assert_eq!(artifacts.shared_library("module"), Some(PathBuf::from("t/libm.so")));
        assert_eq!(artifacts.shared_library("serde"), None);
        assert_eq!(artifacts.test("nvrtc"), Some(PathBuf::from("t/nvrtc")));
        assert_eq!(artifacts.test("xtask"), None);
        assert_eq!(artifacts.libraries("pair"), [("pairwright".to_owned(), PathBuf::from("t/p.rlib"))]);
    }
}
