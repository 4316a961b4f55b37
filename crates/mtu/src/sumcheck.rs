//! An engine for the rounds of sumchecks, like the one that zkSpeed (ISCA 2025) has beside tree units.
//!
//! A round has two phases. In the first, the entries of all tables stream from memory in pairs; lanes extend a pair of
//! each table to the points at which the terms are evaluated, by additions, then multiply and add up. In the second,
//! after the challenge is known, all tables stream through multipliers that fix a variable, `f0 + r·(f1 - f0)`, and go
//! back to memory at half their length. The host weighs the sums of the terms with their coefficients and draws the
//! challenge.

use crate::MtuError;
use pairwright_field::Field;
use pairwright_poly::SumOfProducts;
use pairwright_poly::sumcheck::bind;
use pairwright_sim::dram::{self, Dram, Piece};
use pairwright_sim::settings::{Changes, Design, OutOfRange, Sections, between, in_range};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// log2 of the greatest number of entries of a table.
const MOST: u32 = 40;
/// Blocks of pairs on the chip: one in work and one that arrives.
const BLOCKS: usize = 2;

/// The parameters of an engine with its memory. \[P\] marks numbers printed for zkSpeed, \[I\] inferred ones.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SumcheckConfig {
    /// Clock frequency in hertz. \[P\] 1 GHz.
    pub clock_hz: u64,
    /// Pairs of entries of each table that are evaluated per cycle. \[I\] 2.
    pub lanes: u32,
    /// Entries, of all tables together, whose variable is fixed per cycle. \[I\] 44.
    pub updates: u32,
    /// Bits of an entry in memory. \[P\] 255, of the field; \[I\] without padding.
    pub word_bits: u32,
    /// Latency in cycles of the modular multiplier, whose initiation interval is 1. \[P\] 20.
    pub mul_latency: u32,
    /// Latency in cycles of a modular addition or subtraction. \[I\] 1.
    pub add_latency: u32,
    /// Pairs of each table in a request to memory; two such blocks are on the chip. \[I\]
    pub block_pairs: u32,
    /// The memory. \[P\] 2 TB/s; \[I\] a flat memory.
    pub dram: dram::DramConfig,
}

const RANGES: Sections = &[
    (
        "",
        &[
            between("clock_hz", 1e6, 1e11, "Hz").printed(),
            between("lanes", 1.0, 1024.0, "pairs").inferred(),
            between("updates", 1.0, 65_536.0, "entries").inferred(),
            between("word_bits", 1.0, 8192.0, "bits").printed(),
            between("mul_latency", 1.0, 1024.0, "cycles").printed(),
            between("add_latency", 1.0, 1024.0, "cycles").inferred(),
            between("block_pairs", 1.0, 4096.0, "pairs").inferred(),
        ],
    ),
    ("dram", dram::RANGES),
];

impl Default for SumcheckConfig {
    fn default() -> Self {
        let dram = dram::DramConfig { bytes_per_cycle: 2199, ..dram::DramConfig::paper() };
        Self {
            clock_hz: 1_000_000_000,
            lanes: 2,
            updates: 44,
            word_bits: 255,
            mul_latency: 20,
            add_latency: 1,
            block_pairs: 64,
            dram,
        }
    }
}

impl SumcheckConfig {
    /// The engine of zkSpeed, from `specs/zkspeed.toml`.
    pub fn zkspeed() -> Self {
        let mut file = Changes::default();
        let read = file.file("zkspeed.toml", include_str!("../specs/zkspeed.toml"));
        read.and_then(|()| file.build(&Self::default())).expect("a test reads it")
    }
}

impl Design for SumcheckConfig {
    type Error = OutOfRange;
    const RANGES: Sections = RANGES;

    fn check(&self) -> Result<(), OutOfRange> {
        in_range(self, RANGES)?;
        Dram::new(&self.dram, self.clock_hz as f64)?;
        Ok(())
    }

    fn out_of_range(why: &OutOfRange) -> Option<&OutOfRange> {
        Some(why)
    }
}

/// The properties of a sum of products on which time and traffic depend.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Shape {
    /// The number of tables.
    pub tables: usize,
    /// The degree of each term: the number of tables that it multiplies.
    pub degrees: Vec<usize>,
}

impl Shape {
    /// The shape of a sum of products.
    pub fn of<F: Field>(sum: &SumOfProducts<F>) -> Self {
        let degrees = sum.terms.iter().map(|term| term.tables.len()).collect();
        Self { tables: sum.tables(), degrees }
    }

