//! The description of an engine and its memories.

use super::TileError;
use crate::digits::DIGITS;
use crate::program::{Class, ValueKind};
use pairwright_sim::schedule::{Machine, Use};
use pairwright_sim::settings::{Range, between};
use serde::{Deserialize, Serialize};

/// A tile: an engine with its memories. [`Tile::first_generation`] is the paper's; its file gives the source of each
/// number. Every number can be changed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tile {
    /// The name of the engine in reports.
    pub name: String,
    /// A description of the engine in one line.
    pub title: String,
    /// The size of the data memory, in bytes.
    pub data_bytes: usize,
    /// The size of the program memory, in bytes.
    pub program_bytes: usize,
    /// The size of a full-length instruction, in bytes; every non-empty instruction is counted with this size.
    pub instruction_bytes: usize,
    /// The size of an empty instruction, in bytes.
    pub empty_bytes: usize,
    /// Cycles of the call that precedes a kernel for one task.
    pub call_cycles: u32,
    /// Empty instructions after the acquisition of a lock, for which the paper prints 20 to 30. With 0, operations other
    /// than loads and stores are issued beside a lock, which then occupies only the slots of its class.
    pub acquire_nops: u32,
    /// Slots, operation classes and register files. The classes are `load`, `store`, `load accumulator`, `store
    /// accumulator`, `mac` with its operand `acc`, `srs`, `ups`, `vector`, `extract`, `update`, `scalar`, and `receive`
    /// and `send` over `stream` and `cascade` of a `vector`, an `accumulator` and a `scalar` each (`send stream vector`);
    /// for shared memory `acquire` and `release`, whose operand `lock` gives the cycle in which the lock is requested or
    /// released, and `load scalar`. The files are `vector` (256 bits each), `accumulator` (8 lanes of 80 bits) and
    /// `scalar` (32 bits).
    pub machine: Machine,
}

impl Tile {
    /// The ranges of its parameters, without those of the machine. Numbers that AM009 prints count as printed.
    pub(crate) const RANGES: &[Range] = &[
        between("data_bytes", 0.0, 1_073_741_824.0, "bytes").printed(),
        between("program_bytes", 0.0, 1_073_741_824.0, "bytes").printed(),
        between("instruction_bytes", 0.0, 1024.0, "bytes").printed(),
        between("empty_bytes", 0.0, 1024.0, "bytes").inferred(),
        between("call_cycles", 0.0, 1_048_576.0, "cycles").inferred(),
        between("acquire_nops", 0.0, 512.0, "instructions").printed(),
    ];

    /// The engine of \[AIE\], from `machines/aie1.toml`.
    pub fn first_generation() -> Self {
        Self::parse(include_str!("../../machines/aie1.toml")).expect("a test parses it")
    }

    /// Parses a description in TOML.
    ///
    /// # Errors
    /// [`TileError::Description`] if the text is not a description; the errors of [`Tile::check`].
    pub fn parse(text: &str) -> Result<Self, TileError> {
        let tile: Self = toml::from_str(text)?;
        tile.check()?;
        Ok(tile)
    }

    /// Checks that the machine is valid, that it has the classes and files that kernels need, and that no number exceeds
    /// the range of the model.
    ///
    /// # Errors
    /// [`TileError::Schedule`], [`TileError::NoRegisters`], [`TileError::Range`].
    pub fn check(&self) -> Result<(), TileError> {
        let Self { machine, .. } = self;
        machine.check()?;
        Class::all().try_for_each(|class| machine.class(&class.to_string()).map(drop))?;
        if let Some(file) = ValueKind::ALL.into_iter().find(|&file| self.registers(file) == 0) {
            return Err(TileError::NoRegisters(file.name()));
        }
        let numbers = [
            ("data_bytes", self.data_bytes, 1 << 30),
            ("program_bytes", self.program_bytes, 1 << 30),
            ("instruction_bytes", self.instruction_bytes, 1 << 10),
            ("empty_bytes", self.empty_bytes, 1 << 10),
            ("call_cycles", self.call_cycles as usize, 1 << 20),
            ("acquire_nops", self.acquire_nops as usize, 1 << 9),
        ];
        let files = machine.files.iter().map(|f| (f.name.as_str(), f.size as usize, 1 << 10));
        let slots = machine.slots.iter().map(|s| (s.name.as_str(), s.count as usize, 1 << 6));
        let classes = machine.classes.iter().map(|c| {
            let ends = c.ways.iter().flatten().map(|u| u.from.saturating_add(u.cycles));
            let longest = c.reads.values().copied().chain(ends).chain([c.latency]).max().unwrap_or(0);
            (c.name.as_str(), longest as usize, 1 << 10)
        });
        let mut all = numbers.into_iter().chain(files).chain(slots).chain(classes);
        match all.find(|(_, value, most)| value > most) {
            Some((name, value, most)) => Err(TileError::Range { name: name.to_owned(), value, most }),
            None => Ok(()),
        }
    }

