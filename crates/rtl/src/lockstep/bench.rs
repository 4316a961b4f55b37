//! The interface between a model and its lock-step comparison with the hardware.

use super::fault::{Fault, faults};
use crate::{Block, Signal};
use pairwright_chip::machine::{DIGITS, Datapath, Digits};
use rand_chacha::ChaCha20Rng;
use rand_core::Rng;

/// A model with its stimulus.
pub trait Bench {
    /// The inputs of the next cycle, in the order of the block's inputs. The first three are `rst`, `en` and `in_valid`.
    fn stimulus(&mut self, rng: &mut ChaCha20Rng, input: &mut Inputs);

    /// The inputs of the next cycle at full rate, without stalls or resets: operands in every cycle in which the block
    /// accepts them, uniformly distributed if the bench implements it.
    fn stream(&mut self, rng: &mut ChaCha20Rng, input: &mut Inputs) {
        self.stimulus(rng, input);
        input.flow();
    }

    /// Writes the expected outputs of the block before the edge.
    fn outputs(&self, out: &mut Expected);

    /// The rising clock edge: updates the model.
    fn edge(&mut self, input: &Inputs);

    /// Writes the expected registers of the block after the edge.
    fn registers(&self, out: &mut Expected);

    /// The verdicts of an independent computation on the results so far.
    fn oracle(&self) -> Oracle;

    /// The number of clock edges of a run for which `asked` were requested: a model that runs programs takes as many as
    /// they need.
    fn cycles(&self, asked: u64) -> u64 {
        asked
    }

    /// Versions of the block with injected faults, each of which must be detected.
    fn faults(&self, block: &Block) -> Vec<Fault> {
        faults(block)
    }

    /// Lines that describe what a run covers.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// Counts of the cases that a run must cover.
    fn coverage(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }
}

/// Counts of results that were checked by a computation independent of model and hardware.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Oracle {
    /// Results that were right.
    pub confirmed: u64,
    /// Results that were wrong.
    pub refuted: u64,
}

impl Oracle {
    /// Counts a verdict; `None` if the computation does not support the operands.
    pub fn judge(&mut self, right: Option<bool>) {
        match right {
            Some(true) => self.confirmed += 1,
            Some(false) => self.refuted += 1,
            None => {}
        }
    }
}

/// The inputs of a cycle, each in words of 64 bits, least significant first.
#[derive(Clone, Debug)]
pub struct Inputs {
    words: Vec<u64>,
    starts: Vec<usize>,
}

impl Inputs {
    /// Inputs that are all zero.
    pub fn new(signals: &[Signal]) -> Self {
        let mut starts = vec![0];
        starts.extend(signals.iter().scan(0, |sum, signal| {
            *sum += signal.words();
            Some(*sum)
        }));
        Self { words: vec![0; starts.last().copied().unwrap_or(0)], starts }
    }

    /// Sets input number `at`; words above its width must be zero.
    pub fn set(&mut self, at: usize, value: &[u64]) {
        let place = &mut self.words[self.starts[at]..self.starts[at + 1]];
        let words = place.len();
        place.copy_from_slice(&value[..words]);
    }

    /// The words of input number `at`.
    pub fn get(&self, at: usize) -> &[u64] {
        &self.words[self.starts[at]..self.starts[at + 1]]
    }

    /// The first three inputs, which every block has: `rst`, `en`, `in_valid`.
    pub fn flags(&self) -> [bool; 3] {
        [0, 1, 2].map(|at| self.get(at)[0] & 1 == 1)
    }

    /// Sets the first three inputs to no reset, no stall, and valid operands.
    pub fn flow(&mut self) {
        [0, 1, 1].into_iter().enumerate().for_each(|(at, flag)| self.set(at, &[flag]));
    }

    /// All words, input by input.
    pub fn words(&self) -> &[u64] {
        &self.words
    }
}

/// The values that the model predicts for signals; a signal is unconstrained where the model holds no value.
#[derive(Clone, Debug)]
pub struct Expected {
    values: Vec<Option<Vec<u64>>>,
    words: Vec<usize>,
}

impl Expected {
    /// Signals that are all unconstrained.
    pub fn new(signals: &[Signal]) -> Self {
        Self { values: vec![None; signals.len()], words: signals.iter().map(Signal::words).collect() }
    }

