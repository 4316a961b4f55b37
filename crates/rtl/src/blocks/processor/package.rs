//! The constants of the processor's modules, as a SystemVerilog package: field positions and opcodes from the
//! instruction set's table, everything else from the design that the model reads.

use super::super::{DIGIT, Modulus};
use crate::error::RtlError;
use num_bigint::BigUint;
use pairwright_chip::MachineSpec;
use pairwright_chip::isa::format::{BitField, FIELDS, L1Holds, L2_FORMAT, L2Holds, Part};
use pairwright_chip::isa::rows::{Executor, L1_ROWS, L1Row, L2_ROWS};
use pairwright_chip::machine::Datapath;
use pairwright_chip::spec::{Exponentiation, MmStyle};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Why a slot, a move or an L1 instruction is refused: the values of the register `cause`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cause {
    /// A word that is not an instruction of this processor, or an address without a word.
    Illegal = 1,
    /// A read of a bit from an empty scan register.
    ScanEmpty = 2,
    /// Two words that cannot issue in one slot.
    BadPair = 3,
    /// More rows read from a bank than it has read ports.
    ReadPorts = 4,
    /// More results written to a bank than it has write ports.
    WritePorts = 5,
    /// A forwarded operand that is not available on its path.
    NotForwarded = 6,
    /// An inversion while products are in the multiplier.
    InFlight = 7,
    /// A move of a row that does not exist.
    BadRow = 8,
}

/// All causes with their names in the package.
pub const CAUSES: [(Cause, &str); 8] = [
    (Cause::Illegal, "ILLEGAL"),
    (Cause::ScanEmpty, "SCAN_EMPTY"),
    (Cause::BadPair, "BAD_PAIR"),
    (Cause::ReadPorts, "READ_PORTS"),
    (Cause::WritePorts, "WRITE_PORTS"),
    (Cause::NotForwarded, "NOT_FORWARDED"),
    (Cause::InFlight, "IN_FLIGHT"),
    (Cause::BadRow, "BAD_ROW"),
];

/// The package of a design over a field.
///
/// # Errors
/// [`RtlError::Design`] for a design that the modules do not support; errors of the field's kernels.
pub(super) fn package<F: Datapath>(spec: &MachineSpec) -> Result<String, RtlError> {
    check(spec)?;
    let m = Modulus::of::<F>()?;
    let (bits, p) = (m.steps.bits(), &m.q);
    let mut text = Package::default();
    text.title("The design.");
    for (name, value) in [
        ("BITS", bits),
        ("ROW", 2 * bits),
        ("L1_WORDS", 1024),
        ("L2_WORDS", 1024),
        ("MM_LATENCY", spec.mm.product_latency()),
        ("ARITH_LATENCY", spec.arith.latency),
        ("OPERANDS", 2 * spec.issue.width),
    ] {
        text.number(name, value);
    }
    text.bits("DISPATCH", 5, spec.control.dispatch);
    text.bits("FILL", 5, spec.control.fill);
    let flags = [
        ("PREFETCH", spec.control.prefetch),
        ("REPEAT", spec.control.repeat),
        ("DUAL", spec.issue.width == 2),
        ("PATH1", spec.forwarding.path1),
        ("PATH2", spec.forwarding.path2),
        ("PARALLEL", spec.inversion.chain == Exponentiation::Parallel),
    ];
    for (name, flag) in flags {
        text.bits(name, 1, u32::from(flag));
    }
    let field = FIELDS.iter().position(|(field, _)| *field == F::FIELD).unwrap_or_default();
    text.bits("FIELD", 1, field as u32);
    text.title("The inverter's exponent, and one in Montgomery form.");
    let exponent = p - 2u32;
    text.bits("INTERVAL", 8, spec.inversion.interval);
    text.bits("TOP", 9, exponent.bits() as u32 - 1);
    text.bits("SCAN_BITS", 9, bits);
    text.wide("EXPONENT", bits, &exponent);
    text.wide("ONE", bits, &((BigUint::from(1u32) << (DIGIT * m.steps.digits())) % p));
    text.title("Why the processor stops.");
    for (cause, name) in CAUSES {
        text.bits(name, 4, cause as u32);
    }
    text.title("L1 words: opcodes, bits that are zero, places and largest values of fields.");
    l1(&mut text);
    text.title("L2 words.");
    l2(&mut text);
    Ok(format!("package pairing_pkg;\n{}endpackage\n", text.0))
}