    /// The engine as the scheduler sees it: [`Tile::acquire_nops`] empty instructions follow an acquisition, and a
    /// multiply-accumulate reads its accumulator, and the vector registers a second time, before its result is available,
    /// even if its latency was made shorter than these reads.
    pub(super) fn scheduled(&self) -> Self {
        let mut tile = self.clone();
        let machine = &mut tile.machine;
        let issue: Vec<(String, u32)> = machine
            .slots
            .iter()
            .filter(|slot| INSTRUCTION.contains(&slot.name.as_str()))
            .map(|slot| (slot.name.clone(), slot.count))
            .collect();
        for class in &mut machine.classes {
            match class.name.as_str() {
                "acquire" if self.acquire_nops > 0 => {
                    let from = class.reads.get("lock").copied().unwrap_or(0) + 1;
                    let end = from + self.acquire_nops;
                    class.latency = class.latency.max(end);
                    class.ways.iter_mut().for_each(|way| *way = emptied(way, &issue, from, end));
                }
                "mac" => {
                    let last = class.latency.saturating_sub(1);
                    class.reads.values_mut().for_each(|read| *read = (*read).min(last));
                    let reads = class.ways.iter_mut().flatten().filter(|u| u.slot == "vector read");
                    reads.for_each(|u| u.from = u.from.min(last));
                }
                _ => {}
            }
        }
        tile
    }

    /// The number of registers of a file; 0 if the machine has no such file.
    pub(super) fn registers(&self, file: ValueKind) -> usize {
        self.machine.files.iter().find(|f| f.name == file.name()).map_or(0, |f| f.size as usize)
    }
}

/// The issue slots of an instruction; the other slots of the machine are ports.
pub(super) const INSTRUCTION: [&str; 6] = ["load", "store", "scalar", "vector", "move 0", "move 1"];

/// An instruction format that occupies all issue slots in the cycles from `from` to before `end`, together with the uses
/// of `way` outside these cycles and of other slots.
fn emptied(way: &[Use], issue: &[(String, u32)], from: u32, end: u32) -> Vec<Use> {
    let before = |u: &Use| {
        let cycles = if issue.iter().any(|(slot, _)| *slot == u.slot) {
            u.cycles.min(from.saturating_sub(u.from))
        } else {
            u.cycles
        };
        (cycles > 0).then(|| Use { cycles, ..u.clone() })
    };
    let after = |u: &Use| {
        let start = u.from.max(end);
        let cycles = (u.from + u.cycles).saturating_sub(start);
        let late = cycles > 0 && issue.iter().any(|(slot, _)| *slot == u.slot);
        late.then(|| Use { slot: u.slot.clone(), from: start, cycles })
    };
    let empty = issue.iter().flat_map(|(slot, count)| {
        (0..*count).map(move |_| Use { slot: slot.clone(), from, cycles: end - from })
    });
    way.iter().filter_map(before).chain(empty).chain(way.iter().filter_map(after)).collect()
}

/// Bytes of a number of sixteen digits in memory.
pub(super) const NUMBER_BYTES: usize = 4 * DIGITS;
