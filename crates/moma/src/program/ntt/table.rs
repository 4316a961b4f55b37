//! Twiddle tables, computed on big integers.

use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::super::interp::FieldRule;
use super::super::lang::{ArrayKernel, Body, Buffer, Element, ElementPlace, Ix, Reg, Role};
use super::Kind;
use crate::MomaError;

/// The number of elements of the table: `n`, or `2n` for the inverse on a coset.
pub fn table_len(log_n: u32, kind: Kind) -> usize {
    (1usize << log_n) * if kind.shifted() { 2 } else { 1 }
}

/// The table of a transform, in the representation of the field functions.
///
/// Entry 0 is one, or `1/n` for the inverse. Entry `P + p`, for `P = 1, 2, 4, ... n/2` and `p < P`, is
/// `w_{2P}^p g^(n/2P)`; for the inverse transform it has the inverse of `w` and no shift. In the inverse without a coset, the
/// entries of the last level carry the factor `1/n`. In the inverse on a coset, entry `n + j` is `g^-j / n`.
///
/// `shift` is the coset's `g`, `None` for the powers of the root alone; the kernel must be of the same kind.
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

/// The host kernel `NAME_twiddles(table, seeds, constants)` that computes the table of a transform on the powers of the
/// root. `seeds` are the root of order `2^log_n` (its inverse for the inverse transform), entry 0 of the table, and
/// one.
pub fn maker(inverse: bool, element: Element, log_n: u32) -> ArrayKernel {
    let kind = Kind { inverse, coset: false };
    let [step, value, first, one] = [0, 1, 2, 3].map(Reg);
    let mut body = Body::default();
    body.load(first, ElementPlace::global(1, 1u64));
    body.load(one, ElementPlace::global(1, 2u64));
    body.store(ElementPlace::global(0, 0u64), first);
    let level = |body: &mut Body, level: Ix, start: Reg| {
        body.load(step, ElementPlace::global(1, 0u64));
        let ups = body.let_(Ix::Const(u64::from(log_n - 1)) - level.clone());
        body.for_(0u64, ups, |body, _| body.call(Role::Sqr, step, step, step));
        body.copy(value, start);
        let at = body.let_(Ix::Const(1) << level);
        body.for_(0u64, at.clone(), |body, p| {
            body.store(ElementPlace::global(0, at + p), value);
            body.call(Role::Mul, value, value, step);
        });
    };
    // The last level starts from entry 0, which is `1/n` for the inverse and one for the forward transform.
    body.for_(0u64, u64::from(log_n - 1), |body, l| level(body, l, one));
    level(&mut body, Ix::Const(u64::from(log_n - 1)), first);
    ArrayKernel {
        name: format!("{}_twiddles", kind.name()),
        about: format!("the table of twiddles of {} of 2^{log_n} elements, 2^{log_n} entries", kind.name()),
        element,
        scalars: Vec::new(),
        buffers: vec![Buffer::output("table"), Buffer::input("seeds")],
        registers: 4,
        launch: None,
        body: vec![body.phase()],
    }
}

/// Appends `first * step^i` for `i < count`.
fn powers(table: &mut Vec<BigUint>, first: BigUint, step: &BigUint, count: usize, q: &BigUint) {
    let mut value = first;
    for _ in 0..count {
        let next = &value * step % q;
        table.push(core::mem::replace(&mut value, next));
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::interp::{Data, run};
    use super::super::super::primes::{ntt_prime, root_of_unity};
    use super::*;

    #[test]
    fn the_program_makes_the_table() {
        let q = ntt_prime(40, 12).unwrap();
        let element = Element { word_bits: 64, words: 1 };
        let rule = FieldRule::montgomery(&q, 64).unwrap();
        for log_n in [1, 2, 5] {
            let root = root_of_unity(&q, log_n).unwrap();
            for inverse in [false, true] {
                let table = twiddles(log_n, inverse, &root, None, &rule).unwrap();
                let in_form = |x: &BigUint| x * rule.one() % &q;
                let step = if inverse { root.modinv(&q).unwrap() } else { root.clone() };
                let seeds = [in_form(&step), table[0].clone(), rule.one()];
                let mut data = vec![Data::unset(1 << log_n), Data::of(&seeds)];
                run(&maker(inverse, element, log_n), &rule, &[], &mut data).unwrap();
                assert_eq!(data[0].elements().unwrap(), table, "2^{log_n}, inverse {inverse}");
            }
        }
    }
}