    /// Sets the predicted value of a signal. Words beyond the signal's width are kept if they are nonzero, so that the
    /// comparison fails.
    pub fn value(&mut self, at: usize, value: &[u64]) {
        let used = value.iter().rposition(|word| *word != 0).map_or(0, |last| last + 1);
        let mut kept = value[..used].to_vec();
        kept.resize(used.max(self.words[at]), 0);
        self.values[at] = Some(kept);
    }

    /// Sets the predicted value of a one-bit signal.
    pub fn flag(&mut self, at: usize, value: bool) {
        self.values[at] = Some(vec![u64::from(value)]);
    }

    /// Marks a signal as unconstrained.
    pub fn unconstrained(&mut self, at: usize) {
        self.values[at] = None;
    }

    /// The predicted value of a signal; `None` if it is unconstrained.
    pub fn get(&self, at: usize) -> Option<&[u64]> {
        self.values[at].as_deref()
    }
}

/// Random valid bits, stalls and resets, in phases: a full stream, gaps, and both with stalls.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stalls {
    left: u32,
    valid: u32,
    stalled: u32,
}

impl Stalls {
    /// Begins a phase without operands.
    pub fn pause(&mut self) {
        *self = Self { left: 40, valid: 0, stalled: 0 };
    }

    /// Sets the first three inputs of a cycle. A reset comes about once in 500 cycles, in mid-flight.
    pub fn stimulus(&mut self, rng: &mut ChaCha20Rng, input: &mut Inputs) {
        if self.left == 0 {
            self.left = 1 + rng.next_u32() % 64;
            self.valid = [8, 8, 6, 2, 0][(rng.next_u32() % 5) as usize];
            self.stalled = [0, 0, 1, 4][(rng.next_u32() % 4) as usize];
        }
        self.left -= 1;
        let reset = rng.next_u32().is_multiple_of(499);
        let moves = rng.next_u32() % 8 >= self.stalled;
        let valid = rng.next_u32() % 8 < self.valid;
        for (at, flag) in [reset, moves, valid].into_iter().enumerate() {
            input.set(at, &[u64::from(flag)]);
        }
    }
}

/// A random residue, often an edge case: 0, 1, -1 as digits and as values, powers of two.
pub fn operand<F: Datapath>(rng: &mut ChaCha20Rng) -> F {
    let mut digits = [0; DIGITS];
    match rng.next_u32() % 16 {
        0 => F::ZERO,
        1 => F::ONE,
        2 => -F::ONE,
        3 => {
            digits[0] = 1;
            F::from_digits(&digits).unwrap_or(F::ZERO)
        }
        4 => {
            digits[0] = 1;
            -F::from_digits(&digits).unwrap_or(F::ZERO)
        }
        5 => {
            let bit = rng.next_u32() % F::BITS;
            digits[(bit / 64) as usize] = 1 << (bit % 64);
            F::from_digits(&digits).unwrap_or(F::ZERO)
        }
        _ => F::random(rng),
    }
}

/// The digits of an operand as wide as the modulus: mostly a residue, sometimes the modulus or all ones.
fn any_operand<F: Datapath>(rng: &mut ChaCha20Rng) -> Digits {
    match rng.next_u32() % 32 {
        0 => {
            let mut digits = [0; DIGITS];
            let modulus = F::MODULUS;
            digits[..modulus.as_ref().len()].copy_from_slice(modulus.as_ref());
            digits
        }
        1 => core::array::from_fn(|i| match (64 * i as u32).cmp(&F::BITS) {
            core::cmp::Ordering::Less => u64::MAX >> (64 - (F::BITS - 64 * i as u32).min(64)),
            _ => 0,
        }),
        _ => operand::<F>(rng).digits(),
    }
}

/// Sets inputs 3 and 4 to random operands, including invalid ones.
pub fn any_operands<F: Datapath>(rng: &mut ChaCha20Rng, input: &mut Inputs) {
    [3, 4].into_iter().for_each(|at| input.set(at, &any_operand::<F>(rng)));
}

/// Sets inputs 3 and 4 to random residues, for a stream that does not stall.
pub fn random_operands<F: Datapath>(rng: &mut ChaCha20Rng, input: &mut Inputs) {
    input.flow();
    [3, 4].into_iter().for_each(|at| input.set(at, &F::random(rng).digits()));
}
