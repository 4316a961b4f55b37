//! Programs of the pairing processor as tasks of the whole chip, with inputs from DRAM and results stored there.

use super::{Build, Walk};
use crate::isa::{L1, LoopReg, Memory};
use crate::machine::top::{ROW_WORDS, Task};
use pairwright_field::PrimeField;
use pairwright_sim::Access;

/// The L1 program `l1` between a load of the first `rows` rows of the global bank and a store of the same rows. Returns the
/// task with the numbers of two regions: the bank before and after the program.
pub fn task<F: PrimeField>(name: &str, l1: &[L1], rows: u64) -> (Task<F>, [usize; 2]) {
    let mut build = Build::new(name);
    let words = ROW_WORDS as u64;
    let [before, after] = ["the bank before", "the bank after"].map(|name| build.region(name, rows * words));
    let load = build.stream(before, Walk::linear(Access::Read, words as u32, rows));
    let store = build.stream(after, Walk::linear(Access::Write, words as u32, rows));
    let moved = |access: Access, stream: u8| {
        let (memory, length, src) = (Memory::Global, rows as u16, 0);
        match access {
            Access::Read => L1::Load { memory, length, src, stream },
            Access::Write => L1::Store { memory, length, src, stream },
        }
    };
    build.text.push(moved(Access::Read, load));
    // The program begins one word later than in `l1`, and ends before the store.
    let (first, end) = (1, 1 + l1.len() as u16);
    for instruction in l1 {
        build.text.push(match *instruction {
            L1::Jump { reg, addr } => L1::Jump { reg, addr: addr + first },
            L1::Scan { reg, addr } => L1::Scan { reg, addr: addr + first },
            L1::Loop { reg, addr, count } => L1::Loop { reg, addr: addr + first, count },
            L1::Finish => L1::Jump { reg: LoopReg::K, addr: end },
            other => other,
        });
    }
    build.text.push(moved(Access::Write, store));
    (build.finish(), [before, after])
}
