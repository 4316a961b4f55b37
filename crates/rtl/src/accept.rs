//! The readers of SystemVerilog that must take every block: Verilator with all its warnings, slang, Yosys, and Icarus where the
//! system has it, for no registry of packages does.

use crate::Block;
use crate::error::RtlError;
use crate::tools::{Tools, write};
use std::path::Path;

/// Warnings of Verilator that are none here: high parts of sums that a kernel has no use for, and modules of one file.
const ALLOWED: [&str; 3] = ["-Wno-UNUSED", "-Wno-DECLFILENAME", "-Wno-MULTITOP"];

/// Elaborates a file and fails on any diagnostic that is an error.
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

/// Gives a block to the readers, in a folder, which must exist.
///
/// # Errors
/// [`RtlError::Tool`] with what a reader said; [`RtlError::NoTool`], [`RtlError::File`].
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
