//! What can go wrong when a block is printed, built or run.

use std::path::PathBuf;

/// Errors of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RtlError {
    /// A kernel cannot be made or printed.
    #[error(transparent)]
    Kernel(#[from] pairwright_moma::MomaError),
    /// A loop of a multiplier is no whole digit step.
    #[error(
        "an iterative multiplier of {latency} cycles for {digits} digits; hardware is printed for two cycles more than digits"
    )]
    Rounds {
        /// Cycles from operands to product.
        latency: u32,
        /// Digits of an operand.
        digits: u32,
    },
    /// The processor's modules are not written for a design.
    #[error("the processor's modules do not fit the design `{design}`: they need {needs}")]
    Design {
        /// Name of the design.
        design: String,
        /// What it lacks.
        needs: &'static str,
    },
    /// A schedule has latencies that hardware is not printed for.
    #[error("a schedule without {what}; hardware is printed for no other")]
    Schedule {
        /// What hardware is printed for.
        what: &'static str,
    },
    /// No block has that name.
    #[error("no block `{name}`; there are {known}")]
    UnknownBlock {
        /// What was asked for.
        name: String,
        /// Names of the blocks.
        known: String,
    },
    /// A block that is no stream of operands and results has no buses.
    #[error(
        "{block} does not only take operands and give results, so it has no AXI4-Stream form; {known} have one"
    )]
    NoStream {
        /// Name of the block.
        block: String,
        /// Names of those that have one.
        known: String,
    },
    /// A tool is not installed.
    #[error("{tool} cannot be run ({source}); `cargo x rtl` installs the package {package}")]
    NoTool {
        /// Program that was called.
        tool: String,
        /// Package that it comes from.
        package: &'static str,
        /// Why it did not start.
        source: std::io::Error,
    },
    /// A tool failed.
    #[error("{tool} failed on {what}:\n{output}")]
    Tool {
        /// Program that was called.
        tool: String,
        /// What it worked on.
        what: String,
        /// The end of what it printed.
        output: String,
    },
    /// Output of a tool lacks what it should hold.
    #[error("the output of {tool} on {what} has no {missing}")]
    Output {
        /// Program that was called.
        tool: String,
        /// What it worked on.
        what: String,
        /// What was looked for.
        missing: String,
    },
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// Path of the file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The simulator ended or did not answer.
    #[error("the simulator of {block} does not answer: {source}")]
    Simulator {
        /// Name of the block.
        block: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// Model and hardware differ.
    #[error("{block}, cycle {cycle}: {signal} is {hardware} in the hardware and {model} in the model")]
    Differs {
        /// Name of the block.
        block: String,
        /// Clock edges before this one.
        cycle: u64,
        /// Register or output.
        signal: String,
        /// Value in the hardware.
        hardware: String,
        /// Value in the model.
        model: String,
    },
    /// A run ended before the independent computation had a result to judge.
    #[error("{block}: no result was judged in {cycles} cycles; run more")]
    Unjudged {
        /// Name of the block.
        block: String,
        /// Clock edges that were compared.
        cycles: u64,
    },
    /// A case did not occur that a run must have seen.
    #[error("{block}: the case `{case}` did not occur in {cycles} cycles; run more")]
    Uncovered {
        /// Name of the block.
        block: String,
        /// Name of the case that did not occur.
        case: &'static str,
        /// Clock edges that were compared.
        cycles: u64,
    },
    /// A fault that was put in on purpose was not noticed.
    #[error("{block}: the fault `{fault}` was not noticed in {cycles} cycles")]
    Unnoticed {
        /// Name of the block.
        block: String,
        /// What was changed.
        fault: String,
        /// Clock edges that were compared.
        cycles: u64,
    },
    /// A result differs from the one that is kept.
    #[error("{path} differs from what was computed: {what}")]
    Golden {
        /// File that holds the kept result.
        path: PathBuf,
        /// The first difference.
        what: String,
    },
}
