//! The ways to run a calculator.

use core::fmt;

/// What runs a calculator. All give the same witness and know the same limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Engine {
    /// One of the compilers, the one that takes less time with the code it makes, as far as the sizes of the module tell;
    /// the interpreter where this processor or this module is none for them.
    #[default]
    Fastest,
    /// Optimised machine code, which Cranelift makes of the module (`wasmtime`). No other engine takes over.
    Compiled,
    /// Machine code that Winch makes of the module in one pass (`wasmtime`, on x86-64): there sooner, and slower. No other
    /// engine takes over.
    Baseline,
    /// One instruction of the module after the other (`wasmi`), and no machine code.
    Interpreted,
}

impl Engine {
    /// The engines of which [`Engine::Fastest`] takes one.
    pub const ALL: [Self; 3] = [Self::Compiled, Self::Baseline, Self::Interpreted];

    /// Whether this processor has it. Where not, a calculator on it is [`NoCompiler`](crate::WitnessError::NoCompiler).
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
