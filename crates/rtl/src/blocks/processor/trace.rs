//! A cycle-by-cycle record of the model's processor running a program, which the hardware is compared with.

use super::package::Cause;
use pairwright_chip::MachineSpec;
use pairwright_chip::isa::{Channel, FwdPath, Image, L1, L2, Loc, LoopReg, Operand};
use pairwright_chip::machine::{
    Class, Fault, Issue, MachineError, MovedRow, Probe, Processor, Registers, Row, RowDigits, Snapshot,
};
use pairwright_curve::bls12_381::Fq;
use pairwright_sim::{Access, SimError};
use std::collections::{BTreeMap, BTreeSet};

/// A program with the initial rows of the global bank, and the final rows that an independent computation predicts.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) name: String,
    pub(super) image: Image,
    /// Words that are appended to those of the image in either memory and are invalid in the hardware; the model has no
    /// words there.
    pub(super) beyond: [Vec<u32>; 2],
    pub(super) rows: Vec<(u8, Row<Fq>)>,
    pub(super) want: Vec<(u8, Row<Fq>)>,
}

/// An operation that issues.
#[derive(Clone, Copy, Debug)]
pub(super) struct Issued {
    pub(super) channel: Channel,
    pub(super) word: L2,
}

/// A cycle, or several identical ones.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    /// The first cycle.
    pub(super) start: u64,
    /// The class of the cycle; `None` in a cycle that ends with a refusal.
    pub(super) class: Option<Class>,
    pub(super) l1_pc: u16,
    pub(super) l2_pc: Option<u16>,
    /// The registers of the multiplier that hold a product, one bit each.
    pub(super) stages: u64,
    /// Rows that the next slot's words read.
    pub(super) reads: [Option<(Loc, RowDigits)>; 4],
    pub(super) issued: Vec<Issued>,
    /// The results of the channels, with their destinations.
    pub(super) results: [Option<(Option<Loc>, RowDigits)>; 3],
    pub(super) moved: Option<MovedRow>,
    /// Index of the L1 program's register state at the beginning of the cycle.
    pub(super) registers: usize,
    /// A scan register load at the end of the cycle: the row of the global bank, the index of the register state after
    /// it, and the scan register.
    pub(super) scan_row: Option<(u8, usize, LoopReg)>,
}

/// The end of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// The program ended with `finish`.
    Finished,
    /// The program requested an operation that the hardware does not support.
    Refused(Cause),
}

/// A run of a program, cycle by cycle.
#[derive(Clone, Debug)]
pub(super) struct Trace {
    pub(super) moments: Vec<Moment>,
    pub(super) registers: Vec<Registers>,
    /// Cycles until the processor is idle again or stops.
    pub(super) cycles: u64,
    pub(super) end: End,
    /// The global bank after the run.
    pub(super) rows: Vec<Option<Row<Fq>>>,
    /// Counts of executed features by name: instructions, forwarding paths by channel, refusals.
    pub(super) covered: BTreeMap<String, u64>,
    /// Rows of the global bank that the program uses.
    pub(super) used: BTreeSet<u8>,
}

/// Runs a program on the model; `None` if it does not end within `limit` cycles, or reads a row that was never written,
/// which hardware cannot detect.
///
/// # Panics
/// If the program contains invalid words, or more words than a memory holds.
pub(super) fn trace(spec: &MachineSpec, program: &Program, limit: u64) -> Option<Trace> {
    let mut processor =
        Processor::<Fq>::new(spec, &program.image).unwrap_or_else(|why| panic!("{}: {why}", program.name));
    let mut used: BTreeSet<u8> = program.rows.iter().map(|(row, _)| *row).collect();
    for (row, value) in &program.rows {
        processor.write_global((*row).into(), *value).expect("the global bank has 256 rows");
    }
    let mut recorder = Recorder { registers: vec![Registers::default()], ..Recorder::default() };
    let outcome = processor.run_watched(limit, &mut recorder);
    let dispatch = u64::from(spec.control.dispatch);
    // The first cycle whose effects are unknown, and the cycle in which the processor has stopped.
    let (unknown, cycles, end) = match outcome {
        Ok(run) => (run.cycles, run.cycles, End::Finished),
        Err(MachineError::Slot { cycle, fault, .. }) => (cycle, cycle + 1, End::Refused(cause(&fault)?)),
        Err(MachineError::Control { cycle, fault, .. }) => {
            let moving = matches!(fault, Fault::Local { .. } | Fault::Bank(_));
            (cycle, cycle + u64::from(moving), End::Refused(cause(&fault)?))
        }
        // The word at a missing address is fetched and dispatched before it is refused.
        Err(MachineError::L1Address { cycle, .. }) => {
            let fetched = spec.control.prefetch && recorder.busy;
            (cycle, cycle + if fetched { 0 } else { dispatch }, End::Refused(Cause::Illegal))
        }
        Err(_) => return None,
    };
    if let End::Refused(cause) = end {
        *recorder.covered.entry(format!("refused: {cause:?}")).or_default() += 1;
    }
    if unknown < cycles {
        recorder.unknown(unknown);
    }
    used.extend(recorder.used);
    Some(Trace {
        moments: recorder.moments,
        registers: recorder.registers,
        cycles,
        end,
        rows: (0..256).map(|row| processor.read_global(row)).collect(),
        covered: recorder.covered,
        used,
    })
}

