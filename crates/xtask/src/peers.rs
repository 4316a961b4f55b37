//! Other people's programs and libraries that tests compare with or run on, installed at pinned versions.
//!
//! Each chore installs what it needs where that is missing or outdated. `cargo x test` fetches all of it while it compiles.

use crate::process::{Failure, Outcome, at, require, root, run as run_command};
use crate::tidy::target_directory;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A set of Python packages, with a virtual environment of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Packages {
    /// The oracles of the interop tests.
    Interop,
    /// What the tests of the Python package import.
    Tests,
    /// Yosys, Verilator, slang and their kin.
    Hardware,
    /// NVIDIA's run-time compiler.
    Nvrtc,
    /// POCL, an OpenCL driver for the processor.
    Pocl,
    /// Intel's OpenCL driver for the processor, a download of 270 MB that only some need.
    IntelOpenCl,
}

impl Packages {
    /// What every run of the tests needs.
    const ALWAYS: [Self; 5] = [Self::Interop, Self::Tests, Self::Hardware, Self::Nvrtc, Self::Pocl];

    /// The folder with `requirements.txt`, below the root.
    fn folder(self) -> PathBuf {
        let folder = match self {
            Self::Interop => "interop",
            Self::Tests => "crates/python/tests",
            Self::Hardware => "rtl",
            Self::Nvrtc => "interop/cuda",
            Self::Pocl => "interop/opencl",
            Self::IntelOpenCl => "interop/opencl/intel",
        };
        root().join(folder)
    }

    /// Where the environment is made: beside the interop tests, or below the target folder.
    fn venv(self) -> Outcome<PathBuf> {
        Ok(match self {
            Self::Tests => target_directory()?.join("python/venv"),
            Self::Hardware => target_directory()?.join("rtl"),
            Self::Interop | Self::Nvrtc | Self::Pocl | Self::IntelOpenCl => self.folder().join(".venv"),
        })
    }

    /// What Python is needed for.
    fn reason(self) -> &'static str {
        match self {
            Self::Interop => "the interop tests",
            Self::Tests => "the tests of the Python package",
            Self::Hardware => "installing Yosys and Verilator",
            Self::Nvrtc => "installing NVRTC",
            Self::Pocl => "installing POCL",
            Self::IntelOpenCl => "installing Intel's OpenCL driver",
        }
    }

    /// Makes the environment anew if the requirements have changed, and returns its folder. Of libraries for the GPU device,
    /// which are for Linux alone, it takes what the requirements name and not what these depend on.
    pub(crate) fn install(self) -> Outcome<PathBuf> {
        let (requirements, venv) = (self.folder().join("requirements.txt"), self.venv()?);
        let _held = lock(&format!("{self:?}"))?;
        let stamp = venv.join("installed-requirements.txt");
        if same_bytes(&requirements, &stamp) && python_of(&venv).is_file() {
            return Ok(venv);
        }
        let alone = matches!(self, Self::Nvrtc | Self::Pocl | Self::IntelOpenCl);
        if alone && !cfg!(target_os = "linux") {
            return Err(Failure("the pinned packages are for Linux".to_owned()));
        }
        require("python3", self.reason())?;
        run_command(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&venv))?;
        let mut pip = Command::new(python_of(&venv));
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        pip.args(alone.then_some("--no-deps"));
        run_command(pip.arg("-r").arg(&requirements))?;
        copy(&requirements, &stamp)?;
        Ok(venv)
    }

    /// Installs the packages and returns the environment's Python.
    pub(crate) fn python(self) -> Outcome<PathBuf> {
        self.install().map(|venv| python_of(&venv))
    }
}

fn python_of(venv: &Path) -> PathBuf {
    venv.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

/// A folder of an installed package: `lib/python3.x/site-packages/NAME`, for whichever `x`.
pub(crate) fn site(venv: &Path, name: &str) -> Option<PathBuf> {
    let pythons = std::fs::read_dir(venv.join("lib")).into_iter().flatten().flatten();
    pythons.map(|python| python.path().join("site-packages").join(name)).find(|path| path.is_dir())
}

/// `npm ci` in `interop/`, when the lock file differs from the one that was installed last. Returns that folder.
pub(crate) fn node() -> Outcome<PathBuf> {
    let folder = root().join("interop");
    let _held = lock("node")?;
    let stamp = folder.join("node_modules/.installed-lock.json");
    let wanted = folder.join("package-lock.json");
    if !same_bytes(&wanted, &stamp) {
        require("npm", "installing snarkjs and circom for the interop tests")?;
        run_command(Command::new("npm").args(["ci", "--no-audit", "--no-fund"]).current_dir(&folder))?;
        copy(&wanted, &stamp)?;
    }
    Ok(folder)
}

/// Installs what every run of the tests needs, and says what could not be had: the chore that needs it decides whether that is a failure.
pub(crate) fn fetch_all() {
    let packages = Packages::ALWAYS.into_iter().map(|packages| packages.install().map(drop));
    for failure in std::iter::once_with(|| node().map(drop)).chain(packages).filter_map(Result::err) {
        eprintln!("peers: {failure}");
    }
}

/// Holds what two chores that run side by side may both want to install: one of them does.
fn lock(name: &str) -> Outcome<File> {
    let path = target_directory()?.join(format!("{name}.lock"));
    path.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(at(&path))?;
    let held = File::create(&path).map_err(at(&path))?;
    held.lock().map_err(at(&path))?;
    Ok(held)
}

fn same_bytes(a: &Path, b: &Path) -> bool {
    matches!((std::fs::read(a), std::fs::read(b)), (Ok(a), Ok(b)) if a == b)
}

pub(crate) fn copy(from: &Path, to: &Path) -> Outcome {
    std::fs::copy(from, to).map_err(at(to))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_stamp_means_install() {
        let manifest = root().join("floors.toml");
        assert!(same_bytes(&manifest, &manifest));
        assert!(!same_bytes(&manifest, &root().join("no-such-file")));
        assert!(!same_bytes(&root().join("no-such-file"), &root().join("no-such-file")));
    }

    #[test]
    fn all_requirements_are_pinned() {
        for packages in Packages::ALWAYS.into_iter().chain([Packages::IntelOpenCl]) {
            let text = std::fs::read_to_string(packages.folder().join("requirements.txt")).unwrap();
            // Lines that begin with a space are hashes of the line above.
            let mut lines = text.lines().filter(|line| !line.starts_with(['#', ' ']));
            assert!(lines.clone().count() >= 2 && lines.all(|line| line.contains("==")), "{text}");
        }
    }

    #[test]
    fn a_folder_without_packages_is_none() {
        assert_eq!(site(&root().join("crates"), "nvidia/cu13"), None);
    }
}
