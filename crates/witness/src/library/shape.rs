//! The shapes of functions: their instructions without the addresses and constants that differ from prime to prime.

use super::instruction::{Instruction, locals};
use super::module::Module;
use std::collections::BTreeMap;

/// The range of addresses of circom's constants; smaller numbers are sizes, flags and fixed addresses.
const ADDRESSES: core::ops::Range<usize> = 256..1 << 16;
/// Size of an element in bytes.
const ELEMENT: usize = 32;
/// Largest depth of nested calls that are followed.
const DEPTH: u32 = 4;

/// The shape of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// The digest of the locals, the instructions and the functions that it calls. It distinguishes the functions of one
    /// program and is not a protection against attacks: the author of a calculator decides what it computes anyway.
    pub(super) digest: u64,
    /// The addresses of elements, in the order of their first use, here and then in the called functions.
    pub(super) addresses: Vec<usize>,
    /// The 64-bit constants at the beginning of bodies, in the same order.
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

    /// The shape of a function, if the function and those that it calls can be decoded.
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
        // circom's reductions begin with a constant that depends on the prime.
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
    /// Adds words to the digest, one per step: FNV-1a with a rotation after each product.
    fn digest(&mut self, words: &[u64]) {
        for word in words {
            self.digest = (self.digest ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23);
        }
    }

    /// Adds a number to the digest: the number itself or, if it is an address, the index of the element and the offset in it.
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
