//! An interpreter of programs without a clock: L1 instructions in sequence, routines by their graphs. It is the
//! reference for the results of the machine, with which it shares only the instruction words and the rule for the next
//! instruction ([`LoopCounters`]).

use super::{Program, Value};
use pairwright_chip::isa::{Direction, IsaError, L1, LoopCounters};
use pairwright_field::{Field, PrimeField};
use std::convert::Infallible;

impl<F: PrimeField> Program<F> {
    /// The global bank after the program has run on it. `steps` bounds the L1 instructions; `None` if they do not
    /// suffice, or if an instruction belongs to another engine.
    ///
    /// # Errors
    /// A word is not a valid instruction.
    pub fn interpret(&self, global: &[Value<F>], steps: u64) -> Result<Option<Vec<Value<F>>>, IsaError> {
        let code = self.image.l1.iter().map(|&w| L1::decode(w)).collect::<Result<Vec<_>, _>>()?;
        let mut global = global.to_vec();
        let mut local = [Value::<F>::ZERO; 96];
        let mut loops = LoopCounters::default();
        let mut scans: [Vec<bool>; 3] = Default::default();
        let mut at = 0;
        for _ in 0..steps {
            let Some(&instruction) = code.get(at) else { return Ok(None) };
            match instruction {
                L1::SetField { .. } | L1::Jump { .. } | L1::Scan { .. } | L1::Loop { .. } | L1::Finish => {}
                L1::Switch { direction, rows, global: g, local: l } => {
                    for i in 0..usize::from(rows) {
                        let (g, l) = (usize::from(g) + i, usize::from(l) + i);
                        match direction {
                            Direction::In => local[l] = global[g],
                            Direction::Out => global[g] = local[l],
                        }
                    }
                }
                L1::LoadScan { reg, bits, global: g } => {
                    let limbs = global[usize::from(g)].c0.to_montgomery();
                    let bit = |i: u16| {
                        limbs.as_ref().get(usize::from(i) / 64).is_some_and(|l| l >> (i % 64) & 1 == 1)
                    };
                    // Bits are taken from the end, so the most significant one is last.
                    scans[reg as usize] = (0..bits).map(bit).collect();
                }
                L1::PairOp { addr } | L1::PairRepeat { addr, .. } => {
                    let times = if let L1::PairRepeat { times, .. } = instruction { times } else { 1 };
                    let routine = self.image.l2_labels.iter().find(|(_, a)| **a == addr);
                    let Some((_, graph)) =
                        routine.and_then(|(n, _)| self.graphs.iter().find(|(m, _)| m == n))
                    else {
                        return Ok(None);
                    };
                    for _ in 0..times {
                        let inputs: Vec<_> =
                            graph.inputs.iter().map(|i| local[usize::from(i.at.address())]).collect();
                        let results = graph.evaluate(&inputs);
                        for (output, value) in graph.outputs.iter().zip(results) {
                            local[usize::from(output.at.address())] = value;
                        }
                    }
                }
                _ => return Ok(None),
            }
            let bit = |reg| Ok::<_, Infallible>(scans[reg as usize].pop().unwrap_or(false));
            let Ok(Some(next)) = loops.next(at, &instruction, bit) else { return Ok(Some(global)) };
            at = next;
        }
        Ok(None)
    }
}
