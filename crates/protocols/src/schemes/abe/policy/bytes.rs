//! The encoding of policies: the formula, then the literals, each preceded by its length. Lengths and wires are little-endian integers
//! of two bytes.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::{Gate, Literal, Operator, Policy, is_word};
use crate::schemes::abe::algebra::SCALAR;
use crate::schemes::abe::attributes::RESERVED;
use crate::schemes::abe::blake::value_scalar;
use crate::schemes::abe::bytes::{AbeReader, put_length, put_part, put_scalar};
use crate::schemes::abe::{AbeError, EncodingFault};
use alloc::borrow::ToOwned;
use alloc::vec::Vec;

/// Number of bytes of a gate.
pub(super) const GATE: usize = 7;
/// Number of bytes of a literal without its name and its value.
pub(super) const LITERAL: usize = 2 + 2 + 2 + 2 + SCALAR + 1;
/// Number of bytes of a policy without its gates and literals.
pub(super) const AROUND: usize = 2 + 2 + 2;

impl Policy {
    /// The encoding within a ciphertext.
    pub(in crate::schemes::abe) fn to_bytes(&self) -> Vec<u8> {
        let mut formula = Vec::new();
        put_length(&mut formula, self.gates.len(), 2);
        for gate in &self.gates {
            formula.push(u8::from(gate.operator == Operator::Or));
            let [left, right] = gate.inputs;
            for wire in [left, right, gate.output] {
                put_length(&mut formula, wire, 2);
            }
        }
        let mut out = Vec::new();
        put_part(&mut out, &formula);
        put_length(&mut out, self.literals.len(), 2);
        for literal in &self.literals {
            let mut part = Vec::new();
            put_part(&mut part, literal.name.as_bytes());
            put_part(&mut part, literal.text.as_bytes());
            put_length(&mut part, SCALAR, 2);
            put_scalar(&mut part, &literal.value);
            part.push(u8::from(literal.positive));
            put_part(&mut out, &part);
        }
        out
    }

    /// Reads the policy of a ciphertext, and accepts only policies that the grammar allows.
    pub(in crate::schemes::abe) fn read(mut part: AbeReader<'_>) -> Result<Self, AbeError> {
        let mut formula = part.part(2, GATES)?;
        let before = formula;
        let count = formula.u16(GATES)?;
        if formula.len() != count.saturating_mul(GATE) {
            return Err(
                formula.fault(GATES, EncodingFault::Count { expected: formula.len() / GATE, found: count })
            );
        }
        let mut gates = Vec::with_capacity(count);
        for _ in 0..count {
            let or = formula.flag(GATES)?;
            let inputs = [formula.u16(GATES)?, formula.u16(GATES)?];
            let operator = if or { Operator::Or } else { Operator::And };
            gates.push(Gate { operator, inputs, output: formula.u16(GATES)? });
        }
        let at = part;
        let found = part.u16(LITERALS)?;
        if found != count.saturating_add(1) {
            return Err(at.fault(LITERALS, EncodingFault::Count { expected: count.saturating_add(1), found }));
        }
        // Not allocated by the count, which is untrusted.
        let mut literals = Vec::new();
        for _ in 0..found {
            literals.push(literal(part.part(2, LITERALS)?)?);
        }
        part.end(LITERALS)?;
        let policy = Self { literals, gates };
        match policy.sorted_gates() {
            Ok(_) => Ok(policy),
            Err(fault) => Err(before.fault(GATES, fault)),
        }
    }
}

/// The name of the gates in messages.
const GATES: &str = "gates of the policy";
/// The name of the literals in messages.
const LITERALS: &str = "literals of the policy";

fn literal(mut part: AbeReader<'_>) -> Result<Literal, AbeError> {
    let at_name = part;
    let name = part.name(LITERALS)?;
    if name == RESERVED {
        return Err(at_name.fault(LITERALS, EncodingFault::Reserved));
    }
    let at_text = part;
    let text = part.name(LITERALS)?;
    if !is_word(name) {
        return Err(at_name.fault(LITERALS, EncodingFault::Name));
    }
    if !is_word(text) {
        return Err(at_text.fault(LITERALS, EncodingFault::Name));
    }
    let mut integer = part.part(2, LITERALS)?;
    let at_integer = integer;
    let value = integer.scalar(LITERALS)?;
    integer.end(LITERALS)?;
    // So the text that is shown is the value under which the message was encrypted.
    if value != value_scalar(text.as_bytes()) {
        return Err(at_integer.fault(LITERALS, EncodingFault::Value));
    }
    let positive = part.flag(LITERALS)?;
    part.end(LITERALS)?;
    Ok(Literal { name: name.to_owned(), text: text.to_owned(), value, positive })
}
