//! The formats of instruction words (\[CP\] Fig. 11). A format lists its fields from the most significant bit down, 32 bits
//! together.
//!
//! The paper gives Length10 up to 1,024, Round7 up to 128 and Loop_num16 up to 2^16. They fit if a value is stored less one,
//! which is inferred. Fields that this project adds lie in the paper's padding.

use super::inst::{Channel, Direction, Field, Group, Tables};

/// A field of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitField<H> {
    /// The name of the field, in \[CP\] where it is printed there.
    pub name: &'static str,
    /// Width in bits.
    pub bits: u32,
    /// The meaning of the field's value.
    pub holds: H,
}

/// The meaning of a field of an L1 word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum L1Holds {
    /// The row's opcode.
    Opcode,
    /// A value of the instruction, from `min` to `max`, stored as the value minus `less`.
    Value {
        /// The part of the instruction that the field holds.
        part: Part,
        /// The smallest value that is encoded.
        min: u32,
        /// The largest value that is encoded.
        max: u32,
        /// The offset that is subtracted in the word: 0 or 1.
        less: u32,
    },
    /// log2 of the length, which must be a power of two.
    Stages,
    /// An eighth of the length, stored less one: the rounds of a stage, of eight points each.
    Rounds,
    /// Padding, which is zero.
    Zero,
}

/// The values that an L1 instruction can have, with their spelling in text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Points, entries, rows or bits: a number.
    Length,
    /// Set of banks: a number.
    Src,
    /// Direction of the switcher: `in` or `out`.
    Direction,
    /// Row of the global bank: `g40`.
    Global,
    /// First row in Bank0-2: `b1.5`, in the word its linear address.
    Local,
    /// Field of the datapath: `fq` or `fr`.
    Field,
    /// L1 address: a label or a number.
    Target,
    /// L2 address: a label or a number.
    Routine,
    /// Number of times: a number.
    Count,
    /// Address generator of the transfer engine, or generator of twiddles: `s3`.
    Stream,
    /// Number of sub-NTTs in the banks, a power of two: `x4`; the word holds its logarithm.
    Batch,
    /// Whether the sub-NTTs of a batch share a table of twiddles: `shared` or `own`.
    Tables,
    /// Group of an MSM: `g1` or `g2`.
    Group,
}

/// The meaning of a field of an L2 word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum L2Holds {
    /// The row's opcode.
    Opcode,
    /// Bank of this operand, or the channel if it is forwarded; zero if the operation does not have it.
    Bank(usize),
    /// Row of this operand; zero if it is forwarded or if the operation does not have it.
    Row(usize),
    /// Bank of the destination, 3 for none.
    ToBank,
    /// Row of the destination, zero for none.
    ToRow,
    /// The forwarding path, 1 or 2; zero if no operand is forwarded.
    Path,
    /// The forwarded operands: 0 for the first, 1 for the second, 2 for both; zero if there is none.
    Forwarded,
    /// 1 if the word ends the routine.
    Last,
    /// 1 if the word issues in the same slot as the next one.
    WithNext,
    /// Padding, which is zero.
    Zero,
}

/// The channels with their names in text; the index is the number in the bank field of a forwarded operand.
pub const CHANNELS: [(Channel, &str); 3] =
    [(Channel::Mm, "mm"), (Channel::Arith, "arith"), (Channel::Inv, "inv")];
/// The value of the destination's bank field when no row is written.
pub const NOWHERE: u32 = 3;
/// Values of [`Part::Direction`] with their names, by their number in the word.
pub const DIRECTIONS: [(Direction, &str); 2] = [(Direction::In, "in"), (Direction::Out, "out")];
/// Values of [`Part::Tables`] with their names, by their number in the word.
pub const TABLES: [(Tables, &str); 2] = [(Tables::Shared, "shared"), (Tables::Own, "own")];
/// Values of [`Part::Group`] with their names, by their number in the word.
pub const GROUPS: [(Group, &str); 2] = [(Group::G1, "g1"), (Group::G2, "g2")];
/// Values of [`Part::Field`] with their names, by their number in the word.
pub const FIELDS: [(Field, &str); 2] = [(Field::Fq, "fq"), (Field::Fr, "fr")];

const fn field<H>(name: &'static str, bits: u32, holds: H) -> BitField<H> {
    BitField { name, bits, holds }
}

