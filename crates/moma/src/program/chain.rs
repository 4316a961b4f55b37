//! Powers with a fixed exponent as chains of squarings and products. The chain is part of the generated text, so its
//! time does not depend on the element.

use std::collections::BTreeMap;

use num_bigint::BigUint;

use super::lang::{ArrayKernel, Body, Buffer, Element, ElementPlace, Reg, Role};

/// A step of a chain on numbered values; value 0 is the base.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PowerStep {
    /// Squares a value repeatedly: result, operand, number of squarings.
    Squares(usize, usize, u64),
    /// Multiplies two values: result, left operand, right operand.
    Product(usize, usize, usize),
}

/// A chain under construction.
#[derive(Clone, Default)]
struct Chain {
    steps: Vec<PowerStep>,
    values: usize,
}

impl Chain {
    fn cost(&self) -> u64 {
        let cost = |step: &PowerStep| match step {
            PowerStep::Squares(_, _, times) => *times,
            PowerStep::Product(..) => 1,
        };
        self.steps.iter().map(cost).sum()
    }

    fn value(&mut self) -> usize {
        self.values += 1;
        self.values
    }

    fn squares(&mut self, from: usize, times: u64) -> usize {
        if times == 0 {
            return from;
        }
        let to = self.value();
        self.steps.push(PowerStep::Squares(to, from, times));
        to
    }

    fn product(&mut self, a: usize, b: usize) -> usize {
        let to = self.value();
        self.steps.push(PowerStep::Product(to, a, b));
        to
    }

    /// The value of the base to the power `2^length - 1`, computed from known powers of this form, which are indexed by
    /// length.
    fn ones(&mut self, length: u64, known: &mut BTreeMap<u64, usize>) -> usize {
        if let Some(value) = known.get(&length) {
            return *value;
        }
        // The length is split into two known lengths if possible, else into halves, and an odd length into itself less
        // one and one. Either way there are hardly more squarings than the length.
        let filled = known.keys().rev().find(|k| **k < length && known.contains_key(&(length - **k)));
        let (long, rest) = match filled {
            Some(long) => (*long, length - long),
            None if length.is_multiple_of(2) => (length / 2, length / 2),
            None => (length - 1, 1),
        };
        let (x, y) = (self.ones(long, known), self.ones(rest, known));
        let moved = self.squares(x, rest);
        let value = self.product(moved, y);
        known.insert(length, value);
        value
    }

    /// Computes the power from the digits of an exponent, from the highest bit on. `digit` takes the remaining bits and
    /// returns the number of bits of the next digit and the value that is multiplied in after as many squarings.
    fn read(&mut self, bits: &[bool], mut digit: impl FnMut(&mut Chain, &[bool]) -> (usize, usize)) {
        let mut acc = None;
        let mut waiting = 0;
        let mut at = 0;
        while at < bits.len() {
            if !bits[at] {
                (waiting, at) = (waiting + 1, at + 1);
                continue;
            }
            let (length, value) = digit(self, &bits[at..]);
            acc = Some(match acc {
                None => value,
                Some(acc) => {
                    let moved = self.squares(acc, waiting + length as u64);
                    self.product(moved, value)
                }
            });
            (waiting, at) = (0, at + length);
        }
        if let Some(acc) = acc {
            self.squares(acc, waiting);
        }
    }
}

/// The chain whose digits are runs of ones.
fn by_runs(bits: &[bool]) -> Chain {
    let mut chain = Chain::default();
    let mut known = BTreeMap::from([(1, 0)]);
    chain.read(bits, |chain, rest| {
        let length = rest.iter().take_while(|b| **b).count();
        (length, chain.ones(length as u64, &mut known))
    });
    chain
}

/// The chain whose digits are odd numbers of at most `width` bits (sliding windows).
fn by_windows(bits: &[bool], width: usize) -> Chain {
    let mut chain = Chain::default();
    let mut odd = vec![0];
    if width > 1 {
        let square = chain.squares(0, 1);
        for i in 1..1 << (width - 1) {
            let next = chain.product(odd[i - 1], square);
            odd.push(next);
        }
    }
    chain.read(bits, |_, rest| {
        let window = &rest[..width.min(rest.len())];
        let length = window.iter().rposition(|b| *b).map_or(1, |last| last + 1);
        let digit = window[..length].iter().fold(0, |value, bit| 2 * value + usize::from(*bit));
        (length, odd[digit / 2])
    });
    chain
}

