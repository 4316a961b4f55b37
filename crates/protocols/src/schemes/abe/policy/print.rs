//! Prints a policy as a text that parses to the same policy.

use super::{Literal, Operator, Policy};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// An item that remains to be written, on a stack.
enum Piece {
    Text(&'static str),
    Wire(usize),
}

impl fmt::Display for Policy {
    /// Writes the formula with `not` only before literals, and parentheses only where they are needed: around an `or` inside an
    /// `and`, and around the right operand of an operator if it has the same operator.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.gates.len();
        let mut by_output: Vec<usize> = vec![0; n];
        for (i, gate) in self.gates.iter().enumerate() {
            let at = gate.output.checked_sub(n + 1).ok_or(fmt::Error)?;
            *by_output.get_mut(at).ok_or(fmt::Error)? = i;
        }
        let gate_of = |wire: usize| {
            let at = *by_output.get(wire.checked_sub(n + 1)?)?;
            self.gates.get(at)
        };
        let mut left = vec![Piece::Wire(2 * n)];
        while let Some(piece) = left.pop() {
            let wire = match piece {
                Piece::Text(text) => {
                    f.write_str(text)?;
                    continue;
                }
                Piece::Wire(wire) => wire,
            };
            let Some(gate) = gate_of(wire) else {
                write!(f, "{}", self.literals.get(wire).ok_or(fmt::Error)?)?;
                continue;
            };
            let mut push = |input: usize, on_the_right: bool| {
                let inner = gate_of(input).map(|g| g.operator);
                let around = match (gate.operator, inner) {
                    (_, None) | (Operator::Or, Some(Operator::And)) => false,
                    (Operator::And, Some(Operator::Or)) => true,
                    (Operator::And, Some(Operator::And)) | (Operator::Or, Some(Operator::Or)) => on_the_right,
                };
                let [open, close] = if around { ["(", ")"] } else { ["", ""] };
                left.extend([Piece::Text(close), Piece::Wire(input), Piece::Text(open)]);
                if on_the_right {
                    left.push(Piece::Text(if gate.operator == Operator::And { " and " } else { " or " }));
                }
            };
            let [first, second] = gate.inputs;
            push(second, true);
            push(first, false);
        }
        Ok(())
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let not = if self.positive { "" } else { "not " };
        write!(f, "{not}{}: {}", self.name, self.text)
    }
}
