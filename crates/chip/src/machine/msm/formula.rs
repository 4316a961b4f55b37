//! The timing of PADD, by two interpretations of the formula that it computes.
//!
//! The formula is the generic code of `pairwright_curve::formulas`; here its values are times instead of field elements. G1
//! is one pipeline, so a value is the cycle in which it is available. G2 is a cascade of loops with a handshake between
//! them, one loop per level of products, so a value is a level and the cycles of additions since the products of that level.

use super::{DigitPlan, Formula, Group, MsmSpec};
use core::cell::RefCell;
use core::ops::{Add, Mul, Neg, Sub};
use pairwright_curve::formulas::{complete_add, complete_add_mixed};
use pairwright_field::Ring;
use serde::Serialize;

/// The timing of PADD in a configuration.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Timing {
    /// Latency of each part in cycles, in the order in which a pair passes them: one part in G1, one per level of products
    /// in G2.
    pub parts: Vec<u32>,
    /// Initiation interval: cycles between two pairs.
    pub interval: u32,
    /// Number of products of a point addition.
    pub products: u32,
    /// Cycles of a processing element that a point addition takes, summed over the elements.
    pub element_cycles: u32,
}

impl Timing {
    /// Cycles from a pair to its sum without stalls.
    pub fn latency(&self) -> u32 {
        self.parts.iter().sum()
    }
}

/// The timing of a formula in a group.
fn timing(config: &MsmSpec, group: Group, formula: Formula) -> Timing {
    match group {
        Group::G1 => pipelined(config, formula),
        Group::G2 => cascaded(config, formula),
    }
}

/// Quantities of the engine that follow from its parameters.
impl MsmSpec {
    /// Number of segments that the reduction of a group uses: the requested number, but at most as many as PADD and the
    /// queue before it have room for, with two sums in flight per segment.
    pub fn segments(&self, group: Group) -> u32 {
        let timing = self.reduction(group);
        let places = timing.latency() / timing.interval + self.fifo;
        let most = (places / 2 / self.windows_per_fetch).max(1);
        self.segments.min(1 << most.ilog2())
    }

    /// The division of scalars of a width into windows.
    pub fn plan(&self, group: Group, scalar_bits: u32) -> DigitPlan {
        let plan = DigitPlan::new(scalar_bits, self.window(group), self.signed);
        (if self.glv { plan.halved() } else { plan }).with_multiples(self.multiples)
    }

    /// The timing of PADD in bucket accumulation.
    pub fn accumulation(&self, group: Group) -> Timing {
        timing(self, group, self.formula)
    }

    /// The timing of PADD in bucket reduction and group aggregation, whose additions are never mixed.
    pub fn reduction(&self, group: Group) -> Timing {
        timing(self, group, Formula::Complete)
    }
}

/// Evaluates the formula on values that are all available at the beginning. `3b` is 12 in G1 and 12·(1 + u) in G2, computed
/// by sums.
fn read<R: Ring>(group: Group, formula: Formula, input: R) -> [R; 3] {
    let three = || [input.clone(), input.clone(), input.clone()];
    let mul_3b = |x: R| {
        let x = if group == Group::G2 { x.clone() + x } else { x };
        (x.clone().double() + x).double().double()
    };
    match formula {
        Formula::Complete => complete_add(three(), three(), mul_3b),
        Formula::Mixed => complete_add_mixed(three(), [input.clone(), input.clone()], mul_3b),
    }
}

/// The counts that an interpretation keeps besides its values.
#[derive(Default)]
struct FormulaCounts {
    products: u32,
    /// Number of products that begin in each cycle of the interval (pipelined).
    begun: Vec<u32>,
    /// Number of products of each level, with the latest cycle in which one of them is done (cascaded).
    levels: Vec<(u32, u32)>,
}

/// The latencies and the number of units in an interpretation.
struct Units {
    multiplier: u32,
    adder: u32,
    elements: u32,
    tally: RefCell<FormulaCounts>,
}

