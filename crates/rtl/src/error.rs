//! The errors of printing, building and running blocks.

use std::path::PathBuf;

/// Errors of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RtlError {
    /// A kernel cannot be made or printed.
    #[error(transparent)]
    Kernel(#[from] pairwright_moma::MomaError),
    /// An iterative multiplier whose latency does not match one digit step per cycle.
    #[error(
        "an iterative multiplier of {latency} cycles for {digits} digits; hardware is printed for two cycles more than digits"
    )]
    Rounds {
        /// Cycles from operands to product.
        latency: u32,
        /// Digits of an operand.
        digits: u32,
    },
    /// The processor's modules do not support a design.
    #[error("the processor's modules do not fit the design `{design}`: they need {needs}")]
    Design {
        /// Name of the design.
        design: String,
        /// The property that the design lacks.
        needs: &'static str,
    },
    /// A schedule with latencies for which no hardware is printed.
    #[error("a schedule without {what}; hardware is printed for no other")]
    Schedule {
        /// The only schedule for which hardware is printed.
        what: &'static str,
    },
    /// No block has this name.
    #[error("no block `{name}`; there are {known}")]
    UnknownBlock {
        /// The requested name.
        name: String,
        /// Names of the blocks.
        known: String,
    },
    /// The block has other ports than operands and results, so it has no form with buses.
    #[error(
        "{block} does not only take operands and give results, so it has no AXI4-Stream form; {known} have one"
    )]
    NoStream {
        /// Name of the block.
        block: String,
        /// Names of the blocks that have one.
        known: String,
    },
    /// A tool is not installed.
    #[error("{tool} cannot be run ({source}); `cargo x rtl` installs the package {package}")]
    NoTool {
        /// Program that was called.
        tool: String,
        /// Package that it comes from.
        package: &'static str,
        /// The error of starting it.
        source: std::io::Error,
    },
    /// A tool failed.
    #[error("{tool} failed on {what}:\n{output}")]
    Tool {
        /// Program that was called.
        tool: String,
        /// The input that it worked on.
        what: String,
        /// The end of what it printed.
        output: String,
    },
    /// The output of a tool lacks an expected entry.
    #[error("the output of {tool} on {what} has no {missing}")]
    Output {
        /// Program that was called.
        tool: String,
        /// The input that it worked on.
        what: String,
        /// The entry that was searched for.
        missing: String,
    },
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// Path of the file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The simulator ended or does not answer.
    #[error("the simulator of {block} does not answer: {source}")]
    Simulator {
        /// Name of the block.
        block: String,
        /// The system's error.
        source: std::io::Error,
    },
    /// Model and hardware differ in a signal.
    #[error("{block}, cycle {cycle}: {signal} is {hardware} in the hardware and {model} in the model")]
    Differs {
        /// Name of the block.
        block: String,
        /// Number of clock edges before this one.
        cycle: u64,
        /// Name of the register or output.
        signal: String,
        /// Value in the hardware.
        hardware: String,
        /// Value in the model.
        model: String,
    },
    /// A run ended before the independent computation could check a result.
    #[error("{block}: no result was judged in {cycles} cycles; run more")]
    Unjudged {
        /// Name of the block.
        block: String,
        /// Clock edges that were compared.
        cycles: u64,
    },
    /// A case that a run must cover did not occur.
    #[error("{block}: the case `{case}` did not occur in {cycles} cycles; run more")]
    Uncovered {
        /// Name of the block.
        block: String,
        /// Name of the case that did not occur.
        case: &'static str,
        /// Clock edges that were compared.
        cycles: u64,
    },
    /// A deliberately injected fault was not detected.
    #[error("{block}: the fault `{fault}` was not noticed in {cycles} cycles")]
    Unnoticed {
        /// Name of the block.
        block: String,
        /// A description of the fault.
        fault: String,
        /// Clock edges that were compared.
        cycles: u64,
    },
    /// A result differs from the kept one.
    #[error("{path} differs from what was computed: {what}")]
    Golden {
        /// File with the kept result.
        path: PathBuf,
        /// The first difference.
        what: String,
    },
}
