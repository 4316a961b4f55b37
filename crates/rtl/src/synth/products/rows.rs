//! The rows of a product: the digits of one factor times the other factor.
//!
//! A variable factor has digits of two bits with values -1, 0, 1 or 2, since `y + 1 + 4 + 16 + …` has digits
//! 0 to 3. A row is then `x`, `2 x` or the complement of `x`, selected by one AOI222 gate per bit. The rows are
//! summed as complements, because that gate is smaller than one with a non-inverted output. A constant factor has
//! digits that are zero or odd, few of which are nonzero; its rows are multiples of the other factor, each of which is
//! computed once.

use super::columns::Columns;
use super::network::{HIGH, LOW, Net, Network};
use super::sums;
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// Adds the product of two variable factors.
pub(super) fn variable(network: &mut Network<'_>, columns: &mut Columns, x: &[Net], y: &[Net]) {
    let (x, y) = if x.len() < y.len() { (y, x) } else { (x, y) };
    let lines = network.module(y, |network, y| Lines::of(network, y).iter().flat_map(Lines::nets).collect());
    for (row, lines) in lines.chunks(3).enumerate() {
        let weight = 2 * row as u32;
        if weight < columns.bits() {
            lines.iter().for_each(|line| network.spread(*line));
            let last = 2 * row + 2 > y.len();
            let minus = if last { LOW } else { lines[2] };
            let twice = if last && y.len().is_multiple_of(2) { LOW } else { lines[1] };
            Lines { once: lines[0], twice, minus }.row(network, columns, x, weight);
        }
    }
}

/// The select lines of a row; at most one of them is high, and none if the row is zero.
struct Lines {
    once: Net,
    twice: Net,
    minus: Net,
}

impl Lines {
    /// The select lines of every digit: two bits and a carry give 0 to 4; from 3 on, the digit is reduced by 4 and
    /// carries. The highest digit is at most 2.
    fn of(network: &mut Network<'_>, y: &[Net]) -> Vec<Self> {
        let mut carries = vec![[LOW, LOW]];
        carries.extend(y.chunks_exact(2).map(|bits| [network.and(bits[0], bits[1]), bits[1]]));
        let carries = sums::prefixes(network, &carries, 0);
        let digit = |(bits, [carry, _]): (&[Net], [Net; 2])| {
            let (low, high) = (bits[0], bits[1]);
            let odd = network.xor(low, carry);
            let not_high = network.not(high);
            let both = network.and(low, carry);
            let other = network.xor(high, both);
            let even = network.not(odd);
            Self {
                once: network.and(odd, not_high),
                twice: network.and(other, even),
                minus: network.and(odd, high),
            }
        };
        let above = [y, &[LOW; 2]].concat();
        let digits = y.len() / 2 + 1;
        above.chunks_exact(2).take(digits).zip(carries).map(digit).collect()
    }

    fn nets(&self) -> [Net; 3] {
        [self.once, self.twice, self.minus]
    }

    /// Adds a row. `-x` is the complement of x plus one, without the bits above it.
    fn row(&self, network: &mut Network<'_>, columns: &mut Columns, x: &[Net], weight: u32) {
        for bit in 0..=x.len() {
            let mut pairs = Vec::new();
            if let Some(net) = x.get(bit) {
                let complement = if self.minus == LOW { LOW } else { network.not(*net) };
                pairs.extend([[*net, self.once], [complement, self.minus]]);
            } else {
                pairs.push([self.minus, HIGH]);
            }
            if let Some(below) = bit.checked_sub(1) {
                pairs.push([x[below], self.twice]);
            }
            pairs.retain(|pair| !pair.contains(&LOW));
            let weight = weight + bit as u32;
            if !pairs.is_empty() && weight < columns.bits() {
                let complement = network.neither(&pairs);
                columns.add(network, weight, complement, true);
            }
        }
        if self.minus != LOW {
            columns.add(network, weight, self.minus, false);
            // The sign bit: minus its weight if it is set equals its weight if it is clear, minus that weight.
            let above = weight + x.len() as u32 + 1;
            columns.add(network, above, self.minus, true);
            columns.minus(&(BigUint::from(1u32) << above));
        }
    }
}