impl Units {
    fn new(multiplier: u32, adder: u32, elements: u32) -> Self {
        Self { multiplier, adder, elements, tally: RefCell::new(FormulaCounts::default()) }
    }
}

/// Implements sums, differences and negatives of a value, all of which pass an adder.
macro_rules! adders {
    ($type:ident) => {
        impl Add for $type<'_> {
            type Output = Self;
            fn add(self, o: Self) -> Self {
                self.through_adder(&o)
            }
        }
        impl Sub for $type<'_> {
            type Output = Self;
            fn sub(self, o: Self) -> Self {
                self.through_adder(&o)
            }
        }
        impl Neg for $type<'_> {
            type Output = Self;
            fn neg(self) -> Self {
                self.through_adder(&self)
            }
        }
        impl Ring for $type<'_> {
            type Wide = Self;
        }
    };
}

/// A value in a pipeline: the cycle in which it is available.
#[derive(Clone)]
struct Piped<'a>(u32, &'a Units);

impl Mul for Piped<'_> {
    type Output = Self;
    /// Starts the product in the first cycle in which, modulo the interval, a multiplier is free.
    fn mul(self, o: Self) -> Self {
        let ready = self.0.max(o.0);
        let mut tally = self.1.tally.borrow_mut();
        tally.products += 1;
        let interval = tally.begun.len() as u32;
        let free = |t: &u32| tally.begun[(t % interval) as usize] < self.1.elements;
        let start = (ready..ready + interval).find(free).unwrap_or(ready);
        tally.begun[(start % interval) as usize] += 1;
        Self(start + self.1.multiplier, self.1)
    }
}
impl Piped<'_> {
    fn through_adder(&self, o: &Self) -> Self {
        Self(self.0.max(o.0) + self.1.adder, self.1)
    }
}
adders!(Piped);

fn pipelined(config: &MsmSpec, formula: Formula) -> Timing {
    let products = match formula {
        Formula::Complete => 12,
        Formula::Mixed => 11,
    };
    let interval = u32::div_ceil(products, config.elements.max(1));
    let units = Units::new(config.pipelined_latency, config.adder_latency, config.elements);
    units.tally.borrow_mut().begun = vec![0; interval as usize];
    let sum = read(Group::G1, formula, Piped(0, &units));
    let depth = sum.iter().map(|v| v.0).max().unwrap_or(0);
    debug_assert_eq!(units.tally.borrow().products, products);
    Timing { parts: vec![depth + config.registers], interval, products, element_cycles: products }
}

/// A value in a cascade: the number of levels of products that it has passed, and the cycles of additions since.
#[derive(Clone)]
struct Cascaded<'a>(usize, u32, &'a Units);

impl Cascaded<'_> {
    /// The time of two operands relative to the later of their levels: an operand of an earlier level is available when the
    /// level begins.
    fn meet(&self, o: &Self) -> (usize, u32) {
        let level = self.0.max(o.0);
        let since = |v: &Self| if v.0 == level { v.1 } else { 0 };
        (level, since(self).max(since(o)))
    }
    fn through_adder(&self, o: &Self) -> Self {
        let (level, since) = self.meet(o);
        Self(level, since + self.2.adder, self.2)
    }
}
adders!(Cascaded);
impl<'a> Mul for Cascaded<'a> {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        let (level, since) = self.meet(&o);
        let mut tally = self.2.tally.borrow_mut();
        tally.products += 1;
        if tally.levels.len() <= level {
            tally.levels.resize(level + 1, (0, 0));
        }
        let (products, done) = &mut tally.levels[level];
        *products += 1;
        *done = (*done).max(since + self.2.multiplier);
        Self(level + 1, 0, self.2)
    }
}