    /// Multiplications that evaluate all terms on one pair of entries of each table: a term of degree d is evaluated at d
    /// + 1 points.
    pub fn products(&self) -> u64 {
        self.degrees.iter().map(|&d| ((d + 1) * d.saturating_sub(1)) as u64).sum()
    }

    fn degree(&self) -> u32 {
        self.degrees.iter().copied().max().unwrap_or(0) as u32
    }
}

/// The account of all rounds of a sumcheck.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SumcheckAccount {
    /// Cycles of the first phases, in which pairs are evaluated and added up.
    pub evaluation_cycles: u64,
    /// Cycles of the second phases, in which tables are halved.
    pub update_cycles: u64,
    /// Multiplications of the first phases.
    pub evaluation_products: u64,
    /// Multiplications of the second phases, one for each entry written.
    pub update_products: u64,
    /// The statistics of the memory.
    pub dram: dram::Stats,
}

impl SumcheckAccount {
    /// Cycles of all rounds, both phases together.
    pub fn cycles(&self) -> u64 {
        self.evaluation_cycles + self.update_cycles
    }
}

/// The state of an engine during a sumcheck.
struct Engine<'a> {
    config: &'a SumcheckConfig,
    shape: &'a Shape,
    dram: Dram,
    now: u64,
    account: SumcheckAccount,
}

impl<'a> Engine<'a> {
    fn new(config: &'a SumcheckConfig, shape: &'a Shape) -> Result<Self, MtuError> {
        Design::check(config)?;
        let dram = Dram::new(&config.dram, config.clock_hz as f64)?;
        let account = SumcheckAccount {
            evaluation_cycles: 0,
            update_cycles: 0,
            evaluation_products: 0,
            update_products: 0,
            dram: dram.stats(),
        };
        Ok(Self { config, shape, dram, now: 0, account })
    }

    /// Streams pairs of all tables from memory in blocks; `cycles` gives the cycles in which the engine processes a
    /// number of pairs. If `write` is set, one entry for each pair and table is written back that many cycles later.
    fn stream(&mut self, pairs: u64, cycles: impl Fn(u64) -> u64, write: Option<u64>) {
        let entries = self.shape.tables as u64;
        let bits = u64::from(self.config.word_bits);
        let bytes = |entries: u64| (entries * bits).div_ceil(8) as u32;
        let block = u64::from(self.config.block_pairs);
        let (blocks, mut read, mut written) = (pairs.div_ceil(block), 0, 0);
        let size = |number: u64| block.min(pairs - number * block);
        let (mut arrived, mut leaving) = (VecDeque::new(), VecDeque::new());
        let (mut number, mut end) = (0, self.now);
        for worked in 0..blocks {
            while number < blocks && arrived.len() < BLOCKS {
                // The memory takes requests in the order of their times.
                while let Some((at, piece)) = leaving.pop_front_if(|(at, _)| *at <= end) {
                    self.now = self.now.max(self.dram.transfer(at, true, [piece]).done);
                }
                let bytes = bytes(2 * entries * size(number));
                arrived.push_back(self.dram.transfer(end, false, [Piece { address: read, bytes }]).done);
                (number, read) = (number + 1, read + u64::from(bytes));
            }
            let there = arrived.pop_front().unwrap_or(end);
            end = end.max(there) + cycles(size(worked));
            if let Some(after) = write {
                let bytes = bytes(entries * size(worked));
                leaving.push_back((end + after, Piece { address: written, bytes }));
                written += u64::from(bytes);
            }
        }
        self.now = self.now.max(end);
        for (at, piece) in leaving {
            self.now = self.now.max(self.dram.transfer(at, true, [piece]).done);
        }
    }

    /// Simulates the first phase of a round.
    fn evaluate(&mut self, pairs: u64) {
        let (c, start) = (self.config, self.now);
        let lanes = u64::from(c.lanes);
        self.stream(pairs, |pairs| pairs.div_ceil(lanes), None);
        // From the last pair to the sums: an addition for each point beyond 1, a chain of multiplications, and the final
        // addition.
        let degree = self.shape.degree();
        self.now += u64::from(degree.saturating_sub(1) * c.mul_latency + degree.max(1) * c.add_latency);
        self.account.evaluation_cycles += self.now - start;
        self.account.evaluation_products += pairs * self.shape.products();
    }

