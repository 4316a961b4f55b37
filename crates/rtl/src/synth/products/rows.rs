//! Rows of a product: a factor's digits times the other factor.
//!
//! A variable factor has digits of two bits that are -1, 0, 1 or 2, as `y + 1 + 4 + 16 + …` has the digits 0 to 3. A row is
//! then `x`, `2 x` or the complement of `x`, a gate of three pairs for each bit, and the sum of rows is made of complements,
//! because that gate is smaller than one with the other output. A constant factor has digits that are zero or odd, few of
//! which are not zero; its rows are multiples of the other factor, which are made once each.

use super::columns::Columns;
use super::network::{HIGH, LOW, Net, Network};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// Adds the product of two variable factors.
pub(super) fn variable(network: &mut Network, columns: &mut Columns, x: &[Net], y: &[Net]) {
    let (x, y) = if x.len() < y.len() { (y, x) } else { (x, y) };
    let recoded = y.len() as u32 / 2;
    let added: Vec<Net> = (0..2 * recoded).map(|bit| if bit % 2 == 0 { HIGH } else { LOW }).collect();
    let digits = network.wide(y.to_vec(), added, false, y.len() as u32 + 1);
    for row in 0..=recoded {
        let weight = 2 * row;
        if weight >= columns.bits() {
            break;
        }
        let bits = &digits[weight as usize..digits.len().min(weight as usize + 2)];
        let lines = match (row < recoded, bits) {
            (true, [low, high]) => Lines::recoded(network, *low, *high),
            (_, [once, twice]) => Lines { once: *once, twice: *twice, minus: LOW },
            (_, [once]) => Lines { once: *once, twice: LOW, minus: LOW },
            _ => continue,
        };
        lines.row(network, columns, x, weight);
    }
}

/// The lines that say what a row is; one of them is high, or none if the row is zero.
struct Lines {
    once: Net,
    twice: Net,
    minus: Net,
}

impl Lines {
    /// The lines of a digit that is one less than two bits.
    fn recoded(network: &mut Network, low: Net, high: Net) -> Self {
        let [not_low, not_high] = [low, high].map(|net| network.not(net));
        let minus = network.neither(vec![[low, HIGH], [high, HIGH]]);
        let once = network.neither(vec![[not_high, HIGH], [low, HIGH]]);
        let twice = network.neither(vec![[not_high, HIGH], [not_low, HIGH]]);
        [minus, once, twice].into_iter().for_each(|line| network.spread(line));
        Self { once, twice, minus }
    }

    /// Adds a row: `-x` is the complement of x, and one, without what lies above it.
    fn row(&self, network: &mut Network, columns: &mut Columns, x: &[Net], weight: u32) {
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
                let complement = network.neither(pairs);
                columns.add(network, weight, complement, true);
            }
        }
        if self.minus != LOW {
            columns.add(network, weight, self.minus, false);
            // Less the sign's weight, if it is there, is more by that weight if it is not, less by it.
            let above = weight + x.len() as u32 + 1;
            columns.add(network, above, self.minus, true);
            columns.minus(&(BigUint::from(1u32) << above));
        }
    }
}

/// Adds the product of a variable factor and a constant.
pub(super) fn constant(network: &mut Network, columns: &mut Columns, x: &[Net], factor: &BigUint) {
    let shapes = (2..=6).map(|window| digits(factor, window));
    let Some(digits) = shapes.min_by_key(|digits| cost(digits, x.len() as u32, columns.bits())) else { return };
    let mut multiples = BTreeMap::from([(1, x.to_vec())]);
    for (weight, digit) in digits {
        let nets = multiple(network, &mut multiples, digit.unsigned_abs());
        for (net, above) in nets.iter().zip(weight..) {
            columns.add(network, above, *net, digit < 0);
        }
        if digit < 0 {
            let ones = (BigUint::from(1u32) << nets.len()) - BigUint::from(1u32);
            columns.minus(&(ones << weight));
        }
    }
}

/// The digits of a number that are not zero, with their weights: odd ones between minus and plus a half of `2^window`, so far apart that
/// the windows do not overlap.
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

/// What rows of these digits take, in tenths of a cell that adds three bits: the bits of the rows and the adders of the multiples.
fn cost(digits: &[(u32, i64)], bits: u32, most: u32) -> u64 {
    let wide = |digit: i64| bits + digit.unsigned_abs().ilog2();
    let rows = digits.iter().map(|(weight, digit)| u64::from(wide(*digit).min(most.saturating_sub(*weight))));
    let largest = digits.iter().map(|(_, digit)| digit.unsigned_abs()).max().unwrap_or(1);
    10 * rows.sum::<u64>() + 15 * (largest / 2) * u64::from(bits + 2)
}

/// An odd multiple of a factor, as a sum or a difference of one that is at most half as large and of a power of two.
fn multiple(network: &mut Network, multiples: &mut BTreeMap<u64, Vec<Net>>, by: u64) -> Vec<Net> {
    if let Some(nets) = multiples.get(&by) {
        return nets.clone();
    }
    let x = multiples[&1].clone();
    let bits = x.len() as u32 + u64::BITS - by.leading_zeros();
    let shifted = |nets: Vec<Net>, by: u32| [vec![LOW; by as usize], nets].concat();
    // Next to a multiple of four is x times a smaller odd number and a power of two.
    let near = if by % 4 == 1 { by - 1 } else { by + 1 };
    let odd = near >> near.trailing_zeros();
    let large = shifted(multiple(network, multiples, odd), near.trailing_zeros());
    let nets = network.wide(large, x, near > by, bits);
    multiples.insert(by, nets.clone());
    nets
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
