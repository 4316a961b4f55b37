//! An independent check of a routine's words against its formula and the machine.
//!
//! No code is shared with the scheduler, the lifetimes or the colouring: the interpreter of words executes the words on
//! random field elements under the timing contract of [`MachineSpec`]. A formula is a rational function of the coordinates
//! of its inputs, of degree far below the field's 2³⁸¹ elements, so words that compute another function agree with it on a
//! random point with negligible probability.

use super::graph::Graph;
use crate::MachineSpec;
use crate::isa::{FwdPath, L2, Loc, Operand};
use crate::machine::interpret::{Interpreter, Refusal};
use pairwright_curve::bls12_381::Fq2;
use pairwright_field::Field;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use thiserror::Error;

/// Why the words of a routine are wrong. Words are counted from zero.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Fault {
    /// The mark of the last word is missing, or is on another word.
    #[error("word {word}: the mark of the last word is wrong")]
    LastMark {
        /// Index of the word.
        word: usize,
    },
    /// A word with more or fewer operands than its operation has, a path without a forwarded operand or the reverse, or a
    /// no-operation that writes.
    #[error("word {word}: operands, path or destination do not belong to the operation")]
    Form {
        /// Index of the word.
        word: usize,
    },
    /// A word that uses a row reserved for the surrounding program.
    #[error("word {word}: row {} of bank {} is reserved", at.row, at.bank)]
    Reserved {
        /// Index of the word.
        word: usize,
        /// The reserved row that the word names.
        at: Loc,
    },
    /// The machine refuses to execute the words.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// An input that must be kept has changed.
    #[error("input {name} has not been kept")]
    Kept {
        /// The name of the input.
        name: String,
    },
    /// An output's row does not hold the formula's value at the end.
    #[error("output {name} has another value than the formula's")]
    Output {
        /// The name of the output.
        name: String,
    },
}

/// Counts of the execution of the words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExecutionCounts {
    /// Issue slots, including bubbles.
    pub slots: u32,
    /// Slots until the last result is in its bank.
    pub cycles: u32,
    /// Number of operands taken from forwarding path 1 and from path 2.
    pub forwards: [usize; 2],
}

/// Checks the words of a routine against the machine and against its graph before any pass. `seed` determines the random
/// field elements.
///
/// # Errors
/// The first fault that is found.
pub fn validate(
    words: &[L2],
    graph: &Graph,
    spec: &MachineSpec,
    seed: u64,
) -> Result<ExecutionCounts, Fault> {
    validate_chain(words, graph, &[], 1, spec, seed)
}

/// [`validate`] for a routine that is called `calls` times, where the first slot of each call directly follows the last
/// issue slot of the call before, whose results may still be in flight. `links` are pairs of an output and the input that
/// lies in its row and holds its value in the next call; the other inputs must be kept.
///
/// # Errors
/// The first fault that is found; slots count from the first slot of the first call.
pub fn validate_chain(
    words: &[L2],
    graph: &Graph,
    links: &[(usize, usize)],
    calls: u32,
    spec: &MachineSpec,
    seed: u64,
) -> Result<ExecutionCounts, Fault> {
    check_form(words, &graph.reserved)?;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let first: Vec<Fq2> = graph.inputs.iter().map(|_| Fq2::random(&mut rng)).collect();
    let rows = graph.inputs.iter().zip(&first).map(|(input, value)| (input.at, *value)).collect();
    let mut machine = Interpreter::new(spec, rows);
    let (mut inputs, mut outputs) = (first.clone(), Vec::new());
    for _ in 0..calls {
        machine.routine(words, 0);
        outputs = graph.evaluate(&inputs);
        links.iter().for_each(|&(output, input)| inputs[input] = outputs[output]);
    }
    if let Some(refusal) = machine.refusals().first() {
        return Err((*refusal).into());
    }
    let rows = machine.rows().unwrap_or_default();
    for (output, value) in graph.outputs.iter().zip(&outputs) {
        if rows.get(&output.at) != Some(value) {
            return Err(Fault::Output { name: output.name.clone() });
        }
    }
    for (input, value) in graph.inputs.iter().zip(&first).filter(|(input, _)| input.kept) {
        if rows.get(&input.at) != Some(value) {
            return Err(Fault::Kept { name: input.name.clone() });
        }
    }
    let forwards = [FwdPath::One, FwdPath::Two].map(|path| {
        let on_path = words.iter().filter(|word| word.path == Some(path));
        on_path.map(forwarded).sum::<usize>() * calls as usize
    });
    Ok(ExecutionCounts { slots: machine.slots(), cycles: machine.cycles(), forwards })
}

/// Checks that can be made without executing the words.
fn check_form(words: &[L2], reserved: &[Loc]) -> Result<(), Fault> {
    let last = |word: usize| word + 1 == words.len();
    let wrong = (0..words.len()).find(|&word| words[word].last != last(word));
    if let Some(word) = wrong.or(words.is_empty().then_some(0)) {
        return Err(Fault::LastMark { word });
    }
    for (word, instruction) in words.iter().enumerate() {
        let L2 { op, src, dst, path, .. } = *instruction;
        let operands = src.iter().flatten().count();
        let silent = op.channel().is_some() || dst.is_none();
        let first_missing = operands > 0 && src[0].is_none();
        let paths_agree = (forwarded(instruction) > 0) == path.is_some();
        if operands != op.operands() || first_missing || !silent || !paths_agree {
            return Err(Fault::Form { word });
        }
        let rows = src.iter().filter_map(|operand| match operand {
            Some(Operand::Row(at)) => Some(*at),
            _ => None,
        });
        if let Some(at) = rows.chain(dst).find(|at| reserved.contains(at)) {
            return Err(Fault::Reserved { word, at });
        }
    }
    Ok(())
}

/// Number of operands of a word that come over a forwarding path.
fn forwarded(word: &L2) -> usize {
    word.src.iter().filter(|operand| matches!(operand, Some(Operand::Forward(_)))).count()
}