/// Adds the product of a variable factor and a constant.
pub(super) fn constant(network: &mut Network<'_>, columns: &mut Columns, x: &[Net], factor: &BigUint) {
    let shapes = (2..=6).map(|window| digits(factor, window));
    let Some(digits) = shapes.min_by_key(|digits| cost(digits, x.len() as u32, columns.bits())) else {
        return;
    };
    let mut multiples = BTreeMap::from([(1, x.to_vec())]);
    for (weight, digit) in digits {
        let nets = multiples
            .entry(digit.unsigned_abs())
            .or_insert_with(|| multiple(network, x, digit.unsigned_abs()));
        shifted(network, columns, nets, weight, digit < 0);
    }
}

/// Adds a vector at a weight, or subtracts it by adding its complement minus a vector of ones.
fn shifted(network: &mut Network<'_>, columns: &mut Columns, nets: &[Net], weight: u32, minus: bool) {
    for (net, above) in nets.iter().zip(weight..) {
        columns.add(network, above, *net, minus);
    }
    if minus {
        let ones = (BigUint::from(1u32) << nets.len()) - BigUint::from(1u32);
        columns.minus(&(ones << weight));
    }
}

/// An odd multiple of a factor: a sum or difference of two of its shifts, with one adder.
fn multiple(network: &mut Network<'_>, x: &[Net], by: u64) -> Vec<Net> {
    let mut columns = Columns::new(x.len() as u32 + u64::BITS - by.leading_zeros(), false);
    for (weight, digit) in digits(&BigUint::from(by), 2) {
        shifted(network, &mut columns, x, weight, digit < 0);
    }
    let nets = columns.sum(network);
    nets.iter().for_each(|net| network.spread(*net));
    nets
}

/// The nonzero digits of a number with their weights: odd, between minus and plus half of `2^window`, and so far apart
/// that the windows do not overlap.
fn digits(number: &BigUint, window: u32) -> Vec<(u32, i64)> {
    let mut digits = Vec::new();
    let mut rest = number.clone();
    let mut weight = 0;
    while rest != BigUint::ZERO {
        let zeros = rest.trailing_zeros().unwrap_or(0);
        rest >>= zeros;
        weight += zeros as u32;
        let low = (0..window).fold(0i64, |low, bit| low | i64::from(rest.bit(u64::from(bit))) << bit);
        let digit = if low >> (window - 1) == 1 { low - (1 << window) } else { low };
        digits.push((weight, digit));
        let size = BigUint::from(digit.unsigned_abs());
        rest = if digit < 0 { rest + size } else { rest - size };
    }
    digits
}

/// The cost of rows with these digits, in tenths of a full adder: the bits of the rows and the adders of the multiples.
fn cost(digits: &[(u32, i64)], bits: u32, most: u32) -> u64 {
    let wide = |digit: i64| bits + digit.unsigned_abs().ilog2();
    let rows = digits.iter().map(|(weight, digit)| u64::from(wide(*digit).min(most.saturating_sub(*weight))));
    let largest = digits.iter().map(|(_, digit)| digit.unsigned_abs()).max().unwrap_or(1);
    10 * rows.sum::<u64>() + 15 * (largest / 2) * u64::from(bits + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_a_constant_add_up_to_it() {
        for window in 2..=6 {
            for number in 0u64..600 {
                let digits = digits(&BigUint::from(number), window);
                let sum: i64 = digits.iter().map(|(weight, digit)| digit << weight).sum();
                assert_eq!(sum, number as i64, "{number}, {window}");
                assert!(digits.iter().all(|(_, digit)| digit % 2 != 0 && digit.abs() < 1 << (window - 1)));
                assert!(digits.windows(2).all(|pair| pair[1].0 - pair[0].0 >= window));
            }
        }
    }
}
