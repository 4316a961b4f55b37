//! Passes over lowered kernels: constant folding, ranges, common subexpressions, dead code.
//!
//! Each pass takes a kernel and returns one that computes the same outputs; tests run the interpreter before and after
//! each of them.

mod cse;
mod dce;
mod fold;
mod interleave;

use crate::ir::Kernel;

pub(crate) use fold::simplify;
pub use interleave::interleave;

/// A pass: a transformation of kernels that does not change their outputs.
pub struct Pass {
    /// The name of the pass in texts.
    pub name: &'static str,
    /// The function that transforms a kernel.
    pub run: fn(Kernel) -> Kernel,
}

/// The passes in the order in which they are run.
pub static PASSES: &[Pass] = &[
    Pass { name: "fold", run: fold::run },
    Pass { name: "common subexpressions", run: cse::run },
    Pass { name: "dead code", run: dce::run },
];

/// Runs all passes repeatedly until the numbers of instructions, operands and results no longer change.
pub fn optimise(mut kernel: Kernel) -> Kernel {
    loop {
        let before = (kernel.body.len(), results(&kernel));
        for pass in PASSES {
            kernel = (pass.run)(kernel);
        }
        if (kernel.body.len(), results(&kernel)) == before {
            return kernel;
        }
    }
}

fn results(kernel: &Kernel) -> usize {
    kernel.body.iter().map(|i| i.outs.len() + i.args.len()).sum()
}
