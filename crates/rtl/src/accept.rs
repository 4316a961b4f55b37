//! The SystemVerilog readers that must accept every block: Verilator with all its warnings, slang, Yosys, and Icarus
//! Verilog if the system has it, since no package registry provides it.

use crate::Block;
use crate::error::RtlError;
use crate::tools::{Tools, write};
use std::path::Path;

/// Warnings of Verilator that do not apply here: unused high parts of sums, and several modules in one file.
const ALLOWED: [&str; 3] = ["-Wno-UNUSED", "-Wno-DECLFILENAME", "-Wno-MULTITOP"];

/// A script that elaborates a file with slang and fails on any diagnostic that is an error.
const SLANG: &str = "
import sys
import pyslang
from pyslang.driver import Driver
driver = Driver()
driver.addStandardArgs()
ok = driver.parseCommandLine('slang ' + sys.argv[1]) and driver.processOptions() and driver.parseAllSources()
errors = [d for d in driver.createCompilation().getAllDiagnostics() if d.isError()] if ok else []
print(pyslang.DiagnosticEngine.reportAll(driver.sourceManager, errors) if ok else 'no source')
sys.exit(1 if errors or not ok else 0)
";

/// Lets all readers read a block, in an existing folder.
///
/// # Errors
/// [`RtlError::Tool`] with the message of a reader; [`RtlError::NoTool`], [`RtlError::File`].
pub fn accept(block: &Block, tools: &Tools, folder: &Path) -> Result<(), RtlError> {
    let name = &block.name;
    write(&folder.join("block.sv"), &block.text)?;
    let arguments = [&["--lint-only", "-Wall"][..], &ALLOWED, &["--top-module", name, "block.sv"]].concat();
    tools.verilator()?.run(folder, &arguments, name)?;
    tools.python().run(folder, &["-c", SLANG, "block.sv"], name)?;
    let script = format!("read_verilog -sv block.sv; hierarchy -check -top {name}; proc; check -assert");
    tools.yosys(folder, &script, name)?;
    if let Some(icarus) = tools.icarus() {
        icarus.run(folder, &["-g2012", "-t", "null", "-s", name, "block.sv"], name)?;
    }
    Ok(())
}
