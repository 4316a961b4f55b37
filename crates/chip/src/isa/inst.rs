//! Instructions as values. Their encoding in bits is in `word`, their spelling in text in `spell`.

/// A row of a register bank: bank 0 to 2, row 0 to 31, one Fp2 element.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Loc {
    /// Bank, 0 to 2.
    pub bank: u8,
    /// Row, 0 to 31.
    pub row: u8,
}

impl Loc {
    /// The location at a linear address. Consecutive addresses lie in different banks: address `a` is row `a / 3` of bank
    /// `a % 3`. The switcher fills the banks in this order.
    pub const fn linear(address: u8) -> Self {
        Self { bank: address % 3, row: address / 3 }
    }
    /// The linear address of the location.
    pub const fn address(self) -> u8 {
        3 * self.row + self.bank
    }
}

/// The execution channels of the pairing processor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Channel {
    /// Fp2 Montgomery multiplication.
    Mm,
    /// Single-cycle Fp2 arithmetic.
    Arith,
    /// The inverter of elements of Fp.
    Inv,
}

/// The operations of L2 instructions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum L2Op {
    /// No operation: nothing issues.
    Nop,
    /// `a·b` in Fp2 (Montgomery product).
    Mm,
    /// `a + b`.
    Add,
    /// `a - b`.
    Sub,
    /// `1/a` for `a` in Fp (the coefficient of `u` is ignored); zero goes to zero.
    Inv,
    /// `ξ·a` with ξ = 1 + u: the paper's CM, interpreted as multiplication by the non-residue of the tower.
    MulXi,
    /// The conjugate `a0 - a1·u`.
    Conj,
    /// The negative `-a`.
    Neg,
    /// `a` unchanged: the paper's Vld, interpreted as a move.
    Vld,
}

/// The source of an operand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Operand {
    /// A row of a bank.
    Row(Loc),
    /// A result of this channel from a forwarding path; the word's [`L2::path`] says which path. In the word, the bank field
    /// then holds the channel (0 multiplier, 1 arithmetic, 2 inverter) and the row field is zero. \[CP\] prints only the
    /// path's type and the operand's index; the channel has to be encoded too, and these bits are free.
    Forward(Channel),
}

/// The forwarding paths of \[CP\] §IV.A. A word names one of them for all its forwarded operands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FwdPath {
    /// Type 1: from the write-back register, `slot[i] - 1 = slot[j] + delay[j]`.
    One,
    /// Type 2: from the last stage, `slot[i] = slot[j] + delay[j]`.
    Two,
}

/// An L2 instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct L2 {
    /// The operation that it executes.
    pub op: L2Op,
    /// Operands; those beyond [`L2Op::operands`] are `None`.
    pub src: [Option<Operand>; 2],
    /// The row that is written, `None` if every consumer takes the result from a forwarding path.
    pub dst: Option<Loc>,
    /// The forwarding path of the forwarded operands; `None` if there are none.
    pub path: Option<FwdPath>,
    /// Whether the word issues in the same slot as the next one: an extension of this project for dual issue, in a padding
    /// bit.
    pub with_next: bool,
    /// Whether the word ends the routine. In a padding bit, since \[CP\] does not say how a routine ends.
    pub last: bool,
}

impl L2 {
    /// A slot in which nothing issues.
    pub const NOP: Self =
        Self { op: L2Op::Nop, src: [None; 2], dst: None, path: None, with_next: false, last: false };
}

/// One of the three sets of loop registers (counter, count, target), and of the three scan registers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LoopReg {
    /// The register with the suffix `_i`.
    I,
    /// The register with the suffix `_j`.
    J,
    /// The register with the suffix `_k`.
    K,
}

/// The kind of a transform.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Transform {
    /// The forward transform (NTT).
    Ntt,
    /// The inverse transform (INTT).
    Intt,
    /// The forward transform to a coset, with the shift's powers merged into the twiddles.
    CosetNtt,
    /// The inverse transform from a coset, with merged twiddles.
    CosetIntt,
}

/// An operation on vectors, entry by entry.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum VectorOp {
    /// The product of two entries.
    Mul,
    /// The sum of two entries.
    Add,
    /// The difference of two entries.
    Sub,
    /// Product added to a third vector.
    MulAdd,
}

/// The memory on the chip that `load_…` fills or `store_…` reads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Memory {
    /// The banks called Banks_A in \[CP\].
    A,
    /// The banks called Banks_B in \[CP\].
    B,
    /// The banks called Banks_C in \[CP\].
    C,
    /// The memory for points of an MSM.
    Points,
    /// The memory for scalars of an MSM.
    Scalars,
    /// The memory for tables of twiddles.
    Twiddles,
    /// The plain table of twiddles from which other tables are made: an extension of this project.
    Base,
    /// The global bank.
    Global,
}

/// The direction in which the switcher moves rows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// From the global bank to Bank0-2.
    In,
    /// From Bank0-2 to the global bank.
    Out,
}

/// Whether the sub-NTTs of a batch share a table of twiddles.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Tables {
    /// One table for all of them.
    Shared,
    /// A table for each, one after the other in Banks_C: the rows of the last pass of a merged transform.
    Own,
}