fn cascaded(config: &MsmSpec, formula: Formula) -> Timing {
    let units = Units::new(config.iterative_latency, config.adder_latency, config.elements);
    let sum = read(Group::G2, formula, Cascaded(0, 0, &units));
    let tail = sum.iter().map(|v| v.1).max().unwrap_or(0);
    let tally = units.tally.take();
    let counts: Vec<u32> = tally.levels.iter().map(|(n, _)| *n).collect();
    let rounds = rounds(&counts, config.elements);
    let last = tally.levels.len() - 1;
    let parts = tally.levels.iter().enumerate().map(|(i, (_, done))| {
        // Products of later rounds begin later by the rounds before; the last additions belong to the last part.
        let ends = if i == 0 { config.registers } else { 0 } + if i == last { tail } else { 0 };
        done + (rounds - 1) * config.iterative_interval + ends
    });
    Timing {
        parts: parts.collect(),
        interval: rounds * config.iterative_interval,
        products: tally.products,
        element_cycles: tally.products * config.iterative_interval,
    }
}

/// The least possible number of products of the busiest element, where each element belongs to one level.
fn rounds(levels: &[u32], elements: u32) -> u32 {
    let most = levels.iter().sum::<u32>();
    let fits = |rounds: &u32| levels.iter().map(|n| n.div_ceil(*rounds)).sum::<u32>() <= elements;
    (1..=most).find(fits).unwrap_or(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(group: Group, formula: Formula, change: impl Fn(&mut MsmSpec)) -> Timing {
        let mut config = MsmSpec::paper();
        change(&mut config);
        timing(&config, group, formula)
    }

    #[test]
    fn twelve_elements_take_a_pair_a_cycle_in_g1_and_one_in_four_in_g2() {
        let g1 = of(Group::G1, Formula::Complete, |_| ());
        // Pre-addition, product, difference, four sums for 3b, sum, product, sum, two registers.
        assert_eq!(g1, Timing { parts: vec![41], interval: 1, products: 12, element_cycles: 12 });
        let g2 = of(Group::G2, Formula::Complete, |_| ());
        // A pre-addition, a product and two registers; difference, the sums for 3b, product, sum.
        assert_eq!(g2.parts, [1 + 10 + 2, 2 + 5 + 10 + 1]);
        assert_eq!((g2.interval, g2.products, g2.element_cycles), (4, 12, 48));
        assert_eq!(of(Group::G2, Formula::Complete, |c| c.iterative_interval = 6).interval, 6);
    }

    #[test]
    fn fewer_elements_take_turns() {
        let intervals =
            |group, formula| [12, 11, 6, 5, 4, 3, 2].map(|n| of(group, formula, |c| c.elements = n).interval);
        assert_eq!(intervals(Group::G1, Formula::Complete), [1, 2, 2, 3, 3, 4, 6]);
        assert_eq!(intervals(Group::G1, Formula::Mixed), [1, 1, 2, 3, 3, 4, 6]);
        assert_eq!(intervals(Group::G2, Formula::Complete), [4, 8, 8, 12, 12, 24, 24]);
        assert_eq!(intervals(Group::G2, Formula::Mixed), [4, 4, 8, 12, 12, 20, 24]);
        let latency = |n| of(Group::G1, Formula::Complete, |c| c.elements = n).latency();
        assert!(latency(12) < latency(4) && latency(4) < latency(1));
    }

    #[test]
    fn every_place_of_the_interval_is_within_the_multipliers() {
        for elements in 1..=12 {
            let config = MsmSpec { elements, ..MsmSpec::paper() };
            let interval = 12u32.div_ceil(elements);
            let units = Units::new(config.pipelined_latency, config.adder_latency, elements);
            units.tally.borrow_mut().begun = vec![0; interval as usize];
            read(Group::G1, Formula::Complete, Piped(0, &units));
            let tally = units.tally.borrow();
            assert_eq!(tally.begun.iter().sum::<u32>(), 12);
            assert!(tally.begun.iter().all(|n| *n <= elements), "{elements}: {:?}", tally.begun);
        }
    }
}
