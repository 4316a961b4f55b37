//! The instruction set as a table with one row per instruction. Encoder, decoder, assembler, disassembler and the book's
//! reference page all read it.
//!
//! The paper prints no opcodes: they are inferred. Opcode 0 is no instruction at either level, so that an empty memory
//! cannot run.

use super::format::{
    BARE, BRANCH, BitField, CALL, ENTRIES, Format, GEN_TW, L1Holds, LOAD_SCAN, LOOP, MOVE, POINTS, Part,
    REPEAT, SET_FIELD, SUB_NTT, SWITCH,
};
use super::inst::{Channel, Direction, Field, Group, L1, L2Op, LoopReg, Memory, Tables, Transform, VectorOp};

/// The unit that executes an L1 instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Executor {
    /// The Poly-OP engine.
    Poly,
    /// The MSM engine.
    Msm,
    /// The transfer engine between DRAM and chip.
    Dma,
    /// The memory switcher.
    Switcher,
    /// The pairing processor.
    Pairing,
    /// The top controller itself.
    Control,
}

impl Executor {
    /// Its name in the reference page.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Poly => "Poly-OP",
            Self::Msm => "MSM",
            Self::Dma => "DMA",
            Self::Switcher => "switcher",
            Self::Pairing => "pairing",
            Self::Control => "control",
        }
    }
}

/// The origin of an instruction: how much of its row \[CP\] prints. Opcodes are never printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// \[CP\] Fig. 11 prints name and format, and the text says what the instruction does.
    Printed,
    /// Inferred, \[I\]: one of a family of which Fig. 11 prints the format, or our reading of a name that is printed without
    /// its meaning.
    Inferred,
    /// An extension of this project, \[I\], in bits that the paper leaves free.
    Extension,
}

impl Origin {
    /// Its name in the reference page.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Printed => "Fig. 11",
            Self::Inferred => "[I]",
            Self::Extension => "ours [I]",
        }
    }
}

/// A row of the table of L1 instructions.
#[derive(Clone, Copy, Debug)]
pub struct L1Row {
    /// The mnemonic in assembly text.
    pub mnemonic: &'static str,
    /// The value of the field `Op`, 6 bits.
    pub opcode: u32,
    /// The instruction with all parts zero, which the opcode alone determines.
    pub blank: L1,
    /// The fields of the word, from the most significant bit down.
    pub format: &'static [BitField<L1Holds>],
    /// The unit that executes it.
    pub unit: Executor,
    /// Whether \[CP\] prints the instruction.
    pub origin: Origin,
    /// A description for the reference page.
    pub about: &'static str,
}

/// A row of the table of L2 instructions.
#[derive(Clone, Copy, Debug)]
pub struct L2Row {
    /// The operation that the row describes.
    pub op: L2Op,
    /// The mnemonic in assembly text.
    pub mnemonic: &'static str,
    /// The name in \[CP\].
    pub printed: &'static str,
    /// The value of the field `OP`, 4 bits.
    pub opcode: u32,
    /// The channel that executes it; `None` for a slot in which nothing issues.
    pub channel: Option<Channel>,
    /// Number of operands: 0, 1 or 2.
    pub operands: usize,
    /// Dotted path of the parameter that is, or determines, the latency; `None` for `nop`.
    pub latency: Option<&'static str>,
    /// Whether \[CP\] prints the instruction.
    pub origin: Origin,
    /// A description for the reference page.
    pub about: &'static str,
}

const fn row(
    opcode: u32,
    mnemonic: &'static str,
    blank: L1,
    format: Format,
    unit: Executor,
    origin: Origin,
    about: &'static str,
) -> L1Row {
    L1Row { mnemonic, opcode, blank, format, unit, origin, about }
}

const fn ntt(
    opcode: u32,
    mnemonic: &'static str,
    kind: Transform,
    origin: Origin,
    about: &'static str,
) -> L1Row {
    let blank = L1::SubNtt { kind, length: 0, src: 0, batch: 0, tables: Tables::Shared };
    row(opcode, mnemonic, blank, SUB_NTT, Executor::Poly, origin, about)
}

