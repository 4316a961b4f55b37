//! The table of instructions: their names, the registers that they take, and the functions that they compute in every
//! thread of a warp. An instruction that is not in it is refused when a text is parsed.

use crate::access::{Access, Atomic, Space, access, atomic};
use crate::float::multiply_add_toward_zero;
use crate::lanes::{L32, L64, Mask, each, each_bit, each_carry};
use crate::tile::Tile;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The classes of registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// A register of 32 bits.
    Word,
    /// A register of 64 bits, integer or double precision.
    Long,
    /// A register of one bit, a predicate.
    Bit,
}

use Class::{Bit as P, Long as D, Word as W};

/// Whether an instruction reads and writes the carry flag, and whether as the carry of a sum or as the borrow of a
/// difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carry {
    /// Whether the carry is added (or subtracted).
    pub reads: bool,
    /// Whether the carry out is written to the flag.
    pub writes: bool,
    /// Whether the flag is a borrow.
    pub borrow: bool,
}

/// The operation of an instruction: its operand classes, with the function that it computes if there is one. `W` stands
/// for 32-bit registers, `D` for 64-bit ones, `P` for predicates; sources come first.
#[derive(Clone, Copy, Debug)]
pub enum Operation {
    /// A function of `W`.
    W1(fn(&L32) -> L32),
    /// A function of `W W`.
    W2(fn(&L32, &L32) -> L32),
    /// A function of `W W W`.
    W3(fn(&L32, &L32, &L32) -> L32),
    /// A function of `W W W W`.
    W4(fn(&L32, &L32, &L32, &L32) -> L32),
    /// A function of `D`.
    D1(fn(&L64) -> L64),
    /// A function of `D D`.
    D2(fn(&L64, &L64) -> L64),
    /// A function of `D D D`.
    D3(fn(&L64, &L64, &L64) -> L64),
    /// A function of `D D W W`: replacement of bit fields.
    Insert(fn(&L64, &L64, &L32, &L32) -> L64),
    /// A function of `D W`: shifts.
    DW(fn(&L64, &L32) -> L64),
    /// `W W` to `D`: whole products.
    Full(fn(&L32, &L32) -> L64),
    /// `W W D` to `D`: whole products with an addend.
    FullPlus(fn(&L32, &L32, &L64) -> L64),
    /// `W` to `D`: conversions to wider types.
    Widen(fn(&L32) -> L64),
    /// `D` to `W`: conversions to narrower types and counts.
    Narrow(fn(&L64) -> L32),
    /// `W W` to `P`: comparisons.
    CompareW(fn(&L32, &L32) -> Mask),
    /// `D D` to `P`: comparisons.
    CompareD(fn(&L64, &L64) -> Mask),
    /// `W W P` to `W`: the first where the predicate holds.
    SelectW,
    /// `D D P` to `D`: the first where the predicate holds.
    SelectD,
    /// A function of `P`.
    P1(fn(Mask) -> Mask),
    /// A function of `P P`.
    P2(fn(Mask, Mask) -> Mask),
    /// A function of `W W` with carry in and out.
    CarryW2(fn(&L32, &L32, Mask) -> (L32, Mask), Carry),
    /// A function of `W W W` with carry in and out.
    CarryW3(fn(&L32, &L32, &L32, Mask) -> (L32, Mask), Carry),
    /// A function of `D D` with carry in and out.
    CarryD2(fn(&L64, &L64, Mask) -> (L64, Mask), Carry),
    /// A function of `D D D` with carry in and out.
    CarryD3(fn(&L64, &L64, &L64, Mask) -> (L64, Mask), Carry),
    /// `W W` to `D`: low half, high half.
    Pack,
    /// `D` to `W W`: low half, high half.
    Unpack,
    /// `D W` to `D`: the address of the same offset in another block of the cluster, generic or in the cluster space.
    MapLong {
        /// Whether the address is generic.
        generic: bool,
    },
    /// `W W` to `W`: the same with 32-bit addresses of shared memory.
    MapWord,
    /// `D` to `D`: an address in the block's own shared memory as a generic address.
    SharedToGeneric,
    /// `D` to `D`: a generic address as an address in shared memory.
    GenericToShared,
    /// To `D`: the number of instructions that the warp has executed, in place of a clock.
    Clock,
    /// A product of matrices by a whole warp, with registers in braces.
    Multiply(Tile),
    /// A load from an address to as many registers as the access has values.
    Load(Access),
    /// A store of values to an address.
    Store(Access),
    /// An atomic addition to a number of 32 bits in memory.
    AtomicAdd(Atomic),
    /// A jump to a label.
    Branch,
    /// The end of the thread.
    Exit,
    /// The barrier of the block.
    Barrier,
    /// The arrive half of the cluster's barrier.
    ClusterArrive,
    /// The wait half of the cluster's barrier.
    ClusterWait,
    /// A memory fence; the interpreter executes accesses in order anyway.
    Fence,
}

