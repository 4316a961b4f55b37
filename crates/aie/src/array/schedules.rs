//! The kernels of all tiles of a unit, and a cache of them.

use super::run::{Access, Schedule};
use crate::mapping::Partition;
use crate::program::{Op, Program};
use crate::tile::{Kernel, Reads, Tile, TileError};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// The shape of the kernel of a program: a loop, with a bound on the tasks in flight, or straight-line code.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KernelShape {
    Loop(Option<u32>),
    Straight(Reads),
}

/// The greatest number of kernels in the cache. A board with both kinds of units has about forty.
const KEPT: usize = 128;

/// The most recently scheduled kernels, each with the program, tile and shape that it was made from. The boards of a sweep
/// or a search mostly have the same tiles, and scheduling takes most of the time of a simulation.
static MADE: Mutex<VecDeque<(Program, Tile, KernelShape, Kernel)>> = Mutex::new(VecDeque::new());

/// The kernel of a program, from the cache or else scheduled and added to it.
fn kernel(program: &Program, tile: &Tile, shape: KernelShape) -> Result<Kernel, TileError> {
    let made = || MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let known =
        made().iter().find(|(p, t, w, _)| (p, t, w) == (program, tile, &shape)).map(|(.., k)| k.clone());
    if let Some(kernel) = known {
        return Ok(kernel);
    }
    // The mutex is not held while scheduling: two threads may schedule the same program, with the same result.
    let kernel = match shape {
        KernelShape::Loop(in_flight) => Kernel::schedule_within(program, tile, in_flight),
        KernelShape::Straight(reads) => Kernel::straight(program, tile, reads),
    }?;
    let mut made = made();
    if made.len() == KEPT {
        made.pop_front();
    }
    made.push_back((program.clone(), tile.clone(), shape, kernel.clone()));
    Ok(kernel)
}

impl From<&Kernel> for Schedule {
    fn from(kernel: &Kernel) -> Self {
        let mut accesses = Vec::new();
        // A transfer of several accesses is one operation of the kernel.
        let mut operations = kernel.counts().operations;
        for t in kernel.transfers() {
            let all = t.kind.accesses(t.path);
            operations += all.len() as u64 - 1;
            accesses.extend(all.into_iter().map(|(after, words)| Access {
                cycle: u64::from(t.cycle + after),
                link: t.link,
                reads: t.receives,
                act: t.act,
                words,
            }));
        }
        accesses.sort_unstable();
        let last = accesses.last().map_or(0, |a| a.cycle + 1);
        let length = u64::from(kernel.length()).max(last);
        Self { ii: kernel.ii().into(), length, operations, accesses }
    }
}

/// The loops of a partition, each with the tiles that run it: tiles whose programs differ only in their operands share a
/// kernel. Links are numbered in the order of their first use.
///
/// # Errors
/// The errors of [`Kernel::schedule`]; [`TileError::Program`].
pub fn kernels(partition: &Partition, tile: &Tile) -> Result<Vec<(Vec<usize>, Kernel)>, TileError> {
    kernels_within(partition, tile, None)
}

/// As [`kernels`], with loops that have received at most `in_flight` tasks of which they have not sent all results.
///
/// # Errors
/// The errors of [`Kernel::schedule`].
pub(crate) fn kernels_within(
    partition: &Partition,
    tile: &Tile,
    in_flight: Option<u32>,
) -> Result<Vec<(Vec<usize>, Kernel)>, TileError> {
    each(partition, tile, KernelShape::Loop(in_flight))
}

/// The straight-line kernels of a partition for one task, by which \[AIE\] IV.A measures latency, each with the tiles that
/// run it.
///
/// # Errors
/// The errors of [`Kernel::straight`].
pub fn straight_kernels(
    partition: &Partition,
    tile: &Tile,
    reads: Reads,
) -> Result<Vec<(Vec<usize>, Kernel)>, TileError> {
    each(partition, tile, KernelShape::Straight(reads))
}

