//! Twiddle tables, computed on big integers.

use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::super::interp::FieldRule;
use super::Kind;
use crate::MomaError;

/// Elements of the table: `n`, and as many again for the inverse on a coset.
pub fn table_len(log_n: u32, kind: Kind) -> usize {
    (1usize << log_n) * if kind.shifted() { 2 } else { 1 }
}

/// The table of a transform, in the representation of the field functions.
///
/// Entry 0 is one, or `1/n` for the inverse; entry `P + p`, `P = 1, 2, 4, ... n/2` and `p < P`, is
/// `w_{2P}^p g^(n/2P)`, with the inverses of `w` and no shift for the inverse transform; without a coset, the entries
/// of the inverse's last level carry the factor `1/n`. On a coset, entry `n + j` of the inverse is `g^-j / n`.
///
/// `shift` is the coset's `g`, none for the powers of the root alone; the kernel's kind must say the same.
///
/// # Errors
/// [`MomaError::NotARoot`] unless `root` has order exactly `2^log_n`; [`MomaError::ZeroShift`];
/// [`MomaError::NotPrime`] if a number that must be invertible is not.
pub fn twiddles(
    log_n: u32,
    inverse: bool,
    root: &BigUint,
    shift: Option<&BigUint>,
    rule: &FieldRule,
) -> Result<Vec<BigUint>, MomaError> {
    let (q, one) = (&rule.modulus, BigUint::one());
    let n = 1usize << log_n;
    let has_order =
        if log_n == 0 { root.is_one() } else { root.modpow(&(&one << (log_n - 1)), q) == q - 1u32 };
    if !has_order {
        return Err(MomaError::NotARoot { log_n });
    }
    if shift.is_some_and(|g| (g % q).is_zero()) {
        return Err(MomaError::ZeroShift);
    }
    let inverted = |x: &BigUint| x.modinv(q).ok_or(MomaError::NotPrime);
    let root = if inverse { inverted(root)? } else { root.clone() };
    let per_n = if inverse { inverted(&(BigUint::from(n) % q))? } else { one.clone() };
    let forward_shift = shift.filter(|_| !inverse);
    let kind = Kind { inverse, coset: shift.is_some() };

    let mut table = Vec::with_capacity(table_len(log_n, kind));
    let unit = rule.one();
    table.push(&per_n * &unit % q);
    for level in 0..log_n {
        // The root of order 2^(level + 1), and the shift to the power n / 2^(level + 1).
        let up = log_n - 1 - level;
        let step = root.modpow(&(&one << up), q);
        let mut value = match forward_shift {
            Some(g) => g.modpow(&(&one << up), q) * &unit % q,
            None => unit.clone(),
        };
        if kind.scaled() && level + 1 == log_n {
            value = value * &per_n % q;
        }
        powers(&mut table, value, &step, 1 << level, q);
    }
    if let Some(g) = shift.filter(|_| inverse) {
        powers(&mut table, per_n * unit % q, &inverted(g)?, n, q);
    }
    Ok(table)
}

/// Appends `first * step^i` for `i < count`.
fn powers(table: &mut Vec<BigUint>, first: BigUint, step: &BigUint, count: usize, q: &BigUint) {
    let mut value = first;
    for _ in 0..count {
        let next = &value * step % q;
        table.push(core::mem::replace(&mut value, next));
    }
}