impl Operation {
    /// The register classes of the destinations and of the sources.
    pub fn shape(&self) -> (Vec<Class>, Vec<Class>) {
        let (to, from): (&[Class], &[Class]) = match self {
            Self::W1(_) => (&[W], &[W]),
            Self::W2(_) | Self::CarryW2(..) | Self::MapWord => (&[W], &[W, W]),
            Self::W3(_) | Self::CarryW3(..) => (&[W], &[W, W, W]),
            Self::W4(_) => (&[W], &[W, W, W, W]),
            Self::D1(_) | Self::SharedToGeneric | Self::GenericToShared => (&[D], &[D]),
            Self::D2(_) | Self::CarryD2(..) => (&[D], &[D, D]),
            Self::D3(_) | Self::CarryD3(..) => (&[D], &[D, D, D]),
            Self::Insert(_) => (&[D], &[D, D, W, W]),
            Self::DW(_) | Self::MapLong { .. } => (&[D], &[D, W]),
            Self::Full(_) | Self::Pack => (&[D], &[W, W]),
            Self::FullPlus(_) => (&[D], &[W, W, D]),
            Self::Widen(_) => (&[D], &[W]),
            Self::Narrow(_) => (&[W], &[D]),
            Self::CompareW(_) => (&[P], &[W, W]),
            Self::CompareD(_) => (&[P], &[D, D]),
            Self::SelectW => (&[W], &[W, W, P]),
            Self::SelectD => (&[D], &[D, D, P]),
            Self::P1(_) => (&[P], &[P]),
            Self::P2(_) => (&[P], &[P, P]),
            Self::Unpack => (&[W, W], &[D]),
            Self::Clock => (&[D], &[]),
            Self::Multiply(Tile::Double) => (&[D; 2], &[D; 4]),
            Self::Multiply(Tile::Bytes) => (&[W; 4], &[W; 10]),
            Self::Load(access) => {
                let address = if access.space == Space::Param { vec![] } else { vec![D] };
                return (vec![if access.long { D } else { W }; access.count], address);
            }
            Self::Store(access) => {
                let mut from = vec![D];
                from.extend(vec![if access.long { D } else { W }; access.count]);
                return (vec![], from);
            }
            Self::AtomicAdd(atomic) => (if atomic.returns { &[W] } else { &[] }, &[D, W]),
            Self::Branch
            | Self::Exit
            | Self::Barrier
            | Self::ClusterArrive
            | Self::ClusterWait
            | Self::Fence => (&[], &[]),
        };
        (to.to_vec(), from.to_vec())
    }

    /// Its use of the carry flag; `None` if it does not use it.
    pub fn carry(&self) -> Option<Carry> {
        match self {
            Self::CarryW2(_, carry)
            | Self::CarryW3(_, carry)
            | Self::CarryD2(_, carry)
            | Self::CarryD3(_, carry) => Some(*carry),
            _ => None,
        }
    }
}

