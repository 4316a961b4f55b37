//! The choice of the instruction set of operators: the fastest that the processor has, unless the environment says otherwise.

use std::sync::LazyLock;
use thiserror::Error;

/// The environment variable that names an instruction set: `portable`, `scalar` or `avx512`. The first two use no vector
/// instructions; `portable` also avoids the products of `pairwright-field` for processors with ADX.
pub const ISA_VARIABLE: &str = "PAIRWRIGHT_ISA";

/// The instruction set of the operators. Results have the same bits with each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isa {
    /// Scalar instructions, one element at a time.
    Scalar,
    /// AVX-512 IFMA, eight elements per instruction.
    Avx512,
}

/// The error of an environment that asks for unknown or missing instructions.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum IsaError {
    /// The variable names no instruction set.
    #[error("{ISA_VARIABLE}: unknown instruction set `{0}`; expected portable, scalar or avx512")]
    Unknown(String),
    /// This processor lacks the instructions.
    #[error("{ISA_VARIABLE}: this processor does not have AVX-512 IFMA")]
    Missing,
}

/// The instruction set that the operators of this process use; it is determined once. If it is an error, they use portable
/// code.
///
/// # Errors
/// [`IsaError`], which only the variable [`ISA_VARIABLE`] can cause.
pub fn isa() -> Result<Isa, IsaError> {
    static CHOSEN: LazyLock<Result<Isa, IsaError>> = LazyLock::new(|| {
        let asked = std::env::var_os(ISA_VARIABLE);
        choose(asked.as_ref().map(|name| name.to_string_lossy()).as_deref(), has_avx512())
    });
    CHOSEN.clone()
}

fn choose(asked: Option<&str>, avx512: bool) -> Result<Isa, IsaError> {
    match (asked, avx512) {
        (Some("portable" | "scalar"), _) | (None, false) => Ok(Isa::Scalar),
        (Some("avx512") | None, true) => Ok(Isa::Avx512),
        (Some("avx512"), false) => Err(IsaError::Missing),
        (Some(other), _) => Err(IsaError::Unknown(other.to_owned())),
    }
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512ifma")
}
#[cfg(not(target_arch = "x86_64"))]
fn has_avx512() -> bool {
    false
}

/// Whether vector instructions may be used at all: false if the environment says `scalar` or `portable`, and after an error.
#[cfg(target_arch = "x86_64")]
pub(crate) fn vectors() -> bool {
    static ALLOWED: LazyLock<bool> = LazyLock::new(|| {
        let asked = std::env::var_os(ISA_VARIABLE);
        isa().is_ok() && asked.is_none_or(|asked| asked != "scalar" && asked != "portable")
    });
    *ALLOWED
}

/// Whether the operators use lanes of AVX-512 IFMA. The answer is cached, because this is called often.
#[cfg(target_arch = "x86_64")]
pub(crate) fn in_lanes() -> bool {
    static LANES: LazyLock<bool> = LazyLock::new(|| isa() == Ok(Isa::Avx512));
    *LANES
}

/// Whether tests can run code in lanes; prints a note if not.
#[cfg(all(test, target_arch = "x86_64"))]
pub(crate) fn lanes_to_test() -> bool {
    if !in_lanes() {
        println!("SKIPPED: this processor has no AVX-512 IFMA, or {ISA_VARIABLE} forbids it");
    }
    in_lanes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_chooses_among_what_there_is() {
        for avx512 in [false, true] {
            assert_eq!(choose(Some("scalar"), avx512), Ok(Isa::Scalar));
            assert_eq!(choose(Some("portable"), avx512), Ok(Isa::Scalar));
            let said = choose(Some("sse2"), avx512).unwrap_err().to_string();
            assert_eq!(
                said,
                "PAIRWRIGHT_ISA: unknown instruction set `sse2`; expected portable, scalar or avx512"
            );
        }
        assert_eq!((choose(None, false), choose(None, true)), (Ok(Isa::Scalar), Ok(Isa::Avx512)));
        assert_eq!(choose(Some("avx512"), true), Ok(Isa::Avx512));
        assert_eq!(choose(Some("avx512"), false), Err(IsaError::Missing));
    }
}