const fn vector(opcode: u32, mnemonic: &'static str, op: VectorOp, about: &'static str) -> L1Row {
    let blank = L1::Vector { op, length: 0, src: 0 };
    row(opcode, mnemonic, blank, ENTRIES, Executor::Poly, Origin::Inferred, about)
}

const fn load(opcode: u32, mnemonic: &'static str, memory: Memory, about: &'static str) -> L1Row {
    let blank = L1::Load { memory, length: 0, src: 0, stream: 0 };
    row(opcode, mnemonic, blank, MOVE, Executor::Dma, Origin::Inferred, about)
}

const fn store(opcode: u32, mnemonic: &'static str, memory: Memory, about: &'static str) -> L1Row {
    let blank = L1::Store { memory, length: 0, src: 0, stream: 0 };
    row(opcode, mnemonic, blank, MOVE, Executor::Dma, Origin::Inferred, about)
}

const fn load_scan(opcode: u32, mnemonic: &'static str, reg: LoopReg, about: &'static str) -> L1Row {
    let blank = L1::LoadScan { reg, bits: 0, global: 0 };
    row(opcode, mnemonic, blank, LOAD_SCAN, Executor::Switcher, Origin::Extension, about)
}

const fn jump(opcode: u32, mnemonic: &'static str, reg: LoopReg, about: &'static str) -> L1Row {
    row(opcode, mnemonic, L1::Jump { reg, addr: 0 }, BRANCH, Executor::Control, Origin::Inferred, about)
}

const fn scan(opcode: u32, mnemonic: &'static str, reg: LoopReg, about: &'static str) -> L1Row {
    row(opcode, mnemonic, L1::Scan { reg, addr: 0 }, BRANCH, Executor::Control, Origin::Inferred, about)
}

const fn repeat(opcode: u32, mnemonic: &'static str, reg: LoopReg, about: &'static str) -> L1Row {
    row(
        opcode,
        mnemonic,
        L1::Loop { reg, addr: 0, count: 0 },
        LOOP,
        Executor::Control,
        Origin::Printed,
        about,
    )
}

use LoopReg::{I, J, K};
use Origin::{Extension, Inferred, Printed};