/// The cheapest of the chain by runs and the chains by windows of one to five bits, for an exponent of at least 1.
fn cheapest(exponent: &BigUint) -> Chain {
    let bits: Vec<bool> = (0..exponent.bits()).rev().map(|i| exponent.bit(i)).collect();
    let mut all = vec![by_runs(&bits)];
    all.extend((1..=5).map(|width| by_windows(&bits, width)));
    all.into_iter().min_by_key(Chain::cost).unwrap_or_default()
}

/// The host kernel `NAME(out, a, constants)`: `out = a^exponent` for one element and an exponent of at least 1. `out` may
/// be `a`.
pub fn power(name: &str, element: Element, exponent: &BigUint) -> ArrayKernel {
    let chain = cheapest(exponent);
    // The register of a value is free after the last step that reads it.
    let mut last = vec![0; chain.values + 1];
    for (at, step) in chain.steps.iter().enumerate() {
        match step {
            PowerStep::Squares(_, a, _) => last[*a] = at,
            PowerStep::Product(_, a, b) => (last[*a], last[*b]) = (at, at),
        }
    }
    let mut body = Body::default();
    let mut home = vec![Reg(0); chain.values + 1];
    let mut free: Vec<Reg> = Vec::new();
    let mut used = 1;
    body.load(Reg(0), ElementPlace::global(1, 0u64));
    let mut result = 0;
    for (at, step) in chain.steps.iter().enumerate() {
        let (to, reads) = match *step {
            PowerStep::Squares(to, a, _) => (to, [a, a]),
            PowerStep::Product(to, a, b) => (to, [a, b]),
        };
        let dying = reads.into_iter().find(|v| last[*v] == at);
        home[to] = match dying {
            Some(value) => home[value],
            None => free.pop().unwrap_or_else(|| {
                used += 1;
                Reg(used - 1)
            }),
        };
        if let Some(other) = reads.into_iter().find(|v| last[*v] == at && home[*v] != home[to]) {
            free.push(home[other]);
        }
        let [a, b] = reads.map(|v| home[v]);
        match *step {
            PowerStep::Squares(_, _, times) => {
                body.call(Role::Sqr, home[to], a, a);
                if times > 1 {
                    body.for_(1u64, times, |body, _| body.call(Role::Sqr, home[to], home[to], home[to]));
                }
            }
            PowerStep::Product(..) => body.call(Role::Mul, home[to], a, b),
        }
        result = to;
    }
    body.store(ElementPlace::global(0, 0u64), home[result]);
    ArrayKernel {
        name: name.to_owned(),
        about: format!("out = a^{exponent:#x}, {} products and squarings", chain.cost()),
        element,
        scalars: Vec::new(),
        buffers: vec![Buffer::output("out"), Buffer::input("a")],
        registers: used,
        launch: None,
        body: vec![body.phase()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::interp::{Data, FieldRule, run};

    #[test]
    fn chains_are_powers() {
        let q = BigUint::from(1_000_003u32);
        let element = Element { word_bits: 64, words: 1 };
        let wide = [(1u128 << 90) - 21, (1 << 127) - 1, 0xffff_fffe_ffff_fc2d_1234_5678_9abc_def1];
        for exponent in (1u128..200).chain(wide) {
            let kernel = power("p", element, &exponent.into());
            for a in [0u32, 1, 2, 999_999] {
                let mut data = vec![Data::unset(1), Data::of(&[a.into()])];
                run(&kernel, &FieldRule::plain(&q), &[], &mut data).unwrap();
                let want = BigUint::from(a).modpow(&exponent.into(), &q);
                assert_eq!(data[0].elements().unwrap(), [want], "{a}^{exponent}");
            }
        }
    }

    #[test]
    fn long_runs_of_ones_take_few_products() {
        // 254 squarings, and at most a few products more than the eleven of the commonly used chain.
        let e = (BigUint::from(1u32) << 255u32) - 21u32;
        assert!(cheapest(&e).cost() <= 254 + 14, "{}", cheapest(&e).cost());
    }
}