    /// Simulates the second phase of a round.
    fn update(&mut self, pairs: u64) {
        let (c, start) = (self.config, self.now);
        let (tables, updates) = (self.shape.tables as u64, u64::from(c.updates));
        let after = u64::from(2 * c.add_latency + c.mul_latency);
        self.stream(pairs, |pairs| (pairs * tables).div_ceil(updates), Some(after));
        self.account.update_cycles += self.now - start;
        self.account.update_products += pairs * tables;
    }

    fn finish(mut self) -> SumcheckAccount {
        let end = self.dram.flush();
        self.account.update_cycles += end.saturating_sub(self.now);
        self.account.dram = self.dram.stats();
        self.account
    }
}

/// Simulates all rounds over tables of `2^variables` entries without values, on which time and traffic do not depend.
///
/// # Errors
/// [`MtuError::UnitConfig`] if a parameter is out of range; [`MtuError::TooLarge`] for more than 2^40 entries.
pub fn simulate(config: &SumcheckConfig, shape: &Shape, variables: u32) -> Result<SumcheckAccount, MtuError> {
    if variables > MOST {
        return Err(MtuError::TooLarge { log_size: variables, most: MOST });
    }
    let mut engine = Engine::new(config, shape)?;
    for pairs in (0..variables).rev().map(|left| 1 << left) {
        engine.evaluate(pairs);
        engine.update(pairs);
    }
    Ok(engine.finish())
}

/// Runs all rounds with values and returns the polynomial of each round by its values at 0, 1, …, the sum's degree.
/// `challenge` receives these values and returns the value at which the round's variable is fixed; at the end each table
/// has one entry.
///
/// # Panics
/// If the tables do not all have the same power of two of entries, or are not as many as the sum has.
///
/// # Errors
/// The errors of [`simulate`].
pub fn prove<F: Field>(
    config: &SumcheckConfig,
    sum: &SumOfProducts<F>,
    tables: &mut [Vec<F>],
    mut challenge: impl FnMut(&[F]) -> F,
) -> Result<(Vec<Vec<F>>, SumcheckAccount), MtuError> {
    let len = tables.first().map_or(1, Vec::len);
    assert!(len.is_power_of_two() && tables.iter().all(|table| table.len() == len), "tables of one size");
    assert_eq!(tables.len(), sum.tables(), "as many tables as the sum has");
    let shape = Shape::of(sum);
    let mut engine = Engine::new(config, &shape)?;
    let mut rounds = Vec::new();
    for pairs in (0..len.ilog2()).rev().map(|left| 1u64 << left) {
        engine.evaluate(pairs);
        let round = weigh(sum, &evaluated(sum, tables));
        let r = challenge(&round);
        rounds.push(round);
        engine.update(pairs);
        bind(tables, r);
    }
    Ok((rounds, engine.finish()))
}

/// The sums of the lanes: each term without its coefficient, evaluated at the points 0 to its degree and added over all
/// pairs.
fn evaluated<F: Field>(sum: &SumOfProducts<F>, tables: &[Vec<F>]) -> Vec<Vec<F>> {
    let pairs = tables.first().map_or(0, |table| table.len() / 2);
    let term = |indices: &Vec<usize>| {
        let mut sums = vec![F::ZERO; indices.len() + 1];
        for pair in 0..pairs {
            let ends = indices.iter().map(|&k| (tables[k][2 * pair], tables[k][2 * pair + 1]));
            let (mut values, steps): (Vec<F>, Vec<F>) = ends.map(|(f0, f1)| (f0, f1 - f0)).unzip();
            for total in &mut sums {
                *total += values.iter().copied().reduce(|a, b| a * b).unwrap_or(F::ONE);
                values.iter_mut().zip(&steps).for_each(|(value, step)| *value += *step);
            }
        }
        sums
    };
    sum.terms.iter().map(|t| term(&t.tables)).collect()
}

/// The host's part of a round: extends the terms' sums to as many points as the sum's degree requires, weighs them and
/// adds them up.
fn weigh<F: Field>(sum: &SumOfProducts<F>, terms: &[Vec<F>]) -> Vec<F> {
    let mut round = vec![F::ZERO; sum.degree() + 1];
    for (term, values) in sum.terms.iter().zip(terms) {
        // Finite differences of the polynomial, from which it is continued by additions.
        let mut differences = values.clone();
        for order in 1..differences.len() {
            for at in (order..differences.len()).rev() {
                differences[at] = differences[at] - differences[at - 1];
            }
        }
        for total in &mut round {
            *total += term.coefficient * differences[0];
            for order in 1..differences.len() {
                let next = differences[order];
                differences[order - 1] += next;
            }
        }
    }
    round
}

#[cfg(test)]
mod tests;