/// The L1 instructions.
pub static L1_ROWS: &[L1Row] = &[
    ntt(0x01, "sub_ntt", Transform::Ntt, Printed, "NTT of `length` points in the banks of a set"),
    ntt(0x02, "sub_intt", Transform::Intt, Inferred, "INTT"),
    ntt(0x03, "sub_cntt", Transform::CosetNtt, Inferred, "coset NTT, twiddles merged"),
    ntt(0x04, "sub_cintt", Transform::CosetIntt, Inferred, "coset INTT, twiddles merged"),
    row(
        0x05,
        "gen_tw",
        L1::GenTwiddles { length: 0, batch: 0, src: 0, stream: 0 },
        GEN_TW,
        Executor::Poly,
        Extension,
        "tables of merged twiddles for the next row generators, made on the elements that are no butterflies",
    ),
    vector(0x08, "vec_mul", VectorOp::Mul, "products of `length` pairs of entries"),
    vector(0x09, "vec_add", VectorOp::Add, "sums"),
    vector(0x0a, "vec_sub", VectorOp::Sub, "differences"),
    vector(0x0b, "vec_muladd", VectorOp::MulAdd, "products added to a third vector"),
    row(
        0x0c,
        "msm_op1",
        L1::MsmOp1 { length: 0, src: 0, group: Group::G1 },
        POINTS,
        Executor::Msm,
        Printed,
        "bucket accumulation of `length` points",
    ),
    row(0x0d, "msm_initp2", L1::MsmInitP2, BARE, Executor::Msm, Printed, "start of bucket reduction"),
    row(0x0e, "msm_initp3", L1::MsmInitP3, BARE, Executor::Msm, Printed, "start of group aggregation"),
    load(0x10, "load_a", Memory::A, "DRAM to Banks_A, `length` entries"),
    load(0x11, "load_b", Memory::B, "to Banks_B"),
    load(0x12, "load_c", Memory::C, "to Banks_C"),
    load(0x13, "load_pm", Memory::Points, "to the point memory"),
    load(0x14, "load_s", Memory::Scalars, "to the scalars"),
    load(0x15, "load_tw", Memory::Twiddles, "to the twiddles"),
    load(0x16, "load_glb", Memory::Global, "to the global bank"),
    row(
        0x17,
        "load_base",
        L1::Load { memory: Memory::Base, length: 0, src: 0, stream: 0 },
        MOVE,
        Executor::Dma,
        Extension,
        "to the plain table that `gen_tw` makes tables from",
    ),
    store(0x18, "store_a", Memory::A, "Banks_A to DRAM, `length` entries"),
    store(0x19, "store_b", Memory::B, "from Banks_B"),
    store(0x1a, "store_c", Memory::C, "from Banks_C"),
    store(0x1b, "store_pm", Memory::Points, "from the point memory"),
    store(0x1c, "store_s", Memory::Scalars, "from the scalars"),
    store(0x1d, "store_tw", Memory::Twiddles, "from the twiddles"),
    store(0x1e, "store_glb", Memory::Global, "from the global bank"),
    row(
        0x20,
        "switch",
        L1::Switch { direction: Direction::In, rows: 0, global: 0, local: 0 },
        SWITCH,
        Executor::Switcher,
        Extension,
        "moves `length` rows between consecutive rows of the global bank and consecutive linear addresses of Bank0-2",
    ),
    load_scan(
        0x21,
        "load_scan_i",
        I,
        "scan register i takes the low `length` bits of a row's first coefficient",
    ),
    load_scan(0x22, "load_scan_j", J, "the same for scan register j"),
    load_scan(0x23, "load_scan_k", K, "the same for scan register k"),
    row(
        0x24,
        "set_field",
        L1::SetField { field: Field::Fq },
        SET_FIELD,
        Executor::Control,
        Extension,
        "selects the base field (384-bit mode) or the scalar field (256-bit mode)",
    ),
    row(
        0x28,
        "pair_op",
        L1::PairOp { addr: 0 },
        CALL,
        Executor::Pairing,
        Printed,
        "runs the L2 routine at an address to its last word",
    ),
    row(
        0x29,
        "pair_repeat",
        L1::PairRepeat { addr: 0, times: 0 },
        REPEAT,
        Executor::Pairing,
        Extension,
        "runs the L2 routine at an address several times, without draining the pipeline in between",
    ),
    jump(0x30, "jump_i", I, "goes to an address; loop i is abandoned, its counter returns to zero"),
    jump(0x31, "jump_j", J, "the same for loop j"),
    jump(0x32, "jump_k", K, "the same for loop k"),
    scan(0x34, "scan_i", I, "takes the next bit of scan register i, goes to an address if it is 0"),
    scan(0x35, "scan_j", J, "the same for scan register j"),
    scan(0x36, "scan_k", K, "the same for scan register k"),
    repeat(0x38, "loop_i", I, "goes back to an address until the body has run `count` times"),
    repeat(0x39, "loop_j", J, "the same with counter j"),
    repeat(0x3a, "loop_k", K, "the same with counter k"),
    row(0x3f, "finish", L1::Finish, BARE, Executor::Control, Printed, "the program is done"),
];

const fn arith(
    opcode: u32,
    op: L2Op,
    mnemonic: &'static str,
    printed: &'static str,
    operands: usize,
    origin: Origin,
    about: &'static str,
) -> L2Row {
    let (channel, latency) = (Some(Channel::Arith), Some("arith.latency"));
    L2Row { op, mnemonic, printed, opcode, channel, operands, latency, origin, about }
}