/// The operation of an instruction by its full name, such as `mad.lo.cc.u32`.
pub(crate) fn operation(name: &str) -> Option<Operation> {
    static BY_NAME: OnceLock<BTreeMap<String, Operation>> = OnceLock::new();
    let all = BY_NAME.get_or_init(|| {
        let mut all = BTreeMap::new();
        for (names, operation) in rows() {
            for name in spelled(names) {
                assert!(all.insert(name.clone(), operation).is_none(), "`{name}` is in the table twice");
            }
        }
        all
    });
    let load_or_store =
        |(access, is_load)| if is_load { Operation::Load(access) } else { Operation::Store(access) };
    let moved = || access(name).map(load_or_store);
    all.get(name).copied().or_else(moved).or_else(|| atomic(name).map(Operation::AtomicAdd))
}

/// The names of all rows, without loads and stores.
#[cfg(test)]
pub(crate) fn names() -> Vec<String> {
    rows().iter().flat_map(|(names, _)| spelled(names)).collect()
}

/// Expands the names of a row: `add.{u32,s32} not.b32` stands for three names.
fn spelled(row: &str) -> Vec<String> {
    let mut all = Vec::new();
    for name in row.split_whitespace() {
        match name.split_once('{').and_then(|(stem, rest)| Some((stem, rest.split_once('}')?))) {
            Some((stem, (choices, end))) => {
                all.extend(choices.split(',').map(|choice| format!("{stem}{choice}{end}")));
            }
            None => all.push(name.to_owned()),
        }
    }
    all
}

const fn sum(reads: bool, writes: bool) -> Carry {
    Carry { reads, writes, borrow: false }
}

const fn difference(reads: bool, writes: bool) -> Carry {
    Carry { reads, writes, borrow: true }
}

fn add32(a: u32, b: u32, carry: bool) -> (u32, bool) {
    let sum = u64::from(a) + u64::from(b) + u64::from(carry);
    (sum as u32, sum >> 32 != 0)
}

fn add64(a: u64, b: u64, carry: bool) -> (u64, bool) {
    let sum = u128::from(a) + u128::from(b) + u128::from(carry);
    (sum as u64, sum >> 64 != 0)
}

fn sub32(a: u32, b: u32, borrow: bool) -> (u32, bool) {
    let taken = u64::from(b) + u64::from(borrow);
    (u64::from(a).wrapping_sub(taken) as u32, u64::from(a) < taken)
}

fn sub64(a: u64, b: u64, borrow: bool) -> (u64, bool) {
    let taken = u128::from(b) + u128::from(borrow);
    (u128::from(a).wrapping_sub(taken) as u64, u128::from(a) < taken)
}

fn low16(a: u32) -> u32 {
    a & 0xffff
}

fn high32(a: u32, b: u32) -> u32 {
    ((u64::from(a) * u64::from(b)) >> 32) as u32
}

fn high64(a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) >> 64) as u64
}

