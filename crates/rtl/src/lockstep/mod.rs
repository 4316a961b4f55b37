//! Runs a block and its model cycle by cycle on the same inputs, and compares every register and output in every cycle.
//!
//! The simulator is a separate process: C++ made from the SystemVerilog by Yosys (CXXRTL) or Verilator, compiled with
//! the system's compiler. It takes the inputs of many cycles at once and returns the block's outputs before each rising
//! edge and its registers after it.

mod bench;
mod build;
mod dump;
mod fault;
mod process;
mod waves;

pub use bench::{Bench, Expected, Inputs, Oracle, Stalls, any_operands, operand, random_operands};
pub use build::{Engine, TRACE, build};
pub use dump::{Agreement, Dump};
pub use fault::{Fault, faults};
pub use process::Simulator;
pub use waves::Waves;

use crate::Block;
use crate::error::RtlError;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

/// Cycles whose inputs are sent to the simulator at once.
const BATCH: u64 = 256;

/// The extent of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Compared {
    /// Clock edges of both sides.
    pub cycles: u64,
    /// Number of values of registers and outputs that the model predicted and the hardware matched.
    pub values: u64,
    /// Results that an independent computation confirmed.
    pub confirmed: u64,
}

/// Runs a block beside its model, from reset, for `cycles` clock edges. Records the model's waveforms if `waves` is
/// given.
///
/// # Errors
/// [`RtlError::Differs`] at the first difference, with the cycle and the signal; [`RtlError::Simulator`].
pub fn run(
    block: &Block,
    bench: &mut dyn Bench,
    simulator: &mut Simulator,
    cycles: u64,
    seed: u64,
    mut waves: Option<&mut Waves>,
) -> Result<Compared, RtlError> {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let signals: Vec<_> = block.outputs.iter().chain(&block.registers).collect();
    let mut compared = Compared::default();
    while compared.cycles < cycles {
        let batch = BATCH.min(cycles - compared.cycles);
        let mut words = Vec::new();
        let mut expected = Vec::new();
        for k in 0..batch {
            let mut input = Inputs::new(&block.inputs);
            bench.stimulus(&mut rng, &mut input);
            if compared.cycles == 0 && k < 2 {
                input.set(0, &[1]);
            }
            let mut outputs = Expected::new(&block.outputs);
            bench.outputs(&mut outputs);
            bench.edge(&input);
            let mut registers = Expected::new(&block.registers);
            bench.registers(&mut registers);
            if let Some(waves) = &mut waves {
                let mut after = Expected::new(&block.outputs);
                bench.outputs(&mut after);
                waves.cycle(&input, &after, &registers);
            }
            // Registers are undefined before the first edge with a reset.
            if compared.cycles == 0 && k == 0 {
                outputs = Expected::new(&block.outputs);
            }
            words.extend_from_slice(input.words());
            expected.push((outputs, registers));
        }
        let answer = simulator.step(batch, &words)?;
        let mut rest = answer.as_slice();
        for (outputs, registers) in &expected {
            for (at, signal) in signals.iter().enumerate() {
                let (hardware, after) = rest.split_at(signal.words());
                rest = after;
                let outs = block.outputs.len();
                let side = if at < outs { outputs.get(at) } else { registers.get(at - outs) };
                let Some(model) = side else { continue };
                if model != hardware {
                    return Err(RtlError::Differs {
                        block: block.name.clone(),
                        cycle: compared.cycles,
                        signal: signal.name.clone(),
                        hardware: hexadecimal(hardware),
                        model: hexadecimal(model),
                    });
                }
                compared.values += 1;
            }
            compared.cycles += 1;
        }
    }
    let oracle = bench.oracle();
    compared.confirmed = oracle.confirmed;
    if oracle.refuted > 0 {
        return Err(RtlError::Differs {
            block: block.name.clone(),
            cycle: compared.cycles,
            signal: "results".to_owned(),
            hardware: format!("{} of them", oracle.refuted),
            model: "refuted by the field's arithmetic".to_owned(),
        });
    }
    Ok(compared)
}

fn hexadecimal(words: &[u64]) -> String {
    let digits: String = words.iter().rev().map(|word| format!("{word:016x}")).collect();
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() { "0".to_owned() } else { format!("0x{digits}") }
}
