//! Policies: formulas of `and` and `or` over literals `name: value` and `not name: value`.
//!
//! A formula of `n` gates has `n + 1` literals, which are its wires 0 to `n`. The outputs of the gates are the wires `n + 1` to
//! `2n`; the last one is the result. Every other wire is the input of exactly one gate, so that the gates are a tree.

mod bytes;
mod parse;
mod print;
#[cfg(test)]
mod tests;

pub(super) use parse::is_word;

use super::algebra::Pair;
use super::attributes::{Attributes, RESERVED, Value};
use super::{AbeError, EncodingFault};
use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, VecDeque};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use pairwright_curve::bls12_381::Fr;
use rand_core::CryptoRng;

/// A leaf of a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Literal {
    pub(super) name: String,
    /// The value as text.
    pub(super) text: String,
    /// The scalar to which the value is hashed.
    pub(super) value: Fr,
    /// Whether the attribute must have this value (true) or any other value (false).
    pub(super) positive: bool,
}

/// The operator of a gate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operator {
    And,
    Or,
}

/// A gate with the numbers of its input and output wires.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Gate {
    pub(super) operator: Operator,
    pub(super) inputs: [usize; 2],
    pub(super) output: usize,
}

/// A policy, which determines who may decrypt: a formula over attributes, parsed by [`core::str::FromStr`] and printed by
/// [`core::fmt::Display`].
///
/// ```text
/// policy  = term { "or" term }
/// term    = factor { "and" factor }
/// factor  = "not" factor | "(" policy ")" | word ":" word
/// word    = letters, digits and underscores of ASCII, but not "and", "or", "not"
/// ```
///
/// Blanks, tabs and line breaks are allowed between words and signs. `not` before a formula is moved to its literals by De Morgan's
/// laws, which exchange `and` and `or`. The literal `not name: value` requires that the key has the attribute with another value: a key
/// without the attribute does not satisfy it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Policy {
    pub(super) literals: Vec<Literal>,
    pub(super) gates: Vec<Gate>,
}

impl Policy {
    /// Tells whether a key with these attributes decrypts messages that are encrypted under the policy.
    ///
    /// # Errors
    /// [`AbeError::Unsatisfied`] when it does not.
    pub fn satisfied_by(&self, attributes: &Attributes) -> Result<(), AbeError> {
        self.chosen(attributes).map(|_| ())
    }