fn signed_high32(a: u32, b: u32) -> u32 {
    ((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32
}

/// A bitwise function of three words, given by the table of its eight results; the result for three ones is the highest
/// bit.
fn by_table(a: u32, b: u32, c: u32, table: u32) -> u32 {
    (0..8).filter(|row| table >> row & 1 == 1).fold(0, |all, row| {
        let pick = |x: u32, bit: u32| if row >> bit & 1 == 1 { x } else { !x };
        all | pick(a, 2) & pick(b, 1) & pick(c, 0)
    })
}

/// Extracts a bit field, extended with zeros; position and length have eight bits.
fn extract(a: u32, position: u32, length: u32) -> u32 {
    let (position, length) = (position & 0xff, length & 0xff);
    let moved = if position > 31 { 0 } else { a >> position };
    if length > 31 { moved } else { moved & ((1 << length) - 1) }
}

/// Replaces a bit field of the second word by the low bits of the first.
fn insert(a: u64, b: u64, position: u32, length: u32, bits: u32) -> u64 {
    let (position, length) = (position & 0xff, length & 0xff);
    if position >= bits || length == 0 {
        return b;
    }
    let ones = if length > 63 { u64::MAX } else { (1 << length) - 1 };
    let field = ones << position;
    b & !field | a << position & field
}

/// Selects four bytes of two words; a selector has three bits for the byte, and one that replaces the byte by copies of
/// its sign.
fn pick_bytes(a: u32, b: u32, selectors: u32) -> u32 {
    let bytes = u64::from(a) | u64::from(b) << 32;
    (0..4).fold(0, |all, i| {
        let selector = selectors >> (4 * i) & 0xf;
        let byte = (bytes >> (8 * (selector & 7)) & 0xff) as u32;
        let byte = if selector & 8 == 0 { byte } else { 0xff * (byte >> 7) };
        all | byte << (8 * i)
    })
}

fn float(bits: u64) -> f64 {
    f64::from_bits(bits)
}

/// Converts to an integer of 32 bits, rounding toward zero and saturating.
fn to_u32(x: f64) -> u32 {
    x as u32
}

/// Shifts left; by 32 or more the result is zero.
fn left32(a: u32, n: u32) -> u32 {
    a.checked_shl(n).unwrap_or(0)
}

fn right32(a: u32, n: u32) -> u32 {
    a.checked_shr(n).unwrap_or(0)
}

fn funnel(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

/// All rows except loads and stores. Names with the same operation share a row.
fn rows() -> Vec<(&'static str, Operation)> {
    use Operation::*;
    let mut rows = vec![
        // Moves and conversions.
        ("mov.{u32,s32,b32} cvt.{u32,s32}.u32", W1(each!(a => a))),
        ("mov.{u64,s64,b64,f64} cvta.to.{global}.u64 cvta.global.u64", D1(each!(a => a))),
        ("mov.pred", P1(|a| a)),
        ("cvt.{u32,s32}.u64 cvt.s32.s64 cvt.u32.s64", Narrow(each!(a => a as u32))),
        ("cvt.u64.u32 cvt.s64.u32", Widen(each!(a => u64::from(a)))),
        ("cvt.s64.s32 cvt.u64.s32", Widen(each!(a => i64::from(a as i32) as u64))),
        ("cvt.rn.f64.u32", Widen(each!(a => f64::from(a).to_bits()))),
        ("cvt.rn.f64.s32", Widen(each!(a => f64::from(a as i32).to_bits()))),
        ("cvt.rn.f64.u64", D1(each!(a => (a as f64).to_bits()))),
        ("cvt.rn.f64.s64", D1(each!(a => (a as i64 as f64).to_bits()))),
        ("cvt.rzi.u32.f64", Narrow(each!(a => to_u32(float(a))))),
        ("cvt.rzi.u64.f64", D1(each!(a => float(a) as u64))),
        ("cvt.rzi.s64.f64", D1(each!(a => float(a) as i64 as u64))),
        // Sums, differences, products of 32 bits.
        ("add.{u32,s32}", W2(each!(a, b => a.wrapping_add(b)))),
        ("sub.{u32,s32}", W2(each!(a, b => a.wrapping_sub(b)))),
        ("neg.s32", W1(each!(a => a.wrapping_neg()))),
        ("mul.lo.{u32,s32}", W2(each!(a, b => a.wrapping_mul(b)))),
        ("mul.hi.u32", W2(each!(a, b => high32(a, b)))),
        ("mul.hi.s32", W2(each!(a, b => signed_high32(a, b)))),
        ("mad.lo.{u32,s32}", W3(each!(a, b, c => a.wrapping_mul(b).wrapping_add(c)))),
        ("mad.hi.u32", W3(each!(a, b, c => high32(a, b).wrapping_add(c)))),
        ("mul.wide.u32", Full(each!(a, b => u64::from(a) * u64::from(b)))),
        ("mul.wide.s32", Full(each!(a, b => (i64::from(a as i32) * i64::from(b as i32)) as u64))),
        ("mad.wide.u32", FullPlus(each!(a, b, c => (u64::from(a) * u64::from(b)).wrapping_add(c)))),
        (
            "mad.wide.s32",
            FullPlus(each!(a, b, c => ((i64::from(a as i32) * i64::from(b as i32)) as u64).wrapping_add(c))),
        ),
        ("min.u32", W2(each!(a, b => a.min(b)))),
        ("max.u32", W2(each!(a, b => a.max(b)))),
        ("min.s32", W2(each!(a, b => (a as i32).min(b as i32) as u32))),
        ("max.s32", W2(each!(a, b => (a as i32).max(b as i32) as u32))),
        // The result for a divisor of zero is not specified.
        ("div.u32", W2(each!(a, b => a.checked_div(b).unwrap_or(u32::MAX)))),
        ("rem.u32", W2(each!(a, b => a.checked_rem(b).unwrap_or(a)))),
        // Sums, differences, products of 64 bits.
        ("add.{u64,s64}", D2(each!(a, b => a.wrapping_add(b)))),
        ("sub.{u64,s64}", D2(each!(a, b => a.wrapping_sub(b)))),
        ("neg.s64", D1(each!(a => a.wrapping_neg()))),
        ("mul.lo.{u64,s64}", D2(each!(a, b => a.wrapping_mul(b)))),
        ("mul.hi.u64", D2(each!(a, b => high64(a, b)))),
        ("mad.lo.{u64,s64}", D3(each!(a, b, c => a.wrapping_mul(b).wrapping_add(c)))),
        ("mad.hi.u64", D3(each!(a, b, c => high64(a, b).wrapping_add(c)))),
        ("min.u64", D2(each!(a, b => a.min(b)))),
        ("max.u64", D2(each!(a, b => a.max(b)))),
        // Double precision.
        ("add.{rn.f64,f64}", D2(each!(a, b => (float(a) + float(b)).to_bits()))),
        ("sub.{rn.f64,f64}", D2(each!(a, b => (float(a) - float(b)).to_bits()))),
        ("mul.{rn.f64,f64}", D2(each!(a, b => (float(a) * float(b)).to_bits()))),
        ("fma.rn.f64", D3(each!(a, b, c => float(a).mul_add(float(b), float(c)).to_bits()))),
        (
            "fma.rz.f64",
            D3(each!(a, b, c => multiply_add_toward_zero(float(a), float(b), float(c)).to_bits())),
        ),
        ("neg.f64", D1(each!(a => a ^ 1 << 63))),
        // Logic.
        ("and.b32", W2(each!(a, b => a & b))),
        ("or.b32", W2(each!(a, b => a | b))),
        ("xor.b32", W2(each!(a, b => a ^ b))),
        ("not.b32", W1(each!(a => !a))),
        ("and.b64", D2(each!(a, b => a & b))),
        ("or.b64", D2(each!(a, b => a | b))),
        ("xor.b64", D2(each!(a, b => a ^ b))),
        ("not.b64", D1(each!(a => !a))),
        ("and.pred", P2(|a, b| a & b)),
        ("or.pred", P2(|a, b| a | b)),
        ("xor.pred", P2(|a, b| a ^ b)),
        ("not.pred", P1(|a| !a)),
        ("lop3.b32", W4(each!(a, b, c, table => by_table(a, b, c, table)))),
        // Numbers of 16 bits, which are held in the lower half of a word.
        ("mov.{u16,s16,b16} cvt.u16.u32 cvt.u32.u16", W1(each!(a => low16(a)))),
        ("and.b16", W2(each!(a, b => low16(a & b)))),
        ("or.b16", W2(each!(a, b => low16(a | b)))),
        ("xor.b16", W2(each!(a, b => low16(a ^ b)))),
        ("not.b16", W1(each!(a => low16(!a)))),
        ("setp.eq.{s16,u16,b16}", CompareW(each_bit!(a, b => low16(a) == low16(b)))),
        ("setp.ne.{s16,u16,b16}", CompareW(each_bit!(a, b => low16(a) != low16(b)))),
        // Shifts and fields.
        ("shl.b32", W2(each!(a, n => left32(a, n)))),
        ("shr.{u32,b32}", W2(each!(a, n => right32(a, n)))),
        ("shr.s32", W2(each!(a, n => ((a as i32) >> n.min(31)) as u32))),
        ("shl.b64", DW(each!(a, n => a.checked_shl(n).unwrap_or(0)))),
        ("shr.{u64,b64}", DW(each!(a, n => a.checked_shr(n).unwrap_or(0)))),
        ("shr.s64", DW(each!(a, n => ((a as i64) >> n.min(63)) as u64))),
        ("shf.l.wrap.b32", W3(each!(a, b, n => (funnel(a, b) << (n & 31) >> 32) as u32))),
        ("shf.r.wrap.b32", W3(each!(a, b, n => (funnel(a, b) >> (n & 31)) as u32))),
        ("shf.l.clamp.b32", W3(each!(a, b, n => ((funnel(a, b) << n.min(32)) >> 32) as u32))),
        ("shf.r.clamp.b32", W3(each!(a, b, n => (funnel(a, b) >> n.min(32)) as u32))),
        ("bfe.u32", W3(each!(a, position, length => extract(a, position, length)))),
        ("bfi.b32", W4(each!(a, b, p, n => insert(u64::from(a), u64::from(b), p, n, 32) as u32))),
        ("bfi.b64", Insert(each!(a, b, p, n => insert(a, b, p, n, 64)))),
        ("prmt.b32", W3(each!(a, b, selectors => pick_bytes(a, b, selectors)))),
        ("brev.b32", W1(each!(a => a.reverse_bits()))),
        ("brev.b64", D1(each!(a => a.reverse_bits()))),
        ("clz.b32", W1(each!(a => a.leading_zeros()))),
        ("popc.b32", W1(each!(a => a.count_ones()))),
        // Choices.
        ("selp.{b32,u32,s32}", SelectW),
        ("selp.{b64,u64,s64,f64}", SelectD),
        // Carries.
        ("add.cc.{u32,s32}", CarryW2(each_carry!(a, b; _c => add32(a, b, false)), sum(false, true))),
        ("addc.{u32,s32}", CarryW2(each_carry!(a, b; c => add32(a, b, c)), sum(true, false))),
        ("addc.cc.{u32,s32}", CarryW2(each_carry!(a, b; c => add32(a, b, c)), sum(true, true))),
        ("sub.cc.{u32,s32}", CarryW2(each_carry!(a, b; _c => sub32(a, b, false)), difference(false, true))),
        ("subc.{u32,s32}", CarryW2(each_carry!(a, b; c => sub32(a, b, c)), difference(true, false))),
        ("subc.cc.{u32,s32}", CarryW2(each_carry!(a, b; c => sub32(a, b, c)), difference(true, true))),
        ("add.cc.{u64,s64}", CarryD2(each_carry!(a, b; _c => add64(a, b, false)), sum(false, true))),
        ("addc.{u64,s64}", CarryD2(each_carry!(a, b; c => add64(a, b, c)), sum(true, false))),
        ("addc.cc.{u64,s64}", CarryD2(each_carry!(a, b; c => add64(a, b, c)), sum(true, true))),
        ("sub.cc.{u64,s64}", CarryD2(each_carry!(a, b; _c => sub64(a, b, false)), difference(false, true))),
        ("subc.{u64,s64}", CarryD2(each_carry!(a, b; c => sub64(a, b, c)), difference(true, false))),
        ("subc.cc.{u64,s64}", CarryD2(each_carry!(a, b; c => sub64(a, b, c)), difference(true, true))),
        // Addresses.
        ("mapa.u64", MapLong { generic: true }),
        ("mapa.shared::cluster.u64", MapLong { generic: false }),
        ("mapa.shared::cluster.u32", MapWord),
        ("cvta.shared.u64", SharedToGeneric),
        ("cvta.to.shared.u64", GenericToShared),
        // Products of matrices.
        ("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", Multiply(Tile::Double)),
        ("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32", Multiply(Tile::Bytes)),
        // Control.
        ("bra bra.uni", Branch),
        ("ret ret.uni exit", Exit),
        ("bar.sync barrier.sync.aligned", Barrier),
        (
            "barrier.cluster.arrive.{aligned,release.aligned} barrier.cluster.arrive barrier.cluster.arrive.release",
            ClusterArrive,
        ),
        (
            "barrier.cluster.wait.{aligned,acquire.aligned} barrier.cluster.wait barrier.cluster.wait.acquire",
            ClusterWait,
        ),
        ("membar.{cta,gl} fence.acq_rel.{cta,cluster,gpu}", Fence),
    ];
    products_with_carry(&mut rows);
    comparisons(&mut rows);
    rows
}

/// The rows of `mad` with carry in and out: a half of the product is added to a third operand.
fn products_with_carry(rows: &mut Vec<(&'static str, Operation)>) {
    use Operation::{CarryD3, CarryW3};
    // For each row: the name, the width, the half of the product that is added, and whether a carry enters and leaves.
    macro_rules! products {
        ($($name:literal: $Carry:ident, $add:ident($a:ident, $b:ident => $half:expr), $enters:literal $leaves:literal;)+) => {
            [$((
                $name,
                $Carry(each_carry!($a, $b, c; x => $add($half, c, $enters & x)), sum($enters, $leaves)),
            )),+]
        };
    }
    rows.extend(products! {
        "mad.lo.cc.{u32,s32}": CarryW3, add32(a, b => a.wrapping_mul(b)), false true;
        "madc.lo.{u32,s32}": CarryW3, add32(a, b => a.wrapping_mul(b)), true false;
        "madc.lo.cc.{u32,s32}": CarryW3, add32(a, b => a.wrapping_mul(b)), true true;
        "mad.hi.cc.u32": CarryW3, add32(a, b => high32(a, b)), false true;
        "madc.hi.u32": CarryW3, add32(a, b => high32(a, b)), true false;
        "madc.hi.cc.u32": CarryW3, add32(a, b => high32(a, b)), true true;
        "mad.lo.cc.{u64,s64}": CarryD3, add64(a, b => a.wrapping_mul(b)), false true;
        "madc.lo.{u64,s64}": CarryD3, add64(a, b => a.wrapping_mul(b)), true false;
        "madc.lo.cc.{u64,s64}": CarryD3, add64(a, b => a.wrapping_mul(b)), true true;
        "mad.hi.cc.u64": CarryD3, add64(a, b => high64(a, b)), false true;
        "madc.hi.u64": CarryD3, add64(a, b => high64(a, b)), true false;
        "madc.hi.cc.u64": CarryD3, add64(a, b => high64(a, b)), true true;
    });
}

fn comparisons(rows: &mut Vec<(&'static str, Operation)>) {
    use Operation::{CompareD, CompareW};
    rows.extend([
        ("setp.eq.{u32,s32,b32}", CompareW(each_bit!(a, b => a == b))),
        ("setp.ne.{u32,s32,b32}", CompareW(each_bit!(a, b => a != b))),
        ("setp.lt.u32", CompareW(each_bit!(a, b => a < b))),
        ("setp.le.u32", CompareW(each_bit!(a, b => a <= b))),
        ("setp.gt.u32", CompareW(each_bit!(a, b => a > b))),
        ("setp.ge.u32", CompareW(each_bit!(a, b => a >= b))),
        ("setp.lt.s32", CompareW(each_bit!(a, b => (a as i32) < (b as i32)))),
        ("setp.le.s32", CompareW(each_bit!(a, b => a as i32 <= b as i32))),
        ("setp.gt.s32", CompareW(each_bit!(a, b => a as i32 > b as i32))),
        ("setp.ge.s32", CompareW(each_bit!(a, b => a as i32 >= b as i32))),
        ("setp.eq.{u64,s64,b64}", CompareD(each_bit!(a, b => a == b))),
        ("setp.ne.{u64,s64,b64}", CompareD(each_bit!(a, b => a != b))),
        ("setp.lt.u64", CompareD(each_bit!(a, b => a < b))),
        ("setp.le.u64", CompareD(each_bit!(a, b => a <= b))),
        ("setp.gt.u64", CompareD(each_bit!(a, b => a > b))),
        ("setp.ge.u64", CompareD(each_bit!(a, b => a >= b))),
        ("setp.lt.s64", CompareD(each_bit!(a, b => (a as i64) < (b as i64)))),
        ("setp.le.s64", CompareD(each_bit!(a, b => a as i64 <= b as i64))),
        ("setp.gt.s64", CompareD(each_bit!(a, b => a as i64 > b as i64))),
        ("setp.ge.s64", CompareD(each_bit!(a, b => a as i64 >= b as i64))),
    ]);
}