fn each(
    partition: &Partition,
    tile: &Tile,
    shape: KernelShape,
) -> Result<Vec<(Vec<usize>, Kernel)>, TileError> {
    let mut known: Vec<(Program, Vec<usize>)> = Vec::new();
    // A mapping may leave a tile without operations: Montgomery's lower product has no block for one tile of med-ind.
    let busy = partition.tiles.iter().enumerate().filter(|(_, program)| !program.ops.is_empty());
    for (number, program) in busy {
        let (anonymous, _) = anonymous(program);
        match known.iter_mut().find(|(p, _)| p.ops == anonymous.ops) {
            Some((_, tiles)) => tiles.push(number),
            None => known.push((anonymous, vec![number])),
        }
    }
    let scheduled = |(program, tiles)| {
        let kernel = kernel(&program, tile, shape)?;
        kernel.is_in_program_memory()?;
        Ok((tiles, kernel))
    };
    known.into_iter().map(scheduled).collect()
}

/// Schedules every tile's program, as [`kernels`] does.
#[cfg(test)]
pub(crate) fn schedules(partition: &Partition, tile: &Tile) -> Result<Vec<Schedule>, TileError> {
    Ok(of_tiles(partition, &kernels(partition, tile)?))
}

/// The schedule of every tile, given the kernels of [`kernels`] or [`straight_kernels`].
pub(crate) fn of_tiles(partition: &Partition, kernels: &[(Vec<usize>, Kernel)]) -> Vec<Schedule> {
    let idle = Schedule { ii: 0, length: 0, operations: 0, accesses: vec![] };
    let mut all = vec![idle; partition.tiles.len()];
    for (tiles, kernel) in kernels {
        let schedule = Schedule::from(kernel);
        for &number in tiles {
            let (_, links) = anonymous(&partition.tiles[number]);
            let accesses = schedule.accesses.iter().map(|a| Access { link: links[a.link], ..*a });
            all[number] = Schedule { accesses: accesses.collect(), ..schedule };
        }
    }
    all
}

/// The program with its links renumbered in the order of their first use, and their original numbers.
pub(super) fn anonymous(program: &Program) -> (Program, Vec<usize>) {
    let (mut program, mut links) = (program.clone(), Vec::new());
    for o in &mut program.ops {
        let (Op::Receive { link, .. } | Op::Send { link, .. }) = &mut o.op else { continue };
        let number = links.iter().position(|known| known == link).unwrap_or_else(|| {
            links.push(*link);
            links.len() - 1
        });
        *link = number;
    }
    (program, links)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mapping::Mapping;
    use crate::{Carry, Method, Reduction};

    /// A cached kernel is the one that would be scheduled again, and belongs to one program, tile and shape.
    #[test]
    fn kept_kernels_are_those_of_their_programs() {
        let partition =
            Partition::new(Mapping::Independent, Method::new(Reduction::Barrett, Carry::Balanced));
        let usual = Tile::first_generation();
        let slow = {
            let mut tile = usual.clone();
            tile.machine.classes.iter_mut().find(|c| c.name == "load").unwrap().latency += 3;
            tile
        };
        let programs = [4, 5].map(|tile| anonymous(&partition.tiles[tile]).0);
        assert_ne!(programs[0], programs[1]);
        let mut made = Vec::new();
        for program in &programs {
            for tile in [&usual, &slow] {
                for shape in [
                    KernelShape::Loop(None),
                    KernelShape::Loop(Some(1)),
                    KernelShape::Straight(Reads::Needed),
                ] {
                    let fresh = match shape {
                        KernelShape::Loop(in_flight) => Kernel::schedule_within(program, tile, in_flight),
                        KernelShape::Straight(reads) => Kernel::straight(program, tile, reads),
                    };
                    made.push((program, tile, shape, format!("{:?}", fresh.unwrap())));
                }
            }
        }
        // In the first round kernels are scheduled, unless other tests have requested them; in the second they come from
        // the cache.
        for _ in 0..2 {
            for (program, tile, shape, fresh) in &made {
                assert_eq!(format!("{:?}", kernel(program, tile, *shape).unwrap()), *fresh);
            }
        }
        assert!(MADE.lock().unwrap().len() <= KEPT);
    }
}
