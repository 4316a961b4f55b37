//! Register allocation: maps the registers of a text to fewer that are reused. PTX has a register for every value, and
//! as many arrays of 32 values would not fit in a cache.
//!
//! Presets keep their registers. Every other register is live from its first to its last mention, extended over the
//! basic blocks in which its value is still needed.

use crate::check::{Block, blocks};
use crate::error::TextError;
use crate::program::{Instruction, Kernel, Reg};
use crate::table::Class;

const CLASSES: [Class; 3] = [Class::Word, Class::Long, Class::Bit];

/// Renumbers the registers of a kernel.
///
/// # Errors
/// [`TextError::Unwritten`] if a register may be read before it is written.
pub(crate) fn pack(kernel: &mut Kernel) -> Result<(), TextError> {
    let blocks = blocks(&kernel.body);
    for class in CLASSES {
        pack_class(kernel, &blocks, class)?;
    }
    Ok(())
}

/// A set of registers of a class.
#[derive(Clone, PartialEq)]
struct Set(Vec<u64>);

impl Set {
    fn new(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }
    fn insert(&mut self, at: u32) {
        self.0[at as usize / 64] |= 1 << (at % 64);
    }
    fn remove(&mut self, at: u32) {
        self.0[at as usize / 64] &= !(1 << (at % 64));
    }
    fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(to, from)| *to |= from);
    }
    fn each(&self) -> impl Iterator<Item = u32> + '_ {
        let bits = |(at, word): (usize, &u64)| {
            let word = *word;
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| (64 * at) as u32 + bit)
        };
        self.0.iter().enumerate().filter(|(_, word)| **word != 0).flat_map(bits)
    }
}

/// The registers of a class that an instruction reads.
fn reads(instruction: &Instruction, class: Class) -> impl Iterator<Item = u32> + '_ {
    let guard = instruction.guard.iter().map(|(reg, _)| reg);
    instruction.from.iter().chain(guard).filter(move |reg| reg.class == class).map(|reg| reg.at)
}

fn writes(instruction: &Instruction, class: Class) -> impl Iterator<Item = u32> + '_ {
    instruction.to.iter().filter(move |reg| reg.class == class).map(|reg| reg.at)
}

/// The registers that are live at the beginning of each block.
fn live(kernel: &Kernel, blocks: &[Block], class: Class, count: usize) -> Vec<Set> {
    let mut at_start = vec![Set::new(count); blocks.len()];
    loop {
        let mut changed = false;
        for (index, block) in blocks.iter().enumerate().rev() {
            let mut set = Set::new(count);
            block.next.iter().for_each(|next| set.add(&at_start[*next]));
            for instruction in kernel.body[block.instructions.clone()].iter().rev() {
                // Under a guard, some threads keep the old value.
                if instruction.guard.is_none() {
                    writes(instruction, class).for_each(|at| set.remove(at));
                }
                reads(instruction, class).for_each(|at| set.insert(at));
            }
            if set != at_start[index] {
                at_start[index] = set;
                changed = true;
            }
        }
        if !changed {
            return at_start;
        }
    }
}

fn pack_class(kernel: &mut Kernel, blocks: &[Block], class: Class) -> Result<(), TextError> {
    let count = kernel.registers[class as usize];
    let mut preset = Set::new(count);
    let presets: Vec<u32> =
        kernel.presets.iter().filter(|(reg, _)| reg.class == class).map(|(reg, _)| reg.at).collect();
    presets.iter().for_each(|at| preset.insert(*at));
    let live = live(kernel, blocks, class, count);
    // The first and the last mention of each register.
    let mut spans: Vec<Option<(usize, usize)>> = vec![None; count];
    let mut mention = |register: u32, at: usize| {
        let span = spans[register as usize].get_or_insert((at, at));
        *span = (span.0.min(at), span.1.max(at));
    };
    for (at, instruction) in kernel.body.iter().enumerate() {
        reads(instruction, class)
            .chain(writes(instruction, class))
            .for_each(|register| mention(register, at));
    }
    for (index, block) in blocks.iter().enumerate() {
        for register in live[index].each() {
            mention(register, block.instructions.start);
        }
        for next in &block.next {
            for register in live[*next].each() {
                mention(register, block.instructions.end - 1);
            }
        }
    }
    if let Some(first) = live.first() {
        let unwritten = |at: &u32| preset.0[*at as usize / 64] >> (at % 64) & 1 == 0;
        if let Some(register) = first.each().find(unwritten) {
            let reader = kernel.body.iter().find(|one| reads(one, class).any(|at| at == register));
            let line = reader.map_or(0, |instruction| instruction.line);
            return Err(TextError::Unwritten { line, kernel: kernel.name.clone() });
        }
    }
    // Presets get the first numbers; each other register takes one that is free where it begins.
    let mut new = vec![0u32; count];
    for (to, from) in presets.iter().enumerate() {
        new[*from as usize] = to as u32;
        spans[*from as usize] = None;
    }
    let mut order: Vec<(usize, usize, usize)> = spans
        .iter()
        .enumerate()
        .filter_map(|(register, span)| span.map(|(first, last)| (first, last, register)))
        .collect();
    order.sort_unstable();
    let mut used = presets.len() as u32;
    let mut free: Vec<u32> = Vec::new();
    let mut ends: std::collections::BTreeSet<(usize, u32)> = std::collections::BTreeSet::new();
    for (first, last, register) in order {
        // A register that ends where another begins is still read there, so it is not free yet.
        while let Some((end, place)) = ends.first().copied().filter(|(end, _)| *end < first) {
            ends.remove(&(end, place));
            free.push(place);
        }
        let place = free.pop().unwrap_or_else(|| {
            used += 1;
            used - 1
        });
        new[register] = place;
        ends.insert((last, place));
    }
    let rename = |reg: &mut Reg| {
        if reg.class == class {
            reg.at = new[reg.at as usize];
        }
    };
    for instruction in &mut kernel.body {
        instruction.to.iter_mut().chain(&mut instruction.from).for_each(rename);
        instruction.guard.iter_mut().for_each(|(reg, _)| rename(reg));
    }
    kernel.presets.iter_mut().for_each(|(reg, _)| rename(reg));
    kernel.registers[class as usize] = used as usize;
    Ok(())
}
