//! The text form of instructions, which the disassembler prints and the assembler reads.
//!
//! An L1 instruction is its mnemonic and its values in the order of the word's fields. An L2 instruction is its mnemonic,
//! its destination (`_` for none), its operands and its marks: `mm b2.5, b0.3, arith:1 ||` multiplies a row by the result
//! that the arithmetic unit forwards over path 1, and issues together with the next word.

use super::format::{CHANNELS, DIRECTIONS, FIELDS, GROUPS, Part, TABLES};
use super::inst::{FwdPath, L1, L2, Loc, Operand};
use super::rows::L1Row;
use std::collections::BTreeMap;
use std::fmt;

/// The mark of [`L2::with_next`].
pub(super) const WITH_NEXT: &str = "||";
/// The mark of [`L2::last`].
pub(super) const LAST: &str = "last";
/// The destination of a result that is not written to a row.
pub(super) const NOWHERE: &str = "_";

/// Labels by address, which are printed instead of numbers.
#[derive(Default)]
pub(super) struct Names<'a> {
    pub(super) l1: BTreeMap<u16, &'a str>,
    pub(super) l2: BTreeMap<u16, &'a str>,
}

impl Names<'_> {
    fn spell(names: &BTreeMap<u16, &str>, address: u32) -> String {
        let name = u16::try_from(address).ok().and_then(|address| names.get(&address));
        name.map_or_else(|| address.to_string(), |name| (*name).to_owned())
    }
}

/// The operands of an L1 instruction.
pub(super) fn l1_operands(instruction: &L1, names: &Names<'_>) -> String {
    let spell = |part: Part, value: u32| match part {
        Part::Length | Part::Src | Part::Count => value.to_string(),
        Part::Direction => DIRECTIONS[value as usize].1.to_owned(),
        Part::Field => FIELDS[value as usize].1.to_owned(),
        Part::Tables => TABLES[value as usize].1.to_owned(),
        Part::Group => GROUPS[value as usize].1.to_owned(),
        Part::Stream => format!("s{value}"),
        Part::Batch => format!("x{}", 1u32 << value),
        Part::Global => format!("g{value}"),
        Part::Local => Loc::linear(value as u8).to_string(),
        Part::Target => Names::spell(&names.l1, value),
        Part::Routine => Names::spell(&names.l2, value),
    };
    let parts = L1Row::of(instruction).values().map(|value| spell(value.part, instruction.part(value.part)));
    parts.collect::<Vec<_>>().join(", ")
}

/// The operands and marks of an L2 instruction.
pub(super) fn l2_operands(instruction: &L2) -> String {
    let mut parts = Vec::new();
    if instruction.op.channel().is_some() {
        parts.push(instruction.dst.map_or_else(|| NOWHERE.to_owned(), |loc| loc.to_string()));
    }
    let path = match instruction.path {
        Some(FwdPath::Two) => 2,
        Some(FwdPath::One) | None => 1,
    };
    parts.extend(instruction.src.iter().flatten().map(|operand| match operand {
        Operand::Row(loc) => loc.to_string(),
        Operand::Forward(channel) => format!("{}:{path}", CHANNELS[*channel as usize].1),
    }));
    let mut text = parts.join(", ");
    for (mark, word) in [(instruction.with_next, WITH_NEXT), (instruction.last, LAST)] {
        if mark {
            text.push_str(if text.is_empty() { "" } else { " " });
            text.push_str(word);
        }
    }
    text
}

impl fmt::Display for Loc {
    /// `b1.5` is row 5 of Bank1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b{}.{}", self.bank, self.row)
    }
}

impl fmt::Display for L1 {
    /// The text form, with addresses as numbers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operands = l1_operands(self, &Names::default());
        f.write_str(format!("{} {operands}", L1Row::of(self).mnemonic).trim_end())
    }
}

impl fmt::Display for L2 {
    /// The text form.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(format!("{} {}", self.op.mnemonic(), l2_operands(self)).trim_end())
    }
}