/// Refuses designs with features that the modules lack.
fn check(spec: &MachineSpec) -> Result<(), RtlError> {
    let latency = spec.mm.product_latency();
    let needs = [
        (
            spec.mm.style == MmStyle::Pipelined && spec.mm.interval() == 1,
            "a multiplier that takes a product a cycle",
        ),
        (spec.mm == super::super::fp2::UNIT, "the multiplier of the block fp2_381"),
        (spec.banks.count == 3 && spec.banks.rows == 32, "three banks of 32 rows"),
        (spec.banks.reads == 2 && spec.banks.writes == 1, "two reads and a write of a bank in a cycle"),
        (
            spec.switcher.rows_per_cycle == 1 && spec.switcher.global_rows == 256,
            "a row of 256 moved in a cycle",
        ),
        (spec.control.dispatch >= 1, "a cycle for the dispatch of an instruction"),
        (spec.control.l1_words == 1024 && spec.control.l2_words == 1024, "memories of 1,024 words"),
        (
            match spec.inversion.chain {
                Exponentiation::Always => spec.inversion.interval > latency,
                Exponentiation::Parallel => spec.inversion.interval == latency,
                Exponentiation::Binary | Exponentiation::Window => false,
            },
            "an inversion by `always`, slower than the multiplier, or by `parallel`, as fast as it",
        ),
    ];
    match needs.iter().find(|(there, _)| !there) {
        Some((_, needs)) => Err(RtlError::Design { design: spec.name.clone(), needs }),
        None => Ok(()),
    }
}

/// Local parameters of the package, one per line.
#[derive(Default)]
struct Package(String);

impl Package {
    fn title(&mut self, title: &str) {
        let _ = writeln!(self.0, "    // {title}");
    }

    fn number(&mut self, name: &str, value: u32) {
        let _ = writeln!(self.0, "    localparam integer {name} = {value};");
    }

    fn bits(&mut self, name: &str, bits: u32, value: u32) {
        let _ = writeln!(self.0, "    localparam [{}:0] {name} = {bits}'d{value};", bits - 1);
    }

    fn wide(&mut self, name: &str, bits: u32, value: &BigUint) {
        let _ = writeln!(self.0, "    localparam [{}:0] {name} = {bits}'h{value:x};", bits - 1);
    }
}

/// The fields of a format with the positions of their lowest bits.
fn places<H>(format: &[BitField<H>]) -> impl Iterator<Item = (u32, &BitField<H>)> {
    let mut low = u32::BITS;
    format.iter().map(move |field| {
        low -= field.bits;
        (low, field)
    })
}

/// Opcodes and fields of the L1 instructions that the processor executes. A field has the same position in all of them.
fn l1(text: &mut Package) {
    let mine = |row: &&L1Row| matches!(row.unit, Executor::Switcher | Executor::Pairing | Executor::Control);
    let mut places_of = BTreeMap::new();
    for row in L1_ROWS.iter().filter(mine) {
        let name = row.mnemonic.to_uppercase();
        text.bits(&format!("L1_{name}"), 6, row.opcode);
        let mut zero = 0u32;
        for (low, field) in places(row.format) {
            match field.holds {
                L1Holds::Opcode => {
                    places_of.insert("OP", low);
                }
                L1Holds::Value { part, max, less, .. } => {
                    if let Some(part) = part_name(part) {
                        let place = *places_of.entry(part).or_insert(low);
                        assert_eq!(place, low, "{part} has two places");
                        text.bits(&format!("L1_{name}_{part}_MAX"), field.bits, max - less);
                    }
                }
                L1Holds::Zero | L1Holds::Stages | L1Holds::Rounds => {
                    zero |= (((1u64 << field.bits) - 1) << low) as u32;
                }
            }
        }
        let _ = writeln!(text.0, "    localparam [31:0] L1_{name}_ZERO = 32'h{zero:08x};");
    }
    for (part, low) in places_of {
        text.number(&format!("L1_{part}_LOW"), low);
    }
}

const fn part_name(part: Part) -> Option<&'static str> {
    Some(match part {
        Part::Length => "LENGTH",
        Part::Direction => "DIRECTION",
        Part::Global => "GLOBAL",
        Part::Local => "LOCAL",
        Part::Field => "FIELD",
        Part::Target | Part::Routine => "ADDR",
        Part::Count => "COUNT",
        Part::Src | Part::Stream | Part::Batch | Part::Tables | Part::Group => return None,
    })
}

fn l2(text: &mut Package) {
    for row in &L2_ROWS {
        text.bits(&format!("L2_{}", row.mnemonic.to_uppercase()), 4, row.opcode);
    }
    for (low, field) in places(&L2_FORMAT) {
        let name = match field.holds {
            L2Holds::Opcode => "OP",
            L2Holds::Bank(0) => "BANK0",
            L2Holds::Bank(_) => "BANK1",
            L2Holds::Row(0) => "ROW0",
            L2Holds::Row(_) => "ROW1",
            L2Holds::ToBank => "TO_BANK",
            L2Holds::ToRow => "TO_ROW",
            L2Holds::Path => "PATH",
            L2Holds::Forwarded => "FORWARDED",
            L2Holds::Last => "LAST",
            L2Holds::WithNext => "WITH_NEXT",
            L2Holds::Zero => "ZERO",
        };
        text.number(&format!("L2_{name}_LOW"), low);
    }
    // The bank number that means "no bank".
    text.bits("NOWHERE", 2, 3);
}