    /// The name and the value of each literal, in the order of the text, and true for a positive literal, false for a negative one.
    pub fn literals(&self) -> impl Iterator<Item = (&str, &str, bool)> + '_ {
        self.literals.iter().map(|l| (l.name.as_str(), l.text.as_str(), l.positive))
    }

    /// For every name in the policy, the values of its literals in the order of the text.
    pub fn values(&self) -> BTreeMap<&str, Vec<&str>> {
        let mut values: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for literal in &self.literals {
            values.entry(&literal.name).or_default().push(&literal.text);
        }
        values
    }

    /// The policy of a ciphertext with this identity: `self and` the reserved attribute with the identity as its value.
    pub(super) fn with_identity(&self, identity: Fr) -> Self {
        let n = self.gates.len();
        let moved = |wire: usize| if wire > n { wire + 1 } else { wire };
        let mut gates: Vec<Gate> = self
            .gates
            .iter()
            .map(|g| Gate { inputs: g.inputs.map(moved), output: g.output + 1, ..*g })
            .collect();
        // The new literal is wire n + 1, and the old result wire 2n + 1: without gates, 1 and 0.
        let inputs = if n == 0 { [0, 1] } else { [n + 1, 2 * n + 1] };
        gates.push(Gate { operator: Operator::And, inputs, output: 2 * n + 2 });
        let mut literals = self.literals.clone();
        let name = RESERVED.to_owned();
        literals.push(Literal { name, text: String::new(), value: identity, positive: true });
        Self { literals, gates }
    }

    /// For each literal, the number of earlier literals with the same name. Literals with equal numbers have different names.
    pub(super) fn numbers(&self) -> Vec<usize> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let mut numbers = Vec::with_capacity(self.literals.len());
        for literal in &self.literals {
            let count = counts.entry(&literal.name).or_default();
            numbers.push(*count);
            *count += 1;
        }
        numbers
    }

    /// The gates in topological order, inputs before outputs: first those whose inputs are literals, in their own order, then each
    /// other gate when its last input is available.
    ///
    /// # Errors
    /// When the gates are not a tree over the literals.
    pub(super) fn sorted_gates(&self) -> Result<Vec<Gate>, EncodingFault> {
        let n = self.gates.len();
        let mut reader: Vec<Option<usize>> = vec![None; 2 * n + 1];
        let mut written = vec![false; n];
        for (i, gate) in self.gates.iter().enumerate() {
            for wire in gate.inputs {
                match reader.get_mut(wire) {
                    // The result, wire 2n, must not be an input.
                    Some(slot @ None) if wire < 2 * n => *slot = Some(i),
                    _ => return Err(EncodingFault::Formula),
                }
            }
            match gate.output.checked_sub(n + 1).and_then(|at| written.get_mut(at)) {
                Some(slot @ false) => *slot = true,
                _ => return Err(EncodingFault::Formula),
            }
        }
        // There are 2n inputs and n outputs, none repeated, so every wire occurs.
        let mut missing: Vec<usize> =
            self.gates.iter().map(|g| g.inputs.iter().filter(|wire| **wire > n).count()).collect();
        let mut ready: VecDeque<usize> = (0..n).filter(|i| missing[*i] == 0).collect();
        let mut sorted = Vec::with_capacity(n);
        while let Some(i) = ready.pop_front() {
            sorted.push(self.gates[i]);
            if let Some(next) = reader[self.gates[i].output] {
                missing[next] -= 1;
                if missing[next] == 0 {
                    ready.push_back(next);
                }
            }
        }
        if sorted.len() == n { Ok(sorted) } else { Err(EncodingFault::Formula) }
    }

    /// Splits `secret` into one share for every literal, such that the shares of every minimal set of literals that satisfies the
    /// formula add up to it: an `or` passes its share to both inputs, an `and` splits it into two, each of them uniform.
    ///
    /// If an `and` passed its whole share to one of its inputs, every key could decrypt by the reserved attribute.
    ///
    /// # Errors
    /// When the gates are not a tree over the literals.
    pub(super) fn shares(&self, secret: &Pair, rng: &mut dyn CryptoRng) -> Result<Vec<Pair>, EncodingFault> {
        let n = self.gates.len();
        let mut shares: Vec<Option<Pair>> = vec![None; 2 * n + 1];
        shares[2 * n] = Some(secret.clone());
        for gate in self.sorted_gates()?.iter().rev() {
            let whole = shares[gate.output].take().ok_or(EncodingFault::Formula)?;
            let [left, right] = match gate.operator {
                Operator::Or => [whole.clone(), whole],
                Operator::And => {
                    let left = Pair::random(rng);
                    let right = whole.minus(&left);
                    [left, right]
                }
            };
            shares[gate.inputs[0]] = Some(left);
            shares[gate.inputs[1]] = Some(right);
        }
        shares.truncate(n + 1);
        shares.into_iter().map(|share| share.ok_or(EncodingFault::Formula)).collect()
    }

    /// A smallest set of literals, in ascending order, that these attributes satisfy and that satisfies the formula.
    ///
    /// # Errors
    /// [`AbeError::Unsatisfied`] when there is no such set.
    pub(super) fn chosen(&self, attributes: &Attributes) -> Result<Vec<usize>, AbeError> {
        let n = self.gates.len();
        // For each wire, the size of a smallest set of literals that makes it true, if there is one.
        let mut sizes: Vec<Option<usize>> = vec![None; 2 * n + 1];
        for (size, literal) in sizes.iter_mut().zip(&self.literals) {
            *size = literal.fulfilled_by(attributes).then_some(1);
        }
        let sorted = self.sorted_gates().map_err(|_| AbeError::Unsatisfied)?;
        for gate in &sorted {
            let [left, right] = gate.inputs.map(|wire| sizes[wire]);
            sizes[gate.output] = match gate.operator {
                Operator::And => left.zip(right).map(|(l, r)| l + r),
                Operator::Or => left.into_iter().chain(right).min(),
            };
        }
        sizes[2 * n].ok_or(AbeError::Unsatisfied)?;
        let mut needed = vec![false; 2 * n + 1];
        needed[2 * n] = true;
        // From the result towards the literals, so that a gate is visited after it is known whether its output is needed.
        for gate in sorted.iter().rev() {
            let [left, right] = gate.inputs;
            if !needed[gate.output] {
                continue;
            }
            match gate.operator {
                Operator::And => (needed[left], needed[right]) = (true, true),
                Operator::Or if sizes[left] == sizes[gate.output] => needed[left] = true,
                Operator::Or => needed[right] = true,
            }
        }
        Ok((0..=n).filter(|wire| needed[*wire]).collect())
    }
}

impl Literal {
    /// Whether a key with these attributes satisfies the literal.
    fn fulfilled_by(&self, attributes: &Attributes) -> bool {
        match attributes.0.get(&self.name) {
            None => false,
            Some(Value::Every) => true,
            Some(Value::One(value)) => (*value == self.value) == self.positive,
        }
    }
}
