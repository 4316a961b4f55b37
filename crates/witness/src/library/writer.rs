//! An assembler for WebAssembly instructions, including the wide arithmetic proposal.

use super::module::number;

/// The index of a local of a function; parameters come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Local(pub(super) u8);

/// A 64-bit operand.
#[derive(Clone, Copy)]
pub(super) enum Word {
    /// The value of a local.
    In(Local),
    /// A constant of 64 bits.
    Constant(u64),
    /// The word in memory at an address in a local plus an offset.
    At(Local, usize),
}

/// The body of a function that is being written.
pub(super) struct Writer(Vec<u8>);

impl Writer {
    /// Begins a body with `words` 64-bit locals besides its parameters.
    pub(super) fn new(words: u8) -> Self {
        Self(if words == 0 { vec![0] } else { vec![1, words, 0x7e] })
    }

    /// Begins a body with encoded locals.
    pub(super) fn after(locals: &[u8]) -> Self {
        Self(locals.to_vec())
    }

    /// The bytes of the body without `end`.
    pub(super) fn unended(self) -> Vec<u8> {
        self.0
    }

    /// The bytes of the body with `end`.
    pub(super) fn end(mut self) -> Vec<u8> {
        self.0.push(0x0b);
        self.0
    }

    fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.extend_from_slice(bytes);
        self
    }

    pub(super) fn get(&mut self, local: Local) -> &mut Self {
        self.bytes(&[0x20, local.0])
    }

    pub(super) fn set(&mut self, local: Local) -> &mut Self {
        self.bytes(&[0x21, local.0])
    }

    /// Pushes a 64-bit constant.
    pub(super) fn constant(&mut self, value: u64) -> &mut Self {
        self.bytes(&[0x42]);
        let mut rest = value.cast_signed();
        loop {
            let low = u8::try_from(rest & 0x7f).unwrap_or(0);
            rest >>= 7;
            if (rest == 0 && low & 0x40 == 0) || (rest == -1 && low & 0x40 != 0) {
                return self.bytes(&[low]);
            }
            self.bytes(&[low | 0x80]);
        }
    }

    /// Pushes a word.
    pub(super) fn word(&mut self, word: Word) -> &mut Self {
        match word {
            Word::In(local) => self.get(local),
            Word::Constant(value) => self.constant(value),
            Word::At(address, offset) => {
                self.get(address).bytes(&[0x29, 3]);
                number(&mut self.0, offset);
                self
            }
        }
    }

    /// Stores a word at an address in a local and an offset.
    pub(super) fn store(&mut self, address: Local, offset: usize, word: Word) -> &mut Self {
        self.get(address).word(word).bytes(&[0x37, 3]);
        number(&mut self.0, offset);
        self
    }

    /// Pushes the product of two words as two words, the low one first.
    pub(super) fn product(&mut self, a: Word, b: Word) -> &mut Self {
        self.word(a).word(b).bytes(&[0xfc, 0x16])
    }

    /// Adds a word to the 128-bit number on the stack.
    pub(super) fn plus(&mut self, word: Word) -> &mut Self {
        self.word(word).constant(0).bytes(&[0xfc, 0x13])
    }

    /// Adds a sign, 0 or -1, to the 128-bit number on the stack.
    pub(super) fn plus_sign(&mut self, sign: Local) -> &mut Self {
        self.get(sign).get(sign).bytes(&[0xfc, 0x13])
    }

    /// Pushes a word, extended to 128 bits with zeros.
    pub(super) fn wide(&mut self, word: Word) -> &mut Self {
        self.word(word).constant(0)
    }

    /// Subtracts a word from the 128-bit number on the stack.
    pub(super) fn minus(&mut self, word: Word) -> &mut Self {
        self.word(word).constant(0).bytes(&[0xfc, 0x14])
    }

    /// Pops a 128-bit number from the stack into two locals.
    pub(super) fn into(&mut self, low: Local, high: Local) -> &mut Self {
        self.set(high).set(low)
    }

    /// Stores one of two locals: the first if `which` is not negative.
    pub(super) fn select_store(
        &mut self,
        to: Local,
        offset: usize,
        a: Local,
        b: Local,
        which: Local,
    ) -> &mut Self {
        self.get(to).get(a).get(b).get(which).is_not_negative().bytes(&[0x1b, 0x37, 3]);
        number(&mut self.0, offset);
        self
    }

    /// Loads the 32-bit number at an address.
    pub(super) fn short(&mut self, address: Local) -> &mut Self {
        self.get(address).bytes(&[0x28, 2, 0])
    }

    /// Shifts the word on the stack to the right.
    pub(super) fn shifted(&mut self, bits: u64) -> &mut Self {
        self.constant(bits).bytes(&[0x88])
    }

    /// Pops a 32-bit number and runs the instructions of `body` if it is not zero.
    pub(super) fn if_then(&mut self, body: impl FnOnce(&mut Self)) -> &mut Self {
        self.bytes(&[0x04, 0x40]);
        body(self);
        self.bytes(&[0x0b])
    }

    /// Pops a 32-bit number and, if it is not zero, runs the instructions of `body` and returns.
    pub(super) fn return_if(&mut self, body: impl FnOnce(&mut Self)) -> &mut Self {
        self.bytes(&[0x04, 0x40]);
        body(self);
        self.bytes(&[0x0f, 0x0b])
    }

    /// Runs the instructions of `body` as often as a 32-bit local says, at least once; the local counts down to 0.
    pub(super) fn again(&mut self, count: Local, body: impl FnOnce(&mut Self)) -> &mut Self {
        self.bytes(&[0x03, 0x40]);
        body(self);
        self.get(count).bytes(&[0x41, 1, 0x6b, 0x22, count.0, 0x0d, 0, 0x0b])
    }

    /// Pushes a 32-bit constant.
    pub(super) fn short_constant(&mut self, value: i64) -> &mut Self {
        // Constants of both widths are encoded as signed numbers.
        let at = self.0.len();
        self.constant(value.cast_unsigned());
        if let Some(code) = self.0.get_mut(at) {
            *code = 0x41;
        }
        self
    }

    /// Adds the 32-bit number that `number` pushes to a local.
    pub(super) fn add_short(
        &mut self,
        local: Local,
        number: impl FnOnce(&mut Self) -> &mut Self,
    ) -> &mut Self {
        number(self.get(local)).add_shorts().set(local)
    }

    pub(super) fn call(&mut self, function: usize) -> &mut Self {
        self.bytes(&[0x10]);
        number(&mut self.0, function);
        self
    }

    /// Appends encoded instructions.
    pub(super) fn instructions(&mut self, code: &[u8]) -> &mut Self {
        self.bytes(code)
    }
}

/// Defines methods that append instructions without immediate operands.
macro_rules! operations {
    ($($(#[$about:meta])* $name:ident [$($byte:literal)+];)+) => {
        impl Writer {$(
            $(#[$about])*
            pub(super) fn $name(&mut self) -> &mut Self {
                self.bytes(&[$($byte),+])
            }
        )+}
    };
}
operations! {
    add [0x7c];
    multiply [0x7e];
    and [0x83];
    or [0x84];
    xor [0x85];
    /// Whether a word on the stack is zero.
    is_zero [0x50];
    /// Whether the second word on the stack is smaller than the top one, unsigned.
    below [0x54];
    /// The low 32 bits of a word.
    half [0xa7];
    /// Whether two 32-bit numbers on the stack, each 0 or 1, are both 1.
    both [0x71];
    /// Whether a word on the stack is not negative.
    is_not_negative [0x42 0 0x59];
    /// Whether a 32-bit number on the stack is not negative.
    is_not_negative_short [0x41 0 0x4e];
    /// Adds two 32-bit numbers on the stack.
    add_shorts [0x6a];
    drop_top [0x1a];
}