/// The group of an MSM.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Group {
    /// Points over the base field; each takes one row of the point memory.
    G1,
    /// Points over the quadratic extension; each takes two rows of the point memory.
    G2,
}

/// The field that the datapath of the pairing processor works in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Field {
    /// The base field of BLS12-381, 384-bit mode.
    Fq,
    /// The scalar field of BLS12-381, which is the base field of Jubjub; 256-bit mode.
    Fr,
}

/// An L1 instruction. Lengths and counts are the true values; the words hold them less one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum L1 {
    /// Sub-NTTs of `length` points, a power of two from 32 to 1,024, in the banks of set `src`. The word also holds the
    /// number of stages, log2 of the length, and of rounds, an eighth of the length. The number of sub-NTTs is encoded in
    /// padding of \[CP\]'s format.
    SubNtt {
        /// The kind of transform.
        kind: Transform,
        /// Length of the transform in points.
        length: u16,
        /// Set of banks, 0 or 1.
        src: u8,
        /// log2 of the number of sub-NTTs, whose data lie one after the other in the set.
        batch: u8,
        /// Whether they share a table of twiddles.
        tables: Tables,
    },
    /// Makes tables of `length` merged twiddles from the next row generators of a stream and writes them into Banks_C: an
    /// extension of this project.
    GenTwiddles {
        /// Points of the transform that the tables are for.
        length: u16,
        /// log2 of the number of tables.
        batch: u8,
        /// Set of banks, 0 or 1.
        src: u8,
        /// Number of the stream of row generators.
        stream: u8,
    },
    /// A vector operation on `length` entries.
    Vector {
        /// The operation on the entries.
        op: VectorOp,
        /// Entries, 1 to 1,024.
        length: u16,
        /// Set of banks, 0 or 1.
        src: u8,
    },
    /// Bucket accumulation of `length` points.
    MsmOp1 {
        /// Points, 1 to 1,024.
        length: u16,
        /// Set of banks, 0 or 1.
        src: u8,
        /// Their group, in padding.
        group: Group,
    },
    /// Start of bucket reduction.
    MsmInitP2,
    /// Start of group aggregation.
    MsmInitP3,
    /// DRAM to chip, `length` entries.
    Load {
        /// The memory that is filled.
        memory: Memory,
        /// Entries, 1 to 1,024.
        length: u16,
        /// Set of banks, 0 or 1.
        src: u8,
        /// Number of the address generator, in padding: in \[CP\] the CPU configures the transfer engine.
        stream: u8,
    },
    /// Chip to DRAM, `length` entries.
    Store {
        /// The memory that is read.
        memory: Memory,
        /// Entries, 1 to 1,024.
        length: u16,
        /// Set of banks, 0 or 1.
        src: u8,
        /// Number of the address generator, in padding: in \[CP\] the CPU configures the transfer engine.
        stream: u8,
    },
    /// Moves `rows` rows from consecutive rows of the global bank to consecutive linear addresses of Bank0-2
    /// ([`Loc::linear`]), or back, through the memory switcher. \[CP\] names the switcher and prints no word for it; this
    /// one uses the padding of a load.
    Switch {
        /// The direction in which rows move.
        direction: Direction,
        /// Rows, 1 to 96.
        rows: u16,
        /// First row of the global bank.
        global: u8,
        /// First linear address, 0 to 95.
        local: u8,
    },
    /// Fills a scan register with the low `bits` bits of the first coefficient of a row of the global bank, as they are
    /// stored, without conversion from Montgomery form.
    LoadScan {
        /// The scan register that is filled.
        reg: LoopReg,
        /// Bits, 1 to 384.
        bits: u16,
        /// Row of the global bank.
        global: u8,
    },
    /// Selects the field of the datapath.
    SetField {
        /// The field that is selected.
        field: Field,
    },
    /// Runs the L2 routine at `addr` to its last word.
    PairOp {
        /// Address in the L2 memory.
        addr: u16,
    },
    /// Runs the L2 routine at `addr` `times` times; the first slot of each call directly follows the last slot of the call
    /// before. An extension of this project, for routines that are compiled to follow themselves.
    PairRepeat {
        /// Address in the L2 memory.
        addr: u16,
        /// Number of calls, 1 to 65,536.
        times: u32,
    },
    /// Branches to `addr` and abandons the loop of `reg`, whose counter returns to zero.
    Jump {
        /// The loop that is abandoned.
        reg: LoopReg,
        /// Address in the L1 memory.
        addr: u16,
    },
    /// Takes the next bit of a scan register, most significant first, and branches to `addr` if it is 0.
    Scan {
        /// The scan register that is read.
        reg: LoopReg,
        /// Address in the L1 memory.
        addr: u16,
    },
    /// Ends the body of a loop: branches back to `addr` until the body has run `count` times.
    Loop {
        /// The loop counter.
        reg: LoopReg,
        /// Address in the L1 memory.
        addr: u16,
        /// Executions of the body, 1 to 65,536.
        count: u32,
    },
    /// Ends the program.
    Finish,
}
