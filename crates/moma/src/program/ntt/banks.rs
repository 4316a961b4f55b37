//! Finds a map from slots to banks of shared memory that minimises bank conflicts.
//!
//! Threads whose accesses are served together use different banks if their slots differ in the bits that choose the
//! bank. A pass reads its elements at many strides, so the slot's number shifted right by a few distances is XORed to
//! those bits. The distances are found by a search over all sets of up to three, for the accesses that the pass makes.

use super::plan::{NttPass, NttPlan, Unrolling};

/// The shift distances for a pass.
pub(super) fn shifts(plan: &NttPlan, pass: &NttPass) -> Vec<u32> {
    let (bank, block) = (plan.element.bank_bits(), pass.log_block());
    let patterns = patterns(plan, pass, bank);
    let mut best = (cost(&[], bank, &patterns), Vec::new());
    let mut try_set = |set: &[u32]| {
        let cost = cost(set, bank, &patterns);
        if cost < best.0 {
            best = (cost, set.to_vec());
        }
    };
    // Smaller sets first, since they are cheaper to compute.
    (1..block).for_each(|a| try_set(&[a]));
    for a in 1..block {
        (a + 1..block).for_each(|b| try_set(&[a, b]));
    }
    for a in 1..block {
        for b in a + 1..block {
            (b + 1..block).for_each(|c| try_set(&[a, b, c]));
        }
    }
    best.1
}

/// The number of turns that all patterns take in sum: a pattern whose bits change only `r` independent sums of bank
/// bits uses `2^r` banks.
fn cost(shifts: &[u32], bank: u32, patterns: &[Vec<u32>]) -> u32 {
    let sum = |bit: u32| {
        let field = |shift: u32| if (shift..shift + bank).contains(&bit) { 1u32 << (bit - shift) } else { 0 };
        shifts.iter().fold(field(0), |sum, shift| sum ^ field(*shift))
    };
    patterns
        .iter()
        .map(|bits| {
            let mut basis: Vec<u32> = Vec::new();
            for bit in bits {
                let rest = basis.iter().fold(sum(*bit), |v, b| v.min(v ^ b));
                if rest != 0 {
                    basis.push(rest);
                }
            }
            1 << (bits.len() - basis.len())
        })
        .sum()
}

/// For each access of the pass, the bits of the slot that the lowest bits of a thread's number determine.
fn patterns(plan: &NttPlan, pass: &NttPass, bank: u32) -> Vec<Vec<u32>> {
    let NttPass { levels_before, log_radix, log_columns, log_held, .. } = *pass;
    let whole = plan.passes.len() == 1;
    // The bits of the slot for the bits of a thread's number, of which `inner` belong to elements of one column.
    let place = |low: bool, inner: u32, element: &dyn Fn(u32) -> u32| -> Vec<u32> {
        let of_column = |at: u32| if whole { log_radix + at } else { at };
        let of_element = |at: u32| if whole { element(at) } else { log_columns + element(at) };
        let bits = (0..bank.min(inner + log_columns)).map(|at| match low {
            true if at < log_columns => of_column(at),
            true => of_element(at - log_columns),
            false if at < inner => of_element(at),
            false => of_column(at - inner),
        });
        bits.collect()
    };
    let (inner, reversed) = (log_radix - log_held, |at: u32| log_radix - 1 - at);
    let mut all = Vec::new();
    let mut step = |done: u32, bits: u32| {
        let below = log_radix - done - bits;
        let (first, last) = (done == 0, done + bits == log_radix);
        let looped = plan.unrolling == Unrolling::Looped;
        let natural = |at: u32| if at < below { at } else { at + bits };
        if last && levels_before == 0 && !looped {
            all.push(place(false, inner, &reversed));
        } else if !first || looped {
            all.push(place(!whole, inner, &natural));
        }
        if !last || looped {
            all.push(place(!whole, inner, &natural));
        }
    };
    let mut done = match plan.unrolling {
        Unrolling::Unrolled => 0,
        Unrolling::Peeled => (log_radix - 1) % log_held + 1,
        Unrolling::Looped => log_radix % log_held,
    };
    if done > 0 {
        step(0, done);
    }
    while done < log_radix {
        let bits = log_held.min(log_radix - done);
        step(done, bits);
        done += bits;
    }
    if plan.unrolling == Unrolling::Looped {
        all.push(place(!whole, log_radix, &|at| at));
        all.push(place(!whole && levels_before > 0, log_radix, &reversed));
    }
    all
}