const fn value(part: Part, min: u32, max: u32) -> L1Holds {
    L1Holds::Value { part, min, max, less: 0 }
}

const fn less_one(part: Part, min: u32, max: u32) -> L1Holds {
    L1Holds::Value { part, min, max, less: 1 }
}

const fn pad(bits: u32) -> BitField<L1Holds> {
    field("Pad", bits, L1Holds::Zero)
}

const OP: BitField<L1Holds> = field("Op", 6, L1Holds::Opcode);
const LENGTH: BitField<L1Holds> = field("Length", 10, less_one(Part::Length, 1, 1024));
const SRC: BitField<L1Holds> = field("Src", 1, value(Part::Src, 0, 1));
const GLOBAL: BitField<L1Holds> = field("Global", 8, value(Part::Global, 0, 255));
const TARGET: BitField<L1Holds> = field("Addr", 10, value(Part::Target, 0, 1023));

pub(super) type Format = &'static [BitField<L1Holds>];
pub(super) const BARE: Format = &[OP, pad(26)];
pub(super) const SUB_NTT: Format = &[
    OP,
    field("Length", 10, less_one(Part::Length, 32, 1024)),
    field("Stage", 4, L1Holds::Stages),
    field("Round", 7, L1Holds::Rounds),
    SRC,
    field("Batch", 3, value(Part::Batch, 0, 5)),
    field("Tables", 1, value(Part::Tables, 0, 1)),
];
pub(super) const ENTRIES: Format = &[OP, LENGTH, SRC, pad(15)];
const STREAM: BitField<L1Holds> = field("Stream", 8, value(Part::Stream, 0, 255));
pub(super) const MOVE: Format = &[OP, LENGTH, SRC, STREAM, pad(7)];
pub(super) const GEN_TW: Format = &[
    OP,
    field("Length", 10, less_one(Part::Length, 32, 1024)),
    field("Stage", 4, L1Holds::Stages),
    field("Batch", 3, value(Part::Batch, 0, 5)),
    SRC,
    STREAM,
];
pub(super) const POINTS: Format = &[OP, LENGTH, SRC, field("Group", 1, value(Part::Group, 0, 1)), pad(14)];
pub(super) const SWITCH: Format = &[
    OP,
    field("Length", 10, less_one(Part::Length, 1, 96)),
    field("Src", 1, value(Part::Direction, 0, 1)),
    GLOBAL,
    field("Local", 7, value(Part::Local, 0, 95)),
];
pub(super) const LOAD_SCAN: Format = &[
    OP,
    field("Length", 10, less_one(Part::Length, 1, 384)),
    field("Src", 1, L1Holds::Zero),
    GLOBAL,
    pad(7),
];
pub(super) const SET_FIELD: Format = &[OP, field("Field", 1, value(Part::Field, 0, 1)), pad(25)];
pub(super) const CALL: Format = &[OP, field("Addr", 10, value(Part::Routine, 0, 1023)), pad(16)];
pub(super) const REPEAT: Format = &[
    OP,
    field("Addr", 10, value(Part::Routine, 0, 1023)),
    field("Times", 16, less_one(Part::Count, 1, 1 << 16)),
];
pub(super) const BRANCH: Format = &[OP, TARGET, pad(16)];
pub(super) const LOOP: Format = &[OP, TARGET, field("Loop_num", 16, less_one(Part::Count, 1, 1 << 16))];

/// The format of all L2 words.
pub const L2_FORMAT: [BitField<L2Holds>; 12] = [
    field("OP", 4, L2Holds::Opcode),
    field("ID0", 2, L2Holds::Bank(0)),
    field("Addr0", 5, L2Holds::Row(0)),
    field("ID1", 2, L2Holds::Bank(1)),
    field("Addr1", 5, L2Holds::Row(1)),
    field("ID2", 2, L2Holds::ToBank),
    field("Addr2", 5, L2Holds::ToRow),
    field("Fwd_type", 2, L2Holds::Path),
    field("Fwd_idx", 2, L2Holds::Forwarded),
    field("Pad[2]", 1, L2Holds::Zero),
    field("Pad[1]", 1, L2Holds::Last),
    field("Pad[0]", 1, L2Holds::WithNext),
];
