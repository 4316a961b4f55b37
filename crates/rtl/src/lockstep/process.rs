//! The simulator process: receives inputs of many cycles and returns outputs and registers, in little-endian words of
//! 64 bits.

use crate::Block;
use crate::error::RtlError;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running simulator of a block.
pub struct Simulator {
    block: String,
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    /// The number of words of all outputs and registers in a cycle.
    words: usize,
}

impl Simulator {
    /// Starts the program that [`build`](super::build) has made for a block, in the program's folder.
    ///
    /// # Errors
    /// [`RtlError::Simulator`] if it does not start.
    pub fn start(block: &Block, program: &Path) -> Result<Self, RtlError> {
        let failed = |source| RtlError::Simulator { block: block.name.clone(), source };
        let mut command = Command::new(program);
        if let Some(folder) = program.parent() {
            command.current_dir(folder);
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed)?;
        let gone = || failed(std::io::ErrorKind::BrokenPipe.into());
        let input = child.stdin.take().ok_or_else(gone)?;
        let output = child.stdout.take().ok_or_else(gone)?;
        let words = block.outputs.iter().chain(&block.registers).map(crate::Signal::words).sum();
        Ok(Self { block: block.name.clone(), child, input, output, words })
    }

    /// Simulates `cycles` cycles; `inputs` holds the words of all their inputs. Returns the words of outputs and
    /// registers.
    ///
    /// # Errors
    /// [`RtlError::Simulator`] if the program has ended.
    pub fn step(&mut self, cycles: u64, inputs: &[u64]) -> Result<Vec<u64>, RtlError> {
        let failed = |source| RtlError::Simulator { block: self.block.clone(), source };
        // The program reads all inputs before it answers, so neither side can block the other.
        // These conversions take most of the time of a comparison if they go byte by byte.
        let mut bytes = Vec::with_capacity(8 + 8 * inputs.len());
        bytes.extend_from_slice(&cycles.to_le_bytes());
        inputs.iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
        self.input.write_all(&bytes).and_then(|()| self.input.flush()).map_err(failed)?;
        let mut answer = vec![0; cycles as usize * self.words * 8];
        self.output.read_exact(&mut answer).map_err(failed)?;
        let (words, _) = answer.as_chunks();
        Ok(words.iter().map(|word| u64::from_le_bytes(*word)).collect())
    }
}

impl Drop for Simulator {
    fn drop(&mut self) {
        // The process ends when its input is closed; one that hangs is killed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
