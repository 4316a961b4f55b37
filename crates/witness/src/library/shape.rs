//! Functions by their shape: their instructions, apart from the addresses and the constants that differ from prime to prime.

use super::instruction::{Instruction, locals};
use super::module::Module;
use std::collections::BTreeMap;

/// Where circom keeps its constants: smaller numbers are sizes, flags and fixed places.
const ADDRESSES: core::ops::Range<usize> = 256..1 << 16;
/// Bytes of an element.
const ELEMENT: usize = 32;
/// Calls within calls that are followed.
const DEPTH: u32 = 4;

/// The shape of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// The digest of its locals, its instructions and the functions that it calls. It tells the functions of one program
    /// from one another and is no defence: a calculator's author decides what it computes anyway.
    pub(super) digest: u64,
    /// Addresses of elements, in the order in which they are met, here and then in the functions that it calls.
    pub(super) addresses: Vec<usize>,
    /// The 64-bit constants with which bodies begin, in the same order.
    pub(super) constants: Vec<i64>,
}

/// The shapes of a module's functions, each computed once.
pub(super) struct Shapes<'m, 'a> {
    module: &'m Module<'a>,
    known: BTreeMap<usize, Option<Shape>>,
}

impl<'m, 'a> Shapes<'m, 'a> {
    pub(super) fn new(module: &'m Module<'a>) -> Self {
        Self { module, known: BTreeMap::new() }
    }

    /// The shape of a function, if it and those that it calls have one.
    pub(super) fn of(&mut self, function: usize) -> Option<Shape> {
        self.within(function, DEPTH)
    }

    fn within(&mut self, function: usize, depth: u32) -> Option<Shape> {
        if let Some(known) = self.known.get(&function) {
            return known.clone();
        }
        let shape = self.read(function, depth.checked_sub(1)?);
        self.known.insert(function, shape.clone());
        shape
    }

    fn read(&mut self, function: usize, depth: u32) -> Option<Shape> {
        let mut code = self.module.body(function)?;
        let mut shape = Shape { digest: 0xcbf2_9ce4_8422_2325, addresses: Vec::new(), constants: Vec::new() };
        locals(&mut code, |count, kind| {
            shape.digest(&[u64::try_from(count).unwrap_or(u64::MAX), kind.into()]);
        })?;
        // circom's reductions begin with a constant of the prime.
        let mut begin = code;
        if let Some(Instruction::I64(constant)) = Instruction::read(&mut begin) {
            shape.constants.push(constant);
            code = begin;
        }
        while !code.0.is_empty() {
            match Instruction::read(&mut code)? {
                Instruction::Plain(operation) => shape.digest(&[0, operation.into()]),
                Instruction::Index(operation, index) => {
                    shape.digest(&[1, operation.into(), index.cast_unsigned()]);
                }
                Instruction::Memory(operation, offset) => {
                    shape.digest(&[2, operation.into()]);
                    shape.number(offset);
                }
                Instruction::I32(value) => match usize::try_from(value) {
                    Ok(value) => {
                        shape.digest(&[3]);
                        shape.number(value);
                    }
                    Err(_) => shape.digest(&[4, value.cast_unsigned()]),
                },
                Instruction::I64(value) => shape.digest(&[5, value.cast_unsigned()]),
                Instruction::Call(callee) => {
                    let callee = self.within(callee, depth)?;
                    shape.digest(&[6, callee.digest]);
                    for address in callee.addresses {
                        shape.number(address);
                    }
                    shape.constants.extend(callee.constants);
                }
            }
        }
        Some(shape)
    }
}

impl Shape {
    /// Takes words into the digest, a word a step: as FNV-1a does, with a rotation after each product.
    fn digest(&mut self, words: &[u64]) {
        for word in words {
            self.digest = (self.digest ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23);
        }
    }

    /// Takes a number in: itself, or, where it is an address, which of them and where in the element.
    fn number(&mut self, number: usize) {
        if !ADDRESSES.contains(&number) {
            return self.digest(&[0, u64::try_from(number).unwrap_or(u64::MAX)]);
        }
        let within = |&start: &usize| number.checked_sub(start).filter(|&at| at < ELEMENT);
        let found =
            self.addresses.iter().enumerate().find_map(|(index, start)| Some((index, within(start)?)));
        let (index, at) = found.unwrap_or_else(|| {
            self.addresses.push(number);
            (self.addresses.len().saturating_sub(1), 0)
        });
        self.digest(&[1, u64::try_from(index).unwrap_or(u64::MAX), u64::try_from(at).unwrap_or(u64::MAX)]);
    }
}
