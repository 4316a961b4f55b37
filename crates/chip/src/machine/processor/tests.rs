//! Tests of every timing rule and every refusal by short programs, and of random programs.

use super::*;
use crate::isa::{Channel, Direction, Field as FieldName, FwdPath, L2Op, LoopReg, Operand};
use pairwright_curve::bls12_381::{Fq, Fq2, Fr};
use pairwright_field::{Field, PrimeField};
use pairwright_sim::{Access, SimError};
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

mod errors;
mod program;
mod random;
mod timing;

/// The published design without prefetch, in which the dispatch of every L1 instruction takes a cycle of its own.
fn plain() -> MachineSpec {
    MachineSpec::paper().with("control.prefetch", "false").expect("a parameter of every design")
}

/// A location of the register banks.
fn at(bank: u8, row: u8) -> Loc {
    Loc { bank, row }
}

/// An operand from a row.
fn row(bank: u8, row: u8) -> Operand {
    Operand::Row(at(bank, row))
}

/// An operand from a forwarding path.
fn over(channel: Channel) -> Operand {
    Operand::Forward(channel)
}

fn word(op: L2Op, src: &[Operand], dst: Option<Loc>) -> L2 {
    L2 { op, src: [src.first().copied(), src.get(1).copied()], dst, ..L2::NOP }
}

fn on(path: FwdPath, word: L2) -> L2 {
    L2 { path: Some(path), ..word }
}

fn with_next(word: L2) -> L2 {
    L2 { with_next: true, ..word }
}

/// The words with the last one marked.
fn routine(words: &[L2]) -> Vec<L2> {
    let mut words = words.to_vec();
    words.last_mut().expect("not empty").last = true;
    words
}

fn nops(n: usize) -> Vec<L2> {
    vec![L2::NOP; n]
}

fn rng(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

/// A machine with values in rows 0 and 1 of every bank, and these values by bank and row.
fn loaded<F: Datapath>(spec: &MachineSpec, l2: Vec<L2>) -> (Processor<F>, [[Row<F>; 2]; 3]) {
    let mut machine = Processor::with_instructions(spec, Vec::new(), l2).expect("a small program");
    let mut rng = rng(1);
    let values = core::array::from_fn(|bank| {
        core::array::from_fn(|r| {
            let value = Row::random(&mut rng);
            machine.write_local(at(bank as u8, r as u8), value).expect("every design has these rows");
            value
        })
    });
    (machine, values)
}

fn sum(run: &Run) -> u64 {
    run.by_class.total()
}
