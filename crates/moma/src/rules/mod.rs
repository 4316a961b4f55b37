//! The rewrite rules: patterns and their replacements as data, in `rewrite.rules`, whose head explains the notation.
//!
//! The first rule whose pattern matches is applied. Rules (19), (20) and (21), which split a value into its high and
//! low half, are the driver's own ([`Rewriter::halves`]): a variable becomes a pair of variables, a constant its quotient
//! and remainder. A right-hand side that is a loop or depends on numbers is a template, a function of `digits.rs` or
//! `containers.rs`; the list names it and says why.

mod apply;
mod containers;
mod digits;
mod pattern;

use std::sync::LazyLock;

pub use pattern::Rule;

use crate::error::{MomaError, RuleError};
use crate::ir::Inst;
use crate::lower::Rewriter;

/// The text of `rewrite.rules`.
pub static LIST: &str = include_str!("rewrite.rules");

/// Every rule, in the order in which they are tried.
///
/// # Errors
/// [`MomaError::Rule`] if the built-in list cannot be parsed, which a test rules out.
pub fn all() -> Result<&'static [Rule], MomaError> {
    static RULES: LazyLock<Result<Vec<Rule>, RuleError>> = LazyLock::new(|| pattern::parse(LIST));
    RULES.as_deref().map_err(|e| MomaError::Rule(*e))
}

/// A right-hand side that is a function in Rust.
#[derive(Clone, Copy, Debug)]
struct Template {
    name: &'static str,
    apply: fn(&mut Rewriter<'_>, &Inst),
}

macro_rules! templates {
    ($($file:ident::$name:ident),+ $(,)?) => {
        /// Every template, by the name that the list gives it.
        static TEMPLATES: &[Template] = &[$(Template { name: stringify!($name), apply: $file::$name }),+];
    };
}

templates! {
    digits::shift_by_words,
    digits::square_then_reduce,
    digits::halve_digits,
    digits::compare_and_subtract,
    digits::subtract_and_select,
    digits::product_rows,
    digits::square_rows,
    digits::montgomery_rows,
    digits::reduction_rows,
    containers::add_in_container,
    containers::subtract_in_container,
    containers::shift_in_containers,
}
