//! A group of four butterfly units with the connector around it, as one pipeline.
//!
//! The four units advance together, so the register contents of one cycle travel together as a [`Beat`]. The logic between
//! two registers is a [`LineStep`]; its position follows from the latencies and the direction:
//!
//! ```text
//! NTT    read · swap turn · u, v·w     · u + v, u - v · (nothing) · turn swap · write
//! INTT   read · swap turn · u + v, u - v · both halved · u, v·w   · turn swap · write
//! ```
//!
//! The inverse butterfly halves its results, so that `1/N` needs neither a pass nor a constant. A product enters its
//! multiplier in one cycle and leaves it as many cycles later as the multiplier has registers. Its value is computed by the
//! field's own product: the multiplier stage by stage is modelled in [`crate::machine::mm`], and a test runs four of those
//! in step with a group.

use super::map::Cell;
use super::network::{self, Selects, WIDTH};
use super::{Bank, PolySpec};
use crate::isa::VectorOp;
use pairwright_field::PrimeField;
use pairwright_sim::Pipe;

/// Units of a group.
pub const UNITS: usize = 4;

/// The operation of the units in a beat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ButterflyTask {
    /// A butterfly of a transform.
    Butterfly,
    /// An entry of a vector operation, which enters and leaves the unit through port `y`.
    Entry {
        /// The operation on each pair of entries.
        op: VectorOp,
        /// The unit's port.
        y: u8,
    },
}

/// The data that enter a group in one cycle and pass through it together.
#[derive(Clone, Debug)]
pub struct Beat<F> {
    /// Words, indexed by bank outside of the connector and by port inside.
    pub words: [F; WIDTH],
    /// For each unit, the twiddle or the word of Banks_C.
    pub factors: [F; UNITS],
    /// For each unit, the third operand of a vector operation.
    pub(super) addends: [F; UNITS],
    pub(super) task: ButterflyTask,
    pub(super) selects: Selects,
    /// The banks that are written; `rows` has the row for each bank, if it is written.
    pub(super) to: Bank,
    pub(super) rows: [Option<u8>; WIDTH],
}

impl<F> Beat<F> {
    /// The cells that the beat writes, with their words.
    pub fn cells(&self) -> impl Iterator<Item = (Cell, &F)> {
        let cells = (0u32..).zip(&self.rows).zip(&self.words);
        cells.filter_map(|((bank, row), word)| Some((Cell { bank, row: u32::from((*row)?) }, word)))
    }
}

/// The order of the steps in the units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    /// Product, then sum and difference. Vector operations use this order too.
    Forward,
    /// Sum and difference, halved, then product.
    Inverse,
}

/// The logic between two registers.
#[derive(Clone, Copy, Debug)]
enum LineStep {
    ReadSwap,
    ReadTurn,
    Product,
    Sum,
    Halve,
    WriteTurn,
    WriteSwap,
}

/// The pipeline of a group in one direction: registers and the logic before them.
#[derive(Clone, Debug)]
pub(super) struct Line<F> {
    pipe: Pipe<Beat<F>>,
    /// For each register, the steps before it in order.
    logic: Vec<Vec<LineStep>>,
    /// Products that entered the multipliers in the last cycle, by unit: operands and result.
    #[cfg(test)]
    pub(super) entered: [Option<(F, F, F)>; UNITS],
}

impl<F: PrimeField> Line<F> {
    pub(super) fn new(config: &PolySpec, direction: Direction, latency: u32) -> Self {
        let mut logic = vec![Vec::new(); latency as usize];
        let mut at = config.read;
        let mut put = |step, registers: u32| {
            logic[at as usize].push(step);
            at += registers;
        };
        // The two layers of a side are distributed over its registers: the first before the first register, the second
        // before the last.
        let last = config.connector - 1;
        put(LineStep::ReadSwap, last);
        put(LineStep::ReadTurn, config.connector - last);
        match direction {
            Direction::Forward => {
                put(LineStep::Product, config.mm);
                put(LineStep::Sum, config.adder + config.halving);
            }
            Direction::Inverse => {
                put(LineStep::Sum, config.adder);
                put(LineStep::Halve, config.halving);
                put(LineStep::Product, config.mm);
            }
        }
        put(LineStep::WriteTurn, last);
        put(LineStep::WriteSwap, 1);
        Self {
            pipe: Pipe::new(latency),
            logic,
            #[cfg(test)]
            entered: [None; UNITS],
        }
    }