/// The L2 instructions, in the order of [`L2Op`].
pub const L2_ROWS: [L2Row; 9] = [
    L2Row {
        op: L2Op::Nop,
        mnemonic: "nop",
        printed: "Nop",
        opcode: 0x1,
        channel: None,
        operands: 0,
        latency: None,
        origin: Printed,
        about: "a slot in which nothing issues",
    },
    L2Row {
        op: L2Op::Mm,
        mnemonic: "mm",
        printed: "MM",
        opcode: 0x2,
        channel: Some(Channel::Mm),
        operands: 2,
        latency: Some("mm.latency"),
        origin: Printed,
        about: "`a·b`, the Montgomery product",
    },
    arith(0x3, L2Op::Add, "add", "A", 2, Printed, "`a + b`"),
    arith(0x4, L2Op::Sub, "sub", "S", 2, Printed, "`a - b`"),
    L2Row {
        op: L2Op::Inv,
        mnemonic: "inv",
        printed: "Inv",
        opcode: 0x5,
        channel: Some(Channel::Inv),
        operands: 1,
        latency: Some("inversion.chain"),
        origin: Printed,
        about: "`1/a` for `a` in Fp (the coefficient of `u` is ignored); zero goes to zero",
    },
    arith(0x6, L2Op::MulXi, "mul_xi", "CM", 1, Inferred, "`ξ·a`, ξ = 1 + u"),
    arith(0x7, L2Op::Conj, "conj", "Conj", 1, Printed, "the conjugate `a0 - a1·u`"),
    arith(0x8, L2Op::Neg, "neg", "Neg", 1, Printed, "`-a`"),
    arith(0x9, L2Op::Vld, "vld", "Vld", 1, Inferred, "`a`, unchanged: a move"),
];

/// A value that an instruction's word and text hold.
pub(super) struct Value {
    /// The field that holds it.
    pub(super) field: &'static str,
    pub(super) part: Part,
    pub(super) min: u32,
    pub(super) max: u32,
}

impl L1Row {
    /// The row of an instruction.
    pub fn of(instruction: &L1) -> &'static Self {
        let blank = instruction.blank();
        L1_ROWS
            .iter()
            .find(|row| row.blank == blank)
            .expect("every instruction has a row: a test asks them all")
    }
    /// The row with this opcode, if there is one.
    pub fn with_opcode(opcode: u32) -> Option<&'static Self> {
        L1_ROWS.iter().find(|row| row.opcode == opcode)
    }
    /// The row with this mnemonic, if there is one.
    pub fn named(mnemonic: &str) -> Option<&'static Self> {
        L1_ROWS.iter().find(|row| row.mnemonic == mnemonic)
    }
    /// The instruction's values in the order of the word's fields, which is also their order in text.
    pub(super) fn values(&self) -> impl Iterator<Item = Value> + use<> {
        self.format.iter().filter_map(|field| match field.holds {
            L1Holds::Value { part, min, max, .. } => Some(Value { field: field.name, part, min, max }),
            _ => None,
        })
    }
}

impl L2Row {
    /// The row with this opcode, if there is one.
    pub fn with_opcode(opcode: u32) -> Option<&'static Self> {
        const ROWS: &[L2Row] = &L2_ROWS;
        ROWS.iter().find(|row| row.opcode == opcode)
    }
    /// The row with this mnemonic, if there is one.
    pub fn named(mnemonic: &str) -> Option<&'static Self> {
        const ROWS: &[L2Row] = &L2_ROWS;
        ROWS.iter().find(|row| row.mnemonic == mnemonic)
    }
}

