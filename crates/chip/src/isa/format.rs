//! The formats of words (\[CP\] Fig. 11): fields from the most significant bit down, 32 bits together.
//!
//! The paper gives Length10 up to 1,024, Round7 up to 128 and Loop_num16 up to 2^16: they fit if a value is stored less
//! one, which is inferred. Fields of ours lie in what the paper pads.

use super::inst::{Channel, Direction, Field, Group, Tables};

/// A field of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitField<H> {
    /// The paper's name of it.
    pub name: &'static str,
    /// Width in bits.
    pub bits: u32,
    /// What its value means.
    pub holds: H,
}

/// What a field of an L1 word holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum L1Holds {
    /// The row's opcode.
    Opcode,
    /// A value of the instruction: from `min` to `max`, stored less `less`.
    Value {
        /// The part of the instruction that the field holds.
        part: Part,
        /// The smallest value that is encoded.
        min: u32,
        /// The largest value that is encoded.
        max: u32,
        /// What is taken off it in the word.
        less: u32,
    },
    /// log2 of the length, which must be a power of two.
    Stages,
    /// An eighth of the length, stored less one: eight points a cycle.
    Rounds,
    /// Padding, which is zero.
    Zero,
}

/// The values that an L1 instruction has, and how text spells them.
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
    /// Times: a number.
    Count,
    /// Address generator of the transfer engine, or generator of twiddles: `s3`.
    Stream,
    /// Sub-NTTs side by side in the banks, a power of two: `x4`; the word holds its logarithm.
    Batch,
    /// The table of twiddles that the sub-NTTs of a batch take: `shared` or `own`.
    Tables,
    /// Group of an MSM: `g1` or `g2`.
    Group,
}

/// What a field of an L2 word holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum L2Holds {
    /// The row's opcode.
    Opcode,
    /// Bank of an operand; of a forwarded one the channel; zero without the operand.
    Bank(usize),
    /// Row of an operand; zero for a forwarded one and without the operand.
    Row(usize),
    /// Bank of the destination, 3 for none.
    ToBank,
    /// Row of the destination, zero for none.
    ToRow,
    /// 1 or 2 if an operand is forwarded.
    Path,
    /// The forwarded operands: 0 the first, 1 the second, 2 both; zero if none is.
    Forwarded,
    /// Ends the routine.
    Last,
    /// Issues with the next word.
    WithNext,
    /// Padding, which is zero.
    Zero,
}

/// The channels by their number in a forwarded operand's bank field, with their names in text.
pub const CHANNELS: [(Channel, &str); 3] =
    [(Channel::Mm, "mm"), (Channel::Arith, "arith"), (Channel::Inv, "inv")];
/// The number of a destination's bank when nothing is written.
pub const NOWHERE: u32 = 3;
/// Names of [`Part::Direction`] by number.
pub const DIRECTIONS: [(Direction, &str); 2] = [(Direction::In, "in"), (Direction::Out, "out")];
/// Names of [`Part::Tables`] by number.
pub const TABLES: [(Tables, &str); 2] = [(Tables::Shared, "shared"), (Tables::Own, "own")];
/// Names of [`Part::Group`] by number.
pub const GROUPS: [(Group, &str); 2] = [(Group::G1, "g1"), (Group::G2, "g2")];
/// Names of [`Part::Field`] by number.
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

/// The one format of L2.
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