/// The hardware's cause for a fault of the model; `None` for a row without a value.
fn cause(fault: &Fault) -> Option<Cause> {
    Some(match fault {
        Fault::Bank(SimError::Unwritten { .. }) => return None,
        Fault::Bank(SimError::Ports { access: Access::Read, .. }) => Cause::ReadPorts,
        Fault::Bank(SimError::Ports { .. } | SimError::Collision { .. }) => Cause::WritePorts,
        Fault::Bank(_) | Fault::Local { .. } => Cause::BadRow,
        Fault::NoSuchPath(_) | Fault::NothingForwarded(..) => Cause::NotForwarded,
        Fault::InFlight(_) => Cause::InFlight,
        Fault::SingleIssue | Fault::Pair(..) | Fault::PairEnd => Cause::BadPair,
        Fault::ScanEmpty(_) => Cause::ScanEmpty,
        _ => Cause::Illegal,
    })
}

/// A probe that records the model's run.
#[derive(Default)]
struct Recorder {
    moments: Vec<Moment>,
    registers: Vec<Registers>,
    /// Rows read in the current cycle; the following fields are of the current cycle too.
    reads: [Option<(Loc, RowDigits)>; 4],
    issued: Vec<Issued>,
    results: [Option<(Option<Loc>, RowDigits)>; 3],
    moved: Option<MovedRow>,
    /// Whether the last instruction kept the processor busy.
    busy: bool,
    covered: BTreeMap<String, u64>,
    used: BTreeSet<u8>,
}

impl Recorder {
    fn count(&mut self, what: &str) {
        *self.covered.entry(what.to_owned()).or_default() += 1;
    }

    /// Records a cycle in which the model refused something; its other effects are unknown.
    fn unknown(&mut self, start: u64) {
        self.moments.push(Moment {
            start,
            class: None,
            l1_pc: 0,
            l2_pc: None,
            stages: 0,
            reads: [None; 4],
            issued: Vec::new(),
            results: [None; 3],
            moved: None,
            registers: self.registers.len() - 1,
            scan_row: None,
        });
    }
}

impl Probe for Recorder {
    fn issue(&mut self, issue: &Issue<'_>) {
        self.issued.push(Issued { channel: issue.channel, word: *issue.word });
        self.count(issue.word.op.mnemonic());
        for operand in issue.word.src.iter().flatten() {
            if let (Operand::Forward(channel), Some(path)) = (operand, issue.word.path) {
                let path = if path == FwdPath::One { 1 } else { 2 };
                self.count(&format!("path {path} from {channel:?}"));
            }
        }
    }

    fn read(&mut self, _cycle: u64, operand: usize, from: Loc, value: &RowDigits) {
        self.reads[operand] = Some((from, *value));
    }

    fn result(&mut self, _cycle: u64, channel: Channel, to: Option<Loc>, value: &RowDigits) {
        self.results[channel as usize] = Some((to, *value));
    }

    fn moved(&mut self, _cycle: u64, moved: &MovedRow) {
        self.moved = Some(*moved);
        self.used.insert(moved.global as u8);
    }

    fn control(&mut self, _start: u64, end: u64, _pc: u16, instruction: &L1) {
        self.count(pairwright_chip::isa::rows::L1Row::of(instruction).mnemonic);
        self.busy = matches!(instruction, L1::PairOp { .. } | L1::PairRepeat { .. } | L1::Switch { .. });
        if let L1::LoadScan { global, reg, .. } = instruction {
            self.used.insert(*global);
            if let Some(last) = self.moments.last_mut().filter(|last| last.start < end) {
                // The register state after the instruction is recorded next.
                last.scan_row = Some((*global, self.registers.len(), *reg));
            }
        }
    }

    fn registers(&mut self, _cycle: u64, registers: &Registers) {
        self.registers.push(*registers);
    }

    fn cycle(&mut self, now: &Snapshot) {
        if now.class == Class::Issue && self.issued.is_empty() {
            self.count("nop");
        }
        self.moments.push(Moment {
            start: now.cycle,
            class: Some(now.class),
            l1_pc: now.l1_pc,
            l2_pc: now.l2_pc,
            stages: now.stages,
            reads: std::mem::take(&mut self.reads),
            issued: std::mem::take(&mut self.issued),
            results: std::mem::take(&mut self.results),
            moved: self.moved.take(),
            registers: self.registers.len() - 1,
            scan_row: None,
        });
    }
}
