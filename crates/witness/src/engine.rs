//! The engines that run calculators.

use core::fmt;

/// The engine that runs a calculator. All engines give the same witness and obey the same limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Engine {
    /// The compiler with the smaller expected sum of compile time and run time, estimated from the sizes of the module; the
    /// interpreter if there is no compiler for this processor or the compiler refuses the module.
    #[default]
    Fastest,
    /// Optimised machine code, which Cranelift makes from the module (`wasmtime`). There is no fallback to another engine.
    Compiled,
    /// Machine code that Winch makes from the module in one pass (`wasmtime`, on x86-64): faster to compile and slower to run.
    /// There is no fallback to another engine.
    Baseline,
    /// An interpreter (`wasmi`), which makes no machine code.
    Interpreted,
}

impl Engine {
    /// The engines from which [`Engine::Fastest`] chooses one.
    pub const ALL: [Self; 3] = [Self::Compiled, Self::Baseline, Self::Interpreted];

    /// Whether the engine supports this processor. If not, loading a calculator with it fails with
    /// [`NoCompiler`](crate::WitnessError::NoCompiler).
    pub const fn is_here(self) -> bool {
        match self {
            Self::Fastest | Self::Interpreted => true,
            Self::Compiled => cfg!(any(
                target_arch = "x86_64",
                target_arch = "aarch64",
                target_arch = "riscv64",
                target_arch = "s390x"
            )),
            Self::Baseline => cfg!(target_arch = "x86_64"),
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fastest => "fastest",
            Self::Compiled => "compiled",
            Self::Baseline => "baseline",
            Self::Interpreted => "interpreted",
        })
    }
}
