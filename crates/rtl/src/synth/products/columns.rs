//! Columns of bits of equal weight, and their reduction to two rows by full adders that take the earliest bits first.

use super::network::{HIGH, LOW, Net, Network};
use super::sums;
use num_bigint::BigUint;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A sum of weighted bits and a constant, modulo a power of two.
pub(super) struct Columns {
    /// The nets of each weight.
    nets: Vec<Vec<Net>>,
    constant: BigUint,
    /// Whether the nets are complements of the summands. A sum of complements equals a constant minus the sum.
    complements: bool,
}

impl Columns {
    pub(super) fn new(bits: u32, complements: bool) -> Self {
        Self { nets: vec![Vec::new(); bits as usize], constant: BigUint::ZERO, complements }
    }

    /// The width of the sum in bits.
    pub(super) fn bits(&self) -> u32 {
        self.nets.len() as u32
    }

    /// Adds a net at a weight, or its complement; weights beyond the sum's width are ignored.
    pub(super) fn add(&mut self, network: &mut Network<'_>, weight: u32, net: Net, complement: bool) {
        let Some(column) = self.nets.get_mut(weight as usize) else { return };
        column.push(if complement == self.complements { net } else { network.not(net) });
        if self.complements {
            self.plus(&(BigUint::from(1u32) << weight));
        }
    }

    /// Adds a number to the sum.
    pub(super) fn plus(&mut self, number: &BigUint) {
        self.constant = (&self.constant + number) % self.modulus();
    }

    /// Subtracts a number from the sum.
    pub(super) fn minus(&mut self, number: &BigUint) {
        let modulus = self.modulus();
        self.constant = (&self.constant + &modulus - number % &modulus) % modulus;
    }

    fn modulus(&self) -> BigUint {
        BigUint::from(1u32) << self.bits()
    }

    /// The nets of the sum.
    pub(super) fn sum(self, network: &mut Network<'_>) -> Vec<Net> {
        // The complement of the sum of complements, corrected by this constant, is the sum.
        let modulus = self.modulus();
        let constant = match self.complements {
            true => &modulus - BigUint::from(1u32) - &self.constant,
            false => self.constant.clone(),
        };
        // A trial reduction without ripples determines the latest time that other bits may have.
        let mut latest = 0;
        Reduction { network: &mut network.without_gates(), limit: 0, latest: &mut latest }
            .rows(&self.nets, &constant);
        let [left, right] = Reduction { network, limit: latest, latest: &mut 0 }.rows(&self.nets, &constant);
        sums::sum(network, &left, &right, self.complements)
    }
}

/// A reduction of columns to two rows in progress.
struct Reduction<'a, 'n> {
    network: &'a mut Network<'n>,
    /// The time by which the rows must have their values; a column that would be later keeps two bits instead of one.
    limit: u32,
    latest: &'a mut u32,
}

impl Reduction<'_, '_> {
    fn rows(&mut self, columns: &[Vec<Net>], constant: &BigUint) -> [Vec<Net>; 2] {
        let mut rows = [Vec::new(), Vec::new()];
        let mut carries = Vec::new();
        for (column, weight) in columns.iter().zip(0u64..) {
            let nets = column.iter().chain(&carries).filter(|net| **net != LOW);
            let mut waiting: BinaryHeap<Reverse<(u32, Net)>> =
                nets.map(|net| Reverse((self.network.time(*net), *net))).collect();
            carries = self.reduce(&mut waiting, constant.bit(weight), &mut rows);
        }
        rows
    }

    /// Reduces a column to at most two bits, appends these to the rows, and returns the carries.
    fn reduce(
        &mut self,
        waiting: &mut BinaryHeap<Reverse<(u32, Net)>>,
        mut one: bool,
        rows: &mut [Vec<Net>; 2],
    ) -> Vec<Net> {
        let mut carries = Vec::new();
        let take = |waiting: &mut BinaryHeap<Reverse<(u32, Net)>>| {
            waiting.pop().map_or(LOW, |Reverse((_, net))| net)
        };
        while waiting.len() + usize::from(one) > 2 {
            let late = waiting.len() + usize::from(one) == 3
                && waiting.iter().any(|Reverse((_, net))| self.network.added(&[*net]) > self.limit);
            let mut next = || take(waiting);
            let [sum, carry] = match (one, late) {
                (true, true) => {
                    one = false;
                    let net = next();
                    [self.network.not(net), net]
                }
                (true, false) => {
                    one = false;
                    self.network.add_and_one([next(), next()])
                }
                (false, true) => self.network.add(&[next(), next()]),
                (false, false) => self.network.add(&[next(), next(), next()]),
            };
            waiting.push(Reverse((self.network.time(sum), sum)));
            carries.push(carry);
        }
        if one {
            waiting.push(Reverse((0, HIGH)));
        }
        for row in rows {
            let net = take(waiting);
            *self.latest = (*self.latest).max(self.network.time(net));
            row.push(net);
        }
        carries
    }
}
