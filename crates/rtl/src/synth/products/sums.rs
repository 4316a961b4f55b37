//! The final adder after the columns: a carry tree that is half as deep as the synthesiser's default.

use super::network::{LOW, Net, Network};

/// The generate and propagate signals of a group of bits.
pub(super) type Carry = [Net; 2];

/// Levels at either end of a wide adder's tree that work pair by pair, which saves gates and adds one level for each.
const SPARSE: u32 = 1;

/// The sum of two vectors of equal width, truncated to that width, or its complement, as a module of its own.
pub(super) fn sum(network: &mut Network<'_>, left: &[Net], right: &[Net], complement: bool) -> Vec<Net> {
    network.module(&[left, right].concat(), |network, nets| {
        let (left, right) = nets.split_at(nets.len() / 2);
        let pairs = left.iter().zip(right);
        let halves: Vec<Carry> = pairs.map(|(a, b)| [network.and(*a, *b), network.xor(*a, *b)]).collect();
        let mut all = vec![[LOW, LOW]];
        all.extend(&halves);
        let carries = prefixes(network, &all, if left.len() > 16 { SPARSE } else { 0 });
        let bits = halves.iter().zip(carries).map(|([_, half], [carry, _])| {
            let bit = network.xor(*half, carry);
            if complement { network.not(bit) } else { bit }
        });
        bits.collect()
    })
}

/// The carries of all prefixes of a list, the lowest weight first.
pub(super) fn prefixes(network: &mut Network<'_>, all: &[Carry], sparse: u32) -> Vec<Carry> {
    if sparse > 0 && all.len() > 2 {
        let pairs: Vec<Carry> = all
            .chunks(2)
            .map(|pair| match pair {
                [low, high] => join(network, *high, *low),
                _ => pair[0],
            })
            .collect();
        let pairs = prefixes(network, &pairs, sparse - 1);
        return (0..all.len())
            .map(|at| match at {
                0 => all[0],
                _ if at % 2 == 1 => pairs[at / 2],
                _ => join(network, all[at], pairs[at / 2 - 1]),
            })
            .collect();
    }
    if all.len() < 2 {
        return all.to_vec();
    }
    let (low, high) = all.split_at(all.len().next_power_of_two() / 2);
    let mut joined = prefixes(network, low, 0);
    let below = joined[joined.len() - 1];
    for high in prefixes(network, high, 0) {
        joined.push(join(network, high, below));
    }
    joined
}

/// The carry signals of two adjacent groups.
fn join(network: &mut Network<'_>, high: Carry, low: Carry) -> Carry {
    [network.carry(high[0], high[1], low[0]), network.and(high[1], low[1])]
}
