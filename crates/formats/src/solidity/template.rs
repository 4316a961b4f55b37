//! Fills contract templates, and formats numbers and points for them.

use super::Precompiles;
use crate::hexadecimal::to_hex;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use pairwright_curve::{Affine, Curve};
use pairwright_field::{Extension, PrimeField};

/// Replaces every `{{NAME}}` of a template by its value. A line that consists of a name with an empty value is removed. A name
/// without a value stays in the text, where tests find it.
pub(super) fn fill(template: &str, values: &[(&str, String)]) -> String {
    let mut text = String::from(template);
    for (name, value) in values {
        let place = format!("{{{{{name}}}}}");
        if value.is_empty() {
            text = text.replace(&format!("\n{place}\n"), "\n");
        }
        text = text.replace(&place, value);
    }
    text
}

/// A builder of contract lines with a common indentation.
pub(super) struct Lines {
    indent: usize,
    text: String,
}

impl Lines {
    /// Starts without lines; `indent` is the number of spaces before each line.
    pub(super) fn new(indent: usize) -> Self {
        Self { indent, text: String::new() }
    }

    /// Appends a line.
    pub(super) fn push(&mut self, line: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.extend(core::iter::repeat_n(' ', self.indent));
        self.text.push_str(line);
    }

    /// The lines, without a line feed after the last.
    pub(super) fn finish(self) -> String {
        self.text
    }
}

/// The words of a point, each with the suffix of its constant's name.
pub(super) type Words = Vec<(&'static str, String)>;

/// Appends lines that declare the words of a point as constants `NAME_X`, ….
pub(super) fn constants(lines: &mut Lines, name: &str, words: &Words) {
    for (end, word) in words {
        lines.push(&format!("uint256 constant {name}_{end} = {word};"));
    }
}

/// Appends lines that store the constants of a point in memory, from `at` bytes after the variable `base` on.
pub(super) fn stores(lines: &mut Lines, base: &str, at: usize, name: &str, ends: &[&str]) {
    for (end, at) in ends.iter().zip((at..).step_by(32)) {
        lines.push(&format!("mstore({}, {name}_{end})", offset(base, at)));
    }
}

/// The expression for the address `bytes` after the variable `base`.
pub(super) fn offset(base: &str, bytes: usize) -> String {
    if bytes == 0 { String::from(base) } else { format!("add({base}, {bytes})") }
}

/// Formats the constants of a point as arguments of a function.
pub(super) fn arguments(name: &str, ends: &[&str]) -> String {
    let names: Vec<String> = ends.iter().map(|end| format!("{name}_{end}")).collect();
    names.join(", ")
}

impl Precompiles {
    /// The name suffixes of the words of a G1 point.
    pub(super) fn ends_g1(self) -> &'static [&'static str] {
        match self {
            Self::Bn254 => &["X", "Y"],
            Self::Bls12_381 => &["X_HIGH", "X_LOW", "Y_HIGH", "Y_LOW"],
        }
    }

    /// The name suffixes of the words of a G2 point. The higher coefficient of a coordinate comes first in EIP-197 and last in
    /// EIP-2537.
    pub(super) fn ends_g2(self) -> &'static [&'static str] {
        match self {
            Self::Bn254 => &["X1", "X0", "Y1", "Y0"],
            Self::Bls12_381 => {
                &["X0_HIGH", "X0_LOW", "X1_HIGH", "X1_LOW", "Y0_HIGH", "Y0_LOW", "Y1_HIGH", "Y1_LOW"]
            }
        }
    }

    /// Length in bytes of a G1 point in the input of the pairing precompile, where it stands before a G2 point of twice the
    /// length.
    pub(super) fn point_bytes(self) -> usize {
        self.ends_g1().len().saturating_mul(32)
    }

    /// Lines that store the constants of a G2 point as the second part of a pair that begins `at` bytes after `base`.
    pub(super) fn second_of_pair(self, base: &str, at: usize, name: &str) -> String {
        let mut lines = Lines::new(16);
        stores(&mut lines, base, at.saturating_add(self.point_bytes()), name, self.ends_g2());
        lines.finish()
    }

    /// Encodes a point in words for the precompiles: a coordinate of BN254 takes one word, a coordinate of BLS12-381 takes two,
    /// of which the first holds the bits from 2^256 on. Infinity is all zeros.
    fn point<C: Curve>(self, p: &Affine<C>) -> Vec<[u8; 32]> {
        let degree = C::Base::DEGREE;
        let mut words = Vec::with_capacity(8);
        for coordinate in [p.x, p.y] {
            let part = |i| coordinate.coord(i);
            match self {
                Self::Bn254 => words.extend((0..degree).rev().flat_map(|i| words_of(&part(i)))),
                Self::Bls12_381 => words.extend((0..degree).flat_map(|i| words_of(&part(i)))),
            }
        }
        words
    }

    /// The words of a point as literals, each with the suffix of its constant's name.
    pub(super) fn words<C: Curve>(self, p: &Affine<C>) -> Words {
        let ends = if C::Base::DEGREE == 1 { self.ends_g1() } else { self.ends_g2() };
        ends.iter().copied().zip(self.point(p).iter().map(short_hex)).collect()
    }

    /// The words of a point as hexadecimal strings of 64 digits.
    pub(super) fn hex<C: Curve>(self, p: &Affine<C>) -> Vec<String> {
        self.point(p).iter().map(|word| hex(word)).collect()
    }
}

/// The negative of a point.
#[cfg_attr(not(test), expect(clippy::arithmetic_side_effects, reason = "a group has no overflow"))]
pub(super) fn minus<C: Curve>(p: &Affine<C>) -> Affine<C> {
    -*p
}

/// Splits a number into 32-byte words, the most significant first.
pub(super) fn words_of<F: PrimeField>(x: &F) -> Vec<[u8; 32]> {
    let mut bytes = vec![0; F::BYTES];
    x.write_be(&mut bytes);
    let mut padded = vec![0; F::BYTES.next_multiple_of(32).saturating_sub(F::BYTES)];
    padded.extend(bytes);
    padded.as_chunks().0.to_vec()
}

/// Bytes in hexadecimal with the prefix 0x.
pub(super) fn hex(bytes: &[u8]) -> String {
    format!("0x{}", to_hex(bytes))
}

/// A word in hexadecimal, with only the lower half where the upper half is zero. (Solidity takes a literal of 40 digits for an
/// address.)
fn short_hex(word: &[u8; 32]) -> String {
    let (high, low) = word.split_at(16);
    if high.iter().all(|byte| *byte == 0) { hex(low) } else { hex(word) }
}

/// The modulus of `F` in hexadecimal.
pub(super) fn order<F: PrimeField>() -> String {
    let mut limbs = F::MODULUS.as_ref().to_vec();
    limbs.reverse();
    hex(&limbs.iter().flat_map(|limb| limb.to_be_bytes()).collect::<Vec<u8>>())
}

/// The type of the list of public values. Solidity has no arrays of length zero: an empty list has a type of any length, and
/// the contract requires that it is empty.
pub(super) fn values_type(count: usize) -> String {
    if count == 0 { String::from("uint256[]") } else { format!("uint256[{count}]") }
}
