//! Passes over lowered kernels: constant folding, ranges, common subexpressions, dead code.
//!
//! Each pass takes a kernel and returns one that computes the same; tests run the interpreter before and after every
//! one of them.

mod cse;
mod dce;
mod fold;
mod interleave;

use crate::ir::Kernel;

pub(crate) use fold::simplify;
pub use interleave::interleave;

/// A pass over a kernel that keeps its meaning.
pub struct Pass {
    /// The name that is printed.
    pub name: &'static str,
    /// What it does.
    pub run: fn(Kernel) -> Kernel,
}

/// The passes, in the order they are run.
pub static PASSES: &[Pass] = &[
    Pass { name: "fold", run: fold::run },
    Pass { name: "common subexpressions", run: cse::run },
    Pass { name: "dead code", run: dce::run },
];

/// Runs the passes until none finds anything to do.
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