impl L2Op {
    /// The row of the table that describes it.
    pub const fn row(self) -> &'static L2Row {
        const ROWS: &[L2Row] = &L2_ROWS;
        &ROWS[self as usize]
    }
    /// The channel that executes it; `None` for [`L2Op::Nop`].
    pub const fn channel(self) -> Option<Channel> {
        self.row().channel
    }
    /// Number of operands that it reads: 0, 1 or 2.
    pub const fn operands(self) -> usize {
        self.row().operands
    }
    /// Its name in text.
    pub const fn mnemonic(self) -> &'static str {
        self.row().mnemonic
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::format::L2_FORMAT;
    use std::collections::BTreeSet;

    #[test]
    fn fields_fill_words_and_hold_their_values() {
        for row in L1_ROWS {
            assert_eq!(row.format.iter().map(|f| f.bits).sum::<u32>(), 32, "{}", row.mnemonic);
            for field in row.format {
                if let L1Holds::Value { part, min, max, less } = field.holds {
                    assert!(less <= min && min <= max && (max - less) >> field.bits == 0, "{}", row.mnemonic);
                    let mut blank = row.blank;
                    let mut slot = blank.slot(part).expect("the format names parts of the instruction");
                    slot.set(max);
                    assert_eq!(slot.get(), max, "{} {}", row.mnemonic, field.name);
                }
            }
            assert!(row.opcode != 0 && row.opcode >> 6 == 0);
        }
        assert_eq!(L2_FORMAT.iter().map(|f| f.bits).sum::<u32>(), 32);
        for (index, row) in L2_ROWS.iter().enumerate() {
            assert_eq!(row.op as usize, index);
            assert!(row.opcode != 0 && row.opcode >> 4 == 0);
        }
    }

    #[test]
    fn a_name_and_an_opcode_stand_for_one_row() {
        assert_eq!(L1_ROWS.iter().map(|r| r.opcode).collect::<BTreeSet<_>>().len(), L1_ROWS.len());
        assert_eq!(L1_ROWS.iter().map(|r| r.mnemonic).collect::<BTreeSet<_>>().len(), L1_ROWS.len());
        assert_eq!(L2_ROWS.iter().map(|r| r.opcode).collect::<BTreeSet<_>>().len(), L2_ROWS.len());
        assert_eq!(L2_ROWS.iter().map(|r| r.mnemonic).collect::<BTreeSet<_>>().len(), L2_ROWS.len());
    }

    #[test]
    fn every_instruction_has_a_row() {
        let (length, src, addr) = (5, 1, 9);
        let mut all =
            vec![L1::MsmOp1 { length, src, group: Group::G1 }, L1::MsmInitP2, L1::MsmInitP3, L1::Finish];
        for kind in [Transform::Ntt, Transform::Intt, Transform::CosetNtt, Transform::CosetIntt] {
            all.push(L1::SubNtt { kind, length, src, batch: 0, tables: Tables::Shared });
        }
        for op in [VectorOp::Mul, VectorOp::Add, VectorOp::Sub, VectorOp::MulAdd] {
            all.push(L1::Vector { op, length, src });
        }
        all.push(L1::GenTwiddles { length, src, batch: 2, stream: 7 });
        use Memory::{A, B, C, Global, Points, Scalars, Twiddles};
        for memory in [A, B, C, Points, Scalars, Twiddles, Global] {
            all.extend([
                L1::Load { memory, length, src, stream: 0 },
                L1::Store { memory, length, src, stream: 0 },
            ]);
        }
        all.push(L1::Load { memory: Memory::Base, length, src, stream: 3 });
        for direction in [Direction::In, Direction::Out] {
            all.push(L1::Switch { direction, rows: 3, global: 200, local: 7 });
        }
        for field in [Field::Fq, Field::Fr] {
            all.push(L1::SetField { field });
        }
        for reg in [I, J, K] {
            all.push(L1::LoadScan { reg, bits: 64, global: 1 });
            all.extend([L1::Jump { reg, addr }, L1::Scan { reg, addr }, L1::Loop { reg, addr, count: 2 }]);
        }
        all.extend([L1::PairOp { addr }, L1::PairRepeat { addr, times: 3 }]);
        let rows: BTreeSet<&str> = all.iter().map(|instruction| L1Row::of(instruction).mnemonic).collect();
        assert_eq!(rows.len(), L1_ROWS.len());
    }
}
