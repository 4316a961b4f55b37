//! `cargo x` runs all chores. `cargo x --help` lists them.
#![forbid(unsafe_code)]

mod artifacts;
mod bench;
mod book;
mod ci;
mod cuda;
mod derived;
mod interop;
mod jobs;
mod opencl;
mod package;
mod peers;
mod process;
mod ptx;
mod python;
mod rtl;
mod test;
mod tidy;
mod tree;
mod verifier;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Chores of the Pairwright workspace.
#[derive(Parser)]
#[command(name = "cargo x", bin_name = "cargo x")]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Check the house rules: floors, lint tiers, sizes, forbidden words, licences, rustfmt and clippy
    Tidy(tidy::Args),
    /// Write every file that a script under derive/ prints; with --check, compare instead of writing
    Gen(derived::Args),
    /// Run every check and every test: tidy, clippy, gen --check, workspace tests and all chores below but bench, synth and ci; --full adds the slow ones
    Test(test::Args),
    /// Run the tests against snarkjs, circom, noble-curves and py_ecc, and against CIRCL where Go is installed
    Interop(interop::Args),
    /// Compile every CUDA kernel with NVRTC, from the Python registry, and compare what the machine code takes
    Cuda(cuda::Args),
    /// Run the GPU device on a stand-in for CUDA's driver that interprets PTX: its tests and a proof; --full sweeps over shapes
    Ptx(ptx::Args),
    /// Run the GPU device on an OpenCL driver for the processor: its tests and the demo; --full optimises the kernels, on two drivers
    Opencl(opencl::Args),
    /// Drive the hardware beside its models, every register in every cycle, with faults that must be noticed; --full runs longer
    Rtl(rtl::Args),
    /// Synthesise a block for cells of an open library, and compare with the results that are kept
    Synth(rtl::SynthArgs),
    /// Count the crates of the verifier alone, build it for WebAssembly and without an operating system, and run it
    Verifier(verifier::Args),
    /// Test the Python package with the module of the development build, and check its types and stubs
    Python(python::Args),
    /// Compile and run the Rust examples of the book
    Book(book::Args),
    /// Run one benchmark of the bench/ workspace, for example `cargo x bench msm`
    Bench(bench::Args),
    /// Clone the last commit into the target folder and run .ci/run there: what is not committed cannot help
    Ci(ci::Args),
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().chore {
        Chore::Tidy(args) => tidy::run(&args),
        Chore::Gen(args) => derived::run(&args),
        Chore::Test(args) => test::run(&args),
        Chore::Interop(args) => interop::run(&args),
        Chore::Cuda(args) => cuda::run(&args),
        Chore::Ptx(args) => ptx::run(&args),
        Chore::Opencl(args) => opencl::run(&args),
        Chore::Rtl(args) => rtl::run(&args),
        Chore::Synth(args) => rtl::synth(&args),
        Chore::Verifier(args) => verifier::run(&args),
        Chore::Python(args) => python::run(&args),
        Chore::Book(args) => book::run(&args),
        Chore::Bench(args) => bench::run(&args),
        Chore::Ci(args) => ci::run(&args),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("cargo x: {failure}");
            ExitCode::FAILURE
        }
    }
}
