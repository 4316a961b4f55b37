//! The two ways to run a calculator.

use core::fmt;

/// What runs a calculator. Both give the same witness and know the same limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// The compiler; the interpreter where this processor or this module is none for the compiler.
    #[default]
    Fastest,
    /// Machine code, which Cranelift makes of the module (`wasmtime`). No other engine takes over.
    Compiled,
    /// One instruction of the module after the other (`wasmi`), and no machine code.
    Interpreted,
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fastest => "fastest",
            Self::Compiled => "compiled",
            Self::Interpreted => "interpreted",
        })
    }
}