    /// The beat at the banks' write ports.
    pub(super) fn front(&self) -> Option<&Beat<F>> {
        self.pipe.front()
    }

    /// The registers in the order in which a beat passes them.
    pub(super) fn registers(&self) -> impl Iterator<Item = Option<&Beat<F>>> {
        self.pipe.registers()
    }

    /// Whether nothing is in flight.
    pub(super) fn is_empty(&self) -> bool {
        self.pipe.is_empty()
    }

    /// The clock edge.
    pub(super) fn tick(&mut self, input: Option<Beat<F>>) {
        let logic = &self.logic;
        #[cfg(test)]
        let entered = &mut self.entered;
        #[cfg(test)]
        entered.fill(None);
        self.pipe.tick_with(input, |register, beat| {
            for step in &logic[register as usize] {
                #[cfg(test)]
                let before = beat.words;
                beat.pass(*step);
                #[cfg(test)]
                if matches!((step, beat.task), (LineStep::Product, ButterflyTask::Butterfly)) {
                    *entered = core::array::from_fn(|k| {
                        Some((before[2 * k + 1], beat.factors[k], beat.words[2 * k + 1]))
                    });
                }
            }
        });
    }
}

impl<F: PrimeField> Beat<F> {
    fn pass(&mut self, step: LineStep) {
        match step {
            LineStep::ReadSwap => self.words = network::READ[0].pass(&self.words, self.selects.read[0]),
            LineStep::ReadTurn => self.words = network::READ[1].pass(&self.words, self.selects.read[1]),
            LineStep::WriteTurn => self.words = network::WRITE[0].pass(&self.words, self.selects.write[0]),
            LineStep::WriteSwap => self.words = network::WRITE[1].pass(&self.words, self.selects.write[1]),
            LineStep::Product => self.multiply(),
            LineStep::Sum => self.sum(),
            LineStep::Halve => self.words = self.words.map(half),
        }
    }

    fn multiply(&mut self) {
        let y = match self.task {
            ButterflyTask::Butterfly => 1,
            ButterflyTask::Entry { op: VectorOp::Mul | VectorOp::MulAdd, y } => usize::from(y),
            ButterflyTask::Entry { op: VectorOp::Add | VectorOp::Sub, .. } => return,
        };
        for (unit, factor) in self.factors.iter().enumerate() {
            self.words[2 * unit + y] *= *factor;
        }
    }

    fn sum(&mut self) {
        for unit in 0..UNITS {
            match self.task {
                ButterflyTask::Butterfly => {
                    let (u, v) = (self.words[2 * unit], self.words[2 * unit + 1]);
                    (self.words[2 * unit], self.words[2 * unit + 1]) = (u + v, u - v);
                }
                ButterflyTask::Entry { op, y } => {
                    let word = &mut self.words[2 * unit + usize::from(y)];
                    match op {
                        VectorOp::Mul => {}
                        VectorOp::Add => *word += self.factors[unit],
                        VectorOp::Sub => *word -= self.factors[unit],
                        VectorOp::MulAdd => *word += self.addends[unit],
                    }
                }
            }
        }
    }
}

/// Computes `x/2`: the residue is shifted right by a bit, after the modulus is added if it is odd.
fn half<F: PrimeField>(x: F) -> F {
    let mut limbs = x.to_montgomery();
    let odd = limbs.as_ref()[0] & 1 == 1;
    let mut carry = false;
    if odd {
        for (limb, p) in limbs.as_mut().iter_mut().zip(F::MODULUS.as_ref()) {
            (*limb, carry) = limb.carrying_add(*p, carry);
        }
    }
    let mut above = u64::from(carry);
    for limb in limbs.as_mut().iter_mut().rev() {
        (*limb, above) = (*limb >> 1 | above << 63, *limb & 1);
    }
    F::from_montgomery(limbs).unwrap_or_else(|| unreachable!("half of less than twice the modulus"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check<F: PrimeField>(limbs: &[u64]) {
        for x in [F::from_limbs_reduced(limbs), F::ZERO, F::ONE, -F::ONE, F::from(2)] {
            assert_eq!(half(x).double(), x);
        }
    }

    proptest! {
        #[test]
        fn two_halves_are_one(limbs in prop::array::uniform6(any::<u64>())) {
            check::<pairwright_curve::bls12_381::Fr>(&limbs);
            check::<pairwright_curve::bls12_377::Fr>(&limbs);
            check::<pairwright_curve::bn254::Fr>(&limbs);
            check::<pairwright_curve::bls12_381::Fq>(&limbs);
        }
    }
}
