//! The rules: one row each, numbered as in table 1 of [MoMA] up to (29), and on from there for the ones that the
//! paper omits for want of space.
//!
//! A row says which instructions it matches and writes what they become. The first row that matches is applied.
//! Rules (19), (20) and (21), which split a value into its high and low half, are the driver's own
//! ([`Rewriter::halves`]): a variable becomes a pair of variables, a constant its quotient and remainder.

mod digits;
mod modular;
mod plain;
mod word;

use crate::ir::Inst;
use crate::lower::Rewriter;

/// A row of the rewrite system.
pub struct Rule {
    /// Its number: the paper's up to 29.
    pub number: &'static str,
    /// What it does, in a few words.
    pub name: &'static str,
    /// Where it comes from.
    pub cite: &'static str,
    /// Which instructions it rewrites.
    pub matches: fn(&Inst, &Rewriter<'_>) -> bool,
    /// Writes the right-hand side and binds the results.
    pub apply: fn(&mut Rewriter<'_>, &Inst),
}

/// Every row, in the order they are tried.
pub static RULES: &[Rule] = &[
    plain::ADD,
    plain::ADD_CARRY,
    modular::ADD_MOD,
    modular::ADD_MOD_BORROW,
    plain::LESS_THAN,
    plain::SUB_BORROW,
    plain::EQUAL,
    plain::KARATSUBA,
    plain::SCHOOLBOOK,
    plain::ADD_QUAD,
    plain::SHIFT,
    modular::SUB_MOD,
    modular::SUB_MOD_BORROW,
    plain::SQUARE,
    modular::BARRETT,
    modular::BARRETT_SQUARE,
    modular::MONTGOMERY_SEPARATE,
    modular::MONTGOMERY_SQUARE,
    plain::SELECT,
    plain::BITWISE,
    plain::MUL_LOW,
    digits::MUL_AS_DIGITS,
    digits::MUL_LOW_AS_DIGITS,
    digits::SQUARE_AS_DIGITS,
    digits::SPLIT,
    digits::COND_SUB_LESS,
    digits::COND_SUB_BORROW,
    digits::PRODUCT,
    digits::SQUARE,
    digits::MONTGOMERY,
    digits::REDUCE,
    word::MAC,
    word::MUL_COLUMNS,
    word::MUL_LOW_COLUMNS,
    word::ADD_CONTAINER,
    word::SUB_CONTAINER,
    word::FUNNEL_CONTAINER,
    word::SQUARE_WORD,
];

/// Does the round split this instruction? True for the widest operations, in rounds that split.
fn wide(inst: &Inst, rw: &Rewriter<'_>) -> bool {
    rw.split && inst.width == rw.top
}
