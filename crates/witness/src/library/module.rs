//! A module split into its sections: function bodies, initial memory contents and exported functions.

use super::instruction::{Instruction, locals};
use crate::bytes::Bytes;
use crate::bytes::section::{CODE, CUSTOM, DATA, ELEMENTS, EXPORTS, FUNCTIONS, IMPORTS, START, TYPES};

/// The parts of a module that are needed here.
pub(super) struct Module<'a> {
    wasm: &'a [u8],
    /// Number of imported functions; the indices of all other functions begin after them.
    pub(super) imported: usize,
    /// The body of each function: its locals and its instructions.
    pub(super) bodies: Vec<Bytes<'a>>,
    /// Indices of the functions that are exported, run at the start, or are in tables.
    entries: Vec<usize>,
    data: Option<Bytes<'a>>,
    /// Index of the type of functions with four 32-bit parameters and no result, if there is one.
    four: Option<usize>,
}

impl<'a> Module<'a> {
    /// Reads a module; `None` if it contains anything that circom does not write.
    pub(super) fn read(wasm: &'a [u8]) -> Option<Self> {
        let mut this =
            Self { wasm, imported: 0, bodies: Vec::new(), entries: Vec::new(), data: None, four: None };
        for (id, mut section) in sections(wasm)? {
            match id {
                TYPES => {
                    for index in 0..section.number()? {
                        let (form, parameters, results) =
                            (section.byte()?, section.sized()?, section.sized()?);
                        if form != 0x60 {
                            return None;
                        }
                        if parameters == [0x7f; 4] && results.is_empty() {
                            this.four = Some(index);
                        }
                    }
                }
                IMPORTS => this.imported = section.imported_functions()?,
                EXPORTS => {
                    for _ in 0..section.number()? {
                        let _ = section.sized()?;
                        let (kind, index) = (section.byte()?, section.number()?);
                        if kind == 0 {
                            this.entries.push(index);
                        }
                    }
                }
                START => this.entries.push(section.number()?),
                ELEMENTS => {
                    for _ in 0..section.number()? {
                        // Entries of the first table, from a constant index on.
                        let header = (section.number()?, Instruction::read(&mut section)?);
                        let (0, Instruction::I32(_)) = header else { return None };
                        let Instruction::Plain(0x0b) = Instruction::read(&mut section)? else { return None };
                        for _ in 0..section.number()? {
                            this.entries.push(section.number()?);
                        }
                    }
                }
                CODE => {
                    for _ in 0..section.number()? {
                        this.bodies.push(Bytes(section.sized()?));
                    }
                }
                DATA => this.data = Some(section),
                _ => {}
            }
        }
        Some(this)
    }

    /// The body of a function that is not imported.
    pub(super) fn body(&self, function: usize) -> Option<Bytes<'a>> {
        self.bodies.get(function.checked_sub(self.imported)?).copied()
    }

    /// The 32 bytes of initial memory at an address, as little-endian words; `None` if not all of them are in the module's
    /// data.
    pub(super) fn constant(&self, address: usize) -> Option<[u64; 4]> {
        let mut found = [None; 32];
        let mut data = self.data?;
        for _ in 0..data.number()? {
            // A segment of the first memory at a constant offset.
            let header = (data.number()?, Instruction::read(&mut data)?, Instruction::read(&mut data)?);
            let (0, Instruction::I32(start), Instruction::Plain(0x0b)) = header else { return None };
            let start = usize::try_from(start).ok()?;
            let bytes = data.sized()?;
            for (place, at) in found.iter_mut().zip(address..) {
                if let Some(byte) = at.checked_sub(start).and_then(|index| bytes.get(index)) {
                    *place = Some(*byte);
                }
            }
        }
        let mut words = [0; 4];
        for (word, bytes) in words.iter_mut().zip(found.chunks(8)) {
            for byte in bytes.iter().rev() {
                *word = *word << 8 | u64::from((*byte)?);
            }
        }
        Some(words)
    }

    /// For each function, whether it can be reached from outside, where `body(i)` is the body of function `i`. `None` if there
    /// is an instruction that circom does not write.
    pub(super) fn reached(&self, body: impl Fn(usize) -> Option<Bytes<'a>>) -> Option<Vec<bool>> {
        let mut reached = vec![false; self.next()?.checked_add(1)?];
        let mut waiting = self.entries.clone();
        while let Some(function) = waiting.pop() {
            let seen = reached.get_mut(function)?;
            if core::mem::replace(seen, true) || function < self.imported {
                continue;
            }
            let mut code = body(function)?;
            locals(&mut code, |_, _| {})?;
            while !code.0.is_empty() {
                if let Instruction::Call(callee) = Instruction::read(&mut code)? {
                    waiting.push(callee);
                }
            }
        }
        Some(reached)
    }

    /// The index of a function that is appended.
    pub(super) fn next(&self) -> Option<usize> {
        self.imported.checked_add(self.bodies.len())
    }

    /// The module with other bodies and one more function, which has four 32-bit parameters and no result. Sections that do not
    /// concern a compiler, such as names, are left out.
    pub(super) fn with_bodies<'b>(&'b self, body: impl Fn(usize) -> &'b [u8]) -> Option<Vec<u8>> {
        let four = self.four?;
        let functions = self.bodies.len().checked_add(1)?;
        let mut wasm = self.wasm.get(..8)?.to_vec();
        for (id, mut section) in sections(self.wasm)? {
            let mut changed = Vec::new();
            match id {
                FUNCTIONS => {
                    if section.number()? != self.bodies.len() {
                        return None;
                    }
                    number(&mut changed, functions);
                    changed.extend_from_slice(section.0);
                    number(&mut changed, four);
                }
                CODE => {
                    number(&mut changed, functions);
                    for body in (self.imported..=self.next()?).map(&body) {
                        number(&mut changed, body.len());
                        changed.extend_from_slice(body);
                    }
                }
                CUSTOM => continue,
                _ => changed.extend_from_slice(section.0),
            }
            wasm.push(id);
            number(&mut wasm, changed.len());
            wasm.extend(changed);
        }
        Some(wasm)
    }
}

/// The number and the bytes of each section.
pub(super) fn sections(wasm: &[u8]) -> Option<Vec<(u8, Bytes<'_>)>> {
    let mut rest = Bytes(wasm.get(8..)?);
    let mut sections = Vec::new();
    while !rest.0.is_empty() {
        sections.push((rest.byte()?, Bytes(rest.sized()?)));
    }
    Some(sections)
}

/// Writes a number in LEB128.
pub(super) fn number(bytes: &mut Vec<u8>, mut number: usize) {
    loop {
        let low = u8::try_from(number & 0x7f).unwrap_or(0);
        number >>= 7;
        if number == 0 {
            return bytes.push(low);
        }
        bytes.push(low | 0x80);
    }
}
